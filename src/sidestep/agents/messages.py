"""What travels between agents and their world: one versioned schema, limited in size.

Every message says of which run, incarnation, round and step it is, who sent it, and under which number; with
these it can come late, twice or in any order. `docs/guides/fleet.md` has the table of kinds and fields. Bytes
are msgpack; who cannot decode them gets a `Nonsense`, which agents ignore and report.
"""

from __future__ import annotations

from typing import Annotated, Any

from ..model.errors import InputError, MissingExtraError

try:
    import msgspec
except ImportError:
    raise MissingExtraError("msgspec", "agents") from None

VERSION = 1
MOST_BYTES = 1 << 20  # of a message: the longest path takes a third of that
MOST_AGENTS, MOST_STEPS = 1 << 16, 1 << 16
WORLD = -1  # the number of the world, as a sender and as a hearer

Number = Annotated[int, msgspec.Meta(ge=-1, lt=2**31)]
Word = Annotated[str, msgspec.Meta(max_length=200)]
Path = Annotated[tuple[Number, ...], msgspec.Meta(max_length=MOST_STEPS)]
Agents = Annotated[tuple[Number, ...], msgspec.Meta(max_length=MOST_AGENTS)]
Pairs = Annotated[tuple[tuple[Number, Number], ...], msgspec.Meta(max_length=MOST_AGENTS)]
Heads = Annotated[tuple[int, ...], msgspec.Meta(max_length=4)]  # an agent and a standing, or nothing
TopicData = tuple[Number, Number, Agents]  # time, place, agents


class Nonsense(InputError):  # noqa: N818  # it is what the message is
    """Bytes that are no message of this version."""


class Message(msgspec.Struct, frozen=True, kw_only=True, tag=True, forbid_unknown_fields=True, gc=False):
    """What all messages carry.

    They hold numbers and words alone, so no cycle goes through one: the collector need not look at them. Who
    hears many of them asks for `type(message)`: `isinstance` of such classes goes the long way.

    Attributes:
        run: which run it belongs to.
        incarnation: of its sender: another process in its place has a higher one.
        round: the round of planning.
        step: the lock-step in it.
        sender: an agent, or `WORLD`.
        number: the sender's own, never twice in an incarnation.
        hearers: for whom it is.
        version: of the schema.
    """

    run: Word
    incarnation: Number
    round: Number
    step: Number
    sender: Number
    number: Number
    hearers: Agents
    version: Annotated[int, msgspec.Meta(ge=VERSION, le=VERSION)] = VERSION


class Said(Message, frozen=True, kw_only=True):
    """An utterance in a dialogue; `turn` counts them, so that they can be put in order."""

    topic: TopicData
    turn: Number
    stage: Word
    act: Word
    order: Pairs = ()
    path: Path = ()
    vote: float | None = None


class Done(Message, frozen=True, kw_only=True):
    """The sender has done what it does in this step.

    Attributes:
        ready: it has no conflict.
        path: its new path, if it has one.
        first: it goes before all others.
        topic: the dialogue in which it got the path, if any.
        turn: of the path in that dialogue.
        stays: whether it stays at the end of its path for good.
    """

    ready: bool
    path: Path = ()
    first: bool = False
    topic: TopicData | None = None
    turn: Number = 0
    stays: bool = True


class Token(Message, frozen=True, kw_only=True):
    """The token of a ring, passed on to the next.

    Attributes:
        places: where agents stand, of those whom it has come by.
        paths: of everybody who is in it, as they came: agent, path, does it stay at its end?
        begun: who has begun one.
    """

    places: Pairs
    paths: Annotated[tuple[tuple[Number, Path, bool], ...], msgspec.Meta(max_length=MOST_AGENTS)] = ()
    begun: Agents = ()


class Letter(Message, frozen=True, kw_only=True):
    """Where the sender stands and goes, as far as it knows.

    Attributes:
        place: where it stands.
        path: its path; empty if it knows of none.
        stays: whether it stays at the end of its path for good.
        final: nothing that anybody could say would change it.
    """

    place: Number
    path: Path = ()
    stays: bool = True
    final: bool = False


