"""Published beside measured; with most agents unless it says otherwise."""

from __future__ import annotations

from functools import partial
from itertools import product

from ..design import every_outcome, in_place_of_printed
from ..experiment import Estimate, Experiment, Mark, Plot, Table, counted, estimate, total
from .claims import CLAIMS
from .measures import cycles_over_whca, detour, largest_over_first, mean, numbers_of_agents
from .trial import AGENTS, DENSITY, DESIGN, INTERVALS, NOISE, SIDE, SOLVERS, TURNS, Maps


def notes(maps: Maps) -> list[str]:
    """What was run, and what the words mean."""
    agents, outcomes = numbers_of_agents(maps), every_outcome(maps)
    return [
        f"{counted(len(maps), 'map')} of {SIDE}x{SIDE} cells, {DENSITY:.0%} blocked and "
        f"pockets filled, {agents[0]} to {agents[-1]} agents, {TURNS} turns; {len(outcomes)} trials, of "
        f"whose traces the judge found {total(outcomes, 'invalid')} invalid; {total(outcomes, 'refused')} "
        "moves were refused.",
        "Success: on its destination in some turn. Path length: the turn of the first arrival, "
        f"{TURNS} for an agent that failed. A cycle: entering a cell visited before, over all turns. "
        "To follow is to enter a cell in the turn in which another agent leaves it. Errors are standard "
        "errors over maps. CPU times depend on the machine and are compared as ratios only; the paper's are "
        "from a Pentium 4 of 1.2 GHz.",
    ]


def tables(maps: Maps) -> list[Table]:
    """Solvers under both rules on following, and the scale of the noise."""
    crowd, ours = numbers_of_agents(maps)[-1], in_place_of_printed(maps)
    return [
        _solver_table(maps, f"as printed, {crowd} agents that may follow each other", True),
        _solver_table(ours, f"ours, {crowd} agents that may follow each other", True),
        _solver_table(maps, f"as printed, {crowd} agents that may not", False),
        _solver_table(ours, f"ours, {crowd} agents that may not", False),
        _noise_table(maps, f"LRA* as printed, {crowd} agents, by the scale of its noise"),
        _noise_table(ours, f"ours, {crowd} agents, by the scale of its noise"),
        _node_table(maps, f"States expanded in the first turn, {crowd} agents that may follow each other"),
        _interval_table(maps, f"WHCA*(16), {crowd} agents, by how often everybody plans again"),
    ]


def _solver_table(maps: Maps, title: str, following: bool) -> Table:
    def of(quantity: str, places: int = 2) -> partial[str]:
        return partial(_mean, maps, quantity=quantity, following=following, places=places)

    return Table.of(
        title,
        "",
        SOLVERS,
        ("success %", of("success", 1)),
        ("length / shortest", partial(_detour, maps, following=following)),
        ("cycles", of("cycles")),
        ("before arrival", of("cycles_before_arrival")),
        ("first turn, ms", of("initial")),
        ("largest later, ms", of("largest")),
    )


def _mean(maps: Maps, solver: str, quantity: str, following: bool, places: int) -> str:
    return estimate(partial(mean, quantity=quantity, solver=solver, following=following), maps).show(places)


def _detour(maps: Maps, solver: str, following: bool) -> str:
    return estimate(partial(detour, solver=solver, following=following), maps).show(2)


def _noise_table(maps: Maps, title: str) -> Table:
    columns = ("noise", "following", "success %", "length / shortest", "cycles", "/ WHCA*(16)")
    rows = [_noise_row(maps, scale, rule) for rule, scale in product((True, False), NOISE)]
    return Table(title, columns, rows)


def _noise_row(maps: Maps, scale: float, following: bool) -> tuple[str, ...]:
    label = NOISE[scale]
    over_whca = partial(cycles_over_whca, labels=[label], rule=following, other=following)
    return (
        f"{scale:g}",
        "allowed" if following else "forbidden",
        _mean(maps, label, "success", following, 1),
        _detour(maps, label, following),
        _mean(maps, label, "cycles", following, 2),
        estimate(over_whca, maps).show(1, "x"),
    )


def _node_table(maps: Maps, title: str) -> Table:
    nodes = partial(_mean, maps, quantity="nodes", following=True, places=0)
    return Table.of(title, "", SOLVERS, ("as printed", nodes))


def _interval_table(maps: Maps, title: str) -> Table:
    labels = {**{f"{turns}": label for turns, label in INTERVALS.items()}, "8, as printed": "WHCA*(16)"}

    def of(turns: str, quantity: str, places: int = 2) -> str:
        return _mean(maps, labels[turns], quantity, True, places)

    def over_first(turns: str) -> str:
        return estimate(partial(largest_over_first, label=labels[turns]), maps).show(2, "x")

    return Table.of(
        title,
        "turns",
        labels,
        ("success %", partial(of, quantity="success", places=1)),
        ("length / shortest", lambda turns: _detour(maps, labels[turns], True)),
        ("largest later, ms", partial(of, quantity="largest")),
        ("largest later / first", over_first),
    )


def plots(maps: Maps) -> list[Plot]:
    """The paper's figures 3 to 7."""
    most, shortest = AGENTS[-1], mean(maps, "shortest", "CA*")
    ways = [Mark("LRA*", most, 2 * shortest, "over 2x"), Mark("CA*", most, 1.2 * shortest, "1.2x")]
    success = [Mark("LRA*", most, 80, "about 80%"), Mark("WHCA*(16)", most, 98, "over 98%")]
    cycles = [Mark("LRA*", most, 15, "over 15"), Mark("WHCA*(16)", most, 1.5, "at most 1.5")]
    first, largest = Mark("CA*", most, 10, "over 10x"), Mark("WHCA*(16)", most, 0.5, "over 0.5x")
    return [
        _plot(maps, "success", "Agents that reach their destination", "%", *success),
        _plot(maps, "length", "Average path length", "turns", *ways),
        _plot(maps, "cycles", "Cycles per agent", "cells entered again", *cycles),
        _relative_plot(maps, "initial", "CPU time of the first turn", first),
        _relative_plot(maps, "largest", "CPU time of the largest later turn", largest),
    ]


def _plot(maps: Maps, quantity: str, title: str, y_label: str, *marks: Mark) -> Plot:
    curves = {solver: _curve(maps, quantity, solver) for solver in SOLVERS}
    if quantity == "length":
        curves["shortest"] = _curve(maps, "shortest", "CA*")
    return Plot(quantity, title, "agents", y_label, curves, marks)


def _relative_plot(maps: Maps, quantity: str, title: str, *marks: Mark) -> Plot:
    """Times, in those of the first turn of WHCA*(16)."""
    scale = 1 / mean(maps, "initial", "WHCA*(16)")
    y_label = f"first turn of WHCA*(16), {AGENTS[-1]} agents = 1"
    curves = {solver: _curve(maps, quantity, solver, scale) for solver in SOLVERS}
    return Plot(quantity, title, "agents", y_label, curves, marks, logarithmic=True)


def _curve(maps: Maps, quantity: str, solver: str, scale: float = 1) -> dict[float, Estimate]:
    def at(agents: int) -> Estimate:
        return estimate(lambda some: scale * mean(some, quantity, solver, agents=agents), maps)

    return {agents: at(agents) for agents in numbers_of_agents(maps)}


TITLE = "Cooperative Pathfinding (Silver 2005)"
EXPERIMENT = Experiment("silver2005", TITLE, DESIGN, CLAIMS, notes, tables, plots, ours=in_place_of_printed)
