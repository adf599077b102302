"""One compiled copy of a map for problem, world and planner; what it takes per cell."""

from __future__ import annotations

import subprocess
import sys
import time

import numpy as np
import pytest

import sidestep as ss
from sidestep.model.to_core import compile_space, compiled_space
from sidestep.solvers import make_solver

PLANNERS = ["lra", "whca", "wdpca", "bcp", "dmrcp"]
SIDE = 2048

# What a world on a map of SIDE x SIDE takes at its peak, in bytes per cell: compiled, planned and stepped.
CHILD = f"""
import resource, sys
import numpy as np, sidestep as ss
unit = 1 if sys.platform == "darwin" else 1024
peak = lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit
warm = ss.World(ss.Problem.from_text("a.A"), ss.WHCA())
warm.step()
open_cells = np.ones(({SIDE}, {SIDE}), dtype=bool)
before = peak()
problem = ss.Problem(ss.Grid(open_cells), [(0, 0), (5, 5)], [(5, 5), (0, 0)])
world = ss.World(problem, ss.WHCA())
earlier = world.snapshot()
for turn in range(3):
    world.step()
    world.block((100, turn))
print((peak() - before) / {SIDE * SIDE})
"""


def two_in_a_room() -> ss.Problem:
    return ss.Problem.from_text("a..\n...\nA.b\nB..")


@pytest.mark.parametrize("planner", PLANNERS)
def test_a_world_and_its_planner_share_the_compiled_space_of_the_problem(planner: str) -> None:
    problem = two_in_a_room()
    compiled = compiled_space(problem)
    alone = compiled.copies
    world = ss.World(problem, make_solver(planner, {}))
    world.step()
    assert compiled.copies >= alone + 2
    del world
    assert compiled.copies == alone


def test_solving_leaves_no_copy_behind() -> None:
    problem = two_in_a_room()
    compiled = compiled_space(problem)
    ss.solve(problem, "whca")
    alone = compiled.copies
    ss.solve(problem, "whca")
    assert compiled.copies == alone


@pytest.mark.parametrize("planner", PLANNERS)
def test_a_wall_in_a_world_is_none_in_its_problem_or_in_another_world(planner: str) -> None:
    problem = two_in_a_room()
    world, other = (ss.World(problem, make_solver(planner, {})) for _ in range(2))
    earlier = world.snapshot()
    world.block((1, 1))
    world.step()
    assert not world.is_open((1, 1))
    assert other.is_open((1, 1))
    assert compiled_space(problem).is_open(problem.space.vertex((1, 1)))
    world.restore(earlier)
    assert world.is_open((1, 1))


@pytest.mark.parametrize("connectivity", [4, 8])
def test_a_compiled_grid_takes_about_two_bytes_per_cell(connectivity: int) -> None:
    grid = ss.Grid(np.ones((1000, 1000), dtype=np.bool_), connectivity=connectivity)
    assert compile_space(grid).bytes < 2.1 * grid.n


def test_compiling_takes_a_few_nanoseconds_per_cell() -> None:
    """1.5 are normal here; lists of neighbours took 70."""
    grid = ss.Grid(np.random.default_rng(1).random((SIDE, SIDE)) < 0.8)
    spent = []
    for _ in range(5):
        begin = time.process_time_ns()
        compile_space(grid)
        spent.append(time.process_time_ns() - begin)
    assert min(spent) < 20 * grid.n


def test_a_world_on_a_large_map_takes_few_bytes_per_cell() -> None:
    """Copies of the map for problem, world, planner and snapshot took over 200."""
    run = subprocess.run([sys.executable, "-c", CHILD], capture_output=True, text=True, check=True)
    assert float(run.stdout) < 40
