"""What one agent knows: its map, the paths it was told, its orders, and the search for its own path."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from .. import _core
from ..budget import Budget
from ..dialogue.steps import OwnOrders, Row
from ..model.agents import IDLE, NOWHERE, AgentTable
from ..model.rules import Rules
from ..model.space import Space
from ..model.to_core import compile_rules, compile_space, core_agents

Vertices = tuple[int, ...]


class Knowledge:
    """The told paths of those in reach, in the core, which knows nothing else of them.

    Args:
        space: The map.
        rules: What collides.
        agent: Its number among all.
        agents: How many there may be.
        cache: May it use paths again that it found under other orders?
        loop_free: All the way, does it prefer paths without loops?
        firsts_keep: Does who goes first in an order keep its path?
    """

    def __init__(
        self,
        space: Space,
        rules: Rules,
        agent: int,
        agents: int,
        *,
        cache: bool,
        loop_free: bool,
        firsts_keep: bool,
    ) -> None:
        self.agent, self.window, self.firsts_keep, self.space = agent, 0, firsts_keep, space
        self._vanish = rules.at_goal == "disappear"
        compiled = compile_space(space)
        nowhere = np.full(agents, NOWHERE, dtype=np.int32)
        nobody = core_agents(compiled, AgentTable(space, ("",) * agents, nowhere, nowhere))
        self._told = _core.ToldPaths(
            compiled, compile_rules(rules), nobody, window=0, cache=cache, loop_free=loop_free
        )
        self._positions = nowhere.copy()
        self._walls: set[int] = set()
        self._budget = Budget()
        self.goal = IDLE
        self.own = OwnOrders(agent)
        self.vanishing: frozenset[int] = frozenset()  # who is gone after the end of its path

    def begin(self, place: int, goal: int, walls: Iterable[int], *, window: int, now: int) -> None:
        """A round: everybody has told nothing, and these places are closed, besides the map's walls.

        It plans `window` steps ahead; 0 is all the way.
        """
        closed = set(walls)
        for vertex in closed ^ self._walls:
            self._told.set_open(vertex, vertex not in closed, now)
        if goal != self.goal or closed != self._walls:
            self._told.set_goal(self.agent, goal)
        self._walls, self.goal = closed, goal
        self._positions[self.agent] = place
        self._told.set_window(window)
        self.window = window
        self._told.begin(self._positions)
        self.own = OwnOrders(self.agent)

    def find(self, above: Iterable[int] = ()) -> Vertices | None:
        """Its path around its superiors and these others; None if there is none."""
        superiors = sorted(self.own.superiors | set(above))
        path = self._told.find(self.agent, superiors, self._budget.core)
        return None if path is None else tuple(path.tolist())  # type: ignore[attr-defined]

    def standing(self) -> Vertices:
        """The path on which it stays where it is."""
        return tuple(self._told.standing(self.agent).tolist())

    def hear(self, agent: int, path: Vertices, *, stays: bool) -> None:
        """Another agent tells its path; a ValueError if that is none on this map."""
        if agent != self.agent:
            self._told.set_goal(agent, IDLE if stays else path[-1])
            self.vanishing = self.vanishing - {agent} if stays else self.vanishing | {agent}
        self.tell(agent, path)

    def tell(self, agent: int, path: Vertices) -> None:
        """An agent is on this path, for all that is known."""
        self._told.tell(agent, np.array(path, dtype=np.int32))

    def path(self, agent: int) -> Vertices:
        """What an agent has told last; nothing if it has told nothing."""
        return tuple(self._told.path(agent).tolist())

    def rows(self) -> list[Row]:
        """The first conflict of every two that it knows of."""
        rows: list[Row] = self._told.first_conflicts().tolist()
        return rows

    def cost(self) -> int:
        """What its told path costs."""
        return self._told.cost(self.agent)

    def conflicts(self) -> int:
        """With how many others its told path collides, each counted once per time."""
        return self._told.count(self.agent)

    def collide(self, one: int, other: int) -> bool:
        """Do the told paths of the two collide?"""
        return self._told.collide(one, other)

    @property
    def stays(self) -> bool:
        """Does it stay at the end of its path for good?"""
        return bool(self.window) or not self._vanish or self.goal == IDLE

    def is_path(self, path: Vertices) -> bool:
        """Is this a path on the map, for somebody?"""
        return len(path) > 0 and all(0 <= vertex < self.space.n for vertex in path)
