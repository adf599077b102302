"""Optimal solvers beside those of w9-pathfinding: who solves how many within a few seconds?

The same instances in one run, every plan judged, and costs compared where both solve. w9's OD knows no
independence detection; ours is measured with it, as one would use it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from sidestep import CBS, ICTS, ID

from .contenders import Algorithm, Contender
from .measurements import Column, Measurements, Row, Say, Table, Target, Verdict
from .rivals import Case, Pair, against_w9, attempt, instance, summary

SIDE = 32
ODID, ICTS_ALL, CBS_ALL = "OD+ID", "ICTS", "CBS"
CROWDED = (30, 40)  # agents

AS_MANY = Target(
    "OD+ID and ICTS: instances solved more than w9, at the worst size", 0, "instances", at_least=True
)
MORE = Target(
    "OD+ID and ICTS: instances solved more than w9 in total, the less of the two",
    1,
    "instances",
    at_least=True,
)
TWICE = Target("CBS: times as many solved as w9, 30 and 40 agents, the worse", 2, "times", at_least=True)
SAME = Target("instances that both solve at different costs", 0, "instances")


@dataclass(frozen=True)
class Settings:
    """How many agents, how many instances of each, and how long each of them may take."""

    agents: tuple[int, ...]
    instances: int
    seconds: float

    @property
    def algorithms(self) -> tuple[Algorithm, ...]:
        return (
            Algorithm(ODID, ID(), "MultiAgentAStar", seconds=self.seconds),
            Algorithm(ICTS_ALL, ICTS(joint_takeover=False), "ICTS", seconds=self.seconds),
            Algorithm(CBS_ALL, CBS(joint_takeover=False), "CBS", seconds=self.seconds),
        )


FULL = Settings((8, 12, 16, 20, 30, 40), 20, 5.0)
QUICK = Settings((8, 20, 30, 40), 4, 1.0)


def measure(settings: Settings, seed: int, say: Say) -> Measurements:
    """All sizes and algorithms, if the rival is there."""
    return against_w9(partial(compare, settings=settings, seed=seed, say=say))


def compare(ours: Contender, rival: Contender, settings: Settings, seed: int, say: Say) -> Measurements:
    """Two contenders on the same instances."""
    rows: list[Row] = []
    for agents in settings.agents:
        case = Case(SIDE, agents, 0, 0)
        for algorithm in settings.algorithms:
            pairs = []
            for number in range(settings.instances):
                say(f"{algorithm.title}, {agents} agents: {number + 1}/{settings.instances}")
                problem = instance(case, seed + number)
                pairs.append((attempt(ours, problem, algorithm), attempt(rival, problem, algorithm)))
            rows.append({**summary(case, algorithm, pairs), "different": different(pairs)})
    return Measurements((_table(rows, settings, ours.name, rival.name),), tuple(verdicts(rows)))


def different(pairs: Sequence[Pair]) -> int:
    """On how many of the instances that both solve are the costs not the same?"""
    return sum(None not in (one.cost, two.cost) and one.cost != two.cost for one, two in pairs)


def verdicts(rows: Sequence[Row]) -> list[Verdict]:
    """The targets."""
    lead: dict[str, list[int]] = {ODID: [], ICTS_ALL: []}
    for row in rows:
        if row["algorithm"] in lead:
            lead[row["algorithm"]].append(row["ours solved"] - row["theirs solved"])
    crowded = [row for row in rows if row["algorithm"] == CBS_ALL and row["agents"] in CROWDED]
    times = [row["ours solved"] / max(row["theirs solved"], 1) for row in crowded]
    return [
        AS_MANY.judge(min((least for many in lead.values() for least in many), default=None)),
        MORE.judge(min((sum(many) for many in lead.values() if many), default=None)),
        TWICE.judge(min(times, default=None)),
        SAME.judge(sum(row["different"] for row in rows)),
    ]


def _table(rows: Sequence[Row], settings: Settings, ours: str, theirs: str) -> Table:
    return Table(
        f"{ours} and {theirs}: optimal plans within {settings.seconds:g} s, {SIDE}x{SIDE}, CPU time in ms",
        (
            Column("agents"),
            Column("algorithm"),
            Column("instances", "runs"),
            Column("ours solved", f"solved\n{ours}"),
            Column("theirs solved", f"solved\n{theirs}"),
            Column("ours refused", f"refused\n{ours}"),
            Column("theirs refused", f"refused\n{theirs}"),
            Column("ours median", f"median\n{ours}", ".1f"),
            Column("theirs median", f"median\n{theirs}", ".1f"),
            Column("both", "both\nsolve"),
            Column("both median ratio", "ratio\nthere", ".1f"),
            Column("different", "costs\ndiffer"),
        ),
        tuple(rows),
        (
            f"{theirs} has operator decomposition without independence detection.",
            "median: over all instances, unsolved ones at their limit.",
        ),
    )
