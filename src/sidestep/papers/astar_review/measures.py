"""What the outcomes of all maps say."""

from __future__ import annotations

import math
from statistics import fmean

from ..experiment import ratio
from .trial import MAZE, Outcomes, geometry, landscape_name, queue_name


def map_sides(outcomes: Outcomes) -> list[int]:
    """The sides of the maps on which queues were compared, in the order in which they were run."""
    return list(dict.fromkeys(int(name.split()[1]) for name in outcomes[0].queues))


def mazes_of(outcomes: Outcomes) -> list[int]:
    """The sides of the mazes, in the order in which they were run."""
    names = (name.split() for name in outcomes[0].heuristics)
    return list(dict.fromkeys(int(side) for kind, side, *_ in names if kind == MAZE))


def time(outcomes: Outcomes, queue: str, side: int, connectivity: int = 4) -> float:
    """Milliseconds of a query."""
    name = queue_name(queue, side, connectivity)
    return fmean(outcome.queues[name].milliseconds for outcome in outcomes)


def mean(outcomes: Outcomes, quantity: str, name: str) -> float:
    """A quantity of `Effort`, by what was measured: see `landscape_name`."""
    return fmean(getattr(outcome.heuristics[name], quantity) for outcome in outcomes)


def slower(outcomes: Outcomes, queue: str, than: str, side: int, connectivity: int = 4) -> float:
    """How many times as long a queue takes; not a number on sizes that were not run."""
    if side not in map_sides(outcomes):
        return math.nan
    return ratio(*(time(outcomes, name, side, connectivity) for name in (queue, than)))


def different(outcomes: Outcomes) -> int:
    """How many interrupted searches found another cost than others."""
    return sum(outcome.interruption.different for outcome in outcomes)


def number(outcomes: Outcomes, name: str) -> float:
    """The mean of a number of `games` or `troops`; not a number where nobody has measured it."""
    return fmean(outcome.games.get(name, math.nan) for outcome in outcomes)


def quotient(outcomes: Outcomes, over: str, under: str) -> float:
    """Of two such numbers."""
    return ratio(number(outcomes, over), number(outcomes, under))


def most_expanded(outcomes: Outcomes, heuristic: str) -> float:
    """Expansions over those of geometry in mazes: the larger of 4- and 8-connected, of all sizes."""

    def expanded(side: int, connectivity: int, name: str) -> float:
        return mean(outcomes, "expanded", landscape_name(MAZE, side, connectivity, name))

    return max(
        ratio(expanded(side, connectivity, heuristic), expanded(side, connectivity, geometry(connectivity)))
        for side in mazes_of(outcomes)
        for connectivity in (4, 8)
    )
