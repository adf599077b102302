"""Claims about what was said, recomputed from the transcript, the problem and the parameters."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from ...dialogue.utterance import NO_DIALOGUE, Act, Stage
from ...model.agents import IDLE
from .. import claims as said
from ..grounds import Grounds
from .arguments import Arguments
from .record import Record
from .terrain import FAR
from .told import Clash, Paths, Telling, Told


class TalkChecks:
    """One method per kind of claim; each yields what is wrong with it."""

    def __init__(self, grounds: Grounds, record: Record) -> None:
        self.grounds, self.record = grounds, record
        self.told = Told(grounds, record)
        self.arguments = Arguments(grounds, record)
        self._effective: set[int] | None = None

    # Steps and their tellings

    def _telling_of(self, agent: int, time: int) -> Telling | None:
        number = self.told.round_at(time)
        if number is None or time >= self.told.end(number):
            return None
        step = time - self.told.begin(number)
        telling = self.told.entered(number, agent, step, len(self.told.said))
        if telling is None:
            return None
        made = [self.told.place(telling, nth) for nth in (step, step + 1)]
        went = [self.record.at(agent, when) for when in (time, time + 1)]
        return telling if made == went else None

    def entered(self, claim: said.Entered) -> Iterator[str]:
        """The utterance, and why that path was told."""
        found = self._telling_of(claim.agent, claim.time)
        if found is None or found.utterance != claim.utterance:
            yield "the step did not enter the agent's path there"
        elif (found.cause, found.dialogue) != (claim.cause, claim.dialogue):
            yield "the agent told that path for another reason"

    def instead(self, claim: said.Instead) -> Iterator[str]:
        """The first path of the round is another after the step."""
        number = self.told.round_at(claim.time)
        known = [] if number is None else self.told.tellings.get((number, claim.agent), [])
        if not known or number is None:
            yield "the agent told nothing in this round"
            return
        after = claim.time - self.told.begin(number) + 1
        if known[0].cause != "alone" or self.told.place(known[0], after) != claim.alone:
            yield "alone it would have been elsewhere"
        if self.record.at(claim.agent, claim.time + 1) != claim.there or claim.alone == claim.there:
            yield "it does not go elsewhere than it would have alone"

    def gave_way(self, claim: said.GaveWay) -> Iterator[str]:
        """It was below the other, and what both had told before collides there, for the first time."""
        telling = self._told_at(claim.utterance, claim.agent)
        if telling is None:
            yield "the agent told no path there"
            return
        number = telling.round
        closing = telling.cause == "dialogue"
        bound = self.told.taken_up(telling.dialogue) if closing else self.told.bound(claim.utterance)
        orders = {} if closing else self.told.orders(number, bound)
        if closing:
            orders = dict.fromkeys(self.told.adopted(telling.dialogue) or (), telling.dialogue)
        if orders.get((claim.superior, claim.agent), None) != claim.dialogue:
            yield "the two have no such order"
        if closing and telling.dialogue != claim.dialogue:
            yield "the order is not of that dialogue"
        own, other = (self.told.last(number, one, bound) for one in (claim.agent, claim.superior))
        clashes = [] if own is None or other is None else self.told.clashes(own, other)
        begin = self.told.begin(number)
        there = Clash(claim.when - begin, claim.collision, claim.place)
        first = min(clashes, key=lambda one: one.time - (one.kind != "vertex"), default=None)
        if first != there:
            yield "their paths do not collide first there"

    def _told_at(self, utterance: int, agent: int) -> Telling | None:
        if not 0 <= utterance < len(self.told.said):
            return None
        number = self.told.said[utterance].round
        known = self.told.tellings.get((number, agent), [])
        return next((one for one in known if one.utterance == utterance), None)

    def went_first(self, claim: said.WentFirst) -> Iterator[str]:
        """It said so."""
        inside = 0 <= claim.utterance < len(self.told.said)
        spoken = self.told.said[claim.utterance] if inside else None
        if spoken is None or (spoken.act, spoken.speaker) != (Act.GO_FIRST, claim.agent):
            yield "the agent did not go before all others there"

    # Dialogues

    def _is_one(self, dialogue: int) -> bool:
        return dialogue in self.told.lines

    def topic(self, claim: said.Topic) -> Iterator[str]:
        """The told paths collide there when the dialogue is taken up."""
        if not self._is_one(claim.dialogue):
            yield "there is no such dialogue"
            return
        if self.told.transcript.topics[claim.dialogue].agents != claim.agents:
            yield "others are in this dialogue"
        begin = self.told.begin(self._round(claim.dialogue))
        clash = self.told.topic(claim.dialogue)
        if clash != Clash(claim.when - begin, claim.collision, claim.place):
            yield "it is about another conflict"

    def _round(self, dialogue: int) -> int:
        return self.told.said[self.told.lines[dialogue][0]].round

    def _tried(self, dialogue: int) -> dict[Any, tuple[int, Paths, dict[int, float], int | None]]:
        """Per proposal: who made it, the paths told for it, the votes, and who vetoed it."""
        found: dict[Any, tuple[int, Paths, dict[int, float], int | None]] = {}
        paths: Paths = {}
        voting = False
        for place in self.told.lines[dialogue]:
            one = self.told.said[place]
            if one.gives_up:
                continue
            if one.act is Act.PROPOSE:
                found[one.order] = one.speaker, {}, {}, None
            elif one.act is Act.NEW_PATH and one.stage is Stage.EVALUATION:
                paths = {one.speaker: one.path} if voting else {**paths, one.speaker: one.path}
                voting = False
            elif one.act is Act.VOTE:
                proposer, _, votes, _ = found[one.order]
                found[one.order] = proposer, paths, {**votes, one.speaker: one.vote or 0.0}, None
                voting = True
            elif one.act is Act.VETO:
                found[one.order] = found[one.order][0], paths, {}, one.speaker
                paths = {}
        return found

    def proposed(self, claim: said.Proposed) -> Iterator[str]:
        """Who proposed it, what it meant for everybody, how all voted."""
        tried = self._tried(claim.dialogue) if self._is_one(claim.dialogue) else {}
        if claim.order not in tried:
            yield "there was no such proposal"
            return
        proposer, paths, votes, vetoed_by = tried[claim.order]
        if proposer != claim.proposer:
            yield "another made this proposal"
        if vetoed_by != claim.vetoed_by:
            yield "it was not vetoed like this"
        if vetoed_by is not None:
            if claim.outcomes or claim.total is not None:
                yield "nobody votes on what was vetoed"
            because = self._vetoed(claim.dialogue, vetoed_by, claim.order, paths)
            if because != claim.because:
                yield "it was vetoed for another reason"
            if because == "voter" and self.grounds.weights is not None:
                yield "there was no need for the veto"
            return
        if claim.because:
            yield "nobody vetoed it"
        if [one.agent for one in claim.outcomes] != sorted(votes):
            yield "others voted"
        for outcome in claim.outcomes:
            yield from self._outcome(claim, outcome, paths, votes.get(outcome.agent))
        if claim.total != math.fsum(votes.values()):
            yield "the votes do not add up"

    def _outcome(
        self, claim: said.Proposed, outcome: said.Outcome, paths: Paths, vote: float | None
    ) -> Iterator[str]:
        number, bound, agent = self._round(claim.dialogue), self.told.taken_up(claim.dialogue), outcome.agent
        before = self.told.last(number, agent, bound)
        asked = agent not in self.told.transcript.topics[claim.dialogue].agents
        if before is None or (agent not in paths and not asked):
            yield "it told no path"
            return
        after = before.path if asked else paths[agent]
        steps = tuple(self._price(number, agent, path) for path in (before.path, after))
        conflicts = self._count(number, bound, agent, {}), self._count(number, bound, agent, paths)
        if steps != outcome.steps:
            yield "its ways are of other lengths"
        if conflicts != outcome.conflicts:
            yield "its conflicts are of another number"
        if vote != outcome.vote:
            yield "it voted otherwise"
        if self.grounds.weights is not None and vote is not None:
            length, conflict, partial = self.grounds.weights
            own = length * (steps[1] - steps[0]) + conflict * (conflicts[1] - conflicts[0])
            own += 0 if asked else partial * self._left_open(claim, agent, paths)
            if not math.isclose(own, vote, rel_tol=1e-9, abs_tol=1e-9):
                yield "the weights make another vote"

    def _price(self, number: int, agent: int, path: tuple[int, ...]) -> int:
        """The steps of a path that count, and what is left at its end."""
        goal = int(self.record.goals(self.told.begin(number))[agent])
        ground = self.told.ground(number)
        windowed = self.grounds.windowed
        lost = goal != IDLE and windowed and (not ground.fits[goal] or ground.to(goal)[path[0]] == FAR)
        idle = goal == IDLE or lost
        free = windowed or self.record.rules.cost == "time_off_goal"
        count = 0
        for here, there in pairwise(path):
            home = idle or (free and there == goal)
            count += not (here == there and home and ground.fits[there])
        return count if idle or not windowed else count + int(ground.to(goal)[path[-1]])

    def _count(self, number: int, bound: int, agent: int, paths: Paths) -> int:
        """The conflicts of an agent, if some tell other paths."""
        known = self.told.last(number, agent, bound)
        assert known is not None
        own = self._as_told(known, paths)
        others = [one for one in self.told.near(number, bound, own.path, agent) if one.agent not in paths]
        for one in paths:
            other = self.told.last(number, one, bound)
            if one != agent and other is not None:
                others.append(self._as_told(other, paths))
        return sum(len(self.told.clashes(own, other)) for other in others)

    def _as_told(self, known: Telling, paths: Paths) -> Telling:
        path = paths.get(known.agent, known.path)
        return Telling(known.utterance, known.round, known.agent, path, known.cause, known.dialogue)

    def _left_open(self, claim: said.Proposed, agent: int, paths: Paths) -> bool:
        """Does the agent still collide with somebody in the dialogue with whom it is in no order?"""
        number, bound = self._round(claim.dialogue), self.told.taken_up(claim.dialogue)
        ordered = {frozenset(pair) for pair in claim.order}
        for other in self.told.transcript.topics[claim.dialogue].agents:
            one, two = (self.told.last(number, who, bound) for who in (agent, other))
            if other == agent or frozenset((agent, other)) in ordered or one is None or two is None:
                continue
            if self.told.clashes(self._as_told(one, paths), self._as_told(two, paths)):
                return True
        return False

    def _vetoed(self, dialogue: int, agent: int, order: Any, paths: Paths) -> str:
        """Has the agent no path around those above it, or does the one it found collide with one of them?

        If neither, only its voter can have vetoed.
        """
        if agent not in self.told.transcript.topics[dialogue].agents:
            return "voter"
        number, bound = self._round(dialogue), self.told.taken_up(dialogue)
        above = {one for one, below in order if below == agent}
        held = {one for one, below in self.told.orders(number, bound) if below == agent}
        known = {one: told for one in above | held | {agent} if (told := self.told.last(number, one, bound))}
        own = known.pop(agent)
        others = [self._as_told(one, paths) for one in known.values()]
        if agent in paths:
            mine = self._as_told(own, paths)
            met = any(self.told.clashes(mine, one) for one in others if one.agent in above)
            return "conflict" if met else "voter"
        return "none" if self.told.can_go_on(own, others) else "path"

    def decided(self, claim: said.Decided) -> Iterator[str]:
        """The order, and what spoke for it."""
        if not self._is_one(claim.dialogue) or self.told.adopted(claim.dialogue) != claim.order:
            yield "another order was adopted, or none"
            return
        tried = self._tried(claim.dialogue)
        sums = {
            order: math.fsum(votes.values()) for order, (_, _, votes, veto) in tried.items() if veto is None
        }
        if self._reason(claim.order, tried, sums) != claim.by:
            yield "something else decided"
        if claim.weights is not None and claim.weights != self.grounds.weights:
            yield "the weights are others"
        number = self._round(claim.dialogue)
        lengths = {
            order: sum(self._price(number, agent, path) for agent, path in tried[order][1].items())
            for order in sums
        }
        others = [length for order, length in lengths.items() if order != claim.order]
        longer = max(lengths[claim.order] - min(others), 0) if others and claim.order in lengths else 0
        if longer != claim.longer:
            yield "the other proposals are not shorter by so much"

    def _reason(self, order: Any, tried: dict[Any, Any], sums: dict[Any, float]) -> str:
        if not tried:
            return "silence"
        best = [one for one, total in sums.items() if total == min(sums.values())]
        if order not in best:
            return ""
        if len(sums) == 1:
            return "veto" if len(tried) > 1 else "sum"
        if len(best) == 1:
            return "sum"
        lowest = min(tried[one][0] for one in best)
        mine = [one for one in best if tried[one][0] == lowest]
        if mine[0] != order:
            return ""
        return "number" if len(mine) < len(best) else "earlier"

    def undecided(self, claim: said.Undecided) -> Iterator[str]:
        """It has no order, for that reason."""
        known = self._is_one(claim.dialogue)
        if not known or self.told.adopted(claim.dialogue) is not None:
            yield "there is no dialogue without an order of that number"
            return
        if self.told.transcript.topics[claim.dialogue].agents != claim.agents:
            yield "others are in this dialogue"
        if self._why_undecided(claim.dialogue) != claim.why:
            yield "it came to no order for another reason"

    def _why_undecided(self, dialogue: int) -> str:
        tried = self._tried(dialogue)
        vetoes = [
            self._vetoed(dialogue, veto, order, paths)
            for order, (_, paths, _, veto) in tried.items()
            if veto is not None
        ]
        if not tried:
            return "on hold"
        if len(vetoes) < len(tried):
            return "interrupted"
        return "refused" if "voter" in vetoes else "vetoes"

    def argued(self, claim: said.Argued) -> Iterator[str]:
        """It was said so, with that vote or veto, and its number is right where that can be known."""
        inside = 0 <= claim.utterance < len(self.told.said)
        spoken = self.told.said[claim.utterance] if inside else None
        about = claim.dialogue, claim.agent, claim.order
        if spoken is None or (spoken.dialogue, spoken.speaker, spoken.order) != about:
            yield "the agent did not vote on this there"
            return
        given = [(one.kind, one.says, one.amount) for one in spoken.reasons]
        if (claim.argument, claim.says, claim.amount) not in given:
            yield "it did not give this reason"
            return
        paths = self._tried(claim.dialogue)[claim.order][1]
        number, bound = self._round(claim.dialogue), self.told.taken_up(claim.dialogue)
        known = self.told.last(number, claim.agent, bound)
        path = paths.get(claim.agent, () if known is None else known.path)
        if not self.arguments.holds(claim, path, self.told.begin(number)):
            yield "its reason is not so"

    def gave_up(self, claim: said.GaveUp) -> Iterator[str]:
        """All of them adopted it, after every order was vetoed."""
        lines = [self.told.said[place] for place in self.told.lines.get(claim.dialogue, [])]
        adopted = [one for one in lines if one.act is Act.ADOPT]
        if not adopted or any(veto is None for *_, veto in self._tried(claim.dialogue).values()):
            yield "no single actions were agreed on"
            return
        if tuple(sorted(one.speaker for one in adopted)) != tuple(sorted(claim.agents)):
            yield "others agreed on it"
        begin = self.told.begin(self._round(claim.dialogue))
        for one in adopted:
            given_up = [(*rest, begin + time + (rest[1] >= 0)) for *rest, time in one.gives_up]
            if given_up != list(claim.actions):
                yield "other things were given up"

    # What goes back to what

    def chain(self, claim: said.Chain) -> Iterator[str]:
        """All dialogues behind the step, and no others."""
        telling = self._telling_of(claim.agent, claim.time)
        if telling is None:
            yield "the agent never told this step"
            return
        behind = self.told.behind(telling)
        if len(set(claim.dialogues)) != len(claim.dialogues) or set(claim.dialogues) != behind:
            yield "the step goes back to other dialogues"
        first, *rest = claim.dialogues or (NO_DIALOGUE,)
        if telling.cause == "dialogue" and first != telling.dialogue:
            yield "it was agreed on in another dialogue"
        found = self.told.in_the_way(telling) if telling.cause == "order" else None
        if found is not None and found[1] not in (NO_DIALOGUE, first):
            yield "the order behind it is of another dialogue"
        if rest != sorted(rest):
            yield "the dialogues are not in order"

    def no_effect(self, claim: said.NoEffect) -> Iterator[str]:
        """No step goes back to it, for that reason."""
        if not self._is_one(claim.dialogue):
            yield "there is no such dialogue"
            return
        if self._effective is None:
            made = self.told.made().values()
            self._effective = {number for telling in made for number in self.told.behind(telling)}
        if claim.dialogue in self._effective:
            yield "steps go back to it"
        elif self._no_effect(claim.dialogue) != (claim.why, claim.by):
            yield "it is without effect for another reason"

    def _no_effect(self, dialogue: int) -> tuple[str, int]:
        if self.told.adopted(dialogue) is None:
            return "unfinished", -1
        number, bound = self._round(dialogue), self.told.taken_up(dialogue)
        last: Telling | None = None
        kept = changed = False
        for place in self.told.lines[dialogue]:
            agent = self.told.said[place].speaker
            new = self._told_at(place, agent)
            old = self.told.last(number, agent, bound)
            if new is None or old is None:
                continue
            for step in range(max(len(new.path), len(old.path))):
                made = self.told.place(new, step), self.told.place(new, step + 1)
                if made == (self.told.place(old, step), self.told.place(old, step + 1)):
                    continue
                changed = True
                gone = self._given_up(new, step, made)
                kept |= gone is None
                if gone is not None and (last is None or gone.utterance > last.utterance):
                    last = gone
        if not changed:
            return "unchanged", -1
        return ("forgotten", -1) if kept or last is None else ("superseded", last.dialogue)

    def _given_up(self, new: Telling, step: int, made: tuple[int, int]) -> Telling | None:
        """The telling with which a step was given up; None if it never was."""
        for later in self.told.tellings[new.round, new.agent]:
            then = self.told.place(later, step), self.told.place(later, step + 1)
            if later.utterance > new.utterance and then != made:
                return later
        return None

    # Runs that failed

    def order_ring(self, claim: said.OrderRing) -> Iterator[str]:
        """Each is above the next at the end."""
        orders = self.told.orders(len(self.told.transcript.rounds) - 1, len(self.told.said))
        agents = claim.agents
        if len(set(agents)) < 2 or len(claim.dialogues) != len(agents):
            yield "this is no circle"
            return
        for one, other, dialogue in zip(agents, agents[1:] + agents[:1], claim.dialogues, strict=True):
            if orders.get((one, other)) != dialogue:
                yield "the two have no such order"

    def returned(self, claim: said.Returned) -> Iterator[str]:
        """All told paths are the same after both."""
        if not 0 <= claim.earlier < claim.later < len(self.told.said):
            yield "there are no such utterances"
            return
        number = self.told.said[claim.later].round
        between = self.told.said[claim.earlier + 1 : claim.later + 1]
        if any(one.act in (Act.ADOPT, Act.GO_FIRST) or one.round != number for one in between):
            yield "an order was adopted in between"
        if not any(one.act is Act.NEW_PATH for one in between):
            yield "nothing was told in between"
        for agent in range(len(self.told.transcript.names)):
            one, two = (self.told.last(number, agent, at + 1) for at in (claim.earlier, claim.later))
            if (one and one.path) != (two and two.path):
                yield "the paths are others"
                return
