"""The numbers in agents' reasons, recomputed from the voter's parameters and the paths they speak of."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ...model.agents import IDLE
from .. import claims as said
from ..grounds import Grounds
from .record import Record

TABLES = {"due": "due", "charge": "empty_at", "urgency": "factors", "load": "loads"}  # by kind of reason


class Arguments:
    """Reasons of the voters that the run's solver had; those of other voters are only known to be said."""

    def __init__(self, grounds: Grounds, record: Record) -> None:
        self.record, self.windowed = record, grounds.windowed
        self.voters = list(_flat(grounds.voter))

    def holds(self, claim: said.Argued, path: tuple[int, ...], begin: int) -> bool:
        """Is the number right, as far as can be known? `path` is the agent's under the proposal."""
        name = self.record.names[claim.agent]
        if claim.argument in TABLES:
            values = self._values(TABLES[claim.argument], name)
            relative = begin if claim.argument in ("due", "charge") else 0
            return not values or claim.amount in [value - relative for value in values]
        if claim.argument == "late" and (due := self._values("due", name)):
            arrival = self._arrival(claim.agent, path, begin)
            return any(claim.amount == max(arrival - time, 0) for time in due)
        if claim.argument == "empty" and self._values("empty_at", name):
            return claim.amount == self._arrival(claim.agent, path, begin) - begin
        return True

    def _values(self, table: str, name: str) -> list[Any]:
        tables = [getattr(voter, table, None) for voter in self.voters]
        return [one[name] for one in tables if isinstance(one, Mapping) and name in one]

    def _arrival(self, agent: int, path: tuple[int, ...], begin: int) -> int:
        """When the agent is on its goal for good; beyond a window as if nobody else were there.

        Who has no goal has arrived at the end of its path.
        """
        goal = int(self.record.goals(begin)[agent])
        if goal == IDLE:
            return begin + len(path) - 1
        if path[-1] != goal:
            return begin + len(path) - 1 + int(self.record.terrain(begin).to(goal)[path[-1]])
        away = [nth for nth, place in enumerate(path) if place != goal]
        return begin + (away[-1] + 1 if away else 0)


def _flat(voter: Any) -> Iterator[Any]:
    """A voter, or those that it is made of."""
    parts = getattr(voter, "voters", None)
    if isinstance(parts, tuple):
        for part in parts:
            yield from _flat(part)
    elif voter is not None:
        yield voter
