"""Answers and dialogues as remarks of a replay."""

from __future__ import annotations

import pytest

import sidestep as ss
from sidestep.explain import dialogue_remarks, remarks
from sidestep.instances import random_grid, random_problem
from sidestep.viewer.scene import scene_of

CROSSROAD = ss.Problem.from_text("# a #\nb . B\n# A #")


def test_every_wait_has_a_remark_when_it_begins():
    plan = ss.Plan(CROSSROAD, [[1, 3], [4, 3], [7, 3], [7, 4], [7, 5]])
    (remark,) = remarks(plan)
    assert (remark.time, remark.agents, remark.kind) == (0, (1, 0), "why")
    assert remark.text.startswith(
        "b waits at (1, 0) for a, which takes (1, 1) first. Had it gone on, a would"
    )
    assert "\n" not in remark.text


def test_remarks_are_bounded():
    result = ss.solve(random_problem(random_grid(12, 12, 0.15, 2), 20, 2), "whca")
    every = remarks(result)
    assert len(every) > 3
    assert [remark.time for remark in every] == sorted(remark.time for remark in every)
    assert remarks(result, limit=3) == every[:3]
    assert remarks(result, budget=ss.Budget(seconds=0)) == []


def test_a_replay_tells_what_was_agreed_on():
    result = ss.solve(CROSSROAD, "dpca")
    (remark,) = scene_of(result).remarks
    assert (remark.time, remark.agents, remark.kind) == (1, (0, 1), "dialogue")
    assert (
        remark.text == "a and b would have collided at (1, 1); they adopt a > b (-5.838), not b > a (-5.838)"
    )
    (silent,) = scene_of(ss.solve(CROSSROAD, "pca")).remarks
    assert silent.text == "a and b would have collided at (1, 1); they adopt a > b"
    assert scene_of(result.plan).remarks == ()
    assert scene_of(ss.solve(CROSSROAD, "whca")).remarks == ()


@pytest.mark.parametrize("solver", ["dpca", "dpca+", "wdpca"])
def test_dialogues_are_told_at_times_of_the_plan(solver):
    grid = random_grid(10, 10, 0.2, 3, connectivity=8, corners="free")
    result = ss.solve(random_problem(grid, 16, 3), solver)
    assert result
    told = dialogue_remarks(result.transcript, result.plan)
    assert len(told) == result.stats["dialogues"]
    assert all(0 <= remark.time <= result.plan.makespan for remark in told)
    assert dialogue_remarks(result.transcript, result.plan, limit=2) == told[:2]
    assert ss.replay(result, remarks=remarks(result)).payload
