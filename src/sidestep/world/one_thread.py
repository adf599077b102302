"""One thread at a time in a world: others wait until it has finished."""

from __future__ import annotations

import copy
from collections.abc import Callable
from functools import wraps
from threading import RLock
from typing import Any, Concatenate, ParamSpec, TypeVar

_P = ParamSpec("_P")
_R = TypeVar("_R")
_Self = TypeVar("_Self", bound="OneThread")


class OneThread:
    """What only one thread may be in. The same thread may come in again; a copy has a lock of its own."""

    def __init__(self) -> None:
        self._lock = RLock()

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "_lock"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._lock = RLock()

    def __deepcopy__(self: _Self, memo: dict[int, Any]) -> _Self:
        with self._lock:
            twin = object.__new__(type(self))
            memo[id(self)] = twin
            twin.__setstate__(copy.deepcopy(self.__getstate__(), memo))
            return twin


def one_thread(method: Callable[Concatenate[_Self, _P], _R]) -> Callable[Concatenate[_Self, _P], _R]:
    """A method that waits until no other thread is in the object."""

    @wraps(method)
    def alone(self: _Self, /, *args: _P.args, **kwargs: _P.kwargs) -> _R:
        with self._lock:
            return method(self, *args, **kwargs)

    return alone
