"""The result file of lacam3, which mapf-visualizer shows: `key=value` lines, then the configurations.

After the keys (agents, map_file, solver, solved, soc, …, seed) come `starts=(x,y),(x,y),`, `goals=…`
and `solution=`, then one line `t:(x,y),(x,y),` per time, every list with a comma at its end.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

import numpy as np

from ..model.arrays import checked_seed, is_number
from ..model.errors import FormatError, InputError
from ..model.grid import Grid
from ..model.plan import Plan
from ..model.problem import Problem
from ..model.rules import Rules
from .cells import CellArray, Spot, number_pairs, problem_of, refuse_idle, require_grid, vertices_of
from .files import Document, FilePath, Readable, load, store_text
from .format import Format, begins
from .jsonfile import INT64


@dataclass(frozen=True)
class _Value:
    text: str
    line: int


class Told(NamedTuple):
    """What a file tells of how its plan was made."""

    solver: str = "sidestep"
    seconds: float = 0.0
    seed: int = 0


def read_lacam(path: Readable, space: Grid | Problem, *, rules: Rules = Rules()) -> Plan:
    """Reads a result file of lacam3. It is read, not judged: the plan may collide or cross walls.

    Args:
        path: The file.
        space: The map; or a problem, whose starts and goals must be the file's.
        rules: The rules of the problem, if `space` is a grid.

    Returns:
        The plan. The file's `soc` becomes its `claimed_cost` where the rules count a sum of costs.

    Raises:
        FormatError: The file is malformed, or does not fit the map or the problem.
        InputError: The file cannot be read, or another argument is not valid.
    """
    grid, document = require_grid(space.space if isinstance(space, Problem) else space), load(path)
    source = document.source
    keys, steps = document.parsed(_parts)
    starts, goals = _spots(keys, "starts", source), _spots(keys, "goals", source)
    if len(starts) != len(goals):
        raise FormatError(
            f"there are {len(starts)} starts but {len(goals)} goals", source=source, line=keys["goals"].line
        )
    problem = problem_of(grid, starts, goals, source=source, rules=_rules(space, rules))
    if isinstance(space, Problem):
        problem = _same(space, problem, keys, source)
    if not steps:
        raise FormatError("there is no solution in this file", source=source, line=keys["solution"].line)
    rows = [_row(grid, step, time, len(starts), source) for time, step in enumerate(steps)]
    soc = _number(keys["soc"], source) if "soc" in keys else None
    is_cost = problem.rules.cost == "sum_of_costs"
    return Plan(problem, np.stack(rows), claimed_cost=soc if is_cost else None)


def count_agents(path: Readable) -> int:
    """How many agents a result file has."""
    document = load(path)
    return len(_spots(document.parsed(_parts)[0], "starts", document.source))


def _parts(document: Document) -> tuple[dict[str, _Value], list[_Value]]:
    """The keyed lines up to `solution=`, and the lines after it. Unknown keys are lacam3's own notes."""
    lines, source = document.lines, document.source
    keys: dict[str, _Value] = {}
    for line, text in enumerate(lines, 1):
        key, equals, value = text.partition("=")
        if not equals:
            continue
        if key in keys and key in ("starts", "goals", "soc", "agents"):
            raise FormatError(f"{key}= is given twice", source=source, line=line)
        keys[key] = _Value(value, line)
        if key == "solution":
            steps = [_Value(text, number) for number, text in enumerate(lines[line:], line + 1) if text]
            return keys, steps
    raise FormatError("there is no line 'solution='", source=source, line=max(len(lines), 1))


def _spots(keys: dict[str, _Value], key: str, source: str) -> list[Spot]:
    if key not in keys:
        raise FormatError(f"there is no line '{key}=' before the solution", source=source)
    line = keys[key].line
    spots = [Spot(row, col, line) for row, col in _cells(keys[key].text, source, line).tolist()]
    if "agents" in keys and _number(keys["agents"], source) != len(spots):
        raise FormatError(
            f"agents={keys['agents'].text}, but there are {len(spots)} {key}", source=source, line=line
        )
    return spots


def _cells(text: str, source: str, line: int) -> CellArray:
    return number_pairs(text, ",", source=source, line=line)[:, ::-1]  # x comes before y


def _number(value: _Value, source: str) -> int:
    text = value.text.strip()
    if not re.fullmatch("[0-9]{1,18}", text):
        raise FormatError(f"expected a whole number, not {text[:40]!r}", source=source, line=value.line)
    return int(text)


