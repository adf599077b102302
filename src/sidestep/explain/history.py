"""What agents had told each other: where a step comes from, which order forced it, what that goes back to.

A *telling* is a path that an agent told everybody. A step of a plan has entered its agent's told path with
one of them, and that was told for a reason: alone at the beginning of a round, as agreed in a dialogue,
because one above the agent had come in its way, or because the agent went before all others. The reason is a
conflict of paths, whose steps had entered those paths in turn, and so on back to the first. Conflicts,
lengths and numbers of conflicts are the core's own, found again from the paths that were told.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from itertools import groupby

import numpy as np

from .. import _core
from ..budget import Budget
from ..dialogue.utterance import NO_DIALOGUE, Act, Order, Stage, Utterance
from ..model.agents import IDLE
from ..model.errors import InputError
from .run import ABSENT, Run
from .talks import Conflict, Offer, Talk, Telling

_KINDS = {kind.value: kind.name for kind in _core.CollisionKind}


class History:
    """A transcript, sorted by what questions ask for."""

    def __init__(self, run: Run) -> None:
        transcript = run.grounds.transcript
        assert transcript is not None
        self.run, self.transcript, self.windowed = run, transcript, run.grounds.windowed
        self.said = transcript.utterances
        self.talks: dict[int, Talk] = {}
        self.tellings: list[dict[int, list[Telling]]] = [{} for _ in transcript.rounds]
        self._ranks: list[list[int]] = [[] for _ in transcript.rounds]  # utterances that change orders
        self._lines: dict[int, list[int]] = {}
        self._steps: dict[tuple[int, int], int] = {}  # per round and lock-step its first utterance
        for index, said in enumerate(self.said):
            self._steps.setdefault((said.round, said.step), index)
            if said.dialogue != NO_DIALOGUE:
                self._lines.setdefault(said.dialogue, []).append(index)
            if said.act in (Act.ADOPT, Act.GO_FIRST):
                self._ranks[said.round].append(index)
            elif said.act is Act.NEW_PATH and said.stage is not Stage.EVALUATION:
                self._note(index, said)
        for number, lines in self._lines.items():
            self.talks[number] = self._read(number, lines)
        self._behind: dict[int, frozenset[int]] = {}
        self._core: tuple[int, _core.ToldPaths] | None = None
        self._reasons: dict[int, tuple[int, int, Conflict] | None] = {}

    def _note(self, index: int, said: Utterance) -> None:
        told = self.tellings[said.round].setdefault(said.speaker, [])
        went_first = (
            index
            and self.said[index - 1].act is Act.GO_FIRST
            and self.said[index - 1].speaker == said.speaker
        )
        if said.dialogue != NO_DIALOGUE:
            cause = "dialogue"
        else:
            cause = "alone" if not told else "first" if went_first else "order"
        told.append(Telling(said, index, cause, told[-1] if told else None))

    def _read(self, number: int, lines: list[int]) -> Talk:
        """One dialogue, proposal by proposal."""
        spoken = [self.said[index] for index in lines]
        resumed = next((i for i in lines if self.said[i].stage is not Stage.OPENING), lines[-1])
        resumed = self.known_at(resumed)
        talk = Talk(number, spoken[0].round, self.transcript.topics[number], resumed, ended=lines[-1])
        offers: dict[Order, Offer] = {}
        paths: dict[int, tuple[int, ...]] = {}
        for index, one in zip(lines, spoken, strict=True):
            if one.gives_up:
                talk.gives_up = one.gives_up if one.act is Act.ADOPT else ()
            elif one.act is Act.PROPOSE:
                offers[one.order] = Offer(one.order, one.speaker)
            elif one.act is Act.NEW_PATH and one.stage is Stage.EVALUATION:
                paths[one.speaker] = one.path
            elif one.act is Act.VOTE:
                offer = offers[one.order]
                offer.votes[one.speaker], offer.said[one.speaker] = one.vote or 0.0, index
                offer.paths, paths = (paths or offer.paths), {}
            elif one.act is Act.VETO:
                offers[one.order].vetoed_by, offers[one.order].paths, paths = one.speaker, paths, {}
                offers[one.order].said = {one.speaker: index}
            elif one.act is Act.ADOPT:
                talk.adopted = one.order
        talk.offers = list(offers.values())
        return talk

    def require_same_run(self) -> None:
        """An InputError unless the transcript is about the run's agents, and they go as they said."""
        if self.transcript.names != self.run.names[: len(self.transcript.names)]:
            raise InputError("the transcript is not this plan's: its agents have other names")
        if self.transcript.space != self.run.space:
            raise InputError("the transcript is not this plan's: it is about another space")
        if not self.transcript.rounds:
            raise InputError("the transcript is not this plan's: nothing was said")
        for number, begin in enumerate(self.transcript.rounds):
            if self.run.grounds.trace is None and not self._is_kept(number, begin):
                raise InputError("the transcript is not this plan's: its agents went other ways")

    def _is_kept(self, number: int, begin: int) -> bool:
        begins = self.transcript.rounds
        end = begins[number + 1] if number + 1 < len(begins) else self.run.last
        if not self.run.first <= begin <= end <= self.run.last:
            return False
        for agent in range(len(self.run.names)):
            told = self.tellings[number].get(agent)
            if told is None and self.run.at(agent, begin) != ABSENT:
                return False
            if told is not None:
                went = [self.run.at(agent, time) for time in range(begin, end + 1)]
                if any(one != two for one, two in zip(told[-1].said.path, went, strict=False)):
                    return False
        return True

    # Where a step comes from

    def round_of(self, time: int) -> int | None:
        """The round that decided on the step from a time on; None if none did."""
        number = bisect_right(self.transcript.rounds, time) - 1
        return number if number >= 0 and time < self.ends(number) else None

    def ends(self, number: int) -> int:
        """The time until which agents went as they told in a round."""
        begins = self.transcript.rounds
        return min(begins[number + 1] if number + 1 < len(begins) else self.run.last, self.run.last)

    def entered(self, agent: int, time: int) -> Telling | None:
        """The telling with which a step that was made had entered; None if the agent never told it."""
        number = self.round_of(time)
        told = [] if number is None else self.tellings[number].get(agent, [])
        if not told or number is None:
            return None
        step = time - self.transcript.rounds[number]
        made = self.run.at(agent, time), self.run.at(agent, time + 1)
        if self._step(told[-1], step) != made:
            return None
        return self._since(told[-1], step)

    def alone(self, agent: int, time: int) -> int | None:
        """Where the agent would be after the step from a time on as it first told; None: it told nothing."""
        number = self.round_of(time)
        told = [] if number is None else self.tellings[number].get(agent, [])
        if not told or number is None or told[0].cause != "alone":
            return None
        return self._step(told[0], time - self.transcript.rounds[number])[1]

    def _since(self, telling: Telling, step: int) -> Telling:
        """The first of the tellings up to this one that have its step without a break."""
        made = self._step(telling, step)
        while telling.before is not None and self._step(telling.before, step) == made:
            telling = telling.before
        return telling

    def _step(self, telling: Telling, step: int) -> tuple[int, int]:
        path = telling.said.path
        rest = path[-1] if self._stays(telling.agent) else ABSENT
        here, there = (path[at] if at < len(path) else rest for at in (step, step + 1))
        return here, there

    def _stays(self, agent: int) -> bool:
        leaves = self.run.rules.at_goal == "disappear" and self.run.problem.goals[agent] != IDLE
        return not self.windowed and not leaves

    def told(self, number: int, agent: int, before: int) -> Telling | None:
        """What the agent had told last before an utterance."""
        known = self.tellings[number].get(agent, [])
        place = bisect_right(known, before - 1, key=lambda one: one.index)
        return known[place - 1] if place else None

    def known_at(self, index: int) -> int:
        """The utterance before which all was known to who made this one: of a lock-step the first."""
        said = self.said[index]
        return self._steps[said.round, said.step] if said.step else index

    # Orders and conflicts

    def orders(self, number: int, before: int) -> dict[tuple[int, int], int]:
        """The orders in force before an utterance, with the dialogues in which they were adopted."""
        held: dict[tuple[int, int], int] = {}
        standing: set[int] = set()
        told = [index for index in self._ranks[number] if index < before]
        for _, group in groupby(told, key=lambda index: self.said[index].step or -index):
            said = list(group)
            for one in (self.said[index] for index in said):
                if one.act is Act.ADOPT:
                    held |= dict.fromkeys(one.order, one.dialogue)
            if firsts := [index for index in said if self.said[index].act is Act.GO_FIRST]:
                self._go_first(held, standing, firsts)
        return held

    def _go_first(self, held: dict[tuple[int, int], int], standing: set[int], firsts: list[int]) -> None:
        """Some go before all others, in lock-steps at once: then who stands is above the rest, and of equals
        the lower number.
        """
        speakers = {self.said[index].speaker for index in firsts}
        for pair in [pair for pair in held if pair[1] in speakers]:
            del held[pair]
        if self.windowed and self.said[firsts[0]].step:
            paths = [(self.said[index].speaker, self.said[index + 1].path) for index in firsts]
            standing |= {speaker for speaker, path in paths if len(set(path)) == 1}
        for index in firsts:
            speaker = self.said[index].speaker
            for hearer in self.said[index].hearers:
                above, below = sorted(
                    (speaker, hearer), key=lambda one: (one not in standing, one not in speakers, one)
                )
                held.pop((below, above), None)
                held[above, below] = NO_DIALOGUE

    def core(self, number: int) -> _core.ToldPaths:
        """The agents of a round in the core, without a told path."""
        begin = self.transcript.rounds[number]
        if self._core is None or self._core[0] != number:
            window = 0
            if self.windowed:
                window = max(len(told[0].said.path) for told in self.tellings[number].values()) - 1
            self._core = number, self.run.told_paths(begin, window)
        paths = self._core[1]
        where = np.full(len(self.transcript.names), ABSENT, dtype=np.int32)
        for agent, told in self.tellings[number].items():
            where[agent] = told[0].said.path[0]
        paths.begin(np.pad(where, (0, len(self.run.names) - len(where)), constant_values=ABSENT))
        return paths

    def conflict(self, number: int, one: Telling, other: Telling) -> Conflict | None:
        """The first conflict of two told paths."""
        paths = self.core(number)
        for telling in (one, other):
            paths.tell(telling.agent, np.array(telling.said.path, dtype=np.int32))
        rows = paths.first_conflicts().tolist()
        if not rows:
            return None
        time, kind, low, _, _ = rows[0]
        return self._dated(number, time, _KINDS[kind], one if one.agent == low else other)

    def _dated(self, number: int, time: int, kind: str, low: Telling) -> Conflict:
        """A row of the core as it is told: dated by the end, where the lower numbered agent is then."""
        step = time - 1 if kind == "vertex" else time
        here, there = self._step(low, step)
        place = here if there == ABSENT else there
        return Conflict(step, place, self.transcript.rounds[number] + step + 1, kind)

    def about(self, number: int) -> Conflict | None:
        """The conflict that a dialogue is about."""
        talk = self.talks[number]
        told = [self.told(talk.round, agent, talk.resumed) for agent in talk.topic.agents]
        one, other = told[0], told[1]
        if one is None or other is None:
            return None
        time = talk.topic.time
        if time and self._step(one, time - 1)[1] == self._step(other, time - 1)[1]:
            return self._dated(talk.round, time, "vertex", one)
        found = self.conflict(talk.round, one, other)
        return found if found is not None and found.step == time and found.kind != "vertex" else None

    def reason(self, telling: Telling) -> tuple[int, int, Conflict] | None:
        """Whom a telling makes way for, since which dialogue, and where they would have collided."""
        if telling.index not in self._reasons:
            self._reasons[telling.index] = self._reason(telling)
        return self._reasons[telling.index]

    def _reason(self, telling: Telling) -> tuple[int, int, Conflict] | None:
        number, agent = telling.said.round, telling.agent
        if telling.cause == "dialogue":
            return self._reason_in(self.talks[telling.said.dialogue], agent)
        if telling.cause != "order" or telling.before is None:
            return None
        paths, known = self.core(number), self.known_at(telling.index)
        above = {pair[0]: since for pair, since in self.orders(number, known).items() if pair[1] == agent}
        for one in (agent, *above):
            if (told := self.told(number, one, known)) is not None:
                paths.tell(one, np.array(told.said.path, dtype=np.int32))
        for time, kind, one, two, _ in paths.first_conflicts().tolist():
            if agent in (one, two):
                superior = two if one == agent else one
                low = self.told(number, one, known)
                assert low is not None
                return superior, above[superior], self._dated(number, time, _KINDS[kind], low)
        return None

    def _reason_in(self, talk: Talk, agent: int) -> tuple[int, int, Conflict] | None:
        """In a dialogue: the lowest of those that it put above the agent, and their conflict before it."""
        above = sorted(one for one, below in talk.adopted or () if below == agent)
        own = self.told(talk.round, agent, talk.resumed)
        for superior in above:
            other = self.told(talk.round, superior, talk.resumed)
            if own is not None and other is not None:
                found = self.conflict(talk.round, own, other)
                if found is not None:
                    return superior, talk.number, found
        return None

    # What it goes back to

    def behind(self, telling: Telling) -> frozenset[int]:
        """The numbers of all dialogues that a telling goes back to."""
        if telling.index not in self._behind:
            seen: set[int] = set()
            found: set[int] = set()
            waiting = [telling]
            while waiting:
                one = waiting.pop()
                if one.index not in seen:
                    seen.add(one.index)
                    waiting.extend(self._origins(one, found))
            self._behind[telling.index] = frozenset(found)
        return self._behind[telling.index]

    def _origins(self, telling: Telling, found: set[int]) -> Iterator[Telling]:
        """The tellings whose steps made the conflict that this one answers."""
        number, known = telling.said.round, self.known_at(telling.index)
        if telling.cause == "dialogue":
            yield from self._basis(telling.said.dialogue, found)
        elif telling.cause == "order" and (reason := self.reason(telling)) is not None:
            superior, dialogue, conflict = reason
            for agent in (telling.agent, superior):
                told = self.told(number, agent, known)
                if told is not None:
                    yield self._since(told, conflict.step)
            yield from self._basis(dialogue, found)
        elif telling.cause == "first":
            orders = self.orders(number, min(known, telling.index - 1))
            for dialogue in sorted({since for pair, since in orders.items() if pair[1] == telling.agent}):
                yield from self._basis(dialogue, found)
            yield from self._basis(self.broken_off(telling), found)

    def broken_off(self, telling: Telling) -> int:
        """The dialogue that came to no order right before the agent went first; -1 if there is none."""
        if telling.said.step:
            return next((talk.number for talk in self.talks.values() if self._failed_in(talk, telling)), -1)
        said = self.said[telling.index - 2] if telling.index >= 2 else None
        if said is None or said.dialogue == NO_DIALOGUE or said.round != telling.said.round:
            return NO_DIALOGUE
        talk = self.talks[said.dialogue]
        return talk.number if talk.adopted is None and telling.agent in talk.topic.agents else NO_DIALOGUE

    def _failed_in(self, talk: Talk, telling: Telling) -> bool:
        """Did the dialogue come to no order in the lock-step of a telling of one of its agents?"""
        last, own = self.said[talk.ended], telling.said
        same = (last.round, last.step) == (own.round, own.step) and own.speaker in talk.topic.agents
        return same and talk.adopted is None and last.stage is not Stage.OPENING

    def _basis(self, dialogue: int, found: set[int]) -> Iterator[Telling]:
        """What made the conflict that a dialogue settled."""
        if dialogue == NO_DIALOGUE or dialogue in found:
            return
        found.add(dialogue)
        talk, conflict = self.talks[dialogue], self.about(dialogue)
        for agent in talk.topic.agents if conflict is not None else ():
            told = self.told(talk.round, agent, talk.resumed)
            if told is not None and conflict is not None:
                yield self._since(told, conflict.step)

    # What became of dialogues

    def in_effect(self) -> set[int]:
        """The dialogues that steps which were made go back to."""
        found: set[int] = set()
        for number, begin in enumerate(self.transcript.rounds):
            for told in self.tellings[number].values():
                origins = {
                    self._since(told[-1], time - begin).index: time
                    for time in range(begin, self.ends(number))
                }
                for time in origins.values():
                    found |= self.behind(self._since(told[-1], time - begin))
        return found

    def fate(self, number: int) -> tuple[str, int]:
        """Why a dialogue without effect has none, and which one took its place (-1: none)."""
        talk = self.talks[number]
        if talk.adopted is None:
            return "unfinished", -1
        lost: list[Telling] = []
        changed = False
        for agent in talk.topic.agents:
            told = self.tellings[talk.round][agent]
            own = next(place for place, one in enumerate(told) if one.said.dialogue == number)
            old, new = self.told(talk.round, agent, talk.resumed), told[own]
            assert old is not None
            for step in range(max(len(old.said.path), len(new.said.path))):
                made = self._step(new, step)
                if made != self._step(old, step):
                    changed = True
                    later = next((one for one in told[own + 1 :] if self._step(one, step) != made), None)
                    if later is None:
                        return "forgotten", -1
                    lost.append(later)
        if not changed:
            return "unchanged", -1
        return "superseded", max(lost, key=lambda one: one.index).said.dialogue

    # What proposals mean

    def lengths(self, talk: Talk, offer: Offer) -> dict[int, int]:
        """The steps of everybody in a dialogue under a proposal."""
        paths = self.core(talk.round)
        for agent, path in offer.paths.items():
            if self.windowed:
                paths.find(agent, [], Budget().core)  # notices a goal that cannot be reached
            paths.tell(agent, np.array(path, dtype=np.int32))
        return {agent: paths.cost(agent) for agent in offer.paths}

    def veto(self, talk: Talk, offer: Offer) -> str:
        """Why a proposal was vetoed: no path, a path in conflict with one above, or the agent's voter."""
        agent = offer.vetoed_by
        assert agent is not None
        if agent not in offer.paths:
            return "path" if agent in talk.topic.agents else "voter"
        paths = self.core(talk.round)
        above = {one for one, below in offer.order if below == agent}
        for one in {agent, *above}:
            told = self.told(talk.round, one, talk.resumed)
            path = offer.paths.get(one, () if told is None else told.said.path)
            if path:
                paths.tell(one, np.array(path, dtype=np.int32))
        met = any(paths.collide(agent, one) for one in above if len(paths.path(one)))
        return "conflict" if met else "voter"

    def outcomes(
        self, talk: Talk, offer: Offer
    ) -> Iterator[tuple[int, tuple[int, int], tuple[int, int], float]]:
        """Per agent its steps and its conflicts, before and under a proposal, and its vote."""
        paths = self.core(talk.round)
        for agent in self.tellings[talk.round]:
            if (told := self.told(talk.round, agent, talk.resumed)) is not None:
                paths.tell(agent, np.array(told.said.path, dtype=np.int32))
        agents = sorted(offer.votes)
        if self.windowed:
            for agent in agents:
                paths.find(agent, [], Budget().core)  # notices a goal that cannot be reached
        before = {agent: (paths.cost(agent), paths.count(agent)) for agent in agents}
        for agent, path in offer.paths.items():
            paths.tell(agent, np.array(path, dtype=np.int32))
        for agent in agents:
            cost, count = before[agent]
            yield agent, (cost, paths.cost(agent)), (count, paths.count(agent)), offer.votes[agent]
