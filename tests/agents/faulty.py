"""Runs with faults at random, and what must hold in every one of them."""

from __future__ import annotations

from random import Random

import sidestep as ss
from sidestep import agents

from .problems import crowd

SOLVERS = (
    ss.DPCA(schedule="steps"),
    ss.DPCAPlus(schedule="steps"),
    ss.WDPCA(schedule="steps"),
    ss.DiMPP(),
    ss.ADPP(replan="always"),
    ss.DMRCP(),
)
IN_TURNS = ("wdpca", "dmrcp")  # in which rounds there are many, as long as messages take


def random_faults(random: Random, *, crashes: bool) -> agents.Faults:
    faults = {
        "loss": random.choice([0.0, 0.01, 0.05, 0.1, 0.2]),
        "delay": random.choice([0, 5, 30]),
        "duplicates": random.choice([0.0, 0.05]),
    }
    if crashes:
        faults |= {
            "partitions": random.choice([0, 0, 1]),
            "crashes": random.choice([0, 0, 1, 2]),
            "restart": random.choice([None, 100, 4000]),
        }
    return agents.Faults(**faults)


def faults_of(number: int, *, crashes: bool) -> agents.Faults:
    """What goes wrong in the run of this number."""
    return random_faults(Random(number), crashes=crashes)


def attack(number: int, *, most: int = 12) -> agents.Run:
    """One run with everything that can go wrong: no collision, and every refusal has a cause."""
    problem, solver = crowd(number, most=most), SOLVERS[number % len(SOLVERS)]
    run = agents.run(problem, solver, faults=faults_of(number, crashes=True), seed=number)
    assert run.collisions == 0, f"run {number} has collisions"
    assert None not in run.causes, f"run {number} has a refusal without a fault"
    assert not run.reports or all(what == "cut off" for _, _, what in run.reports), f"run {number}"
    return run


def attack_without_guard(number: int, *, most: int = 12) -> agents.Run:
    """One run without a guard, where messages are lost, late, overtaken and doubled: no collision."""
    problem = crowd(number, most=most, rules=ss.Rules(following=False))
    faults = faults_of(number, crashes=False)
    solver = SOLVERS[number % len(SOLVERS)]
    run = agents.run(problem, solver, faults=faults, seed=number, guard=False)
    assert run.collisions == 0, f"run {number} has collisions without a guard"
    if solver.name not in IN_TURNS and not run.deaths:  # one round, whose messages arrive in the end
        core = ss.solve(problem, solver, time_limit=None)
        assert bool(run) == bool(core), f"run {number} ended otherwise than the core"
        same = run.result.transcript == core.transcript  # who is stuck ends a run, perhaps amid a dialogue
        assert same or not run, f"run {number} has other dialogues than the core"
    return run
