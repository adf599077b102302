"""One trial: a solver steps a world of 100 turns, and what it came to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ...budget import Budget
from ...instances import random_grid, random_problem
from ...judge import validate_trace
from ...model.arrays import IntArray
from ...model.events import EventKind
from ...model.problem import Problem
from ...model.rules import Rules
from ...solvers import CA, HCA, LRA, WHCA
from ...solvers.cooperative import cooperating_agents
from ...world import Planner, World
from ..design import OURS, PRINTED, SettingTrial, Size, design_of_settings
from ..timing import thread_milliseconds

SIDE, DENSITY, TURNS = 32, 0.2, 100
AGENTS = tuple(range(10, 101, 10))
MAPS, FEWER_MAPS = 10, 5  # the paper's number, and that of the short version

COOPERATIVE: dict[str, Planner] = {
    "CA*": CA.as_printed(),
    "HCA*": HCA.as_printed(),
    "WHCA*(8)": WHCA.as_printed(window=8),
    "WHCA*(16)": WHCA.as_printed(window=16),
    "WHCA*(32)": WHCA.as_printed(window=32),
}
SOLVERS: dict[str, Planner] = {"LRA*": LRA.as_printed(), **COOPERATIVE}
WINDOWS = ("WHCA*(8)", "WHCA*(16)", "WHCA*(32)")
# The paper does not say how much noise an agitated agent adds; "LRA*" is the solver's own default.
NOISE = {scale: "LRA*" if scale == LRA().noise else f"LRA* noise {scale:g}" for scale in (0.25, 0.5, 1, 2, 4)}
# How often everybody plans again is half a window in the paper; other intervals are tried beside it.
INTERVALS = {turns: f"WHCA*(16) every {turns}" for turns in (1, 2, 4)}
PLANNERS: dict[str, Planner] = {
    **SOLVERS,
    **{label: WHCA.as_printed(window=16, replan_every=turns) for turns, label in INTERVALS.items()},
    **{label: LRA.as_printed(noise=scale) for scale, label in NOISE.items()},
}
OUR_PLANNERS: dict[str, Planner] = {
    "CA*": CA(),
    "HCA*": HCA(),
    **{label: LRA(noise=scale) for scale, label in NOISE.items()},
}


class Setting(NamedTuple):
    """What differs between the trials on one map."""

    solver: str
    agents: int
    following: bool = True
    form: str = PRINTED

    @property
    def planner(self) -> Planner:
        """The solver in the form that is asked for."""
        return (OUR_PLANNERS if self.form == OURS else PLANNERS)[self.solver]


@dataclass(frozen=True)
class Outcome:
    """What a trial came to: the success in percent; lengths and cycles per agent; CPU time in ms.

    `nodes` are the states that were expanded in the first turn.
    """

    success: float
    length: float
    shortest: float
    cycles: float
    cycles_before_arrival: float
    initial: float
    nodes: int
    largest: float
    refused: int
    invalid: int


Trial = SettingTrial[Setting]
Maps = Sequence[Mapping[Setting, Outcome]]  # a map is a sample


def trials(size: Size, seed: int, agents: Sequence[int] = AGENTS) -> list[Trial]:
    """Every setting on every map."""
    maps = range(size.of(MAPS, FEWER_MAPS))
    return [Trial(setting, number, seed) for number in maps for setting in settings(agents)]


def settings(agents: Sequence[int]) -> list[Setting]:
    """All solvers over all numbers of agents; with most agents also other noise and the other rule."""
    every_size = [Setting(solver, count) for solver, count in product(SOLVERS, agents)]
    crowded = [Setting(solver, max(agents), rule) for solver, rule in product(PLANNERS, (True, False))]
    printed = dict.fromkeys(every_size + crowded)
    return [*printed, *(one._replace(form=OURS) for one in printed if one.solver in OUR_PLANNERS)]


def run_trial(trial: Trial) -> Outcome:
    """Steps a world for all 100 turns, whether or not everybody has arrived before."""
    problem = instance(trial)
    world = World(problem, trial.setting.planner, seed=trial.number)
    first = Budget()
    times = [thread_milliseconds(lambda: world.step(first))]
    times += [thread_milliseconds(world.step) for _ in range(TURNS - 1)]
    if world.planner_error is not None:  # the world would let everybody wait: do not hide a broken solver
        raise world.planner_error
    trace = world.trace
    arrivals = arrival_turns(trace.positions, problem.goals)
    return Outcome(
        success=100 * float(np.mean(arrivals >= 0)),
        length=float(np.mean(path_lengths(arrivals))),
        shortest=float(np.mean(cooperating_agents(problem).distances(Budget().core))),
        cycles=float(np.mean(cycles(trace.positions))),
        cycles_before_arrival=float(np.mean(cycles(until_arrival(trace.positions, arrivals)))),
        initial=times[0],
        nodes=first.nodes,
        largest=max(times[1:]),
        refused=trace.count(EventKind.REFUSED),
        invalid=int(not validate_trace(trace)),
    )


def instance(trial: Trial) -> Problem:
    """Map and agents depend on the seed and the number of the map; fewer agents are the first of more."""
    seed = 2 * (1000 * (trial.seed % 2**32) + trial.number)  # twice: the agents have a stream of their own
    grid = random_grid(SIDE, SIDE, DENSITY, seed)
    rules = replace(Rules.printed("silver2005"), following=trial.setting.following)
    return random_problem(grid, trial.setting.agents, seed + 1, rules=rules)


def arrival_turns(positions: IntArray, goals: IntArray) -> npt.NDArray[np.int64]:
    """Per agent the turn in which it first was on its goal, -1 if it never was."""
    on_goal = positions == goals
    return np.where(on_goal.any(axis=0), on_goal.argmax(axis=0), -1)


def path_lengths(arrivals: npt.NDArray[np.int64], turns: int = TURNS) -> npt.NDArray[np.int64]:
    """The turn of the first arrival; all turns for an agent that failed."""
    return np.where(arrivals >= 0, arrivals, turns)


def cycles(positions: IntArray) -> npt.NDArray[np.int64]:
    """Per agent how often it entered a cell that it had been on before. To wait is not to enter.

    Every move enters a cell; all but the first visit of each cell are cycles.
    """
    moves = np.count_nonzero(positions[1:] != positions[:-1], axis=0)
    ordered = np.sort(positions, axis=0)
    first_visits = np.count_nonzero(ordered[1:] != ordered[:-1], axis=0)
    return np.asarray(moves - first_visits, dtype=np.int64)


def until_arrival(positions: IntArray, arrivals: npt.NDArray[np.int64]) -> IntArray:
    """The positions as if everybody had stayed where it first arrived."""
    rows = np.arange(len(positions))[:, None]
    last = np.where(arrivals >= 0, arrivals, len(positions))
    return np.take_along_axis(positions, np.minimum(rows, last), axis=0)


DESIGN = design_of_settings(trials, run_trial, "map", Setting, Outcome)
