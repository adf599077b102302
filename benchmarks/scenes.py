"""Random maps with random agents: what most sections plan for."""

from __future__ import annotations

from dataclasses import dataclass

from sidestep import Problem
from sidestep.instances import random_grid, random_problem


@dataclass(frozen=True)
class RandomScene:
    """A square map, the share of its cells that is blocked, and how many agents are on it."""

    side: int
    density: float
    agents: int

    def problem(self, seed: int) -> Problem:
        """The instance of a seed: 4-connected, pockets filled."""
        return random_problem(random_grid(self.side, self.side, self.density, seed), self.agents, seed)
