"""The thesis's worked example, utterance by utterance, with its demonstration weights 1 and 3."""

from __future__ import annotations

from dataclasses import replace
from textwrap import dedent

import pytest

import sidestep as ss
from sidestep.budget import Budget
from sidestep.dialogue import Act, Stage, check_protocol
from sidestep.solvers.wdpca import WDPCASession

from .thesis import example, thesis_path, thesis_planner

WEIGHTS = {"length_weight": 1, "conflict_weight": 3}


def fed(solver) -> ss.Result:
    """The example through the public API, with the thesis's paths."""
    problem = example()
    return ss.solve(problem, replace(solver, planner=thesis_planner(problem)))


def adopted(transcript) -> list[tuple[str, str]]:
    """The orders in the order of their adoption."""
    pairs = [pair for said in transcript.utterances if said.act is Act.ADOPT for pair in said.order]
    return [(transcript.names[above], transcript.names[below]) for above, below in dict.fromkeys(pairs)]


def steps(result: ss.Result) -> dict[str, list[tuple[int, int]]]:
    cells = result.plan.cells.transpose(1, 0, 2).tolist()
    return {
        name: [tuple(cell) for cell in path] for name, path in zip(result.problem.names, cells, strict=True)
    }


def test_pca_adopts_what_the_lower_numbered_agent_prefers():
    result = fed(ss.PCA())
    assert adopted(result.transcript) == [("a1", "a2"), ("a2", "a3")]
    assert ss.validate(result.problem, result.plan)
    assert steps(result) == {
        "a1": [(0, 1), (1, 1), (2, 1), (3, 1)],
        "a2": [(1, 0), (2, 1), (2, 2), (1, 3)],
        "a3": [(2, 0), (3, 1), (3, 2), (2, 3)],
    }
    check_protocol(result.transcript)


DPCA_DIALOGUES = [
    """
    a1 and a2 would collide at (1, 1), time 1
    Opening stage
      a1: no earlier conflicts
      a2: no earlier conflicts
    Proposal stage
      a1: propose a1 > a2
      a2: propose a2 > a1
    Evaluation stage
      a1: new path {south, south, south}
      a2: new path {south east, east, north east}
      a2: vote(a1 > a2) = 3
      a1: vote(a1 > a2) = -3
      a2: new path {east, east, east}
      a1: new path {south east, south, south west}
      a1: vote(a2 > a1) = 0
      a2: vote(a2 > a1) = -3
      a1: no further proposals
      a2: no further proposals
    Closing stage
      a1: adopt a2 > a1
      a2: adopt a2 > a1
      a1: new path {south east, south, south west}
      a2: new path {east, east, east}
    """,
    """
    a1 and a3 would collide at (2, 2), time 2
    Opening stage
      a1: no earlier conflicts
      a3: no earlier conflicts
    Proposal stage
      a1: propose a1 > a3
      a3: propose a3 > a1
    Evaluation stage
      a1: new path {south east, south, south west}
      a3: new path {south east, east, north east}
      a3: vote(a1 > a3) = -3
      a1: vote(a1 > a3) = -3
      a3: new path {east, east, east}
      a1: new path {south west, south, south east}
      a1: vote(a3 > a1) = -3
      a3: vote(a3 > a1) = -3
      a1: no further proposals
      a3: no further proposals
    Closing stage
      a1: adopt a1 > a3
      a3: adopt a1 > a3
      a1: new path {south east, south, south west}
      a3: new path {south east, east, north east}
    """,
]


def test_dpca_has_the_dialogues_of_section_4_2_1():
    result = fed(ss.DPCA(**WEIGHTS))
    assert adopted(result.transcript) == [("a2", "a1"), ("a1", "a3")]
    assert len(result.transcript.topics) == 2
    for number, expected in enumerate(DPCA_DIALOGUES):
        assert result.transcript.text(number) == dedent(expected).strip()
    assert ss.validate(result.problem, result.plan)
    assert (result.plan.cost, result.plan.makespan) == (9, 3)
    check_protocol(result.transcript)


