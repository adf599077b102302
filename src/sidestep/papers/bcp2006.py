"""The experiments of A. Geramifard, P. Chubak and V. Bulitko, Biased Cost Pathfinding (AIIDE 2006).

Open 8-connected ground. Scenario one, *rescue the hero*: up to nine units in a 3x3 block at the top move
down, and a hero of higher priority, ten moves from its goal, moves up through them. Three extensions of it
count the damage that attackers do to the hero. Scenario two: two blocks pass through each other. The drawings
of the paper and the bars of its figures are not in its text: where blocks begin and end is ours, and the
published numbers are those that the text and its table state.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from itertools import pairwise
from pathlib import Path
from statistics import fmean
from typing import Any, NamedTuple

import numpy as np

from ..judge import validate_trace
from ..model.arrays import IntArray
from ..model.grid import Cell, Grid
from ..model.problem import Problem
from ..model.random import shuffled
from ..model.rules import Rules
from ..model.trace import Trace
from ..solvers import BCP, LRA
from ..world import Planner, World
from .claims import Claim, Comparison, Estimate, jackknife, ratio
from .plots import Mark, Plot, require_matplotlib
from .report import Report, Table
from .trials import Progress, run_trials

HEIGHT, WIDTH, MIDDLE = 14, 13, 6
HERO_GOAL, HERO_START, WAY = (1, MIDDLE), (11, MIDDLE), 10
TOP, BOTTOM = 1, 9  # the first rows of the blocks; units go from one to the other
TURNS = 60
SAMPLES, FEWER = 10, 5  # the paper's number of scenes per size, and that of the short version
RUNS, FEWER_RUNS = 18, 9  # and of the extensions
HERO_SIZES, GROUP_SIZES = tuple(range(1, 10)), tuple(range(8, 16))
ITERATIONS = tuple(range(1, 13))
GUARDS = 7  # units in the extensions: enough to be in the way, and not always the same

HERO, GROUPS, EXTENSIONS = "hero", "groups", ("chaser", "one static", "two static")
# An attacker reaches so many cells. The chaser starts below the hero's rectangle and is as fast as the hero.
REACH = 4
STATIC: dict[str, tuple[Cell, ...]] = {"one static": ((3, 2),), "two static": ((3, 2), (10, 10))}
CHASER: Cell = (13, MIDDLE)
RECTANGLE = [(row, col) for row in range(10, 13) for col in range(3, 10)]

ASTAR, BUMPING, BIASED = "A*", "A* bumping", "BCP"
# Units with plain A* know no priorities. They repair their routes when somebody is in the way: at once and as
# part of the same turn (LRA* without noise), or after a turn lost, as the paper defines a collision.
SOLVERS: dict[str, Planner] = {ASTAR: LRA(noise=0), BUMPING: BCP(iterations=1), BIASED: BCP()}
PAIR = (ASTAR, BIASED)
DELAYS = {
    HERO: {4: 236, 5: 254, 6: 323, 7: 329, 8: 329},
    GROUPS: {8: 315, 9: 434, 10: 396, 11: 375, 12: 543, 13: 458, 14: 442, 15: 470},
}


# One trial


class Setting(NamedTuple):
    """What differs between the trials of one sample; `iterations` is 0 for the solver's own number."""

    scene: str
    solver: str
    units: int
    following: bool = True
    iterations: int = 0


@dataclass(frozen=True)
class Trial:
    """One run of one scene."""

    setting: Setting
    sample: int
    seed: int


@dataclass(frozen=True)
class Outcome:
    """Steps until the last arrival, of all units and of the hero; damage; CPU time of the first move, ms."""

    total: int
    hero: int
    damage: int
    delay: float
    arrived: int
    invalid: int


