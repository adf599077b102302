"""A row that takes longer than its patience, and says so, for the tests of the driver."""

from __future__ import annotations

import time

from .row import Pace, Row, Tally


def run(pace: Pace) -> Tally:
    """One case of three seconds."""
    for _ in range(30):
        time.sleep(0.1)
        pace.beat()
    return Tally(cases=1, checks=1)


ROW = Row("..slow", "it only takes long", full=1, unit="waits", run=run, patience=2.0)
