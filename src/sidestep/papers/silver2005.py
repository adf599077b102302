"""The experiments of D. Silver, Cooperative Pathfinding (AIIDE 2005).

Ten maps of 32x32 cells, 4-connected, a fifth of the cells blocked and disconnected pockets filled; random
starts and destinations, no two alike; 100 turns; 10 to 100 agents. The figures themselves are not in the
text of the paper, so the published numbers are those that its text states.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from itertools import product
from pathlib import Path
from statistics import fmean
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ..budget import Budget
from ..instances import random_grid, random_problem
from ..judge import validate_trace
from ..model.arrays import IntArray
from ..model.events import EventKind
from ..model.problem import Problem
from ..model.rules import Rules
from ..model.trace import Trace
from ..solvers import CA, HCA, LRA, WHCA
from ..solvers.cooperative import cooperating_agents
from ..world import Planner, World
from .claims import Claim, Comparison, Estimate, jackknife, ratio
from .plots import Mark, Plot, require_matplotlib
from .report import Report, Table
from .trials import Progress, run_trials

SIDE, DENSITY, TURNS = 32, 0.2, 100
AGENTS = tuple(range(10, 101, 10))
MAPS, FEWER_MAPS = 10, 5  # the paper's number, and that of the short version

COOPERATIVE: dict[str, Planner] = {
    # As in the paper, agents stop cooperating when they arrive: those whose way they block reroute.
    "CA*": CA(hold_goals=False),
    "HCA*": HCA(hold_goals=False),
    "WHCA*(8)": WHCA(window=8),
    "WHCA*(16)": WHCA(window=16),
    "WHCA*(32)": WHCA(window=32),
}
SOLVERS: dict[str, Planner] = {"LRA*": LRA(), **COOPERATIVE}
WINDOWS = ("WHCA*(8)", "WHCA*(16)", "WHCA*(32)")
# The paper does not say how much noise an agitated agent adds; "LRA*" is the solver's own default.
NOISE = {scale: "LRA*" if scale == LRA().noise else f"LRA* noise {scale:g}" for scale in (0.25, 0.5, 1, 2, 4)}
PLANNERS: dict[str, Planner] = {**SOLVERS, **{label: LRA(noise=scale) for scale, label in NOISE.items()}}


# One trial


class Setting(NamedTuple):
    """What differs between the trials on one map."""

    solver: str
    agents: int
    following: bool = True


@dataclass(frozen=True)
class Trial:
    """One run of a solver on one map."""

    setting: Setting
    map: int
    seed: int


@dataclass(frozen=True)
class Outcome:
    """What a trial came to: the success in percent; lengths and cycles per agent; CPU time in ms."""

    success: float
    length: float
    shortest: float
    cycles: float
    cycles_before_arrival: float
    initial: float
    largest: float
    refused: int
    invalid: int


def run_trial(trial: Trial) -> Outcome:
    """Steps a world for all 100 turns, whether or not everybody has arrived before."""
    problem = instance(trial)
    world = World(problem, PLANNERS[trial.setting.solver], seed=trial.map)
    times = [_step(world) for _ in range(TURNS)]
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
        largest=max(times[1:]),
        refused=trace.count(EventKind.REFUSED),
        invalid=_is_invalid(trace),
    )


def instance(trial: Trial) -> Problem:
    """Map and agents depend on the seed and the number of the map; fewer agents are the first of more."""
    seed = 2 * (1000 * (trial.seed % 2**32) + trial.map)  # twice: the agents have a stream of their own
    grid = random_grid(SIDE, SIDE, DENSITY, seed)
    rules = Rules(following=trial.setting.following)
    return random_problem(grid, trial.setting.agents, seed + 1, rules=rules)


def _step(world: World) -> float:
    """One turn; returns the CPU time of this thread in ms, so that other work does not count."""
    begin = time.thread_time_ns()
    world.step()
    return (time.thread_time_ns() - begin) / 1e6


def _is_invalid(trace: Trace) -> int:
    return 0 if validate_trace(trace) else 1


# What is measured


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


# All trials


@dataclass(frozen=True)
class Findings:
    """The outcomes per map: a map is a sample, and errors are those of a mean over maps."""

    maps: Sequence[Mapping[Setting, Outcome]]

    @property
    def agents(self) -> list[int]:
        """The numbers of agents, fewest first."""
        return sorted({setting.agents for setting in self.maps[0]})

    def mean(self, quantity: str, solver: str, *, agents: int | None = None, following: bool = True) -> float:
        """A quantity over all maps; with most agents unless another number is given."""
        setting = Setting(solver, self.agents[-1] if agents is None else agents, following)
        return fmean(getattr(outcomes[setting], quantity) for outcomes in self.maps)

    def detour(self, solver: str, **where: Any) -> float:
        """The path length over that of the shortest paths."""
        return self.mean("length", solver, **where) / self.mean("shortest", solver, **where)

    def total(self, quantity: str) -> int:
        """The sum over all trials."""
        return sum(getattr(outcome, quantity) for outcomes in self.maps for outcome in outcomes.values())

    def estimate(self, measure: Measure) -> Estimate:
        """What a measure says of these findings, and how far it would be off by chance."""
        return jackknife(lambda maps: measure(Findings(maps)), self.maps)


Measure = Callable[[Findings], float]


def settings(agents: Sequence[int]) -> list[Setting]:
    """All solvers over all numbers of agents; with most agents also other noise and the other rule."""
    every_size = [Setting(solver, count) for solver, count in product(SOLVERS, agents)]
    crowded = [Setting(solver, max(agents), rule) for solver, rule in product(PLANNERS, (True, False))]
    return list(dict.fromkeys(every_size + crowded))


def find(
    *, maps: int, agents: Sequence[int], seed: int, jobs: int, progress: Progress
) -> tuple[Findings, list[dict[str, Any]]]:
    """Runs all trials; returns the findings and the raw rows."""
    trials = [Trial(setting, number, seed) for number in range(maps) for setting in settings(agents)]
    outcomes = run_trials(run_trial, trials, jobs=jobs, progress=progress)
    by_map: list[dict[Setting, Outcome]] = [{} for _ in range(maps)]
    for trial, outcome in zip(trials, outcomes, strict=True):
        by_map[trial.map][trial.setting] = outcome
    rows = [
        {"seed": seed, "map": trial.map, **trial.setting._asdict(), **asdict(outcome)}
        for trial, outcome in zip(trials, outcomes, strict=True)
    ]
    return Findings(by_map), rows


def run(
    *, full: bool, seed: int, jobs: int, out: Path, progress: Progress, instances: int | None = None
) -> Report:
    """Runs the experiments on the paper's ten maps, or fewer in the short version; writes the report."""
    require_matplotlib()  # what may be missing is asked for before the work, not after it
    out.mkdir(parents=True, exist_ok=True)
    maps = instances or (MAPS if full else FEWER_MAPS)
    findings, rows = find(maps=maps, agents=AGENTS, seed=seed, jobs=jobs, progress=progress)
    report = make_report(findings, rows, out)
    report.write()
    return report


