"""`python -m benchmarks.gains [--write | --check] [SOLVER]...`: what deviations from the printed form gain.

For every parameter whose default is not the paper's, the solver as it is and the same with this one parameter
as printed, on the same problems. `--write` keeps what was measured in docs/gains.json, from which
scripts/write_solvers.py has the last column of the tables of deviations; `--check` measures again and fails
where something else is kept.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from statistics import fmean
from typing import Any, TypedDict

import numpy as np

from sidestep import Budget, Problem, Rules, World
from sidestep.instances import dialogue_problem, random_grid, random_problem
from sidestep.papers.bcp2006 import trial as bcp2006
from sidestep.papers.design import InstanceTrial
from sidestep.papers.dialogue_thesis.trial import loops_in
from sidestep.papers.silver2005 import trial as silver2005
from sidestep.papers.standley2010 import trial as standley2010
from sidestep.papers.timing import solve_within
from sidestep.solvers import SOLVERS
from sidestep.solvers.cooperative import cooperating_agents
from sidestep.solvers.printed import deviations_of

SECONDS = 1.0  # of the processor, for a solve
NOISE = 0.005  # what differs by less says nothing
KEPT = Path(__file__).parent.parent / "docs" / "gains.json"
TOLERANCE = 0.05  # by which what is measured again may differ from what is kept: solves end by CPU time

Numbers = dict[str, float]  # what a run comes to, by its words; what is missing is not compared
Run = Callable[[Any, int], Numbers]


@dataclass(frozen=True)
class Field:
    """Problems by number, as words say them, and what a solver makes of one."""

    words: str
    count: int
    run: Run


def solved(solver: Any, number: int, *, draw: Callable[[int], Problem]) -> Numbers:
    """A solve: whether there is a plan, and what it costs over the bound."""
    problem = draw(number)
    result = solve_within(SECONDS, problem, solver, seed=number)
    numbers = {"% solved": 100.0 * bool(result)}
    if result.plan is None:
        return numbers
    if "in_largest_group" in result.stats:  # where a run ends that has no plan depends on the machine
        numbers["agents in the largest group, where both have a plan"] = len(result.stats["in_largest_group"])
    bound = int(cooperating_agents(problem).distances(Budget().core).sum())
    if bound:
        numbers["times the bound"] = result.plan.cost / bound
    if result.transcript is not None:
        numbers["loops per plan"] = loops_in(result.plan)
        numbers["dialogues per plan"] = len(result.transcript.topics)
    return numbers


def walked(solver: Any, number: int) -> Numbers:
    """LRA* for the hundred turns of Silver's experiment."""
    setting = silver2005.Setting("LRA*", 100)
    problem = silver2005.instance(silver2005.Trial(setting, number, 0))
    world = World(problem, solver, seed=number)
    for _ in range(silver2005.TURNS):
        world.step()
    arrivals = silver2005.arrival_turns(world.trace.positions, problem.goals)
    lengths = silver2005.path_lengths(arrivals)
    shortest = cooperating_agents(problem).distances(Budget().core)
    return {
        "% arrive": 100 * float(np.mean(arrivals >= 0)),
        "times the shortest way": float(lengths.sum() / shortest.sum()),
    }


def biased(solver: Any, number: int) -> Numbers:
    """BCP in both scenarios of its paper, one size after another, with following and without."""
    sizes = [(bcp2006.HERO, units) for units in bcp2006.HERO_SIZES]
    sizes += [(bcp2006.GROUPS, units) for units in bcp2006.GROUP_SIZES]
    (scene, units), following = sizes[number % len(sizes)], number // len(sizes) % 2 == 0
    setting = bcp2006.Setting(scene, bcp2006.BIASED, units, following)
    problem = bcp2006.instance(bcp2006.Trial(setting, number, 0))
    world = World(problem, solver)
    while not world.done and world.time < bcp2006.TURNS:
        world.step()
    steps = float(bcp2006.arrival_steps(world.trace.positions, problem.goals).sum())
    words = "steps" if following else "steps, following forbidden"
    return {"% end": 100.0 * world.done, words: steps}


def silver(agents: int) -> Callable[[int], Problem]:
    """Silver's maps."""
    rules = Rules.printed("silver2005")
    return lambda number: random_problem(random_grid(32, 32, 0.2, 2 * number), agents, number, rules=rules)


def standley(number: int) -> Problem:
    """Standley's instances."""
    return standley2010.instance(InstanceTrial(number, 0, SECONDS))


def few_together(number: int) -> Problem:
    """Standley's maps with fewer agents, for searches without independence detection."""
    grid = random_grid(32, 32, 0.2, 2 * number, fill_pockets=False, connectivity=8, corners="free")
    return random_problem(grid, 8 + number % 13, number, rules=Rules.printed("standley2010"))


def crowd(number: int) -> Problem:
    """150 agents, 8-connected."""
    grid = random_grid(32, 32, 0.2, 2 * number, connectivity=8, corners="free")
    return random_problem(grid, 150, number, rules=Rules.printed("dialogue-thesis"))


def narrow(number: int) -> Problem:
    """16 agents on 12x12, four directions."""
    return random_problem(random_grid(12, 12, 0.2, 2 * number), 16, number)


