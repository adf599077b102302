"""What the review says of searches other than A*, of corners, and of targets and units that move.

Each function returns numbers by name: what is compared, per query. An experiment is run with one open list.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from itertools import islice
from statistics import fmean

import numpy as np

from ...instances import cave_grid, maze_grid, random_grid, room_grid
from ...model.grid import Cell, Grid
from ...search import RRA, Finder, Route, Search
from ..timing import timed

SMALL, LARGE = 16, 256  # sides of the maps of uninformed searches
SCATTERED = 0.2  # of the cells of these are blocked
MIDDLE = 64  # the side of all other maps
FRAME = 100  # expansions between two steps of a unit
WALK = 2  # steps of a unit while the target makes one
LONGEST = 2000  # turns of a pursuit, or of a unit that sets out before its way is known
PATIENCE = 500  # turns after which one that goes to and fro is taken never to arrive
CORNER = 3  # what a diagonal past a blocked cell costs more, in steps
CONVERGING = 40  # units that head for one target

UNINFORMED = ("bfs", "dfs")
WORLDS: Mapping[str, Callable[[int], Grid]] = {
    "maze": lambda seed: maze_grid(MIDDLE, MIDDLE, 3, seed),
    "rooms": lambda seed: room_grid(MIDDLE, MIDDLE, 7, seed),
    "cave": lambda seed: cave_grid(MIDDLE, MIDDLE, seed),
}
Numbers = dict[str, float]


def pairs(grid: Grid, count: int, seed: int) -> Iterator[tuple[Cell, Cell]]:
    """Random queries between places that a way connects."""
    cells = np.argwhere(grid.passable).tolist()
    draw, finder = np.random.default_rng(seed), Finder(grid)

    def drawn() -> Iterator[tuple[Cell, Cell]]:
        while True:
            (row, col), (other_row, other_col) = (cells[k] for k in draw.integers(0, len(cells), 2))
            start, goal = (row, col), (other_row, other_col)
            if start != goal and finder.path(start, goal):
                yield start, goal

    return islice(drawn(), count)


# Sections 2 and 3


def uninformed(queries: int, seed: int, queue: str) -> Numbers:
    """DFS and BFS beside A*, on a small map and a large one: expansions, time and the ways found."""
    numbers: Numbers = {}
    for side in (SMALL, LARGE):
        grid = random_grid(side, side, SCATTERED, seed)
        finder = Finder(grid, queue=queue)
        asked = list(pairs(grid, queries, seed))
        for algorithm in ("astar", *UNINFORMED):
            routes, spent = timed(partial(_routes, finder, asked, algorithm))
            numbers[f"{algorithm} {side} expanded"] = fmean(route.expanded for route in routes)
            numbers[f"{algorithm} {side} ms"] = 1000 * spent.cpu / queries
            numbers[f"{algorithm} {side} cost"] = fmean(route.cost for route in routes)
    return numbers


def _routes(finder: Finder, asked: list[tuple[Cell, Cell]], algorithm: str = "astar") -> list[Route]:
    return [finder.path(*ends, algorithm=algorithm) for ends in asked]


def local(queries: int, seed: int, queue: str) -> Numbers:
    """Local optimal search, best-first search and A*: how many ways are missing or longer than need be.

    A shortest way is known from breadth-first search: where every step costs the same it finds one.
    """
    found: dict[str, list[Route]] = {name: [] for name in ("bfs", "greedy", "best-first", "astar")}
    for make in WORLDS.values():
        grid = make(seed)
        finder = Finder(grid, queue=queue)
        for ends in pairs(grid, queries, seed):
            for name, routes in found.items():
                routes.append(finder.path(*ends, algorithm=name))
    shortest = [route.cost for route in found.pop("bfs")]
    numbers: Numbers = {}
    for name, routes in found.items():
        wrong = [not r or r.cost > cost for r, cost in zip(routes, shortest, strict=True)]
        numbers[f"{name} missing"] = 100 * fmean(not route for route in routes)
        numbers[f"{name} wrong"] = 100 * fmean(wrong)
    return numbers


# Section 6


def corners(queries: int, seed: int, queue: str) -> Numbers:
    """Diagonal steps past a blocked cell, per way: if they cost no more, and if they do."""
    cut: dict[int, list[int]] = {0: [], CORNER: []}
    longer = []
    for make in WORLDS.values():
        grid = Grid(make(seed).passable, 8, "one")
        finders = {cost: Finder(grid, corner_cost=cost, queue=queue) for cost in cut}
        for ends in pairs(grid, queries, seed):
            routes = {cost: finder.path(*ends) for cost, finder in finders.items()}
            for cost, route in routes.items():
                cut[cost].append(_corners_cut(grid, route))
            longer.append(len(routes[CORNER]) / len(routes[0]))
    return {
        "corners free": fmean(cut[0]),
        "corners dear": fmean(cut[CORNER]),
        "corners longer": fmean(longer),
    }


def _corners_cut(grid: Grid, route: Route) -> int:
    cells = np.array(route.places)
    before, after = cells[:-1], cells[1:]
    diagonal = (before != after).all(axis=1)
    beside = grid.passable[before[:, 0], after[:, 1]] & grid.passable[after[:, 0], before[:, 1]]
    return int((diagonal & ~beside).sum())


def pursuit(queries: int, seed: int, queue: str) -> Numbers:
    """A target walks, a unit pursues it: one search that goes on, or a new one in every turn."""
    kept, anew, caught = [], [], []
    for make in WORLDS.values():
        grid = make(seed)
        finder = Finder(grid, queue=queue)
        for start, goal in pairs(grid, queries, seed):
            flight = _flight(finder, grid, goal, seed)
            expanded, is_caught = _pursue(finder, start, flight)
            caught.append(is_caught)
            kept.append(expanded)
            anew.append(_pursue(finder, start, flight, anew=True)[0])
    return {
        "pursuit kept": fmean(kept),
        "pursuit anew": fmean(anew),
        "pursuit caught": 100 * fmean(caught),
    }


def _flight(finder: Finder, grid: Grid, begin: Cell, seed: int) -> list[Cell]:
    """The places of a target that walks to one random place after another."""
    walked = [begin]
    for other, _ in pairs(grid, 30, seed + 1):
        route = finder.path(walked[-1], other)
        walked += route.places[1:]
    return walked


def _pursue(finder: Finder, start: Cell, flight: list[Cell], *, anew: bool = False) -> tuple[int, bool]:
    """Expansions until the target is caught, and whether it was; in every turn the whole way is known."""
    search, expanded = finder.search(start, flight[0]), 0
    for turn, target in enumerate(flight[:LONGEST]):
        if anew:
            expanded += search.route.expanded
            search = finder.search(search.route.places[0], target)
        else:
            search.retarget(target)
        way = search.run().places
        if len(way) <= WALK:
            return expanded + search.route.expanded, True
        if turn % WALK == 0:  # one step, and then two: faster than the target
            search.walk_to(way[1])
        else:
            search.walk_to(way[WALK])
    return expanded + search.route.expanded, False


def sections(queries: int, seed: int, queue: str) -> Numbers:
    """Units that walk along the way so far while it is being searched: do they arrive, and how far is it?

    The search goes on from where the unit set out; in the other row its start moves with the unit.
    """
    longer: list[float] = []
    arrived: dict[bool, list[bool]] = {False: [], True: []}
    for make in WORLDS.values():
        grid = make(seed)
        finder = Finder(grid, queue=queue)
        for start, goal in pairs(grid, queries, seed):
            for moves, ends in arrived.items():
                walked = _walk_in_sections(finder.search(start, goal), goal, start_moves=moves)
                ends.append(walked is not None)
                if walked is not None and not moves:
                    longer.append(walked / finder.path(start, goal).cost)
    return {
        "sections arrived": 100 * fmean(arrived[False]),
        "sections longer": fmean(longer),
        "moving start arrived": 100 * fmean(arrived[True]),
    }


def _walk_in_sections(search: Search, goal: Cell, *, start_moves: bool) -> int | None:
    """Steps until a unit is at its goal that makes one after each frame of expansions; None if it never is.

    A unit that is not on the way so far goes back by the way it came until it is.
    """
    trail = list(search.route.places)
    for steps in range(PATIENCE if start_moves else LONGEST):
        if trail[-1] == goal:
            return steps
        way = search.run(nodes=FRAME).places
        if start_moves:
            trail.append(way[min(1, len(way) - 1)])
            search.walk_to(trail[-1])
        elif trail[-1] in way[:-1]:
            trail.append(way[way.index(trail[-1]) + 1])
        elif trail[-1] not in way:
            trail.pop()
    return None


def converging(queries: int, seed: int, queue: str) -> Numbers:
    """Many units head for one target: a search each, or one search backwards that all of them ask."""
    each, reverse, whole = [], [], []
    for make in WORLDS.values():
        grid = make(seed)
        finder = Finder(grid, queue=queue)
        for number, (_, goal) in enumerate(pairs(grid, max(queries // 10, 1), seed)):
            starts = [start for start, _ in pairs(grid, CONVERGING, seed + number + 1)]
            asked = [(start, goal) for start in starts]
            each.append(timed(partial(_routes, finder, asked))[1].cpu)
            reverse.append(timed(partial(_backwards, grid, starts, goal))[1].cpu)
            whole.append(timed(partial(_from_everywhere, finder, starts, goal))[1].cpu)
    milliseconds = {"each": each, "reverse": reverse, "whole": whole}
    return {f"converging {name}": 1000 * fmean(times) for name, times in milliseconds.items()}


def _backwards(grid: Grid, starts: list[Cell], goal: Cell) -> None:
    distances = RRA(grid, goal, starts[0])
    for start in starts:
        distances.distance(start)


def _from_everywhere(finder: Finder, starts: list[Cell], goal: Cell) -> None:
    distances = finder.distances_to(goal)
    for start in starts:
        distances.path(start)


EXPERIMENTS = (uninformed, local, corners, pursuit, sections, converging)
