"""What a section runs that is solvers on instances: a suite, run by the workers of sweeps.

CPU time in its rows is that of solving, distances included; the map has been compiled before.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from sidestep import SidestepError, sweep
from sidestep.sweeps.ledger import FLAWED

from .measurements import Row, Say


def swept(suite: Mapping[str, Any], say: Say | None = None, *, jobs: int = 1) -> list[Row]:
    """All rows of a suite, in an order that does not depend on who was faster.

    Args:
        suite: What `sidestep.sweep` takes.
        say: Told how far it is.
        jobs: How many processes; one where time counts, so that they do not disturb each other.
    """
    with TemporaryDirectory() as folder:
        tell = None if say is None else lambda _, message: say(message)
        rows = list(sweep(**suite, ledger=Path(folder) / "rows.db", jobs=jobs, on_progress=tell))
    for row in rows:
        if row["status"] in FLAWED:
            raise SidestepError(f"{row['solver']} on {row['instance']}: {row['reason']}")
    return rows


def refused(row: Row) -> bool:
    """Is there a plan that the judge does not find valid?"""
    return row["cost"] is not None and not row["solved"]


def over_bound(row: Row) -> float:
    """What a plan costs over the bound that came with it."""
    cost: int = row["cost"]
    bound: int = row["lower_bound"]
    return cost / bound
