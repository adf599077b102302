"""Random spaces and rules for the tests of the core, and what a space means, the slow and obvious way."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import Any

import numpy as np
from hypothesis import settings
from hypothesis import strategies as st

import sidestep as ss
from sidestep import _core
from sidestep.model.to_core import compile_rules, compile_space

FOREVER = 2**31 - 1

# The same examples in every run: what fails here fails for everybody.
settings.register_profile("core", derandomize=True, deadline=None, database=None)
PROFILE = settings.get_profile("core")


@st.composite
def grids(draw: Any, max_side: int = 5) -> ss.Grid:
    height, width = draw(st.integers(1, max_side)), draw(st.integers(2, max_side))
    cells = draw(st.lists(st.integers(0, 4), min_size=height * width, max_size=height * width))
    passable = np.array(cells).reshape(height, width) > 0
    passable.flat[:2] = True  # never nothing but walls
    return ss.Grid(passable, draw(st.sampled_from([4, 8])), draw(st.sampled_from(["none", "one", "free"])))


@st.composite
def graphs(draw: Any, max_size: int = 12) -> ss.Graph:
    n = draw(st.integers(3, max_size))
    ends = st.tuples(st.integers(0, n - 1), st.integers(1, n - 1))
    edges = [(u, (u + offset) % n) for u, offset in draw(st.lists(ends, min_size=n - 1, max_size=3 * n))]
    pairs = st.tuples(*[st.integers(0, len(edges) - 1)] * 2)
    conflicts = draw(st.lists(pairs, max_size=n))
    return ss.Graph(n, edges, directed=draw(st.booleans()), edge_conflicts=conflicts or None)


spaces = st.one_of(grids(), grids(), graphs())

rules = st.builds(
    ss.Rules,
    following=st.booleans(),
    crossing=st.booleans(),
    at_goal=st.sampled_from(["stay", "disappear"]),
    cost=st.sampled_from(["sum_of_costs", "time_off_goal"]),
)


@dataclass
class Ground:
    """A space as its description; vertices may open and close."""

    space: ss.Grid | ss.Graph
    is_open: list[bool]

    @classmethod
    def of(cls, space: ss.Grid | ss.Graph) -> Ground:
        return cls(space, space.open.tolist())

    @property
    def n(self) -> int:
        return self.space.n

    def compiled(self) -> _core.Space:
        return compile_space(self.space).with_open(np.array(self.is_open))

    def connects(self, u: int, v: int) -> bool:
        """Can an agent go from u to v in one step?"""
        if u == v or not self.is_open[v]:
            return False
        if isinstance(self.space, ss.Graph):
            return any(self._is_edge(edge, (u, v)) for edge in self.space.edges.tolist())
        (row, col), (to_row, to_col) = self.space.place(u), self.space.place(v)
        if max(abs(row - to_row), abs(col - to_col)) > 1:
            return False
        if row == to_row or col == to_col:
            return True
        corners = (self.space.vertex((row, to_col)), self.space.vertex((to_row, col)))
        blocked = sum(not self.is_open[corner] for corner in corners)
        allowed = {"none": 0, "one": 1, "free": 2}[self.space.corners]
        return self.space.connectivity == 8 and blocked <= allowed

    def neighbours(self, u: int) -> list[int]:
        return [v for v in range(self.n) if self.connects(u, v)]

    def cross(self, one: tuple[int, int], other: tuple[int, int]) -> bool:
        """Do two moves cross, so that only a rule can allow both in one step?"""
        if isinstance(self.space, ss.Graph):
            if self._is_edge(one, other):
                return False  # two on one edge swap, or meet at its end
            edges = self.space.edges.tolist()
            return any(
                (self._is_edge(edges[a], one) and self._is_edge(edges[b], other))
                or (self._is_edge(edges[b], one) and self._is_edge(edges[a], other))
                for a, b in self.space.edge_conflicts.tolist()
            )
        (row, col), (to_row, to_col) = self.space.place(one[0]), self.space.place(one[1])
        if row == to_row or col == to_col:
            return False
        return set(other) == {self.space.vertex((row, to_col)), self.space.vertex((to_row, col))}

    def distances_to(self, goal: int) -> list[int]:
        """Breadth-first from the goal; -1 where there is no way. A closed vertex can only be left."""
        steps = [-1] * self.n
        steps[goal] = 0
        reached = deque([goal])
        while reached:
            v = reached.popleft()
            for u in range(self.n):
                if steps[u] < 0 and self.connects(u, v):
                    steps[u] = steps[v] + 1
                    reached.append(u)
        return steps

    def _is_edge(self, edge: Any, move: Any) -> bool:
        directed = isinstance(self.space, ss.Graph) and self.space.directed
        return tuple(edge) == tuple(move) or (not directed and tuple(edge) == tuple(move)[::-1])


@dataclass
class Promise:
    """What an agent holds from `start` on; parked: the last vertex for ever."""

    start: int
    path: list[int]
    parked: bool

    def at(self, t: int) -> int:
        if not self.path or t < self.start:
            return -1
        if t - self.start < len(self.path):
            return self.path[t - self.start]
        return self.path[-1] if self.parked else -1

    @property
    def end(self) -> int:
        return self.start + len(self.path) - 1


class Promises:
    """The reservation table as a list of promises, one per agent."""

    def __init__(self, agents: int) -> None:
        self.of = [Promise(0, [], False) for _ in range(agents)]

    def holder(self, v: int, t: int) -> int:
        return next((agent for agent, promise in enumerate(self.of) if promise.at(t) == v), -1)

    def last(self, now: int) -> int:
        return max((promise.end for promise in self.of if promise.path), default=now - 1)

    def last_taken(self, v: int, now: int) -> int:
        """The last time from `now` on at which v is taken; now - 1 if never."""
        if any(promise.parked and promise.path[-1] == v for promise in self.of):
            return FOREVER
        times = range(now, max(self.last(now), now) + 1)
        return max((t for t in times if self.holder(v, t) != -1), default=now - 1)

    def allow(self, ground: Ground, rules: ss.Rules, move: tuple[int, int], t: int) -> bool:
        """May somebody else make this move from t to t + 1?"""
        here, there = move
        for promise in self.of:
            before, after = promise.at(t), promise.at(t + 1)
            if after == there:
                return False
            if here == there:
                continue
            if (before, after) == (there, here):
                return False
            if not rules.following and (before == there or after == here):
                return False
            moves = before != -1 and after not in (-1, before)
            if not rules.crossing and moves and ground.cross(move, (before, after)):
                return False
        return True

    def fits(self, wanted: Promise, replaced: int, now: int) -> bool:
        """Can this be added without two agents in one place?"""
        times = range(now, max(self.last(now), wanted.end) + 2)
        return not any(
            wanted.at(t) != -1 and wanted.at(t) == other.at(t)
            for agent, other in enumerate(self.of)
            for t in times
            if agent != replaced
        )


def walk(draw: Any, ground: Ground, start: int, steps: int) -> list[int]:
    """A random path: waits and moves."""
    path = [start]
    for choice in draw(st.lists(st.integers(0, 7), min_size=steps, max_size=steps)):
        near = ground.neighbours(path[-1])
        path.append(near[choice % len(near)] if near and choice < 6 else path[-1])
    return path


def core_rules(rules: ss.Rules) -> _core.Rules:
    return compile_rules(rules)


def int32(values: Any) -> np.ndarray[Any, Any]:
    return np.array(values, dtype=np.int32, order="C")
