"""What agents vote, and why: the thesis's weighted sum is the usual vote, and anything else can be a voter.

The thesis's agents send only a number (section 4.2.1); richer arguments are its future work (sections 6.2 and
6.3). A voter says what an agent votes on a proposal, or that it vetoes it, and gives reasons, which everybody
in the dialogue hears and the transcript keeps.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Literal, Protocol, runtime_checkable

from ..model.arrays import is_number, is_whole
from ..model.errors import InputError
from .utterance import Order, Reason, Topic

VETO = None  # in the place of a vote: under this proposal the agent does not go on
Ballot = tuple[float | None, Sequence[Reason]]


@dataclass(frozen=True)
class Weights:
    """What a vote is made of: the change in path cost and in conflicts, and what is left unresolved."""

    length: float = 1.0
    conflicts: float = 1.0
    partial: float = 0.0


@dataclass(frozen=True, slots=True)
class Proposal:
    """An order that is put to the vote.

    Attributes:
        order: Pairs of superior and inferior; none where single actions are given up instead.
        proposer: The agent that proposes it.
        topic: The conflict of the dialogue.
        begins: The time at which the round begins; paths begin there.
        window: Steps that agents plan ahead; 0 is all the way.
        agents: How many agents there are in all.
        in_reach: How many of them hear the voter, itself included.
    """

    order: Order
    proposer: int
    topic: Topic
    begins: int
    window: int
    agents: int
    in_reach: int


@dataclass(frozen=True, slots=True)
class Stake:
    """What a proposal means to the agent that votes.

    Attributes:
        agent: Its number.
        name: Its name.
        before: The path that it has told, as vertices.
        after: Its path under the proposal.
        arrival_before: When it would be on its goal for good on the first; the rest of the way beyond a
            window counts as if nobody were there.
        arrival: The same under the proposal.
        cost: What its path under the proposal costs.
        longer: How much more that is.
        conflicts: With how many others its path collides before, each counted once per time.
        more_conflicts: How many more there are under the proposal.
        left_in_conflict: Does it still collide with another in the dialogue?
        asked: It is a bystander, whose path stays as it is.
        weighted_sum: The vote of the thesis.
    """

    agent: int
    name: str
    before: tuple[int, ...]
    after: tuple[int, ...]
    arrival_before: int
    arrival: int
    cost: int
    longer: int
    conflicts: int
    more_conflicts: int
    left_in_conflict: bool
    asked: bool
    weighted_sum: float


@runtime_checkable
class Voter(Protocol):
    """Says what agents vote; one voter speaks for all, and `own.agent` is who votes."""

    def vote(self, proposal: Proposal, own: Stake) -> Ballot:
        """Votes on a proposal.

        Args:
            proposal: What is put to the vote.
            own: What it means to the agent that votes.

        Returns:
            How much worse the agent fares, lower is better, or `VETO`; and its reasons.
        """
        ...


def arrival(path: Sequence[int], goal: int, cost: int, begins: int) -> int:
    """When an agent on this path is on its goal for good; what its cost has beyond the path is the rest."""
    last = len(path) - 1
    if path[-1] != goal:
        walked = sum(1 for one, two in pairwise(path) if not one == two == goal)
        return begins + last + max(cost - walked, 0)
    while last > 0 and path[last - 1] == goal:
        last -= 1
    return begins + last


def counted(number: int, noun: str = "step") -> str:
    """`1 step`, `2 steps`."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def checked_by_name(what: str, values: Any, *, whole: bool = False) -> dict[str, Any]:
    """Numbers by the names of agents; an InputError if they are anything else."""
    good = is_whole if whole else is_number
    kind = "whole numbers" if whole else "numbers"
    if not isinstance(values, Mapping) or not all(
        isinstance(name, str) and good(value) and math.isfinite(value) for name, value in values.items()
    ):
        raise InputError(f"{what} must be {kind} by the names of agents, such as {{'a': 12}}, not {values!r}")
    return dict(values)


# Voters


