"""`sidestep tune`: weights for dialogues, looked for as in the thesis or by optuna."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click
from rich.table import Table

from .. import __version__
from ..io import jsonfile
from ..io.files import store_bytes
from ..model.errors import FormatError, InputError, MissingExtraError
from .console import FILE, json_option, show, show_json
from .progress import bar

if TYPE_CHECKING:
    from ..papers.tuning import Tuning, TuningResult


@click.command("tune")
@click.option("--solver", default="dpca", show_default=True, help="dpca, dpca+ or wdpca.")
@click.option("--window", type=int, help="Of wdpca.")
@click.option("--method", default="annealing", show_default=True, help="annealing or optuna.")
@click.option("--steps", type=int, default=100, show_default=True, help="Weights to try.")
@click.option("--instances", type=int, default=200, show_default=True, help="Fresh problems per step.")
@click.option("--agents", type=int, default=50, show_default=True, help="At most, in a problem.")
@click.option("--node-limit", type=int, default=1000, show_default=True, help="Expansions per problem.")
@click.option(
    "--held-out", type=click.IntRange(min=2), default=1000, show_default=True, help="Problems to compare on."
)
@click.option("--seed", type=int, default=0, show_default=True, help="Other instances and trials.")
@click.option("--jobs", type=click.IntRange(min=1), default=1, show_default=True, help="Processes.")
@click.option("-o", "--output", type=FILE, default=Path("out/tune"), show_default=True, help="A folder.")
@json_option
def command(
    *,
    solver: str,
    window: int | None,
    method: str,
    steps: int,
    instances: int,
    agents: int,
    node_limit: int,
    held_out: int,
    seed: int,
    jobs: int,
    output: Path,
    as_json: bool,
) -> None:
    """Look for the weights that agents vote by, and compare them with the thesis's.

    Every step is kept in the output folder: after an interruption the same command goes on where it was.
    """
    from ..papers.tuning import Tuning  # noqa: PLC0415  # brings plotting with it: not for other commands

    tuning = Tuning(solver, window, method, steps, instances, agents, node_limit, seed)
    result = run(tuning, output, jobs=jobs, held_out=held_out)
    if as_json:
        show_json({**result.data, "output": str(output)})
    else:
        show(weight_table(result), comparison_table(result), result.verdict, f"report: {output}")


def run(tuning: Tuning, folder: Path, *, jobs: int, held_out: int) -> TuningResult:
    """All steps that the folder does not have yet, and the comparison; all of it is written to the folder."""
    from ..papers import tuning as work  # noqa: PLC0415
    from ..papers.journal import Journal  # noqa: PLC0415

    if tuning.method == "optuna":
        work.require_optuna()  # what may be missing is asked for before the work, not after it
    if folder.exists() and not folder.is_dir():
        raise InputError(f"{folder} is a file: name a folder for what is found")
    path = folder / "tune.jsonl"
    journal = Journal(path, {"sidestep": __version__, **asdict(tuning)})
    if journal.is_of_another:
        raise InputError(f"{path} is of another search: name another folder, or remove that file")
    folder.mkdir(parents=True, exist_ok=True)
    rows = journal.open()
    for step, row in enumerate(rows):
        if not work.is_step(row, tuning, step):
            raise FormatError("this is no step of the search", source=str(path), line=step + 2)
    with bar(f"tuning {tuning.label}") as progress:
        told = work.search(tuning, rows, jobs=jobs, progress=lambda done, what: progress.update(what, done))
        for row in told:
            journal.add(row)
            rows.append(row)
        progress.update(f"comparing on {held_out} fresh problems")
        result = work.compare(tuning, rows, held_out=held_out, jobs=jobs)
    write(result, folder)
    return result


def write(result: TuningResult, folder: Path) -> None:
    """What was found, and a plot if there is something to draw it with."""
    from ..papers.plots import draw  # noqa: PLC0415

    jsonfile.store(folder / "tune.json", {"format": "sidestep-tuning", "version": 1, **result.data})
    try:
        image = draw(result.plot())
    except MissingExtraError:
        return
    store_bytes(folder / "tune.png", image)


def weight_table(result: TuningResult) -> Table:
    """The weights that were found beside those of the thesis; only their ratios matter."""
    found, published = result.weights, result.tuning.published
    table = Table(title=f"Weights of {result.tuning.label}", title_justify="left")
    for column in ("", "found", "thesis"):
        table.add_column(column, justify="right" if column else "left")
    for name in found:
        table.add_row(name, f"{found[name]:.3f}", f"{published[name]:.3f}")
    for name in list(found)[1:]:
        ratios = (weights[name] / weights["length_weight"] for weights in (found, published))
        table.add_row(f"{name} / length_weight", *(f"{ratio:.3f}" for ratio in ratios))
    return table


def comparison_table(result: TuningResult) -> Table:
    """How all weights fare on problems that the search has not seen."""
    title = f"On {result.held_out} fresh problems (95% of the time within)"
    table = Table(title=title, title_justify="left")
    for column in ("weights", "solved %", "loss ‰", "better than the thesis's by ‰"):
        table.add_column(column)
    for name, one in result.compared.items():
        better = "" if name == "thesis" else one.better.show(2)
        table.add_row(name, one.solved.show(1), one.loss.show(1), better)
    return table
