"""Options that say what the cells of a map and the rules are, and what was given by them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, Literal, TypeVar

import click

from .. import io
from ..io.moves import Up
from ..io.movingai import PASSABLE
from ..model.errors import InputError
from ..model.grid import Corners, Grid
from ..model.problem import Problem
from ..model.rules import Rules

Command = TypeVar("Command", bound=Callable[..., Any])

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

    def map(self, document: io.Document) -> Grid:
        """The grid of a `.map` file."""
        return io.read_map(document, **self._given("passable", "connectivity", "corners"))

    def problem(self, document: io.Document) -> Problem:
        """The problem of a file that has a map of its own, with what was given over what the file says."""
        self._refuse_passable(document.source)
        form = io.format_of(document)
        given = self._given("connectivity", "corners") | {"rules": self.rules()}
        taken = {name: given[name] for name in form.options(Problem) if name in given}
        return self._over(form.loads[Problem](document, **taken), document.source)

    def _over(self, problem: Problem, source: str) -> Problem:
        shape = self._given("connectivity", "corners")
        space = problem.space
        if shape and not isinstance(space, Grid):
            raise InputError(f"{source} is about a graph: --connectivity and --corners are for grids")
        if isinstance(space, Grid):
            space = Grid(
                space.passable, **({"connectivity": space.connectivity, "corners": space.corners} | shape)
            )
        return Problem.from_agents(space, problem.agents, rules=self.rules(problem.rules))

    def _given(self, *names: str) -> dict[str, Any]:
        return {name: getattr(self, name) for name in names if getattr(self, name) is not None}

    def _refuse_passable(self, source: str) -> None:
        if self.passable is not None:
            raise InputError(f"--passable is for .map files, which {source} is not")
