"""`sidestep agents`: agents that talk to each other, simulated or as processes."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from .. import io
from ..model.agents import agent_index
from ..model.errors import InputError
from .console import FILE, choice_option, facts, json_option, say, show, show_json
from .inputs import Source, reads_problem
from .model_options import Model, model_options
from .parameters import WithSolverParameters
from .solve import chosen_solver, keep_transcript

if TYPE_CHECKING:
    from ..agents import Run
    from ..agents.network import Tls

SOLVER = click.option(
    "--solver",
    default="wdpca",
    show_default=True,
    help="dpca, dpca+, wdpca, dimpp, adpp or dmrcp; adpp with --replan always.",
)
FAULTS = ("loss", "delay", "duplicates", "partitions", "crashes", "restart")  # as `Faults` calls them
CERTIFICATES = ("--tls-authority", "--tls-certificate", "--tls-key")


def common_options(command: Any) -> Any:
    """What says more of the problem, and names the certificates, for both commands."""
    for name in reversed(CERTIFICATES):
        command = click.option(name, type=FILE, help="A PEM file; all three or none.")(command)
    return model_options(command)


class Talking(WithSolverParameters):
    """A command whose agents argue, as in WDPCA* unless another solver is named."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        named = any(one == "--solver" or one.startswith("--solver=") for one in args)
        return super().parse_args(ctx, args if named else ["--solver", "wdpca", *args])


@click.group("agents")
def command() -> None:
    """Agents that talk to each other, simulated or as processes."""


@command.command("run", cls=Talking)
@reads_problem()
@SOLVER
@common_options
@choice_option(
    "--transport", ["simulated", "zenoh"], "simulated", "In one process by a seed, or a process per agent."
)
@click.option("--mesh", is_flag=True, help="zenoh: agents are connected to each other, too.")
@click.option("--deadline", type=float, default=5.0, show_default=True, help="zenoh: seconds for a tick.")
@click.option(
    "--without", multiple=True, metavar="NAME", help="zenoh: no process for this agent, until it joins."
)
@click.option(
    "--linger",
    type=click.IntRange(0),
    default=0,
    show_default=True,
    help="zenoh: deadlines to wait for who joins, when nobody else has anything to do.",
)
@click.option("--page", "page_port", type=click.IntRange(0, 65535), help="zenoh: serve a page at this port.")
@click.option(
    "--loss", type=float, default=0.0, show_default=True, help="simulated: chance of a lost message."
)
@click.option(
    "--delay", type=int, default=0, show_default=True, help="simulated: units that one may be late."
)
@click.option(
    "--duplicates", type=float, default=0.0, show_default=True, help="simulated: chance of a doubled message."
)
@click.option(
    "--partitions", type=int, default=0, show_default=True, help="simulated: how often half cannot hear half."
)
@click.option(
    "--crashes", type=int, default=0, show_default=True, help="simulated: agents that stop for good."
)
@click.option(
    "--restart", type=click.IntRange(1), help="simulated: units until another takes over from a crashed one."
)
@click.option("--seed", type=int, default=0, show_default=True, help="simulated: of the faults.")
@click.option("-o", "--output", type=FILE, help="Write the plan, with its problem, as JSON.")
@click.option("--trace", type=FILE, help="Write what happened in the world.")
@click.option("--transcript", type=FILE, help="Write what the agents said to each other, as JSON.")
@json_option
@click.pass_context
def run_command(
    ctx: click.Context,
    /,
    *,
    source: Source,
    transport: str,
    output: Path | None,
    trace: Path | None,
    transcript: Path | None,
    as_json: bool,
    **others: Any,
) -> int:
    """Run the agents of INPUT: each with its own knowledge, in one process or in one each.

    Exit code 0: everybody is on its goal, 1: not, 2: bad input.
    """
    source.require_writable(output, trace, transcript)
    problem = source.problem(Model.among(others))
    solver = chosen_solver(ctx.meta["solver"], others, as_printed=False)
    refuse_options_of_others(ctx, transport)
    start = run_processes if transport == "zenoh" else simulate
    run, world = start(problem, solver, others)
    if transcript is not None:
        keep_transcript(run.result, transcript)
    if trace is not None:
        io.write_trace(world.trace, trace)
    if run and output is not None:
        io.write_result(run.result, output)
    return report(run, as_json)


