"""Who takes which task: four ways, each a function of what every agent would have to go for every task.

`costs` has a row per free agent and a column per open task; `NO_WAY` where the agent may not or cannot take
the task. Every way returns pairs of a row and a column, no row and no column twice; of equal costs the lower
column, then the lower row. All of them leave nobody without a task who could still have one of those left.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator
from typing import Literal

import numpy as np
import numpy.typing as npt

from .. import _core

Assignment = Literal["nearest", "assignment", "regret", "first"]
Costs = npt.NDArray[np.int64]
Pairs = list[tuple[int, int]]

NO_WAY = 2**32  # more than any sum of distances that is compared with it
MOST_AT_ONCE = 500  # agents whose sum of ways is made the least together; more are taken in parts
_SORTED_FIRST = 32  # columns of a row, by cost: more are seldom looked at


def nearest(costs: Costs) -> Pairs:
    """The pair with the shortest way first, then the shortest of those left, and so on."""
    keys = _keys(costs)
    rows = [_ascending(row, costs.shape[1]) for row in keys]
    heads = [(key, row) for row, columns in enumerate(rows) if (key := next(columns, None)) is not None]
    heapq.heapify(heads)
    taken: set[int] = set()
    pairs: Pairs = []
    while heads:
        key, row = heapq.heappop(heads)
        column = key % costs.shape[1]
        if column not in taken:
            taken.add(column)
            pairs.append((row, column))
        elif (following := next(rows[row], None)) is not None:
            heapq.heappush(heads, (following, row))
    return pairs


def assignment(costs: Costs) -> Pairs:
    """The sum of all ways is the least, by the Hungarian method; many agents in parts, by their numbers."""
    return _in_parts(costs, _least_sum)


def regret(costs: Costs) -> Pairs:
    """First whom it would cost most to have to take its second choice; many agents in parts."""
    return _in_parts(costs, _most_regret)


def first(costs: Costs) -> Pairs:
    """Whatever came in first goes to the first agent that can take it, however far away."""
    free = np.ones(len(costs), dtype=np.bool_)
    pairs: Pairs = []
    for column in range(costs.shape[1]):
        able = free & (costs[:, column] < NO_WAY)
        if able.any():
            pairs.append((int(np.argmax(able)), column))
            free[pairs[-1][0]] = False
    return pairs


WAYS: dict[str, Callable[[Costs], Pairs]] = {
    "nearest": nearest,
    "assignment": assignment,
    "regret": regret,
    "first": first,
}


def _keys(costs: Costs) -> Costs:
    """The costs, made different by their columns, so that nothing depends on how equal ones are sorted."""
    keys: Costs = costs * costs.shape[1] + np.arange(costs.shape[1])
    return keys


def _ascending(keys: Costs, columns: int) -> Iterator[int]:
    """The keys of a row with a way, lowest first; most rows are only asked for a few."""
    keys = keys[keys < NO_WAY * columns]
    if len(keys) > _SORTED_FIRST:
        yield from np.sort(np.partition(keys, _SORTED_FIRST)[:_SORTED_FIRST]).tolist()
        yield from np.sort(keys)[_SORTED_FIRST:].tolist()
    else:
        yield from np.sort(keys).tolist()


def _least_sum(costs: Costs) -> Pairs:
    """The Hungarian method; a pair without a way costs more than all others together, and is left out."""
    if not costs.size:
        return []
    if len(costs) > costs.shape[1]:
        return [(row, column) for column, row in _least_sum(np.ascontiguousarray(costs.T))]
    # An agent needs no task but its nearest ones, as many as there are agents.
    wanted = np.unique(np.sort(_keys(costs), axis=1)[:, : len(costs)] % costs.shape[1])
    part = np.ascontiguousarray(costs[:, wanted])
    found = _core.assign(part).tolist()
    return [(row, int(wanted[column])) for row, column in enumerate(found) if part[row, column] < NO_WAY]


def _most_regret(costs: Costs) -> Pairs:
    left = costs.copy()
    choices = _two_best(left)
    pairs: Pairs = []
    while len(pairs) < min(left.shape):
        best = choices[:, 0]
        row = int(np.argmax(np.where(best < NO_WAY, choices[:, 1] - best, -1)))
        if best[row] >= NO_WAY:
            break
        column = int(np.argmin(left[row]))
        pairs.append((row, column))
        asked = np.flatnonzero(left[:, column] <= choices[:, 1])  # whose choices it was among
        left[row], left[:, column] = NO_WAY, NO_WAY
        choices[asked] = _two_best(left[asked])
    return pairs


def _two_best(costs: Costs) -> Costs:
    """Per row the least and the second least cost."""
    if costs.shape[1] < 2:
        return np.column_stack([costs, np.full_like(costs, NO_WAY)])[:, :2]
    return np.sort(np.partition(costs, 1, axis=1)[:, :2], axis=1)


def _in_parts(costs: Costs, way: Callable[[Costs], Pairs]) -> Pairs:
    """A number of rows at a time, so that no part takes long; later parts have the columns that are left."""
    pairs: Pairs = []
    left = np.ones(costs.shape[1], dtype=np.bool_)
    for first in range(0, len(costs), MOST_AT_ONCE):
        columns = np.flatnonzero(left)
        for row, column in way(np.ascontiguousarray(costs[first : first + MOST_AT_ONCE][:, columns])):
            pairs.append((first + row, int(columns[column])))
            left[columns[column]] = False
    return pairs
