"""Answers about agents that argue say which dialogue is behind it, and what was said there."""

from __future__ import annotations

import json
import random

import pytest

import sidestep as ss
from sidestep.dialogue import Act, Transcript
from sidestep.explain import Inquiry
from sidestep.explain.talks import Talks
from sidestep.instances import random_grid, random_problem

CROSSROAD = ss.Problem.from_text("""
    # a #
    b . B
    # A #
""")


def crowd(solver: str, seed: int, rules: ss.Rules = ss.Rules(), agents: int = 16) -> ss.Result:
    grid = random_grid(10, 10, 0.2, seed, connectivity=8, corners="free")
    return ss.solve(random_problem(grid, agents, seed, rules=rules), solver)


def test_a_dialogue_is_quoted():
    answer = ss.solve(CROSSROAD, "dpca").why("b", 0)
    assert answer.dialogue == 0
    assert answer.text.splitlines()[2:] == [
        "Dialogue 0 settled it: a and b would have collided at (1, 1), time 1.",
        "  a proposed a > b: ways of a 2 steps, b 3 steps; votes of a -5.291, b -0.547, in all -5.838; "
        "adopted",
        "  b proposed b > a: ways of a 3 steps, b 2 steps; votes of a -0.547, b -5.291, in all -5.838",
    ]
    said = json.loads(json.dumps(answer.data()))["dialogue"]
    assert said["number"] == 0
    assert said["adopted"] == "a > b"
    assert said["place"] == [1, 1]
    first, second = said["proposals"]
    assert first["votes"] == {"b": pytest.approx(-0.547), "a": pytest.approx(-5.291)}
    assert second["ways"] == {"a": 3, "b": 2}
    assert second["vetoed_by"] is None


def test_without_dialogues_only_what_was_adopted_is_told():
    answer = ss.solve(CROSSROAD, "pca").why("b", 0)
    assert answer.text.splitlines()[2:] == [
        "An order settled it (0): a and b would have collided at (1, 1), time 1, "
        "and adopted a > b without a dialogue."
    ]
    assert answer.talk.account.offers == ()


def test_a_veto_is_told():
    """One of two has no way around the other at all."""
    problem = ss.Problem.from_text("""
        a . . B . A
        # # # b # #
        # # # . # #
    """)
    result = ss.solve(problem, "dpca")
    answer = next(result.why("b", time) for time in range(9) if result.why("b", time).doing.needs_a_reason)
    assert "a vetoed, having no path left" in answer.text
    assert answer.data()["dialogue"]["proposals"][1]["vetoed_by"] == "a"


def test_a_solver_that_does_not_argue_has_no_dialogue():
    answer = ss.solve(CROSSROAD, "whca").why("b", 0)
    assert answer.because
    assert answer.talk is None
    assert answer.dialogue is None
    assert answer.data()["dialogue"] is None


@pytest.mark.parametrize("solver", ["pca", "dpca", "dpca+", "wdpca"])
@pytest.mark.parametrize("rules", [ss.Rules(), ss.Rules(at_goal="disappear"), ss.Rules(cost="time_off_goal")])
def test_accounts_agree_with_the_transcript(solver, rules):
    for seed in range(3):
        result = crowd(solver, seed, rules)
        if not result:
            continue
        talks = Talks(result.transcript, result.plan)
        talks.require_same_plan()
        for account in talks.accounts():
            said = result.transcript.dialogue(account.number)
            assert {one.order for one in said if one.act is Act.ADOPT} == {account.adopted}
            assert len(account.offers) == sum(one.act is Act.PROPOSE for one in said)
            for offer in account.offers:
                assert offer.vetoed_by is not None or set(offer.ways) == set(offer.votes) == set(
                    account.agents
                )
            sums = {offer.order: offer.total for offer in account.offers if offer.total is not None}
            assert not sums or sums[account.adopted] == min(sums.values())
            assert "adopt" in talks.line(account)


