"""What there is to see of a scene at a time, also between two steps: who is where, walls, goals, trails."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import numpy.typing as npt

from ..judge import Violation, ViolationKind
from ..model.agents import FACINGS, IDLE
from ..model.arrays import BoolArray, IntArray
from ..model.errors import InputError, UnsupportedError
from ..model.events import EventKind
from ..model.grid import Grid
from .layout import Points
from .scene import Scene

Floats = npt.NDArray[np.float64]
Indices = npt.NDArray[np.intp]

_BETWEEN = (ViolationKind.SWAP, ViolationKind.CROSSING, ViolationKind.NO_EDGE)  # on the way, not at its end


class Timeline:
    """A scene that answers for any time from `start` to `end`; points are NaN where nobody is.

    `marks` are the places of broken rules, and `mark_times` when they are broken. Vertices that do not
    exist, which an invalid plan may name, count as nowhere.
    """

    def __init__(self, scene: Scene) -> None:
        if scene.steps < 0 or scene.positions.shape[1:] != (len(scene.names),):
            raise InputError(f"there is nothing to show of {scene.label!r}: it has no positions")
        if (scene.sizes != 1).any():
            raise UnsupportedError(
                "pictures and films show agents of one cell only; a page shows larger ones"
            )
        self.scene = scene
        self.start = scene.start_time
        self.end = scene.start_time + scene.steps
        self._points = np.vstack([scene.places, [np.nan, np.nan]])
        self._rows = self._existing(scene.positions)
        self._events = scene.events[np.argsort(scene.events[:, 0], kind="stable")]
        violations = () if scene.report is None else scene.report.violations
        self._broken_times = np.array([one.time for one in violations], dtype=np.int64)
        marks = np.array([self._mark(one) for one in violations]).reshape(-1, 2)
        placed = np.isfinite(marks[:, 0])
        self.marks: Points = marks[placed]
        self.mark_times = self._broken_times[placed]
        self._goals_at = lru_cache(maxsize=2)(self._changed_goals)
        self._open_at = lru_cache(maxsize=2)(self._changed_open)

    def clamped(self, time: float) -> float:
        """The nearest time that there is."""
        return min(max(time, self.start), self.end)

    def spots(self, time: float) -> Points:
        """Per agent where it is; between two times it is on its way, or vanishes at the end of the step."""
        spots: Points = self._on_the_way(np.array([time], dtype=np.float64))[0]
        return spots

    def noses(self, time: float) -> Points | None:
        """Per agent (x, y) of length 1: which way it looks; None where nobody has to turn."""
        facings = self.scene.facings_by_time
        if facings is None:
            return None
        row = self.clamped(time) - self.start
        before = int(np.floor(row))
        here, there = facings[before], facings[min(before + 1, self.scene.steps)]
        turn = (there - here + 1) % len(FACINGS) - 1
        angles = np.pi / 2 * (here + turn * (row - before))
        return np.stack([np.sin(angles), -np.cos(angles)], axis=1)

    def waiting(self, time: float) -> BoolArray:
        """Per agent: does it stand still, off its goal, in the step that begins at or before the time?"""
        row = int(np.floor(self.clamped(time))) - self.start
        if row == self.scene.steps:
            return np.zeros(self._rows.shape[1], dtype=np.bool_)
        before, after = self._rows[row], self._rows[row + 1]
        goals = self.goals(self.start + row)
        waiting: BoolArray = (before == after) & (after >= 0) & (goals != IDLE) & (goals != after)
        if (facings := self.scene.facings_by_time) is not None:
            waiting &= facings[row] == facings[row + 1]
        return waiting

    def trails(self, time: float, steps: int, pieces: int) -> tuple[Points, Indices, Floats]:
        """The ways of the last steps: (m, 2, 2) segments, their agents, and how fresh they are, up to 1.

        A step is drawn in `pieces`; with more than one, corners are rounded, less on a graph, whose edges
        have any direction. The freshest come last.
        """
        reach = pieces // 2 if isinstance(self.scene.space, Grid) else pieces // 6
        times = np.linspace(time - steps, time, steps * pieces + 1)
        ways = _rounded(self._on_the_way(times), reach)
        segments = np.stack([ways[:-1], ways[1:]], axis=2)
        moved: BoolArray = np.any(np.abs(ways[1:] - ways[:-1]) > 1e-6, axis=2)  # false for NaN
        piece, agent = np.nonzero(moved)
        return segments[piece, agent], agent, (piece + 1) / (steps * pieces)

    def route(self, agent: int) -> Points:
        """The whole way of an agent, its corners only; NaN where it is away for a time."""
        vertices = self._rows[:, agent]
        moved = np.append(True, vertices[1:] != vertices[:-1])
        way = self._points[vertices[moved]]
        legs = np.diff(way, axis=0)
        corner = np.ones(len(way), dtype=np.bool_)
        corner[1:-1] = (legs[1:] != legs[:-1]).any(axis=1)
        corners: Points = way[corner]
        return corners

    def broken(self, time: float) -> int:
        """How many rules have been broken up to a time."""
        return int(np.count_nonzero(self._broken_times <= time))

    def waits(self) -> tuple[Points, Indices]:
        """Every place at which an agent waits off its goal at some time, and the agent."""
        waiting = [self.waiting(time) for time in range(self.start, self.end + 1)]
        row, agent = np.nonzero(np.stack(waiting))
        vertex, agent = np.unique(np.stack([self._rows[row, agent], agent]), axis=1)
        return self._points[vertex], agent

    def goals(self, time: float) -> IntArray:
        """Per agent its goal, after the changes of that time; an agent that was taken away has none."""
        return self._goals_at(int(np.floor(time)))

    def goal_spots(self, time: float) -> Points:
        """Per agent where its goal is."""
        return self._points[self.goals(time)]

    def open(self, time: float) -> BoolArray:
        """Per vertex: is it open, after the changes of that time?"""
        return self._open_at(int(np.floor(time)))

    @property
    def start_spots(self) -> Points:
        """Per agent where it is first seen."""
        present = self._rows >= 0
        rows = self._rows[present.argmax(axis=0), np.arange(self._rows.shape[1])]
        spots: Points = self._points[rows]
        return spots

    def _changed_goals(self, time: int) -> IntArray:
        goals = np.array(self._existing(self.scene.goals))
        changes = self._changes(time, EventKind.GOAL, EventKind.REMOVE)
        values = np.where(changes[:, 1] == EventKind.GOAL, self._existing(changes[:, 3]), IDLE)
        known = (changes[:, 2] >= 0) & (changes[:, 2] < len(goals))
        goals[changes[known, 2]] = values[known]  # of several, the last one counts
        return goals

    def _changed_open(self, time: int) -> BoolArray:
        is_open = np.array(self.scene.open)
        changes = self._changes(time, EventKind.BLOCK, EventKind.FREE)
        changes = changes[self._existing(changes[:, 3]) >= 0]
        is_open[changes[:, 3]] = changes[:, 1] == EventKind.FREE
        return is_open

    def _changes(self, time: int, *kinds: EventKind) -> IntArray:
        return self._events[(self._events[:, 0] <= time) & np.isin(self._events[:, 1], kinds)]

    def _existing(self, vertices: IntArray) -> IntArray:
        """-1, which is the row of NaN behind all points, for whatever is no vertex."""
        outside = (vertices < -1) | (vertices >= self.scene.space.n)
        return np.where(outside, np.int32(-1), vertices) if outside.any() else vertices

    def _on_the_way(self, times: Floats) -> Points:
        """(times, agents, 2)."""
        rows = np.clip(times - self.start, 0, self.scene.steps)
        before = np.floor(rows).astype(np.intp)
        after = np.minimum(before + 1, self.scene.steps)
        here, there = self._points[self._rows[before]], self._points[self._rows[after]]
        there = np.where(np.isnan(there), here, there)
        ways: Points = here + (there - here) * (rows - before)[:, None, None]
        return ways

    def _mark(self, violation: Violation) -> Points:
        """Where a rule is broken: (x, y), or NaN if that is nowhere."""
        row = violation.time - self.start
        if violation.kind in _BETWEEN and violation.agents and 1 <= row <= self.scene.steps:
            steps = self._points[self._rows[row - 1 : row + 1, violation.agents[0]]]
            middle: Points = steps.mean(axis=0)
            return middle
        vertex = -1 if violation.place is None else self.scene.space.vertex(violation.place)
        place: Points = self._points[vertex]
        return place


def _rounded(ways: Points, reach: int) -> Points:
    """Each point as the mean of those up to `reach` before and after it; the ends stay where they are."""
    padded = np.pad(ways, ((reach, reach), (0, 0), (0, 0)), mode="edge")
    shifted = [padded[shift : shift + len(ways)] for shift in range(2 * reach + 1)]
    mean: Points = np.mean(shifted, axis=0)
    mean[[0, -1]] = ways[[0, -1]]
    return mean
