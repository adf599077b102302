"""Simulated vehicles that obey VDA 5050: for tests, for the example, and for who has no robots yet."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ..fleet import Commands, Simulator
from ..io.layout import Layout
from ..model.arrays import is_whole
from ..model.errors import InputError
from ..model.execution import Execution
from ..model.graph import Graph
from .factsheets import factsheet
from .master import MOST_TICKS
from .names import Names
from .topics import Clock, Speech, parts_of
from .transport import Transport, Will
from .vehicle import Vehicle

THOUSANDTHS = 1000


class Vehicles:
    """Vehicles of a simulator, which hear orders and report states by VDA 5050.

    A vehicle drives along its base, at the pace of the simulator and with the delays and stops of that, and
    stands where its base ends. It refuses what the standard says it must, reports errors for it, and hears
    `startPause`, `stopPause`, `cancelOrder`, `stateRequest` and `factsheetRequest`.

    Args:
        simulator: The robots; its problem is on a graph.
        layout: What the places and lanes of that graph are called.
        transports: A client of a broker that all share, or one for each.
        version: Of the protocol: `"2.1.0"` or `"3.0.0"`.
        manufacturer: Of the vehicles.
        serials: The serial number of each agent's vehicle, by name; the agent's name if left out.
        interface: The first level of all topics; None: `uagv` in version 2.1.0, `vda5050` in 3.0.0.
        map_id: The map on which the nodes are.
        interval: After how many ticks without a change a vehicle reports its state.
        lookahead: How many nodes of its base a vehicle drives to without stopping to think: it can pause or
            cancel only behind these.
        clock: Seconds since 1970, for headers.

    Raises:
        InputError: An argument is not valid.
    """

    def __init__(
        self,
        simulator: Simulator,
        layout: Layout,
        transports: Transport | Sequence[Transport],
        *,
        version: str = "2.1.0",
        manufacturer: str = "sidestep",
        serials: Mapping[str, str] | None = None,
        interface: str | None = None,
        map_id: str = "map",
        interval: int = 10,
        lookahead: int = 2,
        clock: Clock = time.time,
    ) -> None:
        self.simulator = simulator
        self._names = Names.of(_graph_of(simulator), layout)
        for value, what in ((interval, "interval"), (lookahead, "lookahead")):
            if not is_whole(value) or not 1 <= value <= MOST_TICKS:
                raise InputError(f"{what} must be a whole number from 1 on, not {value!r}")
        self._interval, self._lookahead, self._map = int(interval), int(lookahead), map_id
        problem = simulator.problem
        desks = Speech(version, manufacturer, interface, clock).desks(problem.names, serials)
        self._vehicles = [
            Vehicle(desk, self._names, int(start)) for desk, start in zip(desks, problem.starts, strict=True)
        ]
        self._agents = {desk.serial: agent for agent, desk in enumerate(desks)}
        many = list(transports) if isinstance(transports, Sequence) else [transports] * len(desks)
        if len(many) != len(desks):
            raise InputError(f"there are {len(desks)} vehicles: one client for all, or as many as these")
        self._transports: list[Transport] = many
        self._distinct = list({id(one): one for one in many}.values())
        self._connections = [0] * len(many)
        self._visits = [0] * len(desks)  # that the simulator has made
        self._silent = [0] * len(desks)
        for vehicle, transport in zip(self._vehicles, many, strict=True):
            transport.subscribe(vehicle.desk.topic(name) for name in ("order", "instantActions"))

    def tick(self) -> None:
        """Lets a tick pass: vehicles hear, drive and report."""
        for transport in self._distinct:
            for topic, payload in transport.receive():
                self._hear(topic, payload)
        for agent, number, _ in self.simulator.tick(self._commands()).tolist():
            self._drive(agent, number)
        for agent, transport in enumerate(self._transports):
            self._report(agent, transport)

    @property
    def execution(self) -> Execution:
        """What the vehicles have done so far, for `sidestep.validate_execution`."""
        return self.simulator.execution()

    def visualize(self) -> None:
        """Publishes where everybody is on the topic `visualization`."""
        for agent, vehicle in enumerate(self._vehicles):
            desk = vehicle.desk
            message = desk.version.of_visualization(
                self._at(agent)[0], desk.last("state"), desk.header("visualization")
            )
            desk.publish(self._transports[agent], "visualization", message)

    def close(self) -> None:
        """Says that everybody goes offline, and ends the connections."""
        for agent in range(len(self._vehicles)):
            self._say_connection(agent, "OFFLINE")
        for transport in self._distinct:
            transport.close()

    # ----------------------------------------------------------------------------------- inside

    def _hear(self, topic: str, payload: bytes) -> None:
        found = parts_of(topic)
        agent = self._agents.get(found[0]) if found else None
        if found is None or agent is None:
            return
        vehicle = self._vehicles[agent]
        if found[1] == "order":
            vehicle.hear_order(payload)
        elif vehicle.hear_actions(payload):
            self._say_facts(agent)

    def _commands(self) -> Commands:
        first, begin, places = [], [0], []
        for agent, vehicle in enumerate(self._vehicles):
            first.append(self._visits[agent] + 1)
            places += vehicle.may_visit(self._lookahead)
            begin.append(len(places))
        arrays = (np.array(values, dtype=np.int32) for values in (first, begin, places))
        return Commands(self.simulator.problem, *arrays)

    def _drive(self, agent: int, number: int) -> None:
        for _ in range(self._visits[agent], number):
            self._vehicles[agent].arrive()
        self._visits[agent] = max(self._visits[agent], number)

    def _report(self, agent: int, transport: Transport) -> None:
        vehicle = self._vehicles[agent]
        if transport.connections != self._connections[agent]:
            self._connections[agent] = transport.connections
            self._say_connection(agent, "ONLINE")
            self._say_facts(agent)
            vehicle.changed = True
        self._silent[agent] += 1
        if vehicle.changed or self._silent[agent] >= self._interval:
            self._silent[agent] = 0
            at, driving = self._at(agent)
            vehicle.desk.publish(transport, "state", vehicle.state(at, driving))

    def _at(self, agent: int) -> tuple[tuple[float, float, float, str], bool]:
        source, target, progress = self.simulator.positions[agent].tolist()
        (x, y), (to_x, to_y) = self._names.points[source], self._names.points[target]
        share = progress / THOUSANDTHS
        theta = math.atan2(to_y - y, to_x - x) if source != target else 0.0
        return (x + share * (to_x - x), y + share * (to_y - y), theta, self._map), source != target

    def _say_connection(self, agent: int, state: str) -> None:
        desk = self._vehicles[agent].desk
        message = desk.version.of_connection(state, **desk.header("connection"))
        desk.publish(self._transports[agent], "connection", message)

    def _say_facts(self, agent: int) -> None:
        desk = self._vehicles[agent].desk
        desk.publish(self._transports[agent], "factsheet", factsheet(desk))


def will_of(
    serial: str,
    *,
    version: str = "2.1.0",
    manufacturer: str = "sidestep",
    interface: str | None = None,
    clock: Clock = time.time,
) -> Will:
    """The will of a vehicle: that its connection broke. A broker says so for a vehicle that cannot.

    Args:
        serial: The vehicle's serial number.
        version: Of the protocol: `"2.1.0"` or `"3.0.0"`.
        manufacturer: Of the vehicle.
        interface: The first level of all topics; None: `uagv` in version 2.1.0, `vda5050` in 3.0.0.
        clock: Seconds since 1970, for its header.

    Returns:
        The will, for the client of the vehicle.

    Raises:
        InputError: An argument is not valid.
    """
    return Speech(version, manufacturer, interface, clock).desks((serial,), None)[0].will()


def _graph_of(simulator: Any) -> Graph:
    if not isinstance(simulator, Simulator) or not isinstance(simulator.problem.space, Graph):
        raise InputError("simulated vehicles have a Simulator of a problem on a graph")
    return simulator.problem.space
