"""What agents would have liked to do."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from .. import _core
from ..budget import Budget
from ..dialogue.negotiation import OutOfBudget
from ..model.agents import IDLE, NOWHERE
from ..model.arrays import IntArray
from ..model.plan import Plan
from ..model.to_core import compile_rules, compiled_space

TABLES = 1 << 25  # vertices in all of whose distance tables are kept


class Wishes:
    """The ways that agents would have liked to go: shortest ways that meet as few others as possible."""

    def __init__(self, plan: Plan) -> None:
        self.plan, self.problem = plan, plan.problem
        self._new_planner()

    def between(self, start: int, goal: int, *, around: int = NOWHERE) -> list[int] | None:
        """A shortest way from one place to another, on a third at its end at most; None if there is none."""
        way = self._straight(start, goal)
        return way if way is None or around not in way[:-1] else self._around(start, goal, around)

    def _around(self, start: int, goal: int, avoided: int) -> list[int] | None:
        """The same where the straight way does not do: place after place."""
        before, ring = {start: start}, [start]
        while ring and goal not in before:
            reached = [(there, here) for here in ring for there in self._space.successors(here).tolist()]
            new = {there: here for there, here in reached if there not in before and there != avoided}
            before |= new
            ring = list(new)
        way = [goal] if goal in before else []
        while way and way[-1] != start:
            way.append(before[way[-1]])
        return way[::-1] or None

    def _straight(self, start: int, goal: int) -> list[int] | None:
        left = self._distances.at(goal, start, start, Budget().core)
        if left < 0:
            return None
        way = [start]
        while way[-1] != goal:
            nearer = self._space.successors(way[-1]).tolist()
            left -= 1
            way.append(next(v for v in nearer if self._distances.at(goal, start, v, Budget().core) == left))
        return way

    def _new_planner(self) -> None:
        self._space = compiled_space(self.problem)
        self._distances = _core.Distances(self._space)
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
