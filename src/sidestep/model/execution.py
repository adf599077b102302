"""An execution: what robots did with a plan, tick by tick."""

from __future__ import annotations

from typing import Any

import numpy as np

from .arrays import IntArray, float_array, frozen_state, int32_array, read_only
from .errors import InputError
from .problem import Problem


class Execution:
    """Where robots were at every tick, on places and on the way between them.

    It is a record, not a proof: `sidestep.validate_execution(execution)` judges it.

    Args:
        problem: What was executed, and by which rules.
        positions: An array of shape (ticks+1, agents, 3): the vertex that the agent was on last, the one that
            it is on its way to (the same if it stands), and how far it has come, in thousandths of the length
            of a straight step. An agent that has left the map has -1, -1 and 0. It is copied.
        speeds: How far each agent may come in a tick, in steps; 1 for all if left out.
        done: True if everybody is said to have arrived.

    Raises:
        InputError: An array has another shape, or there is something else in it than numbers.
    """

    def __init__(self, problem: Problem, positions: Any, *, speeds: Any = None, done: bool = False) -> None:
        if not isinstance(problem, Problem):
            raise InputError(f"an execution is one of a Problem, not of {type(problem).__name__}")
        array = int32_array(positions, "an execution")
        if array.ndim != 3 or array.shape[0] < 1 or array.shape[1:] != (problem.n_agents, 3):
            raise InputError(
                f"an execution of {problem.n_agents} agents has shape (ticks+1, {problem.n_agents}, 3), "
                f"not {array.shape}"
            )
        if not isinstance(done, (bool, np.bool_)):
            raise InputError(f"done must be True or False, not {done!r}")
        fast = np.ones(problem.n_agents) if speeds is None else float_array(speeds, "speeds must be numbers")
        if fast.shape != (problem.n_agents,) or not ((fast > 0) & (fast <= 1)).all():
            raise InputError("speeds must be one number per agent, above 0 and at most 1 step per tick")
        self.problem = problem
        self.positions = array
        self.speeds = read_only(fast)
        self.done = bool(done)

    @property
    def ticks(self) -> int:
        """How many ticks it took."""
        return len(self.positions) - 1

    @property
    def sources(self) -> IntArray:
        """The vertex that each agent was on last, per tick; -1 for one that has left the map."""
        return self.positions[:, :, 0]

    @property
    def targets(self) -> IntArray:
        """The vertex that each agent is on its way to, per tick; the same as its source if it stands."""
        return self.positions[:, :, 1]

    @property
    def progress(self) -> IntArray:
        """How far each agent has come on its way, per tick, in thousandths of a straight step."""
        return self.positions[:, :, 2]

    def __setstate__(self, state: dict[str, Any]) -> None:
        frozen_state(self, state)

    def __repr__(self) -> str:
        end = "done" if self.done else "not done"
        return f"Execution({self.problem.n_agents} agents, {self.ticks} ticks, {end})"
