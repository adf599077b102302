"""Pages that teach: pseudocode stands beside lines that exist, pictures and replays show what they say."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

import sidestep as ss
from docs.teaching.blocks import Block, blocks_of
from docs.teaching.excerpts import MOST, excerpt
from docs.teaching.pseudocode import Step, path_of, steps_of
from docs.teaching.scenes import Shown, alone, pictures, shown, stills

ROOT = Path(__file__).parents[1]
PAGES = sorted((ROOT / "docs").rglob("*.md"))
ALGORITHMS = sorted((ROOT / "docs" / "algorithms").glob("*.md"))
TAUGHT = [path for path in PAGES if any(blocks_of(path.read_text(encoding="utf-8")))]


def name_of(path: Path) -> str:
    return str(path.relative_to(ROOT))


def parts_of(path: Path, *kinds: str) -> list[Block]:
    return [block for block in blocks_of(path.read_text(encoding="utf-8")) if block.kind in kinds]


@cache
def scenes_of(path: Path) -> list[tuple[Block, Shown]]:
    """The pictures and replays of a page, made once for all tests."""
    return [(one, shown(one.text, name_of(path), one.line)) for one in parts_of(path, "picture", "replay")]


# Pages


@pytest.mark.parametrize("path", ALGORITHMS, ids=name_of)
def test_the_page_of_an_algorithm_has_a_picture_pseudocode_a_replay_and_what_it_cannot_do(path):
    text = path.read_text(encoding="utf-8")
    before = text.partition("\n## ")[0]
    assert "```{picture}" in before, "the idea is at the top"
    assert parts_of(path, "pseudocode")
    assert parts_of(path, "replay")
    cannot = re.search(r"^## What it cannot do\n(.*?)(?=^## |\Z)", text, re.M | re.S)
    assert cannot is not None
    assert "```python" in cannot[1], "an example shows it"


@pytest.mark.parametrize("path", TAUGHT, ids=name_of)
def test_pseudocode_stands_beside_lines_that_exist(path):
    for block in parts_of(path, "pseudocode"):
        steps = list(steps_of(block.text))
        assert all(step.said for step in steps), f"{name_of(path)}:{block.line}: lines without pseudocode"
        assert sum(step.done is not None for step in steps) >= 3


@pytest.mark.parametrize("path", TAUGHT, ids=name_of)
def test_pictures_and_replays_show_something_and_have_a_caption(path):
    for block, scenes in scenes_of(path):
        assert len(block.title) > 15, f"{name_of(path)}:{block.line}"
        replay = scenes.replay()
        assert all(scene.steps > 0 for scene in replay.scenes)
        if block.kind == "replay":
            assert len(replay.payload) < 40_000
            assert all(scene.report for scene in replay.scenes), "what is played does not collide"
            assert all(still.startswith("<svg") and "<animate" not in still for still in stills(scenes))


NUMBERS = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]


@pytest.mark.parametrize("path", TAUGHT, ids=name_of)
def test_captions_count_their_agents(path):
    for block, scenes in scenes_of(path):
        for word in re.findall(rf"\b({'|'.join(NUMBERS)}) (?:round )?agents\b", block.title, re.IGNORECASE):
            count = NUMBERS.index(word.lower()) + 1
            assert {len(scene.names) for scene in scenes.replay().scenes} == {count}, block.title


def test_a_picture_is_an_svg_per_run():
    _, scenes = scenes_of(ALGORITHMS[0])[0]
    drawn = pictures(scenes)
    assert len(drawn) == len(scenes.runs)
    assert all(one.startswith("<?xml") for one in drawn)


def test_every_block_is_closed():
    """What no fence closes would be shown as text."""
    for path in TAUGHT:
        text = path.read_text(encoding="utf-8")
        opened = re.findall(r"^```\{(pseudocode|picture|replay)\}", text, re.M)
        assert opened == [block.kind for block in parts_of(path, *opened)]


# What makes them


def test_lines_are_found_by_name_and_by_what_is_in_them():
    whole = excerpt("src/sidestep/solvers/whca.py", "WHCASession.due")
    assert whole.text.startswith("def due(self, time: int)")
    assert whole.text.endswith("return self.groups[time % self.interval]")
    some = excerpt("src/sidestep/solvers/whca.py", "WHCASession.due", "self.order = ", "self.groups = ")
    assert some.text.count("\n") == 1
    assert whole.first < some.first < some.last < whole.last
    assert not some.text.startswith(" ")


def test_lines_of_the_core_are_definitions_and_not_calls():
    keep = excerpt("cpp/src/solvers/cooperation.cpp", "Cooperation::keep")
    assert keep.text.startswith("void Cooperation::keep(AgentId agent, const SearchTask& task) {")
    assert keep.text.endswith("}")
    inline = excerpt("cpp/include/sidestep/spacetime/search_loop.hpp", "wait_cost")
    assert inline.text.startswith("Cost wait_cost(Vertex v) const {")
    assert inline.language == "cpp"


@pytest.mark.parametrize(
    ("what", "said"),
    [
        (("src/sidestep/solvers/gone.py", "f"), "no file"),
        (("src/sidestep/solvers/whca.py", "WHCASession.gone"), "no WHCASession.gone"),
        (("src/sidestep/solvers/whca.py", "WHCASession.due", "gone"), "no line with 'gone'"),
        (("cpp/src/solvers/cooperation.cpp", "Cooperation::gone"), "no Cooperation::gone"),
        (("src/sidestep/solvers/whca.py", "WHCASession"), f"at most {MOST}"),
    ],
)
def test_lines_that_are_gone_are_said(what, said):
    with pytest.raises(LookupError, match=said):
        excerpt(*what)


def test_steps_are_pseudocode_and_the_lines_that_are_named():
    text = "first\n@ solvers/whca.py WHCASession.due\nsecond\n  third\n@ group_size: def\nlast"
    steps = list(steps_of(text))
    assert [step.said for step in steps] == ["first", "second\n  third", "last"]
    assert [step.done and step.done.path for step in steps] == [path_of("solvers/whca.py")] * 2 + [None]
    assert steps[2] == Step("last", None)
    with pytest.raises(LookupError, match="does not name lines"):
        list(steps_of("a\n@"))
    with pytest.raises(LookupError, match="name of 0 files"):
        list(steps_of("a\n@ gone.py f"))
    with pytest.raises(LookupError, match=r"name of \d+ files"):
        path_of("__init__.py")


def test_blocks_have_their_options_and_lines():
    page = "# A\n\n```{replay} Some words\n:alt: other words\n:code:\n\nshow(1)\n```\n"
    (block,) = blocks_of(page)
    assert (block.kind, block.title, block.text) == ("replay", "Some words", "show(1)")
    assert block.options == {"alt": "other words", "code": ""}
    assert page.splitlines()[block.line - 1] in ("", "show(1)")


def test_an_error_in_a_scene_points_to_the_page():
    with pytest.raises(ValueError, match="nothing is shown"):
        shown("x = 1", "page.md", 7)
    with pytest.raises(ZeroDivisionError) as raised:
        shown("1 / 0", "page.md", 7)
    place = raised.traceback[-1]
    assert (Path(str(place.path)).name, place.lineno + 1) == ("page.md", 7)


def test_alone_is_the_shortest_way_of_everybody():
    problem = ss.Problem.from_text("""
        # a #
        b . B
        # A #
    """)
    plan = alone(problem)
    assert plan.costs.tolist() == [2, 2]
    assert [violation.time for violation in ss.validate(problem, plan).violations] == [1]
