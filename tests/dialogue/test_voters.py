"""Votes are open: voters say what agents vote and why, and what they say is in the transcript."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

import sidestep as ss
from sidestep import io
from sidestep.dialogue import (
    VETO,
    Act,
    Loads,
    Proposal,
    Reason,
    Recharging,
    Schedules,
    Stage,
    Stake,
    Together,
    Topic,
    Urgency,
    WeightedSum,
    Weights,
    WeightsBy,
    check_protocol,
)
from sidestep.instances import random_grid, random_problem

CROSSING = ss.Problem.from_text("""
    # a #
    b . B
    # A #
""")


def crowd(seed: int) -> ss.Problem:
    grid = random_grid(9, 9, 0.2, seed, connectivity=8, corners="free")
    return random_problem(grid, 12, seed, rules=ss.Rules(cost="time_off_goal"))


def first(result: ss.Result) -> str:
    """Who goes first, of the two at the crossing."""
    (order,) = {said.order for said in result.transcript.utterances if said.act is Act.ADOPT}
    return result.problem.names[order[0][0]]


@pytest.mark.parametrize("solver", [ss.DPCA(), ss.DPCAPlus(), ss.WDPCA(window=4)], ids=lambda one: one.name)
def test_the_weighted_sum_as_a_voter_leads_to_the_same_votes_and_gives_reasons(solver) -> None:
    for seed in range(4):
        usual, told = (ss.solve(crowd(seed), replace(solver, voter=v)) for v in (None, WeightedSum()))
        bare = [replace(said, reasons=()) for said in told.transcript.utterances]
        assert bare == list(usual.transcript.utterances)
        assert not any(said.reasons for said in usual.transcript.utterances)
        assert any(said.reasons for said in told.transcript.utterances)
        check_protocol(told.transcript)
        for said in told.transcript.utterances:
            assert not said.reasons or said.act is Act.VOTE
            parts = {reason.kind: reason.amount for reason in said.reasons}
            weights = getattr(solver, "weights", None)
            if weights and said.act is Act.VOTE:
                recomputed = weights.length * parts.get("length", 0) + weights.conflicts * parts.get(
                    "conflicts", 0
                )
                assert said.vote == pytest.approx(recomputed)


def test_who_is_due_goes_first_and_says_so() -> None:
    assert first(ss.solve(CROSSING, "dpca")) == "a"
    result = ss.solve(CROSSING, "dpca", voter=Schedules(due={"b": 2}))
    assert first(result) == "b"
    assert (1, Reason("due", "its order is due in 2 steps", 2)) in result.transcript.reasons(0)
    assert "because its order is due in 2 steps and it would be 1 step late" in result.transcript.text()
    assert result.plan.cost == ss.solve(CROSSING, "dpca").plan.cost


def test_a_strict_schedule_vetoes_what_makes_late_and_nothing_else() -> None:
    result = ss.solve(CROSSING, "dpca", voter=Schedules(due={"b": 2}, strict=True))
    vetoes = [said for said in result.transcript.utterances if said.act is Act.VETO]
    assert [(said.speaker, said.order) for said in vetoes] == [(1, ((0, 1),))]
    assert {reason.kind for reason in vetoes[0].reasons} == {"due", "late"}
    check_protocol(result.transcript)
    relaxed = ss.solve(CROSSING, "dpca", voter=Schedules(due={"b": 3}, strict=True))
    assert first(relaxed) == "a"
    both = ss.solve(CROSSING, "dpca", voter=Schedules(due={"a": 2, "b": 2}, strict=True))
    assert both.status is ss.Status.GAVE_UP


def test_who_would_be_empty_before_its_charging_station_vetoes() -> None:
    result = ss.solve(CROSSING, "dpca", voter=Recharging(empty_at={"b": 2}))
    assert first(result) == "b"
    (veto,) = (said for said in result.transcript.utterances if said.act is Act.VETO)
    assert [reason.amount for reason in veto.reasons] == [2, 3]
    hopeless = ss.solve(CROSSING, "dpca", voter=Recharging(empty_at={"b": 1}))
    assert first(hopeless) == "a"  # it never could: no veto


def test_urgency_and_loads_decide_where_lengths_tie() -> None:
    assert first(ss.solve(CROSSING, "dpca", voter=Urgency({"b": 3.0}))) == "b"
    assert first(ss.solve(CROSSING, "dpca", voter=Urgency({"a": 3.0}))) == "a"
    loaded = ss.solve(CROSSING, "dpca", voter=Loads({"b": 2.0}))
    assert first(loaded) == "b"
    assert (1, Reason("load", "it carries a load of 2", 2.0)) in loaded.transcript.reasons(0)


def test_weights_depend_on_what_they_are_told_to() -> None:
    table = {2: Weights(1, 0), 10: Weights(100, 7)}
    proposal = Proposal(((0, 1),), 0, Topic(1, 4, (0, 1)), 0, 8, agents=3, in_reach=2)
    own = Stake(0, "a", (0,), (0,), 3, 5, 5, 2, 12, -1, False, False, 0.0)
    by = {
        what: WeightsBy(what, table).vote(proposal, own)[0]
        for what in ("agents", "reach", "conflicts", "window")
    }
    assert by == {"agents": 193, "reach": 2, "conflicts": 193, "window": 193}
    (reason,) = WeightsBy("conflicts", table).vote(proposal, own)[1]
    assert reason == Reason("weights", "for 12 conflicts a step more counts 100, a conflict more 7", 12)


@pytest.mark.parametrize("what", ["agents", "reach", "conflicts", "window"])
def test_a_table_of_the_usual_weights_changes_no_vote(what: str) -> None:
    solver = ss.WDPCA(window=4)
    voter = WeightsBy(what, {10**6: solver.weights})
    usual, told = (ss.solve(crowd(1), replace(solver, voter=v)) for v in (None, voter))
    votes = [[said.vote for said in one.transcript.utterances] for one in (usual, told)]
    assert votes[0] == votes[1]


def test_voters_together_add_up_and_each_may_veto() -> None:
    proposal = Proposal(((0, 1),), 0, Topic(1, 4, (0, 1)), 0, 0, 2, 2)
    own = Stake(0, "a", (0,), (0,), 3, 5, 5, 2, 1, 0, False, False, 4.0)
    due, load = Schedules({"a": 4}, per_step=10), Loads({"a": 3}, per_step=1)
    value, reasons = Together(due, load).vote(proposal, own)
    assert value == 4 + 10 * 1 + 3 * 2
    assert [reason.kind for reason in reasons] == ["due", "late", "load"]
    value, reasons = Together(load, Recharging({"a": 4})).vote(proposal, own)
    assert value is VETO
    assert [reason.kind for reason in reasons] == ["load", "charge", "empty"]


def test_arrivals_count_the_way_beyond_a_window() -> None:
    heard = []

    class Listening:
        def vote(self, proposal, own):
            heard.append((own.name, own.arrival_before, own.arrival, own.longer))
            return own.weighted_sum, ()

    cross = ss.Grid.from_text("""
        # # . # # # #
        . . . . . . .
        # # . # # # #
    """)
    problem = ss.Problem(cross, starts=[(1, 1), (2, 2)], goals=[(1, 6), (0, 2)], names=["a", "b"])
    assert ss.solve(problem, ss.DPCA(voter=Listening()))
    assert ("a", 5, 6, 1) in heard
    heard.clear()
    assert ss.solve(problem, ss.WDPCA(window=2, voter=Listening()))
    assert ("a", 5, 6, 1) in heard  # two steps, and the distance from there
    for _, before, after, longer in heard:
        assert after - before == longer


# Bystanders


@pytest.mark.parametrize("solver", [ss.DPCA, ss.DPCAPlus, ss.WDPCA])
def test_bystanders_are_asked_and_their_votes_count(solver) -> None:
    asked = 0
    for seed in range(6):
        result = ss.solve(crowd(seed), solver(bystanders=True))
        check_protocol(result.transcript)
        assert not result or ss.validate(result.problem, result.plan)
        for number, topic in enumerate(result.transcript.topics):
            said = result.transcript.dialogue(number)
            for place, one in enumerate(said):
                if one.act is Act.ASK:
                    asked += 1
                    answers = said[place + 1 : place + 1 + len(one.hearers)]
                    assert [answer.speaker for answer in answers] == list(one.hearers)
                    assert not set(one.hearers) & set(topic.agents)
                    assert all(answer.act is Act.VOTE and answer.order == one.order for answer in answers)
    assert asked > 0


def test_in_the_thesis_example_a3_is_asked_about_the_first_dialogue() -> None:
    """Section 6.3: "In Figure 4 agent a3 may want to weigh in"."""
    from .thesis import example, thesis_planner

    problem = example()
    solver = ss.DPCA(length_weight=1, conflict_weight=3, bystanders=True, planner=thesis_planner(problem))
    transcript = ss.solve(problem, solver).transcript
    votes = {
        (said.speaker, said.order): said.vote
        for said in transcript.dialogue(0)
        if said.act is Act.VOTE and said.stage is Stage.EVALUATION
    }
    assert votes[2, ((0, 1),)] == 2 * 3  # two conflicts with a2
    assert votes[2, ((1, 0),)] == 3  # one with a1
    assert "ask a3 about a1 > a2" in transcript.text(0)


# Files and mistakes


def test_reasons_are_kept_in_files_of_version_2_and_old_files_are_read(tmp_path: Path) -> None:
    plain = ss.solve(CROSSING, "dpca").transcript
    argued = ss.solve(CROSSING, "dpca", voter=Schedules(due={"b": 2}), bystanders=True).transcript
    for transcript, version in ((plain, 1), (argued, 2)):
        io.write_transcript(transcript, tmp_path / "talk.json")
        assert f'"version": {version}' in (tmp_path / "talk.json").read_text()
        again = io.read_transcript(tmp_path / "talk.json")
        assert again == transcript
        assert again.text() == transcript.text()
    text = (tmp_path / "talk.json").read_text().replace('"due"', "7")
    (tmp_path / "bad.json").write_text(text)
    with pytest.raises(ss.FormatError, match="not a reason"):
        io.read_transcript(tmp_path / "bad.json")


class Says:
    def __init__(self, ballot) -> None:
        self.ballot = ballot

    def vote(self, proposal, own):
        return self.ballot


@pytest.mark.parametrize(
    ("ballot", "sentence"),
    [
        (7.0, "must return a vote and its reasons"),
        (("yes", []), "must vote by a number or VETO"),
        ((float("nan"), []), "must vote by a number or VETO"),
        ((1.0, ["because"]), "must give reasons as Reason"),
    ],
)
def test_a_voter_that_says_something_else_is_named(ballot, sentence: str) -> None:
    with pytest.raises(ss.InputError, match=sentence):
        ss.solve(CROSSING, "dpca", voter=Says(ballot))


def test_wrong_voters_are_refused_at_the_door() -> None:
    with pytest.raises(ss.InputError, match="voter must be a Voter"):
        ss.solve(CROSSING, "dpca", voter="me")
    with pytest.raises(ss.InputError, match="whole numbers by the names of agents"):
        Schedules(due={"a": 1.5})
    with pytest.raises(ss.InputError, match="0 or more"):
        Urgency({"a": -1})
    with pytest.raises(ss.InputError, match="one of"):
        WeightsBy("size", {1: Weights()})
    with pytest.raises(ss.InputError, match="Weights by whole numbers"):
        WeightsBy("agents", {})
    with pytest.raises(ss.InputError, match="must have a method"):
        Together(Loads({}), 3)


def test_vetoing_everything_is_an_impasse_that_says_so() -> None:
    result = ss.solve(CROSSING, "dpca", voter=Says((VETO, [Reason("no", "it does not want to")])))
    assert result.status is ss.Status.GAVE_UP
    assert "every order leaves an agent without a path, or is not accepted" in result.reason
    assert "veto a > b, because it does not want to" in result.transcript.text()
    check_protocol(result.transcript)