def run_trial(trial: Trial) -> Outcome:
    """Steps a world until all have arrived or the turns are over."""
    problem = instance(trial)
    world = World(problem, planner(trial.setting))
    delay = _step(world)
    while not world.done and world.time < TURNS:
        world.step()
    if world.planner_error is not None:  # the world would let everybody wait: do not hide a broken solver
        raise world.planner_error
    positions = world.trace.positions
    arrivals = arrival_steps(positions, problem.goals)
    cells = problem.space.cells(positions[:, -1])  # type: ignore[union-attr]
    return Outcome(
        total=int(arrivals.sum()),
        hero=int(arrivals[-1]),
        damage=damage(trial.setting.scene, [(int(row), int(col)) for row, col in cells[: arrivals[-1] + 1]]),
        delay=delay,
        arrived=int(world.done),
        invalid=_is_invalid(world.trace),
    )


def planner(setting: Setting) -> Planner:
    """The solver of a trial, with its number of iterations."""
    return BCP(iterations=setting.iterations) if setting.iterations else SOLVERS[setting.solver]


def instance(trial: Trial) -> Problem:
    """The scene of a sample; the hero, where there is one, comes last."""
    setting = trial.setting
    draw = 10_000 * (trial.seed % 2**32) + trial.sample
    grid = Grid(np.ones((HEIGHT, WIDTH), dtype=bool), 8, "free")
    starts, goals = groups(setting.units, draw) if setting.scene == GROUPS else rescue(setting, draw)
    heroic = setting.scene != GROUPS and setting.solver == BIASED
    priorities = [0] * (len(starts) - 1) + [int(heroic)]
    rules = Rules(following=setting.following, crossing=True)
    return Problem(grid, starts, goals, rules=rules, priorities=priorities)


