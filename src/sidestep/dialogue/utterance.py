"""What agents say to each other in a dialogue, as data."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from itertools import combinations
from typing import NamedTuple

Order = tuple[tuple[int, int], ...]  # pairs (superior, inferior)
NO_DIALOGUE = -1


class Stage(StrEnum):
    """The four stages of a dialogue; paths are exchanged, and circles settled, outside of any."""

    EXCHANGE = "exchange"
    OPENING = "opening"
    PROPOSAL = "proposal"
    EVALUATION = "evaluation"
    CLOSING = "closing"


class Act(StrEnum):
    """The kinds of utterances."""

    NO_EARLIER = "no earlier conflicts"
    HOLD = "hold"
    PROPOSE = "propose"
    DECLINE = "decline"
    NEW_PATH = "new path"
    VOTE = "vote"
    VETO = "veto"
    EXPAND = "request to expand"
    NO_FURTHER = "no further proposals"
    ADOPT = "adopt"
    GO_FIRST = "go before all others"
    ASK = "ask"


@dataclass(frozen=True, slots=True)
class Reason:
    """An argument that an agent gives with its vote.

    Attributes:
        kind: One word, for programs.
        says: What people read, about the agent as "it": "its order is due in 12 steps".
        amount: The number in it, if there is one.
    """

    kind: str
    says: str
    amount: float | None = None


class Action(NamedTuple):
    """One thing that an agent does: to be in a place at a time or, with `origin`, to go there from that place
    in the step after it. Times are counted from the beginning of the round; an `origin` of -1 is none.
    """

    agent: int
    origin: int
    place: int
    time: int


@dataclass(frozen=True, slots=True)
class Utterance:
    """One thing said by one agent to others.

    `order` is what a proposal, a vote, a veto, a request or an adoption is about, `path` what a new path
    consists of (vertices, from the beginning of the round on), `vote` the number of a vote. Who goes
    before all others is above all hearers from then on, and below nobody. `step` is the lock-step of the
    round in which it was said, where there are any: what is said in one is acted on in the next.
    `reasons` come with a vote or a veto. Where no order helps, `gives_up` has the single actions that a
    proposal, and what is said about it, is about.
    """

    round: int
    dialogue: int
    stage: Stage
    speaker: int
    hearers: tuple[int, ...]
    act: Act
    order: Order = ()
    path: tuple[int, ...] = ()
    vote: float | None = None
    step: int = 0
    reasons: tuple[Reason, ...] = ()
    gives_up: tuple[Action, ...] = ()


class Topic(NamedTuple):
    """The conflict that a dialogue is about: who would collide, where, and when in its round."""

    time: int
    place: int
    agents: tuple[int, ...]


def order_text(order: Order, names: tuple[str, ...]) -> str:
    """`a1 > a2`, `a1 > a2, a3` or `a1 > a2 > a3`; what is no such ranking is told superior by superior."""
    levels: dict[int, list[int]] = {}
    for agent in sorted({agent for pair in order for agent in pair}):
        levels.setdefault(sum(inferior == agent for _, inferior in order), []).append(agent)
    ranks = [levels[depth] for depth in sorted(levels)]
    implied = {(one, other) for high, low in combinations(ranks, 2) for one in high for other in low}
    if implied == set(order):
        return " > ".join(", ".join(names[agent] for agent in rank) for rank in ranks)
    below = {
        above: [names[inferior] for superior, inferior in order if superior == above] for above, _ in order
    }
    return "; ".join(f"{names[above]} > {', '.join(inferiors)}" for above, inferiors in below.items())
