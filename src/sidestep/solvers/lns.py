"""Large neighbourhood search (Li et al. 2021): a first plan, which becomes cheaper until a limit.

In every *repair* some agents give up their paths and plan again, one after another, around all others; what
is not worse stays. Which agents, how many and how far from their old paths is decided by what has gained most
so far. A repair may also cost a little at first (annealing: `temperature`). The best plan is the answer.

The first plan comes from LaCAM, from prioritised planning, or from the user: `sidestep.improve`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import Any, ClassVar, Literal

from .. import _core
from ..budget import Budget
from ..model.plan import Plan
from ..model.problem import Problem
from ..model.result import Result, Status
from ..model.to_core import compiled_problem
from .lacam import to_begin_with
from .parameters import count, parameter
from .sipp import NO_WAY, SIPP, robustness
from .solver import SolverInfo
from .unit_agents import UnitAgentSolver

MOST_LANES = 64
NODES_PER_ROUND = 200_000
CHOSEN = -1  # the core chooses how warm it begins
MOST_SECONDS = 1e18  # beyond that the core does not count, and nobody waits


@dataclass(frozen=True)
class LNS(UnitAgentSolver):
    """LNS: a first plan for thousands of agents, which becomes cheaper until the limit."""

    first: Literal["lacam", "sipp"] = parameter(
        "lacam", help="who makes the first plan; robust plans are always begun by `sipp`"
    )
    temperature: float | Literal["auto"] = parameter(
        "auto",
        least=0.0,
        most=1000.0,
        help='how many steps a repair may cost at first, on average; `"auto"` is 1.5 on maps of at most '
        "1,000 places, else 0",
    )
    patience: int = count(
        1000,
        "repairs per agent without a better plan after which the search ends; 0: only limits end it",
    )
    robust: int = robustness()
    lanes: int = parameter(
        1, least=1, most=MOST_LANES, help="how many searches work side by side, and meet after every round"
    )
    threads: int = parameter(
        1, least=1, most=MOST_LANES, help="on how many threads the lanes run; the plan does not depend on it"
    )

    name: ClassVar[str] = "lns"
    info: ClassVar[SolverInfo] = SolverInfo(paper="li2021", category="decoupled, anytime")

    def solve(self, problem: Problem, *, budget: Budget, seed: int = 0) -> Result:
        """Makes a first plan and improves it until a limit, until it is optimal, or patience ends."""
        first: Any = SIPP(robust=self.robust)
        if self.first == "lacam" and not self.robust:
            first = to_begin_with(problem)
        begun = first.solve(problem, budget=budget, seed=seed)
        if begun.plan is None:
            return Result(problem, self, seed, begun.status, reason=begun.reason, stats=begun.stats)
        return self.improved(begun.plan, True, budget=budget, seed=seed)

    def improved(self, plan: Plan, is_valid: bool, *, budget: Budget, seed: int = 0) -> Result:
        """Improves a plan that somebody has; one that is not valid is mended first.

        Paths that collide with others, or do not lead to their goals, are planned anew; if that does not end,
        the whole plan is.

        Args:
            plan: The plan.
            is_valid: Whether the judge finds nothing wrong with it.
            budget: What the run may use.
            seed: Where all that is random comes from.

        Returns:
            The best plan that was found: a valid one at worst as it was given, else perhaps none.
        """
        if not is_valid:
            return self._mended(plan, budget=budget, seed=seed)
        begun = self.improvement(plan, budget=budget, seed=seed)
        if begun is not None:
            return begun.to_the_end()
        if budget.exhausted:
            return Result(plan.problem, self, seed, Status.SOLVED, plan, stats={"expansions": budget.nodes})
        return self._mended(plan, budget=budget, seed=seed)  # it is valid, but not robust

    def improvement(
        self, plan: Plan, *, budget: Budget, seed: int = 0, end_is_known: bool = True
    ) -> Improvement | None:
        """Begins to improve a plan, for somebody who wants to go on step by step.

        Args:
            plan: A valid plan.
            budget: What the run may use.
            seed: Where all that is random comes from.
            end_is_known: Whether it goes on until the limit, so that annealing may count on that; if not,
                there is none unless it is asked for.

        Returns:
            The improvement, before its first repair; None if the budget ended, or the plan is not robust.
        """
        solver = self if end_is_known or self.temperature != "auto" else replace(self, temperature=0.0)
        search = solver._search(plan.problem, (budget.seconds or 0.0) if end_is_known else 0.0, seed)
        if not search.prepare(budget.core):
            return None
        if search.begin(plan.vertices, budget.core) is not _core.Outcome.found:
            return None
        return Improvement(Result(plan.problem, self, seed, Status.SOLVED, plan), search, budget)

    def _mended(self, plan: Plan, *, budget: Budget, seed: int) -> Result:
        search = self._search(plan.problem, budget.seconds or 0.0, seed)
        answer = partial(Result, plan.problem, self, seed)
        if not search.prepare(budget.core):
            return answer(Status.TIMEOUT, reason=budget.why(), stats={"expansions": budget.nodes})
        if not search.is_possible:
            return answer(Status.INFEASIBLE, reason=NO_WAY, stats={"expansions": budget.nodes})
        outcome = search.mend(plan.vertices, budget.core)
        if outcome is _core.Outcome.found:
            begun = answer(Status.SOLVED, Plan(plan.problem, search.plan))
            return Improvement(begun, search, budget).to_the_end()
        if outcome is _core.Outcome.no_path:
            return self.solve(plan.problem, budget=budget, seed=seed)
        return answer(Status.TIMEOUT, reason=budget.why(), stats={"expansions": budget.nodes})

    def _search(self, problem: Problem, seconds: float, seed: int) -> _core.Lns:
        return _core.Lns(
            *compiled_problem(problem),
            margin=self.robust,
            lanes=self.lanes,
            threads=self.threads,
            temperature=CHOSEN if self.temperature == "auto" else round(1000 * self.temperature),
            patience=self.patience * max(problem.n_agents, 2),
            seconds=min(seconds, MOST_SECONDS),
            seed=seed % 2**64,
        )


class Improvement:
    """A plan that becomes cheaper, some nodes at a time. A plan is only made for somebody who looks at it."""

    def __init__(self, begun: Result, search: _core.Lns, budget: Budget) -> None:
        assert begun.plan is not None, "there is a plan to improve"
        self._begun, self._search, self._budget = begun, search, budget
        self._first = {"cost": begun.plan.cost, "expansions": budget.nodes}
        self._told: int | None = None

    @property
    def cost(self) -> int:
        """What the best plan so far costs."""
        return self._search.cost

    @property
    def lower_bound(self) -> int:
        """The sum of the distances."""
        return self._search.lower_bound

    @property
    def history(self) -> list[tuple[float, int, int]]:
        """Rows of seconds, nodes and the cost that was reached then."""
        return self._search.history

    def run(self, nodes: int) -> bool:
        """Repairs until about this many nodes are spent; False: it has come to its end, or the budget has."""
        return self._search.run(nodes, self._budget.core) is _core.Outcome.found

    def to_the_end(self) -> Result:
        """Repairs until the search or the budget ends, and tells who watches of better plans."""
        self._tell()
        while self.run(NODES_PER_ROUND):
            self._tell()
        return self.result()

    def _tell(self) -> None:
        """Hands the best plan to `on_plan`, if it is better than the last one."""
        self._budget.say(f"cost {self.cost}, at least {self.lower_bound}")
        if self._budget.is_watched and (self._told is None or self.cost < self._told):
            self._told = self.cost
            self._budget.found(self.result())

    def result(self) -> Result:
        """The best plan so far, with what was counted."""
        search = self._search
        stats = {
            "first_plan": self._first,
            "expansions": self._budget.nodes,
            "repairs": search.repairs,
            "accepted": search.accepted,
            "bytes": search.bytes,
            "cost_over_time": self.history,
        }
        return replace(
            self._begun,
            status=Status.OPTIMAL if self.cost == self.lower_bound else Status.SOLVED,
            plan=Plan(self._begun.problem, search.plan),
            lower_bound=self.lower_bound,
            stats=stats,
        )
