"""The YAML files of libMultiRobotPlanning (and of the Python programs that follow it).

The input has `map`, with `dimensions: [width, height]` and `obstacles: [[x, y], …]`, and `agents`, each
with a `name`, a `start: [x, y]` and a `goal: [x, y]`. The output has `statistics`, of which only the `cost`
is read, and `schedule`, a list of `{x, y, t}` per agent: x is the column and y the row, an agent stays until
the next t, and it stays where its list ends. Dumped by Python, agent10 comes before agent2: agents that are
all named agent0, agent1, … are put in the order of their numbers.

PyYAML reads it: `pip install 'sidestep[io]'`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from ..model.arrays import IntArray
from ..model.errors import FormatError
from ..model.grid import Grid
from ..model.plan import Plan
from ..model.problem import Problem
from ..model.rules import Rules
from .cells import CellArray, Spot, problem_of, require_grid, vertices_of
from .files import Document, Readable, load
from .format import Format, yaml_begins
from .jsonfile import repeated
from .yamlfile import Node, yaml_of

MAX_CELLS = 2**24  # a map's memory grows with its cells, which cost a file nothing to claim


@dataclass(frozen=True)
class _Timed:
    """What a schedule says about one agent: at these times it comes to these cells, named on these lines."""

    name: str
    times: list[int]
    spots: list[Spot]


def read_multirobot(path: Readable, space: Grid | Problem, *, rules: Rules = Rules()) -> Plan:
    """Reads a schedule of libMultiRobotPlanning. It is read, not judged: the plan may collide or cross walls.

    Args:
        path: The file.
        space: With a `Grid`, agents start where their lists begin and want to be where they end. With a
            `Problem` the plan is a claim about that problem; agents are told apart by their names if those
            are the schedule's, else by their order.
        rules: The rules of the problem, if `space` is a grid.

    Returns:
        The plan. The cost in the statistics becomes its `claimed_cost` where the rules count a sum of costs.

    Raises:
        FormatError: The file is malformed, or does not fit the map or the problem.
        InputError: The file cannot be read, or another argument is not valid.
        MissingExtraError: PyYAML is not installed.
    """
    grid = require_grid(space.space if isinstance(space, Problem) else space)
    document = load(path)
    agents = document.parsed(_agents)
    if isinstance(space, Problem):
        agents, problem = _in_order_of(space, agents, document.source), space
    else:
        problem = _problem(grid, agents, document.source, rules)
    cost = _claimed_cost(yaml_of(document)) if problem.rules.cost == "sum_of_costs" else None
    return Plan(problem, _positions(grid, agents, document), claimed_cost=cost)


def count_agents(path: Readable) -> int:
    """How many agents a schedule has."""
    return len(load(path).parsed(_agents))


def _agents(document: Document) -> list[_Timed]:
    root = yaml_of(document)
    schedule = root.mapping("a schedule file").get("schedule")
    if schedule is None:
        raise root.error("there is no schedule in this file")
    if schedule.is_empty:  # what a run without success leaves must not pass for a plan without agents
        raise schedule.error("there are no agents in this schedule")
    agents = [_timed(name, states) for name, states in schedule.mapping("the schedule").items()]
    numbers = [re.fullmatch("agent(0|[1-9][0-9]{0,8})", agent.name) for agent in agents]
    if not all(numbers):
        return agents
    return sorted(agents, key=lambda agent: int(agent.name.removeprefix("agent")))


def _timed(name: str, node: Node) -> _Timed:
    if not name:
        raise node.error("an agent must have a name")
    states = node.items(f"the path of agent {name}")
    if not states:
        raise node.error(f"agent {name} has no path")
    times = [state.field("t", "a state").integer("t") for state in states]
    if times[0] != 0:
        raise states[0].error(f"the path of agent {name} begins at time {times[0]} and not at time 0")
    for state, (before, after) in zip(states[1:], pairwise(times), strict=True):
        if after <= before:
            raise state.error(f"time {after} of agent {name} comes after time {before}")
    return _Timed(name, times, [_spot(state) for state in states])


def _spot(state: Node) -> Spot:
    x, y = (state.field(name, "a state").integer(name) for name in ("x", "y"))
    return Spot(row=y, col=x, line=state.line)


def _in_order_of(problem: Problem, agents: list[_Timed], source: str) -> list[_Timed]:
    if problem.n_agents != len(agents):
        raise FormatError(
            f"there are {len(agents)} agents in the schedule, but the problem has {problem.n_agents}",
            source=source,
        )
    by_name = {agent.name: agent for agent in agents}
    return [by_name[name] for name in problem.names] if set(problem.names) == set(by_name) else agents


def _problem(grid: Grid, agents: list[_Timed], source: str, rules: Rules) -> Problem:
    return problem_of(
        grid,
        [agent.spots[0] for agent in agents],
        [agent.spots[-1] for agent in agents],
        source=source,
        rules=rules,
        names=[agent.name for agent in agents],
    )


def _positions(grid: Grid, agents: list[_Timed], document: Document) -> IntArray:
    makespan = max(agent.times[-1] for agent in agents)
    document.check_positions(makespan, len(agents))
    vertices = np.empty((makespan + 1, len(agents)), dtype=np.int32)
    for index, agent in enumerate(agents):
        stays = np.diff([*agent.times, makespan + 1])
        vertices[:, index] = np.repeat(_vertices(grid, agent.spots, document.source), stays)
    return vertices


def _vertices(grid: Grid, spots: list[Spot], source: str) -> IntArray:
    cells: CellArray = np.array([(spot.row, spot.col) for spot in spots], dtype=np.int64)
    inside = (cells >= 0).all(axis=1) & (cells < (grid.height, grid.width)).all(axis=1)
    line = spots[int(np.argmin(inside))].line  # that of the first one outside, if any
    return vertices_of(grid, cells, source=source, line=line or 1)


def _claimed_cost(document: Node) -> int | None:
    statistics = document.mapping("a schedule file").get("statistics")
    if statistics is None or statistics.is_empty or "cost" not in statistics.mapping("the statistics"):
        return None
    return statistics.field("cost", "the statistics").integer("the cost")


def read_multirobot_problem(path: Readable, *, rules: Rules = Rules()) -> Problem:
    """Reads an input file of libMultiRobotPlanning.

    Args:
        path: The file.
        rules: The rules of the problem.

    Returns:
        The problem, on a 4-connected grid of its own.

    Raises:
        FormatError: The file is malformed, or is a schedule.
        InputError: The file cannot be read, or another argument is not valid.
        MissingExtraError: PyYAML is not installed.
    """
    document = yaml_of(load(path))
    if "schedule" in document.mapping("an input file"):
        raise document.error("this is a schedule: it goes with its map or with the input that it is for")
    grid = _grid(document.field("map", "an input file"))
    agents = document.field("agents", "an input file").items("agents")
    names = [_name(agent, index) for index, agent in enumerate(agents)]
    twice = repeated(names)
    if twice is not None:
        line = agents[len(names) - 1 - names[::-1].index(twice)].line
        raise FormatError(f"two agents are named {twice[:40]!r}", source=document.source, line=line)
    return problem_of(
        grid,
        [_place(agent, "start") for agent in agents],
        [_place(agent, "goal") for agent in agents],
        source=document.source,
        rules=rules,
        names=names,
    )


def _grid(node: Node) -> Grid:
    width, height = _pair(node.field("dimensions", "the map"), "the dimensions")
    if width < 1 or height < 1 or width * height > MAX_CELLS:
        raise node.error(f"a map has from 1 to {MAX_CELLS} cells, not {width} x {height}")
    passable = np.ones((height, width), dtype=np.bool_)
    obstacles = node.mapping("the map").get("obstacles")
    if obstacles is None or obstacles.is_empty:
        return Grid(passable)
    for obstacle in obstacles.items("obstacles"):
        x, y = _pair(obstacle, "an obstacle")
        if not (0 <= x < width and 0 <= y < height):
            raise obstacle.error(f"the obstacle at x {x}, y {y} is outside the map of {width} x {height}")
        passable[y, x] = False
    return Grid(passable)


def _name(agent: Node, index: int) -> str:
    named = agent.mapping("an agent").get("name")
    return f"agent{index}" if named is None else named.text("the name of an agent")


def _place(agent: Node, what: str) -> Spot:
    if what == "goal" and "potentialGoals" in agent.mapping("an agent"):
        raise agent.error("this agent may choose among several goals, which sidestep has no problem for")
    x, y = _pair(agent.field(what, "an agent"), f"a {what}")
    return Spot(row=y, col=x, line=agent.line)


def _pair(node: Node, what: str) -> tuple[int, int]:
    numbers = [entry.integer(what) for entry in node.items(what)]
    if len(numbers) != 2:
        raise node.error(f"{what} must be two numbers, x and y, not {len(numbers)}")
    return numbers[0], numbers[1]


MULTIROBOT_FORMAT = Format(
    name="multirobot",
    title="libMultiRobotPlanning schedule or input, YAML",
    called="a schedule of libMultiRobotPlanning",
    sniff=yaml_begins("statistics", "schedule", "cost", "map", "agents"),
    loads={Plan: read_multirobot, Problem: read_multirobot_problem},
    needs=(Grid, Problem),
    suffixes=(".yaml",),
    count=count_agents,
)
