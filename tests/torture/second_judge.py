"""A second judge of plans and traces, for agents of any size and speed, in plain Python.

It shares nothing with `sidestep.judge`: everything is sets of cells and pairs of agents, one step after
another, as the guides state the rules. It is slow and made for tiny maps.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from itertools import combinations, pairwise
from typing import Any

import sidestep as ss

GONE = -1
LONG_AGO = -(10**6)
Rows = list[list[int]]


class Found:
    """What is wrong: by kind and time, who does it, and where; a pair of agents is in order of index."""

    def __init__(self) -> None:
        self.who: dict[tuple[str, int], set[tuple[int, ...]]] = defaultdict(set)
        self.where: dict[tuple[str, int, tuple[int, ...]], int] = {}
        # What one may tell or not: who comes from nowhere is reported as absent before, whatever it enters.
        self.arguable: set[tuple[str, int, tuple[int, ...]]] = set()
        self.hidden = False  # larger agents cross each other: wrong, and told as something else

    def add(self, kind: str, time: int, *agents: int, at: int | None = None) -> None:
        self.who[kind, time].add(agents)
        if at is not None:
            self.where[kind, time, agents] = at

    def __bool__(self) -> bool:
        return bool(self.who) or self.hidden


class Ground:
    """A space as sets of cells: who fits where, and what connects them."""

    def __init__(self, space: ss.Grid | ss.Graph) -> None:
        self.space, self.n = space, space.n
        self.grid = space if isinstance(space, ss.Grid) else None
        self._cells: dict[tuple[int, int], frozenset[int] | None] = {}
        if self.grid is None:
            self._read_edges(space)
        else:
            self.width, self.height = self.grid.width, self.grid.height
            self.allowed = ("none", "one", "free").index(self.grid.corners)
            self.eight = self.grid.connectivity == 8

    def _read_edges(self, graph: Any) -> None:
        edges = [(int(u), int(v)) for u, v in graph.edges.tolist()]
        both = not graph.directed
        self.arcs = {*edges, *((v, u) for u, v in edges if both)}
        self.lane = {(u, v): frozenset((u, v)) if both else (u, v) for u, v in self.arcs}
        self.conflicts = set()
        for one, other in graph.edge_conflicts.tolist():
            first, second = self.lane[edges[one]], self.lane[edges[other]]
            if first != second:
                self.conflicts |= {(first, second), (second, first)}

    def cells(self, vertex: int, size: int) -> frozenset[int] | None:
        """What an agent covers there; None if it leaves the space."""
        key = (vertex, size)
        if key not in self._cells:
            self._cells[key] = self._covered(vertex, size)
        return self._cells[key]

    def _covered(self, vertex: int, size: int) -> frozenset[int] | None:
        if not 0 <= vertex < self.n:
            return None
        if self.grid is None:
            return frozenset((vertex,))
        row, col = divmod(vertex, self.width)
        if row + size > self.height or col + size > self.width:
            return None
        return frozenset(
            (row + down) * self.width + col + right for down in range(size) for right in range(size)
        )

    def fits(self, vertex: int, size: int, is_open: set[int]) -> bool:
        cells = self.cells(vertex, size)
        return cells is not None and cells <= is_open

    def connected(self, u: int, v: int) -> bool:
        """Is there an edge, walls aside?"""
        if self.grid is None:
            return (u, v) in self.arcs
        down, right = self._offset(u, v)
        return max(down, right) == 1 and (self.eight or down + right == 1)

    def _offset(self, u: int, v: int) -> tuple[int, int]:
        (row, col), (to_row, to_col) = divmod(u, self.width), divmod(v, self.width)
        return abs(row - to_row), abs(col - to_col)

    def is_diagonal(self, u: int, v: int) -> bool:
        return self.grid is not None and self.eight and self._offset(u, v) == (1, 1)

    def cuts_corner(self, u: int, v: int, size: int, is_open: set[int]) -> bool:
        if not self.is_diagonal(u, v):
            return False
        (row, col), (to_row, to_col) = divmod(u, self.width), divmod(v, self.width)
        beside = (row * self.width + to_col, to_row * self.width + col)
        return sum(not self.fits(corner, size, is_open) for corner in beside) > self.allowed

    def cross(self, one: tuple[int, int], other: tuple[int, int]) -> bool:
        """Are two moves of one cell each the two diagonals of a block, or over edges that conflict?"""
        if self.grid is None:
            if one not in self.arcs or other not in self.arcs:
                return False
            return (self.lane[one], self.lane[other]) in self.conflicts
        if not self.is_diagonal(*one) or not self.is_diagonal(*other) or set(one) & set(other):
            return False
        (a, b), (c, d) = (divmod(vertex, self.width) for vertex in one)
        return {(a, d), (c, b)} == {divmod(vertex, self.width) for vertex in other}


class Steps:
    """Judges the rows of positions, and the steps between them, that plans and traces share."""

    def __init__(
        self, ground: Ground, rules: ss.Rules, sizes: list[int], periods: list[int], found: Found
    ) -> None:
        self.ground, self.rules, self.found = ground, rules, found
        self.sizes, self.periods = sizes, periods
        self.agents = range(len(sizes))

    def judge(
        self,
        given: Rows,
        open_at: Callable[[int], set[int]],
        start: int = 0,
        placed: set[tuple[int, int]] = frozenset(),  # type: ignore[assignment]
        headings: list[int] | None = None,
    ) -> None:
        """`placed`: (row, agent) that the outside put somewhere. `headings`: moves that are under way."""
        self.start, self.placed = start, placed
        self.rows = [
            [self._inside(at, t, agent) for agent, at in enumerate(row)] for t, row in enumerate(given)
        ]
        self.toward = [[GONE] * len(self.sizes) for _ in self.rows]
        for agent in self.agents:
            self._find_moves(agent, known=headings is None)
        held = [[self._held(t, agent, headings) for agent in self.agents] for t in range(len(self.rows))]
        for t, now in enumerate(held):
            for a, b in combinations(self.agents, 2):
                if now[a] & now[b]:
                    self.found.add("vertex", start + t, a, b)
        for t in range(len(self.rows) - 1):
            self._judge_moves(t, open_at(t))
            self._judge_exchanges(t, held[t], held[t + 1])
            if not self.rules.crossing:
                self._judge_crossings(t)

    def _inside(self, vertex: int, t: int, agent: int) -> int:
        if vertex == GONE or self.ground.cells(vertex, self.sizes[agent]) is not None:
            return vertex
        self.found.add("outside", self.start + t, agent)
        return GONE

    def _find_moves(self, agent: int, known: bool) -> None:
        """Marks the steps that belong to moves."""
        since = 0 if known else LONG_AGO
        path = [row[agent] for row in self.rows]
        if (0, agent) in self.placed and not known:
            since = LONG_AGO
        for t in range(1, len(path)):
            put = (t, agent) in self.placed
            if path[t] != path[t - 1] and not put and GONE not in (path[t], path[t - 1]):
                period = self.periods[agent]
                if t - since < period:
                    self.found.add("pace", self.start + t, agent, at=path[t])
                for step in range(max(since, t - period, 0), t):
                    self.toward[step][agent] = path[t]
            if path[t] != path[t - 1] or put:
                since = t

    def _held(self, t: int, agent: int, headings: list[int] | None) -> frozenset[int]:
        place, size = self.rows[t][agent], self.sizes[agent]
        cells = frozenset() if place == GONE else self.ground.cells(place, size) or frozenset()
        other = GONE
        if t == 0:
            other = GONE if headings is None else headings[agent]
        elif self.rows[t - 1][agent] == place and self.toward[t][agent] == self.toward[t - 1][agent]:
            other = self.toward[t][agent]
        return cells if other == GONE else cells | (self.ground.cells(other, size) or frozenset())

    def _judge_moves(self, t: int, is_open: set[int]) -> None:
        ground, time = self.ground, self.start + t + 1
        for agent in self.agents:
            source, target = self.rows[t][agent], self.toward[t][agent]
            if target == GONE:
                continue
            size = self.sizes[agent]
            if not ground.fits(target, size, is_open):
                self.found.add("wall", time, agent, at=target)
            if self.rows[t + 1][agent] == target and not ground.connected(source, target):
                self.found.add("no_edge", time, agent, at=target)
            if ground.cuts_corner(source, target, size, is_open):
                self.found.add("corner", time, agent, at=target)

    def _judge_exchanges(self, t: int, before: list[frozenset[int]], after: list[frozenset[int]]) -> None:
        time = self.start + t + 1
        then = [frozenset() if (t + 1, agent) in self.placed else after[agent] for agent in self.agents]
        enters = [then[agent] - before[agent] for agent in self.agents]
        came = [self.rows[t][agent] == GONE for agent in self.agents]
        for a in self.agents:
            if not enters[a]:
                continue
            for b in self.agents:
                entered = enters[a] & before[b]
                if a == b or not entered:
                    continue
                if enters[b] & before[a]:
                    self.found.add("swap", time, min(a, b), max(a, b))
                elif self.rules.following or not entered - then[b]:
                    continue
                elif came[a]:
                    self.found.arguable.add(("following", time, (a, b)))
                else:
                    self.found.add("following", time, a, b)

    def _judge_crossings(self, t: int) -> None:
        moves = [(a, self.rows[t][a], self.toward[t][a]) for a in self.agents if self.toward[t][a] != GONE]
        for (a, *one), (b, *other) in combinations(moves, 2):
            if self.sizes[a] == self.sizes[b] == 1:
                if self.ground.cross((one[0], one[1]), (other[0], other[1])):
                    self.found.add("crossing", self.start + t + 1, a, b)
            elif self._parts_cross(a, one, b, other):
                self.found.hidden = True

    def _parts_cross(self, a: int, one: list[int], b: int, other: list[int]) -> bool:
        """Do any two of the cells of two agents cross, of which one at least is large?"""
        if not self.ground.is_diagonal(*one) or not self.ground.is_diagonal(*other):
            return False
        first, second = (
            [(cell, cell + v - u) for cell in self.ground.cells(u, self.sizes[agent]) or ()]
            for agent, (u, v) in ((a, one), (b, other))
        )
        return any(self.ground.cross(x, y) for x in first for y in second)


def judge_plan(problem: ss.Problem, rows: Rows, claimed: int | None, ground: Ground | None = None) -> Found:
    """What is wrong with a plan that claims to cost this, or claims nothing."""
    found = Found()
    ground = ground or Ground(problem.space)
    is_open = set(problem.space.open.nonzero()[0].tolist())
    starts, goals = problem.starts.tolist(), problem.goals.tolist()
    for agent, vertex in enumerate(rows[0]):
        if vertex != starts[agent]:
            found.add("start", 0, agent, at=vertex)
        if 0 <= vertex < ground.n and vertex not in is_open:
            found.add("wall", 0, agent, at=vertex)
    steps = Steps(ground, problem.rules, problem.sizes.tolist(), problem.periods.tolist(), found)
    steps.judge(rows, lambda t: is_open)
    for agent, goal in enumerate(goals):
        _judge_end(problem, [row[agent] for row in rows], agent, goal, found)
    cost = plan_cost(problem, rows)
    if claimed is not None and claimed != cost:
        found.add("cost", len(rows) - 1)
    return found


def _judge_end(problem: ss.Problem, path: list[int], agent: int, goal: int, found: Found) -> None:
    vanishes, arrived = problem.rules.at_goal == "disappear" and goal != GONE, False
    for time, vertex in enumerate(path):
        if arrived and vertex != GONE:
            found.add("present", time, agent, at=vertex)
        if not arrived and vertex == GONE:
            found.add("absent", time, agent)
        gone = arrived
        arrived = arrived or (vanishes and vertex == goal)
    if goal not in (GONE, path[-1]) and not (gone and path[-1] == GONE):
        found.add("goal", len(path) - 1, agent, at=path[-1])


def plan_cost(problem: ss.Problem, rows: Rows) -> int:
    """What a plan costs: agent by agent, time by time."""
    total = 0
    for agent, goal in enumerate(problem.goals.tolist()):
        if goal == GONE:
            continue
        rests = [row[agent] in (goal, GONE) for row in rows]
        if problem.rules.cost == "sum_of_costs":
            total += max((time + 1 for time, rest in enumerate(rests) if not rest), default=0)
        else:
            total += sum(not (before and after) for before, after in pairwise(rests))
    return total


PAIRS = ("vertex", "swap", "crossing", "following")


def differences(found: Found, report: ss.Report, space: ss.Grid | ss.Graph) -> str:
    """In which way the report of the judge is another one; empty if it is not."""
    told: dict[tuple[str, int], set[tuple[int, ...]]] = defaultdict(set)
    for one in report.violations:
        kind = str(one.kind)
        if (kind, one.time, one.agents) in found.arguable:
            continue
        told[kind, one.time].add(one.agents)
        at = found.where.get((kind, one.time, one.agents))
        if at is not None and one.place != (space.place(at) if 0 <= at < space.n else None):
            return f"{one} is at another place: {at}"
    if bool(report) == bool(found):
        return f"valid: {bool(report)}, here {not found}"
    if len(report.violations) != report.count:
        return f"{report.count} violations, but {len(report.violations)} are listed"
    if told.keys() != found.who.keys():
        return f"only one of the two finds {sorted(told.keys() ^ found.who.keys())}"
    for key, agents in found.who.items():
        if fault := _other_agents(key[0], agents, told[key]):
            return f"{fault} {key}: {sorted(told[key])}, here {sorted(agents)}"
    return ""


def _other_agents(kind: str, agents: set[tuple[int, ...]], told: set[tuple[int, ...]]) -> str:
    """Of several that collide in one place, each need be told with one of the others only."""
    if kind not in PAIRS:
        return "" if agents == told else "other agents"
    if not told <= agents:
        return "a pair that is none"
    if kind == "following":
        return "" if {pair[0] for pair in told} == {pair[0] for pair in agents} else "other followers"
    return "" if _members(told) == _members(agents) else "somebody is missing"


def _members(pairs: Iterable[tuple[int, ...]]) -> set[int]:
    return {agent for pair in pairs for agent in pair}