def block(row: int) -> list[Cell]:
    """The nine cells of a block in the middle."""
    return [(row + cell // 3, MIDDLE - 1 + cell % 3) for cell in range(9)]


def rescue(setting: Setting, draw: int) -> tuple[list[Cell], list[Cell]]:
    """Scenario one: units anywhere in the block at the top, the hero below."""
    chosen = sorted(shuffled(9, draw).tolist()[: setting.units])
    start = HERO_START
    if setting.scene in EXTENSIONS:
        start = RECTANGLE[int(shuffled(len(RECTANGLE), draw, 1)[0])]
    above, below = block(TOP), block(BOTTOM - 2)
    return [*(above[k] for k in chosen), start], [*(below[k] for k in chosen), HERO_GOAL]


def groups(units: int, draw: int) -> tuple[list[Cell], list[Cell]]:
    """Scenario two: units anywhere in two blocks, each to its place in the other."""
    above, below = block(TOP), block(BOTTOM)
    starts, goals = above + below, below + above
    chosen = sorted(shuffled(18, draw).tolist()[:units])
    return [starts[k] for k in chosen], [goals[k] for k in chosen]


def _step(world: World) -> float:
    """The first turn; returns the CPU time of this thread in ms, so that other work does not count."""
    begin = time.thread_time_ns()
    world.step()
    return (time.thread_time_ns() - begin) / 1e6


def _is_invalid(trace: Trace) -> int:
    return 0 if validate_trace(trace) else 1


# What is measured


def arrival_steps(positions: IntArray, goals: IntArray) -> IntArray:
    """Per unit the turn from which on it was on its goal; all turns if it was not there at the end."""
    away = positions != goals
    last = len(positions) - 1 - np.argmax(away[::-1], axis=0)
    steps = np.where(away.any(axis=0), last + 1, 0)
    return np.where(away[-1], TURNS, steps).astype(np.int32)


def damage(scene: str, way: Sequence[Cell]) -> int:
    """What attackers do to a hero: a point per turn in reach, and with the chaser one if it stands."""
    if scene in STATIC:
        return sum(any(_in_reach(place, at) for at in STATIC[scene]) for place in way[1:])
    if scene != "chaser":
        return 0
    points, attacker = 0, CHASER
    for before, place in pairwise(way):
        attacker = (attacker[0] + _sign(place[0] - attacker[0]), attacker[1] + _sign(place[1] - attacker[1]))
        points += _in_reach(place, attacker) + (place == before)
    return points


def _in_reach(place: Cell, attacker: Cell) -> bool:
    return max(abs(place[0] - attacker[0]), abs(place[1] - attacker[1])) <= REACH


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)


# All trials


@dataclass(frozen=True)
class Findings:
    """The outcomes per sample; the extensions have more samples than the scenes."""

    samples: Sequence[Mapping[Setting, Outcome]]

    def outcomes(self, setting: Setting) -> list[Outcome]:
        """Of all samples that have this setting."""
        return [outcomes[setting] for outcomes in self.samples if setting in outcomes]

    def mean(self, quantity: str, setting: Setting) -> float:
        """A quantity over all samples."""
        return fmean(getattr(outcome, quantity) for outcome in self.outcomes(setting))

    def deaths(self, scene: str, iterations: int) -> float:
        """The share of heroes, in percent, that take more damage than the mean over all iterations."""
        dead, count = 0, 0
        for outcomes in self.samples:
            points = [o.damage for s, o in outcomes.items() if s.scene == scene]
            if points:
                own = outcomes[_extension(scene, iterations)].damage
                dead, count = dead + (own > fmean(points)), count + 1
        return 100 * ratio(dead, count)

    def total(self, quantity: str) -> int:
        """The sum over all trials."""
        return sum(getattr(outcome, quantity) for outcomes in self.samples for outcome in outcomes.values())

    def estimate(self, measure: Measure) -> Estimate:
        """What a measure says of these findings, and how far it would be off by chance."""
        return jackknife(lambda samples: measure(Findings(samples)), self.samples)


Measure = Callable[[Findings], float]


def _extension(scene: str, iterations: int) -> Setting:
    return Setting(scene, BIASED, GUARDS, iterations=iterations)


def settings(sample: int, samples: int) -> Iterator[Setting]:
    """Both scenarios, each with following allowed and forbidden, and the extensions."""
    if sample < samples:
        for scene, sizes in ((HERO, HERO_SIZES), (GROUPS, GROUP_SIZES)):
            for units in sizes:
                for following in (True, False):
                    yield from (Setting(scene, solver, units, following) for solver in SOLVERS)
    for scene in EXTENSIONS:
        yield from (_extension(scene, iterations) for iterations in ITERATIONS)


def find(
    *, samples: int, runs: int, seed: int, jobs: int, progress: Progress
) -> tuple[Findings, list[dict[str, Any]]]:
    """Runs all trials; returns the findings and the raw rows."""
    numbers = range(max(samples, runs))
    trials = [Trial(setting, number, seed) for number in numbers for setting in settings(number, samples)]
    outcomes = run_trials(run_trial, trials, jobs=jobs, progress=progress)
    by_sample: list[dict[Setting, Outcome]] = [{} for _ in numbers]
    for trial, outcome in zip(trials, outcomes, strict=True):
        by_sample[trial.sample][trial.setting] = outcome
    rows = [
        {"seed": seed, "sample": trial.sample, **trial.setting._asdict(), **asdict(outcome)}
        for trial, outcome in zip(trials, outcomes, strict=True)
    ]
    return Findings(by_sample), rows


def run(
    *, full: bool, seed: int, jobs: int, out: Path, progress: Progress, instances: int | None = None
) -> Report:
    """Runs the experiments with the paper's number of samples, or fewer; writes the report and pictures."""
    require_matplotlib()  # what may be missing is asked for before the work, not after it
    out.mkdir(parents=True, exist_ok=True)
    samples = instances or (SAMPLES if full else FEWER)
    runs = instances or (RUNS if full else FEWER_RUNS)
    findings, rows = find(samples=samples, runs=runs, seed=seed, jobs=jobs, progress=progress)
    report = make_report(findings, rows, out, draw_scenes(out / "pictures", seed))
    report.write()
    return report


def draw_scenes(folder: Path, seed: int) -> dict[str, bytes]:
    """Both scenarios as pages to play and as pictures at the times of the paper's figures 4 and 5.

    Returns the pictures by their titles.
    """
    from ..viewer import replay  # noqa: PLC0415  # it is only needed here

    folder.mkdir(parents=True, exist_ok=True)
    pictures = {}
    for number, scene, units in ((1, HERO, 9), (2, GROUPS, 12)):
        traces = [_trace(Trial(Setting(scene, solver, units), 0, seed)) for solver in PAIR]
        shown = replay(*traces, title=f"Biased Cost Pathfinding, scenario {number}", labels=list(PAIR))
        shown.save(folder / f"scenario{number}.html")
        for moment in (0, 1, 5, 8, 11):
            path = folder / f"scenario{number}-{moment:02}.png"
            shown.save(path, time=moment)
            pictures[f"Scenario {number} at time {moment}"] = path.read_bytes()
    return pictures


def _trace(trial: Trial) -> Trace:
    world = World(instance(trial), planner(trial.setting))
    while not world.done and world.time < TURNS:
        world.step()
    while world.time < 11:  # the last picture
        world.step()
    return world.trace


# What the paper states

_ONE, _TWO, _EXTENDED, _DELAY = "scenario one", "scenario two", "extensions", "first-move delay"
_BASELINE = (
    "The text does not say how units with plain A* go on after a collision. With eight moves of equal cost a "
    "hero that steps round somebody at once loses nothing; one that loses a turn first is late. How often it "
    "has to depends on where the units stand, and the drawing of that is lost."
)
_STRICT = (
    "A unit that holds its cell for one step more, as the paper defines it, cannot be followed closely. A "
    "column that moves in step then collides with itself in every step. No planned path has a wait in it, so "
    "there is nothing that BCP could plan instead: units make detours, or bump."
)
_HEADLINE = (
    "The paper does not say of which metric: this is the best of total steps, hero's steps and deaths."
)
_TENTH = (
    "Whether one more iteration leaves more collisions depends on where units and attackers stand, which is "
    "ours; nothing in the algorithm is particular to the tenth."
)


def _totals(scene: str, units: int, following: bool = True) -> Measure:
    """BCP's total steps over those of A*."""
    return lambda found: ratio(
        found.mean("total", Setting(scene, BIASED, units, following)),
        found.mean("total", Setting(scene, ASTAR, units, following)),
    )


def _worst_total(scene: str, sizes: Sequence[int], following: bool) -> Measure:
    return lambda found: max(_totals(scene, units, following)(found) for units in sizes)


def _gap(found: Findings, scene: str, units: int) -> float:
    ours, theirs = (found.mean("total", Setting(scene, solver, units)) for solver in (BIASED, ASTAR))
    return theirs - ours


def _gap_growth(scene: str, sizes: Sequence[int]) -> Measure:
    """The steps that BCP saves in the larger half of the sizes, less those in the smaller half."""
    half = len(sizes) // 2
    return lambda found: (
        fmean(_gap(found, scene, units) for units in sizes[-half:])
        - fmean(_gap(found, scene, units) for units in sizes[:half])
    )


def _longest_hero(found: Findings, following: bool) -> float:
    return max(o.hero for n in HERO_SIZES for o in found.outcomes(Setting(HERO, BIASED, n, following)))


def _delayed_heroes(found: Findings, solver: str) -> float:
    """The share of heroes, in percent, that need more than ten steps; from four units on."""
    heroes = [o.hero > WAY for n in HERO_SIZES[3:] for o in found.outcomes(Setting(HERO, solver, n))]
    return 100 * fmean(heroes) if heroes else float("nan")


def _death_change(scene: str) -> Measure:
    return lambda found: found.deaths(scene, ITERATIONS[-1]) - found.deaths(scene, ITERATIONS[0])


def _tenth(found: Findings) -> float:
    return max(found.deaths(scene, 10) - found.deaths(scene, 9) for scene in EXTENSIONS)


def _best_gain(found: Findings) -> float:
    """The largest relative gain over A* in any metric and size, in percent."""
    sizes = [(HERO, n) for n in HERO_SIZES] + [(GROUPS, n) for n in GROUP_SIZES]
    gains = [1 - _totals(scene, n)(found) for scene, n in sizes]
    heroes = ((found.mean("hero", Setting(HERO, s, n)) for s in (BIASED, ASTAR)) for n in HERO_SIZES)
    gains += [1 - ratio(ours, theirs) for ours, theirs in heroes]
    gains += [1 - ratio(found.deaths(s, ITERATIONS[-1]), found.deaths(s, 1)) for s in EXTENSIONS]
    return 100 * max(gains)


def _delay(scene: str) -> Measure:
    return lambda found: max(found.mean("delay", Setting(scene, BIASED, n)) for n in DELAYS[scene])


def _scenario_claims() -> Iterator[Claim]:
    hero = partial(Claim, _ONE, source="figure 7", published="10 in all cases", stated=WAY, low=WAY, high=WAY)
    yield hero("hero's steps, most", measure=partial(_longest_hero, following=True), places=0)
    yield hero("the same, strict", measure=partial(_longest_hero, following=False), places=0, reason=_STRICT)
    for solver in (ASTAR, BUMPING):
        yield Claim(
            _ONE,
            f"{solver}: heroes above 10 steps",
            published="almost always",
            source="figure 7",
            stated=100,
            measure=partial(_delayed_heroes, solver=solver),
            low=80,
            unit="%",
            places=0,
            reason=_BASELINE,
        )
    for topic, figure, scene, sizes in ((_ONE, 6, HERO, HERO_SIZES), (_TWO, 11, GROUPS, GROUP_SIZES)):
        claim = partial(Claim, topic, source=f"figure {figure}")
        total = partial(claim, published="no worse", stated=1, high=1, unit="x")
        yield total("total steps, BCP / A*, worst size", measure=_worst_total(scene, sizes, True))
        yield total("the same, strict", measure=_worst_total(scene, sizes, False), reason=_STRICT)
        yield claim(
            "steps saved, more - fewer units",
            published="gap grows",
            stated=0,
            measure=_gap_growth(scene, sizes),
            low=0,
            places=1,
        )


def _other_claims() -> Iterator[Claim]:
    for scene in EXTENSIONS:
        yield Claim(
            _EXTENDED,
            f"deaths, last - first iteration, {scene}",
            published="decreases",
            source="figure 9",
            stated=0,
            measure=_death_change(scene),
            high=-1,
            unit="%",
            places=0,
        )
    yield Claim(
        _EXTENDED,
        "deaths, 10th - 9th iteration, any",
        published="slight rise",
        source="figure 9",
        stated=0,
        measure=_tenth,
        low=1,
        unit="%",
        places=0,
        reason=_TENTH,
    )
    for topic, scene, bar in (("scenario one", HERO, 500), ("scenario two", GROUPS, 600)):
        span = f"{min(DELAYS[scene].values())} to {max(DELAYS[scene].values())} ms"
        yield Claim(
            _DELAY, f"{topic}, slowest size", span, "table 1", bar, _delay(scene), high=bar, unit=" ms"
        )
    yield Claim(
        "headline",
        "best gain over A*",
        published="up to 90%",
        source="abstract",
        stated=90,
        measure=_best_gain,
        low=80,
        unit="%",
        places=0,
        reason=_HEADLINE,
    )


CLAIMS = (*_scenario_claims(), *_other_claims())


# The report


def make_report(
    findings: Findings, rows: Sequence[Mapping[str, Any]], folder: Path, pictures: Mapping[str, bytes]
) -> Report:
    """Published beside measured."""
    return Report(
        name="bcp2006",
        title="Biased Cost Pathfinding (Geramifard, Chubak and Bulitko 2006)",
        notes=_notes(findings, len(rows)),
        comparisons=[Comparison(claim, findings.estimate(claim.measure)) for claim in CLAIMS],
        tables=[
            _steps_table(findings, "Scenario one: steps of all units", HERO, HERO_SIZES),
            _steps_table(findings, "Scenario one: steps of the hero", HERO, HERO_SIZES, "hero"),
            _steps_table(findings, "Scenario two: steps of all units", GROUPS, GROUP_SIZES),
            _deaths_table(findings),
            _delay_table(findings),
        ],
        plots=_plots(findings),
        rows=rows,
        folder=folder,
        pictures=pictures,
    )


def _notes(findings: Findings, trials: int) -> list[str]:
    scenes = sum(1 for outcomes in findings.samples if any(s.scene == HERO for s in outcomes))
    return [
        f"{HEIGHT}x{WIDTH} open cells, 8-connected; {scenes} samples per size, {len(findings.samples)} of "
        f"the extensions; {trials} trials, of which {findings.total('arrived')} ended with everybody on its "
        f"goal; the judge found {findings.total('invalid')} invalid traces.",
        "Steps: the turn of a unit's last arrival. Following is allowed unless it says strict, where a unit "
        "may not enter a cell in the step in which another leaves it. A* is LRA* without noise and without "
        "priorities; bumping, a collision costs a turn. Deaths: heroes that take more damage than the mean "
        "over all iterations from their start. Errors are standard errors over samples. Delays are CPU time "
        "of the first turn, on whatever machine.",
    ]


def _steps_table(
    findings: Findings, title: str, scene: str, sizes: Sequence[int], quantity: str = "total"
) -> Table:
    keys = [(solver, following) for following in (True, False) for solver in SOLVERS]
    columns = ("units", *(f"{solver}{'' if following else ', strict'}" for solver, following in keys))
    rows = [
        (
            str(units),
            *(f"{findings.mean(quantity, Setting(scene, s, units, following)):.1f}" for s, following in keys),
        )
        for units in sizes
    ]
    return Table(title, columns, rows)


def _deaths_table(findings: Findings) -> Table:
    rows = [(str(k), *(f"{findings.deaths(scene, k):.0f}%" for scene in EXTENSIONS)) for k in ITERATIONS]
    return Table("Death rate of the hero over BCP's iterations", ("iterations", *EXTENSIONS), rows)


def _delay_table(findings: Findings) -> Table:
    rows = [
        (f"{scene}, {units}", str(published), f"{findings.mean('delay', Setting(scene, BIASED, units)):.2f}")
        for scene, delays in DELAYS.items()
        for units, published in delays.items()
    ]
    return Table("First-move delay of BCP, ms", ("units", "published", "measured"), rows)


def _plots(findings: Findings) -> list[Plot]:
    def curve(
        quantity: str, scene: str, solver: str, sizes: Sequence[int], rule: bool
    ) -> dict[float, Estimate]:
        def at(units: int) -> Estimate:
            return findings.estimate(lambda found: found.mean(quantity, Setting(scene, solver, units, rule)))

        return {units: at(units) for units in sizes}

    def steps(name: str, title: str, quantity: str, scene: str, sizes: Sequence[int], *marks: Mark) -> Plot:
        curves = {
            f"{solver}{'' if rule else ', strict'}": curve(quantity, scene, solver, sizes, rule)
            for rule in (True, False)
            for solver in SOLVERS
        }
        return Plot(name, title, "units", "steps", curves, marks)

    deaths = {
        scene: {
            float(k): findings.estimate(partial(Findings.deaths, scene=scene, iterations=k))
            for k in ITERATIONS
        }
        for scene in EXTENSIONS
    }
    ten = Mark(BIASED, HERO_SIZES[-1], WAY, "10 in all cases")
    return [
        steps("total", "Scenario one: steps of all units", "total", HERO, HERO_SIZES),
        steps("hero", "Scenario one: steps of the hero", "hero", HERO, HERO_SIZES, ten),
        Plot("deaths", "Extensions: deaths of the hero", "iterations of BCP", "%", deaths),
        steps("groups", "Scenario two: steps of all units", "total", GROUPS, GROUP_SIZES),
    ]
