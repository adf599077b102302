"""The numbers of a ledger as statistics need them: what each solver came to on each instance."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from statistics import median
from typing import Any, NamedTuple

from ..papers.experiment import Estimate, Interval, estimated_mean
from ..papers.significance import paired_t, sign_test
from .ledger import Ledger

_MEASURED = """
SELECT solvers.label, limits.about, rows.instance, rows.seed, rows.agents, coalesce(rows.valid, 0), rows.cost,
       rows.cpu, rows.lower_bound, rows.status
FROM rows JOIN solvers ON solvers.id = rows.solver JOIN limits ON limits.id = rows.limits
ORDER BY solvers.id, limits.id, rows.instance, rows.seed
"""


class Measured(NamedTuple):
    """A row: who, on what, and what it came to."""

    solver: str
    instance: int
    seed: int
    agents: int | None
    solved: bool
    cost: int | None
    cpu: float | None
    lower_bound: int | None
    status: str

    @property
    def place(self) -> tuple[int, int]:
        """What rows of two solvers have in common if they can be compared."""
        return self.instance, self.seed


class Pair(NamedTuple):
    """Two solvers on the same instances.

    Attributes:
        only_first: Instances that only the first one solved.
        only_second: Instances that only the second one solved.
        p_solved: How likely so uneven a split is by chance.
        both: Instances that both solved.
        cost_ratio: The first one's cost over the second one's on these, in the mean.
        p_cost: How likely such a difference of costs is by chance; not a number if there is none.
    """

    first: str
    second: str
    only_first: int
    only_second: int
    p_solved: float
    both: int
    cost_ratio: Interval | None
    p_cost: float


@dataclass(frozen=True)
class Numbers:
    """All rows of a ledger."""

    rows: Sequence[Measured]

    @classmethod
    def of(cls, ledger: Ledger) -> Numbers:
        """Where a ledger has several limits, a solver with another limit is another one."""
        ((limits,),) = ledger.query("SELECT count(DISTINCT limits) FROM rows")
        return cls([_measured(row, limits > 1) for row in ledger.query(_MEASURED)])

    @cached_property
    def by_solver(self) -> dict[str, list[Measured]]:
        found: dict[str, list[Measured]] = {}
        for row in self.rows:
            found.setdefault(row.solver, []).append(row)
        return found

    @cached_property
    def best(self) -> dict[int, int]:
        """The best known cost of every instance that was solved."""
        found: dict[int, int] = {}
        for row in self.rows:
            if row.cost is not None and row.solved:
                found[row.instance] = min(row.cost, found.get(row.instance, row.cost))
        return found

    @cached_property
    def proved(self) -> set[int]:
        """Instances whose best known cost is the least that there is: some run has shown that."""
        bounds: dict[int, int] = {}
        for row in self.rows:
            if row.lower_bound is not None:
                bounds[row.instance] = max(row.lower_bound, bounds.get(row.instance, 0))
        return {instance for instance, cost in self.best.items() if bounds.get(instance, -1) >= cost}

    @property
    def agents(self) -> list[int]:
        """The numbers of agents that there are."""
        return sorted({row.agents for row in self.rows if row.agents is not None})

    def above_best(self, rows: Iterable[Measured]) -> list[float]:
        """Costs over the best known ones, of rows that have a plan."""
        return [
            row.cost / (self.best[row.instance] or 1) for row in rows if row.solved and row.cost is not None
        ]

    def pairs(self) -> list[Pair]:
        """Every two solvers, on the instances that both have rows of."""
        names = list(self.by_solver)
        by_place = {name: {row.place: row for row in rows} for name, rows in self.by_solver.items()}
        return [
            compared(
                first,
                second,
                [
                    (one, by_place[second][at])
                    for at, one in by_place[first].items()
                    if at in by_place[second]
                ],
            )
            for index, first in enumerate(names)
            for second in names[index + 1 :]
        ]


def _measured(row: tuple[Any, ...], with_limits: bool) -> Measured:
    label, limits, instance, seed, agents, valid, *rest = row
    name = label + _limit_text(limits) if with_limits else label
    return Measured._make((name, instance, seed, agents, bool(valid), *rest))


def _limit_text(about: str) -> str:
    limits = json.loads(about)
    return " [" + (" ".join(f"{name}={value:g}" for name, value in limits.items()) or "no limit") + "]"


def compared(first: str, second: str, rows: Sequence[tuple[Measured, Measured]]) -> Pair:
    """Two solvers, by their rows on the same instances."""
    ones = sum(a.solved and not b.solved for a, b in rows)
    others = sum(b.solved and not a.solved for a, b in rows)
    costs = [(a.cost, b.cost) for a, b in rows if a.solved and b.solved and a.cost and b.cost]
    ratio = Interval.of([one / other for one, other in costs]) if costs else None
    p_cost = paired_t([one for one, _ in costs], [other for _, other in costs]).p
    return Pair(first, second, ones, others, sign_test(ones, others), len(costs), ratio, 2 * p_cost)


def solved_share(rows: Sequence[Measured]) -> Interval:
    """The share that was solved, from 0 to 1, with Wilson's interval."""
    return Interval.share(sum(row.solved for row in rows), len(rows))


def percent(share: Interval) -> Estimate:
    """A share as plots and tables have it."""
    return Estimate(100 * share.mean, within=(100 * share.low, 100 * share.high))


def times(rows: Iterable[Measured]) -> list[float]:
    """Seconds of the processor of the rows that were solved."""
    return [row.cpu for row in rows if row.solved and row.cpu is not None]


def mean_or_nothing(values: Sequence[float]) -> Estimate:
    """The mean with its standard error; not a number without values."""
    return estimated_mean(values) if values else Estimate(float("nan"))


def median_or_nothing(values: Sequence[float]) -> float:
    """Not a number without values."""
    return median(values) if values else float("nan")
