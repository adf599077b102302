"""Random calls of the core's bindings: none crashes, hangs or raises what Python code does not expect."""

from __future__ import annotations

from .. import core_calls
from ..row import Row

ROW = Row(
    "bindings",
    "a call of the core with any arguments answers or raises",
    full=4_000,
    unit=f"times {core_calls.CALLS} calls",
    one=core_calls.one,
)