class Stance(Message, frozen=True, kw_only=True):
    """What the sender does in this turn, as far as it has decided, to those within two cells.

    Attributes:
        phase: the lock-step of the turn.
        place: where it stands.
        standing: who speaks first, the lowest; of one that was asked, that of who asked first.
        target: where it goes, perhaps only if the one it asks makes room; -1: it has not decided.
        settled: it has decided for good.
        asks: whom it asks to make room; -1: nobody.
        chain: who asked it, and who asked that one, and so on, the first one first.
        way: places that the first one who asked would like to be free.
        cornered: it was asked, and can go nowhere but back to who asked.
        rival: who of those that were asked wants to go there, and its standing.
        turned: who takes over the standing that follows, since heads were turned.
        final: it says nothing more in this turn.
    """

    phase: Number
    place: Number
    standing: Annotated[tuple[int, ...], msgspec.Meta(min_length=5, max_length=5)]
    target: Number = -1
    settled: bool = False
    asks: Number = -1
    chain: Agents = ()
    way: Annotated[tuple[Number, ...], msgspec.Meta(max_length=16)] = ()
    cornered: bool = False
    rival: Heads = ()
    turned: Heads = ()
    final: bool = False


class Quiet(Message, frozen=True, kw_only=True):
    """To the world: the sender holds for settled, in this step, what it knows of everybody in reach."""


class Stuck(Message, frozen=True, kw_only=True):
    """To the world: the sender does not know how to go on, and why."""

    why: Word


class Beat(Message, frozen=True, kw_only=True):
    """A sign of life, once per tick: the sender has come so far on its path of this round."""

    tick: Number
    index: Number


class Move(Message, frozen=True, kw_only=True):
    """To the world: where the sender goes from where in this tick; whom it waits for, if it stands."""

    tick: Number
    source: Number
    target: Number
    waits_for: Number = -1


class Hello(Message, frozen=True, kw_only=True):
    """To the world: the sender is there, and wants to take part."""


class Ack(Message, frozen=True, kw_only=True):
    """The sender has heard message `of` of the hearer."""

    of: Number


class Report(Message, frozen=True, kw_only=True):
    """To the world: something odd, in words; nothing depends on it."""

    what: Word


class Tick(Message, frozen=True, kw_only=True):
    """From the world to one agent: the time, where it is, and with whom it plans.

    Attributes:
        tick: the number of turns so far.
        begun: the tick at which the round began.
        window: steps that are planned ahead in this round; 0 for all the way.
        place: where the hearer is; -1 if it is gone.
        goal: where it shall go.
        near: who is in reach in this round, with incarnations.
        dead: who is dead, and where it stands.
        granted: the step at which the round was settled for the hearer, or -1.
    """

    tick: Number
    begun: Number
    window: Number
    place: Number
    goal: Number
    near: Pairs
    dead: Pairs = ()
    granted: Number = -1


class Go(Message, frozen=True, kw_only=True):
    """From the world: all that can meet in this round were ready in this step, so go."""


class Fenced(Message, frozen=True, kw_only=True):
    """From the world: this incarnation was taken for dead; say hello with another."""


class Stop(Message, frozen=True, kw_only=True):
    """From the world: the run is over."""


class Timeout(Message, frozen=True, kw_only=True):
    """From an agent's own clock: time to say again what was not acknowledged."""


KINDS: tuple[type[Message], ...] = (
    *(Said, Done, Token, Letter, Stance, Quiet, Stuck, Beat, Move, Hello, Ack, Report),
    *(Tick, Go, Fenced, Stop, Timeout),
)
_encoder = msgspec.msgpack.Encoder()
_decoder: msgspec.msgpack.Decoder[Any] = msgspec.msgpack.Decoder(
    Said
    | Done
    | Token
    | Letter
    | Stance
    | Quiet
    | Stuck
    | Beat
    | Move
    | Hello
    | Ack
    | Report
    | Tick
    | Go
    | Fenced
    | Stop
    | Timeout
)


def encoded(message: Message) -> bytes:
    """The message as bytes."""
    return _encoder.encode(message)


def decoded(data: bytes) -> Message:
    """The message that these bytes are; Nonsense if they are none."""
    if len(data) > MOST_BYTES:
        raise Nonsense(f"a message has at most {MOST_BYTES} bytes, not {len(data)}")
    try:
        message: Message = _decoder.decode(data)
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError) as error:
        raise Nonsense(f"this is no message: {str(error)[:100]}") from None
    return message


def timeout(run: str, agent: int) -> Timeout:
    """An entry of an agent's own clock."""
    return Timeout(run=run, incarnation=0, round=0, step=0, sender=agent, number=0, hearers=(agent,))
