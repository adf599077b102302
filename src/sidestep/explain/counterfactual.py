"""What if? A plan from some time on, in which one agent goes the way that it would have liked.

As little as possible is changed: whoever the wish does not collide with keeps its path, if it can. Those in
the way plan again, around the wish and around everybody who keeps its path; if that is impossible, around
those only who have planned again before, and then those in *their* way plan again in turn. Whoever finds
nothing goes first in the next attempt. If no attempt succeeds, all others are planned jointly by CBS.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from .. import _core
from ..arrays import IntArray
from ..budget import Budget
from ..compiled import compile_rules, compiled_space
from ..dialogue.negotiation import OutOfBudget
from ..plan import Plan
from ..problem import IDLE
from ..solvers.cbs import CBS
from ..solvers.groups import marked_gone
from ..solvers.pca import parley_of
from ..validate import ViolationKind
from .answer import Cause, rests
from .step import ABSENT

ATTEMPTS = 12  # orders in which those in the way may plan again
JOINT_NODES = 400  # of the constraint tree over all others, for each wish
TABLES = 1 << 25  # vertices in all of whose distance tables are kept for wishes

_KINDS = {
    _core.ConflictKind.vertex.value: ViolationKind.VERTEX,
    _core.ConflictKind.swap.value: ViolationKind.SWAP,
    _core.ConflictKind.crossing.value: ViolationKind.CROSSING,
    _core.ConflictKind.following.value: ViolationKind.FOLLOWING,
}


class NoWay(Exception):  # noqa: N818  # an outcome, not an error
    """Others cannot make way; `agent` has no path around the wish alone, or None: none was found together."""

    def __init__(self, agent: int | None) -> None:
        super().__init__(agent)
        self.agent = agent


class Fork:
    """A plan that is left at some time: everybody's path from then on, to be told anew."""

    def __init__(self, plan: Plan) -> None:
        self.plan, self.problem = plan, plan.problem
        self._parley = parley_of(plan.problem, cache=False)
        self._time = -1
        self._rests: list[IntArray] = []
        self._present: list[int] = []

    def begin(self, time: int) -> None:
        """Everybody goes as planned from this time on."""
        if time != self._time:
            self._time, self._rests = time, rests(self.plan, time)
            self._present = np.flatnonzero(self.plan.vertices[time] != ABSENT).tolist()
        self._parley.begin(np.ascontiguousarray(self.plan.vertices[time]))
        for agent in self._present:
            self._parley.tell(agent, self._rests[agent])

    def around_all(self, agent: int, budget: Budget) -> IntArray | None:
        """The cheapest path of the agent around all others as they go now."""
        return self._find(agent, [other for other in self._present if other != agent], budget)

    def in_the_way(self, agent: int, wish: IntArray) -> tuple[Cause, ...]:
        """The first collision with each of those whose planned paths a wish collides with, by time."""
        self.begin(self._time)
        self._parley.tell(agent, wish)
        found = self._parley.first_conflicts().tolist()
        causes = [self._cause(agent, wish, row) for row in found]
        return tuple(sorted(causes, key=lambda cause: (cause.time, cause.agent)))

    def let_go_first(self, agent: int, wish: IntArray, budget: Budget) -> dict[int, IntArray]:
        """The paths that change if the agent goes the way it would have liked; raises NoWay."""
        first: list[int] = []  # of those who plan again; whoever found no path before
        for _ in range(ATTEMPTS):
            self.begin(self._time)
            self._parley.tell(agent, wish)
            stuck = self._make_way(agent, first, budget)
            if stuck is None:
                return {agent: wish, **self._improved(agent, budget)}
            if self._find(stuck, [agent], budget) is None:
                raise NoWay(stuck)
            if first[:1] == [stuck]:
                break
            first = [stuck, *(other for other in first if other != stuck)]
        raise NoWay(None)

    def let_go_first_jointly(self, agent: int, wish: IntArray, budget: Budget) -> dict[int, IntArray]:
        """The same by a search for the cheapest paths of all others together; raises NoWay."""
        others = np.array([other for other in self._present if other != agent], dtype=np.int32)
        found = _core.cbs(
            compiled_space(self.problem),
            compile_rules(self.problem.rules),
            np.ascontiguousarray(self.plan.vertices[self._time, others]),
            np.ascontiguousarray(self.problem.goals[others]),
            CBS().options(),
            tree_limit=JOINT_NODES,
            illegal=marked_gone(self.problem, np.array([agent]), wish[:, None]),
            budget=budget.core,
        )
        if found.outcome is not _core.Outcome.found:
            raise NoWay(None)
        return {agent: wish, **dict(zip(others.tolist(), found.paths, strict=True))}

    def _make_way(self, agent: int, first: list[int], budget: Budget) -> int | None:
        """Those in the way plan again until nobody collides; returns who found no path, or None."""
        settled, waiting = [agent], list(first)
        while True:
            conflicts = self._parley.first_conflicts().tolist()
            clashing = {one for _, _, *pair, _ in conflicts for one in pair} - set(settled)
            if not waiting and not conflicts:
                return None
            if waiting:
                replans = waiting.pop(0)
            else:
                _, _, one, other, _ = conflicts[0]
                replans = other if one in settled else one
            keep = [one for one in self._present if one not in clashing and one not in (*settled, replans)]
            path = self._find(replans, settled + keep, budget)
            if path is None:
                path = self._find(replans, settled, budget)
            if path is None:
                return replans
            self._parley.tell(replans, path)
            settled.append(replans)

    def _improved(self, agent: int, budget: Budget) -> dict[int, IntArray]:
        """The paths that others have changed, after each has looked for a cheaper one once more."""
        changed = {}
        for other in self._present:
            path = self._parley.path(other)
            if other == agent or np.array_equal(path, self._rests[other]):
                continue
            before = self._parley.cost(other)
            better = self.around_all(other, budget)
            if better is not None:
                self._parley.tell(other, better)
                if self._parley.cost(other) < before:
                    path = better
                else:
                    self._parley.tell(other, path)
            changed[other] = path
        return changed

    def _find(self, agent: int, others: list[int], budget: Budget) -> IntArray | None:
        path: IntArray | None = self._parley.find(agent, others, budget.core)  # type: ignore[assignment]
        if path is None and budget.exhausted:
            raise OutOfBudget
        return path

    def _cause(self, agent: int, wish: IntArray, conflict: list[int]) -> Cause:
        """A conflict as the judge would date and place it."""
        time, kind, one, two, _ = conflict
        other = two if one == agent else one
        here, there = (int(wish[min(at, len(wish) - 1)]) for at in (time, time + 1))
        vertex, when = there, time + 1
        if _KINDS[kind] is ViolationKind.VERTEX:
            vertex, when = here, time
        elif _KINDS[kind] is ViolationKind.FOLLOWING and self._at(other, time) != there:
            vertex = here  # the other enters behind it
        return Cause(other, self.problem.space.place(vertex), self._time + when, _KINDS[kind])

    def _at(self, agent: int, time: int) -> int:
        rest = self._rests[agent]
        return int(rest[min(time, len(rest) - 1)])


