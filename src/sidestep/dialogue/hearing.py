"""How a voter is asked: what a proposal means to an agent in words of the model; its reasons are kept."""

from __future__ import annotations

from dataclasses import dataclass

from ..model.arrays import IntArray
from .channel import Channel
from .transcript import Transcript
from .utterance import Order
from .voters import VETO, Proposal, Stake, Voter, arrival, checked_ballot


@dataclass(frozen=True)
class Hearing:
    """Asks a voter in the place of the weighted sum; its reasons go to the transcript, and are counted.

    The core holds on to it, so that it must not know what holds on to the core's commitments.
    """

    voter: Voter
    transcript: Transcript
    channel: Channel
    goals: IntArray
    time: int
    window: int

    def vote(  # noqa: PLR0917  # as the core calls it
        self,
        dialogue: int,
        agent: int,
        proposer: int,
        order: Order,
        before: tuple[int, ...],
        after: tuple[int, ...],
        cost: int,
        longer: int,
        conflicts: int,
        more: int,
        unsettled: bool,
        weighted_sum: float,
    ) -> float | None:
        """What the core asks for: a number, or None, which is a veto."""
        goal, begins = int(self.goals[agent]), self.time
        topic = self.transcript.topics[dialogue]
        reach = 1 + len(self.channel.audience(agent))
        proposal = Proposal(order, proposer, topic, begins, self.window, len(self.goals), reach)
        own = Stake(
            agent,
            self.transcript.names[agent],
            before,
            after,
            arrival(before, goal, cost - longer, begins),
            arrival(after, goal, cost, begins),
            cost,
            longer,
            conflicts,
            more,
            unsettled,
            agent not in topic.agents,
            weighted_sum,
        )
        value, reasons = checked_ballot(self.voter, self.voter.vote(proposal, own))
        if reasons:
            self.transcript.give_reasons(dialogue, order, agent, reasons)
            words = sum(8 + len(reason.says.encode()) for reason in reasons)
            self.channel.count(0, agents=-(-words // 4) * len(set(topic.agents) - {agent}))
        return VETO if value is None else value
