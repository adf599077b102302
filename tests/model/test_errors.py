"""Errors: one line each, and the same after a journey between processes."""

from __future__ import annotations

import copy
import pickle

import pytest

from sidestep import FormatError, InputError, LimitError, MissingExtraError, ProtocolError, UnsupportedError

ERRORS = [
    InputError("no such\n  thing"),
    FormatError("wrong", source="plan.json", line=3),
    FormatError("wrong", source="plan.json"),
    MissingExtraError("pyyaml", "io"),
    UnsupportedError("not this one"),
    ProtocolError("not now"),
    LimitError("too late"),
]


@pytest.mark.parametrize("error", ERRORS, ids=lambda error: type(error).__name__)
@pytest.mark.parametrize("journey", [copy.copy, lambda error: pickle.loads(pickle.dumps(error))])
def test_an_error_survives_pickling_and_copying(error: Exception, journey: object) -> None:
    again = journey(error)  # type: ignore[operator]
    assert type(again) is type(error)
    assert str(again) == str(error)
    assert vars(again) == vars(error)


@pytest.mark.parametrize(
    ("message", "line"),
    [
        ("a  b", "a  b"),
        ("a \n\t b", "a b"),
        ("a\n\n \n b\nc", "a b c"),
        ("\n a", " a"),
        ("a \n", "a "),
        ("\n", " "),
        ("x" * 400, "x" * 299 + "…"),
    ],
)
def test_a_message_is_one_line(message: str, line: str) -> None:
    assert str(InputError(message)) == line
