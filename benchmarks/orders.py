"""`python -m benchmarks.orders`: in which order CA* and HCA* should plan.

Every order on the same problems, of which some are crowded and some narrow: how many are solved in the first
order and with retries, what a plan costs over the lower bound where every order finds one, and how many nodes
that takes. docs/algorithms/ca.md has the table.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from statistics import fmean
from typing import get_args

from sidestep import CA, HCA, Budget, Grid, Problem, Result, Rules
from sidestep.instances import maze_grid, random_grid, random_problem, room_grid
from sidestep.solvers.orders import OrderName

SOLVERS = {solver.name: solver for solver in (CA, HCA)}
NODES = 5_000_000
PROBLEMS: dict[str, Callable[[int], Problem]] = {
    "Silver's maps, 100 agents": lambda seed: drawn(random_grid(32, 32, 0.2, seed), 100, seed),
    "the same, 200 agents": lambda seed: drawn(random_grid(32, 32, 0.2, seed), 200, seed),
    "rooms of 5x5 on 32x32, 40 agents": lambda seed: drawn(room_grid(32, 32, 5, seed), 40, seed),
    "the same, 120 agents": lambda seed: drawn(room_grid(32, 32, 5, seed), 120, seed),
    "mazes of 32x32, 20 agents": lambda seed: drawn(maze_grid(32, 32, 2, seed), 20, seed),
    "the same, 60 agents": lambda seed: drawn(maze_grid(32, 32, 2, seed), 60, seed),
}
COLUMNS = ("first order", "with retries", "cost / bound", "nodes", "orders")


def drawn(grid: Grid, agents: int, seed: int) -> Problem:
    """Random starts and goals under Silver's rules."""
    return random_problem(grid, agents, seed, rules=Rules.printed("silver2005"))


def main() -> None:
    """Prints a table per kind of problem."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--problems", type=int, default=40)
    parser.add_argument("--solver", choices=SOLVERS, default=HCA.name)
    given = parser.parse_args()
    for kind, make in PROBLEMS.items():
        compare(SOLVERS[given.solver], kind, [make(seed) for seed in range(given.problems)])


def compare(solver: type[CA], kind: str, problems: list[Problem]) -> None:
    """One table: a row per order."""
    names = get_args(OrderName)
    first = {name: [run(solver(order=name, retries=0), p) for p in problems] for name in names}
    found = {name: [run(solver(order=name), p) for p in problems] for name in names}
    everywhere = [k for k in range(len(problems)) if all(found[name][k] for name in names)]
    print(f"\n{solver.name}: {len(problems)} of {kind}; {len(everywhere)} solved in every order")
    print(f"{'':12}" + "".join(f"{column:>14}" for column in COLUMNS))
    for name in names:
        both = [found[name][k] for k in everywhere]
        numbers = (
            f"{sum(map(bool, first[name]))}",
            f"{sum(map(bool, found[name]))}",
            f"{fmean(over_bound(one) for one in both):.4f}" if both else "",
            f"{fmean(one.stats['expansions'] for one in both):,.0f}" if both else "",
            f"{fmean(one.stats['orders'] for one in both):.2f}" if both else "",
        )
        print(f"{name:12}" + "".join(f"{number:>14}" for number in numbers))
        sys.stdout.flush()


def run(solver: CA, problem: Problem) -> Result:
    """The result within a budget of nodes, so that it does not depend on the machine."""
    return solver.solve(problem, budget=Budget(nodes=NODES))


def over_bound(result: Result) -> float:
    """What a plan costs over what agents cost without each other."""
    assert result.plan is not None
    assert result.lower_bound is not None
    return result.plan.cost / result.lower_bound


if __name__ == "__main__":
    main()
