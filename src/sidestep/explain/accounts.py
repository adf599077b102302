"""What dialogues have to do with a step, as claims."""

from __future__ import annotations

import math
from collections.abc import Iterator

from ..dialogue.utterance import NO_DIALOGUE, Action
from .claim import Claim
from .claims import (
    Argued,
    Chain,
    Decided,
    Entered,
    GaveUp,
    GaveWay,
    NoEffect,
    Outcome,
    Proposed,
    Topic,
    Undecided,
    WentFirst,
)
from .history import History
from .talks import Offer, Talk, Telling


class Accounts:
    """Claims about the dialogues of one run."""

    def __init__(self, history: History) -> None:
        self.history = history
        self.weights = history.run.grounds.weights
        self._accounts: dict[tuple[int, bool], list[Claim]] = {}

    def behind(self, agent: int, time: int) -> list[Claim]:
        """Where a step comes from: the telling, the order, the dialogue and all that it goes back to."""
        telling = self.history.entered(agent, time)
        if telling is None:
            return []
        claims: list[Claim] = [Entered(agent, time, telling.index, telling.cause, telling.said.dialogue)]
        claims += self._order(telling)
        chain = self.history.behind(telling)
        if not chain:
            return claims
        direct = self._direct(telling)
        numbers = [*direct, *sorted(chain - set(direct))]
        claims.append(Chain(agent, time, tuple(numbers)))
        for number in numbers:
            claims += self.account(number, whole=number in direct)
        return claims

    def _direct(self, telling: Telling) -> list[int]:
        """The dialogue in which the step, or the order behind it, was agreed on."""
        if telling.cause == "dialogue":
            return [telling.said.dialogue]
        reason = self.history.reason(telling)
        return [] if reason is None or reason[1] == NO_DIALOGUE else [reason[1]]

    def _order(self, telling: Telling) -> Iterator[Claim]:
        if telling.cause == "first":
            yield WentFirst(telling.agent, telling.index - 1)
        reason = self.history.reason(telling)
        if reason is not None:
            superior, dialogue, found = reason
            where = found.place, found.when, found.kind
            yield GaveWay(telling.agent, telling.index, superior, dialogue, *where)

    def account(self, number: int, *, whole: bool) -> list[Claim]:
        """How one dialogue went; `whole`: with all proposals."""
        if (number, whole) not in self._accounts:
            self._accounts[number, whole] = list(self._claims(number, whole))
        return self._accounts[number, whole]

    def _claims(self, number: int, whole: bool) -> Iterator[Claim]:
        talk, about = self.history.talks[number], self.history.about(number)
        if about is not None:
            yield Topic(number, talk.topic.agents, about.place, about.when, about.kind)
        if whole:
            for offer in talk.offers:
                yield self._proposed(talk, offer)
                yield from self._argued(talk, offer)
        if talk.gives_up:
            begin = self.history.transcript.rounds[talk.round]
            told = (replace_time(action, begin) for action in talk.gives_up)
            yield GaveUp(number, talk.topic.agents, tuple(told))
        elif talk.adopted is None:
            yield Undecided(number, talk.topic.agents, self._why_undecided(talk))
        else:
            yield self._decided(talk)

    def _proposed(self, talk: Talk, offer: Offer) -> Proposed:
        if offer.vetoed_by is not None:
            veto = self.history.veto(talk, offer)
            return Proposed(talk.number, offer.proposer, offer.order, vetoed_by=offer.vetoed_by, because=veto)
        outcomes = tuple(Outcome(*one) for one in self.history.outcomes(talk, offer))
        return Proposed(talk.number, offer.proposer, offer.order, outcomes, math.fsum(offer.votes.values()))

    def _argued(self, talk: Talk, offer: Offer) -> Iterator[Claim]:
        """The reasons that came with votes on a proposal, or with the veto."""
        for agent, index in offer.said.items():
            for one in self.history.said[index].reasons:
                yield Argued(talk.number, index, agent, offer.order, one.kind, one.says, one.amount)

    def _why_undecided(self, talk: Talk) -> str:
        """Why a dialogue came to no order."""
        if not talk.offers:
            return "on hold"
        if any(offer.vetoed_by is None for offer in talk.offers):
            return "interrupted"
        vetoes = {self.history.veto(talk, offer) for offer in talk.offers}
        return "refused" if "voter" in vetoes else "vetoes"

    def _decided(self, talk: Talk) -> Decided:
        order = talk.adopted or ()
        voted = [offer for offer in talk.offers if offer.vetoed_by is None]
        if not talk.offers:
            return Decided(talk.number, order, "silence")
        sums = {offer.order: math.fsum(offer.votes.values()) for offer in voted}
        tied = [offer for offer in voted if sums[offer.order] == sums[order]]
        if len(voted) == 1:
            by = "veto" if len(talk.offers) > 1 else "sum"
        elif len(tied) == 1:
            by = "sum"
        else:
            chosen = next(offer for offer in tied if offer.order == order)
            by = "number" if any(offer.proposer != chosen.proposer for offer in tied) else "earlier"
        lengths = {offer.order: self._length(talk, offer) for offer in voted}
        others = [length for offer, length in lengths.items() if offer != order]
        longer = max(lengths[order] - min(others), 0) if others else 0
        return Decided(talk.number, order, by, longer, self.weights)

    def _length(self, talk: Talk, offer: Offer) -> int:
        return sum(self.history.lengths(talk, offer).values())

    def between(self, first: int, second: int) -> Iterator[Claim]:
        """The dialogues in which one was put above the other, in this order."""
        for number, talk in sorted(self.history.talks.items()):
            if (first, second) in (talk.adopted or ()):
                yield from self.account(number, whole=True)

    def without_effect(self) -> Iterator[Claim]:
        """Every dialogue that no step goes back to, and what became of it."""
        effective = self.history.in_effect()
        for number in sorted(self.history.talks):
            if number not in effective:
                yield NoEffect(number, *self.history.fate(number))


def replace_time(action: Action, begin: int) -> tuple[int, int, int, int]:
    """A single action as claims have it: in the run's time, a move dated by its end."""
    agent, origin, place, time = action
    return agent, origin, place, begin + time + (origin != -1)
