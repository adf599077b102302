"""What agents told each other, as records: paths, conflicts of paths, proposals and dialogues."""

from __future__ import annotations

from dataclasses import dataclass, field

from ..dialogue.utterance import Action, Order, Topic, Utterance


@dataclass(eq=False)
class Telling:
    """A path that an agent told everybody, and the one before."""

    said: Utterance
    index: int
    cause: str
    before: Telling | None

    @property
    def agent(self) -> int:
        """Who told it."""
        return self.said.speaker


@dataclass(frozen=True)
class Conflict:
    """Where told paths collide: in which step of the round, where, when and how."""

    step: int
    place: int
    when: int
    kind: str


@dataclass
class Offer:
    """A proposal: who made it, the paths that were told for it, who voted what and where, who vetoed it."""

    order: Order
    proposer: int
    paths: dict[int, tuple[int, ...]] = field(default_factory=dict)
    votes: dict[int, float] = field(default_factory=dict)
    said: dict[int, int] = field(default_factory=dict)  # the utterances of votes and the veto
    vetoed_by: int | None = None


@dataclass
class Talk:
    """A dialogue: what it was about, its proposals and what was adopted (None: nothing)."""

    number: int
    round: int
    topic: Topic
    resumed: int  # the utterance before which paths count: where it goes on after all holds
    offers: list[Offer] = field(default_factory=list)
    adopted: Order | None = None
    gives_up: tuple[Action, ...] = ()  # where no order helped, and single actions were agreed on
    ended: int = -1  # its last utterance
