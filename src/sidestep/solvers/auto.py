"""Auto: the solver for who does not want to choose one.

What is run depends on the problem and on the limits, and the result says what was run:

1. A first plan: LaCAM's, guided; of a crowd first one without guidance, which is there many times sooner.
   It also proves that there is none, where there are few enough configurations. For large and slow agents,
   which LaCAM does not know, HCA*, and if that finds none, WHCA*; for agents that have to turn EPIBT, whose
   plan stays as it is. For all of these it is not complete.
2. If that plan is not proved to be good enough already: CBS, within a small share of nodes. Few agents, or
   agents that seldom meet, then have their optimal plan.
3. Else large neighbourhood search makes the plan cheaper. Meanwhile the lower bound is raised, in turns.

It ends at a limit, when the plan is proved good enough (`bound`), or when going on is not worth it: when the
second half of the work on cheaper plans has gained less than the share `gain`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar

from ..budget import Budget
from ..model.plan import Plan
from ..model.problem import Problem
from ..model.result import Result, Status
from ..model.support import Support
from .bounds import Certificate, bound_parameter, is_within
from .ca import HCA
from .cbs import CBS
from .epibt import EPIBT
from .lacam import LaCAM, to_begin_with
from .lns import LNS, Improvement
from .parameters import check_parameters, parameter
from .printed import PrintedForm
from .solver import Solver, SolverInfo
from .whca import WHCA

CROWD = 200  # agents from which on a guided plan takes many times as long as one that is not
MOST_AGENTS_OF_CBS = 200
NODES_OF_CBS = 400_000
NODES_OF_CBS_PER_SECOND = 100_000  # of the limit of time: about a tenth of it
SHARE_OF_CBS = 4  # of the nodes that are left: one in four
NODES_OF_ROUND = 20_000  # of work on cheaper plans at first, before anybody looks at it
NODES_PER_AGENT = 5000  # of that work, before it may seem too slow
SHARE_OF_BOUND = 10  # one node in ten raises the bound
MOST_CELLS_OF_BOUND = 50_000_000  # open places times agents: above that distances are all that is known


@dataclass(frozen=True)
class Auto:
    """Auto: picks solvers by problem and limits: optimal where that is cheap, else ever cheaper plans."""

    bound: float | None = bound_parameter()
    gain: float = parameter(
        0.01,
        least=0.0,
        most=1.0,
        help="stop when the second half of the work on cheaper plans has made the plan cheaper by less than "
        "this share; 0: only limits end it, or repairs in vain (`patience` of `lns`)",
    )

    name: ClassVar[str] = "auto"
    honours: ClassVar[tuple[str, ...]] = ("facing",)
    info: ClassVar[SolverInfo] = SolverInfo(category="portfolio, anytime", complete=True)

    as_printed = PrintedForm()

    def __post_init__(self) -> None:
        check_parameters(self)

    def supports(self, problem: Problem) -> Support:
        """Everything, agents of any size and speed included."""
        return Support()

    def solve(self, problem: Problem, *, budget: Budget, seed: int = 0) -> Result:
        """Runs one solver after another, as long as that may gain something."""
        run = _Run(self, problem, budget, seed)
        if problem.agents.any_turning:
            any(run.tries(solver) for solver in (EPIBT(), EPIBT(length=5, effort=1)))
            return run.result()
        if not (_begin(run) if problem.all_unit else run.tries(HCA()) or run.tries(WHCA())):
            return run.result()
        if problem.all_unit and problem.n_agents <= MOST_AGENTS_OF_CBS and not run.is_over:
            run.tries(CBS(), run.share_of_cbs())
        if problem.all_unit and not run.is_over:
            _Improving(run).to_the_end()
        return run.result()


@dataclass
class _Run:
    """What is known so far, and who has found it."""

    solver: Auto
    problem: Problem
    budget: Budget
    seed: int
    best: Plan | None = None
    bound: int = 0  # no plan costs less
    tried: list[dict[str, Any]] = field(default_factory=list)
    answered_by: str = ""
    last: Result | None = None  # of whom has found no plan
    costs: list[tuple[float, int, int]] = field(default_factory=list)  # rows of `Improvement.history`

    def tries(self, solver: Solver, nodes: int | None = None) -> bool:
        """Runs a solver, within a number of nodes; True if there is a plan."""
        before = self.budget.nodes
        self.budget.say(f"{solver.name} plans")
        with self.budget.unwatched(), self.budget.at_most(2**62 if nodes is None else nodes):
            result = solver.solve(self.problem, budget=self.budget, seed=self.seed)
        cost = None if result.plan is None else result.plan.cost
        spent = self.budget.nodes - before
        self.tried.append(
            {"solver": solver.name, "status": str(result.status), "cost": cost, "expansions": spent}
        )
        self.bound = max(self.bound, result.lower_bound or 0)
        if result.plan is not None:
            self.take(result.plan, solver.name)
        elif self.best is None:
            self.last = result
        return result.plan is not None

    def take(self, plan: Plan, name: str) -> None:
        """Keeps a plan if it is better than the one before, and tells who watches."""
        if self.best is not None and plan.cost >= self.best.cost:
            return
        self.best, self.answered_by = plan, name
        if self.budget.is_watched:
            self.budget.found(self.result())

    def share_of_cbs(self) -> int:
        """A quarter of the nodes that are left, but not more than takes about a tenth of the time."""
        left, seconds = self.budget.nodes_left, self.budget.seconds
        shares = [NODES_OF_CBS] if left is None else [NODES_OF_CBS, left // SHARE_OF_CBS]
        return min(shares if seconds is None else [*shares, int(seconds * NODES_OF_CBS_PER_SECOND)])

    @property
    def is_over(self) -> bool:
        """Whether the plan is proved to be as good as was asked for, or the budget has ended."""
        return self.budget.exhausted or (self.best is not None and self.is_enough(self.best.cost))

    def is_enough(self, cost: int) -> bool:
        """Whether a plan of this cost is proved to be as good as was asked for."""
        return is_within(self.solver.bound or 1.0, cost, self.bound)

    def result(self) -> Result:
        """The best plan so far, or why there is none, with what was done."""
        stats: dict[str, Any] = {"expansions": self.budget.nodes, "answered_by": self.answered_by or None}
        stats |= {"tried": list(self.tried), "done": self.sentence()}
        if self.best is None:
            assert self.last is not None, "somebody has tried"
            status, reason = self.last.status, self.last.reason
            return Result(self.problem, self.solver, self.seed, status, reason=reason, stats=stats)
        if self.costs:
            stats["cost_over_time"] = self.costs
        cost = self.best.cost
        stats["proved_factor"] = max(1.0, cost / self.bound) if self.bound else (1.0 if cost == 0 else None)
        status = Status.OPTIMAL if cost == self.bound else Status.SOLVED
        return Result(
            self.problem, self.solver, self.seed, status, self.best, lower_bound=self.bound, stats=stats
        )

    def sentence(self) -> str:
        """What was done: "lacam found a plan of cost 98, cbs found one of cost 95"."""
        parts = [_said(one, first=number == 0) for number, one in enumerate(self.tried)]
        return ", ".join(parts)


def _begin(run: _Run) -> bool:
    """A first plan; of a crowd one that is there at once, before one that is guided."""
    guided = to_begin_with(run.problem)
    if guided.guide and run.problem.n_agents >= CROWD:
        if not run.tries(LaCAM(guide=0, hindrance=False)):
            return False
        if run.is_over:
            return True
    return run.tries(guided) or run.best is not None


def _said(one: dict[str, Any], *, first: bool) -> str:
    if one["cost"] is None:
        return f"{one['solver']} found none" if not first else f"{one['solver']} found no plan"
    what = "a plan" if first else "one"
    if one["solver"] == LNS.name:
        return f"{one['solver']} made it {one['cost']}"
    return f"{one['solver']} found {what} of cost {one['cost']}"


class _Improving:
    """Large neighbourhood search, with the lower bound beside it, until going on is not worth it."""

    def __init__(self, run: _Run) -> None:
        self.run, self.begun = run, run.budget.nodes
        self.certificate: Certificate | None = None
        self.rows: list[tuple[int, int]] = []  # nodes since the beginning, and the cost then

    def to_the_end(self) -> None:
        """Rounds of both, each a quarter longer than all before it."""
        run = self.run
        assert run.best is not None, "there is a plan to improve"
        improvement = LNS().improvement(
            run.best, budget=run.budget, seed=run.seed, end_is_known=run.solver.gain == 0
        )
        if improvement is None:
            return
        run.bound = max(run.bound, improvement.lower_bound)
        self._note(improvement)
        while not run.is_enough(improvement.cost) and improvement.run(self._round):
            self._note(improvement)
            self._raise_bound(improvement.cost)
            if self._is_slow():
                break
        self._note(improvement)
        tried = {"solver": LNS.name, "status": str(Status.SOLVED), "cost": improvement.cost}
        run.tried.append({**tried, "expansions": self._spent})
        self._take(improvement)

    @property
    def _spent(self) -> int:
        return self.run.budget.nodes - self.begun

    @property
    def _round(self) -> int:
        return max(NODES_OF_ROUND, self._spent // 4)

    def _note(self, improvement: Improvement) -> None:
        self.rows.append((self._spent, improvement.cost))
        self.run.costs = improvement.history
        self.run.budget.say(f"cost {improvement.cost}, at least {self.run.bound}")
        if self.run.budget.is_watched:
            self._take(improvement)

    def _take(self, improvement: Improvement) -> None:
        best = self.run.best
        if best is None or improvement.cost < best.cost:
            plan = improvement.result().plan
            assert plan is not None, "an improvement has a plan"
            self.run.take(plan, LNS.name)

    def _raise_bound(self, cost: int) -> None:
        """A share of the nodes is for the bound; until it is enough, or nothing is left to try."""
        run = self.run
        if self.certificate is None:
            if run.problem.n_agents * run.problem.space.open.sum() > MOST_CELLS_OF_BOUND:
                return
            self.certificate = Certificate(run.problem)
        if self.certificate.complete or cost <= run.bound:
            return
        with run.budget.at_most(self._round // SHARE_OF_BOUND):
            self.certificate.work(run.budget, enough=cost)
        run.bound = max(run.bound, self.certificate.value)

    def _is_slow(self) -> bool:
        """Whether the second half of the work has gained too little."""
        nodes, cost = self.rows[-1]
        if nodes < NODES_PER_AGENT * self.run.problem.n_agents:
            return False
        before = next(cost for spent, cost in reversed(self.rows) if 2 * spent <= nodes)
        return before - cost < self.run.solver.gain * cost
