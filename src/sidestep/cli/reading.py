"""Files and options in, problems and plans out: the same for every command that reads something."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any, Literal, TypeVar

import click

from .. import io
from ..io import eecbs, lacam, multirobot, tracker
from ..io.moves import Up
from ..io.movingai import PASSABLE
from ..model.errors import InputError
from ..model.grid import Corners, Grid
from ..model.plan import Plan
from ..model.problem import Problem
from ..model.rules import Rules
from ..model.trace import Trace

Command = TypeVar("Command", bound=Callable[..., Any])

FILE = click.Path(path_type=Path, readable=False)  # io says what is wrong with a file, and better

_SPACE = (
    click.option(
        "--connectivity",
        type=click.Choice(["4", "8"]),
        callback=lambda ctx, param, value: None if value is None else int(value),
        help="Neighbours of a cell, for maps and drawings. [default: 4]",
    ),
    click.option(
        "--corners",
        type=click.Choice(["none", "one", "free"]),
        help="How many cells beside a diagonal may be walls. [default: none]",
    ),
    click.option(
        "--passable", metavar="CHARS", help=f"Terrain of a .map that is free. [default: {PASSABLE}]"
    ),
)
_RULES = (
    click.option(
        "--following/--no-following",
        default=None,
        help="May agents enter a cell that is just being left? [default: yes]",
    ),
    click.option(
        "--crossing/--no-crossing", default=None, help="May diagonals cross in one step? [default: no]"
    ),
    click.option(
        "--at-goal",
        type=click.Choice(["stay", "disappear"]),
        help="What an agent does there. [default: stay]",
    ),
    click.option(
        "--shared-goals/--no-shared-goals", default=None, help="May agents have the same goal? [default: no]"
    ),
    click.option(
        "--cost",
        type=click.Choice(["sum_of_costs", "time_off_goal"]),
        help="What a plan costs. [default: sum_of_costs]",
    ),
)


def model_options(command: Command) -> Command:
    """The options that say what the cells of a map and the rules are."""
    for option in reversed(_SPACE + _RULES):
        command = option(command)
    return command


@dataclass(frozen=True)
class Model:
    """What the command line said about space, rules and letters; None where it said nothing."""

    connectivity: Literal[4, 8] | None = None
    corners: Corners | None = None
    passable: str | None = None
    following: bool | None = None
    crossing: bool | None = None
    at_goal: Literal["stay", "disappear"] | None = None
    shared_goals: bool | None = None
    cost: Literal["sum_of_costs", "time_off_goal"] | None = None
    u: Up | None = None

    @classmethod
    def among(cls, options: Mapping[str, Any]) -> Model:
        """The model options among all options of a command."""
        return cls(**{field.name: options.get(field.name) for field in fields(cls)})

    def rules(self, base: Rules = Rules()) -> Rules:
        """The rules of a file (or the default ones) with those of the command line over them."""
        return replace(base, **self._given("following", "crossing", "at_goal", "shared_goals", "cost"))

    def map(self, path: Path) -> Grid:
        return io.read_map(path, **self._given("passable", "connectivity", "corners"))

    def input(self, path: Path) -> Problem:
        """The problem of an input file of libMultiRobotPlanning."""
        return self.over(io.read_multirobot_problem(path, rules=self.rules()), path)

    def drawing(self, path: Path) -> Problem:
        self._refuse_passable(path)
        return io.read_text(path, rules=self.rules(), **self._given("connectivity", "corners"))

    def over(self, problem: Problem, path: Path) -> Problem:
        """The problem of a file that states its own space and rules, with what was given over them."""
        self._refuse_passable(path)
        shape = self._given("connectivity", "corners")
        space = problem.space
        if shape and not isinstance(space, Grid):
            raise InputError(f"{path} is about a graph: --connectivity and --corners are for grids")
        if isinstance(space, Grid):
            space = Grid(
                space.passable, **({"connectivity": space.connectivity, "corners": space.corners} | shape)
            )
        return Problem.from_agents(space, problem.agents, rules=self.rules(problem.rules))

    def _given(self, *names: str) -> dict[str, Any]:
        return {name: getattr(self, name) for name in names if getattr(self, name) is not None}

    def _refuse_passable(self, path: Path) -> None:
        if self.passable is not None:
            raise InputError(f"--passable is for .map files, which {path} is not")


def read_problem(path: Path, model: Model, scen: Path | None, agents: int | None) -> Problem:
    """The problem of a `.map` with a scenario, or of a file that has both map and agents."""
    kind = io.detect(path)
    if kind == "map":
        if scen is None:
            raise InputError(f"{path} is a map without agents: name a scenario with --scen")
        return io.read_scen(scen, model.map(path), agents=agents, rules=model.rules())
    if scen is not None:
        raise InputError(f"--scen goes with a .map file, which {path} is not")
    return _first(_own_problem(path, kind, model), agents, path)


def _own_problem(path: Path, kind: str, model: Model) -> Problem:
    if kind == "text":
        return model.drawing(path)
    if kind == "multirobot":
        return model.input(path)
    if kind == "plan":
        return model.over(io.read_problem(path), path)
    if kind == "scen":
        raise InputError(f"{path} is a scenario: give its map, and the scenario with --scen")
    raise InputError(f"{path} is a {kind} file: a problem is a .map with --scen, a drawing or our JSON")


def _first(problem: Problem, agents: int | None, path: Path) -> Problem:
    if agents is None:
        return problem
    if agents > problem.n_agents:
        raise InputError(f"{path}: {agents} agents asked for, but the file has {problem.n_agents}")
    return Problem.from_agents(problem.space, problem.agents[:agents], rules=problem.rules)


@dataclass(frozen=True)
class Foreign:
    """How the runs of another program are read.

    `read` takes the file, its map or its problem, the rules and, of `--row` and `--up`, those in `options`.
    `count` says how many agents a run has, so that as many are taken from a scenario; without it the run
    has starts of its own, and takes no scenario.
    """

    name: str
    read: Callable[..., Plan | Trace]
    count: Callable[..., int] | None = None
    options: tuple[str, ...] = ()
    needs_problem: bool = False


def _read_tracker(path: Path, problem: Problem, rules: Rules, **given: Any) -> Plan:
    return io.read_tracker(path, problem, **given)  # the rules are the problem's own


def _read_lorr(path: Path, space: Grid | Problem, rules: Rules, **given: Any) -> Trace:
    return io.read_lorr(path, _grid_of(space), rules=rules, **given)


FOREIGN: dict[str, Foreign] = {
    "lacam": Foreign("a lacam3 result", io.read_lacam, lacam.count_agents),
    "eecbs": Foreign("an EECBS plan", io.read_eecbs, eecbs.count_agents),
    "multirobot": Foreign("a schedule of libMultiRobotPlanning", io.read_multirobot, multirobot.count_agents),
    "tracker": Foreign(
        "a plan of the MAPF tracker",
        _read_tracker,
        tracker.count_agents,
        options=("row", "u"),
        needs_problem=True,
    ),
    "lorr": Foreign("a run of the League of Robot Runners", _read_lorr, options=("u",)),
}

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
)


def run_options(command: Command) -> Command:
    """What another program's plan belongs to: `map_file`, `scen` and `row`; and `u`, which a Model keeps."""
    for option in reversed(_SOURCES):
        command = option(command)
    return command