# What the paper states

_RESULTS, _DISCUSSION = "Experimental Results", "Discussion"
_SUCCESS, _LENGTH, _CYCLES, _TIME = "success", "path length / shortest", "cycles per agent", "CPU time"

_UNKNOWN_BASELINE = (
    "Ours is the stronger baseline. Where the paper's agents recalculate instead of entering an occupied "
    "cell, ours also move in the same turn if the new route allows it. The paper does not give the scale of "
    "the noise; the last table shows several. Nor does it say whether an agent may enter a cell that another "
    "leaves in the same turn. A reservation table of cells and times lets it, but an agent of LRA* may well "
    "take a cell for occupied until it is empty: the rows of LRA* without following show that reading, "
    "beside cooperative agents that do follow."
)
_NOTHING_LEFT = "Practically every agent arrives with either window."
_STEPPING_ASIDE = (
    "Cycles are counted over all turns: an agent that has arrived, steps aside and comes back enters a cell "
    "again, and the smallest window does so most often. The column of cycles before arrival leaves that out."
)
_LOITERING = (
    "An agent whose destination others will still pass plans to arrive after them, and goes to and fro until "
    "then. Agents that stop cooperating on arrival could as well stay at once and let the others reroute."
)
_CHEAP_DEPTH = (
    "Searching to full depth costs little here: of states with equal cost the deepest is expanded first, and "
    "states are in a flat table where the paper has a hash table. So a window saves less, and exact "
    "distances may cost more than they save."
)
_EVEN_TURNS = (
    "Replanning is staggered, so that a turn has 2n/w searches, an eighth of the first one's, and distances "
    "are kept from window to window. The published turns must have been less even."
)


