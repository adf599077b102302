"""The examples run, as somebody would run them who has just found them."""

from __future__ import annotations

import struct
import subprocess
import sys
from pathlib import Path

import pytest

from sidestep import io, validate
from sidestep.instances import random_grid, random_problem
from tests.vda5050.broker import Mosquitto

ROOT = Path(__file__).parents[1]
EXAMPLES, IMAGES = ROOT / "examples", ROOT / "docs" / "images"
PNG_HEADER = ">8s4x4sII"


@pytest.fixture
def run(tmp_path):
    """`run("quickstart.py")` runs an example in an empty folder and returns what it printed."""

    def run(name: str, *arguments: object, code: int = 0) -> str:
        done = subprocess.run(
            [sys.executable, "-W", "error", EXAMPLES / name, *map(str, arguments)],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        assert done.returncode == code, done.stderr
        return done.stdout + done.stderr

    return run


def test_all_examples_are_tested():
    """Whoever adds an example adds a test here."""
    names = {path.name for path in EXAMPLES.glob("*.py")}
    assert names == {
        *("quickstart.py", "online_world.py", "own_planner.py", "movingai.py", "replay.py", "why.py"),
        *("rts.py", "warehouse.py"),
    }


def test_why(run, tmp_path):
    """Who waits is named with whom it waits for, and the page carries the answers."""
    out = run("why.py")
    assert "a waited 1 step in all: 1 for c at (1, 1)." in out
    assert "a at time 1: a waits at (0, 1) to let c pass: both would have come to (1, 1) at time 2." in out
    assert "Had it gone on, c would have arrived 1 step later and a 1 step earlier" in out
    assert (tmp_path / "why.html").stat().st_size > 10_000


def test_rts(run, tmp_path):
    """Everything happens that should, and nobody collides. The same seed is the same battle, also one that is
    saved and loaded in the middle, with units under way in groups and some fallen."""
    out = run("rts.py", "--turns", 240)
    for what in ("orders", "gates closed", "units fallen", "reinforcements", "retreats of the hero"):
        assert what in out
    assert "the judge: valid" in out
    page = (tmp_path / "rts.html").read_bytes()
    halves = run("rts.py", "--turns", 240, "--save", tmp_path / "battle.save")
    assert "saved and loaded at time 120" in halves
    assert "the battle of this seed" in out.splitlines()[-2]
    assert halves.splitlines()[-2:] == out.splitlines()[-2:]
    assert (tmp_path / "rts.html").read_bytes() == page
    assert "from 3 to 600 units" in run("rts.py", "--units", 2, code=2)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(5))
def test_no_turn_of_the_battle_takes_longer_than_a_frame(run, tmp_path, seed):
    """Nor does one after the battle was saved and loaded."""
    options = ("--save", tmp_path / "battle.save") if seed % 2 else ()
    assert "turns over 16.7 ms after the first: 0 of 599" in run("rts.py", "--seed", seed, *options)


SMALL = ("--vehicles", 14, "--columns", 12, "--rows", 12, "--rate", 0.06)


def test_warehouse(run, tmp_path):
    """No order is lost and nobody collides, though a lane is closed and vehicles stop for good."""
    out = run("warehouse.py", *SMALL, "--ticks", 600)
    assert "14 vehicles on 112 places" in out
    assert "0 lost" in out
    assert "what was executed: valid" in out
    assert "stopped for good: nobody" not in out
    page = (tmp_path / "warehouse.html").read_text(encoding="utf-8")
    for what in ("stops for good", "is closed", "is open again", "jam: ", "Late orders", "<polyline"):
        assert what in page
    assert "http" not in page
    assert io.read_lif(tmp_path / "warehouse.lif").graph.n == 112


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--vehicles", 0), "room for 1 to 384"),
        (("--vehicles", 5000), "room for"),
        (("--ticks", 0), "a tick"),
    ],
)
def test_warehouse_says_what_it_cannot_do(run, arguments, said):
    out = run("warehouse.py", *arguments, code=2)
    assert said in out
    assert "Traceback" not in out


def test_warehouse_over_a_real_broker(run, tmp_path):
    broker = Mosquitto(tmp_path)
    try:
        out = run(
            *("warehouse.py", *SMALL, "--ticks", 100, "--no-stops", "--version", "3.0.0"),
            *("--broker", f"127.0.0.1:{broker.port}"),
        )
    finally:
        broker.stop()
    assert "0 lost" in out
    assert "what was executed: valid" in out
    assert " 0 finished" not in out


def test_quickstart(run):
    out = run("quickstart.py")
    for name in ("lra", "ca", "hca", "whca"):
        assert f"\n{name}" in "\n" + out
    assert "the plan of whca" in out


def test_online_world(run):
    """Everybody arrives, the judge agrees and the trace replays."""
    out = run("online_world.py")
    assert "guard is at (1, 5)" in out
    assert "hero is at (2, 0)" in out
    assert "0 faults of the planner; the judge says: valid" in out
    assert "it is the same: True" in out


def test_own_planner(run):
    """A good planner, a careless one and a broken one; the trace tells them apart."""
    whca, greedy, troublesome, error = run("own_planner.py").splitlines()
    assert "all arrived: True" in whca
    assert "faults: none" in whca
    assert "REFUSED" in greedy
    assert "'LATE': 1, 'RAISED': 2, 'REFUSED': 2" in troublesome
    assert "moves must be whole numbers" in error


def test_movingai_makes_its_own_instance(run, tmp_path):
    assert "60 agents on random.map: valid" in run("movingai.py")
    found = io.read_plan(tmp_path / "plan.json")
    assert validate(found.problem, found.plan)


def test_movingai_reads_files(run, tmp_path):
    problem = random_problem(random_grid(12, 12, 0.1, 1), 6, 1)
    io.write_map(problem.space, tmp_path / "a.map")
    io.write_scen(problem, tmp_path / "a.scen", "a.map")
    assert "4 agents on a.map: valid" in run("movingai.py", "a.map", "a.scen", 4, "out.json")
    assert io.read_plan(tmp_path / "out.json").problem.n_agents == 4


def test_movingai_says_what_is_wrong_with_a_file(run, tmp_path):
    (tmp_path / "bad.map").write_text("type octile\nheight two\n")
    out = run("movingai.py", "bad.map", "bad.scen", code=1)
    assert "bad.map:2" in out
    assert "Traceback" not in out


def test_replay(run, tmp_path):
    """The page is written; that it shows the gate is tested with the player."""
    assert "10 agents went through" in run("replay.py")
    assert (tmp_path / "replay.html").read_text().startswith("<!DOCTYPE html>")


def png_size(path: Path) -> tuple[int, int]:
    magic, kind, width, height = struct.unpack_from(PNG_HEADER, path.read_bytes())
    assert (magic, kind) == (b"\x89PNG\r\n\x1a\n", b"IHDR")
    return width, height


def test_the_picture_of_the_demo_is_light_enough_for_a_readme():
    picture = IMAGES / "demo.png"
    assert png_size(picture) == (1280, 800)
    assert picture.stat().st_size < 300_000
