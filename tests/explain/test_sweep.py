"""Every claim of every answer about random runs is recomputed; every dialogue is cited or without effect."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random

import pytest

import sidestep as ss
from conftest import Sweep
from sidestep.explain import Inquiry

from .crowds import SOLVERS, asked, crowd

UNPROVED = ["not_found: nothing proves it"]


def confirm(result: ss.Result) -> Counter[str]:
    """Asks about everything; returns how many claims of each kind were recomputed."""
    inquiry, kinds = Inquiry(result), Counter[str]()
    if not result:
        answers = [inquiry.why()]
    else:
        answers = [inquiry.why(*step) for step in asked(result)]
        answers.append(inquiry.without_effect())
        cited = {number for answer in answers for number in answer.dialogues}
        idle = {claim.dialogue for claim in answers[-1].claims}
        answers += others(inquiry)
        assert not cited & idle
        assert cited | idle == {said.dialogue for said in result.transcript.utterances} - {-1}
    for answer in answers:
        kinds.update(claim.kind() for claim in answer.claims)
        kinds["answers"] += 1
        if not answer.verified:
            assert answer.faults() == UNPROVED, (answer.text, answer.faults())
            kinds["answers that say that nothing was found"] += 1
    return kinds


def others(inquiry: Inquiry) -> Iterator[ss.Answer]:
    """Why agents are not in some place, and why one went before another."""
    draw, problem = Random(inquiry.plan.cost), inquiry.plan.problem
    for _ in range(3):
        one, other = draw.sample(range(problem.n_agents), 2)
        time, place = draw.randint(0, inquiry.plan.makespan), draw.randrange(problem.space.n)
        yield inquiry.why_not(one, time, problem.space.place(place))
        yield inquiry.why_first(one, other, detail=True)


@pytest.mark.parametrize("solver", SOLVERS.values(), ids=SOLVERS)
def test_every_claim_recomputes(solver, sweep: Sweep):
    kinds = sum((confirm(ss.solve(crowd(seed), solver)) for seed in sweep(0.5, 6)), Counter[str]())
    assert kinds["chain"] > 10
    assert kinds["gave_way"] > 10


@pytest.mark.slow
@pytest.mark.parametrize("solver", SOLVERS.values(), ids=SOLVERS)
def test_every_claim_recomputes_on_two_hundred_problems(solver, capsys):
    kinds = sum(
        (confirm(ss.solve(crowd(seed), solver, time_limit=60)) for seed in range(200)), Counter[str]()
    )
    with capsys.disabled():
        claims = sum(count for kind, count in kinds.items() if " " not in kind and kind != "answers")
        print(f"\n{solver}: {claims} claims, 0 false; {dict(kinds.most_common())}")
