"""`sidestep view`."""

from __future__ import annotations

import gzip
import json
import re
from base64 import b64decode
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

import sidestep as ss
from sidestep import io
from sidestep.io import jsonfile

from .conftest import Sidestep

RESULT = """\
agents=2
map_file=small.map
solver=planner
solved=1
soc=4
starts=(0,0),(2,0),
goals=(2,0),(0,0),
solution=
0:(0,0),(2,0),
1:(1,0),(1,0),
2:(2,0),(0,0),
"""


@pytest.fixture
def plan(sidestep: Sidestep, folder: Path) -> Path:
    assert sidestep("solve", "drawing.txt", "-o", "plan.json").code == 0
    return folder / "plan.json"


def shown(page: Path) -> dict[str, Any]:
    """What a page holds for the player."""
    match = re.search(r'<script type="application/gzip"[^>]*>([^<]*)<', page.read_text())
    assert match
    data = gzip.decompress(b64decode(match[1]))
    length = int.from_bytes(data[:4], "little")
    header: dict[str, Any] = json.loads(data[4 : 4 + length])
    return header


def test_a_plan_becomes_a_page_beside_it(sidestep: Sidestep, plan: Path) -> None:
    done = sidestep("view", "plan.json")
    assert done.code == 0, done.err
    assert "2 agents" in done.out
    assert "valid" in done.out
    assert "plan.html" in done.out
    header = shown(Path("plan.html"))
    assert header["title"] == "plan.json"
    assert [scene["label"] for scene in header["scenes"]] == ["auto"]
    assert header["scenes"][0]["verdict"]["valid"] is True


def test_a_file_is_parsed_once(sidestep: Sidestep, plan: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    parse, parsed = jsonfile.parse, []

    def count(text: str, source: str) -> Any:
        parsed.append(source)
        return parse(text, source)

    monkeypatch.setattr(jsonfile, "parse", count)
    assert sidestep("view", "plan.json").code == 0
    assert parsed == ["plan.json"]


def test_several_plans_are_shown_side_by_side(sidestep: Sidestep, plan: Path) -> None:
    assert sidestep("solve", "drawing.txt", "--solver", "hca", "-o", "other.json").code == 0
    done = sidestep("view", "plan.json", "other.json", "plan.json", "-o", "both.html", "--title", "Three")
    assert done.code == 0, done.err
    header = shown(Path("both.html"))
    assert header["title"] == "Three"
    assert [scene["label"] for scene in header["scenes"]] == ["auto, plan.json", "hca", "auto, plan.json"]


def test_a_trace(sidestep: Sidestep, folder: Path) -> None:
    world = ss.World(io.read_text("drawing.txt"), ss.WHCA())
    world.step()
    world.block((0, 2))
    world.step()
    io.write_trace(world.trace, "trace.json")
    assert sidestep("view", "trace.json").code == 0
    assert shown(Path("trace.html"))["scenes"][0]["steps"] == 2


def test_another_programs_plan_with_its_map_shows_what_is_wrong(sidestep: Sidestep, folder: Path) -> None:
    Path("result.txt").write_text(RESULT)
    done = sidestep("view", "result.txt", "--map", "small.map", "-o", "x.html")
    assert done.code == 0, done.err
    assert "agents a0 and a1 are both on (0, 1) at time 1" in done.out
    verdict = shown(Path("x.html"))["scenes"][0]["verdict"]
    assert [violation[0] for violation in verdict["violations"]] == ["vertex"]


def test_our_plan_beside_another_programs(sidestep: Sidestep, plan: Path) -> None:
    Path("result.txt").write_text(RESULT)
    done = sidestep("view", "plan.json", "result.txt", "--map", "small.map", "-o", "x.html")
    assert done.code == 0, done.err
    assert len(shown(Path("x.html"))["scenes"]) == 2


@pytest.mark.parametrize(("name", "begins"), [("x.png", b"\x89PNG"), ("x.pdf", b"%PDF"), ("x.svg", b"<?xml")])
def test_a_picture(sidestep: Sidestep, plan: Path, name: str, begins: bytes) -> None:
    for options in ((), ("--moment", 2)):
        done = sidestep("view", "plan.json", "-o", name, *options)
        assert done.code == 0, done.err
        assert Path(name).read_bytes().startswith(begins)


def test_another_moment_is_another_picture(sidestep: Sidestep, plan: Path) -> None:
    for moment in (0, 2):
        assert sidestep("view", "plan.json", "--moment", moment, "-o", f"{moment}.png").code == 0
    assert Image.open("0.png").tobytes() != Image.open("2.png").tobytes()


def test_a_film(sidestep: Sidestep, plan: Path) -> None:
    done = sidestep("view", "plan.json", "-o", "x.gif", "--speed", 8)
    assert done.code == 0, done.err
    with Image.open("x.gif") as film:
        assert getattr(film, "n_frames") > 5  # noqa: B009  # only of animated pictures


def test_bad_input(sidestep: Sidestep, plan: Path, unchanged: Callable[[], None]) -> None:
    sidestep("view").refused("PLAN")
    sidestep("view", "none.json").refused("none.json")
    sidestep("view", "drawing.txt").refused("drawing.txt", "no plan")
    sidestep("view", "small.map").refused("small.map", "no plan")
    sidestep("view", ".").refused("folder")
    sidestep("view", "").refused("file")
    sidestep("view", "plan.json", "--speed", 0).refused("--speed")
    sidestep("view", "plan.json", "-o", "x.bmp").refused("x.bmp", ".png")
    sidestep("view", "plan.json", "-o", "x").refused(".html")
    sidestep("view", "plan.json", "-o", "none/x.html").refused("none")
    sidestep("view", "plan.json", "-o", "plan.json").refused("plan.json")
    sidestep("view", "plan.json", "--moment", 3).refused("picture")
    sidestep("view", "plan.json", "--moment", 999, "-o", "x.png").refused("999")
    sidestep("view", "plan.json", "--moment", "soon", "-o", "x.png").refused("soon")
    sidestep("view", "plan.json", "--speed", "nan", "-o", "x.gif").refused("nan")
    sidestep("view", "plan.json", "--map", "small.map").refused("--map")
    sidestep("view", *["plan.json"] * 7, "-o", "x.html").refused("6")
    unchanged()


def test_a_plan_without_its_map(sidestep: Sidestep, folder: Path, unchanged: Callable[[], None]) -> None:
    Path("result.txt").write_text(RESULT)
    sidestep("view", "result.txt").refused("--map")
    Path("result.txt").unlink()
    unchanged()


def test_open_says_so_where_there_is_no_browser(
    sidestep: Sidestep, plan: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[str] = []
    monkeypatch.setattr("webbrowser.open", lambda page: opened.append(page) or True)
    monkeypatch.setattr("sys.platform", "linux")
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "CI"):
        monkeypatch.delenv(name, raising=False)
    done = sidestep("view", "plan.json", "--open")
    assert (done.code, opened) == (0, [])
    assert "open" in done.out
    assert str(plan.with_suffix(".html")) in done.out
    monkeypatch.setenv("DISPLAY", ":0")
    assert sidestep("view", "plan.json", "--open").code == 0
    assert opened == [plan.with_suffix(".html").as_uri()]
