"""What commands read: the problems and the runs in files of all formats."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import Any, cast

import click

from .. import io
from ..io.files import MAX_POSITIONS
from ..model.errors import InputError
from ..model.grid import Grid
from ..model.plan import Plan
from ..model.problem import Problem
from ..model.trace import Trace
from .console import FILE, writable
from .model_options import Command, Model

_SOURCES = (
    click.option(
        "--map",
        "map_file",
        type=FILE,
        help="The map of another program's plan: a .map, or an input of libMultiRobotPlanning.",
    ),
    click.option("--scen", type=FILE, help="The scenario whose starts and goals such a plan must keep."),
    click.option("--row", type=int, help="Which plan of a MAPF tracker file, from 1."),
    click.option(
        "--up",
        "u",
        type=click.Choice(["row+1", "row-1"]),
        help="What U does in a MAPF tracker or League file: row+1 is down the map. [default: row+1]",
    ),
    click.option(
        "--max-positions",
        type=int,
        help=f"Agents times times that a short file may claim. [default: {MAX_POSITIONS}]",
    ),
)


def run_options(command: Command) -> Command:
    """What a run is read with: `map_file`, `scen` `row`; `u`, which a Model keeps; and `max_positions`."""
    for option in reversed(_SOURCES):
        command = option(command)
    return command


@dataclass(frozen=True)
class Source:
    """Where a problem is read from, and how many of its agents are wanted."""

    path: Path
    scen: Path | None
    agents: int | None

    def problem(self, model: Model) -> Problem:
        """Reads it."""
        return read_problem(io.load(self.path), model, self.scen, self.agents)

    def require_writable(self, *outputs: Path | None) -> None:
        """Asks before the work whether files can be written that are none of those read."""
        for path in outputs:
            if path is not None:
                writable(path, self.path, self.scen)


def reads_problem(
    *,
    scen: str = "The scenario of a .map file.",
    agents: str = "How many agents to take, from the first on.",
    least: int = 0,
) -> Callable[[Command], Command]:
    """INPUT, --scen and --agents, with these words of help: a command gets them as its `source`."""
    options = (
        click.option("--agents", type=click.IntRange(min=least), help=agents),
        click.option("--scen", type=FILE, help=scen),
        click.argument("input", type=FILE),
    )

    def reading(command: Command) -> Command:
        @wraps(command)
        def read(*args: Any, input: Path, scen: Path | None, agents: int | None, **others: Any) -> Any:
            return command(*args, source=Source(input, scen, agents), **others)

        made: Any = read
        for option in options:
            made = option(made)
        return cast("Command", made)

    return reading


def load_run(path: Path, options: Mapping[str, Any]) -> io.Document:
    """A file, with the limit of positions among all options of a command."""
    limit = options.get("max_positions")
    return io.load(path) if limit is None else io.load(path, max_positions=limit)


def is_foreign(form: io.Format) -> bool:
    """Is it that of other programs' runs, which are read with their maps?"""
    return bool(form.needs) and (Plan in form.loads or Trace in form.loads)


def read_problem(document: io.Document, model: Model, scen: Path | None, agents: int | None) -> Problem:
    """The problem of a `.map` with a scenario, or of a file that has both map and agents."""
    form, source = io.format_of(document), document.source
    if Grid in form.loads:
        if scen is None:
            raise InputError(f"{source} is a map without agents: name a scenario with --scen")
        return io.read_scen(scen, model.map(document), agents=agents, rules=model.rules())
    if scen is not None:
        raise InputError(f"--scen goes with a .map file, which {source} is not")
    if form.name == "scen":
        raise InputError(f"{source} is a scenario: give its map, and the scenario with --scen")
    if io.Workload in form.loads:
        raise InputError(f"{source} is {form.called}, whose agents have tasks: use `sidestep run`")
    if Problem not in form.loads:
        raise InputError(
            f"{source} is a {form.name} file: a problem is a .map with --scen, a drawing or our JSON"
        )
    return first_agents(model.problem(document), agents, source)


def first_agents(problem: Problem, agents: int | None, source: str) -> Problem:
    """The problem of the first agents of a file, or of all if no number is given."""
    if agents is None:
        return problem
    if agents > problem.n_agents:
        raise InputError(f"{source}: {agents} agents asked for, but the file has {problem.n_agents}")
    return Problem.from_agents(problem.space, problem.agents[:agents], rules=problem.rules)


def read_run(
    document: io.Document,
    model: Model,
    map_file: Path | None,
    scen: Path | None,
    *,
    row: int | None = None,
) -> io.PlanFile | Plan | Trace:
    """What any file says that has a plan or a trace in it, ours or another program's.

    A plan file that is returned has a plan; a plan by itself is another program's.
    """
    form, source = io.format_of(document), document.source
    if is_foreign(form):
        return read_foreign(document, model, map_file, scen, row=row)
    if not {io.PlanFile, Trace} & form.loads.keys():
        raise InputError(f"{source} is a {form.name} file: there is no plan in it")
    if (map_file, scen, row, model) != (None, None, None, Model()):
        raise InputError(
            f"{source} brings its own problem: it goes without --map, --scen, --row, --up or rules"
        )
    if Trace in form.loads:
        return io.read_trace(document)
    found = io.read_plan(document)
    if found.plan is None:
        raise InputError(f"{source} is a problem without a plan{': ' + found.reason if found.reason else ''}")
    return found


def read_foreign(
    document: io.Document,
    model: Model,
    map_file: Path | None,
    scen: Path | None,
    *,
    row: int | None = None,
) -> Plan | Trace:
    """The run of another program, which needs its map, and whose problem may come from a scenario."""
    form, source = io.format_of(document), document.source
    if map_file is None:
        raise InputError(f"{source} is {form.called} without its map: name it with --map")
    kind, read = next(iter(form.loads.items()))
    options = form.options(kind)
    given: dict[str, Any] = {}
    for name, option, value in (("row", "--row", row), ("u", "--up", model.u)):
        if value is not None and name not in options:
            raise InputError(f"{source} is {form.called}: it goes without {option}")
        if value is not None:
            given[name] = value
    if "rules" in options:  # where they are not, they are the problem's own
        given["rules"] = model.rules()
    run: Plan | Trace = read(document, _needed(document, model, map_file, scen, row=row), **given)
    return run


def _needed(
    document: io.Document, model: Model, map_file: Path, scen: Path | None, *, row: int | None
) -> Any:
    """The map that a run is read with, or its problem."""
    form, source, on_map = io.format_of(document), document.source, io.load(map_file)
    is_input = io.detect(on_map) == "multirobot"
    space: Grid | Problem = model.problem(on_map) if is_input else model.map(on_map)
    if scen is not None:
        if form.count is None:
            raise InputError(f"{source} is {form.called}, which has its own starts: it goes without --scen")
        agents = form.count(document) if row is None else form.count(document, row)
        return io.read_scen(scen, _grid_of(space), agents=agents, rules=model.rules())
    if Grid not in form.needs and isinstance(space, Grid):
        raise InputError(
            f"{source} says only how agents move: name the scenario with their starts with --scen"
        )
    return space if Problem in form.needs else _grid_of(space)


def _grid_of(space: Grid | Problem) -> Any:
    return space.space if isinstance(space, Problem) else space
