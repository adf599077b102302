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
    """How a run ended. Only `OPTIMAL` and `SOLVED` come with a plan."""

    OPTIMAL = "optimal"
    SOLVED = "solved"
    TIMEOUT = "timeout"
    INFEASIBLE = "infeasible"
    GAVE_UP = "gave_up"


@dataclass(frozen=True)
class Result:
    """The answer to one `solve`: truthy only with a complete plan.

    `reason` is a sentence for people where there is no plan; `stats` holds what was counted
    (seconds, expansions, …); `lower_bound` is a proved bound on the cost, where one is known.
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

    def why(self, agent: int | str, time: int) -> Answer:
        """Why an agent does what it does in the step from `time` to the next: see `sidestep.why`."""
        from ..explain import why  # noqa: PLC0415  # questions are asked seldom, and need more than the model

        return why(self, agent, time)

    def __bool__(self) -> bool:
        return self.plan is not None

    def __repr__(self) -> str:
        if self.plan is None:
            return f"Result({self.status}: {self.reason})"
        return f"Result({self.status}: cost {self.plan.cost}, makespan {self.plan.makespan})"
