"""What agents that talk cost: over loss of messages in the simulator, and as processes.

python -m benchmarks.fleets loss        # a table, and docs/images/loss.svg
python -m benchmarks.fleets processes   # 50 processes on a map of 32x32
python -m benchmarks.fleets soak 600    # seconds of new goals, with a process killed every 10 seconds
"""

from __future__ import annotations

import sys
import time
from pathlib import Path
from random import Random
from statistics import mean, median

import numpy as np

import sidestep as ss
from sidestep import agents
from sidestep.agents.fleet import Fleet, memory_of
from sidestep.instances import random_grid, random_problem

PLOT = Path(__file__).parent.parent / "docs" / "images" / "loss.svg"
LOSSES = (0.0, 0.01, 0.05, 0.20)
PROBLEMS = 30


def problem_of(seed: int, size: int = 8, count: int = 8) -> ss.Problem:
    """Agents on a map a fifth of which is walls."""
    return random_problem(random_grid(size, size, 0.2, seed), count, seed)


def loss() -> None:
    """Steps, messages, refusals and success over loss, on the same problems."""
    print("| loss | solved | ticks | messages | sent again | refused per 1,000 moves |")
    print("|---|---|---|---|---|---|")
    refused = []
    for chance in LOSSES:
        faults = agents.Faults(loss=chance, delay=5)
        runs = [agents.run(problem_of(seed), "wdpca", faults=faults, seed=seed) for seed in range(PROBLEMS)]
        assert sum(run.collisions for run in runs) == 0
        moves = sum(int((np.diff(run.moves.vertices, axis=0) != 0).sum()) for run in runs)
        stats = [run.result.stats for run in runs]
        refused.append(1000 * sum(len(run.refusals) for run in runs) / moves)
        counted = [mean(one[name] for one in stats) for name in ("ticks", "messages", "messages_again")]
        numbers = " | ".join(f"{number:,.0f}" for number in counted)
        solved = sum(map(bool, runs))
        print(f"| {chance:.0%} | {solved} of {PROBLEMS} | {numbers} | {refused[-1]:.1f} |", flush=True)
    plot(refused)


def plot(refused: list[float]) -> None:
    """Refusals per 1,000 moves over loss."""
    import matplotlib  # noqa: PLC0415

    matplotlib.use("svg")
    matplotlib.rcParams["svg.hashsalt"] = "sidestep"
    from matplotlib import pyplot  # noqa: PLC0415

    figure, axes = pyplot.subplots(figsize=(5, 3))
    axes.plot([100 * chance for chance in LOSSES], refused, marker="o")
    axes.set_xlabel("lost messages in %")
    axes.set_ylabel("refusals per 1,000 moves")
    axes.set_ylim(bottom=0)
    figure.tight_layout()
    figure.savefig(PLOT, metadata={"Date": None})


def processes(count: int = 50, size: int = 32) -> None:
    """One run with a process per agent."""
    with Fleet(problem_of(1, size, count), "wdpca", deadline=60.0) as fleet:
        run = fleet.run()
    measures, stats = fleet.measures, run.result.stats
    trips = sorted(measures.round_trips)
    memory = [size for size in measures.memory.values() if size]
    print(f"| agents | {count} |\n|---|---|\n| status | {run.result.status} |")
    print(f"| start-up | {measures.start_up:.1f} s |")
    print(f"| run | {measures.seconds:.1f} s, {stats['ticks']} ticks |")
    print(f"| round trip, median | {1000 * median(trips):.1f} ms |")
    print(f"| round trip, 99% | {1000 * trips[int(0.99 * len(trips))]:.1f} ms |")
    print(f"| messages | {stats['messages']:,} |\n| bytes | {stats['bytes']:,} |")
    print(f"| memory per agent | {mean(memory) / 1e6:.1f} MB |\n| collisions | {run.collisions} |")


def soak(seconds: float) -> None:
    """New goals for agents that have arrived, and one process killed and taken over every 10 seconds."""
    random, began = Random(0), time.monotonic()
    problem = problem_of(2, 16, 12)
    state, seen = {"kill": 10.0, "look": 20.0}, [0]
    memory: list[tuple[float, float]] = []

    def interfere(fleet: Fleet) -> None:
        now, ground = time.monotonic() - began, fleet.ground
        for death in ground.deaths[seen[0] :]:
            fleet.join(death.agent)
        seen[0] = len(ground.deaths)
        alive = [agent for agent, one in enumerate(ground.presence) if one.is_alive]
        if now > state["kill"] and len(alive) == problem.n_agents:
            state["kill"] = now + 10
            fleet.kill(random.choice(alive))
        if now > state["look"]:
            state["look"] = now + 20
            total = mean(memory_of(fleet.pids[agent]) for agent in alive) / 1e6
            memory.append((now, total))
            print(
                f"{now:5.0f} s, tick {ground.tick}, {len(ground.deaths)} deaths, {total:.1f} MB", flush=True
            )
        for agent in alive:
            if ground.rows[-1][agent] == ground.goals[agent] and now < seconds:
                free = set(np.flatnonzero(problem.space.open).tolist()) - set(ground.goals.tolist())
                ground.send(agent, problem.space.place(random.choice(sorted(free))))
        if now >= seconds:
            fleet.network.send(ground.stop("enough")[0])

    with Fleet(problem, "wdpca", deadline=5.0, linger=1000, limit=10**9, rounds=20) as fleet:
        run = fleet.run(interfere)
    print(f"{run.result.stats['ticks']} ticks, {len(run.deaths)} deaths, {run.collisions} collisions")
    (first, before), (_, after) = memory[0], memory[-1]
    print(f"memory per agent: {before:.1f} MB after {first:.0f} s, {after:.1f} MB at the end")


if __name__ == "__main__":
    what, *rest = sys.argv[1:]
    if what == "soak":
        soak(float(rest[0]))
    else:
        {"loss": loss, "processes": processes}[what]()
