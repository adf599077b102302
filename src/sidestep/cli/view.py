"""`sidestep view`: plans and traces to look at, as a page, a picture or a film."""

from __future__ import annotations

import shlex
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from .. import io
from ..explain import captions, passings
from ..model.errors import InputError
from ..model.plan import Plan
from ..model.trace import Trace
from ..viewer import Replay, replay
from ..viewer.replay import FILMS
from ..viewer.scene import FASTEST, Scene
from .browser import open_in_browser
from .console import FILE, show, writable
from .explain import command as explain_command
from .inputs import is_foreign, load_run, read_run, run_options
from .model_options import Model, model_options
from .progress import bar

Sources = tuple[Path | None, Path | None, int | None, Model]  # --map, --scen, --row and the model


@click.command("view")
@click.argument("plans", metavar="PLAN...", type=FILE, nargs=-1, required=True)
@run_options
@model_options
@click.option(
    "-o",
    "--output",
    type=FILE,
    help="A page (.html), a picture (.png, .svg, .pdf) or a film (.gif, .mp4). [default: PLAN.html]",
)
@click.option("--moment", type=int, metavar="TIME", help="The picture shows this time, not the whole plan.")
@click.option(
    "--speed",
    type=click.FloatRange(0, FASTEST, min_open=True),
    default=4.0,
    show_default=True,
    help="Steps per second of a film; a long one may be faster.",
)
@click.option("--why", is_flag=True, help="Say under the map why agents wait: answers that were checked.")
@click.option("--title", help="What stands above the map. [default: the name of PLAN]")
@click.option("--open", "open_it", is_flag=True, help="Open the page in the browser.")
@click.pass_context
def command(
    ctx: click.Context,
    /,
    *,
    plans: tuple[Path, ...],
    map_file: Path | None,
    scen: Path | None,
    row: int | None,
    output: Path | None,
    moment: int | None,
    speed: float,
    why: bool,
    title: str | None,
    open_it: bool,
    **others: Any,
) -> None:
    """Show PLAN: one of our plan or trace files, or another program's plan with --map.

    Several plans are shown side by side and in step. What the judge finds wrong is marked on the map.
    The page is one file that needs no network. Exit code 0 also if the plan is not valid; `validate` judges.
    """
    if output is not None:
        writable(output, *plans, map_file, scen)
    documents = [load_run(path, others) for path in plans]
    shown = _replay(documents, plans, (map_file, scen, row, Model.among(others)), title, why)
    if why:
        asking = replace(shown.scenes[0], question=_question(ctx, plans[0]))
        shown = Replay([asking], title=shown.title, note=shown.note)
    target = output or writable(plans[0].with_suffix(".html"), *plans, map_file, scen)
    _save(shown, target, moment, speed)
    show(*(_line(scene) for scene in shown.scenes), f"-> {target}")
    if open_it and not open_in_browser(target):
        show(f"There is no browser here to open it in: open {target.resolve()} yourself.")


def _question(ctx: click.Context, plan: Path) -> str:
    """The command that explains this plan, read as it was read here."""
    words = ["sidestep", "explain", str(plan)]
    here = {one.name for one in ctx.command.params}
    for option in explain_command.params:
        name = option.name or ""
        if name in here and ctx.get_parameter_source(name) is click.core.ParameterSource.COMMANDLINE:
            value = ctx.params.get(name)
            if isinstance(value, bool):
                words.append((option.opts if value else option.secondary_opts)[0])
            elif name != "plan" and value is not None:
                words += [option.opts[0], str(value)]
    return shlex.join(words)


def _replay(
    documents: list[io.Document],
    plans: tuple[Path, ...],
    sources: Sources,
    title: str | None,
    why: bool,
) -> Replay:
    if why and len(plans) > 1:
        raise InputError(f"--why is about a single plan, not about {len(plans)}")
    runs = _runs(documents, sources)
    return replay(
        *runs,
        labels=_labels(plans, runs),
        title=title or " and ".join(path.name for path in plans),
        captions=captions(runs[0]) + passings(runs[0]) if why else (),
    )


def _runs(documents: list[io.Document], sources: Sources) -> list[io.PlanFile | Plan | Trace]:
    # Our own files bring their map: beside another program's plan, --map is about that one.
    foreign = [document for document in documents if is_foreign(io.format_of(document))]
    runs = []
    for document in documents:
        map_file, scen, row, model = (
            sources if document in foreign or not foreign else (None, None, None, Model())
        )
        runs.append(read_run(document, model, map_file, scen, row=row))
    return runs


def _labels(plans: tuple[Path, ...], runs: list[Any]) -> list[str]:
    labels = [getattr(run, "solver", None) or path.name for path, run in zip(plans, runs, strict=True)]
    often = Counter(labels)
    return [
        label if often[label] == 1 else f"{label}, {path.name}"
        for path, label in zip(plans, labels, strict=True)
    ]


def _save(shown: Replay, target: Path, moment: int | None, speed: float) -> None:
    if target.suffix.lower() not in FILMS:
        shown.save(target, time=moment)
        return
    with bar("filming") as progress:
        shown.save(
            target,
            time=moment,
            steps_per_second=speed,
            on_frame=lambda done, total: progress.update(f"frame {done} of {total}", done / total),
        )


def _line(scene: Scene) -> str:
    return f"{scene.label}: {len(scene.names)} agents, {scene.steps} steps, {_verdict(scene)}"


def _verdict(scene: Scene) -> str:
    report = scene.report
    if report is None:
        return "not judged"
    if report:
        return "valid"
    more = f", and {report.count - 1} more" if report.count > 1 else ""
    return f"not valid: {report.violations[0].sentence(scene.names)}{more}"
