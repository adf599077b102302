"""Many agents on a grid as a parallel environment of PettingZoo."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Literal, get_args

import numpy as np
from gymnasium import spaces
from pettingzoo import ParallelEnv

from ..model.agents import IDLE
from ..model.arrays import BoolArray, IntArray, checked_seed, is_whole
from ..model.errors import InputError
from ..model.grid import Grid
from ..model.problem import Problem
from ..model.trace import Trace
from ..world.world import World
from .puppets import Puppets
from .windows import Window, windows

OnTarget = Literal["finish", "nothing", "restart"]
MOST_SEEN = 2**24  # numbers in what all agents see at a time: 64 MB
STEPS = ((0, 0), (-1, 0), (1, 0), (0, -1), (0, 1))  # idle, up, down, left, right


class GridEnv(ParallelEnv):  # type: ignore[misc]  # which has no types
    """Agents on a 4-connected grid, moved by actions: 0 waits, 1 goes up, 2 down, 3 left and 4 right.

    An agent sees a square around itself in three layers of 0 and 1: walls, other agents, and its goal, which
    is drawn at the border if it is beyond. Of the moves that are proposed a safe set happens: an agent that
    would enter a wall or collide stays, and no action is an error.

    Args:
        problem: A problem on a grid whose agents have goals; or a function of a seed that makes one, always
            with the same names, for a new one in each episode.
        radius: How many cells an agent sees in each direction.
        on_target: What happens at a goal. `"finish"`: the agent is rewarded and leaves. `"nothing"`: when
            all are at their goals, all are rewarded and the episode ends. `"restart"`: it is rewarded and
            gets a new goal, if there is a cell left that it can reach and that is nobody's goal.
        max_steps: After how many steps an episode is cut off.
        render_mode: `"ansi"` for a drawing as text, or None.

    Attributes:
        possible_agents: The names of all agents.
        agents: The names of those that are still there.
        world: The world of the episode.

    Raises:
        InputError: An argument is not valid, or the problem is not of this kind.
    """

    metadata: dict[str, Any] = {"name": "sidestep_grid_v0", "render_modes": ["ansi"]}  # noqa: RUF012  # PettingZoo's

    def __init__(
        self,
        problem: Problem | Callable[[int], Problem],
        *,
        radius: int = 5,
        on_target: OnTarget = "finish",
        max_steps: int = 64,
        render_mode: Literal["ansi"] | None = None,
    ) -> None:
        if on_target not in get_args(OnTarget):
            raise InputError(f"on_target must be one of {', '.join(get_args(OnTarget))}, not {on_target!r}")
        for name, value in (("radius", radius), ("max_steps", max_steps)):
            if not is_whole(value) or not 1 <= value <= 10**6:
                raise InputError(f"{name} must be a whole number from 1 to 1000000, not {value!r}")
        if render_mode not in (None, "ansi"):
            raise InputError(f"render_mode must be 'ansi' or None, not {render_mode!r}")
        self._source, self.radius, self.on_target = problem, radius, on_target
        self.max_steps, self.render_mode = max_steps, render_mode
        self._random = np.random.default_rng(0)
        self._begin()
        self.possible_agents = list(self._names)
        size = 2 * radius + 1
        if 3 * size**2 * len(self._names) > MOST_SEEN:
            raise InputError(
                f"{len(self._names)} agents that see {radius} cells in each direction see more than "
                f"{MOST_SEEN} numbers: use a smaller radius"
            )
        self._seen = {name: spaces.Box(0, 1, (3, size, size), np.float32) for name in self._names}
        self._done = {name: spaces.Discrete(len(STEPS)) for name in self._names}
        self.agents: list[str] = []

    def observation_space(self, agent: str) -> spaces.Space:
        """Says what an agent sees.

        Args:
            agent: Its name.

        Returns:
            A box of three layers, always the same object.
        """
        return self._seen[agent]

    def action_space(self, agent: str) -> spaces.Space:
        """Says what an agent can do.

        Args:
            agent: Its name.

        Returns:
            Five actions, always the same object.
        """
        return self._done[agent]

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Window], dict[str, dict[str, Any]]]:
        """Begins an episode.

        Args:
            seed: Where problems and new goals come from; None: they go on from the last seed.
            options: Nothing here.

        Returns:
            What agents see, and per agent where it is and wants to be.

        Raises:
            InputError: The seed is no whole number from 0 on.
        """
        del options
        if seed is not None:
            if checked_seed(seed) < 0:
                raise InputError(f"seed must be 0 or more, not {seed!r}")
            self._random = np.random.default_rng(seed)
        self._begin()
        self.agents = list(self.possible_agents)
        return self._observations(self.agents), self._infos(self.agents)

    def _begin(self) -> None:
        source = self._source
        problem = source if isinstance(source, Problem) else source(int(self._random.integers(2**31)))
        grid = _checked(problem)
        known = getattr(self, "possible_agents", list(problem.names))
        if list(problem.names) != known:
            raise InputError("the problems of an environment must have the same agents by name")
        self._names = problem.names
        self._index = {name: index for index, name in enumerate(problem.names)}
        self._open = grid.passable
        self._parts: IntArray | None = None
        self._puppets, self._width = Puppets(), grid.width
        self.world = World(problem, self._puppets, stuck_after=None)
        self._goals = problem.goals.astype(np.int64)

    def step(
        self, actions: Mapping[str, int]
    ) -> tuple[
        dict[str, Window], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]
    ]:
        """Lets all agents act at once.

        Args:
            actions: An action for each agent that is still there.

        Returns:
            Per agent that was there: what it sees, its reward, whether it is through, whether it was cut
            off, and where it is and wants to be.

        Raises:
            InputError: An action is missing or is none.
        """
        if not isinstance(actions, Mapping):
            raise InputError(f"actions are a dict by the names of agents, not {actions!r}")
        acting = self.agents
        self._puppets.moves = self._moves(actions)
        self.world.step()
        rewards, through = self._arrivals(acting)
        cut = {name: self.world.time >= self.max_steps and not through[name] for name in acting}
        observations, infos = self._observations(acting), self._infos(acting)
        self.agents = [name for name in acting if not through[name] and not cut[name]]
        if self.on_target == "finish":
            for name in acting:
                if through[name]:
                    self.world.remove(name)
        return observations, rewards, through, cut, infos

    def _moves(self, actions: Mapping[str, int]) -> IntArray:
        moves, index_of = self.world.positions.copy(), self._index
        for name in self.agents:
            action = actions.get(name)
            if not is_whole(action) or not 0 <= int(action) < len(STEPS):  # type: ignore[arg-type]
                raise InputError(f"the action of agent {name} must be from 0 to 4, not {action!r}")
            index = index_of[name]
            row, col = divmod(int(moves[index]), self._width)
            down, right = STEPS[int(action)]  # type: ignore[arg-type]
            row, col = row + down, col + right
            if 0 <= row < self._open.shape[0] and 0 <= col < self._width and self._open[row, col]:
                moves[index] = row * self._width + col
        return moves

    def _arrivals(self, acting: list[str]) -> tuple[dict[str, float], dict[str, bool]]:
        """Rewards, and who is through."""
        index = self._index
        home = {name: int(self.world.positions[index[name]]) == self._goals[index[name]] for name in acting}
        if self.on_target == "nothing":
            home = dict.fromkeys(acting, all(home.values()))
        if self.on_target == "restart":
            for name in acting:
                if home[name]:
                    self._send(name)
        rewards = {name: 1.0 if home[name] else 0.0 for name in acting}
        return rewards, {name: home[name] and self.on_target != "restart" for name in acting}

    def _send(self, name: str) -> None:
        """A new goal, which the agent can reach and nobody else has."""
        agent = self._index[name]
        parts = self._connected()
        here = int(self.world.positions[agent])
        reachable = np.flatnonzero(parts == parts[here])
        left = reachable[~np.isin(reachable, self._goals)]
        if left.size:
            goal = int(left[self._random.integers(left.size)])
            self.world.send(name, divmod(goal, self._width))
            self._goals[agent] = goal

    def _connected(self) -> IntArray:
        """Per vertex the number of its part of the map, made when first asked for; -1 at walls."""
        if self._parts is None:
            self._parts = _parts(self._open)
        return self._parts

    def _cells(self, vertices: Any) -> Any:
        return np.stack(np.divmod(np.asarray(vertices, dtype=np.int64), self._width), axis=-1)

    def _observations(self, names: list[str]) -> dict[str, Window]:
        rows = list(map(self._index.__getitem__, names))
        positions = self.world.positions[rows]
        seen = windows(self._open, self._cells(positions), self._cells(self._goals[rows]), self.radius)
        return dict(zip(names, seen, strict=True))

    def _infos(self, names: list[str]) -> dict[str, dict[str, Any]]:
        index = self._index
        return {
            name: {
                "position": divmod(int(self.world.positions[index[name]]), self._width),
                "goal": divmod(int(self._goals[index[name]]), self._width),
            }
            for name in names
        }

    @property
    def trace(self) -> Trace:
        """What has happened in the episode: `replay(env.trace)` shows it and `validate_trace` judges it."""
        return self.world.trace

    def render(self) -> str | None:
        """Draws the map.

        Returns:
            A text: `#` is a wall and a digit an agent, the last one of its number; None without a
            `render_mode`.
        """
        if self.render_mode is None:
            return None
        drawn = np.where(self._open, ".", "#")
        for agent, vertex in enumerate(self.world.positions.tolist()):
            if vertex >= 0:
                drawn[divmod(vertex, self._width)] = str(agent % 10)
        return "\n".join("".join(row) for row in drawn)

    def close(self) -> None:
        """Does nothing: there is nothing to close."""


def _checked(problem: Any) -> Grid:
    if not isinstance(problem, Problem) or not isinstance(problem.space, Grid):
        raise InputError("an environment is made of a problem on a grid")
    if problem.space.connectivity != 4:
        raise InputError("an environment has actions for 4 neighbours: Grid(..., connectivity=4)")
    if not problem.n_agents or np.any(problem.goals == IDLE):
        raise InputError("an environment needs agents, and each needs a goal")
    if not problem.all_unit:
        raise InputError("an environment has agents of one cell that move in one step")
    if problem.agents.any_turning:
        raise InputError("an environment has agents that go any way without turning: leave out their facing")
    return problem.space


def _parts(open_cells: BoolArray) -> IntArray:
    height, width = open_cells.shape
    found = np.full(height * width, -1, dtype=np.int32)
    free = open_cells.ravel()
    for first in np.flatnonzero(free).tolist():
        if found[first] >= 0:
            continue
        stack = [first]
        found[first] = first
        while stack:
            row, col = divmod(stack.pop(), width)
            for down, right in STEPS[1:]:
                beside = (row + down) * width + col + right
                inside = 0 <= row + down < height and 0 <= col + right < width
                if inside and free[beside] and found[beside] < 0:
                    found[beside] = first
                    stack.append(beside)
    return found
