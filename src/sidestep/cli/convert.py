"""`sidestep convert`: maps, scenarios, problems and plans from one format to another."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from .. import io
from ..model.errors import InputError
from ..model.grid import Grid
from ..model.plan import Plan
from ..model.problem import Problem
from ..model.trace import Trace
from .console import show, writable
from .reading import FILE, FOREIGN, Model, model_options, read_foreign, read_problem, run_options

Thing = Plan | Problem | Trace

FORMATS = ("json", "lacam", "eecbs", "planviz", "map", "scen", "text")
BY_SUFFIX = {".json": "json", ".map": "map", ".scen": "scen", ".paths": "eecbs"}


@click.command("convert")
@click.argument("source", metavar="IN", type=FILE)
@click.argument("target", metavar="OUT", type=FILE)
@click.option(
    "--to",
    type=click.Choice(FORMATS),
    help="The format of OUT; lacam is what mapf-visualizer shows, planviz what PlanViz shows.",
)
@run_options
@model_options
def command(
    source: Path,
    target: Path,
    to: str | None,
    *,
    map_file: Path | None,
    scen: Path | None,
    row: int | None,
    **others: Any,
) -> None:
    """Convert IN to OUT: our JSON, other programs' plans, .map, .scen and drawings.

    Plans of lacam3, EECBS, libMultiRobotPlanning, the MAPF tracker (with --scen) and the League of Robot
    Runners are read with --map; --scen also goes with a .map. The format of OUT follows from .json, .map,
    .scen or .paths; --to says it otherwise.
    """
    form = to or BY_SUFFIX.get(target.suffix.lower())
    if form is None:
        raise InputError(f"which format is {target} to have? Say it with --to")
    writable(target, source, map_file, scen)
    thing = _read(source, Model.among(others), map_file, scen, row)
    map_name = (map_file or source.with_suffix(".map")).name
    WRITERS[form](thing, target, map_name)
    show(f"{source} -> {target} ({form})")


def _read(path: Path, model: Model, map_file: Path | None, scen: Path | None, row: int | None) -> Thing:
    kind = io.detect(path)
    is_input = kind == "multirobot" and map_file is None
    if kind in FOREIGN and not is_input:
        return read_foreign(path, kind, model, map_file, scen, row=row)
    for option, value in (("--map", map_file), ("--row", row), ("--up", model.u)):
        if value is not None:
            raise InputError(f"{option} goes with a plan of another program, which {path} is not")
    if kind == "map" and scen is None:
        return Problem(model.map(path), [], [], rules=model.rules())
    if kind == "plan" and model == Model():
        found = io.read_plan(path)
        return found.plan or found.problem
    return read_problem(path, model, scen, agents=None)


def _problem(thing: Thing) -> Problem:
    if isinstance(thing, Trace):
        raise InputError("IN is a run whose goals change, which is no problem: it becomes json or map")
    return thing.problem if isinstance(thing, Plan) else thing


def _plan(thing: Thing, what: str) -> Plan:
    if not isinstance(thing, Plan):
        raise InputError(f"there is no plan to write as {what}: IN is only a {type(thing).__name__.lower()}")
    return thing


def _write_json(thing: Thing, path: Path, map_name: str) -> None:
    if isinstance(thing, Trace):
        io.write_trace(thing, path)
    else:
        io.write_plan(thing, path) if isinstance(thing, Plan) else io.write_problem(thing, path)


def _write_lacam(thing: Thing, path: Path, map_name: str) -> None:
    io.write_lacam(_plan(thing, "a lacam3 result"), path, map_file=map_name)


def _write_eecbs(thing: Thing, path: Path, map_name: str) -> None:
    io.write_eecbs(_plan(thing, "EECBS paths"), path)


def _write_planviz(thing: Thing, path: Path, map_name: str) -> None:
    io.write_planviz(_plan(thing, "a file for PlanViz"), path)


def _write_map(thing: Thing, path: Path, map_name: str) -> None:
    space = thing.space if isinstance(thing, Trace) else _problem(thing).space
    if not isinstance(space, Grid):
        raise InputError("a .map holds a grid, and IN is about a graph")
    io.write_map(space, path)


def _write_scen(thing: Thing, path: Path, map_name: str) -> None:
    io.write_scen(_problem(thing), path, map_name)


def _write_text(thing: Thing, path: Path, map_name: str) -> None:
    io.write_text(_problem(thing), path)


WRITERS: dict[str, Callable[[Thing, Path, str], None]] = {
    "json": _write_json,
    "lacam": _write_lacam,
    "eecbs": _write_eecbs,
    "planviz": _write_planviz,
    "map": _write_map,
    "scen": _write_scen,
    "text": _write_text,
}
