"""The parts of what the library answers that must stay the same; each gets a digest of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import sidestep as ss

from . import surface

Parts = dict[str, Any]
Case = Callable[[], Parts]
Cases = Iterator[tuple[str, Case]]

# Seconds and memory are not the same on every run.
UNREPEATABLE = ("seconds", "megabytes", "cost_over_time")


def of_problem(problem: ss.Problem) -> Parts:
    """The agents, the rules and the space."""
    names = ("starts", "goals", "priorities", "sizes", "periods", "names")
    return {
        "agents": [getattr(problem, name) for name in names],
        "rules": of_rules(problem.rules),
        "space": of_space(problem.space),
    }


def of_rules(rules: ss.Rules) -> Parts:
    names = ("following", "crossing", "at_goal", "shared_goals", "cost")
    return {name: getattr(rules, name) for name in names}


def of_space(space: ss.Grid | ss.Graph) -> Parts:
    if isinstance(space, ss.Grid):
        return {"free": space.passable, "connectivity": space.connectivity, "corners": space.corners}
    return {
        "edges": space.edges,
        "directed": space.directed,
        "positions": space.positions,
        "conflicts": space.edge_conflicts,
    }


def of_plan(plan: ss.Plan) -> Parts:
    return {"plan": plan.vertices, "cost": [plan.cost, plan.costs, plan.claimed_cost]}


def of_result(result: ss.Result) -> Parts:
    """Status, plan, bound, counts, what was said, and whether the judge agrees."""
    parts: Parts = {
        "status": [result.status, result.lower_bound],
        "stats": {name: value for name, value in result.stats.items() if name not in UNREPEATABLE},
    }
    if result.plan is not None:
        parts |= of_plan(result.plan)
        parts["judged"] = of_report(ss.validate(result.problem, result.plan))
    if result.transcript is not None:
        parts["transcript"] = surface.transcript_data(result.transcript)
    return parts


def of_trace(trace: ss.Trace) -> Parts:
    """The history, the events, and how all began."""
    first = ("names", "start_time", "open", "starts", "goals", "priorities", "headings", "progress")
    return {
        "positions": trace.positions,
        "events": trace.events,
        "beginning": [getattr(trace, name) for name in first],
        "agents": [trace.sizes, trace.periods],
    }


def of_report(report: ss.Report) -> Parts:
    """The judge's verdict without its sentences."""
    found = [(one.kind, one.time, list(one.agents), one.place) for one in report.violations]
    return {"valid": bool(report), "count": report.count, "violations": found}


def of_route(route: ss.Route) -> Parts:
    length = [route.status, route.cost, route.straight, route.diagonal, route.expanded]
    return {"route": [*length, route.vertices, route.visited]}
