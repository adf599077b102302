"""Published beside measured."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from statistics import median

from ...model.result import Status
from ..experiment import (
    NOTHING,
    Estimate,
    Experiment,
    Plot,
    Table,
    counted,
    estimate,
    least_first,
    percentage,
    total,
)
from .claims import CLAIMS
from .measures import (
    MANY,
    TABLE_5,
    Outcomes,
    budget,
    by_agents,
    dialogue_sizes,
    ended,
    gain,
    mean_of,
    mean_of_easiest,
    plans_of,
    solved,
    solved_both_ways,
    solved_under_budget,
    within,
)
from .published_tests import TESTS
from .trial import (
    ARGUING,
    CACHING,
    DESIGN,
    SOLVERS,
    WINDOWED,
    Outcome,
    Run,
    in_our_form,
)

BANDS = ((2, 10), (11, 20), (21, 30), (31, 40))  # numbers of agents


def notes(outcomes: Outcomes) -> list[str]:
    """What was run, and what the words mean."""
    return [
        f"{counted(len(outcomes), 'instance')} of 16x16 cells, 8-connected, 20% blocked, "
        "2 to 40 agents; where a goal cannot be reached, nobody solves it, and it counts. Of all plans the "
        f"judge found {total(outcomes, 'invalid')} invalid. Errors are standard errors over instances.",
        f"The budget of moves is {budget(outcomes):,.0f}: within that number of generated moves of "
        "single agents OD+ID solves a third of the instances, as it did within two seconds in the thesis. A "
        "move counts when it is legal; distances to the goal, which every solver looks up, do not count.",
        "A length is counted in cells, for every agent up to its last arrival. A loop is a cell that an "
        "agent comes back to before it has first been on its goal; waits are none. To solve more is to solve "
        "instances with more agents, so lengths, loops and numbers of dialogues compare over as many "
        "instances as the thesis solved: those that take a solver the fewest moves.",
        "A test of significance is judged where the thesis's effect would be significant over as many "
        "instances as there are here, and what is stated of single numbers of agents where there are "
        f"{MANY:,} instances; otherwise they are `not measured`.",
        "Claims, plots and tables are of the algorithms as printed, unless they say `ours`. Verdicts are "
        "about what is printed.",
    ]


def tables(outcomes: Outcomes) -> list[Table]:
    """Table 5, the same under a budget of moves, and what else the thesis states."""
    ours = in_our_form(outcomes)
    return [
        _length_table(outcomes, "as printed"),
        _length_table(ours, "ours"),
        _budget_table(outcomes, "as printed"),
        _budget_table(ours, "ours"),
        _band_table("Solved under the budget, % by number of agents", outcomes, _solved_of_band),
        _band_table("Moves per agent, median of what is solved", outcomes, _moves_of_band),
        _failure_table(outcomes, "as printed"),
        _failure_table(ours, "ours"),
        _loop_table(outcomes, "as printed"),
        _loop_table(ours, "ours"),
        _cache_table(outcomes),
        _test_table(outcomes, ours),
    ]


def _length_table(outcomes: Outcomes, form: str) -> Table:
    def share(solver: str) -> str:
        return estimate(partial(solved, solver=solver), outcomes).show(1)

    return Table.of(
        f"Table 5, {form}: solved within 2,000 ms, and mean length",
        "",
        SOLVERS,
        ("solved %", share),
        ("published", lambda solver: f"{TABLE_5[solver].solved}"),
        ("length", partial(_mean, outcomes, mean_of, "length", 1)),
        ("of the published share", partial(_mean, outcomes, mean_of_easiest, "length", 1)),
        ("published", lambda solver: f"{TABLE_5[solver].length}"),
    )


def _mean(
    outcomes: Outcomes, measure: Callable[[Outcomes, str, str], float], what: str, places: int, solver: str
) -> str:
    return estimate(lambda some: measure(some, solver, what), outcomes).show(places)


def _budget_table(outcomes: Outcomes, form: str) -> Table:
    def middle(solver: str, value: Callable[[Run], float], form: str) -> str:
        plans = plans_of(outcomes, solver)
        return format(median(map(value, plans)), form) if plans else NOTHING

    moves = budget(outcomes)
    share = partial(solved_under_budget, outcomes)
    return Table.of(
        f"Under a budget of {moves:,.0f} generated moves, {form}, most solved first",
        "",
        sorted(SOLVERS, key=share, reverse=True),
        ("solved %", lambda solver: estimate(partial(solved_under_budget, solver=solver), outcomes).show(1)),
        ("published (in time)", lambda solver: f"{TABLE_5[solver].solved}"),
        ("median moves", partial(middle, value=lambda run: run.moves, form=",.0f")),
        ("median ms", partial(middle, value=lambda run: 1000 * run.seconds, form=".2f")),
    )


def _band_table(title: str, outcomes: Outcomes, cell: Callable[[Outcomes, str, float], str]) -> Table:
    def column(band: tuple[int, int]) -> tuple[str, Callable[[str], str]]:
        there = within(outcomes, *band)
        return f"{band[0]} to {band[1]}", lambda solver: cell(there, solver, moves)

    moves = budget(outcomes)
    return Table.of(title, "", SOLVERS, *map(column, BANDS))


def _solved_of_band(band: Outcomes, solver: str, moves: float) -> str:
    return f"{solved(band, solver, moves):.1f}" if band else NOTHING


def _moves_of_band(band: Outcomes, solver: str, _moves: float) -> str:
    per_agent = [o.runs[solver].moves / o.agents for o in band if o.runs[solver].solved]
    return f"{median(per_agent):,.0f}" if per_agent else NOTHING


def _failure_table(outcomes: Outcomes, form: str) -> Table:
    def share(solver: str, status: Status) -> str:
        return f"{ended(outcomes, solver, status):.2f}"

    ends = {"out of time": Status.TIMEOUT, "gave up": Status.GAVE_UP, "impossible": Status.INFEASIBLE}
    columns = [(heading, partial(share, status=status)) for heading, status in ends.items()]
    return Table.of(f"Why instances are not solved, {form}, %", "", SOLVERS, *columns)


def _loop_table(outcomes: Outcomes, form: str) -> Table:
    def with_any(solver: str) -> str:
        return Estimate(percentage([run.loops > 0 for run in plans_of(outcomes, solver)])).show(2)

    return Table.of(
        f"Loops per instance, {form}",
        "",
        SOLVERS,
        ("all solved", partial(_mean, outcomes, mean_of, "loops", 4)),
        ("of the published share", partial(_mean, outcomes, mean_of_easiest, "loops", 4)),
        ("instances with any, %", with_any),
    )


def _cache_table(outcomes: Outcomes) -> Table:
    def gained(solver: str, unit: str) -> str:
        return estimate(partial(gain, solver=solver, unit=unit), outcomes).show(2, "x")

    def under_budget(solver: str) -> str:
        return " / ".join(_cheap(outcomes, solver, which) for which in ("uncached", "cached"))

    return Table.of(
        "Without the path cache / with it (figure 12)",
        "",
        CACHING,
        ("solved both ways", lambda solver: str(len(solved_both_ways(outcomes, solver)))),
        ("time", partial(gained, unit="seconds")),
        ("expansions", partial(gained, unit="expansions")),
        ("moves", partial(gained, unit="moves")),
        ("% under the budget", under_budget),
    )


def _cheap(outcomes: Outcomes, solver: str, which: str) -> str:
    """The percentage that is solved under the budget of moves."""
    runs = [getattr(outcome, which)[solver] for outcome in outcomes if outcome.cached]
    moves = budget(outcomes)
    return Estimate(percentage([run.solved and run.moves <= moves for run in runs])).show(1)


def _test_table(outcomes: Outcomes, ours: Outcomes) -> Table:
    """The thesis's tests of significance, as it names them."""
    return Table.of(
        "Tests of significance on running times (section 5.2)",
        "",
        TESTS,
        ("published", lambda name: TESTS[name].published),
        ("as printed", lambda name: TESTS[name].test(outcomes).show()),
        ("ours", lambda name: TESTS[name].test(ours).show()),
    )


