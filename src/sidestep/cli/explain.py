"""`sidestep explain`: why agents wait, make detours and step off their goals."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
from rich.table import Table

from .. import io
from ..explain import Answer, Inquiry, Summary
from ..explain.summary import Share, summary_of
from ..model.agents import agent_index
from .console import FILE, show, show_json
from .inputs import load_run, read_run, run_options
from .model_options import Model, model_options
from .progress import bar


@click.command("explain")
@click.argument("plan", type=FILE)
@click.option("--agent", help="Its name or number; without one, all agents.")
@click.option("--time", type=int, help="The step that begins at this time; without one, all steps.")
@click.option("--transcript", type=FILE, help="What the agents said: the file of `solve --transcript`.")
@click.option("--detail", is_flag=True, help="For experts: which dialogue is behind it, proposals and votes.")
@run_options
@model_options
@click.option("--json", "as_json", is_flag=True, help="One JSON object instead of text.")
def command(
    plan: Path,
    *,
    agent: str | None,
    time: int | None,
    transcript: Path | None,
    detail: bool,
    map_file: Path | None,
    scen: Path | None,
    row: int | None,
    as_json: bool,
    **others: Any,
) -> None:
    """Say why agents of PLAN do what they do: whom they wait for, and what it would cost to go on.

    With --agent and --time: one answer. With --agent: a summary and all steps that it did not like. With
    --time: all agents that do something they do not like then. With neither: a table of all agents.
    Every claim of an answer has been recomputed by code that shares nothing with what found it.
    """
    run = read_run(load_run(plan, others), Model.among(others), map_file, scen, row=row)
    said = None if transcript is None else io.read_transcript(transcript)
    inquiry = Inquiry(run, transcript=said)
    who = None if agent is None else agent_named(agent, inquiry.problem.names)
    if who is not None and time is not None:
        answer = inquiry.why(who, time, detail=detail)
        show_json(answer.data()) if as_json else show(answer.text)
    elif who is None and time is None:
        _tell_all(inquiry, as_json)
    else:
        _tell_steps(inquiry, who, time, detail=detail, as_json=as_json)


def agent_named(given: str, names: tuple[str, ...]) -> int:
    """The agent of a name, or else of a number."""
    number = given not in names and given.isascii() and given.isdigit()
    return agent_index(int(given) if number else given, names)


def _tell_all(inquiry: Inquiry, as_json: bool) -> None:
    agents = inquiry.problem.n_agents
    summaries = []
    with bar("asking") as progress:
        for agent in range(agents):
            progress.update(f"agent {agent + 1} of {agents}", (agent + 1) / agents)
            summaries.append(summary_of(inquiry, agent))
    if as_json:
        show_json({"agents": [summary.data() for summary in summaries]})
        return
    table = Table()
    for column in ("agent", "waits", "detours", "steps off its goal"):
        table.add_column(column, overflow="fold")
    for summary in sorted(summaries, key=lambda one: -_unwanted(one)):
        if _unwanted(summary):
            table.add_row(inquiry.problem.names[summary.agent], *_cells(summary))
    contented = sum(not _unwanted(summary) for summary in summaries)
    show(*([table] if table.rows else []), f"{contented} of {agents} agents always went on.")


def _cells(summary: Summary) -> list[str]:
    kinds = (summary.waits, summary.detours, (*summary.steps_off, *summary.makes_room))
    return [f"{_total(shares)}: {summary.reasons(shares)}" if shares else "" for shares in kinds]


def _unwanted(summary: Summary) -> int:
    kinds = (summary.waits, summary.detours, summary.steps_off, summary.makes_room)
    return sum(_total(shares) for shares in kinds) + summary.unknown


def _total(shares: tuple[Share, ...]) -> int:
    return sum(share.steps for share in shares)


def _tell_steps(
    inquiry: Inquiry, agent: int | None, time: int | None, *, detail: bool, as_json: bool
) -> None:
    """All steps of an agent, or of all agents at one time, that need a reason."""
    agents = range(inquiry.problem.n_agents) if agent is None else [agent]
    times = range(inquiry.run.first, inquiry.run.last) if time is None else [time]
    steps = [(one, when) for when in times for one in agents if inquiry.needs_a_reason(one, when)]
    answers = [inquiry.why(*step, detail=detail) for step in steps]
    summary = None if agent is None else summary_of(inquiry, agent)
    if as_json:
        head = {} if summary is None else {"summary": summary.data()}
        show_json(head | {"answers": [answer.data() for answer in answers]})
        return
    contented = f"At time {time} everybody goes on, or is where it wants to be."
    show(
        *([] if summary is None else [summary.text]),
        *([_table(answers)] if answers else [] if summary else [contented]),
    )


def _table(answers: list[Answer]) -> Table:
    table = Table(show_lines=True)
    table.add_column("time", justify="right")
    table.add_column("why", overflow="fold")
    for answer in answers:
        table.add_row(str(answer.time), answer.text)
    return table
