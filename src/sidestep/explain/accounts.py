"""What dialogues have to do with a step, as claims."""

from __future__ import annotations

import math
from collections.abc import Iterator

from ..dialogue.utterance import NO_DIALOGUE
from .claims import (
    Chain,
    Claim,
    Decided,
    Entered,
    GaveWay,
    NoEffect,
    Outcome,
    Proposed,
    Topic,
    Undecided,
    WentFirst,
)
from .history import History, Offer, Talk, Telling


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
            yield from (self._proposed(talk, offer) for offer in talk.offers)
        if talk.adopted is None:
            yield Undecided(number, talk.topic.agents, why_undecided(talk))
        else:
            yield self._decided(talk)

    def _proposed(self, talk: Talk, offer: Offer) -> Proposed:
        if offer.vetoed_by is not None:
            because = "conflict" if offer.vetoed_by in offer.paths else "path"
            return Proposed(
                talk.number, offer.proposer, offer.order, vetoed_by=offer.vetoed_by, because=because
            )
        outcomes = tuple(Outcome(*one) for one in self.history.outcomes(talk, offer))
        return Proposed(talk.number, offer.proposer, offer.order, outcomes, math.fsum(offer.votes.values()))

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


def why_undecided(talk: Talk) -> str:
    """Why a dialogue came to no order."""
    if not talk.offers:
        return "on hold"
    return "vetoes" if all(offer.vetoed_by is not None for offer in talk.offers) else "interrupted"
