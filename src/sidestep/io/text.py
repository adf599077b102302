"""Drawings in text files: `a` starts, `A` is its goal, `.` is free, `#` is a wall (see Problem.from_text)."""

from __future__ import annotations

from string import ascii_lowercase
from typing import Literal

import numpy as np

from ..model.errors import FormatError, InputError
from ..model.grid import Corners
from ..model.problem import Problem
from ..model.rules import Rules
from .cells import refuse_extras, require_grid
from .files import FilePath, Readable, load, store_text
from .format import Format, begins


def read_text(
    path: Readable,
    *,
    rules: Rules = Rules(),
    connectivity: Literal[4, 8] = 4,
    corners: Corners = "none",
) -> Problem:
    """Reads a drawing; one without letters is a problem without agents.

    Args:
        path: The file, as `Problem.from_text` describes it.
        rules: The rules of the problem.
        connectivity: As for `Grid`.
        corners: As for `Grid`.

    Returns:
        The problem.

    Raises:
        FormatError: The drawing is malformed.
        InputError: The file cannot be read, or another argument is not valid.
    """
    document = load(path)
    try:
        return Problem.from_text(document.text, connectivity, corners, rules=rules)
    except FormatError as error:
        raise FormatError(error.problem, source=document.source, line=error.line) from None


def write_text(problem: Problem, path: FilePath) -> None:
    """Draws a problem.

    Agents whose names are letters in order keep them; others become a, b, c, … Connectivity, corners
    and rules are not part of a drawing: they are arguments of `read_text`.

    Args:
        problem: A problem on a grid of at most 26 agents, none of whose starts is also a goal.
        path: The file.

    Raises:
        InputError: A drawing cannot show the problem, or the file cannot be written.
    """
    store_text(path, dumps_text(problem))


def dumps_text(problem: Problem) -> str:
    """The text of such a file."""
    grid = require_grid(problem.space)
    if problem.n_agents > len(ascii_lowercase):
        raise InputError(f"a drawing has letters for 26 agents, not for {problem.n_agents}")
    refuse_extras(problem, "a drawing")
    drawn = np.where(grid.passable, ".", "#")
    for letter, agent in zip(_letters(problem), problem.agents, strict=True):
        for mark, cell in ((letter, agent.start), (letter.upper(), agent.goal)):
            if cell is None:
                continue
            if drawn[cell] != ".":
                raise InputError(f"cell {cell} is a start and a goal, which a drawing cannot show")
            drawn[cell] = mark
    return "".join("".join(row) + "\n" for row in drawn)


def _letters(problem: Problem) -> str:
    names = problem.names
    if all(len(name) == 1 and name in ascii_lowercase for name in names) and list(names) == sorted(names):
        return "".join(names)
    return ascii_lowercase[: problem.n_agents]


TEXT_FORMAT = Format(
    name="text",
    title="drawing",
    called="a drawing",
    sniff=begins(r"[.#@a-zA-Z\s]+\Z"),
    loads={Problem: read_text},
    dumps={Problem: dumps_text},
    suffixes=(".txt",),
    to="text",
)
