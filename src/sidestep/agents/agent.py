"""An agent as a state machine: messages and ticks in, messages out, and nothing else.

It knows its map, its goal, and what it was told. A round begins with a tick of the world: it talks with those
in reach, in the way of its protocol (`talk.py`), until it knows a path of each and none of them collide. Then
it is quiet, and says so to the world, which lets those go who can meet when all of them are. Then it walks
(`walk.py`). Whatever it does depends on what it hears alone, so it can be run again from its inbox.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..model.rules import Rules
from ..model.space import Space
from . import messages as m
from .link import Link
from .protocol import Protocol
from .walk import Walk

MOST_EARLY = 10_000  # messages of rounds to come that are kept


@dataclass(frozen=True)
class Brief:
    """What an agent is told before it begins: nothing of the others but how many there may be.

    Attributes:
        run: the name of the run.
        agent: its number.
        agents: how many there may be.
        space: the map.
        rules: what collides.
        protocol: how it plans and talks.
        reliable: messages that are sent arrive, so nobody acknowledges them.
        incarnation: how many were in its place before.
        priority: its own.
    """

    run: str
    agent: int
    agents: int
    space: Space
    rules: Rules
    protocol: Protocol
    reliable: bool = True
    incarnation: int = 0
    priority: int = 0


class Agent:
    """One agent. `hear` is all that it does.

    Args:
        brief: What it knows from the beginning.
    """

    def __init__(self, brief: Brief) -> None:
        self.brief = brief
        self.me = brief.agent
        self.link = Link(brief.run, brief.agent, brief.incarnation, reliable=brief.reliable)
        self.talk = brief.protocol.talk(brief, self.link)
        self.tick = self.round = -1
        self.place = -1
        self.window = 0
        self.near: dict[int, int] = {}  # who is in reach in this round, with incarnations
        self.over = False
        self._forget_round()

    def _forget_round(self) -> None:
        self.walk: Walk | None = None
        self.granted = self.moved = self.talk.quiet = False
        self._grant = -1
        self._beats: dict[int, tuple[int, int]] = {}  # how far others have come, and at which tick

    # Hearing

    def begin(self) -> list[m.Message]:
        """Says hello to the world.

        Returns:
            Messages to send.
        """
        self.link.send(m.Hello, (m.WORLD,))
        return self.link.take()

    def hear(self, message: m.Message) -> list[m.Message]:
        """Takes in one message or tick.

        Args:
            message: Whatever arrived.

        Returns:
            What the agent says thereupon: messages to send, in this order.
        """
        if message.run == self.brief.run and self.me in message.hearers and not self.over:
            if self.link.incarnation < 0 and not isinstance(message, m.Fenced | m.Stop | m.Timeout):
                return []  # it has no place yet, and this is for who is still in it
            if type(message) is m.Ack:
                self.link.hear_ack(message)
            elif type(message) is m.Beat or type(message) in self.talk.kinds:
                self._hear_agent(message)
            elif type(message) is m.Timeout:
                self.link.repeat()
            else:
                self._hear_world(message)
        return self.link.take()

    def hear_nonsense(self, what: str) -> list[m.Message]:
        """Takes in what was no message, and says so to the world.

        Args:
            what: What was wrong with it.

        Returns:
            Messages to send.
        """
        self.link.report(f"nonsense: {what}")
        return self.link.take()

    def _come_back(self, message: m.Fenced) -> None:
        """It was taken for dead: as somebody else it begins anew, unless another has taken its place."""
        if message.incarnation < self.link.incarnation:
            return
        if message.incarnation > self.link.incarnation and self.tick >= 0:
            self.over = True
            return
        new = 2 if self.link.incarnation < 0 else 1  # a newcomer and one who comes back are not the same
        self.link.begin_incarnation(message.incarnation + new)
        self.tick = self.round = -1
        self._forget_round()
        self.link.send(m.Hello, (m.WORLD,))

    def _hear_world(self, message: m.Message) -> None:
        """What only the world says; from anybody else it is odd."""
        match message:
            case m.Tick() if message.sender == m.WORLD and not self._makes_sense(message):
                self.link.report("a tick that names places or agents which are not there")
            case m.Tick() | m.Go() if message.sender == m.WORLD:
                self._hear_time(message)
            case m.Stop() if message.sender == m.WORLD:
                self.over = message.incarnation >= 0 or self.link.incarnation < 0
            case m.Fenced() if message.sender == m.WORLD:
                self._come_back(message)
            case _:
                self.link.report(f"{type(message).__name__} from {message.sender}")

    def _makes_sense(self, tick: m.Tick) -> bool:
        """Are all places on the map, and are there such agents?"""
        places = [place for _, place in tick.dead] + [one for one in (tick.place, tick.goal) if one != -1]
        others = [agent for agent, _ in (*tick.near, *tick.dead)]
        return all(0 <= place < self.brief.space.n for place in places) and all(
            0 <= agent < self.brief.agents for agent in others
        )

    def _hear_time(self, message: m.Tick | m.Go) -> None:
        if isinstance(message, m.Tick):
            if message.tick <= self.tick:
                return
            self.tick, self.place, self.moved = message.tick, message.place, False
            self.link.begin_tick()
            if message.round > self.round:
                self._begin_round(message)
            elif self.walk is not None:
                self.walk.at(message.place)
            index = 0 if self.walk is None else self.walk.index
            self.link.send(m.Beat, (*self.near, m.WORLD), tick=self.tick, index=index)
        if message.round == self.round:
            granted = message.granted if isinstance(message, m.Tick) else message.step
            self._grant = max(self._grant, granted)
        self._take_leave()
        self._move_on()

    def _hear_agent(self, message: m.Message) -> None:
        """A message of this round is heard, an earlier one is not, a later one is kept until then."""
        if message.round > self.round:
            if len(self.link.early) < MOST_EARLY:
                self.link.early.append(message)
        elif message.round == self.round and self.near.get(message.sender) == message.incarnation:
            if type(message) is m.Beat:
                self._hear_beat(message)
            else:
                self.talk.hear(message)
                self._take_leave()

    def _hear_beat(self, message: m.Beat) -> None:
        self.link.acknowledge(message)
        index, tick = self._beats.get(message.sender, (0, -1))
        self._beats[message.sender] = max(index, message.index), max(tick, message.tick)
        self._move_on()

    def _begin_round(self, tick: m.Tick) -> None:
        """Talks with those in reach, some of whom may have begun already."""
        self._forget_round()
        self.round, self.window = tick.round, tick.window
        is_gone = self.place == -1  # then it hears nobody
        self.near = {} if is_gone else {agent: one for agent, one in tick.near if agent != self.me}
        self.link.begin_round(tick.round)
        if is_gone or not self.talk.begin(tick, self.near):
            return
        early, self.link.early = self.link.early, []
        for message in early:
            self._hear_agent(message)
        self.talk.go_on()
        self._take_leave()

    # Walking

    def _take_leave(self) -> None:
        """The world lets it go, if this is the step in which it was quiet."""
        if self.granted or not self.talk.quiet or self._grant != self.link.step:
            return
        self.granted = True
        self.link.withdraw(m.Quiet)
        half = self.window // 2 if self.window else None
        others = {agent: self.talk.path(agent) for agent in self.near}
        following = self.brief.rules.following
        own, gone = self.talk.path(self.me), self.talk.vanishing
        self.walk = Walk(own, others, half, following, gone, heard=self._beats)
        self._move_on()

    def _move_on(self) -> None:
        """Proposes its next move for this tick, once; it stands if others have to go before it."""
        walk = self.walk
        if walk is None or self.moved or self.place == -1:
            return
        target, waits_for = self.place, -1
        if not walk.is_over:
            before = walk.waits_for(self.brief.space)
            if any(self._beats.get(agent, (0, -1))[1] < self.tick for agent in before):
                return  # where they are now is not known yet
            if before:
                waits_for = before[0]
            else:
                walk.tried = True
                target = walk.path[walk.index + 1]
        self.moved = True
        where = {"source": self.place, "target": target, "waits_for": waits_for}
        self.link.send(m.Move, (m.WORLD,), tick=self.tick, **where)
