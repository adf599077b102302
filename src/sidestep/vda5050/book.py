"""What one vehicle was told and has said: its order, how that goes on, and what it has not confirmed yet.

Visit n of an agent is the node with the sequence number 2 (n - first) of an order that began at the visit
`first`. Since nothing of a base may change and an update begins where the base ended, a vehicle that has
missed one update cannot use the next. So one message is under way at a time: it is repeated as it is until a
state confirms it. The state is the truth; what comes late or twice is told by headers.

An order goes on for as long as the vehicle has it: what it does next is one more update. With a new order for
every task, a copy of an old one that comes late could be taken for a new one by a vehicle that stands where
it began. An old update can not: its number is too low.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from . import messages as m
from .messages import replace
from .topics import Desk

DRIVEN = ("AUTOMATIC", "SEMIAUTOMATIC", "INTERVENED")  # modes in which orders may be sent
HALF = 1 << 31  # headers that are at most this far ahead are newer


@dataclass(frozen=True)
class Way:
    """What a fleet has for one vehicle now.

    Attributes:
        finished: How many visits it has finished.
        places: The vertices of the last finished visit and of all that are released after it.
        planned: The vertices of the next visits that are not released.
    """

    finished: int
    places: Sequence[int]
    planned: Sequence[int]

    @property
    def released(self) -> int:
        """The number of the last released visit."""
        return self.finished + len(self.places) - 1


@dataclass
class Request:
    """An instant action that a vehicle was asked for; said again until a state has it."""

    action: m.Action
    status: str = ""
    since: int = 0

    @property
    def ended(self) -> bool:
        """Whether the vehicle has done it, or cannot."""
        return self.status in ("FINISHED", "FAILED")


@dataclass
class Book:
    """The order of one vehicle.

    Attributes:
        desk: Its topics and headers.
        run: What the ids of orders begin with.
        order_id: Of the order that it has or is being given; empty if there is none.
        update: The last `orderUpdateId` that was sent.
        first: The visit that has the sequence number 0.
        base: The last visit in the base, as it was sent.
        has_horizon: Whether there was a horizon behind it.
        pending: What was sent and is not confirmed.
        since: The tick in which that was said last.
        accepted: Whether the vehicle has confirmed this order.
        heard: The newest state.
        connection: The newest state of its connection.
        most_nodes: How many nodes an order may have for it; 0 if that is not limited.
        stopped: True after its order was cancelled, until it may go on.
        requests: Instant actions that it was asked for.
    """

    desk: Desk
    run: str
    order_id: str = ""
    update: int = -1
    first: int = 0
    base: int = 0
    has_horizon: bool = False
    pending: m.Order | None = None
    since: int = 0
    accepted: bool = False
    heard: m.State | None = None
    connection: str = ""
    most_nodes: int = 0
    stopped: bool = False
    requests: dict[str, Request] = field(default_factory=dict)
    _orders: int = 0
    _actions: int = 0

    # ------------------------------------------------------------------------------ what it says

    def is_fresh(self, state: m.Header) -> bool:
        """Whether a state is newer than all before: by its number, or, after a restart, by its time."""
        if self.heard is None:
            return True
        ahead = (state.header_id - self.heard.header_id) % 2**32
        return 0 < ahead < HALF or _time(state) > _time(self.heard)

    def hear(self, state: m.State) -> None:
        """Takes what a fresh state says of orders and actions."""
        self.heard = state
        if state.order_id == self.order_id and self.order_id:
            self.accepted = True
            if self.pending is not None and state.order_update_id >= self.pending.order_update_id:
                self.pending = None
        if self.requests:
            for one in state.instants:
                if one.action_id in self.requests:
                    self.requests[one.action_id].status = one.action_status
            self.requests = {key: one for key, one in self.requests.items() if not one.ended}

    def has_forgotten(self, state: m.State) -> bool:
        """Whether a vehicle has confirmed its order before, and has dropped it since.

        It has another one or none after a restart; or it has no nodes left, and is not at the end of its
        base, after somebody has driven it by hand.
        """
        if not self.accepted or self.stopped:
            return False
        if state.order_id != self.order_id:
            return True
        ended = state.last_node_sequence_id == 2 * (self.base - self.first)
        return self.pending is None and not state.node_states and not ended

    def is_busy_elsewhere(self, state: m.State) -> bool:
        """Whether it carries out an order of somebody else."""
        return not self.accepted and state.order_id != self.order_id and bool(state.node_states)

    def forget(self) -> None:
        """The next message begins a new order."""
        self.order_id, self.update, self.accepted = "", -1, False
        self.pending, self.has_horizon = None, False

    # --------------------------------------------------------------------------- what it is told

    def is_quiet(self, released: int, has_more: bool) -> bool:
        """Whether there is nothing to say: a quick look that most vehicles pass in most ticks."""
        return (
            self.pending is None
            and not self.requests
            and self.heard is not None
            and bool(self.order_id)
            and released == self.base
            and has_more == self.has_horizon
        )

    def wants_order(self, way: Way) -> bool:
        """Whether there is something to say beyond what was said."""
        if self.pending is not None or self.stopped or self.heard is None:
            return False
        if self.heard.operating_mode not in DRIVEN:
            return False
        if not self.order_id:
            return not self.heard.node_states and (way.released > way.finished or bool(way.planned))
        return way.released > self.base or bool(way.planned) != self.has_horizon

    def next_order(self, way: Way, layout: Any, map_id: str) -> m.Order:
        """The next message: an update that begins at the end of the base, or a new order if there is none."""
        if not self.order_id:
            self._orders += 1
            self.order_id = f"{self.run}-{self.desk.serial}-{self._orders}"
            self.update, self.accepted = -1, False
            self.first = self.base = way.finished
        start = self.base - way.finished
        vertices = [*way.places[start:], *way.planned]
        released = len(way.places) - start
        if self.most_nodes >= 2:
            vertices = vertices[: self.most_nodes]
            released = min(released, self.most_nodes)
        self.update += 1
        self.pending = self._order(vertices, released, layout, map_id)
        self.base += released - 1
        self.has_horizon = len(vertices) > released
        return self.pending

    def repeated(self) -> m.Order | None:
        """The message that is not confirmed, with a header of its own."""
        if self.pending is None:
            return None
        return replace(self.pending, **self.desk.header("order"))

    def ask(self, action_type: str, tick: int) -> Request:
        """An instant action; one of the same type that has not ended is asked for again instead."""
        for one in self.requests.values():
            if one.action.action_type == action_type:
                return one
        self._actions += 1
        action = m.Action(
            action_type=action_type,
            action_id=f"{self.run}-{self.desk.serial}-a{self._actions}",
            blocking_type="NONE",
        )
        self.requests[action.action_id] = Request(action, since=tick)
        return self.requests[action.action_id]

    def _order(self, vertices: Sequence[int], released: int, layout: Any, map_id: str) -> m.Order:
        number = 2 * (self.base - self.first)
        nodes = tuple(
            m.Node(
                node_id=layout.names[vertex],
                sequence_id=number + 2 * k,
                released=k < released,
                actions=(),
                node_position=layout.position(vertex, map_id),
            )
            for k, vertex in enumerate(vertices)
        )
        edges = tuple(
            self.desk.version.edge(
                (nodes[k].node_id, nodes[k + 1].node_id),
                edge_id=layout.edge(vertices[k], vertices[k + 1]),
                sequence_id=number + 2 * k + 1,
                released=k + 1 < released,
                actions=(),
            )
            for k in range(len(nodes) - 1)
        )
        return self.desk.version.of_order(
            order_id=self.order_id,
            order_update_id=self.update,
            nodes=nodes,
            edges=edges,
            **self.desk.header("order"),
        )


def _time(message: m.Header) -> str:
    return message.timestamp.rstrip("Z")
