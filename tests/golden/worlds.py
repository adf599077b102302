"""Worlds: every planner among changes of all kinds, exchanged planners, slowed agents, groups, snapshots."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

import sidestep as ss

from . import parts, problems, surface
from .parts import Cases, Parts
from .problems import Draws

PLANNERS = surface.ONLINE
# Planners that take over from others. One that comes later is not added, so that cases stay as they are.
SUCCESSORS = ("lra", "ca", "hca", "whca", "wdpca", "dmrcp", "bcp")
WITH_BODIES = ("ca", "hca", "whca")
TURNS, NODES = 24, 4000


def cases(planner: str) -> Cases:
    """All cases of one planner."""
    for seed in range(12):
        yield f"changes {seed}", partial(changed, planner, seed)
    for seed in range(12, 16):
        yield f"limited trace {seed}", partial(changed, planner, seed, trace_limit=7)
    for seed in range(16, 20):
        yield f"restored {seed}", partial(restored, planner, seed)
    for seed in range(20, 26):
        yield f"exchanged {seed}", partial(exchanged, planner, seed)
    for seed in range(26, 29):
        yield f"short of nodes {seed}", partial(changed, planner, seed, nodes=25)
    if planner in WITH_BODIES:
        for seed in range(12):
            yield f"bodies {seed}", partial(changed, planner, seed, bodies=True)


def changed(planner: str, seed: int, *, nodes: int = NODES, bodies: bool = False, **options: Any) -> Parts:
    """A world in which something changes at almost every turn."""
    problem = _problem(seed, bodies)
    world = ss.World(problem, surface.planner(planner), seed=seed, **options)
    told = run_with_changes(world, Draws(seed + 500), nodes, bodies)
    return {"told": told} | recorded(world)


def restored(planner: str, seed: int) -> Parts:
    """A world that goes back once, and then into another future."""
    world = ss.World(_problem(seed), surface.planner(planner), seed=seed)
    run_with_changes(world, Draws(seed + 500), NODES)
    moment = world.snapshot()
    first = run_with_changes(world, Draws(seed + 600), NODES)
    world.restore(moment)
    second = run_with_changes(world, Draws(seed + 700), NODES)
    return {"told": [first, second]} | recorded(world)


def exchanged(planner: str, seed: int) -> Parts:
    """Another planner takes over, with some agents slowed down by a fault, and the first one comes back."""
    problem = _problem(seed)
    number = SUCCESSORS.index(planner) if planner in SUCCESSORS else 0
    other = SUCCESSORS[(number + 1 + seed % (len(SUCCESSORS) - 1)) % len(SUCCESSORS)]
    session = surface.exchangeable(problem, surface.planner(planner), seed)
    world, draws = ss.World(problem, session, seed=seed), Draws(seed + 500)
    told = [run_with_changes(world, draws, NODES)]
    surface.slow_down(session, range(0, problem.n_agents, 2), 3)
    surface.exchange(session, surface.planner(other))
    told.append(run_with_changes(world, draws, NODES))
    surface.slow_down(session, range(problem.n_agents), 1)
    surface.exchange(session, surface.planner(planner))
    told.append(run_with_changes(world, draws, NODES))
    return {"told": told} | recorded(world)


def recorded(world: ss.World) -> Parts:
    """The trace, what the judge says about it, and what becomes of it when it is replayed."""
    trace, again = world.trace, ss.replay_trace(world.trace)
    return {
        **parts.of_trace(trace),
        "judged": parts.of_report(ss.validate_trace(trace)),
        "replayed": [again.positions, again.events],
        "now": [world.time, world.done, world.goals, world.priorities, world.sizes, world.periods],
    }


def _problem(seed: int, bodies: bool = False) -> ss.Problem:
    return problems.random_problem(seed, 7, 6, bodies=bodies)


def run_with_changes(world: ss.World, draws: Draws, nodes: int, bodies: bool = False) -> list[Any]:
    """Turns with changes; what the turns told, and which changes were refused."""
    told: list[Any] = []
    for _ in range(TURNS):
        if draws.below(3) < 2:
            told.append(_change(world, draws, bodies))
        told.append(world.step(nodes=nodes))
    return told


def _change(world: ss.World, draws: Draws, bodies: bool) -> str | None:
    """One change at random; the name of the error if the world does not take it."""
    place = world.space.place(draws.below(world.space.n))
    agent, kind = draws.below(len(world.names)), draws.below(10)
    try:
        if kind < 3:
            world.send(agent, None if draws.below(8) == 0 else place)
        elif kind == 3:
            world.block(place)
        elif kind == 4:
            world.free(place)
        elif kind < 7:
            goal = world.space.place(draws.below(world.space.n))
            period = 1 + (draws.below(2) if bodies else 0)
            world.add(ss.Agent(place, goal, priority=draws.below(3), period=period))
        elif kind == 7:
            world.remove(agent)
        elif kind == 8:
            world.sync({agent: place})
        else:
            world.set_priority(agent, draws.below(5))
    except (ss.InputError, ss.UnsupportedError) as error:
        return type(error).__name__
    return None


# Groups


def group_cases() -> Cases:
    """Groups in worlds and in problems."""
    for seed, planner in enumerate(PLANNERS):
        for manner in range(3):
            yield f"{planner} {manner}", partial(grouped, planner, seed, manner)
    for seed in range(6):
        yield f"problem {seed}", partial(grouped_problem, seed)


MANNERS: tuple[dict[str, Any], ...] = ({}, {"leader": 1, "own_steps": 2}, {"detours": 0.5, "seed": 3})


def _hall(seed: int, agents: int) -> ss.Problem:
    grid = surface.room_grid(18, 22, 6, seed)
    return surface.random_problem(grid, agents, seed)


def _free_place(problem: ss.Problem, draws: Draws) -> Any:
    return problem.space.place(int(draws.one_of(np.flatnonzero(problem.space.open))))


def grouped(planner: str, seed: int, manner: int) -> Parts:
    """Two groups, the second of which takes agents from the first; others go their own ways."""
    problem, draws = _hall(seed, 14), Draws(seed)
    world = ss.World(problem, surface.planner(planner), seed=seed)
    told: list[Any] = []
    for units in (range(8), range(4, 12)):
        ss.move_group(world, units, _free_place(problem, draws), **_led(MANNERS[manner], units))
        told += [world.step(nodes=NODES) for _ in range(8)]
        world.block(_free_place(problem, draws))
        told += [world.step(nodes=NODES) for _ in range(15)]
    return {"told": told} | recorded(world)


def _led(manner: dict[str, Any], units: range) -> dict[str, Any]:
    return manner | ({"leader": units[manner["leader"]]} if "leader" in manner else {})


def grouped_problem(seed: int) -> Parts:
    """A group from a problem, planned to the end."""
    problem = _hall(seed, 10)
    goal = _free_place(problem, Draws(seed + 40))
    return parts.of_result(ss.move_group(problem, range(7), goal, **_led(MANNERS[seed % 3], range(7))))


# Planners that are not the library's


class Watcher:
    """Passes every turn on to a session, and keeps what it saw."""

    def __init__(self, session: Any) -> None:
        self.session, self.seen = session, []

    def step(self, view: Any, *, budget: Any) -> Any:
        seen = (view.positions, view.goals, view.priorities, view.sizes, view.periods)
        moving = (view.headings, view.progress)
        self.seen.append([view.time, *seen, *moving, [list(map(int, change)) for change in view.changes]])
        return self.session.step(view, budget=budget)


class Unreliable:
    """Walks at random, often into others; raises in every fifth turn, and in every seventh talks nonsense."""

    def __init__(self, problem: ss.Problem, draws: Draws) -> None:
        self.space, self.draws = problem.space, draws

    def step(self, view: Any, *, budget: Any) -> Any:
        if view.time % 5 == 4:
            raise ValueError("it does so every fifth turn")
        if view.time % 7 == 6:
            return "nonsense"
        return np.array([self._near(int(vertex)) for vertex in view.positions], dtype=np.int32)

    def _near(self, vertex: int) -> int:
        steps = (0, 1, -1) if isinstance(self.space, ss.Graph) else (0, 1, -1, self.space.width)
        return vertex if vertex < 0 else (vertex + self.draws.one_of(steps)) % self.space.n


def own_planner_cases() -> Cases:
    """What planners see, and what becomes of those that are wrong."""
    for seed in range(8):
        yield f"watched {seed}", partial(watched, seed)
        yield f"unreliable {seed}", partial(unreliable, seed)


def watched(seed: int) -> Parts:
    """What a planner is told turn by turn."""
    problem = _problem(seed, bodies=seed % 2 == 0)
    watcher = Watcher(surface.planner("whca").session(problem, seed=seed))
    world = ss.World(problem, watcher)
    run_with_changes(world, Draws(seed + 800), NODES, bodies=seed % 2 == 0)
    return {"seen": watcher.seen} | recorded(world)


def unreliable(seed: int) -> Parts:
    """What the world makes of moves that are unsafe, or none at all."""
    problem = _problem(seed)
    world = ss.World(problem, Unreliable(problem, Draws(seed)))
    return {"told": run_with_changes(world, Draws(seed + 900), NODES)} | recorded(world)
