"""The pictures of notebooks: well-formed, complete, harmless, and none where they would be too large."""

from __future__ import annotations

from xml.etree import ElementTree

import numpy as np
import pytest

import sidestep as ss
from sidestep.viewer.colours import nearest_hue
from sidestep.viewer.drawing import colours_of
from sidestep.viewer.scene import HUES, scene_of
from sidestep.viewer.sketch import still_of_scene

SVG = "{http://www.w3.org/2000/svg}"
PROBLEM = ss.Problem.from_text("a . A\n# . #\nb . B")


def parts(thing, kind: str) -> list[ElementTree.Element]:
    text = thing._repr_svg_()
    assert "<script" not in text
    return list(ElementTree.fromstring(text).iter(f"{SVG}{kind}"))


def test_a_problem_has_a_disc_and_a_ring_for_each_agent():
    rings = [one for one in parts(PROBLEM, "circle") if one.get("fill") == "none"]
    discs = [one for one in parts(PROBLEM, "circle") if one.get("fill") != "none"]
    assert len(rings) == len(discs) == 2
    assert {one.get("stroke") for one in rings} == {one.get("fill") for one in discs}
    assert [one.text for one in parts(PROBLEM, "text")][:2] == ["a", "b"]
    assert parts(PROBLEM, "animateTransform") == []


def test_in_a_plan_agents_move_along_their_paths():
    result = ss.solve(PROBLEM, "cbs")
    moves = parts(result.plan, "animateTransform")
    places = [[tuple(map(float, one.split())) for one in move.get("values").split(";")] for move in moves]
    for name, there in zip("ab", places, strict=True):
        assert there[:-1] == [(col + 0.5, row + 0.5) for row, col in result.plan[name]]
    assert "optimal: cost 4" in parts(result, "text")[-1].text


def test_in_a_still_nothing_moves_and_the_paths_are_there():
    plan = ss.solve(ss.Problem.from_text("a . A"), "cbs").plan
    still = still_of_scene(scene_of(plan))
    assert "<animate" not in still
    assert still.count("<path") == plan._repr_svg_().count("<path")


def test_an_agent_that_disappears_is_seen_until_then():
    problem = ss.Problem.from_text("a . A\n# . #\nb . B", rules=ss.Rules(at_goal="disappear"))
    plan = ss.Plan(problem, [[0, 6], [1, 7], [2, 8], [-1, 8]])
    (fading,) = parts(plan, "animate")
    assert fading.get("values") == "1;1;1;0;0"


def test_a_result_without_a_plan_shows_the_problem_and_says_why():
    result = ss.solve(ss.Problem.from_text("a # A"))
    assert "infeasible" in parts(result, "text")[-1].text
    assert parts(result, "animateTransform") == []


@pytest.mark.parametrize("space", [PROBLEM.space, ss.Graph(3, [(0, 1), (1, 2)])])
def test_spaces_have_pictures(space):
    assert parts(space, "svg")
    assert len(parts(space, "circle")) == (3 if isinstance(space, ss.Graph) else 0)


def test_names_are_text_and_never_code():
    problem = ss.Problem(PROBLEM.space, [(0, 0)], [(0, 2)], names=["<b>&"])
    assert parts(problem, "text")[0].text == "<b>"


def test_large_agents_are_drawn_over_what_they_cover():
    grid = ss.Grid.from_text(". . .\n. . .")
    problem = ss.Problem.from_agents(grid, [ss.Agent((0, 0), (0, 1), size=2)])
    (body,) = parts(problem, "g")
    assert body.get("transform") == "translate(1 1)"


def test_what_is_too_large_has_no_picture():
    chess = np.indices((200, 200)).sum(axis=0) % 2 == 0
    assert ss.Grid(chess)._repr_svg_() is None
    assert ss.Graph(5000, [(0, 1)])._repr_svg_() is None
    assert len(ss.Grid(np.ones((1000, 1000), dtype=bool))._repr_svg_()) < 1000


# Colours of teams in replays


def hues(**options) -> list[int]:
    return ss.replay(ss.solve(PROBLEM, "cbs"), **options).scenes[0].hues.tolist()


def test_every_hue_of_the_wheel_is_its_own_nearest():
    written = [
        "#{:02X}{:02X}{:02X}".format(*np.round(255 * one).astype(int)) for one in colours_of(np.arange(HUES))
    ]
    assert [nearest_hue(colour) for colour in written] == list(range(HUES))


def test_agents_of_a_team_have_one_colour():
    assert hues(teams=["x", "x"]) == [0, 0]
    assert hues(teams={"a": 1, "b": 2}) == [0, HUES // 2]
    assert hues(teams={"b": 2}) == [0, HUES // 2]
    red = nearest_hue("#E3001B")
    assert hues(teams=["x", "y"], colours={"y": "#E3001B"}) == [0, red]
    assert hues(colours=["#E3001B", "#e3001b"]) == [red, red]


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"teams": ["x"]}, "one for each of the 2 agents"),
        ({"teams": "xy"}, "teams are a dict"),
        ({"teams": {"c": 1}}, "there is none of that name"),
        ({"teams": [[], []]}, "a name or a number"),
        ({"teams": ["x", "y"], "colours": ["#E3001B", "#E3001B"]}, "a dict by team"),
        ({"teams": ["x", "y"], "colours": {"z": "#E3001B"}}, "no agent is in it"),
        ({"colours": ["red", "blue"]}, "written as '#E3001B'"),
        ({"colours": ["#808080", "#E3001B"]}, "is a grey"),
        ({"colours": {"x": "#E3001B"}}, "colours without teams"),
    ],
)
def test_wrong_teams_and_colours_are_named(options, sentence):
    with pytest.raises(ss.InputError, match=sentence):
        hues(**options)