def field(words: str, count: int, draw: Callable[[int], Problem]) -> Field:
    """Problems to solve."""
    return Field(words, count, partial(solved, draw=draw))


SILVERS = field("of Silver's maps with 100 agents", 50, silver(100))
STANDLEYS = field("of Standley's instances, a second of computing each", 30, standley)
THESIS = field("of the thesis's instances", 200, dialogue_problem)
NARROW = field("random maps of 12x12, four directions, 16 agents", 200, narrow)
FIELDS: Mapping[str, Field] = {
    "lra": Field("of Silver's maps with 100 agents, 100 turns", 50, walked),
    "ca": SILVERS,
    "hca": SILVERS,
    "od": field("of Standley's maps with 8 to 20 agents, a second of computing each", 30, few_together),
    "sid": STANDLEYS,
    "id": STANDLEYS,
    "bcp": Field("of the paper's scenes, following allowed and forbidden", 204, biased),
    "pca": THESIS,
    "dpca": THESIS,
    "dpca+": THESIS,
    "wdpca": NARROW,
    "dimpp": NARROW,
}
# Where a parameter matters elsewhere.
CROWDS = field("random maps of 32x32, 8-connected, 150 agents, a second of computing each", 10, crowd)
ELSEWHERE: Mapping[str, Field] = {"settle_circles": CROWDS, "shortcuts": THESIS}


class Gain(TypedDict):
    """What was measured of a parameter: the means with our value and the printed one, and a sentence."""

    said: str
    means: dict[str, tuple[float, float]]


def problems_for(name: str, parameter: str) -> Field:
    """Where a parameter of a solver is measured."""
    return ELSEWHERE.get(parameter, FIELDS[name])


def gains_of(name: str) -> Iterator[tuple[str, Gain]]:
    """What the default of each parameter of a solver gains over its printed value."""
    ours = SOLVERS[name]()
    runs: dict[str, list[Numbers]] = {}
    for parameter, one in deviations_of(type(ours)).items():
        on = problems_for(name, parameter)
        if on.words not in runs:
            runs[on.words] = [on.run(ours, number) for number in range(on.count)]
        printed = replace(ours, **{parameter: one.printed})  # type: ignore[type-var]
        both = [(mine, on.run(printed, number)) for number, mine in enumerate(runs[on.words])]
        measured = dict.fromkeys(words for mine, _ in both for words in mine)  # a run may lack some
        means = {words: mean for words in measured if (mean := means_of(words, both))}
        yield parameter, {"said": f"{on.count} {on.words}: {in_words(means)}", "means": means}


def means_of(words: str, both: list[tuple[Numbers, Numbers]]) -> tuple[float, float] | None:
    """The means of both over the problems for which both have the number."""
    found = [(one[words], other[words]) for one, other in both if words in one and words in other]
    if not found:
        return None
    ours, printed = (float(f"{fmean(values):.4g}") for values in zip(*found, strict=True))
    return ours, printed


def in_words(means: Mapping[str, tuple[float, float]]) -> str:
    """What differs: `98.2 instead of 95.5% solved`; nothing: the first number."""
    said = [
        f"{ours:g} instead of {printed:g} {words}"
        for words, (ours, printed) in means.items()
        if abs(ours - printed) > NOISE * abs(printed)
    ]
    words, (same, _) = next(iter(means.items()))
    return (", ".join(said) or f"none, {same:g} {words} either way").replace(" %", "%")


def disagreements(kept: Gain, found: Gain, count: int) -> list[str]:
    """What was measured now on as many problems, where that is not what is kept."""
    if kept["means"].keys() != found["means"].keys():
        return [found["said"]]
    return [
        f"{new:g} {words}, kept as {old:g}"
        for words, pair in found["means"].items()
        for old, new in zip(kept["means"][words], pair, strict=True)
        if abs(new - old) > max(TOLERANCE * max(abs(old), abs(new)), by_chance(words, count))
    ]


def by_chance(words: str, count: int) -> float:
    """By how much a share of as many problems may differ: two standard errors of a half, in percent."""
    return 100 / math.sqrt(count) if words.startswith("%") else 0.0


def main() -> int:
    """Prints a line per parameter; 1 if `--check` finds that something else is kept."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("solvers", nargs="*", choices=[[], *FIELDS], metavar="SOLVER")
    do = parser.add_mutually_exclusive_group()
    do.add_argument("--write", action="store_true", help="keep what is measured")
    do.add_argument("--check", action="store_true", help="fail where something else is kept")
    given = parser.parse_args()
    wrong = 0
    for name in given.solvers or FIELDS:
        kept = json.loads(KEPT.read_text()) if KEPT.exists() else {}
        for parameter, gain in gains_of(name):
            print(f"{name}, {parameter}: {gain['said']}", flush=True)
            if given.write:
                kept.setdefault(name, {})[parameter] = gain
            elif given.check:
                count = problems_for(name, parameter).count
                for words in disagreements(kept[name][parameter], gain, count):
                    wrong += 1
                    print(f"  differs: {words}", flush=True)
        if given.write:
            KEPT.write_text(json.dumps(dict(sorted(kept.items())), indent=1) + "\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
