"""The plans of the MAPF tracker (tracker.pathfinding.ai): CSV, a header and one plan per row.

Of the columns (`map_name`, `scen_type`, `type_id`, `agents`, `lower_cost`, `solution_cost`, `solution_plan`,
`flip_up_down`) the plan is needed; in the files of single instances it is called `path`, and in submissions
the agents are `agent_count`. A plan is a cell of several lines, one per agent in the order of the scenario:
letters for up, down, left, right and wait, a number before a letter repeating it, `5r2d`. An agent stays
where its letters end. The starts are not in the file.

The trap: in the plans that the tracker exports, `u` is y+1, a step towards the bottom of the map. What is
sent to the tracker is documented the other way round, and `flip_up_down` says that up and down are swapped.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ..model.arrays import is_whole
from ..model.errors import FormatError, InputError
from ..model.plan import Plan
from ..model.problem import Problem
from .cells import Spot, require_grid
from .files import Document, Readable, load
from .format import Format, begins
from .moves import Moves, Up, row_of_up, step_table, walked

PLAN_COLUMNS = ("solution_plan", "path")
AGENT_COLUMNS = ("agents", "agent_count")

_CELL = re.compile(r'[ \t]*"([^"]*+(?:""[^"]*+)*+)"[ \t]*|([^",\n]*+)')
_RUN = "(?:[1-9][0-9]{0,9})?[udlrw]"
_YES, _NO = ("true", "1", "yes"), ("false", "0", "no", "")


@dataclass(frozen=True)
class _Cell:
    text: str
    line: int


@dataclass(frozen=True)
class _Row:
    """One plan: its paths with their lines, and what else the row says."""

    number: int  # from 1, the header not counted
    paths: list[_Cell]
    cost: int | None
    flipped: bool


def read_tracker(path: Readable, problem: Problem, *, row: int | None = None, u: Up = "row+1") -> Plan:
    """Reads a row of a file of the MAPF tracker. It is read, not judged: the plan may collide.

    Args:
        path: The file.
        problem: The problem that the row is for.
        row: Which row, from 1 on; it may be left out where only one row has as many agents as the problem.
        u: What the letter u does in a row that is not flipped: `"row+1"` or `"row-1"`.

    Returns:
        The plan. The solution cost becomes its `claimed_cost` where the rules count a sum of costs.

    Raises:
        FormatError: The file is malformed, or does not fit the problem.
        InputError: The file cannot be read, or another argument is not valid.
    """
    if not isinstance(problem, Problem):
        raise InputError(f"a plan of moves needs the Problem that it is for, not a {type(problem).__name__}")
    grid, up, document = require_grid(problem.space), row_of_up(u), load(path)
    source = document.source
    found = _chosen(document.parsed(_rows), row, problem.n_agents, source)
    if len(found.paths) != problem.n_agents:
        raise FormatError(
            f"row {found.number} has {len(found.paths)} agents, but the problem has {problem.n_agents}",
            source=source,
        )
    up = -up if found.flipped else up
    table = step_table({"u": (up, 0), "d": (-up, 0), "l": (0, -1), "r": (0, 1)})
    starts = [
        Spot(*grid.place(start), line=cell.line)
        for start, cell in zip(problem.starts.tolist(), found.paths, strict=True)
    ]
    moves = [_moves(cell, table, source) for cell in found.paths]
    is_cost = problem.rules.cost == "sum_of_costs"
    return Plan(
        problem,
        walked(grid, starts, moves, problem.names, document),
        claimed_cost=found.cost if is_cost else None,
    )


def count_agents(path: Readable, row: int | None = None) -> int:
    """How many agents a row has, or the only row."""
    document = load(path)
    return len(_chosen(document.parsed(_rows), row, None, document.source).paths)


def _chosen(rows: list[_Row], number: int | None, agents: int | None, source: str) -> _Row:
    if number is not None:
        if not is_whole(number) or not 1 <= number <= len(rows):
            raise InputError(f"{source}: row must be a whole number from 1 to {len(rows)}, not {number!r}")
        return rows[number - 1]
    fitting = [row for row in rows if agents is None or len(row.paths) == agents]
    if len(rows) > 1 and len(fitting) != 1:
        counts = ", ".join(f"row {row.number} with {len(row.paths)} agents" for row in rows[:4])
        more = f" and {len(rows) - 4} more" if len(rows) > 4 else ""
        raise InputError(f"{source}: there are {len(rows)} plans, {counts}{more}: say which row")
    return fitting[0] if len(rows) > 1 else rows[0]


def _rows(document: Document) -> list[_Row]:
    source = document.source
    (_, header), *table = [*_table(document.text, source)] or [(1, [])]
    names = [cell.text.strip() for cell in header]
    if not set(PLAN_COLUMNS) & set(names):
        raise FormatError("the header has no column solution_plan", source=source, line=1)
    rows: list[_Row] = []
    for line, cells in table:
        if len(cells) != len(names):
            raise FormatError(
                f"a row has {len(names)} cells like the header, not {len(cells)}", source=source, line=line
            )
        rows.append(_row(len(rows) + 1, dict(zip(names, cells, strict=True)), source))
    if not rows:
        raise FormatError("there are no plans in this file", source=source, line=1)
    return rows


def _table(text: str, source: str) -> Iterator[tuple[int, list[_Cell]]]:
    """The rows of a CSV, which may have lines within quotes, each with the line where it begins."""
    at, line, first = 0, 1, 1
    cells: list[_Cell] = []
    while at < len(text) or cells:
        match = _CELL.match(text, at)
        end = match.end() if match else at
        if match is None or text[end : end + 1] not in ("", ",", "\n"):
            raise FormatError("a cell that begins with a quote must end with one", source=source, line=line)
        value = match[2] if match[1] is None else match[1].replace('""', '"')
        cells.append(_Cell(value, line))
        line += text.count("\n", at, end + 1)
        at = end + 1
        if text[end : end + 1] != ",":
            if len(cells) > 1 or cells[0].text:
                yield first, cells
            cells, first = [], line


def _row(number: int, cells: dict[str, _Cell], source: str) -> _Row:
    plan = next(cells[name] for name in PLAN_COLUMNS if name in cells)
    told = next((cells[name] for name in AGENT_COLUMNS if name in cells), None)
    agents = None if told is None else _number(told, "the number of agents", source)
    lines = [_Cell(text.strip(), plan.line + index) for index, text in enumerate(plan.text.split("\n"))]
    if len(lines) > 1 and not lines[-1].text and len(lines) != agents:
        lines.pop()  # a line end after the last path; an agent that never moves has an empty path
    if agents is not None and agents != len(lines):
        raise FormatError(
            f"row {number} says {agents} agents, but has {len(lines)} paths", source=source, line=plan.line
        )
    cost = cells.get("solution_cost")
    return _Row(
        number,
        lines,
        None if cost is None else _number(cost, "the solution cost", source),
        _flag(cells.get("flip_up_down"), source),
    )


def _number(cell: _Cell, what: str, source: str) -> int | None:
    text = cell.text.strip()
    if text and not re.fullmatch("[0-9]{1,18}", text):
        raise FormatError(f"{what} must be a whole number, not {text[:40]!r}", source=source, line=cell.line)
    return int(text) if text else None


def _flag(cell: _Cell | None, source: str) -> bool:
    text = "" if cell is None else cell.text.strip().lower()
    if cell is not None and text not in _YES + _NO:
        raise FormatError(
            f"flip_up_down must be true or false, not {text[:40]!r}", source=source, line=cell.line
        )
    return text in _YES


def _moves(cell: _Cell, table: np.ndarray[tuple[int, ...], np.dtype[np.int8]], source: str) -> Moves:
    if not re.fullmatch(f"(?:{_RUN})*+", cell.text):
        raise FormatError("a path is made of moves like 5r2du", source=source, line=cell.line)
    runs = re.findall("([0-9]*)([udlrw])", cell.text)
    codes = np.array([ord(letter) for _, letter in runs], dtype=np.intp)
    times = np.array([int(number or 1) for number, _ in runs], dtype=np.int64)
    down, right = table[:, codes]
    return Moves(down, right, times)


TRACKER_FORMAT = Format(
    name="tracker",
    title="MAPF tracker plans, CSV",
    called="a plan of the MAPF tracker",
    sniff=begins(r"(?=[^\n]*\b(solution_plan|path)\b)[^\n]*\b(map_name|agents|agent_count)\b"),
    loads={Plan: read_tracker},
    needs=(Problem,),
    suffixes=(".csv",),
    count=count_agents,
)
