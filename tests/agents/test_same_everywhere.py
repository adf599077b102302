"""Without faults the core and agents that know only what they were told say the same, word for word."""

from __future__ import annotations

import pytest

import sidestep as ss
from sidestep import agents
from sidestep.dialogue import check_protocol

from .problems import crowd

SOLVERS = [ss.DPCA(schedule="steps"), ss.DPCAPlus(schedule="steps"), ss.WDPCA(schedule="steps", widen=False)]


def compare(problem: ss.Problem, solver: object) -> agents.Run:
    result = ss.solve(problem, solver, time_limit=None)
    run = agents.run(problem, solver)
    assert run.result.transcript.data() == result.transcript.data()
    assert run.result.status == result.status
    assert result.plan is None or (run.moves.vertices == result.plan.vertices).all()
    assert not run.refusals
    assert not run.reports
    check_protocol(run.result.transcript)
    return run


@pytest.mark.parametrize("solver", SOLVERS, ids=lambda one: one.name)
def test_core_and_simulator_have_one_transcript(solver: object) -> None:
    assert sum(bool(compare(crowd(seed), solver)) for seed in range(12)) >= 8


@pytest.mark.slow
@pytest.mark.parametrize("solver", SOLVERS, ids=lambda one: one.name)
def test_core_and_simulator_have_one_transcript_on_500_problems(solver: object) -> None:
    assert sum(bool(compare(crowd(seed), solver)) for seed in range(500)) >= 400


@pytest.mark.parametrize("rules", [ss.Rules(following=False), ss.Rules(at_goal="disappear")])
def test_the_same_under_other_rules(rules: ss.Rules) -> None:
    for seed, solver in enumerate(SOLVERS):
        compare(crowd(seed, rules=rules), solver)


def test_widening_windows_are_the_same() -> None:
    for seed in range(4):
        compare(crowd(seed), ss.WDPCA(schedule="steps", window=2))


def test_the_same_on_a_graph() -> None:
    edges = [(0, 1), (1, 2), (2, 3), (3, 0), (0, 2), (1, 3), (3, 4), (4, 5)]
    problem = ss.Problem.from_agents(ss.Graph(6, edges), [ss.Agent(0, 5), ss.Agent(5, 0), ss.Agent(2, 4)])
    for solver in SOLVERS:
        compare(problem, solver)


@pytest.mark.parametrize("solver", SOLVERS, ids=lambda one: one.name)
def test_each_agent_alone_says_the_same_from_its_inbox(solver: object) -> None:
    for faults in (agents.Faults(), agents.Faults(loss=0.1, delay=10, duplicates=0.1)):
        run = agents.run(crowd(5), solver, faults=faults)
        for log in run.logs:
            assert log.replay() == [said for _, said in log.entries]


def test_messages_survive_the_wire() -> None:
    problem = crowd(3)
    plain, wired = agents.run(problem, "wdpca"), agents.run(problem, "wdpca", wire=True)
    assert plain.result.transcript == wired.result.transcript
    assert wired.result.stats["bytes"] > 10 * wired.result.stats["messages"]
