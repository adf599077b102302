"""What a planner sees of a world, and what it must provide to run in one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol, cast

import numpy as np

from .. import _core
from ..budget import Budget
from ..model.agents import ATTRIBUTES, IDLE, NOWHERE, AgentTable, HasAgents
from ..model.arrays import BoolArray, IntArray, checked_seed, read_only
from ..model.errors import InputError
from ..model.events import EventKind
from ..model.problem import Problem
from ..model.space import Space
from ..model.support import Support, honoured_by, require_support, supported

Change = tuple[int, int, int, int]  # time, kind, agent, value: a row of a trace's events


class View(HasAgents):
    """The world at the beginning of a turn, as a session sees it.

    Args:
        core: The core's world.
        space: Where the agents are.
        names: The names of all agents there ever were.
        changes: Rows (time, kind, agent, value) of all that came from outside since the last turn that the
            session got through; see `EventKind`.

    What it has of all agents there ever were is made when first asked for, in the turn that it is of.

    Attributes:
        time: The number of turns so far.
        changes: As given.
    """

    __slots__ = ("_agents", "_core", "_names", "_positions", "_space", "changes", "time")

    time: int
    changes: Sequence[Change]

    def __init__(
        self, core: _core.World, space: Space, names: Sequence[str], changes: Sequence[Change]
    ) -> None:
        self._core, self._space, self._names = core, space, names
        self._agents: AgentTable | None = None
        self._positions: IntArray | None = None
        self.time = core.time
        self.changes = changes

    def with_changes(self, changes: Sequence[Change]) -> View:
        """Makes the same view with other changes, for a planner inside of a planner.

        Args:
            changes: Rows (time, kind, agent, value).

        Returns:
            The view.
        """
        return View(self._core, self._space, self._names, changes)

    @property
    def positions(self) -> IntArray:
        """A vertex per agent, -1 for those that are gone."""
        if self._positions is None:
            self._positions = self._core.positions
        return self._positions

    @property
    def agents(self) -> AgentTable:
        """All agents there ever were, as they are now. `starts` are positions."""
        if self._agents is None:
            self._agents = agents_now(self._core, self._space, self._names)
        return self._agents

    @property
    def n_agents(self) -> int:
        """How many agents there ever were."""
        return len(self._names)

    def body(self, agent: int) -> tuple[int, int]:
        """Looks up the size and the period of an agent.

        Args:
            agent: Its index.

        Returns:
            Both, 1 and 1 for one of one cell that moves every turn.
        """
        return self._core.body_of(agent)

    @property
    def space(self) -> _core.Space:
        """The compiled space as it is now: a copy, which nothing changes."""
        return self._core.space

    @property
    def open(self) -> BoolArray:
        """Per vertex whether an agent may enter it now."""
        return self._core.open()

    @property
    def stuck(self) -> IntArray:
        """Who is stuck: rows of an agent, since when, and behind whom (-1: nobody, or there is no way)."""
        return self._core.stuck()

    @property
    def goals(self) -> IntArray:
        """Per agent the vertex of its goal, -1 if it is idle."""
        return self._core.goals

    @property
    def facings(self) -> IntArray:
        """Per agent which way it looks now: 0 up, 1 right, 2 down, 3 left; -1 for one that need not turn."""
        return self._core.facings

    @property
    def headings(self) -> IntArray:
        """Per agent the vertex that it is moving to over several turns; -1 if it is in no such move."""
        return self._core.headings

    @property
    def progress(self) -> IntArray:
        """Per agent the turns that such a move has taken so far."""
        return self._core.progress

    def changes_since(self, problem: Problem) -> list[Change]:
        """Lists what tells a session that begins as a problem how the world is now.

        It is the difference between the two, and not all that has happened in between.

        Args:
            problem: What the session knows.

        Returns:
            Rows (time, kind, agent, value), all of the present time.
        """
        space, now = problem.space, self.open
        walls = np.flatnonzero(space.open != now).tolist()
        rows = [(EventKind.FREE if now[vertex] else EventKind.BLOCK, -1, vertex) for vertex in walls]
        known, before, agents = problem.n_agents, problem.agents, self.agents
        for agent, (position, goal, priority) in enumerate(
            zip(self.positions.tolist(), agents.goals.tolist(), agents.priorities.tolist(), strict=True)
        ):
            is_new = agent >= known
            if is_new:
                rows.append((EventKind.ADD, agent, position))
            if priority != (0 if is_new else before.priorities[agent]):
                rows.append((EventKind.PRIORITY, agent, priority))
            if goal != (IDLE if is_new else before.goals[agent]):
                rows.append((EventKind.GOAL, agent, goal))
            if position == NOWHERE:
                rows.append((EventKind.REMOVE, agent, position))
        return [(self.time, int(kind), agent, value) for kind, agent, value in rows]


class PartView(View):
    """A view of some agents, with numbers of their own, for a session that has forgotten the others.

    Args:
        view: The whole view.
        kept: Per agent of this view its number in the whole, in ascending order.
    """

    __slots__ = ("_kept",)

    def __init__(self, view: View, kept: IntArray) -> None:
        self._core, self._space, self._names = view._core, view._space, view._names
        self._agents = None
        self._kept = kept
        self.time, self.changes = view.time, view.changes
        self._positions = view._core.positions_of(kept)

    @property
    def n_agents(self) -> int:
        """How many these are."""
        return len(self._kept)

    @property
    def agents(self) -> AgentTable:
        """These agents, as they are now."""
        if self._agents is None:
            self._agents = agents_now(self._core, self._space, self._names, self._kept)
        return self._agents

    @property
    def goals(self) -> IntArray:
        """Per agent the vertex of its goal."""
        return self._core.goals_of(self._kept)

    @property
    def priorities(self) -> IntArray:
        """Per agent its priority."""
        return self._core.priorities_of(self._kept)

    @property
    def facings(self) -> IntArray:
        """Per agent which way it looks now."""
        return self._core.facings_of(self._kept)

    @property
    def headings(self) -> IntArray:
        """Per agent the vertex that it is moving to over several turns."""
        return self._core.headings_of(self._kept)

    @property
    def progress(self) -> IntArray:
        """Per agent the turns that such a move has taken so far."""
        return self._core.progress_of(self._kept)


@dataclass(frozen=True)
class SomeMoves:
    """Where some agents go next; all others are gone. As an array it has a vertex per agent.

    Attributes:
        agents: Their numbers, in ascending order.
        targets: Per agent of these what a session proposes.
        count: How many agents there ever were.
    """

    agents: IntArray
    targets: IntArray
    count: int

    def __len__(self) -> int:
        return self.count

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> IntArray:
        moves = np.full(self.count, NOWHERE, dtype=np.int32 if dtype is None else dtype)
        moves[self.agents] = self.targets
        return moves


Moves = IntArray | SomeMoves


def agents_now(
    core: _core.World, space: Space, names: Sequence[str], some: IntArray | None = None
) -> AgentTable:
    """All agents of a world, or some, as they are now; `starts` are their positions."""
    called = tuple(names) if some is None else tuple(names[agent] for agent in some.tolist())

    def column(name: str) -> IntArray:
        return read_only(getattr(core, name) if some is None else getattr(core, f"{name}_of")(some))

    columns = {one.column: column(one.column) for one in ATTRIBUTES}
    return AgentTable(space, called, column("positions"), column("goals"), **columns)


class Session(Protocol):
    """A planner at work in one world. It must survive `copy.deepcopy`, for snapshots.

    It may have a method `supports(problem)` like that of solvers; then the world refuses to add agents that
    the session does not take.
    """

    def step(self, view: View, *, budget: Budget) -> Moves:
        """Decides where every agent goes next.

        Args:
            view: The world at the beginning of the turn.
            budget: What the turn may use.

        Returns:
            An int32 vertex per agent; its own vertex to wait. An agent whose moves take several turns is
            given the same vertex in each of them. One that has a facing goes to the vertex straight ahead,
            or turns by a quarter: -2 to the right, -3 to the left. Or `SomeMoves`.
        """
        ...


class MeasuringSession(Session, Protocol):
    """A session that knows how far its agents have to go."""

    def distances(self, budget: Budget) -> IntArray:
        """Measures how far agents have to go.

        Args:
            budget: What it may use.

        Returns:
            Per agent the length of its way by itself; empty if the budget ran out.
        """
        ...


class Planner(Protocol):
    """Anything that can open a session: every online solver does."""

    def session(self, problem: Problem, *, seed: int = 0) -> Session:
        """Opens a session.

        Args:
            problem: What the world begins as.
            seed: Where all that is random in the session comes from.

        Returns:
            A fresh session.
        """
        ...


@dataclass(frozen=True)
class Opener:
    """How to open a session of a planner, as often as it takes."""

    planner: Planner
    problem: Problem
    seed: int

    def open(self) -> Session:
        """Opens a session.

        Returns:
            A fresh session, which knows the problem and nothing that has happened since.
        """
        return self.planner.session(self.problem, seed=self.seed)

    def __deepcopy__(self, memo: dict[int, Any]) -> Opener:
        return self  # nothing in it ever changes


class SessionHolder:
    """What runs a session and, if it knows how it was opened, can renew it after it has failed."""

    session: Session
    opener: Opener | None

    def hold(self, planner: Planner | Session, problem: Problem, seed: int) -> None:
        """Opens a session of a planner, or takes one that is given.

        Args:
            planner: Something with `session(problem, seed=...)`, or a session, which has `step`.
            problem: What the session begins as.
            seed: Handed to the planner.

        Raises:
            InputError: It is neither a planner nor a session, or a class instead of an object; or the seed is
                no whole number.
            UnsupportedError: The planner does not take the problem.
        """
        if isinstance(planner, type):
            raise InputError(f"the planner must be an object such as {planner.__name__}(), not the class")
        if isinstance(planner, str):
            raise InputError(f"the planner must be an object such as WHCA(), not a name: {planner[:40]!r}")
        if hasattr(planner, "step"):
            self.session, self.opener = cast(Session, planner), None
            return
        if not hasattr(planner, "session"):
            raise InputError(f"{planner!r} cannot plan turn by turn: it has no session()")
        require_support(planner, problem, repr(planner))
        opener = Opener(planner, problem, checked_seed(seed))
        self.session, self.opener = opener.open(), opener

    def renew(self) -> bool:
        """Opens a fresh session instead of one that failed.

        Returns:
            False if it is not known how the session was opened.
        """
        inner = getattr(self.session, "renew", None)
        if inner is not None:
            return bool(inner())
        if self.opener is None:
            return False
        self.session = self.opener.open()
        return True

    def saved_session(self) -> dict[str, Any]:
        """Saves the session: its state if it can be opened again, or else the session itself.

        Returns:
            What `load_session` takes.
        """
        save = getattr(self.session, "saved", None)
        again = self.opener is not None and save is not None
        return {"opener": self.opener, "state": save() if again and save else None} | (
            {} if again else {"session": self.session}
        )

    def load_session(self, saved: dict[str, Any]) -> None:
        """Goes on with a session that was saved.

        Args:
            saved: What `saved_session` returned.
        """
        self.opener = saved["opener"]
        if "session" in saved or self.opener is None:
            self.session = saved["session"]
            return
        self.session = self.opener.open()
        cast(Any, self.session).load(saved["state"])

    def with_session_saved(self) -> dict[str, Any]:
        """Lists all that it keeps, for `pickle`; the session and its planner are saved as above.

        Returns:
            What `load_all` takes.
        """
        kept = {name: value for name, value in self.__dict__.items() if name not in ("session", "opener")}
        return {"kept": kept, "held": self.saved_session()}

    def load_all(self, state: dict[str, Any]) -> None:
        """Becomes what was saved.

        Args:
            state: What `with_session_saved` returned.
        """
        self.__dict__.update(state["kept"])
        self.load_session(state["held"])

    @property
    def honours(self) -> tuple[str, ...]:
        """What the planner says it honours."""
        return honoured_by(self.session if self.opener is None else self.opener.planner)

    def supports(self, problem: Problem) -> Support:
        """Asks the planner that opened the session, or else the session itself, whether it takes a problem.

        Args:
            problem: A problem with the agents in question.

        Returns:
            Truthy if so; else it has the reason.
        """
        return supported(self.session if self.opener is None else self.opener.planner, problem)


def repeats(session: Session) -> bool:
    """Does the session know that from now on it would only do again what it has done before?"""
    return getattr(session, "repeats", False)