def _worst_cooperative(found: Findings) -> float:
    best_baseline = max(found.mean("success", label) for label in NOISE.values())
    return min(found.mean("success", solver) for solver in COOPERATIVE) - best_baseline


def _smaller_window(found: Findings) -> float:
    return found.mean("success", "WHCA*(8)") - found.mean("success", "WHCA*(16)")


def _cycles_over_whca(found: Findings, labels: Iterable[str], rule: bool = True, other: bool = True) -> float:
    """The fewest cycles of these over those of WHCA*(16), each with its rule on following."""
    fewest = min(found.mean("cycles", label, following=rule) for label in labels)
    return ratio(fewest, found.mean("cycles", "WHCA*(16)", following=other))


def _full_depth_cycles(found: Findings) -> float:
    most = max(found.mean("cycles", solver) for solver in ("CA*", "HCA*"))
    return ratio(most, found.mean("cycles", "WHCA*(16)"))


def _first_turns(solver: str, other: str) -> Measure:
    return lambda found: ratio(found.mean("initial", solver), found.mean("initial", other))


def _largest_over_first(found: Findings) -> float:
    return ratio(found.mean("largest", "WHCA*(16)"), found.mean("initial", "WHCA*(16)"))


def _largest_turns_alike(found: Findings) -> float:
    turns = [found.mean("largest", solver) for solver in WINDOWS]
    return ratio(max(turns), min(turns))


def _success_claims() -> list[Claim]:
    claim = partial(Claim, _SUCCESS, source=f"{_RESULTS}, figure 3", unit="%", places=1)
    lra = partial(claim, published="about 80%", stated=80, low=75, high=85, reason=_UNKNOWN_BASELINE)
    compare = partial(Claim, _SUCCESS, source=_DISCUSSION, stated=0, places=1)
    return [
        claim(
            "fewest agents, every solver",
            published="100%",
            stated=100,
            measure=lambda found: min(found.mean("success", s, agents=found.agents[0]) for s in SOLVERS),
            low=99.5,
        ),
        lra("LRA*", measure=lambda found: found.mean("success", "LRA*")),
        lra("LRA* without following", measure=lambda found: found.mean("success", "LRA*", following=False)),
        claim(
            "WHCA*(16)",
            published="over 98%",
            stated=98,
            measure=lambda found: found.mean("success", "WHCA*(16)"),
            low=98,
        ),
        compare(
            "worst cooperative - best LRA*", published="more successful", measure=_worst_cooperative, low=0
        ),
        compare(
            "WHCA*(8) - WHCA*(16)",
            published="goes down",
            measure=_smaller_window,
            high=-0.05,
            reason=_NOTHING_LEFT,
        ),
    ]


def _length_claims() -> list[Claim]:
    claim = partial(Claim, _LENGTH, source=f"{_RESULTS}, figure 4", unit="x")
    lra = partial(claim, published="more than 2x", stated=2, low=2, reason=_UNKNOWN_BASELINE)
    full_depth = partial(claim, published="about 1.2x", stated=1.2, low=1.1, high=1.3, reason=_LOITERING)
    return [
        claim(
            "fewest agents, every solver",
            published="close to 1x",
            stated=1,
            measure=lambda found: max(found.detour(s, agents=found.agents[0]) for s in SOLVERS),
            high=1.1,
        ),
        lra("LRA*", measure=lambda found: found.detour("LRA*")),
        lra("LRA* without following", measure=lambda found: found.detour("LRA*", following=False)),
        full_depth("CA*", measure=lambda found: found.detour("CA*")),
        full_depth("HCA*", measure=lambda found: found.detour("HCA*")),
        Claim(
            _LENGTH,
            "WHCA*(8) / WHCA*(16)",
            published="increases",
            source=_DISCUSSION,
            stated=1,
            measure=lambda found: found.detour("WHCA*(8)") / found.detour("WHCA*(16)"),
            low=1,
            unit="x",
        ),
    ]


