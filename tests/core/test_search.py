"""Search in space and time against an exhaustive one: nothing cheaper exists, and nothing is missed."""

from __future__ import annotations

import heapq
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from spaces_for_core import (
    FOREVER,
    PROFILE,
    Ground,
    Promise,
    Promises,
    core_rules,
    int32,
    rules,
    spaces,
    walk,
)

import sidestep as ss
from sidestep import _core
from tests.sizing import examples


@dataclass
class Scene:
    """One search: where from and to, among which promises, under which rules, how far ahead."""

    ground: Ground
    rules: ss.Rules
    promises: Promises
    start: int
    goal: int
    now: int
    window: int

    def found(self, **options: Any) -> list[int] | None:
        table = _core.Reservations(self.ground.n, len(self.promises.of))
        table.advance(self.now)
        for agent, promise in enumerate(self.promises.of):
            table.reserve(agent, promise.start, int32(promise.path), promise.parked)
        path = _core.search(
            self.ground.compiled(),
            core_rules(self.rules),
            table,
            start=self.start,
            goal=self.goal,
            now=self.now,
            window=self.window,
            budget=_core.Budget(),
            **options,
        )
        return None if path is None else path.tolist()

    def vanishes(self, v: int) -> bool:
        return self.rules.at_goal == "disappear" and v == self.goal

    def wait_cost(self, v: int) -> int:
        free = v == self.goal and (self.window or self.rules.cost == "time_off_goal")
        return 0 if free and self.ground.is_open[v] else 1

    def may_end(self, v: int, t: int) -> bool:
        if self.vanishes(v):
            return self.rules.following or self.promises.holder(v, t + 1) == -1
        if self.window:
            return t == self.now + self.window
        return v == self.goal and FOREVER > self.promises.last_taken(v, self.now) < t

    def least_cost(self) -> int | None:
        """Dijkstra over (vertex, time), as far as anything can change."""
        distances = self.ground.distances_to(self.goal)
        last = max(self.promises.last(self.now), self.now)
        horizon = self.now + self.window if self.window else last + 2 * self.ground.n + 2
        open_list, closed, costs = [(0, self.now, self.start)], set(), []
        while open_list:
            g, t, v = heapq.heappop(open_list)
            if (t, v) in closed:
                continue
            closed.add((t, v))
            if self.may_end(v, t):
                rest = 0 if self.vanishes(v) or not self.window else distances[v]
                costs += [g + rest] if rest >= 0 else []
            if t == horizon or self.vanishes(v):
                continue
            steps = [(v, self.wait_cost(v)), *((u, 1) for u in self.ground.neighbours(v))]
            for u, cost in steps:
                if self.promises.allow(self.ground, self.rules, (v, u), t):
                    heapq.heappush(open_list, (g + cost, t + 1, u))
        return min(costs, default=None)

    def cost_of(self, path: list[int]) -> int:
        """What a path costs; an AssertionError if it is none."""
        assert path[0] == self.start
        cost = 0
        for t, (v, u) in enumerate(pairwise(path), self.now):
            assert not self.vanishes(v)
            assert v == u or self.ground.connects(v, u)
            assert self.promises.allow(self.ground, self.rules, (v, u), t)
            cost += self.wait_cost(v) if v == u else 1
        assert self.may_end(path[-1], self.now + len(path) - 1)
        rest = self.window and not self.vanishes(path[-1])
        return cost + (self.ground.distances_to(self.goal)[path[-1]] if rest else 0)


@st.composite
def scenes(draw: Any) -> Scene:
    ground = Ground.of(draw(spaces))
    vertices = [v for v in range(ground.n) if ground.is_open[v]]
    start, goal = draw(st.sampled_from(vertices)), draw(st.sampled_from(vertices))
    if draw(st.integers(0, 9)) == 0 and start != goal:
        ground.is_open[start] = False  # closed under the agent
    now = draw(st.sampled_from([0, 0, 7, 40]))
    promises = Promises(0)
    for _ in range(draw(st.integers(0, 4))):
        path = walk(draw, ground, draw(st.sampled_from(vertices)), draw(st.integers(0, 8)))
        other = Promise(now, path, draw(st.integers(0, 3)) == 0)
        if path[0] != start and promises.fits(other, -1, now):
            promises.of.append(other)
    window = draw(st.one_of(st.just(0), st.integers(1, 6)))
    return Scene(ground, draw(rules), promises, start, goal, now, window)


@settings(PROFILE, max_examples=examples(120))
@given(scene=scenes())
def test_no_path_is_cheaper(scene: Scene) -> None:
    least, path = scene.least_cost(), scene.found()
    assert (path is None) == (least is None)
    if path is not None:
        assert scene.cost_of(path) == least
        if scene.window and scene.rules.at_goal == "stay":
            assert len(path) == scene.window + 1


@settings(PROFILE, max_examples=examples(120))
@given(scene=scenes())
def test_geometry_finds_the_same_cost(scene: Scene) -> None:
    scene.window = 0
    exact, geometric = scene.found(), scene.found(exact=False)
    assert (exact is None) == (geometric is None)
    if exact is not None and geometric is not None:
        assert scene.cost_of(exact) == scene.cost_of(geometric)


def first_reached_too_dearly() -> Scene:
    """Two ways lead to a state, and the dearer one is generated first."""
    promises = Promises(0)
    promises.of = [Promise(0, [5, 5, 4], False), Promise(0, [4], False)]
    grid = ss.Grid.from_text("..\n#.\n..\n..")
    return Scene(Ground.of(grid), ss.Rules(following=False), promises, start=7, goal=0, now=0, window=0)


@settings(PROFILE, max_examples=examples(120))
@given(scene=scenes(), exact=st.booleans())
@example(scene=first_reached_too_dearly(), exact=False)
def test_a_cost_limit_cuts_off_what_costs_more_and_nothing_else(scene: Scene, exact: bool) -> None:
    if not exact:
        scene.window = 0
    least = scene.least_cost()
    assume(least is not None)
    path = scene.found(cost_limit=least, exact=exact)
    assert path is not None
    assert scene.cost_of(path) == least
    if least > 0:
        assert scene.found(cost_limit=least - 1, exact=exact) is None


def test_a_node_budget_is_kept_and_the_search_says_that_it_ended() -> None:
    ground = Ground.of(ss.Grid([[True] * 20] * 20))
    budget = _core.Budget(nodes=5)
    table = _core.Reservations(400, 0)
    with pytest.raises(RuntimeError, match="budget"):
        _core.search(
            ground.compiled(), core_rules(ss.Rules()), table, start=0, goal=399, budget=budget, exact=False
        )
    assert budget.nodes == 5
    assert budget.why is _core.Stop.nodes
