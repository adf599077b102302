"""Tiny problems at random: everything is drawn from the number of a case."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

import numpy as np

import sidestep as ss
from sidestep.model.rules import FIRST_RULES, RULES

Space = ss.Grid | ss.Graph


def any_space(draw: Random, *, most: int = 5, graphs: float = 0.25) -> Space:
    """A grid of at most so many rows and columns, or a graph of at most twice as many vertices."""
    return any_graph(draw, 2 * most) if draw.random() < graphs else any_grid(draw, most)


def any_grid(draw: Random, most: int = 5) -> ss.Grid:
    height, width = draw.randint(1, most), draw.randint(2, most)
    walls = draw.choice([0.0, 0.1, 0.2, 0.4])
    passable = np.array([draw.random() >= walls for _ in range(height * width)]).reshape(height, width)
    passable[0, 0] = passable[-1, -1] = True
    return ss.Grid(passable, draw.choice([4, 8]), draw.choice(["none", "one", "free"]))


def any_graph(draw: Random, most: int = 10) -> ss.Graph:
    n = draw.randint(2, most)
    edges = [draw.sample(range(n), 2) for _ in range(draw.randint(1, 2 * n))]
    pairs = [[draw.randrange(len(edges)) for _ in range(2)] for _ in range(draw.choice([0, 0, 1, 3, 6]))]
    return ss.Graph(n, edges, directed=draw.random() < 0.4, edge_conflicts=pairs or None)


def any_rules(draw: Random, *, shared_goals: bool | None = None, later: bool = False) -> ss.Rules:
    """Those that every solver knows; `later`: all others, too, which solvers may refuse."""
    drawn = {rule.name: draw.choice(rule.values) for rule in RULES if later or rule.name in FIRST_RULES}
    shared = draw.random() < 0.2 if shared_goals is None else shared_goals
    return ss.Rules(**{**drawn, "shared_goals": shared})


def fitting(space: Space, size: int) -> list[int]:
    """The vertices where an agent of this size fits."""
    if size == 1 or isinstance(space, ss.Graph):
        return np.flatnonzero(space.open).tolist()
    rows, cols = space.height - size + 1, space.width - size + 1
    return [
        row * space.width + col
        for row in range(rows)
        for col in range(cols)
        if space.passable[row : row + size, col : col + size].all()
    ]


def any_agents(
    draw: Random, space: Space, most: int, rules: ss.Rules, *, bodies: bool = False
) -> list[ss.Agent]:
    """Agents that fit and do not overlap, some of them idle; with bodies, large and slow ones among them."""
    agents: list[ss.Agent] = []
    starts: set[int] = set()
    goals: set[int] = set()
    for _ in range(draw.randint(1, most)):
        size = draw.choice([1, 1, 2, 3]) if bodies and isinstance(space, ss.Grid) else 1
        start = free_place(draw, space, size, starts)
        if start is None:
            continue
        goal = (
            None
            if draw.random() < 0.1
            else free_place(draw, space, size, set() if rules.shared_goals else goals)
        )
        if goal is not None:
            goals |= covered(space, goal, size)
        starts |= covered(space, start, size)
        agents.append(
            ss.Agent(
                space.place(start),
                None if goal is None else space.place(goal),
                priority=draw.choice([0, 0, 1, -1]),
                size=size,
                period=draw.choice([1, 1, 2, 3]) if bodies else 1,
            )
        )
    return agents


def free_place(draw: Random, space: Space, size: int, taken: set[int]) -> int | None:
    """A vertex where an agent of this size overlaps with nothing; None if a few attempts find none."""
    places = fitting(space, size)
    for _ in range(4 if places else 0):
        vertex = draw.choice(places)
        if not covered(space, vertex, size) & taken:
            return vertex
    return None


def covered(space: Space, vertex: int, size: int) -> set[int]:
    if isinstance(space, ss.Graph):
        return {vertex}
    return {vertex + down * space.width + right for down in range(size) for right in range(size)}


def any_problem(
    draw: Random, *, most: int = 4, side: int = 5, bodies: bool = False, **options: Any
) -> ss.Problem:
    """A problem with at most so many agents on a map of at most so many rows and columns."""
    rules = any_rules(draw, **options)
    while True:
        space = any_space(draw, most=side)
        agents = any_agents(draw, space, most, rules, bodies=bodies)
        if agents:
            return ss.Problem.from_agents(space, agents, rules=rules)


def told(problem: ss.Problem) -> str:
    """A problem in words, for what is said about a failure."""
    space = problem.space
    if isinstance(space, ss.Grid):
        rows = "/".join("".join(".#"[not free] for free in row) for row in space.passable.tolist())
        where = f"{space.connectivity}-connected {space.corners} {rows}"
    else:
        ways = "directed " if space.directed else ""
        where = f"{ways}{space.n} {space.edges.tolist()} conflicts {space.edge_conflicts.tolist()}"
    columns: Sequence[Any] = (
        problem.starts,
        problem.goals,
        problem.priorities,
        problem.sizes,
        problem.periods,
    )
    return f"{where}; {[column.tolist() for column in columns]}; {problem.rules}"
