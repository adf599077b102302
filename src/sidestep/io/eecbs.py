"""The paths file of EECBS: one line `Agent 0: (row,col)->(row,col)->` per agent.

A path ends when its agent arrives for good; from then on the agent stays.
"""

from __future__ import annotations

import re

import numpy as np

from ..model.errors import FormatError, InputError
from ..model.grid import Grid
from ..model.plan import Plan
from ..model.problem import Problem
from ..model.rules import Rules
from .cells import CellArray, Spot, number_pairs, problem_of, require_grid, vertices_of
from .files import Document, FilePath, Readable, load, store_text
from .format import Format, begins
from .paths import padded, trimmed


def read_eecbs(path: Readable, space: Grid | Problem, *, rules: Rules = Rules()) -> Plan:
    """Reads a paths file of EECBS. It is read, not judged: the plan may collide or cross walls.

    Args:
        path: The file.
        space: With a `Grid`, agents start where their paths begin and want to be where they end. With a
            `Problem` the plan is a claim about that problem.
        rules: The rules of the problem, if `space` is a grid.

    Returns:
        The plan.

    Raises:
        FormatError: The file is malformed, or does not fit the map or the problem.
        InputError: The file cannot be read, or another argument is not valid.
    """
    grid, document = require_grid(space.space if isinstance(space, Problem) else space), load(path)
    source = document.source
    paths = document.parsed(_paths)
    vertices = [vertices_of(grid, cells, source=source, line=line) for line, cells in paths]
    makespan = max(len(cells) for _, cells in paths) - 1
    document.check_positions(makespan, len(paths))
    problem = space if isinstance(space, Problem) else _problem(grid, paths, source, rules)
    if problem.n_agents != len(paths):
        raise FormatError(
            f"there are {len(paths)} paths, but the problem has {problem.n_agents} agents", source=source
        )
    return Plan(problem, padded(vertices, makespan))


def count_agents(path: Readable) -> int:
    """How many agents a paths file has."""
    return len(load(path).parsed(_paths))


def _paths(document: Document) -> list[tuple[int, CellArray]]:
    source = document.source
    paths: list[tuple[int, CellArray]] = []
    for line, text in enumerate(document.lines, 1):
        if not text:
            continue
        match = re.match(r"\s*Agent\s+([0-9]{1,10})\s*:", text)
        if not match:
            raise FormatError("a line begins with 'Agent 0:' and so on", source=source, line=line)
        if int(match[1]) != len(paths):
            raise FormatError(
                f"expected agent {len(paths)} here, not agent {match[1]}", source=source, line=line
            )
        cells = number_pairs(text[match.end() :], "->", source=source, line=line)
        if not len(cells):
            raise FormatError(f"agent {match[1]} has no path", source=source, line=line)
        paths.append((line, cells))
    if not paths:  # what a crashed run leaves must not pass for a plan without agents
        raise FormatError("there are no paths in this file", source=source)
    return paths


def _problem(grid: Grid, paths: list[tuple[int, CellArray]], source: str, rules: Rules) -> Problem:
    starts = [Spot(int(cells[0, 0]), int(cells[0, 1]), line) for line, cells in paths]
    goals = [Spot(int(cells[-1, 0]), int(cells[-1, 1]), line) for line, cells in paths]
    return problem_of(grid, starts, goals, source=source, rules=rules)


def write_eecbs(plan: Plan, path: FilePath) -> None:
    """Writes a paths file of EECBS.

    Args:
        plan: The plan, on a grid.
        path: The file.

    Raises:
        InputError: There are no agents, one is not there at some time, or the file cannot be written.
    """
    store_text(path, dumps_eecbs(plan))


def dumps_eecbs(plan: Plan) -> str:
    """The text of such a file."""
    grid = require_grid(plan.problem.space)
    if not plan.problem.n_agents:
        raise InputError("a paths file needs at least one agent")
    if np.any(plan.vertices < 0):
        raise InputError("an agent is not there at some time, which a paths file cannot say")
    lines = []
    for agent, vertices in enumerate(trimmed(plan.vertices)):
        cells = "".join(f"({row},{col})->" for row, col in map(grid.place, vertices))
        lines.append(f"Agent {agent}: {cells}\n")
    return "".join(lines)


EECBS_FORMAT = Format(
    name="eecbs",
    title="EECBS paths",
    called="an EECBS plan",
    sniff=begins(r"Agent\s+[0-9]+\s*:"),
    loads={Plan: read_eecbs},
    dumps={Plan: dumps_eecbs},
    needs=(Grid, Problem),
    suffixes=(".paths",),
    to="eecbs",
    written="EECBS paths",
    count=count_agents,
)
