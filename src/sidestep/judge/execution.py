"""Judges executions: what robots did between the ticks, not what they were told.

Between two ticks an agent holds every place that it is on, or on its way from or to, at either of them; an
agent of several cells all that it covers there. No two may hold one cell at once. That is more than disjoint
bodies at the ticks: whatever robots do in between, they stay apart.
"""

from __future__ import annotations

import numpy as np

from ..model.agents import IDLE
from ..model.errors import InputError
from ..model.execution import Execution
from ..model.grid import Grid
from .ground import ABSENT, Ints, Moves, ground_of
from .violation import Report, ViolationKind, ViolationLog

STRAIGHT, DIAGONAL = 1000, 1414  # the lengths of steps
BLOCK_POSITIONS = 1 << 18  # judged at once


def validate_execution(execution: Execution, *, limit: int = 1000) -> Report:
    """Judges what robots did.

    They begin on their starts, drive along edges and never faster than they can, and not into walls. No two
    hold one place at once, at a tick or between two, nor are on edges that cross. An agent is gone only where
    the rules let it disappear, and if the execution says that it is done, everybody has arrived.

    Args:
        execution: The record.
        limit: How many violations to list; all are counted.

    Returns:
        The report: truthy if nothing is wrong. Times are ticks.

    Raises:
        InputError: An argument is of another type.
    """
    if not isinstance(execution, Execution):
        raise InputError(f"an execution is an Execution, not {type(execution).__name__}")
    judge = _ExecutionJudge(execution, ViolationLog(execution.problem.space, limit))
    return judge.report()


