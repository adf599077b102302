"""Judges steps of agents of one cell that may move every turn, in blocks of consecutive steps.

Within a block a look-up such as "who stood on this vertex at this time?" is one write and one read of a
table, so that a sound plan of N agents and T steps takes O(N T) without sorting. Two agents on one vertex
hide behind each other in such a table; as soon as that happens, or two agents seem to swap or follow, the
block is judged once more by sorting, which is exact.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..model.arrays import BoolArray
from ..model.rules import Rules
from ..model.space import Space
from .ground import ABSENT, NOBODY, Ints, Moves, Positions, Walk, ground_of
from .violation import ViolationKind, ViolationLog

BLOCK_POSITIONS = 1 << 16  # judged at once: enough to keep numpy busy, few enough to stay in the cache
TABLE_SLOTS = 1 << 24  # bounds the look-up tables where the space itself is not larger


class _FirstUsers:
    """Who was the first to use a key, for keys below `size`: one write and one read, however many keys."""

    def __init__(self, size: int) -> None:
        self._user_plus_one = np.zeros(size, dtype=np.int32)
        self._keys = NOBODY

    def fill(self, keys: Ints, users: Ints) -> None:
        """Forget the users of before, and note these, which are in ascending order."""
        self._user_plus_one[self._keys] = 0
        # Of several assignments to one place numpy keeps the last, which is the first user's in this order.
        self._user_plus_one[keys[::-1]] = users[::-1] + 1
        self._keys = keys

    def of(self, keys: Ints) -> Ints:
        """The first user per key, -1 where there is none."""
        return self._user_plus_one[keys].astype(np.int64) - 1


class UnitStepJudge:
    """Judges rows of positions and the steps between them by the rules that plans and traces share.

    Tables are as large as the rows to be judged need them, whose number and width `shape` is: what is short
    is judged at once.
    """

    def __init__(self, space: Space, rules: Rules, shape: tuple[int, ...], log: ViolationLog) -> None:
        self._ground = ground_of(space)
        self._n = space.n
        self._rules = rules
        self._log = log
        n_rows, n_agents = shape
        per_row = max(1, n_agents * self._ground.max_rivals)
        lanes = max(1, self._ground.n_lanes)
        most = min(n_rows - 1, BLOCK_POSITIONS // per_row, TABLE_SLOTS // max(self._n, lanes))
        self._block = max(1, most)  # steps at once
        self._on_vertex = _FirstUsers((self._block + 1) * self._n)
        self._on_lane = _FirstUsers(0 if rules.crossing else self._block * lanes)

    def judge_first_row(self, row: Positions, time: int = 0) -> None:
        """Judge a row that no judged step leads to."""
        self._judge_rows(self._inside(row[None, :], time, known=0), time, known=0)

    def judge(
        self, positions: Positions, is_open: BoolArray, start_time: int = 0, placed: BoolArray | None = None
    ) -> None:
        """Judge all steps between the rows, and all rows but the first.

        `placed[s, i]`: in step s agent i did not move but was put where it is by the outside world.
        """
        for start in range(0, len(positions) - 1, self._block):
            stop = min(start + self._block, len(positions) - 1)
            exempt = None if placed is None else placed[start:stop]
            self._judge_block(positions[start : stop + 1], is_open, start_time + start, exempt)

    def _judge_block(
        self, positions: Positions, is_open: BoolArray, time: int, placed: BoolArray | None
    ) -> None:
        rows = self._inside(positions, time, known=1)
        crowded = self._judge_rows(rows, time, known=1)
        before, after = rows[:-1], rows[1:]
        if placed is not None and placed.any():
            # To the others, who is picked up and put elsewhere is gone, and its arrival is no move.
            after = np.where(placed, ABSENT, after)
        moves = Moves.between(before, after, time)
        walk = self._ground.walk(moves, is_open)
        self._add(ViolationKind.WALL, moves, ~is_open[moves.target])
        self._add(ViolationKind.NO_EDGE, moves, walk.no_edge)
        self._add(ViolationKind.CORNER, moves, walk.corner)
        if not self._rules.crossing:
            self._judge_crossings(moves, walk)
        if crowded or self._may_exchange(moves, after):
            self._judge_exchanges(moves, before, after)

    def _inside(self, positions: Positions, time: int, known: int) -> Ints:
        """The rows in 64 bits, agents outside the space reported (but for known rows) and taken as absent."""
        rows = positions.astype(np.int64)
        outside = (rows < ABSENT) | (rows >= self._n)
        if outside.any():
            row, agent = np.nonzero(outside[known:])
            self._log.add(ViolationKind.OUTSIDE, time + known + row, (agent,))
            rows[outside] = ABSENT
        return rows

    def _judge_rows(self, rows: Ints, time: int, known: int) -> bool:
        """Report who shares a vertex, but for known rows, and say whether anybody does, in any row."""
        n_agents = rows.shape[1]
        spots = np.flatnonzero(rows != ABSENT)
        keys = (rows + self._n * np.arange(len(rows))[:, None]).reshape(-1)[spots]
        self._on_vertex.fill(keys, spots)
        first = self._on_vertex.of(keys)
        late = np.flatnonzero(first != spots)
        shown = late[spots[late] >= known * n_agents]
        row, agent = np.divmod(spots[shown], max(1, n_agents))
        other = first[shown] - row * n_agents
        self._log.add(ViolationKind.VERTEX, time + row, (other, agent), rows[row, agent])
        return late.size > 0

    def _judge_crossings(self, moves: Moves, walk: Walk) -> None:
        if walk.mover.size == 0:
            return
        base = moves.step[walk.mover] * self._ground.n_lanes
        self._on_lane.fill(base + walk.lane, walk.mover)
        other = self._on_lane.of(base + walk.rival)
        met = np.flatnonzero(other >= 0)
        if met.size:
            first_on_own_lane = self._on_lane.of(base[met] + walk.lane[met])
            self._add_pairs(ViolationKind.CROSSING, moves, walk.mover[met], other[met], first_on_own_lane)

    def _may_exchange(self, moves: Moves, after: Ints) -> bool:
        """Might anybody swap or follow? Never wrongly no, as long as no two agents share a vertex."""
        holder = self._on_vertex.of(moves.step * self._n + moves.target)
        held = np.flatnonzero(holder >= 0)
        if not self._rules.following:
            return held.size > 0
        return bool(np.any(after.reshape(-1)[holder[held]] == moves.source[held]))

    def _judge_exchanges(self, moves: Moves, before: Ints, after: Ints) -> None:
        """Swaps, and following where it is forbidden, exactly: over all who leave a vertex, sorted.

        Sorted by step, vertex and destination, those who leave one vertex stand together, and among
        them those who go to one place, with the lowest agent first.
        """
        leaving, leaver = self._departures(moves, before, after)
        order = np.argsort(leaving, kind="stable")
        keys = leaving[order]
        counter = self._departure_keys(moves.step, moves.target, moves.source)
        swap_from = np.searchsorted(keys, counter, "left")
        swap_to = np.searchsorted(keys, counter, "right")
        swaps = np.flatnonzero(swap_from < swap_to)
        same_way = np.searchsorted(keys, leaving[swaps], "left")
        self._add_pairs(ViolationKind.SWAP, moves, swaps, order[swap_from[swaps]], order[same_way])
        if not self._rules.following:
            any_from = np.searchsorted(keys, counter - moves.source - 1, "left")
            any_to = np.searchsorted(keys, counter - moves.source + self._n, "left")
            # Somebody who leaves the target and does not swap stands before or behind those who swap.
            other = np.where(any_from < swap_from, any_from, swap_to)
            follows = np.flatnonzero(other < any_to)
            self._add(ViolationKind.FOLLOWING, moves, follows, leaver[order[other[follows]]])

    def _departures(self, moves: Moves, before: Ints, after: Ints) -> tuple[Ints, Ints]:
        """A key and an agent per departure: first the moves, in their order, then those who vanish."""
        step, agent = np.nonzero((before != ABSENT) & (after == ABSENT))
        vanishing = self._departure_keys(step, before[step, agent], np.full_like(step, ABSENT))
        moving = self._departure_keys(moves.step, moves.source, moves.target)
        return np.concatenate([moving, vanishing]), np.concatenate([moves.agent, agent])

    def _departure_keys(self, step: Ints, source: Ints, target: Ints) -> Ints:
        # A block's steps times vertices is at most the larger of TABLE_SLOTS and n, so this fits in 63 bits.
        return (step * self._n + source) * (self._n + 1) + (target + 1)

    def _add(self, kind: ViolationKind, moves: Moves, which: Any, others: Ints | None = None) -> None:
        if which.dtype == np.bool_:
            which = np.flatnonzero(which)
        if which.size:
            agents = (moves.agent[which],) if others is None else (moves.agent[which], others)
            self._log.add(kind, moves.times[which], agents, moves.target[which])

    def _add_pairs(self, kind: ViolationKind, moves: Moves, one: Ints, other: Ints, alike: Ints) -> None:
        """Report moves with the first one they collide with; `alike` is the first that goes as `one` does.

        Two that would name each other are named once, by the lower.
        """
        named = (one < other) | (alike != one)
        low, high = np.minimum(one, other)[named], np.maximum(one, other)[named]
        self._add(kind, moves, low, moves.agent[high])
