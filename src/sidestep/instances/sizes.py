"""Checks of what the generators are asked for."""

from __future__ import annotations

from ..model.arrays import is_whole
from ..model.errors import InputError

MAX_CELLS = 2**26


def check_size(height: int, width: int) -> tuple[int, int]:
    """The size as Python ints, which do not overflow; an InputError unless such a map may be generated."""
    height, width = check_count("height", height), check_count("width", width)
    if height * width > MAX_CELLS:
        raise InputError(f"a generated map may have at most {MAX_CELLS} cells, not {height} x {width}")
    return height, width


def check_count(name: str, value: int) -> int:
    """The argument as a Python int; an InputError unless it is a whole number from 1 on."""
    if not is_whole(value) or value < 1:
        raise InputError(f"{name} must be a whole number from 1, not {value!r}")
    return int(value)
