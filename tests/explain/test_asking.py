"""Other questions: why not, why first, why it failed; and runs that are no plain plans."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

import sidestep as ss
from sidestep.explain import Doing, Inquiry
from sidestep.explain.checker import Checker
from sidestep.explain.claims import (
    Attempt,
    Changed,
    CutOff,
    Entered,
    NoOrderLeft,
    NoWayLeft,
    OrderRing,
    Proposed,
    Repeats,
    Ring,
    StillAway,
    WaitsFor,
)
from sidestep.instances import random_grid, random_problem
from tests.agents.problems import crowd

CROSSROAD = ss.Problem.from_text("# a #\nb . B\n# A #")
JARGON = ("vote", "proposed", "dialogue", "Dialogue", "conflict", "utterance", "veto", " > ", "order")


def verified(answer: ss.Answer) -> ss.Answer:
    assert answer.verified, (answer.text, answer.faults())
    assert json.loads(json.dumps(answer.data()))["text"] == answer.text
    return answer


# Why not


def test_why_it_is_not_there():
    result = ss.solve(CROSSROAD, "whca")
    assert verified(ss.why_not(result, "b", 1, (1, 1))).text == (
        "To be on (1, 1) at time 1, b would collide with a, which takes (1, 1) first.\n"
        "Had the others made way, a would have arrived 1 step later and b 1 step earlier: "
        "the plan would cost the same."
    )
    assert verified(ss.why_not(result, "b", 1, (1, 2))).text == (
        "b cannot be on (1, 2) at time 1: the way there takes it 2 steps."
    )
    assert "it is closed" in verified(ss.why_not(result, "b", 1, (0, 0))).text
    assert verified(ss.why_not(result, "b", 2, (1, 1))).text == "b is on (1, 1) at time 2."
    detour = verified(ss.why_not(result, "a", 3, (0, 1)))
    assert "Had" in detour.text
    for place, part in (((9, 9), "9"), ("x", "x")):
        with pytest.raises(ss.InputError, match=part):
            ss.why_not(result, "b", 1, place)


def test_why_not_on_random_plans():
    for seed in range(6):
        grid = random_grid(8, 8, 0.2, seed)
        result = ss.solve(random_problem(grid, 8, seed), "whca")
        inquiry = Inquiry(result)
        for time in (1, result.plan.makespan // 2, result.plan.makespan):
            for place in ((0, 0), (3, 4), (7, 7)):
                answer = inquiry.why_not(seed % 8, time, place)
                assert answer.text
                assert answer.verified or answer.faults() == ["not_found: nothing proves it"], answer.faults()


def test_who_leaves_the_map_on_its_goal_does_not_go_on_from_there():
    """The straight way leads over its goal, where it would be gone."""
    problem = ss.Problem.from_text(
        """
        a . A . .
        . # # # .
        . . . . .
        """,
        rules=ss.Rules(at_goal="disappear"),
    )
    plan = ss.Plan(problem, [[0], [0], [0], [0], [1], [2]])
    answer = verified(ss.why_not(plan, "a", 4, (0, 4)))
    assert answer.text == (
        "a cannot be on (0, 4) at time 4: it leaves the map on its goal (0, 2), "
        "and the way around that takes it 8 steps."
    )
    assert verified(ss.why_not(plan, "a", 4, (0, 2))).alternative is not None  # it might come there later
    waiting = ss.Plan(problem, [[0]] * 10 + [[1], [2]])
    around = verified(ss.why_not(waiting, "a", 9, (0, 4)))
    assert around.alternative.vertices[:10, 0].tolist() == [0, 0, 5, 10, 11, 12, 13, 14, 9, 4]
    row = ss.Problem.from_text("a A .", rules=ss.Rules(at_goal="disappear"))
    beyond = verified(ss.why_not(ss.solve(row, "whca"), "a", 1, (0, 2)))
    assert beyond.text == "a cannot be on (0, 2) at time 1: the way there takes it 2 steps."
    late = ss.Plan(row, [[0], [0], [0], [1]])
    never = verified(ss.why_not(late, "a", 3, (0, 2)))
    assert never.text.endswith("it leaves the map on its goal (0, 1), and every way there leads over it.")


def test_who_is_on_a_goal_that_is_closed_under_it_is_there():
    world = ss.World(ss.Problem.from_text("a A"), ss.HCA())
    world.step()
    world.block((0, 0))
    world.block((0, 1))
    world.step()
    answer = verified(ss.why(world.trace, "a", 1))
    assert answer.text == "a is at its goal (0, 1)."


# Why first


def test_why_one_goes_before_another():
    result = ss.solve(CROSSROAD, "dpca")
    answer = verified(ss.why_first(result, "a", "b", detail=True))
    assert answer.text.startswith("a comes to (1, 1) at time 1, b at time 2.\nDialogue 0: ")
    assert "a > b was adopted" in answer.text
    turned = verified(ss.why_first(result, "b", "a"))
    assert turned.text == "a comes to (1, 1) at time 1, b at time 2."
    apart = ss.solve(ss.Problem.from_text("a A\nb B"), "whca")
    assert verified(ss.why_first(apart, "a", "b")).text == "a and b never come to the same place."
    with pytest.raises(ss.InputError, match="two agents"):
        ss.why_first(result, "a", "a")


# Runs that failed


def test_why_there_is_no_plan():
    corridor = ss.Problem(ss.Grid.from_text(". . . . .\n# # . # #"), [(0, 0), (0, 4)], [(0, 4), (0, 0)])
    answer = verified(ss.solve(corridor, "dpca").why(detail=True))
    assert {one.vetoed_by for one in answer.of_kind(Proposed)} == {0, 1}
    assert "a1 vetoed, having no path left" in answer.text
    assert "came to no agreement: whichever of them went first, somebody had no way left" in answer.text
    cut = verified(ss.solve(ss.Problem.from_text("a # A")).why())
    assert cut.of_kind(CutOff) == (CutOff(0, 0, 0),)
    with pytest.raises(ss.InputError, match="an agent and a time"):
        ss.solve(CROSSROAD).why()


def test_orders_that_go_round_in_a_circle_are_told():
    rings = 0
    for seed in range(40):
        problem = random_problem(random_grid(6, 6, 0.15, seed), 12, seed)
        result = ss.solve(problem, "dpca", settle_circles=False)
        if "again and again" in result.reason:
            answer = verified(result.why())
            rings += bool(answer.of_kind(OrderRing))
            assert "goes round in a circle" in answer.text or "came back" in answer.text
    assert rings > 0


def failed(solver: str, seed: int, **params: object) -> ss.Result:
    return ss.solve(random_problem(random_grid(6, 6, 0.2, seed), 12, seed), solver, time_limit=5, **params)


def test_who_has_no_way_left_around_whom_is_told():
    """Once the solver's own words were all that was said of it, and nobody had recomputed them."""
    result = failed("dpca", 29)
    answer = verified(result.why())
    assert answer.of_kind(NoWayLeft) == (NoWayLeft(7, (0, 1), (-1, -1)),)
    assert answer.text.splitlines()[:2] == [
        "The run came to no plan.",
        "a7 has no way left around a0 and a1, which go before it.",
    ]
    assert f"The solver gave up, and says: {result.reason}." in result.why(detail=True).text


