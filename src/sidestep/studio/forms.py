"""What can be chosen: solvers and generators with their parameters, and the checks of what was chosen.

A parameter's `kind` says what its field takes: `int`, `float`, `bool`, `choice` (one of `choices`), and
`optional int` or `optional float`, which may be null. An `int` that has `choices` may be one of those words.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from types import NoneType
from typing import Any, get_args, get_type_hints

from ..instances.generators import GENERATORS
from ..io.jsonfile import Record
from ..model.errors import InputError
from ..solvers import SOLVERS
from ..solvers.parameters import default_of, kinds_of, parameter_fields
from ..solvers.registry import did_you_mean, make_solver

_FACTS = ("summary", "online", "optimal", "complete", "dialogues")


def solver_forms() -> list[dict[str, Any]]:
    """One entry per solver."""
    entries = []
    for name, solver in SOLVERS.items():
        facts = asdict(solver.info)
        chosen = {fact: facts[fact] for fact in _FACTS}
        entries.append({"name": name, **chosen, "parameters": list(parameters_of(solver).values())})
    return entries


def generator_forms() -> list[dict[str, Any]]:
    """One entry per generator of maps."""
    return [
        {
            "name": name,
            "summary": generator.summary,
            "parameters": list(_numbers(generator.defaults).values()),
        }
        for name, generator in GENERATORS.items()
    ]


def parameters_of(solver: type[Any]) -> dict[str, dict[str, Any]]:
    """The fields of a solver's dataclass, by name."""
    hints = get_type_hints(solver)
    return {
        field.name: {"name": field.name, **_kind(hints[field.name]), "default": default_of(field)}
        for field in parameter_fields(solver)
    }


def _numbers(defaults: Mapping[str, int | float]) -> dict[str, dict[str, Any]]:
    return {
        name: {"name": name, "kind": type(value).__name__, "default": value}
        for name, value in defaults.items()
    }


def _kind(hint: Any) -> dict[str, Any]:
    kinds = kinds_of(hint)
    types = [kind.__name__ for kind in kinds if isinstance(kind, type)]
    words = [kind for kind in kinds if isinstance(kind, str)]
    optional = "optional " if NoneType in get_args(hint) else ""
    return {"kind": f"{optional}{types[0]}" if types else "choice", **({"choices": words} if words else {})}


def solver_from(record: Record) -> Any:
    """The solver of `solver` and `params`."""
    return chosen_solver(record.text("solver"), record.plain("params") if record.has("params") else {})


def chosen_solver(name: str, given: dict[str, Any]) -> Any:
    """The solver of that name with these parameters, each of which has been checked."""
    solver = make_solver(name, {})
    known = parameters_of(type(solver))
    return make_solver(name, {key: _checked(name, key, value, known) for key, value in given.items()})


def chosen_map(name: str, given: dict[str, Any]) -> dict[str, Any]:
    """The parameters of a generator, checked."""
    if name not in GENERATORS:
        raise InputError(f"there is no generator {name[:40]!r}{did_you_mean(name[:40], GENERATORS)}")
    known = _numbers(GENERATORS[name].defaults)
    return {key: _checked(name, key, value, known) for key, value in given.items()}


def _checked(owner: str, name: str, value: Any, known: Mapping[str, dict[str, Any]]) -> Any:
    """The value, if the form could have sent it; a whole number is also a number."""
    if name not in known:
        raise InputError(f"{owner} has no parameter {name[:40]!r}{did_you_mean(name[:40], known)}")
    kind, words = known[name]["kind"], known[name].get("choices", [])
    if (isinstance(value, str) and value in words) or (value is None and kind.startswith("optional")):
        return value
    kind = kind.removeprefix("optional ")
    if kind == "float" and type(value) in (int, float):
        return float(value)
    if type(value).__name__ == kind:
        return value
    wanted = {"int": "a whole number", "float": "a number", "bool": "true or false"}
    options = [*([wanted[kind]] if kind in wanted else []), *map(repr, words)]
    raise InputError(f"{name} must be {' or '.join(options)}, not {str(value)[:40]!r}")
