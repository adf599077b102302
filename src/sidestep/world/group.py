"""Groups of units that go somewhere together, with one path for all of them (shared paths of the A* review).

One path leads from the middle of the units to the goal. At first every unit goes its own way to it, at last
to a place of its own around the goal, in the formation in which they set out; in between they follow the path
from one waypoint to the next. So a group searches the map once, and its units only what is near them. For the
planner of the world waypoints are goals like any others, and it sees to it that nobody collides.
"""

from __future__ import annotations

import copy
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from .. import _core
from ..budget import Budget
from ..model.arrays import BoolArray, IntArray, checked_seed, is_number, is_whole
from ..model.errors import InputError, UnsupportedError
from ..model.events import EventKind
from ..model.grid import Grid
from ..model.random import shuffled
from ..model.space import Space
from .session import Change, MeasuringSession, Opener, Session, SessionHolder, View, repeats

Offsets = npt.NDArray[np.float64]

STRIDE = 6  # steps from one waypoint to the next
NEAR = 3  # cells; who is so near to a waypoint heads for the next
LANES = 3  # places beside a waypoint that are as good
CHOICE = 4  # places per unit that are looked at around the goal
PATIENCE = 12  # turns; if somebody stands still for so long before its place, all fall back for as long


@dataclass(frozen=True)
class GroupOrder:
    """Who goes where, and how: behind a leader or not, how often beside the path, and how soon on it."""

    units: list[int]
    goal: Any
    leader: int | None
    detours: float
    own_steps: int
    seed: int

    def __post_init__(self) -> None:
        if not is_number(self.detours) or not 0 <= self.detours <= 1:
            raise InputError(f"detours must be a share from 0 to 1, not {self.detours!r}")
        if not is_whole(self.own_steps) or not 0 <= self.own_steps < 2**63:
            raise InputError(f"own_steps must be a whole number, 0 or more, not {self.own_steps!r}")
        for name, value in (("own_steps", int(self.own_steps)), ("seed", checked_seed(self.seed))):
            object.__setattr__(self, name, value)


