"""What the tests of every paper check in the same way."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from sidestep import MissingExtraError
from sidestep.cli import main
from sidestep.papers import PAPERS
from sidestep.papers.design import InstanceTrial, Row, instance_trials
from sidestep.papers.experiment import Report


def nobody_watches(fraction: float, message: str) -> None:
    """A progress callback."""


@pytest.fixture
def blank_plots(monkeypatch: pytest.MonkeyPatch) -> None:
    """Files of plots are empty: to draw them takes longer than a tiny run. Tests of reports draw."""
    monkeypatch.setattr("sidestep.papers.experiment.draw", lambda plot: b"")


def check_files(report: Report, rows: Sequence[Mapping[str, Any]], plots: Sequence[str]) -> None:
    """The report is written as a page that needs nothing else, an image per plot, and the raw numbers."""
    report.write()
    images = sorted(path.name for path in report.folder.glob("*.png"))
    assert images == [f"{report.name}-{name}.png" for name in plots]
    page = report.html.read_text()
    assert page.count("data:image/png;base64,") == len(images)
    words = re.sub('base64,[^"]*', "", page)  # what an image looks like as text is left to chance
    assert 'src="http' not in words
    assert "href" not in words
    raw = json.loads((report.folder / f"{report.name}.json").read_text())
    assert raw["paper"] == report.name
    assert raw["rows"] == rows
    kept = (report.folder / f"{report.name}.md").read_text()
    assert kept.count("\n| ") == len(report.comparisons) + 1
    for comparison in report.comparisons:
        assert comparison.verdict in page
        assert comparison.verdict in kept


def narrow_text(report: Report) -> str:
    """The report on a terminal of 80 columns, where nothing may be cut off."""
    console = Console(width=80, file=StringIO())
    console.print(report.text())
    text: str = console.file.getvalue()  # type: ignore[attr-defined]
    assert "…" not in text
    assert max(map(len, text.splitlines())) <= 80
    assert all(reason.split()[0] in text for reason in report.reasons)
    return text


def shorten(paper: str, seconds: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """From now on the paper's short version has three instances with little time."""
    experiment = PAPERS[paper]
    trials = partial(instance_trials, published=10, short=3, seconds=seconds)
    design = replace(experiment.design, trials=trials)
    monkeypatch.setitem(PAPERS, paper, replace(experiment, design=design))


def check_going_on(paper: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A run of three trials that is interrupted in the third goes on from there."""
    experiment = PAPERS[paper]
    seen: list[int] = []

    def interrupted(trial: InstanceTrial) -> Row:
        seen.append(trial.number)
        if len(seen) == 3:
            raise KeyboardInterrupt
        return experiment.design.measure(trial)

    design = replace(experiment.design, measure=interrupted)
    monkeypatch.setitem(PAPERS, paper, replace(experiment, design=design))
    run = ["reproduce", paper, "-o", str(folder)]
    assert main(run) == 130
    assert [path.name for path in folder.iterdir()] == [f"{paper}-unfinished.db"]
    assert main(run) == 0
    assert seen == [0, 1, 2, 2]
    assert not (folder / f"{paper}-unfinished.db").exists()
    rows = json.loads((folder / f"{paper}.json").read_text())["rows"]
    assert [row["instance"] for row in rows] == [0, 1, 2]


def check_without_matplotlib(
    paper: str, folder: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """One sentence says what is missing, before any work is done."""
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(MissingExtraError, match="matplotlib is not installed"):
        PAPERS[paper].run(full=False, seed=0, jobs=1, out=folder, progress=lambda f, m: pytest.fail(m))
    assert main(["reproduce", paper, "-o", str(folder)]) == 2
    assert capfd.readouterr().err == "sidestep: matplotlib is not installed: pip install 'sidestep[plot]'\n"
    assert list(folder.iterdir()) == []
