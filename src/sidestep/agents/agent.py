"""An agent as a state machine: messages and ticks in, messages out, and nothing else.

It knows its map, its goal, the paths it was told and the orders it accepted. A round begins with a tick of
the world: it plans alone and tells its path. Then it takes lock-steps with those in reach, as in
`dialogue/steps.py`: a step is over when all of them are done with it. When everybody in reach was ready in
one step it is quiet, and says so to the world, which lets those go who can meet when all of them are. Then
it walks (`walk.py`). Whatever it does depends on what it hears alone, so it can be run again from its inbox.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from math import isfinite
from typing import Any

import numpy as np

from ..dialogue.negotiation import SETTLEMENTS
from ..dialogue.resolution import NOTHING_WORKS
from ..dialogue.steps import stays
from ..dialogue.utterance import Act, Stage, Topic
from ..model.agents import IDLE
from ..model.rules import Rules
from ..model.space import Space
from . import messages as m
from .floor import Floor, Verdict, Wanted, Words
from .knowledge import Knowledge, Vertices
from .link import Link
from .protocol import Protocol
from .walk import Walk

MOST_EARLY = 10_000  # messages of rounds to come that are kept
NO_PATH = "has no path even without the others"
ACTS = frozenset(Act)


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
    """

    run: str
    agent: int
    agents: int
    space: Space
    rules: Rules
    protocol: Protocol
    reliable: bool = True
    incarnation: int = 0


