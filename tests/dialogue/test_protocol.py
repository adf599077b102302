"""What the protocol does not allow is an error that says who said what out of turn."""

from __future__ import annotations

from dataclasses import replace

import pytest

import sidestep as ss
from sidestep.dialogue import Act, ProtocolError, Transcript, check_protocol

from .thesis import example, thesis_planner


@pytest.fixture
def transcript() -> Transcript:
    problem = example()
    solver = ss.DPCA(length_weight=1, conflict_weight=3)
    return ss.solve(problem, replace(solver, planner=thesis_planner(problem))).transcript


def changed(transcript: Transcript, edit) -> Transcript:
    """The same transcript with its utterances edited."""
    copy = Transcript.from_data(transcript.space, transcript.data())
    copy._made = list(edit(list(copy.utterances)))
    return copy


def where(said, act: Act, speaker: int | None = None) -> int:
    return next(
        k
        for k, one in enumerate(said)
        if one.act is act and speaker in (None, one.speaker) and one.dialogue == 0
    )


def without(act: Act, speaker: int | None = None):
    def edit(said):
        del said[where(said, act, speaker)]
        return said

    return edit


def swapped(act: Act):
    """Two speakers in the wrong order."""

    def edit(said):
        k = where(said, act)
        said[k], said[k + 1] = said[k + 1], said[k]
        return said

    return edit


def altered(at: Act, **values):
    def edit(said):
        k = where(said, at)
        said[k] = replace(said[k], **values)
        return said

    return edit


def test_a_run_keeps_the_protocol(transcript):
    check_protocol(transcript)
    check_protocol(changed(transcript, lambda said: said))


@pytest.mark.parametrize(
    ("edit", "sentence"),
    [
        (without(Act.NO_EARLIER, 1), "this is the opening stage, not proposal"),
        (swapped(Act.NO_EARLIER), "another's turn"),
        (without(Act.PROPOSE, 1), "this is the proposal stage, not evaluation"),
        (altered(Act.PROPOSE, order=((1, 0),)), "below the proposer"),
        (altered(Act.PROPOSE, order=((0, 2),)), "not about those in the dialogue"),
        (altered(Act.PROPOSE, order=((0, 1), (1, 0))), "contradicts"),
        (altered(Act.PROPOSE, hearers=(1, 2)), "all others hear"),
        (without(Act.NEW_PATH, 0), "another's turn"),
        (swapped(Act.VOTE), "those below vote first"),
        (without(Act.VOTE, 0), "another's turn"),
        (altered(Act.VOTE, act=Act.DECLINE), "expected is vote or veto"),
        (altered(Act.VOTE, order=((1, 0),)), "not the proposal that is evaluated"),
        (altered(Act.VOTE, vote=None), "a vote is a number"),
        (altered(Act.VOTE, vote=-9.0), "another proposal has the lowest sum"),
        (without(Act.NO_FURTHER, 0), "another's turn"),
        (altered(Act.ADOPT, order=((0, 1),)), "another proposal has the lowest sum"),
        (lambda said: [*said, said[-1]], "the dialogue is over"),
        (lambda said: [replace(said[0], act=Act.HOLD), *said[1:]], "only paths are exchanged"),
    ],
)
def test_a_violation_is_an_error(transcript, edit, sentence):
    with pytest.raises(ProtocolError, match=sentence) as error:
        check_protocol(changed(transcript, edit))
    assert "utterance" in str(error.value)


def test_an_order_is_adopted_only_once(transcript):
    def again(said):
        first = [one for one in said if one.dialogue == 0]
        return [*said, *(replace(one, dialogue=2) for one in first)]

    copy = changed(transcript, again)
    copy.topics.append(copy.topics[0])
    with pytest.raises(ProtocolError, match=r"contradicts|have an order already"):
        check_protocol(copy)


def test_a_dialogue_on_hold_is_opened_again(transcript):
    def held(said):
        k = where(said, Act.NO_EARLIER)
        opening = said[k : k + 2]
        return [*said[:k], replace(opening[0], act=Act.HOLD), opening[1], *said[k:]]

    check_protocol(changed(transcript, held))


def test_after_a_veto_nobody_votes(transcript):
    def vetoed(said):
        k = where(said, Act.VOTE)
        return [*said[:k], replace(said[k], act=Act.VETO, vote=None), *said[k + 1 :]]

    with pytest.raises(ProtocolError, match=r"another's turn|expected is"):
        check_protocol(changed(transcript, vetoed))


def test_a_vetoed_proposal_is_not_adopted():
    # Whoever gets the corridor first leaves the other no path, but b can only wait where a cannot.
    problem = ss.Problem.from_text("""
        a . . B A
        # # b # #
    """)
    result = ss.solve(problem, "dpca")
    assert ss.validate(problem, result.plan)
    acts = [said.act for said in result.transcript.utterances]
    assert Act.VETO in acts
    vetoed = {said.order for said in result.transcript.utterances if said.act is Act.VETO}
    adopted = {said.order for said in result.transcript.utterances if said.act is Act.ADOPT}
    assert not vetoed & adopted
    check_protocol(result.transcript)
