"""A row that fails in every way, for the tests of the driver."""

from __future__ import annotations

import ctypes
import time

from .row import Failed, Row

CRASH, HANG, RAISE, LEAVE = 2, 4, 5, 6


def one(number: int) -> int:
    if number == CRASH:
        ctypes.string_at(0)
    if number == HANG:
        time.sleep(600)
    if number == RAISE:
        raise Failed("five is not four")
    if number == LEAVE:
        raise SystemExit(3)
    return 1


ROW = Row("..broken", "nothing holds", full=10, unit="numbers", one=one, patience=5.0)
