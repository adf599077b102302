"""How much tests try that could go on for ever: at the gate a part of what `make test-full` does.

The gate is any run that leaves out the slow tests. Numbers in tests are those of the full run.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

T = TypeVar("T")

AT_THE_GATE = 0.2
_share = 1.0


def choose_share(of_marks: str) -> None:
    """Tells which tests are run, by the option `-m`; before tests are imported."""
    global _share  # noqa: PLW0603  # hypothesis wants to know it while modules are imported
    _share = AT_THE_GATE if "not slow" in of_marks else 1.0


def share() -> float:
    """The part that this run does."""
    return _share


def examples(in_full: int) -> int:
    """How many examples hypothesis draws, or a test tries."""
    return max(1, round(in_full * _share))


def some_of(things: Iterable[T]) -> list[T]:
    """All of them in full; at the gate every third."""
    return list(things)[:: 1 if _share == 1.0 else 3]
