"""ORCA (van den Berg, Guy, Lin and Manocha 2011): round agents that avoid each other in continuous space.

Positions are in cells: the centre of the cell `(row, col)` is the point `(row, col)`, and a cell reaches half
a unit to every side. Speeds are in cells per second.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from .. import _core
from ..budget import Budget
from ..judge import validate
from ..model.arrays import BoolArray, float_array, is_number, is_whole, read_only
from ..model.errors import InputError
from ..model.grid import Grid
from ..model.plan import Plan
from ..model.problem import Problem
from ..model.saving import reduced

FloatArray = npt.NDArray[np.float64]

FARTHEST = 1e9  # coordinates, radii and speeds beyond it leave no digits behind the point
SMALLEST = 1e-6  # of a radius
WIDEST_AMONG_WALLS = 0.49  # a corridor of one cell must let everybody pass
WIDEST_BY_PLAN = 0.35  # two who turn a corner one behind the other come as near as 0.707
MOST_NEIGHBOURS = 1000
MOST_STEPS = 10**9


class Crowd:
    """Agents with a radius and a maximum speed, walking to their goals; `step` moves them all.

    Agents that do not overlap never will, and no agent enters a wall. Positions are in cells, speeds in cells
    per second.

    Args:
        positions: An (n, 2) array of (row, col): where they begin.
        goals: The same for where they want to be.
        grid: Its walls are kept clear of, and ways lead around them. None: there are no walls.
        radius: One number, or one per agent; among walls at most 0.49.
        max_speed: One number, or one per agent.
        horizon: For how many seconds ahead agents avoid each other.
        wall_horizon: For how many seconds ahead they avoid walls.
        neighbours: How many of the nearest agents each one avoids, from 0 to 1000.
        keep_right: An agent that must give way leans to the right by this share of its speed, from 0 to 1, so
            that two that meet do not stand still face to face.

    Raises:
        InputError: An argument is not valid, or an agent would be in a wall at its position or goal.
    """

    def __init__(
        self,
        positions: Any,
        goals: Any,
        *,
        grid: Grid | None = None,
        radius: Any = 0.3,
        max_speed: Any = 1.0,
        horizon: float = 2.0,
        wall_horizon: float = 0.5,
        neighbours: int = 10,
        keep_right: float = 0.3,
    ) -> None:
        places = _points(positions, "positions")
        self._grid = _checked_grid(grid)
        self._radii = _per_agent(radius, len(places), "radius", least=SMALLEST)
        self._speeds = _per_agent(max_speed, len(places), "max_speed")
        self._horizons = (_seconds(horizon, "horizon"), _seconds(wall_horizon, "wall_horizon"))
        if not is_whole(neighbours):
            raise InputError(f"neighbours must be a whole number, not {neighbours!r}")
        if not 0 <= neighbours <= MOST_NEIGHBOURS:
            raise InputError(f"neighbours must be from 0 to {MOST_NEIGHBOURS}, not {neighbours}")
        if self._grid is not None and len(places) and self._radii.max() > WIDEST_AMONG_WALLS:
            raise InputError(
                f"among walls a radius is at most {WIDEST_AMONG_WALLS}, not {self._radii.max():g}"
            )
        self._core = _core.Crowd(
            places,
            self._radii,
            self._speeds,
            horizon=self._horizons[0],
            wall_horizon=self._horizons[1],
            neighbours=int(neighbours),
            keep_right=_number(keep_right, "keep_right", 0.0, 1.0),
        )
        self._manners = {
            "grid": self._grid,
            "radius": self._radii,
            "max_speed": self._speeds,
            "horizon": self._horizons[0],
            "wall_horizon": self._horizons[1],
            "neighbours": int(neighbours),
            "keep_right": float(keep_right),
        }
        if self._grid is not None:
            self._core.set_walls(self._grid.passable)
        self._check_room(places, "position")
        self._plan: Plan | None = None
        self._time = 0.0
        self._set_goals(goals)

    @classmethod
    def of_problem(cls, problem: Problem, **manners: Any) -> Crowd:
        """Makes a crowd on the cells of a problem, from starts to goals; idle agents stay where they are.

        Args:
            problem: A problem on a grid.
            **manners: The options of the constructor, but for `grid`.

        Returns:
            The crowd.

        Raises:
            InputError: It is no problem on a grid, or an option is not valid.
        """
        if not isinstance(problem, Problem) or not isinstance(problem.space, Grid):
            raise InputError("a crowd needs a problem on a grid")
        goals = np.where(problem.goals < 0, problem.starts, problem.goals)
        centres = problem.space.cells(problem.starts).astype(np.float64)
        return cls(centres, problem.space.cells(goals).astype(np.float64), grid=problem.space, **manners)

    @classmethod
    def following(cls, plan: Plan, *, radius: Any = 0.3, max_speed: Any = 1.0) -> Crowd:
        """Makes a crowd that walks by a plan, and passes every cell in its order.

        Times are not the plan's: an agent that is late is waited for where the plan says so, and nowhere
        else. The plan has settled who gives way, so agents go straight from cell to cell and give way by
        their speed alone. All arrive: at the largest radius even four that turn in a ring have room.

        Args:
            plan: A valid plan on a grid, without diagonal moves, in which nobody disappears.
            radius: One number, or one per agent; at most 0.35.
            max_speed: One number, or one per agent, in cells per second.

        Returns:
            The crowd.

        Raises:
            InputError: An argument is not valid.
        """
        if not isinstance(plan, Plan):
            raise InputError(f"a crowd follows a Plan, not {type(plan).__name__}")
        if plan.vertices.size and plan.vertices.min() < 0:
            raise InputError("a crowd cannot follow a plan in which agents disappear")
        crowd = cls.of_problem(plan.problem, radius=radius, max_speed=max_speed)
        if crowd.n_agents and crowd.radii.max() > WIDEST_BY_PLAN:
            raise InputError(
                f"a radius is at most {WIDEST_BY_PLAN} to follow a plan, not {crowd.radii.max():g}"
            )
        _check_followable(plan)
        if crowd.n_agents:
            crowd._core.follow(np.ascontiguousarray(plan.vertices))
        crowd._plan = plan
        return crowd

    def __reduce__(self) -> tuple[Any, ...]:
        return reduced(self)

    def _saved_state(self) -> dict[str, Any]:
        """Lists all that a crowd needs to walk on exactly as this one would; `pickle` asks for it."""
        return {
            "manners": self._manners,
            "start": np.array(self.positions),
            "goals": np.array(self.goals),
            "plan": self._plan,
            "time": self._time,
            "core": self._core.saved(),
        }

    @classmethod
    def _from_saved(cls, state: dict[str, Any]) -> Crowd:
        """Makes a crowd that walks on from what was saved."""
        if state["plan"] is None:
            crowd = cls(state["start"], state["goals"], **state["manners"])
        else:
            manners = state["manners"]
            crowd = cls.following(state["plan"], radius=manners["radius"], max_speed=manners["max_speed"])
        crowd._core.load(state["core"])
        crowd._time = float(state["time"])
        return crowd

    @property
    def n_agents(self) -> int:
        """The number of agents."""
        return len(self._radii)

    @property
    def positions(self) -> FloatArray:
        """Where the agents are: an (n, 2) array of (row, col)."""
        return read_only(self._core.places())

    @property
    def velocities(self) -> FloatArray:
        """The agents' velocities, in rows and columns per second."""
        return read_only(self._core.velocities())

    @property
    def goals(self) -> FloatArray:
        """Where the agents want to be: an (n, 2) array of (row, col)."""
        return read_only(self._core.goals())

    @property
    def radii(self) -> FloatArray:
        """Per agent its radius, in cells."""
        return self._radii

    @property
    def time(self) -> float:
        """Seconds walked so far."""
        return self._time

    def arrived(self, within: float = 0.1) -> BoolArray:
        """Says who has arrived.

        Args:
            within: How near to its goal an agent must be, in cells.

        Returns:
            Per agent whether it is (and, with a plan, at its end).

        Raises:
            InputError: It is no number from 0 on.
        """
        return self._core.arrived(_number(within, "within", 0.0, FARTHEST))

    @property
    def done(self) -> bool:
        """Whether all agents are within 0.1 of their goals at once."""
        return bool(self.arrived().all())

    def step(self, dt: float = 0.1, *, steps: int = 1, budget: Budget | None = None) -> int:
        """Moves all agents for a while. A step is made as a whole or not at all.

        Args:
            dt: The seconds of one step: more than 0, and at most the shorter of the two horizons.
            steps: How many steps to make.
            budget: What they may use.

        Returns:
            How many steps the budget allowed.

        Raises:
            InputError: An argument is not valid.
        """
        dt = _number(dt, "dt", 0.0, min(self._horizons))
        if dt == 0:
            raise InputError("dt must be more than 0 seconds")
        if not is_whole(steps) or not 0 <= steps <= MOST_STEPS:
            raise InputError(f"steps must be a whole number from 0 to {MOST_STEPS}, not {steps!r}")
        if budget is not None and not isinstance(budget, Budget):
            raise InputError(f"budget must be a Budget, not {budget!r}")
        made = self._core.steps(dt, int(steps), (budget or Budget()).core)
        self._time += made * dt
        return made

    def run(self, seconds: float, dt: float = 0.1, *, budget: Budget | None = None) -> bool:
        """Steps until all have arrived, or for a limited time.

        Args:
            seconds: How long, in the crowd's time.
            dt: The seconds of one step.
            budget: What all steps together may use.

        Returns:
            Whether all have arrived.

        Raises:
            InputError: An argument is not valid.
        """
        end = self._time + _number(seconds, "seconds", 0.0, FARTHEST)
        while not self.done and self._time < end:
            if not self.step(dt, budget=budget):
                break
        return self.done

    def send(self, agent: int, goal: Any) -> None:
        """Gives an agent another goal.

        Args:
            agent: Its index.
            goal: A point (row, col).

        Raises:
            InputError: There is no such agent, it would be in a wall there, or the crowd follows a plan.
        """
        self._core.set_goal(*self._elsewhere(agent, goal, "goal"))

    def move(self, agent: int, position: Any) -> None:
        """Puts an agent somewhere else, at rest. Agents that it overlaps with there give way.

        Args:
            agent: Its index.
            position: A point (row, col), which may be that of another agent.

        Raises:
            InputError: As for `send`.
        """
        self._core.set_place(*self._elsewhere(agent, position, "position"))

    def _elsewhere(self, agent: int, place: Any, what: str) -> tuple[int, float, float]:
        """An agent and a point for it, checked, as the core takes them."""
        if self._plan is not None:
            raise InputError(f"this crowd follows a plan: none of its agents can have another {what}")
        number, point = self._agent(agent), _point(place, f"a {what}")
        self._check_room(point, what, [number])
        row, col = point[0].tolist()
        return number, row, col

    def __repr__(self) -> str:
        return f"Crowd({self.n_agents} agents, {int(self.arrived().sum())} arrived, {self._time:.1f} s)"

    def _set_goals(self, goals: Any) -> None:
        points = _points(goals, "goals")
        if len(points) != self.n_agents:
            raise InputError(f"there are {self.n_agents} positions but {len(points)} goals")
        self._check_room(points, "goal")
        for agent, (row, col) in enumerate(points.tolist()):
            self._core.set_goal(agent, row, col)

    def _agent(self, agent: Any) -> int:
        if not is_whole(agent) or not 0 <= agent < self.n_agents:
            raise InputError(f"an agent is a number below {self.n_agents}, not {agent!r}")
        return int(agent)

    def _check_room(self, points: FloatArray, what: str, agents: list[int] | None = None) -> None:
        """An InputError for a point where the agent would be in a wall."""
        if self._grid is None:
            return
        numbers = range(len(points)) if agents is None else agents
        for number, (row, col) in zip(numbers, points.tolist(), strict=True):
            if not self._core.fits(row, col, float(self._radii[number])):
                raise InputError(
                    f"the {what} ({row:g}, {col:g}) of agent {number} is in a wall or too near to one"
                )


