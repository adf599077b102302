"""Worlds in which anything may happen, with agents of different sizes and speeds: still no collision."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import numpy as np
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import initialize, invariant, precondition, rule
from spaces_for_core import PROFILE, graphs, grids, rules
from test_world_properties import MOST_AGENTS, NODES, PLANNERS, Worlds

import sidestep as ss
from sidestep import EventKind, InputError
from tests.sizing import examples

sizes = st.sampled_from([1, 1, 2, 2, 3])
periods = st.sampled_from([1, 1, 2, 3, 5])


class Failing:
    """A session that does its work and then raises."""

    def __init__(self, session: Any) -> None:
        self.session = session

    def step(self, view: Any, *, budget: ss.Budget) -> Any:
        self.session.step(view, budget=budget)
        raise RuntimeError("after all that work")


class MixedWorlds(Worlds):
    """The worlds of the other tests, but nobody knows how large and how fast the agents are."""

    spaces = st.one_of(grids(max_side=7), grids(max_side=7), graphs(max_size=12))

    @initialize(data=st.data(), given_rules=rules, trace_limit=st.sampled_from([None, None, 1, 2, 5]))
    def begin(self, data: st.DataObject, given_rules: ss.Rules, trace_limit: int | None) -> None:
        self.space = data.draw(self.spaces)
        self.places = [self.space.place(v) for v in np.flatnonzero(self.space.open).tolist()]
        self.all_places = [self.space.place(v) for v in range(self.space.n)]
        agents: list[ss.Agent] = []
        for start in data.draw(st.lists(st.sampled_from(self.places), min_size=1, max_size=7, unique=True)):
            agent = self.newcomer(data, start, data.draw(st.sampled_from([None, *self.places])))
            with suppress(InputError):  # it does not fit there, or overlaps with the others
                ss.Problem.from_agents(self.space, [*agents, agent])
                agents.append(agent)
        problem = ss.Problem.from_agents(self.space, agents, rules=given_rules)
        seed = data.draw(st.integers(0, 99))
        self.failures = 0
        self.world = ss.World(problem, PLANNERS[self.planner](seed), seed=seed, trace_limit=trace_limit)

    def newcomer(self, data: st.DataObject, start: Any, goal: Any, priority: int = 0) -> ss.Agent:
        size = data.draw(sizes) if isinstance(self.space, ss.Grid) else 1
        return ss.Agent(start, goal, size=size, period=data.draw(periods), priority=priority)

    @precondition(lambda self: len(self.world.names) < MOST_AGENTS)
    @rule(data=st.data(), priority=st.integers(-1, 3))
    def add(self, data: st.DataObject, priority: int) -> None:
        goal = data.draw(st.sampled_from([None, *self.all_places]))
        agent = self.newcomer(data, data.draw(st.sampled_from(self.places)), goal, priority)
        before = self.world.trace
        try:
            index = self.world.add(agent)
        except InputError:
            assert self.world.trace == before
        else:
            assert self.world.where(index) == agent.start
            assert (self.world.sizes[index], self.world.periods[index]) == (agent.size, agent.period)

    @rule(data=st.data())
    def send(self, data: st.DataObject) -> None:
        if agents := self.present():
            with suppress(InputError):
                goal = data.draw(st.sampled_from([None, *self.all_places]))
                self.world.send(data.draw(st.sampled_from(agents)), goal)

    @rule(data=st.data())
    def sync_one(self, data: st.DataObject) -> None:
        if agents := self.present():
            agent = self.world.names[data.draw(st.sampled_from(agents))]
            with suppress(InputError):
                self.world.sync({agent: data.draw(st.sampled_from(self.all_places))})

    @rule(data=st.data())
    def sync_by_exchanging_two(self, data: st.DataObject) -> None:
        agents = self.present()
        if len(agents) > 1:
            one, other = data.draw(st.permutations(agents))[:2]
            with suppress(InputError):
                self.world.sync({one: self.world.where(other), other: self.world.where(one)})

    @precondition(lambda self: self.planner != "nonsense")
    @rule()
    def the_planner_fails_for_a_turn(self) -> None:
        """Everybody waits, but for those in the middle of a move; nobody collides afterwards either."""
        before, session = self.world.trace.count(EventKind.RAISED), self.world.session
        self.world.session = Failing(session)
        self.world.step(nodes=NODES)
        self.world.session = session
        self.failures = self.failures + 1
        assert self.world.trace.count(EventKind.RAISED) <= before + 1

    @invariant()
    def nobody_shares_a_place(self) -> None:
        if hasattr(self, "world"):
            cells = [
                cell
                for vertex, size in zip(self.world.positions.tolist(), self.world.sizes.tolist(), strict=True)
                if vertex != -1
                for cell in self.covered(vertex, size)
            ]
            assert len(set(cells)) == len(cells)

    def covered(self, vertex: int, size: int) -> list[Any]:
        if isinstance(self.space, ss.Graph):
            return [vertex]
        row, col = self.space.place(vertex)
        return [(row + down, col + right) for down in range(size) for right in range(size)]

    def check_trace(self) -> None:
        trace = self.world.trace
        report = ss.validate_trace(trace)
        assert report, str(report)
        assert ss.replay_trace(trace) == trace
        if self.planner != "nonsense":
            assert trace.count(EventKind.REFUSED) == 0
            assert trace.count(EventKind.RAISED) <= self.failures, self.world.planner_error


def machine(planner: str, in_full: int, steps: int) -> type:
    """The test case of a planner."""
    worlds = type(f"MixedWorlds_{planner}", (MixedWorlds,), {"planner": planner})
    case: type = worlds.TestCase
    case.settings = settings(PROFILE, max_examples=examples(in_full), stateful_step_count=steps)  # type: ignore[attr-defined]
    return case


KNOWING = ["whca", "whca-2", "hca", "ca", "ca-rerouting", "hca-rerouting", "nonsense"]

TestMixedWHCA = machine("whca", 20, 40)
TestMixedShortWindow = machine("whca-2", 20, 40)
TestMixedHCA = machine("hca", 20, 40)
TestMixedReroutingCA = machine("ca-rerouting", 20, 40)
TestMixedNonsense = machine("nonsense", 20, 40)


@pytest.mark.slow
@pytest.mark.parametrize("planner", KNOWING)
def test_many_more_mixed_worlds(planner: str) -> None:
    machine(planner, 1000, 60)("runTest").runTest()  # type: ignore[attr-defined]