CORRIDOR = ss.Problem(ss.Grid.from_text(". . . . .\n# # . # #"), [(0, 0), (0, 4)], [(0, 4), (0, 0)])


def dense(seed: int) -> ss.Problem:
    return crowd(seed, most=14, rules=ss.Rules(following=False))


def test_without_dialogues_every_order_is_tried_again():
    """Once the solver's own words were all that was said of it."""
    answer = verified(ss.solve(CORRIDOR, "pca").why(detail=True))
    attempts = Attempt((0, 1), ((),)), Attempt((1, 0), ((),))
    assert answer.of_kind(NoOrderLeft) == (NoOrderLeft((0, 1), attempts),)
    assert answer.text.splitlines() == [
        "The run came to no plan.",
        "Whichever of a0 and a1 goes first, the other one has no way left.",
        "The solver gave up, and says: agents a0 and a1: in every order an agent has no path left.",
        "  a0 > a1: a1 has no way left.",
        "  a1 > a0: a0 has no way left.",
    ]


def test_of_three_in_one_place_the_ways_of_those_between_are_shown():
    answer = verified(ss.solve(dense(6), "pca", keep_orders=False).why())
    (claim,) = answer.of_kind(NoOrderLeft)
    assert claim.agents == (4, 5, 6)
    between = [nth for nth, one in enumerate(claim.attempts) if len(one.ranked) == 3]
    assert between
    assert "one of the others has no way left" in answer.text
    for nth in between:
        path = claim.attempts[nth].paths[1]
        other = replace(claim.attempts[nth], paths=(claim.attempts[nth].paths[0], (*path, 0)))
        lie = replace(claim, attempts=(*claim.attempts[:nth], other, *claim.attempts[nth + 1 :]))
        assert Checker(answer.grounds).faults([lie])


