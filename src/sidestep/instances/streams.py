"""Streams of tasks: the same seed gives the same tasks on every machine.

A stream has no state: task k depends on the seed and k alone, and how many are released in a turn on its
time, so that a world with a stream can be copied, saved and run again.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice, takewhile
from typing import Any, Literal

import numpy as np

from ..model.arrays import checked_seed, is_number, is_whole, listed
from ..model.errors import InputError
from ..model.graph import Graph
from ..model.grid import Grid
from ..model.space import Space
from ..model.task import Task
from .draws import Random
from .regions import largest_region

MOST_ERRANDS = 1000
MOST_PER_TURN = 1_000_000
_ARRIVALS = 2**62  # draws from here on say how many tasks come in a turn

Arrivals = Literal["constant", "poisson"]


@dataclass(frozen=True)
class Stream:
    """Tasks that come in turn by turn: made by `Stream.random` or `Stream.listed`.

    Attributes:
        tasks: The tasks of a list, in order of release; none if they are random.
        places: The vertices of random errands, as the places of a task.
        errands: The least and the largest number of errands of a random task.
        seed: Where all that is random comes from.
        pool: Tasks per agent that are there and not finished, those under way included: as soon as there are
            fewer, more come in. None is no such number.
        rate: Tasks per turn; None is no rate.
        arrivals: Whether tasks come at a `"constant"` rate or as a `"poisson"` process.
        limit: How many tasks there are in all; None is no limit.
    """

    tasks: tuple[Task, ...] = ()
    places: tuple[Any, ...] = ()
    errands: tuple[int, int] = (1, 1)
    seed: int = 0
    pool: float | None = None
    rate: float | None = None
    arrivals: Arrivals = "constant"
    limit: int | None = None

    @classmethod
    def random(
        cls,
        space: Space,
        *,
        seed: int = 0,
        errands: int | tuple[int, int] = 1,
        places: Iterable[Any] | None = None,
        pool: float = 1.5,
        rate: float | None = None,
        arrivals: Arrivals = "constant",
        limit: int | None = None,
    ) -> Stream:
        """Draws tasks whose errands are uniformly random places, as in the League of Robot Runners.

        Args:
            space: Where the agents are.
            seed: The same seed gives the same tasks on every machine.
            errands: How many places a task has, or the least and the largest number of them. No place comes
                twice in a row.
            places: Where errands may be; None is every open place, on a grid of its largest region.
            pool: How many tasks per agent are always there, unless a rate is given.
            rate: Tasks per turn, instead of a pool.
            arrivals: Whether they come at a `"constant"` rate or as a `"poisson"` process.
            limit: How many tasks there are in all; None is no limit.

        Returns:
            The stream.

        Raises:
            InputError: An argument is not valid.
        """
        if not isinstance(space, (Grid, Graph)):
            raise InputError(f"tasks are drawn on a Grid or a Graph, not {space!r}")
        if places is None:
            within = largest_region(space) if isinstance(space, Grid) else space
            places = [space.place(vertex) for vertex in np.flatnonzero(within.open).tolist()]
        else:
            given = listed(places, "places must be places of the space")
            places = [space.place(space.vertex(place)) for place in given]
        fewest, most = errands if isinstance(errands, tuple) and len(errands) == 2 else (errands, errands)
        if not (is_whole(fewest) and is_whole(most) and 1 <= fewest <= most <= MOST_ERRANDS):
            raise InputError(
                f"errands must be from 1 to {MOST_ERRANDS}, or two such numbers, not {errands!r}"
            )
        if len(set(places)) < (2 if most > 1 else 1):
            raise InputError("there are too few places for random tasks")
        random = {"places": tuple(dict.fromkeys(places)), "errands": (int(fewest), int(most))}
        return cls(
            **random,
            seed=checked_seed(seed) % 2**64,
            pool=None if rate is not None else _positive(pool, "pool"),
            rate=None if rate is None else _positive(rate, "rate"),
            arrivals=_known_arrivals(arrivals),
            limit=_count_or_none(limit),
        )

    @classmethod
    def listed(
        cls,
        tasks: Iterable[Task],
        *,
        pool: float | None = None,
        rate: float | None = None,
        arrivals: Arrivals = "constant",
        seed: int = 0,
    ) -> Stream:
        """Releases the tasks of a list: at the times that they say, or in their order as a pool or rate asks.

        Args:
            tasks: The tasks.
            pool: How many tasks per agent are always there, as long as there are any left.
            rate: Tasks per turn, instead of a pool.
            arrivals: Whether they come at a `"constant"` rate or as a `"poisson"` process.
            seed: Where the arrivals of a Poisson process come from.

        Returns:
            The stream.

        Raises:
            InputError: An argument is not valid.
        """
        tasks = tuple(listed(tasks, "a stream is made of Tasks"))
        for task in tasks:
            if not isinstance(task, Task):
                raise InputError(f"a stream has tasks, not {task!r}")
        if pool is not None and rate is not None:
            raise InputError("tasks come by a pool or at a rate, not both")
        return cls(
            tasks=tuple(sorted(tasks, key=lambda task: task.release)),
            seed=checked_seed(seed) % 2**64,
            pool=None if pool is None else _positive(pool, "pool"),
            rate=None if rate is None else _positive(rate, "rate"),
            arrivals=_known_arrivals(arrivals),
            limit=len(tasks),
        )

    def released(self, time: int, first: int, *, unfinished: int, agents: int) -> Sequence[Task]:
        """Draws or looks up the tasks that are released in a turn: see `TaskSource`."""
        last = first + self._wanted(time, unfinished, agents)
        if self.limit is not None:
            last = min(last, self.limit)
        if self.tasks:
            return list(takewhile(lambda task: task.release <= time, islice(self.tasks, first, last)))
        return [self._drawn(number, time) for number in range(first, last)]

    def is_over(self, first: int) -> bool:
        """Says whether nothing comes any more.

        Args:
            first: How many tasks it has released.

        Returns:
            True if that was all.
        """
        return self.limit is not None and first >= self.limit

    def _wanted(self, time: int, unfinished: int, agents: int) -> int:
        if self.pool is not None:
            return max(0, math.ceil(self.pool * agents) - unfinished)
        if self.rate is None:
            return len(self.tasks)
        if self.arrivals == "constant":
            return int(self.rate * (time + 1)) - int(self.rate * time)
        return self._poisson(time, self.rate)

    def _poisson(self, time: int, rate: float) -> int:
        """How many come in this turn: as many as products of random numbers stay above exp(-rate)."""
        random = Random(self.seed, begin=_ARRIVALS + time * 2**24)
        count = 0
        while rate > 0:  # large rates in parts, since exp(-rate) would be 0
            part = min(rate, 32.0)
            floor, product, rate = math.exp(-part), 1.0, rate - part
            while (product := product * (random.draws(1)[0] / 2.0**64)) > floor:
                count += 1
        return count

    def _drawn(self, number: int, time: int) -> Task:
        fewest, most = self.errands
        random = Random(self.seed, begin=number * (most + 1))
        count = fewest + random.below(most - fewest + 1)
        chosen = [random.below(len(self.places))]
        while len(chosen) < count:  # any place but the last one
            chosen.append((chosen[-1] + 1 + random.below(len(self.places) - 1)) % len(self.places))
        return Task(tuple(self.places[index] for index in chosen), release=time)


def _positive(value: Any, what: str) -> float:
    if not is_number(value) or not 0 < value <= MOST_PER_TURN:
        raise InputError(f"{what} must be a number above 0, and at most {MOST_PER_TURN}, not {value!r}")
    return float(value)


def _known_arrivals(arrivals: Any) -> Arrivals:
    if not isinstance(arrivals, str) or arrivals not in ("constant", "poisson"):
        raise InputError(f"arrivals must be 'constant' or 'poisson', not {arrivals!r}")
    return arrivals  # type: ignore[return-value]


def _count_or_none(limit: Any) -> int | None:
    if limit is not None and (not is_whole(limit) or limit < 0):
        raise InputError(f"limit must be a whole number from 0, not {limit!r}")
    return None if limit is None else int(limit)
