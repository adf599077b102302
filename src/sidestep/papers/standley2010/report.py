"""Published beside measured."""

from __future__ import annotations

from functools import partial

import numpy as np

from ..experiment import (
    NOTHING,
    Estimate,
    Experiment,
    Mark,
    Measure,
    Plot,
    Table,
    counted,
    estimate,
    least_first,
    total,
)
from .claims import CLAIMS
from .measures import (
    PUBLISHED_SHARE,
    Outcomes,
    disagreements,
    excess,
    group_sizes,
    groups,
    rescued,
    runs_of,
    share_alone,
    solved,
    spared,
    spared_beside_duplicates,
    spared_per_group,
    times,
    unchecked_impossible,
    unchecked_left,
    unchecked_neither,
    unsolved,
)
from .trial import (
    ALONE,
    DENSITY,
    DESIGN,
    FEWEST,
    ID_READINGS,
    MOST,
    READINGS,
    SECONDS,
    SIDE,
    SOLVERS,
    Outcome,
    in_our_form,
    is_sampled,
)


def notes(outcomes: Outcomes) -> list[str]:
    """What was run, and what the words mean."""
    sampled = sum(is_sampled(outcome.instance) for outcome in outcomes)
    return [
        f"{counted(len(outcomes), 'instance')} of {SIDE}x{SIDE} cells, 8-connected, "
        f"{DENSITY:.0%} blocked, {FEWEST} to {MOST} agents whose goals can be reached; all but "
        f"OD+ID and HCA*, and groups by themselves, on {sampled} of them. Of all plans "
        f"the judge found {total(outcomes, 'invalid')} invalid; on {disagreements(outcomes)} instances "
        "optimal solvers disagree about the cost.",
        "A cost is the time off goal. The lower bound is the sum of the distances that agents have without "
        f"each other. Costs above it are of the {PUBLISHED_SHARE}% of all instances that OD+ID solves first, "
        "because those that a faster solver adds are harder and dearer. Errors are standard errors over "
        "instances.",
        "HCA* is run as Silver describes it: agents plan one after another, stop cooperating when they "
        "arrive, and those whose way they block reroute; no other order is tried. The paper does not say how "
        "it ran HCA*. Of the readings in the table this one was chosen because its costs come nearest, so "
        "that they agree says little.",
        "The closed list is counted over all nodes of the largest groups together, where the largest "
        "searches weigh most; the last table has other ways to count.",
    ]


def tables(outcomes: Outcomes) -> list[Table]:
    """Times, readings of HCA*, the largest groups by themselves, and closed lists."""
    declared = (_detection_table, _baseline_table, _unchecked_table, _group_table, _closed_table)
    return [
        _solver_table(outcomes, "as printed"),
        _solver_table(in_our_form(outcomes), "ours"),
        *(table(outcomes) for table in declared),
    ]


def _solver_table(outcomes: Outcomes, form: str) -> Table:
    def late(solver: str, quantile: float) -> str:
        found = times(outcomes, solver)
        return f"{1000 * np.quantile(found, quantile):.2f}" if found else NOTHING

    return Table.of(
        f"Time on what is solved within a second, {form}",
        "",
        SOLVERS,
        ("instances", lambda solver: str(len(runs_of(outcomes, solver)))),
        ("solved %", lambda solver: estimate(partial(solved, solver=solver), outcomes).show(2)),
        ("median, ms", partial(late, quantile=0.5)),
        ("90th percentile, ms", partial(late, quantile=0.9)),
    )


def _detection_table(outcomes: Outcomes) -> Table:
    all_ways = [outcome for outcome in outcomes if is_sampled(outcome.instance)]
    return Table.of(
        f"OD+ID as it may be read, on {counted(len(all_ways), 'instance')}",
        "",
        ("OD+ID", *ID_READINGS),
        ("solved %", lambda one: estimate(partial(solved, solver=one), all_ways).show(2)),
    )


def _baseline_table(outcomes: Outcomes) -> Table:
    return Table.of(
        "HCA* as it may be read (shortest or longest first: goals held, too)",
        "",
        READINGS,
        ("not solved %", lambda one: estimate(partial(unsolved, solver=one), outcomes).show(2)),
        ("of these, by OD+ID %", lambda one: estimate(partial(rescued, baseline=one), outcomes).show(1)),
        (
            "cost above the bound",
            lambda one: estimate(partial(excess, solver=one, other="OD+ID"), outcomes).show(2),
        ),
    )


def _unchecked_table(outcomes: Outcomes) -> Table:
    shares: dict[str, tuple[str, Measure[Outcome]]] = {
        **{f"not solved by {one}": ("4.3", partial(unchecked_left, reading=one)) for one in READINGS},
        "a goal that cannot be reached": (NOTHING, unchecked_impossible),
        "solved by neither HCA* nor OD+ID": ("0.69", unchecked_neither),
    }
    return Table.of(
        "Starts and goals drawn without a check",
        "",
        shares,
        ("published %", lambda share: shares[share][0]),
        ("measured %", lambda share: estimate(shares[share][1], outcomes).show(2)),
    )


def _group_table(outcomes: Outcomes) -> Table:
    return Table.of(
        "Largest groups by themselves, within two seconds",
        "agents",
        group_sizes(outcomes),
        ("groups", lambda size: str(len(groups(outcomes, size)))),
        ("OD, % solved", lambda size: _group_share(outcomes, size, "OD").show(1)),
        ("Standard, % solved", lambda size: _group_share(outcomes, size, "Standard").show(1)),
    )


def _group_share(outcomes: Outcomes, size: int, solver: str) -> Estimate:
    return estimate(partial(share_alone, solver=solver), groups(outcomes, size))


def _closed_table(outcomes: Outcomes) -> Table:
    ways_to_count: dict[str, Measure[Outcome]] = {
        "all nodes together": spared,
        "mean over groups": spared_per_group,
        "all nodes together, duplicates within a step found": spared_beside_duplicates,
    }
    smaller = ("smaller by %", lambda way: estimate(ways_to_count[way], outcomes).show(1))
    return Table.of("Closed list with standard nodes only", "", ways_to_count, smaller)


def plots(outcomes: Outcomes) -> list[Plot]:
    """The paper's figures 6 and 7."""
    return [_time_plot(outcomes), _group_plot(outcomes)]


def _time_plot(outcomes: Outcomes) -> Plot:
    def curve(solver: str) -> dict[float, Estimate]:
        milliseconds = [1000 * seconds for seconds in times(outcomes, solver)]
        return least_first(milliseconds, len(runs_of(outcomes, solver)))

    title = "Running time of each instance, fastest first (figure 6)"
    curves = {solver: curve(solver) for solver in SOLVERS}
    marks = (Mark("OD+ID", PUBLISHED_SHARE, 1000 * SECONDS, f"{PUBLISHED_SHARE}%"),)
    return Plot("time", title, "% of the instances", "ms", curves, marks, logarithmic=True)


def _group_plot(outcomes: Outcomes) -> Plot:
    def curve(solver: str) -> dict[float, Estimate]:
        return {size: _group_share(outcomes, size, solver) for size in group_sizes(outcomes)}

    title = "Largest groups solved within two seconds (figure 7)"
    return Plot("groups", title, "agents in the group", "%", {solver: curve(solver) for solver in ALONE})


TITLE = "Finding Optimal Solutions to Cooperative Pathfinding Problems (Standley 2010)"
EXPERIMENT = Experiment("standley2010", TITLE, DESIGN, CLAIMS, notes, tables, plots, ours=in_our_form)
