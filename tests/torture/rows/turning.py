"""Worlds of robots that have to turn, with tasks, to which everything happens."""

from __future__ import annotations

from functools import partial

from ..row import Row
from . import lifelong

ROW = Row(
    name="turning",
    what="in worlds of robots that have to turn, whatever happens, the guard refuses nothing, the judge "
    "finds nothing, turns included, a replay is the same, and every task is open, under way or finished",
    full=1_000_000,
    weight=5,
    unit="turns",
    one=partial(lifelong.one, turning=True),
    batch=lifelong.TURNS,
)
