"""Conversion of what users pass into the arrays the model keeps: exact types, no silent truncation."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from .errors import InputError

IntArray = npt.NDArray[np.int32]
BoolArray = npt.NDArray[np.bool_]

_INT32 = np.iinfo(np.int32)
_Array = TypeVar("_Array", bound=np.ndarray[Any, Any])


def int32_array(values: Any, what: str) -> IntArray:
    """A fresh read-only int32 array; anything but whole numbers that fit is an InputError."""
    try:
        array = np.asarray(values)
    except (ValueError, TypeError) as error:
        raise InputError(f"{what} must be a regular array of whole numbers") from error
    if array.size == 0:
        array = array.astype(np.int32)
    if array.dtype == object and all(isinstance(value, int) for value in array.flat):
        raise InputError(f"{what} must fit in 32 bits")
    if array.dtype.kind not in "iu":
        raise InputError(f"{what} must be whole numbers, not {array.dtype}")
    if array.size and (array.min() < _INT32.min or array.max() > _INT32.max):
        raise InputError(f"{what} must fit in 32 bits")
    return read_only(np.array(array, dtype=np.int32, order="C"))


def whole_number(value: Any, what: str) -> int:
    """The value as a Python int; anything but one whole number that fits in 32 bits is an InputError."""
    if type(value) is int and _INT32.min <= value <= _INT32.max:
        return value
    if isinstance(value, (list, tuple)) or np.ndim(value) != 0:
        raise InputError(f"{what} must be one whole number, not {value!r}")
    return int(int32_array([value], what)[0])


def float_array(values: Any, message: str) -> npt.NDArray[np.float64]:
    """A fresh array of doubles; an InputError with the message unless all of it are real numbers."""
    try:
        array = np.asarray(values)
        mixed = array.dtype == object and all(is_number(value) for value in array.flat)  # a number is large
        if array.size and array.dtype.kind not in "iuf" and not mixed:
            raise InputError(message)
        return np.array(array, dtype=np.float64, order="C")
    except (TypeError, ValueError, OverflowError):  # an InputError is a ValueError
        raise InputError(message) from None


def listed(values: Any, wanted: str) -> list[Any]:
    """What is in any iterable but a text; anything else is an InputError, which says what is wanted."""
    plain = values.tolist() if isinstance(values, np.ndarray) else values
    if isinstance(plain, (str, bytes)) or not isinstance(plain, Iterable):
        raise InputError(f"{wanted}, not {values!r}")
    return list(plain)


def checked_seed(seed: Any) -> int:
    """The seed as a Python int; anything but one whole number is an InputError."""
    if not is_whole(seed):
        raise InputError(f"seed must be a whole number, not {seed!r}")
    return int(seed)


def read_only(array: _Array) -> _Array:
    """The same array, no longer writable."""
    array.setflags(write=False)
    return array


def frozen_state(owner: Any, state: dict[str, Any]) -> None:
    """Unpickles an object whose arrays are read-only: pickle by itself would make them writable."""
    for name, value in state.items():
        object.__setattr__(owner, name, read_only(value) if isinstance(value, np.ndarray) else value)


def is_whole(value: Any) -> bool:
    """Is it one whole number (and not a bool)?"""
    return isinstance(value, (int, np.integer)) and not isinstance(value, bool)


def is_number(value: Any) -> bool:
    """Is it one real number (and not a bool)?"""
    return is_whole(value) or isinstance(value, (float, np.floating))


class FrozenSlots:
    """Pickles the slots of an object whose arrays are read-only, and stay so."""

    __slots__ = ()

    def __getstate__(self) -> dict[str, Any]:
        slots: tuple[str, ...] = type(self).__slots__
        return {name: getattr(self, name) for name in slots if name != "__weakref__"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        frozen_state(self, state)
