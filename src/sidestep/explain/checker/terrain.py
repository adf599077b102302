"""Where agents can go, read from the arrays of a space: distances, collisions, what can be reached."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from ...model.arrays import BoolArray, IntArray
from ...model.graph import Graph
from ...model.grid import Grid
from ...model.rules import Rules
from ...model.space import Space

FAR = -1
GONE = -1
Walk = tuple[Sequence[int], bool]  # a path, and whether one stays at its end
_BLOCKED_CORNERS = {"none": 0, "one": 1, "free": 2}


class Terrain:
    """A space with some places open, for agents of one size."""

    def __init__(self, space: Space, rules: Rules, is_open: BoolArray, size: int = 1) -> None:
        self.space, self.rules, self.n = space, rules, space.n
        self.fits = _fits(space, is_open, size)
        self.sources, self.targets = _edges(space, self.fits)
        self._into = _by(self.targets, self.sources, self.n)
        self._out = _by(self.sources, self.targets, self.n)
        self._ways: dict[int, IntArray] = {}
        self._lanes = _rival_lanes(space)

    def can_move(self, here: int, there: int) -> bool:
        """Is there a move from one place to the other?"""
        starts, targets = self._out
        return bool((targets[starts[here] : starts[here + 1]] == there).any())

    def neighbours(self, here: int) -> list[int]:
        """Where a move leads from here."""
        starts, targets = self._out
        near: list[int] = targets[starts[here] : starts[here + 1]].tolist()
        return near

    def to(self, goal: int) -> IntArray:
        """The moves from every place to a goal; `FAR` where no way leads there."""
        if goal not in self._ways:
            self._ways[goal] = self._spread(goal, self._into)
        return self._ways[goal]

    def steps_from(self, here: int, *, without: Iterable[int] = ()) -> IntArray:
        """The moves from one place to every other, on ways that do not lead through some."""
        return self._spread(here, self._out, without)

    def _spread(self, origin: int, lists: tuple[IntArray, IntArray], without: Iterable[int] = ()) -> IntArray:
        starts, others = lists
        steps, never = np.full(self.n, FAR, dtype=np.int32), list(without)
        steps[never] = self.n  # more than any way takes
        steps[origin] = 0
        ring, count = np.array([origin]), 0
        while ring.size:
            count += 1
            spans = [others[starts[one] : starts[one + 1]] for one in ring] if ring.size < 8 else None
            near = np.concatenate(spans) if spans is not None else _gather(ring, starts, others)
            near = near[steps[near] == FAR]
            steps[near] = count
            ring = np.flatnonzero(steps == count) if near.size > 32 else np.unique(near)
        steps[never] = FAR
        return steps

    # Collisions

    def collision(self, one: tuple[int, int], other: tuple[int, int]) -> str:
        """How two moves of one step collide, at their end or on the way; empty if they do not."""
        (a, to_a), (b, to_b) = one, other
        if GONE in (a, b):
            return ""
        if to_a == to_b != GONE:
            return "vertex"
        if a == to_a and b == to_b:
            return ""
        if to_a == b and to_b == a:
            return "swap"
        if not self.rules.crossing and self._cross(a, to_a, b, to_b):
            return "crossing"
        follows = (to_a == b != a and to_b != b) or (to_b == a != b and to_a != a)
        return "following" if follows and not self.rules.following else ""

    def _cross(self, a: int, to_a: int, b: int, to_b: int) -> bool:
        if GONE in (to_a, to_b) or a == to_a or b == to_b:
            return False
        if isinstance(self.space, Graph):
            lanes = self._lanes.get((a, to_a))
            return lanes is not None and (b, to_b) in lanes
        width = self.space.width
        (ra, ca), (rta, cta) = divmod(a, width), divmod(to_a, width)
        (rb, cb), (rtb, ctb) = divmod(b, width), divmod(to_b, width)
        diagonal = ra != rta and ca != cta
        return diagonal and (ra + rta, ca + cta) == (rb + rtb, cb + ctb) and a not in (b, to_b)

    def conflicts(
        self, path: Sequence[int], other: Sequence[int], *, stays: tuple[bool, bool]
    ) -> list[tuple[int, str]]:
        """All collisions of two paths that begin at one time: when (dated by the end) and how."""
        last = max(len(path), len(other)) - 1
        found: list[tuple[int, str]] = []
        for time in range(last + 1):
            one = _at(path, time, stays[0]), _at(path, time + 1, stays[0])
            two = _at(other, time, stays[1]), _at(other, time + 1, stays[1])
            if time < last or not (stays[0] and stays[1]):
                kind = self.collision(one, two)
                if kind and not (kind == "vertex" and time + 1 > last):
                    found.append((time + 1, kind))
        return found

    # What can be reached

    def reach(self, start: int, others: Sequence[Walk], *, steps: int | None, home: int | None) -> bool:
        """Can one get from a place around these others: home for good, or for some steps anywhere?

        All that it could do is followed. Without a home and without steps: can it go on for ever?
        """
        last = max((len(path) for path, _ in others), default=1) - 1
        here = np.zeros(self.n, dtype=np.bool_)
        here[start] = True
        vanishes = self.rules.at_goal == "disappear"
        time = 0
        while True:
            if home is not None and here[home] and (vanishes or steps is None):
                if self._may_end(home, time, others):
                    return True
                here[home] &= not vanishes
            if steps is not None and time == steps:
                return bool(here.any())
            after = self._after(here, time, others)
            if not after.any() or (time > last and (after == here).all()):
                return home is None and steps is None and bool(after.any())
            here, time = after, time + 1

    def _may_end(self, goal: int, time: int, others: Sequence[Walk]) -> bool:
        """Arrived at a time, does nobody come there later?"""
        if self.rules.at_goal == "disappear":
            taken = any(_at(path, time + 1, stays) == goal for path, stays in others)
            return self.rules.following or not taken
        return not any(goal in path[time:] or (stays and path[-1] == goal) for path, stays in others)

    def _after(self, here: BoolArray, time: int, others: Sequence[Walk]) -> BoolArray:
        after = here & self.fits
        moving = here[self.sources]
        banned = np.zeros(len(self.sources), dtype=np.bool_)
        for path, stays in others:
            b, to_b = _at(path, time, stays), _at(path, time + 1, stays)
            if b == GONE:
                continue
            banned |= self._bans(b, to_b)
            if to_b != GONE:
                after[to_b] = False
        after[self.targets[moving & ~banned]] = True
        for path, stays in others:
            if (to_b := _at(path, time + 1, stays)) != GONE:
                after[to_b] = False
        return after

    def _bans(self, b: int, to_b: int) -> BoolArray:
        """The moves that collide with a move of another on the way."""
        banned: BoolArray = (self.targets == b) & (self.sources == to_b)
        if b != to_b and not self.rules.following:
            banned |= self.targets == b
            banned |= self.sources == to_b
        if to_b not in (b, GONE) and not self.rules.crossing:
            for a, to_a in _crossing_moves(self.space, self._lanes, b, to_b):
                banned |= (self.sources == a) & (self.targets == to_a)
        return banned


def _at(path: Sequence[int], time: int, stays: bool) -> int:
    if time < len(path):
        return int(path[time])
    return int(path[-1]) if stays else GONE


def _crossing_moves(
    space: Space, lanes: dict[tuple[int, int], set[tuple[int, int]]], b: int, to_b: int
) -> Iterable[tuple[int, int]]:
    if isinstance(space, Graph):
        return lanes.get((b, to_b), ())
    (row, col), (to_row, to_col) = divmod(b, space.width), divmod(to_b, space.width)
    if row == to_row or col == to_col:
        return ()
    one, two = row * space.width + to_col, to_row * space.width + col
    return ((one, two), (two, one))


def _rival_lanes(space: Space) -> dict[tuple[int, int], set[tuple[int, int]]]:
    lanes: dict[tuple[int, int], set[tuple[int, int]]] = {}
    if isinstance(space, Graph):
        edges = space.edges.tolist()
        for one, other in space.edge_conflicts.tolist():
            for lane, rival in ((edges[one], edges[other]), (edges[other], edges[one])):
                ways = [tuple(lane)] if space.directed else [tuple(lane), tuple(lane[::-1])]
                rivals = [tuple(rival)] if space.directed else [tuple(rival), tuple(rival[::-1])]
                for way in ways:
                    lanes.setdefault(way, set()).update(rivals)
    return lanes


def _fits(space: Space, is_open: BoolArray, size: int) -> BoolArray:
    """The places where an agent of this size may be."""
    if size == 1 or not isinstance(space, Grid):
        return np.array(is_open, dtype=np.bool_)
    cells = is_open.reshape(space.height, space.width)
    fits = np.zeros_like(cells)
    rows, cols = space.height - size + 1, space.width - size + 1
    if rows > 0 and cols > 0:
        fits[:rows, :cols] = True
        for row in range(size):
            for col in range(size):
                fits[:rows, :cols] &= cells[row : row + rows, col : col + cols]
    return fits.ravel()


def _edges(space: Space, fits: BoolArray) -> tuple[IntArray, IntArray]:
    """All moves: where they begin and where they end, which must be open."""
    if isinstance(space, Graph):
        edges = space.edges
        both = edges if space.directed else np.concatenate([edges, edges[:, ::-1]])
        both = np.unique(both[fits[both[:, 1]]], axis=0).astype(np.int32)
        return both[:, 0], both[:, 1]
    height, width = space.height, space.width
    cells = fits.reshape(height, width)
    rows, cols = np.divmod(np.arange(height * width), width)
    sources, targets = [], []
    for down in (-1, 0, 1):
        for right in (-1, 0, 1):
            if (down, right) == (0, 0) or (down and right and space.connectivity == 4):
                continue
            to_row, to_col = rows + down, cols + right
            inside = (to_row >= 0) & (to_row < height) & (to_col >= 0) & (to_col < width)
            here = np.flatnonzero(inside)
            here = here[cells[to_row[here], to_col[here]]]
            if down and right:
                corners = np.add(
                    ~cells[rows[here], to_col[here]], ~cells[to_row[here], cols[here]], dtype=np.int8
                )
                here = here[corners <= _BLOCKED_CORNERS[space.corners]]
            sources.append(here)
            targets.append(to_row[here] * width + to_col[here])
    return np.concatenate(sources).astype(np.int32), np.concatenate(targets).astype(np.int32)


def _by(keys: IntArray, values: IntArray, n: int) -> tuple[IntArray, IntArray]:
    """The values of each key, one after another, and where those of each key begin."""
    order = np.argsort(keys, kind="stable")
    starts = np.searchsorted(keys[order], np.arange(n + 1)).astype(np.int32)
    return starts, values[order]


def _gather(ring: IntArray, starts: IntArray, others: IntArray) -> IntArray:
    counts = starts[ring + 1] - starts[ring]
    nth = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
    found: IntArray = others[np.repeat(starts[ring], counts) + nth]
    return found
