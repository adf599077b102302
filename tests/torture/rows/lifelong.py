"""Worlds with work that never ends, to which everything happens: no order is lost, nothing is refused."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np

import sidestep as ss
from sidestep import EventKind, Rules, Stream
from sidestep.solvers.rescue import Rescuing

from ..row import Failed, Row

TURNS = 100  # per world
PATIENCE = (4, 20)  # turns
PLANNERS: list[Any] = [
    ss.PIBT(),
    ss.Guided(),
    ss.Guided(window=6),
    ss.Rolling(),
    ss.Rolling(horizon=6, effort=20),
    Rescuing(ss.PIBT(swap=False)),
    Rescuing(ss.Guided(swap=False, hindrance=False)),
    Rescuing(ss.Rolling()),
]
TURNING: list[Any] = [
    ss.EPIBT(),
    ss.EPIBT(length=3, effort=2),
    ss.EPIBT(length=5),
    ss.EPIBT(length=1, asks=1),
]
NODES = (None, None, 0, 5, 500, 50_000)


def one(number: int, *, turning: bool = False) -> int:
    """One world of a hundred turns; if it is `turning`, its agents have to turn."""
    draw = Random(number)
    world = open_world(draw, number, turning=turning)
    checks = 0
    for _ in range(TURNS):
        for _ in range(draw.choice([0, 0, 1, 3])):
            change(world, draw)
        world.step(nodes=draw.choice(NODES))
        checks += judge_turn(world)
    trace = world.trace
    if not (report := ss.validate_trace(trace)):
        raise Failed(str(report))
    if ss.replay_trace(trace) != trace:
        raise Failed("a replay is another run")
    return checks + 2


def open_world(draw: Random, number: int, *, turning: bool) -> ss.World:
    """A small crowded map, with a stream of tasks."""
    most = draw.choice([9, 9, 9, 22])
    rows, cols = draw.randrange(3, most), draw.randrange(3, most)
    passable = np.array([draw.random() < 0.85 for _ in range(rows * cols)]).reshape(rows, cols)
    passable[0, :2] = True
    connectivity: Any = 4 if turning else draw.choice([4, 4, 8])
    grid = ss.Grid(passable, connectivity)
    places = [grid.place(vertex) for vertex in np.flatnonzero(grid.open).tolist()]
    draw.shuffle(places)
    crowd = places[: max(1, int(len(places) * draw.choice([0.2, 0.5, 0.9])))]
    rules = Rules(shared_goals=draw.random() < 0.7, following=draw.random() < 0.8)
    agents = [ss.Agent(place, facing=draw.choice("NESW") if turning else None) for place in crowd]  # type: ignore[arg-type]
    problem = ss.Problem.from_agents(grid, agents, rules=rules)
    stream = Stream.random(grid, seed=number, errands=(1, 2), pool=draw.choice([0.5, 1.5]), places=places)
    way = draw.choice(["nearest", "assignment", "regret"])
    planner = draw.choice(TURNING if turning else PLANNERS)
    return ss.World(
        problem, planner, seed=number, tasks=stream, assign=way, stuck_after=draw.choice(PATIENCE)
    )


def change(world: ss.World, draw: Random) -> None:
    """Something happens from outside."""
    there = np.flatnonzero(world.positions != -1).tolist()
    vertex = draw.randrange(world.space.n)
    place, taken = world.space.place(vertex), vertex in world.positions
    what = draw.choice(["wall", "wall", "add", "remove", "send", "sync", "submit"])
    if what == "wall":
        (world.block if world.is_open(place) and draw.random() < 0.4 else world.free)(place)
    elif what == "add" and world.is_open(place) and not taken:
        turning = bool((world.facings >= 0).any())
        world.add(ss.Agent(place, facing=draw.choice("NESW") if turning else None))  # type: ignore[arg-type]
    elif what == "remove" and len(there) > 1:
        world.remove(draw.choice(there))
    elif what == "send" and there and world.rules.shared_goals:
        world.send(draw.choice(there), draw.choice([None, place]))
    elif what == "sync" and there and not taken and world.is_open(place):
        world.sync({draw.choice(there): place})
    elif what == "submit":
        world.submit(ss.Task([place], deadline=world.time + 10, priority=draw.randrange(2)))


def judge_turn(world: ss.World) -> int:
    """What holds after every turn."""
    if world.planner_error is not None:
        raise world.planner_error
    work = world.tasks
    if work.released != work.finished + work.open + work.under_way:
        raise Failed(f"an order is lost: {work}")
    refused = world.trace.count(EventKind.REFUSED) if world.time % 25 == 0 else 0
    if refused:
        raise Failed(f"the guard refused {refused} moves")
    return 3


ROW = Row(
    name="lifelong",
    what="in worlds with tasks, whatever happens, the guard refuses nothing, the judge finds nothing, "
    "a replay is the same, and every task is open, under way or finished",
    full=1_000_000,
    weight=5,
    unit="turns",
    one=one,
    batch=TURNS,
)
