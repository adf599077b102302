"""The world that ticks: who is dead, and who only had no time to answer."""

from __future__ import annotations

import sidestep as ss
from sidestep.agents import messages as m
from sidestep.agents.ground import Ground
from sidestep.agents.protocol import protocol_of

PROBLEM = ss.Problem.from_text("a . A\nb . B\nc . C")


def begun(patience: int) -> Ground:
    """A world in which all three have said hello."""
    ground = Ground(PROBLEM, "run", protocol_of("dpca", PROBLEM), limit=100, patience=patience)
    for agent in range(3):
        ground.hear(said(m.Hello, agent))
    assert ground.round == 0
    return ground


def said(kind: type[m.Message], agent: int, **fields: int) -> m.Message:
    hearers = (m.WORLD,)
    return kind(run="run", incarnation=0, round=0, step=0, sender=agent, number=0, hearers=hearers, **fields)


def test_who_is_silent_at_deadlines_is_dead() -> None:
    ground = begun(patience=2)
    for tick in (1, 2):
        ground.deadline(ground.tick)  # at the first all have just said hello
        for agent in (0, 1):
            ground.hear(said(m.Beat, agent, tick=tick, index=0))
        assert not ground.deaths
    ground.deadline(2)
    assert [(one.agent, one.tick, one.last_heard) for one in ground.deaths] == [(2, 3, 0)]


def test_a_tick_that_comes_early_makes_nobody_dead() -> None:
    """One process is seen to end: the next round begins at once, before the others heard of the last tick."""
    ground = begun(patience=1)
    ground.deadline(0)
    ground.bury(0, 0)
    assert ground.tick == 2
    assert [one.agent for one in ground.deaths] == [0]
    for agent in (1, 2):
        ground.hear(said(m.Beat, agent, tick=2, index=0))
    ground.deadline(2)
    assert [one.agent for one in ground.deaths] == [0]


def test_ticks_in_which_agents_only_talked_do_not_shorten_the_walk() -> None:
    """A window of 8 is walked for 4 ticks from when somebody could go, however long the talk took."""
    ground = Ground(PROBLEM, "run", protocol_of("wdpca", PROBLEM, window=8), limit=100, patience=100)
    for agent in range(3):
        ground.hear(said(m.Hello, agent))
    for _ in range(6):
        ground.deadline(ground.tick)
    for agent in range(3):
        ground.hear(said(m.Quiet, agent))
    rounds = []
    while not ground.round:
        ground.deadline(ground.tick)
        rounds.append(ground.round)
    assert rounds == [0, 0, 0, 1]


def test_a_round_waits_for_those_who_still_talk_elsewhere() -> None:
    """An agent that is alone may go at once; a pair out of its sight that talks for longer walks as far."""
    problem = ss.Problem.from_text("a . A . . . . . b c B C")
    ground = Ground(problem, "run", protocol_of("dmrcp", problem), limit=100, patience=100)
    for agent in range(3):
        ground.hear(said(m.Hello, agent))
    ground.hear(said(m.Quiet, 0))
    for _ in range(3):
        ground.deadline(ground.tick)
        ground.hear(said(m.Move, 0, tick=ground.tick, source=0, target=0, waits_for=-1))
    assert ground.round == 0, "the pair has not gone yet"
    for agent in (1, 2):
        ground.hear(said(m.Quiet, agent))
    ground.deadline(ground.tick)
    assert ground.round == 1


def test_a_round_does_not_wait_for_ever_for_those_who_talk() -> None:
    problem = ss.Problem.from_text("a . A . . . . . b c B C")
    ground = Ground(problem, "run", protocol_of("dmrcp", problem), limit=100, patience=100)
    for agent in range(3):
        ground.hear(said(m.Hello, agent))
    ground.hear(said(m.Quiet, 0))
    for _ in range(4):
        assert ground.round == 0
        ground.deadline(ground.tick)
    assert ground.round == 1