@pytest.mark.parametrize("solver", ["pca", "dpca", "dpca+", "wdpca"])
def test_the_dialogue_behind_a_step_is_one_of_the_agent_and_of_its_round(solver):
    asked = settled = 0
    for seed in range(4):
        result = crowd(solver, seed)
        if not result:
            continue
        inquiry = Inquiry(result)
        for agent in range(16):
            for time in range(result.plan.makespan):
                answer = inquiry.why(agent, time) if inquiry.doing(agent, time).needs_a_reason else None
                if answer is None or answer.dialogue is None:
                    continue
                asked += 1
                account = answer.talk.account
                assert agent in account.agents
                (number,) = {said.round for said in result.transcript.dialogue(account.number)}
                begins = [*result.transcript.rounds, result.plan.makespan + 1]
                assert begins[number] <= time < begins[number + 1]
                if " settled it" in answer.talk.lines[0]:
                    settled += 1
                    assert any((cause.agent, agent) in account.adopted for cause in answer.because)
    assert asked > 5
    assert settled > asked / 2


def test_paths_that_change_later_are_told():
    """Over some crowds all kinds of sentences come up, and none leads nowhere."""
    lines = [
        line
        for solver in ("dpca", "wdpca")
        for seed in range(6)
        if (result := crowd(solver, seed, agents=22))
        for agent, time in _asked(result)
        for line in result.why(agent, time).text.splitlines()
    ]
    for words in ("Then ", " because of a", " was adopted (", " gave a", " settled it"):
        assert any(words in line for line in lines), words


def _asked(result: ss.Result) -> list[tuple[int, int]]:
    inquiry = Inquiry(result)
    agents, times = range(result.problem.n_agents), range(result.plan.makespan)
    steps = [(agent, time) for agent in agents for time in times]
    return [step for step in steps if inquiry.doing(*step).needs_a_reason][:30]


# Transcripts that are brought along


def test_a_plan_can_be_asked_with_its_transcript():
    result = ss.solve(CROSSROAD, "dpca")
    kept = Transcript.from_data(CROSSROAD.space, json.loads(json.dumps(result.transcript.data())))
    assert ss.why(result.plan, "b", 0, transcript=kept).text == result.why("b", 0).text
    assert ss.why(result.plan, "b", 0).dialogue is None


@pytest.mark.parametrize(
    ("other", "part"),
    [
        (lambda: crowd("dpca", 1), "other names"),
        (lambda: ss.solve(ss.Problem.from_text("# a #\nb . B\n. A #"), "dpca"), "another space"),
        (lambda: ss.solve(ss.Problem.from_text("# a #\nB . b\n# A #"), "dpca"), "other ways"),
    ],
)
def test_the_transcript_of_another_plan_is_refused(other, part):
    plan = ss.solve(CROSSROAD, "dpca").plan
    with pytest.raises(ss.InputError, match=part):
        ss.why(plan, "b", 0, transcript=other().transcript)


def test_an_empty_transcript_is_refused():
    plan = ss.solve(CROSSROAD, "dpca").plan
    with pytest.raises(ss.InputError, match="nothing was said"):
        ss.why(plan, "b", 0, transcript=Transcript(CROSSROAD.space, CROSSROAD.names))


def test_a_broken_transcript_is_refused_or_makes_sense():
    """Entries that are missing, doubled or changed: an error of ours, or an answer, but no crash."""
    result = crowd("dpca", 2, agents=20)
    data = result.transcript.data()
    agent, time = _asked(result)[0]
    draw = random.Random(0)
    complaints = []
    for _ in range(120):
        broken = json.loads(json.dumps(data))
        said = broken[draw.choice(["utterances", "topics", "rounds", "utterances"])]
        place = draw.randrange(len(said))
        match draw.randrange(4):
            case 0:
                del said[place]
            case 1:
                said.insert(place, draw.choice(said))
            case 2 if isinstance(said[place], dict):
                said[place][draw.choice(list(said[place]))] = draw.choice(
                    [None, -1, 3, "x", [], [[0, 1]], 0.5]
                )
            case _:
                said[place] = draw.choice([None, 1, "x", [0, 0, [0, 1]], {}])
        try:
            kept = Transcript.from_data(result.problem.space, broken)
            assert ss.why(result.plan, agent, time, transcript=kept).verified
        except ss.SidestepError as error:
            complaints.append(str(error))
    assert len(complaints) > 40
    assert not any("\n" in sentence for sentence in complaints)
