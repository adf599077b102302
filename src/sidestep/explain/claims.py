"""What an answer may say: claims, each a small record that can be wrong.

A sentence of an answer is made of claims and of nothing else. What finds a claim writes it down here as
data; `wording.py` makes sentences of it, and `checker/` recomputes it from the problem, the plan or trace and
the transcript. The numbers of agents, vertices, dialogues and utterances are indices; times are those of the
run, and a collision on the way from one time to the next is dated by its end.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from ..dialogue.utterance import Order
from ..model.plan import Plan
from .claim import AGENT, AGENTS, CHANGES, ORDER, PATH, PATHS, PLACE, PLAN, Claim, Part

# ---------------------------------------------------------------------------------------------- the run


@dataclass(frozen=True)
class Does(Claim):
    """What an agent does from a time to the next, and how far it is from its goal then (None: no goal)."""

    agent: int = field(metadata=AGENT)
    time: int
    doing: str
    here: int = field(metadata=PLACE)
    there: int = field(metadata=PLACE)
    left: int | None = None


@dataclass(frozen=True)
class Lasts(Claim):
    """The agent stands in one place from `since` to `until`, is elsewhere before, and moves on then."""

    agent: int = field(metadata=AGENT)
    here: int = field(metadata=PLACE)
    since: int
    until: int


@dataclass(frozen=True)
class Instead(Claim):
    """Alone, the agent would have been elsewhere after this step: so it told the others at first."""

    agent: int = field(metadata=AGENT)
    time: int
    there: int = field(metadata=PLACE)
    alone: int = field(metadata=PLACE)


@dataclass(frozen=True)
class Way(Claim):
    """The way that is spoken of: a shortest one to the goal; or one that is on `over` at a time `by`."""

    agent: int = field(metadata=AGENT)
    time: int
    path: tuple[int, ...] = field(metadata=PATH)
    over: int | None = field(default=None, metadata=PLACE)
    by: int | None = None


@dataclass(frozen=True)
class Meets(Claim):
    """On the way spoken of, with all others as they went, it collides with another, for the first time there.

    `manner` says how, as a word for the phrase: what the other does there.
    """

    agent: int = field(metadata=AGENT)
    time: int
    other: int = field(metadata=AGENT)
    place: int = field(metadata=PLACE)
    when: int
    collision: str
    manner: str


@dataclass(frozen=True)
class MeetsOnly(Claim):
    """On the way spoken of, with all others as they went, it collides with these and nobody else."""

    agent: int = field(metadata=AGENT)
    time: int
    others: tuple[int, ...] = field(metadata=AGENTS)


@dataclass(frozen=True)
class Alternative(Claim):
    """There is a plan in which it goes the way spoken of, and it costs whom so much more than the run."""

    agent: int = field(metadata=AGENT)
    time: int
    plan: Plan = field(metadata=PLAN, repr=False)
    changes: tuple[tuple[int, int], ...] = field(metadata=CHANGES)
    total: int


@dataclass(frozen=True)
class NoWayAround(Claim):
    """If it goes the way spoken of, these cannot all get to their goals, whatever they do."""

    agent: int = field(metadata=AGENT)
    time: int
    agents: tuple[int, ...] = field(metadata=AGENTS)


@dataclass(frozen=True)
class Sooner(Claim):
    """There is a plan in which only this agent goes another way, and is cheaper by so much."""

    agent: int = field(metadata=AGENT)
    time: int
    plan: Plan = field(metadata=PLAN, repr=False)
    by: int


@dataclass(frozen=True)
class NotFound(Claim):
    """What was looked for was not found within a limit. Nothing proves it, and it proves nothing."""

    checkable: ClassVar[bool] = False
    agent: int = field(metadata=AGENT)
    time: int
    what: str  # "reason" or "alternative"
    limit: str


@dataclass(frozen=True)
class WaitsFor(Claim):
    """The agent stands, and the other holds a place next to it that is nearer to its goal."""

    agent: int = field(metadata=AGENT)
    time: int
    other: int = field(metadata=AGENT)
    place: int = field(metadata=PLACE)


@dataclass(frozen=True)
class Ring(Claim):
    """Each of these waits for the next, and the last for the first."""

    agents: tuple[int, ...] = field(metadata=AGENTS)
    time: int


@dataclass(frozen=True)
class CutOff(Claim):
    """No way leads the agent to its goal at this time; one would if `wall` were open (None: not known)."""

    agent: int = field(metadata=AGENT)
    time: int
    here: int = field(metadata=PLACE)
    wall: int | None = field(default=None, metadata=PLACE)


@dataclass(frozen=True)
class Changed(Claim):
    """The outside world changed something: the event is in the trace."""

    time: int
    change: str
    agent: int = field(default=-1, metadata=AGENT)
    place: int = field(default=-1, metadata=PLACE)


@dataclass(frozen=True)
class IsThere(Claim):
    """The agent is in this place at this time."""

    agent: int = field(metadata=AGENT)
    time: int
    place: int = field(metadata=PLACE)


@dataclass(frozen=True)
class TooFar(Claim):
    """From its start the agent needs this many turns to the place, more than there were (None: no way)."""

    agent: int = field(metadata=AGENT)
    time: int
    place: int = field(metadata=PLACE)
    steps: int | None


@dataclass(frozen=True)
class LeavesFirst(Claim):
    """The agent leaves the map on its goal; a way to the place around it takes longer than there was time.

    In turns from its start; None: every way leads over its goal.
    """

    agent: int = field(metadata=AGENT)
    time: int
    place: int = field(metadata=PLACE)
    goal: int = field(metadata=PLACE)
    steps: int | None


@dataclass(frozen=True)
class Closed(Claim):
    """Nobody can be in this place at this time: it is closed."""

    time: int
    place: int = field(metadata=PLACE)


@dataclass(frozen=True)
class Detour(Claim):
    """The way spoken of costs the agent so much more than it had, all others left aside."""

    agent: int = field(metadata=AGENT)
    time: int
    more: int


@dataclass(frozen=True)
class ComesFirst(Claim):
    """Both come to this place, the first one earlier: the first place of the second one where that is so."""

    first: int = field(metadata=AGENT)
    second: int = field(metadata=AGENT)
    place: int = field(metadata=PLACE)
    when: int
    later: int


@dataclass(frozen=True)
class NeverShare(Claim):
    """No place has both of them, at whatever times."""

    first: int = field(metadata=AGENT)
    second: int = field(metadata=AGENT)


@dataclass(frozen=True)
class Ended(Claim):
    """How the run ended, as the solver says it."""

    status: str
    reason: str


# --------------------------------------------------------------------------------------- what was said


@dataclass(frozen=True)
class Entered(Claim):
    """From this utterance on the agent told paths with this step, and went so.

    `cause` is why it told another path then: `alone` (the first of the round), `dialogue` (as was agreed in
    it), `order` (one above it had come in its way) or `first` (it went before all others).
    """

    expert: ClassVar[bool] = True
    agent: int = field(metadata=AGENT)
    time: int
    utterance: int
    cause: str
    dialogue: int = -1


@dataclass(frozen=True)
class GaveWay(Claim):
    """Before this utterance the told paths of both collided there, and the agent was, or came, below it.

    `dialogue` is the one in which that order was adopted; -1 if the other went before everybody.
    """

    agent: int = field(metadata=AGENT)
    utterance: int
    superior: int = field(metadata=AGENT)
    dialogue: int
    place: int = field(metadata=PLACE)
    when: int
    collision: str


@dataclass(frozen=True)
class WentFirst(Claim):
    """The agent said that it goes before all others."""

    agent: int = field(metadata=AGENT)
    utterance: int


@dataclass(frozen=True)
class Topic(Claim):
    """What a dialogue was about: the told paths of these agents collide there when it is taken up."""

    expert: ClassVar[bool] = True
    dialogue: int
    agents: tuple[int, ...] = field(metadata=AGENTS)
    place: int = field(metadata=PLACE)
    when: int
    collision: str


@dataclass(frozen=True)
class Outcome(Part):
    """What a proposal means for one agent: steps and conflicts before and after, and its vote."""

    agent: int = field(metadata=AGENT)
    steps: tuple[int, int]
    conflicts: tuple[int, int]
    vote: float


@dataclass(frozen=True)
class Proposed(Claim):
    """One proposal of a dialogue, what it means for everybody, the sum of the votes; or who vetoed it.

    `because`: the one that vetoed has no `path` left, its path is still in `conflict` with one above it, or
    neither: its `voter` did not accept it.
    """

    expert: ClassVar[bool] = True
    dialogue: int
    proposer: int = field(metadata=AGENT)
    order: Order = field(metadata=ORDER)
    outcomes: tuple[Outcome, ...] = ()
    total: float | None = None
    vetoed_by: int | None = field(default=None, metadata=AGENT)
    because: str = ""


@dataclass(frozen=True)
class Argued(Claim):
    """With its vote on an order, or its veto, the agent gave this reason, in these words.

    `argument` is the kind of the reason, `amount` the number in it. Where the voter's parameters are known,
    or the paths show it, the number is as it says.
    """

    dialogue: int
    utterance: int
    agent: int = field(metadata=AGENT)
    order: Order = field(metadata=ORDER)
    argument: str
    says: str
    amount: float | None = None


@dataclass(frozen=True)
class GaveUp(Claim):
    """All orders of the dialogue were vetoed, and it was agreed that agents do not do these single things.

    Each is (agent, origin, place, time): not to be in the place then or, with an origin, not to go there from
    it in the step that ends then.
    """

    dialogue: int
    agents: tuple[int, ...] = field(metadata=AGENTS)
    actions: tuple[tuple[int, int, int, int], ...]


@dataclass(frozen=True)
class Decided(Claim):
    """What was adopted, and what decided.

    `by`: `sum` (it alone has the lowest one), `number` (of several with the lowest sum the one whose proposer
    has the lowest number), `earlier` (of several of one proposer, the first), `veto` (no other was left) or
    `silence` (there was no dialogue). `longer` is by how many steps its ways are longer in all than those of
    the shortest other proposal that was not vetoed. `weights`: what a vote is made of, where that is known.
    """

    expert: ClassVar[bool] = True
    dialogue: int
    order: Order = field(metadata=ORDER)
    by: str
    longer: int = 0
    weights: tuple[float, ...] | None = None


@dataclass(frozen=True)
class Undecided(Claim):
    """The dialogue came to no order.

    `why`: `vetoes` (under every proposal somebody has no way left), `refused` (every one was vetoed, and of
    some a voter did not accept it), `on hold` (it was never taken up again) or `interrupted`.
    """

    dialogue: int
    agents: tuple[int, ...] = field(metadata=AGENTS)
    why: str


@dataclass(frozen=True)
class Chain(Claim):
    """All dialogues that the step goes back to: they settled the conflicts that led to it.

    The dialogue in which the step, or the order behind it, was agreed on is the first; the others follow by
    number.
    """

    expert: ClassVar[bool] = True
    agent: int = field(metadata=AGENT)
    time: int
    dialogues: tuple[int, ...]


@dataclass(frozen=True)
class NoEffect(Claim):
    """No step that was made goes back to this dialogue.

    `why`: `superseded` (all that it changed was told otherwise later, the last of it in dialogue `by`, or
    after it if that is -1), `forgotten` (what is left of it was to come after its round), `unfinished` (no
    order was adopted) or `unchanged` (nobody changed its path).
    """

    expert: ClassVar[bool] = True
    dialogue: int
    why: str
    by: int = -1


@dataclass(frozen=True)
class OrderRing(Claim):
    """At the end each of these was above the next, and the last above the first, since those dialogues."""

    agents: tuple[int, ...] = field(metadata=AGENTS)
    dialogues: tuple[int, ...]


@dataclass(frozen=True)
class NoWayLeft(Claim):
    """At the end these were above the agent, since those dialogues, and leave it no way; one less would."""

    agent: int = field(metadata=AGENT)
    superiors: tuple[int, ...] = field(metadata=AGENTS)
    dialogues: tuple[int, ...]


@dataclass(frozen=True)
class Attempt(Part):
    """Agents that go one before another, the last of which has no way left.

    Each goes around those before it: `paths` are theirs, but for the last; an empty one is what it has told.
    """

    ranked: tuple[int, ...] = field(metadata=AGENTS)
    paths: tuple[tuple[int, ...], ...] = field(default=(), metadata=PATHS)


@dataclass(frozen=True)
class NoOrderLeft(Claim):
    """At the end these collide, and in every order of them somebody has no way left.

    All their orders begin as one of the `attempts`. Everybody goes around those above it, too.
    """

    agents: tuple[int, ...] = field(metadata=AGENTS)
    attempts: tuple[Attempt, ...]


@dataclass(frozen=True)
class Repeats(Claim):
    """In the last round all were where they had been in an earlier one, and in the end said the same.

    So they looked as far ahead, and nothing would ever have been otherwise. `away`: who was not on its goal.
    """

    earlier: int
    later: int
    away: tuple[int, ...] = field(metadata=AGENTS)


@dataclass(frozen=True)
class StillAway(Claim):
    """When the last round began these were not on their goals, and all others were."""

    time: int
    away: tuple[int, ...] = field(metadata=AGENTS)


@dataclass(frozen=True)
class Returned(Claim):
    """After the later utterance all told paths are as after the earlier one, without an order in between."""

    earlier: int
    later: int


KINDS: dict[str, type[Claim]] = {kind.kind(): kind for kind in Claim.__subclasses__()}
