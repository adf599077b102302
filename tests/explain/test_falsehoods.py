"""What answers once said that was not so."""

from __future__ import annotations

import pytest

import sidestep as ss
from dialogue.thesis import example, thesis_planner
from sidestep.dialogue import Act, Stage
from sidestep.explain import Inquiry
from sidestep.explain.claims import Decided, GaveWay, Proposed, Topic
from sidestep.instances import random_grid, random_problem


def crowd(solver: str, seed: int, agents: int = 20, **params) -> ss.Result:
    grid = random_grid(10, 10, 0.2, seed, connectivity=8, corners="free")
    return ss.solve(random_problem(grid, agents, seed), solver, **params)


ASKED: dict[int, list[ss.Answer]] = {}  # per run, which are kept
RUNS = [run for solver in ("dpca", "dpca+", "wdpca") for seed in range(4) if (run := crowd(solver, seed))]


def answers(result: ss.Result, most: int = 25) -> list[ss.Answer]:
    """About steps that the agents would rather not have made."""
    if id(result) not in ASKED:
        inquiry = Inquiry(result)
        steps = [
            (agent, time) for time in range(result.plan.makespan) for agent in range(result.problem.n_agents)
        ]
        steps = [step for step in steps if inquiry.doing(*step).needs_a_reason]
        ASKED[id(result)] = [inquiry.why(*step, detail=True) for step in steps[:most]]
    return ASKED[id(result)]


def told(result: ss.Result, agent: int, number: int) -> list:
    """What an agent told everybody in a round, in order: places in the transcript and utterances."""
    return [
        (place, said)
        for place, said in enumerate(result.transcript.utterances)
        if said.act is Act.NEW_PATH
        and said.stage is not Stage.EVALUATION
        and (said.speaker, said.round) == (agent, number)
    ]


def origin(result: ss.Result, agent: int, time: int):
    """The utterance since which the agent's told path had the step that it makes from a time on."""
    rounds = result.transcript.rounds
    number = max(k for k, begin in enumerate(rounds) if begin <= time)
    nth, found = time - rounds[number], None
    step = result.plan.vertices[time : time + 2, agent].tolist()
    for place, said in reversed(told(result, agent, number)):
        path = [*said.path, said.path[-1]]
        if [path[min(at, len(path) - 1)] for at in (nth, nth + 1)] != step:
            break
        found = place, said
    return found


def test_the_dialogue_that_is_cited_is_the_one_in_which_the_step_was_agreed_on():
    agreed = 0
    for result in RUNS:
        for answer in answers(result):
            _, said = origin(result, answer.agent, answer.time)
            if said.stage is Stage.CLOSING:
                agreed += 1
                assert answer.dialogue == said.dialogue
    assert agreed > 50


def test_the_one_that_an_agent_yielded_to_is_named():
    yielded = 0
    for result in RUNS:
        names = result.problem.names
        for answer in answers(result):
            _, said = origin(result, answer.agent, answer.time)
            if said.stage is not Stage.CLOSING:
                continue
            adopted = next(
                one.order for one in result.transcript.dialogue(said.dialogue) if one.act is Act.ADOPT
            )
            above = [one for one, below in adopted if below == answer.agent]
            if above:
                yielded += 1
                assert any(f"let {names[one]} pass" in answer.text for one in above)
    assert yielded > 50


def test_whom_an_agent_made_way_for_had_come_in_its_way():
    """It is never said that somebody changed its path who told the same one again."""
    kept = 0
    for result in RUNS:
        for answer in answers(result):
            for claim in answer.of_kind(GaveWay):
                said = result.transcript.utterances[claim.utterance]
                if said.stage is Stage.CLOSING:
                    continue
                kept += 1
                begin = result.transcript.rounds[said.round]
                mine, theirs = (
                    [one.path for place, one in told(result, agent, said.round) if place < claim.utterance][
                        -1
                    ]
                    for agent in (claim.agent, claim.superior)
                )
                nth = claim.when - begin
                at = [[path[min(k, len(path) - 1)] for k in (nth - 1, nth)] for path in (mine, theirs)]
                if claim.collision == "vertex":
                    assert at[0][1] == at[1][1] == claim.place
                elif claim.collision == "swap":
                    assert at[0] == at[1][::-1]
                assert said.path != mine
    assert kept > 3