def refuse_options_of_others(ctx: click.Context, transport: str) -> None:
    """What was given although it says nothing to this transport."""
    others = {
        "simulated": ("mesh", "deadline", "without", "linger", "page_port"),
        "zenoh": (*FAULTS, "seed"),
    }
    for name in others[transport]:
        if ctx.get_parameter_source(name) is click.core.ParameterSource.COMMANDLINE:
            option = "--page" if name == "page_port" else f"--{name}"
            other = "zenoh" if transport == "simulated" else "simulated"
            raise InputError(f"{option} goes with --transport {other}")


def simulate(problem: Any, solver: Any, others: dict[str, Any]) -> tuple[Run, Any]:
    """In this process, with faults."""
    from ..agents.simulator import Faults, simulated  # noqa: PLC0415  # an extra

    faults = Faults(**{name: others[name] for name in FAULTS})
    return simulated(problem, solver, faults=faults, seed=others["seed"])


def run_processes(problem: Any, solver: Any, others: dict[str, Any]) -> tuple[Run, Any]:
    """A process each."""
    from ..agents.fleet import Fleet  # noqa: PLC0415  # an extra
    from ..agents.page import Page  # noqa: PLC0415

    absent = [agent_index(name, problem.names) for name in others["without"]]
    waiting = {name: others[name] for name in ("mesh", "deadline", "linger")}
    fleet = Fleet(problem, solver, absent=absent, tls=certificates(others), **waiting)
    page = None if others["page_port"] is None else Page(fleet, others["page_port"])
    try:
        say(
            f"run {fleet.place.run} at {fleet.place.endpoint}" + (f", page at {page.address}" if page else "")
        )
        with fleet:
            return fleet.run(), fleet.ground.world
    finally:
        if page is not None:
            page.close()


@command.command("join", cls=Talking)
@reads_problem()
@SOLVER
@common_options
@click.option("--agent", required=True, help="The name of the agent whose place to take.")
@click.option("--run", "run_name", required=True, help="The run, as its first line names it.")
@click.option("--connect", required=True, help="Its endpoint, as its first line names it.")
@click.pass_context
def join_command(
    ctx: click.Context,
    /,
    *,
    source: Source,
    agent: str,
    run_name: str,
    connect: str,
    **others: Any,
) -> int:
    """Add an agent to a run of INPUT, or take the place of a dead one."""
    from ..agents.network import Place  # noqa: PLC0415  # an extra
    from ..agents.process import join  # noqa: PLC0415

    problem = source.problem(Model.among(others))
    if agent not in problem.names:
        raise InputError(f"there is no agent {agent}; there are {', '.join(problem.names[:20])}")
    solver = chosen_solver(ctx.meta["solver"], others, as_printed=False)
    place = Place(run_name, connect, tls=certificates(others))
    why = join(problem, solver, problem.names.index(agent), place)
    if why:
        raise InputError(why)
    return 0


def certificates(values: dict[str, Any]) -> Tls | None:
    """The files of the certificates, if they were named."""
    from ..agents.network import Tls  # noqa: PLC0415  # an extra

    files = [values[name.removeprefix("--").replace("-", "_")] for name in CERTIFICATES]
    if not any(files):
        return None
    if not all(files):
        raise InputError(f"certificates need all of {', '.join(CERTIFICATES)}")
    for file in files:
        if not file.is_file():
            raise InputError(f"{file} is no file")
    return Tls(*(str(file) for file in files))


def report(run: Run, as_json: bool) -> int:
    """What came of it; the exit code says whether everybody is on its goal."""
    names = run.result.problem.names
    deaths = [f"{names[one.agent]} at tick {one.tick}" for one in run.deaths]
    cut_off = [f"{names[a]} by {', '.join(names[d] for d in dead)}" for a, dead in run.cut_off.items()]
    rows = {
        "status": run.result.status,
        "reason": run.result.reason or None,
        "cost": run.result.plan.cost if run.result.plan is not None else None,
        **run.result.stats,
        "collisions": run.collisions,
        "died": ", ".join(deaths) or None,
        "cut off": ", ".join(cut_off) or None,
    }
    if as_json:
        show_json({name.replace(" ", "_"): value for name, value in rows.items()})
    else:
        show(facts("Agents", rows))
    return 0 if run else 1
