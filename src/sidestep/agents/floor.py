"""One agent's part in a dialogue: it speaks when it is its turn, and otherwise listens.

The same four stages as in the core, from the other side: there is no blackboard, so what the others propose,
plan and vote has to be heard. All in a dialogue hear everything, so they all know whose turn it is.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from ..dialogue.protocol import all_above, in_rank
from ..dialogue.utterance import Act, Order, Stage, Topic
from ..dialogue.voters import Weights
from .knowledge import Knowledge

Vertices = tuple[int, ...]


class Wanted(NamedTuple):
    """What the dialogue waits for: utterance `turn`, by this agent."""

    turn: int
    speaker: int
    acts: tuple[Act, ...]


class Words(NamedTuple):
    """An utterance without its circumstances."""

    act: Act
    order: Order = ()
    path: Vertices = ()
    vote: float | None = None


@dataclass
class Proposal:
    """An order that was proposed, and what came of it."""

    proposer: int
    order: Order
    paths: dict[int, Vertices] = field(default_factory=dict)
    total: float = 0.0
    vetoed: bool = False
    unsettled: list[tuple[int, int]] = field(default_factory=list)


class Verdict(NamedTuple):
    """How a dialogue ended: the adopted proposal, or None, and the turn of the first path that is told."""

    adopted: Proposal | None
    turn: int


Turn = Generator[Wanted, Words, Words]


class Floor:
    """A dialogue as one of its agents lives it. `say` sends (turn, stage, words) to the others in it."""

    def __init__(
        self, knowledge: Knowledge, topic: Topic, weights: Weights, say: Callable[[int, Stage, Words], None]
    ) -> None:
        self.knowledge, self.agents, self.weights, self.say = knowledge, topic.agents, weights, say
        self.me = knowledge.agent
        self.turn = 1  # the opening was turn 0
        self.before = {agent: knowledge.path(agent) for agent in self.agents}
        self.cost, self.conflicts = knowledge.cost(), knowledge.conflicts()
        self.proposals: list[Proposal] = []
        self.known: set[Order] = set()
        self.bases: list[tuple[float, int]] = []  # what may be expanded, by the sum of votes

    def run(self) -> Generator[Wanted, Words, Verdict]:
        """From the proposals to the closing; yields what it waits for, and is sent that."""
        tried = 0
        while True:
            yield from self._propose(tried)
            while tried < len(self.proposals):
                proposal = self.proposals[tried]
                yield from self._evaluate(proposal)
                if not proposal.vetoed:
                    self.bases.append((proposal.total, tried))
                tried += 1
            if not (yield from self._somebody_wants_more()):
                return (yield from self._close())

    def _turn(self, speaker: int, stage: Stage, acts: tuple[Act, ...], own: Callable[[], Words]) -> Turn:
        turn = self.turn
        self.turn += 1
        if speaker != self.me:
            return (yield Wanted(turn, speaker, acts))
        words = own()
        self.say(turn, stage, words)
        return words

    def _propose(self, tried: int) -> Generator[Wanted, Words, None]:
        """Everybody proposes that it goes before the others, or declines."""
        for agent in self.agents:
            words = yield from self._turn(
                agent, Stage.PROPOSAL, (Act.PROPOSE, Act.DECLINE), lambda: self._proposal(tried)
            )
            if words.act is Act.PROPOSE:
                self.known.add(words.order)
                self.proposals.append(Proposal(agent, words.order))

    def _proposal(self, tried: int) -> Words:
        order = self._wish(tried)
        return Words(Act.PROPOSE, order) if order else Words(Act.DECLINE)

    def _wish(self, tried: int) -> Order:
        """First to go before everybody; later, before those whom a proposal leaves in conflict with it."""
        if not tried:
            return tuple((self.me, other) for other in self.agents if other != self.me)
        self.bases.sort()
        while self.bases:
            base = self.proposals[self.bases[0][1]]
            order = self._expanded(base)
            if len(order) > len(base.order) and order not in self.known:
                return order
            self.bases.pop(0)
        return ()

    def _expanded(self, base: Proposal) -> Order:
        above = all_above(self.me, base.order)
        rivals = [sum(pair) - self.me for pair in base.unsettled if self.me in pair]
        return tuple(sorted([*base.order, *((self.me, rival) for rival in rivals if rival not in above)]))

    def _evaluate(self, proposal: Proposal) -> Generator[Wanted, Words, None]:
        """Those above tell their paths, those below plan around them; all vote; then all is as before."""
        ranked = in_rank(self.agents, proposal.order)
        for agent in ranked:
            words = yield from self._turn(
                agent, Stage.EVALUATION, (Act.NEW_PATH, Act.VETO), lambda: self._follow(proposal)
            )
            if words.act is Act.VETO:
                proposal.vetoed = True
                break
            proposal.paths[agent] = words.path
            self.knowledge.tell(agent, words.path)
        if not proposal.vetoed:
            yield from self._look_for_conflicts(proposal)
        if not proposal.vetoed:
            yield from self._vote(proposal, ranked)
        for agent, path in self.before.items():
            self.knowledge.tell(agent, path)

    def _follow(self, proposal: Proposal) -> Words:
        above = [superior for superior, inferior in proposal.order if inferior == self.me]
        if not above and self.knowledge.firsts_keep:
            return Words(Act.NEW_PATH, path=self.before[self.me])
        path = self.knowledge.find(above)
        return Words(Act.VETO, proposal.order) if path is None else Words(Act.NEW_PATH, path=path)

    def _look_for_conflicts(self, proposal: Proposal) -> Generator[Wanted, Words, None]:
        """A proposal that leaves two in conflict whom it puts in order is void; others are only unsettled."""
        collide = self.knowledge.collide
        for above, below in proposal.order:
            if collide(above, below):
                yield from self._turn(
                    below, Stage.EVALUATION, (Act.VETO,), lambda: Words(Act.VETO, proposal.order)
                )
                proposal.vetoed = True
                return
        ordered = {frozenset(pair) for pair in proposal.order}
        proposal.unsettled = [
            (one, other)
            for place, one in enumerate(self.agents)
            for other in self.agents[place + 1 :]
            if frozenset((one, other)) not in ordered and collide(one, other)
        ]

    def _vote(self, proposal: Proposal, ranked: Sequence[int]) -> Generator[Wanted, Words, None]:
        """Those who had to give way speak first."""
        votes: list[float] = []
        for agent in reversed(ranked):
            words = yield from self._turn(
                agent, Stage.EVALUATION, (Act.VOTE,), lambda: self._own_vote(proposal)
            )
            votes.append(words.vote or 0.0)
        proposal.total = math.fsum(votes)

    def _own_vote(self, proposal: Proposal) -> Words:
        """How much worse it fares than before the dialogue, by the weights: lower is better."""
        vote = self.weights.length * (self.knowledge.cost() - self.cost)
        vote += self.weights.conflicts * (self.knowledge.conflicts() - self.conflicts)
        vote += self.weights.partial * any(self.me in pair for pair in proposal.unsettled)
        return Words(Act.VOTE, proposal.order, vote=vote)

    def _somebody_wants_more(self) -> Generator[Wanted, Words, bool]:
        somebody = False
        for agent in self.agents:
            words = yield from self._turn(
                agent, Stage.EVALUATION, (Act.NO_FURTHER, Act.EXPAND), self._asks_for_more
            )
            somebody |= words.act is Act.EXPAND
        return somebody

    def _asks_for_more(self) -> Words:
        order = self._wish(len(self.proposals))
        return Words(Act.EXPAND, order) if order else Words(Act.NO_FURTHER)

    def _close(self) -> Generator[Wanted, Words, Verdict]:
        """The proposal with the lowest sum of votes is adopted; ties go to who proposed first."""
        best = min(self.proposals, key=lambda one: (one.vetoed, one.total, one.proposer))
        if best.vetoed:
            return Verdict(None, self.turn)
        for agent in self.agents:
            yield from self._turn(agent, Stage.CLOSING, (Act.ADOPT,), lambda: Words(Act.ADOPT, best.order))
        return Verdict(best, self.turn)
