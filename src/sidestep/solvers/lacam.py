"""LaCAM and LaCAM* (Okumura 2023): a search over configurations, whose steps are PIBT's.

A configuration says where all agents are. The search goes depth-first: PIBT makes the next configuration, and
only when the search comes back to one is somebody told where to go, so that other successors come, and all of
them in the end. Hence it is complete: it finds a plan or, if it runs to its end, proves that there is none.
Before the first step from a configuration agents look some steps ahead (local guidance; Arita and Okumura
2026), which makes first plans cheaper in crowds. With `anytime` it goes on after the first plan (LaCAM*) and
passes cheaper ways on to what follows them; at its end the plan is optimal for the cost `time_off_goal`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar, Literal

from .. import _core
from ..budget import Budget
from ..model.plan import Plan
from ..model.problem import Problem
from ..model.result import Result, Status
from ..model.to_core import compiled_problem
from .bounds import Proof, bound_parameter
from .guided import cost_of_collisions, for_core, window_of_guidance
from .parameters import parameter
from .pibt import backing_out, hindering_few
from .solver import SolverInfo
from .unit_agents import UnitAgentSolver

STEPS_PER_TURN = 100  # of all agents, before a bound that is to be proved is raised again; doubled each time
UNLIMITED = 2**62
MOST_GUIDED = 2000  # agents, where a plan is wanted soon
LONG_WINDOW = 32  # of guidance, where the plan is improved afterwards
NO_CONFIGURATION = "there is no plan: every configuration that can be reached was visited"


@dataclass(frozen=True)
class LaCAM(UnitAgentSolver):
    """LaCAM: a first plan for thousands of agents at once; proves that there is none."""

    anytime: bool = parameter(
        False, help="go on after the first plan until the limit, or until nothing is left to search: LaCAM*"
    )
    hindrance: bool = hindering_few()
    swap: bool = backing_out()
    bound: float | None = bound_parameter()
    guide: int | Literal["auto"] = window_of_guidance("auto", "0 is no guidance")
    collision_cost: int | Literal["auto"] = cost_of_collisions()
    threads: int = parameter(1, least=1, most=64, help="threads that find distances; the plan is the same")

    name: ClassVar[str] = "lacam"
    info: ClassVar[SolverInfo] = SolverInfo(paper="okumura2023", category="coupled", complete=True)

    def search(self, problem: Problem, seed: int) -> _core.Lacam:
        """Makes a search, which finds one plan after another.

        Args:
            problem: What to solve.
            seed: Decides where moves are equally good.

        Returns:
            The search, before its first configuration.
        """
        return _core.Lacam(
            *compiled_problem(problem),
            hindrance=self.hindrance,
            swap=self.swap,
            guide=for_core(self.guide),
            collision_cost=for_core(self.collision_cost),
            threads=self.threads,
            seed=seed % 2**64,
        )

    def solve(self, problem: Problem, *, budget: Budget, seed: int = 0) -> Result:
        """Searches until there is a plan; with `anytime` or `bound`, as long as that may gain something."""
        search = self.search(problem, seed)
        proof = Proof(problem, self.bound, budget)
        best, outcome, stats = self._improved(search, problem, budget, seed, proof)
        stats |= {
            "expansions": budget.nodes,
            "configurations": search.configurations,
            "steps": search.steps,
            "bytes": search.bytes,
            **proof.stats(None if best is None else best.cost),
        }
        answer = partial(Result, problem, self, seed, stats=stats)
        ended = outcome is _core.Outcome.no_path
        if best is not None:
            return answer(*_proved(best, ended, max(search.lower_bound, proof.bound)))
        if ended:
            return answer(Status.INFEASIBLE, reason=NO_CONFIGURATION)
        return answer(Status.TIMEOUT, reason=budget.why())

    def _improved(
        self, search: _core.Lacam, problem: Problem, budget: Budget, seed: int, proof: Proof
    ) -> tuple[Plan | None, _core.Outcome, dict[str, Any]]:
        """The best plan that was found, how the search ended, and what it says of the first plan."""
        best: Plan | None = None
        stats: dict[str, Any] = {}
        share = UNLIMITED
        while True:
            with budget.at_most(share):
                outcome = search.run(budget.core)
            if outcome is _core.Outcome.found:
                plan = Plan(problem, search.plan)
                stats.setdefault("first_plan", {"cost": plan.cost, "expansions": budget.nodes})
                if best is None or plan.cost < best.cost:
                    best = plan
                    budget.found(Result(problem, self, seed, Status.SOLVED, plan, stats=dict(stats)))
            if best is None or not (self.anytime or proof.sought):
                return best, outcome, stats
            if proof.holds(best.cost, search.lower_bound) or outcome is _core.Outcome.no_path:
                return best, outcome, stats
            if outcome is _core.Outcome.out_of_budget and budget.exhausted:
                return best, outcome, stats
            if proof.sought:  # the bound has its turns as well, each twice as long as the one before
                share = STEPS_PER_TURN * problem.n_agents if share == UNLIMITED else 2 * share


def to_begin_with(problem: Problem) -> LaCAM:
    """LaCAM as others begin with it: guided far ahead, unless there are too many agents to do so in time."""
    return LaCAM(guide=LONG_WINDOW if problem.n_agents <= MOST_GUIDED else 0)


def _proved(plan: Plan, ended: bool, bound: int) -> tuple[Status, Plan, str, int]:
    """What is known of a plan: a search that ended has proved it the best for `time_off_goal`."""
    if ended and plan.problem.rules.cost == "time_off_goal":
        bound = plan.cost
    return Status.OPTIMAL if plan.cost == bound else Status.SOLVED, plan, "", bound