@dataclass(frozen=True)
class WeightedSum:
    """The thesis's vote, with its parts as reasons."""

    def vote(self, proposal: Proposal, own: Stake) -> Ballot:
        """The weighted sum."""
        reasons = []
        if own.longer:
            change = "longer" if own.longer > 0 else "shorter"
            says = f"its way would be {counted(abs(own.longer))} {change}"
            reasons.append(Reason("length", says, own.longer))
        if own.more_conflicts:
            change = "more" if own.more_conflicts > 0 else "fewer"
            says = f"it would have {counted(abs(own.more_conflicts), 'conflict')} {change}"
            reasons.append(Reason("conflicts", says, own.more_conflicts))
        if own.left_in_conflict:
            reasons.append(Reason("partial", "it would still collide with others in the dialogue"))
        return own.weighted_sum, reasons


@dataclass(frozen=True)
class Schedules:
    """Agents that have to be on their goals by a time: every step that they are late counts.

    Attributes:
        due: Times by the names of agents; the others have no schedule.
        per_step: What a step of delay beyond that counts in a vote.
        strict: An agent vetoes what makes it late, unless it is late already.
    """

    due: Mapping[str, int]
    per_step: float = 10.0
    strict: bool = False

    def __post_init__(self) -> None:
        checked_by_name("due", self.due, whole=True)

    def vote(self, proposal: Proposal, own: Stake) -> Ballot:
        """The weighted sum, and what the delay counts."""
        due = self.due.get(own.name)
        if due is None:
            return own.weighted_sum, ()
        reasons = [
            Reason("due", f"its order is due in {counted(due - proposal.begins)}", due - proposal.begins)
        ]
        late, late_before = (max(time - due, 0) for time in (own.arrival, own.arrival_before))
        if late:
            reasons.append(Reason("late", f"it would be {counted(late)} late", late))
        if self.strict and late and not late_before:
            return VETO, reasons
        return own.weighted_sum + self.per_step * (late - late_before), reasons


@dataclass(frozen=True)
class Recharging:
    """Agents on their way to a charging station, their goal, who have to be there before they are empty.

    Attributes:
        empty_at: The time at which each agent's battery is empty, by name; the others have charge enough.
    """

    empty_at: Mapping[str, int]

    def __post_init__(self) -> None:
        checked_by_name("empty_at", self.empty_at, whole=True)

    def vote(self, proposal: Proposal, own: Stake) -> Ballot:
        """A veto if the agent would not get there any more, and would without the proposal."""
        empty = self.empty_at.get(own.name)
        if empty is None:
            return own.weighted_sum, ()
        left = empty - proposal.begins
        reasons = [Reason("charge", f"its battery lasts {counted(left)}", left)]
        if own.arrival <= empty:
            return own.weighted_sum, reasons
        needs = own.arrival - proposal.begins
        reasons.append(Reason("empty", f"it would need {counted(needs)} to its charging station", needs))
        return (VETO if own.arrival_before <= empty else own.weighted_sum), reasons


@dataclass(frozen=True)
class Urgency:
    """Agents whose votes count more, or less, than those of others.

    Attributes:
        factors: By the names of agents; those of the others count once.
    """

    factors: Mapping[str, float]

    def __post_init__(self) -> None:
        for factor in checked_by_name("factors", self.factors).values():
            if factor < 0:
                raise InputError(f"a factor of urgency must be 0 or more, not {factor}")

    def vote(self, proposal: Proposal, own: Stake) -> Ballot:
        """The weighted sum, times the factor."""
        factor = self.factors.get(own.name)
        if factor is None:
            return own.weighted_sum, ()
        return factor * own.weighted_sum, [Reason("urgency", f"its vote counts {factor:g} times", factor)]