def plots(outcomes: Outcomes) -> list[Plot]:
    """The thesis's figures 6 to 12, and one in moves."""
    return [
        _sorted_plot(outcomes, "time", "Running time of each instance, fastest first (figure 6)", "ms"),
        _sorted_plot(outcomes, "moves", "Generated moves of each instance, fewest first", "moves"),
        _solved_plot(outcomes),
        _mean_plot(outcomes, "length", "Length of all paths (figure 8)", "cells", [*SOLVERS]),
        _mean_plot(outcomes, "loops", "Loops in paths (figure 9)", "loops", WINDOWED),
        _mean_plot(outcomes, "dialogues", "Dialogues (figure 10)", "dialogues", ARGUING),
        _size_plot(outcomes),
        _cache_plot(outcomes),
    ]


def _sorted_plot(outcomes: Outcomes, name: str, title: str, unit: str) -> Plot:
    def values(solver: str) -> list[float]:
        plans = plans_of(outcomes, solver)
        return [1000 * run.seconds if unit == "ms" else max(run.moves, 1) for run in plans]

    curves = {solver: least_first(values(solver), len(outcomes)) for solver in SOLVERS}
    return Plot(name, title, "% of the instances", unit, curves, logarithmic=True)


def _solved_plot(outcomes: Outcomes) -> Plot:
    def curve(solver: str) -> dict[float, Estimate]:
        return by_agents(outcomes, lambda outcome: 100 * outcome.runs[solver].solved)

    curves = {solver: curve(solver) for solver in SOLVERS}
    return Plot("solved", "Solved within 2,000 ms (figure 7)", "agents", "%", curves)


