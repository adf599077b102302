"""Whether a solver or a session takes a problem."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from .agents import ATTRIBUTES
from .errors import UnsupportedError
from .rules import FIRST_RULES, RULES

if TYPE_CHECKING:
    from .problem import Problem

# What a solver is expected to honour, or to refuse itself. Of others it must say `honours`.
HONOURED = ("priority", "size", "period", *FIRST_RULES)


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
    honoured = (*HONOURED, *honoured_by(planner))
    for attribute in ATTRIBUTES:
        if attribute.field not in honoured and problem.agents.unusual(attribute).size:
            return Support(f"it does not honour the {attribute.field} of agents")
    for rule in RULES:
        value = getattr(problem.rules, rule.name)
        if rule.name not in honoured and value != rule.default:
            return Support(f"it does not honour the rule {rule.name}={value!r}")
    support: Support = supports(problem)
    return support


def honoured_by(planner: Any) -> tuple[str, ...]:
    """The attributes of agents and the rules that a solver or a session names in `honours`."""
    honours: tuple[str, ...] = getattr(planner, "honours", ())
    return honours


def require_support(planner: Any, problem: Problem, name: str) -> None:
    """Raises an UnsupportedError if a solver or a session does not take a problem."""
    support = supported(planner, problem)
    if not support:
        raise UnsupportedError(f"{name} does not take this problem: {support.reason}")
