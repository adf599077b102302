"""Judges steps of agents of any size and speed by the cells that they hold, step by step."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from ..model.arrays import BoolArray
from ..model.grid import Grid
from ..model.rules import Rules
from ..model.space import Space
from .ground import ABSENT, NOBODY, Ints, Moves, Positions, Walk, ground_of
from .violation import ViolationKind, ViolationLog

Walls = Iterable[tuple[int, int, BoolArray]]  # from one row to another, what is open to the steps between


class BodyStepJudge:
    """Judges agents of any size and speed by the cells that they hold, under the rules of plans and traces.

    An agent covers size x size cells, its position being the top left one. A move that arrives at time T is
    made in the `period` steps before T; at the times between its first and its last step the agent holds
    the cells of both ends.
    """

    def __init__(
        self, space: Space, rules: Rules, sizes: Positions, periods: Positions, log: ViolationLog
    ) -> None:
        self._space, self._rules, self._log = space, rules, log
        self._ground = ground_of(space)
        self._agents = len(sizes)
        self._sizes, self._periods = sizes.astype(np.int64), periods.astype(np.int64)
        self._groups = [(int(size), np.flatnonzero(sizes == size)) for size in np.unique(sizes)]

    def judge(
        self,
        positions: Positions,
        walls: Walls,
        start_time: int = 0,
        placed: BoolArray | None = None,
        headings: Positions | None = None,
    ) -> None:
        """Judge all rows and the steps between them.

        `placed[t, i]`: at row t agent i was put where it is by the outside world. `headings` are the ends
        of moves in which agents are at the first row; then nobody knows for how long they have been.
        """
        self._rows = self._inside(positions, start_time)
        self._placed = np.zeros(self._rows.shape, dtype=np.bool_) if placed is None else placed
        self._start_time = start_time
        self._toward = self._moves_under_way(known=headings is None)
        self._between = np.full_like(self._rows, ABSENT)  # the other end of a move, where both are held
        same = (self._toward[1:] == self._toward[:-1]) & (self._rows[1:] == self._rows[:-1])
        self._between[1:][same] = self._toward[1:][same]
        if headings is not None:
            self._between[0] = headings
        held, busy = self._held(0), self._busy_steps()
        self._judge_overlaps(held, 0)
        for start, stop, is_open in walls:
            standable = {size: self._standable(size, is_open) for size, _ in self._groups}
            quiet = start  # from here on, up to the next busy step, nobody moves: a long stay is one look
            for step in busy[slice(*np.searchsorted(busy, [start, stop]))].tolist():
                self._judge_overlaps(held, quiet + 1, step + 1)
                after = self._held(step + 1)
                self._judge_moves(step, standable)
                self._judge_overlaps(after, step + 1)
                self._judge_exchanges(step, held, after)
                held, quiet = after, step + 1
            self._judge_overlaps(held, quiet + 1, stop + 1)

    def _busy_steps(self) -> Ints:
        """The steps that are part of a move, or after which something else is held than before."""
        busy = (self._toward[:-1] != ABSENT).any(axis=1)
        for places in (self._rows, self._between):
            busy |= (places[1:] != places[:-1]).any(axis=1)
        return np.flatnonzero(busy)

    def _inside(self, positions: Positions, time: int) -> Ints:
        """The rows in 64 bits; who is outside the space, or sticks out, is reported and taken as absent."""
        rows = positions.astype(np.int64)
        outside = (rows < ABSENT) | (rows >= self._space.n)
        if isinstance(self._space, Grid):
            row, col = np.divmod(rows, self._space.width)
            sticks_out = (row + self._sizes > self._space.height) | (col + self._sizes > self._space.width)
            outside |= sticks_out & (rows != ABSENT)
        at, agent = np.nonzero(outside)
        self._log.add(ViolationKind.OUTSIDE, time + at, (agent,))
        rows[outside] = ABSENT
        return rows

    def _moves_under_way(self, known: bool) -> Ints:
        """Per step and agent where a move leads of which that step is a part; ABSENT where there is none.

        A move is cut short, and reported, where the agent was not at its beginning for long enough.
        `known`: nobody was anywhere before the first row.
        """
        rows, times = self._rows, np.arange(len(self._rows))[:, None]
        changed = np.ones(rows.shape, dtype=np.bool_)
        changed[1:] = (rows[1:] != rows[:-1]) | self._placed[1:]
        long_ago = -int(self._periods.max(initial=1))
        since = np.where(changed, times, long_ago)
        if not known:
            since[0] = long_ago
        since = np.maximum.accumulate(since, axis=0)
        here = (rows[1:] != ABSENT) & (rows[:-1] != ABSENT)
        step, agent = np.nonzero(here & (rows[1:] != rows[:-1]) & ~self._placed[1:])
        target, period, begin = rows[step + 1, agent], self._periods[agent], since[step, agent]
        hasty = np.flatnonzero(step + 1 - begin < period)
        self._log.add(ViolationKind.PACE, self._start_time + 1 + step[hasty], (agent[hasty],), target[hasty])
        toward = np.full_like(rows, ABSENT)
        for back in range(int(period.max(initial=0))):
            part = (period > back) & (step - back >= np.maximum(begin, 0))
            toward[step[part] - back, agent[part]] = target[part]
        return toward

    def _held(self, row: int) -> Ints:
        """The cells that are held at a row: sorted keys of cell and agent."""
        keys = [
            self._cells(places[row, group], size) * self._agents + group[:, None]
            for size, group in self._groups
            for places in (self._rows, self._between)
        ]
        flat = np.concatenate([each.reshape(-1) for each in keys]) if keys else NOBODY
        return np.unique(flat[flat >= 0])

    def _cells(self, positions: Ints, size: int) -> Ints:
        """A row of cells per position; far below zero for who is absent."""
        width = self._space.width if isinstance(self._space, Grid) else 1
        span = np.arange(size)
        cells = positions[:, None] + (span[:, None] * width + span).reshape(-1)
        return np.where(positions[:, None] == ABSENT, np.int64(-(2**31)), cells)

    def _standable(self, size: int, is_open: BoolArray) -> BoolArray:
        """Per vertex: may an agent of this size be there?"""
        if size == 1 or not isinstance(self._space, Grid):
            return is_open
        cells = is_open.reshape(self._space.passable.shape)
        fits = np.zeros_like(cells)
        height, width = self._space.height - size + 1, self._space.width - size + 1
        if height > 0 and width > 0:
            fits[:height, :width] = True
            for down in range(size):
                for right in range(size):
                    fits[:height, :width] &= cells[down : down + height, right : right + width]
        return fits.reshape(-1)

    def _judge_moves(self, step: int, standable: dict[int, BoolArray]) -> None:
        """The moves of which this step is a part: an agent of any size moves over the places where it fits
        as an agent of one cell moves over open cells."""
        time = self._start_time + step + 1
        for size, group in self._groups:
            agents = group[self._toward[step, group] != ABSENT]
            source, target = self._rows[step, agents], self._toward[step, agents]
            moves = Moves(np.zeros_like(agents), agents, source, target, time - 1)
            walk = self._ground.walk(moves, standable[size])
            arrives = target == self._rows[step + 1, agents]
            self._add(ViolationKind.WALL, moves, ~standable[size][target])
            self._add(ViolationKind.NO_EDGE, moves, walk.no_edge & arrives)
            self._add(ViolationKind.CORNER, moves, walk.corner)
            if size == 1 and not self._rules.crossing:  # larger ones overlap with those who would cross
                self._judge_crossings(moves, walk)

    def _judge_crossings(self, moves: Moves, walk: Walk) -> None:
        on_lane: dict[int, int] = {}
        for mover, lane in zip(walk.mover.tolist(), walk.lane.tolist(), strict=True):
            on_lane.setdefault(lane, mover)
        met = {
            (min(mover, on_lane[rival]), max(mover, on_lane[rival]))
            for mover, rival in zip(walk.mover.tolist(), walk.rival.tolist(), strict=True)
            if rival in on_lane
        }
        for one, other in sorted(met):
            self._add(ViolationKind.CROSSING, moves, np.array([one]), moves.agent[[other]])

    def _judge_overlaps(self, held: Ints, row: int, stop: int | None = None) -> None:
        """Who holds a cell that another holds, from a row up to `stop`: each with the first holder."""
        cell, agent = np.divmod(held, self._agents)
        first = np.searchsorted(cell, cell)
        late = np.flatnonzero(first != np.arange(len(cell)))
        pairs = {(int(agent[first[k]]), int(agent[k])): int(cell[k]) for k in late[::-1].tolist()}
        rows = np.arange(row, row + 1 if stop is None else stop)
        if not pairs or not len(rows):
            return
        one, other, shared = np.array([(*pair, pairs[pair]) for pair in sorted(pairs)]).T
        times = self._start_time + np.repeat(rows, len(one))
        each = (np.tile(column, len(rows)) for column in (one, other, shared))
        self._log.add(ViolationKind.VERTEX, times, (next(each), next(each)), next(each))

    def _judge_exchanges(self, step: int, before: Ints, after: Ints) -> None:
        """Who enters a cell that another held before: each does that to the other, or may not follow."""
        # To the others, who is picked up and put elsewhere is gone, and its arrival is no move.
        after = after[~self._placed[step + 1][after % self._agents]] if len(after) else after
        met: dict[tuple[int, int], int] = {}
        left: dict[tuple[int, int], int] = {}
        entered = np.setdiff1d(after, before, assume_unique=True)
        first = np.searchsorted(before, entered - entered % self._agents)
        last = np.searchsorted(before, entered - entered % self._agents + self._agents)
        entries = np.flatnonzero(first < last).tolist()
        still = set(after.tolist()) if entries else set()
        for k in entries:
            cell, agent = divmod(int(entered[k]), self._agents)
            for key in before[first[k] : last[k]].tolist():
                met.setdefault((agent, key % self._agents), cell)
                if key not in still:
                    left.setdefault((agent, key % self._agents), cell)
        for one, other in sorted(met):
            if one < other and (other, one) in met:
                self._add_one(ViolationKind.SWAP, step + 1, (one, other), int(self._rows[step + 1, one]))
        if not self._rules.following:
            for pair, cell in sorted(left.items()):
                if pair[::-1] not in met:
                    self._add_one(ViolationKind.FOLLOWING, step + 1, pair, cell)

    def _add(self, kind: ViolationKind, moves: Moves, which: Any, others: Ints | None = None) -> None:
        if which.dtype == np.bool_:
            which = np.flatnonzero(which)
        agents = (moves.agent[which],) if others is None else (moves.agent[which], others)
        self._log.add(kind, moves.times[which], agents, moves.target[which])

    def _add_one(self, kind: ViolationKind, row: int, agents: tuple[int, int], vertex: int) -> None:
        self._log.add(kind, [self._start_time + row], ([agents[0]], [agents[1]]), [vertex])
