"""Whether a solver or a session takes a problem."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .problem import Problem


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
    support: Support = Support() if supports is None else supports(problem)
    return support
