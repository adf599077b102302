"""`sidestep improve`: make a plan of any program cheaper, judge it, report and keep it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from .. import io
from ..improve import improve
from ..model.errors import InputError
from ..model.trace import Trace
from .console import FILE, json_option, writable
from .inputs import load_run, read_run, run_options
from .model_options import Model, model_options
from .progress import bar
from .solve import report, saying_better


@click.command("improve")
@click.argument("plan", type=FILE)
@run_options
@model_options
@click.option("--time-limit", type=float, default=60.0, show_default=True, help="Seconds.")
@click.option("--node-limit", type=int, help="Search nodes; the same on every machine.")
@click.option("--memory-limit", type=int, help="Bytes for searches. [default: a quarter of the memory]")
@click.option("--seed", type=int, default=0, show_default=True, help="What is random in the search.")
@click.option("--robust", type=int, default=0, show_default=True, help="Steps by which agents may be late.")
@click.option("-o", "--output", type=FILE, help="Write the plan, with its problem, as JSON.")
@json_option
def command(
    plan: Path,
    *,
    map_file: Path | None,
    scen: Path | None,
    row: int | None,
    time_limit: float,
    node_limit: int | None,
    memory_limit: int | None,
    seed: int,
    robust: int,
    output: Path | None,
    as_json: bool,
    **others: Any,
) -> int:
    """Make PLAN cheaper: one of our plan files, or another program's plan with --map.

    A plan whose agents collide is mended first. Exit code 0: there is a valid plan, 1: there is none, 2: bad
    input.
    """
    if output is not None:
        writable(output, plan, map_file, scen)
    run = read_run(load_run(plan, others), Model.among(others), map_file, scen, row=row)
    given = run.plan if isinstance(run, io.PlanFile) else run
    if given is None or isinstance(given, Trace):
        raise InputError(f"{plan} has no plan: a file with one is needed, such as `solve --output` writes")
    with bar("improving") as progress:
        result = improve(
            given,
            time_limit=time_limit,
            node_limit=node_limit,
            memory_limit=memory_limit,
            seed=seed,
            robust=robust,
            on_progress=progress.on_progress,
            on_plan=saying_better(),
        )
    return report(result, output, as_json)