def _rules(space: Grid | Problem, rules: Rules) -> Rules:
    return space.rules if isinstance(space, Problem) else rules


def _same(given: Problem, found: Problem, keys: dict[str, _Value], source: str) -> Problem:
    for key in ("starts", "goals"):
        if not np.array_equal(getattr(given, key), getattr(found, key)):
            raise FormatError(f"the {key} are not those of the problem", source=source, line=keys[key].line)
    return given


def _row(
    grid: Grid, step: _Value, time: int, agents: int, source: str
) -> np.ndarray[tuple[int], np.dtype[np.int32]]:
    label, colon, text = step.text.partition(":")
    if not colon or label.strip() != str(time):
        raise FormatError(f"expected the line of time {time}, '{time}:'", source=source, line=step.line)
    cells = _cells(text, source, step.line)
    if len(cells) != agents:
        raise FormatError(
            f"time {time} has {len(cells)} cells for {agents} agents", source=source, line=step.line
        )
    return vertices_of(grid, cells, source=source, line=step.line)


def write_lacam(
    plan: Plan,
    path: FilePath,
    *,
    map_file: str = "map.map",
    solver: str = "sidestep",
    seconds: float = 0.0,
    seed: int = 0,
) -> None:
    """Writes a result file of lacam3. The lower bounds in it are those of an empty map.

    Args:
        plan: The plan, on a grid.
        path: The file.
        map_file: The name of the map that the file tells.
        solver: The name of the solver that the file tells.
        seconds: How long the solver took.
        seed: The seed that the file tells.

    Raises:
        InputError: An agent has no goal or is not there at some time, or the file cannot be written.
    """
    store_text(path, dumps_lacam(plan, map_name=map_file, told=Told(solver, seconds, seed)))


def dumps_lacam(plan: Plan, *, map_name: str = "map.map", told: Told = Told()) -> str:
    """The text of such a file."""
    grid = require_grid(plan.problem.space)
    refuse_idle(plan.problem, "a lacam3 result")
    if np.any(plan.vertices < 0):
        raise InputError("an agent is not there at some time, which a lacam3 result cannot say")
    for what, text in (("map_file", map_name), ("solver", told.solver)):
        if not isinstance(text, str) or "\n" in text or "\r" in text:
            raise InputError(f"{what} must be text on one line, not {text!r}")
    if not is_number(told.seconds) or not 0 <= told.seconds <= INT64:
        raise InputError(f"seconds must be a number from 0, not {told.seconds!r}")
    problem = plan.problem
    bounds = _empty_map_distances(problem, grid)
    values = {
        "agents": problem.n_agents,
        "map_file": map_name,
        "solver": told.solver,
        "solved": 1,
        "soc": _cost(plan, "sum_of_costs"),
        "soc_lb": int(bounds.sum()),
        "makespan": plan.makespan,
        "makespan_lb": int(bounds.max(initial=0)),
        "sum_of_loss": _cost(plan, "time_off_goal"),
        "sum_of_loss_lb": int(bounds.sum()),
        "comp_time": round(float(told.seconds) * 1000),
        "seed": checked_seed(told.seed),
        "starts": _listed(grid.cells(problem.starts)),
        "goals": _listed(grid.cells(problem.goals)),
        "solution": "",
    }
    lines = [f"{key}={value}" for key, value in values.items()]
    lines += [f"{time}:{_listed(cells)}" for time, cells in enumerate(plan.cells)]
    return "\n".join(lines) + "\n"


def _cost(plan: Plan, cost: Literal["sum_of_costs", "time_off_goal"]) -> int:
    problem = plan.problem
    counted = Problem.from_agents(problem.space, problem.agents, rules=replace(problem.rules, cost=cost))
    return Plan(counted, plan.vertices).cost


def _empty_map_distances(problem: Problem, grid: Grid) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    apart = np.abs(grid.cells(problem.starts).astype(np.int64) - grid.cells(problem.goals))
    return np.asarray(apart.sum(axis=1) if grid.connectivity == 4 else apart.max(axis=1, initial=0))


def _listed(cells: np.ndarray[tuple[int, ...], np.dtype[np.int32]]) -> str:
    return "".join(f"({col},{row})," for row, col in cells.tolist())


LACAM_FORMAT = Format(
    name="lacam",
    title="lacam3 result",
    called="a lacam3 result",
    sniff=begins(r"agents="),
    loads={Plan: read_lacam},
    dumps={Plan: dumps_lacam},
    needs=(Grid, Problem),
    suffixes=(".txt",),
    to="lacam",
    count=count_agents,
)
