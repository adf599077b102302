"""`python -m benchmarks.orders`: in which order CA* and HCA* should plan.

Every order on the same problems, of which some are crowded and some narrow: how many are solved in the first
order and with retries, what a plan costs over the lower bound where every order finds one, and how many nodes
that takes. docs/algorithms/ca.md has the table.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from statistics import fmean
from typing import Any, get_args

from sidestep import CA, HCA, Grid, Problem, Rules
from sidestep.instances import maze_grid, random_grid, random_problem, room_grid
from sidestep.solvers.orders import OrderName

from .measurements import Row
from .swept import over_bound, swept

ORDERS = get_args(OrderName)
FIRST, RETRIED = 0, CA().retries
LIMITS = {"nodes": 5_000_000}  # so that it does not depend on the machine
COLUMNS = ("first order", "with retries", "cost / bound", "nodes")


def open_maps(seed: int, agents: int) -> Problem:
    """Silver's maps."""
    return drawn(random_grid(32, 32, 0.2, seed), agents, seed)


def rooms(seed: int, agents: int) -> Problem:
    """Rooms of 5x5."""
    return drawn(room_grid(32, 32, 5, seed), agents, seed)


def mazes(seed: int, agents: int) -> Problem:
    """Ways two cells wide."""
    return drawn(maze_grid(32, 32, 2, seed), agents, seed)


def drawn(grid: Grid, agents: int, seed: int) -> Problem:
    """Random starts and goals under Silver's rules."""
    return random_problem(grid, agents, seed, rules=Rules.printed("silver2005"))


PROBLEMS: dict[str, dict[str, Any]] = {
    "Silver's maps, 100 agents": {"function": "benchmarks.orders:open_maps", "agents": 100},
    "the same, 200 agents": {"function": "benchmarks.orders:open_maps", "agents": 200},
    "rooms of 5x5 on 32x32, 40 agents": {"function": "benchmarks.orders:rooms", "agents": 40},
    "the same, 120 agents": {"function": "benchmarks.orders:rooms", "agents": 120},
    "mazes of 32x32, 20 agents": {"function": "benchmarks.orders:mazes", "agents": 20},
    "the same, 60 agents": {"function": "benchmarks.orders:mazes", "agents": 60},
}


def main() -> None:
    """Prints a table per kind of problem."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--problems", type=int, default=40)
    parser.add_argument("--solver", choices=[CA.name, HCA.name], default=HCA.name)
    parser.add_argument("--jobs", type=int, default=1, help="processes: only nodes are counted, no time")
    given = parser.parse_args()
    solvers = [
        {"solver": given.solver, "order": order, "retries": retries, "label": label(order, retries)}
        for retries in (FIRST, RETRIED)
        for order in ORDERS
    ]
    for kind, problems in PROBLEMS.items():
        instances = {**problems, "count": given.problems}
        rows = swept({"solvers": solvers, "instances": instances, "limits": LIMITS}, jobs=given.jobs)
        compare(f"{given.solver}: {given.problems} of {kind}", rows)


def label(order: str, retries: int) -> str:
    """What rows call a solver."""
    return f"{order} {retries}"


def compare(kind: str, rows: Sequence[Row]) -> None:
    """One table: a line per order."""
    of = {
        name: {row["instance"]: row for row in rows if row["solver"] == name and row["solved"]}
        for name in {row["solver"] for row in rows}
    }
    found = {order: of.get(label(order, RETRIED), {}) for order in ORDERS}
    everywhere = set.intersection(*map(set, found.values()))
    print(f"\n{kind}; {len(everywhere)} solved in every order")
    print(f"{'':12}" + "".join(f"{column:>14}" for column in COLUMNS))
    for order, solved in found.items():
        both = [solved[instance] for instance in everywhere]
        numbers = (
            f"{len(of.get(label(order, FIRST), {}))}",
            f"{len(solved)}",
            f"{fmean(map(over_bound, both)):.4f}" if both else "",
            f"{fmean(row['expansions'] for row in both):,.0f}" if both else "",
        )
        print(f"{order:12}" + "".join(f"{number:>14}" for number in numbers))
        sys.stdout.flush()


if __name__ == "__main__":
    main()