def test_a_run_in_windows_that_repeats_itself():
    answer = verified(ss.solve(dense(0), "wdpca", window=2, widen=False).why())
    (claim,) = answer.of_kind(Repeats)
    assert claim.away == (2, 3)
    assert answer.text.splitlines() == [
        "The run came to no plan.",
        f"At time {claim.later} all were where they had been at time {claim.earlier}, and said the same "
        "again: so it would have gone on for ever. a2 and a3 were not on their goals.",
    ]


def test_a_run_in_windows_that_ended_too_soon():
    answer = verified(ss.solve(CORRIDOR, "wdpca", max_turns=3).why())
    assert answer.of_kind(StillAway) == (StillAway(2, (0, 1)),)
    assert answer.text.splitlines() == [
        "The run came to no plan.",
        "At time 2, when they last looked ahead, a0 and a1 were not on their goals.",
    ]


@pytest.mark.parametrize(
    "solver",
    [
        ss.PCA(),
        ss.PCA(settle_circles=False),
        ss.PCA(keep_orders=False),
        ss.PCA.as_printed(),
        ss.WDPCA(window=2, widen=False),
        ss.WDPCA(stand=False),
        ss.WDPCA(schedule="steps", widen=False),
    ],
    ids=range(7),
)
def test_no_run_that_failed_is_left_to_the_words_of_its_solver(solver):
    """Operators read claims that were recomputed, in words that are not the field's."""
    failures = [result for seed in range(12) if not (result := ss.solve(dense(seed), solver, time_limit=10))]
    told = [one for one in failures if one.status is ss.Status.GAVE_UP]
    assert len(told) > 1
    for result in told:
        text = verified(result.why()).text
        assert text.startswith("The run came to no plan.\n"), text
        assert not [word for word in JARGON if word in text], text


@pytest.mark.parametrize("schedule", ["one", "steps"])
def test_of_every_run_that_ended_like_that_somebody_is_named(schedule):
    found = [failed(solver, seed, schedule=schedule) for solver in ("dpca", "dpca+") for seed in range(20)]
    stuck = [one for one in found if "has no path around" in one.reason]
    named = [verified(one.why()).of_kind(NoWayLeft) for one in stuck]
    assert len(stuck) > 5
    assert sum(map(bool, named)) >= len(stuck) - 1


@pytest.mark.parametrize("solver", ["dpca", "dpca+"])
def test_operators_read_no_words_of_the_field_about_runs_that_failed(solver):
    answers = [result.why() for seed in range(16) if not (result := failed(solver, seed))]
    told = [answer.text for answer in answers if answer.grounds.status != "timeout"]
    assert len(told) > 3
    for text in told:
        assert not [word for word in JARGON if word in text], text


def test_operators_read_no_words_of_the_field_where_single_actions_helped():
    corridor = ss.Problem(ss.Grid.from_text(". . . . .\n# # . # #"), [(0, 0), (0, 4)], [(0, 4), (0, 0)])
    text = verified(ss.solve(corridor, "dpca", actions=True).why("a1", 1)).text
    assert "so they agreed that" in text
    assert not [word for word in JARGON if word in text], text


# Worlds


@pytest.fixture
def world() -> ss.World:
    """A newcomer, and a wall that shuts the goals of the first two off."""
    text = ". . . . .\na . . . A\n. . . . .\nb . . . B"
    world = ss.World(ss.Problem.from_text(text), ss.WDPCA())
    world.step()
    world.add(ss.Agent((0, 4), (0, 0), name="late"))
    world.step()
    for row in range(4):
        world.block((row, 3))
    for _ in range(6):
        world.step()
    return world


def test_a_world_that_changes_is_asked_about(world):
    answer = verified(ss.why(world.trace, "a", 6))
    assert "no way leads to its goal" in answer.text
    assert "a is cut off from its goal" in answer.text
    assert answer.of_kind(Changed)
    for agent in ("a", "b", "late"):
        for time in range(world.trace.start_time, world.time):
            verified(ss.why(world.trace, agent, time))