class Group:
    """Units under way together; made by `move_group`.

    Args:
        order: Who goes where, and how.
        grid: The space, which must be a grid.
        space: The core's form of it, with the walls as they are.
        positions: Per agent its vertex.
        taken: Vertices around the goal that no unit may be given.

    Attributes:
        goal: The vertex that they gather around.
        goals: By unit the vertex of its place around the goal.
        path: The vertices of the path that they share.
        under_way: False once every unit that is still there has got to its place.

    Raises:
        InputError: The goal is blocked, a unit cannot get there, or there is no room around it.
        UnsupportedError: The space is a graph.
    """

    def __init__(
        self,
        order: GroupOrder,
        grid: Space,
        space: _core.Space,
        positions: IntArray,
        taken: Collection[int],
    ) -> None:
        if not isinstance(grid, Grid):
            raise UnsupportedError("a group moves on a grid: a graph has no formations")
        self.order, self.grid = order, grid
        self.goal = grid.vertex(order.goal)
        if not space.is_open(self.goal):
            raise InputError(f"{grid.place(self.goal)} is blocked")
        units = order.units
        ways = self._find_path(space, positions, units)
        places = _places_around(ways, len(units), taken, grid.place(self.goal))
        offsets = grid.cells(positions[units]).astype(np.float64)
        offsets -= np.rint(offsets.mean(axis=0))  # whole cells, so that a formation that fits stays exact
        chosen = in_formation(offsets, (grid.cells(places) - grid.cells(places[:1])).astype(np.float64))
        self.goals: dict[int, int] = dict(zip(units, places[chosen].tolist(), strict=True))
        self.under_way = True

    @property
    def units(self) -> tuple[int, ...]:
        """The units that are still in the group, as indices."""
        return tuple(self.goals)

    def _find_path(self, space: _core.Space, positions: IntArray, units: Sequence[int]) -> IntArray:
        """The shared path and its waypoints; returns how far everything is from the goal."""
        ways = _core.distance_table(space, self.goal, Budget().core)
        for unit in units:
            if ways[positions[unit]] == -1:
                place, goal = self.grid.place(positions[unit]), self.grid.place(self.goal)
                raise InputError(f"there is no way from {place} to {goal}")
        begin = positions[self.order.leader if self.order.leader in units else self._middle(positions, units)]
        self.path = _downhill(space, ways, int(begin))
        own = self.order.own_steps
        middle = self.path[own : max(len(self.path) - own, 0) : STRIDE].tolist()
        # Per waypoint: how far from the goal, its vertex, and where those go instead who pass beside it.
        self._waypoints: list[tuple[int, int, dict[int, int]]] = [
            (int(ways[v]), v, self._lanes(v, ways, place)) for place, v in enumerate(middle)
        ]
        self._back = int(self.path[max(len(self.path) - 1 - max(own, 2 * NEAR), 0)])
        self._ways = ways
        self._next: dict[int, int] = {}  # the waypoint of each unit; one too many: its own goal
        self._heading: dict[int, int] = {}  # what the planner takes for its goal
        self._stood: dict[int, tuple[int, int]] = {}  # where each stands, for how many turns
        self._jam = 0  # turns since the last one
        self._returns: dict[int, int] = {}  # turns after it until each heads for its place again
        return ways

    def _middle(self, positions: IntArray, units: Sequence[int]) -> int:
        """The unit in the middle of them."""
        cells = self.grid.cells(positions[list(units)]).astype(np.float64)
        off_centre = ((cells - cells.mean(axis=0)) ** 2).sum(axis=1)
        return units[int(np.argmin(off_centre))]

    def _lanes(self, waypoint: int, ways: IntArray, draw: int) -> dict[int, int]:
        """Some of the units, with a place beside the waypoint that is about as far from the goal."""
        row, col = self.grid.place(waypoint)
        rows = range(max(row - 2, 0), min(row + 3, self.grid.height))
        cols = range(max(col - 2, 0), min(col + 3, self.grid.width))
        near = [r * self.grid.width + c for r in rows for c in cols]
        beside = [v for v in near if v != waypoint and ways[v] >= 0 and abs(ways[v] - ways[waypoint]) <= 1]
        lanes = [beside[k] for k in shuffled(len(beside), self.order.seed, 2 * draw).tolist()[:LANES]]
        units, seed = self.order.units, self.order.seed
        chosen = shuffled(len(units), seed, 2 * draw + 1)[: round(self.order.detours * len(units))].tolist()
        return {units[k]: lanes[k % len(lanes)] for k in chosen} if lanes else {}

    # Under way

    def turn(self, space: _core.Space | None, positions: IntArray) -> Iterator[tuple[int, int]]:
        """Decides where units head for from now on.

        Args:
            space: The core's form of the space, with the walls as they are now; None if they are as in the
                last turn.
            positions: Per agent its vertex, -1 for those that are gone.

        Yields:
            A unit that heads for somewhere else than before, and the vertex; -1 for one that is gone.
        """
        if space is not None and not all(space.is_open(v) for v in self.path.tolist()):
            try:
                self._find_path(space, positions, self.units)
            except InputError:  # cut off, perhaps for a while: from here on everybody for itself
                self._waypoints = []
                self._next.clear()
        self._notice_jam(positions)
        for unit in self.goals:
            position = int(positions[unit])
            heading = self._heading_of(unit, position) if position != -1 else -1
            if self._heading.get(unit) != heading:
                self._heading[unit] = heading
                yield unit, heading
        self.under_way = any(positions[unit] not in (goal, -1) for unit, goal in self.goals.items())

    def _heading_of(self, unit: int, position: int) -> int:
        place, goal = self._waypoint_of(unit, position), self.goals[unit]
        if place < len(self._waypoints):
            _, waypoint, instead = self._waypoints[place]
            return instead.get(unit, waypoint)
        return self._back if self._jam < self._returns.get(unit, 0) else goal

    def _notice_jam(self, positions: IntArray) -> None:
        """Units that stand on each other's places would wait for each other for ever.

        All fall back; then those go in first whose places are furthest in.
        """
        self._jam += 1
        if self._jam <= max(self._returns.values(), default=0):
            return
        for unit, goal in self.goals.items():
            position, (before, turns) = int(positions[unit]), self._stood.get(unit, (-1, 0))
            waits = position == before and position != goal and self._heading.get(unit) == goal
            self._stood[unit] = position, turns + 1 if waits else 0
            if turns >= PATIENCE:
                self._fall_back()
                break

    def _fall_back(self) -> None:
        row, col = self.grid.place(self._back)
        places = {unit: self.grid.place(goal) for unit, goal in self.goals.items()}
        depths = {unit: abs(place[0] - row) + abs(place[1] - col) for unit, place in places.items()}
        deepest = max(depths.values())
        self._returns = {unit: PATIENCE + deepest - depth for unit, depth in depths.items()}
        self._jam = 0
        self._stood.clear()

    def _waypoint_of(self, unit: int, position: int) -> int:
        """Which waypoint a unit heads for: the first that it has neither reached nor passed."""
        place, last = self._next.get(unit, 0), self._furthest(unit)
        while place < last:
            far, waypoint, _ = self._waypoints[place]
            if 0 <= self._ways[position] <= far or self._near(position, waypoint):
                place += 1
            else:
                break
        self._next[unit] = place
        return place

    def _furthest(self, unit: int) -> int:
        """A leader is one waypoint ahead of all others until it has passed the last one."""
        end = len(self._waypoints)
        leader = self.order.leader
        if leader is None or leader == unit or leader not in self.goals or end == 0:
            return end
        ahead = self._next.get(leader, 0)
        return end if ahead == end else max(ahead - 1, 0)

    def _near(self, position: int, waypoint: int) -> bool:
        row, col = self.grid.place(position)
        other_row, other_col = self.grid.place(waypoint)
        return max(abs(row - other_row), abs(col - other_col)) <= NEAR

    def tell_again(self) -> None:
        """Makes the next turn name the headings of all units, for a planner that knows none of them."""
        self._heading.clear()

    def leave(self, unit: int) -> None:
        """Takes a unit out of the group: from now on it goes its own way.

        Args:
            unit: The index of the unit; one that is not in the group is ignored.
        """
        self.goals.pop(unit, None)


