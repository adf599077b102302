"""Shortest ways on one map: one query, many queries, or a search that is resumed frame by frame."""

from __future__ import annotations

import math
from dataclasses import replace
from inspect import signature
from typing import Any

import numpy as np

from .. import _core
from ..budget import Budget
from ..model.arrays import BoolArray, IntArray, is_number, read_only
from ..model.errors import InputError, LimitError
from ..model.result import Status
from ..model.space import Space
from .checks import checked_budget, checked_count, checked_name, checked_space, open_vertex, open_vertices
from .distance_map import DistanceMap
from .lengths import SQRT2, FloatArray, costs_of, split
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

    `steps` says what a diagonal step costs on a grid with connectivity 8: the square root of two (`"octile"`,
    the default) or as much as a straight one (`"unit"`). `factors`, whole numbers from 1 to 255 in the shape
    of the grid, multiply the cost of entering a cell; a diagonal step past a blocked cell costs `corner_cost`
    straight steps more. `edge_costs` are for graphs.

    `heuristic` is `"none"`, `"manhattan"`, `"octile"`, `"chebyshev"`, `"euclidean"`, `"true"`, `"alt"`,
    `"altbestp"`, `"dead-end"`, `"gateway"`, or `"auto"`: the best that needs no preprocessing. Preprocessing
    is limited by `budget`. `landmarks` are for ALT, `region` is the side of a region in cells. `queue` is the
    open list: `"buckets"` is the fastest, `"heap"` and `"list"` are those of the textbooks.
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
        self._open = read_only(self.space.open.copy())
        self.heuristic = checked_name(heuristic, HEURISTICS, "heuristic")
        self.terrain = checked_terrain(self.space, steps, factors, corner_cost, edge_costs)
        self._queue = _core.Queue[checked_name(queue, QUEUES, "queue")]
        self._landmarks = checked_count(landmarks, "landmarks", 1, MOST_LANDMARKS)
        self._region = checked_count(region, "region", *REGIONS)
        self._geometry = geometry_of(heuristic, self.terrain)
        self._found = Status.OPTIMAL if is_admissible(heuristic, self.terrain) else Status.SOLVED
        self.prepare(budget=budget)

    def prepare(self, *, budget: Budget | None = None) -> None:
        """Does the preprocessing of the heuristic for the walls as they are now."""
        limits, is_open = checked_budget(budget), self._open
        core = self._prepared_core(is_open, limits)
        self._made = self._prepared = (is_open, core)

    @property
    def is_prepared(self) -> bool:
        """Is what was prepared in use? Not if it may say too much since a wall was opened."""
        return self._still_holds(self._open)

    @property
    def memory(self) -> int:
        """Bytes that the preprocessing of its heuristic takes."""
        return self._prepared[1].estimate_bytes

    def block(self, place: Any) -> None:
        """Closes a place. Searches under way begin again; what was prepared still holds."""
        self._set_open(place, False)

    def free(self, place: Any) -> None:
        """Opens a place that was blocked, or a wall.

        If it was closed when distances were prepared (ALT, ALTBESTP, gateway), they say too much now:
        searches do without them until it is closed again or `prepare` is called.
        """
        self._set_open(place, True)

    def path(self, start: Any, goal: Any, *, algorithm: str = "astar", budget: Budget | None = None) -> Route:
        """The shortest way; or, with another algorithm than A*, the way that this finds."""
        ends = self._vertex(start, "start"), self._vertex(goal, "goal")
        if checked_name(algorithm, ALGORITHMS, "algorithm") != "astar":
            return self._walk(algorithm, *ends, checked_budget(budget))
        # Games ask this often: without limits, there is nothing to keep account of.
        limits = _core.Budget() if budget is None else checked_budget(budget).core
        before = limits.nodes
        ending, length, vertices = self._now().find(*ends, self._queue, limits)
        why = "" if budget is None or ending == _FOUND else budget.why()
        return self._route(ending, vertices, length, limits.nodes - before, why)

    def paths(self, starts: Any, goals: Any, *, budget: Budget | None = None) -> Routes:
        """The shortest ways of many queries at once; if the budget runs out, those that were found."""
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
        """A search that is run bit by bit."""
        return Search(self, self._vertex(start, "start"), self._vertex(goal, "goal"))

    def distances_to(self, *goals: Any, budget: Budget | None = None) -> DistanceMap:
        """The distances of all places to the nearest of these: for many units that head for one place."""
        if not goals:
            raise InputError("distances to what? A goal is missing")
        vertices = np.array([self._vertex(goal, "goal") for goal in goals], dtype=np.int32)
        limits, core = checked_budget(budget), self._now()
        try:
            lengths = core.flood(vertices, True, limits.core)
        except RuntimeError:
            raise LimitError(limits.why()) from None
        octile = self.terrain.octile
        return DistanceMap(
            self.space, core, self._open, read_only(vertices), read_only(lengths), octile=octile
        )

    def estimates(self, start: Any, goal: Any) -> FloatArray:
        """What the heuristic says per vertex in a search between these two; nan where it is blocked."""
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
        changed = self._open.copy()  # distance maps keep theirs
        changed[vertex] = is_open
        self._open = read_only(changed)

    def _now(self) -> _core.PathFinder:
        """The core's map with the walls as they are: made when it is needed, once for many changes."""
        made_for, core = self._made
        is_open = self._open
        if made_for is is_open:
            return core
        if self.heuristic in DISTANCES:
            core = self.terrain.compiled(self._geometry, is_open)
            if self._still_holds(is_open):
                core.use_estimate_of(self._prepared[1])
        else:
            core = self._prepared_core(is_open, Budget())
            self._prepared = (is_open, core)
        self._made = (is_open, core)
        return core

    def _still_holds(self, is_open: BoolArray) -> bool:
        """Are distances that were prepared no longer than those under these walls?"""
        return self.heuristic not in DISTANCES or not (is_open & ~self._prepared[0]).any()

    def _prepared_core(self, is_open: BoolArray, budget: Budget) -> _core.PathFinder:
        core = self.terrain.compiled(self._geometry, is_open)
        prepare(core, self.heuristic, self.terrain, budget, landmarks=self._landmarks, region=self._region)
        return core

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

    def _route(self, ending: _core.Ending, vertices: IntArray, length: int, expanded: int, why: str) -> Route:
        """What the core found, in words."""
        status, reason = Status.TIMEOUT, why
        if ending == _FOUND:
            status, reason = self._found, ""
        elif ending == _NO_PATH:
            status, reason = Status.INFEASIBLE, "there is no way"
        straight, diagonal = split(max(length, 0), self.terrain.octile)
        cost = math.inf if length < 0 else straight + diagonal * SQRT2
        return Route(self.space, status, read_only(vertices), cost, straight, diagonal, expanded, reason)


