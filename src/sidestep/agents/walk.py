"""Walking on a path that was agreed on, at whatever pace: who comes first in the plan goes first.

Messages are lost and late, so agents fall behind the times of their plan. What never changes is the order in
which they come to each place: an agent enters one only when it has heard that all who are there before it in
the plan have left. So the plan's lack of collisions holds without any clock. To enter a place in the very
step in which another leaves it (following) is proposed, where the rules allow it, and granted by the guard.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ..model.grid import Grid
from ..model.space import Space
from .knowledge import Vertices


@dataclass
class Walk:
    """One agent's way through a round.

    Attributes:
        path: its own path.
        others: the paths of those in reach.
        last: the last step of the paths that is taken in this round; None for all.
        vanishing: who of them is gone after the end of its path.
        following: may a place be entered that another leaves in the same step?
        index: how far it has come.
        heard: how far others have said that they have come, and at which tick.
    """

    path: Vertices
    others: Mapping[int, Vertices]
    last: int | None
    following: bool
    vanishing: frozenset[int] = frozenset()
    index: int = 0
    heard: dict[int, tuple[int, int]] = field(default_factory=dict)
    tried: bool = False  # a step since the last look at where it is

    def at(self, place: int) -> None:
        """Where it is now: has the step that it tried happened?"""
        if self.tried and (place == -1 or self.path[self.index + 1] == place):
            self.index += 1
        self.tried = False
        if place == -1:
            self.index = len(self.path)

    def hear(self, agent: int, index: int, tick: int) -> None:
        """Another agent has come so far."""
        before, when = self.heard.get(agent, (0, -1))
        self.heard[agent] = max(index, before), max(tick, when)

    @property
    def is_over(self) -> bool:
        """Is there no step left to take in this round?"""
        last = len(self.path) - 1 if self.last is None else self.last
        return self.index >= min(last, len(self.path) - 1)

    def waits_for(self, space: Space) -> list[int]:
        """Who has to move on before the next step can be taken."""
        here, there = self.path[self.index : self.index + 2]
        if here == there:
            return []
        time = self.index + 1
        beside = crossing_move(space, here, there)
        return [
            agent
            for agent, path in self.others.items()
            if self._is_in_the_way(agent, path, there, time)
            or (beside and self._crosses(agent, path, beside, time))
        ]

    def _is_in_the_way(self, agent: int, path: Vertices, there: int, time: int) -> bool:
        """Is the agent in that place at any time before this, and not known to have left?"""
        reached = self.heard.get(agent, (0, -1))[0]
        for when in range(reached, min(time, len(path))):
            if path[when] == there:
                is_last = time >= len(path) and agent not in self.vanishing
                leaves_now = when == reached == time - 1 and not is_last
                if not (self.following and leaves_now):
                    return True
        return False

    def _crosses(self, agent: int, path: Vertices, beside: frozenset[int], time: int) -> bool:
        """Has the agent still to make a move across this one that comes before it in the plan?"""
        reached = self.heard.get(agent, (0, -1))[0]
        steps = range(reached, min(time, len(path)) - 1)
        return any({path[when], path[when + 1]} == beside for when in steps)


def crossing_move(space: Space, here: int, there: int) -> frozenset[int]:
    """The two places whose diagonal crosses a diagonal move; none for others."""
    if not isinstance(space, Grid):
        return frozenset()
    (row, col), (to_row, to_col) = divmod(here, space.width), divmod(there, space.width)
    if row == to_row or col == to_col:
        return frozenset()
    return frozenset((row * space.width + to_col, to_row * space.width + col))
