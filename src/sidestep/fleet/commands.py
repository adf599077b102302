"""What a fleet tells its robots: the places that each may visit now."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from ..model.arrays import IntArray
from ..model.problem import Problem


@dataclass(frozen=True, eq=False)
class Commands:
    """The visits of every agent that are released and not yet reported as finished.

    All of them, every time: a command that gets lost is repeated by the next one, and one that comes late or
    twice says nothing new. What was released is never taken back.

    Attributes:
        problem: Whose agents they are.
        first: Per agent the number of the first visit; its visits are numbered from 1 on, 0 is its start.
        begin: Where the places of each agent begin, and, as the last entry, where they all end.
        places: The vertices of all visits, agent by agent; -1 is a visit that leaves the map.
    """

    problem: Problem
    first: IntArray
    begin: IntArray
    places: IntArray

    def of(self, agent: int | str) -> tuple[int, list[Any]]:
        """The command for one agent.

        Args:
            agent: Its index or its name.

        Returns:
            The number of the first visit, and the places: cells on a grid, vertices on a graph, None to leave
            the map.

        Raises:
            InputError: There is no such agent.
        """
        index = self.problem.index(agent)
        space = self.problem.space
        vertices = self.places[self.begin[index] : self.begin[index + 1]].tolist()
        return int(self.first[index]), [None if v < 0 else space.place(v) for v in vertices]

    def __iter__(self) -> Iterator[tuple[str, int, list[Any]]]:
        for agent, name in enumerate(self.problem.names):
            if self.begin[agent] < self.begin[agent + 1]:
                yield (name, *self.of(agent))