class GroupSession(SessionHolder):
    """A session inside which units head for the waypoints of their groups, which it takes for their goals."""

    def __init__(self, session: Session, opener: Opener | None = None) -> None:
        self.session, self.opener = session, opener
        self.groups: list[Group] = []
        self._failed = False  # has a turn failed, so that walls may have changed unheard?

    def __deepcopy__(self, memo: dict[int, Any]) -> GroupSession:
        twin = memo[id(self)] = object.__new__(GroupSession)
        twin.__dict__.update(copy.deepcopy(self.__dict__, memo))
        return twin

    __getstate__ = SessionHolder.with_session_saved
    __setstate__ = SessionHolder.load_all

    def renew(self) -> bool:
        """A fresh session inside, which is told where all units are heading."""
        self._failed = True
        self._tell_again()
        return super().renew()

    def _tell_again(self) -> None:
        for group in self.groups:
            group.tell_again()

    def join(self, group: Group) -> None:
        """Its units belong to no other group any more."""
        for other in self.groups:
            for unit in group.goals:
                other.leave(unit)
        self.groups.append(group)

    @property
    def repeats(self) -> bool:
        """Would everybody do again and again what they have done before?"""
        return repeats(self.session) and not self.groups

    def distances(self, budget: Budget) -> IntArray:
        """How far every agent is from its goal by itself; nothing if the budget ran out."""
        inner: MeasuringSession = self.session  # type: ignore[assignment]
        return inner.distances(budget)

    def step(self, view: View, *, budget: Budget) -> IntArray:
        """One turn of the planner, with the waypoints for goals."""
        changes = self._heard(view)
        if getattr(self.session, "is_new", False):  # another planner takes over: it knows of no headings
            self._tell_again()
        kinds = {kind for _, kind, _, _ in changes}
        walls_changed = self._failed or not kinds.isdisjoint((EventKind.BLOCK, EventKind.FREE))
        self._failed = False
        space = view.space if walls_changed and self.groups else None
        for group in self.groups:
            for unit, vertex in group.turn(space, view.positions):
                changes.append((view.time, int(EventKind.GOAL), unit, vertex))
        self.groups = [group for group in self.groups if group.under_way]
        return self.session.step(view.with_changes(changes), budget=budget)

    def _heard(self, view: View) -> list[Change]:
        """What has changed, but for orders that send units where their group takes them.

        A unit that is sent elsewhere, or is gone, leaves its group. Where units are sent the world knows:
        after a turn that failed the changes do not name a goal that is again the one of the beginning.
        """
        if not self.groups:
            return list(view.changes)
        ordered = view.goals
        gone = {agent for _, kind, agent, _ in view.changes if kind == EventKind.REMOVE}
        led: set[int] = set()
        for group in self.groups:
            for unit, goal in list(group.goals.items()):
                if unit in gone or ordered[unit] != goal:
                    group.leave(unit)
            led.update(group.units)
        return [change for change in view.changes if change[1] != EventKind.GOAL or change[2] not in led]


def in_formation(offsets: Offsets, places: Offsets) -> IntArray:
    """Which place each unit takes, so that they stand to each other as before as nearly as possible.

    `offsets` are from the middle of the units, `places` from the goal. Units that are too far apart for the
    places come closer, all in the same proportion.
    """
    spread, room = np.abs(offsets).max(initial=0.0), np.abs(places).max(initial=0.0)
    wanted = offsets * min(1.0, room / spread) if spread > 0 else offsets
    squares = ((wanted[:, None, :] - places[None, :, :]) ** 2).sum(axis=2)
    return _core.assign(np.rint(squares * 256).astype(np.int64))


def _places_around(ways: IntArray, count: int, taken: Collection[int], goal: Any) -> IntArray:
    """The places nearest to a goal, the goal first, without those taken; enough of them to choose."""
    free: BoolArray = ways >= 0
    free[list(taken)] = False
    places = np.flatnonzero(free).astype(np.int32)
    if len(places) < count:
        room = "1 unit" if len(places) == 1 else f"{len(places)} units"
        raise InputError(f"around {goal} there is room for {room}, not for {count}")
    some = min(CHOICE * count + 8, len(places))
    places = places[ways[places] <= np.partition(ways[places], some - 1)[some - 1]]
    nearest: IntArray = places[np.argsort(ways[places], kind="stable")[:some]]
    return nearest


def _downhill(space: _core.Space, ways: IntArray, start: int) -> IntArray:
    """A shortest path, by the distances to its end."""
    path = [start]
    while ways[path[-1]] > 0:
        following = space.successors(path[-1])
        following = following[ways[following] >= 0]
        path.append(int(following[np.argmin(ways[following])]))
    return np.array(path, dtype=np.int32)
