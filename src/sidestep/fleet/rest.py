"""What is left of a problem while robots are under way: from where released visits end, around the broken."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np

from ..model.agents import IDLE, NOWHERE, Agent
from ..model.arrays import BoolArray, IntArray
from ..model.graph import Graph
from ..model.grid import Grid
from ..model.plan import Plan
from ..model.problem import Problem
from ..model.space import Space, covered_cells


@dataclass(frozen=True)
class Barred:
    """What nobody may use for now: places, and on a graph lanes from one vertex to another."""

    places: frozenset[int] = frozenset()
    lanes: frozenset[tuple[int, int]] = frozenset()

    @classmethod
    def of(cls, space: Space, closed: Iterable[Any]) -> Barred:
        """Places as they are written; on a graph a pair of them is a lane."""
        if isinstance(space, Grid):
            return cls(frozenset(space.vertex(place) for place in closed))
        places, lanes = set(), set()
        for one in closed:
            if isinstance(one, (tuple, list)) and len(one) == 2:
                lanes.add((space.vertex(one[0]), space.vertex(one[1])))
            else:
                places.add(space.vertex(one))
        return cls(frozenset(places), frozenset(lanes))


@dataclass(frozen=True, eq=False)
class Rest:
    """The problem of those who go on, and how its plan becomes one of everybody.

    Attributes:
        problem: Its agents are those that are there and not broken; nobody follows closely.
        agents: Their indices.
        ends: Where everybody's released visits end.
        given_up: Whose goal is closed, or cut off; it is idle in the problem.
    """

    problem: Problem
    agents: tuple[int, ...]
    ends: IntArray
    given_up: tuple[int, ...]

    @classmethod
    def of(
        cls,
        problem: Problem,
        ends: IntArray,
        goals: IntArray,
        closed: Mapping[int, Sequence[int]],
        barred: Barred,
    ) -> Rest:
        """The rest of a problem with these goals; broken agents may be anywhere on the ways in `closed`."""
        going = tuple(a for a in range(problem.n_agents) if ends[a] != NOWHERE and a not in closed)
        walls = set(barred.places)
        for broken, way in closed.items():
            for vertex in way:
                walls.update(covered_cells(problem.space, vertex, int(problem.sizes[broken])))
        ways = [move for way in closed.values() for move in pairwise(way)]
        if not problem.rules.crossing:
            walls |= _beside(problem, ways, *(_all_cells(problem, of, going) for of in (ends, goals)))
        agents, given_up = [], []
        for index, agent in zip(going, problem.agents.to_agents(going), strict=True):
            agent = replace(agent, facing=None)  # noqa: PLW2901  # robots turn in their own time
            goal = int(goals[index])
            cells = [] if goal == IDLE else covered_cells(problem.space, goal, int(problem.sizes[index]))
            if walls & set(cells):
                given_up.append(index)
                goal = IDLE
            agents.append(_moved(problem.space, agent, int(ends[index]), goal))
        space = _without(problem.space, walls, barred.lanes, ways if not problem.rules.crossing else [])
        rules = replace(problem.rules, following=False)
        return cls(Problem.from_agents(space, agents, rules=rules), going, ends, tuple(given_up))

    def without_goals(self, cut_off: BoolArray) -> Rest:
        """The same, in which some of its agents have no goal."""
        lost = np.flatnonzero(cut_off).tolist()
        if not lost:
            return self
        agents = list(self.problem.agents.to_agents(range(self.problem.n_agents)))
        for index in lost:
            agents[index] = replace(agents[index], goal=None)
        problem = Problem.from_agents(self.problem.space, agents, rules=self.problem.rules)
        given_up = (*self.given_up, *(self.agents[index] for index in lost))
        return replace(self, problem=problem, given_up=given_up)

    def rows(self, plan: Plan) -> IntArray:
        """The plan of everybody: who does not go on stays where it is."""
        rows = np.tile(self.ends, (len(plan.vertices), 1))
        rows[:, list(self.agents)] = plan.vertices
        return np.ascontiguousarray(rows, dtype=np.int32)


def _moved(space: Space, agent: Agent, start: int, goal: int) -> Agent:
    return replace(agent, start=space.place(start), goal=None if goal == IDLE else space.place(goal))


def _all_cells(problem: Problem, places: IntArray, agents: Iterable[int]) -> set[int]:
    """All that these agents cover, each in its place; one without a place covers nothing."""
    cells: set[int] = set()
    for agent in agents:
        if places[agent] != IDLE:
            cells.update(covered_cells(problem.space, int(places[agent]), int(problem.sizes[agent])))
    return cells


def _beside(problem: Problem, ways: list[tuple[int, int]], taken: set[int], wanted: set[int]) -> set[int]:
    """Per diagonal of a broken agent a cell without which nobody can cross it: a free one, if there is any.

    Rather one that is not `wanted` either.
    """
    space = problem.space
    walls: set[int] = set()
    if not isinstance(space, Grid):
        return walls
    for source, target in ways:
        row, to_row = source // space.width, target // space.width
        if row == to_row or source % space.width == target % space.width:
            continue
        sides = [row * space.width + target % space.width, to_row * space.width + source % space.width]
        free = sorted((side for side in sides if side not in taken), key=lambda side: side in wanted)
        walls.update(free[:1])
    return walls


def _without(
    space: Space, walls: set[int], lanes: frozenset[tuple[int, int]], ways: list[tuple[int, int]]
) -> Space:
    """The space with these vertices closed; of a graph, without the lanes, and edges across the ways."""
    if isinstance(space, Grid):
        passable = space.passable.copy()
        passable.reshape(-1)[list(walls)] = False
        return Grid(passable, space.connectivity, space.corners) if walls else space
    touched = np.isin(space.edges, list(walls))
    kept: BoolArray = ~(touched[:, 0] | touched[:, 1])
    for number, (u, v) in enumerate(space.edges.tolist() if lanes else ()):
        kept[number] &= (u, v) not in lanes and (space.directed or (v, u) not in lanes)
    used = {frozenset(way) for way in ways}
    taken = np.array([frozenset(edge) in used for edge in space.edges.tolist()], dtype=np.bool_)
    for one, other in space.edge_conflicts.tolist():
        kept[one] &= not taken[other]
        kept[other] &= not taken[one]
    renumbered = np.cumsum(kept) - 1
    pairs = space.edge_conflicts[kept[space.edge_conflicts[:, 0]] & kept[space.edge_conflicts[:, 1]]]
    return Graph(
        space.n,
        space.edges[kept],
        directed=space.directed,
        positions=space.positions,
        edge_conflicts=renumbered[pairs].astype(np.int32) if len(pairs) else None,
    )
