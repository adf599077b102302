"""How long answers to why take, checks included: CPU time per question, 200 agents on 64x64.

`python -m benchmarks.why` asks about steps that need a reason, drawn by seed, in plans of three solvers for
several problems, and prints the median (p50), the 99th percentile (p99) and the longest, in milliseconds; the
target is 100 for p99.
"""

from __future__ import annotations

import argparse
import random
import statistics
from time import process_time
from typing import Any

import sidestep as ss
from sidestep.explain import Inquiry
from sidestep.instances import random_grid, random_problem
from sidestep.solvers import make_solver

TARGET = 100.0  # ms, for 99 of 100 questions
SOLVERS: dict[str, dict[str, Any]] = {"whca": {}, "dpca": {}, "wdpca": {"window": 8}}


def spent_on(result: ss.Result, questions: int, seed: int) -> tuple[list[float], int]:
    """The CPU time of each question, in milliseconds, and how many answers are verified."""
    inquiry, draw = Inquiry(result), random.Random(seed)
    steps = [(agent, time) for agent in range(result.problem.n_agents) for time in range(inquiry.run.last)]
    draw.shuffle(steps)
    spent: list[float] = []
    verified = 0
    for step in steps:
        if len(spent) == questions:
            break
        if inquiry.needs_a_reason(*step):
            begin = process_time()
            answer = inquiry.why(*step, detail=True)
            verified += answer.verified and bool(answer.text)
            spent.append(1000 * (process_time() - begin))
    return spent, verified


def main() -> None:
    """Prints a line per solver; fails if the target is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--questions", type=int, default=100, help="per problem")
    parser.add_argument("--problems", type=int, default=4, help="per solver")
    parser.add_argument("--agents", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    missed = False
    for solver, params in SOLVERS.items():
        spent: list[float] = []
        verified = 0
        for seed in range(given.seed, given.seed + given.problems):
            grid = random_grid(64, 64, 0.1, seed, connectivity=8, corners="free")
            result = ss.solve(random_problem(grid, given.agents, seed), make_solver(solver, params))
            times, fine = spent_on(result, given.questions, seed)
            spent, verified = spent + times, verified + fine
        p99 = statistics.quantiles(spent, n=100)[98]
        missed |= p99 > TARGET
        told = f"p50 {statistics.median(spent):.1f} ms, p99 {p99:.1f} ms, longest {max(spent):.1f} ms"
        print(f"{solver}: {len(spent)} questions, {verified} verified; {told}")
    raise SystemExit(int(missed))


if __name__ == "__main__":
    main()