@dataclass(frozen=True)
class Loads:
    """Agents that carry something: every step more counts by their load.

    Attributes:
        loads: By the names of agents; the others carry nothing.
        per_step: What a step more counts per unit of load.
    """

    loads: Mapping[str, float]
    per_step: float = 1.0

    def __post_init__(self) -> None:
        checked_by_name("loads", self.loads)

    def vote(self, proposal: Proposal, own: Stake) -> Ballot:
        """The weighted sum, and what longer ways count by the load."""
        load = self.loads.get(own.name)
        if not load:
            return own.weighted_sum, ()
        reasons = [Reason("load", f"it carries a load of {load:g}", load)]
        return own.weighted_sum + self.per_step * load * own.longer, reasons


@dataclass(frozen=True)
class WeightsBy:
    """Weights that depend on the size of things, as the thesis suggests (sections 6.2 and 6.3).

    Attributes:
        what: `"agents"`, all there are; `"reach"`, those that hear the voter, which in a window are those it
            could meet; `"conflicts"`, how many the voter has before the dialogue; `"window"`.
        table: Weights by that number: one in between takes those of the next larger one, a larger one those
            of the largest.
    """

    what: Literal["agents", "reach", "conflicts", "window"]
    table: Mapping[int, Weights]

    def __post_init__(self) -> None:
        known = ("agents", "reach", "conflicts", "window")
        if self.what not in known:
            raise InputError(f"what must be one of {', '.join(map(repr, known))}, not {self.what!r}")
        good = isinstance(self.table, Mapping) and self.table
        if not good or not all(is_whole(k) and isinstance(w, Weights) for k, w in self.table.items()):
            raise InputError(f"table must have Weights by whole numbers, not {self.table!r}")

    def vote(self, proposal: Proposal, own: Stake) -> Ballot:
        """The weighted sum by these weights."""
        numbers = {"agents": proposal.agents, "reach": proposal.in_reach, "window": proposal.window}
        number = numbers.get(self.what, own.conflicts)
        largest = max(self.table)
        weights = self.table[min((size for size in self.table if size >= number), default=largest)]
        vote = weights.length * own.longer + weights.conflicts * own.more_conflicts
        vote += weights.partial * own.left_in_conflict
        unit = {"agents": "agents", "reach": "agents in reach", "conflicts": "conflicts", "window": "steps"}
        says = f"a step more counts {weights.length:g}, a conflict more {weights.conflicts:g}"
        return vote, [Reason("weights", f"for {number} {unit[self.what]} {says}", number)]


class Together:
    """Several voters at once: what each adds to the weighted sum is added up, and each may veto."""

    def __init__(self, *voters: Voter) -> None:
        for voter in voters:
            if not isinstance(voter, Voter):
                raise InputError(f"a voter must have a method `vote(proposal, own)`, which {voter!r} has not")
        self.voters = voters

    def __repr__(self) -> str:
        return f"Together({', '.join(map(repr, self.voters))})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Together) and self.voters == other.voters

    def __hash__(self) -> int:
        return hash(Together)

    def vote(self, proposal: Proposal, own: Stake) -> Ballot:
        """The sum of all, with the reasons of all; a veto if any of them vetoes."""
        total, vetoed = own.weighted_sum, False
        reasons: list[Reason] = []
        for voter in self.voters:
            value, given = voter.vote(proposal, own)
            reasons += given
            vetoed |= value is VETO
            total += 0.0 if value is VETO else value - own.weighted_sum
        return (VETO if vetoed else total), reasons


def checked_ballot(voter: Any, ballot: Any) -> tuple[float | None, tuple[Reason, ...]]:
    """What a voter returned; an InputError if that is no vote with reasons."""
    try:
        value, given = ballot
        reasons = tuple(given)
    except (TypeError, ValueError):
        raise InputError(f"{voter!r} must return a vote and its reasons, not {ballot!r}") from None
    if value is not VETO and not (is_number(value) and math.isfinite(value)):
        raise InputError(f"{voter!r} must vote by a number or VETO, not {value!r}")
    if not all(isinstance(reason, Reason) for reason in reasons):
        raise InputError(f"{voter!r} must give reasons as Reason(kind, says, amount), not {given!r}")
    return (None if value is VETO else float(value)), reasons
