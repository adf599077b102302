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
from ..model.errors import InputError
from .console import FILE, json_option, show, show_json
from .inputs import load_run, read_run, run_options
from .model_options import Model, model_options
from .progress import bar

MOST_DIGITS = 10  # of the number of an agent


@click.command("explain")
@click.argument("plan", type=FILE)
@click.option("--agent", help="Its name or number; without one, all agents.")
@click.option("--time", type=int, help="The step that begins at this time; without one, all steps.")
@click.option(
    "--not", "place", metavar="PLACE", help="Why it is not there then: ROW,COL, or a vertex of a graph."
)
@click.option("--before", metavar="AGENT", help="Why --agent went before this one.")
@click.option("--transcript", type=FILE, help="What the agents said: the file of `solve --transcript`.")
@click.option("--detail", is_flag=True, help="For experts: which dialogue is behind it, proposals and votes.")
@run_options
@model_options
@json_option
def command(
    plan: Path,
    *,
    agent: str | None,
    time: int | None,
    place: str | None,
    before: str | None,
    transcript: Path | None,
    detail: bool,
    map_file: Path | None,
    scen: Path | None,
    row: int | None,
    as_json: bool,
    **others: Any,
) -> None:
    """Say why agents of PLAN do what they do: whom they wait for, and what it would cost to go on.

    With --agent and --time: one answer; with --not, why the agent is not in a place then. With --agent and
    --before: why it went before another. With --agent: a summary and all steps that it did not like. With
    --time: all agents that do something they do not like then. With neither: a table of all agents.
    Every claim of an answer has been recomputed by code that shares nothing with what found it.
    """
    run = read_run(load_run(plan, others), Model.among(others), map_file, scen, row=row)
    said = None if transcript is None else io.read_transcript(transcript)
    inquiry = Inquiry(run, transcript=said)
    who = None if agent is None else agent_named(agent, inquiry.problem.names)
    answer = _answered(inquiry, who, time, place, before, detail=detail)
    if answer is not None:
        show_json(answer.data()) if as_json else show(answer.text)
    elif who is None and time is None:
        _tell_all(inquiry, as_json)
    else:
        _tell_steps(inquiry, who, time, detail=detail, as_json=as_json)


def _answered(
    inquiry: Inquiry,
    who: int | None,
    time: int | None,
    place: str | None,
    before: str | None,
    *,
    detail: bool,
) -> Answer | None:
    """The answer to a question about one step, one place or two agents; None: it is about more than that."""
    if place is not None and before is not None:
        raise InputError("--not and --before are two questions: ask one at a time")
    if before is not None:
        if who is None or time is not None:
            raise InputError("--before AGENT goes with --agent, and without --time: who went before it")
        return inquiry.why_first(who, agent_named(before, inquiry.problem.names), detail=detail)
    if place is not None:
        if who is None or time is None:
            raise InputError("--not PLACE goes with --agent and --time: who is not there, and when")
        return inquiry.why_not(who, time, place_of(place), detail=detail)
    return None if who is None or time is None else inquiry.why(who, time, detail=detail)


def place_of(given: str) -> Any:
    """A place as people write it: `1,2` or `(1, 2)` is a cell, `7` a vertex."""
    parts = given.strip().removeprefix("(").removesuffix(")").split(",")
    try:
        numbers = [int(part) for part in parts]
    except ValueError:
        raise InputError(f"a place is ROW,COL on a grid or a number in a graph, not {given!r}") from None
    return numbers[0] if len(numbers) == 1 else tuple(numbers)


def agent_named(given: str, names: tuple[str, ...]) -> int:
    """The agent of a name, or else of a number."""
    number = given not in names and given.isascii() and given.isdigit() and len(given) < MOST_DIGITS
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
