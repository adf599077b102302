"""Whether a solver or a session takes a problem."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from .agents import ATTRIBUTES
from .errors import UnsupportedError

if TYPE_CHECKING:
    from .problem import Problem

# What a solver is expected to honour, or to refuse itself; of other attributes it must say `honours`.
HONOURED = ("priority", "size", "period")


@dataclass(frozen=True)
class Support:
    """Whether a problem is taken: truthy if so.

    Attributes:
        reason: The sentence that says why not; empty if the problem is taken.
    """

    reason: str = ""

    def __bool__(self) -> bool:
        return not self.reason


def supported(planner: Any, problem: Problem) -> Support:
    """What a solver or a session says to a problem. One that has no `supports` takes everything."""
    supports = getattr(planner, "supports", None)
    if supports is None:
        return Support()
    for attribute in ATTRIBUTES:
        honoured = (*HONOURED, *getattr(planner, "honours", ()))
        if attribute.field not in honoured and problem.agents.unusual(attribute).size:
            return Support(f"it does not honour the {attribute.field} of agents")
    support: Support = supports(problem)
    return support


def require_support(planner: Any, problem: Problem, name: str) -> None:
    """Raises an UnsupportedError if a solver or a session does not take a problem."""
    support = supported(planner, problem)
    if not support:
        raise UnsupportedError(f"{name} does not take this problem: {support.reason}")
