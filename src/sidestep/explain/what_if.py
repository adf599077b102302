"""What would have happened, had an agent gone the way that it would have liked: plans that were tried."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace

import numpy as np

from ..budget import Budget
from ..dialogue.negotiation import OutOfBudget
from ..model.agents import IDLE
from ..model.arrays import IntArray
from ..model.plan import Plan
from .answer import Cause, continued
from .claim import Claim
from .claims import (
    Alternative,
    Closed,
    Detour,
    Does,
    IsThere,
    LeavesFirst,
    Meets,
    MeetsOnly,
    NotFound,
    NoWayAround,
    Sooner,
    TooFar,
    Way,
)
from .counterfactual import ATTEMPTS, Fork, NoWay
from .manners import manner_of
from .step import Doing, Ways
from .wishes import Wishes


@dataclass(frozen=True)
class Case:
    """An agent's wish from a time on, whom it would meet, and what came of it."""

    agent: int
    time: int
    wish: IntArray
    met: tuple[Cause, ...] = ()
    other: Plan | None = None
    blocked: tuple[int, ...] = ()
    around: Plan | None = None


class WhatIf:
    """Tries what would have been in one plan."""

    def __init__(self, plan: Plan, ways: Ways) -> None:
        self.plan, self.problem, self._ways = plan, plan.problem, ways
        self._fork, self._wishes = Fork(plan), Wishes(plan)

    def claims(self, does: Does, budget: Budget) -> list[Claim]:
        """Who is in the agent's way, and what its own way would have cost; may raise OutOfBudget."""
        if budget.exhausted:
            raise OutOfBudget
        return list(self._told(self._case(does.agent, does.time, budget), Doing(does.doing), budget))

    def because(self, agent: int, time: int, budget: Budget) -> tuple[Cause, ...]:
        """Only who is in the way of the agent at a time."""
        self._fork.begin(time)
        if self._free_wish(agent, time, self._fork.around_all(agent, budget)) is not None:
            return ()
        return self._fork.in_the_way(agent, next(self._wishes.of(agent, time, self._ways.left, budget)))

    # The agent's own way

    def _case(self, agent: int, time: int, budget: Budget) -> Case:
        self._fork.begin(time)
        around = self._fork.around_all(agent, budget)
        free = self._free_wish(agent, time, around)
        if free is not None:
            return Case(agent, time, free, other=continued(self.plan, time, {agent: free}))
        better = None if around is None else continued(self.plan, time, {agent: around})
        cheaper = better is not None and better.cost < self.plan.cost
        cases = (
            Case(agent, time, wish, self._fork.in_the_way(agent, wish), around=better if cheaper else None)
            for wish in self._wishes.of(agent, time, self._ways.left, budget)
        )
        return self._let_go_first(cases, budget)

    def _let_go_first(self, cases: Iterable[Case], budget: Budget) -> Case:
        """Others make way for the first wish for which they can, one by one or else jointly."""
        blocked: list[Case] = []
        undecided: list[Case] = []
        for case in cases:
            try:
                return self._with_paths(case, self._fork.let_go_first(case.agent, case.wish, budget))
            except NoWay as none:
                (blocked if none.agents else undecided).append(replace(case, blocked=none.agents))
            except OutOfBudget:
                undecided.append(case)
            if budget.exhausted:
                break
        for case in undecided:
            with suppress(NoWay):
                return self._with_paths(case, self._fork.let_go_first_jointly(case.agent, case.wish, budget))
        return (blocked + undecided)[0]

    def _with_paths(self, case: Case, paths: dict[int, IntArray]) -> Case:
        return replace(case, other=continued(self.plan, case.time, paths))

    def _free_wish(self, agent: int, time: int, around: IntArray | None) -> IntArray | None:
        """A shortest way that collides with nobody, if there is one: then nobody else is the reason."""
        if around is None:
            return None
        here, goal = int(self.plan.vertices[time, agent]), int(self.problem.goals[agent])
        least = 0 if goal in (here, IDLE) else self._ways.left(agent, here)
        return around if len(around) - 1 == least else None

    # As claims

    def _told(
        self, case: Case, doing: Doing, budget: Budget, over: tuple[int, int] | None = None
    ) -> Iterator[Claim]:
        agent, time = case.agent, case.time
        where = {} if over is None else {"over": over[0], "by": over[1]}
        yield Way(agent, time, tuple(case.wish.tolist()), **where)
        for cause in case.met:
            yield self._meets(case, cause, doing)
        yield MeetsOnly(agent, time, tuple(sorted(cause.agent for cause in case.met)))
        if case.other is not None:
            changes = (case.other.costs - self.plan.costs).tolist()
            told = tuple((one, by) for one, by in enumerate(changes) if by)
            yield Alternative(agent, time, case.other, told, sum(changes))
        elif case.blocked:
            yield NoWayAround(agent, time, case.blocked)
        else:
            limit = budget.why() or f"{ATTEMPTS} orders and a joint search were tried"
            yield NotFound(agent, time, "alternative", limit)
        if case.around is not None:
            yield Sooner(agent, time, case.around, self.plan.cost - case.around.cost)

    def _meets(self, case: Case, cause: Cause, doing: Doing) -> Meets:
        place = self.problem.space.vertex(cause.place)
        at = [
            int(self.plan.vertices[min(when, self.plan.makespan), cause.agent])
            for when in (cause.time - 1, cause.time)
        ]
        ends = case.time + len(case.wish) - 1
        there = at[0] == place, at[1] == place
        manner = manner_of(doing, str(cause.kind), there, time=case.time, when=cause.time, ends=ends)
        return Meets(case.agent, case.time, cause.agent, place, cause.time, str(cause.kind), manner)

    # A way over some place

    def why_not(self, agent: int, time: int, place: int, budget: Budget) -> Iterator[Claim]:
        """What speaks against the agent being in a place at a time."""
        if int(self.plan.vertices[time, agent]) == place:
            yield IsThere(agent, time, place)
            return
        if not self._ways.fits(agent, place, time):
            yield Closed(time, place)
            return
        start = int(self.problem.starts[agent])
        steps = self._wishes.between(start, place)
        if steps is None or len(steps) - 1 > time:
            yield TooFar(agent, time, place, None if steps is None else len(steps) - 1)
            return
        steps = self._way(agent, start, place)
        if steps is None or len(steps) - 1 > time:
            goal = int(self.problem.goals[agent])
            yield LeavesFirst(agent, time, place, goal, None if steps is None else len(steps) - 1)
            return
        begin = self._last_chance(agent, time, place)
        wish = self._over(agent, begin, time, place)
        self._fork.begin(begin)
        case = Case(agent, begin, wish, self._fork.in_the_way(agent, wish))
        case = self._let_go_first([case], budget)
        yield from self._told(case, Doing.GOES_ON, budget, (place, time))
        if case.other is None:
            alone = continued(self.plan, begin, {agent: wish})
            yield Detour(agent, begin, int(alone.costs[agent] - self.plan.costs[agent]))

    def _last_chance(self, agent: int, time: int, place: int) -> int:
        """The last time at which the agent could still have turned to the place."""
        for begin in range(time, -1, -1):
            here = int(self.plan.vertices[begin, agent])
            steps = None if here == -1 else self._way(agent, here, place)
            if steps is not None and len(steps) - 1 <= time - begin:
                return begin
        return 0

    def _way(self, agent: int, start: int, place: int) -> list[int] | None:
        """A shortest way of the agent to a place; it ends on its goal, if it leaves the map there."""
        goal = int(self.problem.goals[agent])
        if self.problem.rules.at_goal == "stay" or goal == IDLE:
            return self._wishes.between(start, place)
        return None if start == goal else self._wishes.between(start, place, around=goal)

    def _over(self, agent: int, begin: int, time: int, place: int) -> IntArray:
        """From where it is then to the place, there until the time, and on to its goal."""
        here, goal = int(self.plan.vertices[begin, agent]), int(self.problem.goals[agent])
        there = self._way(agent, here, place)
        assert there is not None
        waits = [here] * (time - begin - len(there) + 1)
        rest = [] if goal in (IDLE, place) else (self._wishes.between(place, goal) or [])[1:]
        return np.array([*waits, *there, *rest], dtype=np.int32)
