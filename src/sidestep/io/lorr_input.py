"""Problems of the League of Robot Runners: JSON that names a map, a file of starts and a file of tasks.

`mapFile`, `agentFile` (`robotFile` in 2023) and `taskFile` are paths from the folder of the JSON. The file of
starts has the number of agents, then a cell per line; the file of tasks the number of tasks, then a task per
line: the cells to visit in order, separated by commas. A cell is `row * width + column`, and lines that begin
with `#` say nothing. `teamSize` of the agents take part, and `numTasksReveal` tasks per agent are always
there. Where the `taskAssignmentStrategy` of 2023 is a round robin, task k is for agent k modulo the team.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any, Literal

from ..model.agents import FACINGS, Agent
from ..model.arrays import is_number
from ..model.errors import FormatError, InputError
from ..model.grid import Grid
from ..model.problem import Problem
from ..model.rules import Rules
from ..model.task import Task
from .cells import require_grid
from .files import Document, FilePath, Readable, load, source_of, store_text
from .format import Format, is_object
from .jsonfile import INT32, Record, laid_out, record_of
from .movingai import dumps_map, read_map

FIELDS = ("mapFile", "taskFile", "teamSize")  # by all of them a problem is recognised
LEAGUE_PASSABLE = ".SE"  # free cells, service points and emitters
ROUND_ROBIN = "roundrobin"
FIRST_FACING: Literal["E"] = "E"  # of all agents of the League

_READ = (*FIELDS, "agentFile", "robotFile", "numTasksReveal", "taskAssignmentStrategy")


@dataclass(frozen=True)
class Workload:
    """Agents, and tasks that they take one after another.

    Attributes:
        problem: The agents at their starts, without goals.
        tasks: The tasks, in the order in which they come in.
        pool: Tasks per agent that are always there, those under way included, as `Stream.listed` takes it.
        rest: What else the file says, kept as it is: its version, sizes, delays.

    Raises:
        InputError: The pool is not a number above 0.
    """

    problem: Problem
    tasks: tuple[Task, ...]
    pool: float = 1.5
    rest: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not is_number(self.pool) or not 0 < self.pool <= INT32:
            raise InputError(f"pool must be a number above 0, not {self.pool!r}")
        object.__setattr__(self, "tasks", tuple(self.tasks))
        object.__setattr__(self, "rest", MappingProxyType(dict(self.rest)))

    @classmethod
    def from_problem(cls, problem: Problem) -> Workload:
        """Makes a task of every goal, for the agent whose goal it is.

        Args:
            problem: Agents with goals.

        Returns:
            The same agents without goals, and a task for each.

        Raises:
            InputError: An agent has no goal.
        """
        agents = problem.agents.to_agents()
        for agent in agents:
            if agent.goal is None:
                raise InputError(f"agent {agent.name} has no goal that could become its task")
        tasks = tuple(Task((agent.goal,), agents=(k,)) for k, agent in enumerate(agents))
        idle = [replace(agent, goal=None) for agent in agents]
        return cls(Problem.from_agents(problem.space, idle, rules=problem.rules), tasks, pool=1.0)


def read_lorr_input(
    path: Readable, *, rules: Rules = Rules(shared_goals=True), turning: bool = False
) -> Workload:
    """Reads a problem of the League of Robot Runners, with the files that it names.

    Args:
        path: The JSON file.
        rules: What agents may do; the League lets tasks of several agents end in one cell.
        turning: Whether agents have to turn, as in the League; all face east at first.

    Returns:
        The agents and their tasks, on a map with 4 neighbours.

    Raises:
        FormatError: A file is malformed, or a cell is not on the map or closed.
        InputError: A file cannot be read, or two agents start in one cell.
    """
    document = load(path)
    record = record_of(document)
    grid = read_map(_beside(document, record.text("mapFile"), "map"), passable=LEAGUE_PASSABLE)
    named = "robotFile" if record.has("robotFile") else "agentFile"
    starts = _read_starts(_beside(document, record.text(named), "file of starts"), grid)
    size = record.integer("teamSize", low=0, high=INT32)
    if size > len(starts):
        raise record.error("teamSize", f"is {size}, but there are {len(starts)} starts")
    facing: Literal["E"] | None = FIRST_FACING if turning else None
    robots = [Agent(start, facing=facing) for start in starts[:size]]
    problem = Problem.from_agents(grid, robots, rules=rules)
    tasks = read_tasks(_beside(document, record.text("taskFile"), "file of tasks"), grid)
    return Workload(problem, _assigned(tasks, record, size), _pool(record), record.rest(*_READ))


def _beside(document: Document, name: str, what: str) -> Document:
    return load(document.beside(name, what))


def _pool(record: Record) -> float:
    pool = record.number("numTasksReveal") if record.has("numTasksReveal") else 1.0
    if not 0 < pool <= INT32:
        raise record.error("numTasksReveal", "must be above 0")
    return pool


def _assigned(tasks: tuple[Task, ...], record: Record, size: int) -> tuple[Task, ...]:
    """Tasks as the file deals them out: to whom is free, or in turn."""
    way = record.text("taskAssignmentStrategy") if record.has("taskAssignmentStrategy") else "greedy"
    if way == "greedy" or size == 0:
        return tasks
    if not way.replace("-", "_").startswith(ROUND_ROBIN):
        raise record.error("taskAssignmentStrategy", f"must be greedy or roundrobin, not {way[:40]!r}")
    return tuple(Task(task.errands, agents=(k % size,)) for k, task in enumerate(tasks))


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
    return tuple(Task(cells) for cells in _cells_by_line(load(path), require_grid(grid), "task"))


def _read_starts(document: Document, grid: Grid) -> list[tuple[int, int]]:
    lines = _cells_by_line(document, grid, "agent")
    if any(len(cells) > 1 for cells in lines):
        raise FormatError("an agent starts in one cell: a number per line", source=document.source)
    return [cells[0] for cells in lines]


def _cells_by_line(document: Document, grid: Grid, what: str) -> list[tuple[tuple[int, int], ...]]:
    """The cells of each line but the first, which says how many lines there are."""
    source = document.source
    rows = [
        (number, text.strip())
        for number, text in enumerate(document.lines, start=1)
        if text.strip() and not text.lstrip().startswith("#")
    ]
    if not rows or not rows[0][1].isdecimal():
        raise FormatError(f"a file of {what}s begins with the number of its {what}s", source=source)
    count, lines = rows[0][1], rows[1:]
    if len(count) > 9 or len(lines) != int(count):
        raise FormatError(
            f"the file says that it has {count[:20]} {what}s, and has {len(lines)}", source=source
        )
    return [_cells(text, grid, source, number) for number, text in lines]


def _cells(text: str, grid: Grid, source: str, line: int) -> tuple[tuple[int, int], ...]:
    cells = []
    for word in text.strip(",").split(","):
        digits = word.strip()
        if not digits.isdecimal() or len(digits) > 10 or not (vertex := int(digits)) < grid.n:
            raise FormatError(f"{digits[:20]!r} is no cell of the map", source=source, line=line)
        if not grid.open[vertex]:
            raise FormatError(f"{grid.place(vertex)} is a wall", source=source, line=line)
        cells.append(grid.place(vertex))
    return tuple(cells)


def write_lorr_input(workload: Workload, path: FilePath) -> None:
    """Writes a problem of the League of Robot Runners, and beside it the files that it names.

    These are called like it, with `.map`, `.agents` and `.tasks` instead of `.json`. Rules, names and
    priorities of agents, and the release, deadline and priority of tasks are not part of the format.

    Args:
        workload: The agents and their tasks.
        path: The JSON file.

    Raises:
        InputError: It is not about a grid, tasks are for some agents but not for one after another, an agent
            is larger than a cell or slow, or a file cannot be written.
    """
    problem = workload.problem
    grid = require_grid(problem.space)
    if not problem.agents.all_unit:
        raise InputError("agents of the League take one cell and one step for a move")
    east = FACINGS.index(FIRST_FACING)
    if problem.agents.any_turning and (problem.facings != east).any():
        raise InputError("agents of the League face east at first, which no file says: use facing='E'")
    strategy = _strategy(workload)
    stem = source_of(path).removesuffix(".json")
    tasks = ([grid.vertex(place) for place in task.errands] for task in workload.tasks)
    parts = {
        "mapFile": (".map", dumps_map(grid)),
        "agentFile": (".agents", _lines([start] for start in problem.starts.tolist())),
        "taskFile": (".tasks", _lines(tasks)),
    }
    for suffix, text in parts.values():
        store_text(stem + suffix, text)
    named = {name: os.path.basename(stem) + suffix for name, (suffix, _) in parts.items()}
    own = {"teamSize": problem.n_agents, "numTasksReveal": workload.pool, **strategy}
    store_text(path, laid_out({**named, **own, "version": "2026 LoRR", **workload.rest}))


def _strategy(workload: Workload) -> dict[str, str]:
    size = workload.problem.n_agents
    if all(task.agents is None for task in workload.tasks):
        return {}
    if all(task.agents == (k % size,) for k, task in enumerate(workload.tasks)):
        return {"taskAssignmentStrategy": ROUND_ROBIN}
    raise InputError("tasks of the League are for everybody, or for one agent after another")


def _lines(rows: Iterable[list[int]]) -> str:
    lines = [",".join(map(str, row)) for row in rows]
    return "\n".join([str(len(lines)), *lines]) + "\n"


def _is_league_problem(document: Document) -> bool:
    record = record_of(document) if is_object(document) else None
    return record is not None and not record.has("format") and all(map(record.has, FIELDS))


LORR_INPUT_FORMAT = Format(
    name="lorr-input",
    title="League of Robot Runners problem, JSON with its files",
    called="a problem of the League of Robot Runners",
    sniff=_is_league_problem,
    loads={Workload: read_lorr_input},
    writes={Workload: write_lorr_input},
    to="lorr-input",
)
