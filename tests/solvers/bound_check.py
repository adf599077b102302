"""A second opinion on the facts of a bound: plain breadth-first searches that share nothing with the core.

Only for 4-connected grids on which agents stay on their goals, with following allowed and every step counted.
"""

from __future__ import annotations

from collections import deque
from itertools import product
from typing import Any

import sidestep as ss

Cell = tuple[int, int]


def beside(problem: ss.Problem, cell: Cell, without: Cell | None = None) -> list[Cell]:
    space = problem.space
    assert isinstance(space, ss.Grid)
    height, width = space.passable.shape
    row, col = cell
    around = [(row - 1, col), (row + 1, col), (row, col - 1), (row, col + 1)]
    inside = [(r, c) for r, c in around if 0 <= r < height and 0 <= c < width]
    return [other for other in inside if space.passable[other] and other != without]


def distances(problem: ss.Problem, to: Cell, without: Cell | None = None) -> dict[Cell, int]:
    """Of all cells from which there is a way."""
    found, queue = {to: 0}, deque([to])
    while queue:
        cell = queue.popleft()
        for other in beside(problem, cell, without):
            if other not in found:
                found[other] = found[cell] + 1
                queue.append(other)
    return found


def ends(problem: ss.Problem, agent: int) -> tuple[Cell, Cell]:
    space: Any = problem.space
    return space.place(problem.starts[agent]), space.place(problem.goals[agent])


def check_passage(problem: ss.Problem, passage: Any) -> None:
    """The other one has no way without the agent's goal, and is there no sooner than it is said."""
    _, goal = ends(problem, passage.agent)
    start, target = ends(problem, passage.other)
    assert start not in distances(problem, target, without=goal)
    assert passage.cost <= distances(problem, goal)[start] + 1


def costs_less(problem: ss.Problem, agents: tuple[int, ...], cost: int) -> bool:
    """Whether some plan of just these agents costs less than that: all joint states that could are visited.

    A state is where everybody is, and for whom it is over: who has stopped on its goal stays there.
    """
    starts, goals = zip(*(ends(problem, agent) for agent in agents), strict=True)
    tables = [distances(problem, goal) for goal in goals]
    layer: dict[Any, int] = {(starts, (False,) * len(agents)): 0}

    def rest(places: tuple[Cell, ...], done: tuple[bool, ...]) -> int:
        return sum(table[place] for table, place, over in zip(tables, places, done, strict=True) if not over)

    while layer:
        following: dict[Any, int] = {}
        for (places, done), spent in layer.items():
            for stops in stopping(places, goals, done):
                if all(stops):
                    return True
                for after in product(*choices(problem, places, stops)):
                    if collide(places, after):
                        continue
                    now = spent + stops.count(False)
                    key = (after, stops)
                    if now + rest(after, stops) < cost and now < following.get(key, cost):
                        following[key] = now
        layer = following
    return False


def stopping(places: Any, goals: Any, done: tuple[bool, ...]) -> list[tuple[bool, ...]]:
    """Everybody on its goal may stop for good now, or not."""
    may = [
        (True,) if over else ((False, True) if place == goal else (False,))
        for place, goal, over in zip(places, goals, done, strict=True)
    ]
    return list(product(*may))


def choices(problem: ss.Problem, places: Any, done: tuple[bool, ...]) -> list[list[Cell]]:
    return [
        [place] if over else [place, *beside(problem, place)]
        for place, over in zip(places, done, strict=True)
    ]


def collide(before: tuple[Cell, ...], after: tuple[Cell, ...]) -> bool:
    """Two in one cell, or two that change places."""
    if len(set(after)) < len(after):
        return True
    moves = set(zip(before, after, strict=True))
    return any((b, a) in moves for a, b in moves if a != b)


def check_bound(problem: ss.Problem, bound: ss.Bound, largest: int) -> int:
    """Checks all facts about at most this many agents, and the sum; returns how many groups those were."""
    alone = []
    for agent in range(problem.n_agents):
        start, goal = ends(problem, agent)
        alone.append(distances(problem, goal)[start])
    for passage in bound.passages:
        check_passage(problem, passage)
        assert passage.cost > alone[passage.agent]
        alone[passage.agent] = passage.cost
    assert bound.alone.tolist() == alone
    members = [agent for group in bound.groups for agent in group.agents]
    assert len(set(members)) == len(members)
    total = sum(group.cost for group in bound.groups)
    total += sum(cost for agent, cost in enumerate(alone) if agent not in set(members))
    assert bound.value == total
    small = [group for group in bound.groups if len(group.agents) <= largest]
    for group in small:
        assert group.cost > sum(alone[agent] for agent in group.agents)
        assert not costs_less(problem, group.agents, group.cost), group
    return len(small)
