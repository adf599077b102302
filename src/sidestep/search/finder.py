"""Shortest ways on one map: one query, many queries, or a search that is resumed frame by frame."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np

from .. import _core
from ..budget import Budget, limit_error
from ..model.arrays import IntArray, read_only
from ..model.errors import InputError
from ..model.result import Status
from ..model.saving import reduced
from ..model.space import Space
from .checks import (
    checked_bias,
    checked_budget,
    checked_count,
    checked_name,
    checked_open,
    checked_space,
    open_vertex,
    open_vertices,
)
from .distance_map import DistanceMap
from .lengths import SQRT2, FloatArray, costs_of, split
from .resumable import Search
from .route import Route, Routes
from .terrain import DISTANCES, HEURISTICS, checked_terrain, geometry_of, is_admissible, prepare

ALGORITHMS = ("astar", "dfs", "bfs", "greedy", "best-first")
QUEUES = ("buckets", "heap", "list")
MOST_LANDMARKS = 64
REGIONS = (4, 256)  # the least and the largest side

_FOUND, _NO_PATH = _core.Ending.found, _core.Ending.no_path
_WAYS = {
    "dfs": _core.Way.depth_first,
    "bfs": _core.Way.breadth_first,
    "greedy": _core.Way.greedy,
    "best-first": _core.Way.best_first,
}


class Finder:
    """Finds shortest ways on one map; what can be prepared is prepared when it is made.

    Args:
        space: A `Grid` or a `Graph`.
        steps: What a diagonal step costs on a grid with connectivity 8: the square root of two (`"octile"`,
            the default) or as much as a straight one (`"unit"`).
        factors: For a grid: whole numbers from 1 to 255 in its shape, which multiply the cost of entering a
            cell.
        corner_cost: For a grid with corners `"one"` or `"free"`: what a diagonal step past a blocked cell
            costs more, in straight steps.
        edge_costs: For a graph: a whole number from 1 on per edge.
        heuristic: `"none"`, `"manhattan"`, `"octile"`, `"chebyshev"`, `"euclidean"`, `"true"`, `"alt"`,
            `"altbestp"`, `"dead-end"`, `"gateway"`, or `"auto"`: the best that needs no preprocessing.
        landmarks: For `"alt"` and `"altbestp"`: how many, from 1 to 64.
        region: For `"dead-end"` and `"gateway"`: the side of a region in cells, from 4 to 256.
        queue: What holds the open vertices: `"buckets"` is the fastest, `"heap"` and `"list"` are those of
            the textbooks.
        budget: What preprocessing may use.

    Attributes:
        space: As given.
        heuristic: As given.
        terrain: The space with the costs of its steps.

    Raises:
        InputError: An option is not valid, or does not fit the space.
        LimitError: The budget ran out before the heuristic was ready.
    """

    def __init__(
        self,
        space: Space,
        *,
        steps: str | None = None,
        factors: Any = None,
        corner_cost: int = 0,
        edge_costs: Any = None,
        heuristic: str = "auto",
        landmarks: int = 8,
        region: int = 16,
        queue: str = "buckets",
        budget: Budget | None = None,
    ) -> None:
        self.space = checked_space(space)
        self._open = self.space.open.copy()
        self.heuristic = checked_name(heuristic, HEURISTICS, "heuristic")
        self.terrain = checked_terrain(self.space, steps, factors, corner_cost, edge_costs)
        self._queue = _core.Queue[checked_name(queue, QUEUES, "queue")]
        self._landmarks = checked_count(landmarks, "landmarks", 1, MOST_LANDMARKS)
        self._region = checked_count(region, "region", *REGIONS)
        self._geometry = geometry_of(heuristic, self.terrain)
        self._changes = 0  # of walls, so far
        self._found = Status.OPTIMAL if is_admissible(heuristic, self.terrain) else Status.SOLVED
        self._options = {
            "steps": steps,
            "factors": self.terrain.factors,
            "corner_cost": corner_cost,
            "edge_costs": self.terrain.edge_costs,
            "heuristic": heuristic,
            "landmarks": landmarks,
            "region": region,
            "queue": queue,
        }
        self._core = self.terrain.compiled(self._geometry, self._open)
        self.prepare(budget=budget)

    def __reduce__(self) -> tuple[Any, ...]:
        return reduced(self)

    def _saved_state(self) -> dict[str, Any]:
        """Lists what makes such a finder again; `pickle` asks for it."""
        now = {vertex: bool(self._open[vertex]) for vertex in self._before}
        before = self._open.copy()
        before[list(self._before)] = list(self._before.values())
        return {"space": self.space, "options": self._options, "prepared": before, "now": now}

    @classmethod
    def _from_saved(cls, state: dict[str, Any]) -> Finder:
        """Makes a finder of what was saved; its preprocessing is done again."""
        space, prepared = checked_space(state["space"]), checked_open(state["prepared"], state["space"])
        plain = {**state["options"], "heuristic": "none"}
        finder = cls(space, **(plain if (prepared != space.open).any() else state["options"]))
        if (prepared != space.open).any():
            for vertex in np.flatnonzero(prepared != space.open).tolist():
                finder._set_open(space.place(vertex), bool(prepared[vertex]))
            finder._take_up(state["options"])
        for vertex, is_open in state["now"].items():
            finder._set_open(space.place(int(vertex)), bool(is_open))
        return finder

    def _take_up(self, options: dict[str, Any]) -> None:
        """Other options of the same terrain, prepared for the walls as they are."""
        other = Finder(self.space, **options)
        self.heuristic, self._geometry, self._found = other.heuristic, other._geometry, other._found
        self._options = options
        self._core = self.terrain.compiled(self._geometry, self._open)
        self.prepare()

    def prepare(self, *, budget: Budget | None = None) -> None:
        """Does the preprocessing of the heuristic for the walls as they are now.

        Args:
            budget: What it may use.

        Raises:
            LimitError: The budget ran out first; what was prepared before is kept.
        """
        prepare(
            self._core,
            self.heuristic,
            self.terrain,
            checked_budget(budget),
            landmarks=self._landmarks,
            region=self._region,
        )
        self._outdated = False
        self._before: dict[int, bool] = {}  # what has changed since: was it open then?
        self._opened: set[int] = set()  # closed then, open now

    @property
    def is_prepared(self) -> bool:
        """Whether what was prepared is in use; not if it may overestimate since a wall was opened."""
        return self.heuristic not in DISTANCES or not self._opened

    @property
    def memory(self) -> int:
        """Bytes that the preprocessing of its heuristic takes."""
        return self._core.estimate_bytes

    def block(self, place: Any) -> None:
        """Closes a place. Searches under way begin again; what was prepared still holds.

        Args:
            place: A cell `(row, col)` on a grid, a vertex on a graph.

        Raises:
            InputError: There is no such place.
        """
        self._set_open(place, False)

    def free(self, place: Any) -> None:
        """Opens a place that was blocked, or a wall.

        If it was closed when distances were prepared (ALT, ALTBESTP, gateway), they may overestimate now:
        searches do without them until it is closed again or `prepare` is called.

        Args:
            place: A cell `(row, col)` on a grid, a vertex on a graph.

        Raises:
            InputError: There is no such place.
        """
        self._set_open(place, True)

    def path(
        self,
        start: Any,
        goal: Any,
        *,
        algorithm: str = "astar",
        bias: Any = None,
        budget: Budget | None = None,
    ) -> Route:
        """Finds one way.

        Args:
            start: Where it begins.
            goal: Where it ends.
            algorithm: `"astar"` finds a shortest way; `"bfs"`, `"dfs"`, `"greedy"` and `"best-first"` find
                what they find.
            bias: For `"astar"`: a number from 0 on per vertex, in straight steps, that is added to the
                heuristic there, infinite where the way may not go.
            budget: What the search may use.

        Returns:
            The way; falsy if none was found, with the status and the reason.

        Raises:
            InputError: An end is blocked or not on the map, there is no such algorithm, or the bias is not
                a number per vertex.
        """
        if bias is None:
            return self._find(self.space, start, goal, algorithm, budget)
        return self._find_biased(start, goal, algorithm, bias, budget)

    def paths(self, starts: Any, goals: Any, *, budget: Budget | None = None) -> Routes:
        """Finds the shortest ways of many queries at once.

        Args:
            starts: An (n, 2) array of cells on a grid, (n,) of vertices on a graph.
            goals: The same for where they end.
            budget: What all searches together may use.

        Returns:
            The ways, one per query; if the budget ran out, those that were found.

        Raises:
            InputError: An end is blocked or not on the map, or there are more of one than of the other.
        """
        from_, to = (
            open_vertices(self.space, self._open, places, what)
            for places, what in ((starts, "starts"), (goals, "goals"))
        )
        if len(from_) != len(to):
            raise InputError(f"there are {len(from_)} starts and {len(to)} goals")
        limits = checked_budget(budget).core
        vertices, ends, lengths = self._now().find_all(from_, to, self._queue, limits)
        costs = costs_of(lengths, self.terrain.octile)
        return Routes(self.space, read_only(vertices), read_only(ends), read_only(costs))

    def search(self, start: Any, goal: Any) -> Search:
        """Begins a search that is run bit by bit.

        Args:
            start: Where the way begins.
            goal: Where it ends; `Search.retarget` moves it.

        Returns:
            The search, which has not run yet.

        Raises:
            InputError: An end is blocked or not on the map.
        """
        return Search(self, self._vertex(start, "start"), self._vertex(goal, "goal"))

    def distances_to(self, *goals: Any, budget: Budget | None = None) -> DistanceMap:
        """Finds the distances of all places to the nearest goal, for many units that head there.

        Args:
            *goals: One place or more.
            budget: What the search may use.

        Returns:
            The distances, for the walls as they are now.

        Raises:
            InputError: A goal is blocked or not on the map, or there is none.
            LimitError: The budget ran out first.
        """
        return self._distances(self.space, goals, budget)

    def _distances(self, space: Space, goals: tuple[Any, ...], budget: Budget | None) -> DistanceMap:
        if not goals:
            raise InputError("distances to what? A goal is missing")
        vertices = np.array([self._vertex(goal, "goal") for goal in goals], dtype=np.int32)
        limits, core = checked_budget(budget), self._now()
        try:
            lengths = core.flood(vertices, True, limits.core)
        except RuntimeError as error:
            raise limit_error(limits, error) from None
        is_open = read_only(self._open.copy())
        terrain = replace(self.terrain, space=space)
        return DistanceMap(terrain, core.kept(), is_open, read_only(vertices), read_only(lengths))

    def estimates(self, start: Any, goal: Any) -> FloatArray:
        """Shows what the heuristic says in a search.

        Args:
            start: Where the search begins.
            goal: Where it ends.

        Returns:
            Per vertex the estimate of the way left, in straight steps; nan where it is blocked, infinite
            where the heuristic knows that there is no way.

        Raises:
            InputError: An end is blocked or not on the map.
        """
        ends = self._vertex(start, "start"), self._vertex(goal, "goal")
        free = np.flatnonzero(self._open).astype(np.int32)
        lengths = self._now().estimates(*ends, free, Budget().core)
        scale = _core.STRAIGHT if self.terrain.octile else 1
        guesses = np.full(self.space.n, np.nan)
        guesses[free] = np.where(lengths < 0, np.inf, lengths / scale)
        return guesses

    def _vertex(self, place: Any, what: str) -> int:
        vertex = self.space.vertex(place)
        return vertex if self._open[vertex] else open_vertex(self.space, self._open, place, what)

    def _set_open(self, place: Any, is_open: bool) -> None:
        vertex = self.space.vertex(place)
        if self._open[vertex] == is_open:
            return
        was_open = self._before.setdefault(vertex, not is_open)
        (self._opened.add if is_open and not was_open else self._opened.discard)(vertex)
        self._open[vertex] = is_open
        # Distances that were prepared must not be too long at any time, also for a search in another thread.
        if not self.is_prepared:
            self._core.use_prepared(False)
        self._core.set_open(vertex, is_open)
        if self.heuristic in DISTANCES and self.is_prepared:
            self._core.use_prepared(True)
        self._outdated = self.heuristic == "dead-end"
        self._changes += 1

    def _now(self) -> _core.PathFinder:
        """The core's map; what must look at all of it again does so now, once for many changes."""
        if self._outdated:
            self.prepare()
        return self._core

    def _find(self, space: Space, start: Any, goal: Any, algorithm: str, budget: Budget | None) -> Route:
        """One way, said to be in a space that is the same as ours."""
        ends = self._vertex(start, "start"), self._vertex(goal, "goal")
        if checked_name(algorithm, ALGORITHMS, "algorithm") != "astar":
            return replace(self._walk(algorithm, *ends, checked_budget(budget)), space=space)
        # Games ask this often: without limits, there is nothing to keep account of.
        limits = _core.Budget() if budget is None else checked_budget(budget).core
        before = limits.nodes
        ending, length, vertices = self._now().find(*ends, self._queue, limits)
        why = "" if budget is None or ending == _FOUND else budget.why()
        return self._route(ending, vertices, length, limits.nodes - before, why, space=space)

    def _find_biased(self, start: Any, goal: Any, algorithm: str, bias: Any, budget: Budget | None) -> Route:
        ends = self._vertex(start, "start"), self._vertex(goal, "goal")
        if checked_name(algorithm, ALGORITHMS, "algorithm") != "astar":
            raise InputError(f'a bias is for "astar", not for {algorithm!r}')
        scale = _core.BIAS_UNIT * (_core.STRAIGHT if self.terrain.octile else 1)
        added, limits = checked_bias(bias, self.space.n, scale), checked_budget(budget)
        before = limits.nodes
        ending, length, vertices = self._now().find_biased(*ends, added, limits.core)
        route = self._route(ending, vertices, length, limits.nodes - before, limits.why())
        return replace(route, status=Status.SOLVED) if route else route

    def _walk(self, algorithm: str, start: int, goal: int, budget: Budget) -> Route:
        before = budget.nodes
        ending, length, vertices, visited = self._now().walk(_WAYS[algorithm], start, goal, budget.core)
        route = self._route(ending, vertices, length, budget.nodes - before, budget.why())
        status, reason = route.status, route.reason
        if ending == _FOUND:
            # Breadth first is a shortest way only where every step costs the same.
            is_shortest = algorithm == "bfs" and self.terrain.is_even and not self.terrain.octile
            status = Status.OPTIMAL if is_shortest else Status.SOLVED
        elif ending == _NO_PATH and algorithm == "greedy":
            status, reason = Status.GAVE_UP, "no neighbour is nearer to the goal"
        elif ending == _NO_PATH:
            route = self._route(ending, vertices[:0], -1, route.expanded, "")
        return replace(route, status=status, reason=reason, visited=read_only(visited))

    def _route(
        self,
        ending: _core.Ending,
        vertices: IntArray,
        length: int,
        expanded: int,
        why: str,
        *,
        space: Space | None = None,
    ) -> Route:
        """What the core found, in words."""
        status, reason = Status.TIMEOUT, why
        if ending == _FOUND:
            status, reason = self._found, ""
        elif ending == _NO_PATH:
            status, reason = Status.INFEASIBLE, "there is no way"
        straight, diagonal = split(max(length, 0), self.terrain.octile)
        cost = math.inf if length < 0 else straight + diagonal * SQRT2
        where = self.space if space is None else space
        return Route(where, status, read_only(vertices), cost, straight, diagonal, expanded, reason)
