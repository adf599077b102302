"""Independence detection (Standley 2010): plan apart what does not collide.

Every agent is first planned alone. As long as the plans of two groups collide, something is done about it:

- Simple independence detection (SID) merges the two and plans them jointly.
- Independence detection (ID) first looks for another plan of the *same cost* for one group that keeps clear
  of the other, then the other way round. If both fail or the two have collided before, it plans them jointly;
  and only if that costs more than the two apart, or they collide yet again, does it merge them.

Every search prefers, among plans of equal cost, one that collides least with the plans of all others (as
printed, those of SID do not). The time that it takes is dominated by the largest group, so the fewer merges
the better. The plan is optimal, because each group's plan is, and no group's cost can be lower in the company
of the others.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal

import numpy as np

from .. import _core
from ..budget import Budget
from ..model.arrays import IntArray
from ..model.plan import Plan
from ..model.problem import Problem
from ..model.result import Result, Status
from ..model.support import Support, supported
from ..model.to_core import compile_rules, compiled_space
from .cbs import CBS
from .group_planning import (
    UNSTORED,
    GroupPlanner,
    LaidPaths,
    PlannedGroup,
    Terms,
    without_needless_end,
)
from .icts import ICTS
from .joint import OD, Standard
from .parameters import check_parameters, improvement, parameter
from .printed import PrintedForm
from .solver import SolverInfo

VERTEX = int(_core.CollisionKind.vertex.value)
Inner = Literal["od", "standard", "cbs", "icts"]
Avoidance = Literal["all", "later", "none"]
AVOIDANCE = (
    "which searches prefer paths that collide least with the other groups (the conflict avoidance table): "
    '`"all"`; `"later"`, all but the first plans of single agents; or `"none"`'
)
INNER: dict[str, type[Standard] | type[CBS] | type[ICTS]] = {
    "od": OD,
    "standard": Standard,
    "cbs": CBS,
    "icts": ICTS,
}


@dataclass(eq=False)
class NumberedGroup(PlannedGroup):
    """A group of independence detection: those made earlier have lower numbers."""

    id: int


class OutOfBudget(Exception):  # noqa: N818  # not an error: the way out of a search
    """A group could not be planned within the budget."""


class NoPlan(Exception):  # noqa: N818
    """A group of agents has no plan at all, so that the problem has none."""


@dataclass(frozen=True)
class OverGroups:
    """What plans groups of agents by another optimal solver, `inner`: "od", "standard", "cbs" or "icts"."""

    inner: Inner = parameter("od", help="the optimal solver that plans groups")

    def __post_init__(self) -> None:
        check_parameters(self)

    as_printed = PrintedForm()

    def supports(self, problem: Problem) -> Support:
        """Whatever the inner solver does."""
        return supported(INNER[self.inner](), problem)


@dataclass(frozen=True)
class SID(OverGroups):
    """Simple independence detection: agents that collide are planned together."""

    inner_printed: bool = parameter(
        False,
        help="plan groups by the inner solver as printed; by `cbs` or `icts` without a joint search",
        printed=True,
        why="groups are planned sooner, at the same cost",
    )
    avoidance: Avoidance = parameter(
        "all",
        help=AVOIDANCE,
        printed="none",
        why="fewer groups collide, so fewer are merged",
    )
    conflict: Literal["small", "first"] = parameter(
        "small",
        help='which conflict is dealt with: `"first"`, the first in time, of several that of the lowest '
        'agents; `"small"`, of groups that have collided least often, then of those that make the smallest',
        printed="first",
        why="large groups are formed last, when there may be no need for them",
    )
    known_bounds: bool = improvement(
        help="tell a search what its group costs at least: then it does not tell cheaper nodes apart by cost",
        why="a search goes where it collides least, instead of through all that is cheaper than any plan",
    )

    name: ClassVar[str] = "sid"
    info: ClassVar[SolverInfo] = replace(Standard.info, category="coupled where needed")

    def planner(self, problem: Problem) -> GroupPlanner:
        """Makes what plans groups.

        Args:
            problem: The problem whose agents are planned.

        Returns:
            The planner of groups.
        """
        solver = INNER[self.inner]
        if not self.inner_printed:
            return solver().groups(problem)
        if issubclass(solver, Standard):
            return solver.as_printed().groups(problem)
        return solver(joint_takeover=False).groups(problem)

    def detection(self, problem: Problem, budget: Budget) -> Detection:
        """Makes a run of this solver.

        Args:
            problem: What to solve.
            budget: What the run may use.

        Returns:
            The run, before its first step.
        """
        return self._kind()(problem, self, budget)

    def _kind(self) -> type[Detection]:
        return Detection

    def solve(self, problem: Problem, *, budget: Budget, seed: int = 0) -> Result:
        """Plans agents alone, then those that collide together, until no plans collide."""
        detection = self.detection(problem, budget)
        try:
            detection.run()
        except OutOfBudget:
            return Result(
                problem,
                self,
                seed,
                Status.TIMEOUT,
                reason=budget.why() or UNSTORED,
                lower_bound=detection.bound,
                stats=detection.stats,
            )
        except NoPlan as error:
            return Result(problem, self, seed, Status.INFEASIBLE, reason=str(error), stats=detection.stats)
        plan = Plan(problem, without_needless_end(detection.matrix()))
        return Result(problem, self, seed, Status.OPTIMAL, plan, lower_bound=plan.cost, stats=detection.stats)


@dataclass(frozen=True)
class ID(SID):
    """Independence detection: plans apart what does not collide (OD+ID)."""

    avoidance: Avoidance = parameter("all", help=AVOIDANCE)
    evades: Literal["smaller", "lower"] = parameter(
        "smaller",
        help='which of two groups looks for another plan first: `"smaller"`, or the one with the `"lower"` '
        "agent in the conflict",
        printed="lower",
        why="a small group is planned sooner",
    )
    stay_apart: bool = improvement(
        help="two groups that cost no more together than apart take over the paths that they would have "
        "together, and are merged only when they collide again",
        why="a merge is for good, and most are not needed",
    )

    name: ClassVar[str] = "id"

    def _kind(self) -> type[Detection]:
        return EvadingDetection


@dataclass(frozen=True)
class ODID(ID):
    """Independence detection over operator decomposition, by the name it has in the literature."""

    name: ClassVar[str] = "od-id"


@dataclass(frozen=True)
class StandardID(ID):
    """Independence detection over the standard algorithm."""

    inner: Inner = "standard"

    name: ClassVar[str] = "standard-id"


class Detection:
    """One run of SID: the groups, and what is done about their collisions."""

    def __init__(self, problem: Problem, solver: SID, budget: Budget) -> None:
        self._problem = problem
        self._solver = solver
        self._planner = solver.planner(problem)
        self._budget = budget
        self._space, self._rules = compiled_space(problem), compile_rules(problem.rules)
        self._groups: list[NumberedGroup] = []
        self._laid = LaidPaths(problem.n_agents)
        self._merging: IntArray | None = None  # the agents of two groups, until they have a plan together
        self._collisions: Counter[tuple[int, int]] = Counter()  # by the ids of two groups
        self._made = 0
        self._merges = self._resolved = 0
        self._surplus = 0  # what the group that could not be planned in time costs more than its parts

    def run(self) -> None:
        """Until no two groups collide."""
        self._plan_singles()
        while (pair := self._colliding()) is not None:
            one, other = pair
            self._budget.say(
                f"{len(self._groups)} groups, the largest of {max(len(g.agents) for g in self._groups)}"
            )
            self._settle(one, other)

    def _plan_singles(self) -> None:
        """Every agent is a group of its own."""
        avoids = self._solver.avoidance == "all"
        for agent in range(self._problem.n_agents):
            self._groups.append(self._planned(np.array([agent], dtype=np.int32), avoids=avoids))
            self._laid.lay(self._groups[-1])

    def _settle(self, one: NumberedGroup, other: NumberedGroup) -> None:
        """Does something about two groups that collide: merges them."""
        self._collisions[_ids(one, other)] += 1
        self._plan_jointly(one, other)

    @property
    def bound(self) -> int:
        """What the groups cost so far, and the one in the making at least: no plan costs less."""
        return sum(group.cost for group in self._groups) + self._surplus

    @property
    def stats(self) -> dict[str, Any]:
        """Of a run that ended early, the group that it was planning counts too: it is what took so long."""
        merging = [] if self._merging is None else [self._merging]
        groups = [*(group.agents for group in self._groups), *merging]
        largest = max(groups, key=len).tolist() if groups else []
        return {
            "groups": len(self._groups),
            "largest_group": len(largest),
            "in_largest_group": largest,
            "merges": self._merges,
            "resolved": self._resolved,
            "expansions": self._planner.expanded,
            "generated": self._planner.generated,
        }

    def matrix(self) -> IntArray:
        """The paths of all agents."""
        return self._laid.first_rows(max((len(group.paths) for group in self._groups), default=1))

    def _avoided(self, *groups: NumberedGroup) -> IntArray | None:
        """What plans of these groups had better keep clear of: the paths of all others, if there are any."""
        others = [group for group in self._groups if group not in groups]
        if self._solver.avoidance == "none" or not others:
            return None
        return self._laid.without(groups, max(len(other.paths) for other in others))

    def _colliding(self) -> tuple[NumberedGroup, NumberedGroup] | None:
        """The groups whose collision is dealt with next, the one of the lower agent first.

        That is the first in time; or those that have collided least often, since another plan of the same
        cost may do, then those that would make the smallest group, then the first in time.
        """
        of_agent = {int(agent): group for group in self._groups for agent in group.agents}
        pairs = [(of_agent[agent], of_agent[other]) for _, agent, other in self._conflicts()]
        apart = [pair for pair in pairs if pair[0] is not pair[1]]
        if self._solver.conflict == "first":
            return next(iter(apart), None)
        return min(apart, key=self._urgency, default=None)

    def _urgency(self, pair: tuple[NumberedGroup, NumberedGroup]) -> tuple[int, int]:
        one, other = pair
        return self._collisions[_ids(one, other)], len(one.agents) + len(other.agents)

    def _conflicts(self) -> Iterator[tuple[int, int, int]]:
        """Times and two agents, in order. The core dates what happens between two places by its beginning; to
        tell what comes first, it is dated by its end, as places are."""
        found = _core.find_conflicts(self._space, self._rules, self.matrix(), self._budget.core).tolist()
        if self._budget.exhausted:
            raise OutOfBudget
        if self._solver.conflict == "first":
            found = [[time + (kind != VERTEX), kind, *rest] for time, kind, *rest in found]
        yield from sorted((time, one, other) for time, _, one, other, *_ in found)

    def _plan_jointly(
        self, one: NumberedGroup, other: NumberedGroup, *, may_stay_apart: bool = False
    ) -> None:
        """Merges two groups; or, if together they cost no more than apart, only takes over the paths."""
        self._merging = agents = np.sort(np.concatenate([one.agents, other.agents]))
        merged = self._planned(agents, one, other)
        self._merging = None
        if may_stay_apart and merged.cost == one.cost + other.cost:
            for group in (one, other):
                columns = np.searchsorted(agents, group.agents)
                group.paths = np.ascontiguousarray(merged.paths[:, columns])
                self._laid.lay(group)
            self._resolved += 1
            return
        self._groups = [*(group for group in self._groups if group not in (one, other)), merged]
        self._laid.lay(merged)
        self._merges += 1

    def _planned(self, agents: IntArray, *parts: NumberedGroup, avoids: bool = True) -> NumberedGroup:
        """A new group, made of these parts."""
        apart = sum(part.cost for part in parts)
        at_least = apart if self._solver.known_bounds else 0
        terms = Terms(at_least, avoid=self._avoided(*parts) if avoids else None)
        try:
            paths = planned_or_none(self._planner, agents, self._budget, terms)
        except OutOfBudget:
            self._surplus = max(0, self._planner.lower_bound - apart)
            raise
        if paths is None:
            raise NoPlan(no_plan_for(self._problem, agents))
        self._made += 1
        return NumberedGroup(agents, paths, self._planner.cost, self._made)


class EvadingDetection(Detection):
    """One run of ID: groups that collide look for other plans before they are merged."""

    _solver: ID

    def _settle(self, one: NumberedGroup, other: NumberedGroup) -> None:
        if self._solver.evades == "smaller":
            one, other = in_order(one, other)
        before = self._collisions[_ids(one, other)]
        self._collisions[_ids(one, other)] += 1
        if before == 0 and (self._evades(one, other) or self._evades(other, one)):
            self._resolved += 1
        else:
            self._plan_jointly(one, other, may_stay_apart=self._solver.stay_apart and before <= 1)

    def _evades(self, group: NumberedGroup, other: NumberedGroup) -> bool:
        """Finds another plan of the same cost for a group that keeps clear of the other one."""
        at_least = group.cost if self._solver.known_bounds else 0
        terms = Terms(at_least, group.cost, other.paths, self._avoided(group, other))
        paths = planned_or_none(self._planner, group.agents, self._budget, terms)
        if paths is None:
            return False
        group.paths = paths
        self._laid.lay(group)
        return True


def _ids(one: NumberedGroup, other: NumberedGroup) -> tuple[int, int]:
    """What collisions of two groups are counted by."""
    return min(one.id, other.id), max(one.id, other.id)


def planned_or_none(planner: GroupPlanner, agents: IntArray, budget: Budget, terms: Terms) -> IntArray | None:
    """The paths of a group, None if there are none; OutOfBudget where that cannot be known."""
    paths = planner.plan(agents, budget, terms)
    if paths is None and planner.ended_early:
        raise OutOfBudget
    return paths


def no_plan_for(problem: Problem, agents: IntArray) -> str:
    """The sentence about a group that has no plan."""
    names = ", ".join(problem.names[agent] for agent in agents[:5])
    more = f" and {len(agents) - 5} more" if len(agents) > 5 else ""
    return f"there is no plan for agents {names}{more} even without the others"


def in_order(one: NumberedGroup, other: NumberedGroup) -> tuple[NumberedGroup, NumberedGroup]:
    """Two groups, the smaller and then the older first: another plan is found sooner for a small one."""
    return (one, other) if (len(one.agents), one.id) < (len(other.agents), other.id) else (other, one)
