"""Dialogues about single actions, where no order helps (section 6.3): each yields once, if it takes that.

An order puts one agent above another for good. In a corridor with one bay both may have to give way, each
once: no order does that. Here every agent proposes, of the first conflict that is left, that the other gives
up the one action that leads to it: to be in a place at a time, or to make a move. The other plans again
without it, all vote, and the proposal with the lowest sum is looked at next: expanded by what else has to be
given up, or adopted if those in the dialogue do not collide any more. It is given up for the round.
"""

from __future__ import annotations

import heapq
import math
from dataclasses import dataclass, field, replace

from ..model.arrays import IntArray
from .negotiation import VERTEX, Negotiation, OutOfBudget
from .utterance import Act, Action, Stage, Topic, Utterance
from .voters import Weights

PATIENCE = 2000  # proposals in one dialogue
DIALOGUES = 50  # about single actions in one round, per agent


@dataclass(order=True)
class Plan:
    """Actions that are given up, with the paths of all in the dialogue that come of it."""

    total: float
    number: int
    gives_up: tuple[Action, ...] = field(compare=False)
    paths: dict[int, IntArray] = field(compare=False)
    conflict: tuple[int, int, int, int] | None = field(compare=False)  # time, kind and two agents


class ByActions:
    """Goes on where a dialogue about orders has come to nothing."""

    def __init__(self, weights: Weights) -> None:
        self.weights = weights
        self.held = 0  # how many dialogues there were

    def resolve(self, talks: Negotiation, number: int, topic: Topic) -> bool:
        """Whether those in the dialogue have found actions to give up, and tell their new paths."""
        self.held += 1
        if self.held > DIALOGUES * talks.agents:
            return False
        talks.take_down()
        talk = ActionTalk(talks, number, topic, self.weights)
        try:
            return talk.run()
        finally:
            for agent, path in talk.told.items():
                talks.told_paths.tell(agent, path)
            talks.transcript.note_said(talk.said)


class ActionTalk:
    """One dialogue about single actions."""

    def __init__(self, talks: Negotiation, number: int, topic: Topic, weights: Weights) -> None:
        self.talks, self.number, self.topic, self.weights = talks, number, topic, weights
        self.told = {agent: talks.told_paths.path(agent) for agent in topic.agents}
        self.before = {a: (talks.told_paths.cost(a), talks.told_paths.count(a)) for a in topic.agents}
        self.said: list[Utterance] = []
        self.plans = 0

    def run(self) -> bool:
        """Best first, until a plan without a conflict is the one with the lowest sum."""
        known: set[frozenset[Action]] = set()
        ranked = [Plan(0.0, 0, (), dict(self.told), self._first_conflict())]
        while ranked:
            plan = heapq.heappop(ranked)
            if plan.conflict is None:
                self._adopt(plan)
                return True
            for proposer, given_up in self._proposals(plan):
                if self.talks.budget.exhausted:
                    raise OutOfBudget
                gives_up = (*plan.gives_up, given_up)
                if frozenset(gives_up) in known or self.plans >= PATIENCE:
                    continue
                known.add(frozenset(gives_up))
                tried = self._try(plan, proposer, given_up, gives_up)
                if tried is not None:
                    heapq.heappush(ranked, tried)
        return False

    def _proposals(self, plan: Plan) -> list[tuple[int, Action]]:
        """Of two that collide each proposes that the other gives up what leads to it."""
        assert plan.conflict is not None
        time, kind, one, other = plan.conflict
        found = []
        for proposer, yielding in ((one, other), (other, one)):
            path = plan.paths[yielding]
            here, there = (int(path[min(t, len(path) - 1)]) for t in (time, time + 1))
            if kind == VERTEX:
                found.append((proposer, Action(yielding, -1, here, time)))
            elif here != there:
                found.append((proposer, Action(yielding, here, there, time)))
        return found

    def _try(self, base: Plan, proposer: int, action: Action, gives_up: tuple[Action, ...]) -> Plan | None:
        """The agent plans again without the action, and all vote; None if it finds no path."""
        agent = action.agent
        self._say(Stage.PROPOSAL, proposer, Act.PROPOSE, gives_up)
        own = [one for one in gives_up if one.agent == agent]
        path = self.talks.path_below(agent, (), own)
        self.plans += 1
        if path is None:
            self._say(Stage.EVALUATION, agent, Act.VETO, gives_up)
            return None
        self._say(Stage.EVALUATION, agent, Act.NEW_PATH, gives_up, path=path)
        paths = {**base.paths, agent: path}
        for one, told in paths.items():
            self.talks.told_paths.tell(one, told)
        total = self._votes(proposer, paths, gives_up)
        return None if total is None else Plan(total, self.plans, gives_up, paths, self._first_conflict())

    def _votes(self, proposer: int, paths: dict[int, IntArray], gives_up: tuple[Action, ...]) -> float | None:
        """The sum of all votes; None after a veto."""
        votes = []
        for agent in reversed(self.topic.agents):
            vote = self._vote(agent, proposer, paths[agent])
            act = Act.VETO if vote is None else Act.VOTE
            self._say(Stage.EVALUATION, agent, act, gives_up, vote=vote)
            if vote is None:
                return None
            votes.append(vote)
        return math.fsum(votes)

    def _vote(self, agent: int, proposer: int, path: IntArray) -> float | None:
        talks, (cost, conflicts) = self.talks, self.before[agent]
        now = talks.told_paths.cost(agent)
        longer, more = now - cost, talks.told_paths.count(agent) - conflicts
        usual = self.weights.length * longer + self.weights.conflicts * more
        if talks.hearing is None:
            return usual
        before, after = tuple(self.told[agent].tolist()), tuple(path.tolist())
        facts = (before, after, now, longer, conflicts, more, False, usual)
        return talks.hearing.vote(self.number, agent, proposer, (), *facts)

    def _first_conflict(self) -> tuple[int, int, int, int] | None:
        """The first conflict between two in the dialogue."""
        for time, kind, one, other, _ in self.talks.told_paths.first_conflicts().tolist():
            if one in self.told and other in self.told:
                return time, kind, one, other
        return None

    def _adopt(self, plan: Plan) -> None:
        """What is given up is given up for good, and everybody in reach hears the new paths."""
        for agent in self.topic.agents:
            self._say(Stage.CLOSING, agent, Act.ADOPT, plan.gives_up)
        for action in plan.gives_up:
            self.talks.core.give_up(action.agent, (action.origin, action.place, action.time))
        for agent in self.topic.agents:
            hearers = tuple(o for o in self.talks.channel.audience(agent) if o not in self.told)
            self._say(Stage.CLOSING, agent, Act.NEW_PATH, (), path=plan.paths[agent], hearers=hearers)
        self.told = plan.paths

    def _say(
        self,
        stage: Stage,
        speaker: int,
        act: Act,
        gives_up: tuple[Action, ...],
        *,
        path: IntArray | None = None,
        vote: float | None = None,
        hearers: tuple[int, ...] | None = None,
    ) -> None:
        others = tuple(a for a in self.topic.agents if a != speaker) if hearers is None else hearers
        vertices = () if path is None else tuple(path.tolist())
        said = Utterance(self.talks.round, self.number, stage, speaker, others, act, (), vertices, vote)
        reasons = self.talks.transcript.taken_reasons(self.number, (), speaker)
        self.said.append(replace(said, gives_up=gives_up, reasons=reasons))
        numbers = 4 * len(gives_up) + len(vertices) + 2 * (vote is not None)
        self.talks.channel.count(len(others), vertices=len(others) * numbers)
