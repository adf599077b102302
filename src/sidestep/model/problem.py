"""What is to be solved: a space, agents with starts and goals, and the rules they move by."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, Literal

import numpy as np

from .agents import IDLE, MAX_PERIOD, Agent, agent_index
from .arrays import IntArray, frozen_state, int32_array, read_only
from .errors import FormatError, InputError
from .graph import Graph
from .grid import FREE, MAX_VERTICES, WALLS, Corners, Grid, passable_of, text_rows
from .rules import Rules
from .space import Space, covered_cells


class Problem:
    """A space, its agents and the rules, as read-only arrays: `starts`, `goals` (vertex ids), `priorities`…

    Agents are addressed by index or by name; the default names are a0, a1, …
    """

    __slots__ = ("compiled", "goals", "names", "periods", "priorities", "rules", "sizes", "space", "starts")

    space: Space
    rules: Rules
    starts: IntArray
    goals: IntArray
    priorities: IntArray
    sizes: IntArray
    periods: IntArray
    names: tuple[str, ...]
    compiled: Any  # the core's copy of the space, made when a solver first asks for it

    def __init__(
        self,
        space: Space,
        starts: Sequence[Any] | np.ndarray[Any, Any],
        goals: Sequence[Any] | np.ndarray[Any, Any],
        *,
        rules: Rules = Rules(),
        priorities: Sequence[int] | None = None,
        names: Sequence[str] | None = None,
    ) -> None:
        starts, goals = _listed(starts, "starts"), _listed(goals, "goals")
        if len(starts) != len(goals):
            raise InputError(f"there are {len(starts)} starts but {len(goals)} goals")
        given = [None] * len(starts) if names is None else _listed(names, "names")
        ranks = [0] * len(starts) if priorities is None else _listed(priorities, "priorities")
        if not len(given) == len(ranks) == len(starts):
            raise InputError(
                f"{len(starts)} agents need as many names and priorities, not {len(given)} and {len(ranks)}"
            )
        self._fill(
            space,
            [
                Agent(start, goal, name=name, priority=rank)
                for start, goal, name, rank in zip(starts, goals, given, ranks, strict=True)
            ],
            rules,
        )

    @classmethod
    def from_agents(cls, space: Space, agents: Iterable[Agent], *, rules: Rules = Rules()) -> Problem:
        """The long form of the constructor: names, priorities, sizes and periods per agent."""
        listed = _listed(agents, "agents")
        for agent in listed:
            if not isinstance(agent, Agent):
                raise InputError(f"agents must be a sequence of Agent(...), not of {agent!r}")
        problem = cls.__new__(cls)
        problem._fill(space, listed, rules)
        return problem

    @classmethod
    def from_text(
        cls,
        text: str,
        connectivity: Literal[4, 8] = 4,
        corners: Corners = "none",
        *,
        rules: Rules = Rules(),
    ) -> Problem:
        """A drawing: lower-case letters are starts, the upper-case ones their goals, `.` free, `#` wall.

        A start without a goal is an idle agent. Agents are named by their letters, in that order.
        """
        rows = text_rows(text)
        found: dict[str, tuple[int, int]] = {}
        for row, (line, chars) in enumerate(rows):
            for col, char in enumerate(chars):
                if char in FREE + WALLS:
                    continue
                if not (char.isascii() and char.isalpha()):
                    raise FormatError(f"a cell is '.', '#', '@' or a letter, not {char!r}", line=line)
                if char in found:
                    raise FormatError(f"{char!r} is drawn twice", line=line)
                found[char] = (row, col)
        letters = sorted(char for char in found if char.islower())
        for char, (row, _) in found.items():
            if char.isupper() and char.lower() not in found:
                raise FormatError(f"goal {char!r} has no start {char.lower()!r}", line=rows[row][0])
        grid = Grid(passable_of(rows, WALLS), connectivity, corners)
        agents = [Agent(found[char], found.get(char.upper()), name=char) for char in letters]
        return cls.from_agents(grid, agents, rules=rules)

    def _fill(self, space: Space, agents: list[Agent], rules: Rules) -> None:
        if not isinstance(space, (Grid, Graph)):
            raise InputError(f"space must be a Grid or a Graph, not {type(space).__name__}")
        if not isinstance(rules, Rules):
            raise InputError(f"rules must be Rules(...), not {rules!r}")
        self.space, self.rules, self.compiled = space, rules, None
        self.names = _checked_names([agent.name for agent in agents])
        self.priorities = int32_array([agent.priority for agent in agents], "priorities")
        self.sizes = _positive([agent.size for agent in agents], "size", MAX_VERTICES)
        self.periods = _positive([agent.period for agent in agents], "period", MAX_PERIOD)
        self._refuse_large_on_graphs()
        self.starts = self._places([agent.start for agent in agents], "start")
        self.goals = self._places([agent.goal for agent in agents], "goal")
        self._refuse_overlaps(self.starts, "start")
        if not rules.shared_goals:
            self._refuse_overlaps(self.goals, "goal", hint="; Rules(shared_goals=True) allows it")

    def _places(self, places: list[Any], what: Literal["start", "goal"]) -> IntArray:
        is_open, sizes = self.space.open, self.sizes.tolist()
        vertices = np.full(len(places), IDLE, dtype=np.int32)
        for index, place in enumerate(places):
            if place is None and what == "goal":
                continue
            try:
                vertex = self.space.vertex(place)
            except InputError as error:
                raise InputError(f"the {what} of agent {self.names[index]}: {error}") from None
            if not is_open[vertex]:
                raise InputError(f"the {what} of agent {self.names[index]}, {place}, is in a wall")
            if sizes[index] > 1:
                self._refuse_misfit(vertex, index, what)
            vertices[index] = vertex
        return read_only(vertices)

    def _refuse_large_on_graphs(self) -> None:
        large = np.flatnonzero(self.sizes > 1)
        if large.size and not isinstance(self.space, Grid):
            first = int(large[0])
            raise InputError(
                f"agent {self.names[first]} has a size of {self.sizes[first]}, but only grids have room"
            )

    def _refuse_misfit(self, vertex: int, index: int, what: str) -> None:
        """An InputError unless a large agent fits where it is to start or to end."""
        assert isinstance(self.space, Grid)
        size, (row, col) = int(self.sizes[index]), self.space.place(vertex)
        whose = f"the {what} of agent {self.names[index]}, {(row, col)}"
        if row + size > self.space.height or col + size > self.space.width:
            raise InputError(f"{whose}, does not fit: its {size} x {size} cells leave the grid")
        blocked = np.argwhere(~self.space.passable[row : row + size, col : col + size])
        if len(blocked):
            down, right = blocked[0].tolist()
            raise InputError(
                f"{whose}, does not fit: its {size} x {size} cells cover the wall {(row + down, col + right)}"
            )

    def _refuse_overlaps(self, vertices: IntArray, what: str, hint: str = "") -> None:
        seen: dict[int, int] = {}
        for index, (vertex, size) in enumerate(zip(vertices.tolist(), self.sizes.tolist(), strict=True)):
            if vertex == IDLE:
                continue
            for cell in covered_cells(self.space, vertex, size):
                if cell in seen:
                    self._refuse_overlap(seen[cell], index, cell, what, hint)
                seen[cell] = index

    def _refuse_overlap(self, first: int, second: int, cell: int, what: str, hint: str) -> None:
        place = self.space.place(cell)
        if self.sizes[first] == self.sizes[second] == 1:
            fault = f"have the same {what}, {place}"
        else:
            fault = f"overlap at their {what}s: both cover {place}"
        raise InputError(f"agents {self.names[first]} and {self.names[second]} {fault}{hint}")

    @property
    def n_agents(self) -> int:
        return len(self.starts)

    @property
    def all_unit(self) -> bool:
        """Does every agent cover one cell and move every turn?"""
        return bool(np.all(self.sizes == 1) and np.all(self.periods == 1))

    @property
    def agents(self) -> tuple[Agent, ...]:
        place = self.space.place
        return tuple(
            Agent(
                place(start),
                None if goal == IDLE else place(goal),
                name=name,
                priority=priority,
                size=size,
                period=period,
            )
            for start, goal, name, priority, size, period in zip(
                self.starts.tolist(),
                self.goals.tolist(),
                self.names,
                self.priorities.tolist(),
                self.sizes.tolist(),
                self.periods.tolist(),
                strict=True,
            )
        )

    def index(self, agent: int | str) -> int:
        """The index of an agent given by index or by name."""
        return agent_index(agent, self.names)

    def __getstate__(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self.__slots__ if name != "compiled"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.compiled = None
        frozen_state(self, state)

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Problem)
            and self.space == other.space
            and self.rules == other.rules
            and self.agents == other.agents
        )

    def __hash__(self) -> int:
        return hash((self.space, self.rules, self.starts.tobytes(), self.goals.tobytes(), self.names))

    def __repr__(self) -> str:
        return f"Problem({self.space!r}, {self.n_agents} agents)"


def _listed(values: Any, what: str) -> list[Any]:
    """A plain list of whatever sequence was given; rows of an array become lists of Python ints."""
    if isinstance(values, np.ndarray):
        values = values.tolist()
    if isinstance(values, (str, bytes)) or not isinstance(values, Iterable):
        raise InputError(f"{what} must be a sequence, one entry per agent, not {values!r}")
    return list(values)


def _checked_names(given: list[str | None]) -> tuple[str, ...]:
    names = tuple(f"a{index}" if name is None else name for index, name in enumerate(given))
    for name in names:
        if not isinstance(name, str) or not name:
            raise InputError(f"an agent's name must be a non-empty string, not {name!r}")
    if len(set(names)) < len(names):
        raise InputError(f"two agents are named {Counter(names).most_common(1)[0][0]!r}")
    return names


def _positive(values: list[int], what: str, most: int) -> IntArray:
    array = int32_array(values, what)
    if array.ndim != 1:
        raise InputError(f"an agent's {what} must be one whole number")
    if array.size and array.min() < 1:
        raise InputError(f"an agent's {what} must be at least 1, not {array.min()}")
    if array.size and array.max() > most:
        raise InputError(f"an agent's {what} must be at most {most}, not {array.max()}")
    return array
