"""A vehicle's side of VDA 5050: which orders it accepts, how it says no, and what it reports."""

from __future__ import annotations

from collections import deque
from itertools import pairwise

from . import messages as m
from .names import Names
from .topics import Desk
from .versions import Refusal

MOST_INSTANTS = 64  # states of instant actions that are kept
STOPPERS = ("startPause", "cancelOrder")


class Vehicle:
    """One vehicle as it speaks; what drives asks it how far it may go, and tells it where it is.

    Args:
        desk: Its topics and headers.
        names: What the nodes are called that it knows.
        node: The vertex that it stands on.
    """

    def __init__(self, desk: Desk, names: Names, node: int) -> None:
        self.desk = desk
        self._names = names
        self.order_id, self.update = "", 0
        self.last_node, self.last_sequence = names.names[node], 0
        self._nodes: deque[m.Node] = deque()
        self._edges: deque[m.Edge] = deque()
        self._decision = (self.last_node, 0)  # the last node of the base
        self._content: tuple[object, object] | None = None
        self._order_header = -1
        self._order_time = ""
        self._cancelled = False
        self._errors: dict[str, m.Error] = {}
        self._instants: dict[str, m.ActionState] = {}
        self._stopping: m.Action | None = None
        self.paused = False
        self.told = 0  # the sequence number up to which what drives was sent
        self.changed = True  # something was not reported yet

    # ---------------------------------------------------------------------------------- hearing

    def hear_order(self, data: bytes) -> None:
        """Takes an order or an update, or refuses it."""
        self.changed = True
        try:
            order = m.decoded(self.desk.version.readers["order"], data)
        except m.BadMessage as error:
            self._refuse("malformed", str(error))
            return
        fault = m.fault_of(order)
        if fault is not None:
            self._refuse("malformed", fault, order)
        elif order.order_id == self.order_id:
            self._hear_update(order)
        else:
            self._hear_new(order)

    def _hear_new(self, order: m.Order) -> None:
        ahead = (order.header_id - self._order_header) % 2**32
        if self._order_header >= 0 and not (0 < ahead < 2**31 or order.timestamp > self._order_time):
            return  # a copy of an old one
        if self._nodes:
            self._refuse("other", f"{self.order_id} is not done", order)
        elif order.order_update_id != 0:
            self._refuse("gap", "a new order begins with the update 0", order)
        elif order.nodes[0].node_id != self.last_node:
            self._refuse("start", f"it begins at {order.nodes[0].node_id}, not {self.last_node}", order)
        elif self._reachable(order):
            self.order_id, self.last_sequence = order.order_id, order.nodes[0].sequence_id
            self.told = self.last_sequence
            self._cancelled, self._stopping = False, None
            self._accept(order)

    def _hear_update(self, order: m.Order) -> None:
        first = order.nodes[0]
        if self._cancelled:
            self._refuse("cancelled", "this order was cancelled", order)
        elif order.order_update_id < self.update:
            self._refuse("outdated", f"update {self.update} is here already", order)
        elif order.order_update_id == self.update:
            if (order.nodes, order.edges) != self._content:
                self._refuse("same", "it has another content than before", order)
        elif (first.node_id, first.sequence_id) != self._decision:
            self._refuse("gap", f"it does not begin where the base ends, at {self._decision[0]}", order)
        elif self._reachable(order):
            self._accept(order)

    def _reachable(self, order: m.Order) -> bool:
        vertices = [self._names.vertex(node.node_id) for node in order.nodes]
        for one, other in pairwise(vertices):
            if one is None or other is None or not self._names.leads(one, other):
                self._refuse("route", "two of its nodes are not connected", order)
                return False
        return True

    def _accept(self, order: m.Order) -> None:
        while self._nodes and not self._nodes[-1].released:
            self._nodes.pop()
            self._edges.pop()
        self._nodes.extend(order.nodes[1:])
        self._edges.extend(order.edges)
        self.update, self._content = order.order_update_id, (order.nodes, order.edges)
        self._order_header, self._order_time = order.header_id, order.timestamp
        base = [node for node in order.nodes if node.released][-1]
        self._decision = (base.node_id, base.sequence_id)
        self._errors.clear()

    def _refuse(self, why: Refusal, what: str, order: m.Order | None = None) -> None:
        about = (
            () if order is None else (("orderId", order.order_id), ("orderUpdateId", order.order_update_id))
        )
        self._warn(why, what, *((key, str(value)) for key, value in about))

    def _warn(self, why: Refusal, what: str, *about: tuple[str, str]) -> None:
        kind = self.desk.version.refusal(why)
        self._errors[kind] = m.Error(
            error_type=kind,
            error_level="WARNING",
            error_description=what,
            error_references=tuple({"referenceKey": k, "referenceValue": v} for k, v in about),
        )

    def hear_actions(self, data: bytes) -> bool:
        """Takes instant actions. Returns whether the factsheet is asked for."""
        self.changed = True
        try:
            actions = m.decoded(self.desk.version.readers["instantActions"], data).actions
        except m.BadMessage as error:
            self._warn("action", str(error))
            return False
        new = [action for action in actions if action.action_id not in self._instants]
        for action in new:
            self._do(action)
        while len(self._instants) > MOST_INSTANTS:
            del self._instants[next(iter(self._instants))]
        return any(action.action_type == "factsheetRequest" for action in new)

    def _do(self, action: m.Action) -> None:
        kind, status = action.action_type, "FINISHED"
        if kind in STOPPERS and (kind == "startPause" or (self.order_id and not self._cancelled)):
            self._stopping, status = action, "RUNNING"
            self._cancelled |= kind == "cancelOrder"
        elif kind == "cancelOrder":
            status = "FAILED"
            self._warn("nothing", "there is no order to cancel", ("actionId", action.action_id))
        elif kind == "stopPause":
            self.paused = False
            if self._stopping is not None and self._stopping.action_type == "startPause":
                self._status(self._stopping, "FAILED")
                self._stopping = None
        elif kind not in ("stateRequest", "factsheetRequest"):
            status = "FAILED"
            self._warn("action", f"{kind} is not known here", ("actionId", action.action_id))
        self._status(action, status)
        self._stand()

    def _status(self, action: m.Action, status: str) -> None:
        self._instants[action.action_id] = m.ActionState(
            action_id=action.action_id,
            action_type=action.action_type,
            action_status=status,  # type: ignore[arg-type]
        )

    # ---------------------------------------------------------------------------------- driving

    def may_visit(self, most: int) -> list[int]:
        """The vertices that it may drive to next; while it stops, those that it is on its way to."""
        ahead: list[int] = []
        for node in self._nodes:
            held = self.paused or self._stopping is not None
            if not node.released or (node.sequence_id > self.told and (held or len(ahead) >= most)):
                break
            self.told = max(self.told, node.sequence_id)
            vertex = self._names.vertex(node.node_id)
            assert vertex is not None
            ahead.append(vertex)
        return ahead

    def arrive(self) -> None:
        """It has come to the next node."""
        node = self._nodes.popleft()
        self._edges.popleft()
        self.last_node, self.last_sequence = node.node_id, node.sequence_id
        self.changed = True
        self._stand()

    def _stand(self) -> None:
        """Who was asked to stop has stopped when there is nothing more that it was sent to."""
        action = self._stopping
        if action is None or self.last_sequence < self.told:
            return
        if action.action_type == "cancelOrder":
            self._nodes.clear()
            self._edges.clear()
        else:
            self.paused = True
        self._stopping = None
        self._status(action, "FINISHED")

    # -------------------------------------------------------------------------------- reporting

    @property
    def is_idle(self) -> bool:
        """Whether it has nothing to do, and no horizon."""
        return not self._nodes

    def state(self, at: tuple[float, float, float, str], driving: bool) -> m.State:
        """What it reports, at (x, y, theta, map)."""
        self.changed = False
        released = sum(node.released for node in self._nodes)
        return self.desk.version.of_state(
            at=at,
            instants=tuple(self._instants.values()),
            order_id=self.order_id,
            order_update_id=self.update,
            last_node_id=self.last_node,
            last_node_sequence_id=self.last_sequence,
            node_states=tuple(
                m.NodeState(node_id=n.node_id, sequence_id=n.sequence_id, released=n.released)
                for n in self._nodes
            ),
            edge_states=tuple(
                m.EdgeState(edge_id=e.edge_id, sequence_id=e.sequence_id, released=e.released)
                for e in self._edges
            ),
            driving=driving,
            paused=self.paused,
            new_base_request=released <= 1 and len(self._nodes) > released,
            errors=tuple(self._errors.values()),
            **self.desk.header("state"),
        )
