"""The oracle of `cpp/tests/oracle.cpp`, a program that `make cpp-test` builds: what a plan costs at least."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import Any

import sidestep as ss

BUILT = Path(__file__).parents[2] / "build" / "cpp-tests" / "cpp" / "tests" / "oracle"
PROGRAM = Path(os.environ.get("SIDESTEP_ORACLE", BUILT))


class Oracle:
    """A running oracle: thousands of tiny problems a second."""

    def __init__(self) -> None:
        self.process = subprocess.Popen(
            [str(PROGRAM)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def cheapest(self, problem: ss.Problem) -> int | None:
        """The cost of the cheapest plan under the problem's rules; None: there is no plan, proved."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        print(*_numbers(problem), file=self.process.stdin, flush=True)
        answer = int(self.process.stdout.readline())
        return None if answer < 0 else answer

    def cheapest_of(self, problems: list[ss.Problem]) -> list[int | None]:
        """The same of many problems, which are all sent before the first answer is read."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        asked = "".join(" ".join(map(str, _numbers(problem))) + "\n" for problem in problems)
        self.process.stdin.write(asked)
        self.process.stdin.flush()
        answers = [int(self.process.stdout.readline()) for _ in problems]
        return [None if answer < 0 else answer for answer in answers]

    def close(self) -> None:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.close()
        self.process.stdout.close()
        self.process.wait()


def _numbers(problem: ss.Problem) -> list[Any]:
    space, rules = problem.space, problem.rules
    is_grid = isinstance(space, ss.Grid)
    edges = [] if is_grid else space.edges.ravel().tolist()
    conflicts = [] if is_grid else space.edge_conflicts.ravel().tolist()
    grid = [space.width, space.connectivity, ("none", "one", "free").index(space.corners)] if is_grid else []
    return [
        space.n,
        *(grid or [0, 4, 0]),
        int(not is_grid and space.directed),
        *map(int, (rules.following, rules.crossing)),
        int(rules.at_goal == "disappear"),
        int(rules.cost == "time_off_goal"),
        *(len(edges) // 2, len(conflicts) // 2, problem.n_agents),
        *space.open.astype(int).ravel().tolist(),
        *edges,
        *conflicts,
        *problem.starts.tolist(),
        *problem.goals.tolist(),
    ]
