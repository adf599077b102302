"""Task files of the League of Robot Runners: a number of tasks, then a task per line.

A task is the cells to visit in order, separated by commas, each as `row * width + column`. Lines that begin
with `#` say nothing. A file of 2023 has one cell per line.
"""

from __future__ import annotations

from ..model.errors import FormatError
from ..model.grid import Grid
from ..model.task import Task
from .cells import require_grid
from .files import Readable, load


def read_tasks(path: Readable, grid: Grid) -> tuple[Task, ...]:
    """Reads a task file of the League of Robot Runners.

    Args:
        path: The file.
        grid: The map.

    Returns:
        The tasks, in the order of the file, all released at time 0.

    Raises:
        FormatError: The file is malformed, or a cell is not on the map or closed.
        InputError: The file cannot be read, or there is no grid.
    """
    grid, document = require_grid(grid), load(path)
    rows = [
        (number, text.strip())
        for number, text in enumerate(document.lines, start=1)
        if text.strip() and not text.lstrip().startswith("#")
    ]
    if not rows or not rows[0][1].isdecimal():
        raise FormatError("a task file begins with the number of its tasks", source=document.source)
    tasks = tuple(_task(text, grid, document.source, number) for number, text in rows[1:])
    if len(tasks) != int(rows[0][1]):
        raise FormatError(
            f"the file says that it has {rows[0][1]} tasks, and has {len(tasks)}", source=document.source
        )
    return tasks


def _task(text: str, grid: Grid, source: str, line: int) -> Task:
    errands = []
    for word in text.strip(",").split(","):
        if not word.strip().isdecimal() or not (vertex := int(word)) < grid.n:
            raise FormatError(f"{word.strip()!r} is no cell of the map", source=source, line=line)
        if not grid.open[vertex]:
            raise FormatError(f"{grid.place(vertex)} is a wall", source=source, line=line)
        errands.append(grid.place(vertex))
    return Task(tuple(errands))
