"""Lanes to drive on, a fleet on them, and a witness of all that is said."""

from __future__ import annotations

import json
from collections import defaultdict
from itertools import pairwise
from typing import Any

import numpy as np

import sidestep as ss
from sidestep import io, vda5050

NOW = 1_700_000_000.0


class Clock:
    """Half a second passes whenever somebody asks."""

    def __init__(self) -> None:
        self.now = NOW

    def __call__(self) -> float:
        self.now += 0.5
        return self.now


def lane_grid(rows: int, columns: int) -> io.Layout:
    """Lanes both ways between places in rows and columns, called after these."""
    edges = [(r * columns + c, r * columns + c + 1) for r in range(rows) for c in range(columns - 1)]
    edges += [(r * columns + c, (r + 1) * columns + c) for r in range(rows - 1) for c in range(columns)]
    points = [(float(c), float(r)) for r in range(rows) for c in range(columns)]
    names = [f"p{r}.{c}" for r in range(rows) for c in range(columns)]
    return io.Layout.from_graph(ss.Graph(rows * columns, edges, positions=points), names)


def random_work(layout: io.Layout, agents: int, seed: int) -> ss.Problem:
    draw = np.random.default_rng(seed)
    starts, goals = (draw.permutation(layout.graph.n)[:agents].tolist() for _ in range(2))
    return ss.Problem(layout.graph, starts, goals, rules=ss.Rules(following=False))


class Run:
    """Vehicles, a broker in the process and a master, tick by tick."""

    def __init__(
        self,
        layout: io.Layout,
        problem: ss.Problem,
        *,
        version: str = "2.1.0",
        broker: vda5050.Loopback | None = None,
        ahead: int = 4,
        patience: int = 100,
        horizon: int = 4,
        **robots: Any,
    ) -> None:
        self.layout, self.problem = layout, problem
        self.broker = broker or vda5050.Loopback()
        self.witness = self.broker.client()
        self.witness.subscribe([f"+/+/+/+/{name}" for name in ("order", "instantActions", "state")])
        plan = ss.solve(problem, "lacam").plan
        assert plan is not None
        clock = Clock()
        self.fleet = ss.Fleet(problem, plan, ahead=ahead, patience=patience)
        self.master = vda5050.Master(
            self.fleet, layout, self.broker.client(), version=version, horizon=horizon, clock=clock
        )
        self.robots = ss.Simulator(problem, **robots)
        self.vehicles = vda5050.Vehicles(
            self.robots, layout, self.broker.client(), version=version, clock=clock
        )

    def tick(self, times: int = 1) -> None:
        for _ in range(times):
            self.vehicles.tick()
            self.broker.tick()
            self.master.tick()

    def until_done(self, ticks: int = 3000) -> None:
        for _ in range(ticks):
            if self.fleet.done:
                return
            self.tick()

    def judged(self, done: bool = False) -> ss.Report:
        return ss.validate_execution(self.robots.execution(done=done))

    def said(self, topic: str) -> dict[str, list[dict[str, Any]]]:
        """The messages on a topic by serial number, as they were sent, as far as nobody has fetched them."""
        found = defaultdict(list)
        for name, payload in self.witness.receive():
            if name.endswith(f"/{topic}"):
                found[name.split("/")[-2]].append(json.loads(payload))
        return found


def complaints_about(orders: list[dict[str, Any]]) -> list[str]:
    """What is wrong with the orders of one vehicle, in the order in which they were sent.

    It knows the rules of the standard by itself: numbers, stitching, a base that never changes.
    """
    counted = all(other["headerId"] == one["headerId"] + 1 for one, other in pairwise(orders))
    wrong: list[str] = [] if counted else ["headerIds do not count"]
    base: dict[int, str] = {}
    current, last_update, content = "", -1, None
    for order in orders:
        nodes, edges = order["nodes"], order["edges"]
        if order["orderId"] != current:
            current, last_update, base, content = order["orderId"], -1, {}, None
            if order["orderUpdateId"] != 0 or nodes[0]["sequenceId"] != 0:
                wrong.append("a new order does not begin with 0")
        elif order["orderUpdateId"] == last_update:
            if (nodes, edges) != content:
                wrong.append("a repeated update has another content")
            continue
        if order["orderUpdateId"] != last_update + 1:
            wrong.append("an update was left out")
        last_update, content = order["orderUpdateId"], (nodes, edges)
        if base and (nodes[0]["sequenceId"], nodes[0]["nodeId"]) != max(base.items()):
            wrong.append("an update does not begin where the base ends")
        base |= {n["sequenceId"]: n["nodeId"] for n in nodes if n["released"]}
        wrong += complaints_about_way(nodes, edges)
    return wrong


def complaints_about_way(nodes: list[dict[str, Any]], edges: list[dict[str, Any]]) -> list[str]:
    sequence = [n["sequenceId"] for n in nodes]
    released = [n["released"] for n in nodes]
    rules = {
        "nodes are not numbered by two": sequence
        == list(range(sequence[0], sequence[0] + 2 * len(nodes), 2)),
        "edges are not numbered between nodes": [e["sequenceId"] for e in edges]
        == [number + 1 for number in sequence[:-1]],
        "the base is not the first part": released[0] and released == sorted(released, reverse=True),
        "an edge is not released with its node": [e["released"] for e in edges] == released[1:],
    }
    return [what for what, holds in rules.items() if not holds]
