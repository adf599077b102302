"""A command line to call, and files to call it with."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from sidestep.cli import main

DRAWING = """
a . . . .
# # . # #
B . b . A
"""
MAP = "type octile\nheight 3\nwidth 4\nmap\n....\n.@..\n....\n"
SCEN_LINES = [(0, 0, 3, 2), (3, 0, 0, 2), (1, 0, 2, 2)]  # start x, start y, goal x, goal y


@dataclass
class Run:
    """What a command answered."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)

    def refused(self, *parts: str) -> None:
        """It ended with exit code 2 and one sentence on stderr that contains the parts."""
        assert self.code == 2, (self.code, self.out, self.err)
        assert self.out == ""
        (line,) = self.err.splitlines()
        assert line.startswith("sidestep: ")
        for part in parts:
            assert part in line, line


Sidestep = Callable[..., Run]


@pytest.fixture
def sidestep(capfd: pytest.CaptureFixture[str]) -> Sidestep:
    """`sidestep("solve", path, "--json")` runs the command in this process."""

    def run(*arguments: object) -> Run:
        capfd.readouterr()
        code = main([str(argument) for argument in arguments])
        return Run(code, *capfd.readouterr())

    return run


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working directory of the test, with a drawing, a map and its scenario."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "drawing.txt").write_text(DRAWING)
    (tmp_path / "small.map").write_text(MAP)
    (tmp_path / "small.scen").write_text(scenario(SCEN_LINES))
    return tmp_path


def scenario(agents: list[tuple[int, int, int, int]], width: int = 4, height: int = 3) -> str:
    """A .scen file for small.map."""
    rows = [(0, "small.map", width, height, *agent, 1.0) for agent in agents]
    return "version 1\n" + "".join("\t".join(map(str, row)) + "\n" for row in rows)


@pytest.fixture
def unchanged(folder: Path) -> Callable[[], None]:
    """Call it to show that no file has appeared, disappeared or changed."""
    before = _contents(folder)
    return lambda: _compare(before, _contents(folder))


def _contents(folder: Path) -> dict[str, bytes | None]:
    return {str(path): path.read_bytes() if path.is_file() else None for path in folder.rglob("*")}


def _compare(before: dict[str, bytes | None], after: dict[str, bytes | None]) -> None:
    assert after == before
