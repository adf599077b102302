"""Answers and dialogues as captions of a replay."""

from __future__ import annotations

import pytest

import sidestep as ss
from sidestep.explain import captions, dialogue_captions, passings
from sidestep.instances import random_grid, random_problem
from sidestep.viewer.scene import scene_of

CROSSROAD = ss.Problem.from_text("# a #\nb . B\n# A #")


def test_every_wait_has_a_caption_when_it_begins():
    plan = ss.Plan(CROSSROAD, [[1, 3], [4, 3], [7, 3], [7, 4], [7, 5]])
    (caption,) = captions(plan)
    assert (caption.time, caption.agents, caption.kind) == (0, (1, 0), "why")
    assert caption.text.startswith(
        "b waits at (1, 0) for a, which takes (1, 1) first. Had it gone on, a would"
    )
    assert "\n" not in caption.text


def test_who_went_first_is_said_of_all_that_follow_each_other():
    result = ss.solve(CROSSROAD, "dpca")
    told = passings(result)
    assert told
    assert [one.time for one in told] == sorted(one.time for one in told)
    for caption in told:
        first, second = caption.agents
        assert caption.kind == "first"
        assert caption.text == " ".join(ss.why_first(result, first, second).text.split("\n"))
        assert result.plan.vertices[caption.time, second] in result.plan.vertices[: caption.time, first]
    assert passings(result, limit=0) == []
    assert passings(result, budget=ss.Budget(seconds=0)) == []


def test_captions_are_bounded():
    result = ss.solve(random_problem(random_grid(12, 12, 0.15, 7), 20, 7), "whca")
    every = captions(result)
    assert len(every) > 3
    assert [caption.time for caption in every] == sorted(caption.time for caption in every)
    assert captions(result, limit=3) == every[:3]
    assert captions(result, budget=ss.Budget(seconds=0)) == []


def test_a_replay_tells_what_was_agreed_on():
    result = ss.solve(CROSSROAD, "dpca")
    (caption,) = scene_of(result).captions
    assert (caption.time, caption.agents, caption.kind) == (1, (0, 1), "dialogue")
    assert (
        caption.text == "a and b would have collided at (1, 1); they adopt a > b (-5.838), not b > a (-5.838)"
    )
    (silent,) = scene_of(ss.solve(CROSSROAD, "pca")).captions
    assert silent.text == "a and b would have collided at (1, 1); they adopt a > b"
    assert scene_of(result.plan).captions == ()
    assert scene_of(ss.solve(CROSSROAD, "whca")).captions == ()


@pytest.mark.parametrize("solver", ["dpca", "dpca+", "wdpca"])
def test_dialogues_are_told_at_times_of_the_plan(solver):
    grid = random_grid(10, 10, 0.2, 3, connectivity=8, corners="free")
    result = ss.solve(random_problem(grid, 16, 3), solver)
    assert result
    told = dialogue_captions(result.transcript, result.plan)
    assert len(told) == result.stats["dialogues"]
    assert all(0 <= caption.time <= result.plan.makespan for caption in told)
    assert dialogue_captions(result.transcript, result.plan, limit=2) == told[:2]
    assert ss.replay(result, captions=captions(result)).payload
