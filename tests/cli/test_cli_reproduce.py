"""`sidestep reproduce`, with a paper made up for the test."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from .conftest import Sidestep


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """Makes `doe1999` the only paper; returns what its `run` is called with."""
    seen: list[dict[str, Any]] = []

    def run(*, progress: Callable[[float, str], None], **arguments: Any) -> Any:
        progress(0.5, "half way")
        seen.append(arguments)
        return SimpleNamespace(text=lambda: "published 1, measured 1", html=arguments["out"] / "report.html")

    papers = {"doe1999": SimpleNamespace(run=run)}
    monkeypatch.setitem(sys.modules, "sidestep.papers", SimpleNamespace(PAPERS=papers))
    return seen


def test_a_paper_is_run_and_its_report_shown(
    sidestep: Sidestep, folder: Path, calls: list[dict[str, Any]]
) -> None:
    done = sidestep("reproduce", "doe1999", "--full", "--seed", 4, "--jobs", 2, "-o", "here")
    assert done.code == 0, done.err
    assert done.out.splitlines() == ["published 1, measured 1", "report: here/report.html"]
    assert done.err == ""
    assert calls == [{"full": True, "seed": 4, "jobs": 2, "out": Path("here")}]


def test_the_folder_is_named_after_the_paper(
    sidestep: Sidestep, folder: Path, calls: list[dict[str, Any]]
) -> None:
    assert sidestep("reproduce", "doe1999").code == 0
    assert calls == [{"full": False, "seed": 0, "jobs": 1, "out": Path("out/doe1999")}]


def test_bad_input(sidestep: Sidestep, folder: Path, calls: list[dict[str, Any]]) -> None:
    sidestep("reproduce", "deo1999").refused("'deo1999'", "did you mean 'doe1999'")
    sidestep("reproduce", "zzz").refused("known are", "doe1999")
    sidestep("reproduce", "doe1999", "-o", "small.map").refused("small.map is a file")
    sidestep("reproduce", "doe1999", "--jobs", 0).refused("--jobs")
    assert calls == []
