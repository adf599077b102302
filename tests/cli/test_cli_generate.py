"""`sidestep generate`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import sidestep as ss
from sidestep import io

from .conftest import Sidestep

pytestmark = pytest.mark.bounds

KINDS = ["random", "rooms", "maze", "warehouse", "cave"]


@pytest.mark.parametrize("kind", KINDS)
def test_a_map_and_its_scenario(sidestep: Sidestep, folder: Path, kind: str) -> None:
    done = sidestep("generate", kind, "--agents", 5, "--seed", 3, "-o", "made.map")
    assert done.code == 0, done.err
    assert "made.map and made.scen" in done.out
    problem = io.read_scen("made.scen", io.read_map("made.map"))
    assert problem.n_agents == 5


@pytest.mark.parametrize("kind", KINDS)
def test_the_same_seed_makes_the_same_bytes(sidestep: Sidestep, folder: Path, kind: str) -> None:
    for name in ("one.json", "two.json"):
        assert sidestep("generate", kind, "--agents", 5, "--seed", 7, "-o", name).code == 0
    assert Path("one.json").read_bytes() == Path("two.json").read_bytes()


def test_a_map_alone(sidestep: Sidestep, folder: Path) -> None:
    assert sidestep("generate", "maze", "--height", 9, "--width", 11, "-o", "made.map").code == 0
    grid = io.read_map("made.map")
    assert (grid.height, grid.width) == (9, 11)
    assert not Path("made.scen").exists()


def test_a_problem_in_one_file(sidestep: Sidestep, folder: Path) -> None:
    options = ("--height", 20, "--width", 30, "--density", 0.1, "--agents", 12)
    assert sidestep("generate", "random", *options, "-o", "made.json").code == 0
    assert io.read_problem("made.json").n_agents == 12


def test_without_a_file_the_map_is_drawn(sidestep: Sidestep, folder: Path) -> None:
    drawn = sidestep("generate", "rooms", "--height", 7, "--width", 15, "--room", 3)
    assert ss.Grid.from_text(drawn.out).width == 15
    drawn = sidestep("generate", "rooms", "--height", 15, "--width", 15, "--room", 3, "--agents", 3)
    assert ss.Problem.from_text(drawn.out).n_agents == 3
    assert drawn.err == ""


@pytest.mark.parametrize(
    ("arguments", "parts"),
    [
        (["room"], ["'room'", "'rooms'"]),
        (["random", "--height", "-3"], ["height", "-3"]),
        (["random", "--height", "0"], ["height"]),
        (["random", "--height", "1000000", "--width", "1000000"], ["at most"]),
        (["random", "--density", "1.5"], ["density"]),
        (["random", "--density", "much"], ["--density"]),
        (["random", "--room", "3"], ["--room", "--density"]),
        (["warehouse", "--height", "3"], ["--height", "--shelf-width"]),
        (["random", "--agents", "2000"], ["2000 agents"]),
        (["random", "--agents", "-1"], ["--agents"]),
        (["random", "--agents", "300"], ["26"]),
        (["random", "--seed", "-1"], ["seed"]),
        (["random", "-o", "made.png"], ["made.png", ".map"]),
        (["random", "-o", "made"], ["made", ".map"]),
        (["random", "-o", "nowhere/made.map"], ["no folder nowhere"]),
        (["random", "--agents", "300", "-o", "made.txt"], ["26"]),
    ],
)
def test_bad_input(
    sidestep: Sidestep, unchanged: Callable[[], None], arguments: list[str], parts: list[str]
) -> None:
    sidestep("generate", *arguments).refused(*parts)
    unchanged()


def test_a_scenario_that_cannot_be_written_leaves_no_map(sidestep: Sidestep, folder: Path) -> None:
    Path("made.scen").mkdir()
    sidestep("generate", "random", "--agents", 2, "-o", "made.map").refused("made.scen", "folder")
    assert not Path("made.map").exists()
