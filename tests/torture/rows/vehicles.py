"""Vehicles by VDA 5050 to which everything happens: robots, messages, the broker, nonsense, new goals."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import sidestep as ss
from sidestep import io, vda5050
from tests.vda5050.lanes import Clock, complaints_about

from ..row import Failed, Row

PATIENCE, MOST_TICKS = 80, 4000
SILENCE = PATIENCE + 120  # ticks without progress after which somebody must be said to be stuck
VERSIONS = ("2.1.0", "3.0.0")


def one(number: int) -> int:
    """One site, until everybody has arrived or nothing more can be done."""
    site = Site(Random(number), number)
    return 0 if site.fleet is None else site.run()


def any_lanes(draw: Random) -> io.Layout:
    """Lanes of a grid with some places left out, most both ways, in pieces or not."""
    rows, columns = draw.randint(2, 6), draw.randint(2, 6)
    free = [(r, c) for r in range(rows) for c in range(columns) if draw.random() < 0.85] or [(0, 0)]
    known = {place: vertex for vertex, place in enumerate(free)}
    lanes = []
    for r, c in free:
        for place in ((r, c + 1), (r + 1, c)):
            if place in known:
                both = [(known[r, c], known[place]), (known[place], known[r, c])]
                lanes += both if draw.random() < 0.9 else [draw.choice(both)]
    points = [(float(c), float(r)) for r, c in free]
    return io.Layout.from_graph(ss.Graph(len(free), lanes, directed=True, positions=points))


class Site:
    """A broker, vehicles and a master."""

    def __init__(self, draw: Random, number: int) -> None:
        self.draw, self.layout = draw, any_lanes(draw)
        places = range(self.layout.graph.n)
        agents = draw.randint(1, max(1, len(places) // 3))
        goals = draw.sample(places, agents)
        self.problem = ss.Problem(
            self.layout.graph, draw.sample(places, agents), goals, rules=ss.Rules(following=False)
        )
        plan = ss.solve(self.problem, "lacam", seed=number, node_limit=20_000).plan
        self.fleet = (
            None
            if plan is None
            else ss.Fleet(self.problem, plan, ahead=draw.choice([1, 2, 4]), patience=PATIENCE)
        )
        if self.fleet is None:
            return
        clock, version = Clock(), draw.choice(VERSIONS)
        self.broker = vda5050.Loopback(
            loss=draw.choice([0.0, 0.1, 0.3]),
            doubling=draw.choice([0.0, 0.3]),
            lateness=draw.choice([0, 0, 5]),
            seed=number,
        )
        self.robots = ss.Simulator(
            self.problem,
            speed=[draw.choice([0.2, 0.5, 1.0]) for _ in range(agents)],
            delay=draw.choice([0.0, 0.01, 0.1, 0.3]),
            delays=(1, 5),
            stop=draw.choice([0.0, 0.0, 0.0, 0.001]),
            seed=number,
        )
        client, self.orders = noted(self.broker.client())
        spoken: dict[str, Any] = {"version": version, "clock": clock}
        self.master = vda5050.Master(
            self.fleet, self.layout, client, horizon=draw.choice([0, 1, 4]), **spoken
        )
        self.vehicles = vda5050.Vehicles(self.robots, self.layout, self.broker.client(), **spoken)
        self.stranger = self.broker.client()
        self.held: list[str] = []
        self.quiet = 0  # ticks without progress

    def run(self) -> int:
        assert self.fleet is not None
        before, checks = -1, 0
        while not (self.fleet.done and not self.held) and self.fleet.now < MOST_TICKS:
            self.vehicles.tick()
            self.broker.tick()
            self.master.tick()
            self.happen()
            progress = int(self.fleet.commands.first.sum())
            self.quiet = 0 if progress != before else self.quiet + 1
            before, checks = progress, checks + 1
            if self.quiet > SILENCE and not (self.fleet.done or self.held) and self.broker.is_up:
                if not self.fleet.stuck:
                    raise Failed(f"nobody moves or is said to be stuck for {self.quiet} ticks")
                if not self.replanned([stuck.agent for stuck in self.fleet.stuck]):
                    break  # it was said
        self.judge()
        return checks + 1

    def judge(self) -> None:
        assert self.fleet is not None
        if not (report := ss.validate_execution(self.vehicles.execution)):
            raise Failed(str(report))
        if self.fleet.astray:
            raise Failed(f"{self.fleet.astray} are said to be astray")
        for orders in self.orders.values():
            if wrong := complaints_about(orders):
                raise Failed(f"orders: {wrong[0]}")

    def happen(self) -> None:
        """Something, now and then."""
        chance = self.draw.random()
        if chance < 0.01:
            self.stranger.publish(*self.nonsense())
        elif chance < 0.015:
            (self.broker.stop if self.broker.is_up else self.broker.start)()
        elif chance < 0.02:
            self.forget()
        elif chance < 0.03:
            name = self.draw.choice(self.problem.names)
            if name in self.held:
                self.master.resume(name)
                self.held.remove(name)
            else:
                self.master.pause(name, cancel=self.draw.random() < 0.5)
                self.held.append(name)
        elif chance < 0.035:
            self.replanned([])
        elif chance > 0.98 and not self.broker.is_up:
            self.broker.start()
        elif chance > 0.98 and self.held:
            self.master.resume(self.held.pop())

    def forget(self) -> None:
        """A vehicle that stands starts anew, and has forgotten its order."""
        vehicle = self.draw.choice(self.vehicles._vehicles)
        if vehicle.told == vehicle.last_sequence:
            vertex = self.layout.names.index(vehicle.last_node)
            vehicle.__init__(vehicle.desk, vehicle._names, vertex)  # type: ignore[misc]

    def nonsense(self) -> tuple[str, bytes]:
        topic = self.draw.choice(self.master._books).desk.topic(
            self.draw.choice(["order", "state", "connection", "instantActions", "factsheet"])
        )
        message = {
            self.draw.choice(["headerId", "orderId", "nodes", "actions"]): self.draw.choice([1, "", [], {}])
        }
        return topic, json.dumps(message).encode() if self.draw.random() < 0.5 else self.draw.randbytes(20)

    def replanned(self, broken: list[str]) -> bool:
        """A new plan, with other goals or without a lane."""
        assert self.fleet is not None
        goals = self.draw.sample(range(self.problem.space.n), self.problem.n_agents)
        edges = self.problem.space.edges.tolist()
        closed = [tuple(self.draw.choice(edges))] if edges and self.draw.random() < 0.5 else []
        changes = {} if broken else {"goals": dict(enumerate(goals)), "closed": closed}
        result = self.fleet.replan("lacam", broken=broken, node_limit=20_000, **changes)
        self.quiet = 0 if result.plan is not None else self.quiet
        return result.plan is not None


def noted(client: vda5050.Transport) -> tuple[vda5050.Transport, dict[str, list[dict[str, Any]]]]:
    """A client whose orders are kept as they are sent."""
    orders: dict[str, list[dict[str, Any]]] = {}
    publish = client.publish

    def note(topic: str, payload: bytes, **options: Any) -> None:
        if topic.endswith("/order"):
            orders.setdefault(topic, []).append(json.loads(payload))
        publish(topic, payload, **options)

    client.publish = note  # type: ignore[method-assign]
    return client, orders


ROW = Row(
    name="vehicles",
    what="whatever robots, messages and brokers do, vehicles driven by VDA 5050 do not collide, "
    "orders are stitched, and nobody is stuck in silence",
    full=20_000,
    weight=3,
    unit="sites",
    one=one,
)