class _ExecutionJudge:
    """Judges ticks in blocks; `before` and `after` are their rows of (source, target, progress)."""

    def __init__(self, execution: Execution, log: ViolationLog) -> None:
        self._problem = execution.problem
        self._space, self._rules = self._problem.space, self._problem.rules
        self._ground = ground_of(self._space)
        self._log = log
        self._execution = execution
        self._speeds = np.ceil(execution.speeds * STRAIGHT)

    def report(self) -> Report:
        positions = self._inside(self._execution.positions.astype(np.int64))
        self._judge_start(positions[0])
        block = max(1, BLOCK_POSITIONS // max(1, self._problem.n_agents))
        for start in range(0, max(1, len(positions) - 1), block):
            rows = positions[start : start + block + 1]
            before, after = (rows[:-1], rows[1:]) if len(rows) > 1 else (rows, rows)
            self._judge_ways(before, after, start)
            self._judge_holds(before, after, start)
        self._judge_presence(positions[:, :, 0])
        if self._execution.done:
            self._judge_goals(positions[-1])
        return self._log.report()

    def _inside(self, positions: Ints) -> Ints:
        """Agents outside the space are reported and taken as absent."""
        places = positions[:, :, :2]
        outside = ((places < ABSENT) | (places >= self._space.n)).any(axis=2)
        tick, agent = np.nonzero(outside)
        self._log.add(ViolationKind.OUTSIDE, tick, (agent,))
        positions[outside] = (ABSENT, ABSENT, 0)
        return positions

    def _judge_start(self, row: Ints) -> None:
        strayed = np.flatnonzero((row[:, 0] != self._problem.starts) | (row[:, 1] != row[:, 0]))
        self._log.add(ViolationKind.START, np.zeros_like(strayed), (strayed,), row[strayed, 0])

    def _judge_ways(self, before: Ints, after: Ints, start: int) -> None:
        """From tick to tick: along edges, on from where it was, and no farther than the agent can go."""
        source, target = before[:, :, 0], before[:, :, 1]
        same = (after[:, :, :2] == before[:, :, :2]).all(axis=2)
        at_once = np.where(source == target, after[:, :, 0], source)  # a whole move between two ticks
        moves = _in_order(
            [
                Moves.between(source, target, start),
                Moves.between(source, at_once, start),
                Moves.between(after[:, :, 0], np.where(same, after[:, :, 0], after[:, :, 1]), start),
            ],
            start,
        )
        walk = self._ground.walk(moves, self._space.open)
        closed = ~self._standable(moves)
        for kind, wrong in (
            (ViolationKind.WALL, closed),
            (ViolationKind.NO_EDGE, walk.no_edge),
            (ViolationKind.CORNER, walk.corner),
        ):
            self._log.add(kind, moves.times[wrong], (moves.agent[wrong],), moves.target[wrong])
        self._judge_pace(before, after, start)
        if not self._rules.crossing and walk.mover.size:
            small = self._problem.sizes[moves.agent[walk.mover]] == 1
            self._judge_crossings(moves, walk.mover[small], walk.lane[small], walk.rival[small])

    def _standable(self, moves: Moves) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
        free = np.ones(len(moves.agent), dtype=np.bool_)
        sizes = self._problem.sizes[moves.agent]
        for size in np.unique(sizes):
            which = np.flatnonzero(sizes == size)
            cells = self._covered(moves.target[which], int(size))
            free[which] = self._space.open[np.clip(cells, 0, self._space.n - 1)].all(axis=1)
        return free

    def _covered(self, vertices: Ints, size: int) -> Ints:
        width = self._space.width if isinstance(self._space, Grid) else 1
        offsets = (np.arange(size)[:, None] * width + np.arange(size)).reshape(-1)
        return np.where(vertices[:, None] == ABSENT, ABSENT, vertices[:, None] + offsets)

    def _judge_pace(self, before: Ints, after: Ints, start: int) -> None:
        source, target, progress = (before[:, :, k] for k in range(3))
        length = self._lengths(source, np.where(source == target, after[:, :, 0], target))
        went_on = after[:, :, 0] != source
        way = np.where(went_on, length - progress, -progress) + after[:, :, 2]
        moving = source != target
        same_move = went_on | ~moving | (after[:, :, 1] == target)
        landed = ~went_on | ~moving | (after[:, :, 0] == target)
        there = (source != ABSENT) & (after[:, :, 0] != ABSENT)
        fits = (after[:, :, 2] >= 0) & ((after[:, :, 2] == 0) | (after[:, :, 0] != after[:, :, 1]))
        wrong = there & ~((way >= 0) & (way <= self._speeds) & same_move & landed & fits)
        tick, agent = np.nonzero(wrong)
        self._log.add(ViolationKind.PACE, tick + start + 1, (agent,), after[tick, agent, 0])

    def _lengths(self, source: Ints, target: Ints) -> Ints:
        if not isinstance(self._space, Grid):
            return np.full(source.shape, STRAIGHT, dtype=np.int64)
        width = self._space.width
        straight = (source // width == target // width) | (source % width == target % width)
        return np.where(straight, STRAIGHT, DIAGONAL)

    def _judge_crossings(self, moves: Moves, mover: Ints, lane: Ints, rival: Ints) -> None:
        """Two agents on lanes of which only one may be used, between the same two ticks."""
        keys = moves.step[mover] * self._ground.n_lanes + lane
        order = np.argsort(keys, kind="stable")
        wanted = moves.step[mover] * self._ground.n_lanes + rival
        found = np.searchsorted(keys[order], wanted)
        hit = np.flatnonzero(found < len(keys))
        hit = hit[keys[order[found[hit]]] == wanted[hit]]
        one, other = mover[hit], mover[order[found[hit]]]
        first = moves.agent[one] < moves.agent[other]
        one, other = one[first], other[first]
        self._log.add(
            ViolationKind.CROSSING,
            moves.times[one],
            (moves.agent[one], moves.agent[other]),
            moves.target[one],
        )

    def _judge_holds(self, before: Ints, after: Ints, start: int) -> None:
        """Two agents that hold one cell between the same two ticks."""
        keys = []
        sizes = self._problem.sizes
        for size in np.unique(sizes):
            who = np.flatnonzero(sizes == size)
            ends = np.concatenate([before[:, who, :2], after[:, who, :2]], axis=2)
            tick, index, _ = np.nonzero(ends != ABSENT)
            cells = self._covered(ends[ends != ABSENT], int(size))
            base = tick[:, None] * self._space.n + cells
            keys.append((base * len(sizes) + who[index][:, None]).reshape(-1))
        held = np.unique(np.concatenate(keys)) if keys else np.empty(0, dtype=np.int64)
        where, agent = np.divmod(held, max(1, len(sizes)))
        twice = np.flatnonzero(where[1:] == where[:-1])
        tick, cell = np.divmod(where[twice], self._space.n)
        self._log.add(ViolationKind.VERTEX, tick + start + 1, (agent[twice], agent[twice + 1]), cell)

    def _judge_presence(self, sources: Ints) -> None:
        """Who is gone was on its goal, where agents disappear, and does not come back."""
        gone = sources == ABSENT
        left = gone[1:] & ~gone[:-1]
        may = (sources[:-1] == self._problem.goals) & (self._problem.goals != IDLE)
        if self._rules.at_goal != "disappear":
            may[:] = False
        tick, agent = np.nonzero(left & ~may)
        self._log.add(ViolationKind.ABSENT, tick + 1, (agent,))
        tick, agent = np.nonzero(~gone[1:] & gone[:-1])
        self._log.add(ViolationKind.PRESENT, tick + 1, (agent,), sources[tick + 1, agent])

    def _judge_goals(self, row: Ints) -> None:
        goals = self._problem.goals
        home = ((row[:, 0] == goals) & (row[:, 1] == goals)) | (row[:, 0] == ABSENT) | (goals == IDLE)
        lost = np.flatnonzero(~home)
        ticks = np.full_like(lost, self._execution.ticks)
        self._log.add(ViolationKind.GOAL, ticks, (lost,), row[lost, 0])


def _in_order(legs: list[Moves], start: int) -> Moves:
    """All moves in order of time."""
    step, agent, source, target = (
        np.concatenate([getattr(leg, name) for leg in legs]) for name in ("step", "agent", "source", "target")
    )
    order = np.argsort(step, kind="stable")
    return Moves(step[order], agent[order], source[order], target[order], start)
