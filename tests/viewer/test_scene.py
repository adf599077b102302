"""What a scene takes from a run, and what it refuses."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import sidestep as ss
from sidestep import io
from sidestep.viewer.scene import HUES, scene_of

from .conftest import crowd, film

WALK = "a . .\n\n. a .\n\n. . a"


def test_a_result_a_plan_and_a_plan_file_are_the_same_run(tmp_path: Any) -> None:
    result = ss.solve(crowd(10), ss.WHCA())
    assert result.plan
    io.write_result(result, tmp_path / "plan.json")
    scenes = [scene_of(run) for run in (result, result.plan, io.read_plan(tmp_path / "plan.json"))]
    for scene in scenes:
        assert scene.positions.tolist() == result.plan.vertices.tolist()
        assert scene.report
        assert scene.steps == result.plan.makespan
    assert [scene.label for scene in scenes] == ["whca", "plan", "whca"]


def test_facts_are_for_people() -> None:
    result = ss.solve(crowd(10), ss.WHCA())
    facts = dict(scene_of(result).facts)
    assert facts["agents"] == "10"
    assert facts["sum of costs"] == f"{result.plan.cost:,}"  # type: ignore[union-attr]
    assert facts["status"] == "solved"
    assert facts["planned in"].endswith(" ms")


def test_a_scene_knows_how_the_cost_of_its_plan_fell(tmp_path: Any) -> None:
    result = ss.solve(crowd(40), "lns", node_limit=30_000)
    io.write_result(result, tmp_path / "plan.json")
    rows = tuple((seconds, cost) for seconds, _, cost in result.stats["cost_over_time"])
    assert len(rows) > 1
    for run in (result, io.read_plan(tmp_path / "plan.json")):
        assert scene_of(run).costs == rows
        assert scene_of(run).cost_bound == result.lower_bound
    assert scene_of(ss.solve(crowd(10), ss.WHCA())).costs == ()


@pytest.mark.parametrize(
    "rows",
    [
        7,
        "falls",
        [],
        [[1, 0, 5]],
        [[1, 0, 5], [2, 0]],
        [[1, 0, 5], [2, 0, "4"]],
        [[1, 0, 5], [2, 0, 6]],
        [[2, 0, 5], [1, 0, 4]],
        [[-1, 0, 5], [1, 0, 4]],
        [[1, 0, 5], [float("nan"), 0, 4]],
        [[1, 0, 5.5], [2, 0, 4.5]],
        [[k, 0, 5] for k in range(10_000)],
    ],
)
def test_what_a_file_says_of_costs_that_did_not_fall_over_time_is_not_drawn(rows: Any) -> None:
    result = ss.solve(crowd(10), ss.WHCA())
    assert scene_of(replace(result, stats={"cost_over_time": rows})).costs == ()


def test_a_world_and_its_trace_are_the_same_run() -> None:
    world = ss.World(crowd(10), ss.WHCA())
    for _ in range(5):
        world.step(nodes=10_000)
    one, two = scene_of(world), scene_of(world.trace, "mine")
    assert one.positions.tolist() == two.positions.tolist() == world.trace.positions.tolist()
    assert (one.label, two.label) == ("world", "mine")
    assert dict(one.facts)["turns"] == "5"
    assert one.report


def test_a_scene_knows_how_large_and_how_slow_agents_are() -> None:
    grid = ss.Grid(np.ones((3, 4), dtype=np.bool_))
    large, slow = ss.Agent((0, 0), (0, 2), size=2), ss.Agent((0, 0), (0, 1), period=2)
    scene = scene_of(ss.Plan(ss.Problem.from_agents(grid, [large]), [[0], [1], [2]]))
    assert scene.report
    assert (scene.sizes.tolist(), scene.periods.tolist()) == ([2], [1])
    scene = scene_of(ss.Plan(ss.Problem.from_agents(grid, [slow]), [[0], [1]]))
    assert not scene.report
    assert (scene.sizes.tolist(), scene.periods.tolist()) == ([1], [2])


@pytest.mark.parametrize(
    "run", [None, "plan.json", 3, [1, 2], {}, object(), ss.WHCA(), np.zeros((3, 2), dtype=int)]
)
def test_what_is_no_run_is_refused_in_a_sentence(run: Any) -> None:
    with pytest.raises(ss.InputError, match="a replay shows a Result, a Plan, a Trace or a World, not"):
        ss.replay(run)


def test_a_result_without_a_plan_is_refused_with_its_reason() -> None:
    problem = ss.Problem.from_text("a # A")
    result = ss.solve(problem, ss.WHCA())
    assert not result
    with pytest.raises(ss.InputError, match=r"there is no plan to show: .+"):
        ss.replay(result)


def test_a_problem_file_without_a_plan_is_refused(tmp_path: Any) -> None:
    io.write_problem(crowd(3), tmp_path / "problem.json")
    with pytest.raises(ss.InputError, match="there is no plan to show"):
        ss.replay(io.read_plan(tmp_path / "problem.json"))


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"labels": []}, "1 runs need as many labels, not 0"),
        ({"labels": "x"}, "labels must be text"),
        ({"labels": [3]}, "labels must be text"),
        ({"title": 3}, "title .*must be text"),
        ({"note": None}, "note must be text"),
        ({"captions": ["why"]}, "captions are a list of Caption"),
        ({"captions": ss.Caption(0, (0,), "")}, "captions are a list of Caption"),
        ({"captions": [ss.Caption(0.5, (0,), "")]}, "time of a caption"),  # type: ignore[arg-type]
        ({"captions": [ss.Caption(0, (0,), None)]}, "text"),  # type: ignore[arg-type]
        ({"captions": [ss.Caption(0, (7,), "")]}, r"a caption is about agents from 0 to 0, not \(7,\)"),
        ({"captions": [ss.Caption(0, (-1,), "")]}, "a caption is about agents from 0 to 0"),
        ({"captions": [ss.Caption(0, (), "")]}, "a caption is about agents from 0 to 0"),
        ({"captions": [ss.Caption(0, ("a",), "")]}, "agents of a caption"),  # type: ignore[arg-type]
    ],
)
def test_options_that_mean_nothing_are_refused(options: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ss.InputError, match=sentence):
        ss.replay(film(WALK), **options)


def test_there_are_from_one_to_six_runs() -> None:
    plan = film(WALK)
    assert len(ss.replay(*[plan] * 6).scenes) == 6
    for runs in ([], [plan] * 7):
        with pytest.raises(ss.InputError, match="a replay shows from 1 to 6 runs"):
            ss.replay(*runs)


def test_captions_go_with_a_single_run() -> None:
    plan = film(WALK)
    with pytest.raises(ss.InputError, match="captions are about a single run"):
        ss.replay(plan, plan, captions=[ss.Caption(0, (0,), "why")])


def test_a_title_is_made_of_the_labels() -> None:
    plan = film(WALK)
    assert ss.replay(plan, plan, labels=["one", "two"]).title == "one and two"
    assert ss.replay(plan).title == "plan"
    assert repr(ss.replay(plan, plan, labels=["one", "two"])) == "Replay(one, two)"


@pytest.mark.parametrize("name", ["replay", "replay.txt", "replay.html.gz"])
def test_a_name_says_what_a_replay_becomes(tmp_path: Any, name: str) -> None:
    with pytest.raises(ss.InputError, match=r"a replay is written as one of \.html"):
        ss.replay(film(WALK)).save(tmp_path / name)
    assert list(tmp_path.iterdir()) == []


def test_a_page_has_no_moment(tmp_path: Any) -> None:
    with pytest.raises(ss.InputError, match="a moment is a picture"):
        ss.replay(film(WALK)).save(tmp_path / "page.html", time=1)


def test_a_few_agents_have_colours_far_apart() -> None:
    for agents in (1, 2, 3, 12, 24):
        hues = scene_of(ss.Plan(crowd(agents), [crowd(agents).starts])).hues.tolist()
        apart = [abs(one - two) for i, one in enumerate(hues) for two in hues[:i]]
        assert min((min(gap, HUES - gap) for gap in apart), default=HUES) >= HUES // max(agents, 2)


def test_of_many_agents_those_with_goals_side_by_side_have_like_colours() -> None:
    problem = crowd(60)
    scene = scene_of(ss.Plan(problem, [problem.starts]))
    assert scene.hues.max() < HUES
    assert len(set(scene.hues.tolist())) > HUES // 2
    rows, cols = np.divmod(problem.goals, 12)
    above_right = scene.hues[(rows < 3) & (cols > 8)].tolist()
    below_left = scene.hues[(rows > 8) & (cols < 3)].tolist()
    assert above_right
    assert below_left
    assert not set(above_right) & set(below_left)


def test_agents_without_goals_have_colours_too() -> None:
    grid = ss.Grid(np.ones((6, 6), dtype=np.bool_))
    agents = [ss.Agent(divmod(cell, 6)) for cell in range(30)]
    problem = ss.Problem.from_agents(grid, agents)
    assert scene_of(ss.Plan(problem, [problem.starts])).hues.shape == (30,)
