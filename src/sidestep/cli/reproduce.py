"""`sidestep reproduce`: the experiments of a paper, published beside measured."""

from __future__ import annotations

from pathlib import Path

import click

from ..model.errors import InputError
from ..solvers.registry import did_you_mean
from .console import FILE, show
from .progress import bar


@click.command("reproduce")
@click.argument("paper")
@click.option("--full", is_flag=True, help="As many instances as the paper has; otherwise a short version.")
@click.option("-o", "--output", type=FILE, help="The folder of the report. [default: out/PAPER]")
@click.option("--seed", type=int, default=0, show_default=True, help="Other instances.")
@click.option(
    "--instances", type=click.IntRange(min=1), help="How many instances instead: more give smaller errors."
)
@click.option("--jobs", type=click.IntRange(min=1), default=1, show_default=True, help="Processes.")
def command(
    paper: str, *, full: bool, output: Path | None, seed: int, instances: int | None, jobs: int
) -> None:
    """Run the experiments of PAPER and write a report.

    PAPER is one of astar-review, bcp2006, dialogue-thesis, silver2005, standley2010.
    """
    from ..papers import PAPERS  # noqa: PLC0415  # they bring plotting with them: not for other commands

    if paper not in PAPERS:
        raise InputError(f"there are no experiments of {paper!r}{did_you_mean(paper, PAPERS)}")
    folder = output or Path("out") / paper
    if folder.exists() and not folder.is_dir():
        raise InputError(f"{folder} is a file: name a folder for the report")
    size = {} if instances is None else {"instances": instances}
    with bar(paper) as progress:
        report = PAPERS[paper].run(
            full=full,
            seed=seed,
            jobs=jobs,
            out=folder,
            **size,
            progress=lambda fraction, message: progress.update(message, fraction),
        )
    show(report.text(), f"report: {report.html}")
