"""What the player reads, decompressed: of plans, traces, worlds and several runs."""

from __future__ import annotations

from functools import partial

import sidestep as ss

from . import problems, surface, worlds
from .parts import Cases, Parts


def cases() -> Cases:
    """Scenes of all kinds."""
    for seed in range(14):
        yield f"plan {seed}", partial(plan, seed, bodies=False)
        yield f"world {seed}", partial(world, seed)
    for seed in range(6):
        yield f"bodies {seed}", partial(plan, seed, bodies=True)
    for seed in range(3):
        yield f"dialogue {seed}", partial(dialogue, seed)
    yield "side by side", side_by_side


def plan(seed: int, bodies: bool) -> Parts:
    """A plan with its name and a caption, or one that the judge rejects."""
    problem = problems.random_problem(seed, 6, 5, bodies=bodies)
    result = ss.solve(problem, "hca", time_limit=None, node_limit=5000, seed=seed)
    shown = ss.Plan(problem, [problem.starts, problem.starts[::-1]]) if result.plan is None else result.plan
    captions = [ss.Caption(0, (0,), "it begins", "note")] if problem.n_agents else []
    return surface.payload_parts(ss.replay(shown, title="a plan", note="as it is", captions=captions))


def world(seed: int) -> Parts:
    """A world in which much changes."""
    problem = problems.random_problem(seed, 6, 5, bodies=seed % 2 == 1)
    made = ss.World(problem, surface.planner("whca"), seed=seed)
    worlds.run_with_changes(made, problems.Draws(seed), 4000)
    return surface.payload_parts(ss.replay(made, title="a world"))


def dialogue(seed: int) -> Parts:
    """Captions about what agents have agreed on."""
    problem = surface.dialogue_problem(seed, fewest=20, most=30)
    result = ss.solve(problem, "dpca", time_limit=None, node_limit=100_000)
    return surface.payload_parts(ss.replay(result, title="a dialogue"))


def side_by_side() -> Parts:
    """Two solvers on one map: what they share is stored once."""
    problem = surface.random_problem(surface.random_grid(16, 16, 0.2, 1), 30, 1)
    runs = [ss.solve(problem, name, time_limit=None) for name in ("whca", "hca")]
    return surface.payload_parts(ss.replay(*runs, labels=("one", "two")))