def read_run(
    path: Path, model: Model, map_file: Path | None, scen: Path | None, *, row: int | None = None
) -> io.PlanFile | Plan | Trace:
    """What any file says that has a plan or a trace in it, ours or another program's.

    A plan file that is returned has a plan; a plan by itself is another program's.
    """
    kind = io.detect(path)
    if kind in FOREIGN:
        return read_foreign(path, kind, model, map_file, scen, row=row)
    if kind not in ("plan", "trace"):
        raise InputError(f"{path} is a {kind} file: there is no plan in it")
    if (map_file, scen, row, model) != (None, None, None, Model()):
        raise InputError(
            f"{path} brings its own problem: it goes without --map, --scen, --row, --up or rules"
        )
    if kind == "trace":
        return io.read_trace(path)
    found = io.read_plan(path)
    if found.plan is None:
        raise InputError(f"{path} is a problem without a plan{': ' + found.reason if found.reason else ''}")
    return found


def read_foreign(
    path: Path, kind: str, model: Model, map_file: Path | None, scen: Path | None, *, row: int | None = None
) -> Plan | Trace:
    """The run of another program, which needs its map, and whose problem may come from a scenario."""
    foreign = FOREIGN[kind]
    if map_file is None:
        raise InputError(f"{path} is {foreign.name} without its map: name it with --map")
    given = {name: value for name, value in (("row", row), ("u", model.u)) if value is not None}
    for name in given.keys() - set(foreign.options):
        raise InputError(f"{path} is {foreign.name}: it goes without {'--up' if name == 'u' else '--row'}")
    is_input = io.detect(map_file) == "multirobot"
    space: Grid | Problem = model.input(map_file) if is_input else model.map(map_file)
    if scen is not None:
        if foreign.count is None:
            raise InputError(f"{path} is {foreign.name}, which has its own starts: it goes without --scen")
        agents = foreign.count(path) if row is None else foreign.count(path, row)
        space = io.read_scen(scen, _grid_of(space), agents=agents, rules=model.rules())
    elif foreign.needs_problem and isinstance(space, Grid):
        raise InputError(f"{path} says only how agents move: name the scenario with their starts with --scen")
    return foreign.read(path, space, rules=model.rules(), **given)


def _grid_of(space: Grid | Problem) -> Any:
    return space.space if isinstance(space, Problem) else space
