"""Questions whose right answers are known, asked about plans that are written out by hand."""

from __future__ import annotations

import json
import pickle
from dataclasses import replace

import numpy as np
import pytest

import sidestep as ss
from sidestep.explain import Cause, Doing, Inquiry
from sidestep.explain.claims import NoWayAround
from sidestep.io import PlanFile
from sidestep.judge import ViolationKind

V = ViolationKind


def planned(problem: ss.Problem, *paths: list) -> ss.Plan:
    """The plan in which agents go over these places; they stay at the ends of their paths."""
    steps = max(len(path) for path in paths)
    ways = [[problem.space.vertex(place) for place in path] for path in paths]
    plan = ss.Plan(problem, np.array([way + [way[-1]] * (steps - len(way)) for way in ways]).T)
    assert ss.validate(problem, plan)
    return plan


def asked(plan: ss.Plan, agent: int | str, time: int, **options) -> ss.Answer:
    """The answer, after everything about it that can be run has been run once more."""
    answer = ss.why(plan, agent, time, **options)
    assert answer.verified
    assert answer.check()
    assert answer.faults() == []
    assert str(answer) == answer.text
    assert json.loads(json.dumps(answer.data()))["text"] == answer.text
    if answer.alternative is not None:
        assert ss.validate(plan.problem, answer.alternative)
        assert answer.total == answer.alternative.cost - plan.cost == sum(answer.cost_change.values())
    return answer


@pytest.fixture
def crossroad() -> ss.Plan:
    problem = ss.Problem.from_text("""
        # a #
        b . B
        # A #
    """)
    return planned(problem, [(0, 1), (1, 1), (2, 1)], [(1, 0), (1, 0), (1, 1), (1, 2)])


def test_one_waits_for_another_that_takes_the_cell_first(crossroad):
    answer = asked(crossroad, "b", 0)
    assert answer.doing is Doing.WAITS
    assert answer.because == (Cause(0, (1, 1), 1, V.VERTEX),)
    assert answer.cost_change == {"a": 1, "b": -1}
    assert (answer.total, answer.needless, answer.blocked, answer.dialogue) == (0, False, (), None)
    assert answer.wish == (3, 4, 5)
    assert answer.text == (
        "b waits at (1, 0) for a, which takes (1, 1) first.\n"
        "Had it gone on, a would have arrived 1 step later and b 1 step earlier: "
        "the plan would cost the same."
    )
    assert answer.sentence == "b waits at (1, 0) for a, which takes (1, 1) first."


def test_who_does_what_it_likes_is_told_so(crossroad):
    assert asked(crossroad, "a", 0).doing is Doing.GOES_ON
    assert asked(crossroad, 0, 0).text == "a goes to (1, 1), 1 step from its goal, as it likes best."
    assert asked(crossroad, 0, 1).text == "a arrives at its goal (2, 1), as it likes best."
    assert asked(crossroad, 0, 2).text == "a is at its goal (2, 1)."
    assert asked(crossroad, 0, crossroad.makespan).doing is Doing.RESTS


def test_a_wait_for_nothing_is_called_that():
    plan = planned(ss.Problem.from_text("a . A"), [(0, 0), (0, 0), (0, 1), (0, 2)])
    answer = asked(plan, "a", 0)
    assert answer.because == ()
    assert answer.needless
    assert answer.total == -1
    assert answer.text == (
        "a waits at (0, 0) although nobody is in its way.\n"
        "It could have gone on at no cost to anybody: a would have arrived 1 step earlier, "
        "and the plan would cost 1 less."
    )


