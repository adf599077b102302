"""Random problems in which agents have much to settle, under all rules."""

from __future__ import annotations

import sidestep as ss
from sidestep.dialogue import Loads, Recharging, Schedules, Together, WeightedSum
from sidestep.instances import random_grid, random_problem

SOLVERS = {
    "pca": ss.PCA(),
    "dpca": ss.DPCA(),
    "dpca as printed": ss.DPCA.as_printed(),
    "dpca+": ss.DPCAPlus(),
    "wdpca-2": ss.WDPCA(window=2),
    "wdpca-4": ss.WDPCA(window=4),
    "wdpca-8": ss.WDPCA(window=8),
    "dpca in lock-steps": ss.DPCA(schedule="steps"),
    "dpca+ in lock-steps": ss.DPCAPlus(schedule="steps"),
    "wdpca-4 in lock-steps": ss.WDPCA(schedule="steps", window=4),
    "dpca by schedules": ss.DPCA(
        voter=Together(Schedules({"a0": 5, "a3": 4, "a5": 9}, strict=True), Loads({"a1": 2.0, "a4": 1.5}))
    ),
    "wdpca-4 with reasons": ss.WDPCA(voter=Together(WeightedSum(), Recharging({"a2": 9})), window=4),
    "dpca with bystanders": ss.DPCA(bystanders=True),
}


def crowd(seed: int) -> ss.Problem:
    """Six to fourteen agents on a small map; in some, one of them has no goal."""
    rules = ss.Rules(
        following=seed % 5 != 4,
        crossing=seed % 7 == 3,
        at_goal="disappear" if seed % 6 == 5 else "stay",
        cost="time_off_goal" if seed % 2 else "sum_of_costs",
    )
    size = 8 + seed % 3
    grid = random_grid(size, size, 0.2, seed, connectivity=8 if seed % 3 else 4, corners="free")
    problem = random_problem(grid, 6 + seed % 9, seed, rules=rules)
    if seed % 4 != 1:
        return problem
    agents = [ss.Agent(one.start, None if k == 0 else one.goal) for k, one in enumerate(problem.agents)]
    return ss.Problem.from_agents(grid, agents, rules=rules)


def asked(result: ss.Result) -> list[tuple[int, int]]:
    """Every step of every agent."""
    return [(agent, time) for agent in range(result.problem.n_agents) for time in range(result.plan.makespan)]
