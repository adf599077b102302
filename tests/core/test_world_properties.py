"""Whatever happens in a world, whoever plans: no collision, a true record, and a future that repeats."""

from __future__ import annotations

import copy
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from spaces_for_core import PROFILE, graphs, grids, rules

import sidestep as ss
from sidestep import EventKind
from tests.sizing import examples

NODES = 60  # enough for some agents in most turns, for all in few
MOST_AGENTS = 8


class Nonsense:
    """A planner that proposes anything at all, or raises. The same every time it is copied."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)

    def session(self, problem: ss.Problem, *, seed: int = 0) -> Nonsense:
        return self

    def step(self, view: Any, *, budget: ss.Budget) -> Any:
        draw, here = self.random, view.positions
        kind = draw.randrange(14)
        if kind == 0:
            raise RuntimeError("no idea")
        if kind < 5:
            return self.odd_answer(kind, here)
        # Mostly plausible: a vertex near by in number, which is often a neighbour.
        offsets = [draw.choice([-5, -4, -3, -2, -1, 0, 1, 2, 3, 4, 5]) for _ in here]
        return (here + np.array(offsets, dtype=np.int32)).astype(np.int32)

    def odd_answer(self, kind: int, here: Any) -> Any:
        draw = self.random
        if kind == 1:
            return draw.choice([None, "north", 7, {}, [], iter(()), object(), np.nan, [[0]], 2**80, [2**40]])
        if kind == 2:
            return here[:-1] if draw.random() < 0.5 else np.append(here, here)
        if kind == 3:
            return draw.choice([here.astype(float), here.astype(bool), here.astype(object), here[None, :]])
        numbers = [draw.choice([-(2**31), 2**31 - 1, -1, 0, 1, 10**6]) for _ in here]
        return draw.choice([np.array(numbers, dtype=np.int64), np.array(numbers, dtype=np.int32), numbers])


PLANNERS = {
    "whca": lambda _: ss.WHCA(window=6),
    "whca-2": lambda _: ss.WHCA(window=2),
    "hca": lambda _: ss.HCA(),
    "ca": lambda _: ss.CA(),
    "ca-rerouting": lambda _: ss.CA(hold_goals=False),
    "hca-rerouting": lambda _: ss.HCA(hold_goals=False),
    "lra": lambda _: ss.LRA(noise=2.0),
    "wdpca": lambda _: ss.WDPCA(window=4),
    "dmrcp": lambda _: ss.DMRCP(),
    "bcp": lambda _: ss.BCP(),
    "pibt": lambda _: ss.PIBT(),
    "guided": lambda _: ss.Guided(),
    "nonsense": Nonsense,
}


class Worlds(RuleBasedStateMachine):
    """A world to which everything happens that can. Subclasses name the planner."""

    planner = "whca"
    spaces = st.one_of(grids(max_side=5), graphs(max_size=14))

    @initialize(data=st.data(), given_rules=rules, trace_limit=st.sampled_from([None, None, 1, 2, 5]))
    def begin(self, data: st.DataObject, given_rules: ss.Rules, trace_limit: int | None) -> None:
        self.space = data.draw(self.spaces)
        self.places = [self.space.place(v) for v in np.flatnonzero(self.space.open).tolist()]
        self.all_places = [self.space.place(v) for v in range(self.space.n)]
        some = st.lists(st.sampled_from(self.places), min_size=1, max_size=6, unique=True)
        starts, goals = data.draw(some), data.draw(some)
        goals = [goals[k] if k < len(goals) else None for k in range(len(starts))]
        agents = [
            ss.Agent(start, goal, priority=data.draw(st.integers(0, 2)))
            for start, goal in zip(starts, goals, strict=True)
        ]
        problem = ss.Problem.from_agents(self.space, agents, rules=given_rules)
        seed = data.draw(st.integers(0, 99))
        planner = PLANNERS[self.planner](seed)
        self.world = ss.World(problem, planner, seed=seed, trace_limit=trace_limit)
        self.events = 0

    # Turns

    @rule(nodes=st.sampled_from([0, 1, 5, NODES, 10_000]))
    def step(self, nodes: int) -> None:
        self.turn(nodes=nodes)

    @rule(turns=st.integers(2, 6))
    def several_steps(self, turns: int) -> None:
        for _ in range(turns):
            self.turn(nodes=NODES)

    @rule(seconds=st.lists(st.sampled_from([0.0, 1e-9, 1e-5, 1e-3]), min_size=1, max_size=4))
    def steps_in_a_hurry(self, seconds: list[float]) -> None:
        """Where they lead depends on the clock, and what is drawn next must not: the world goes back."""
        snapshot = self.world.snapshot()
        for limit in seconds:
            self.turn(limit)
        self.turn(nodes=NODES)
        self.check_trace()
        self.world.restore(snapshot)

    def turn(self, *budget: float, **options: int) -> None:
        time = self.world.time
        events = self.world.step(*budget, **options)
        assert self.world.time == time + 1
        assert events.shape[1] == 4
        assert (events[:, 0] >= time).all()

    # Changes from outside

    @rule(data=st.data())
    def block(self, data: st.DataObject) -> None:
        self.world.block(data.draw(st.sampled_from(self.all_places)))

    @rule(data=st.data())
    def block_under_an_agent(self, data: st.DataObject) -> None:
        if agents := self.present():
            self.world.block(self.world.where(data.draw(st.sampled_from(agents))))

    @rule(data=st.data())
    def block_in_front_of_an_agent(self, data: st.DataObject) -> None:
        if agents := self.present():
            agent = data.draw(st.sampled_from(agents))
            near = self.near(int(self.world.positions[agent]))
            if near:
                self.world.block(self.space.place(data.draw(st.sampled_from(near))))

    @rule(data=st.data())
    def free(self, data: st.DataObject) -> None:
        self.world.free(data.draw(st.sampled_from(self.all_places)))

    @rule()
    def free_everything(self) -> None:
        for place in self.places:
            self.world.free(place)

    @precondition(lambda self: len(self.world.names) < MOST_AGENTS)
    @rule(data=st.data(), priority=st.integers(-1, 3))
    def add(self, data: st.DataObject, priority: int) -> None:
        empty = [place for place in self.unoccupied() if self.world.is_open(place)]
        if empty:
            goal = data.draw(st.sampled_from([None, *self.free_goals()]))
            start = data.draw(st.sampled_from(empty))
            index = self.world.add(ss.Agent(start, goal, priority=priority))
            assert self.world.where(index) == start

    @rule(data=st.data())
    def remove(self, data: st.DataObject) -> None:
        agents = self.present()
        if len(agents) > 1:
            agent = data.draw(st.sampled_from(agents))
            self.world.remove(agent)
            assert self.world.where(agent) is None

    @rule(data=st.data())
    def send(self, data: st.DataObject) -> None:
        if agents := self.present():
            goal = data.draw(st.sampled_from([None, *self.free_goals()]))
            self.world.send(data.draw(st.sampled_from(agents)), goal)

    @rule(data=st.data(), priority=st.integers(-2, 3))
    def set_priority(self, data: st.DataObject, priority: int) -> None:
        if agents := self.present():
            self.world.set_priority(data.draw(st.sampled_from(agents)), priority)

    @rule(data=st.data())
    def sync_one(self, data: st.DataObject) -> None:
        agents, places = self.present(), self.unoccupied()
        if agents and places:
            agent = self.world.names[data.draw(st.sampled_from(agents))]
            self.world.sync({agent: data.draw(st.sampled_from(places))})

    @rule(data=st.data())
    def sync_by_exchanging_two(self, data: st.DataObject) -> None:
        agents = self.present()
        if len(agents) > 1:
            one, other = data.draw(st.permutations(agents))[:2]
            self.world.sync({one: self.world.where(other), other: self.world.where(one)})

    # Going back

    @rule(turns=st.integers(1, 4), data=st.data())
    def the_same_future_repeats(self, turns: int, data: st.DataObject) -> None:
        snapshot = self.world.snapshot()
        first, second = [], []
        for future in (first, second):
            for _ in range(turns):
                future.append(self.world.step(nodes=NODES).tolist())
            future.append(self.world.trace)
            if future is first:
                self.world.restore(snapshot)
        assert first == second

    @rule(turns=st.integers(1, 4))
    def back_to_the_past(self, turns: int) -> None:
        snapshot = self.world.snapshot()
        trace = self.world.trace
        for _ in range(turns):
            self.world.step(nodes=NODES)
        self.world.restore(snapshot)
        assert self.world.trace == trace

    # What always holds

    @invariant()
    def nobody_shares_a_place(self) -> None:
        if hasattr(self, "world"):
            present = self.world.positions[self.world.positions != -1]
            assert len(np.unique(present)) == len(present)

    def teardown(self) -> None:
        if hasattr(self, "world"):
            self.check_trace()

    def check_trace(self) -> None:
        trace = self.world.trace
        report = ss.validate_trace(trace)
        assert report, str(report)
        assert ss.replay_trace(trace) == trace
        assert copy.deepcopy(trace) == trace
        if self.planner != "nonsense":
            assert trace.count(EventKind.REFUSED) == 0
            assert trace.count(EventKind.RAISED) == 0, self.world.planner_error

    # Helpers

    def present(self) -> list[int]:
        return np.flatnonzero(self.world.positions != -1).tolist()

    def near(self, vertex: int) -> list[int]:
        if isinstance(self.space, ss.Grid):
            (row, col), place = self.space.place(vertex), self.space.vertex
            cells = [(row - 1, col), (row + 1, col), (row, col - 1), (row, col + 1)]
            inside = [(r, c) for r, c in cells if 0 <= r < self.space.height and 0 <= c < self.space.width]
            return [place(cell) for cell in inside]
        edges = self.space.edges.tolist()
        return sorted({v for u, v in edges if u == vertex} | {u for u, v in edges if v == vertex})

    def unoccupied(self) -> list[Any]:
        taken = set(self.world.positions.tolist())
        return [self.space.place(v) for v in range(self.space.n) if v not in taken]

    def free_goals(self) -> list[Any]:
        taken = set(self.world.goals[self.world.positions != -1].tolist())
        return [self.space.place(v) for v in range(self.space.n) if v not in taken]


class Everybody:
    """A planner that wants everybody at its goal in one step."""

    def step(self, view: Any, *, budget: ss.Budget) -> Any:
        return view.goals


def test_of_several_edges_in_conflict_no_two_are_used_in_one_step() -> None:
    # Refusing those that the first and the second agent meet first leaves these two.
    conflicts = [(0, 2), (1, 3), (0, 1)]
    graph = ss.Graph(8, [(0, 1), (2, 3), (4, 5), (6, 7)], edge_conflicts=conflicts)
    world = ss.World(ss.Problem(graph, [0, 2, 4, 6], [1, 3, 5, 7]), Everybody())
    world.step()
    assert ss.validate_trace(world.trace)
    assert world.where(0) == 1


@pytest.mark.parametrize("planner", [name for name in PLANNERS if name != "nonsense"])
@pytest.mark.parametrize("goal", [(1, 1), (2, 2), None], ids=["at its goal", "under way", "idle"])
@pytest.mark.parametrize("turns", [1, 30])
def test_an_agent_leaves_a_place_that_closed_under_it(planner: str, goal: Any, turns: int) -> None:
    grid = ss.Grid(np.ones((3, 3), dtype=bool))
    at_home = None if goal is None else (1, 1)
    world = ss.World(ss.Problem(grid, [(1, 1)], [at_home]), PLANNERS[planner](0))
    for _ in range(turns):
        world.step(nodes=1000)
    if goal != at_home:
        world.send(0, goal)
    world.block((1, 1))
    world.step(nodes=1000)
    assert world.where(0) != (1, 1)
    assert world.trace.count(EventKind.TRAPPED) == 1  # reported when it closed, and not after that
    world.free((1, 1))
    for _ in range(20):
        world.step(nodes=1000)
    assert goal is None or world.where(0) == goal


def machine(planner: str, in_full: int, steps: int) -> type:
    """The test case of a planner."""
    worlds = type(f"Worlds_{planner}", (Worlds,), {"planner": planner})
    case: type = worlds.TestCase
    case.settings = settings(PROFILE, max_examples=examples(in_full), stateful_step_count=steps)  # type: ignore[attr-defined]
    return case


TestWHCA = machine("whca", 20, 40)
TestShortWindow = machine("whca-2", 20, 40)
TestHCA = machine("hca", 20, 40)
TestCA = machine("ca", 20, 40)
TestReroutingCA = machine("ca-rerouting", 20, 40)
TestReroutingHCA = machine("hca-rerouting", 20, 40)
TestLRA = machine("lra", 20, 40)
TestWDPCA = machine("wdpca", 8, 40)
TestDMRCP = machine("dmrcp", 20, 40)
TestPIBT = machine("pibt", 20, 40)
TestGuided = machine("guided", 20, 40)
TestNonsense = machine("nonsense", 20, 40)


@pytest.mark.slow
@pytest.mark.parametrize("planner", list(PLANNERS))
def test_many_more_worlds(planner: str) -> None:
    machine(planner, 1500, 60)("runTest").runTest()  # type: ignore[attr-defined]