def test_an_agent_without_a_goal_has_the_steps_that_it_told():
    problem = ss.Problem.from_text("a i . A\n# . # #")
    result = ss.solve(problem, "dpca")
    answer = result.why("i", 0, detail=True)
    proposals = answer.of_kind(Proposed)
    steps = {one.order: {outcome.agent: outcome.steps for outcome in one.outcomes} for one in proposals}
    idle = problem.index("i")
    assert steps[(0, idle),][idle] == (0, 1)  # it makes room: one step, and it waits for free
    assert "i 1 step (1 more)" in answer.text


def test_no_reason_lies_beyond_the_window_in_which_it_was_decided():
    checked = 0
    runs = [crowd("wdpca", seed, window=window, widen=False) for seed in range(4) for window in (2, 4)]
    for result in runs:
        for answer in answers(result) if result else []:
            for claim in (*answer.of_kind(GaveWay), *answer.of_kind(Topic)):
                begin = max(begin for begin in result.transcript.rounds if begin <= answer.time)
                assert begin < claim.when <= begin + result.solver.window
                checked += 1
            assert "Farther on" not in answer.text or not answer.of_kind(GaveWay)
    assert checked > 20


# What decided


def test_it_is_said_what_decided():
    """A longer proposal may win, and an agent's number may decide: then the answer says so."""
    longer = number = 0
    for result in RUNS:
        for answer in answers(result):
            for claim in answer.of_kind(Decided):
                longer += claim.longer > 0
                number += claim.by == "number"
                if claim.dialogue == answer.dialogue and claim.by == "number":
                    assert ", the lower number's" in answer.text
                if claim.dialogue == answer.dialogue and claim.longer:
                    assert " longer in all" in answer.text
    assert longer > 5
    assert number > 5


# The thesis's example


@pytest.fixture
def thesis() -> ss.Result:
    problem = example()
    return ss.solve(problem, ss.DPCA(length_weight=1, conflict_weight=3, planner=thesis_planner(problem)))


def test_the_example_of_section_4_2_1_is_explained_as_the_thesis_does(thesis):
    """a1 makes way for a2, whose proposal has the lower sum; a3 for a1, which has the lower number."""
    answer = thesis.why("a1", 0, detail=True)
    assert answer.verified
    assert answer.text.splitlines() == [
        "a1 goes on over (1, 2) instead of (1, 1) to let a2 pass: both would have come to (1, 1) at time 1.",
        "a1 told the others of this step with utterance 19, as agreed in dialogue 0.",
        "a2 is above a1 since dialogue 0; both would have come to (1, 1) at time 1.",
        "Dialogue 0: a1 and a2 would have collided at (1, 1), time 1.",
        "  a1 proposed a1 > a2: a1 3 steps (as before), 0 conflicts (1 less), vote -3; "
        "a2 3 steps (as before), 2 conflicts (1 more), vote 3; in all 0",
        "  a2 proposed a2 > a1: a1 3 steps (as before), 1 conflict (as before), vote 0; "
        "a2 3 steps (as before), 0 conflicts (1 less), vote -3; in all -3",
        "  a2 > a1 was adopted: it has the lowest sum, -3.",
        "  A vote is 1 per step more and 3 per conflict more; the lowest sum wins.",
    ]
    answer = thesis.why("a3", 0, detail=True)
    assert answer.verified
    assert answer.text.splitlines()[3:] == [
        "Dialogue 1: a1 and a3 would have collided at (2, 2), time 2.",
        "  a1 proposed a1 > a3: a1 3 steps (as before), 0 conflicts (1 less), vote -3; "
        "a3 3 steps (as before), 0 conflicts (1 less), vote -3; in all -6",
        "  a3 proposed a3 > a1: a1 3 steps (as before), 0 conflicts (1 less), vote -3; "
        "a3 3 steps (as before), 0 conflicts (1 less), vote -3; in all -6",
        "  a1 > a3 was adopted: of equal lowest sums, -6, the lower number's.",
        "  A vote is 1 per step more and 3 per conflict more; the lowest sum wins.",
        "Before that, dialogue 0: a1 and a2 would have collided at (1, 1), time 1.",
        "  a2 > a1 was adopted: it has the lowest sum.",
    ]


def test_ways_of_the_same_length_need_a_reason_too(thesis):
    inquiry = Inquiry(thesis)
    assert not inquiry.doing("a1", 0).needs_a_reason
    assert [inquiry.needs_a_reason(agent, 0) for agent in range(3)] == [True, False, True]
    assert thesis.why("a2", 0).text == "a2 goes to (1, 1), 2 steps from its goal, as it likes best."
    assert thesis.why("a1", 0).dialogues == (0,)
    assert thesis.why("a3", 0).dialogues == (1, 0)
