"""`sidestep demo`: two things to look at, in half a minute."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from .. import io
from ..instances import random_problem, room_grid, warehouse_grid
from ..judge import validate
from ..model.errors import InputError
from ..model.grid import Cell
from ..model.problem import Problem
from ..model.result import Result
from ..solve import solve as solve_problem
from ..viewer import replay
from .browser import open_in_browser
from .console import FILE, complain, show, writable
from .progress import bar
from .summary import cost_against_bound, waits

SIZE, ROOM, AGENTS = 39, 7, 120
TIME_LIMIT = 8.0  # seconds for each attempt
ROBOTS, IMPROVED = 1000, 10.0  # in the warehouse, and for how many seconds their plan is made cheaper

# Per planner its name for people, and what may be tried; a later attempt looks further ahead or tries longer.
PLANNERS: dict[str, tuple[str, tuple[Mapping[str, Any], ...]]] = {
    "whca": ("WHCA*", ({"window": 16}, {"window": 32}, {"window": 64})),
    "hca": ("HCA*", ({}, {"retries": 100})),
}

TITLE = f"{AGENTS} agents, rooms, and doors one cell wide"
NOTE = (
    "Each dot wants to be on the ring of its own colour. All of them move at once, one cell per step, and "
    "no two may ever meet: not in one cell, and not by swapping places. A dot with a thick edge is waiting; "
    "the line under the map says for whom. Click a dot to see its way. An independent judge has checked "
    "every step."
)
COMPARED = (
    "Both maps show the same task. WHCA* looks a few steps ahead and plans again all the time, as a game "
    "would; HCA* plans every way to its end before anybody moves."
)
WAREHOUSE_NOTE = (
    "Every robot has a place of its own to go to, all at once, through aisles one cell wide. An independent "
    "judge has checked every step."
)
FALLING = (
    "A first plan was made ever cheaper: the line beside the map is its cost over that time, and the dashed "
    "one below it is what no plan can beat."
)


@click.command("demo")
@click.option("--seed", type=int, default=0, show_default=True, help="Another map and other agents.")
@click.option("-o", "--output", type=FILE, default=Path("out/demo.html"), show_default=True, help="The page.")
@click.option("--open/--no-open", "open_it", default=True, help="Open the page where there is a browser.")
def command(seed: int, output: Path, open_it: bool) -> int:
    """Send agents through rooms with narrow doors, and a thousand robots through a warehouse.

    In the rooms two planners solve the same task, and a page shows both side by side. In the warehouse a
    first plan is made ever cheaper, and a second page shows it with its cost over time. The judge checks
    all plans; with their problems they are written beside the pages.
    """
    if output.suffix.lower() != ".html":
        raise InputError(f"{output} is no name for a page: let it end in .html")
    problem = _scene(seed)
    output.parent.mkdir(parents=True, exist_ok=True)
    writable(output)
    show(f"{AGENTS} agents are to cross {SIZE} x {SIZE} cells, all at once, through doors one cell wide.")
    solved = {name: result for name, result in _planned(problem, seed) if _sound(name, result)}
    if not solved:
        return 1
    for name, result in solved.items():
        io.write_result(result, output.with_name(f"{output.stem}-{name}.json"))
    labels = [PLANNERS[name][0] for name in solved]
    note = f"{NOTE}\n{COMPARED}" if len(solved) == len(PLANNERS) else NOTE
    replay(*solved.values(), labels=labels, title=TITLE, note=note).save(output)
    show(f"Both of them, side by side: {output}" if len(solved) > 1 else f"To look at: {output}")
    pages = [output, *_warehouse(seed, output.with_name(f"{output.stem}-warehouse.html"))]
    opened = [open_in_browser(page) for page in pages] if open_it else [True]
    if not all(opened):
        show("Open these files in a browser; they need no network.")
    return 0


def _warehouse(seed: int, output: Path) -> list[Path]:
    """The page of a thousand robots, and of how their plan became cheaper; none if there is no plan."""
    problem = random_problem(warehouse_grid(), ROBOTS, seed)
    free = int(problem.space.open.sum())
    show(f"{ROBOTS:,} robots are to cross a warehouse of {free:,} free cells, all at once.")
    with bar("planning with auto") as progress:
        result = solve_problem(
            problem, "auto", seed=seed, time_limit=IMPROVED, on_progress=progress.on_progress
        )
    if not _sound("auto", result):
        return []
    note = WAREHOUSE_NOTE
    if costs := result.stats.get("cost_over_time"):
        note = f"{WAREHOUSE_NOTE}\n{FALLING}"
        show(f"      The first plan was there after {costs[0][0]:.1f} s and cost {costs[0][2]}.")
    io.write_result(result, output.with_suffix(".json"))
    replay(result, title=f"{ROBOTS:,} robots in a warehouse", note=note).save(output)
    show(f"To look at: {output}")
    return [output]


def _scene(seed: int) -> Problem:
    """Agents whose starts and goals are inside rooms: nobody wants to stay in a doorway."""
    grid = room_grid(SIZE, SIZE, ROOM, seed)
    some_more = random_problem(grid, 2 * AGENTS, seed)
    indoors = [
        replace(agent, name=None)
        for agent in some_more.agents
        if not (_in_doorway(agent.start) or _in_doorway(agent.goal))
    ]
    return Problem.from_agents(grid, indoors[:AGENTS])


def _in_doorway(cell: Cell) -> bool:
    return ROOM in (cell[0] % (ROOM + 1), cell[1] % (ROOM + 1))


def _planned(problem: Problem, seed: int) -> Iterator[tuple[str, Result]]:
    """What each planner answers: its first plan, or else what its last attempt came to."""
    for name, (_, attempts) in PLANNERS.items():
        with bar(f"planning with {name}") as progress:
            for parameters in attempts:
                result = solve_problem(
                    problem,
                    name,
                    seed=seed,
                    time_limit=TIME_LIMIT,
                    on_progress=progress.on_progress,
                    **parameters,
                )
                if result:
                    break
        yield name, result


def _sound(name: str, result: Result) -> bool:
    """Says what came of it, and whether it can be shown."""
    if result.plan is None:
        show(f"{name}: no plan this time, {result.reason}.")
        return False
    verdict = validate(result.problem, result.plan)
    if not verdict:
        complain(f"the plan of {name} is not valid, please report this: {verdict.violations[0]}")
        return False
    show(_story(name, result))
    return True


def _story(name: str, result: Result) -> str:
    plan = result.plan
    assert plan is not None
    return (
        f"{name}: planned in {1000 * result.stats['seconds']:.0f} ms; everybody is there "
        f"after {plan.makespan} steps, and the judge found no collision.\n"
        f"      The sum of arrival times is {cost_against_bound(plan, result.lower_bound)}; "
        f"they waited {waits(plan)} times."
    )
