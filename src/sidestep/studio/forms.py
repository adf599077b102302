"""What can be chosen: solvers and generators with their parameters, and the checks of what was chosen.

A parameter's `kind` says what its field takes: `int`, `float`, `bool`, `choice` (one of `choices`), and
`optional int` or `optional float`, which may be null. An `int` that has `choices` may be one of those words.
`least` and `most` are the limits of a number, `help` is a sentence about it. `printed` of a solver has the
values of those parameters that make it its paper's algorithm; none where it is that already, or has no paper
here. `paper` has the paper's name and rules then, and is null without one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from ..instances.generators import GENERATORS
from ..io.jsonfile import Record
from ..model.errors import InputError
from ..model.rules import PRINTED_RULES, Rules
from ..solvers.parameters import Parameter, parameters_of
from ..solvers.printed import deviations_of
from ..solvers.registry import SOLVERS, all_solvers, did_you_mean, make_solver, solver_class
from ..solvers.solver import facts_of

USUAL_SOLVER = "auto"
GROUPS = (
    ("For everybody", "Not sure which? This one picks from the others"),
    ("A plan before anybody moves", "For many agents, and for plans that get cheaper the longer it may take"),
    ("Turn by turn", "For games and living worlds: plans a few steps ahead, while agents move"),
    ("The cheapest plan, proved", "For tens of agents, when it has to be the best"),
    ("Agents that settle it among themselves", "For studying agents that talk, vote or see only a little"),
    ("Of other packages", "Installed beside sidestep"),
)
"""Kinds of solvers, and for whom they are."""

_FACTS = ("summary", "online", "optimal", "complete", "dialogues")


def solver_forms() -> list[dict[str, Any]]:
    """One entry per solver, those of other packages that can be used included."""
    entries = []
    for name, solver in all_solvers()[0].items():
        facts = facts_of(solver)
        chosen = {fact: facts[fact] for fact in _FACTS}
        printed = {field: one.printed for field, one in deviations_of(solver).items()}
        fields = _fields(parameters_of(solver))
        place = _group_of(name, facts)
        group = dict(zip(("name", "whom"), GROUPS[place], strict=True))
        entry = {"name": name, "group": group, **chosen, "parameters": fields, "printed": printed}
        entries.append((place, entry | {"paper": _paper_of(solver)}))
    return [entry for _, entry in sorted(entries, key=lambda pair: pair[0])]


def _paper_of(solver: Any) -> dict[str, Any] | None:
    """The paper of a solver that has a printed form, with its rules."""
    paper = solver.info.paper
    return {"name": paper, "rules": asdict(Rules.printed(paper))} if paper in PRINTED_RULES else None


def _group_of(name: str, facts: Mapping[str, Any]) -> int:
    """The place in `GROUPS` of a solver."""
    if name == USUAL_SOLVER:
        return 0
    if name not in SOLVERS:
        return len(GROUPS) - 1
    if facts["optimal"]:
        return 3
    if facts["dialogues"] or "decentralised" in facts["category"]:
        return 4
    return 2 if facts["online"] else 1


def generator_forms() -> list[dict[str, Any]]:
    """One entry per generator of maps."""
    return [
        {"name": name, "summary": generator.summary, "parameters": _fields(_numbers(generator.defaults))}
        for name, generator in GENERATORS.items()
    ]


def _numbers(defaults: Mapping[str, int | float]) -> dict[str, Parameter]:
    return {name: Parameter(name, value, type=type(value)) for name, value in defaults.items()}


def _fields(parameters: Mapping[str, Parameter]) -> list[dict[str, Any]]:
    return [_field(one) for one in parameters.values() if not one.in_python_only]


def _field(parameter: Parameter) -> dict[str, Any]:
    optional = "optional " if parameter.optional else ""
    kind = "choice" if parameter.type is None else f"{optional}{parameter.type.__name__}"
    about = {
        "choices": list(parameter.words),
        "least": parameter.least,
        "most": parameter.most,
        "help": parameter.sentence,
    }
    said = {key: value for key, value in about.items() if value not in ([], None, "")}
    return {"name": parameter.name, "kind": kind, **said, "default": parameter.default}


def solver_from(record: Record) -> Any:
    """The solver of `solver` and `params`."""
    return chosen_solver(record.text("solver"), record.plain("params") if record.has("params") else {})


def chosen_solver(name: str, given: dict[str, Any]) -> Any:
    """The solver of that name with these parameters, each of which has been checked."""
    return make_solver(name, _checked(name, given, parameters_of(solver_class(name))))


def chosen_map(name: str, given: dict[str, Any]) -> dict[str, Any]:
    """The parameters of a generator, checked."""
    if name not in GENERATORS:
        raise InputError(f"there is no generator {name[:40]!r}{did_you_mean(name[:40], GENERATORS)}")
    return _checked(name, given, _numbers(GENERATORS[name].defaults))


def _checked(owner: str, given: dict[str, Any], known: Mapping[str, Parameter]) -> dict[str, Any]:
    """The values, if the form could have sent them; a whole number is also a number."""
    for name in given:
        if name not in known:
            raise InputError(f"{owner} has no parameter {name[:40]!r}{did_you_mean(name[:40], known)}")
    values = {name: known[name].checked(value) for name, value in given.items()}
    return {
        name: float(value) if known[name].type is float and type(value) is int else value
        for name, value in values.items()
    }
