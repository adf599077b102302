"""Answers repeat the reasons that voters gave, and say so when a voter, not the map, stood in the way."""

from __future__ import annotations

from dataclasses import replace

import pytest

import sidestep as ss
from sidestep.dialogue import VETO, Loads, Reason, Recharging, Schedules, Together, Urgency
from sidestep.dialogue.utterance import Act
from sidestep.explain import Inquiry
from sidestep.explain.claims import Argued, Proposed, Undecided
from sidestep.instances import random_grid, random_problem
from tests.sizing import some_of

from .crowds import asked

CROSSING = ss.Problem.from_text("""
    # a #
    b . B
    # A #
""")


class Ambulance:
    """Some agents wait for nobody."""

    def __init__(self, *names: str) -> None:
        self.names = names

    def vote(self, proposal, own):
        if own.name in self.names and own.longer > 0:
            return VETO, [Reason("emergency", "it is an ambulance")]
        return own.weighted_sum, ()


def test_the_reasons_of_who_went_first_are_repeated():
    result = ss.solve(CROSSING, "dpca", voter=Schedules(due={"b": 2}))
    told = "a let b pass: b said its order is due in 2 steps and it would be 1 step late."
    for answer in (ss.why(result, "a", 0), ss.why_first(result, "b", "a")):
        assert told in answer.text.splitlines()
        assert answer.verified
    detail = ss.why(result, "a", 0, detail=True)
    assert "vote 9.453, because its order is due in 2 steps and it would be 1 step late" in detail.text
    assert {claim.argument for claim in detail.of_kind(Argued)} == {"due", "late"}
    (late,) = [
        one for one in detail.data()["claims"] if one["kind"] == "argued" and one["argument"] == "late"
    ]
    assert (late["agent"], late["order"], late["amount"]) == ("b", "a > b", 1)


def test_without_a_voter_there_are_no_reasons():
    answer = ss.why(ss.solve(CROSSING, "dpca"), "b", 0, detail=True)
    assert not answer.of_kind(Argued)
    assert "because" not in answer.text


def test_a_veto_of_a_voter_is_not_called_a_lack_of_ways():
    answer = ss.why(ss.solve(CROSSING, "dpca", voter=Ambulance("b")), "a", 0, detail=True)
    assert answer.verified
    assert [one.because for one in answer.of_kind(Proposed) if one.vetoed_by is not None] == ["voter"]
    assert "a let b pass: b said it is an ambulance." in answer.text
    assert "b vetoed, not accepting it, because it is an ambulance" in answer.text


def test_a_run_that_voters_ended_says_so():
    result = ss.solve(CROSSING, "dpca", voter=Ambulance("a", "b"))
    answer = result.why()
    assert answer.verified
    assert [one.why for one in answer.of_kind(Undecided)] == ["refused"]
    assert "somebody did not accept it" in answer.text
    assert "no path left" not in answer.text


@pytest.mark.parametrize(
    ("voter", "argument"),
    [
        (Schedules({"b": 2}), "due"),
        (Schedules({"b": 2}), "late"),
        (Recharging({"b": 2}), "charge"),
        (Recharging({"b": 2}), "empty"),
        (Urgency({"b": 4.0}), "urgency"),
        (Together(Loads({"b": 9.0}), Urgency({"a": 0.5})), "load"),
    ],
)
def test_a_false_number_in_a_transcript_is_caught(voter, argument):
    """An agent that is due in 2 steps says 3: the answer does not repeat that as true."""
    result = ss.solve(CROSSING, "dpca", voter=voter)
    honest = ss.why(result, "a", 0)
    assert honest.verified
    said = [
        replace(one, reasons=tuple(_inflated(reason, argument) for reason in one.reasons))
        for one in result.transcript.utterances
    ]
    data = result.transcript.data()
    lying = type(result.transcript).from_data(CROSSING.space, data)
    lying._made = said
    answer = ss.why(result, "a", 0, transcript=lying)
    assert argument in {claim.argument for claim in answer.of_kind(Argued)}
    assert answer.faults() == ["argued: its reason is not so"] * len(
        [claim for claim in answer.of_kind(Argued) if claim.argument == argument]
    )


def _inflated(reason: Reason, argument: str) -> Reason:
    return replace(reason, amount=(reason.amount or 0) + 1) if reason.kind == argument else reason


def test_who_goes_before_all_others_in_lock_steps():
    """In crowds whose orders go round in circles several agents may go first at once."""
    firsts = 0
    for seed in (16, 29, 46):
        problem = random_problem(random_grid(7, 7, 0.15, seed), 14, seed)
        for solver in (ss.DPCA(schedule="steps"), ss.WDPCA(schedule="steps")):
            result = ss.solve(problem, solver)
            went = sum(said.act is Act.GO_FIRST for said in result.transcript.utterances)
            if not went or not result:
                continue
            firsts += went
            inquiry = Inquiry(result)
            answers = [inquiry.without_effect(), *(inquiry.why(*step) for step in some_of(asked(result)))]
            for answer in answers:
                assert answer.verified or answer.faults() == ["not_found: nothing proves it"]
    assert firsts > 0
