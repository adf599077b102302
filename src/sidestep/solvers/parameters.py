"""The parameters of solvers, each declared once: on its field of the solver's dataclass.

In `window: int | Literal["auto"] = parameter(16, least=2, most=1024, help="steps to look ahead")` the
annotation says what a value may be: a whole number or a number, True or False, words, a function, None.
`parameter` adds the default, the limits of numbers and a line of help. Checks, command-line options, the
studio's forms and the tables in docs/algorithms/ are made from these. A subclass that declares a field again
with a plain default changes only the default.
"""

from __future__ import annotations

import sys
import types
from collections.abc import Callable, Iterator, Mapping
from dataclasses import MISSING, Field, dataclass, field, fields
from functools import cache
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

import numpy as np

from ..model.arrays import is_number, is_whole
from ..model.errors import InputError

_T = TypeVar("_T")
_KEY = "parameter"  # in the metadata of a field
_KINDS: dict[Any, str] = {int: "a whole number", float: "a number", bool: "True or False", str: "a text"}
_NUMBERS: dict[Any, Callable[[Any], bool]] = {int: is_whole, float: is_number}
_GREATEST = sys.float_info.max
_LONGEST = 60  # characters of a wrong value in a sentence about it


@dataclass(frozen=True)
class Parameter:
    """One parameter of a solver: what a value may be, the default, and a line of help."""

    name: str
    default: Any
    type: type[Any] | None = None  # int, float, bool or str; None where only words or functions are allowed
    words: tuple[str, ...] = ()
    optional: bool = False  # may be None
    function: bool = False  # may be a function
    protocols: tuple[Any, ...] = ()  # may be an object that has what these ask for
    least: float | None = None
    most: float | None = None
    help: str = ""
    printed: Any = ...  # its value in the paper as printed; `...` is the default
    why: str = ""  # it is not that here

    @property
    def sentence(self) -> str:
        """The line of help as a sentence in plain text; nothing if there is none."""
        text = self.help.replace("`", "")
        return f"{text[0].upper()}{text[1:]}." if text else ""

    @property
    def wanted(self) -> str:
        """What a value may be, as errors say it: "a whole number from 2 to 1024 or 'auto'"."""
        kinds = [_KINDS[self.type] + self._range] if self.type in _KINDS else []
        *others, last = [*kinds, *map(repr, self.words), *self.objects]
        return f"{', '.join(others)} or {last}" if others else last

    @property
    def objects(self) -> list[str]:
        """What a value may be besides numbers and words."""
        return [
            *(["a function"] if self.function else []),
            *(f"a {kind.__name__}" for kind in self.protocols),
        ]

    @property
    def in_python_only(self) -> bool:
        """Can it be set to nothing that a command line or a form could name?"""
        return self.type is None and not self.words and bool(self.objects)

    @property
    def _range(self) -> str:
        if self.least is None:
            return ""
        return f", {self.least} or more" if self.most is None else f" from {self.least} to {self.most}"

    def checked(self, value: Any) -> Any:
        """The value, a number of numpy as one of Python; an InputError if the parameter cannot be that."""
        plain = value.item() if isinstance(value, np.generic) else value
        if not self._allows(plain):
            shown = repr(plain)
            shown = shown if len(shown) <= _LONGEST else f"{shown[:_LONGEST]}..."
            raise InputError(f"{self.name} must be {self.wanted}, not {shown}")
        return plain

    def _allows(self, value: Any) -> bool:
        if not (self.type or self.words or self.objects):
            return True  # of another type, which the solver has to check by itself
        if value is None:
            return self.optional
        if isinstance(value, str):
            return self.type is str or value in self.words
        if self.type is bool:
            return isinstance(value, bool)
        if self.type in _NUMBERS and _NUMBERS[self.type](value):
            return self._within(value)
        return (self.function and callable(value)) or isinstance(value, self.protocols)

    def _within(self, number: float) -> bool:
        least = -_GREATEST if self.least is None else self.least
        most = _GREATEST if self.most is None else self.most
        return bool(least <= number <= most)  # which nan never is


def parameter(
    default: _T,
    *,
    help: str,
    least: float | None = None,
    most: float | None = None,
    printed: Any = ...,
    why: str = "",
) -> _T:
    """Declares a parameter: the default of a field of a solver's dataclass.

    Args:
        default: what it is unless given.
        help: a line about it, in lower case and without a full stop; code in `backticks`.
        least: the least number that it may be.
        most: the greatest one; without it, any finite number.
        printed: its value in the paper as printed, where the default differs: `as_printed` sets it.
        why: a reason for the other default, in lower case and without a full stop.

    Returns:
        The field. Type checkers take it for the default.
    """
    declared = {"help": help, "least": least, "most": most, "printed": printed, "why": why}
    return field(default=default, metadata={_KEY: declared})


def count(default: _T, help: str) -> _T:
    """Declares a parameter that says how often or how many: a whole number from 0."""
    return parameter(default, least=0, most=10**9, help=help)


def improvement(*, help: str, why: str) -> bool:
    """Declares a switch of ours that the paper has not: on by default, off as printed."""
    return parameter(True, help=help, printed=False, why=why)


def parameters_of(solver: type[Any]) -> Mapping[str, Parameter]:
    """The parameters of a solver's class by name, in the order of its constructor."""
    return _read(solver)  # type: ignore[arg-type]  # mypy does not know that classes can be hashed


@cache
def _read(solver: type[Any]) -> Mapping[str, Parameter]:
    hints, declared = get_type_hints(solver), _declared(solver)
    return {
        one.name: Parameter(
            one.name, _default(one), **_allowed(hints[one.name]), **declared.get(one.name, {})
        )
        for one in fields(solver)
        if one.init
    }


def check_parameters(solver: Any) -> None:
    """Checks all parameters of a solver, as `__post_init__` does; numbers of numpy become plain ones.

    Args:
        solver: The solver.

    Raises:
        InputError: A parameter is not valid.
    """
    for name, one in parameters_of(type(solver)).items():
        object.__setattr__(solver, name, one.checked(getattr(solver, name)))


def changed_parameters(solver: Any) -> dict[str, Any]:
    """The parameters of a solver that differ from their defaults."""
    known = parameters_of(type(solver))
    return {name: getattr(solver, name) for name in known if getattr(solver, name) != known[name].default}


def _declared(solver: type[Any]) -> dict[str, dict[str, Any]]:
    """What `parameter` said of the fields of a class, or else of its base class."""
    return {
        one.name: one.metadata[_KEY]
        for base in reversed(solver.__mro__)
        for one in getattr(base, "__dataclass_fields__", {}).values()
        if _KEY in one.metadata
    }


def _default(one: Field[Any]) -> Any:
    return one.default if one.default_factory is MISSING else one.default_factory()


def _allowed(hint: Any) -> dict[str, Any]:
    """What an annotation allows."""
    kinds = list(_kinds(hint))
    return {
        "type": next((kind for kind in kinds if isinstance(kind, type) and kind in _KINDS), None),
        "words": tuple(kind for kind in kinds if isinstance(kind, str)),
        "optional": types.NoneType in kinds,
        "function": any(get_origin(kind) is Callable for kind in kinds),
        "protocols": tuple(kind for kind in kinds if getattr(kind, "_is_protocol", False)),
    }


def _kinds(hint: Any) -> Iterator[Any]:
    """The types of a hint such as `int | Literal["auto"] | None`, words of a Literal one by one."""
    if get_origin(hint) in (Union, types.UnionType):
        for part in get_args(hint):
            yield from _kinds(part)
    elif get_origin(hint) is Literal:
        yield from get_args(hint)
    else:
        yield hint
