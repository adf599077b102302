"""The experiments of the dialogue thesis (its section 5): agents that settle conflicts among themselves.

10,000 maps of 16x16 cells, 8-connected, each cell blocked with a probability of 20%; 2 to 40 agents with
random starts and destinations, some of which cannot be reached; two seconds for each solver on each instance.
The figures themselves are not in the text of the thesis, so the published numbers are those of its tables and
those that its text states.

The thesis ran CPython 3.6, so what it solved in two seconds says how much a solver searches. Two seconds are
far more here. The same question in a unit that has not changed since is how many *moves of single agents* a
solver generates: every instance is run once, and is solved under a budget if it took no more than that.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from itertools import pairwise, product
from pathlib import Path
from statistics import fmean, median, stdev
from typing import Any, NamedTuple

import numpy as np

from .. import __version__
from ..budget import Budget
from ..instances import dialogue_problem
from ..judge import validate
from ..model.plan import Plan
from ..model.problem import Problem
from ..model.result import Result, Status
from ..solve import impossible, quarter_of_memory
from ..solvers import DPCA, PCA, WDPCA, DiMPP, DPCAPlus, Solver
from ..solvers.independence import ODID
from .claims import Claim, Comparison, Estimate, jackknife, ratio
from .journal import Journal
from .plots import Plot, least_first, require_matplotlib
from .report import Report, Table
from .timing import timed
from .trials import Progress, run_trials

NAME = "dialogue-thesis"
INSTANCES, FEWER_INSTANCES = 10_000, 120  # the thesis's number, and that of the short version
SECONDS = 2.0  # per instance and solver
CACHE_EVERY = 10  # a trial also runs an instance of figure 12, which has a set of its own
CACHE_REPEATS = 3  # its times differ by little, so that the least of several counts: noise only adds
FEW = 5  # instances: a mean over fewer is left to chance
MANY = 1000  # instances: enough to look at every number of agents by itself
BANDS = ((2, 10), (11, 20), (21, 30), (31, 40))  # numbers of agents
WINDOWED = ("WDPCA*-2", "WDPCA*-4", "WDPCA*-8")
ARGUING = ("DPCA*", "DPCA*+", *WINDOWED)
CACHING = ("PCA*", *ARGUING)


class Published(NamedTuple):
    """A row of the thesis's table 5."""

    solved: float  # percent
    length: float  # cells, mean over what was solved


TABLE_5 = {
    "OD+ID": Published(32.6, 73.56),
    "PCA*": Published(31.1, 69.74),
    "DPCA*": Published(62.6, 121.89),
    "DPCA*+": Published(60.3, 117.58),
    "WDPCA*-2": Published(84.5, 172.78),
    "WDPCA*-4": Published(82.1, 164.23),
    "WDPCA*-8": Published(74.6, 147.52),
    "DiMPP": Published(46.9, 101.21),
}
SOLVERS: dict[str, Solver] = {
    "OD+ID": ODID(),
    "PCA*": PCA(),
    "DPCA*": DPCA(),
    "DPCA*+": DPCAPlus(),
    "WDPCA*-2": WDPCA(window=2, widen=False),
    "WDPCA*-4": WDPCA(window=4, widen=False),
    "WDPCA*-8": WDPCA(window=8, widen=False),
    "DiMPP": DiMPP(),
}
# From the one that solves most to the one that solves least, as published.
ORDER = sorted(SOLVERS, key=lambda solver: -TABLE_5[solver].solved)


# One instance


class Trial(NamedTuple):
    """All solvers on one instance."""

    number: int
    seed: int
    seconds: float = SECONDS


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
    """What an instance came to; `cached` and `uncached` are of one of figure 12, which every tenth has."""

    seed: int
    instance: int
    agents: int
    runs: Mapping[str, Run]
    cached: Mapping[str, Run]
    uncached: Mapping[str, Run]
    invalid: int

    @classmethod
    def of(cls, row: Mapping[str, Any]) -> Outcome:
        """The outcome that a row of raw numbers was made from."""
        parts = ("runs", "cached", "uncached")
        return cls(**{**row, **{part: {n: Run(**run) for n, run in row[part].items()} for part in parts}})


