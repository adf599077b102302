"""`python -m benchmarks.readings`: how often HCA* fails on Standley's instances, as it may be read.

His paper has 4.3%, of which OD+ID solves 84%, and does not say how HCA* was run. The report of its
reproduction has five readings; here are others, on instances whose goals can be reached and on those drawn
without a check. Agents plan once, in a random order; OD+ID is as printed, with a second of computing.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping
from functools import partial

from sidestep import Budget, Plan, Problem, _core, validate
from sidestep.papers.design import InstanceTrial
from sidestep.papers.standley2010 import trial as standley2010
from sidestep.papers.timing import solve_within
from sidestep.solvers.cooperative import cooperating_agents
from sidestep.solvers.solver import path_matrix, planning_order

Reading = Callable[[Problem, int], bool]  # does it solve a problem, in the order that a number draws?
CHECKED, UNCHECKED = "reachable", "unchecked"
MOST_RESCUED = 100  # instances that OD+ID is run on for one cell


def solves(
    problem: Problem,
    seed: int,
    *,
    looks_ahead: bool = True,
    nodes: int | None = None,
    steps: int | None = None,
) -> bool:
    """Does every agent find a path, and do these not collide?

    Args:
        problem: The instance.
        seed: Draws the order.
        looks_ahead: An agent goes to stay only when all those before it have passed.
        nodes: The most that the search for one path may expand.
        steps: The most that a path may have.
    """
    agents = cooperating_agents(problem, hold_goals=looks_ahead)
    for agent in planning_order(problem, seed):
        goal = int(problem.goals[agent])
        found = agents.plan(agent, Budget(nodes=nodes).core) is _core.Outcome.found
        path = agents.path(agent)
        if not found or path[-1] != goal or (steps is not None and len(path) > steps + 1):
            return False
    plan = Plan(problem, path_matrix(problem, [agents.path(agent) for agent in range(problem.n_agents)]))
    return bool(validate(problem, plan))


READINGS: Mapping[str, Reading] = {
    "goals stay reserved": solves,
    "agents stay where others will still pass": partial(solves, looks_ahead=False),
    **{f"paths of at most {steps} steps": partial(solves, steps=steps) for steps in (31, 32, 33)},
    **{f"at most {nodes} nodes per path": partial(solves, nodes=nodes) for nodes in (400, 500, 700)},
}


def main() -> None:
    """Prints a row per reading."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--instances", type=int, default=1000)
    parser.add_argument("names", nargs="*", choices=[[], *READINGS], metavar="READING")
    given = parser.parse_args()
    trials = [InstanceTrial(number, 0, standley2010.SECONDS) for number in range(given.instances)]
    checked = [standley2010.instance(trial) for trial in trials]
    unchecked = [standley2010.unchecked(problem, number) for number, problem in enumerate(checked)]
    print(f"Not solved by HCA*, and the share of these that OD+ID solves; {given.instances} instances")
    print(f"{'':48}{CHECKED:>16}{UNCHECKED:>16}")
    rescued: dict[tuple[str, int], bool] = {}
    for name in given.names or READINGS:
        row = [
            failures(READINGS[name], problems, kind, rescued)
            for kind, problems in ((CHECKED, checked), (UNCHECKED, unchecked))
        ]
        print(f"{name:48}" + "".join(f"{cell:>16}" for cell in row), flush=True)


def failures(
    reading: Reading, problems: list[Problem], kind: str, rescued: dict[tuple[str, int], bool]
) -> str:
    """The share on which a reading fails, and the share of these that OD+ID solves, which is remembered."""
    failed = [number for number, problem in enumerate(problems) if not reading(problem, number)]
    for number in failed[:MOST_RESCUED]:
        if (kind, number) not in rescued:
            solver = standley2010.OPTIMAL["OD+ID"]
            rescued[kind, number] = bool(solve_within(standley2010.SECONDS, problems[number], solver))
    tried = [rescued[kind, number] for number in failed[:MOST_RESCUED]]
    share = f", {sum(tried) / len(tried):.0%}" if tried else ""
    return f"{len(failed) / len(problems):.2%}{share}"


if __name__ == "__main__":
    main()
