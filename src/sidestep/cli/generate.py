"""`sidestep generate`: maps and problems from a seed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from ..instances import random_problem
from ..instances.generators import GENERATORS
from ..io.files import store_text
from ..io.formats import format_for
from ..io.text import dumps_text
from ..model.errors import InputError
from ..model.grid import Grid
from ..model.problem import Problem
from .console import FILE, show, writable
from .progress import bar


def _spelled(option: str) -> str:
    return "--" + option.replace("_", "-")


@click.command("generate")
@click.argument("kind", type=click.Choice(list(GENERATORS)))
@click.option("--height", type=int, help="Rows of cells; not for a warehouse. [default: 32]")
@click.option("--width", type=int, help="Columns of cells; not for a warehouse. [default: 32]")
@click.option("--density", type=float, help="random: the share of obstacles. [default: 0.2]")
@click.option("--room", type=int, help="rooms: the side of a room. [default: 7]")
@click.option("--corridor", type=int, help="maze: the width of its corridors. [default: 1]")
@click.option("--columns", type=int, help="warehouse: shelves side by side. [default: 5]")
@click.option("--rows", type=int, help="warehouse: shelves one above the other. [default: 10]")
@click.option("--shelf-width", type=int, help="warehouse: in cells. [default: 5]")
@click.option("--shelf-height", type=int, help="warehouse: in cells. [default: 2]")
@click.option("--aisle", type=int, help="warehouse: the width of the aisles. [default: 1]")
@click.option(
    "--agents", type=click.IntRange(min=0), default=0, help="Random agents, who can reach their goals."
)
@click.option("--seed", type=int, default=0, show_default=True, help="Another map and other agents.")
@click.option("-o", "--output", type=FILE, help="A .map (and a .scen for the agents), .json or .txt file.")
def command(kind: str, agents: int, seed: int, output: Path | None, **options: Any) -> None:
    """Make a map of a KIND, and agents on it. Without -o, the map is drawn.

    The same arguments make the same map on every machine.
    """
    targets = _targets(output, agents)
    given = {name: value for name, value in options.items() if value is not None}
    with bar(f"generating {kind}"):
        problem = random_problem(_map(kind, seed, given), agents, seed)
        drawing = dumps_text(problem).rstrip("\n") if output is None else ""
        _write(problem, targets)
    show(drawing if output is None else _said(problem, targets))


def _map(kind: str, seed: int, given: dict[str, Any]) -> Grid:
    generator = GENERATORS[kind]
    strange = [option for option in given if option not in generator.defaults]
    if strange:
        own = ", ".join(map(_spelled, generator.defaults))
        raise InputError(f"{_spelled(strange[0])} says nothing about a {kind} map, which has {own}")
    return generator.grid(seed, **given)


def _targets(output: Path | None, agents: int) -> list[Path]:
    """The files to write, checked before anything is made."""
    if output is None:
        return []
    if output.suffix not in (".map", ".json", ".txt"):
        raise InputError(f"{output} should end in .map, .json or .txt")
    scen = [output.with_suffix(".scen")] if output.suffix == ".map" and agents else []
    return [writable(path) for path in [output, *scen]]


def _write(problem: Problem, targets: list[Path]) -> None:
    # The scenario first: it can be refused, and then there must be no map either.
    for path in reversed(targets):
        form = format_for(path.suffix, Grid, Problem)
        assert form is not None  # _targets has looked
        thing = problem.space if Grid in form.dumps else problem
        store_text(path, form.text_of(thing, path.with_suffix(".map").name))


def _said(problem: Problem, targets: list[Path]) -> str:
    grid = _grid(problem)
    files = " and ".join(map(str, targets))
    return (
        f"{grid.height} x {grid.width} cells, {int(grid.open.sum())} free, {problem.n_agents} agents: {files}"
    )


def _grid(problem: Problem) -> Grid:
    assert isinstance(problem.space, Grid)
    return problem.space
