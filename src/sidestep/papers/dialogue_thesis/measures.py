"""What the outcomes of all instances say: each is a sample."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from ...model.result import Status
from ..experiment import Estimate, estimated_mean, mean, percentage, ratio
from .trial import Outcome, Run

FEWEST_AGENTS, MOST_AGENTS = 2, 40  # of an instance
FEW = 5  # instances: a mean over fewer is left to chance
MANY = 1000  # instances: enough to look at every number of agents by itself
WIDTH = 4  # numbers of agents that are taken together where there are fewer instances

Outcomes = Sequence[Outcome]


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


# What is looked at


def runs_of(outcomes: Outcomes, solver: str) -> list[Run]:
    """Those of a solver."""
    return [outcome.runs[solver] for outcome in outcomes]


def plans_of(outcomes: Outcomes, solver: str) -> list[Run]:
    """Those that came to a plan."""
    return [run for run in runs_of(outcomes, solver) if run.solved]


def easiest(outcomes: Outcomes, solver: str) -> list[Outcome]:
    """As many instances as a solver solved in the thesis: those that took it the fewest moves.

    To solve more is to solve harder ones, with more agents, whose paths are longer in total, with more
    loops and dialogues: over these they compare.
    """
    found = [outcome for outcome in outcomes if outcome.runs[solver].solved]
    found.sort(key=lambda outcome: outcome.runs[solver].moves)
    return found[: int(len(outcomes) * TABLE_5[solver].solved / 100)]


def within(outcomes: Outcomes, fewest: int, most: int) -> list[Outcome]:
    """The instances with this many agents."""
    return [outcome for outcome in outcomes if fewest <= outcome.agents <= most]


def both_solved(outcomes: Outcomes, one: str, other: str) -> list[tuple[Run, Run]]:
    """The instances that two solvers solve."""
    return _both((outcome.runs[one], outcome.runs[other]) for outcome in outcomes)


def solved_both_ways(outcomes: Outcomes, solver: str) -> list[tuple[Run, Run]]:
    """The instances of figure 12 that are solved with and without the cache."""
    return _both((o.cached[solver], o.uncached[solver]) for o in outcomes if o.cached)


def _both(pairs: Iterable[tuple[Run, Run]]) -> list[tuple[Run, Run]]:
    return [pair for pair in pairs if pair[0].solved and pair[1].solved]


# What is solved


def solved(outcomes: Outcomes, solver: str, moves: float = math.inf) -> float:
    """The percentage of all instances, within two seconds and this number of moves."""
    return percentage([run.solved and run.moves <= moves for run in runs_of(outcomes, solver)])


def budget(outcomes: Outcomes) -> float:
    """The moves within which OD+ID solves a third of all instances."""
    moves = sorted(run.moves for run in plans_of(outcomes, "OD+ID"))
    place = -(-len(outcomes) // 3) - 1
    return moves[place] if 0 <= place < len(moves) else math.inf


def solved_under_budget(outcomes: Outcomes, solver: str) -> float:
    """The percentage of all instances, within that number of moves."""
    return solved(outcomes, solver, budget(outcomes))


def ended(outcomes: Outcomes, solver: str, status: Status) -> float:
    """The percentage of all instances with that status."""
    return percentage([run.status == status for run in runs_of(outcomes, solver)])


# Lengths, loops, dialogues and the cache


def mean_of(outcomes: Outcomes, solver: str, quantity: str) -> float:
    """The mean of an attribute of a run over all plans: length, loops."""
    return mean(getattr(run, quantity) for run in plans_of(outcomes, solver))


def mean_of_easiest(outcomes: Outcomes, solver: str, quantity: str) -> float:
    """The same over as many instances as the thesis solved."""
    return mean_of(easiest(outcomes, solver), solver, quantity)


def share_of_loops(outcomes: Outcomes, solver: str) -> float:
    """The loops of a solver in percent of those of WDPCA*-2."""
    return 100 * ratio_of_loops(outcomes, solver, "WDPCA*-2")


def ratio_of_loops(outcomes: Outcomes, one: str, other: str) -> float:
    """The loops of one solver over those of another, over as many instances as the thesis solved."""
    return ratio(*(mean_of_easiest(outcomes, solver, "loops") for solver in (one, other)))


def dialogue_sizes(runs: Iterable[Run]) -> Counter[int]:
    """How many dialogues there were of how many agents."""
    sizes: Counter[int] = Counter()
    for one in runs:
        sizes.update({int(size): count for size, count in (one.sizes or {}).items()})
    return sizes


def between_two(outcomes: Outcomes) -> float:
    """The percentage of all dialogues of DPCA*+."""
    sizes = dialogue_sizes(plans_of(outcomes, "DPCA*+"))
    return 100 * ratio(sizes[2], sum(sizes.values()))


def ratio_of_dialogues(outcomes: Outcomes, one: str, other: str) -> float:
    """On the instances that both solve."""
    pairs = both_solved(outcomes, one, other)
    return ratio(*(sum(pair[which].dialogues for pair in pairs) for which in (0, 1)))


def gain(outcomes: Outcomes, solver: str, unit: str) -> float:
    """What the instances that are solved both ways take without the cache, over what they take with it."""
    pairs = solved_both_ways(outcomes, solver)
    return ratio(*(sum(getattr(pair[which], unit) for pair in pairs) for which in (1, 0)))


def ratio_of_gains(outcomes: Outcomes, one: str, other: str) -> float:
    """What the cache saves one solver over what it saves another, in moves."""
    return ratio(gain(outcomes, one, "moves"), gain(outcomes, other, "moves"))


def by_agents(
    outcomes: Outcomes, value: Callable[[Outcome], float | None], *, least: int = 1
) -> dict[float, Estimate]:
    """The mean of a value over the number of agents, where there are at least `least` instances.

    If there are few in all, several numbers of agents are taken together.
    """
    width = 1 if len(outcomes) >= MANY else WIDTH
    groups: dict[float, list[float]] = {}
    for outcome in sorted(outcomes, key=lambda outcome: outcome.agents):
        found = value(outcome)
        if found is not None:
            first = outcome.agents // width * width
            ends = max(first, FEWEST_AGENTS), min(first + width - 1, MOST_AGENTS)
            groups.setdefault(sum(ends) / 2, []).append(found)
    return {middle: estimated_mean(values) for middle, values in groups.items() if len(values) >= least}


# What the text states of single numbers of agents: not a number where few instances have the same number,
# since then it is chance where the first or the most is


def fails_from(outcomes: Outcomes, solver: str) -> float:
    """From how many agents on there is always an instance, with goals in reach, that a solver fails on."""
    if len(outcomes) < MANY:
        return math.nan
    failures = (Status.GAVE_UP, Status.TIMEOUT)
    failed = {o.agents for o in outcomes if o.runs[solver].status in failures}
    first = math.nan
    for agents in sorted({o.agents for o in outcomes}, reverse=True):
        if agents not in failed:
            break
        first = agents
    return first


def most_dialogues_at(outcomes: Outcomes, solver: str) -> float:
    """With how many agents there are the most dialogues, over as many instances as the thesis solved."""
    if len(outcomes) < MANY:
        return math.nan
    curve = by_agents(easiest(outcomes, solver), lambda o: o.runs[solver].dialogues, least=FEW)
    return max(curve, key=lambda agents: curve[agents].value, default=math.nan)


def most_of_size(outcomes: Outcomes, at_least: int) -> float:
    """Dialogues of DPCA*+ between at least this many: the mean where the number of agents has most."""
    if len(outcomes) < MANY:
        return math.nan

    def count(outcome: Outcome) -> float:
        sizes = dialogue_sizes([outcome.runs["DPCA*+"]])
        return sum(times for size, times in sizes.items() if size >= at_least)

    curve = by_agents(easiest(outcomes, "DPCA*+"), count, least=FEW)
    return max((point.value for point in curve.values()), default=math.nan)


# What it states of time


def faster(outcomes: Outcomes, one: str, other: str) -> float:
    """On what percentage of the instances that both solve one is faster than the other."""
    return percentage([a.seconds < b.seconds for a, b in both_solved(outcomes, one, other)])


def milliseconds_less(outcomes: Outcomes, one: str, other: str) -> float:
    """By how much one is faster than the other, in the mean of the instances that both solve."""
    return mean(1000 * (b.seconds - a.seconds) for a, b in both_solved(outcomes, one, other))


def ahead_on(outcomes: Outcomes, one: str, other: str) -> float:
    """On what percentage of all instances, each fastest first, one takes less time than the other."""
    times, others = (sorted(run.seconds for run in plans_of(outcomes, solver)) for solver in (one, other))
    ahead = sum(a < b for a, b in zip(times, others, strict=False))
    return 100 * ratio(ahead, len(outcomes))
