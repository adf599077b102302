"""`sidestep sweep` and `sidestep compare`: experiments, and what has changed between two of them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from ..model.errors import InputError
from .console import FILE, json_option, show, show_json, writable
from .progress import bar

WORSE = 1


@click.command("sweep")
@click.argument("suite", type=FILE)
@click.option("--ledger", type=FILE, help="Where rows are kept. [default: SUITE with the ending .db]")
@click.option("--jobs", type=click.IntRange(min=1), help="Processes. [default: one per processor]")
@click.option(
    "--cluster", help="The address of a Dask scheduler, such as tcp://host:8786, instead of processes."
)
@click.option("--retry", is_flag=True, help="Try trials again that crashed or raised an error.")
@click.option("--page", type=FILE, help="An HTML file that says how far it is, written again while it runs.")
@click.option(
    "-o",
    "--output",
    "outputs",
    type=FILE,
    multiple=True,
    help="Also write a .html report, a .csv or .parquet file of all rows, or a .tex, .md or .txt table.",
)
def command(
    suite: Path,
    *,
    ledger: Path | None,
    jobs: int | None,
    cluster: str | None,
    retry: bool,
    page: Path | None,
    outputs: tuple[Path, ...],
) -> None:
    """Run all that the TOML file SUITE asks for: solvers, instances, seeds and limits.

    What the ledger has already is not run again: after an interruption the same command goes on where it was.
    """
    from ..sweeps import sweep  # noqa: PLC0415  # brings statistics with it: not for other commands

    for output in (*outputs, *([page] if page else [])):
        writable(output, suite)
    asked: dict[str, Any] = {"ledger": ledger, "jobs": jobs, "cluster": cluster, "retry": retry, "page": page}
    with bar("sweep") as progress:
        done = sweep(suite, **asked, on_progress=lambda part, text: progress.update(text, part))
    for output in outputs:
        done.write(output)
    show(done.text(), f"ledger: {done.path}")


@click.command("compare")
@click.argument("before", type=FILE)
@click.argument("after", type=FILE)
@click.option(
    "--allow", type=float, default=5.0, show_default=True, help="Percent of CPU time that are no change."
)
@json_option
def compare_command(before: Path, after: Path, *, allow: float, as_json: bool) -> int:
    """Say what is slower or worse in the ledger AFTER than in BEFORE, run by run of the same suite.

    The exit code is 1 if a solver became slower, dearer or solves fewer, with a confidence of 95%.
    """
    from ..papers.experiment import rich_table  # noqa: PLC0415
    from ..sweeps import Sweep  # noqa: PLC0415
    from ..sweeps.compare import compare, table_of  # noqa: PLC0415

    if not 0 <= allow < 1000:
        raise InputError(f"--allow is a number of percent from 0, not {allow}")
    changes = compare(Sweep(before), Sweep(after), allowed=allow / 100)
    worse = [change.solver for change in changes if change.verdicts]
    if as_json:
        show_json({"changes": [vars(change) | {"verdicts": change.verdicts} for change in changes]})
    else:
        show(rich_table(table_of(changes)))
    return WORSE if worse else 0
