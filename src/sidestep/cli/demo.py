"""`sidestep demo`: something to look at, in half a minute."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import click

from .. import io
from ..bench.instances import random_problem, room_grid
from ..grid import Cell
from ..plan import Plan
from ..problem import Problem
from ..result import Result
from ..solve import solve as solve_problem
from ..validate import validate
from .console import complain, show, writable
from .picture import picture
from .progress import bar
from .reading import FILE
from .summary import cost_against_bound, waits

HEIGHT, WIDTH, ROOM, AGENTS = 31, 63, 7, 120
WINDOWS = (32, 64, 96)  # steps to look ahead: further if a jam at a door does not clear
TIME_LIMIT = 8.0  # seconds for each of them


@click.command("demo")
@click.option("--seed", type=int, default=0, show_default=True, help="Another map and other agents.")
@click.option("-o", "--output", type=FILE, default=Path("out/demo.json"), show_default=True)
def command(seed: int, output: Path) -> int:
    """Send more than a hundred agents through rooms with narrow doors, all at once.

    WHCA* plans, the judge checks the plan, and the plan is written with its problem.
    """
    problem = _scene(seed)
    output.parent.mkdir(parents=True, exist_ok=True)
    writable(output)
    show(
        picture(problem),
        f"{AGENTS} agents (o) are to reach their goals (x), all at once, through doors one cell wide.",
    )
    result = _planned(problem, seed)
    if result.plan is None:
        show(f"Not this time: {result.reason}.")
        return 1
    verdict = validate(problem, result.plan)
    if not verdict:
        complain(f"the plan is not valid, please report this: {verdict.violations[0]}")
        return 1
    io.write_result(result, output)
    show(_story(result.plan, result), f"The plan, with its map and agents, is in {output}.")
    return 0


def _scene(seed: int) -> Problem:
    """Agents whose starts and goals are inside rooms: nobody wants to stay in a doorway."""
    grid = room_grid(HEIGHT, WIDTH, ROOM, seed)
    some_more = random_problem(grid, 2 * AGENTS, seed)
    indoors = [
        replace(agent, name=None)
        for agent in some_more.agents
        if not (_in_doorway(agent.start) or _in_doorway(agent.goal))
    ]
    return Problem.from_agents(grid, indoors[:AGENTS])


def _in_doorway(cell: Cell) -> bool:
    return ROOM in (cell[0] % (ROOM + 1), cell[1] % (ROOM + 1))


def _planned(problem: Problem, seed: int) -> Result:
    with bar("planning") as progress:
        for window in WINDOWS:
            result = solve_problem(
                problem,
                "whca",
                window=window,
                seed=seed,
                time_limit=TIME_LIMIT,
                on_progress=progress.on_progress,
            )
            if result:
                break
            show(f"Looking {window} steps ahead was not enough: {result.reason}.")
    return result


def _story(plan: Plan, result: Result) -> str:
    cost = cost_against_bound(plan, result.lower_bound)
    milliseconds = 1000 * result.stats["seconds"]
    return (
        f"WHCA*, looking {result.solver.window} steps ahead, planned in {milliseconds:.0f} ms: "
        f"all {plan.problem.n_agents} agents are at their goals after {plan.makespan} steps, "
        "and the judge found no collision.\n"
        f"The sum of their arrival times is {cost}; they waited {waits(plan)} times."
    )
