"""The printed form of a solver: with the parameters that make it the algorithm of its paper.

A parameter whose `printed` value is not the default is a deviation of ours. `as_printed` of a solver's class
sets all of them back; those that are given keep what was given. What cannot be set back, and why, is on the
solver's page in docs/algorithms/, below the table of the deviations.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar

from ..model.errors import InputError
from ..model.rules import PRINTED_RULES, RULES, Rules
from .parameters import Parameter, parameters_of

_S = TypeVar("_S")


def deviations_of(solver: type[Any]) -> dict[str, Parameter]:
    """The parameters of a solver's class whose default is not what its paper has, by name."""
    if solver.info.paper not in PRINTED_RULES:
        return {}
    return {name: one for name, one in parameters_of(solver).items() if one.printed not in (..., one.default)}


class PrintedForm:
    """The `as_printed` of solvers: `LRA.as_printed(noise=2.0)`."""

    def __get__(self, solver: Any, kind: type[_S]) -> Callable[..., _S]:
        return partial(printed_form, kind)


def printed_form(solver: type[_S], /, **chosen: Any) -> _S:
    """Makes the solver as its paper prints it.

    Args:
        solver: The class.
        **chosen: Parameters that are to be something else.

    Returns:
        The solver; that with its usual parameters where these are the paper's.

    Raises:
        InputError: The solver is not from one of the papers that are kept here, or a parameter is wrong.
    """
    name, paper = solver.name, solver.info.paper  # type: ignore[attr-defined]  # as every solver has
    if paper not in PRINTED_RULES:
        raise InputError(
            f"{name} has no printed form, since its paper ({paper or 'none'}) is not one of "
            f"{', '.join(PRINTED_RULES)}: leave out as_printed"
        )
    known = parameters_of(solver)
    for given in chosen:
        if given not in known:
            raise InputError(f"{name} has no parameter {given!r}: it has {', '.join(known) or 'none'}")
    return solver(**{name: one.printed for name, one in deviations_of(solver).items()} | chosen)


def other_rules(solver: Any, rules: Rules) -> str:
    """The sentence about rules that differ from those of a solver's paper; nothing if none do."""
    paper = solver.info.paper
    printed = Rules.printed(paper)
    differing = [rule.name for rule in RULES if getattr(rules, rule.name) != getattr(printed, rule.name)]
    if not differing:
        return ""
    told = " and ".join(f"{name}={getattr(printed, name)!r}" for name in differing)
    return f"the rules are not those of {paper}, which has {told}"
