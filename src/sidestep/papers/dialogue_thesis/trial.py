"""One instance: every solver on it, now and then with the path cache on and off, and what they came to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import product

import numpy as np

from ...budget import Budget
from ...instances import dialogue_problem
from ...judge import validate
from ...model.plan import Plan
from ...model.problem import Problem
from ...model.result import Result, Status
from ...solve import impossible, limited
from ...solvers import DPCA, PCA, WDPCA, DiMPP, DPCAPlus, Solver
from ...solvers.independence import ODID
from ..design import InstanceTrial, Row, design_of_outcomes, instance_trials
from ..timing import stop_after, timed

INSTANCES, FEWER_INSTANCES = 10_000, 120  # the thesis's number, and that of the short version
SECONDS = 2.0  # of the processor, per instance and solver: a busy machine solves no less
CACHE_EVERY = 10  # a trial also runs an instance of figure 12, which has a set of its own
CACHE_REPEATS = 3  # its times differ by little, so that the least of several counts: noise only adds
WINDOWED = ("WDPCA*-2", "WDPCA*-4", "WDPCA*-8")
ARGUING = ("DPCA*", "DPCA*+", *WINDOWED)
CACHING = ("PCA*", *ARGUING)
SOLVERS: dict[str, Solver] = {
    "OD+ID": ODID.as_printed(),
    "PCA*": PCA.as_printed(),
    "DPCA*": DPCA.as_printed(),
    "DPCA*+": DPCAPlus.as_printed(),
    "WDPCA*-2": WDPCA.as_printed(window=2),
    "WDPCA*-4": WDPCA.as_printed(window=4),
    "WDPCA*-8": WDPCA.as_printed(window=8),
    "DiMPP": DiMPP.as_printed(),
}
OURS: dict[str, Solver] = {
    "OD+ID": ODID(),
    "PCA*": PCA(),
    "DPCA*": DPCA(),
    "DPCA*+": DPCAPlus(),
    "WDPCA*-2": WDPCA(window=2),
    "WDPCA*-4": WDPCA(window=4),
    "WDPCA*-8": WDPCA(window=8),
    "DiMPP": DiMPP(),
}


@dataclass(frozen=True)
class Run:
    """How one solver fared; without a plan there is no length."""

    status: str
    seconds: float  # of the processor: a busy machine disturbs it less than those of the clock
    moves: int  # of single agents, generated
    expansions: int
    length: int | None = None
    loops: int = 0
    sizes: Mapping[str, int] | None = None  # how many dialogues there were of how many agents

    @property
    def solved(self) -> bool:
        """Is there a plan?"""
        return self.length is not None

    @property
    def dialogues(self) -> int:
        """Of any size."""
        return sum((self.sizes or {}).values())


@dataclass(frozen=True)
class Outcome:
    """What an instance came to; `cached` and `uncached` are of one of figure 12, which every tenth has.

    All are of the algorithms as printed, but for `ours`.
    """

    seed: int
    instance: int
    agents: int
    runs: Mapping[str, Run]
    cached: Mapping[str, Run]
    uncached: Mapping[str, Run]
    invalid: int
    ours: Mapping[str, Run] = field(default_factory=dict)

    @classmethod
    def of(cls, row: Row) -> Outcome:
        """The outcome that a row of raw numbers was made from."""
        parts = ("runs", "cached", "uncached", "ours")
        return cls(**{**row, **{part: {n: Run(**run) for n, run in row[part].items()} for part in parts}})


def in_our_form(outcomes: Sequence[Outcome]) -> list[Outcome]:
    """Outcomes with our algorithms in the place of the printed ones; figure 12 stays as it is."""
    return [replace(outcome, runs={**outcome.runs, **outcome.ours}) for outcome in outcomes]


Judged = tuple[Run, bool]  # and whether its plan is valid, if there is one


def run_trial(trial: InstanceTrial) -> Outcome:
    """Every solver on the instance; now and then also the cache on and off on one of another set."""
    problem = instance(trial)
    runs, ours = (
        {name: run_solver(problem, solver, trial.seconds) for name, solver in form.items()}
        for form in (SOLVERS, OURS)
    )
    cached, uncached = _run_caches(trial) if trial.number % CACHE_EVERY == 0 else ({}, {})
    every = [*runs.values(), *cached.values(), *uncached.values(), *ours.values()]
    return Outcome(
        seed=trial.seed,
        instance=trial.number,
        agents=problem.n_agents,
        runs=_runs(runs),
        cached=_runs(cached),
        uncached=_runs(uncached),
        invalid=sum(not valid for _, valid in every),
        ours=_runs(ours),
    )


def _run_caches(trial: InstanceTrial) -> tuple[dict[str, Judged], dict[str, Judged]]:
    """An instance of figure 12 with the cache and without it, in turns: the least time of each counts."""
    problem = instance(trial, of_figure_12=True)
    both: dict[bool, dict[str, Judged]] = {True: {}, False: {}}
    for _, name, cache in product(range(CACHE_REPEATS), CACHING, both):
        solver = replace(SOLVERS[name], cache=cache)  # type: ignore[type-var]
        run, valid = run_solver(problem, solver, trial.seconds)
        least = both[cache].get(name, (run, valid))[0].seconds
        both[cache][name] = replace(run, seconds=min(run.seconds, least)), valid
    return both[True], both[False]


def _runs(judged: Mapping[str, Judged]) -> dict[str, Run]:
    return {name: run for name, (run, _) in judged.items()}


def instance(trial: InstanceTrial, *, of_figure_12: bool = False) -> Problem:
    """It depends on its number and the seed only, so that more instances begin with the same ones."""
    return dialogue_problem((trial.seed % 2**32 * 2 + of_figure_12) * 2**31 + trial.number)


def run_solver(problem: Problem, solver: Solver, seconds: float) -> Judged:
    """How a solver fares within a limit of CPU seconds, and whether its plan, if any, is valid."""
    budget = limited(None, None, None, stop=stop_after(seconds))
    result, spent = timed(partial(_solved_if_possible, problem, solver, budget))
    run = Run(str(result.status), spent.cpu, budget.moves, budget.nodes)
    plan, sizes = result.plan, result.stats.get("dialogue_sizes")
    if plan is None:
        return run, True
    run = replace(run, length=length_of(plan), loops=loops_in(plan), sizes=sizes)
    return run, bool(validate(problem, plan))


def _solved_if_possible(problem: Problem, solver: Solver, budget: Budget) -> Result:
    reason = impossible(problem, budget)
    if reason:
        return Result(problem, solver, 0, Status.INFEASIBLE, reason=reason)
    return solver.solve(problem, budget=budget)


def length_of(plan: Plan) -> int:
    """The cells of all paths, each up to the last arrival: one more than its steps."""
    off_goal = plan.vertices != plan.problem.goals
    arrivals = np.where(off_goal.any(axis=0), len(off_goal) - np.argmax(off_goal[::-1], axis=0), 0)
    return int((arrivals + 1).sum())


def loops_in(plan: Plan) -> int:
    """How often an agent comes back to a cell before it has first been on its goal; a wait is no loop."""
    loops = 0
    for path, goal in zip(plan.vertices.T.tolist(), plan.problem.goals.tolist(), strict=True):
        first_time = path[: path.index(goal)] if goal in path else path
        entered = [v for before, v in zip([None, *first_time], first_time, strict=False) if v != before]
        loops += len(entered) - len(set(entered))
    return loops


TRIALS = partial(instance_trials, published=INSTANCES, short=FEWER_INSTANCES, seconds=SECONDS)
UNFINISHED = {
    "seconds": SECONDS,
    "solvers": {name: repr(solver) for name, solver in SOLVERS.items()},
    "ours": {name: repr(solver) for name, solver in OURS.items()},
}
DESIGN = design_of_outcomes(TRIALS, run_trial, Outcome.of, UNFINISHED)
