"""The rules of a problem: what counts as a collision, what happens at the goal, what a plan costs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from .errors import InputError


@dataclass(frozen=True)
class Rules:
    """What counts as a collision, what happens at the goal, and what a plan costs. True means allowed.

    following: an agent may enter a cell in the step in which another leaves it.
    crossing: two diagonals over one 2x2 block (or two conflicting edges) may be used in one step.
    at_goal: an agent that has arrived stays as an obstacle, or disappears.
    shared_goals: several agents may have one goal.
    cost: `sum_of_costs` adds up the times of the last arrivals; `time_off_goal` counts every step but
    the waits on one's own goal.
    """

    following: bool = True
    crossing: bool = False
    at_goal: Literal["stay", "disappear"] = "stay"
    shared_goals: bool = False
    cost: Literal["sum_of_costs", "time_off_goal"] = "sum_of_costs"

    def __post_init__(self) -> None:
        for name in ("following", "crossing", "shared_goals"):
            if not isinstance(getattr(self, name), bool):
                raise InputError(f"rule {name} must be True or False, not {getattr(self, name)!r}")
        _one_of("at_goal", self.at_goal, ("stay", "disappear"))
        _one_of("cost", self.cost, ("sum_of_costs", "time_off_goal"))


def _one_of(name: str, value: Any, allowed: tuple[str, ...]) -> None:
    if not isinstance(value, str) or value not in allowed:
        raise InputError(f"rule {name} must be {' or '.join(map(repr, allowed))}, not {value!r}")
