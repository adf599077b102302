"""The transcript as the checker reads it: who had told what, who was above whom, what goes back to what."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from ...dialogue.utterance import NO_DIALOGUE, Act, Stage, Utterance
from ...model.agents import IDLE
from ..grounds import Grounds
from .record import Record
from .terrain import GONE, Terrain

Paths = dict[int, tuple[int, ...]]


class Clash(NamedTuple):
    """Where and when two told paths collide, dated by the end, counted from the beginning of the round."""

    time: int
    kind: str
    place: int


@dataclass(frozen=True)
class Telling:
    """One path that an agent told everybody."""

    utterance: int
    round: int
    agent: int
    path: tuple[int, ...]
    cause: str
    dialogue: int


class Told:
    """What is known after each utterance."""

    def __init__(self, grounds: Grounds, record: Record) -> None:
        assert grounds.transcript is not None
        self.transcript, self.record, self.windowed = grounds.transcript, record, grounds.windowed
        self.said = self.transcript.utterances
        self.tellings: dict[tuple[int, int], list[Telling]] = {}
        self.lines: dict[int, list[int]] = {}  # per dialogue the places of its utterances
        self._events: list[list[int]] = [[] for _ in self.transcript.rounds]
        self._begun: dict[tuple[int, int], int] = {}  # where each lock-step of a round begins
        for place, said in enumerate(self.said):
            self._begun.setdefault((said.round, said.step), place)
            if said.dialogue != NO_DIALOGUE:
                self.lines.setdefault(said.dialogue, []).append(place)
            if said.act in (Act.ADOPT, Act.GO_FIRST):
                self._events[said.round].append(place)
            if said.act is Act.NEW_PATH and said.stage in (Stage.EXCHANGE, Stage.CLOSING):
                known = self.tellings.setdefault((said.round, said.speaker), [])
                known.append(self._telling(place, said, bool(known)))
        self._closures: dict[int, frozenset[int]] = {}
        self._rows: dict[tuple[int, int], tuple[Any, list[int]]] = {}

    def _telling(self, place: int, said: Utterance, again: bool) -> Telling:
        before = self.said[place - 1] if place else None
        if said.stage is Stage.CLOSING:
            cause = "dialogue"
        elif not again:
            cause = "alone"
        elif before is not None and (before.act, before.speaker) == (Act.GO_FIRST, said.speaker):
            cause = "first"
        else:
            cause = "order"
        return Telling(place, said.round, said.speaker, said.path, cause, said.dialogue)

    # Rounds and paths

    def begin(self, number: int) -> int:
        """The time at which a round begins."""
        return self.transcript.rounds[number]

    def end(self, number: int) -> int:
        """The time up to which what was told in a round was done."""
        later = self.transcript.rounds[number + 1 :]
        return min(later[0] if later else self.record.last, self.record.last)

    def round_at(self, time: int) -> int | None:
        """The round in which the step from a time on was decided."""
        found = None
        for number, begin in enumerate(self.transcript.rounds):
            if begin <= time:
                found = number
        return found

    def stays(self, agent: int) -> bool:
        """Does it stay at the end of a told path?"""
        leaves = self.record.rules.at_goal == "disappear"
        return not self.windowed and (not leaves or self.record.goals(0)[agent] == IDLE)

    def place(self, telling: Telling, step: int) -> int:
        """Where a told path is after some steps."""
        if step < len(telling.path):
            return telling.path[step]
        return telling.path[-1] if self.stays(telling.agent) else GONE

    def last(self, number: int, agent: int, bound: int) -> Telling | None:
        """What the agent had told last before an utterance."""
        known = self.tellings.get((number, agent), [])
        nth = bisect_left(known, bound, key=lambda one: one.utterance)
        return known[nth - 1] if nth else None

    def entered(self, number: int, agent: int, step: int, bound: int) -> Telling | None:
        """The telling since which all that the agent told before an utterance had the same step."""
        known = self.tellings.get((number, agent), [])
        nth = bisect_left(known, bound, key=lambda one: one.utterance) - 1
        if nth < 0:
            return None
        made = self.place(known[nth], step), self.place(known[nth], step + 1)
        while nth and (self.place(known[nth - 1], step), self.place(known[nth - 1], step + 1)) == made:
            nth -= 1
        return known[nth]

    # Orders and dialogues

    def bound(self, place: int) -> int:
        """All before that was known when this was said; what one lock-step says is known in the next."""
        step = self.said[place].step
        return place if step == 0 else self._begun[self.said[place].round, step]

    def orders(self, number: int, bound: int) -> dict[tuple[int, int], int]:
        """Who is above whom before an utterance, and since which dialogue."""
        held: dict[tuple[int, int], int] = {}
        stand: set[int] = set()
        at_once: list[int] = []
        for place in self._events[number]:
            if place >= bound:
                break
            said = self.said[place]
            if at_once and (said.step == 0 or said.step != self.said[at_once[0]].step):
                held = self._put_first(held, at_once, stand)
                at_once = []
            if said.act is Act.GO_FIRST:
                at_once.append(place)
            else:
                held.update(dict.fromkeys(said.order, said.dialogue))
        return self._put_first(held, at_once, stand) if at_once else held

    def _put_first(
        self, held: dict[tuple[int, int], int], places: list[int], stand: set[int]
    ) -> dict[tuple[int, int], int]:
        """Those who go before all others at once: below who stands, and below lower numbers of theirs."""
        who = [self.said[place].speaker for place in places]
        held = {pair: since for pair, since in held.items() if pair[1] not in who}
        for place in places:
            if self.windowed and self.said[place].step and len(set(self.said[place + 1].path)) == 1:
                stand.add(self.said[place].speaker)

        def rank(agent: int) -> tuple[int, int]:
            return (0 if agent in stand else 1 if agent in who else 2), agent

        for place in places:
            one = self.said[place].speaker
            for other in self.said[place].hearers:
                pair = (one, other) if rank(one) < rank(other) else (other, one)
                held.pop(pair[::-1], None)
                held[pair] = NO_DIALOGUE
        return held

    def taken_up(self, dialogue: int) -> int:
        """The utterance before which paths count: where a dialogue goes on after all holds."""
        lines = self.lines[dialogue]
        on = next((place for place in lines if self.said[place].stage is not Stage.OPENING), lines[-1])
        return self.bound(on)

    def adopted(self, dialogue: int) -> tuple[tuple[int, int], ...] | None:
        """The order that was adopted in it; None if none was."""
        for place in self.lines.get(dialogue, []):
            if self.said[place].act is Act.ADOPT:
                return self.said[place].order
        return None

    def topic(self, dialogue: int) -> Clash | None:
        """The conflict that a dialogue is about, as the told paths show it when it is taken up."""
        time, _, agents = self.transcript.topics[dialogue]
        bound, number = self.taken_up(dialogue), self.said[self.lines[dialogue][0]].round
        told = [self.last(number, agent, bound) for agent in agents]
        if any(one is None for one in told):
            return None
        paths = [one for one in told if one is not None]
        here = {self.place(one, time) for one in paths}
        if len(here) == 1 and here != {GONE} and time:
            return Clash(time, "vertex", here.pop())
        moves = [(self.place(one, time), self.place(one, time + 1)) for one in paths[:2]]
        kind = self.ground(number).collision(moves[0], moves[1]) if len(paths) == 2 else ""
        if kind in ("", "vertex"):
            return None
        return Clash(time + 1, kind, moves[0][1] if moves[0][1] != GONE else moves[0][0])

    # Conflicts

    def ground(self, number: int) -> Terrain:
        """The terrain of a round."""
        return self.record.terrain(self.begin(number))

    def can_go_on(self, own: Telling, others: list[Telling]) -> bool:
        """Is there a path for an agent around the told paths of others?"""
        goal = int(self.record.goals(self.begin(own.round))[own.agent])
        steps = len(own.path) - 1 if self.windowed else None
        walks = [(one.path, self.stays(one.agent)) for one in others]
        home = None if goal == IDLE else goal
        return self.ground(own.round).reach(own.path[0], walks, steps=steps, home=home)

    def clashes(self, one: Telling, other: Telling) -> list[Clash]:
        """All collisions of two told paths."""
        stays = self.stays(one.agent), self.stays(other.agent)
        found = self.ground(one.round).conflicts(one.path, other.path, stays=stays)
        return [Clash(time, kind, self._where(one, other, time)) for time, kind in found]

    def _where(self, one: Telling, other: Telling, time: int) -> int:
        low = one if one.agent < other.agent else other
        there = self.place(low, time)
        return there if there != GONE else self.place(low, time - 1)

    def near(self, number: int, bound: int, path: tuple[int, ...], agent: int) -> list[Telling]:
        """Those whose told paths could collide with a path: a rough sieve over all of them at once."""
        rows, agents = self._told_rows(number, bound)
        rows = np.pad(rows, ((0, max(len(path) + 1 - len(rows), 0)), (0, 0)), mode="edge")
        own = np.full(len(rows) + 2, path[-1] if self.stays(agent) else -2, dtype=np.int64)
        own[: min(len(path), len(own))] = path[: len(own)]
        before, after = own[: len(rows) - 1, None], own[1 : len(rows), None]
        here, there = rows[:-1], rows[1:]
        touch = (there == after) | (here == after) | (there == before)
        if self.record.diagonal:
            touch |= self._middle(here, there) == self._middle(before, after)
        if self.record.lanes:
            touch[:] = True
        some = [agents[k] for k in np.flatnonzero(touch.any(axis=0)).tolist() if agents[k] != agent]
        return [told for one in some if (told := self.last(number, one, bound)) is not None]

    def _middle(self, here: Any, there: Any) -> Any:
        width = self.record.width
        return (here // width + there // width) * (4 * width) + here % width + there % width

    def _told_rows(self, number: int, bound: int) -> tuple[Any, list[int]]:
        if (number, bound) not in self._rows:
            told = [
                one
                for agent in range(len(self.transcript.names))
                if (one := self.last(number, agent, bound)) is not None
            ]
            last = max((len(one.path) for one in told), default=0) + 2
            rows = np.full((last, len(told)), -1, dtype=np.int64)
            for nth, one in enumerate(told):
                rows[: len(one.path), nth] = one.path
                if self.stays(one.agent):
                    rows[len(one.path) :, nth] = one.path[-1]
            if len(self._rows) > 64:
                self._rows.clear()
            self._rows[number, bound] = rows, [one.agent for one in told]
        return self._rows[number, bound]

    def in_the_way(self, telling: Telling) -> tuple[int, int, Clash] | None:
        """Who above an agent had come in its way: who, since which dialogue, and where."""
        bound = self.bound(telling.utterance)
        before = self.last(telling.round, telling.agent, bound)
        if before is None:
            return None
        found = []
        for (above, below), dialogue in self.orders(telling.round, bound).items():
            other = self.last(telling.round, above, bound) if below == telling.agent else None
            for clash in self.clashes(before, other) if other is not None else []:
                key = clash.time - (clash.kind != "vertex"), min(above, below), max(above, below)
                found.append((key, above, dialogue, clash))
        if not found:
            return None
        _, above, dialogue, clash = min(found)
        return above, dialogue, clash

    # What goes back to what

    def behind(self, telling: Telling) -> frozenset[int]:
        """All dialogues that a telling goes back to."""
        waiting, tellings = [telling], {telling.utterance}
        dialogues: set[int] = set()
        while waiting:
            one = waiting.pop()
            if one.utterance in self._closures:
                dialogues |= self._closures[one.utterance]
                continue
            for back in self._back_from(one, dialogues):
                if back.utterance not in tellings:
                    tellings.add(back.utterance)
                    waiting.append(back)
        self._closures[telling.utterance] = frozenset(dialogues)
        return self._closures[telling.utterance]

    def _back_from(self, one: Telling, dialogues: set[int]) -> Iterable[Telling]:
        """The tellings that made the collisions which a telling answers; dialogues on the way are noted."""
        match one.cause:
            case "dialogue":
                yield from self._basis(one.dialogue, dialogues)
            case "order":
                found = self.in_the_way(one)
                if found is not None:
                    above, dialogue, clash = found
                    for agent in (one.agent, above):
                        back = self.entered(one.round, agent, clash.time - 1, self.bound(one.utterance))
                        yield from () if back is None else (back,)
                    yield from self._basis(dialogue, dialogues)
            case "first":
                bound = min(self.bound(one.utterance), one.utterance - 1)
                for (_, below), dialogue in self.orders(one.round, bound).items():
                    if below == one.agent:
                        yield from self._basis(dialogue, dialogues)
                yield from self._basis(self._failed_before(one), dialogues)

    def _failed_before(self, one: Telling) -> int:
        """The dialogue without an order that ended right before the agent went first, if it was in one."""
        step = self.said[one.utterance].step
        places = range(self.bound(one.utterance), one.utterance) if step else (one.utterance - 2,)
        for place in places:
            said = self.said[place] if place >= 0 else None
            if said is None or said.dialogue == NO_DIALOGUE or said.round != one.round:
                continue
            failed = self.adopted(said.dialogue) is None and not (step and said.stage is Stage.OPENING)
            if failed and one.agent in self.transcript.topics[said.dialogue].agents:
                return said.dialogue
        return NO_DIALOGUE

    def _basis(self, dialogue: int, dialogues: set[int]) -> Iterable[Telling]:
        if dialogue == NO_DIALOGUE or dialogue in dialogues:
            return
        dialogues.add(dialogue)
        clash, bound = self.topic(dialogue), self.taken_up(dialogue)
        number = self.said[self.lines[dialogue][0]].round
        for agent in self.transcript.topics[dialogue].agents if clash is not None else ():
            back = self.entered(number, agent, clash.time - 1, bound) if clash is not None else None
            if back is not None:
                yield back

    def made(self) -> dict[int, Telling]:
        """The tellings with which steps entered that were made."""
        found: dict[int, Telling] = {}
        for number, agent in self.tellings:
            for step in range(self.end(number) - self.begin(number)):
                telling = self.entered(number, agent, step, len(self.said))
                if telling is not None:
                    found[telling.utterance] = telling
        return found