def _cycle_claims() -> list[Claim]:
    claim = partial(Claim, _CYCLES, source=f"{_RESULTS}, figure 5")
    lra = partial(
        claim,
        published="more than 10x",
        stated=10,
        low=10,
        unit="x",
        places=1,
        reason=_UNKNOWN_BASELINE,
    )
    return [
        claim(
            "WHCA*, every window",
            published="at most 1.5",
            stated=1.5,
            measure=lambda found: max(found.mean("cycles", solver) for solver in WINDOWS),
            high=1.5,
            reason=_STEPPING_ASIDE,
        ),
        lra("LRA* / WHCA*(16)", measure=partial(_cycles_over_whca, labels=["LRA*"])),
        lra("LRA*, any noise / WHCA*(16)", measure=partial(_cycles_over_whca, labels=NOISE.values())),
        lra(
            "LRA* without following / WHCA*(16)",
            measure=partial(_cycles_over_whca, labels=["LRA*"], rule=False),
        ),
        claim(
            "CA*, HCA* / WHCA*(16)",
            published="very few",
            stated=1,
            measure=_full_depth_cycles,
            high=1,
            unit="x",
            reason=_LOITERING,
        ),
    ]


def _time_claims() -> list[Claim]:
    first = partial(Claim, _TIME, source=f"{_DISCUSSION}, figure 6", unit="x")
    largest = partial(Claim, _TIME, source=f"{_RESULTS}, figure 7", unit="x")
    return [
        first(
            "first turn, CA* / WHCA*(16)",
            published="over 1 s / under 100 ms",
            stated=10,
            measure=_first_turns("CA*", "WHCA*(16)"),
            low=10,
            reason=_CHEAP_DEPTH,
        ),
        first(
            "first turn, HCA* / CA*",
            published="slightly lower",
            stated=1,
            measure=_first_turns("HCA*", "CA*"),
            low=0.5,
            high=1,
            reason=_CHEAP_DEPTH,
        ),
        first(
            "first turn, WHCA*(32) / WHCA*(8)",
            published="increases",
            stated=1,
            measure=_first_turns("WHCA*(32)", "WHCA*(8)"),
            low=1,
        ),
        first(
            "first turn, LRA* / WHCA*(16)",
            published="fast",
            stated=1,
            measure=_first_turns("LRA*", "WHCA*(16)"),
            high=1,
        ),
        largest(
            "WHCA*(16), largest later / first",
            published="about 50 / under 100 ms",
            stated=0.5,
            measure=_largest_over_first,
            low=0.5,
            reason=_EVEN_TURNS,
        ),
        largest(
            "largest later, windows 8 to 32",
            published="similar",
            stated=1,
            measure=_largest_turns_alike,
            high=1.5,
        ),
    ]


CLAIMS = (*_success_claims(), *_length_claims(), *_cycle_claims(), *_time_claims())


# The report


def make_report(findings: Findings, rows: Sequence[Mapping[str, Any]], folder: Path) -> Report:
    """Published beside measured; with most agents unless it says otherwise."""
    crowd = findings.agents[-1]
    return Report(
        name="silver2005",
        title="Cooperative Pathfinding (Silver 2005)",
        notes=_notes(findings, len(rows)),
        comparisons=[Comparison(claim, findings.estimate(claim.measure)) for claim in CLAIMS],
        tables=[
            _solver_table(findings, f"{crowd} agents that may follow each other", True),
            _solver_table(findings, f"{crowd} agents that may not", False),
            _noise_table(findings, f"LRA*, {crowd} agents, by the scale of its noise"),
        ],
        plots=_plots(findings),
        rows=rows,
        folder=folder,
    )


