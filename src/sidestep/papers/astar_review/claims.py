"""What the review states, and why ours may differ."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from ..experiment import Claim
from .games import LARGE as LARGE_MAP
from .games import SMALL as SMALL_MAP
from .measures import different, most_expanded, number, quotient, slower
from .trial import HEAP, INFORMED, LIST

SMALLEST, MIDDLE, LARGE = 32, 128, 1024  # sides of maps
ORDERS = 100  # times: orders of magnitude are two at least
UNINFORMED = "section 2, Regular State-Space Search"
INFORMED_SEARCH = "section 3, The A* Search Algorithm"
HEAPS = "section 4, Binary Heap Optimization"
HEURISTICS = "section 5, Alternative Heuristics"
GAMES = "section 6, Application"
SHORT_LIST = (
    "A short open list is searched in less time than a heap is kept in order: a compiled scan of memory that "
    "lies side by side is quick. The heap wins once there are a few hundred entries."
)
MORE_PER_ENTRY = (
    "Octile costs leave fewer ties, so that the open list is shorter (counted on two maps of 512x512: 600 "
    "entries in the mean, 4-connected 1,300 and 3,100), and a step looks at eight neighbours whatever the "
    "queue."
)

FIRST_WAY = (
    "DFS returns the first way it comes upon, which winds through the whole map; the review does not speak "
    "of the length of ways there."
)
FEWER_NODES = (
    "Excellent in milliseconds (the table of searches). But A* expands a fifth of the nodes, and a node of "
    "breadth-first search, which keeps no order, takes about half the time of one of A*."
)
ABOUT_TWO_ORDERS = (
    "It grows with the map, as the review says (the table of open lists). Whether it is above or below a "
    "hundred, as which we read the plural, depends on how long the open list becomes, and on the machine: a "
    "list is scanned as fast as memory is read."
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
        large(size, measure=partial(times, side=LARGE), reason=ABOUT_TWO_ORDERS),
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


def _uninformed_claims() -> list[Claim]:
    claim = partial(Claim, "DFS and BFS", UNINFORMED, unit="x")
    small, large = f"{SMALL_MAP}x{SMALL_MAP}", f"{LARGE_MAP}x{LARGE_MAP}"

    def over(algorithm: str, side: int, quantity: str, than: str = "astar") -> partial[float]:
        over, under = (f"{name} {side} {quantity}" for name in (algorithm, than))
        return partial(quotient, over=over, under=under)

    redundant = partial(claim, published="a majority redundant", stated=2, low=2)
    excellent = partial(claim, published="excellent", stated=1)
    length = over("dfs", SMALL_MAP, "cost")
    return [
        excellent(
            f"time, BFS / A*, {small}", measure=over("bfs", SMALL_MAP, "ms"), high=2, reason=FEWER_NODES
        ),
        excellent(f"length, DFS / A*, {small}", measure=length, high=1.5, reason=FIRST_WAY),
        redundant(f"expansions, BFS / A*, {large}", measure=over("bfs", LARGE_MAP, "expanded")),
        redundant(f"expansions, DFS / A*, {large}", measure=over("dfs", LARGE_MAP, "expanded")),
    ]


def _local_claims() -> list[Claim]:
    claim = partial(Claim, "local optimal search", INFORMED_SEARCH, unit="%", places=1)
    none = partial(claim, stated=0, high=0)
    wrong = partial(number, name="greedy wrong")
    return [
        claim("no way, or a longer one", "a high chance", 50, wrong, low=50),
        none(
            "best-first: no way", "nothing is discarded", measure=partial(number, name="best-first missing")
        ),
        none("A*: a longer one", "the shortest path", measure=partial(number, name="astar wrong")),
    ]


def _game_claims() -> list[Claim]:
    claim = partial(Claim, "units in games", GAMES, unit="x", high=0.999)
    every = partial(Claim, "units in games", GAMES, unit="%", places=0, stated=100, low=100)
    cut = partial(quotient, over="corners dear", under="corners free")
    kept = partial(quotient, over="pursuit kept", under="pursuit anew")
    reverse = partial(quotient, over="converging reverse", under="converging each")
    return [
        claim("corners cut, dear / free", "not through corners", 0, cut, high=0.5),
        every("sections joined: arrived", "can be joined", measure=partial(number, name="sections arrived")),
        every("moving target: caught", "can be processed", measure=partial(number, name="pursuit caught")),
        claim("moving target, kept / anew", "variants of A*", 1, kept),
        claim("time, backwards / each unit", "suitable", 1, reverse),
    ]


def _group_claims() -> list[Claim]:
    claim = partial(Claim, "groups", GAMES, unit="x")
    effort, apart = partial(number, name="group effort"), partial(number, name="leader spread")
    others, arrived = partial(number, name="detours cells"), partial(number, name="arrived")
    once, whole, changes = "calculated once", "move as a whole", "slight changes"
    return [
        claim("search, shared / each its own", once, 1, effort, high=0.999),
        claim("cells, with detours / without", changes, 1, others, low=1.001, of_ours=True),
        claim("spread, leader / shared path", whole, 1, apart, high=0.999, of_ours=True),
        replace(claim("arrived", "", 100, arrived, low=100, of_ours=True), unit="%", places=0),
    ]


CLAIMS = (
    *_uninformed_claims(),
    *_local_claims(),
    *_queue_claims(),
    *_heuristic_claims(),
    _interruption_claim(),
    *_game_claims(),
    *_group_claims(),
)
