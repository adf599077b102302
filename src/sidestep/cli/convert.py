"""`sidestep convert`: maps, scenarios, problems and plans from one format to another."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from .. import io
from ..io.formats import suffix_meant, telling_suffixes, word_for
from ..model.errors import InputError
from ..model.grid import Grid
from ..model.plan import Plan
from ..model.problem import Problem
from ..model.space import Space
from ..model.trace import Trace
from .console import FILE, show, writable
from .inputs import is_foreign, load_run, read_foreign, read_problem, run_options
from .model_options import Model, model_options

Thing = Plan | Problem | Trace | io.Layout

WORDS = tuple(dict.fromkeys(form.to for form in io.FORMATS if form.written_kinds))


@click.command("convert")
@click.argument("source", metavar="IN", type=FILE)
@click.argument("target", metavar="OUT", type=FILE)
@click.option(
    "--to",
    type=click.Choice(WORDS),
    help="The format of OUT; lacam is what mapf-visualizer shows, planviz what PlanViz shows. "
    f"Not needed where OUT ends in {', '.join(telling_suffixes())}.",
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
    Runners are read with --map; --scen also goes with a .map. Layouts (LIF, Open-RMF, Nav2 routes) become
    each other or our JSON.
    """
    word = to or word_for(target.suffix)
    if word is None:
        meant = suffix_meant(target.suffix)
        hint = f"Did you mean {meant}? Otherwise say" if meant else "Say"
        raise InputError(f"which format is {target} to have? {hint} it with --to")
    writable(target, source, map_file, scen)
    thing = _read(load_run(source, others), Model.among(others), map_file, scen, row)
    _write(thing, word, target, (map_file or source.with_suffix(".map")).name)
    show(f"{source} -> {target} ({word})")


def _read(
    document: io.Document, model: Model, map_file: Path | None, scen: Path | None, row: int | None
) -> Thing:
    form = io.format_of(document)
    is_input = Problem in form.loads and map_file is None
    if is_foreign(form) and not is_input:
        return read_foreign(document, model, map_file, scen, row=row)
    for option, value in (("--map", map_file), ("--row", row), ("--up", model.u)):
        if value is not None:
            raise InputError(f"{option} goes with a plan of another program, which {document.source} is not")
    if io.Layout in form.loads:
        return model.layout(document, scen)
    if Grid in form.loads and scen is None:
        return Problem(model.map(document), [], [], rules=model.rules())
    if form.name == "plan" and model == Model():
        found = io.read_plan(document)
        return found.plan or found.problem
    return read_problem(document, model, scen, agents=None)


def _write(thing: Thing, word: str, target: Path, map_name: str) -> None:
    """Writes it by the format of this word that keeps such a thing, or else keeps part of it."""
    forms = [form for form in io.FORMATS if form.to == word]
    form = next((form for form in forms if type(thing) in form.written_kinds), forms[0])
    form.write(_kept(thing, form), target, map_name)


def _kept(thing: Thing, form: io.Format) -> Thing | Grid | io.Workload:
    """The thing itself, or the part of it that a format keeps."""
    if type(thing) in form.written_kinds:
        return thing
    if io.Workload in form.written_kinds and isinstance(thing, (Plan, Problem)):
        return io.Workload.from_problem(thing if isinstance(thing, Problem) else thing.problem)
    if Grid in form.written_kinds:
        return _grid(thing, form)
    if io.Layout in form.dumps:
        return io.Layout.from_graph(_space(thing))  # type: ignore[arg-type]  # it refuses grids
    if isinstance(thing, io.Layout):
        thing = Problem(thing.graph, [], [])
    if Problem in form.dumps and isinstance(thing, Problem):
        return thing
    if Problem not in form.dumps:
        what, kind = form.written or form.called, type(thing).__name__.lower()
        raise InputError(f"there is no plan to write as {what}: IN is only a {kind}")
    if isinstance(thing, Plan):
        return thing.problem
    raise InputError("IN is a run whose goals change, which is no problem: it becomes json or map")


def _space(thing: Thing) -> Space:
    if isinstance(thing, io.Layout):
        return thing.graph
    return thing.problem.space if isinstance(thing, Plan) else thing.space


def _grid(thing: Thing, form: io.Format) -> Grid:
    space = _space(thing)
    if not isinstance(space, Grid):
        raise InputError(f"{form.written or form.called} holds a grid, and IN is about a graph")
    return space
