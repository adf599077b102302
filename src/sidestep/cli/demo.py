"""`sidestep demo`: something to look at, in half a minute."""

from __future__ import annotations

from pathlib import Path

import click

from .. import io
from ..bench.instances import random_problem, room_grid
from ..plan import Plan
from ..result import Result
from ..solve import solve as solve_problem
from ..validate import validate
from .console import complain, show, writable
from .picture import picture
from .progress import bar
from .reading import FILE
from .summary import cost_against_bound, sum_of_distances, waits

HEIGHT, WIDTH, ROOM, AGENTS = 31, 63, 7, 120
TIME_LIMIT = 25.0


@click.command("demo")
@click.option("--seed", type=int, default=0, show_default=True, help="Another map and other agents.")
@click.option("-o", "--output", type=FILE, default=Path("out/demo.json"), show_default=True)
def command(seed: int, output: Path) -> int:
    """Send more than a hundred agents through rooms with narrow doors, all at once.

    WHCA* plans, the judge checks the plan, and the plan is written with its problem.
    """
    problem = random_problem(room_grid(HEIGHT, WIDTH, ROOM, seed), AGENTS, seed)
    show(
        picture(problem), f"{AGENTS} agents (o) on their way to their goals (x), through doors one cell wide."
    )
    output.parent.mkdir(parents=True, exist_ok=True)
    writable(output)
    with bar("planning") as progress:
        result = solve_problem(
            problem,
            "whca",
            seed=seed,
            time_limit=TIME_LIMIT,
            on_progress=lambda now: progress.update(now.message),
        )
    if result.plan is None:
        show(f"No plan this time: {result.reason}")
        return 1
    verdict = validate(problem, result.plan)
    if not verdict:
        complain(f"the plan is not valid, please report this: {verdict.violations[0]}")
        return 1
    io.write_result(result, output)
    show(_story(result.plan, result), f"The plan, with its map and agents, is in {output}.")
    return 0


def _story(plan: Plan, result: Result) -> str:
    seconds = result.stats.get("seconds")
    duration = f" in {seconds:.2f} s" if isinstance(seconds, float) else ""
    cost = cost_against_bound(plan, result.lower_bound or sum_of_distances(plan.problem))
    return (
        f"WHCA* planned{duration}: after {plan.makespan} steps all {plan.problem.n_agents} agents are at "
        f"their goals, and the judge found no collision.\n"
        f"The sum of their arrival times is {cost}; they waited {waits(plan)} times."
    )
