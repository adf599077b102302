"""The rules of a problem: what counts as a collision, what happens at the goal, what a plan costs."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Any, Literal, get_args, get_type_hints

from .errors import InputError


def _rule(default: Any, label: str, question: str) -> Any:
    return field(default=default, metadata={"label": label, "question": question})


@dataclass(frozen=True)
class Rules:
    """What counts as a collision, what happens at the goal, and what a plan costs.

    Attributes:
        following: True if an agent may enter a cell in the step in which another leaves it.
        crossing: True if two diagonals over one 2x2 block, or two conflicting edges, may be used in one step.
        at_goal: An agent that has arrived stays as an obstacle (`"stay"`) or disappears (`"disappear"`).
        shared_goals: True if several agents may have one goal.
        cost: `"sum_of_costs"` adds up the times of the last arrivals; `"time_off_goal"` counts every step but
            the waits on one's own goal.

    Raises:
        InputError: A rule has a value that it does not know.
    """

    following: bool = _rule(True, "May follow closely", "May agents enter a cell that is just being left?")
    crossing: bool = _rule(False, "Diagonals may cross", "May diagonals cross in one step?")
    at_goal: Literal["stay", "disappear"] = _rule("stay", "At the goal agents", "What an agent does there.")
    shared_goals: bool = _rule(False, "Goals may be shared", "May agents have the same goal?")
    cost: Literal["sum_of_costs", "time_off_goal"] = _rule("sum_of_costs", "Cost", "What a plan costs.")

    def __post_init__(self) -> None:
        for rule in RULES:
            rule.check(getattr(self, rule.name))

    @staticmethod
    def printed(paper: str) -> Rules:
        """The rules of a paper's own problems.

        Where a paper is silent the answer is decided: Silver does not say whether an agent may enter a cell
        that another is just leaving, and here it may.

        Args:
            paper: `"silver2005"`, `"bcp2006"`, `"standley2010"` or `"dialogue-thesis"`.

        Returns:
            The rules.

        Raises:
            InputError: It is not one of these papers.
        """
        if paper not in PRINTED_RULES:
            raise InputError(f"there are no rules of {paper!r}: known are {', '.join(PRINTED_RULES)}")
        return PRINTED_RULES[paper]


@dataclass(frozen=True)
class Rule:
    """One of the rules as it is declared: options, files and forms are made of it."""

    name: str
    label: str  # of a field in a form
    question: str
    default: Any  # True, False or one of the choices
    choices: tuple[str, ...]  # none: it is allowed or not

    @property
    def values(self) -> tuple[Any, ...]:
        """All that the rule can be."""
        return self.choices or (False, True)

    def check(self, value: Any) -> None:
        """An InputError unless the rule can have this value."""
        if not self.choices and not isinstance(value, bool):
            raise InputError(f"rule {self.name} must be True or False, not {value!r}")
        if self.choices and (not isinstance(value, str) or value not in self.choices):
            allowed = " or ".join(map(repr, self.choices))
            raise InputError(f"rule {self.name} must be {allowed}, not {value!r}")


def _declared() -> tuple[Rule, ...]:
    hints = get_type_hints(Rules)
    return tuple(
        Rule(one.name, **one.metadata, default=one.default, choices=get_args(hints[one.name]))
        for one in fields(Rules)
    )


RULES = _declared()

# Those of the first version. Files always have them, and every solver honours or refuses them itself. A later
# rule is written only where it is not as usual, so that older versions read the rest, and is refused for all
# solvers that do not name it in `honours`.
FIRST_RULES = ("following", "crossing", "at_goal", "shared_goals", "cost")

PRINTED_RULES = {
    "silver2005": Rules(cost="time_off_goal"),
    "bcp2006": Rules(following=False, crossing=True),
    "standley2010": Rules(cost="time_off_goal"),
    "dialogue-thesis": Rules(cost="time_off_goal"),
}
