"""DPCA*, DPCA*+ and WDPCA* between agents: lock-steps with those in reach, as in `dialogue/steps.py`.

A step is over when all of them are done with it. When everybody in reach was ready in one step, the agent is
quiet.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping
from math import isfinite
from typing import TYPE_CHECKING, Any

import numpy as np

from ..dialogue.resolution import NOTHING_WORKS
from ..dialogue.steps import SETTLEMENTS, stays
from ..dialogue.utterance import Act, Stage, Topic
from ..model.agents import IDLE
from . import messages as m
from .floor import Floor, Verdict, Wanted, Words
from .knowledge import Knowledge, Vertices
from .link import Link
from .talk import NO_PATH, Talk

if TYPE_CHECKING:
    from .agent import Brief

ACTS = frozenset(Act)


class Arguing(Talk):
    """An agent that argues about orders.

    Args:
        brief: What it knows from the beginning.
        link: What it speaks through.
    """

    kinds = (m.Said, m.Done)

    def __init__(self, brief: Brief, link: Link) -> None:
        super().__init__(brief, link)
        self.knowledge = Knowledge(
            brief.space,
            brief.rules,
            brief.agent,
            brief.agents,
            cache=brief.protocol.cache,
            loop_free=brief.protocol.loop_free,
            firsts_keep=brief.protocol.cache,
        )
        self.window = 0
        self._forget_round()

    def _forget_round(self) -> None:
        self.quiet = False
        self.topic: Topic | None = None
        self._talk: Generator[Wanted, Words, Verdict] | None = None
        self._wanted: Wanted | None = None
        self._is_done = False
        self._dones: dict[int, dict[int, m.Done]] = {}  # by step and sender
        self._said: dict[tuple[int, tuple[int, ...]], dict[tuple[int, int], m.Said]] = {}
        self._answered: set[tuple[int, ...]] = set()  # in this step
        self._is_asked = False  # perhaps somebody waits for an answer

    def begin(self, tick: m.Tick, near: Mapping[int, int]) -> bool:
        """Plans alone and tells its path."""
        self._forget_round()
        self.near, self.place, self.window = near, tick.place, tick.window
        walls = [place for _, place in tick.dead if place != self.place]
        self.knowledge.begin(self.place, tick.goal, walls, window=tick.window, now=tick.tick)
        path = self.knowledge.find()
        if path is None and walls and not self.window:
            self.link.report("cut off")  # it makes room for those who are not
            self.knowledge.begin(self.place, IDLE, walls, window=0, now=tick.tick)
            path = self.knowledge.find()
        if path is None and self.window:
            path = self.knowledge.standing()
        if path is None:
            self._give_up(NO_PATH)
            return False
        self._finish_step(path)
        return True

    def path(self, agent: int) -> Vertices:
        """The path that an agent in reach has told, or its own."""
        return self.knowledge.path(agent)

    @property
    def vanishing(self) -> frozenset[int]:
        """Who is gone after the end of its path."""
        return self.knowledge.vanishing

    def hear(self, message: m.Message) -> None:
        """Takes in what another says in this round."""
        assert isinstance(message, m.Done | m.Said)
        if message.step > self.link.step + 1:
            return self.link.report(
                f"{message.sender} is in step {message.step}, which nobody can have begun"
            )
        self.link.acknowledge(message)
        if type(message) is m.Done and message.first and not message.path:
            return self.link.report(f"{message.sender} goes before all others on no path")
        if type(message) is m.Done:
            self._dones.setdefault(message.step, {}).setdefault(message.sender, message)
        elif type(message) is m.Said and self._makes_sense(message):
            self._is_asked |= message.turn == 0
            said = self._said.setdefault((message.step, message.topic[2]), {})
            said.setdefault((message.turn, message.sender), message)
        return self.go_on()

    def _makes_sense(self, message: m.Said) -> bool:
        agents = message.topic[2]
        if {self.me, message.sender} <= set(agents) <= {self.me, *self.near} and message.act in ACTS:
            return True
        self.link.report(f"{message.sender} speaks in a dialogue that it is not in")
        return False

    # Steps

    def go_on(self) -> None:
        """Whatever can be done now is done."""
        if self.quiet and self._is_behind():
            self.quiet = False
            self.link.withdraw(m.Quiet)
            self._begin_step()
        while not self.quiet and (self._answer() or self._open() or self._speak() or self._end_step()):
            pass

    def _is_behind(self) -> bool:
        """Has anybody in reach begun the next step?"""
        return max(self._dones, default=0) > self.link.step or any(
            key[0] > self.link.step for key in self._said
        )

    def _begin_step(self) -> None:
        """By what was told before this step: plan again, talk, or nothing."""
        self.link.step += 1
        self._is_done, self.topic, self._is_asked = False, None, True
        self._answered.clear()
        self._dones = {step: dones for step, dones in self._dones.items() if step >= self.link.step}
        self._said = {key: said for key, said in self._said.items() if key[0] >= self.link.step}
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
        dones = self._dones[self.link.step]
        if not self.near.keys() <= dones.keys():
            return False
        firsts = {}
        for sender, done in dones.items():
            if done.path and not self._believe(sender, done):
                return False
            if done.first:
                firsts[sender] = self.window > 0 and stays(done.path)
        self.knowledge.own.hear_firsts(firsts, self.near)
        if self.link.step and all(done.ready for done in dones.values()):
            self._be_quiet()
            return False
        self._begin_step()
        return True

    def _believe(self, sender: int, done: m.Done) -> bool:
        """Takes down a told path; one that is none on this map is as if it had not been told."""
        try:
            self.knowledge.hear(sender, done.path, stays=done.stays)
        except (ValueError, IndexError, OverflowError) as error:
            self.link.report(f"path of {sender}: {error}")
            del self._dones[self.link.step][sender]
            return False
        return True

    def _finish_step(self, path: Vertices = (), *, ready: bool = False, **more: Any) -> None:
        """Says that it is done with this step, and its new path, if it has one."""
        said: dict[str, Any] = {"ready": ready, "path": path, "stays": self.knowledge.stays, **more}
        self._dones.setdefault(self.link.step, {})[self.me] = self.link.send(m.Done, self.near, **said)
        self._is_done = True

    def _repair(self) -> None:
        """A superior has come in its way: it plans again and tells everybody."""
        path = self.knowledge.find()
        if path is None:
            return self._settle("has no path around those it has put above itself")
        if self.knowledge.own.goes_round(as_bytes(path)):
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
            if step == self.link.step and agents != mine and agents not in self._answered and asked:
                self._answered.add(agents)
                self._say(Topic(*asked[0].topic), 0, Stage.OPENING, Words(Act.HOLD))
                return True
        self._is_asked = False
        return False

    def _open(self) -> bool:
        """Has everybody in the conflict said whether it is first?"""
        if self.topic is None or self._talk is not None or self._is_done:
            return False
        said = self._said.get((self.link.step, self.topic.agents), {})
        acts = [one.act for (turn, _), one in said.items() if turn == 0]
        if len(acts) < len(self.topic.agents) - 1:
            return False  # also where one holds: the others could end the step before they are asked
        if Act.HOLD in acts:
            self._finish_step()
            return True
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
        said = self._said.get((self.link.step, self.topic.agents), {}).get((turn, speaker))
        if said is None:
            return False
        words = Words(Act(said.act), said.order, said.path, said.vote)
        if words.act not in acts or not self._is_sound(words):
            self.link.report(f"{speaker} says {said.act} where that cannot be said")
            del self._said[self.link.step, self.topic.agents][turn, speaker]
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


def as_bytes(path: Vertices) -> bytes:
    """A path, to compare it with others."""
    return np.array(path, dtype=np.int32).tobytes()
