"""The parameters of solvers, read off the fields of their dataclasses: options and forms are made of them."""

from __future__ import annotations

import types
from collections.abc import Callable
from dataclasses import MISSING, Field, fields
from typing import Any, Literal, Union, get_args, get_origin


def parameter_fields(solver: type[Any]) -> list[Field[Any]]:
    """The fields of a solver that its constructor takes."""
    return [field for field in fields(solver) if field.init]


def default_of(field: Field[Any]) -> Any:
    """The default of a parameter; every parameter of a solver has one."""
    return field.default_factory() if field.default_factory is not MISSING else field.default


def kinds_of(hint: Any) -> list[Any]:
    """The types of a hint such as `int | Literal["auto"] | None`, words of a Literal one by one."""
    if get_origin(hint) in (Union, types.UnionType):
        return [kind for part in get_args(hint) for kind in kinds_of(part)]
    if get_origin(hint) is Literal:
        return list(get_args(hint))
    if hint is types.NoneType or get_origin(hint) is Callable:  # nobody can type a function
        return []
    return [hint]