def test_a_corridor_with_a_pocket():
    """Whoever is nearer to the pocket has to take it: the other would be stuck in the corridor."""
    problem = ss.Problem(ss.Grid.from_text(". . . . .\n# # . # #"), [(0, 0), (0, 4)], [(0, 4), (0, 0)])
    plan = planned(
        problem,
        [(0, 0), (0, 1), (0, 2), (1, 2), (0, 2), (0, 3), (0, 4)],
        [(0, 4), (0, 4), (0, 3), (0, 2), (0, 1), (0, 0)],
    )
    waits = asked(plan, "a1", 0)
    assert waits.because == (Cause(0, (0, 2), 2, V.VERTEX),)
    assert (waits.blocked, waits.alternative, waits.total) == ((0,), None, None)
    assert waits.text == (
        "a1 waits at (0, 4): going on at once, it would meet a0 on (0, 2) at time 2.\n"
        "Had it gone on, a0 could not have got to its goal (0, 4): no way leads around a1."
    )
    detours = asked(plan, "a0", 2)
    assert detours.doing is Doing.DETOURS
    assert detours.because == (Cause(1, (0, 3), 3, V.SWAP),)
    assert detours.blocked == (1,)
    assert "makes a detour over (1, 2) around a1, which comes towards it from (0, 3)" in detours.text


def test_one_that_is_at_its_goal_steps_off_for_another():
    problem = ss.Problem(ss.Grid.from_text(". . . . .\n# # . # #"), [(0, 0), (0, 2)], [(0, 4), (0, 2)])
    plan = planned(problem, [(0, col) for col in range(5)], [(0, 2), (1, 2), (1, 2), (0, 2)])
    answer = asked(plan, 1, 0)
    assert answer.doing is Doing.STEPS_OFF
    assert answer.because == (Cause(0, (0, 2), 2, V.VERTEX),)
    assert answer.blocked == (0,)
    assert answer.text == (
        "a1 steps off its goal (0, 2) to make room for a0, which comes to (0, 2) at time 2.\n"
        "Had it stayed, a0 could not have got to its goal (0, 4): no way leads around a1."
    )
    assert asked(plan, 1, 1).text.startswith("a1 waits at (1, 2) for a0, which takes (0, 2) first.")
    # With a way around the goal, the other one would have to take that.
    around = ss.Problem(ss.Grid.from_text(". . . . .\n. . . . ."), [(0, 0), (0, 2)], [(0, 4), (0, 2)])
    plan = planned(around, [(0, col) for col in range(5)], [(0, 2), (1, 2), (1, 2), (0, 2)])
    answer = asked(plan, 1, 0)
    assert answer.cost_change == {"a0": 2, "a1": -3}
    assert "Had it stayed, a0 would have arrived 2 steps later and a1 3 steps earlier" in answer.text


def test_one_without_a_goal_makes_room():
    plan = planned(
        ss.Problem.from_text("a i . A\n# . # #"), [(0, 0), (0, 1), (0, 2), (0, 3)], [(0, 1), (1, 1)]
    )
    answer = asked(plan, "i", 0)
    assert answer.doing is Doing.MAKES_ROOM
    assert "to make room for a, which comes to (0, 1) at time 1" in answer.text
    assert answer.blocked == (0,)
    assert asked(plan, "i", 1).doing is Doing.STANDS


def test_one_that_would_be_at_its_goal_too_early():
    """It is not in the way there, but because it would stay."""
    problem = ss.Problem.from_text("""
        a . . B . A
        # # # b # #
        # # # . # #
    """)
    plan = planned(problem, [(0, col) for col in range(6)], [(1, 3), (1, 3), (1, 3), (1, 3), (0, 3)])
    answer = asked(plan, "b", 0)
    assert answer.because == (Cause(0, (0, 3), 3, V.VERTEX),)
    assert answer.text == (
        "b waits at (1, 3): going on at once, it would stand on its goal (0, 3) when a comes there, "
        "at time 3.\n"
        "Had it gone on and stayed at its goal, a could not have got to its goal (0, 5): "
        "no way leads around b.\n"
        "It stands there for 3 steps, from time 0 to 3."
    )


def test_where_nobody_may_follow():
    problem = ss.Problem.from_text("a b . B A", rules=ss.Rules(following=False))
    problem = ss.Problem(problem.space, [(0, 0), (0, 1)], [(0, 2), (0, 4)], rules=problem.rules)
    plan = planned(problem, [(0, 0), (0, 0), (0, 1), (0, 2)], [(0, 1), (0, 2), (0, 3), (0, 4)])
    answer = asked(plan, 0, 0)
    assert answer.because[0] == Cause(1, (0, 1), 1, V.FOLLOWING)
    assert "waits at (0, 0) for a1, which is only just leaving (0, 1)" in answer.text


