"""RRA* against breadth-first tables: what the distances of joint searches take, in time and in memory.

A search that follows a shortest way asks for the distances of all places on it and beside it. Reverse
Resumable A* finds these and little more; a table has those of the whole map.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Literal

import numpy as np

from sidestep import Grid, Problem, _core
from sidestep.instances import random_grid, random_problem
from sidestep.model.arrays import IntArray
from sidestep.model.random import shuffled
from sidestep.model.to_core import compile_space, compiled_space
from sidestep.papers.timing import least_of, timed
from sidestep.solve import solve

from .measurements import Column, Measurements, Row, Say, Table, Target

ISSUE = "agents near their goals must not pay for the whole map"
MEMORY = Target("60 agents near their goals on 1024x1024: distances of RRA*", 30, "MB", source=ISSUE)
TIME = Target("the same: CPU time of od, id and anytime, the slowest, over icts", 1, "times", source=ISSUE)
NEAR = 8  # rows and columns
JOINT = ("od", "id", "anytime")


@dataclass(frozen=True)
class Scene:
    """A map and agents; `near` is how far their goals are at most, in rows and columns, 0 for anywhere."""

    side: int
    agents: int
    density: float = 0.2
    near: int = 0
    connectivity: Literal[4, 8] = 8

    @property
    def title(self) -> str:
        ground = f"{self.density:.0%} blocked" if self.density else "empty"
        where = f"within {self.near}" if self.near else "anywhere"
        return f"{self.side}x{self.side}, {ground}, {self.connectivity}-connected, goals {where}"

    def problem(self, seed: int) -> Problem:
        """Every goal can be reached."""
        if not self.near:
            grid = random_grid(self.side, self.side, self.density, seed, connectivity=self.connectivity)
            return random_problem(grid, self.agents, seed)
        grid = Grid(np.ones((self.side, self.side), dtype=bool), self.connectivity)
        across = self.side // (2 * self.near + 4)  # a square for each agent, so that no goals are alike
        squares = shuffled(across * across, seed)[: self.agents]
        middles = np.stack(np.divmod(squares, across), axis=1) * (2 * self.near + 4) + self.near + 1
        draws = np.random.default_rng(seed)
        goals = middles + draws.integers(-self.near, self.near + 1, middles.shape)
        return Problem(grid, middles.tolist(), goals.tolist())


@dataclass(frozen=True)
class Settings:
    """What is measured."""

    scenes: tuple[Scene, ...]
    solved: Scene
    repeats: int = 5


_NEAR_GOALS = Scene(1024, 60, 0.0, NEAR, 4)
FULL = Settings(
    (Scene(32, 40), Scene(128, 40), Scene(512, 40), Scene(512, 40, connectivity=4), _NEAR_GOALS), _NEAR_GOALS
)
QUICK = Settings((Scene(32, 40), Scene(128, 40), _NEAR_GOALS), _NEAR_GOALS, repeats=3)


def measure(settings: Settings, seed: int, say: Say) -> Measurements:
    """Distances alone, then the solvers that use them."""
    rows: list[Row] = []
    for scene in settings.scenes:
        say(scene.title)
        rows.append(distances(scene, settings, seed))
    say(f"solvers, {settings.solved.title}")
    solved = solver_rows(settings, seed)
    near = next((row for row in rows if row["near"]), None)
    times = {row["solver"]: row["ms"] for row in solved}
    verdicts = (
        MEMORY.judge(None if near is None else near["RRA* MB"]),
        TIME.judge(max(times[name] for name in JOINT) / times["icts"]),
    )
    return Measurements(_tables(rows, solved, settings), verdicts)


def distances(scene: Scene, settings: Settings, seed: int) -> Row:
    """Both ways to the same distances."""
    problem = scene.problem(seed)
    space = compile_space(problem.space)
    asked = [around_the_way(problem, agent) for agent in range(problem.n_agents)]
    ends = list(zip(problem.goals.tolist(), problem.starts.tolist(), asked, strict=True))
    kept: list[_core.Distances] = []

    def tables() -> list[IntArray]:
        return [_core.distance_table(space, goal, _core.Budget())[some] for goal, _, some in ends]

    def on_demand() -> list[IntArray]:
        kept[:] = [_core.Distances(space)]
        return [kept[0].all(goal, start, some, _core.Budget()) for goal, start, some in ends]

    assert all(map(np.array_equal, tables(), on_demand()))
    spent = [least_of(settings.repeats, call).cpu * 1e3 for call in (tables, on_demand)]
    return {
        "scene": scene.title,
        "near": scene.near,
        "agents": scene.agents,
        "tables": spent[0],
        "RRA*": spent[1],
        "ratio": spent[1] / spent[0],
        "tables MB": 4 * problem.space.n * scene.agents / 2**20,
        "RRA* MB": kept[0].bytes / 2**20,
    }


def around_the_way(problem: Problem, agent: int) -> IntArray:
    """The vertices on a shortest way of an agent and those beside them, in the order of the way."""
    table = _core.distance_table(compiled_space(problem), int(problem.goals[agent]), _core.Budget())
    beside = neighbours(problem)
    here, asked = int(problem.starts[agent]), [int(problem.starts[agent])]
    while table[here] > 0:
        near = beside(here)
        asked += near
        here = min(near, key=lambda vertex: int(table[vertex]))
    return np.array(asked, dtype=np.int32)


def neighbours(problem: Problem) -> Callable[[int], list[int]]:
    """The open vertices that can be entered from one, for the grids here: corners must be open."""
    grid = problem.space
    assert isinstance(grid, Grid)
    width, is_open = grid.width, np.pad(grid.passable, 1)
    steps = [
        (r, c)
        for r in (-1, 0, 1)
        for c in (-1, 0, 1)
        if abs(r) + abs(c) in ((1, 2), (1,))[grid.connectivity == 4]
    ]

    def beside(vertex: int) -> list[int]:
        row, col = vertex // width + 1, vertex % width + 1
        may = [
            (r, c)
            for r, c in steps
            if is_open[row + r, col] and is_open[row, col + c] and is_open[row + r, col + c]
        ]
        return [(row + r - 1) * width + col + c - 1 for r, c in may]

    return beside


def solver_rows(settings: Settings, seed: int) -> list[Row]:
    """CPU time of whole runs, the map compiled before; solvers take turns, and the least of each counts."""
    problem = settings.solved.problem(seed)
    results = {name: solve(problem, name) for name in ("icts", *JOINT)}
    spent: dict[str, list[float]] = {name: [] for name in results}
    for _ in range(settings.repeats):
        for name, times in spent.items():
            times.append(1e3 * timed(partial(solve, problem, name))[1].cpu)
    return [
        {
            "solver": name,
            "ms": min(spent[name]),
            "status": str(result.status),
            "cost": result.plan and result.plan.cost,
        }
        for name, result in results.items()
    ]


def _tables(rows: list[Row], solved: list[Row], settings: Settings) -> tuple[Table, ...]:
    columns = (
        Column("scene"),
        Column("agents"),
        Column("tables", "tables\nms", ".2f"),
        Column("RRA*", "RRA*\nms", ".2f"),
        Column("ratio", "RRA* /\ntables", ".2f"),
        Column("tables MB", "tables\nMB", ".1f"),
        Column("RRA* MB", "RRA*\nMB", ".1f"),
    )
    solvers = (
        Column("solver"),
        Column("ms", "CPU ms", ".2f"),
        Column("status"),
        Column("cost"),
    )
    note = "Asked for: all places on a shortest way of each agent and beside it."
    return (
        Table("RRA* against breadth-first tables", columns, tuple(rows), (note,)),
        Table(f"{settings.solved.agents} agents, {settings.solved.title}", solvers, tuple(solved)),
    )
