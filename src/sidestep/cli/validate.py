"""`sidestep validate`: the judge, for plans of any origin."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
from rich.table import Table

from .. import io
from ..errors import InputError
from ..plan import Plan
from ..validate import Report
from ..validate import validate as judge
from ..validate import validate_trace as judge_trace
from .console import show, show_json
from .reading import FILE, Model, model_options, read_foreign_plan, read_own_plan

SHOWN = 20  # violations in the table; the count says how many there are


@click.command("validate")
@click.argument("plan", type=FILE)
@click.option("--map", "map_file", type=FILE, help="The map of a lacam3 or EECBS plan.")
@click.option("--scen", type=FILE, help="The scenario whose starts and goals such a plan must keep.")
@model_options
@click.option("--json", "as_json", is_flag=True, help="One JSON object instead of a table.")
def command(plan: Path, map_file: Path | None, scen: Path | None, as_json: bool, **others: Any) -> int:
    """Judge PLAN: one of our plan or trace files, or a plan of lacam3 or EECBS with --map.

    Exit code 0: valid, 1: not valid, 2: bad input.
    """
    kind = io.detect(plan)
    if kind == "trace":
        trace = io.read_trace(plan)
        verdict, what = judge_trace(trace), f"a trace of {len(trace.positions) - 1} turns"
    else:
        found = _plan(plan, kind, Model.among(others), map_file, scen)
        verdict, what = judge(found.problem, found), _summary(found)
    show_json(_described(verdict)) if as_json else show(*_shown(verdict, f"{plan}: {what}"))
    return 0 if verdict else 1


def _plan(path: Path, kind: str, model: Model, map_file: Path | None, scen: Path | None) -> Plan:
    if kind in ("lacam", "eecbs"):
        return read_foreign_plan(path, kind, model, map_file, scen)
    if kind != "plan":
        raise InputError(f"{path} is a {kind} file: there is no plan in it to judge")
    if map_file is not None or scen is not None or model != Model():
        raise InputError(f"{path} brings its own problem: it is judged without --map, --scen or rules")
    return read_own_plan(path)


def _summary(plan: Plan) -> str:
    return f"{plan.problem.n_agents} agents, {plan.makespan} steps, cost {plan.cost}"


def _described(verdict: Report) -> dict[str, Any]:
    violations = [
        {
            "kind": str(violation.kind),
            "time": violation.time,
            "agents": violation.agents,
            "place": violation.place,
            "sentence": str(violation),
        }
        for violation in verdict.violations
    ]
    return {"valid": bool(verdict), "cost": verdict.cost, "count": verdict.count, "violations": violations}


def _shown(verdict: Report, what: str) -> list[Any]:
    if verdict:
        return [f"valid: {what}"]
    table = Table(show_header=False)
    for violation in verdict.violations[:SHOWN]:
        table.add_row(str(violation))
    violations = "1 violation" if verdict.count == 1 else f"{verdict.count} violations"
    more = f", the first {SHOWN} of them" if verdict.count > SHOWN else ""
    return [f"not valid: {what}; {violations}{more}:", table]