def test_diagonals_that_cross():
    grid = ss.Grid.from_text(". .\n. .", connectivity=8)
    problem = ss.Problem(grid, [(0, 0), (0, 1)], [(1, 1), (1, 0)])
    plan = planned(problem, [(0, 0), (1, 1)], [(0, 1), (0, 1), (1, 0)])
    answer = asked(plan, 1, 0)
    assert answer.because == (Cause(0, (1, 0), 1, V.CROSSING),)
    assert answer.text.startswith("a1 waits at (0, 1) for a0, which crosses the way to (1, 0).")
    assert answer.cost_change == {"a0": 1, "a1": -1}


def test_of_two_shortest_ways_the_free_one_counts():
    """One of them is taken: that is no reason to wait."""
    problem = ss.Problem(ss.Grid.from_text(". .\n. ."), [(0, 0), (0, 1)], [(1, 1), (0, 1)])
    plan = planned(problem, [(0, 0), (0, 0), (1, 0), (1, 1)], [(0, 1)])
    answer = asked(plan, 0, 0)
    assert answer.because == ()
    assert answer.needless
    assert answer.wish == (0, 2, 3)


def test_the_other_cost():
    """Where waits at the goal are free, what counts is the time away from it."""
    problem = ss.Problem(
        ss.Grid.from_text(". . . . .\n# # . # #"),
        [(0, 0), (0, 2)],
        [(0, 4), (0, 2)],
        rules=ss.Rules(cost="time_off_goal"),
    )
    plan = planned(
        problem, [(0, 0), (0, 0), (0, 1), (0, 2), (0, 3), (0, 4)], [(0, 2), (0, 2), (1, 2), (1, 2), (0, 2)]
    )
    answer = asked(plan, 0, 0)
    assert answer.cost_change == {"a0": -1}
    assert "at no cost to anybody: a0 would have needed 1 step less" in answer.text


def test_agents_that_disappear():
    problem = ss.Problem(
        ss.Grid.from_text(". . .\n# . #"),
        [(0, 0), (1, 1)],
        [(0, 2), (0, 0)],
        rules=ss.Rules(at_goal="disappear"),
    )
    plan = ss.Plan(problem, [[0, 4], [1, 4], [2, 1], [-1, 0], [-1, -1]])
    assert ss.validate(problem, plan)
    answer = asked(plan, 1, 0)
    assert answer.because[0].agent == 0
    assert asked(plan, 0, 2).doing is Doing.VANISHES
    assert asked(plan, 0, 3).doing is Doing.ABSENT
    assert asked(plan, 1, 4).text == "a1 is not there at time 4."


def test_on_a_graph_places_are_vertices():
    graph = ss.Graph(5, [(0, 1), (1, 2), (3, 1), (1, 4)])
    plan = planned(ss.Problem(graph, [0, 3], [2, 4]), [0, 1, 2], [3, 3, 1, 4])
    answer = asked(plan, 1, 0)
    assert answer.because == (Cause(0, 1, 1, V.VERTEX),)
    assert answer.text.startswith("a1 waits at 3 for a0, which takes 1 first.")


def test_more_than_it_takes():
    """A second wait too many is told apart from the one that another is the reason of."""
    problem = ss.Problem.from_text("# a #\nb . B\n# A #")
    plan = planned(problem, [(0, 1), (1, 1), (2, 1)], [(1, 0)] * 3 + [(1, 1), (1, 2)])
    answer = asked(plan, "b", 0)
    assert answer.sooner == 1
    assert answer.text.endswith(
        "It stands there for 2 steps, from time 0 to 2.\n"
        "With all others as they are, b could have arrived 1 step earlier."
    )
    assert asked(plan, "b", 1).needless


# What is refused


