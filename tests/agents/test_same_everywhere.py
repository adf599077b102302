"""Without faults the core and agents that know only what they were told say the same, word for word."""

from __future__ import annotations

from collections import deque
from itertools import cycle, product

import pytest

import sidestep as ss
from sidestep import agents
from sidestep.agents import messages as m
from sidestep.budget import Budget
from sidestep.dialogue import check_protocol
from sidestep.solvers.dimpp import Ring
from sidestep.solvers.solver import by_rank

from .problems import crowd

SOLVERS = [ss.DPCA(schedule="steps"), ss.DPCAPlus(schedule="steps"), ss.WDPCA(schedule="steps", widen=False)]


RANKED = [ss.DiMPP(), ss.DiMPP(shortcuts=False, begin_once=False), ss.ADPP(replan="always")]
RULES = [
    ss.Rules(),
    ss.Rules(following=False),
    ss.Rules(at_goal="disappear"),
    ss.Rules(following=False, at_goal="disappear"),
]


def compare(problem: ss.Problem, solver: object) -> agents.Run:
    run, result = compare_moves(problem, solver)
    assert run.result.transcript.data() == result.transcript.data()
    check_protocol(run.result.transcript)
    return run


def compare_moves(problem: ss.Problem, solver: object) -> tuple[agents.Run, ss.Result]:
    result = ss.solve(problem, solver, time_limit=None)
    run = agents.run(problem, solver)
    assert run.result.status == result.status
    assert result.plan is None or (run.moves.vertices == result.plan.vertices).all()
    assert not run.refusals
    assert not run.reports
    return run, result


class Watched(Ring):
    """A ring that keeps every token that is passed on: its paths, and who has begun one."""

    def receive(self, agent: int) -> bool:
        passed_on = super().receive(agent)
        if passed_on:
            paths = {one: tuple(path.tolist()) for one, path in self.token.paths.items()}
            self.tokens = [*getattr(self, "tokens", []), (paths, set(self.token.begun))]
        return passed_on


def tokens_of(problem: ss.Problem, run: agents.Run) -> list[tuple[dict[int, tuple[int, ...]], set[int]]]:
    """What went round among agents, in the order of the ring, without the way that collects places."""
    said = [deque(one for _, all_ in log.entries for one in all_ if type(one) is m.Token) for log in run.logs]
    found = []
    for agent in cycle(by_rank(problem)):
        if not said[agent]:
            return found
        token = said[agent].popleft()
        if token.begun:
            found.append(({one: path for one, path, _ in token.paths}, set(token.begun)))
    raise AssertionError("a ring has agents")


@pytest.mark.parametrize("solver", SOLVERS, ids=lambda one: one.name)
def test_core_and_simulator_have_one_transcript(solver: object) -> None:
    assert sum(bool(compare(crowd(seed), solver)) for seed in range(12)) >= 8


@pytest.mark.slow
@pytest.mark.parametrize("solver", SOLVERS, ids=lambda one: one.name)
def test_core_and_simulator_have_one_transcript_on_500_problems(solver: object) -> None:
    assert sum(bool(compare(crowd(seed), solver)) for seed in range(500)) >= 400


def test_a_ring_of_agents_has_the_tokens_of_the_core() -> None:
    """Once everybody is in it, the token goes on to those who have not seen that yet."""
    begun = 0
    for seed, rules in product((0, 6, 7, 26, 53, 98), RULES):
        problem, solver = crowd(seed, rules=rules), RANKED[begun % 2]
        ring = Watched(problem, Budget(), solver)
        ring.run()
        run, result = compare_moves(problem, solver)
        tokens = tokens_of(problem, run)
        assert tokens[: len(ring.tokens)] == ring.tokens
        if result:
            assert len(tokens) == len(ring.tokens) + problem.n_agents - 2
            assert all(one == ring.tokens[-1] for one in tokens[len(ring.tokens) :])
        else:
            assert run.result.reason.replace(":", "", 1) == result.reason
        begun += len(ring.token.begun) > 1
    assert begun >= 12  # of 24: tokens that were emptied


def test_agents_that_always_plan_again_end_with_the_paths_of_the_core() -> None:
    solved = 0
    for seed in range(24):
        _, result = compare_moves(crowd(seed, rules=RULES[seed % 4]), RANKED[2])
        solved += bool(result)
    assert solved >= 16


@pytest.mark.slow
@pytest.mark.parametrize("solver", RANKED, ids=["dimpp", "dimpp as printed", "adpp"])
def test_the_same_paths_on_500_problems(solver: object) -> None:
    solved = sum(bool(compare_moves(crowd(seed, rules=RULES[seed % 4]), solver)[1]) for seed in range(500))
    assert solved >= 300


def test_an_agent_alone_needs_nobody() -> None:
    for solver in (*SOLVERS, *RANKED, ss.DMRCP()):
        assert agents.run(ss.Problem.from_text("a . A"), solver).moves.vertices.tolist() == [[0], [1], [2]]


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
    for solver in RANKED:
        compare_moves(problem, solver)


@pytest.mark.parametrize("solver", [*SOLVERS, *RANKED[1:], ss.DMRCP()], ids=lambda one: one.name)
def test_each_agent_alone_says_the_same_from_its_inbox(solver: object) -> None:
    for faults in (agents.Faults(), agents.Faults(loss=0.1, delay=10, duplicates=0.1)):
        run = agents.run(crowd(5), solver, faults=faults)
        for log in run.logs:
            assert log.replay() == [said for _, said in log.entries]


def test_messages_survive_the_wire() -> None:
    problem = crowd(3)
    plain, wired = agents.run(problem, "wdpca"), agents.run(problem, "wdpca", wire=True)
    assert plain.result.transcript == wired.result.transcript
    assert "bytes" not in plain.result.stats
    assert wired.result.stats["bytes"] > 10 * wired.result.stats["messages"]