def test_what_was_said_in_a_world_is_kept_when_somebody_is_added():
    """Earlier dialogues stay in the transcript, and newcomers have their names in it."""
    world = ss.World(ss.Problem.from_text("# a # . .\nb . B . .\n# A # . ."), ss.WDPCA())
    world.step()
    before = len(world.session.transcript.topics)
    world.add(ss.Agent((0, 4), (2, 4), name="late"))
    for _ in range(4):
        world.step()
    transcript = world.session.transcript
    assert before > 0
    assert len(transcript.topics) >= before
    assert transcript.names == ("a", "b", "late")
    inquiry = Inquiry(world.trace, transcript=transcript)
    for time in range(world.time):
        for agent in ("a", "b", "late"):
            verified(inquiry.why(agent, time))
    assert verified(inquiry.why("late", 2)).of_kind(Entered)
    assert any(inquiry.why(agent, 0).dialogues for agent in ("a", "b"))


def test_a_jam_is_followed_to_the_one_that_is_cut_off():
    """`a waits for b, b for c, c is blocked by the wall`."""
    grid = ss.Grid.from_text(". . . . .\n# # # # .")
    row = ss.Problem(grid, [(0, 0), (0, 1), (0, 2)], [(0, 2), (0, 3), (1, 4)], names=["a", "b", "c"])
    world = ss.World(row, ss.LRA())
    world.block((1, 4))
    for _ in range(8):
        world.step()
    answer = verified(ss.why(world.trace, "a", 7))
    assert [(one.agent, one.other) for one in answer.of_kind(WaitsFor)] == [(0, 1), (1, 2)]
    assert answer.of_kind(CutOff) == (CutOff(2, 7, 2, 9),)
    assert "a waits for b, b for c, c is cut off from its goal by the wall on (1, 4)." in answer.text


def test_agents_that_wait_for_each_other_are_told_so():
    world = ss.World(ss.Problem(ss.Grid.from_text(". ."), [(0, 0), (0, 1)], [(0, 1), (0, 0)]), ss.LRA())
    world.step()
    world.step()
    answer = verified(ss.why(world.trace, 0, 1))
    assert answer.of_kind(Ring) == (Ring((0, 1), 1),)
    assert "in a circle" in answer.text


# Large and slow agents


def test_a_slow_agent_crosses_the_way_in_every_turn_of_its_move():
    grid = ss.Grid.from_text(". .\n. .", connectivity=8, corners="free")
    agents = [ss.Agent((0, 0), (1, 1), name="a", period=2), ss.Agent((0, 1), (1, 0), name="b")]
    plan = ss.Plan(ss.Problem.from_agents(grid, agents), [[0, 1], [0, 1], [3, 1], [3, 2]])
    for time in (0, 1):
        answer = verified(ss.why(plan, "b", time))
        assert answer.text.startswith("b waits at (0, 1) for a, which crosses the way to (1, 0).")

    square = ss.Graph(4, [(0, 3), (1, 2), (0, 1)], edge_conflicts=[(0, 1)])
    agents = [ss.Agent(0, 3, name="a", period=2), ss.Agent(1, 2, name="b")]
    on_graph = ss.Plan(ss.Problem.from_agents(square, agents), [[0, 1], [0, 1], [3, 1], [3, 2]])
    assert "which crosses the way to 2" in verified(ss.why(on_graph, "b", 1)).text


def test_large_and_slow_agents():
    grid = ss.Grid.from_text("\n".join([". " * 6] * 2 + [". . # # . ."] + [". " * 6] * 2))
    agents = [ss.Agent((0, 0), (3, 4), name="tank", size=2, period=3), ss.Agent((0, 5), (4, 0), name="jeep")]
    result = ss.solve(ss.Problem.from_agents(grid, agents), "hca")
    inquiry = Inquiry(result)
    reasons = 0
    for agent in range(2):
        for time in range(result.plan.makespan):
            answer = verified(inquiry.why(agent, time))
            reasons += bool(answer.because)
    assert reasons > 1
    assert inquiry.doing("tank", 1) is Doing.GOES_ON  # in the middle of a move


# Two registers


@pytest.mark.parametrize("solver", ["dpca", "dpca+", "wdpca", "pca"])
def test_the_text_for_operators_has_no_words_of_the_field(solver):
    grid = random_grid(9, 9, 0.2, 4, connectivity=8, corners="free")
    inquiry = Inquiry(ss.solve(random_problem(grid, 14, 4), solver))
    asked = 0
    for agent in range(14):
        for time in range(inquiry.plan.makespan):
            if inquiry.needs_a_reason(agent, time):
                asked += 1
                text = inquiry.why(agent, time).text
                assert not [word for word in JARGON if word in text], text
                assert inquiry.why(agent, time, detail=True).text.startswith(text)
    assert asked > 5
