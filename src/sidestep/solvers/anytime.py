"""Anytime independence detection, after Standley and Korf (2011): a plan early, the optimal one in the end.

Independence detection has no plan before it is done: its groups have the cheapest plans, but these collide.
Here the plan is always valid, and what is proved about it grows:

- HCA* gives a first plan for everybody, in one order of agents. Where it finds none, LaCAM does, and then
  LaCAM with guidance or HCA* in other orders a cheaper one. (Where none does, agents are planned one after
  another, and one that finds no way is planned jointly with those in its way.)
- Every agent is a group of its own. Of each group we know what it costs now and what it would cost without
  the others; the sum of the latter is a lower bound.
- A group that costs too much plans again around all others. If that does not help, it takes its ideal paths,
  and those in its way plan again around it, if that is cheaper in sum. If that does not help either, it is
  merged with one of them, which raises the bound.

When no group costs more than it would alone, the plan is optimal. Merging ends at the latest with everybody
in one group, so that it always comes to that, given time.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from .. import _core
from ..budget import Budget
from ..model.arrays import IntArray
from ..model.plan import Plan
from ..model.problem import Problem
from ..model.result import Result, Status
from ..model.to_core import compile_rules, compiled_space
from .bounds import Proof, bound_parameter
from .ca import HCA
from .cooperative import cooperating_agents
from .group_planning import (
    NO_TERMS,
    UNSTORED,
    GroupPlanner,
    PlannedGroup,
    Terms,
    by_agent,
    marked_gone,
    side_by_side,
    without_needless_end,
)
from .independence import ID, INNER, NoPlan, OutOfBudget, OverGroups, no_plan_for, planned_or_none
from .lacam import NO_CONFIGURATION, LaCAM
from .solver import SolverInfo

STEPS_OF_LACAM = 1000  # of all agents at once, for a plan to begin with; guidance takes most of them


@dataclass(frozen=True)
class Anytime(OverGroups):
    """Anytime independence detection: a plan early, then better ones, at last the best."""

    bound: float | None = bound_parameter()

    name: ClassVar[str] = "anytime"
    info: ClassVar[SolverInfo] = replace(ID.info, paper="standley2011")

    def solve(self, problem: Problem, *, budget: Budget, seed: int = 0) -> Result:
        """Improves a first plan until it is proved optimal, or good enough, or a limit is reached."""
        found: list[Result] = []

        def report(paths: IntArray, bound: int, stats: dict[str, int]) -> None:
            plan = Plan(problem, without_needless_end(paths))
            status = Status.OPTIMAL if plan.cost == bound else Status.SOLVED
            found[:] = [Result(problem, self, seed, status, plan, lower_bound=bound, stats=stats)]
            budget.found(found[0])

        proof = Proof(problem, self.bound, budget)
        search = Improvement(problem, INNER[self.inner]().groups(problem), budget, report, proof)
        try:
            search.run(seed)
        except Proved:
            pass
        except NoPlan as error:
            return Result(problem, self, seed, Status.INFEASIBLE, reason=str(error), stats=search.stats)
        except OutOfBudget:
            if not found:
                reason, bound = budget.why() or UNSTORED, search.bound
                return Result(
                    problem, self, seed, Status.TIMEOUT, reason=reason, lower_bound=bound, stats=search.stats
                )
            found[0] = replace(found[0], reason=budget.why() or UNSTORED)
        return _told(found[0], search.bound, search.stats | proof.stats(_cost(found[0])))


class Proved(Exception):  # noqa: N818  # not an error: the way out of a search
    """The plan is good enough."""


def _cost(result: Result) -> int:
    assert result.plan is not None, "plans are reported with their paths"
    return result.plan.cost


def _told(result: Result, bound: int, stats: dict[str, Any]) -> Result:
    """The last result with what is known at the end."""
    status = Status.OPTIMAL if _cost(result) == bound else result.status
    return replace(result, status=status, lower_bound=bound, stats=stats)


@dataclass(eq=False)
class Part(PlannedGroup):
    """A group with its ideal paths: those that it would have without the others."""

    ideal: IntArray
    least: int  # what the ideal paths cost
    tried: int = -1  # at which state of the plan nothing but a merge was left

    @property
    def excess(self) -> int:
        return self.cost - self.least


class Improvement:
    """One run: the groups, whose present paths never collide once there is a first plan."""

    def __init__(
        self,
        problem: Problem,
        planner: GroupPlanner,
        budget: Budget,
        report: Callable[[IntArray, int, dict[str, int]], None],
        proof: Proof,
    ) -> None:
        self._problem = problem
        self._planner = planner
        self._budget = budget
        self._report = report
        self._proof = proof
        self._space, self._rules = compiled_space(problem), compile_rules(problem.rules)
        self._parts: list[Part] = []
        self._ways = 0  # what all agents would cost alone, by their distances
        self._least = 0  # what all groups would cost alone
        self._changes = 0  # of anybody's paths, so that nothing is tried twice in vain
        self._plans = self._merges = 0

    def run(self, seed: int) -> None:
        """Until the plan is optimal."""
        ways = cooperating_agents(self._problem).distances(self._budget.core)
        self._ways = int(np.maximum(ways, 0).sum())
        for agent in range(self._problem.n_agents):
            agents = np.array([agent], dtype=np.int32)
            paths, cost = self._ideal(agents)
            self._parts.append(Part(agents, paths, cost, paths, cost))
        self._take_first_plan(seed)
        while candidates := sorted(self._too_dear(), key=lambda part: (len(part.agents), -part.excess)):
            if not any(self._improve(part) for part in candidates):
                self._merge(candidates[0])
                if sum(part.excess for part in self._parts) == 0:
                    self._tell()

    @property
    def bound(self) -> int:
        """No plan costs less: what the groups would cost alone, before that the sum of all distances."""
        return max(self._ways, self._least, self._proof.bound)

    @property
    def stats(self) -> dict[str, int]:
        return {
            "plans": self._plans,
            "groups": len(self._parts),
            "largest_group": max((len(part.agents) for part in self._parts), default=0),
            "merges": self._merges,
            "expansions": self._planner.expanded,
            "generated": self._planner.generated,
        }

    def _too_dear(self) -> list[Part]:
        return [part for part in self._parts if part.excess > 0]

    # A first plan

    def _take_first_plan(self, seed: int) -> None:
        """The quickest plan at once; where it is LaCAM's, the cheapest of those that take longer, too."""
        plan = HCA(retries=0, order="random").solve(self._problem, budget=self._budget, seed=seed).plan
        if plan is not None:
            self._take(plan)
            return
        best = math.inf
        for plan in self._other_first_plans(seed):
            if plan is not None and plan.cost < best:
                best = plan.cost
                self._take(plan)
        if best == math.inf:
            self._plan_in_turn()
            self._tell()

    def _other_first_plans(self, seed: int) -> Iterator[Plan | None]:
        """By LaCAM; by LaCAM with guidance, which fails in crowds; by HCA* in several orders of agents."""
        yield self._plan_of_lacam(LaCAM(guide=0), seed)
        yield self._plan_of_lacam(LaCAM(), seed)
        yield HCA(order="random").solve(self._problem, budget=self._budget, seed=seed).plan

    def _plan_of_lacam(self, solver: LaCAM, seed: int) -> Plan | None:
        """A plan if there is one within few steps."""
        search = solver.search(self._problem, seed)
        with self._budget.at_most(STEPS_OF_LACAM * self._problem.n_agents):
            outcome = search.run(self._budget.core)
        if outcome is _core.Outcome.no_path:
            raise NoPlan(NO_CONFIGURATION)
        return Plan(self._problem, search.plan) if outcome is _core.Outcome.found else None

    def _take(self, plan: Plan) -> None:
        """Everybody goes as in this plan."""
        for part in self._parts:
            part.paths = marked_gone(self._problem, part.agents, plan.vertices[:, part.agents])
            part.cost = int(plan.costs[part.agents].sum())
        self._tell()

    def _plan_in_turn(self) -> None:
        """One after another around those before; one that finds no way joins those in its way."""
        waiting, self._parts = self._parts[::-1], []
        while waiting:
            part = waiting.pop()
            paths = self._plan(part.agents, Terms(illegal=self._paths_of(self._parts)))
            if paths is not None:
                part.paths, part.cost = paths, self._planner.cost
                self._parts.append(part)
                continue
            if not self._parts:
                raise NoPlan(no_plan_for(self._problem, part.agents))
            blocker = self._in_the_way(part)[:1] or self._parts[-1:]
            self._parts.remove(blocker[0])
            waiting.append(self._joined(part, blocker[0]))

    # A better one

    def _improve(self, part: Part) -> bool:
        """Makes the plan cheaper by what one group can do about it without a merge."""
        if part.tried == self._changes:
            return False
        others = [other for other in self._parts if other is not part]
        paths = self._plan(part.agents, Terms(part.least, part.cost - 1, self._paths_of(others)))
        if paths is not None:
            part.paths, part.cost = paths, self._planner.cost
        elif not self._make_way_for(part):
            part.tried = self._changes
            return False
        self._changes += 1
        self._tell()
        return True

    def _make_way_for(self, part: Part) -> bool:
        """The group takes its ideal paths, and those in the way go around: if that is cheaper."""
        paths = self._plan(part.agents, Terms(part.least, part.least, avoid=self._others_of(part)))
        assert paths is not None, "a group has paths of its least cost"
        part.ideal = paths
        before = [(other, other.paths, other.cost) for other in self._parts]
        limit = sum(other.cost for other in self._parts) - 1
        part.paths, part.cost = part.ideal, part.least
        for other in self._in_the_way(part):
            rest = [one for one in self._parts if one is not other]
            most = limit - sum(one.cost for one in rest)
            around = self._plan(other.agents, Terms(other.least, most, self._paths_of(rest)))
            if around is None:
                for one, its_paths, its_cost in before:
                    one.paths, one.cost = its_paths, its_cost
                return False
            other.paths, other.cost = around, self._planner.cost
        return True

    def _merge(self, part: Part) -> None:
        """Joins a group with the smallest of those in the way of its ideal paths."""
        other = min(self._in_the_way(part), key=lambda one: len(one.agents))
        joined = self._joined(part, other)
        self._parts = [one for one in self._parts if one not in (part, other)] + [joined]
        self._budget.say(f"cost {sum(one.cost for one in self._parts)}, at least {self.bound}")
        self._end_if_proved()

    # What all of these need

    def _end_if_proved(self) -> None:
        if self._proof.holds(sum(part.cost for part in self._parts), self.bound):
            raise Proved

    def _tell(self) -> None:
        self._plans += 1
        self._budget.say(f"cost {sum(part.cost for part in self._parts)}, at least {self.bound}")
        self._report(by_agent(self._parts), self.bound, self.stats)
        self._end_if_proved()

    def _plan(self, agents: IntArray, terms: Terms = NO_TERMS) -> IntArray | None:
        return planned_or_none(self._planner, agents, self._budget, terms)

    def _ideal(self, agents: IntArray, apart: int = 0) -> tuple[IntArray, int]:
        """What agents would do without all others, and what that costs; their groups so far cost `apart`."""
        try:
            paths = self._plan(agents)
        except OutOfBudget:
            self._least += max(0, self._planner.lower_bound - apart)
            raise
        if paths is None:
            raise NoPlan(no_plan_for(self._problem, agents))
        self._least += self._planner.cost - apart
        return paths, self._planner.cost

    def _joined(self, one: Part, other: Part) -> Part:
        """The two as one group, on the paths that they have."""
        agents = np.concatenate([one.agents, other.agents])
        order = np.argsort(agents)
        paths = np.ascontiguousarray(side_by_side([one, other])[:, order])
        ideal, least = self._ideal(agents[order], one.least + other.least)
        self._merges += 1
        return Part(agents[order], paths, one.cost + other.cost, ideal, least)

    def _in_the_way(self, part: Part) -> list[Part]:
        """The groups that collide with the ideal paths of this one, the first to do so first."""
        others = [other for other in self._parts if other is not part]
        ideal = replace(part, paths=part.ideal)
        of_column = [ideal] * len(part.agents) + [other for other in others for _ in other.agents]
        paths = side_by_side([ideal, *others])
        found = _core.find_conflicts(self._space, self._rules, paths, self._budget.core)
        if self._budget.exhausted:
            raise OutOfBudget
        pairs = [(of_column[row[2]], of_column[row[3]]) for row in found.tolist()]
        met = [two if one is ideal else one for one, two in pairs if (one is ideal) != (two is ideal)]
        return list(dict.fromkeys(met))

    def _others_of(self, part: Part) -> IntArray | None:
        return self._paths_of([other for other in self._parts if other is not part])

    def _paths_of(self, parts: list[Part]) -> IntArray | None:
        return side_by_side(parts) if parts else None
