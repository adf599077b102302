"""Plain PIBT for robots that have to turn: each turns towards the place that it is given, or goes there.

Who has to turn first stays where it is, and so does who was to have its place, and so on. This is what
planning one step at a time amounts to, for comparison with operations of several actions.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from sidestep import PIBT, Problem

TURN_RIGHT, TURN_LEFT = -2, -3


class OneStep:
    """A planner of such robots."""

    def session(self, problem: Problem, *, seed: int = 0) -> OneStepSession:
        """A session of PIBT, as if nobody had to turn, and what robots can make of it."""
        free = [replace(agent, facing=None) for agent in problem.agents]
        plain = Problem.from_agents(problem.space, free, rules=problem.rules)
        return OneStepSession(PIBT().session(plain, seed=seed), plain.space.n, problem.space.width)  # type: ignore[union-attr]


class OneStepSession:
    """Where PIBT would have robots go, a turn or a step at a time."""

    def __init__(self, inner: Any, places: int, width: int) -> None:
        self.inner, self.places, self.width = inner, places, width

    def step(self, view: Any, *, budget: Any) -> Any:
        """A step for those who face their way and find it free, a turn for those who do not face it."""
        here, facings = view.positions, view.facings
        there = self.inner.step(view, budget=budget)
        ways = {-self.width: 0, 1: 1, self.width: 2, -1: 3}
        wanted = np.array([ways.get(int(step), -1) for step in there - here])
        moves = (wanted >= 0) & (wanted == facings)
        holder = np.full(self.places, -1)
        holder[here] = np.arange(len(here))
        while True:
            ahead = holder[there]
            blocked = moves & (ahead >= 0) & ~moves[ahead]
            if not blocked.any():
                break
            moves &= ~blocked
        turns = np.where((wanted - facings) % 4 == 3, TURN_LEFT, TURN_RIGHT)
        waits = (wanted < 0) | (wanted == facings)
        return np.where(moves, there, np.where(waits, here, turns)).astype(np.int32)
