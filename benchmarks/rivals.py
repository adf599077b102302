"""sidestep beside w9-pathfinding: the same instances in one run, and every plan judged.

Only the call that plans is timed. What w9 needs before it (its environment) is left out; what we need
(compiling the map, checking that goals can be reached) is counted.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from sidestep import Problem, validate
from sidestep.papers.timing import Spent, timed

from .contenders import HCA_ALL, WHCA16, Algorithm, Contender, Ours
from .measurements import Column, Measurements, Row, Say, Table, Target, Verdict, none_refused
from .scenes import RandomScene
from .w9 import W9, MissingRivalError

DENSITY = 0.2

SOLVED = Target("instances solved more than w9, at the worst size", 0, "instances", at_least=True)
REFUSED = none_refused("plans of ours")
WHCA_FASTER = Target("WHCA*: times as fast as w9 where both solve, at every size", 1, "times", at_least=True)
WHCA_LARGE = Target(
    "WHCA*: times as fast as w9 where both solve, from 64x64 with 100 agents on", 3, "times", at_least=True
)
HCA_LARGE = Target(
    "HCA*: times as fast as w9 where both solve, 128x128 with 400 agents", 10, "times", at_least=True
)


@dataclass(frozen=True)
class Case:
    """Random maps of one size: how many agents, and how many instances for each algorithm."""

    side: int
    agents: int
    whca: int
    hca: int


@dataclass(frozen=True)
class Settings:
    """What is measured. Instances that take less than `repeat_below` seconds are run `repeats` times."""

    cases: tuple[Case, ...]
    repeats: int = 3
    repeat_below: float = 0.2


# w9's HCA* takes up to 18 seconds for one of the largest instances; WHCA* is cheap, and w9 solves so few
# of the crowded ones that many are needed to find some that both solve.
SIZES = (  # the side of the map, agents, and instances for WHCA* and HCA*: in full, and quick
    (32, 20, (30, 30), (5, 5)),
    (32, 40, (30, 30), (5, 5)),
    (32, 60, (30, 30), (5, 5)),
    (32, 80, (30, 20), (5, 3)),
    (32, 100, (30, 20), (5, 3)),
    (64, 100, (30, 20), (5, 3)),
    (64, 200, (40, 10), (5, 2)),
    (64, 400, (40, 5), (3, 1)),
    (128, 100, (20, 10), (3, 2)),
    (128, 200, (20, 5), (3, 1)),
    (128, 400, (20, 3), (3, 2)),
)
FULL = Settings(tuple(Case(side, agents, *full) for side, agents, full, _ in SIZES))
QUICK = Settings(tuple(Case(side, agents, *quick) for side, agents, _, quick in SIZES))


@dataclass(frozen=True)
class Attempt:
    """One contender on one instance. A plan that the judge refuses has no cost and counts as unsolved."""

    spent: Spent
    cost: int | None
    refused: bool

    def again(self, spent: Spent) -> Attempt:
        """The same attempt with another measurement of its time."""
        return replace(self, spent=self.spent.least(spent))


Pair = tuple[Attempt, Attempt]  # ours, the rival's


def measure(settings: Settings, seed: int, say: Say) -> Measurements:
    """All sizes and both algorithms, if the rival is there."""
    return against_w9(partial(compare, settings=settings, seed=seed, say=say))


def against_w9(compare: Callable[[Contender, Contender], Measurements]) -> Measurements:
    """A comparison of us with w9, or why there is none."""
    try:
        rival = W9()
    except MissingRivalError as missing:
        return Measurements(skipped=str(missing))
    return compare(Ours(), rival)


def compare(ours: Contender, rival: Contender, settings: Settings, seed: int, say: Say) -> Measurements:
    """Two contenders on the same instances."""
    rows: list[Row] = []
    for case in settings.cases:
        for algorithm, count in ((WHCA16, case.whca), (HCA_ALL, case.hca)):
            pairs = []
            for number in range(count):
                say(f"{algorithm.title}, {case.side}x{case.side}, {case.agents} agents: {number + 1}/{count}")
                problem = instance(case, seed + number)
                pairs.append(duel((ours, rival), problem, algorithm, settings, swapped=number % 2 == 1))
            if pairs:
                rows.append(summary(case, algorithm, pairs))
    tables = _tables(rows, ours.name, rival.name)
    return Measurements(tables, tuple(verdicts(rows)))


def instance(case: Case, seed: int) -> Problem:
    """The instance of a seed."""
    return RandomScene(case.side, DENSITY, case.agents).problem(seed)


def duel(
    pair: tuple[Contender, Contender],
    problem: Problem,
    algorithm: Algorithm,
    settings: Settings,
    *,
    swapped: bool,
) -> Pair:
    """Both contenders on one instance, in turns; who goes first alternates. The least time of each counts."""
    order = (1, 0) if swapped else (0, 1)
    first = {who: attempt(pair[who], problem, algorithm) for who in order}
    ours, theirs = first[0], first[1]
    if ours.spent.wall + theirs.spent.wall > settings.repeat_below:
        return ours, theirs
    for _ in range(settings.repeats - 1):
        order = order[::-1]
        spent = {who: timed(pair[who].prepare(problem, algorithm))[1] for who in order}
        ours, theirs = ours.again(spent[0]), theirs.again(spent[1])
    return ours, theirs


def attempt(contender: Contender, problem: Problem, algorithm: Algorithm) -> Attempt:
    """One contender plans, and the judge looks at the plan."""
    answer, spent = timed(contender.prepare(problem, algorithm))
    plan = contender.plan(problem, answer)
    if plan is None:
        return Attempt(spent, None, refused=False)
    valid = bool(validate(problem, plan))
    return Attempt(spent, plan.cost if valid else None, refused=not valid)


def summary(case: Case, algorithm: Algorithm, pairs: Sequence[Pair]) -> Row:
    """One size and one algorithm: keys that begin with `both` are about instances that both solved."""
    both = [pair for pair in pairs if pair[0].cost is not None and pair[1].cost is not None]
    return {
        "map": f"{case.side}x{case.side}",
        "side": case.side,
        "agents": case.agents,
        "algorithm": algorithm.title,
        "instances": len(pairs),
        **_counts(pairs),
        **_times(pairs, ""),
        "both": len(both),
        **_times(both, "both "),
        **_costs(both),
    }


def _counts(pairs: Sequence[Pair]) -> Row:
    ours, theirs = zip(*pairs, strict=True)
    return {
        "ours solved": sum(attempt.cost is not None for attempt in ours),
        "theirs solved": sum(attempt.cost is not None for attempt in theirs),
        "ours refused": sum(attempt.refused for attempt in ours),
        "theirs refused": sum(attempt.refused for attempt in theirs),
    }


def _times(pairs: Sequence[Pair], prefix: str) -> Row:
    """Milliseconds; the ratios are of CPU time."""
    if not pairs:
        return {}
    cpu = np.array([[attempt.spent.cpu for attempt in pair] for pair in pairs]) * 1e3
    wall = np.array([[attempt.spent.wall for attempt in pair] for pair in pairs]) * 1e3
    row: dict[str, float] = {}
    for name, average in (("median", np.median), ("mean", np.mean)):
        ours, theirs = (float(value) for value in average(cpu, axis=0))
        row |= {f"ours {name}": ours, f"theirs {name}": theirs, f"{name} ratio": theirs / ours}
        ours, theirs = (float(value) for value in average(wall, axis=0))
        row |= {f"ours {name} wall": ours, f"theirs {name} wall": theirs}
    return {prefix + key: value for key, value in row.items()}


def _costs(both: Sequence[Pair]) -> Row:
    if not both:
        return {}
    ours = sum(pair[0].cost or 0 for pair in both)
    theirs = sum(pair[1].cost or 0 for pair in both)
    return {"ours cost": ours, "theirs cost": theirs, "cost ratio": ours / theirs if theirs else None}


def verdicts(rows: Sequence[Row]) -> list[Verdict]:
    """The targets; speed is compared where both found a plan, since a rival that gives up stops early."""
    whca = [row for row in rows if row["algorithm"] == WHCA16.title]
    large = [row for row in whca if row["side"] >= 64]
    hca = [row for row in rows if row["algorithm"] == HCA_ALL.title]
    largest = [row for row in hca if (row["side"], row["agents"]) == (128, 400)]
    return [
        SOLVED.judge(min((row["ours solved"] - row["theirs solved"] for row in rows), default=None)),
        REFUSED.judge(sum(row["ours refused"] for row in rows)),
        WHCA_FASTER.judge(_least_ratio(whca)),
        WHCA_LARGE.judge(_least_ratio(large)),
        HCA_LARGE.judge(_least_ratio(largest)),
    ]


def _least_ratio(rows: Sequence[Row]) -> float | None:
    return min((row["both median ratio"] for row in rows if row["both"]), default=None)


def _tables(rows: Sequence[Row], ours: str, theirs: str) -> tuple[Table, Table]:
    case = (Column("map"), Column("agents"), Column("algorithm"))
    everything = Table(
        f"{ours} and {theirs}: all instances, CPU time in ms",
        (
            *case,
            Column("instances", "runs"),
            Column("ours solved", f"solved\n{ours}"),
            Column("theirs solved", f"solved\n{theirs}"),
            Column("ours refused", f"refused\n{ours}"),
            Column("theirs refused", f"refused\n{theirs}"),
            *_time_columns("", ours, theirs),
        ),
        tuple(rows),
        (
            "refused: plans that the judge rejects; they do not count as solved.",
            f"ratio: {theirs} / {ours}. A planner that gives up early is quick here.",
        ),
    )
    where_both = Table(
        f"{ours} and {theirs}: instances that both solved, CPU time in ms",
        (
            *case,
            Column("both", "runs"),
            *_time_columns("both ", ours, theirs),
            Column("ours cost", f"cost\n{ours}", ","),
            Column("theirs cost", f"cost\n{theirs}", ","),
            Column("cost ratio", "cost\nratio", ".3f"),
        ),
        tuple(rows),
        (f"ratio of times: {theirs} / {ours}; ratio of costs: {ours} / {theirs}.",),
    )
    return everything, where_both


def _time_columns(prefix: str, ours: str, theirs: str) -> list[Column]:
    return [
        Column(f"{prefix}{key}", heading, form)
        for name in ("median", "mean")
        for key, heading, form in (
            (f"ours {name}", f"{name}\n{ours}", ".2f"),
            (f"theirs {name}", f"{name}\n{theirs}", ".2f"),
            (f"{name} ratio", f"{name}\nratio", ".1f"),
        )
    ]
