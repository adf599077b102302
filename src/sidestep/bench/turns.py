"""WHCA* turn by turn: what a turn costs, the worst one too, and what it keeps in memory."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ..arrays import IntArray
from ..grid import Grid
from ..problem import Problem
from ..solvers import WHCA
from ..solvers.cooperative import CooperativeSession
from ..trace import EventKind
from ..world import World
from .clock import Spent, timed
from .findings import Column, Findings, Reference, Row, Say, Table, Target
from .instances import random_grid, random_problem

WINDOW = 16
MIB = 2**20

INITIAL = Target("WHCA*(16), 100 agents on 32x32: all initial plans, CPU", 5, "ms")
LATER = Target("WHCA*(16), 100 agents on 32x32: worst later turn, CPU", 3, "ms")
MEDIAN = Target("WHCA*(16), 1,000 agents on 256x256: median turn, CPU", 10, "ms")
NEW_GOALS = Target("1,000 new goals under a budget of 10 ms: worst turn, wall", 15, "ms")
MEMORY = Target("1,000 agents on 256x256: distances in memory", 256, "MiB")


@dataclass(frozen=True)
class Scene:
    """Random maps with agents. Runs without a limit repeat exactly, so every turn's least time counts."""

    side: int
    density: float
    agents: int
    instances: int
    repeats: int
    most_turns: int

    @property
    def title(self) -> str:
        return f"{self.agents:,} agents on {self.side}x{self.side}, {self.density:.0%} blocked"

    def problem(self, seed: int) -> Problem:
        """The instance of a seed."""
        return random_problem(random_grid(self.side, self.side, self.density, seed), self.agents, seed)


@dataclass(frozen=True)
class NewGoals:
    """All agents of a scene get new goals at once, again and again, under a budget per turn."""

    rounds: int
    turns: int  # after each change
    budget: float  # seconds


@dataclass(frozen=True)
class Settings:
    """What is measured."""

    small: Scene
    large: Scene
    new_goals: NewGoals


FULL = Settings(
    small=Scene(32, 0.2, 100, instances=20, repeats=5, most_turns=200),
    large=Scene(256, 0.1, 1000, instances=3, repeats=3, most_turns=500),
    new_goals=NewGoals(rounds=10, turns=50, budget=0.010),
)
QUICK = Settings(
    small=Scene(32, 0.2, 100, instances=10, repeats=3, most_turns=200),
    large=Scene(256, 0.1, 1000, instances=1, repeats=2, most_turns=500),
    new_goals=NewGoals(rounds=4, turns=40, budget=0.010),
)
