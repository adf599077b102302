"""Two ledgers of the same suite: what became slower or worse, and how sure that is.

Rows are compared by their keys, so instance by instance. A change is called one only if the whole interval of
95% is beyond what is allowed; a busy machine changes times by some percent, and times of two machines say
nothing, so these are not compared.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from ..model.errors import InputError
from ..papers.experiment import NOTHING, Interval, Table
from ..papers.significance import sign_test
from .ledger import Ledger
from .report import shown_p
from .results import Sweep

SURE = 0.05  # a smaller p is a change
_ROWS = """
SELECT rows.key, solvers.label, coalesce(rows.valid, 0), rows.cost, rows.cpu, rows.digest, machines.about
FROM rows JOIN solvers ON solvers.id = rows.solver JOIN machines ON machines.id = rows.machine
ORDER BY solvers.id
"""


@dataclass(frozen=True)
class Change:
    """What became of a solver.

    Attributes:
        solver: Its label.
        rows: How many runs there are in both ledgers.
        lost: Runs that were solved before and are not now.
        gained: The other way round.
        p_solved: How likely so uneven a split is by chance.
        time: CPU time now over that before, of runs that were solved in both, on the same machine: the
            geometric mean; None without such runs.
        cost: The same of costs.
        allowed: By how much a ratio may be above 1.
    """

    solver: str
    rows: int
    lost: int
    gained: int
    p_solved: float
    time: Interval | None
    cost: Interval | None
    allowed: float

    @property
    def verdicts(self) -> list[str]:
        """What is worse, in words; nothing if nothing is."""
        found = [f"solves fewer (-{self.lost} +{self.gained})"] if self._solves_fewer else []
        found += ["slower"] if self.time is not None and self.time.low > 1 + self.allowed else []
        return found + (["dearer"] if self.cost is not None and self.cost.low > 1 else [])

    @property
    def better(self) -> list[str]:
        """The same for the better."""
        more = self.gained > self.lost and self.p_solved < SURE
        found = [f"solves more (+{self.gained} -{self.lost})"] if more else []
        found += ["faster"] if self.time is not None and self.time.high < 1 / (1 + self.allowed) else []
        return found + (["cheaper"] if self.cost is not None and self.cost.high < 1 else [])

    @property
    def _solves_fewer(self) -> bool:
        return self.lost > self.gained and self.p_solved < SURE


def compare(before: Sweep, after: Sweep, *, allowed: float = 0.05) -> list[Change]:
    """What became of every solver, on the runs that both ledgers have."""
    old, new = ({row[0]: row[1:] for row in _rows(sweep)} for sweep in (before, after))
    common = [key for key in new if key in old]
    if not common:
        raise InputError(f"{before.path} and {after.path} have no run in common: sweep the same suite twice")
    by_solver: dict[str, list[tuple[Any, Any]]] = {}
    for key in common:
        if old[key][4] != new[key][4] and old[key][4] and new[key][4]:
            raise InputError(
                f"{before.path} and {after.path} have other problems under the same name ({new[key][0]}): "
                "a generator or a function has changed"
            )
        by_solver.setdefault(new[key][0], []).append((old[key], new[key]))
    return [_change(solver, pairs, allowed) for solver, pairs in by_solver.items()]


def _rows(sweep: Sweep) -> Iterator[tuple[Any, ...]]:
    with Ledger(sweep.path) as ledger:
        yield from ledger.query(_ROWS)


def _change(solver: str, pairs: Sequence[tuple[Any, Any]], allowed: float) -> Change:
    lost = sum(bool(old[1]) and not new[1] for old, new in pairs)
    gained = sum(bool(new[1]) and not old[1] for old, new in pairs)
    both = [(old, new) for old, new in pairs if old[1] and new[1]]
    cost = geometric([(old[2], new[2]) for old, new in both])
    time = geometric([(old[3], new[3]) for old, new in both if old[5] == new[5]])
    return Change(solver, len(pairs), lost, gained, sign_test(lost, gained), time, cost, allowed)


def geometric(pairs: Sequence[tuple[float | None, float | None]]) -> Interval | None:
    """New over old: the geometric mean with its interval; None where there are fewer than two pairs."""
    logarithms = [math.log(new / old) for old, new in pairs if old and new]
    if len(logarithms) < 2:
        return None
    return Interval(*map(math.exp, Interval.of(logarithms)))


def table_of(changes: Sequence[Change]) -> Table:
    """A row per solver."""
    by_name = {change.solver: change for change in changes}
    return Table.of(
        "What has changed, after over before",
        "solver",
        by_name,
        ("runs", lambda name: str(by_name[name].rows)),
        ("solved", lambda name: f"+{by_name[name].gained} -{by_name[name].lost}"),
        ("p", lambda name: shown_p(by_name[name].p_solved)),
        ("CPU time", lambda name: _time(by_name[name])),
        ("cost", lambda name: _ratio(by_name[name].cost)),
        ("verdict", lambda name: ", ".join(by_name[name].verdicts + by_name[name].better) or "no change"),
    )


def _time(change: Change) -> str:
    elsewhere = change.time is None and change.cost is not None
    return "another machine" if elsewhere else _ratio(change.time)


def _ratio(interval: Interval | None) -> str:
    return NOTHING if interval is None else interval.show(3)
