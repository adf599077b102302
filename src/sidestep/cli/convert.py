"""`sidestep convert`: maps, scenarios, problems and plans from one format to another."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from .. import io
from ..errors import InputError
from ..grid import Grid
from ..plan import Plan
from ..problem import Problem
from .console import show, writable
from .reading import FILE, Model, model_options, read_foreign_plan, read_problem

FORMATS = ("json", "lacam", "eecbs", "map", "scen", "text")
BY_SUFFIX = {".json": "json", ".map": "map", ".scen": "scen", ".paths": "eecbs"}


@click.command("convert")
@click.argument("source", metavar="IN", type=FILE)
@click.argument("target", metavar="OUT", type=FILE)
@click.option("--to", type=click.Choice(FORMATS), help="The format of OUT.")
@click.option("--map", "map_file", type=FILE, help="The map of a lacam3 or EECBS plan.")
@click.option("--scen", type=FILE, help="The scenario of a .map, or of a lacam3 or EECBS plan.")
@model_options
def command(
    source: Path, target: Path, to: str | None, map_file: Path | None, scen: Path | None, **others: Any
) -> None:
    """Convert IN to OUT: our JSON, plans of lacam3 and EECBS, .map, .scen and drawings.

    The format of OUT follows from .json, .map, .scen or .paths; --to says it otherwise.
    """
    form = to or BY_SUFFIX.get(target.suffix.lower())
    if form is None:
        raise InputError(f"which format is {target} to have? Say it with --to")
    writable(target, source, map_file, scen)
    thing = _read(source, Model.among(others), map_file, scen)
    map_name = (map_file or source.with_suffix(".map")).name
    WRITERS[form](thing, target, map_name)
    show(f"{source} -> {target} ({form})")


def _read(path: Path, model: Model, map_file: Path | None, scen: Path | None) -> Plan | Problem:
    kind = io.detect(path)
    if kind in ("lacam", "eecbs"):
        return read_foreign_plan(path, kind, model, map_file, scen)
    if map_file is not None:
        raise InputError(f"--map goes with a plan of lacam3 or EECBS, which {path} is not")
    if kind == "map" and scen is None:
        return Problem(model.map(path), [], [], rules=model.rules())
    if kind == "plan" and model == Model():
        found = io.read_plan(path)
        return found.plan or found.problem
    return read_problem(path, model, scen, agents=None)


def _problem(thing: Plan | Problem) -> Problem:
    return thing.problem if isinstance(thing, Plan) else thing


def _plan(thing: Plan | Problem, what: str) -> Plan:
    if not isinstance(thing, Plan):
        raise InputError(f"there is no plan to write as {what}: IN is only a problem")
    return thing


def _write_json(thing: Plan | Problem, path: Path, map_name: str) -> None:
    io.write_plan(thing, path) if isinstance(thing, Plan) else io.write_problem(thing, path)


def _write_lacam(thing: Plan | Problem, path: Path, map_name: str) -> None:
    io.write_lacam(_plan(thing, "a lacam3 result"), path, map_file=map_name)


def _write_eecbs(thing: Plan | Problem, path: Path, map_name: str) -> None:
    io.write_eecbs(_plan(thing, "EECBS paths"), path)


def _write_map(thing: Plan | Problem, path: Path, map_name: str) -> None:
    space = _problem(thing).space
    if not isinstance(space, Grid):
        raise InputError("a .map holds a grid, and IN is about a graph")
    io.write_map(space, path)


def _write_scen(thing: Plan | Problem, path: Path, map_name: str) -> None:
    io.write_scen(_problem(thing), path, map_name)


def _write_text(thing: Plan | Problem, path: Path, map_name: str) -> None:
    io.write_text(_problem(thing), path)


WRITERS: dict[str, Callable[[Plan | Problem, Path, str], None]] = {
    "json": _write_json,
    "lacam": _write_lacam,
    "eecbs": _write_eecbs,
    "map": _write_map,
    "scen": _write_scen,
    "text": _write_text,
}