class Search:
    """A* from a start to a goal, run bit by bit; made by `Finder.search`.

    Between two bits there is always a way: to the open place of lowest f, of several the one nearest to the
    goal. The goal may move; what is known of the ways from the start is kept. If walls change, it begins
    again.
    """

    def __init__(self, finder: Finder, start: int, goal: int) -> None:
        self._finder = finder
        self._start, self._goal = start, goal
        self._expanded = 0
        self._begin_again("it has not run yet")

    @property
    def done(self) -> bool:
        """Is the way found, or is it certain that there is none?"""
        return self._ending in (_FOUND, _NO_PATH) and self._map is self._finder._now()

    def run(
        self, *, seconds: float | None = None, nodes: int | None = None, distance: float | None = None
    ) -> Route:
        """Goes on until the way is found or a limit is reached, and returns the way so far.

        `distance` ends it before the first place that is so far from the start.
        """
        reach = self._reach(distance)
        budget = Budget(seconds, nodes)
        self._look_at_walls()
        if not self.done and self._ready(budget):
            self._ending = self._core.run(budget.core, reach)
        self._expanded += budget.nodes
        far = f"the distance of {distance} was reached"
        self._why = far if self._ending == _core.Ending.far_enough else budget.why()
        return self.route

    def retarget(self, goal: Any) -> None:
        """The goal has moved: the next run heads there, and begins with all that was found so far."""
        self._goal = self._finder._vertex(goal, "goal")
        self._aimed = False
        self._ending, self._why = _core.Ending.out_of_budget, "it has not run since the goal moved"

    @property
    def route(self) -> Route:
        """The way so far."""
        self._look_at_walls()
        length, vertices = 0, np.array([self._start], dtype=np.int32)
        if self._ending == _NO_PATH:
            length, vertices = -1, vertices[:0]
        elif self._begun and self._aimed:
            end = self._goal if self._ending == _FOUND else self._core.most_promising()
            length, vertices = self._core.path(end)
        return self._finder._route(self._ending, vertices, length, self._expanded, self._why)

    def _begin_again(self, why: str) -> None:
        self._map = self._finder._now()
        self._core = self._map.search(self._finder._queue)
        self._begun = self._aimed = False
        self._ending, self._why = _core.Ending.out_of_budget, why

    def _look_at_walls(self) -> None:
        """Begins again if they have changed; an InputError if there is one on the start or the goal now."""
        if self._map is self._finder._now():
            return
        for vertex, what in ((self._start, "start"), (self._goal, "goal")):
            self._finder._vertex(self._finder.space.place(vertex), what)
        self._begin_again("it has not run since walls changed")

    def _ready(self, budget: Budget) -> bool:
        """Begins, or turns to a goal that has moved. False: the budget ran out."""
        if not self._begun:
            self._begun = self._aimed = self._core.begin(self._start, self._goal, budget.core)
        elif not self._aimed:
            self._aimed = self._core.retarget(self._goal, budget.core)
        return self._aimed

    def _reach(self, distance: Any) -> int:
        if distance is None:
            return -1
        if not is_number(distance) or not 0 <= distance < 2**28:
            raise InputError(f"a distance is a number, 0 or more, not {distance!r}")
        return int(distance * (_core.STRAIGHT if self._finder.terrain.octile else 1))


def shortest_path(
    space: Space,
    start: Any,
    goal: Any,
    *,
    algorithm: str = "astar",
    time_limit: float | None = None,
    node_limit: int | None = None,
    **options: Any,
) -> Route:
    """The shortest way on a grid or a graph; options are those of `Finder`, which serves many queries."""
    budget = Budget(time_limit, node_limit)
    return finder_of(space, {"budget": budget, **options}).path(
        start, goal, algorithm=algorithm, budget=budget
    )


def finder_of(space: Space, options: dict[str, Any]) -> Finder:
    """A finder; an option that it does not have is an InputError."""
    known = [name for name in signature(Finder).parameters if name != "space"]
    for name in options:
        checked_name(name, known, "an option")
    return Finder(space, **options)
