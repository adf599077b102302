"""Steps per second of crowds (ORCA), beside what RVO2, the authors' own library, reached.

Agents cross a circle, walk about in a square in which everybody has more neighbours in view than are looked
at, and find their ways on a map with walls. CPU time counts.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np

from sidestep import Crowd
from sidestep.instances import random_grid, random_problem
from sidestep.papers.timing import least_of

from .measurements import Column, Measurements, Row, Say, Table, Target

RVO2 = {1_000: 618, 10_000: 66}  # steps per second, ten neighbours, one thread of the development machine
CIRCLE, SQUARE, WALLS = "circle", "square", "among walls"
RATE = Target(
    "Crowd of 10,000, ten neighbours: agent-steps per second, slower scene", 0.6, "million", at_least=True
)
DT = 0.1
SPACING = 1.0  # cells from one to the next in the square: agents cover 28% of it


@dataclass(frozen=True)
class Settings:
    """How large the crowds are, how many steps are timed, how often, and after how many others."""

    sizes: tuple[int, ...] = (1_000, 10_000)
    steps: int = 40
    warm_up: int = 100
    repeats: int = 5


FULL = Settings()
QUICK = Settings(steps=10, warm_up=20, repeats=2)


def measure(settings: Settings, seed: int, say: Say) -> Measurements:
    """All scenes in all sizes."""
    rows: list[Row] = []
    for name, scene in SCENES.items():
        for agents in settings.sizes:
            say(f"{agents} agents, {name}")
            rows.append(measured(name, scene(agents, seed), settings))
    rates = [row["rate"] for row in rows if row["agents"] == 10_000 and row["scene"] != WALLS]
    return Measurements((_table(rows),), (RATE.judge(min(rates, default=None)),))


def measured(name: str, crowd: Crowd, settings: Settings) -> Row:
    """Steps per second of CPU time, once the crowd is on its way."""
    crowd.step(DT, steps=settings.warm_up)
    spent = least_of(settings.repeats, partial(crowd.step, DT, steps=settings.steps)).cpu
    steps = settings.steps / spent
    reference = None if name == WALLS else RVO2.get(crowd.n_agents)
    return {
        "scene": name,
        "agents": crowd.n_agents,
        "steps": steps,
        "rate": steps * crowd.n_agents / 1e6,
        "reference": reference,
        "ratio": steps / reference if reference else None,
    }


def circle(agents: int, _seed: int) -> Crowd:
    """Everybody to the opposite point."""
    angles = np.arange(agents) * (2 * np.pi / agents)
    places = 0.12 * agents * np.stack([np.cos(angles), np.sin(angles)], axis=1)
    return Crowd(places, -places)


def square(agents: int, seed: int) -> Crowd:
    """Everybody to the place of somebody else."""
    side = int(np.ceil(np.sqrt(agents)))
    places = np.argwhere(np.ones((side, side)))[:agents] * SPACING
    return Crowd(places, places[np.random.default_rng(seed).permutation(agents)])


def among_walls(agents: int, seed: int) -> Crowd:
    """A map with a tenth of its cells blocked, nine cells per agent."""
    side = int(np.ceil(3 * np.sqrt(agents)))
    grid = random_grid(side, side, density=0.1, seed=seed)
    return Crowd.of_problem(random_problem(grid, agents, seed))


SCENES: dict[str, Callable[[int, int], Crowd]] = {CIRCLE: circle, SQUARE: square, WALLS: among_walls}


def _table(rows: list[Row]) -> Table:
    return Table(
        "Crowds that avoid each other: steps per second of CPU time, ten neighbours, one thread",
        (
            Column("scene"),
            Column("agents", form=","),
            Column("steps", "steps\nper second", ",.0f"),
            Column("rate", "million\nagent-steps", ".2f"),
            Column("reference", "RVO2,\nsteps per second"),
            Column("ratio", "ours / RVO2", ".2f"),
        ),
        tuple(rows),
        ("RVO2: 618 steps/s at 1,000 agents, 66 at 10,000, ten neighbours, on the development machine.",),
    )