def _check_followable(plan: Plan) -> None:
    """An InputError for a plan with collisions, jumps or diagonal moves."""
    report = validate(plan.problem, plan)
    if not report:
        raise InputError(f"a crowd follows a valid plan: {report.violations[0]}")
    moves = np.abs(np.diff(plan.cells, axis=0)).sum(axis=2)
    if (moves > 1).any():
        time, agent = np.argwhere(moves > 1)[0].tolist()
        raise InputError(
            f"a crowd cannot follow diagonal moves, such as that of agent {agent} at time {time}: "
            "discs would meet at the corners"
        )


def _points(values: Any, what: str) -> FloatArray:
    """A fresh (n, 2) array of finite numbers."""
    array = float_array(values, f"{what} must be pairs of numbers (row, col)")
    if array.size == 0 and array.ndim <= 2:
        array = array.reshape(0, 2)
    if array.ndim != 2 or array.shape[1] != 2:
        raise InputError(f"{what} must be pairs of numbers (row, col), not an array of shape {array.shape}")
    if not (np.abs(array) <= FARTHEST).all():  # also false for what is not a number
        raise InputError(f"{what} must be finite and at most {FARTHEST:g}")
    return array


def _point(value: Any, what: str) -> FloatArray:
    """One point, as an array of one."""
    points = _points([value], what)
    if len(points) != 1:
        raise InputError(f"{what} is a pair of numbers (row, col), not {value!r}")
    return points


def _per_agent(value: Any, count: int, what: str, *, least: float = 0.0) -> FloatArray:
    array = float_array(value, f"{what} must be a number, or one per agent")
    if array.ndim == 0:
        array = np.full(count, float(array))
    if array.shape != (count,):
        raise InputError(f"{what} must be a number, or one for each of {count} agents")
    if not ((array >= least) & (array <= FARTHEST)).all():  # also false for what is not a number
        raise InputError(f"{what} must be from {least:g} to {FARTHEST:g}")
    return read_only(array)


def _number(value: Any, what: str, least: float, most: float) -> float:
    if not is_number(value) or not least <= value <= most:
        raise InputError(f"{what} must be a number from {least:g} to {most:g}, not {value!r}")
    return float(value)


def _seconds(value: Any, what: str) -> float:
    if _number(value, what, 0.0, FARTHEST) == 0:
        raise InputError(f"{what} must be more than 0 seconds")
    return float(value)


def _checked_grid(grid: Any) -> Grid | None:
    if grid is not None and not isinstance(grid, Grid):
        raise InputError(f"grid must be a Grid, not {type(grid).__name__}")
    return grid
