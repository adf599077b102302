"""Who moves: an agent as users write it, and the one table of agents that everything else reads."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import KW_ONLY, dataclass, fields, replace
from typing import Any, Literal

import numpy as np

from .arrays import IntArray, frozen_state, int32_array, is_whole, read_only
from .errors import InputError
from .grid import MAX_VERTICES, Grid
from .space import Space, covered_cells

IDLE = -1  # the goal of an agent that has none
NOWHERE = -1  # the vertex of an agent that is not there
MAX_PERIOD = 1000  # turns per move: far beyond use, and times stay within 32 bits
FACINGS = "NESW"  # clockwise, numbered from 0 on: up, right, down and left on a map
NO_FACING = -1  # of an agent that goes any way without turning
TURN_RIGHT, TURN_LEFT = -2, -3  # what a session proposes instead of a vertex to turn an agent by a quarter


@dataclass(frozen=True)
class Agent:
    """One agent, as users write it.

    Attributes:
        start: Where it begins: `(row, col)` on a grid, a vertex on a graph.
        goal: Where it wants to be. None means idle: the agent makes room for others.
        name: How it is called; a0, a1, … by index if None.
        priority: Agents with a higher priority go first.
        size: It covers size x size cells of a grid; `start` and `goal` are those of its top left cell.
        period: The turns that a move takes.
        facing: Which way it looks at first: `"N"` (up), `"E"` (right), `"S"` (down) or `"W"` (left). Such an
            agent moves only straight ahead, and takes a step for every quarter by which it turns; its goal
            it may reach facing any way. Only on 4-connected grids, with a size and a period of 1, and if all
            agents have one. None: it goes any way without turning.

    A solver that does not honour a size, a period or a facing refuses the problem.
    """

    start: Any
    goal: Any = None
    _: KW_ONLY
    name: str | None = None
    priority: int = 0
    size: int = 1
    period: int = 1
    facing: Literal["N", "E", "S", "W"] | None = None


@dataclass(frozen=True)
class Attribute:
    """A whole number per agent: a field of `Agent` and the column of `AgentTable` that holds it.

    If it has `letters`, users and files write one of these instead of its place among them, or None.
    """

    field: str
    column: str
    usual: int
    least: int = -(2**31)
    most: int = 2**31 - 1
    letters: str = ""

    @property
    def usually_written(self) -> Any:
        """The usual value, as users write it."""
        return self.written(self.usual)

    def written(self, number: int) -> Any:
        """The value as users write it."""
        if not self.letters:
            return int(number)
        return None if number == self.usual else self.letters[number]

    def number(self, value: Any) -> Any:
        """The number of a value that is written in letters; other values are left as they are."""
        if not self.letters:
            return value
        if value is None:
            return self.usual
        if not isinstance(value, str) or len(value) != 1 or value not in self.letters:
            listed = ", ".join(map(repr, self.letters))
            raise InputError(f"an agent's {self.field} must be one of {listed} or None, not {value!r}")
        return self.letters.index(value)

    def most_on(self, space: Space) -> int:
        """The highest value that makes sense on a space: nobody is larger than a grid, or than a vertex."""
        if self.column != "sizes":
            return self.most
        return min(space.height, space.width) if isinstance(space, Grid) else 1

    def checked(self, values: list[Any]) -> IntArray:
        """The column of these values, or an InputError."""
        values = [self.number(value) for value in values]
        array = int32_array(values, self.column if self.least < 0 else self.field)
        if array.ndim != 1:
            raise InputError(f"an agent's {self.field} must be one whole number")
        if array.size and array.min() < self.least:
            raise InputError(f"an agent's {self.field} must be at least {self.least}, not {array.min()}")
        if array.size and array.max() > self.most:
            raise InputError(f"an agent's {self.field} must be at most {self.most}, not {array.max()}")
        return array


# What an agent has besides a start, a goal and a name. Files, worlds and the core go through this list.
ATTRIBUTES = (
    Attribute("priority", "priorities", usual=0),
    Attribute("size", "sizes", usual=1, least=1, most=MAX_VERTICES),
    Attribute("period", "periods", usual=1, least=1, most=MAX_PERIOD),
    Attribute("facing", "facings", usual=NO_FACING, least=NO_FACING, most=3, letters=FACINGS),
)
FOR_GOOD = tuple(one for one in ATTRIBUTES if one.field != "priority")  # what no event changes


@dataclass(frozen=True, eq=False)
class AgentTable(Sequence[Agent]):
    """All agents as read-only columns, one entry per agent; as a sequence, the agents as users write them.

    A table by itself claims nothing: a trace may hold one that the judge will refuse. `from_agents` makes
    the table of a problem, and checks it.

    Attributes:
        space: The space whose vertices `starts` and `goals` are.
        names: Different non-empty strings.
        starts: Where each agent begins, or is; NOWHERE for one that is not there.
        goals: IDLE for an agent that has none.
        priorities: Higher ones go first.
        sizes: Cells across.
        periods: Turns per move.
        facings: Which way each agent looks, as a place in FACINGS; NO_FACING for one that need not turn.
    """

    space: Space
    names: tuple[str, ...]
    starts: IntArray
    goals: IntArray
    priorities: IntArray = None  # type: ignore[assignment]  # left out: as usual
    sizes: IntArray = None  # type: ignore[assignment]
    periods: IntArray = None  # type: ignore[assignment]
    facings: IntArray = None  # type: ignore[assignment]

    def __post_init__(self) -> None:
        for attribute in ATTRIBUTES:
            if getattr(self, attribute.column) is None:
                usual = np.full(len(self.names), attribute.usual, dtype=np.int32)
                object.__setattr__(self, attribute.column, read_only(usual))

    @classmethod
    def from_agents(cls, space: Space, agents: Sequence[Agent], *, shared_goals: bool) -> AgentTable:
        """The table of agents that can begin together on this space.

        Args:
            space: Where they are.
            agents: As users write them.
            shared_goals: May several have one goal?

        Raises:
            InputError: Somebody starts or ends in a wall, two overlap, or an attribute is not valid.
        """
        names = checked_names([agent.name for agent in agents])
        columns = {
            one.column: one.checked([getattr(agent, one.field) for agent in agents]) for one in ATTRIBUTES
        }
        _refuse_large_on_graphs(space, names, columns["sizes"])
        _refuse_turning(space, names, columns)
        starts, goals = (
            _vertices(space, names, columns["sizes"], [getattr(agent, what) for agent in agents], what)
            for what in ("start", "goal")
        )
        table = cls(space, names, starts, goals, **columns)
        table._refuse_overlaps(starts, "start")
        if not shared_goals:
            table._refuse_overlaps(goals, "goal", hint="; Rules(shared_goals=True) allows it")
        return table

    def to_agents(self, which: Iterable[int] | None = None) -> tuple[Agent, ...]:
        """These agents, or all of them, as users write them; the start of one that is not there is None."""
        place = self.space.place
        return tuple(
            Agent(
                None if self.starts[index] == NOWHERE else place(self.starts[index]),
                None if self.goals[index] == IDLE else place(self.goals[index]),
                name=self.names[index],
                **{one.field: one.written(getattr(self, one.column)[index]) for one in ATTRIBUTES},
            )
            for index in (range(len(self)) if which is None else which)
        )

    def first(self, count: int) -> AgentTable:
        """The table of the first `count` agents."""
        columns = {name: getattr(self, name)[:count] for name in _COLUMNS}
        return replace(self, names=self.names[:count], **columns)

    def some(self, which: Sequence[int]) -> AgentTable:
        """The table of these agents, in this order."""
        columns = {name: read_only(getattr(self, name)[list(which)]) for name in _COLUMNS}
        return replace(self, names=tuple(self.names[index] for index in which), **columns)

    def index(self, agent: Any, start: int = 0, stop: int | None = None) -> int:
        """The index of an agent given by index or by name, or an InputError that says there is none."""
        return agent_index(agent, self.names)

    @property
    def all_unit(self) -> bool:
        """Does every agent cover one cell and move every turn?"""
        return bool((self.sizes == 1).all() and (self.periods == 1).all())

    @property
    def any_turning(self) -> bool:
        """Is there an agent that has to turn to change its direction?"""
        return bool((self.facings != NO_FACING).any())

    def unusual(self, attribute: Attribute) -> IntArray:
        """The indices of agents whose attribute is not the usual one."""
        return np.flatnonzero(getattr(self, attribute.column) != attribute.usual).astype(np.int32)

    def __len__(self) -> int:
        return len(self.names)

    def __iter__(self) -> Iterator[Agent]:
        return iter(self.to_agents())

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, slice):
            return self.to_agents(range(len(self))[key])
        return self.to_agents([range(len(self))[key]])[0]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, AgentTable):
            return NotImplemented
        return all(np.array_equal(getattr(self, name), getattr(other, name)) for name in _COLUMNS) and (
            self.names == other.names and self.space == other.space
        )

    def __hash__(self) -> int:
        return hash((self.names, *(getattr(self, name).tobytes() for name in _COLUMNS)))

    def __setstate__(self, state: dict[str, Any]) -> None:
        frozen_state(self, state)

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


_COLUMNS = tuple(field.name for field in fields(AgentTable) if field.name not in ("space", "names"))


class HasAgents:
    """The columns of `self.agents`, for what has a table of agents."""

    __slots__ = ()

    agents: Any  # an AgentTable, as an attribute or as a property

    @property
    def n_agents(self) -> int:
        """How many agents there are, those included that are not there."""
        return len(self.agents.names)

    @property
    def names(self) -> tuple[str, ...]:
        """Per agent its name."""
        names: tuple[str, ...] = self.agents.names
        return names

    @property
    def starts(self) -> IntArray:
        """Per agent the vertex where it begins."""
        starts: IntArray = self.agents.starts
        return starts

    @property
    def goals(self) -> IntArray:
        """Per agent the vertex of its goal, -1 if it is idle."""
        goals: IntArray = self.agents.goals
        return goals

    @property
    def priorities(self) -> IntArray:
        """Per agent its priority; higher goes first."""
        priorities: IntArray = self.agents.priorities
        return priorities

    @property
    def sizes(self) -> IntArray:
        """Per agent its size: k for one that covers k x k cells."""
        sizes: IntArray = self.agents.sizes
        return sizes

    @property
    def periods(self) -> IntArray:
        """Per agent how many turns a move takes it."""
        periods: IntArray = self.agents.periods
        return periods

    @property
    def facings(self) -> IntArray:
        """Per agent which way it looks: 0 up, 1 right, 2 down, 3 left; -1 for one that need not turn."""
        facings: IntArray = self.agents.facings
        return facings


class Names(list[str]):
    """The names of agents that come and go: only added to, and found at once."""

    def __init__(self, names: Iterable[str] = ()) -> None:
        super().__init__(names)
        self._numbers = {name: number for number, name in enumerate(self)}

    def append(self, name: str) -> None:
        """Adds the name of the next agent."""
        self._numbers[name] = len(self)
        super().append(name)

    def __contains__(self, name: object) -> bool:
        return name in self._numbers

    def index(self, name: str, *_: Any) -> int:
        """The number of the agent with this name."""
        return self._numbers[name]

    def __reduce__(self) -> tuple[Any, ...]:
        return Names, (tuple(self),)


def agent_index(agent: Any, names: Sequence[str]) -> int:
    """The index of an agent given by index or by name, or an InputError that says there is none."""
    if isinstance(agent, str):
        if agent not in names:
            raise InputError(f"there is no agent named {agent!r}")
        return names.index(agent)
    if not is_whole(agent):
        raise InputError(f"an agent is an index or a name, not {agent!r}")
    if not 0 <= agent < len(names):
        raise InputError(f"there is no agent {agent}: there are {len(names)}")
    return int(agent)


def checked_names(given: Sequence[str | None]) -> tuple[str, ...]:
    """All names, a0, a1, … where None is given; an InputError unless they are different and not empty."""
    names = tuple(f"a{index}" if name is None else name for index, name in enumerate(given))
    for name in names:
        if not isinstance(name, str) or not name:
            raise InputError(f"an agent's name must be a non-empty string, not {name!r}")
    if len(set(names)) < len(names):
        raise InputError(f"two agents are named {Counter(names).most_common(1)[0][0]!r}")
    return names


def sticks_out(space: Space, vertex: int, size: int) -> bool:
    """Would an agent of this size, with its top left cell there, leave the grid?"""
    if size == 1 or not isinstance(space, Grid):
        return False
    row, col = space.place(vertex)
    return row + size > space.height or col + size > space.width


def _vertices(
    space: Space,
    names: Sequence[str],
    sizes: IntArray,
    places: list[Any],
    what: Literal["start", "goal"] | str,
) -> IntArray:
    is_open = space.open
    vertices = np.full(len(places), IDLE, dtype=np.int32)
    for index, (place, size) in enumerate(zip(places, sizes.tolist(), strict=True)):
        if place is None and what == "goal":
            continue
        try:
            vertex = space.vertex(place)
        except InputError as error:
            raise InputError(f"the {what} of agent {names[index]}: {error}") from None
        if not is_open[vertex]:
            raise InputError(f"the {what} of agent {names[index]}, {place}, is in a wall")
        if size > 1:
            _refuse_misfit(space, vertex, size, f"the {what} of agent {names[index]}")
        vertices[index] = vertex
    return read_only(vertices)


def _refuse_large_on_graphs(space: Space, names: Sequence[str], sizes: IntArray) -> None:
    large = np.flatnonzero(sizes > 1)
    if large.size and not isinstance(space, Grid):
        first = int(large[0])
        raise InputError(f"agent {names[first]} has a size of {sizes[first]}, but only grids have room")


def _refuse_turning(space: Space, names: Sequence[str], columns: dict[str, IntArray]) -> None:
    """An InputError if an agent has a facing where that means nothing."""
    turning = columns["facings"] != NO_FACING
    if not turning.any():
        return
    if not isinstance(space, Grid) or space.connectivity != 4:
        first = names[int(np.argmax(turning))]
        raise InputError(f"agent {first} has a facing, but agents turn only on grids with connectivity=4")
    if not turning.all():
        first = names[int(np.argmin(turning))]
        raise InputError(f"agent {first} has no facing, but others have: give all agents one, or none")
    bulky = turning & ((columns["sizes"] != 1) | (columns["periods"] != 1))
    if bulky.any():
        first = names[int(np.argmax(bulky))]
        raise InputError(f"agent {first} has a facing: then its size and its period must be 1")


def _refuse_misfit(space: Space, vertex: int, size: int, whose: str) -> None:
    """An InputError unless a large agent fits where it is to start or to end."""
    assert isinstance(space, Grid)
    row, col = space.place(vertex)
    whose = f"{whose}, {(row, col)}"
    if sticks_out(space, vertex, size):
        raise InputError(f"{whose}, does not fit: its {size} x {size} cells leave the grid")
    blocked = np.argwhere(~space.passable[row : row + size, col : col + size])
    if len(blocked):
        down, right = blocked[0].tolist()
        raise InputError(
            f"{whose}, does not fit: its {size} x {size} cells cover the wall {(row + down, col + right)}"
        )
