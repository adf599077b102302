"""A search that is run bit by bit: some nodes per frame, goals that move."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .. import _core
from ..budget import Budget
from ..model.arrays import is_number
from ..model.errors import InputError
from .route import Route

if TYPE_CHECKING:
    from .finder import Finder

_FOUND, _NO_PATH = _core.Ending.found, _core.Ending.no_path


class Search:
    """A* from a start to a goal, run bit by bit; made by `Finder.search`.

    Between two bits there is always a way: to the open place of lowest f, of several the one nearest to the
    goal. The goal may move; what is known of the ways from the start is kept. If walls change, it begins
    again.

    Args:
        finder: The map.
        start: The vertex where the way begins.
        goal: The vertex where it ends.
    """

    def __init__(self, finder: Finder, start: int, goal: int) -> None:
        self._finder = finder
        self._start, self._goal = start, goal
        self._expanded = 0
        self._begun = self._aimed = self._walked = False
        self._begin_again("it has not run yet")

    @property
    def done(self) -> bool:
        """Whether the way is found, or it is certain that there is none."""
        return self._ending in (_FOUND, _NO_PATH) and self._changes == self._finder._changes

    def run(
        self, *, seconds: float | None = None, nodes: int | None = None, distance: float | None = None
    ) -> Route:
        """Goes on until the way is found or a limit is reached.

        Args:
            seconds: How long this bit may take; None is no limit.
            nodes: How many nodes this bit may expand; None is no limit.
            distance: Ends the search before the first place that is this far from the start, in straight
                steps.

        Returns:
            The way so far.

        Raises:
            InputError: A limit is not valid, or the start or the goal has been blocked.
        """
        reach = self._reach(distance)
        budget = Budget(seconds, nodes)
        self._look_at_walls()
        if not self.done and self._ready(budget):
            self._ending = self._core.run(budget.core, reach)
        self._expanded += budget.nodes
        far = f"the distance of {distance} was reached"
        self._why = far if self._ending == _core.Ending.far_enough else budget.why()
        return self.route

    def retarget(self, goal: Any) -> None:
        """Moves the goal: the next run heads there, and begins with all that was found so far.

        Args:
            goal: The new goal.

        Raises:
            InputError: It is blocked or not on the map.
        """
        self._goal = self._finder._vertex(goal, "goal")
        self._aimed = False
        self._ending, self._why = _core.Ending.out_of_budget, "it has not run since the goal moved"

    def walk_to(self, place: Any) -> None:
        """Moves the start: the unit has walked, perhaps along the way so far, and the next way begins here.

        So a way is found in sections, each of which begins where the one before has ended, while the goal may
        move, too. What was found of the ways that lead through this place is kept for the next run; if the
        search has not been here, it begins anew.

        Args:
            place: Where the unit is now.

        Raises:
            InputError: It is blocked or not on the map.
        """
        start = self._finder._vertex(place, "start")
        if start == self._start:
            return
        self._start, why = start, "it has not run since the unit walked"
        if not self._begun or self._changes != self._finder._changes:
            self._begin_again(why)
        self._walked = self._begun
        self._ending, self._why = _core.Ending.out_of_budget, why

    @property
    def memory(self) -> int:
        """Bytes that it takes for the ways that it has found; it grows with the places it has been to."""
        return self._core.bytes

    @property
    def route(self) -> Route:
        """The way so far."""
        self._look_at_walls()
        length, vertices = 0, np.array([self._start], dtype=np.int32)
        if self._ending == _NO_PATH:
            length, vertices = -1, vertices[:0]
        elif self._begun and self._aimed and not self._walked:
            end = self._goal if self._ending == _FOUND else self._core.most_promising()
            length, vertices = self._core.path(end)
        return self._finder._route(self._ending, vertices, length, self._expanded, self._why)

    def _begin_again(self, why: str) -> None:
        self._changes = self._finder._changes
        self._core = self._finder._now().search(self._finder._queue)
        self._begun = self._aimed = self._walked = False
        self._ending, self._why = _core.Ending.out_of_budget, why

    def _look_at_walls(self) -> None:
        """Begins again if they have changed; an InputError if there is one on the start or the goal now."""
        if self._changes == self._finder._changes:
            return
        for vertex, what in ((self._start, "start"), (self._goal, "goal")):
            self._finder._vertex(self._finder.space.place(vertex), what)
        self._begin_again("it has not run since walls changed")

    def _ready(self, budget: Budget) -> bool:
        """Begins, or takes up where the unit is now and where the goal is. False: the budget ran out."""
        if self._walked:
            self._walked = False
            self._begun = self._core.walk_to(self._start, budget.core)
        if not self._begun:
            self._begun = self._aimed = self._core.begin(self._start, self._goal, budget.core)
        elif not self._aimed:
            self._aimed = self._core.retarget(self._goal, budget.core)
        return self._aimed

    def _reach(self, distance: Any) -> int:
        if distance is None:
            return -1
        if not is_number(distance) or not 0 <= distance < 2**28:
            raise InputError(f"a distance is a number, 0 or more, not {distance!r}")
        return int(distance * (_core.STRAIGHT if self._finder.terrain.octile else 1))