def test_what_cannot_be_asked(crossroad):
    for agent, time, part in (
        (2, 0, "no agent 2"),
        ("c", 0, "no agent named 'c'"),
        (0, 4, "from 0 to 3"),
        (0, -1, "from 0 to 3"),
        (0, 0.5, "whole number"),
        (True, 0, "an index or a name"),
    ):
        with pytest.raises(ss.InputError, match=part):
            ss.why(crossroad, agent, time)
    with pytest.raises(ss.InputError, match="a Result or a Plan"):
        ss.why(crossroad.problem, 0, 0)


def test_nothing_is_said_about_a_plan_that_is_not_valid(crossroad):
    broken = ss.Plan(crossroad.problem, [[1, 3], [4, 4], [7, 5]])
    with pytest.raises(ss.InputError, match=r"not valid.*a and b are both"):
        ss.why(broken, 0, 0)


def test_nothing_is_said_where_there_is_no_plan():
    result = ss.solve(ss.Problem.from_text("a # A"))
    with pytest.raises(ss.InputError, match="there is no plan to ask about: agent a cannot reach"):
        result.why("a", 0)


# Who is asked, and how


def test_results_plans_and_plan_files_answer_alike(crossroad):
    problem = crossroad.problem
    result = ss.Result(problem, ss.WHCA(), 0, ss.Status.SOLVED, crossroad)
    said = ss.why(crossroad, "b", 0).text
    assert result.why("b", 0).text == said
    assert ss.why(result, 1, np.int64(0)).text == said
    wrong = ss.Plan(problem, crossroad.vertices, claimed_cost=99)  # what it claims is another matter
    assert ss.why(PlanFile(problem, wrong), "b", 0).text == said


def test_a_budget_that_ends_too_early_is_told(crossroad):
    answer = ss.why(crossroad, "b", 0, budget=ss.Budget(nodes=0))
    assert not answer.verified
    assert answer.because == ()
    assert answer.text == "b waits at (1, 0); why is not known, for the limit of 0 nodes was reached."
    assert ss.why(crossroad, "b", 0, budget=ss.Budget(seconds=60)).verified


def test_without_any_time_nothing_is_said_that_is_not_known(crossroad):
    answer = ss.why(crossroad, "b", 0, budget=ss.Budget(seconds=0))
    assert answer.text == "b waits at (1, 0); why is not known, for the time limit of 0 s ran out."
    assert ss.summarise(crossroad, "b", budget=ss.Budget(seconds=0, nodes=0)).unknown == 1


def test_an_answer_can_be_kept(crossroad):
    answer = asked(crossroad, "b", 0)
    again = pickle.loads(pickle.dumps(answer))
    assert again.data() == answer.data()
    assert again.check()


def test_many_questions_through_one_inquiry(crossroad):
    inquiry = Inquiry(crossroad)
    for time in (2, 0, 1, 3):
        for agent in (1, 0):
            assert inquiry.why(agent, time).text == ss.why(crossroad, agent, time).text


def test_several_that_are_only_together_stuck():
    """Around the ring the one who passes would have to pass another, too, and there is no room for that."""
    grid = ss.Grid.from_text("""
        # . #
        . . .
        . # .
        . . .
    """)
    problem = ss.Problem(grid, [(1, 1), (1, 0), (3, 1)], [(1, 1), (1, 2), (3, 1)])
    plan = planned(problem, [(1, 1), (0, 1), (1, 1)], [(1, 0), (1, 1), (1, 2)], [(3, 1)])
    answer = asked(plan, 0, 0)
    assert answer.blocked == (1, 2)
    assert answer.text == (
        "a0 steps off its goal (1, 1) to make room for a1, which comes to (1, 1) at time 1.\n"
        "Had it stayed, a1 and a2 could not both have got where they want to be: no way leads around a0."
    )
    assert answer.data()["blocked"] == ["a1", "a2"]
    alone = [replace(one, agents=(1,)) if isinstance(one, NoWayAround) else one for one in answer.claims]
    assert not replace(answer, claims=tuple(alone)).check()
