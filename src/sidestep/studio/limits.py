"""How much the studio's server takes on at once."""

from __future__ import annotations

import os
from dataclasses import dataclass, field

from ..solve import quarter_of_memory

MEGABYTE = 2**20


def _half_of_memory() -> int | None:
    """Searches have a quarter, by their budget; the rest is for what becomes of their results."""
    quarter = quarter_of_memory()
    return None if quarter is None else 2 * quarter


@dataclass(frozen=True)
class Limits:
    """What is beyond these is refused with a sentence.

    `solves`, `worlds` and `asks` (short work: files, maps, questions) limit how many run at once; `queued`
    limits how many wait behind the solves, and as many behind the asks. `memory` is what a worker may have in
    all, in bytes.
    """

    body_bytes: int = 8 * MEGABYTE
    body_seconds: float = 10.0
    message_bytes: int = 8 * MEGABYTE
    sockets: int = 16
    solves: int = field(default_factory=lambda: os.cpu_count() or 1)
    queued: int = 8
    worlds: int = 4
    asks: int = 2
    ask_seconds: float = 60.0
    kept_bytes: int = 64 * MEGABYTE  # results of a page, for questions about them
    memory: int | None = field(default_factory=_half_of_memory)