def run_trial(trial: Trial) -> Outcome:
    """Every solver on the instance; now and then also the cache on and off on one of another set."""
    problem = instance(trial)
    runs = {name: run_solver(problem, solver, trial.seconds) for name, solver in SOLVERS.items()}
    both: dict[bool, dict[str, tuple[Run, bool]]] = {True: {}, False: {}}
    if trial.number % CACHE_EVERY == 0:
        other = instance(trial, of_figure_12=True)
        for _, name, cache in product(range(CACHE_REPEATS), CACHING, both):
            solver = replace(SOLVERS[name], cache=cache)  # type: ignore[type-var]
            run, valid = run_solver(other, solver, trial.seconds)
            least = both[cache].get(name, (run, valid))[0].seconds
            both[cache][name] = replace(run, seconds=min(run.seconds, least)), valid
    every = [*runs.values(), *both[True].values(), *both[False].values()]
    return Outcome(
        seed=trial.seed,
        instance=trial.number,
        agents=problem.n_agents,
        runs={name: run for name, (run, _) in runs.items()},
        cached={name: run for name, (run, _) in both[True].items()},
        uncached={name: run for name, (run, _) in both[False].items()},
        invalid=sum(not valid for _, valid in every),
    )


def instance(trial: Trial, *, of_figure_12: bool = False) -> Problem:
    """It depends on its number and the seed only, so that more instances begin with the same ones."""
    return dialogue_problem((trial.seed % 2**32 * 2 + of_figure_12) * 2**31 + trial.number)


def run_solver(problem: Problem, solver: Solver, seconds: float) -> tuple[Run, bool]:
    """How a solver fares, and whether its plan is valid (or there is none)."""
    budget = Budget(seconds, memory=quarter_of_memory())
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


# All instances


