"""DMRCP between agents: nobody knows more than two cells far, and what they do is valid."""

from __future__ import annotations

import pytest

import sidestep as ss
from sidestep import agents
from sidestep.agents import messages as m
from sidestep.agents.room import REACH

from .problems import crowd

RULES = [
    ss.Rules(),
    ss.Rules(following=False),
    ss.Rules(at_goal="disappear"),
    ss.Rules(crossing=True),
    ss.Rules(following=False, at_goal="disappear"),
]


def free_of_faults(problem: ss.Problem) -> agents.Run:
    run = agents.run(problem, "dmrcp")
    assert not run.refusals
    assert not run.collisions
    assert not run.reports
    if run:
        assert ss.validate(problem, run.result.plan)
    return run


def test_runs_are_valid_and_nothing_is_refused() -> None:
    """About as many are solved as by the core, which lets agents speak in another order."""
    problems = [crowd(seed, rules=RULES[seed % 5]) for seed in range(40)]
    solved = sum(bool(free_of_faults(problem)) for problem in problems)
    assert solved >= 0.9 * sum(bool(ss.solve(problem, "dmrcp")) for problem in problems)


def test_only_those_within_two_cells_hear_what_an_agent_says() -> None:
    problem = crowd(8)
    run, width, said = free_of_faults(problem), problem.space.width, 0
    for log in run.logs:
        tick, near = -1, ()
        for heard, spoken in log.entries:
            if isinstance(heard, m.Tick):
                tick, near = heard.tick, tuple(other for other, _ in heard.near)
            for one in spoken:
                others = set(one.hearers) - {m.WORLD}
                assert others <= set(near)
                places = [divmod(int(run.moves.vertices[tick, agent]), width) for agent in others]
                row, col = divmod(int(run.moves.vertices[tick, log.brief.agent]), width) if others else (0, 0)
                assert all(max(abs(row - r), abs(col - c)) <= REACH for r, c in places)
                said += isinstance(one, m.Stance)
    assert said > 20


def test_who_is_asked_makes_room_and_comes_back() -> None:
    corridor = ss.Grid.from_text("# # . # #\n. . . . .")
    problem = ss.Problem(corridor, starts=[(1, 0), (1, 2)], goals=[(1, 4), (1, 2)], names=["a", "b"])
    run = free_of_faults(problem)
    assert run.moves.cells[:, 1].tolist() == [[1, 2], [1, 2], [0, 2], [1, 2], [1, 2]]


def test_who_is_cornered_turns_heads_with_who_asks() -> None:
    dead_end = ss.Grid.from_text("# # # . #\n. . . . .")
    problem = ss.Problem(dead_end, starts=[(1, 1), (1, 0)], goals=[(1, 0), (1, 4)], names=["a", "b"])
    run = free_of_faults(problem)
    assert run
    assert [0, 3] in run.moves.cells[:, 0].tolist()  # a lets b out, although it spoke first
    turned = [
        one for log in run.logs for _, said in log.entries for one in said if getattr(one, "turned", ())
    ]
    assert turned


def test_a_ring_of_agents_rotates() -> None:
    square = ss.Grid.from_text(". .\n. .")
    problem = ss.Problem(square, [(0, 0), (0, 1), (1, 1), (1, 0)], [(0, 1), (1, 1), (1, 0), (0, 0)])
    assert free_of_faults(problem).moves.makespan == 1


def test_who_cannot_reach_its_goal_makes_room() -> None:
    problem = ss.Problem.from_text("a b . B # A")
    run = free_of_faults(problem)
    assert not run
    assert run.moves.vertices[-1, 1] == problem.goals[1]


@pytest.mark.parametrize("first", [0, 1])
def test_higher_priorities_speak_first(first: int) -> None:
    cross = ss.Grid.from_text("# . #\n. . .\n# . #")
    goals = {0: ((0, 1), (2, 1)), 1: ((1, 0), (1, 2))}
    problem = ss.Problem.from_agents(
        cross, [ss.Agent(*goals[agent], priority=int(agent == first)) for agent in (0, 1)]
    )
    run = free_of_faults(problem)
    assert run.moves.vertices[1, first] == 4


def test_on_a_graph() -> None:
    star = ss.Graph(5, [(0, leaf) for leaf in range(1, 5)])
    assert free_of_faults(ss.Problem(star, [1, 2], [3, 4]))
