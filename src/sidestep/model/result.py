"""What a solver answers: a status that says why, and the plan where there is one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from .plan import Plan
from .problem import Problem

if TYPE_CHECKING:
    from ..explain import Answer


class Status(StrEnum):
    """How a run ended. Only `OPTIMAL` and `SOLVED` come with a plan.

    Attributes:
        OPTIMAL: There is no cheaper plan.
        SOLVED: A plan was found; there may be a cheaper one.
        TIMEOUT: A limit of the budget was reached first.
        INFEASIBLE: There is no plan.
        GAVE_UP: The solver found no plan; there may be one.
    """

    OPTIMAL = "optimal"
    SOLVED = "solved"
    TIMEOUT = "timeout"
    INFEASIBLE = "infeasible"
    GAVE_UP = "gave_up"


@dataclass(frozen=True)
class Result:
    """The answer to one `solve`: truthy only with a complete plan.

    Attributes:
        problem: What was to be solved.
        solver: The solver with its parameters.
        seed: The seed it was given.
        status: How the run ended.
        plan: The plan, where there is one.
        reason: A sentence for people where there is no plan.
        lower_bound: A proved bound: no plan costs less. None where none is known.
        stats: What was counted, by name: `seconds`, `expansions` and what else the solver counts.
        transcript: What the agents said, from a solver with dialogues; else None.
    """

    problem: Problem
    solver: Any
    seed: int
    status: Status
    plan: Plan | None = None
    reason: str = ""
    lower_bound: int | None = None
    stats: Mapping[str, Any] = field(default_factory=dict)
    transcript: Any = None

    def why(self, agent: int | str | None = None, time: int | None = None, *, detail: bool = False) -> Answer:
        """Says why an agent does what it does in one step, or why there is no plan: see `sidestep.why`.

        Args:
            agent: The index or the name of the agent; left out, with `time`, where there is no plan.
            time: The time at which the step begins.
            detail: Whether the text is for experts: with dialogues, proposals and votes.

        Returns:
            The answer: claims that were checked, and the sentences that are made of them.

        Raises:
            InputError: There is no such agent or time, or no valid plan.
        """
        from ..explain import why  # noqa: PLC0415  # questions are asked seldom, and need more than the model

        return why(self, agent, time, detail=detail)

    def _repr_svg_(self) -> str | None:
        from ..viewer.sketch import sketch_of_plan, sketch_of_problem  # noqa: PLC0415  # only for notebooks

        if self.plan is not None:
            return sketch_of_plan(self.plan, repr(self))
        return sketch_of_problem(self.problem, repr(self))

    def __bool__(self) -> bool:
        return self.plan is not None

    def __repr__(self) -> str:
        if self.plan is None:
            return f"Result({self.status}: {self.reason})"
        return f"Result({self.status}: cost {self.plan.cost}, makespan {self.plan.makespan})"
