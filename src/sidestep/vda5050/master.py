"""The fleet's side of VDA 5050: what a `Fleet` releases becomes orders, and states become its reports."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from ..fleet import Fleet
from ..io.layout import Layout
from ..model.arrays import is_whole
from ..model.errors import InputError, UnsupportedError
from ..model.graph import Graph
from . import messages as m
from .book import DRIVEN, Book, Way
from .names import Names
from .topics import Clock, Speech, parts_of
from .transport import Transport
from .versions import version_of

MOST_NOTICES = 1000
MOST_TICKS = 1 << 20
ONLINE = "ONLINE"


@dataclass(frozen=True)
class Notice:
    """Something that an operator should know.

    Attributes:
        tick: When.
        agent: Whose vehicle it is about; empty if that is not known.
        what: A sentence.
    """

    tick: int
    agent: str
    what: str

    def __str__(self) -> str:
        return f"tick {self.tick}: {self.agent + ' ' if self.agent else ''}{self.what}"


class Master:
    """Drives the vehicles of a fleet by VDA 5050.

    An order has all released visits as its base and the next ones as its horizon; whenever the fleet releases
    more, the order is updated. A message is repeated until the vehicle's state confirms it, so that lost,
    doubled and late ones do no harm but that of the delay. Messages that make no sense are noticed, and
    nothing of them is taken.

    Args:
        fleet: Says who may go where. Its problem is on a graph, on which nobody disappears.
        layout: What the places and lanes of that graph are called.
        transport: A client of a broker.
        version: Of the protocol: `"2.1.0"` or `"3.0.0"`.
        manufacturer: Of the vehicles.
        serials: The serial number of each agent's vehicle, by name; the agent's name if left out.
        interface: The first level of all topics; None: `uagv` in version 2.1.0, `vda5050` in 3.0.0.
        map_id: The map on which the nodes are.
        horizon: How many visits that are not released are shown to a vehicle at most.
        resend: After how many ticks without a confirmation a message is sent again.
        clock: Seconds since 1970, for headers.

    Raises:
        InputError: An argument is not valid.
        UnsupportedError: The fleet is on a grid, or its agents disappear at their goals.
    """

    def __init__(
        self,
        fleet: Fleet,
        layout: Layout,
        transport: Transport,
        *,
        version: str = "2.1.0",
        manufacturer: str = "sidestep",
        serials: Mapping[str, str] | None = None,
        interface: str | None = None,
        map_id: str = "map",
        horizon: int = 4,
        resend: int = 10,
        clock: Clock = time.time,
    ) -> None:
        self.fleet = fleet
        self._names = Names.of(_space_of(fleet), layout)
        self._transport = transport
        for value, what, least in ((horizon, "horizon", 0), (resend, "resend", 1)):
            if not is_whole(value) or not least <= value <= MOST_TICKS:
                raise InputError(f"{what} must be a whole number from {least} on, not {value!r}")
        self._horizon, self._resend, self._map = int(horizon), int(resend), map_id
        self._version = version_of(version)
        spoken = Speech(version, manufacturer, interface, clock)
        run = f"{int(clock() * 1000):x}"
        self._books = [Book(desk, run) for desk in spoken.desks(fleet.problem.names, serials)]
        self._agents = {book.desk.serial: agent for agent, book in enumerate(self._books)}
        self._notices: deque[Notice] = deque(maxlen=MOST_NOTICES)
        self._seen_connections = 0
        self._errors: dict[int, frozenset[str]] = {}
        transport.subscribe(spoken.everybody(name) for name in ("state", "connection", "factsheet"))

    # ------------------------------------------------------------------------------- every tick

    def tick(self) -> None:
        """Takes what has come in, tells the fleet, and sends what it releases. To be called once per tick."""
        if self._transport.connections != self._seen_connections:
            self._reconnected()
        rows: dict[int, tuple[int, int, int]] = {}
        ways = None
        for topic, payload in self._transport.receive():
            agent = self._read(topic, payload)
            if agent is not None:
                ways = ways or _Ways(self.fleet, self._horizon)
                row = self._report(agent, ways.of(agent))
                if row is not None:
                    rows[agent] = row
        reports = np.array(list(rows.values()), dtype=np.int32).reshape(-1, 3)
        self.fleet.tick(reports)
        self._send()

    @property
    def notices(self) -> tuple[Notice, ...]:
        """What was noticed last, oldest first: at most 1000."""
        return tuple(self._notices)

    @property
    def offline(self) -> tuple[str, ...]:
        """Who has not been heard of yet, or whose connection is not online."""
        names = self.fleet.problem.names
        return tuple(
            names[agent]
            for agent, book in enumerate(self._books)
            if book.heard is None or book.connection not in ("", ONLINE)
        )

    def why(self, agent: int | str) -> str:
        """Says why a vehicle stands, or that it does not.

        Args:
            agent: Its index or its name.

        Returns:
            The fleet's chain of waits as a sentence, and what is known of the vehicle at its end.

        Raises:
            InputError: There is no such agent.
        """
        chain = self.fleet.why(agent)
        said = chain.said(self._names.names.__getitem__)
        return "; ".join([said, *self._condition(self.fleet.problem.index(chain.origin))])

    def pause(self, agent: int | str, *, cancel: bool = False) -> None:
        """Lets a vehicle stand as soon as it can, until `resume`.

        Others still wait for it to leave the places that it was released to.

        Args:
            agent: Its index or its name.
            cancel: True to cancel its order; it gets another when it is resumed.

        Raises:
            InputError: There is no such agent.
        """
        index = self.fleet.problem.index(agent)
        if cancel:
            self._books[index].pending, self._books[index].stopped = None, True
        self._ask(index, "cancelOrder" if cancel else "startPause")

    def resume(self, agent: int | str) -> None:
        """Lets a vehicle go on after `pause`.

        Args:
            agent: Its index or its name.

        Raises:
            InputError: There is no such agent.
        """
        index = self.fleet.problem.index(agent)
        book = self._books[index]
        if book.stopped:
            book.stopped = False
            book.forget()
        else:
            self._ask(index, "stopPause")

    def request_states(self) -> None:
        """Asks all vehicles to say how they are."""
        for agent in range(len(self._books)):
            self._ask(agent, "stateRequest")

    def close(self) -> None:
        """Ends the connection to the broker; vehicles finish what was released."""
        self._transport.close()

    # ---------------------------------------------------------------------------------- hearing

    def _reconnected(self) -> None:
        """What was sent before may be lost: everything is said again, and asked."""
        again = self._seen_connections > 0
        self._seen_connections = self._transport.connections
        for book in self._books if again else ():
            book.since = -MOST_TICKS
        self.request_states()

    def _read(self, topic: str, payload: bytes) -> int | None:
        """Takes a message. Returns the agent if it was a state that says something new."""
        found = parts_of(topic)
        agent = self._agents.get(found[0]) if found else None
        if found is None or agent is None:
            self._notice(None, f"a message of a vehicle that nobody knows came in on {topic[:100]}")
            return None
        try:
            return self._take(agent, found[1], payload)
        except m.BadMessage as error:
            self._notice(agent, f"sent a {found[1]} that makes no sense: {error}")
            return None

    def _take(self, agent: int, topic: str, payload: bytes) -> int | None:
        book, version = self._books[agent], self._version
        if topic == "factsheet":
            sheet = m.decoded(version.readers["factsheet"], payload)
            self._check_sender(book, sheet)
            book.most_nodes = sheet.most_nodes
            return None
        if topic == "connection":
            message = m.decoded(version.readers["connection"], payload)
            self._check_sender(book, message)
            self._connected(agent, message.connection_state)
            return None
        state = m.decoded(version.readers["state"], payload)
        self._check_sender(book, state)
        if not book.is_fresh(state):
            return None
        self._check_way(book, state)
        book.hear(state)
        self._hear_errors(agent, state)
        return agent

    def _check_sender(self, book: Book, message: m.Header) -> None:
        if (message.serial_number, message.manufacturer) != (book.desk.serial, book.desk.manufacturer):
            raise m.BadMessage("its header names another vehicle than its topic")
        if message.version.split(".")[0] != self._version.name.split(".")[0]:
            raise m.BadMessage(f"it is of version {message.version}, not of {self._version.name}")

    def _check_way(self, book: Book, state: m.State) -> None:
        if state.last_node_id and self._names.vertex(state.last_node_id) is None:
            raise m.BadMessage(f"it was on {state.last_node_id[:80]!r}, which is not in the layout")
        if not book.order_id or state.order_id != book.order_id:
            return
        if state.order_update_id > book.update:
            raise m.BadMessage(f"it has the update {state.order_update_id}, which was never sent")
        if state.last_node_sequence_id % 2:
            raise m.BadMessage(f"{state.last_node_sequence_id} is the number of an edge, not of a node")
        if state.last_node_sequence_id > 2 * (book.base - book.first):
            raise m.BadMessage(f"it was on the node {state.last_node_sequence_id}, which was not released")

    def _connected(self, agent: int, state: str) -> None:
        book = self._books[agent]
        if state == book.connection:
            return
        if book.connection or state != ONLINE:
            self._notice(agent, f"is {state}")
        if state == ONLINE and book.connection:
            book.heard = None  # it may have started anew, with numbers and a clock from the beginning
            self._ask(agent, "stateRequest")
        book.connection = state

    def _hear_errors(self, agent: int, state: m.State) -> None:
        if not state.errors and agent not in self._errors:
            return
        errors = frozenset(f"{one.error_level} {one.error_type}" for one in state.errors)
        for error in sorted(errors - self._errors.get(agent, frozenset())):
            self._notice(agent, f"reports {error}")
        self._errors[agent] = errors

    def _report(self, agent: int, way: Way) -> tuple[int, int, int] | None:
        """The row for the fleet of what a state says; None if it says nothing of its way."""
        book = self._books[agent]
        state = book.heard
        assert state is not None
        vertex = self._names.vertex(state.last_node_id)
        if book.is_busy_elsewhere(state):
            self._notice(agent, f"carries out {state.order_id[:80]!r}, which is not ours: it is cancelled")
            self._ask(agent, "cancelOrder")
            return None
        is_ours = bool(book.order_id) and state.order_id == book.order_id
        visits = book.first + state.last_node_sequence_id // 2
        if book.has_forgotten(state):
            self._notice(agent, "has dropped its order: it gets another")
            book.forget()
        if vertex is None:
            return None  # it does not know where it is
        if not is_ours:  # it is on its start, or where it came to before a restart
            visits = way.finished + (list(way.places).index(vertex) if vertex in way.places else 0)
        return agent, visits, vertex

    def _notice(self, agent: int | None, what: str) -> None:
        name = "" if agent is None else self.fleet.problem.names[agent]
        self._notices.append(Notice(self.fleet.now, name, what))

    def _condition(self, agent: int) -> Iterator[str]:
        """What a vehicle says that may be why it does not move."""
        book, name = self._books[agent], self.fleet.problem.names[agent]
        if book.heard is None:
            yield f"nothing has been heard of {name}"
            return
        if book.connection not in ("", ONLINE):
            yield f"{name} is {book.connection}"
        if book.heard.operating_mode not in DRIVEN:
            yield f"{name} is in the mode {book.heard.operating_mode}"
        if book.heard.paused:
            yield f"{name} is paused"
        if book.stopped:
            yield f"the order of {name} is cancelled"
        if book.pending is not None:
            yield f"{name} has not confirmed update {book.pending.order_update_id} of its order"
        for error in sorted(self._errors.get(agent, ())):
            yield f"{name} reports {error}"

    # ---------------------------------------------------------------------------------- sending

    def _send(self) -> None:
        now = self.fleet.now
        ways = _Ways(self.fleet, self._horizon)
        for agent, book in enumerate(self._books):
            if book.is_quiet(ways.released[agent], ways.has_more[agent]):
                continue
            if book.requests:
                self._repeat_requests(book, now)
            if book.heard is None:
                if not book.requests:
                    self._ask(agent, "stateRequest")
                continue
            if book.pending is not None:
                if now - book.since >= self._resend:
                    book.since = now
                    book.desk.publish(self._transport, "order", book.repeated())
                continue
            way = ways.of(agent)
            if book.wants_order(way):
                book.since = now
                order = book.next_order(way, self._names, self._map)
                book.desk.publish(self._transport, "order", order)

    def _repeat_requests(self, book: Book, now: int) -> None:
        for one in book.requests.values():
            if not one.status and now - one.since >= self._resend:
                one.since = now
                self._publish_action(book, one.action)
        for key in [k for k, one in book.requests.items() if one.action.action_type == "stateRequest"]:
            if book.heard is not None and book.requests[key].since < now:
                del book.requests[key]  # a state has come in, which is all that was asked for

    def _ask(self, agent: int, action_type: str) -> None:
        book = self._books[agent]
        self._publish_action(book, book.ask(action_type, self.fleet.now).action)

    def _publish_action(self, book: Book, action: m.Action) -> None:
        message = m.InstantActions(actions=(action,), **book.desk.header("instantActions"))
        book.desk.publish(self._transport, "instantActions", message)


class _Ways:
    """What a fleet has for everybody at one time: `released` visits, and whether each `has_more` planned."""

    def __init__(self, fleet: Fleet, horizon: int) -> None:
        commands, planned = fleet.commands, fleet.planned(horizon)
        self._first, self._begin, self._places = (
            commands.first.tolist(),
            commands.begin.tolist(),
            commands.places.tolist(),
        )
        self._next, self._planned = planned.begin.tolist(), planned.places.tolist()
        self._at = fleet.places.tolist()
        self.released = (commands.first - 1 + np.diff(commands.begin)).tolist()
        self.has_more = (np.diff(planned.begin) > 0).tolist()

    def of(self, agent: int) -> Way:
        ahead = self._places[self._begin[agent] : self._begin[agent + 1]]
        planned = self._planned[self._next[agent] : self._next[agent + 1]]
        return Way(self._first[agent] - 1, [self._at[agent], *ahead], planned)


def _space_of(fleet: Fleet) -> Graph:
    if not isinstance(fleet, Fleet):
        raise InputError(f"a master drives a Fleet, not a {type(fleet).__name__}")
    space = fleet.problem.space
    if not isinstance(space, Graph):
        raise UnsupportedError("orders name nodes and edges: make the problem on the graph of a layout")
    if fleet.problem.rules.at_goal == "disappear":
        raise UnsupportedError("vehicles cannot disappear: use Rules(at_goal='stay')")
    return space
