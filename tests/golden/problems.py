"""The problems of the corpus: drawn ones, and random ones of which each seed has its own space and rules."""

from __future__ import annotations

from functools import cache
from itertools import product
from typing import Any

import numpy as np

import sidestep as ss

RULES = tuple(
    ss.Rules(following=following, crossing=crossing, at_goal=at_goal, shared_goals=shared, cost=cost)
    for following, crossing, at_goal, shared, cost in product(
        (True, False), (False, True), ("stay", "disappear"), (False, True), ("sum_of_costs", "time_off_goal")
    )
)
SPACES = ("grid4", "none", "one", "free", "graph", "directed", "conflicts")


class Draws:
    """splitmix64, written out here: the corpus must not change with the library or its dependencies."""

    def __init__(self, seed: int) -> None:
        self._state = seed * 0x5851F42D4C957F2D

    def below(self, limit: int) -> int:
        """From 0 to limit - 1."""
        mask = 2**64 - 1
        self._state = (self._state + 0x9E3779B97F4A7C15) & mask
        mixed = self._state
        mixed = ((mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9) & mask
        mixed = ((mixed ^ (mixed >> 27)) * 0x94D049BB133111EB) & mask
        return (mixed ^ (mixed >> 31)) % limit

    def one_of(self, items: Any) -> Any:
        return items[self.below(len(items))]

    def some(self, items: Any, count: int) -> list[Any]:
        """Different ones, in a random order."""
        left = list(items)
        return [left.pop(self.below(len(left))) for _ in range(min(count, len(left)))]


def random_space(kind: str, draws: Draws, side: int) -> ss.Grid | ss.Graph:
    """A grid with a sixth of its cells blocked, or a graph like a grid that has lost some of its edges."""
    if kind in ("graph", "directed", "conflicts"):
        return _random_graph(kind, draws, side)
    free = np.array([draws.below(6) > 0 for _ in range(side * (side + 1))]).reshape(side, side + 1)
    free[0] = True
    return ss.Grid(free, 4) if kind == "grid4" else ss.Grid(free, 8, kind)


def _random_graph(kind: str, draws: Draws, side: int) -> ss.Graph:
    cells = [(row, col) for row in range(side) for col in range(side)]
    number = {cell: index for index, cell in enumerate(cells)}
    edges = []
    for row, col in cells:
        for near in ((row, col + 1), (row + 1, col), (row + 1, col + 1)):
            if near in number and draws.below(5):
                pair = [number[row, col], number[near]]
                edges.append(pair if draws.below(2) else pair[::-1])
                if kind == "directed" and draws.below(3):
                    edges.append(edges[-1][::-1])
    conflicts = [draws.some(range(len(edges)), 2) for _ in range(2 * side)] if kind == "conflicts" else None
    return ss.Graph(
        side * side, edges, directed=kind == "directed", positions=cells, edge_conflicts=conflicts
    )


@cache  # every solver has the same ones
def random_problem(seed: int, side: int, agents: int, *, bodies: bool = False) -> ss.Problem:
    """Seeds run through all pairs of a space and rules. Some agents are idle, some have priorities.

    With `bodies`, agents of a grid may be large and slow.
    """
    draws = Draws(seed)
    rules = RULES[seed % len(RULES)]
    space = random_space(SPACES[seed % len(SPACES)], draws, side)
    sizes = [1 + (bodies and isinstance(space, ss.Grid) and draws.below(3) == 0) for _ in range(agents)]
    starts = _places(space, draws, sizes)
    goals = _places(space, draws, sizes[: len(starts)])
    if rules.shared_goals and rules.at_goal == "disappear" and len(goals) > 1 and sizes[0] == sizes[1]:
        goals[1] = goals[0]
    listed = [
        ss.Agent(
            start,
            None if draws.below(9) == 0 else goal,
            priority=draws.below(3) if seed % 3 == 0 else 0,
            size=size,
            period=1 + (draws.below(3) if bodies else 0),
        )
        for start, goal, size in zip(starts, goals, sizes, strict=False)
    ]
    return ss.Problem.from_agents(space, listed, rules=rules)


def _places(space: ss.Grid | ss.Graph, draws: Draws, sizes: list[int]) -> list[Any]:
    """A place for each of these agents, as far as there is room, so that no two overlap."""
    if isinstance(space, ss.Graph):
        return draws.some(range(space.n), len(sizes))
    free, found = space.passable.copy(), []
    for size in sizes:
        corners = [
            (row, col)
            for row, col in np.argwhere(free).tolist()
            if (block := free[row : row + size, col : col + size]).shape == (size, size) and block.all()
        ]
        if not corners:
            break
        row, col = draws.one_of(corners)
        free[row : row + size, col : col + size] = False
        found.append((row, col))
    return found


def drawn() -> dict[str, ss.Problem]:
    """Small problems with a point, by name."""
    return {
        "nobody": ss.Problem(ss.Grid.from_text(". ."), [], []),
        "alone": ss.Problem.from_text("a # .\n. # .\n. . A"),
        "home": ss.Problem(ss.Grid.from_text(". . ."), [(0, 0), (0, 2)], [(0, 0), (0, 2)]),
        "corridor": ss.Problem(ss.Grid.from_text(". . . ."), [(0, 0), (0, 3)], [(0, 3), (0, 0)]),
        "alcove": ss.Problem.from_text("# # . # #\na B . b A"),
        "cross": ss.Problem.from_text("# a #\nb . B\n# A #"),
        "cut-off": ss.Problem.from_text("a # A\n. # .\nb . B"),
        "idle-in-the-way": ss.Problem.from_text("# . #\na i A\n# . ."),
        "turn": ss.Problem(ss.Grid.from_text(". .\n. ."), *_ring([(0, 0), (0, 1), (1, 1), (1, 0)])),
        "ring": ss.Problem(ss.Graph(5, [(k, (k + 1) % 5) for k in range(5)]), *_ring([0, 1, 2, 3])),
        "doors": ss.Problem.from_text("a . # . B\nb . . . A\nc . # . D\nd . . . C"),
        "exchange": ss.Problem(
            ss.Grid.from_text(". . . .\n. # # .\n. . . ."),
            [(0, 0), (0, 3), (2, 0), (2, 3)],
            [(2, 3), (2, 0), (0, 3), (0, 0)],
        ),
        "lanes": ss.Problem.from_text("a . . . C\nb . # . A\nc . . . B", 8, "one"),
    }


def _ring(places: list[Any]) -> tuple[list[Any], list[Any]]:
    """Everybody goes where the next one is."""
    return places, [*places[1:], places[0]]


def with_bodies() -> dict[str, ss.Problem]:
    """Large and slow agents, drawn."""
    hall = ss.Grid.from_text(". . . . . .\n. . . . . .\n. . # . . .\n. . . . . .\n. . . . . .")
    large = [ss.Agent((0, 0), (3, 3), size=2), ss.Agent((4, 5), (0, 0)), ss.Agent((0, 5), (4, 0))]
    slow = [ss.Agent((0, 0), (4, 5), period=3), ss.Agent((4, 5), (0, 0), period=2), ss.Agent((0, 5), (4, 0))]
    both = [ss.Agent((0, 0), (3, 3), size=2, period=2), ss.Agent((3, 4), (0, 3), size=2), ss.Agent((0, 3))]
    diagonal = ss.Grid(hall.passable, 8, "one")
    triangle = ss.Graph(4, [(0, 1), (1, 2), (2, 0), (2, 3)])
    return {
        "large": ss.Problem.from_agents(hall, large),
        "slow": ss.Problem.from_agents(hall, slow, rules=ss.Rules(following=False)),
        "both": ss.Problem.from_agents(hall, both),
        "both-leave": ss.Problem.from_agents(hall, both, rules=ss.Rules(at_goal="disappear")),
        "diagonal": ss.Problem.from_agents(diagonal, both, rules=ss.Rules(cost="time_off_goal")),
        "graph": ss.Problem.from_agents(triangle, [ss.Agent(0, 3, period=2), ss.Agent(3, 0)]),
    }


def turning(seed: int) -> ss.Problem:
    """Agents that have to turn, on a 4-connected grid."""
    draws = Draws(1_000_000 + seed)
    grid = random_space("grid4", draws, 9)
    places = np.flatnonzero(grid.open).tolist()
    starts, goals = draws.some(places, 16), draws.some(places, 16)
    agents = [
        ss.Agent(
            grid.place(start),
            None if draws.below(8) == 0 else grid.place(goal),
            facing=draws.one_of("NESW"),
            priority=draws.below(3),
        )
        for start, goal in zip(starts, goals, strict=True)
    ]
    return ss.Problem.from_agents(grid, agents, rules=RULES[seed % len(RULES)])
