"""The state of a world at one moment: to go back to, or to save."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass
from threading import RLock
from typing import Any, Self

from .. import _core
from ..model.errors import InputError
from ..model.problem import Problem
from ..model.rules import Rules
from ..model.saving import reduced
from ..model.space import Space
from ..model.to_core import compiled_problem
from .asking import MOST_TURN_TIMES
from .session import SessionHolder

# What a snapshot keeps.
COUNTED = ("failed_turns", "_late")
STATE = ("_core", "session", "opener", "_names", "_told", "_heard", "_untaken", "_failed", "_tasks", *COUNTED)


@dataclass(frozen=True)
class Snapshot:
    """The state of a world at one moment, for `World.restore` of that world. Its contents are private.

    It can be pickled, and restored into a world that was pickled, too.
    """

    state: dict[str, Any]
    world: str
    problem: Problem

    def __reduce__(self) -> tuple[Any, ...]:
        return reduced(self)

    def _saved_state(self) -> dict[str, Any]:
        """All of it, as that of a world has it."""
        holder = SessionHolder()
        holder.session, holder.opener = self.state["session"], self.state["opener"]
        return saved_state(self.state, holder, self.problem, self.world)

    @classmethod
    def _from_saved(cls, state: dict[str, Any]) -> Snapshot:
        """Makes a snapshot of what was saved."""
        holder, kept = SessionHolder(), restored_state(state)
        holder.load_session(state["session"])
        return cls(
            kept | {"session": holder.session, "opener": holder.opener}, state["world"], state["problem"]
        )


def saved_state(
    kept: Mapping[str, Any], holder: SessionHolder, problem: Problem, identity: str
) -> dict[str, Any]:
    """The state of a world as it is saved."""
    plain = {name: kept[name] for name in STATE if name not in ("_core", "session", "opener")}
    return {
        "plain": plain,
        "core": kept["_core"].saved(),
        "session": holder.saved_session(),
        "problem": problem,
        "world": identity,
    }


def restored_state(state: dict[str, Any]) -> dict[str, Any]:
    """What a world keeps, of what was saved."""
    plain = state["plain"]
    if sorted(plain) != sorted(name for name in STATE if name not in ("_core", "session", "opener")):
        raise InputError("the state is of another version")
    core = fresh_core(state["problem"])
    core.load(state["core"])
    return {**plain, "_core": core}


def fresh_core(problem: Problem, keep: int = 0, patience: int = 0) -> _core.World:
    """The core's world at the beginning of a problem."""
    space, rules, agents = compiled_problem(problem)
    return _core.World(space, rules, 0, agents, keep, patience)


class SavableWorld(SessionHolder):
    """What of a world is about being saved, and coming back."""

    space: Space
    rules: Rules
    planner_error: Exception | None
    turn_times: deque[float]
    _problem: Problem
    _identity: str
    _lock: RLock
    _watching: tuple[int, int]

    def __reduce__(self) -> tuple[Any, ...]:
        with self._lock:
            return reduced(self)

    def _saved_state(self) -> dict[str, Any]:
        """Lists all that a world needs to go on exactly as this one would; `pickle` asks for it."""
        return saved_state(self.__dict__, self, self._problem, self._identity)

    @classmethod
    def _from_saved(cls, state: dict[str, Any]) -> Self:
        """Makes a world that goes on from what was saved; `pickle` does that."""
        problem = state["problem"]
        if not isinstance(problem, Problem):
            raise InputError("there is no problem in the state")
        world = object.__new__(cls)
        world._lock = RLock()
        world.space, world.rules = problem.space, problem.rules
        world._problem, world._identity = problem, state["world"]
        world.planner_error, world._watching = None, (0, 0)
        world.turn_times = deque(maxlen=MOST_TURN_TIMES)
        world.__dict__.update(restored_state(state))
        world.load_session(state["session"])
        return world
