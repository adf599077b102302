"""The judge: what it finds in plans and traces that were tampered with."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

import sidestep as ss

from . import parts, problems, surface
from .parts import Cases, Parts
from .problems import Draws


def cases() -> Cases:
    """Plans of straight walks through everybody, plans with errors, and traces with errors."""
    for seed in range(64):
        yield f"walk {seed}", partial(walk, seed)
    for seed in range(32):
        yield f"walk of bodies {seed}", partial(walk, seed, bodies=True)
    for seed in range(24):
        yield f"trace {seed}", partial(tampered_trace, seed)


def walk(seed: int, bodies: bool = False) -> Parts:
    """Everybody goes a shortest way with waits, without regard for others; here and there somebody jumps."""
    problem = problems.random_problem(seed, 5, 6, bodies=bodies)
    draws = Draws(seed + 3000)
    plan = ss.Plan(problem, _vertices(problem, draws))
    return parts.of_plan(plan) | {"judged": parts.of_report(ss.validate(problem, plan))}


def _vertices(problem: ss.Problem, draws: Draws) -> Any:
    rows = [problem.starts.tolist()]
    maps = [_towards(problem, agent) for agent in range(problem.n_agents)]
    for time in range(1, 15):
        row = list(rows[-1])
        for agent, period in enumerate(problem.periods.tolist()):
            if time % period == 0 and row[agent] != -1 and draws.below(4):
                row[agent] = _next(problem.space, maps[agent], row[agent])
        if draws.below(6) == 0 and row:
            row[draws.below(len(row))] = draws.below(problem.space.n + 1) - 1
        rows.append(row)
    return np.array(rows, dtype=np.int32).reshape(len(rows), problem.n_agents)


def _towards(problem: ss.Problem, agent: int) -> ss.DistanceMap | None:
    goal = int(problem.goals[agent])
    return None if goal == -1 else ss.distance_map(problem.space, problem.space.place(goal))


def _next(space: ss.Grid | ss.Graph, near: ss.DistanceMap | None, vertex: int) -> int:
    if near is None or not space.open[vertex]:
        return vertex
    place = near.step([space.place(vertex)])[0]
    return int(space.vertex(place if isinstance(space, ss.Graph) else tuple(place.tolist())))


def tampered_trace(seed: int) -> Parts:
    """A trace of a world, with some positions and events changed."""
    problem = problems.random_problem(seed, 6, 5, bodies=seed % 2 == 1)
    world, draws = ss.World(problem, surface.planner("whca"), seed=seed), Draws(seed + 4000)
    for turn in range(14):
        world.step(nodes=4000)
        if turn % 4 == 2:
            world.block(problem.space.place(draws.below(problem.space.n)))
        if turn % 4 == 3 and world.where(0) is not None:
            world.set_priority(0, turn)
    trace = world.trace
    positions, events = trace.positions.copy(), trace.events.copy()
    for _ in range(3 * min(1, positions.size)):
        row, col = 1 + draws.below(len(positions) - 1), draws.below(positions.shape[1])
        positions[row, col] = draws.below(problem.space.n + 1) - 1
    if len(events):
        events[draws.below(len(events)), 3] += 1
        events = np.delete(events, draws.below(len(events)), axis=0)
    wrong = replace(trace, positions=positions, events=events)
    return {"judged": parts.of_report(ss.validate_trace(wrong)), "events": events}