class Agent:
    """One agent. `hear` is all that it does.

    Args:
        brief: What it knows from the beginning.
    """

    def __init__(self, brief: Brief) -> None:
        self.brief = brief
        self.me = brief.agent
        self.knowledge = Knowledge(
            brief.space,
            brief.rules,
            brief.agent,
            brief.agents,
            cache=brief.protocol.cache,
            loop_free=brief.protocol.loop_free,
            firsts_keep=brief.protocol.cache,
        )
        self.link = Link(brief.run, brief.agent, brief.incarnation, reliable=brief.reliable)
        self.tick = self.round = -1
        self.step = 0
        self.place = -1
        self.window = 0
        self.near: dict[int, int] = {}  # who is in reach in this round, with incarnations
        self.over = False
        self._forget_round()

    def _forget_round(self) -> None:
        self.walk: Walk | None = None
        self.granted = self.quiet = self.moved = False
        self.topic: Topic | None = None
        self._talk: Generator[Wanted, Words, Verdict] | None = None
        self._wanted: Wanted | None = None
        self._is_done = False
        self._dones: dict[int, dict[int, m.Done]] = {}  # by step and sender
        self._said: dict[tuple[int, tuple[int, ...]], dict[tuple[int, int], m.Said]] = {}
        self._answered: set[tuple[int, ...]] = set()  # in this step
        self._is_asked = False  # perhaps somebody waits for an answer
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
            elif type(message) is m.Done or type(message) is m.Beat or type(message) is m.Said:
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
        self._report(f"nonsense: {what}")
        return self.link.take()

    def _report(self, what: str) -> None:
        self.link.send(m.Report, (m.WORLD,), what=what[:200])

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
            case m.Tick() | m.Go() if message.sender == m.WORLD:
                self._hear_time(message)
            case m.Stop() if message.sender == m.WORLD:
                self.over = message.incarnation >= 0 or self.link.incarnation < 0
            case m.Fenced() if message.sender == m.WORLD:
                self._come_back(message)
            case _:
                self._report(f"{type(message).__name__} from {message.sender}")

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
        self._take_leave(message.round, message.granted if isinstance(message, m.Tick) else message.step)
        self._move_on()

    def _hear_agent(self, message: m.Said | m.Done | m.Beat) -> None:
        """A message of this round is heard, an earlier one is not, a later one is kept until then."""
        if message.round > self.round:
            if len(self.link.early) < MOST_EARLY:
                self.link.early.append(message)
            return None
        known = self.near.get(message.sender)
        if message.round < self.round or known != message.incarnation:
            return None
        if type(message) is m.Beat:
            self.link.acknowledge(message)
            index, tick = self._beats.get(message.sender, (0, -1))
            self._beats[message.sender] = max(index, message.index), max(tick, message.tick)
            return self._move_on()
        if message.step > self.step + 1:
            return self._report(f"{message.sender} is in step {message.step}, which nobody can have begun")
        self.link.acknowledge(message)
        if type(message) is m.Done:
            self._dones.setdefault(message.step, {}).setdefault(message.sender, message)
        elif type(message) is m.Said and self._makes_sense(message):
            self._is_asked |= message.turn == 0
            said = self._said.setdefault((message.step, message.topic[2]), {})
            said.setdefault((message.turn, message.sender), message)
        return self._go_on()

    def _makes_sense(self, message: m.Said) -> bool:
        agents = message.topic[2]
        if {self.me, message.sender} <= set(agents) <= {self.me, *self.near} and message.act in ACTS:
            return True
        self._report(f"{message.sender} speaks in a dialogue that it is not in")
        return False

    # Rounds and steps

    def _begin_round(self, tick: m.Tick) -> None:
        """Plans alone and tells its path."""
        self._forget_round()
        self.round, self.step = tick.round, 0
        self.near = {agent: incarnation for agent, incarnation in tick.near if agent != self.me}
        self.link.begin_round(tick.round)
        if self.place == -1:
            return None
        walls = [place for _, place in tick.dead if place != self.place]
        self.window = tick.window
        self.knowledge.begin(self.place, tick.goal, walls, window=tick.window, now=tick.tick)
        path = self.knowledge.find()
        if path is None and walls and not self.window:
            self._report("cut off")  # it makes room for those who are not
            self.knowledge.begin(self.place, IDLE, walls, window=0, now=tick.tick)
            path = self.knowledge.find()
        if path is None and self.window:
            path = self.knowledge.standing()
        if path is None:
            return self._give_up(NO_PATH)
        self._finish_step(path)
        early, self.link.early = self.link.early, []
        for message in early:
            assert isinstance(message, m.Said | m.Done | m.Beat)
            self._hear_agent(message)
        return self._go_on()

    def _go_on(self) -> None:
        """Whatever can be done now is done."""
        if self.quiet and self._is_behind():
            self.quiet = False
            self.link.withdraw(m.Quiet)
            self._begin_step()
        while not self.quiet and (self._answer() or self._open() or self._speak() or self._end_step()):
            pass

    def _is_behind(self) -> bool:
        """Has anybody in reach begun the next step?"""
        return max(self._dones, default=0) > self.step or any(key[0] > self.step for key in self._said)

    def _begin_step(self) -> None:
        """By what was told before this step: plan again, talk, or nothing."""
        self.step += 1
        self.link.step = self.step
        self._is_done, self.topic, self._is_asked = False, None, True
        self._answered.clear()
        self._dones = {step: dones for step, dones in self._dones.items() if step >= self.step}
        self._said = {key: said for key, said in self._said.items() if key[0] >= self.step}
        own, rows = self.knowledge.own, self.knowledge.rows()
        mine = [row for row in rows if self.me in row[2:4]]
        if own.must_repair(mine):
            return self._repair()
        pairs = self.brief.protocol.pairs
        self.topic = own.first_topic(mine if pairs else rows, pairs=pairs)
        if self.topic is None:
            return self._finish_step(ready=not mine)
        return self._say(self.topic, 0, Stage.OPENING, Words(Act.NO_EARLIER))

    def _end_step(self) -> bool:
        """Everybody in reach is done with this step: what they told holds from now on."""
        if not self._is_done:
            return False
        dones = self._dones[self.step]
        if not self.near.keys() <= dones.keys():
            return False
        firsts = {}
        for sender, done in dones.items():
            if done.path and not self._believe(sender, done):
                return False
            if done.first:
                firsts[sender] = self.window > 0 and stays(done.path)
        self.knowledge.own.hear_firsts(firsts, self.near)
        if self.step and all(done.ready for done in dones.values()):
            self.quiet = True
            self.link.send(m.Quiet, (m.WORLD,))
            self._take_leave(self.round, self._grant)
            return False
        self._begin_step()
        return True

    def _believe(self, sender: int, done: m.Done) -> bool:
        """Takes down a told path; one that is none on this map is as if it had not been told."""
        try:
            self.knowledge.hear(sender, done.path, stays=done.stays)
        except (ValueError, IndexError, OverflowError) as error:
            self._report(f"path of {sender}: {error}")
            del self._dones[self.step][sender]
            return False
        return True

    def _finish_step(self, path: Vertices = (), *, ready: bool = False, **more: Any) -> None:
        """Says that it is done with this step, and its new path, if it has one."""
        said: dict[str, Any] = {"ready": ready, "path": path, "stays": self.knowledge.stays, **more}
        self._dones.setdefault(self.step, {})[self.me] = self.link.send(m.Done, self.near, **said)
        self._is_done = True

    def _repair(self) -> None:
        """A superior has come in its way: it plans again and tells everybody."""
        path = self.knowledge.find()
        if path is None:
            return self._settle("has no path around those it has put above itself")
        if self.knowledge.own.goes_round(as_bytes(path), self.knowledge.above()):
            return self._settle("its orders lead back to the same paths again and again")
        return self._finish_step(path)

    def _settle(self, why: str) -> None:
        """Under its orders it cannot go on: it goes before all others, or, in a window, in the end stands."""
        own, window = self.knowledge.own, self.window
        stands = window and own.went_first > 0
        if not window and (not self.brief.protocol.settle_circles or own.went_first == SETTLEMENTS):
            return self._give_up(why)
        own.go_first()
        path = self.knowledge.standing() if stands else self.knowledge.find()
        if path is None and window:
            path = self.knowledge.standing()
        if path is None:
            return self._give_up(NO_PATH)
        return self._finish_step(path, first=True)

    def _give_up(self, why: str) -> None:
        self.link.send(m.Stuck, (m.WORLD,), why=why)

    # Dialogues

    def _say(self, topic: Topic, turn: int, stage: Stage, words: Words) -> None:
        others = tuple(agent for agent in topic.agents if agent != self.me)
        act, order, path, vote = words
        data = {"act": str(act), "order": order, "path": path, "vote": vote}
        self.link.send(m.Said, others, topic=tuple(topic), turn=turn, stage=str(stage), **data)

    def _answer(self) -> bool:
        """Somebody thinks that a conflict is first for both, but it is not: hold."""
        if not self._is_asked:
            return False
        mine = self.topic.agents if self.topic is not None else ()
        for (step, agents), said in self._said.items():
            asked = [one for (turn, _), one in said.items() if turn == 0 and one.act == Act.NO_EARLIER]
            if step == self.step and agents != mine and agents not in self._answered and asked:
                self._answered.add(agents)
                self._say(Topic(*asked[0].topic), 0, Stage.OPENING, Words(Act.HOLD))
                return True
        self._is_asked = False
        return False

    def _open(self) -> bool:
        """Has everybody in the conflict said whether it is first?"""
        if self.topic is None or self._talk is not None or self._is_done:
            return False
        said = self._said.get((self.step, self.topic.agents), {})
        acts = [one.act for (turn, _), one in said.items() if turn == 0]
        if Act.HOLD in acts:
            self._finish_step()
            return True
        if len(acts) < len(self.topic.agents) - 1:
            return False
        topic = self.topic
        floor = Floor(
            self.knowledge,
            topic,
            self.brief.protocol.weights,
            lambda turn, stage, words: self._say(topic, turn, stage, words),
        )
        self._talk = floor.run()
        self._advance(None)
        return True

    def _speak(self) -> bool:
        """Has somebody said what the dialogue waits for?"""
        if self._wanted is None or self.topic is None:
            return False
        turn, speaker, acts = self._wanted
        said = self._said.get((self.step, self.topic.agents), {}).get((turn, speaker))
        if said is None:
            return False
        words = Words(Act(said.act), said.order, said.path, said.vote)
        if words.act not in acts or not self._is_sound(words):
            self._report(f"{speaker} says {said.act} where that cannot be said")
            del self._said[self.step, self.topic.agents][turn, speaker]
            return False
        self._advance(words)
        return True

    def _is_sound(self, words: Words) -> bool:
        """Is what was said about those in the dialogue, and the path one on this map?"""
        assert self.topic is not None
        named = {agent for pair in words.order for agent in pair}
        if not named <= set(self.topic.agents):
            return False
        if words.act is Act.VOTE and (words.vote is None or not isfinite(words.vote)):
            return False
        return words.act is not Act.NEW_PATH or self.knowledge.is_path(words.path)

    def _advance(self, words: Words | None) -> None:
        """The dialogue goes on until it waits for somebody again, or is over."""
        assert self._talk is not None
        assert self.topic is not None
        try:
            self._wanted = next(self._talk) if words is None else self._talk.send(words)
        except StopIteration as end:
            verdict: Verdict = end.value
            topic, self._talk, self._wanted = self.topic, None, None
            if verdict.adopted is not None:
                place = topic.agents.index(self.me)
                self.knowledge.own.adopt(verdict.adopted.order)
                path = verdict.adopted.paths[self.me]
                self._finish_step(path, topic=tuple(topic), turn=verdict.turn + place)
            elif self.me == topic.agents[-1]:
                self._settle(NOTHING_WORKS)
            else:
                self._finish_step()

    # Walking

    def _take_leave(self, number: int, step: int) -> None:
        """The world lets it go, if this is the step in which it was quiet."""
        if number == self.round:
            self._grant = max(self._grant, step)
        if self.granted or not self.quiet or self._grant != self.step:
            return
        self.granted = True
        half = self.window // 2 if self.window else None
        others = {agent: self.knowledge.path(agent) for agent in self.near}
        following = self.brief.rules.following
        own, gone = self.knowledge.path(self.me), self.knowledge.vanishing
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


def as_bytes(path: Vertices) -> bytes:
    """A path, to compare it with others."""
    return np.array(path, dtype=np.int32).tobytes()
