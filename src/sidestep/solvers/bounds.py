"""Proofs of how far a plan can be from the best: a lower bound that is raised while a search goes on.

`bound=1.2` of a solver ends its search as soon as its plan is proved to cost at most 1.2 times what any plan
costs. The distances alone often prove that; where they do not, the certificate looks for agents that cost
more together than alone, in turn with the search for cheaper plans.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from .. import _core
from ..budget import Budget
from ..model.bound import Bound, BoundedGroup, Passage
from ..model.problem import Problem
from ..model.to_core import compiled_problem
from .cooperative import cooperating_agents
from .parameters import parameter

NODES_PER_TURN = 2000  # of work on the bound, before the search has its turn again; doubled each time
ROUNDING = 1e-9  # of a factor times a cost


def bound_parameter() -> float | None:
    """Declares `bound`, as all anytime solvers have it."""
    return parameter(
        None,
        least=1,
        help="stop when the plan is proved to cost at most this many times the least; `None`: seek no proof",
    )


def is_within(factor: float, cost: int, bound: int) -> bool:
    """Whether a cost is at most a factor times a bound."""
    return cost <= factor * bound + ROUNDING


class Certificate:
    """A lower bound of one problem at work."""

    def __init__(self, problem: Problem) -> None:
        self._problem = problem
        self._core: _core.LowerBound | None = None  # made when there is time: it looks at the whole map
        self._alone = np.zeros(problem.n_agents, dtype=np.int32)
        self._all_known = False  # of agents of any size and period: their distances are all that counts

    @property
    def value(self) -> int:
        """No plan costs less."""
        return self._core.value if self._core is not None else int(self._alone.sum())

    @property
    def complete(self) -> bool:
        """Whether nothing is left to try."""
        return self._all_known if self._core is None else self._core.is_done

    def work(self, budget: Budget, *, enough: int | None = None) -> None:
        """Raises the value, until it is enough, nothing is left to try, or the budget ends."""
        if self._problem.all_unit:
            if self._core is None and not budget.exhausted:
                self._core = _core.LowerBound(*compiled_problem(self._problem))
            if self._core is not None:
                self._core.run(budget.core, enough=enough)
            return
        ways = cooperating_agents(self._problem).distances(budget.core)  # agents of any size and period
        if len(ways) == self._problem.n_agents:
            self._all_known = True
            self._alone = np.maximum(ways, 0).astype(np.int32)

    def bound(self) -> Bound:
        """What has been shown so far."""
        core = self._core
        if core is None:
            return Bound(self._problem, self.value, self._alone, complete=self.complete)
        return Bound(
            self._problem,
            core.value,
            core.alone,
            tuple(Passage(*row) for row in core.passages),
            tuple(BoundedGroup(tuple(agents), cost) for agents, cost in core.groups),
            core.is_done,
            {
                "pairs_compared": core.pairs_compared,
                "pairs_dependent": core.pairs_dependent,
                "groups_tried": core.groups_tried,
            },
        )


class Proof:
    """What `bound` asks for: that a plan costs at most that many times the least.

    A solver reports each plan with the bound that it knows itself; the proof says whether that is enough, and
    raises a bound of its own as far as needed, a share of nodes at a time.
    """

    def __init__(self, problem: Problem, factor: float | None, budget: Budget) -> None:
        self._problem, self._factor, self._budget = problem, factor, budget
        self._certificate: Certificate | None = None
        self._share = NODES_PER_TURN
        self.bound = 0  # the best that is known

    @property
    def sought(self) -> bool:
        """Whether there is anything to prove."""
        return self._factor is not None

    @property
    def exhausted(self) -> bool:
        """Whether the bound cannot be raised any more, so that only a cheaper plan helps."""
        return self._certificate is not None and self._certificate.complete

    def holds(self, cost: int, known: int = 0) -> bool:
        """Whether a plan of this cost is proved good enough; `known` is a bound that the solver has found."""
        self.bound = max(self.bound, known)
        if self._factor is None:
            return False
        if self._is_enough(cost):
            return True
        if self._certificate is None:
            self._certificate = Certificate(self._problem)
        if not self._certificate.complete:
            needed = math.ceil(cost / self._factor - ROUNDING)
            with self._budget.at_most(self._share):
                self._certificate.work(self._budget, enough=needed)
            self._share *= 2
        self.bound = max(self.bound, self._certificate.value)
        return self._is_enough(cost)

    def stats(self, cost: int | None) -> dict[str, Any]:
        """What the result says of it: the factor that was proved, and how."""
        if self._factor is None or cost is None:
            return {}
        proved = cost / self.bound if self.bound else (1.0 if cost == 0 else math.inf)
        how = self._certificate.bound().shown_by if self._certificate is not None else "distances"
        return {"proved_factor": max(1.0, proved), "bound_shown_by": how}

    def _is_enough(self, cost: int) -> bool:
        assert self._factor is not None, "only a factor can be proved"
        return is_within(self._factor, cost, self.bound)
