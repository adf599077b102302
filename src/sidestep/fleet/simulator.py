"""Simulated robots, which are late, stop for good and lose messages, by a seed."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import _core
from ..model.arrays import IntArray, float_array, int32_array, is_number, is_whole
from ..model.errors import InputError
from ..model.execution import Execution
from ..model.problem import Problem
from ..model.random import core_seed
from ..model.to_core import compiled_space, core_agents
from .commands import Commands

THOUSANDTHS = 1000
MOST_TICKS = 1 << 20
COLUMNS = ("first", "begin", "places")  # of commands, as the core takes them


class Simulator:
    """Robots that go where they were told, each at its own pace.

    In a tick commands come in, robots drive, and every robot reports how many visits it has finished. A robot
    drives on through all visits that it knows of, and is always able to stop at the last. Chances are per
    tick and robot, or per message.

    Args:
        problem: Whose agents the robots are; they begin on the starts.
        speed: Steps per tick at most, above 0 and up to 1: one number, or one per agent. An agent whose moves
            take several turns is slower by that factor.
        acceleration: Steps per tick and tick, for braking too: one number, or one per agent. None: at once.
        turn: How many ticks a robot on a grid stands to turn: one number, or one per agent.
        delay: The chance that a robot is delayed.
        delays: The shortest and the longest delay, in ticks, equally likely as all between.
        stop: The chance that a robot stops for good, on a place or between two.
        loss: The chance that a message is lost, in both directions.
        doubling: The chance that a message comes twice.
        lateness: By how many ticks a message is late at most.
        seed: Of all that goes wrong.

    Raises:
        InputError: An argument is none of these.
    """

    def __init__(
        self,
        problem: Problem,
        *,
        speed: Any = 1.0,
        acceleration: Any = None,
        turn: Any = 0,
        delay: float = 0.0,
        delays: tuple[int, int] = (1, 10),
        stop: float = 0.0,
        loss: float = 0.0,
        doubling: float = 0.0,
        lateness: int = 0,
        seed: int = 0,
    ) -> None:
        if not isinstance(problem, Problem):
            raise InputError(f"a simulator is one of a Problem, not of {type(problem).__name__}")
        self.problem = problem
        drives = _drives(problem, speed, acceleration, turn)
        self.speeds = drives[:, 0] / THOUSANDTHS
        chances = [_chance(value, name) for name, value in _named(delay, stop, loss, doubling)]
        space = compiled_space(problem)
        agents = core_agents(space, problem.agents)
        times = [*_delays(delays), _ticks(lateness, "lateness")]
        self._core = _core.Simulator(space, agents, drives, chances, times, core_seed(seed))
        self._rows = [self._core.positions()]

    @property
    def now(self) -> int:
        """How many ticks have passed."""
        return self._core.now()

    @property
    def positions(self) -> IntArray:
        """Where everybody is: a row of `Execution.positions`."""
        return self._rows[-1]

    @property
    def stopped(self) -> tuple[str, ...]:
        """Who has stopped for good."""
        return tuple(self.problem.names[agent] for agent in np.flatnonzero(self._core.stopped()))

    def stop(self, agent: int | str) -> None:
        """Stops a robot for good, where it is.

        Args:
            agent: Its index or its name.

        Raises:
            InputError: There is no such agent.
        """
        self._core.stop(self.problem.index(agent))

    def tick(self, commands: Commands) -> IntArray:
        """Lets a tick pass.

        Args:
            commands: What the fleet says; it is on its way, and may get lost.

        Returns:
            The reports that come in, a row each: agent, number of its last finished visit, vertex.

        Raises:
            InputError: These are not the commands of a fleet.
        """
        if not isinstance(commands, Commands):
            raise InputError(f"a simulator takes the Commands of a fleet, not {commands!r}")
        columns = [int32_array(getattr(commands, name), f"{name} of commands") for name in COLUMNS]
        try:
            self._core.send(*columns)
        except (TypeError, ValueError) as error:
            raise InputError(f"these are no commands of a fleet of the same agents: {error}") from None
        self._core.tick()
        self._rows.append(self._core.positions())
        return self._core.reports()

    def execution(self, *, done: bool = False) -> Execution:
        """What the robots have done so far.

        Args:
            done: True to say that everybody has arrived.

        Returns:
            The record, for the judge.
        """
        return Execution(self.problem, np.stack(self._rows), speeds=self.speeds, done=done)


def _drives(problem: Problem, speed: Any, acceleration: Any, turn: Any) -> IntArray:
    """Speed, acceleration and turn per agent, in thousandths and ticks."""
    speeds = _column(problem, speed, "speed")
    if not ((speeds > 0) & (speeds <= 1)).all():
        raise InputError(f"speed must be above 0 and at most 1 step per tick, not {speed!r}")
    faster = _column(problem, 0 if acceleration is None else acceleration, "acceleration")
    if acceleration is not None and not ((faster > 0) & (faster <= 1)).all():
        raise InputError(f"acceleration must be above 0 and at most 1, or None, not {acceleration!r}")
    turns = _column(problem, turn, "turn")
    if not ((turns >= 0) & (turns <= MOST_TICKS) & (turns == np.floor(turns))).all():
        raise InputError(f"turn must be ticks, a whole number from 0 on, not {turn!r}")
    least = 0 if acceleration is None else 1
    columns = (
        np.maximum(1, np.floor(speeds / problem.periods * THOUSANDTHS)),
        np.maximum(least, np.floor(faster * THOUSANDTHS)),
        turns,
    )
    return np.ascontiguousarray(np.stack(columns, axis=1).astype(np.int32))


def _column(problem: Problem, values: Any, what: str) -> np.ndarray[Any, np.dtype[np.float64]]:
    array = float_array(values, f"{what} must be a number, or one per agent")
    if array.ndim > 1 or (array.ndim == 1 and len(array) != problem.n_agents):
        raise InputError(f"{what} must be a number, or one per agent")
    return np.broadcast_to(array, (problem.n_agents,)).astype(np.float64)


def _named(delay: Any, stop: Any, loss: Any, doubling: Any) -> list[tuple[str, Any]]:
    return [("delay", delay), ("stop", stop), ("loss", loss), ("doubling", doubling)]


def _chance(value: Any, what: str) -> float:
    if not is_number(value) or not 0 <= value <= 1:
        raise InputError(f"{what} is a chance from 0 to 1, not {value!r}")
    return float(value)


def _ticks(value: Any, what: str) -> int:
    if not is_whole(value) or not 0 <= value <= MOST_TICKS:
        raise InputError(f"{what} must be ticks, a whole number from 0 on, not {value!r}")
    return int(value)


def _delays(delays: Any) -> tuple[int, int]:
    if not isinstance(delays, (tuple, list)) or len(delays) != 2:
        raise InputError(f"delays are the shortest and the longest, in ticks, not {delays!r}")
    shortest, longest = (_ticks(value, "a delay") for value in delays)
    if not 1 <= shortest <= longest:
        raise InputError(f"delays are the shortest, from 1 on, and the longest, not {delays!r}")
    return shortest, longest
