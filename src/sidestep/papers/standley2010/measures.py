"""What the outcomes of all instances say: each is a sample."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from statistics import geometric_mean

from ...model.result import Status
from ..experiment import mean, percentage, ratio
from .trial import HCA_ONLINE, OPTIMAL, SPARING, Outcome, Run

CROWDED = 40  # the paper compares costs with more agents than that
PUBLISHED_SHARE = 90.45  # percent of all instances, solved by OD+ID
FEW_FAILURES = 10  # a share of fewer is not worth stating
INFEASIBLE = str(Status.INFEASIBLE)

Outcomes = Sequence[Outcome]


def runs_of(outcomes: Outcomes, solver: str) -> list[Run]:
    """Those of a solver, on the instances that it was run on."""
    return [outcome.runs[solver] for outcome in outcomes if solver in outcome.runs]


def solved(outcomes: Outcomes, solver: str) -> float:
    """The percentage of its instances."""
    return percentage([run.cost is not None for run in runs_of(outcomes, solver)])


def unsolved(outcomes: Outcomes, solver: str) -> float:
    """The percentage of its instances that a solver does not solve."""
    return 100 - solved(outcomes, solver)


def times(outcomes: Outcomes, solver: str) -> list[float]:
    """The seconds of the instances it solved, fastest first."""
    return sorted(run.seconds for run in runs_of(outcomes, solver) if run.cost is not None)


def left_by(outcomes: Outcomes, *solvers: str) -> list[Outcome]:
    """The instances that none of these solved."""
    return [o for o in outcomes if all(o.runs[solver].cost is None for solver in solvers)]


def easiest(outcomes: Outcomes) -> list[Outcome]:
    """As large a share of all instances as OD+ID solved in the paper: those that it solves first.

    To solve more is to solve harder ones, whose plans are dearer: costs would not compare.
    """
    found = [outcome for outcome in outcomes if outcome.runs["OD+ID"].cost is not None]
    found.sort(key=lambda outcome: outcome.runs["OD+ID"].seconds)
    return found[: int(len(outcomes) * PUBLISHED_SHARE / 100)]


def excess(outcomes: Outcomes, solver: str, other: str) -> float:
    """What the plans of a solver cost above the shortest paths; of crowded instances that both solve."""
    both = [o for o in easiest(outcomes) if o.agents > CROWDED and o.runs[other].cost is not None]
    return mean(outcome.excess(solver) for outcome in both)


def disagreements(outcomes: Outcomes) -> int:
    """The instances on which optimal solvers found plans of different costs."""
    costs = (
        {runs[name].cost for runs in (o.runs, o.ours) for name in OPTIMAL if name in runs} - {None}
        for o in outcomes
    )
    return sum(len(different) > 1 for different in costs)


def neither(outcomes: Outcomes) -> float:
    """The percentage that neither HCA* nor OD+ID solves."""
    return 100 * ratio(len(left_by(outcomes, HCA_ONLINE, "OD+ID")), len(outcomes))


def rescued(outcomes: Outcomes, baseline: str = HCA_ONLINE) -> float:
    """Of what HCA* does not solve, the percentage that OD+ID does; not a number if that is little."""
    left = left_by(outcomes, baseline)
    return math.nan if len(left) < FEW_FAILURES else solved(left, "OD+ID")


# Where nobody has checked whether goals can be reached


def unchecked_left(outcomes: Outcomes, reading: str = HCA_ONLINE) -> float:
    """The percentage of unchecked instances that HCA* does not solve."""
    return percentage([o.unchecked[reading].cost is None for o in outcomes if o.unchecked])


def unchecked_impossible(outcomes: Outcomes) -> float:
    """The percentage of unchecked instances with a goal that cannot be reached."""
    return percentage([o.unchecked[HCA_ONLINE].status == INFEASIBLE for o in outcomes if o.unchecked])


def unchecked_neither(outcomes: Outcomes) -> float:
    """The percentage of unchecked instances that neither HCA* nor OD+ID solves."""
    runs = [outcome.unchecked for outcome in outcomes if outcome.unchecked]
    return percentage([all(one.cost is None for one in _both(each)) for each in runs])


def _both(runs: Mapping[str, Run]) -> list[Run]:
    return [runs[solver] for solver in (HCA_ONLINE, "OD+ID") if solver in runs]


def more_solved(outcomes: Outcomes, solver: str, other: str) -> float:
    """The percentage that a solver solves, less that of the other, where both were run."""
    both = [outcome for outcome in outcomes if {solver, other} <= outcome.runs.keys()]
    return solved(both, solver) - solved(both, other)


def slower_without_decomposition(outcomes: Outcomes) -> float:
    """The time of Standard+ID over that of OD+ID, the geometric mean over the instances that both solve."""
    both = [o for o in outcomes if "Standard+ID" in o.runs]
    pairs = [(o.runs["Standard+ID"], o.runs["OD+ID"]) for o in both]
    ratios = [one.seconds / other.seconds for one, other in pairs if None not in (one.cost, other.cost)]
    return geometric_mean(ratios) if ratios else math.nan


# Groups by themselves


def groups(outcomes: Outcomes, size: int | None = None) -> list[Outcome]:
    """The instances that OD+ID left with a group of more than one agent, or of this size."""
    return [o for o in outcomes if o.alone and size in (None, o.group)]


def group_sizes(outcomes: Outcomes) -> list[int]:
    """Of the largest groups, smallest first."""
    return sorted({outcome.group for outcome in groups(outcomes)})


def share_alone(outcomes: Outcomes, solver: str) -> float:
    """The percentage of these groups that a solver planned by themselves."""
    return percentage([o.alone[solver].cost is not None for o in outcomes])


def larger_groups(outcomes: Outcomes) -> float:
    """Of the largest groups, the percentage that OD solves, less that of the standard algorithm."""
    largest = groups(outcomes)
    return share_alone(largest, "OD") - share_alone(largest, "Standard")


def spared(outcomes: Outcomes) -> float:
    """How much smaller the closed list of OD is with standard nodes only, in percent of all its nodes."""
    runs = _solved_alone(outcomes, SPARING)
    return 100 * (1 - ratio(sum(r.standard_expansions for r in runs), sum(r.expansions for r in runs)))


def spared_per_group(outcomes: Outcomes) -> float:
    """The same for each group by itself, and the mean of that."""
    runs = [run for run in _solved_alone(outcomes, SPARING) if run.expansions]
    return mean(100 * (1 - run.standard_expansions / run.expansions) for run in runs)


def spared_beside_duplicates(outcomes: Outcomes) -> float:
    """The same beside the closed list of OD that finds duplicates within a step, and expands less for it."""
    both = _solved_both_ways(outcomes)
    standard = sum(o.alone[SPARING].standard_expansions for o in both)
    return 100 * (1 - ratio(standard, sum(o.alone["OD"].expansions for o in both)))


def slower_without_duplicates(outcomes: Outcomes) -> float:
    """The time of OD that finds duplicates between steps only, over that which finds more of them."""
    both = _solved_both_ways(outcomes)
    return ratio(*(sum(o.alone[name].seconds for o in both) for name in (SPARING, "OD")))


def _solved_both_ways(outcomes: Outcomes) -> list[Outcome]:
    return [o for o in groups(outcomes) if all(_is_solved(o, name) for name in ("OD", SPARING))]


def _solved_alone(outcomes: Outcomes, solver: str) -> list[Run]:
    return [outcome.alone[solver] for outcome in groups(outcomes) if _is_solved(outcome, solver)]


def _is_solved(outcome: Outcome, solver: str) -> bool:
    return solver in outcome.alone and outcome.alone[solver].cost is not None
