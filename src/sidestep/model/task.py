"""Tasks: what agents are sent to do one after another, as long as there is work."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from .arrays import listed, whole_number
from .errors import InputError

LAST_TIME = 2**31 - 1


@dataclass(frozen=True)
class Task:
    """Places that one agent visits in order. Who begins a task finishes it, unless it gives it back.

    Attributes:
        errands: The places, at least one: cells `(row, col)` on a grid, vertices on a graph.
        release: The time from which the task may be taken.
        deadline: The time until which it should be finished; None is never. A late task is still worked on,
            and counted as late.
        priority: Of the tasks that are open, those of higher priority are taken first.
        agents: Who may take it, by index or name; None is everybody.

    Raises:
        InputError: There is no place, or a number is not one.
    """

    errands: tuple[Any, ...]
    release: int = 0
    deadline: int | None = None
    priority: int = 0
    agents: tuple[int | str, ...] | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "errands", _listed(self.errands, "the errands of a task", "places"))
        if not self.errands:
            raise InputError("a task has at least one errand: a place to visit")
        for name in ("release", "deadline"):
            time = getattr(self, name)
            if time is not None and not 0 <= whole_number(time, f"the {name} of a task") <= LAST_TIME:
                raise InputError(f"the {name} of a task is a time from 0 to {LAST_TIME}, not {time!r}")
        whole_number(self.priority, "the priority of a task")
        if self.agents is not None:
            object.__setattr__(self, "agents", _listed(self.agents, "the agents of a task", "agents"))


def _listed(values: Any, what: str, kind: str) -> tuple[Any, ...]:
    return tuple(listed(values, f"{what} must be a sequence of {kind}"))
