"""Agents that have to turn are drawn with a nose: in the player, in pictures, in sketches."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from PIL import Image

import sidestep as ss

from .conftest import Show


def turning() -> ss.Plan:
    """One agent that looks up, turns to the right, and goes a step."""
    grid = ss.Grid.from_text(". . .\n. . .\n. . .")
    problem = ss.Problem.from_agents(grid, [ss.Agent((1, 1), (1, 2), facing="N")])
    return ss.Plan(problem, [[4], [4], [5]], facings=[[0], [1], [1]])


def test_the_player_draws_noses_that_turn(show: Show) -> None:
    shown = show(ss.replay(turning()))
    floor, agent = shown.colour("floor"), shown.colour(0)
    above, right = (1.5, 1.06), (1.94, 1.5)
    assert shown.pixels([above, right]) == [agent, floor]
    shown.seek(1)
    assert shown.pixels([above, right]) == [floor, agent]
    shown.seek(0.5)  # in the middle of its turn
    assert shown.pixels([above, right, (1.5 + 0.31, 1.5 - 0.31)]) == [floor, floor, agent]
    assert shown.problems == []


def test_pictures_show_noses(tmp_path: Path) -> None:
    images = []
    for time in (0, 1):
        ss.replay(turning()).save(tmp_path / "still.png", time=time)
        images.append(np.asarray(Image.open(tmp_path / "still.png").convert("L")).astype(int))
    height, width = images[0].shape
    middle, reach = (height // 2, width // 2), int(0.46 * min(height, width) / 3)
    for image, (down, across) in zip(images, ((-reach, 0), (0, reach)), strict=True):
        other = next(one for one in images if one is not image)
        nose = (middle[0] + down, middle[1] + across)
        assert image[nose] < other[nose] - 50  # dark where it looks, floor where it does not


def test_sketches_have_a_tip_that_turns() -> None:
    sketch = turning()._repr_svg_()
    assert sketch is not None
    assert 'type="rotate" values="0;90;90;90"' in sketch
    before = turning().problem._repr_svg_()
    assert before is not None
    assert 'transform="rotate(0)"' in before


def test_agents_that_need_not_turn_have_none() -> None:
    problem = ss.Problem.from_text("a . A")
    sketch = problem._repr_svg_()
    assert sketch is not None
    assert "rotate" not in sketch
