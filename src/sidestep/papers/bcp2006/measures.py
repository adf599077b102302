"""What the outcomes of all samples say."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from statistics import fmean
from typing import Any

from ..design import PRINTED
from ..experiment import Measure, percentage, ratio
from .trial import (
    ASTAR,
    BIASED,
    DELAYS,
    EXTENSIONS,
    GROUP_SIZES,
    GROUPS,
    HERO,
    HERO_SIZES,
    ITERATIONS,
    WAY,
    Outcome,
    Samples,
    Setting,
    extension,
)


def outcomes_of(samples: Samples, setting: Setting) -> list[Outcome]:
    """Of all samples that have this setting."""
    return [outcomes[setting] for outcomes in samples if setting in outcomes]


def mean(samples: Samples, quantity: str, setting: Setting) -> float:
    """A quantity over all samples."""
    return fmean(getattr(outcome, quantity) for outcome in outcomes_of(samples, setting))


def deaths(samples: Samples, scene: str, iterations: int) -> float:
    """The share of heroes, in percent, that take more damage than the mean over all iterations."""
    dead = []
    for outcomes in samples:
        points = [
            outcome.damage
            for setting, outcome in outcomes.items()
            if (setting.scene, setting.form) == (scene, PRINTED)
        ]
        if points:
            dead.append(outcomes[extension(scene, iterations)].damage > fmean(points))
    return percentage(dead)


def totals(samples: Samples, scene: str, units: int, following: bool = True) -> float:
    """BCP's total steps over those of A*."""
    ours, theirs = (
        mean(samples, "total", Setting(scene, solver, units, following)) for solver in (BIASED, ASTAR)
    )
    return ratio(ours, theirs)


def worst_total(scene: str, sizes: Sequence[int], following: bool) -> Measure[Any]:
    """BCP's total steps over those of A*, of the size that has most."""
    return lambda samples: max(totals(samples, scene, units, following) for units in sizes)


def gap_growth(scene: str, sizes: Sequence[int]) -> Measure[Any]:
    """The steps that BCP saves in the larger half of the sizes, less those in the smaller half."""
    half = len(sizes) // 2

    def gap(samples: Samples, some: Sequence[int]) -> float:
        return fmean(_saved(samples, scene, units) for units in some)

    return lambda samples: gap(samples, sizes[-half:]) - gap(samples, sizes[:half])


def _saved(samples: Samples, scene: str, units: int) -> float:
    ours, theirs = (mean(samples, "total", Setting(scene, solver, units)) for solver in (BIASED, ASTAR))
    return theirs - ours


def longest_hero(samples: Samples, following: bool) -> float:
    """The most steps of a hero of BCP."""
    settings = [Setting(HERO, BIASED, units, following) for units in HERO_SIZES]
    return max(outcome.hero for setting in settings for outcome in outcomes_of(samples, setting))


def delayed_heroes(samples: Samples, solver: str) -> float:
    """The share of heroes, in percent, that need more than ten steps; from four units on."""
    settings = [Setting(HERO, solver, units) for units in HERO_SIZES[3:]]
    return percentage([o.hero > WAY for setting in settings for o in outcomes_of(samples, setting)])


def death_change(scene: str) -> Measure[Any]:
    """The percentage of deaths with the most iterations, less that with one."""
    last, first = (partial(deaths, scene=scene, iterations=ITERATIONS[k]) for k in (-1, 0))
    return lambda samples: last(samples) - first(samples)


def rise_at_the_tenth(samples: Samples) -> float:
    """By how much more heroes die after ten iterations than after nine, in the worst extension."""
    return max(deaths(samples, scene, 10) - deaths(samples, scene, 9) for scene in EXTENSIONS)


def best_gain(samples: Samples) -> float:
    """The largest relative gain over A* in any metric and size, in percent."""
    sizes = [(HERO, n) for n in HERO_SIZES] + [(GROUPS, n) for n in GROUP_SIZES]
    gains = [1 - totals(samples, scene, n) for scene, n in sizes]
    heroes = ((mean(samples, "hero", Setting(HERO, s, n)) for s in (BIASED, ASTAR)) for n in HERO_SIZES)
    gains += [1 - ratio(ours, theirs) for ours, theirs in heroes]
    gains += [1 - ratio(deaths(samples, s, ITERATIONS[-1]), deaths(samples, s, 1)) for s in EXTENSIONS]
    return 100 * max(gains)


def longest_delay(scene: str) -> Measure[Any]:
    """The CPU time of BCP's first move, of the size that has most."""
    return lambda samples: max(mean(samples, "delay", Setting(scene, BIASED, n)) for n in DELAYS[scene])
