"""`python -m benchmarks.gains [SOLVER]...`: what each deviation from the printed form gains.

For every parameter whose default is not the paper's, the solver as it is and the same with this one parameter
as printed, on the same problems.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from statistics import fmean
from typing import Any

import numpy as np

from sidestep import Budget, Problem, Rules, World
from sidestep.instances import dialogue_problem, random_grid, random_problem
from sidestep.papers.bcp2006 import trial as bcp2006
from sidestep.papers.design import InstanceTrial
from sidestep.papers.dialogue_thesis.trial import loops_in
from sidestep.papers.silver2005 import trial as silver2005
from sidestep.papers.standley2010 import trial as standley2010
from sidestep.papers.timing import solve_within, timed
from sidestep.solvers import SOLVERS
from sidestep.solvers.cooperative import cooperating_agents
from sidestep.solvers.printed import deviations_of

SECONDS = 1.0  # of the processor, for a solve
CPU, EITHER_WAY = "ms of CPU", "either way"
NOISE = 0.1  # CPU times that differ by less say nothing

Numbers = dict[str, float]  # what a run comes to, by its words; what is missing is not compared
Run = Callable[[Any, int], Numbers]


@dataclass(frozen=True)
class Field:
    """Problems by number, as words say them, and what a solver makes of one."""

    words: str
    count: int
    run: Run


def solved(solver: Any, number: int, *, draw: Callable[[int], Problem]) -> Numbers:
    """A solve: whether there is a plan, what it costs over the bound, and what it took."""
    problem = draw(number)
    result = solve_within(SECONDS, problem, solver, seed=number)
    numbers = {"% solved": 100.0 * bool(result), CPU: 1000 * result.stats["seconds"]}
    if "in_largest_group" in result.stats:
        numbers["agents in the largest group"] = len(result.stats["in_largest_group"])
    if result.plan is None:
        return numbers
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
    _, spent = timed(lambda: [world.step() for _ in range(silver2005.TURNS)])
    arrivals = silver2005.arrival_turns(world.trace.positions, problem.goals)
    lengths = silver2005.path_lengths(arrivals)
    shortest = cooperating_agents(problem).distances(Budget().core)
    return {
        "% arrive": 100 * float(np.mean(arrivals >= 0)),
        "times the shortest way": float(lengths.sum() / shortest.sum()),
        CPU: 1000 * spent.cpu,
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


SILVERS = field("100 agents on Silver's maps", 200, silver(100))
STANDLEYS = field("Standley's instances, a second of computing each", 60, standley)
THESIS = field("the thesis's instances", 400, dialogue_problem)
NARROW = field("16 agents on maps of 12x12, four directions", 400, narrow)
FIELDS: Mapping[str, Field] = {
    "lra": Field("100 agents on Silver's maps, 100 turns", 200, walked),
    "ca": SILVERS,
    "hca": SILVERS,
    "od": field("8 to 20 agents on Standley's maps, a second of computing each", 60, few_together),
    "sid": STANDLEYS,
    "id": STANDLEYS,
    "bcp": Field("the paper's scenes", 340, biased),
    "pca": THESIS,
    "dpca": THESIS,
    "dpca+": THESIS,
    "wdpca": NARROW,
    "dimpp": NARROW,
}
# Where a parameter matters elsewhere.
CROWDS = field("150 agents on maps of 32x32, 8-connected, a second of computing each", 20, crowd)
ELSEWHERE: Mapping[str, Field] = {"settle_circles": CROWDS, "shortcuts": THESIS}


def gain_of(name: str, parameter: str) -> str:
    """What the default of a parameter gains over the printed value, in words."""
    ours = SOLVERS[name]()
    printed = replace(ours, **{parameter: deviations_of(type(ours))[parameter].printed})  # type: ignore[type-var]
    on = ELSEWHERE.get(parameter, FIELDS[name])
    both = [(on.run(ours, number), on.run(printed, number)) for number in range(on.count)]
    first, *rest = [compared(words, both) for words in dict.fromkeys(word for one, _ in both for word in one)]
    said = [first, *(words for words in rest if words and not words.endswith(EITHER_WAY))]
    return f"{on.count} of {on.words}: {', '.join(said)}"


def compared(words: str, both: list[tuple[Numbers, Numbers]]) -> str:
    """The means of both over what both have: `98.2 instead of 95.5 % solved`."""
    found = [(one[words], other[words]) for one, other in both if words in one and words in other]
    if not found:
        return ""
    ours, printed = (fmean(values) for values in zip(*found, strict=True))
    is_same = abs(ours - printed) < (NOISE * printed if words == CPU else 0.0005 * abs(printed) + 1e-12)
    shown = f"{ours:.4g} {words} {EITHER_WAY}" if is_same else f"{ours:.4g} instead of {printed:.4g} {words}"
    return shown.replace(" %", "%")


def main() -> None:
    """Prints a line per parameter."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("solvers", nargs="*", choices=[[], *FIELDS], metavar="SOLVER")
    given = parser.parse_args()
    for name in given.solvers or FIELDS:
        for parameter in deviations_of(type(SOLVERS[name]())):
            print(f"{name}, {parameter}: {gain_of(name, parameter)}", flush=True)


if __name__ == "__main__":
    main()
