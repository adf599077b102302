"""Crowds: positions and velocities, exactly as the bytes of their floats."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

import sidestep as ss

from . import surface
from .parts import Cases, Parts

MANNERS: tuple[dict[str, Any], ...] = (
    {},
    {"radius": 0.2, "max_speed": 1.5, "neighbours": 3},
    {"horizon": 4.0, "wall_horizon": 1.0, "keep_right": 0.0},
    {"horizon": 0.5, "keep_right": 1.0, "neighbours": 0},
)


def cases() -> Cases:
    """Crowds in the open, among walls, and by a plan."""
    for manner in range(len(MANNERS)):
        yield f"circle {manner}", partial(circle, manner)
        for seed in range(3):
            yield f"walls {manner} {seed}", partial(among_walls, manner, seed)
    for seed in range(4):
        yield f"by plan {seed}", partial(by_plan, seed)


def walked(crowd: ss.Crowd, steps: int) -> Parts:
    """Where everybody is every few steps."""
    states = []
    for _ in range(steps):
        crowd.step(0.1, steps=5)
        states.append([crowd.positions, crowd.velocities, crowd.arrived()])
    return {"states": states, "now": [crowd.time, crowd.done, crowd.goals]}


def circle(manner: int) -> Parts:
    """Everybody wants to be on the other side of a square; some change their minds."""
    side = [float(3 * k) for k in range(5)]
    ring = [(0.0, k) for k in side] + [(k, 14.0) for k in side] + [(15.0, k + 1) for k in side]
    crowd = ss.Crowd(ring, ring[7:] + ring[:7], **MANNERS[manner])
    first = walked(crowd, 8)
    crowd.send(2, (7.5, 7.25))
    crowd.move(4, (30.0, 2.0))
    return {"before": list(first.values()), **walked(crowd, 12)}


def among_walls(manner: int, seed: int) -> Parts:
    """Agents of a problem in rooms with doors."""
    problem = surface.random_problem(surface.room_grid(14, 14, 5, seed), 16, seed)
    return walked(ss.Crowd.of_problem(problem, **MANNERS[manner]), 20)


def by_plan(seed: int) -> Parts:
    """A crowd that follows a plan, of different radii and speeds."""
    problem = surface.random_problem(surface.random_grid(10, 10, 0.15, seed), 12, seed)
    plan = ss.solve(problem, "whca", time_limit=None, seed=seed).plan
    assert plan is not None
    radii, speeds = np.linspace(0.15, 0.35, 12), np.linspace(0.5, 1.5, 12)
    return walked(ss.Crowd.following(plan, radius=radii, max_speed=speeds), 20)
