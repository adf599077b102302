"""Groups of units that go somewhere together, with one path for all of them (shared paths of the A* review).

One path leads from the middle of the units to the goal. At first every unit goes its own way to it, at last
to a place of its own around the goal, in the formation in which they set out; in between they follow the path
from one waypoint to the next, or flock behind the leader who does. So a group searches the map once, a bit in
each turn if need be, and its units only what is near them. For the planner of the world waypoints are goals
like any others, and it sees to it that nobody collides.
"""

from __future__ import annotations

import copy
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from .. import _core
from ..budget import Budget
from ..model.agents import NOWHERE
from ..model.arrays import IntArray, checked_seed, is_number, is_whole
from ..model.errors import InputError, UnsupportedError
from ..model.events import EventKind
from ..model.grid import Grid
from ..model.random import shuffled
from ..model.space import Space
from .flock import Flock
from .formation import among, in_formation, places_around
from .session import Change, MeasuringSession, Moves, Opener, Session, SessionHolder, View, repeats
from .shared_path import SharedPath

LANES = 3  # places beside a waypoint that are as good
PATIENCE = 12  # turns; if somebody stands still for so long before its place, all fall back for as long
SURE = 2**14  # vertices: whether there is a way is found out at once where the map has no more than these
LOOKS = 8  # units that are looked around for that
SHARE = 0.25  # of a turn's time, for paths of groups


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
        under_way: False once every unit that is still there has got to its place.

    Raises:
        InputError: The goal is blocked, a unit is seen to have no way there, or there is no room around it.
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
        self.goals: dict[int, int] = dict.fromkeys(units, self.goal)
        is_near = self._all_have_ways(space, positions)
        places = places_around(space, self.goal, len(units), taken, grid.place(self.goal))
        offsets = grid.cells(positions[units]).astype(np.float64)
        offsets -= np.rint(offsets.mean(axis=0))  # whole cells, so that a formation that fits stays exact
        chosen = in_formation(offsets, (grid.cells(places) - grid.cells(places[:1])).astype(np.float64))
        self.goals = dict(zip(units, places[chosen].tolist(), strict=True))
        self.under_way = True
        self._set_out()
        self._shared = SharedPath(grid, self.goal, order.own_steps)
        if is_near:
            self._find_path(space, positions, Budget())

    def _set_out(self) -> None:
        self._time = 0  # turns since then
        self._next: dict[int, int] = {}  # the waypoint of each unit; one too many: its own goal
        self._heading: dict[int, int] = {}  # what the planner takes for its goal
        self._lanes: dict[int, dict[int, int]] = {}  # by waypoint, where those go who pass beside it
        self._flock: Flock | None = None
        self._leader_waits = False
        self._stood: dict[int, tuple[int, int]] = {}  # where each stands, for how many turns
        self._jam = 0  # turns since the last one
        self._returns: dict[int, int] = {}  # turns after it until each heads for its place again

    @property
    def units(self) -> tuple[int, ...]:
        """The units that are still in the group, as indices."""
        return tuple(self.goals)

    @property
    def path(self) -> IntArray:
        """The vertices of the path that they share; none while it is looked for, or if there is none."""
        return self._shared.vertices

    @property
    def path_is_known(self) -> bool:
        """Whether the path has been found, or that there is none; False while it is being looked for."""
        return self._shared.is_known

    def _all_have_ways(self, space: _core.Space, positions: IntArray) -> bool:
        """Refuses units that are seen to have no way; False if it would take too long to be sure."""
        units = np.array(self.order.units)
        around, _, is_all = _core.surroundings(space, self.goal, SURE)
        left = units[~among(around, positions[units], self.grid.n)]
        is_near = not left.size
        for _ in range(LOOKS):
            if not left.size:
                break
            position = int(positions[left[0]])
            beside, _, is_pocket = _core.surroundings(space, position, SURE)
            if is_all or (is_pocket and self.goal not in beside):
                place, goal = self.grid.place(position), self.grid.place(self.goal)
                raise InputError(f"there is no way from {place} to {goal}")
            left = left[1:][~among(beside, positions[left[1:]], self.grid.n)]
        return is_near

    def _find_path(self, space: _core.Space, positions: IntArray, budget: Budget) -> None:
        """Goes on looking for the shared path; once it is known all head for their first waypoints."""
        first = self.order.leader if self.order.leader in self.goals else self._middle(positions)
        if first is None or not self._shared.find(space, int(positions[first]), budget):
            return
        begin, leads = int(positions[first]), first == self.order.leader
        there = {unit: int(positions[unit]) for unit in self.goals if positions[unit] != NOWHERE}
        self._next = {unit: self._shared.first_for(position, begin) for unit, position in there.items()}
        followers = {unit: position for unit, position in there.items() if unit != first}
        self._flock = Flock(self.grid, begin, followers) if leads and self._shared.waypoints else None
        self._lanes.clear()

    def _middle(self, positions: IntArray) -> int | None:
        """The unit in the middle of them."""
        units = [unit for unit in self.goals if positions[unit] != NOWHERE]
        if not units:
            return None
        cells = self.grid.cells(positions[units]).astype(np.float64)
        off_centre = ((cells - cells.mean(axis=0)) ** 2).sum(axis=1)
        return units[int(np.argmin(off_centre))]

    # Under way

    def turn(
        self, space: _core.Space, walls_changed: bool, positions: IntArray, budget: Budget
    ) -> Iterator[tuple[int, int]]:
        """Decides where units head for from now on.

        Until the shared path is known they stay where they are or, if it has been closed, keep to that.

        Args:
            space: The core's form of the space, with the walls as they are now.
            walls_changed: Whether they may be others than in the last turn.
            positions: Per agent its vertex, -1 for those that are gone.
            budget: What may be used to look for a path.

        Yields:
            A unit that heads for somewhere else than before, and the vertex; -1 for one that is gone.
        """
        self._time += 1
        if walls_changed:
            self._shared.walls_changed(space)
        if not self._shared.is_known:
            self._find_path(space, positions, budget)
        self._notice_jam(positions)
        self._lead(positions)
        for unit in self.goals:
            position = int(positions[unit])
            heading = self._heading_of(unit, position, space) if position != NOWHERE else NOWHERE
            if self._heading.get(unit) != heading:
                self._heading[unit] = heading
                yield unit, heading
        self.under_way = any(positions[unit] not in (goal, NOWHERE) for unit, goal in self.goals.items())

    def _lead(self, positions: IntArray) -> None:
        """Lets the flock know where its leader is; without a leader, all follow the path themselves."""
        leader, flock = self.order.leader, self._flock
        if flock is None or leader is None:
            return
        there = {unit: int(positions[unit]) for unit in self.goals if positions[unit] != NOWHERE}
        if leader in there:
            flock.leader_is_at(there.pop(leader))
            self._leader_waits = flock.waits(there)
            return
        self._flock, last = None, self._next.get(leader, 0)
        self._next = {unit: self._shared.nearest(position, last) for unit, position in there.items()}

    def _heading_of(self, unit: int, position: int, space: _core.Space) -> int:
        shared, leader = self._shared, self.order.leader
        if not shared.is_known and not shared.waypoints:
            return self._heading.get(unit, position)
        if self._flock is not None and unit != leader:
            leads = self._next.get(leader, 0) < len(shared.waypoints) if leader is not None else False
            return self._flock.spot(unit, self._time, space) if leads else self._last_heading(unit)
        place = self._next[unit] = shared.next_after(self._next.get(unit, 0), position)
        if place == len(shared.waypoints):
            return self._last_heading(unit)
        if self._flock is not None and self._leader_waits:
            return position
        beside = self._beside(place, space) if self.order.detours else {}
        return beside.get(unit, shared.waypoints[place])

    def _last_heading(self, unit: int) -> int:
        """Its place; after a jam at first a place before it."""
        is_back = self._jam < self._returns.get(unit, 0)
        return self._shared.before_the_end if is_back else self.goals[unit]

    def _beside(self, place: int, space: _core.Space) -> dict[int, int]:
        """Some of the units, with a place beside the waypoint."""
        if place not in self._lanes:
            beside, (units, seed) = self._shared.beside(place, space), (self.order.units, self.order.seed)
            lanes = [beside[k] for k in shuffled(len(beside), seed, 2 * place).tolist()[:LANES]]
            drawn = shuffled(len(units), seed, 2 * place + 1)[: round(self.order.detours * len(units))]
            chosen = {units[k]: lanes[k % len(lanes)] for k in drawn.tolist()} if lanes else {}
            self._lanes[place] = chosen
        return self._lanes[place]

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
        row, col = self.grid.place(self._shared.before_the_end)
        places = {unit: self.grid.place(goal) for unit, goal in self.goals.items()}
        depths = {unit: abs(place[0] - row) + abs(place[1] - col) for unit, place in places.items()}
        deepest = max(depths.values())
        self._returns = {unit: PATIENCE + deepest - depth for unit, depth in depths.items()}
        self._jam = 0
        self._stood.clear()

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

    def step(self, view: View, *, budget: Budget) -> Moves:
        """One turn of the planner, with the waypoints for goals."""
        changes = self._heard(view)
        if getattr(self.session, "is_new", False):  # another planner takes over: it knows of no headings
            self._tell_again()
        kinds = {kind for _, kind, _, _ in changes}
        walls_changed = self._failed or not kinds.isdisjoint((EventKind.BLOCK, EventKind.FREE))
        self._failed = False
        if self.groups:
            space, some = view.space, _share_of(budget)
            for group in self.groups:
                for unit, vertex in group.turn(space, walls_changed, view.positions, some):
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


def _share_of(budget: Budget) -> Budget:
    """What groups may use of a turn to find their paths: a part of its time; the planner has the rest."""
    if budget.seconds is None:
        return budget
    return Budget(max(min(SHARE * budget.seconds, budget.seconds - budget.elapsed), 0))
