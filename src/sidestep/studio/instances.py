"""Instances: problems as the page draws them, as JSON. Walls are bits, so that large maps are small.

{"height": 2, "width": 3, "walls": base64 of bits, row by row, the first cell in the lowest bit, 1 a wall,
 "connectivity": 4, "corners": "none", "rules": {...},
 "agents": [{"name": "a0", "start": [0, 0], "goal": [1, 2], "priority": 0, "size": 1, "period": 1}],
 "teams": ["red"]}

Teams, one per agent, only say who has the same colour; an empty name is a team, too.
"""

from __future__ import annotations

import base64
from dataclasses import replace
from typing import Any

import numpy as np

from ..io.jsonfile import Record
from ..io.planfile import agent_entry, agent_from
from ..io.spaces import rules_entry, rules_from
from ..model.agents import NOWHERE, Agent
from ..model.arrays import BoolArray, IntArray
from ..model.errors import InputError
from ..model.grid import Grid
from ..model.problem import Problem
from ..model.rules import Rules
from ..model.trace import Trace
from ..world import World
from .requests import bytes_from

MAX_CELLS = 1_000_000
MAX_AGENTS = 10_000
MAX_POSITIONS = 10_000_000  # of all turns of a world, or of a file that is opened
MAX_NAME = 100


def problem_from(record: Record) -> Problem:
    """The problem of an instance, within the studio's limits; its teams are left out."""
    record.has("teams")
    height = record.integer("height", low=1, high=MAX_CELLS)
    width = record.integer("width", low=1, high=MAX_CELLS)
    if height * width > MAX_CELLS:
        raise InputError(f"a map may have at most {MAX_CELLS:,} cells, not {height} x {width}")
    passable = ~bits_from(record, "walls", height * width).reshape(height, width)
    shape = grid_shape(record)
    rules = rules_from(record.record("rules")) if record.has("rules") else Rules()
    entries = record.records("agents")
    _check_agents(len(entries))
    record.done()
    with record.model_errors():
        grid = Grid(passable, **shape)
        agents = [agent_from(entry, grid, index) for index, entry in enumerate(entries)]
        for agent in agents:
            check_name(agent.name)
        return Problem.from_agents(grid, agents, rules=rules)


def teams_from(record: Record) -> list[str] | None:
    """The teams of an instance, one per agent; None if there are none."""
    if not record.has("teams"):
        return None
    teams, count = record.items("teams"), len(record.items("agents"))
    if len(teams) != count or not all(isinstance(team, str) and len(team) <= MAX_NAME for team in teams):
        raise record.error("teams", f"must be {count} names of at most {MAX_NAME} characters, one per agent")
    return teams


def grid_shape(record: Record) -> dict[str, Any]:
    """Those of `connectivity` and `corners` that are there; the grid checks them."""
    found: dict[str, Any] = {}
    if record.has("connectivity"):
        found["connectivity"] = record.integer("connectivity")
    if record.has("corners"):
        found["corners"] = record.text("corners")
    return found


def instance_of(problem: Problem) -> dict[str, Any]:
    """The instance of a problem, if it is one that a page can show."""
    grid = checked_size(problem).space
    assert isinstance(grid, Grid)
    return {
        "height": grid.height,
        "width": grid.width,
        "walls": bits_of(~grid.open),
        "connectivity": int(grid.connectivity),
        "corners": grid.corners,
        "rules": rules_entry(problem.rules),
        "agents": [agent_entry(agent) for agent in problem.agents],
    }


def checked_size(problem: Problem) -> Problem:
    """The problem itself, if it is on a grid and not too large."""
    if not isinstance(problem.space, Grid):
        raise InputError("the studio shows grids: this is about a graph")
    if problem.space.n > MAX_CELLS:
        raise InputError(f"a map may have at most {MAX_CELLS:,} cells, not {problem.space.n:,}")
    _check_agents(problem.n_agents)
    for name in problem.names:
        check_name(name)
    return problem


def agents_there(world: World | Trace, positions: IntArray) -> dict[int, Agent]:
    """Those who are somewhere, by index, as the agents of a problem that begins with these positions."""
    there = np.flatnonzero(positions != NOWHERE).tolist()
    agents = replace(world.agents, starts=positions).to_agents(there)
    return dict(zip(there, agents, strict=True))


def check_name(name: str | None) -> None:
    """An InputError if a name is too long to be one."""
    if name is not None and len(name) > MAX_NAME:
        raise InputError(f"an agent's name may have at most {MAX_NAME} characters, not {len(name)}")


def _check_agents(count: int) -> None:
    if count > MAX_AGENTS:
        raise InputError(f"there may be at most {MAX_AGENTS:,} agents, not {count:,}")


def bits_of(values: BoolArray) -> str:
    """Bits as base64, the first in the lowest bit of the first byte."""
    return base64.b64encode(np.packbits(values, bitorder="little").tobytes()).decode("ascii")


def bits_from(record: Record, name: str, count: int) -> BoolArray:
    """The first bits of such a string."""
    data = bytes_from(record, name)
    if len(data) != (count + 7) // 8:
        raise record.error(name, f"must have {(count + 7) // 8} bytes for {count} cells, not {len(data)}")
    return np.unpackbits(np.frombuffer(data, np.uint8), count=count, bitorder="little").astype(np.bool_)
