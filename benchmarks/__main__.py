"""`python -m benchmarks`: measure, print tables, and say which targets are met.

The exit code is 0 if no target was missed, 1 if one was, 2 if a call was wrong and 130 if it was interrupted.
A target that nothing was measured for, since a rival or the maps are not there, counts as not missed.
"""

from __future__ import annotations

import json
import os
import platform
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click
from rich.console import Console

from sidestep import SidestepError, __version__
from sidestep.cli.console import complain, writable
from sidestep.cli.progress import bar

from . import (
    anytime_costs,
    auto,
    biased,
    bounded,
    core,
    crowds,
    dialogue,
    distances,
    first_plans,
    lifelong,
    limits,
    optimal,
    peers,
    rivals,
    scenarios,
    search,
    ten_thousand,
    turns,
)
from .measurements import Measurements, Say, Verdict, verdict_table

MISSED = 1  # the exit code if a target was missed
WIDTH = 150  # of the tables where output is no terminal


@dataclass(frozen=True)
class Section:
    """A part of the benchmarks, with its settings for a few minutes and for a minute."""

    measure: Callable[[Any, int, Say], Measurements]
    full: Any
    quick: Any


SECTIONS: dict[str, Section] = {
    "rivals": Section(rivals.measure, rivals.FULL, rivals.QUICK),
    "optimal": Section(optimal.measure, optimal.FULL, optimal.QUICK),
    "scenarios": Section(scenarios.measure, scenarios.FULL, scenarios.QUICK),
    "bounded": Section(bounded.measure, bounded.FULL, bounded.QUICK),
    "dialogue": Section(dialogue.measure, dialogue.FULL, dialogue.QUICK),
    "search": Section(search.measure, search.FULL, search.QUICK),
    "turns": Section(turns.measure, turns.FULL, turns.QUICK),
    "crowds": Section(crowds.measure, crowds.FULL, crowds.QUICK),
    "core": Section(core.measure, core.FULL, core.QUICK),
    "distances": Section(distances.measure, distances.FULL, distances.QUICK),
    "biased": Section(biased.measure, biased.FULL, biased.QUICK),
    "first-plans": Section(first_plans.measure, first_plans.FULL, first_plans.QUICK),
    "auto": Section(auto.measure, auto.FULL, auto.QUICK),
    "ten-thousand": Section(ten_thousand.measure, ten_thousand.FULL, ten_thousand.QUICK),
    "peers": Section(peers.measure, peers.FULL, peers.QUICK),
    "anytime": Section(anytime_costs.measure, anytime_costs.FULL, anytime_costs.QUICK),
    "lifelong": Section(lifelong.measure, lifelong.FULL, lifelong.QUICK),
    "active": Section(lifelong.measure, lifelong.CROWDED, lifelong.CROWDED_QUICK),
    "lanes": Section(lifelong.measure, lifelong.WITH_LANES, lifelong.WITH_LANES_QUICK),
    "turning": Section(lifelong.measure, lifelong.TURNING, lifelong.TURNING_QUICK),
    "limits": Section(limits.measure, limits.FULL, limits.QUICK),
}


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("sections", nargs=-1, type=click.Choice(list(SECTIONS)), metavar="[SECTIONS]...")
@click.option("--quick", is_flag=True, help="Fewer instances: about a minute instead of a few.")
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="The first instance.")
@click.option("--json", "output", type=click.Path(path_type=Path), help="Write all that was measured.")
def command(sections: tuple[str, ...], quick: bool, seed: int, output: Path | None) -> int:
    """Measure sidestep: all SECTIONS, or those that are named.

    \b
    rivals     against w9-pathfinding on the same instances, every plan judged
    optimal    optimal solvers against those of w9-pathfinding: who solves more
    scenarios  how many agents of the MovingAI scenarios are planned optimally
    bounded    how long it takes until a plan is proved to be within a factor of the best
    dialogue   how long agents argue until they have a plan
    search     the way of one unit: queries per second beside five other libraries
    turns      WHCA* turn by turn: the median and the worst turn, memory
    crowds     steps per second of crowds that avoid each other (ORCA)
    core       expansions per second beside reference figures
    distances  Reverse Resumable A* against breadth-first tables, time and memory
    biased     BCP beside CA*, HCA* and WHCA*: cost, time and memory, up to 160 units
    first-plans  LaCAM's first plans for up to ten thousand agents, plain and guided
    ten-thousand  a plan, turns, interruptions, memory and Python for that many agents
    peers      LaCAM, PIBT and large neighbourhoods beside pymapf, every plan judged
    auto       what auto chooses on 18 maps, and how far it is from the best solver
    anytime    what plans cost after ten seconds of large neighbourhood search
    lifelong   work that never ends: tasks per turn, and how long turns take
    active     the same in overfull maps, with all agents at work and with some parked
    lanes      the same with lanes of opposite directions
    turning    the same of robots that have to turn, one step at a time and in operations
    limits     overruns of time limits, the answer to Ctrl-C
    """
    if output is not None:
        writable(output)
    console = _console()
    found: dict[str, Measurements] = {}
    for name in sections or SECTIONS:
        found[name] = measured(SECTIONS[name], quick=quick, seed=seed)
        show(console, name, found[name])
    if output is not None:
        output.write_text(json.dumps(record(found, quick=quick, seed=seed), indent=2) + "\n")
    return judged(console, [verdict for section in found.values() for verdict in section.verdicts])


def measured(section: Section, *, quick: bool, seed: int) -> Measurements:
    """Runs one section, with a progress bar where somebody watches."""
    with bar("measuring") as progress:
        return section.measure(section.quick if quick else section.full, seed, progress.update)


def show(console: Console, name: str, measurements: Measurements) -> None:
    """The tables of a section, or why there are none."""
    if measurements.skipped:
        console.print(f"{name}: skipped. {measurements.skipped}", markup=False)
    for table in measurements.tables:
        console.print(table.rendered())
        console.print()


def judged(console: Console, verdicts: Sequence[Verdict]) -> int:
    """Shows all targets and names the missed ones on stderr; returns the exit code."""
    if verdicts:
        console.print(verdict_table(verdicts).rendered())
    missed = [verdict for verdict in verdicts if verdict.met is False]
    for verdict in missed:
        complain(f"missed: {verdict}")
    return MISSED if missed else 0


def record(found: dict[str, Measurements], *, quick: bool, seed: int) -> dict[str, Any]:
    """Everything that was measured, and where."""
    return {
        "sidestep": __version__,
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "machine": {
            "python": platform.python_version(),
            "system": platform.platform(),
            "processor": platform.processor() or platform.machine(),
            "processors": os.cpu_count(),
        },
        "quick": quick,
        "seed": seed,
        "sections": {name: measurements.plain() for name, measurements in found.items()},
    }


def _console() -> Console:
    console = Console(highlight=False)
    return console if console.is_terminal else Console(highlight=False, width=WIDTH)


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command and returns its exit code; an error becomes one line on stderr."""
    try:
        code: int = command.main(arguments, prog_name="python -m benchmarks", standalone_mode=False)
    except click.ClickException as error:
        complain(error.format_message())
        return 2
    except (SidestepError, OSError) as error:
        complain(str(error))
        return 2
    except (click.Abort, KeyboardInterrupt):
        complain("interrupted")
        return 130
    return code


if __name__ == "__main__":
    sys.exit(main())
