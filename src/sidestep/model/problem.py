"""What is to be solved: a space, agents with starts and goals, and the rules they move by."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Literal

import numpy as np

from .agents import Agent, AgentTable, HasAgents, agent_index
from .arrays import frozen_state, listed
from .errors import FormatError, InputError
from .graph import Graph
from .grid import FREE, WALLS, Corners, Grid, passable_of, text_rows
from .rules import Rules
from .space import Space


class Problem(HasAgents):
    """A space, its agents and the rules. Everything in it is read-only.

    Agents are addressed by index or by name.

    Args:
        space: A `Grid` or a `Graph`.
        starts: A place per agent: cells `(row, col)` on a grid, vertices on a graph.
        goals: A place per agent; None makes an agent idle.
        rules: What counts as a collision, what happens at the goal, what a plan costs.
        priorities: A whole number per agent; higher ones go first. All are 0 if left out.
        names: Different non-empty strings, one per agent; a0, a1, … if left out.

    Raises:
        InputError: There are not as many of one as of the other, a start or a goal is in a wall or not in the
            space, or two agents have the same start or, unless the rules allow it, the same goal.
    """

    __slots__ = ("agents", "compiled", "components", "rules", "space")

    space: Space
    rules: Rules
    agents: AgentTable
    compiled: Any  # the core's copy of the space, made when a solver first asks for it
    components: Any  # what of it hangs together, likewise

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
        """The long form of the constructor: names, priorities, sizes and periods per agent.

        Args:
            space: A `Grid` or a `Graph`.
            agents: An `Agent` for each.
            rules: As for the constructor.

        Returns:
            The problem.

        Raises:
            InputError: As for the constructor; also if two agents overlap, or one does not fit where it is.
        """
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
        """Reads a problem that is drawn as text.

        Args:
            text: A line per row. Lower-case letters are starts, the upper-case ones their goals, `.` is
                free, `#` or `@` is a wall; blanks are ignored. A start without a goal is an idle agent.
                Agents are named by their letters and are in alphabetical order.
            connectivity: As for `Grid`.
            corners: As for `Grid`.
            rules: As for the constructor.

        Returns:
            The problem.

        Raises:
            FormatError: The drawing is empty, its rows differ in length, a letter occurs twice, a goal has no
                start, or there is another character.
            InputError: Another argument is not valid.
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
        self.space, self.rules = space, rules
        self.compiled = self.components = None
        self.agents = AgentTable.from_agents(space, agents, shared_goals=rules.shared_goals)

    @property
    def all_unit(self) -> bool:
        """Whether every agent covers one cell and may move every turn."""
        return self.agents.all_unit

    def index(self, agent: int | str) -> int:
        """Finds an agent.

        Args:
            agent: Its index or its name.

        Returns:
            Its index.

        Raises:
            InputError: There is no such agent.
        """
        return agent_index(agent, self.names)

    def __getstate__(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in ("agents", "rules", "space")}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.compiled = self.components = None
        frozen_state(self, state)

    def _repr_svg_(self) -> str | None:
        from ..viewer.sketch import sketch_of_problem  # noqa: PLC0415  # only notebooks ask for pictures

        return sketch_of_problem(self)

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Problem)
            and self.space == other.space
            and self.rules == other.rules
            and self.agents == other.agents
        )

    def __hash__(self) -> int:
        return hash((self.space, self.rules, self.agents))

    def __repr__(self) -> str:
        return f"Problem({self.space!r}, {self.n_agents} agents)"


def _listed(values: Any, what: str) -> list[Any]:
    return listed(values, f"{what} must be a sequence, one entry per agent")
