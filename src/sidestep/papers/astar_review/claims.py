"""What the review states, and why ours may differ."""

from __future__ import annotations

from functools import partial

from ..experiment import Claim
from .measures import different, most_expanded, slower
from .trial import HEAP, INFORMED, LIST

SMALLEST, MIDDLE, LARGE = 32, 128, 1024  # sides of maps
ORDERS = 100  # times: orders of magnitude are two at least
HEAPS = "section 4, Binary Heap Optimization"
HEURISTICS = "section 5, Alternative Heuristics"
GAMES = "section 6, Application"
SHORT_LIST = (
    "A short open list is searched in less time than a heap is kept in order: a compiled scan of memory that "
    "lies side by side is quick. The heap wins once there are a few hundred entries."
)
MORE_PER_ENTRY = (
    "Octile costs leave fewer ties, so that the open list is shorter, and a step looks at eight neighbours "
    "whatever the queue."
)


def _queue_claims() -> list[Claim]:
    claim = partial(Claim, "time, list / heap", HEAPS, unit="x", places=1)
    small = partial(claim, stated=2, low=2, reason=SHORT_LIST)
    large = partial(claim, published="orders of magnitude", stated=ORDERS, low=ORDERS)
    times = partial(slower, queue=LIST, than=HEAP)
    eight = partial(times, side=LARGE, connectivity=8)
    size = f"{LARGE}x{LARGE}"
    return [
        small(f"{SMALLEST}x{SMALLEST}", "2 to 3x", measure=partial(times, side=SMALLEST), high=3),
        small(f"{MIDDLE}x{MIDDLE}", "2x and more", measure=partial(times, side=MIDDLE)),
        large(size, measure=partial(times, side=LARGE)),
        large(f"{size}, 8-connected", measure=eight, reason=MORE_PER_ENTRY),
    ]


def _heuristic_claims() -> list[Claim]:
    claim = partial(Claim, "expansions / geometry", HEURISTICS, high=0.999, unit="x")
    return [
        claim(f"{name}, mazes", "more informative", 1, partial(most_expanded, heuristic=name))
        for name in INFORMED
    ]


def _interruption_claim() -> Claim:
    claim = partial(Claim, "interruption", GAMES, high=0, places=0)
    return claim("other costs than uninterrupted", "sections can be joined", 0, different)


CLAIMS = (*_queue_claims(), *_heuristic_claims(), _interruption_claim())
