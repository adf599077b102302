"""`sidestep run`: a world with work that never ends."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import click
import numpy as np

from .. import io
from ..instances import random_problem
from ..instances.streams import Stream
from ..judge import Report, validate_trace
from ..model.errors import InputError
from ..model.events import EventKind
from ..model.grid import Grid
from ..model.problem import Problem
from ..solvers.rescue import Rescuing
from ..world.assignment import WAYS
from ..world.world import World
from .console import FILE, choice_option, facts, json_option, show, show_json
from .inputs import Source, first_agents, reads_problem
from .model_options import Model, model_options
from .parameters import TURNING, WithPlannerParameters, complete_solver
from .progress import bar
from .solve import chosen_solver

RANDOM = "random"


def number_or_word(said: str) -> int | str:
    """The number, if it is one; the world says which words it takes."""
    return int(said) if said.isdecimal() else said


@click.command("run", cls=WithPlannerParameters)
@reads_problem(
    scen="The scenario of a .map file, for its starts. [default: at random]",
    agents="How many agents; a map by itself needs it.",
    least=1,
)
@click.option(
    "--tasks", help="random, or a task file of the Robot Runners League. [default: those of INPUT, or random]"
)
@click.option("--errands", type=int, default=1, show_default=True, help="Places per random task.")
@click.option(
    "--pool", type=float, help="Tasks per agent that are always there. [default: that of INPUT, or 1.5]"
)
@click.option("--rate", type=float, help="Tasks per turn, instead of a pool.")
@choice_option("--arrivals", ["constant", "poisson"], "constant", "How tasks come in: evenly, or at random.")
@choice_option("--assign", list(WAYS), "nearest", "How free agents and tasks find each other.")
@click.option(
    "--active",
    type=number_or_word,
    default="all",
    metavar="all|auto|NUMBER",
    show_default=True,
    help="How many agents may have a task at a time: all, auto, or a number.",
)
@click.option(
    "--turns", type=click.IntRange(min=1), default=1000, show_default=True, help="How long it runs."
)
@click.option(
    "--planner",
    default="guided",
    show_default=True,
    shell_complete=complete_solver,
    help="An online one of `sidestep solvers`.",
)
@click.option(
    TURNING, is_flag=True, help="Agents have to turn, and face east at first. The planner is then epibt."
)
@click.option("--rescue/--no-rescue", default=True, show_default=True, help="Solve jams by LaCAM.")
@model_options
@click.option("--turn-limit", type=float, help="Seconds that the planner may take for a turn.")
@click.option("--node-limit", type=int, help="Search nodes of a turn; the same on every machine.")
@click.option("--seed", type=int, default=0, show_default=True, help="Of starts, tasks and the planner.")
@click.option("-o", "--output", type=FILE, help="Write the trace, as JSON.")
@click.option("--page", type=FILE, help="Write a page that shows the run.")
@json_option
@click.pass_context
def command(
    ctx: click.Context,
    /,
    *,
    source: Source,
    turns: int,
    turn_limit: float | None,
    node_limit: int | None,
    output: Path | None,
    page: Path | None,
    as_json: bool,
    **others: Any,
) -> int:
    """Run a world on INPUT, whose agents take one task after another.

    INPUT is a .map, with --agents or --scen, a drawing, a problem of ours (JSON), or one of the League of
    Robot Runners (JSON), which has tasks of its own; goals are not looked at. The planner's parameters are
    options too: --window 16. Agents may share goals unless --no-shared-goals is given. The trace is judged.
    Exit code 0: it is valid, 1: it is not, 2: bad input.
    """
    source.require_writable(output, page)
    work = workload(source, Model.among(others), others["seed"], turning=others["turning"])
    problem = work.problem
    planner: Any = chosen_solver(ctx.meta["solver"], others, as_printed=False)
    name = planner.name
    stream = tasks_of(work, others)
    if others["rescue"]:
        planner = Rescuing(planner)
    how = {"assign": others["assign"], "active": others["active"]}
    world = World(problem, planner, seed=others["seed"], tasks=stream, **how)
    with bar(f"running {name}") as progress:
        while world.time < turns and not world.done:
            world.step(turn_limit, nodes=node_limit)
            progress.update(f"turn {world.time}, {world.tasks.finished} tasks", world.time / turns)
    if output is not None:
        io.write_trace(world.trace, output)
    if page is not None:
        keep_page(world, page)
    return report(world, name, as_json)


def workload(source: Source, model: Model, seed: int, *, turning: bool = False) -> io.Workload:
    """The agents of a file, or as many at random places of its map, all without goals, and its tasks."""
    if "shared_goals" not in model.given_rules:
        model = replace(model, given_rules={**model.given_rules, "shared_goals": True})
    document = io.load(source.path)
    form = io.format_of(document)
    if io.Workload in form.loads:
        return _of_the_league(document, source, model, turning=turning)
    if Grid in form.loads and source.scen is None:
        if source.agents is None:
            raise InputError(f"{source.path} is a map without agents: say how many with --agents")
        drawn = random_problem(model.map(document), source.agents, seed % 2**64, rules=model.rules())
    else:
        drawn = source.problem(model)
    idle = [replace(one, goal=None) for one in drawn.agents]
    if turning:
        idle = [replace(one, facing=one.facing or "E") for one in idle]
    return io.Workload(Problem.from_agents(drawn.space, idle, rules=drawn.rules), ())


def _of_the_league(document: io.Document, source: Source, model: Model, *, turning: bool) -> io.Workload:
    if source.scen is not None or model.connectivity == 8 or model.passable is not None:
        raise InputError(
            f"{source.path} is a problem of the League: it goes without --scen, --passable and 8 neighbours"
        )
    found = io.read_lorr_input(document, rules=model.rules(), turning=turning)
    problem = first_agents(found.problem, source.agents, str(source.path))
    # Tasks of those who are left out have nobody to take them.
    team = range(problem.n_agents)
    tasks = tuple(task for task in found.tasks if task.agents is None or task.agents[0] in team)
    return replace(found, problem=problem, tasks=tasks)


def tasks_of(work: io.Workload, options: dict[str, Any]) -> Stream:
    """The stream that the options ask for, or that the file has."""
    rate, pool, named = options["rate"], options["pool"], options["tasks"]
    if rate is not None and pool is not None:
        raise InputError("tasks come by --pool or at a --rate, not both")
    usual = work.pool if pool is None and rate is None else pool
    how: dict[str, Any] = {"rate": rate, "arrivals": options["arrivals"], "seed": options["seed"]}
    if named == RANDOM or (named is None and not work.tasks):
        pool = work.pool if usual is None else usual
        return Stream.random(work.problem.space, errands=options["errands"], pool=pool, **how)
    if named is None:
        return Stream.listed(work.tasks, pool=usual, **how)
    if not isinstance(work.problem.space, Grid):
        raise InputError("task files of the League of Robot Runners are for grids")
    return Stream.listed(io.read_tasks(Path(named), work.problem.space), pool=usual, **how)


def keep_page(world: World, path: Path) -> None:
    """A page with the run and what came of it."""
    from ..viewer.replay import replay  # noqa: PLC0415  # takes a moment

    work = world.tasks
    note = f"{work.finished} tasks in {work.turns} turns: {work.per_turn:.2f} per turn"
    replay(world.trace, title="Work that never ends", note=note).save(path)


def report(world: World, planner: str, as_json: bool) -> int:
    """What came of it; the exit code says whether the judge finds the trace valid."""
    trace = world.trace
    verdict: Report = validate_trace(trace)
    work, seconds = world.tasks, np.array(world.turn_times)
    counted = {kind: trace.count(kind) for kind in (EventKind.STUCK, EventKind.RESCUED, EventKind.REFUSED)}
    rows = {
        "planner": planner,
        "agents": len(world.names),
        "turns": world.time,
        "tasks_finished": work.finished,
        "tasks_per_turn": round(work.per_turn, 3),
        "tasks_open": work.open,
        "tasks_under_way": work.under_way,
        **{f"service_{name}": value for name, value in _spread(work.service)},
        **{f"wait_{name}": value for name, value in _spread(work.wait)},
        "late": work.late,
        "turn_ms_mean": round(1000 * float(seconds.mean()), 2),
        "turn_ms_p99": round(1000 * float(np.quantile(seconds, 0.99)), 2),
        "turn_ms_worst": round(1000 * float(seconds.max()), 2),
        **{kind.name.lower(): count for kind, count in counted.items()},
        "valid": bool(verdict),
        "trouble": world.trouble or None,
    }
    if as_json:
        show_json(rows)
    else:
        show(facts("Run", {name.replace("_", " "): value for name, value in rows.items()}))
    return 0 if verdict else 1


def _spread(times: tuple[float, int, int]) -> list[tuple[str, float]]:
    return [("mean", round(times[0], 2)), ("p95", times[1]), ("worst", times[2])]
