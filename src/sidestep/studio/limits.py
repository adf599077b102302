"""How much the studio's server takes on at once."""

from __future__ import annotations

import os
from dataclasses import dataclass, field

from ..solve import quarter_of_memory

MEGABYTE = 2**20


# What a job of each kind may have, in shares; and what is the least that is of any use.
SHARES = {"solve": 4, "world": 2, "ask": 1}
LEAST_MEMORY = 256 * MEGABYTE


def _three_quarters_of_memory() -> int | None:
    """The rest is for the server, for workers that wait and for everything else on the machine."""
    quarter = quarter_of_memory()
    return None if quarter is None else 3 * quarter


@dataclass(frozen=True)
class Limits:
    """What is beyond these is refused with a sentence.

    `solves`, `worlds` and `asks` (short work: files, maps, questions) limit how many run at once; `queued`
    limits how many wait behind the solves, and as many behind the asks. `memory` is what all that run at once
    may have together, in bytes; `memory_of` says how it is shared. A worker that has more than `idle_memory`
    after a job is replaced. `half_open` limits connections that have not sent the head of a request,
    `head_seconds` for how long.
    """

    body_bytes: int = 8 * MEGABYTE
    body_seconds: float = 10.0
    message_bytes: int = 8 * MEGABYTE
    head_seconds: float = 10.0
    half_open: int = 256
    sockets: int = 16
    solves: int = field(default_factory=lambda: os.cpu_count() or 1)
    queued: int = 8
    worlds: int = 4
    asks: int = 2
    ask_seconds: float = 60.0
    kept_bytes: int = 64 * MEGABYTE  # results of a page; and those of all pages that are gone
    memory: int | None = field(default_factory=_three_quarters_of_memory)
    idle_memory: int = 256 * MEGABYTE

    def memory_of(self, lane: str) -> int | None:
        """What one job may have in all; None is no limit. Its search may use half of it."""
        if self.memory is None:
            return None
        at_once = {"solve": self.solves, "world": self.worlds, "ask": self.asks}
        shares = sum(SHARES[name] * count for name, count in at_once.items())
        return max(self.memory * SHARES[lane] // shares, min(LEAST_MEMORY, self.memory))
