"""How a world asks its session: what it tells it of changes, and what it does when the session fails."""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable, Sequence
from typing import Any

from .. import _core
from ..budget import Budget
from ..model.errors import InputError
from ..model.events import EventKind
from ..model.problem import Problem
from ..model.space import Space
from .one_thread import OneThread, one_thread
from .session import Change, SessionHolder, View

logger = logging.getLogger("sidestep.world")

# A planner is late if it takes more than this many times its budget and this many seconds on top.
# Ours stop by themselves; a planner in Python may need a moment to look at the clock.
LATE_FACTOR, LATE_SLACK = 2.0, 0.005

MOST_TURN_TIMES = 10_000  # how many of the last turns are remembered

MANY_FAILURES = 10  # turns in a row in which nobody moves, after which the log has an error


class Asking(SessionHolder, OneThread):
    """The part of a world that talks to its session."""

    _core: _core.World
    _problem: Problem
    _names: list[str]
    space: Space

    def __init__(self) -> None:
        super().__init__()
        self._heard = 0  # how many changes the session has been told of
        self._untaken: Sequence[Change] = []  # what it was told in no turn that got through
        self._failed = False  # is the session still as a failure left it?
        self.planner_error: Exception | None = None  # what the planner raised last
        self.failed_turns, self._late = 0, False
        self.turn_times: deque[float] = deque(maxlen=MOST_TURN_TIMES)

    @property
    def trouble(self) -> str:
        """A sentence if nobody moved in the last turn because the planner failed; empty else."""
        if not self.failed_turns:
            return ""
        turns = "turn" if self.failed_turns == 1 else f"{self.failed_turns} turns"
        how, error = "was late" if self._late else "failed", self.planner_error
        last = "" if self._late or error is None else f": {type(error).__name__}: {error}"
        return f"the planner {how} in the last {turns}, and everybody waits{last}"

    @one_thread
    def think(self, budget: float | Budget | None = None, *, nodes: int | None = None) -> bool:
        """Plans ahead for the next turn, so that planning is spread over the frames between two turns.

        Who has planned by then does not plan again in the turn, unless something changes before it. The
        sessions of CA*, HCA* and WHCA* think ahead; for all others, groups included, this does nothing.

        Args:
            budget: What the planner may use: seconds, or a `Budget`; None is no limit.
            nodes: How many nodes it may expand; None is no limit.

        Returns:
            True if there is nothing left to think about: the next turn is one look at every agent.

        Raises:
            InputError: A limit is not valid, or both a `Budget` and nodes are given.
        """
        given = budget_of(budget, nodes)
        if not hasattr(self.session, "think"):
            return True
        return bool(self._answer(lambda session, view: bool(session.think(view, budget=given))))

    def _ask(self, budget: Budget) -> tuple[EventKind | None, Any]:
        """What the planner proposes, and what was wrong with how it did."""
        begin = budget.elapsed
        moves = self._answer(lambda session, view: session.step(view, budget=budget))
        seconds, took = budget.seconds, budget.elapsed - begin
        self.turn_times.append(took)
        if self._failed:
            return EventKind.RAISED, None
        if seconds is not None and took > LATE_FACTOR * seconds + LATE_SLACK:
            return EventKind.LATE, None
        return None, moves

    def _answer(self, ask: Callable[[Any, View], Any]) -> Any:
        """What the session answers, which hears of all changes; None if it raised."""
        try:
            view = self._view()
            self._failed = True  # unless it gets through
            answer = ask(self.session, view)
        except Exception as error:
            self.planner_error, self._failed = error, True
            logger.warning("the planner raised in turn %d: everybody waits", self._core.time, exc_info=True)
            return None
        self._failed, self._untaken = False, []
        return answer

    def _view(self) -> View:
        """What the session sees this turn. A session that failed is renewed, and told all it must know."""
        changes, count = self._untaken, self._core.change_count
        if count > self._heard:
            changes = [*changes, *map(tuple, self._core.changes(self._heard).tolist())]
            self._heard = count
        self._untaken = changes
        view = View(self._core, self.space, self._names, changes)
        if self._failed and self.renew():
            return view.with_changes(view.changes_since(self._problem))
        return view

    def _count(self, fault: EventKind | None) -> None:
        """Counts turns in which the planner failed. A world that does not move any more must say so."""
        self.failed_turns = 0 if fault is None else self.failed_turns + 1
        self._late = fault is EventKind.LATE
        if self.failed_turns == MANY_FAILURES:
            logger.error(self.trouble)


def budget_of(budget: float | Budget | None, nodes: int | None) -> Budget:
    """Limits as a budget."""
    if not isinstance(budget, Budget):
        return Budget(budget, nodes)
    if nodes is not None:
        raise InputError("a Budget has its own node limit: give one or the other")
    return budget
