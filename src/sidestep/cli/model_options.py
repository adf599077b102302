"""Options that say what the cells of a map and the rules are, and what was given by them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any, Literal, TypeVar

import click

from .. import io
from ..io.moves import Up
from ..io.movingai import PASSABLE
from ..model.errors import InputError
from ..model.grid import Corners, Grid
from ..model.problem import Problem
from ..model.rules import RULES, Rule, Rules

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


def _rule_option(rule: Rule) -> Callable[[Command], Command]:
    flag = rule.name.replace("_", "-")
    if rule.choices:
        usual, kind = rule.default, click.Choice(rule.choices)
        return click.option(f"--{flag}", type=kind, help=f"{rule.question} [default: {usual}]")
    usual = "yes" if rule.default else "no"
    return click.option(f"--{flag}/--no-{flag}", default=None, help=f"{rule.question} [default: {usual}]")


def model_options(command: Command) -> Command:
    """The options that say what the cells of a map and the rules are."""
    for option in reversed([*_SPACE, *map(_rule_option, RULES)]):
        command = option(command)
    return command


@dataclass(frozen=True)
class Model:
    """What the command line said about space, rules and letters; None where it said nothing."""

    connectivity: Literal[4, 8] | None = None
    corners: Corners | None = None
    passable: str | None = None
    u: Up | None = None
    given_rules: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def among(cls, options: Mapping[str, Any]) -> Model:
        """The model options among all options of a command."""
        names = [one.name for one in fields(cls) if one.name != "given_rules"]
        rules = {rule.name: options.get(rule.name) for rule in RULES}
        given = {name: value for name, value in rules.items() if value is not None}
        return cls(**{name: options.get(name) for name in names}, given_rules=given)

    def rules(self, base: Rules = Rules()) -> Rules:
        """The rules of a file (or the default ones) with those of the command line over them."""
        return replace(base, **self.given_rules)

    def map(self, document: io.Document) -> Grid:
        """The grid of a file that has one."""
        read = io.format_of(document).loads.get(Grid, io.read_map)  # which says what is wrong with others
        if read is not io.read_map:
            self._refuse_passable(document.source)
        grid: Grid = read(document, **self._given("passable", "connectivity", "corners"))
        return grid

    def layout(self, document: io.Document, scen: object) -> io.Layout:
        """The layout of a file that has one, which goes with none of these options."""
        if scen is not None or self != Model():
            raise InputError(
                f"{document.source} is a layout: it goes without --scen, rules or options of grids"
            )
        found: io.Layout = io.format_of(document).loads[io.Layout](document)
        return found

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
