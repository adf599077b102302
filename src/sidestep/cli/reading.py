"""Files and options in, problems and plans out: the same for every command that reads something."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any, Literal, TypeVar

import click

from .. import io
from ..errors import InputError
from ..grid import Corners, Grid
from ..io.movingai import PASSABLE
from ..plan import Plan
from ..problem import Problem, Rules

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
    """What the command line said about space and rules; None where it said nothing."""

    connectivity: Literal[4, 8] | None = None
    corners: Corners | None = None
    passable: str | None = None
    following: bool | None = None
    crossing: bool | None = None
    at_goal: Literal["stay", "disappear"] | None = None
    shared_goals: bool | None = None
    cost: Literal["sum_of_costs", "time_off_goal"] | None = None

    @classmethod
    def among(cls, options: Mapping[str, Any]) -> Model:
        """The model options among all options of a command."""
        return cls(**{field.name: options[field.name] for field in fields(cls)})

    def rules(self, base: Rules = Rules()) -> Rules:
        """The rules of a file (or the default ones) with those of the command line over them."""
        return replace(base, **self._given("following", "crossing", "at_goal", "shared_goals", "cost"))

    def map(self, path: Path) -> Grid:
        return io.read_map(path, **self._given("passable", "connectivity", "corners"))

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
    """The problem of a `.map` with a scenario, a drawing, or one of our own files."""
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


def read_own_plan(path: Path) -> Plan:
    """The plan of one of our plan files."""
    plan = io.read_plan(path).plan
    if plan is None:
        raise InputError(f"{path} is a problem without a plan")
    return plan


def read_foreign_plan(path: Path, kind: str, model: Model, map_file: Path | None, scen: Path | None) -> Plan:
    """A plan of lacam3 or EECBS, which needs its map, and whose problem may come from a scenario."""
    if map_file is None:
        raise InputError(f"{path} is a plan without its map: name it with --map")
    grid, rules = model.map(map_file), model.rules()
    read = io.read_lacam if kind == "lacam" else io.read_eecbs
    if scen is None:
        return read(path, grid, rules=rules)
    agents = read(path, grid, rules=replace(rules, shared_goals=True)).problem.n_agents
    return read(path, io.read_scen(scen, grid, agents=agents, rules=rules))
