"""What a solver may use: seconds, nodes, memory; whether somebody wants it to stop; who watches."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Protocol, TypedDict

from . import _core
from .model.arrays import is_number, is_whole
from .model.errors import InputError, LimitError

if TYPE_CHECKING:
    from .model.result import Result


class Flag(Protocol):
    """Anything with `is_set()`, such as a threading.Event."""

    def is_set(self) -> bool:
        """Says whether it has been set.

        Returns:
            True if it has.
        """
        ...


@dataclass(frozen=True)
class Progress:
    """What a progress callback is told while a solver runs.

    Attributes:
        seconds: How long the run has taken so far.
        nodes: How many nodes were expanded so far.
        message: What the solver is doing, in words; may be empty.
    """

    seconds: float
    nodes: int
    message: str


StopFlag = Callable[[], bool] | Flag
OnProgress = Callable[[Progress], object]
OnPlan = Callable[["Result"], object]


class Watchers(TypedDict, total=False):
    """Who may interrupt a run, and who is told of it; see `Budget`."""

    stop: StopFlag | None
    on_progress: OnProgress | None
    on_plan: OnPlan | None


_MOST = 2**62


class Budget:
    """Limits on one run. It begins to run when it is made.

    A node is one expansion of a search for moves; finding distances is only timed.

    Args:
        seconds: The time limit; None is no limit, here as below.
        nodes: How many nodes may be expanded. A run limited by this alone is the same on every machine.
        memory: How many bytes distances, searches and results may hold together; the map is not counted.
        stop: A `threading.Event`, or a callable that returns whether to stop.
        on_progress: Called with a `Progress` every few milliseconds while a search runs.
        on_plan: Called with a `Result` for every better plan of a solver that finds several.

    Raises:
        InputError: A limit is not a number from 0 on, or something to call cannot be called.
    """

    __slots__ = ("_memory", "_nodes", "_on_plan", "_seconds", "_status", "core")

    def __init__(
        self,
        seconds: float | None = None,
        nodes: int | None = None,
        *,
        memory: int | None = None,
        stop: StopFlag | None = None,
        on_progress: OnProgress | None = None,
        on_plan: OnPlan | None = None,
    ) -> None:
        for name, told in (("on_plan", on_plan), ("on_progress", on_progress)):
            if told is not None and not callable(told):
                raise InputError(f"{name} must be a callable, not {told!r}")
        self._on_plan = on_plan
        self._seconds: float | None = _limit(seconds, "a time limit", is_number, "seconds")
        self._nodes = _limit(nodes, "a node limit", is_whole, "nodes")
        self._memory = _limit(memory, "a memory limit", is_whole, "bytes")
        self._status = _Status()
        poll = _poll(self._status, stop, on_progress)
        self.core = _core.Budget(self._seconds, self._nodes, self._memory, poll)

    def say(self, message: str) -> None:
        """Sets the message that progress callbacks are told from now on.

        Args:
            message: What the run is doing, in words.
        """
        self._status.message = message

    def found(self, result: Result) -> None:
        """Hands a plan that is better than the one before to `on_plan`, if there is one.

        Args:
            result: The result with the plan.
        """
        if self._on_plan is not None:
            self._on_plan(replace(result, stats={"seconds": self.elapsed, **result.stats}))

    @property
    def is_watched(self) -> bool:
        """Whether there is somebody to hand better plans to."""
        return self._on_plan is not None

    def keeps(self, more: int) -> bool:
        """Counts memory that is kept until the end of the run, such as a plan.

        Args:
            more: How many bytes more are kept from now on.

        Returns:
            False if that is more than the memory limit; then the budget is exhausted.
        """
        return self.core.keeps(more)

    @contextmanager
    def at_most(self, nodes: int) -> Iterator[None]:
        """Limits a part of the run; after it the limits of the run hold again.

        Args:
            nodes: How many nodes the part may expand.

        Yields:
            Nothing: the part is what happens meanwhile.
        """
        before = self.core.narrow(nodes)
        try:
            yield
        finally:
            self.core.widen(before)

    @contextmanager
    def unwatched(self) -> Iterator[None]:
        """Keeps plans of a part of the run from `on_plan`: the one who asked for them hands them on.

        Yields:
            Nothing: the part is what happens meanwhile.
        """
        on_plan, self._on_plan = self._on_plan, None
        try:
            yield
        finally:
            self._on_plan = on_plan

    @property
    def nodes_left(self) -> int | None:
        """How many nodes more may be expanded, None if there is no limit."""
        return None if self._nodes is None else max(0, self._nodes - self.nodes)

    @property
    def seconds(self) -> float | None:
        """The time limit in seconds, None if there is none."""
        return self._seconds

    @property
    def exhausted(self) -> bool:
        """Whether a limit has been reached. Looks at the clock."""
        return not self.core.look()

    @property
    def nodes(self) -> int:
        """Nodes spent so far."""
        return self.core.nodes

    @property
    def moves(self) -> int:
        """Legal moves of single agents that space-time and joint searches have generated so far.

        It compares the work of searches that expand one agent's moves with that of searches that expand
        those of several; nothing is limited by it, and CBS, ICTS and LRA* do not count theirs.
        """
        return self.core.moves

    @property
    def elapsed(self) -> float:
        """Seconds since the budget was made."""
        return self.core.elapsed

    def why(self) -> str:
        """Says which limit was reached.

        Returns:
            One sentence; empty if none was reached.
        """
        return {
            _core.Stop.none: "",
            _core.Stop.time: f"the time limit of {self._seconds} s ran out",
            _core.Stop.nodes: f"the limit of {self._nodes} nodes was reached",
            _core.Stop.memory: f"the memory limit of {self._memory} bytes was reached",
            _core.Stop.asked: "it was asked to stop",
        }[self.core.why]


def limit_error(budget: Budget, error: RuntimeError, what: str = "") -> Exception:
    """What a RuntimeError of the core means: a limit, or something else, such as a call in another thread."""
    why = budget.why()
    return LimitError(f"{what}{why}") if why else error


class _Status:
    message = ""


def _poll(
    status: _Status, stop: StopFlag | None, on_progress: OnProgress | None
) -> Callable[[float, int], bool] | None:
    """What the core calls now and then. It must not know the budget, which owns it by way of the core."""
    if stop is None and on_progress is None:
        return None
    stopped = _never if stop is None else _asker(stop)

    def poll(seconds: float, nodes: int) -> bool:
        if on_progress is not None:
            on_progress(Progress(seconds, nodes, status.message))
        return bool(stopped())

    return poll


def _never() -> bool:
    return False


def _asker(stop: StopFlag) -> Callable[[], bool]:
    if hasattr(stop, "is_set"):
        return stop.is_set
    if callable(stop):
        return stop
    raise InputError(f"stop must be a threading.Event or a callable, not {stop!r}")


def _limit(value: Any, what: str, is_right: Callable[[Any], bool], unit: str) -> Any:
    if value is None:
        return None
    if not is_right(value) or not value >= 0:
        raise InputError(f"{what} is a number of {unit}, 0 or more, not {value!r}")
    plain = int(value) if is_whole(value) else float(value)
    return plain if plain < _MOST else _MOST  # more than that is no limit at all
