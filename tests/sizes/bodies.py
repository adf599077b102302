"""Agents of any size and speed, the slow and obvious way: what they hold, and what is wrong with their paths.

Nothing here is shared with the judge or the core. A plan is a list of rows of vertices, -1 for who is gone.
"""

from __future__ import annotations

from collections import deque
from itertools import pairwise
from typing import Any

import sidestep as ss

Cells = set[Any]


def covered(space: Any, vertex: int, size: int) -> Cells:
    """The places that an agent covers, as (row, col) or as a vertex of a graph."""
    if vertex == -1:
        return set()
    if isinstance(space, ss.Graph):
        return {vertex}
    row, col = space.place(vertex)
    return {(row + down, col + right) for down in range(size) for right in range(size)}


def fits(grid: ss.Grid, row: int, col: int, size: int) -> bool:
    inside = row >= 0 and row + size <= grid.height and col >= 0 and col + size <= grid.width
    return inside and all(grid.passable[r, c] for r in range(row, row + size) for c in range(col, col + size))


def may_step(space: Any, source: int, target: int, size: int) -> bool:
    """May an agent that is alone make this move?"""
    if isinstance(space, ss.Graph):
        edges = [tuple(edge) for edge in space.edges.tolist()]
        return (source, target) in edges or (not space.directed and (target, source) in edges)
    (row, col), (to_row, to_col) = space.place(source), space.place(target)
    down, right = abs(to_row - row), abs(to_col - col)
    if max(down, right) != 1 or not fits(space, to_row, to_col, size):
        return False
    if down + right == 1:
        return True
    beside = [fits(space, row, to_col, size), fits(space, to_row, col, size)]
    return space.connectivity == 8 and beside.count(False) <= {"none": 0, "one": 1, "free": 2}[space.corners]


def move_at(path: list[int], time: int, period: int) -> int | None:
    """Where the move leads in which the step after `time` is one; None if there is none."""
    for arrival in range(time + 1, min(time + period, len(path) - 1) + 1):
        if path[arrival] != path[arrival - 1]:
            return path[arrival] if path[arrival] != -1 else None
    return None


def held(space: Any, path: list[int], time: int, size: int, period: int) -> Cells:
    """What an agent holds: its place, and between the first and the last step of a move also the next one."""
    cells = covered(space, path[time], size)
    if time > 0 and path[time] == path[time - 1]:
        before, after = move_at(path, time - 1, period), move_at(path, time, period)
        if before is not None and before == after:
            cells = cells | covered(space, before, size)
    return cells


def hasty(path: list[int], period: int) -> bool:
    """Does a move take fewer turns than it needs?"""
    since = 0
    for time in range(1, len(path)):
        if path[time] not in (path[time - 1], -1):
            if time - since < period:
                return True
            since = time
    return False


def is_sound(problem: ss.Problem, rows: list[list[int]]) -> bool:
    """Does a plan keep every rule, but for where agents begin and end and what it costs?"""
    space, rules = problem.space, problem.rules
    sizes, periods = problem.sizes.tolist(), problem.periods.tolist()
    paths = [[row[agent] for row in rows] for agent in range(problem.n_agents)]
    for path, size, period in zip(paths, sizes, periods, strict=True):
        steps = [(u, v) for u, v in pairwise(path) if v not in (u, -1)]
        if hasty(path, period) or not all(may_step(space, u, v, size) for u, v in steps):
            return False
    bodies = list(zip(paths, sizes, periods, strict=True))
    hold = [[held(space, path, t, size, period) for path, size, period in bodies] for t in range(len(rows))]
    pairs = [(a, b) for a in range(len(bodies)) for b in range(len(bodies)) if a != b]
    for time, now in enumerate(hold):
        if any(now[a] & now[b] for a, b in pairs):
            return False
        if time + 1 == len(hold):
            continue
        enters = [after - before for before, after in zip(now, hold[time + 1], strict=True)]
        if any(enters[a] & now[b] and enters[b] & now[a] for a, b in pairs):
            return False
        if not rules.following and any(enters[a] & now[b] for a, b in pairs):
            return False
        if not rules.crossing:
            lanes = [lanes_in_use(space, *body, time) for body in bodies]
            if any(cross(space, one, other) for a, b in pairs for one in lanes[a] for other in lanes[b]):
                return False
    return True


def lanes_in_use(space: Any, path: list[int], size: int, period: int, time: int) -> list[tuple[Any, Any]]:
    """The moves of all cells of an agent in the step after `time`."""
    target = move_at(path, time, period)
    if path[time] == -1 or target is None:
        return []
    if isinstance(space, ss.Graph):
        return [(path[time], target)]
    (row, col), (to_row, to_col) = space.place(path[time]), space.place(target)
    down, right = to_row - row, to_col - col
    return [((r, c), (r + down, c + right)) for r, c in covered(space, path[time], size)]


def cross(space: Any, one: tuple[Any, Any], other: tuple[Any, Any]) -> bool:
    """Are two moves the two diagonals of a block, or over two edges that conflict?"""
    if isinstance(space, ss.Graph):
        same = one == other or (not space.directed and one == other[::-1])
        conflicts = {frozenset(pair) for pair in space.edge_conflicts.tolist()}
        both = {frozenset((a, b)) for a in edges_of(space, one) for b in edges_of(space, other)}
        return not same and bool(conflicts & both)
    (a, b), (c, d) = one, other
    return a[0] != b[0] and a[1] != b[1] and {c, d} == {(a[0], b[1]), (b[0], a[1])}


def edges_of(graph: ss.Graph, move: tuple[int, int]) -> list[int]:
    ways = [move] if graph.directed else [move, move[::-1]]
    return [index for index, edge in enumerate(graph.edges.tolist()) if tuple(edge) in ways]


def shortest(grid: ss.Grid, start: int, goal: int, size: int) -> int | None:
    """The number of moves of an agent that is alone; None if there is no way."""
    distance, queue = {start: 0}, deque([start])
    while queue:
        vertex = queue.popleft()
        if vertex == goal:
            return distance[vertex]
        around = [vertex + down * grid.width + right for down in (-1, 0, 1) for right in (-1, 0, 1)]
        for near in around:
            if 0 <= near < grid.n and near not in distance and may_step(grid, vertex, near, size):
                distance[near] = distance[vertex] + 1
                queue.append(near)
    return None
