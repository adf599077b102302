"""Published beside measured."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from ..design import OURS, PRINTED, every_outcome, in_place_of_printed
from ..experiment import Estimate, Experiment, Mark, Plot, Table, estimate, total
from .claims import CLAIMS
from .measures import deaths, mean, outcomes_of
from .scenes import draw_scenes
from .trial import (
    BIASED,
    DELAYS,
    DESIGN,
    EXTENSIONS,
    GROUP_SIZES,
    GROUPS,
    HEIGHT,
    HERO,
    HERO_SIZES,
    ITERATIONS,
    SOLVERS,
    WAY,
    WIDTH,
    Samples,
    Setting,
)

# Every solver under both rules on following, by what the tables call it.
READINGS = {
    f"{solver}{'' if following else ', strict'}": (solver, following)
    for following in (True, False)
    for solver in SOLVERS
}

SIZES = {HERO: HERO_SIZES, GROUPS: GROUP_SIZES}
Steps = tuple[str, str]  # a quantity of outcomes, and a scene


def notes(samples: Samples) -> list[str]:
    """What was run, and what the words mean."""
    scenes = sum(1 for outcomes in samples if any(setting.scene == HERO for setting in outcomes))
    outcomes = every_outcome(samples)
    return [
        f"{HEIGHT}x{WIDTH} open cells, 8-connected; {scenes} samples per size, {len(samples)} of "
        f"the extensions; {len(outcomes)} trials, of which {total(outcomes, 'arrived')} ended with everybody "
        f"on its goal; the judge found {total(outcomes, 'invalid')} invalid traces.",
        "Steps: the turn of a unit's last arrival. Following is allowed unless it says strict, where a unit "
        "may not enter a cell in the step in which another leaves it. A* is LRA* without noise and without "
        "priorities; bumping, a collision costs a turn. Deaths: heroes that take more damage than the mean "
        "over all iterations from their start. Tables and plots are of BCP as printed. Errors are standard "
        "errors over samples. Delays are CPU time "
        "of the first turn, on whatever machine.",
    ]


def tables(samples: Samples) -> list[Table]:
    """Steps by the number of units, deaths by the number of iterations, and delays."""
    return [
        _steps_table(samples, ("total", HERO), "Scenario one: steps of all units"),
        _steps_table(samples, ("hero", HERO), "Scenario one: steps of the hero"),
        _steps_table(samples, ("total", GROUPS), "Scenario two: steps of all units"),
        _endless_table(samples),
        _deaths_table(samples),
        _delay_table(samples),
    ]


def _steps_table(samples: Samples, steps: Steps, title: str) -> Table:
    def shown(units: int, solver: str, following: bool) -> str:
        return f"{_mean(samples, steps, units, solver, following):.1f}"

    columns = [
        (label, partial(shown, solver=solver, following=following))
        for label, (solver, following) in READINGS.items()
    ]
    return Table.of(title, "units", SIZES[steps[1]], *columns)


def _mean(samples: Samples, steps: Steps, units: int, solver: str, following: bool) -> float:
    quantity, scene = steps
    return mean(samples, quantity, Setting(scene, solver, units, following))


def _endless_table(samples: Samples) -> Table:
    """How many runs of BCP did not end, and in how many of these nobody had a way left."""

    def endless(units: int, form: str, following: bool) -> str:
        outcomes = outcomes_of(samples, Setting(HERO, BIASED, units, following, form=form))
        left = [outcome for outcome in outcomes if not outcome.arrived]
        return f"{len(left)} of {len(outcomes)}, {total(left, 'walled_in')} walled in"

    columns = [
        (f"{form}{'' if following else ', strict'}", partial(endless, form=form, following=following))
        for following in (True, False)
        for form in (PRINTED, OURS)
    ]
    return Table.of("Scenario one: runs of BCP that do not end", "units", HERO_SIZES, *columns)


def _deaths_table(samples: Samples) -> Table:
    def share(iterations: int, scene: str) -> str:
        return f"{deaths(samples, scene, iterations):.0f}%"

    columns = [(scene, partial(share, scene=scene)) for scene in EXTENSIONS]
    return Table.of("Death rate of the hero over BCP's iterations", "iterations", ITERATIONS, *columns)


def _delay_table(samples: Samples) -> Table:
    rows = [
        (f"{scene}, {units}", str(published), f"{mean(samples, 'delay', Setting(scene, BIASED, units)):.2f}")
        for scene, delays in DELAYS.items()
        for units, published in delays.items()
    ]
    return Table("First-move delay of BCP, ms", ("units", "published", "measured"), rows)


def plots(samples: Samples) -> list[Plot]:
    """The paper's figures 6, 7, 9 and 11."""
    ten = Mark(BIASED, HERO_SIZES[-1], WAY, "10 in all cases")
    return [
        _steps_plot(samples, ("total", HERO), "total", "Scenario one: steps of all units"),
        _steps_plot(samples, ("hero", HERO), "hero", "Scenario one: steps of the hero", ten),
        _deaths_plot(samples),
        _steps_plot(samples, ("total", GROUPS), "groups", "Scenario two: steps of all units"),
    ]


def _steps_plot(samples: Samples, steps: Steps, name: str, title: str, *marks: Mark) -> Plot:
    def curve(solver: str, following: bool) -> dict[float, Estimate]:
        def at(units: int) -> Estimate:
            return estimate(lambda some: _mean(some, steps, units, solver, following), samples)

        return {units: at(units) for units in SIZES[steps[1]]}

    curves = {label: curve(*reading) for label, reading in READINGS.items()}
    return Plot(name, title, "units", "steps", curves, marks)


def _deaths_plot(samples: Samples) -> Plot:
    curves = {
        scene: {float(k): estimate(partial(deaths, scene=scene, iterations=k), samples) for k in ITERATIONS}
        for scene in EXTENSIONS
    }
    return Plot("deaths", "Extensions: deaths of the hero", "iterations of BCP", "%", curves)


def pictures(folder: Path, seed: int) -> dict[str, bytes]:
    """Both scenarios."""
    return draw_scenes(folder / "pictures", seed)


TITLE = "Biased Cost Pathfinding (Geramifard, Chubak and Bulitko 2006)"
EXPERIMENT = Experiment("bcp2006", TITLE, DESIGN, CLAIMS, notes, tables, plots, pictures, in_place_of_printed)