class Wishes:
    """The ways that agents would have liked to go: shortest ways that meet as few others as possible."""

    def __init__(self, plan: Plan) -> None:
        self.plan, self.problem = plan, plan.problem
        self._new_planner()

    def _new_planner(self) -> None:
        self._space = compiled_space(self.problem)
        self._planner = _core.JointPlanner(self._space, compile_rules(self.problem.rules))
        self._goals: set[int] = set()

    def of(self, agent: int, time: int, steps_left: Any, budget: Budget) -> Iterator[IntArray]:
        """The best one first, then the best that begin with other steps."""
        goal, here = int(self.problem.goals[agent]), int(self.plan.vertices[time, agent])
        if goal in (here, IDLE):
            yield np.array([here], dtype=np.int32)
            return
        best = self._shortest(agent, here, time, budget)
        yield best
        for step in self._space.successors(here).tolist():
            if step != best[1] and steps_left(agent, step) == len(best) - 2:
                rest = self._shortest(agent, step, time + 1, budget)
                yield np.concatenate([[np.int32(here)], rest])

    def _shortest(self, agent: int, start: int, time: int, budget: Budget) -> IntArray:
        goal = int(self.problem.goals[agent])
        if len(self._goals) * self._space.size > TABLES:
            self._new_planner()
        self._goals.add(goal)
        rows = self.plan.vertices[min(time, self.plan.makespan) :]
        paths: Any = self._planner.plan(
            np.array([start], dtype=np.int32),
            np.array([goal], dtype=np.int32),
            decompose=True,
            duplicates=_core.Duplicates.standard,
            pairs=False,
            at_least=0,
            cost_limit=None,
            illegal=None,
            avoid=np.ascontiguousarray(np.delete(rows, agent, axis=1)),
            budget=budget.core,
        )
        if paths is None:
            raise OutOfBudget
        path: IntArray = paths[:, 0]
        return np.ascontiguousarray(path[: int(np.argmax(path == goal)) + 1])
