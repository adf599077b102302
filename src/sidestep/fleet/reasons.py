"""Why an agent stands: a chain of waits, each of which can be looked up in the dependencies of the plan."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

End = Literal["done", "moving", "held", "astray"]


@dataclass(frozen=True)
class Wait:
    """One agent waits for another.

    Attributes:
        agent: Who waits.
        other: Whom it waits for.
        visit: The number of the visit that the other has to finish; then it has left the place.
        place: The place that the agent waits for.
    """

    agent: str
    other: str
    visit: int
    place: Any


@dataclass(frozen=True)
class Chain:
    """Why an agent stands: it waits for another, which waits for another, up to one that does not wait.

    Attributes:
        agent: Who was asked about.
        waits: One after another; the `other` of each is the `agent` of the next.
        origin: The last one, which waits for nobody.
        end: What that one does: `"moving"` (it may go on), `"done"`, `"held"` (nothing more is released), or
            `"astray"` (it is not where it should be).
        place: Where the last one is on its way to, or stands.
        ticks: For how many ticks nothing was heard of it but that.
    """

    agent: str
    waits: tuple[Wait, ...]
    origin: str
    end: End
    place: Any
    ticks: int

    def __str__(self) -> str:
        return self.said(_named)

    def said(self, named: Callable[[Any], str]) -> str:
        """Says it as a sentence.

        Args:
            named: What a place is called.

        Returns:
            The sentence, without a full stop.
        """
        parts = []
        for k, wait in enumerate(self.waits):
            waits = f"{wait.agent} waits" if k == 0 else wait.agent
            crossing = "" if wait.place is None else f" at {named(wait.place)}"
            parts.append(f"{waits} for {wait.other}{crossing}")
        since = "" if self.ticks == 0 else f" for {self.ticks} tick{'s' if self.ticks > 1 else ''}"
        where = "out of the map" if self.place is None else f"to {named(self.place)}"
        if self.end == "moving":
            parts.append(
                f"{self.origin} has been on its way {where}{since}"
                if since
                else f"{self.origin} is on its way {where}"
            )
        elif self.end == "held":
            parts.append(f"{self.origin} is held at {named(self.place)}")
        elif self.end == "astray":
            parts.append(f"{self.origin} is not where it was sent, but at {named(self.place)}")
        else:
            parts.append(f"{self.origin} has made all its visits")
        return ", ".join(parts)


@dataclass(frozen=True)
class Stuck:
    """An agent that could go on and does not, and all who wait for it.

    Attributes:
        agent: The one that does not move.
        ticks: For how many ticks nothing was heard of it that is new.
        place: Where it is on its way to, or, if it is astray, where it is.
        waiting: Who waits for it, directly or not.
        astray: True if it is not where it was sent.
    """

    agent: str
    ticks: int
    place: Any
    waiting: tuple[str, ...]
    astray: bool = False

    def __str__(self) -> str:
        where = "out of the map" if self.place is None else f"to {_named(self.place)}"
        what = f"is astray at {_named(self.place)}" if self.astray else f"has been on its way {where}"
        behind = f"; {', '.join(self.waiting)} wait{'s' if len(self.waiting) == 1 else ''} for it"
        return f"{self.agent} {what} for {self.ticks} ticks{behind if self.waiting else ''}"


def _named(place: Any) -> str:
    return f"vertex {place}" if isinstance(place, int) else str(place)
