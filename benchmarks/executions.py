"""What it takes to carry out plans: the graph, a tick, and what switching saves.

`python -m benchmarks.executions` prints the CPU time to link the visits of a plan of 10,000 agents that move
in all of its 500 steps (target: 1 s), and of a tick (target: 1 ms). Then, for plans of large neighbourhood
search and robots that are delayed with a chance of 0.1 per tick, by 1 to 10 ticks, by how much switching
lowers the waits that these delays cause (target: 20%). All executions are judged.

A wait is how much later an agent arrives than if it had driven its way alone with the same delays. Those that
delays cause are what is more of them than without delays.
"""

from __future__ import annotations

import argparse
from time import process_time

import numpy as np

import sidestep as ss
from sidestep import _core
from sidestep.fleet import Commands
from sidestep.instances import random_grid, random_problem
from sidestep.model.to_core import compiled_problem

CHANCE = 0.1
NODES = 3_000_000  # per plan
AGENTS, STEPS, SIDE = 10_000, 500, 300


def shuttles() -> tuple[ss.Problem, np.ndarray[tuple[int, int], np.dtype[np.int32]]]:
    """Agents that go round in loops of two rows, all the time, with a gap behind every second one."""
    rows = []
    for agent in range(AGENTS):
        lane, nth = divmod(agent, SIDE // 3 * 2)
        where = (np.arange(STEPS + 1) + 3 * nth) % (2 * SIDE)
        column = np.where(where < SIDE, where, 2 * SIDE - 1 - where)
        rows.append((2 * lane + (where >= SIDE)) * SIDE + column)
    places = np.ascontiguousarray(np.stack(rows, axis=1).astype(np.int32))
    grid = ss.Grid(np.ones((SIDE, SIDE), dtype=np.bool_))
    starts = [grid.place(vertex) for vertex in places[0].tolist()]
    return ss.Problem(grid, starts, [None] * AGENTS, rules=ss.Rules(following=False)), places


def measure_speed() -> None:
    """Prints what the graph and its ticks take."""
    problem, places = shuttles()
    visits = int((places[1:] != places[:-1]).sum())
    begin = process_time()
    graph = _core.Dependencies(*compiled_problem(problem))
    graph.take(places, ss.Budget().core)
    print(f"graph of {AGENTS} agents, {STEPS} steps, {visits} visits: {process_time() - begin:.2f} s")
    space, _, agents = compiled_problem(problem)
    drives = np.tile(np.array([[1000, 0, 0]], dtype=np.int32), (AGENTS, 1))
    robots = _core.Simulator(space, agents, drives, [CHANCE, 0, 0, 0], [1, 10, 0], 1)
    graph.release(4, 2)
    spent = []
    for _ in range(300):
        robots.send(*graph.commands())
        robots.tick()
        reports = robots.reports()
        begin = process_time()
        graph.hear(reports)
        graph.release(4, 2)
        graph.commands()
        graph.counts()
        spent.append(1000 * (process_time() - begin))
    print(f"tick of {AGENTS} agents: mean {np.mean(spent):.2f} ms, 99% {np.quantile(spent, 0.99):.2f} ms")


def arrivals(execution: ss.Execution) -> int:
    """The sum over agents of the tick from which on it is home."""
    away = (execution.sources != execution.problem.goals) | (execution.targets != execution.problem.goals)
    last = len(away) - np.argmax(away[::-1], axis=0)
    return int((last * away.any(axis=0)).sum())


def alone(problem: ss.Problem, plan: ss.Plan, chance: float, seed: int) -> int:
    """The same sum if everybody drives its way as if there were no others."""
    ways = [column[np.flatnonzero(np.diff(column)) + 1] for column in plan.vertices.T]
    begin = np.cumsum([0, *map(len, ways)]).astype(np.int32)
    everything = Commands(problem, np.ones(len(ways), dtype=np.int32), begin, np.concatenate(ways))
    robots = ss.Simulator(problem, delay=chance, seed=seed)
    while not np.array_equal(robots.tick(everything)[:, 1], np.diff(begin)):
        pass
    return arrivals(robots.execution())


def waits(problem: ss.Problem, plan: ss.Plan, chance: float, seed: int, *, switch: bool) -> int:
    """The ticks that agents are later than alone; the execution is judged."""
    fleet = ss.Fleet(problem, plan, switch=switch, patience=100_000)
    execution = fleet.run(ss.Simulator(problem, delay=chance, seed=seed))
    if not fleet.done or not ss.validate_execution(execution):
        raise RuntimeError(f"an execution is wrong: {ss.validate_execution(execution)}")
    return arrivals(execution) - alone(problem, plan, chance, seed)


def aisles() -> ss.Grid:
    """Shelves with ways of one cell between them."""
    passable = np.ones((21, 40), dtype=np.bool_)
    for row in range(2, 20, 3):
        for column in range(3, 37, 7):
            passable[row : row + 2, column : column + 5] = False
    return ss.Grid(passable)


def main() -> None:
    """Prints the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=4, help="problems per kind")
    given = parser.parse_args()
    measure_speed()
    for name, agents in (
        ("random 32x32, 20% blocked", 50),
        ("random 32x32, 20% blocked", 100),
        ("aisles", 60),
    ):
        caused = left = 0
        for seed in range(given.seeds):
            grid = aisles() if name == "aisles" else random_grid(32, 32, 0.2, seed)
            problem = random_problem(grid, agents, seed, rules=ss.Rules(following=False))
            plan = ss.solve(problem, "lns", node_limit=NODES, seed=seed).plan
            if plan is None:
                continue
            free = waits(problem, plan, 0.0, seed, switch=False)
            caused += waits(problem, plan, CHANCE, seed, switch=False) - free
            left += waits(problem, plan, CHANCE, seed, switch=True) - free
        saved = 100 * (1 - left / caused)
        print(
            f"{name}, {agents} agents: delays cause {caused} ticks of waits, {saved:.0f}% saved by switching"
        )


if __name__ == "__main__":
    main()
