"""The same calls of the core's bindings in a build with sanitizers: no report."""

from __future__ import annotations

from .. import sanitized
from ..row import Row

sanitized.load()

from .. import core_calls  # noqa: E402  # which imports sidestep

ROW = Row(
    "bindings sanitized",
    "so does a core with the address and undefined behaviour sanitizers, and they report nothing",
    full=4_000,
    weight=4,
    unit=f"times {core_calls.CALLS} calls",
    one=core_calls.one,
    needs=sanitized.needs,
    environment=sanitized.environment,
)
