"""Dialogues in lock-steps, an order that needs no centre: what is said in a step is acted on in the next.

In a step, on the paths told before it, an agent that collides with a superior plans around all its superiors
and tells. All others take their first conflict without an order; if it is first for all in it, and none of
them has to plan again, they talk, otherwise they hold. So dialogues that have nothing to do with each other
are held at once. `OwnOrders` is what one agent knows and decides by, whether all of them share a process or
each has its own; `Steps` runs all of them on one blackboard.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Literal

from .. import _core
from ..model.arrays import IntArray
from .negotiation import PATIENCE, VERTEX, Negotiation, OutOfBudget, Resolver, rows_in_time
from .resolution import NOTHING_WORKS, ByDialogue
from .transcript import Transcript
from .utterance import Order, Topic

Schedule = Literal["one", "steps"]  # the earliest conflict of all first, or lock-steps
CIRCLE = 3  # repairs of one agent to the same path since its last order: its orders go round in a circle
SETTLEMENTS = 6  # times that an agent may go before all others in a round; where many do at once, more often
Row = Sequence[int]  # a conflict: time, kind, agent, agent, place


@dataclass
class OwnOrders:
    """What one agent knows of orders in a round: its own, who stands, and how often it had to plan again.

    Attributes:
        agent: whose they are.
        superiors: whom it plans around.
        inferiors: who plans around it.
        standing: who stays where it is for the round, of all in reach.
        went_first: how often this agent has gone before all others.
    """

    agent: int
    superiors: set[int] = field(default_factory=set)
    inferiors: set[int] = field(default_factory=set)
    standing: set[int] = field(default_factory=set)
    went_first: int = 0
    _repairs: Counter[bytes] = field(default_factory=Counter)

    def must_repair(self, rows: Iterable[Row]) -> bool:
        """Does it collide with a superior?"""
        return any(self._other(row) in self.superiors for row in rows)

    def first_topic(self, rows: Iterable[Row], *, pairs: bool) -> Topic | None:
        """Its first conflict without an order, by time, lowest and next agent.

        `rows` are all conflicts that it knows of. Unless `pairs`, all that would be in one place talk.
        """
        known = list(rows)
        open_ones = [row for row in known if self.agent in row[2:4] and not self._has_order(row)]
        if not open_ones:
            return None
        time, kind, one, other, place = min(open_ones, key=lambda row: (row[0], row[2], row[3]))
        if pairs or kind != VERTEX:
            return Topic(time, place, (one, other))
        met = {a for row in known if (row[0], row[1], row[4]) == (time, VERTEX, place) for a in row[2:4]}
        return Topic(time, place, tuple(sorted(met)))

    def adopt(self, order: Order) -> None:
        """An order of a dialogue; an agent that gets one begins anew to look for circles."""
        self.superiors |= {above for above, below in order if below == self.agent}
        self.inferiors |= {below for above, below in order if above == self.agent}
        self._repairs.clear()

    def goes_round(self, path: bytes) -> bool:
        """It plans again, to this path: has that led nowhere before?

        Only its own path counts. In a crowd there is always somebody above it that has just told another one,
        so that theirs are hardly ever as they were, though it comes back to the same few again and again.
        """
        self._repairs[path] += 1
        return self._repairs[path] >= CIRCLE or self._repairs.total() >= PATIENCE

    def go_first(self) -> None:
        """From now on it plans around nobody but those who stand."""
        self.went_first += 1
        self.superiors = set(self.standing)
        self._repairs.clear()

    def hear_firsts(self, firsts: dict[int, bool], reach: Collection[int]) -> None:
        """These went before all others in one step; true: and stand.

        Each is above all that hear it. Of two in one step the lower number is, and who stands is above
        all who do not.
        """
        heard = {one: stands for one, stands in firsts.items() if one == self.agent or one in reach}
        self.standing |= {one for one, stands in heard.items() if stands}
        if self.agent in heard:
            self.inferiors = set(reach) - self.superiors
        for one in heard:
            if one == self.agent:
                continue
            above, below = self.superiors, self.inferiors
            if self._rank(one, heard) > self._rank(self.agent, heard):
                above, below = below, above
            above.add(one)
            below.discard(one)

    def _rank(self, agent: int, firsts: dict[int, bool]) -> tuple[int, int]:
        return (0 if agent in self.standing else 1 if agent in firsts else 2), agent

    def _other(self, row: Row) -> int:
        return row[3] if row[2] == self.agent else row[2]

    def _has_order(self, row: Row) -> bool:
        other = self._other(row)
        return other in self.superiors or other in self.inferiors


def stays(path: Sequence[int] | IntArray) -> bool:
    """Does a path never leave its first place?"""
    return bool(path[0] == max(path) == min(path))


class Numbers:
    """Dialogues by number: who were on hold go on in the same one."""

    def __init__(self, transcript: Transcript) -> None:
        self._transcript = transcript
        self._held: dict[tuple[int, ...], int] = {}

    def of(self, topic: Topic, *, held: bool) -> int:
        """The number of a dialogue that is opened in this step, to be held or not."""
        number = self._held.pop(topic.agents, None)
        if number is None:
            number = self._transcript.begin_dialogue(topic)
        self._transcript.topics[number] = topic  # it may have moved while it was on hold
        if held:
            self._held[topic.agents] = number
        return number


class Steps:
    """All agents of a round in lock-steps, on one blackboard."""

    def __init__(self, talks: Negotiation, resolver: ByDialogue, *, window: bool) -> None:
        self.talks, self.resolver, self.window = talks, resolver, window
        self.own = [OwnOrders(agent) for agent in range(talks.agents)]
        self.numbers = Numbers(talks.transcript)
        self.step = 0
        self._told: dict[int, IntArray] = {}
        self._firsts: dict[int, bool] = {}
        self._impasse: tuple[int, str] | None = None

    def run(self) -> None:
        """Until no told paths collide; what is said is taken down step by step."""
        self.talks.take_down(0)
        while rows := list(rows_in_time(self.talks.told_paths.first_conflicts(), self.talks.budget)):
            if self.talks.budget.exhausted:
                raise OutOfBudget
            self.step += 1
            try:
                self._take(rows)
            finally:
                self.talks.take_down(self.step)

    def _take(self, rows: Sequence[Row]) -> None:
        """One step: everybody decides by what was told before it."""
        mine: dict[int, list[Row]] = {}
        for row in rows:
            for agent in row[2:4]:
                mine.setdefault(agent, []).append(row)
        repairing = [agent for agent in sorted(mine) if self.own[agent].must_repair(mine[agent])]
        known = mine if self.resolver.pairs else dict.fromkeys(mine, rows)
        wishes = {
            agent: self.own[agent].first_topic(known[agent], pairs=self.resolver.pairs)
            for agent in mine
            if agent not in repairing
        }
        self._told, self._firsts, self._impasse = {}, {}, None
        stuck = self._hold_dialogues(wishes)
        for agent in sorted(repairing + stuck):
            if agent in stuck:
                self._settle(agent, NOTHING_WORKS)
            else:
                self._repair(agent)
        if self._impasse is not None:
            self.talks.impasse(self._impasse[:1], self._impasse[1])
        for agent, path in self._told.items():
            self.talks.told_paths.tell(agent, path)
        self._hear_firsts()

    def _hold_dialogues(self, wishes: dict[int, Topic | None]) -> list[int]:
        """All dialogues of a step; returns those that cannot go on, since none of their orders works."""
        stuck = []
        for topic in sorted({topic for topic in wishes.values() if topic is not None}):
            held = any(wishes.get(agent) != topic for agent in topic.agents)
            number = self.numbers.of(topic, held=held)
            if held:
                self._put_on_hold(number, topic, wishes)
            elif not self._talk(number, topic):
                stuck.append(topic.agents[-1])
        return stuck

    def _put_on_hold(self, number: int, topic: Topic, wishes: dict[int, Topic | None]) -> None:
        for agent in topic.agents:
            act = _core.Act.no_earlier if wishes.get(agent) == topic else _core.Act.hold
            others = [other for other in topic.agents if other != agent]
            self.talks.channel.core.say(number, _core.Stage.opening, agent, others, act)

    def _talk(self, number: int, topic: Topic) -> bool:
        """A dialogue, whose paths are seen in the next step; False if nothing works."""
        told = self.talks.told_paths
        before = {agent: told.path(agent) for agent in topic.agents}
        if not self.resolver.debate(self.talks, number, topic.agents):
            return False
        order = tuple(
            (above, agent)
            for agent in topic.agents
            for above in self.talks.core.superiors(agent)
            if above not in self.own[agent].superiors
        )
        for agent, path in before.items():
            self._told[agent] = told.path(agent)
            self.own[agent].adopt(order)
            told.tell(agent, path)
        return True

    def _repair(self, agent: int) -> None:
        """A superior has come in its way: it plans again and tells everybody."""
        path = self.talks.path_below(agent)
        if path is None:
            why = f"{self.talks.name(agent)} has no path around those it has put above itself"
            return self._settle(agent, why)
        if self.own[agent].goes_round(path.tobytes()) and self.talks.manners.end_circles:
            return self._settle(agent, "its orders lead back to the same paths again and again")
        self.talks.replans += 1
        return self._announce(agent, path)

    def _announce(self, agent: int, path: IntArray) -> None:
        self._told[agent] = path
        self.talks.channel.core.announce(agent, path)

    def _settle(self, agent: int, why: str) -> None:
        """Under its orders it cannot go on: it goes before all others, or, in a window, in the end stands."""
        own, told = self.own[agent], self.talks.told_paths
        stands = self.window and own.went_first > 0
        if stands:
            self.talks.note_standing(agent, why)
        elif not self.window and (not self.talks.manners.settle_circles or own.went_first == SETTLEMENTS):
            self._impasse = self._impasse or (agent, why)  # the others end this step first
            return None
        own.go_first()
        self.talks.core.set_superiors(agent, sorted(own.superiors))
        path = told.standing(agent) if stands else self.talks.path_below(agent)
        if path is None:
            self.talks.no_path_alone(agent)
            path = told.standing(agent)
        self.talks.channel.core.go_first(agent)
        self._firsts[agent] = self.window and stays(path)
        return self._announce(agent, path)

    def _hear_firsts(self) -> None:
        for agent, own in enumerate(self.own):
            if self._firsts:
                own.hear_firsts(self._firsts, self.talks.channel.audience(agent))
                self.talks.core.set_superiors(agent, sorted(own.superiors))


def resolve_by(schedule: Schedule, talks: Negotiation, resolver: Resolver, *, window: bool) -> None:
    """Resolves all conflicts of a round: the earliest of all first, or in lock-steps."""
    if schedule == "one":
        talks.resolve_with(resolver)
        return
    assert isinstance(resolver, ByDialogue)
    Steps(talks, resolver, window=window).run()
