"""What a solver may use: seconds, nodes, memory; whether somebody wants it to stop; who watches."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from . import _core
from .errors import InputError


class Flag(Protocol):
    """Anything with `is_set()`, such as a threading.Event."""

    def is_set(self) -> bool:
        """Has it been set?"""
        ...


@dataclass(frozen=True)
class Progress:
    """What a progress callback is told while a solver runs."""

    seconds: float
    nodes: int
    message: str


StopFlag = Callable[[], bool] | Flag
OnProgress = Callable[[Progress], object]


class Budget:
    """Limits on one run. It begins to run when it is made; a limit of None is no limit.

    A node is one expansion of a space-time search. `stop` is a threading.Event or a callable that
    returns whether to stop; `on_progress` is called every few milliseconds while a search runs.
    """

    __slots__ = ("_memory", "_nodes", "_on_progress", "_stop", "core", "message", "seconds")

    def __init__(
        self,
        seconds: float | None = None,
        nodes: int | None = None,
        *,
        memory: int | None = None,
        stop: StopFlag | None = None,
        on_progress: OnProgress | None = None,
    ) -> None:
        self.seconds = _limit(seconds, "a time limit", (int, float), "seconds")
        self._nodes = _limit(nodes, "a node limit", (int,), "nodes")
        self._memory = _limit(memory, "a memory limit", (int,), "bytes")
        self._stop = None if stop is None else _asker(stop)
        self._on_progress = on_progress
        self.message = ""
        watched = stop is not None or on_progress is not None
        self.core = _core.Budget(
            self.seconds, self._nodes, self._memory, self._poll if watched else None
        )

    def _poll(self) -> bool:
        if self._on_progress is not None:
            self._on_progress(Progress(self.elapsed, self.nodes, self.message))
        return self._stop is not None and bool(self._stop())

    @property
    def exhausted(self) -> bool:
        """Is a limit reached? Looks at the clock."""
        return not self.core.look()

    @property
    def nodes(self) -> int:
        """Nodes spent so far."""
        return self.core.nodes

    @property
    def elapsed(self) -> float:
        """Seconds since it was made."""
        return self.core.elapsed

    def why(self) -> str:
        """One sentence on which limit was reached; empty if none was."""
        return {
            _core.Stop.none: "",
            _core.Stop.time: f"the time limit of {self.seconds} s ran out",
            _core.Stop.nodes: f"the limit of {self._nodes} nodes was reached",
            _core.Stop.memory: f"the memory limit of {self._memory} bytes was reached",
            _core.Stop.asked: "it was asked to stop",
        }[self.core.why]


def _limit(value: float | None, what: str, types: tuple[type, ...], unit: str):  # type: ignore[no-untyped-def]
    if value is None:
        return None
    if not isinstance(value, types) or isinstance(value, bool) or not value >= 0:
        raise InputError(f"{what} is a number of {unit}, 0 or more, not {value!r}")
    return value


def _asker(stop: StopFlag) -> Callable[[], bool]:
    if hasattr(stop, "is_set"):
        return stop.is_set
    if callable(stop):
        return stop
    raise InputError(f"stop must be a threading.Event or a callable, not {stop!r}")
