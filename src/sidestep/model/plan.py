"""A plan: where every agent is at every time."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from importlib import import_module
from typing import Any, overload

import numpy as np
import numpy.typing as npt

from .agents import IDLE, agent_index
from .arrays import IntArray, frozen_state, int32_array, is_whole, read_only
from .errors import InputError, MissingExtraError, UnsupportedError
from .grid import Grid
from .problem import Problem


class Plan:
    """Where every agent is at every time.

    A plan is a claim, not a proof: `sidestep.validate(problem, plan)` judges it. `plan["a"]` is the path of
    an agent, `plan[3]` where everybody is at time 3, `plan[2:5]` the same for some times in a row; a loop
    over a plan goes through its times.

    Args:
        problem: The problem that the plan is for.
        vertices: An array of shape (T+1, agents): `vertices[t, i]` is the vertex of agent i at time t, or -1
            when it is not there. It is copied.
        claimed_cost: What its author says it costs, such as a plan file; None where nobody claims anything.
        facings: An array of the same shape, if some agents have to turn: which way they look, 0 up, 1 right,
            2 down, 3 left, and -1 for an agent that need not turn. None: the plan does not say it. It is
            copied.

    Raises:
        InputError: An array has another shape, or there is something else in it than whole numbers.
    """

    facings: IntArray | None = None  # also of plans that were pickled before there were any

    def __init__(
        self, problem: Problem, vertices: Any, *, claimed_cost: int | None = None, facings: Any = None
    ) -> None:
        if not isinstance(problem, Problem):
            raise InputError(f"a plan is one for a Problem, not for {type(problem).__name__}")
        array = int32_array(vertices, "a plan")
        if array.ndim != 2 or array.shape[0] < 1 or array.shape[1] != problem.n_agents:
            raise InputError(
                f"a plan for {problem.n_agents} agents has shape (T+1, {problem.n_agents}), not {array.shape}"
            )
        if claimed_cost is not None and not is_whole(claimed_cost):
            raise InputError(f"a claimed cost is a whole number, not {claimed_cost!r}")
        self.problem = problem
        self.vertices = array
        self.claimed_cost = None if claimed_cost is None else int(claimed_cost)
        if facings is not None:
            self.facings = int32_array(facings, "facings")
            if self.facings.shape != array.shape:
                raise InputError(
                    f"a plan of shape {array.shape} has as many facings, not {self.facings.shape}"
                )

    @property
    def makespan(self) -> int:
        """The number of steps, T."""
        return len(self.vertices) - 1

    @cached_property
    def cells(self) -> IntArray:
        """The plan as `(row, col)` per time and agent; (-1, -1) for an agent that is not there.

        Raises:
            UnsupportedError: The problem is on a graph, which has no cells.
        """
        space = self.problem.space
        if not isinstance(space, Grid):
            raise UnsupportedError("a graph has no cells: use plan.vertices")
        return read_only(space.cells(self.vertices))

    @cached_property
    def costs(self) -> npt.NDArray[np.int64]:
        """The cost of each agent, in steps, under the problem's rules; an idle agent costs nothing."""
        goals = self.problem.goals
        present = self.vertices != -1
        off_goal = present & (self.vertices != goals)
        if self.problem.rules.cost == "sum_of_costs":
            last_off = self.makespan - np.argmax(off_goal[::-1], axis=0)
            costs = np.where(off_goal.any(axis=0), last_off + 1, 0)
        else:
            # A step is free only if the agent spends it waiting on its own goal (or is gone).
            on_goal_before_and_after = ~off_goal[:-1] & ~off_goal[1:]
            costs = np.count_nonzero(~on_goal_before_and_after, axis=0)
        return read_only(np.where(goals == IDLE, 0, costs).astype(np.int64))

    @property
    def cost(self) -> int:
        """The sum of the agents' costs, in steps."""
        return int(self.costs.sum())

    def path(self, agent: int | str) -> list[Any]:
        """Lists where an agent is.

        Args:
            agent: Its index or its name.

        Returns:
            A place per time: a cell `(row, col)` on a grid, a vertex on a graph; None where it is not there.

        Raises:
            InputError: There is no such agent.
        """
        column = self.vertices[:, agent_index(agent, self.problem.names)]
        return [self._place(vertex) for vertex in column.tolist()]

    def to_frame(self) -> Any:
        """Makes a pandas frame of it: a row per time and agent that is there.

        Returns:
            The frame, with the columns `time`, `agent` and, on a grid, `row` and `col`, on a graph `vertex`.

        Raises:
            MissingExtraError: pandas is not installed.
        """
        try:
            pandas = import_module("pandas")
        except ImportError:
            raise MissingExtraError("pandas", "frames") from None
        times, agents = np.nonzero(self.vertices != -1)
        columns: dict[str, Any] = {"time": times, "agent": np.array(self.problem.names, dtype=object)[agents]}
        if isinstance(self.problem.space, Grid):
            columns["row"], columns["col"] = self.cells[times, agents].T
        else:
            columns["vertex"] = self.vertices[times, agents]
        return pandas.DataFrame(columns)

    def _place(self, vertex: int) -> Any:
        return None if vertex < 0 else self.problem.space.place(vertex)

    def _moment(self, time: int) -> dict[str, Any]:
        return dict(zip(self.problem.names, map(self._place, self.vertices[time].tolist()), strict=True))

    def __len__(self) -> int:
        return len(self.vertices)

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return map(self._moment, range(len(self)))

    @overload
    def __getitem__(self, key: int) -> dict[str, Any]: ...

    @overload
    def __getitem__(self, key: str | slice) -> list[Any]: ...

    def __getitem__(self, key: int | str | slice) -> Any:
        if isinstance(key, str):
            return self.path(key)
        if isinstance(key, slice):
            return [self._moment(time) for time in range(len(self))[key]]
        if not is_whole(key):
            raise InputError(f"plan[...] takes a name, a time or some times in a row, not {key!r}")
        if not -len(self) <= key < len(self):
            raise IndexError(f"the plan ends at time {self.makespan}: there is no time {key}")
        return self._moment(key)

    def _repr_svg_(self) -> str | None:
        from ..viewer.sketch import sketch_of_plan  # noqa: PLC0415  # only notebooks ask for pictures

        return sketch_of_plan(self)

    def __setstate__(self, state: dict[str, Any]) -> None:
        frozen_state(self, state)

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Plan)
            and self.problem == other.problem
            and np.array_equal(self.vertices, other.vertices)
            and _alike(self.facings, other.facings)
        )

    def __hash__(self) -> int:
        return hash((self.problem, self.vertices.tobytes()))

    def __repr__(self) -> str:
        return f"Plan({self.problem.n_agents} agents, makespan {self.makespan}, cost {self.cost})"


def _alike(one: IntArray | None, other: IntArray | None) -> bool:
    """Are both arrays equal, or both missing?"""
    if one is None or other is None:
        return one is other
    return np.array_equal(one, other)