def test_in_a_dialogue_only_those_in_it_hear_and_its_outcome_is_told_to_the_rest():
    transcript = fed(ss.DPCA(**WEIGHTS)).transcript
    for said in transcript.dialogue(0):
        inside = {0, 1} - {said.speaker}
        told_outside = said.stage is Stage.CLOSING and said.act is Act.NEW_PATH
        assert set(said.hearers) == ({2} if told_outside else inside)


def test_the_cache_does_not_change_the_example():
    assert fed(ss.DPCA(**WEIGHTS, cache=False)).transcript == fed(ss.DPCA(**WEIGHTS)).transcript


def test_dpca_plus_talks_the_same_where_conflicts_are_of_two():
    plus = fed(ss.DPCAPlus(**WEIGHTS, partial_weight=1))
    assert plus.transcript == fed(ss.DPCA(**WEIGHTS)).transcript


WDPCA_DIALOGUES = [
    """
    a1 and a2 would collide at (1, 1), time 1
    Opening stage
      a1: no earlier conflicts
      a2: no earlier conflicts
    Proposal stage
      a1: propose a1 > a2
      a2: propose a2 > a1
    Evaluation stage
      a1: new path {south, south}
      a2: new path {south east, east}
      a2: vote(a1 > a2) = 3
      a1: vote(a1 > a2) = -3
      a2: new path {east, east}
      a1: new path {south east, south}
      a1: vote(a2 > a1) = 0
      a2: vote(a2 > a1) = -3
      a1: no further proposals
      a2: no further proposals
    Closing stage
      a1: adopt a2 > a1
      a2: adopt a2 > a1
      a1: new path {south east, south}
      a2: new path {east, east}
    """,
    """
    a1 and a3 would collide at (2, 2), time 2
    Opening stage
      a1: no earlier conflicts
      a3: no earlier conflicts
    Proposal stage
      a1: propose a1 > a3
      a3: propose a3 > a1
    Evaluation stage
      a1: new path {south east, south}
      a3: new path {south east, east}
      a3: vote(a1 > a3) = -3
      a1: vote(a1 > a3) = -3
      a3: new path {east, east}
      a1: new path {south west, south}
      a1: vote(a3 > a1) = -3
      a3: vote(a3 > a1) = -3
      a1: no further proposals
      a3: no further proposals
    Closing stage
      a1: adopt a1 > a3
      a3: adopt a1 > a3
      a1: new path {south east, south}
      a3: new path {south east, east}
    """,
]


def test_wdpca_2_has_the_dialogues_of_section_4_3_1_and_is_done_in_three_steps():
    """The speakers are corrected where the thesis misprints them; later windows count by their outcome."""
    problem = example()

    def planner(request):
        if request.time == 0:
            return thesis_path(problem, request.agent, request.superiors, steps=2)
        return session.core.find(request.agent, list(request.superiors), Budget().core)

    session = WDPCASession(problem, ss.WDPCA(window=2, planner=planner, **WEIGHTS))
    world = ss.World(problem, session)
    world.step()
    assert adopted(session.transcript) == [("a2", "a1"), ("a1", "a3")]
    for number, expected in enumerate(WDPCA_DIALOGUES):
        assert session.transcript.text(number) == dedent(expected).strip()
    while not world.done:
        world.step()
    assert world.time == 3
    assert ss.validate_trace(world.trace)
    check_protocol(session.transcript)


@pytest.mark.parametrize(
    "solver",
    [ss.PCA(), ss.DPCA(**WEIGHTS), ss.DPCAPlus(), ss.WDPCA(window=2, **WEIGHTS)],
    ids=lambda solver: solver.name,
)
def test_with_the_real_search_the_example_is_solved_as_cheaply(solver):
    result = ss.solve(example(), solver)
    assert ss.validate(result.problem, result.plan)
    assert (result.plan.cost, result.plan.makespan) == (9, 3)
    check_protocol(result.transcript)
