"""What an agent did against its liking, added up."""

from __future__ import annotations

import json

import pytest

import sidestep as ss
from sidestep.explain import Inquiry, Share
from sidestep.instances import random_grid, random_problem

CROSSROAD = ss.Problem.from_text("# a #\nb . B\n# A #")


def test_waits_are_told_by_whom_and_where():
    plan = ss.Plan(CROSSROAD, [[1, 3], [4, 3], [7, 3], [7, 4], [7, 5]])
    summary = ss.summarise(plan, "b")
    assert summary.waits == (Share(1, 0, (1, 1)), Share(1, None, None))
    assert str(summary) == "b waited 2 steps in all: 1 for a at (1, 1) and 1 for nobody."
    assert json.loads(json.dumps(summary.data()))["waits"] == [
        {"steps": 1, "agent": "a", "place": [1, 1]},
        {"steps": 1, "agent": None, "place": None},
    ]
    assert str(ss.summarise(plan, "a")) == "a always went on."


def test_detours_and_steps_off_the_goal_are_told():
    problem = ss.Problem(ss.Grid.from_text(". . . . .\n# # . # #"), [(0, 0), (0, 2)], [(0, 4), (0, 2)])
    plan = ss.Plan(problem, [[0, 2], [1, 7], [2, 7], [3, 2], [4, 2]])
    assert ss.validate(problem, plan)
    assert str(ss.summarise(plan, 1)) == (
        "a1 waited 1 step in all: 1 for a0 at (0, 2); "
        "stepped off its goal for 1 step in all: 1 for a0 at (0, 2)."
    )


@pytest.mark.parametrize("solver", ["whca", "dpca"])
def test_the_shares_add_up(solver):
    result = ss.solve(random_problem(random_grid(12, 12, 0.15, 2), 18, 2), solver)
    assert result
    inquiry = Inquiry(result)
    summaries = ss.summarise(result)
    assert [summary.agent for summary in summaries] == list(range(18))
    for summary in summaries:
        doings = [inquiry.doing(summary.agent, time) for time in range(result.plan.makespan)]
        for kind in ("waits", "detours", "steps_off", "makes_room"):
            shares = getattr(summary, kind)
            assert sum(share.steps for share in shares) == sum(doing == kind for doing in doings)
            assert all(share.agent != summary.agent for share in shares)
        assert summary.unknown == 0
        assert summary.text.startswith(f"a{summary.agent} ")
    assert ss.summarise(result, "a3").data() == summaries[3].data()


def test_the_first_cause_of_an_answer_is_the_one_that_counts():
    result = ss.solve(random_problem(random_grid(12, 12, 0.15, 2), 18, 2), "whca")
    inquiry = Inquiry(result)
    for summary in ss.summarise(result):
        for time in range(result.plan.makespan):
            if inquiry.doing(summary.agent, time).needs_a_reason:
                causes = inquiry.because(summary.agent, time)
                reason = (causes[0].agent, causes[0].place) if causes else (None, None)
                shares = (*summary.waits, *summary.detours, *summary.steps_off)
                assert reason in [(share.agent, share.place) for share in shares]
