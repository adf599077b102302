"""What the judge finds: violations, counted and listed in a report."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from ..model.arrays import is_whole
from ..model.errors import InputError
from ..model.grid import Cell
from ..model.space import Space


class ViolationKind(StrEnum):
    """What is wrong. A plan or a trace can be wrong in several ways at once.

    Attributes:
        NO_PLAN: There is nothing to judge.
        SHAPE: The arrays do not fit the problem.
        START: An agent does not begin on its start.
        OUTSIDE: A vertex that does not exist.
        WALL: An agent enters a blocked vertex.
        NO_EDGE: A move between vertices that are no neighbours.
        CORNER: A diagonal past more blocked corners than the grid allows.
        PACE: A move that took fewer turns than the agent needs for one.
        FACING: An agent that has to turn moves another way than it faces, or turns too fast.
        VERTEX: Two agents on one vertex.
        SWAP: Two agents exchange their vertices.
        CROSSING: Two diagonals over one 2x2 block, or two conflicting edges, in one step.
        FOLLOWING: An agent enters a vertex in the step in which another leaves it.
        ABSENT: An agent is missing.
        PRESENT: An agent is there though it has disappeared, or has not been added.
        GOAL: An agent does not end on its goal.
        EVENT: A row of a trace's events is not true.
        COST: The plan does not cost what it claims.
    """

    NO_PLAN = "no_plan"
    SHAPE = "shape"
    START = "start"
    OUTSIDE = "outside"
    WALL = "wall"
    NO_EDGE = "no_edge"
    CORNER = "corner"
    PACE = "pace"
    FACING = "facing"
    VERTEX = "vertex"
    SWAP = "swap"
    CROSSING = "crossing"
    FOLLOWING = "following"
    ABSENT = "absent"
    PRESENT = "present"
    GOAL = "goal"
    EVENT = "event"
    COST = "cost"


_ORDER = {kind: index for index, kind in enumerate(ViolationKind)}

_SENTENCES = {
    ViolationKind.NO_PLAN: "there is no plan",
    ViolationKind.SHAPE: "{detail}",
    ViolationKind.START: "agent {a} begins {where} and not on its start",
    ViolationKind.OUTSIDE: "agent {a} is outside the map at time {time}",
    ViolationKind.WALL: "agent {a} is in a wall, {where}, at time {time}",
    ViolationKind.NO_EDGE: "agent {a} reaches {place} along no edge {step}",
    ViolationKind.CORNER: "agent {a} cuts a blocked corner on its way to {place} {step}",
    ViolationKind.PACE: "agent {a} reaches {place} at time {time}, sooner than it can move",
    ViolationKind.FACING: "agent {a}, {where} at time {time}, {detail}",
    ViolationKind.VERTEX: "agents {a} and {b} are both {where} at time {time}",
    ViolationKind.SWAP: "agents {a} and {b} swap places {step}, agent {a} now being {where}",
    ViolationKind.CROSSING: "agents {a} and {b} cross each other's way {step}, agent {a} now being {where}",
    ViolationKind.FOLLOWING: "agent {a} enters {place} {step}, while agent {b} is only just leaving it",
    ViolationKind.ABSENT: "agent {a} is missing at time {time}",
    ViolationKind.PRESENT: "agent {a} is {where} at time {time}, when it should not be there",
    ViolationKind.GOAL: "agent {a} ends {where} and not on its goal",
    ViolationKind.EVENT: "an event of time {time}{about} is not true: {detail}",
    ViolationKind.COST: "{detail}",
}


@dataclass(frozen=True)
class Violation:
    """One broken rule.

    Attributes:
        kind: What is wrong.
        time: The time of the row in which it shows: a step is dated by its end.
        agents: Indices: none for a fault of the whole, the lower one first where both are alike, and the one
            that follows before the one that is followed.
        place: Where the first of the agents is, a cell `(row, col)` or a vertex of a graph; None where that
            is nowhere.
        detail: More about it, in words, where the kind does not say it all.
    """

    kind: ViolationKind
    time: int
    agents: tuple[int, ...] = ()
    place: Cell | int | None = None
    detail: str = ""

    def __str__(self) -> str:
        return self.sentence()

    def sentence(self, names: Sequence[str] | None = None) -> str:
        """Says what is wrong, in words.

        Args:
            names: The names of all agents, to be used instead of their indices.

        Returns:
            One sentence without a full stop.
        """
        known = self.agents if names is None else tuple(names[agent] for agent in self.agents)
        first, second = (*known, None, None)[:2]
        place = f"vertex {self.place}" if isinstance(self.place, int) else str(self.place)
        return _SENTENCES[self.kind].format(
            a=first,
            b=second,
            time=self.time,
            step=f"from time {self.time - 1} to {self.time}",
            place=place,
            where="nowhere" if self.place is None else f"on {place}",
            about="" if first is None else f" about agent {first}",
            detail=self.detail,
        )


@dataclass(frozen=True, repr=False)
class Report:
    """The verdict: falsy when anything is wrong.

    Where many agents are in one place, each is counted with the first one it collides with, not with all.

    Attributes:
        violations: The earliest ones, in order of time, up to the limit that was given.
        count: How many there are in all.
        cost: The judge's own sum for a plan; None for a trace, whose goals change, and for a plan that does
            not have the shape of one.
    """

    violations: tuple[Violation, ...]
    count: int
    cost: int | None = None

    def __bool__(self) -> bool:
        return self.count == 0

    def __repr__(self) -> str:
        kinds = [*dict.fromkeys(str(violation.kind) for violation in self.violations)]
        if len(self.violations) < self.count:
            kinds.append("…")
        return f"Report({self._verdict()}{': ' if kinds else ''}{', '.join(kinds)})"

    def __str__(self) -> str:
        lines = [f"  {violation}" for violation in self.violations]
        if 0 < len(lines) < self.count:
            lines.append(f"  and {self.count - len(lines)} more")
        return "\n".join([self._verdict() + (":" if lines else ""), *lines])

    def _verdict(self) -> str:
        if self:
            return "valid" if self.cost is None else f"valid, cost {self.cost}"
        return "1 violation" if self.count == 1 else f"{self.count} violations"


class ViolationLog:
    """Collects violations: counts all of them, keeps the first `limit`."""

    def __init__(self, space: Space, limit: int) -> None:
        if not is_whole(limit) or limit < 0:
            raise InputError(f"limit must be a whole number from 0 on, not {limit!r}")
        self._space = space
        self._limit = int(limit)
        self._count = 0
        self._kept: list[Violation] = []
        self._kept_of: Counter[tuple[ViolationKind, str]] = Counter()

    def add(
        self, kind: ViolationKind, times: Any, agents: tuple[Any, ...], vertices: Any = None, detail: str = ""
    ) -> None:
        """Arrays with one entry per violation, in order of time, also from one call to the next."""
        self._count += len(times)
        keep = min(len(times), self._limit - self._kept_of[kind, detail])
        self._kept_of[kind, detail] += keep
        for index in range(keep):
            who = tuple(int(column[index]) for column in agents if column[index] >= 0)
            place = None if vertices is None else self._place(int(vertices[index]))
            self._kept.append(Violation(kind, int(times[index]), who, place, detail))

    def add_one(self, kind: ViolationKind, time: int = 0, detail: str = "") -> None:
        self.add(kind, [time], (), detail=detail)

    def report(self, cost: int | None = None) -> Report:
        self._kept.sort(key=lambda one: (one.time, _ORDER[one.kind], one.agents))
        return Report(tuple(self._kept[: self._limit]), self._count, cost)

    def _place(self, vertex: int) -> Cell | int | None:
        return self._space.place(vertex) if 0 <= vertex < self._space.n else None
