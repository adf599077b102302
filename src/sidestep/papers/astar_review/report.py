"""Published beside measured."""

from __future__ import annotations

from functools import partial
from statistics import fmean

from ..experiment import Estimate, Experiment, Plot, Table, counted, estimate
from .claims import CLAIMS
from .games import CONVERGING, MIDDLE, SCATTERED
from .games import LARGE as LARGE_MAP
from .games import SMALL as SMALL_MAP
from .measures import map_sides, mazes_of, mean, number, slower, time
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
from .troops import SIDE, UNITS


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
        f"DFS, BFS and A*: random ways, {SCATTERED:.0%} of the cells blocked, 4-connected. All other "
        f"searches: random ways on a maze, rooms and a cave of {MIDDLE}x{MIDDLE} cells. A pursuer knows the "
        "whole way in every turn, of one search that goes on or of a new one, and makes three steps while "
        f"its target makes two. {CONVERGING} units that converge on one target search for their ways each, "
        "or ask one search backwards: as printed RRA*, ours a map of all distances.",
        f"Groups: {UNITS} units cross a cave of {SIDE}x{SIDE} cells. As printed, expansions of the shared "
        "path and of all first and last ten steps, over those of a way for each unit, without regard to each "
        "other. Ours: CPU time of the order and the first turn, WHCA* with `move_group` over WHCA* alone, in "
        "a world where nobody collides. Spread: how far units are from their middle, in the mean while most "
        "are under way.",
        f"{searches} searches were interrupted after every {FRAME} expansions and took "
        f"{frames:.1f} such frames on average. CPU times depend on the machine; only ratios are compared.",
    ]


def tables(outcomes: Outcomes) -> list[Table]:
    """Open lists, and heuristics on every kind of map."""
    forms = {"as printed": outcomes, "ours": in_our_form(outcomes)}
    return [
        _uninformed_table(outcomes),
        _game_table(outcomes),
        *(_queue_table(outcomes, connectivity) for connectivity in (4, 8)),
        *(
            _heuristic_table(some, form, kind, side, connectivity)
            for kind, side in landscapes(mazes_of(outcomes))
            for connectivity in (4, 8)
            for form, some in forms.items()
        ),
    ]


def _uninformed_table(outcomes: Outcomes) -> Table:
    algorithms = {"A*": "astar", "BFS": "bfs", "DFS": "dfs"}

    def cell(shown: str, side: int, quantity: str, form: str) -> str:
        return format(number(outcomes, f"{algorithms[shown]} {side} {quantity}"), form)

    quantities = (("expanded", ",.0f"), ("ms", ".3f"), ("cost", ",.1f"))
    return Table.of(
        "Searches before A*: a query",
        "",
        algorithms,
        *(
            (f"{side}: {quantity}", partial(cell, side=side, quantity=quantity, form=form))
            for side in (SMALL_MAP, LARGE_MAP)
            for quantity, form in quantities
        ),
    )


def _game_table(outcomes: Outcomes) -> Table:
    shown = {
        "local optimal search: no way, %": "greedy missing",
        "local optimal search: no way or a longer one, %": "greedy wrong",
        "best-first: a longer way, %": "best-first wrong",
        "corners cut per way, no dearer": "corners free",
        "corners cut per way, dearer": "corners dear",
        "length, corners dearer / no dearer": "corners longer",
        "sections: steps walked / shortest": "sections longer",
        "sections, the start moves with the unit: arrived, %": "moving start arrived",
        "pursuit: expansions, one search": "pursuit kept",
        "pursuit: expansions, a new one per turn": "pursuit anew",
        "converging: ms, a search each": "converging each",
        "converging: ms, one search backwards": "converging reverse",
        "group: length, shared / each its own": "group longer",
        "group: CPU time until all have arrived, shared / each its own": "group cpu",
        "group: length, leader / each its own": "leader longer",
        "units that arrive on their own, %": "alone arrived",
    }
    ours = in_our_form(outcomes)

    def cell(what: str, some: Outcomes) -> str:
        return estimate(partial(number, name=shown[what]), some).show(2)

    both = (("as printed", outcomes), ("ours", ours))
    columns = ((form, partial(cell, some=some)) for form, some in both)
    return Table.of("Other searches, units and groups", "", shown, *columns)


def _queue_table(outcomes: Outcomes, connectivity: int) -> Table:
    def milliseconds(size: str, queue: str) -> str:
        return f"{time(outcomes, queue, sides[size], connectivity):.3f}"

    def times(size: str, queue: str, than: str) -> str:
        measure = partial(slower, queue=queue, than=than, side=sides[size], connectivity=connectivity)
        return estimate(measure, outcomes).show(1, "x")

    sides = {f"{side}x{side}": side for side in map_sides(outcomes)}
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
        sides = map_sides(outcomes)
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
