"""One instance: every solver on it, and the largest group of OD+ID by itself."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

import numpy as np

from ...budget import Budget
from ...instances import random_grid, random_problem
from ...judge import validate
from ...model.problem import Problem
from ...model.random import shuffled
from ...model.result import Result
from ...model.rules import Rules
from ...solvers import HCA, OD, Solver, Standard
from ...solvers.cooperative import cooperating_agents
from ...solvers.independence import ODID, StandardID
from ...solvers.orders import OrderName
from ..design import InstanceTrial, Row, design_of_outcomes, instance_trials
from ..timing import solve_within

SIDE, DENSITY = 32, 0.2
FEWEST, MOST = 2, 60  # agents
INSTANCES, FEWER_INSTANCES = 10_000, 100  # the paper's number, and that of the short version
FIRST_SAMPLED, SAMPLED_EVERY = 100, 25
SECONDS = 1.0  # of the processor, per instance; a group of agents by itself has twice that

# HCA* as it may be read: agents stop cooperating when they arrive, or keep their goals reserved and plan in
# a random order, or in that of their distances; or nobody may enter a place in the step in which it is left.
HCA_ONLINE, HCA_HELD = "HCA*", "HCA*, goals held"
SHORTEST_FIRST, LONGEST_FIRST = "HCA*, shortest first", "HCA*, longest first"
HCA_STRICT = "HCA*, goals held, no following"
READINGS = (HCA_ONLINE, HCA_HELD, SHORTEST_FIRST, LONGEST_FIRST, HCA_STRICT)
OPTIMAL: dict[str, Solver] = {
    "Standard": Standard.as_printed(),
    "OD": OD.as_printed(),
    "Standard+ID": StandardID.as_printed(),
    "OD+ID": ODID.as_printed(),
}
# What the paper leaves open in ID: which of two groups looks for another plan first, and whether the first
# plans of single agents look at the avoidance table.
SMALLER_FIRST, LATER_TABLE = "OD+ID, smaller group first", "OD+ID, no table at first"
ID_READINGS: dict[str, Solver] = {
    SMALLER_FIRST: ODID.as_printed(evades="smaller"),
    LATER_TABLE: ODID.as_printed(avoidance="later"),
}
# These mostly use up their second: they run on the first instances, then on some.
SAMPLED = ("Standard", "OD", "Standard+ID", *ID_READINGS)
OURS: dict[str, Solver] = {"OD": OD(), "Standard+ID": StandardID(), "OD+ID": ODID()}
SOLVERS = (HCA_ONLINE, *OPTIMAL)
SPARING = "OD, duplicates between steps only"
ALONE: dict[str, Solver] = {"OD": OD.as_printed(), "Standard": Standard.as_printed()}


@dataclass(frozen=True)
class Run:
    """How one solver fared; without a plan there is no cost."""

    status: str
    cost: int | None
    seconds: float  # of the processor
    expansions: int
    standard_expansions: int  # those of nodes between two steps of time

    @classmethod
    def of(cls, result: Result) -> Run:
        """What the experiments need of a result."""
        cost = result.plan.cost if result.plan is not None else None
        spent = (result.stats.get(name, 0) for name in ("seconds", "expansions", "standard_expansions"))
        return cls(str(result.status), cost, *spent)


@dataclass(frozen=True)
class Outcome:
    """What an instance came to; `group` and `alone` are of the largest group that OD+ID was left with.

    `runs` are of the algorithms as printed, `ours` of those that are others here. `unchecked` are of the same
    map with starts and goals that nobody has checked: all readings of HCA*, and OD+ID where `HCA*` fails.
    """

    seed: int
    instance: int
    agents: int
    shortest: int  # the sum of the distances that the agents have without each other
    runs: Mapping[str, Run]
    group: int
    alone: Mapping[str, Run]
    invalid: int
    ours: Mapping[str, Run] = field(default_factory=dict)
    unchecked: Mapping[str, Run] = field(default_factory=dict)

    @classmethod
    def of(cls, row: Row) -> Outcome:
        """The outcome that a row of raw numbers was made from."""
        parts = ("runs", "alone", "ours", "unchecked")
        made = {part: {name: Run(**run) for name, run in row.get(part, {}).items()} for part in parts}
        return cls(**{**row, **made})

    def excess(self, solver: str) -> int | None:
        """By how much a plan costs more than the shortest paths; None without a plan."""
        cost = self.runs[solver].cost
        return None if cost is None else cost - self.shortest


def in_our_form(outcomes: Sequence[Outcome]) -> list[Outcome]:
    """Outcomes with our algorithms in the place of the printed ones."""
    return [replace(outcome, runs={**outcome.runs, **outcome.ours}) for outcome in outcomes]


def is_sampled(number: int) -> bool:
    """Is this one of the instances of all solvers? That does not depend on how many instances there are."""
    return number < FIRST_SAMPLED or number % SAMPLED_EVERY == 0


def run_trial(trial: InstanceTrial) -> Outcome:
    """Every solver on the instance, then the largest group of OD+ID by itself."""
    problem = instance(trial)
    ways = cooperating_agents(problem).distances(Budget().core)
    ours = _run_optimal(problem, trial, OURS)
    optimal = _run_optimal(problem, trial, OPTIMAL | ID_READINGS)
    results = {**optimal, **_run_baselines(problem, trial)}
    together = results["OD+ID"].stats["in_largest_group"]
    is_looked_at = len(together) > 1 and is_sampled(trial.number)
    return Outcome(
        seed=trial.seed,
        instance=trial.number,
        agents=problem.n_agents,
        shortest=int(ways.sum()),
        runs=_runs(results),
        group=len(together),
        alone=_runs(_plan_alone(part_of(problem, together), trial)) if is_looked_at else {},
        invalid=sum(_is_invalid(result) for result in (*results.values(), *ours.values())),
        ours=_runs(ours),
        unchecked=_runs(_run_unchecked(problem, trial)),
    )


def instance(trial: InstanceTrial) -> Problem:
    """Every goal can be reached from its start. How many cells are blocked differs, as in the paper."""
    seed = INSTANCES * 100 * (trial.seed % 2**32) + trial.number
    draw = random.Random(seed)
    agents = FEWEST + int((MOST - FEWEST + 1) * draw.random())
    blocked = sum(draw.random() < DENSITY for _ in range(SIDE * SIDE)) / (SIDE * SIDE)
    grid = random_grid(SIDE, SIDE, blocked, 2 * seed, fill_pockets=False, connectivity=8, corners="free")
    return random_problem(grid, agents, 2 * seed + 1, rules=Rules.printed("standley2010"))


def unchecked(problem: Problem, draw: int) -> Problem:
    """As many agents on the same map, from anywhere to anywhere, perhaps into another pocket."""
    free = np.flatnonzero(problem.space.open)
    drawn = (free[shuffled(len(free), draw, end)[: problem.n_agents]] for end in (0, 1))
    starts, goals = ([problem.space.place(int(vertex)) for vertex in ends] for ends in drawn)
    return Problem(problem.space, starts, goals, rules=problem.rules)


def part_of(problem: Problem, agents: Sequence[int]) -> Problem:
    """The problem with these agents only."""
    place = problem.space.place
    starts, goals = ([place(v) for v in ends[agents]] for ends in (problem.starts, problem.goals))
    return Problem(problem.space, starts, goals, rules=problem.rules)


def _run_optimal(problem: Problem, trial: InstanceTrial, solvers: Mapping[str, Solver]) -> dict[str, Result]:
    left_out = () if is_sampled(trial.number) else SAMPLED
    chosen = {name: solver for name, solver in solvers.items() if name not in left_out}
    return {name: solve_within(trial.seconds, problem, solver) for name, solver in chosen.items()}


def _run_baselines(problem: Problem, trial: InstanceTrial) -> dict[str, Result]:
    orders: dict[str, OrderName] = {
        HCA_HELD: "random",
        SHORTEST_FIRST: "shortest",
        LONGEST_FIRST: "longest",
    }
    strict = Problem.from_agents(problem.space, problem.agents, rules=replace(problem.rules, following=False))
    planned = {
        reading: solve_within(trial.seconds, problem, HCA(retries=0, order=order), seed=trial.number)
        for reading, order in orders.items()
    }
    one_order = HCA(retries=0, order="random")
    return {
        HCA_ONLINE: _run_online(problem, trial),
        **planned,
        HCA_STRICT: solve_within(trial.seconds, strict, one_order, seed=trial.number),
    }


def _run_online(problem: Problem, trial: InstanceTrial) -> Result:
    """HCA* as Silver describes it: agents stop cooperating on arrival; whose way they block reroutes."""
    return solve_within(trial.seconds, problem, HCA.as_printed(), seed=trial.number)


def _run_unchecked(problem: Problem, trial: InstanceTrial) -> dict[str, Result]:
    """HCA* on an instance that nobody has checked; OD+ID only where that fails, since it takes long."""
    other = unchecked(problem, INSTANCES * trial.seed + trial.number)
    results = _run_baselines(other, trial)
    if results[HCA_ONLINE].plan is None:
        results["OD+ID"] = solve_within(trial.seconds, other, OPTIMAL["OD+ID"])
    return results


def _plan_alone(group: Problem, trial: InstanceTrial) -> dict[str, Result]:
    solvers: dict[str, Solver] = {**ALONE, SPARING: OD.as_printed(duplicates="standard")}
    return {name: solve_within(2 * trial.seconds, group, solver) for name, solver in solvers.items()}


def _runs(results: Mapping[str, Result]) -> dict[str, Run]:
    return {name: Run.of(result) for name, result in results.items()}


def _is_invalid(result: Result) -> bool:
    return result.plan is not None and not validate(result.problem, result.plan)


TRIALS = partial(instance_trials, published=INSTANCES, short=FEWER_INSTANCES, seconds=SECONDS)
UNFINISHED = {"seconds": SECONDS}
DESIGN = design_of_outcomes(TRIALS, run_trial, Outcome.of, UNFINISHED)
