"""Orders that go round in a circle are settled: who cannot go on under them goes before all others."""

from __future__ import annotations

import pytest

import sidestep as ss
from sidestep.dialogue import Act, check_protocol
from sidestep.explain import Inquiry
from sidestep.instances import random_grid, random_problem


def crowd(seed: int) -> ss.Problem:
    grid = ss.Grid(random_grid(16, 16, 0.2, seed).passable, 8)
    return random_problem(grid, 45, seed)


@pytest.mark.parametrize("solver", [ss.PCA, ss.DPCA, ss.DPCAPlus])
def test_crowds_whose_orders_go_round_in_a_circle_are_solved(solver: type[ss.PCA]) -> None:
    crowds = [crowd(seed) for seed in range(6)]
    as_it_was = [ss.solve(problem, solver(settle_circles=False)) for problem in crowds]
    settled = [ss.solve(problem, solver()) for problem in crowds]
    assert any("again and again" in result.reason for result in as_it_was)
    assert all(settled)
    for before, after in zip(as_it_was, settled, strict=True):
        assert after.transcript is not None
        firsts = sum(said.act is Act.GO_FIRST for said in after.transcript.utterances)
        assert bool(firsts) != bool(before)  # nothing is settled where there is no circle
        check_protocol(after.transcript)


def test_who_goes_first_is_below_nobody_and_above_all_hearers() -> None:
    result = next(
        result
        for seed in range(6)
        if (result := ss.solve(crowd(seed), "dpca"))
        and "go before all others" in str(result.transcript.data())
    )
    for moment in result.transcript.replay():
        said = moment.utterance
        if said.act is Act.GO_FIRST:
            assert len(said.hearers) == 44
            assert {(said.speaker, other) for other in said.hearers} <= moment.orders
            assert not [one for one, below in moment.orders if below == said.speaker]


def test_why_says_who_went_first() -> None:
    problem = crowd(
        next(seed for seed in range(6) if not ss.solve(crowd(seed), ss.DPCA(settle_circles=False)))
    )
    result = ss.solve(problem, "dpca")
    assert result
    firsts = {said.speaker for said in result.transcript.utterances if said.act is Act.GO_FIRST}
    names = {problem.names[agent] for agent in firsts}
    inquiry = Inquiry(result)
    lines = (
        line
        for agent in sorted(firsts)
        for time in range(result.plan.makespan)
        for line in inquiry.why(agent, time).text.splitlines()
    )
    told = next(line for line in lines if "it went before all others" in line)
    assert told.split("agreed ")[1].split()[0] in names


def test_lock_steps_settle_circles_in_a_crowd_of_150() -> None:
    """All of the paths above an agent in a circle are hardly ever as they were: once this had no end."""
    problem = random_problem(random_grid(32, 32, 0.2, 1, connectivity=8), 150, 1)
    result = ss.solve(problem, ss.DPCA(schedule="steps"), time_limit=None, node_limit=5_000_000)
    assert result
    assert result.stats["replans"] < 10_000  # 53,089 without an end
