"""`sidestep convert`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from sidestep import io

from .conftest import Sidestep

PATHS = "Agent 0: (0,0)->(0,1)->(0,2)->\nAgent 1: (2,0)->(2,1)->\n"


@pytest.fixture
def paths(folder: Path) -> Path:
    (folder / "a.paths").write_text(PATHS)
    return folder / "a.paths"


def test_plans_go_round_through_every_format(sidestep: Sidestep, paths: Path) -> None:
    for source, target, options in (
        ("a.paths", "b.json", ("--map", "small.map")),
        ("b.json", "c.txt", ("--to", "lacam")),
        ("c.txt", "d.json", ("--map", "small.map")),
        ("d.json", "e.paths", ()),
        ("e.paths", "f.txt", ("--map", "small.map", "--to", "lacam")),
        ("f.txt", "g.paths", ("--map", "small.map")),
    ):
        done = sidestep("convert", source, target, *options)
        assert done.code == 0, done.err
        assert target in done.out
    assert Path("e.paths").read_text() == Path("g.paths").read_text() == PATHS
    first, second = io.read_plan("b.json").plan, io.read_plan("d.json").plan
    assert first == second


def test_problems_and_maps(sidestep: Sidestep, folder: Path) -> None:
    for source, target, options in (
        ("small.map", "p.json", ("--scen", "small.scen")),
        ("p.json", "q.map", ()),
        ("p.json", "q.scen", ()),
        ("q.map", "r.json", ("--scen", "q.scen")),
        ("small.map", "s.txt", ("--to", "text")),
        ("s.txt", "t.map", ()),
        ("drawing.txt", "u.json", ("--connectivity", "8")),
    ):
        done = sidestep("convert", source, target, *options)
        assert done.code == 0, (source, target, done.err)
    assert io.read_problem("p.json") == io.read_problem("r.json")
    assert io.read_map("t.map") == io.read_map("small.map")
    assert "\tp.map\t" in Path("q.scen").read_text()


@pytest.mark.parametrize(
    ("arguments", "parts"),
    [
        (["a.paths", "b.json"], ["a.paths", "--map"]),
        (["a.paths", "b.txt", "--map", "small.map"], ["b.txt", "--to"]),
        (["a.paths", "b.json", "--map", "small.map", "--to", "yaml"], ["--to"]),
        (["drawing.txt", "b.paths"], ["no plan"]),
        (["drawing.txt", "b.txt", "--to", "lacam"], ["no plan"]),
        (["drawing.txt", "b.json", "--map", "small.map"], ["--map"]),
        (["drawing.txt", "nowhere/b.json"], ["no folder nowhere"]),
        (["drawing.txt", ".", "--to", "json"], ["folder"]),
        (["missing.txt", "b.json"], ["missing.txt"]),
        (["small.scen", "b.json"], ["small.scen", "scenario"]),
        (["drawing.txt"], ["OUT"]),
    ],
)
def test_bad_input(
    sidestep: Sidestep, paths: Path, unchanged: Callable[[], None], arguments: list[str], parts: list[str]
) -> None:
    sidestep("convert", *arguments).refused(*parts)
    unchanged()
