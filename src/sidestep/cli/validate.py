"""`sidestep validate`: the judge, for plans of any origin."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
from rich.table import Table

from .. import io
from ..dialogue.protocol import check_protocol
from ..judge import Report
from ..judge import validate as judge
from ..judge import validate_trace as judge_trace
from ..model.errors import ProtocolError
from ..model.plan import Plan
from ..model.trace import Trace
from .console import FILE, json_option, show, show_json
from .inputs import load_run, read_run, run_options
from .model_options import Model, model_options

SHOWN = 20  # violations in the table; the count says how many there are


@click.command("validate")
@click.argument("plan", type=FILE)
@run_options
@model_options
@json_option
def command(
    plan: Path, *, map_file: Path | None, scen: Path | None, row: int | None, as_json: bool, **others: Any
) -> int:
    """Judge PLAN: one of our plan or trace files, or another program's plan with --map.

    Other programs are lacam3, EECBS, libMultiRobotPlanning, the MAPF tracker (with --scen) and the League of
    Robot Runners. Of a transcript file it says whether its dialogues keep to their protocol. Exit code 0:
    valid, 1: not valid, 2: bad input.
    """
    document = load_run(plan, others)
    if io.detect(document) == "transcript":
        return _judge_transcript(document, as_json)
    run = read_run(document, Model.among(others), map_file, scen, row=row)
    verdict, what = _judged(run)
    show_json(_described(verdict)) if as_json else show(*_shown(verdict, f"{plan}: {what}"))
    return 0 if verdict else 1


def _judge_transcript(document: io.Document, as_json: bool) -> int:
    transcript = io.read_transcript(document)
    fault = ""
    try:
        check_protocol(transcript)
    except ProtocolError as error:
        fault = str(error)
    what = f"{document.source}: {len(transcript)} utterances of {len(transcript.names)} agents"
    if as_json:
        show_json({"valid": not fault, "utterances": len(transcript), "sentence": fault})
    else:
        show(f"not valid: {what}; {fault}" if fault else f"valid: {what}")
    return 1 if fault else 0


def _judged(run: io.PlanFile | Plan | Trace) -> tuple[Report, str]:
    if isinstance(run, Trace):
        return judge_trace(run), f"a trace of {len(run.positions) - 1} turns"
    plan = run.plan if isinstance(run, io.PlanFile) else run
    return judge(run.problem, plan), "no plan" if plan is None else _summary(plan)


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