def _mean_plot(outcomes: Outcomes, name: str, title: str, unit: str, solvers: Sequence[str]) -> Plot:
    """The mean of an attribute of a run over what is solved."""

    def value(outcome: Outcome, solver: str) -> float | None:
        run = outcome.runs[solver]
        return getattr(run, name) if run.solved else None

    curves = {solver: by_agents(outcomes, partial(value, solver=solver)) for solver in solvers}
    return Plot(name, title, "agents", unit, curves)


def _size_plot(outcomes: Outcomes) -> Plot:
    def count(outcome: Outcome, size: int) -> float | None:
        run = outcome.runs["DPCA*+"]
        return dialogue_sizes([run])[size] if run.solved else None

    curves = {f"of {size} agents": by_agents(outcomes, partial(count, size=size)) for size in (2, 3, 4)}
    return Plot("sizes", "Dialogues of DPCA*+ by their size (figure 11)", "agents", "dialogues", curves)


def _cache_plot(outcomes: Outcomes) -> Plot:
    sampled = [outcome for outcome in outcomes if outcome.cached]
    curves = {}
    for solver in ("DPCA*", "WDPCA*-8", "WDPCA*-2"):
        for label, which in ((solver, "cached"), (f"{solver}, no cache", "uncached")):
            runs = [getattr(outcome, which)[solver] for outcome in sampled]
            times = [1000 * run.seconds for run in runs if run.solved]
            curves[label] = least_first(times, len(sampled))
    title = "Running time with and without the path cache (figure 12)"
    return Plot("cache", title, "% of the instances", "ms", curves, logarithmic=True)


TITLE = "Cooperative pathfinding by dialogues (the dialogue thesis)"
EXPERIMENT = Experiment("dialogue-thesis", TITLE, DESIGN, CLAIMS, notes, tables, plots, ours=in_our_form)
