"""Published beside measured."""

from __future__ import annotations

from functools import partial
from statistics import fmean

from ..experiment import Estimate, Experiment, Plot, Table, counted, estimate
from .claims import CLAIMS
from .measures import mazes_of, mean, sides_of, slower, time
from .trial import (
    BUCKETS,
    DENSITY,
    DESIGN,
    FRAME,
    HEAP,
    INFORMED,
    LIST,
    MAZE,
    QUEUES,
    Outcomes,
    geometry,
    in_our_form,
    landscape_name,
    landscapes,
)


def notes(outcomes: Outcomes) -> list[str]:
    """What was run."""
    frames = fmean(outcome.interruption.frames for outcome in outcomes)
    searches = sum(outcome.interruption.searches for outcome in outcomes)
    return [
        f"{counted(len(outcomes), 'map')} of each kind and size. Queues: one way from corner to "
        f"corner, {DENSITY:.0%} of the cells blocked, 4-connected unless stated. Heuristics: random queries "
        "on mazes with corridors of 3 cells, on rooms and in caves, 4- and 8-connected (octile costs, no "
        "corners cut). As printed, the open list is a binary heap; ours has buckets, one per f: in the "
        "column `ours` they stand in the place of the heap. Verdicts are about the heap.",
        f"{searches} searches were interrupted after every {FRAME} expansions and took "
        f"{frames:.1f} such frames on average. CPU times depend on the machine; only ratios are compared.",
    ]


def tables(outcomes: Outcomes) -> list[Table]:
    """Open lists, and heuristics on every kind of map."""
    forms = {"as printed": outcomes, "ours": in_our_form(outcomes)}
    return [
        *(_queue_table(outcomes, connectivity) for connectivity in (4, 8)),
        *(
            _heuristic_table(some, form, kind, side, connectivity)
            for kind, side in landscapes(mazes_of(outcomes))
            for connectivity in (4, 8)
            for form, some in forms.items()
        ),
    ]


def _queue_table(outcomes: Outcomes, connectivity: int) -> Table:
    def milliseconds(size: str, queue: str) -> str:
        return f"{time(outcomes, queue, sides[size], connectivity):.3f}"

    def times(size: str, queue: str, than: str) -> str:
        measure = partial(slower, queue=queue, than=than, side=sides[size], connectivity=connectivity)
        return estimate(measure, outcomes).show(1, "x")

    sides = {f"{side}x{side}": side for side in sides_of(outcomes)}
    return Table.of(
        f"Open lists, {connectivity}-connected: CPU time of a query",
        "map",
        sides,
        *((f"{queue}, ms", partial(milliseconds, queue=queue)) for queue in QUEUES),
        ("list / heap", partial(times, queue=LIST, than=HEAP)),
        ("heap / buckets", partial(times, queue=HEAP, than=BUCKETS)),
    )


def _heuristic_table(outcomes: Outcomes, form: str, kind: str, side: int, connectivity: int) -> Table:
    def cell(heuristic: str, quantity: str, form: str, unit: float = 1) -> str:
        name = landscape_name(kind, side, connectivity, heuristic)
        return format(mean(outcomes, quantity, name) / unit, form)

    return Table.of(
        f"{kind} {side}x{side}, {connectivity}-connected, {form}: a query",
        "heuristic",
        (geometry(connectivity), *INFORMED),
        ("expanded", partial(cell, quantity="expanded", form=",.0f")),
        ("ms", partial(cell, quantity="milliseconds", form=".3f")),
        ("prepared, ms", partial(cell, quantity="preparation", form=".1f")),
        ("KiB", partial(cell, quantity="memory", form=",.0f", unit=1024)),
    )


def plots(outcomes: Outcomes) -> list[Plot]:
    """Times over the size of the map, and expansions over that of the maze."""

    def milliseconds(queue: str) -> dict[float, Estimate]:
        sides = sides_of(outcomes)
        return {side: estimate(partial(time, queue=queue, side=side), outcomes) for side in sides}

    def expansions(heuristic: str) -> dict[float, Estimate]:
        names = {side: landscape_name(MAZE, side, 8, heuristic) for side in mazes_of(outcomes)}
        expanded = partial(mean, quantity="expanded")
        return {side: estimate(partial(expanded, name=name), outcomes) for side, name in names.items()}

    queues = {queue: milliseconds(queue) for queue in QUEUES}
    heuristics = {name: expansions(name) for name in (geometry(8), *INFORMED)}
    title, x_label = "A* with several open lists, 4-connected", "side of the map"
    return [
        Plot("queues", title, x_label, "ms", queues, logarithmic=True),
        Plot("expansions", "Mazes, 8-connected", x_label, "expansions", heuristics, logarithmic=True),
    ]


TITLE = "Research of the Path Finding Algorithm A* in Video Games (Liu)"
EXPERIMENT = Experiment("astar-review", TITLE, DESIGN, CLAIMS, notes, tables, plots, ours=in_our_form)
