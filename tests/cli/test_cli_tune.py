"""`sidestep tune`: a search that can be interrupted, and what it leaves behind."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from sidestep.cli import main
from sidestep.papers import tuning

from .conftest import Sidestep

pytestmark = pytest.mark.bounds

SMALL = ("--steps", "3", "--instances", "4", "--agents", "12", "--held-out", "6")


def test_weights_are_found_and_compared(sidestep: Sidestep, tmp_path: Path) -> None:
    done = sidestep("tune", *SMALL, "-o", tmp_path / "new" / "folder")
    assert done.code == 0, done.err
    assert "Weights of dpca" in done.out
    assert "4.744" in done.out
    assert "On 6 fresh problems" in done.out
    folder = tmp_path / "new" / "folder"
    assert sorted(path.name for path in folder.iterdir()) == ["tune.json", "tune.jsonl", "tune.png"]
    assert len((folder / "tune.jsonl").read_text().splitlines()) == 4
    stored = json.loads((folder / "tune.json").read_text())
    again = sidestep("tune", *SMALL, "-o", folder, "--json").json
    assert {**again, "output": None} == {
        **{name: value for name, value in stored.items() if name not in ("format", "version")},
        "output": None,
    }
    assert set(again["compared"]) == {"found", "thesis", "equal"}


@pytest.mark.parametrize("method", ["annealing", "optuna"])
def test_an_interrupted_search_goes_on(
    sidestep: Sidestep, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, method: str
) -> None:
    if method == "optuna":
        pytest.importorskip("optuna", reason="optuna is not installed")
    command = ("tune", "--solver", "wdpca", "--window", 2, "--method", method, *SMALL, "--json", "-o")
    whole = sidestep(*command, tmp_path / "whole").json
    score, seen = tuning.score_trial, []

    def interrupted(trial: Any) -> Any:
        seen.append(trial)
        if len(seen) == 12:  # in the second of three steps
            raise KeyboardInterrupt
        return score(trial)

    monkeypatch.setattr(tuning, "score_trial", interrupted)
    assert sidestep(*command, tmp_path / "parts").code == 130
    assert len((tmp_path / "parts" / "tune.jsonl").read_text().splitlines()) == 2
    parts = sidestep(*command, tmp_path / "parts").json
    assert {**parts, "output": None} == {**whole, "output": None}
    assert (tmp_path / "parts" / "tune.jsonl").read_text() == (tmp_path / "whole" / "tune.jsonl").read_text()


def test_another_search_in_the_same_folder_is_refused(sidestep: Sidestep, tmp_path: Path) -> None:
    assert sidestep("tune", *SMALL, "-o", tmp_path).code == 0
    before = (tmp_path / "tune.jsonl").read_text()
    for other in (("--seed", 1), ("--solver", "dpca+"), ("--node-limit", 999)):
        sidestep("tune", *SMALL, *other, "-o", tmp_path).refused("tune.jsonl is of another search")
    assert (tmp_path / "tune.jsonl").read_text() == before
    assert sidestep("tune", *SMALL, "--jobs", 2, "-o", tmp_path).code == 0


@pytest.mark.parametrize("line", ["5", "{}", '{"step": 1}', "[]"])
def test_a_journal_that_was_tampered_with(sidestep: Sidestep, tmp_path: Path, line: str) -> None:
    assert sidestep("tune", *SMALL, "-o", tmp_path).code == 0
    path = tmp_path / "tune.jsonl"
    head, first, *_ = path.read_text().splitlines()
    path.write_text(f"{head}\n{first}\n{line}\n")
    sidestep("tune", *SMALL, "-o", tmp_path).refused("tune.jsonl:3: this is no step of the search")
    path.write_bytes(b"\xff\x00")
    sidestep("tune", *SMALL, "-o", tmp_path).refused("tune.jsonl is of another search")


def test_bad_input(sidestep: Sidestep, tmp_path: Path) -> None:
    sidestep("tune", "--solver", "pca", "-o", tmp_path).refused("'pca' has no weights to tune")
    sidestep("tune", "--window", 4, "-o", tmp_path).refused("dpca has no window")
    sidestep("tune", "--solver", "wdpca", "--window", 1, "-o", tmp_path).refused("window must be")
    sidestep("tune", "--method", "luck", "-o", tmp_path).refused("method must be")
    sidestep("tune", "--steps", 0, "-o", tmp_path).refused("steps must be")
    sidestep("tune", "--held-out", 1, "-o", tmp_path).refused("--held-out")
    (tmp_path / "file").write_text("")
    sidestep("tune", "-o", tmp_path / "file").refused("is a file: name a folder")
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_what_may_be_missing(sidestep: Sidestep, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "optuna", None)
    refused = sidestep("tune", "--method", "optuna", "-o", tmp_path)
    refused.refused("optuna is not installed: pip install 'sidestep[tune]'")
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    assert sidestep("tune", *SMALL, "-o", tmp_path).code == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["tune.json", "tune.jsonl"]


def test_the_thesis_is_the_default() -> None:
    options = {option.name: option.default for option in main_options()}
    assert (options["steps"], options["instances"], options["agents"]) == (100, 200, 50)
    usual = tuning.Tuning()
    assert (options["steps"], options["instances"]) == (usual.steps, usual.instances)
    assert (options["agents"], options["node_limit"]) == (usual.agents, usual.nodes)


def main_options() -> Any:
    from sidestep.cli.commands import COMMANDS

    return next(command for command in COMMANDS if command.name == "tune").params


def test_help_names_the_methods(capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["tune", "--help"]) == 0
    assert "annealing or optuna" in capfd.readouterr().out
