"""One trial: a scene of the paper, stepped until all have arrived, and what it came to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from ...judge import validate_trace
from ...model.arrays import IntArray
from ...model.grid import Cell, Grid
from ...model.problem import Problem
from ...model.random import shuffled
from ...model.rules import Rules
from ...search import Finder
from ...solvers import BCP, LRA
from ...world import Planner, World
from ..design import OURS, PRINTED, SettingTrial, Size, design_of_settings
from ..timing import thread_milliseconds

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
# How many cells an attacker reaches. The chaser starts below the hero's rectangle and is as fast as the hero.
REACH = 4
STATIC: dict[str, tuple[Cell, ...]] = {"one static": ((3, 2),), "two static": ((3, 2), (10, 10))}
CHASER: Cell = (13, MIDDLE)
RECTANGLE = [(row, col) for row in range(10, 13) for col in range(3, 10)]

ASTAR, BUMPING, BIASED = "A*", "A* bumping", "BCP"
# Units with plain A* know no priorities. They repair their routes when somebody is in the way: at once and as
# part of the same turn (LRA* without noise), or after a turn lost, as the paper defines a collision.
SOLVERS: dict[str, Planner] = {ASTAR: LRA(noise=0), BUMPING: BCP(iterations=1), BIASED: BCP.as_printed()}
PAIR = (ASTAR, BIASED)
DELAYS = {
    HERO: {4: 236, 5: 254, 6: 323, 7: 329, 8: 329},
    GROUPS: {8: 315, 9: 434, 10: 396, 11: 375, 12: 543, 13: 458, 14: 442, 15: 470},
}


class Setting(NamedTuple):
    """What differs between the trials of one sample; `iterations` is 0 for the solver's own number."""

    scene: str
    solver: str
    units: int
    following: bool = True
    iterations: int = 0
    form: str = PRINTED


@dataclass(frozen=True)
class Outcome:
    """Steps until the last arrival, of all units and of the hero; damage; CPU time of the first move, ms.

    `walled_in` says that of a run which did not end every unit that is not on its goal has no way there but
    through units that are on theirs, and stay.
    """

    total: int
    hero: int
    damage: int
    delay: float
    arrived: int
    invalid: int
    walled_in: int = 0


Trial = SettingTrial[Setting]
Samples = Sequence[Mapping[Setting, Outcome]]  # the extensions have more samples than the scenes


def trials(size: Size, seed: int) -> list[Trial]:
    """Every setting of every sample."""
    samples, runs = size.of(SAMPLES, FEWER), size.of(RUNS, FEWER_RUNS)
    numbers = range(max(samples, runs))
    return [Trial(setting, number, seed) for number in numbers for setting in settings(number, samples)]


def settings(sample: int, samples: int) -> Iterator[Setting]:
    """All settings as printed, and those of BCP in our form."""
    for setting in _printed_settings(sample, samples):
        yield setting
        if setting.solver == BIASED:
            yield setting._replace(form=OURS)


def _printed_settings(sample: int, samples: int) -> Iterator[Setting]:
    """Both scenarios, each with following allowed and forbidden, and the extensions."""
    if sample < samples:
        for scene, sizes in ((HERO, HERO_SIZES), (GROUPS, GROUP_SIZES)):
            for units in sizes:
                for following in (True, False):
                    yield from (Setting(scene, solver, units, following) for solver in SOLVERS)
    for scene in EXTENSIONS:
        yield from (extension(scene, iterations) for iterations in ITERATIONS)


def extension(scene: str, iterations: int) -> Setting:
    """An extension of scenario one."""
    return Setting(scene, BIASED, GUARDS, iterations=iterations)


def run_trial(trial: Trial) -> Outcome:
    """Steps a world until all have arrived or the turns are over."""
    problem = instance(trial)
    world = World(problem, planner(trial.setting))
    delay = thread_milliseconds(world.step)
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
        invalid=int(not validate_trace(world.trace)),
        walled_in=int(not world.done and is_walled_in(problem, world.positions)),
    )


def is_walled_in(problem: Problem, positions: IntArray) -> bool:
    """Has no unit that is under way a way to its goal around those that have arrived?"""
    grid = problem.space
    assert isinstance(grid, Grid)
    arrived = positions == problem.goals
    free = grid.passable.copy()
    free.flat[positions[arrived]] = False
    around = Finder(Grid(free, grid.connectivity, grid.corners))
    ends = zip(positions[~arrived].tolist(), problem.goals[~arrived].tolist(), strict=True)
    return not any(around.path(grid.place(here), grid.place(goal)) for here, goal in ends)


def planner(setting: Setting) -> Planner:
    """The solver of a trial, with its number of iterations."""
    made = BCP if setting.form == OURS else BCP.as_printed
    if setting.iterations:
        return made(iterations=setting.iterations)
    return made() if setting.solver == BIASED else SOLVERS[setting.solver]


def instance(trial: Trial) -> Problem:
    """The scene of a sample; the hero, where there is one, comes last."""
    setting = trial.setting
    draw = 10_000 * (trial.seed % 2**32) + trial.number
    grid = Grid(np.ones((HEIGHT, WIDTH), dtype=bool), 8, "free")
    starts, goals = groups(setting.units, draw) if setting.scene == GROUPS else rescue(setting, draw)
    heroic = setting.scene != GROUPS and setting.solver == BIASED
    priorities = [0] * (len(starts) - 1) + [int(heroic)]
    rules = replace(Rules.printed("bcp2006"), following=setting.following)
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


DESIGN = design_of_settings(trials, run_trial, "sample", Setting, Outcome)
