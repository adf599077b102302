"""The messages of VDA 5050 that both versions have in common, typed and limited, and how they are read.

A vehicle is told of a way as *nodes* and *edges* with sequence numbers: even ones for nodes, odd ones for
edges. The released part is the base, the rest the horizon. What comes in is checked field by field: anything
else is a `BadMessage` with a sentence, and nothing of it is taken. Fields of no use here are ignored.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Annotated, Any, Literal, TypeVar

from ..model.errors import InputError, MissingExtraError

try:
    import msgspec
except ImportError:
    raise MissingExtraError("msgspec", "fleet") from None

MOST_BYTES = 1 << 20  # of a message
MOST_NODES = 1 << 14  # of an order, with as many edges
MOST_ENTRIES = 1 << 12  # of any other list

Id = Annotated[str, msgspec.Meta(max_length=256)]
Text = Annotated[str, msgspec.Meta(max_length=1 << 14)]
Uint32 = Annotated[int, msgspec.Meta(ge=0, lt=2**32)]
Real = Annotated[float, msgspec.Meta(ge=-1e9, le=1e9)]
Percent = Annotated[float, msgspec.Meta(ge=0, le=100)]
Angle = Annotated[float, msgspec.Meta(ge=-3.15, le=3.15)]
Timestamp = Annotated[
    str, msgspec.Meta(max_length=40, pattern=r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?Z$")
]


class BadMessage(InputError):  # noqa: N818  # it is what the message is
    """Bytes that are no message of this kind and version."""


class Part(msgspec.Struct, frozen=True, kw_only=True, rename="camel", omit_defaults=True):
    """What all parts of messages are: read-only, with names as they are on the wire."""


class Header(Part, frozen=True, kw_only=True):
    """What every message begins with: `header_id` counts those of a sender on a topic; times are UTC."""

    header_id: Uint32
    timestamp: Timestamp
    version: Annotated[str, msgspec.Meta(max_length=32, pattern=r"^\d+\.\d+\.\d+$")]
    manufacturer: Id
    serial_number: Id


class Action(Part, frozen=True, kw_only=True):
    """Something that a vehicle does besides driving."""

    action_type: Id
    action_id: Id
    blocking_type: Literal["NONE", "SOFT", "SINGLE", "HARD"]
    action_parameters: Annotated[tuple[dict[str, Any], ...], msgspec.Meta(max_length=MOST_ENTRIES)] = ()


Actions = Annotated[tuple[Action, ...], msgspec.Meta(max_length=MOST_ENTRIES)]


class NodePosition(Part, frozen=True, kw_only=True):
    """Where a node is, in metres on a map."""

    x: Real
    y: Real
    map_id: Id
    theta: Angle | None = None


class Stretch(Part, frozen=True, kw_only=True):
    """A part of a way, by its number; in the base if it is released, else in the horizon."""

    sequence_id: Uint32
    released: bool


class NodeState(Stretch, frozen=True, kw_only=True):
    """A node that a vehicle has still to come to."""

    node_id: Id
    node_position: NodePosition | None = None


class EdgeState(Stretch, frozen=True, kw_only=True):
    """An edge that a vehicle has still to drive along."""

    edge_id: Id


class Node(NodeState, frozen=True, kw_only=True):
    """A node of an order."""

    actions: Actions


class Edge(EdgeState, frozen=True, kw_only=True):
    """An edge of an order, from the node before it to the one after it."""

    actions: Actions


class Order(Header, frozen=True, kw_only=True):
    """A way for a vehicle, or how it goes on: see `fault_of` for what makes it a way."""

    order_id: Id
    order_update_id: Uint32
    nodes: Annotated[tuple[Node, ...], msgspec.Meta(min_length=1, max_length=MOST_NODES)]
    edges: Annotated[tuple[Edge, ...], msgspec.Meta(max_length=MOST_NODES)]


class InstantActions(Header, frozen=True, kw_only=True):
    """Actions that are to be done at once."""

    actions: Actions


class Error(Part, frozen=True, kw_only=True):
    """What a vehicle finds wrong, and what that is about: a `referenceKey` and a `referenceValue` each."""

    error_type: Id
    error_level: Literal["WARNING", "URGENT", "CRITICAL", "FATAL"]
    error_references: Annotated[tuple[dict[str, Text], ...], msgspec.Meta(max_length=MOST_ENTRIES)] = ()
    error_description: Text = ""


class ActionState(Part, frozen=True, kw_only=True):
    """How far an action has come."""

    action_id: Id
    action_status: Literal["WAITING", "INITIALIZING", "RUNNING", "PAUSED", "RETRIABLE", "FINISHED", "FAILED"]
    action_type: Id = ""


ActionStates = Annotated[tuple[ActionState, ...], msgspec.Meta(max_length=MOST_ENTRIES)]


class State(Header, frozen=True, kw_only=True):
    """What a vehicle says of itself, as far as the versions agree.

    Attributes:
        order_id: The order that it has, or had last; empty if it never had one.
        order_update_id: Of the last update that it has accepted.
        last_node_id: The node that it was on last; empty if it does not know.
        last_node_sequence_id: The sequence number of that node in the order.
        node_states: The nodes that it has still to come to.
        edge_states: The edges to them.
        driving: Whether it drives or turns.
        action_states: The actions of the order, in version 2.1 also those that were instant.
        errors: What it finds wrong.
        operating_mode: Who drives it.
        paused: Whether it is paused.
        new_base_request: Whether it is about to run out of released nodes.
    """

    order_id: Id
    order_update_id: Uint32
    last_node_id: Id
    last_node_sequence_id: Uint32
    node_states: Annotated[tuple[NodeState, ...], msgspec.Meta(max_length=MOST_NODES)]
    edge_states: Annotated[tuple[EdgeState, ...], msgspec.Meta(max_length=MOST_NODES)]
    driving: bool
    action_states: ActionStates
    errors: Annotated[tuple[Error, ...], msgspec.Meta(max_length=MOST_ENTRIES)]
    operating_mode: str
    paused: bool | None = None
    new_base_request: bool | None = None

    @property
    def instants(self) -> ActionStates:
        """How far instant actions have come."""
        return self.action_states

    @property
    def point(self) -> tuple[float, float] | None:
        """Where the vehicle is, in metres, if it says so."""
        return None


AnyMessage = TypeVar("AnyMessage", bound=Header)


def decoded(decoder: msgspec.json.Decoder[AnyMessage], data: bytes) -> AnyMessage:
    """The message in these bytes, or a BadMessage with a sentence."""
    if len(data) > MOST_BYTES:
        raise BadMessage(f"the message has {len(data):,} bytes, and {MOST_BYTES:,} are the most")
    try:
        return decoder.decode(data)
    except (msgspec.MsgspecError, UnicodeError, RecursionError, ValueError) as error:
        raise BadMessage(str(error)[:200]) from None


def fault_of(order: Order) -> str | None:
    """What is wrong with an order as a way: its numbers, its base; None if nothing is.

    Nodes and edges alternate, with sequence numbers that go up by 1; what is released comes first, the first
    node is, and an edge is released with the node that it leads to.
    """
    nodes, edges = order.nodes, order.edges
    if len(edges) != len(nodes) - 1:
        return f"{len(nodes)} nodes have {len(nodes) - 1} edges between them, not {len(edges)}"
    if nodes[0].sequence_id % 2 or not nodes[0].released:
        return "the first node must be released, with an even sequenceId"
    for edge, (before, after) in zip(edges, pairwise(nodes), strict=True):
        if (edge.sequence_id, after.sequence_id) != (before.sequence_id + 1, before.sequence_id + 2):
            return f"the sequenceIds after {before.sequence_id} do not go up by 1 from node to edge to node"
        if after.released and not before.released:
            return f"the node {after.sequence_id} is released behind one that is not"
        if edge.released != after.released:
            return f"the edge {edge.sequence_id} is not released together with the node behind it"
    return None


def replace(message: AnyMessage, **fields: Any) -> AnyMessage:
    """The same message with other values of some fields."""
    return msgspec.structs.replace(message, **fields)


def encoded(message: Any) -> bytes:
    """The bytes of a message."""
    return msgspec.json.encode(message)
