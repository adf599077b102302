"""Messages of the right form that make no sense, at random: an agent ignores them, and does not break."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

import sidestep as ss
from sidestep import agents
from sidestep.agents import messages as m
from sidestep.agents.agent import Brief
from sidestep.agents.ground import Ground
from sidestep.agents.protocol import protocol_of
from tests.sizing import examples

PROBLEM = ss.Problem.from_text("""
    a . . A
    b . . B
    c . . C
""")
ALL = range(PROBLEM.n_agents)
STARTS = PROBLEM.starts.tolist()
ODD = (-1, 0, 1, 2, 3, 4, 5, 7, 11, 12, 13, 100, 2**31 - 1)
SOLVERS = {
    "dimpp": ss.DiMPP(),
    "dimpp again": ss.DiMPP(begin_once=False),
    "adpp": ss.ADPP(replan="always"),
    "dpca": ss.DPCA(schedule="steps"),
    "wdpca": ss.WDPCA(schedule="steps"),
    "dmrcp": ss.DMRCP(),
}


class Liar:
    """Says to one agent what may be right in parts."""

    def __init__(self, dice: Random, me: int) -> None:
        self.dice, self.me, self.number = dice, me, 0

    def perhaps(self, share: float) -> bool:
        return self.dice.random() < share

    def odd(self) -> int:
        return self.dice.choice(ODD)

    def path(self, agent: int) -> tuple[int, ...]:
        if agent in ALL and self.perhaps(0.6):
            return STARTS[agent], STARTS[agent] + 1
        return tuple(self.odd() for _ in range(self.dice.choice((0, 0, 1, 2, 5))))

    def place(self, agent: int) -> int:
        return STARTS[agent] if agent in ALL and self.perhaps(0.85) else self.odd()

    def some(self) -> list[int]:
        """Agents, all of which there are as a rule."""
        return self.dice.sample(ALL, self.dice.randrange(4)) if self.perhaps(0.9) else [self.odd()]

    def about(self, sender: int) -> dict[str, Any]:
        self.number += 1
        step = self.dice.choice((0, 0, 0, 1))
        head = {"run": "r", "incarnation": 0, "round": 0, "step": step, "sender": sender}
        return {**head, "number": self.number, "hearers": (self.me,)}

    def tick(self, **more: int) -> m.Tick:
        near = (
            tuple((agent, 0) for agent in ALL if agent != self.me)
            if self.perhaps(0.9)
            else ((self.odd(), 0),)
        )
        dead = ((self.odd(), self.odd()),) if self.perhaps(0.2) else ()
        goal = int(PROBLEM.goals[self.me]) if self.perhaps(0.9) else self.odd()
        where = {"place": self.place(self.me), "goal": goal, "near": near, "dead": dead}
        time = {"tick": 0, "begun": 0, "window": self.dice.choice((0, 4))}
        return m.Tick(**{**self.about(m.WORLD), "step": 0, **time, **where, **more})

    def lie(self) -> m.Message:
        sender = self.dice.choice([agent for agent in ALL if agent != self.me])
        about, some = self.about(sender), self.some()
        topic = self.odd(), self.odd(), tuple(self.some())
        kinds = {
            m.Token: lambda: {
                "places": tuple((agent, self.place(agent)) for agent in some),
                "paths": tuple(
                    (one, self.path(one), self.perhaps(0.5)) for one in self.dice.choice((some, []))
                ),
                "begun": tuple(self.some()),
            },
            m.Letter: lambda: {
                "place": self.place(sender),
                "path": self.path(sender),
                "stays": self.perhaps(0.5),
                "final": self.perhaps(0.5),
            },
            m.Done: lambda: {
                "ready": self.perhaps(0.5),
                "path": self.path(sender),
                "first": self.perhaps(0.3),
                "topic": topic if self.perhaps(0.5) else None,
                "turn": self.odd(),
                "stays": self.perhaps(0.5),
            },
            m.Said: lambda: {
                "topic": topic,
                "turn": self.odd(),
                "stage": "opening",
                "act": self.dice.choice(("propose", "vote", "inform", "shout")),
                "order": ((self.odd(), self.odd()),),
                "path": self.path(sender),
                "vote": self.dice.choice((None, 1.0, float("nan"))),
            },
            m.Stance: lambda: {
                "phase": self.dice.choice((0, 0, 1, 1, 2, 3, 100)),
                "place": self.place(sender),
                "standing": tuple(self.odd() for _ in range(5)),
                "target": self.dice.choice((-1, self.place(sender), self.odd())),
                "settled": self.perhaps(0.4),
                "asks": self.dice.choice((-1, self.me, self.odd())),
                "chain": tuple(self.some()),
                "way": self.path(sender),
                "cornered": self.perhaps(0.5),
                "rival": self.dice.choice(((), (self.odd(), 1, 2, 3), (1, 2))),
                "turned": self.dice.choice(((), (self.me, 1, 2, 3), (self.odd(),))),
                "final": self.perhaps(0.3),
            },
            m.Beat: lambda: {"tick": self.odd(), "index": self.odd()},
        }
        if self.perhaps(0.1):
            return self.tick(tick=self.dice.randrange(3), round=self.dice.randrange(2))
        if self.perhaps(0.05):
            return m.Go(**self.about(m.WORLD))
        kind = self.dice.choice(list(kinds))
        return kind(**about, **kinds[kind]())


@pytest.mark.parametrize("solver", SOLVERS)
def test_no_message_of_the_right_form_breaks_an_agent(solver: str) -> None:
    protocol = protocol_of(SOLVERS[solver], PROBLEM)
    for case in range(examples(2000)):
        dice = Random(case)
        me = dice.choice(ALL)
        brief = Brief("r", me, len(ALL), PROBLEM.space, PROBLEM.rules, protocol, reliable=dice.random() < 0.5)
        agent, liar = agents.Agent(brief), Liar(dice, me)
        agent.begin()
        agent.hear(liar.tick())
        for _ in range(dice.randrange(1, 8)):
            agent.hear(liar.lie())


@pytest.mark.parametrize("guard", [True, False])
@pytest.mark.parametrize("solver", ["dimpp", "wdpca"])
def test_no_move_that_an_agent_could_tell_breaks_the_world(solver: str, guard: bool) -> None:
    protocol = protocol_of(SOLVERS[solver], PROBLEM)
    for case in range(examples(600)):
        dice = Random(case)
        ground = Ground(
            PROBLEM, "r", protocol, limit=20, guard=guard, linger=2, absent=dice.choice(((), (1,)))
        )
        head = {"run": "r", "incarnation": 0, "number": 0, "hearers": (m.WORLD,)}
        for agent in ALL:
            ground.hear(m.Hello(**head, round=0, step=0, sender=agent))
        for _ in range(dice.randrange(1, 15)):
            about = {**head, "round": ground.round, "step": 0}
            for agent in ALL:
                ground.hear(m.Quiet(**about, sender=agent))
            agent = dice.choice(ALL)
            source = int(ground.rows[-1][agent])
            move = {"tick": ground.tick, "source": source, "target": dice.choice((source, source + 1, *ODD))}
            ground.hear(m.Move(**about, sender=agent, **move, waits_for=dice.choice(ODD)))
            ground.deadline(ground.tick)
        for row in ground.rows:
            assert all(-1 <= vertex < PROBLEM.space.n for vertex in row)
        assert all(other in ALL for other in ground.stood.values())