@dataclass(frozen=True)
class Findings:
    """The outcomes of all instances: each is a sample."""

    outcomes: Sequence[Outcome]

    def runs(self, solver: str) -> list[Run]:
        """Those of a solver."""
        return [outcome.runs[solver] for outcome in self.outcomes]

    def plans(self, solver: str) -> list[Run]:
        """Those that came to a plan."""
        return [run for run in self.runs(solver) if run.solved]

    def easiest(self, solver: str) -> Findings:
        """As many instances as a solver solved in the thesis: those that took it the fewest moves.

        To solve more is to solve harder ones, with more agents, whose paths are longer in total, with more
        loops and dialogues: over these they compare.
        """
        found = [outcome for outcome in self.outcomes if outcome.runs[solver].solved]
        found.sort(key=lambda outcome: outcome.runs[solver].moves)
        return Findings(found[: int(len(self.outcomes) * TABLE_5[solver].solved / 100)])

    def solved(self, solver: str, moves: float = math.inf) -> float:
        """The percentage of all instances, within two seconds and so many moves."""
        return 100 * ratio(sum(run.moves <= moves for run in self.plans(solver)), len(self.outcomes))

    def ended(self, solver: str, status: Status) -> float:
        """The percentage of all instances with that status."""
        return 100 * ratio(sum(run.status == status for run in self.runs(solver)), len(self.outcomes))

    def mean(self, solver: str, what: str) -> float:
        """The mean over all plans of what is by that name in a run: length, loops."""
        return _mean([getattr(run, what) for run in self.plans(solver)])

    @property
    def third(self) -> float:
        """The moves within which OD+ID solves a third of all instances."""
        moves = sorted(run.moves for run in self.plans("OD+ID"))
        place = -(-len(self.outcomes) // 3) - 1
        return moves[place] if 0 <= place < len(moves) else math.inf

    def within(self, fewest: int, most: int) -> Findings:
        """The instances with so many agents."""
        return Findings([outcome for outcome in self.outcomes if fewest <= outcome.agents <= most])

    def both(self, one: str, other: str) -> list[tuple[Run, Run]]:
        """The instances that two solvers solve."""
        pairs = zip(self.runs(one), self.runs(other), strict=True)
        return [pair for pair in pairs if pair[0].solved and pair[1].solved]

    def cache(self, solver: str) -> list[tuple[Run, Run]]:
        """The instances of figure 12 that are solved with and without the cache."""
        pairs = [(o.cached[solver], o.uncached[solver]) for o in self.outcomes if o.cached]
        return [pair for pair in pairs if pair[0].solved and pair[1].solved]

    def gain(self, solver: str, unit: str) -> float:
        """What all these take without the cache, over what they take with it."""
        pairs = self.cache(solver)
        return ratio(*(sum(getattr(pair[side], unit) for pair in pairs) for side in (1, 0)))

    def estimate(self, measure: Measure) -> Estimate:
        """What a measure says of these findings, and how far it would be off by chance."""
        return jackknife(lambda outcomes: measure(Findings(outcomes)), self.outcomes)

    def by_agents(self, value: Callable[[Outcome], float | None], *, least: int = 1) -> dict[float, Estimate]:
        """The mean of a value over the number of agents, where there are at least so many instances.

        If there are few in all, several numbers of agents are taken together.
        """
        width = 1 if len(self.outcomes) >= MANY else 4
        groups: dict[float, list[float]] = {}
        for outcome in sorted(self.outcomes, key=lambda outcome: outcome.agents):
            found = value(outcome)
            if found is not None:
                middle = outcome.agents // width * width + (width - 1) / 2
                groups.setdefault(middle, []).append(found)
        return {middle: _mean_with_error(values) for middle, values in groups.items() if len(values) >= least}


Measure = Callable[[Findings], float]


def _mean(values: Iterable[float | None]) -> float:
    found = [value for value in values if value is not None]
    return fmean(found) if found else math.nan


def _mean_with_error(values: Sequence[float]) -> Estimate:
    error = stdev(values) / math.sqrt(len(values)) if len(values) > 1 else math.nan
    return Estimate(fmean(values), error)


def measure_trial(trial: Trial) -> dict[str, Any]:
    """The outcome as a row of raw numbers."""
    return asdict(run_trial(trial))


def find(
    *,
    instances: int,
    seed: int,
    jobs: int,
    progress: Progress,
    seconds: float = SECONDS,
    journal: Journal | None = None,
) -> tuple[Findings, list[dict[str, Any]]]:
    """Runs all trials; returns the findings and the raw rows."""
    trials = [Trial(number, seed, seconds) for number in range(instances)]
    rows = run_trials(measure_trial, trials, jobs=jobs, progress=progress, journal=journal, at_once=1)
    return Findings([*map(Outcome.of, rows)]), rows


def run(
    *, full: bool, seed: int, jobs: int, out: Path, progress: Progress, instances: int | None = None
) -> Report:
    """Runs the experiments on as many instances as the thesis, or fewer; writes the report.

    If it is interrupted, the next run with this folder and seed goes on from there.
    """
    require_matplotlib()  # what may be missing is asked for before the work, not after it
    out.mkdir(parents=True, exist_ok=True)
    solvers = {name: repr(solver) for name, solver in SOLVERS.items()}
    about = {"paper": NAME, "sidestep": __version__, "seed": seed, "seconds": SECONDS, "solvers": solvers}
    journal = Journal(out / f"{NAME}-unfinished.jsonl", about)
    size = instances or (INSTANCES if full else FEWER_INSTANCES)
    findings, rows = find(
        instances=size, seed=seed, jobs=jobs, progress=progress, seconds=SECONDS, journal=journal
    )
    report = make_report(findings, rows, out)
    report.write()
    journal.remove()
    return report


# What the thesis states

_SOLVED = "solved within 2,000 ms"
_ORDERING = "solved under the budget of moves, % more"
_LOOPS, _DIALOGUES, _CACHE = "loops", "dialogues", "path cache, without / with"
_ALMOST_ALWAYS = 95  # percent
_NO_GAIN = 1.1  # less than that is none

_CHEAP_SEARCHES = (
    "Moves are not time. Here a search knows all distances, so that all the way it generates hardly more "
    "moves than the path is long, while WDPCA*-8 plans eight steps to take four: every step twice. That "
    "pays only where conflicts are many and the others search over and over: the tables have moves per agent "
    "and what is solved by number of agents. PCA* has the path cache, too; without it, which the table of "
    "the cache has, it does not solve much more than OD+ID. DiMPP plans everybody once, around those before "
    "it, and begins again only where somebody finds no path, so that it generates the fewest moves of all; "
    "the thesis does not say what its time went into."
)
_FIRST_PATHS = (
    "Of equally long paths DiMPP and OD+ID take the first that they find, with a loop or without; agents "
    "that settle conflicts among themselves look for one without."
)
_FORCED_LOOPS = (
    "An agent takes an equally long path without loops where a short search finds one. What is left are "
    "agents that have to leave a place for others and come back: the table of loops has how many."
)
_SHORT_SEARCHES = (
    "The thesis measured time. A path that is found again saves its moves in any window, but in a small one "
    "they are few, and to look for the path takes as long as to search."
)
_TALKING = (
    "The thesis measured time, most of which went into searches. Here searches are compiled and most of the "
    "time goes into what agents say, so that the cache saves moves rather than time."
)
_OTHER_MACHINE = "What is solved within two seconds depends on the machine, and here on little else."


def _solved_claims() -> list[Claim]:
    def claim(solver: str, stated: float) -> Claim:
        return Claim(
            _SOLVED,
            solver,
            published=f"{stated}%",
            source="table 5",
            stated=stated,
            measure=lambda found: found.solved(solver),
            low=stated,
            unit="%",
            reason=_OTHER_MACHINE,
        )

    return [claim(solver, TABLE_5[solver].solved) for solver in SOLVERS]


def _ordering_claims() -> list[Claim]:
    def claim(more: str, less: str) -> Claim:
        stated = TABLE_5[more].solved - TABLE_5[less].solved
        return Claim(
            _ORDERING,
            f"{more} than {less}",
            published=f"{stated:.1f} (in time)",
            source="table 5",
            stated=stated,
            measure=lambda found: _solved_of_third(found, more) - _solved_of_third(found, less),
            low=0,
            places=1,
            reason=_CHEAP_SEARCHES,
        )

    return [claim(more, less) for more, less in pairwise(ORDER)]


def _loop_claims() -> list[Claim]:
    claim = partial(Claim, _LOOPS, source="figure 9")
    ahead = [
        claim(
            f"{solver}, in % of those of WDPCA*-2",
            published="none",
            stated=0,
            measure=partial(_share_of_loops, solver=solver),
            high=1,
            unit="%",
            reason=_FORCED_LOOPS if solver in CACHING else _FIRST_PATHS,
        )
        for solver in SOLVERS
        if solver not in WINDOWED
    ]
    windows = [
        claim(
            f"{small} / {large}",
            published="more in a small window",
            stated=1,
            measure=partial(_ratio_of_loops, small=small, large=large),
            low=1,
            unit="x",
        )
        for small, large in pairwise(WINDOWED)
    ]
    return [*ahead, *windows]


def _loops(found: Findings, solver: str) -> float:
    """Over as many instances as the thesis solved."""
    return found.easiest(solver).mean(solver, "loops")


def _share_of_loops(found: Findings, solver: str) -> float:
    return 100 * ratio(_loops(found, solver), _loops(found, "WDPCA*-2"))


def _ratio_of_loops(found: Findings, small: str, large: str) -> float:
    return ratio(_loops(found, small), _loops(found, large))


def _dialogue_claims() -> list[Claim]:
    return [
        Claim(
            _DIALOGUES,
            "DPCA*+, between two",
            published="most",
            source="figure 11",
            stated=100,
            measure=_between_two,
            low=_ALMOST_ALWAYS,
            unit="%",
            places=1,
        ),
        Claim(
            _DIALOGUES,
            "WDPCA*-2 / DPCA*, per instance",
            published="more with a small window",
            source="figure 10",
            stated=1,
            measure=lambda found: _ratio_of_dialogues(found, "WDPCA*-2", "DPCA*"),
            low=1,
            unit="x",
        ),
    ]


def _between_two(found: Findings) -> float:
    """The percentage of all dialogues of DPCA*+."""
    sizes = dialogue_sizes(found.plans("DPCA*+"))
    return 100 * ratio(sizes[2], sum(sizes.values()))


def dialogue_sizes(runs: Iterable[Run]) -> Counter[int]:
    """How many dialogues there were of how many agents."""
    sizes: Counter[int] = Counter()
    for one in runs:
        sizes.update({int(size): count for size, count in (one.sizes or {}).items()})
    return sizes


def _ratio_of_dialogues(found: Findings, one: str, other: str) -> float:
    """On the instances that both solve."""
    pairs = found.both(one, other)
    return ratio(*(sum(pair[side].dialogues for pair in pairs) for side in (0, 1)))


def _cache_claims() -> list[Claim]:
    def claim(solver: str, unit: str, published: str, **agrees: Any) -> Claim:
        return Claim(
            _CACHE,
            f"{solver}, {'time' if unit == 'seconds' else unit}",
            published=published,
            source="figure 12",
            stated=1,
            measure=partial(Findings.gain, solver=solver, unit=unit),
            unit="x",
            **agrees,
        )

    return [
        claim("DPCA*", "moves", "a large effect", low=_NO_GAIN),
        claim("WDPCA*-8", "moves", "some effect", low=_NO_GAIN),
        claim("WDPCA*-2", "moves", "no effect", high=_NO_GAIN, reason=_SHORT_SEARCHES),
        Claim(
            _CACHE,
            "DPCA* over WDPCA*-2, moves",
            published="depends on the solver",
            source="figure 12, analysis of variance",
            stated=1,
            measure=lambda found: ratio(found.gain("DPCA*", "moves"), found.gain("WDPCA*-2", "moves")),
            low=_NO_GAIN,
            unit="x",
        ),
        claim("DPCA*", "seconds", "a large effect", low=_NO_GAIN, reason=_TALKING),
        claim("WDPCA*-2", "seconds", "no effect", high=_NO_GAIN),
    ]


CLAIMS = (
    *_solved_claims(),
    *_ordering_claims(),
    *_loop_claims(),
    *_dialogue_claims(),
    *_cache_claims(),
)


# What it also states, for a machine of its own: shown beside ours, without a verdict


def fails_from(found: Findings, solver: str) -> float:
    """From how many agents on there is always an instance, with goals in reach, that a solver fails on."""
    ended = (Status.GAVE_UP, Status.TIMEOUT)
    failed = {o.agents for o in found.outcomes if o.runs[solver].status in ended}
    first = math.nan
    for agents in sorted({o.agents for o in found.outcomes}, reverse=True):
        if agents not in failed:
            break
        first = agents
    return first


def faster(found: Findings, one: str, other: str) -> float:
    """On what percentage of the instances that both solve one is faster than the other."""
    pairs = found.both(one, other)
    return 100 * ratio(sum(a.seconds < b.seconds for a, b in pairs), len(pairs))


def milliseconds_less(found: Findings, one: str, other: str) -> float:
    """By how much one is faster than the other, in the mean of the instances that both solve."""
    return _mean([1000 * (b.seconds - a.seconds) for a, b in found.both(one, other)])


def ahead_on(found: Findings, one: str, other: str) -> float:
    """On what percentage of all instances, each fastest first, one takes less time than the other."""
    times, others = (sorted(run.seconds for run in found.plans(solver)) for solver in (one, other))
    ahead = sum(a < b for a, b in zip(times, others, strict=False))
    return 100 * ratio(ahead, len(found.outcomes))


def most_dialogues_at(found: Findings, solver: str) -> float:
    """With how many agents there are the most dialogues, over as many instances as the thesis solved."""
    curve = found.easiest(solver).by_agents(lambda o: o.runs[solver].dialogues, least=FEW)
    return max(curve, key=lambda agents: curve[agents].value, default=math.nan)


def most_of_size(found: Findings, at_least: int) -> float:
    """Dialogues of DPCA*+ between so many or more, per instance with the number of agents that has most."""

    def count(outcome: Outcome) -> float:
        sizes = dialogue_sizes([outcome.runs["DPCA*+"]])
        return sum(times for size, times in sizes.items() if size >= at_least)

    curve = found.easiest("DPCA*+").by_agents(count, least=FEW)
    return max((point.value for point in curve.values()), default=math.nan)


def _also_published(found: Findings) -> Table:
    rows = [
        ("goals out of reach, % of the instances", "1.2", found.ended("DPCA*", Status.INFEASIBLE), 1),
        ("WDPCA*-2 fails on some from so many agents on", "10", fails_from(found, "WDPCA*-2"), 0),
        ("WDPCA*-8 fails on some from so many agents on", "22", fails_from(found, "WDPCA*-8"), 0),
        ("OD+ID faster than PCA*, % of what both solve", "60", faster(found, "OD+ID", "PCA*"), 0),
        ("DPCA* faster than DPCA*+ by, ms", "34", milliseconds_less(found, "DPCA*", "DPCA*+"), 3),
        ("most dialogues of DPCA*: agents", "28 to 35", most_dialogues_at(found, "DPCA*"), 0),
        ("most dialogues of WDPCA*-2: agents", "28 to 35", most_dialogues_at(found, "WDPCA*-2"), 0),
        ("DPCA*+, dialogues of 3 and more, at most", "0.577", most_of_size(found, 3), 3),
        ("DPCA*+, dialogues of 4 and more, at most", "0.0769", most_of_size(found, 4), 4),
        ("DiMPP ahead of DPCA* in figure 6, % of instances", "22", ahead_on(found, "DiMPP", "DPCA*"), 0),
    ]
    shown = [(what, published, Estimate(value).show(places)) for what, published, value, places in rows]
    return Table("Also published, for another machine or set", ("", "published", "measured"), shown)


# The report


def make_report(findings: Findings, rows: Sequence[Mapping[str, Any]], folder: Path) -> Report:
    """Published beside measured."""
    return Report(
        name=NAME,
        title="Cooperative pathfinding by dialogues (the dialogue thesis)",
        notes=_notes(findings),
        comparisons=[Comparison(claim, findings.estimate(claim.measure)) for claim in CLAIMS],
        tables=[
            _length_table(findings),
            _budget_table(findings),
            _band_table("Solved under the budget, % by number of agents", findings, _solved_of_band),
            _band_table("Moves per agent, median of what is solved", findings, _moves_of_band),
            _failure_table(findings),
            _loop_table(findings),
            _cache_table(findings),
            _also_published(findings),
        ],
        plots=[
            _sorted_plot(findings, "time", "Running time of each instance, fastest first (figure 6)", "ms"),
            _sorted_plot(findings, "moves", "Generated moves of each instance, fewest first", "moves"),
            _solved_plot(findings),
            _mean_plot(findings, "length", "Length of all paths (figure 8)", "cells", [*SOLVERS]),
            _mean_plot(findings, "loops", "Loops in paths (figure 9)", "loops", WINDOWED),
            _mean_plot(findings, "dialogues", "Dialogues (figure 10)", "dialogues", ARGUING),
            _size_plot(findings),
            _cache_plot(findings),
        ],
        rows=rows,
        folder=folder,
    )


def _notes(findings: Findings) -> list[str]:
    count = len(findings.outcomes)
    invalid = sum(outcome.invalid for outcome in findings.outcomes)
    return [
        f"{count} {'instance' if count == 1 else 'instances'} of 16x16 cells, 8-connected, 20% blocked, "
        "2 to 40 agents; where a goal cannot be reached, nobody solves it, and it counts. Of all plans the "
        f"judge found {invalid} invalid. Errors are standard errors over instances.",
        f"The budget of moves is {findings.third:,.0f}: within so many generated moves of single agents "
        "OD+ID solves a third of the instances, as it did within two seconds in the thesis. A move counts "
        "when it is legal; distances to the goal, which every solver looks up, do not count.",
        "A length is counted in cells, for every agent up to its last arrival. A loop is a cell that an "
        "agent comes back to before it has first been on its goal; waits are none. To solve more is to solve "
        "instances with more agents, so lengths, loops and numbers of dialogues compare over as many "
        "instances as the thesis solved: those that take a solver the fewest moves.",
    ]


def _length_table(findings: Findings) -> Table:
    columns = ("", "solved %", "published", "length", "of the published share", "published")
    rows = []
    for solver in SOLVERS:
        solved = findings.estimate(partial(Findings.solved, solver=solver)).show(1)
        lengths = _means(findings, solver, "length", places=1)
        rows.append((solver, solved, f"{TABLE_5[solver].solved}", *lengths, f"{TABLE_5[solver].length}"))
    return Table("Table 5: solved within 2,000 ms, and mean length", columns, rows)


def _means(findings: Findings, solver: str, what: str, places: int) -> list[str]:
    """Over all plans, and over as many instances as the thesis solved."""
    every = findings.estimate(lambda found: found.mean(solver, what))
    same_share = findings.estimate(lambda found: found.easiest(solver).mean(solver, what))
    return [every.show(places), same_share.show(places)]


def _budget_table(findings: Findings) -> Table:
    columns = ("", "solved %", "published (in time)", "median moves", "median ms")
    moves = findings.third

    def solved(solver: str) -> float:
        return findings.solved(solver, moves)

    rows = []
    for solver in sorted(SOLVERS, key=solved, reverse=True):
        share = findings.estimate(partial(_solved_of_third, solver=solver))
        plans = findings.plans(solver)
        middle = f"{median(run.moves for run in plans):,.0f}" if plans else "—"
        time = f"{1000 * median(run.seconds for run in plans):.2f}" if plans else "—"
        rows.append((solver, share.show(1), f"{TABLE_5[solver].solved}", middle, time))
    return Table(f"Under a budget of {moves:,.0f} generated moves, most solved first", columns, rows)


def _solved_of_third(found: Findings, solver: str) -> float:
    return found.solved(solver, found.third)


def _band_table(title: str, findings: Findings, cell: Callable[[Findings, str, float], str]) -> Table:
    bands = [findings.within(*band) for band in BANDS]
    rows = [(solver, *(cell(band, solver, findings.third) for band in bands)) for solver in SOLVERS]
    return Table(title, ("", *(f"{fewest} to {most}" for fewest, most in BANDS)), rows)


def _solved_of_band(band: Findings, solver: str, moves: float) -> str:
    return f"{band.solved(solver, moves):.1f}" if band.outcomes else "—"


def _moves_of_band(band: Findings, solver: str, moves: float) -> str:
    per_agent = [o.runs[solver].moves / o.agents for o in band.outcomes if o.runs[solver].solved]
    return f"{median(per_agent):,.0f}" if per_agent else "—"


def _failure_table(findings: Findings) -> Table:
    ends = {"out of time": Status.TIMEOUT, "gave up": Status.GAVE_UP, "impossible": Status.INFEASIBLE}
    rows = [
        (solver, *(f"{findings.ended(solver, status):.2f}" for status in ends.values())) for solver in SOLVERS
    ]
    return Table("Why instances are not solved, %", ("", *ends), rows)


def _loop_table(findings: Findings) -> Table:
    columns = ("", "all solved", "of the published share", "instances with any, %")
    rows = []
    for solver in SOLVERS:
        plans = findings.plans(solver)
        any_loops = Estimate(100 * ratio(sum(run.loops > 0 for run in plans), len(plans)))
        rows.append((solver, *_means(findings, solver, "loops", places=4), any_loops.show(2)))
    return Table("Loops per instance", columns, rows)


def _cache_table(findings: Findings) -> Table:
    columns = ("", "solved both ways", "time", "expansions", "moves", "% under the budget")
    rows = []
    for solver in CACHING:
        gains = [
            findings.estimate(partial(Findings.gain, solver=solver, unit=unit)).show(2, "x")
            for unit in ("seconds", "expansions", "moves")
        ]
        shares = (_cheap(findings, solver, side) for side in ("uncached", "cached"))
        rows.append((solver, str(len(findings.cache(solver))), *gains, " / ".join(shares)))
    return Table("Without the path cache / with it (figure 12)", columns, rows)


def _cheap(findings: Findings, solver: str, side: str) -> str:
    """The percentage that is solved under the budget of moves."""
    runs = [getattr(outcome, side)[solver] for outcome in findings.outcomes if outcome.cached]
    solved = sum(run.solved and run.moves <= findings.third for run in runs)
    return Estimate(100 * ratio(solved, len(runs))).show(1)


def _sorted_plot(findings: Findings, name: str, title: str, unit: str) -> Plot:
    def values(solver: str) -> list[float]:
        plans = findings.plans(solver)
        return [1000 * run.seconds if unit == "ms" else max(run.moves, 1) for run in plans]

    curves = {solver: least_first(values(solver), len(findings.outcomes)) for solver in SOLVERS}
    return Plot(name, title, "% of the instances", unit, curves, logarithmic=True)


def _solved_plot(findings: Findings) -> Plot:
    def curve(solver: str) -> dict[float, Estimate]:
        return findings.by_agents(lambda outcome: 100 * outcome.runs[solver].solved)

    curves = {solver: curve(solver) for solver in SOLVERS}
    return Plot("solved", "Solved within 2,000 ms (figure 7)", "agents", "%", curves)


def _mean_plot(findings: Findings, name: str, title: str, unit: str, solvers: Sequence[str]) -> Plot:
    """The mean over what is solved of what is by that name in a run."""

    def curve(solver: str) -> dict[float, Estimate]:
        return findings.by_agents(
            lambda outcome: getattr(outcome.runs[solver], name) if outcome.runs[solver].solved else None
        )

    return Plot(name, title, "agents", unit, {solver: curve(solver) for solver in solvers})


def _size_plot(findings: Findings) -> Plot:
    def curve(size: int) -> dict[float, Estimate]:
        def count(outcome: Outcome) -> float | None:
            one = outcome.runs["DPCA*+"]
            return dialogue_sizes([one])[size] if one.solved else None

        return findings.by_agents(count)

    curves = {f"of {size} agents": curve(size) for size in (2, 3, 4)}
    return Plot("sizes", "Dialogues of DPCA*+ by their size (figure 11)", "agents", "dialogues", curves)


def _cache_plot(findings: Findings) -> Plot:
    sampled = [outcome for outcome in findings.outcomes if outcome.cached]
    curves = {}
    for solver in ("DPCA*", "WDPCA*-8", "WDPCA*-2"):
        for label, side in ((solver, "cached"), (f"{solver}, no cache", "uncached")):
            runs = [getattr(outcome, side)[solver] for outcome in sampled]
            times = [1000 * run.seconds for run in runs if run.solved]
            curves[label] = least_first(times, len(sampled))
    title = "Running time with and without the path cache (figure 12)"
    return Plot("cache", title, "% of the instances", "ms", curves, logarithmic=True)