def _notes(findings: Findings, trials: int) -> list[str]:
    count, fewest, most = len(findings.maps), findings.agents[0], findings.agents[-1]
    return [
        f"{count} {'map' if count == 1 else 'maps'} of {SIDE}x{SIDE} cells, {DENSITY:.0%} blocked and "
        f"pockets filled, {fewest} to {most} agents, {TURNS} turns; {trials} trials, of whose traces the "
        f"judge found {findings.total('invalid')} invalid; {findings.total('refused')} moves were refused.",
        "Success: on its destination in some turn. Path length: the turn of the first arrival, "
        f"{TURNS} for an agent that failed. A cycle: entering a cell visited before, over all turns. "
        "To follow is to enter a cell in the turn in which another agent leaves it. Errors are standard "
        "errors over maps. CPU times depend on the machine and are compared as ratios only; the paper's are "
        "from a Pentium 4 of 1.2 GHz.",
    ]


def _solver_table(findings: Findings, title: str, following: bool) -> Table:
    columns = (
        "",
        "success %",
        "length / shortest",
        "cycles",
        "before arrival",
        "first turn, ms",
        "largest later, ms",
    )
    rows = [(solver, *_numbers(findings, solver, following)) for solver in SOLVERS]
    return Table(title, columns, rows)


def _numbers(findings: Findings, solver: str, following: bool) -> list[str]:
    def mean(quantity: str, places: int = 2) -> str:
        return findings.estimate(partial(Findings.mean, quantity=quantity, **setting)).show(places)

    setting: dict[str, Any] = {"solver": solver, "following": following}
    detour = findings.estimate(partial(Findings.detour, **setting)).show(2)
    others = map(mean, ("cycles", "cycles_before_arrival", "initial", "largest"))
    return [mean("success", 1), detour, *others]


def _noise_table(findings: Findings, title: str) -> Table:
    columns = ("noise", "following", "success %", "length / shortest", "cycles", "/ WHCA*(16)")
    rows = [_noise_row(findings, scale, rule) for rule, scale in product((True, False), NOISE)]
    return Table(title, columns, rows)


def _noise_row(findings: Findings, scale: float, following: bool) -> tuple[str, ...]:
    success, detour, count = _numbers(findings, NOISE[scale], following)[:3]
    over_whca = partial(_cycles_over_whca, labels=[NOISE[scale]], rule=following, other=following)
    times = findings.estimate(over_whca).show(1, "x")
    return (f"{scale:g}", "allowed" if following else "forbidden", success, detour, count, times)


def _plots(findings: Findings) -> list[Plot]:
    shortest = findings.mean("shortest", "CA*")
    unit = findings.mean("initial", "WHCA*(16)")

    def plot(quantity: str, title: str, y_label: str, *marks: Mark, scale: float = 1) -> Plot:
        curves = {solver: _curve(findings, quantity, solver, scale) for solver in SOLVERS}
        if quantity == "length":
            curves["shortest"] = _curve(findings, "shortest", "CA*", scale)
        return Plot(quantity, title, "agents", y_label, curves, marks, logarithmic=scale != 1)

    most = AGENTS[-1]
    relative = f"first turn of WHCA*(16), {most} agents = 1"
    return [
        plot(
            "success",
            "Agents that reach their destination",
            "%",
            Mark("LRA*", most, 80, "about 80%"),
            Mark("WHCA*(16)", most, 98, "over 98%"),
        ),
        plot(
            "length",
            "Average path length",
            "turns",
            Mark("LRA*", most, 2 * shortest, "over 2x"),
            Mark("CA*", most, 1.2 * shortest, "1.2x"),
        ),
        plot(
            "cycles",
            "Cycles per agent",
            "cells entered again",
            Mark("LRA*", most, 15, "over 15"),
            Mark("WHCA*(16)", most, 1.5, "at most 1.5"),
        ),
        plot(
            "initial",
            "CPU time of the first turn",
            relative,
            Mark("CA*", most, 10, "over 10x"),
            scale=1 / unit,
        ),
        plot(
            "largest",
            "CPU time of the largest later turn",
            relative,
            Mark("WHCA*(16)", most, 0.5, "over 0.5x"),
            scale=1 / unit,
        ),
    ]


def _curve(findings: Findings, quantity: str, solver: str, scale: float) -> dict[float, Estimate]:
    def at(agents: int) -> Estimate:
        return findings.estimate(lambda found: scale * found.mean(quantity, solver, agents=agents))

    return {agents: at(agents) for agents in findings.agents}
