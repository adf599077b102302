"""The two ways in which agents agree on an order: by comparing costs (PCA*) and by a dialogue (DPCA*)."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations, permutations

from ..arrays import IntArray
from .negotiation import Negotiation, topics_of
from .utterance import Act, Order, Stage, Topic


class ByCost:
    """PCA*: all orders of those in the conflict are tried, and the one that costs least is adopted."""

    def settle(self, talks: Negotiation, conflicts: list[list[int]]) -> None:
        """Ties go to the lower-numbered agent."""
        topic = next(topics_of(conflicts, pairs=False))
        before = {agent: talks.parley.path(agent) for agent in topic.agents}
        best: tuple[int, Order, dict[int, IntArray]] | None = None
        for ranked in permutations(topic.agents):
            order = tuple(combinations(ranked, 2))
            paths = self._try(talks, ranked, before)
            cost = sum(talks.parley.cost(agent) for agent in topic.agents)
            for agent, path in before.items():
                talks.parley.tell(agent, path)
            if paths is not None and (best is None or cost < best[0]):
                best = cost, order, paths
        if best is None:
            return talks.impasse(topic.agents, "whoever goes first, another has no path left")
        _, order, paths = best
        number = talks.transcript.begin_dialogue(topic)
        return talks.conclude(number, order, {agent: paths[agent] for agent in topic.agents}, known=False)

    def _try(
        self, talks: Negotiation, ranked: tuple[int, ...], before: dict[int, IntArray]
    ) -> dict[int, IntArray] | None:
        """Everybody plans around those before it; the first one has its path already."""
        paths = {}
        for place, agent in enumerate(ranked):
            known = place == 0 and talks.cache
            path = before[agent] if known else talks.path_below(agent, set(ranked[:place]))
            if path is None:
                return None
            talks.parley.tell(agent, path)
            paths[agent] = path
        return paths


@dataclass(frozen=True)
class Weights:
    """What a vote is made of: the change in path cost and in conflicts, and what is left unsettled."""

    length: float = 1.0
    conflicts: float = 1.0
    partial: float = 0.0

    def vote(self, longer: int, more: int, unsettled: bool = False) -> float:
        """Lower is better."""
        return self.length * longer + self.conflicts * more + self.partial * unsettled


class Proposal:
    """An order that somebody proposed, and how it was received."""

    def __init__(self, proposer: int, order: Order) -> None:
        self.proposer, self.order = proposer, order
        self.paths: dict[int, IntArray] = {}
        self.votes: list[float] = []
        self.vetoed = False
        self.unsettled: list[tuple[int, int]] = []  # they have no order and still collide

    @property
    def total(self) -> float:
        """The sum of the votes, rounded only once, so that it does not depend on who voted first."""
        return math.fsum(self.votes)


class ByDialogue:
    """DPCA*: a dialogue between two (`pairs`), or between all agents of the conflict (DPCA*+)."""

    def __init__(self, weights: Weights, *, pairs: bool = True) -> None:
        self.weights, self.pairs = weights, pairs
        self.sizes: dict[int, int] = {}  # how many dialogues there were of how many agents

    def settle(self, talks: Negotiation, conflicts: list[list[int]]) -> None:
        """Opens a dialogue for every conflict. The first can go on; who waits for it puts others on hold."""
        topics = topics_of(conflicts, pairs=self.pairs)
        first = next(topics)
        self._put_on_hold(talks, first, topics)
        number = talks.held.pop(first.agents, None)
        if number is None:
            number = talks.transcript.begin_dialogue(first)
        talks.transcript.topics[number] = first  # it may have moved while it was on hold
        self.sizes[len(first.agents)] = self.sizes.get(len(first.agents), 0) + 1
        Dialogue(talks, first, number, self.weights).run()

    def _put_on_hold(self, talks: Negotiation, first: Topic, later: Iterable[Topic]) -> None:
        """Whoever has an earlier conflict says so, once."""
        earliest = dict.fromkeys(first.agents, first.time)
        for topic in later:
            time, _, agents = topic
            for agent in agents:
                earliest.setdefault(agent, time)
            if agents in talks.held or all(earliest[agent] == time for agent in agents):
                continue
            number = talks.held[agents] = talks.transcript.begin_dialogue(topic)
            for agent in agents:
                act = Act.HOLD if earliest[agent] < time else Act.NO_EARLIER
                others = tuple([other for other in agents if other != agent])
                talks.say(number, Stage.OPENING, agent, others, act)


class Dialogue:
    """One conflict, talked about by those in it until they adopt an order."""

    def __init__(self, talks: Negotiation, topic: Topic, number: int, weights: Weights) -> None:
        self.talks, self.agents, self.number, self.weights = talks, topic.agents, number, weights
        self.round = talks.round
        self.proposals: list[Proposal] = []
        self.tried: list[Proposal] = []
        parley = talks.parley
        self.paths = {agent: parley.path(agent) for agent in self.agents}
        self.costs = {agent: parley.cost(agent) for agent in self.agents}
        self.counts = {agent: parley.count(agent) for agent in self.agents}
        self.others = {agent: tuple([o for o in self.agents if o != agent]) for agent in self.agents}

    def run(self) -> None:
        """The four stages; proposal and evaluation as often as somebody wants to expand a proposal."""
        self.opening()
        while True:
            for proposal in self.proposal():
                self.evaluation(proposal)
            if not self.wants_more():
                break
        self.closing()

    def opening(self) -> None:
        """Nobody in it has an earlier conflict, or it would not be its turn."""
        for agent in self.agents:
            self.say(Stage.OPENING, agent, Act.NO_EARLIER)

    def proposal(self) -> list[Proposal]:
        """Everybody proposes that it goes before the others, or declines."""
        new = []
        for agent in self.agents:
            order = self.wish(agent)
            if order:
                new.append(Proposal(agent, order))
                self.proposals.append(new[-1])
                self.say(Stage.PROPOSAL, agent, Act.PROPOSE, order=order)
            else:
                self.say(Stage.PROPOSAL, agent, Act.DECLINE)
        return new

    def wish(self, agent: int) -> Order:
        """First to go before everybody; later, before those whom a proposal leaves in conflict with it."""
        if not self.tried:
            return tuple((agent, other) for other in self.others[agent])
        known = {proposal.order for proposal in self.proposals}
        for base in sorted(self.tried, key=lambda proposal: proposal.total):
            rivals = {other for pair in base.unsettled if agent in pair for other in pair} - {agent}
            below = rivals - all_above(agent, base.order)
            order = tuple(sorted({*base.order, *((agent, other) for other in below)}))
            if below and order not in known:
                return order
        return ()

    def evaluation(self, proposal: Proposal) -> None:
        """The order is tried: those above tell their paths first, those below plan around them; all vote."""
        ranked = in_rank(self.agents, proposal.order)
        for agent in ranked:
            if not self.follow(agent, proposal):
                break
        else:
            if not self.still_collide(proposal):
                for agent in reversed(ranked):
                    vote = self.vote(agent, proposal)
                    proposal.votes.append(vote)
                    self.say(Stage.EVALUATION, agent, Act.VOTE, order=proposal.order, vote=vote)
        self.tried.append(proposal)
        for agent in proposal.paths:
            if proposal.paths[agent] is not self.paths[agent]:
                self.talks.parley.tell(agent, self.paths[agent])

    def follow(self, agent: int, proposal: Proposal) -> bool:
        """The agent finds and tells a path that fits the proposal; without one it vetoes."""
        above = superiors_in(proposal.order, agent)
        known = not above and self.talks.cache
        path = self.paths[agent] if known else self.talks.path_below(agent, above)
        if path is None:
            self.veto(agent, proposal)
            return False
        proposal.paths[agent] = path
        if not known:
            self.talks.parley.tell(agent, path)
        self.say(Stage.EVALUATION, agent, Act.NEW_PATH, path=path)
        return True

    def still_collide(self, proposal: Proposal) -> bool:
        """A proposal that leaves two in conflict whom it puts in order is void; others are only unsettled."""
        collide = self.talks.parley.collide
        for superior, inferior in proposal.order:
            if collide(superior, inferior):
                self.veto(inferior, proposal)
                return True
        if len(self.agents) > 2:
            ordered = {frozenset(pair) for pair in proposal.order}
            open_pairs = (pair for pair in combinations(self.agents, 2) if frozenset(pair) not in ordered)
            proposal.unsettled = [pair for pair in open_pairs if collide(*pair)]
        return False

    def vote(self, agent: int, proposal: Proposal) -> float:
        """How much worse the agent fares than before the dialogue, by its weights."""
        parley = self.talks.parley
        longer = parley.cost(agent) - self.costs[agent]
        more = parley.count(agent) - self.counts[agent]
        unsettled = bool(proposal.unsettled) and any(agent in pair for pair in proposal.unsettled)
        return self.weights.vote(longer, more, unsettled)

    def veto(self, agent: int, proposal: Proposal) -> None:
        """Nobody votes on this proposal, and nobody expands it."""
        proposal.vetoed = True
        self.say(Stage.EVALUATION, agent, Act.VETO, order=proposal.order)

    def wants_more(self) -> bool:
        """Whoever has something left to propose asks for another round of proposals."""
        if len(self.agents) == 2:  # both have proposed all there is
            for agent in self.agents:
                self.say(Stage.EVALUATION, agent, Act.NO_FURTHER)
            return False
        wishes = {agent: self.wish(agent) for agent in self.agents}
        for agent, order in wishes.items():
            self.say(Stage.EVALUATION, agent, Act.EXPAND if order else Act.NO_FURTHER, order=order)
        return any(wishes.values())

    def closing(self) -> None:
        """The proposal with the lowest sum of votes is adopted; ties go to the lower-numbered proposer."""
        sound = [proposal for proposal in self.proposals if not proposal.vetoed]
        if not sound:
            self.talks.impasse(self.agents, "whoever goes first, another has no path left")
            return
        best = min(sound, key=lambda proposal: (proposal.total, proposal.proposer))
        paths = {agent: best.paths[agent] for agent in self.agents}
        self.talks.conclude(self.number, best.order, paths, known=True)

    def say(
        self,
        stage: Stage,
        speaker: int,
        act: Act,
        *,
        order: Order = (),
        path: IntArray | None = None,
        vote: float | None = None,
    ) -> None:
        """To everybody in the dialogue."""
        hearers = self.others[speaker]
        self.talks.said.append((self.round, self.number, stage, speaker, hearers, act, order, path, vote))


def superiors_in(order: Order, agent: int) -> set[int]:
    """Whom an order puts above an agent."""
    if len(order) == 1:  # as always between two
        superior, inferior = order[0]
        return {superior} if inferior == agent else set()
    return {superior for superior, inferior in order if inferior == agent}


def all_above(agent: int, order: Order) -> set[int]:
    """The superiors of an agent in an order, and theirs."""
    found: set[int] = set()
    ask = {agent}
    while ask:
        ask = {superior for superior, inferior in order if inferior in ask} - found
        found |= ask
    return found


def in_rank(agents: Iterable[int], order: Order) -> list[int]:
    """Superiors before inferiors, otherwise by number."""
    if len(order) == 1:
        return list(order[0])
    return sorted(agents, key=lambda agent: (len(all_above(agent, order)), agent))
