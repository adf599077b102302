"""Dialogues about single actions: what no order solves, since each has to yield once."""

from __future__ import annotations

import pytest

import sidestep as ss
from sidestep.dialogue import Act, Action, ProtocolError, Transcript, check_protocol
from sidestep.instances import random_grid, random_problem

BAY = ss.Grid.from_text("""
    # # . # #
    . . . . .
""")
SYMMETRIC = ss.Problem(BAY, starts=[(1, 0), (1, 4)], goals=[(1, 4), (1, 0)], names=["a", "b"])


@pytest.mark.parametrize("solver", [ss.DPCA, ss.DPCAPlus])
def test_the_corridor_in_which_each_yields_once(solver) -> None:
    """Both are two steps from the bay: an agent that goes straight on is there before the other is inside."""
    without = ss.solve(SYMMETRIC, solver())
    assert without.status is ss.Status.GAVE_UP
    result = ss.solve(SYMMETRIC, solver(actions=True))
    assert result
    assert ss.validate(SYMMETRIC, result.plan)
    assert result.plan.cost == ss.solve(SYMMETRIC, "cbs").plan.cost
    check_protocol(result.transcript)
    waits = {
        name: any(result.plan.vertices[t, k] == result.plan.vertices[t + 1, k] for t in range(3))
        for k, name in enumerate(SYMMETRIC.names)
    }
    detour = {name: (0, 2) in map(tuple, result.plan.cells[:, k].tolist()) for k, name in enumerate("ab")}
    assert sorted(detour.values()) == [False, True]  # one of them goes into the bay,
    assert all(waits[name] or detour[name] for name in "ab")  # and the other waits for it


def test_what_is_given_up_is_in_the_transcript_and_not_done() -> None:
    result = ss.solve(SYMMETRIC, "dpca", actions=True)
    (given_up,) = {said.gives_up for said in result.transcript.utterances if said.act is Act.ADOPT}
    for agent, origin, place, time in given_up:
        path = result.plan.vertices[:, agent].tolist()
        done = path[time] == place if origin == -1 else path[time : time + 2] == [origin, place]
        assert not done
    text = result.transcript.text()
    assert "propose a is not at (1, 2), time 2" in text
    assert "adopt" in text
    again = Transcript.from_data(result.transcript.space, result.transcript.data())
    assert again == result.transcript


def test_a_crowd_with_single_actions_is_valid_and_solves_no_less() -> None:
    solved = {False: 0, True: 0}
    for seed in range(12):
        problem = random_problem(random_grid(7, 7, 0.25, seed), 8, seed)
        for actions in solved:
            result = ss.solve(problem, "dpca", actions=actions, node_limit=100_000, time_limit=None)
            check_protocol(result.transcript)
            solved[actions] += bool(result)
            assert not result or ss.validate(problem, result.plan)
    assert solved[True] >= solved[False]


def test_it_ends_with_its_budget() -> None:
    long = ss.Grid.from_text("# " * 12 + ". " + "# " * 12 + "\n" + ". " * 25)
    problem = ss.Problem(long, starts=[(1, 0), (1, 24)], goals=[(1, 24), (1, 0)])
    result = ss.solve(problem, "dpca", actions=True, node_limit=5000, time_limit=None)
    assert result.status in (ss.Status.TIMEOUT, ss.Status.GAVE_UP)


def test_the_protocol_of_single_actions_is_checked() -> None:
    transcript = ss.solve(SYMMETRIC, "dpca", actions=True).transcript
    said = list(transcript.utterances)
    last = max(place for place, one in enumerate(said) if one.act is Act.PROPOSE)
    wrong = [
        [*said[:last], said[last], *said[last:]],  # twice
        [one for one in said if one.act is not Act.VOTE or not one.gives_up],  # nobody votes
    ]
    for edited in wrong:
        copy = Transcript.from_data(transcript.space, transcript.data())
        copy._made = edited
        with pytest.raises(ProtocolError):
            check_protocol(copy)


def test_a_path_planner_is_told_what_is_given_up() -> None:
    asked: list[tuple[Action, ...]] = []

    def planner(request):
        asked.append(request.gives_up)
        return None if request.superiors else straight(request)

    def straight(request):
        step = 1 if request.agent == 0 else -1
        return [request.start + step * t for t in range(5)]

    result = ss.solve(SYMMETRIC, "dpca", actions=True, planner=planner, node_limit=1000)
    assert result.status is ss.Status.GAVE_UP  # it returns what was given up, again and again
    assert any(asked)
