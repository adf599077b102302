"""What agents had said before: which dialogue is behind a step, and how it went."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..dialogue.transcript import Transcript
from ..dialogue.utterance import NO_DIALOGUE, Act, Order, Stage, Utterance, order_text
from ..model.agents import IDLE
from ..model.errors import InputError
from ..model.plan import Plan
from .answer import Cause
from .phrases import listed, steps
from .step import Ways


@dataclass
class Offer:
    """An order that was proposed: by whom, how far everybody would have to go under it, and who said what."""

    order: Order
    proposer: int
    ways: dict[int, int] = field(default_factory=dict)
    votes: dict[int, float] = field(default_factory=dict)
    vetoed_by: int | None = None

    @property
    def total(self) -> float | None:
        """The sum of the votes; None after a veto."""
        return None if self.vetoed_by is not None or not self.votes else math.fsum(self.votes.values())


@dataclass(frozen=True)
class Account:
    """How one dialogue went. Without a dialogue (PCA*) there are no offers, only what was adopted."""

    number: int
    agents: tuple[int, ...]
    place: Any
    time: int
    offers: tuple[Offer, ...]
    adopted: Order


@dataclass(frozen=True)
class Background:
    """What came before a step in the transcript: the account of the dialogue that is behind it, if one is."""

    account: Account | None
    lines: tuple[str, ...]
    names: tuple[str, ...]

    @property
    def dialogue(self) -> int | None:
        """Its number."""
        return None if self.account is None else self.account.number

    def data(self) -> dict[str, Any]:
        """Lists, numbers and words only."""
        account, names = self.account, self.names
        said: dict[str, Any] = {"text": "\n".join(self.lines), "number": self.dialogue}
        if account is None:
            return said
        return said | {
            "agents": [names[agent] for agent in account.agents],
            "place": list(account.place) if isinstance(account.place, tuple) else account.place,
            "time": account.time,
            "adopted": order_text(account.adopted, names),
            "proposals": [
                {
                    "order": order_text(offer.order, names),
                    "proposer": names[offer.proposer],
                    "ways": {names[agent]: way for agent, way in offer.ways.items()},
                    "votes": {names[agent]: vote for agent, vote in offer.votes.items()},
                    "sum": offer.total,
                    "vetoed_by": None if offer.vetoed_by is None else names[offer.vetoed_by],
                }
                for offer in account.offers
            ],
        }


@dataclass
class _Round:
    """What was adopted and told in one round. Paths are with their places in the transcript."""

    orders: dict[tuple[int, int], int] = field(default_factory=dict)  # (superior, inferior): the dialogue
    paths: dict[int, list[tuple[int, Utterance]]] = field(default_factory=dict)
    firsts: set[int] = field(default_factory=set)  # who went before all others

    def go_first(self, said: Utterance) -> None:
        """The speaker is below nobody any more, and above all hearers, without a dialogue."""
        self.firsts.add(said.speaker)
        kept = {pair: number for pair, number in self.orders.items() if pair[1] != said.speaker}
        self.orders = kept | {(said.speaker, hearer): NO_DIALOGUE for hearer in said.hearers}

    def last_path(self, agent: int, before: int | None = None) -> tuple[int, Utterance] | None:
        told = [one for one in self.paths.get(agent, []) if before is None or one[0] < before]
        return told[-1] if told else None


class Talks:
    """A transcript, sorted by what questions ask for."""

    def __init__(self, transcript: Transcript, plan: Plan) -> None:
        self.transcript, self.plan, self.names = transcript, plan, transcript.names
        self._ways = Ways(plan.problem)
        self._rounds = [_Round() for _ in transcript.rounds]
        self._said: dict[int, list[Utterance]] = {}
        for place, said in enumerate(transcript.utterances):
            self._said.setdefault(said.dialogue, []).append(said)
            if said.act is Act.ADOPT:
                self._rounds[said.round].orders.update(dict.fromkeys(said.order, said.dialogue))
            elif said.act is Act.GO_FIRST:
                self._rounds[said.round].go_first(said)
            elif said.act is Act.NEW_PATH and said.stage in (Stage.EXCHANGE, Stage.CLOSING):
                self._rounds[said.round].paths.setdefault(said.speaker, []).append((place, said))

    def require_same_plan(self) -> None:
        """An InputError unless the transcript is about the plan's agents, and they go as they said."""
        problem = self.plan.problem
        if self.names != problem.names:
            raise InputError("the transcript is not this plan's: its agents have other names")
        if self.transcript.space != problem.space:
            raise InputError("the transcript is not this plan's: it is about another space")
        for number, begin in enumerate(self.transcript.rounds):
            end = next(iter(self.transcript.rounds[number + 1 :]), self.plan.makespan)
            if not 0 <= begin <= end <= self.plan.makespan or not self._is_kept(number, begin, end):
                raise InputError("the transcript is not this plan's: its agents went other ways")
        if not self.transcript.rounds:
            raise InputError("the transcript is not this plan's: nothing was said")

    def _is_kept(self, number: int, begin: int, end: int) -> bool:
        for agent in range(len(self.names)):
            told = self._rounds[number].last_path(agent)
            went = self.plan.vertices[begin : end + 1, agent].tolist()
            if told is None and went[0] != -1:
                return False
            if told is not None and any(a != b for a, b in zip(told[1].path, went, strict=False)):
                return False
        return True

    # Which dialogue is behind it

    def behind(self, agent: int, causes: Sequence[Cause], time: int) -> Background | None:
        """The dialogue that put the agent below those in its way, or the one its path comes from."""
        number = bisect_right(self.transcript.rounds, time) - 1
        if number < 0:
            return None
        talk = self._rounds[number]
        for cause in causes:
            dialogue = talk.orders.get((cause.agent, agent))
            if dialogue == NO_DIALOGUE:
                return self._behind_a_first(cause.agent)
            if dialogue is not None:
                later = self._later_change(talk, cause.agent, agent, dialogue)
                return self._background(dialogue, "settled it", later)
        return self._origin(talk, agent)

    def _origin(self, talk: _Round, agent: int) -> Background | None:
        """Where the agent's path comes from, when nobody above it is in its way (any more)."""
        told = talk.last_path(agent)
        if told is None:
            return None
        place, said = told
        name = self.names[agent]
        if said.stage is Stage.CLOSING:
            return self._background(said.dialogue, f"gave {name} its path")
        if len(talk.paths[agent]) == 1:
            line = f"No dialogue is behind it: {name} told this path before anybody had answered."
            return Background(None, (line,), self.names)
        above = self._who_changed(talk, agent, place)
        first = agent if above is None else above
        if first in talk.firsts and talk.orders.get((first, agent), NO_DIALOGUE) == NO_DIALOGUE:
            return self._behind_a_first(first)
        if above is None:
            line = f"No dialogue is behind it: {name} found no way to keep its orders, and stood."
            return Background(None, (line,), self.names)
        later = f"Then {self.names[above]} changed its path, and {name} planned again."
        return self._background(talk.orders[above, agent], f"put {name} below {self.names[above]}", later)

    def _behind_a_first(self, agent: int) -> Background:
        """An agent went before all others, since the orders so far came to no end."""
        name = self.names[agent]
        line = f"No dialogue is behind it: under the orders so far {name} could not go on, and went first."
        return Background(None, (line,), self.names)

    def _who_changed(self, talk: _Round, agent: int, before: int) -> int | None:
        """Of those above the agent, the one that was the last to tell a path before some utterance."""
        above = [superior for superior, inferior in talk.orders if inferior == agent]
        told = [(found[0], one) for one in above if (found := talk.last_path(one, before)) is not None]
        return max(told)[1] if told else None

    def _later_change(self, talk: _Round, superior: int, agent: int, dialogue: int) -> str:
        """Whether the superior has changed its path since, and because of whom."""
        told = talk.last_path(superior)
        if told is None or told[1].dialogue == dialogue:
            return ""
        place, said = told
        closed = max(
            (spot for spot, one in talk.paths.get(agent, []) if one.dialogue == dialogue), default=-1
        )
        if place < closed:
            return ""
        name = self.names[superior]
        if said.stage is Stage.CLOSING:
            adopted = order_text(self.account(said.dialogue).adopted, self.names)
            return f"Then {name} changed its path, when {adopted} was adopted ({said.dialogue})."
        above = self._who_changed(talk, superior, place)
        return f"Then {name} changed its path{'' if above is None else f' because of {self.names[above]}'}."

    def _background(self, dialogue: int, what: str, later: str = "") -> Background:
        account = self.account(dialogue)
        lines = [*self._account_lines(account, what), *([later] if later else [])]
        return Background(account, tuple(lines), self.names)

    # How it went

    def accounts(self) -> Iterator[Account]:
        """Of all dialogues that came to an end."""
        for number in range(len(self.transcript.topics)):
            if any(said.act is Act.ADOPT for said in self._said.get(number, [])):
                yield self.account(number)

    def account(self, number: int) -> Account:
        """Of one dialogue."""
        topic, said = self.transcript.topics[number], self._said[number]
        offers: dict[Order, Offer] = {}
        adopted: Order = ()
        ways: dict[int, int] = {}
        for one in said:
            if one.act is Act.PROPOSE:
                offers[one.order] = Offer(one.order, one.speaker)
            elif one.act is Act.NEW_PATH and one.stage is Stage.EVALUATION:
                # The first path after votes or a veto begins the evaluation of another proposal.
                ways[one.speaker] = self._length(one.speaker, one.path)
            elif one.act is Act.VETO:
                offers[one.order].vetoed_by, offers[one.order].ways, ways = one.speaker, ways, {}
            elif one.act is Act.VOTE:
                offer = offers[one.order]
                offer.votes[one.speaker] = 0.0 if one.vote is None else one.vote
                offer.ways, ways = (ways or offer.ways), {}
            elif one.act is Act.ADOPT:
                adopted = one.order
        begin = self.transcript.rounds[said[0].round]
        place = self.transcript.space.place(topic.place)
        return Account(number, topic.agents, place, begin + topic.time, tuple(offers.values()), adopted)

    def _length(self, agent: int, path: tuple[int, ...]) -> int:
        """The steps of a told path until the goal, with what is left at its end; a rest there is free."""
        goal = int(self.plan.problem.goals[agent])
        last = len(path) - 1
        if goal == IDLE:
            return last
        while last > 0 and path[last] == path[last - 1] == goal:
            last -= 1
        return last + self._ways.left(agent, path[last])

    def _account_lines(self, account: Account, what: str) -> Iterator[str]:
        who = listed([self.names[agent] for agent in account.agents])
        where = f"{who} would have collided at {account.place}, time {account.time}"
        adopted = order_text(account.adopted, self.names)
        if not account.offers:
            yield f"An order {what} ({account.number}): {where}, and adopted {adopted} without a dialogue."
            return
        yield f"Dialogue {account.number} {what}: {where}."
        for offer in account.offers:
            mark = "; adopted" if offer.order == account.adopted else ""
            yield f"  {self.names[offer.proposer]} proposed {self._offer_text(offer)}{mark}"

    def _offer_text(self, offer: Offer) -> str:
        order = order_text(offer.order, self.names)
        if offer.total is None:
            who = "nobody" if offer.vetoed_by is None else self.names[offer.vetoed_by]
            return f"{order}: {who} vetoed, having no path left"
        votes = ", ".join(f"{self.names[agent]} {vote:.4g}" for agent, vote in sorted(offer.votes.items()))
        ways = ", ".join(f"{self.names[agent]} {steps(way)}" for agent, way in sorted(offer.ways.items()))
        return f"{order}: ways of {ways}; votes of {votes}, in all {offer.total:.4g}"

    def line(self, account: Account) -> str:
        """A dialogue in one line, for the events of a replay."""
        who = listed([self.names[agent] for agent in account.agents])
        chosen = next((offer for offer in account.offers if offer.order == account.adopted), None)
        others = [offer for offer in account.offers if offer is not chosen]
        rejected = [f"{order_text(offer.order, self.names)} ({_sum(offer)})" for offer in others]
        votes = "" if chosen is None else f" ({_sum(chosen)})"
        against = f", not {listed(rejected)}" if rejected else ""
        adopted = order_text(account.adopted, self.names)
        return f"{who} would have collided at {account.place}; they adopt {adopted}{votes}{against}"


def _sum(offer: Offer) -> str:
    return "a veto" if offer.total is None else f"{offer.total:.4g}"
