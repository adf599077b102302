"""PIBT: a step of everybody that never collides, and what it cannot do."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import sidestep as ss
from sidestep.budget import Budget
from sidestep.instances import random_grid, random_problem, warehouse_grid
from tests.sizing import some_of


def refusals(world: ss.World) -> int:
    return int(np.count_nonzero(world.trace.events[:, 1] == ss.EventKind.REFUSED))


@pytest.mark.parametrize("connectivity", [4, 8])
@pytest.mark.parametrize("rules", [ss.Rules(), ss.Rules(following=False), ss.Rules(at_goal="disappear")])
def test_the_guard_has_nothing_to_refuse(connectivity: int, rules: ss.Rules):
    grid = random_grid(10, 10, 0.1, 4, connectivity=connectivity)  # type: ignore[arg-type]
    world = ss.World(random_problem(grid, 50, 1, rules=rules), ss.PIBT())
    for _ in range(60):
        world.step()
    assert refusals(world) == 0
    assert ss.validate_trace(world.trace)


def test_a_full_ring_rotates():
    grid = ss.Grid.from_text(". .\n. .")
    ring = [(0, 0), (0, 1), (1, 1), (1, 0)]
    problem = ss.Problem(grid, ring, ring[1:] + ring[:1])
    assert ss.solve(problem, ss.PIBT()).plan.makespan == 1


def test_an_agent_on_its_goal_is_pushed_out_of_the_way():
    grid = ss.Grid.from_text(". . .\n# . #")
    problem = ss.Problem(grid, [(0, 0), (0, 1)], [(0, 2), (0, 1)])
    result = ss.solve(problem, ss.PIBT())
    assert ss.validate(problem, result.plan)
    assert result.plan is not None
    assert result.plan.vertices[1, 1] != problem.goals[1]


def test_where_following_is_forbidden_who_stands_in_the_way_leaves_first():
    grid = ss.Grid.from_text(". . . .\n. . . .")
    problem = ss.Problem(grid, [(0, 0), (0, 1)], [(0, 2), (0, 1)], rules=ss.Rules(following=False))
    result = ss.solve(problem, ss.PIBT())
    assert ss.validate(problem, result.plan)


def test_a_chain_of_ten_thousand_agents_moves_as_one():
    grid = ss.Grid(np.ones((1, 10_002), dtype=np.bool_))
    cells = [(0, col) for col in range(10_001)]
    problem = ss.Problem(grid, cells[:-1], cells[1:])
    assert ss.solve(problem, ss.PIBT()).plan.makespan == 1


def test_a_turn_whose_budget_ends_in_its_middle_moves_nobody():
    problem = random_problem(random_grid(16, 16, 0.1, 1), 60, 1)
    session = ss.PIBT().session(problem)
    before = problem.starts.copy()
    world = ss.World(problem, session)
    world.step(Budget(nodes=30))
    assert np.array_equal(world.positions, before)
    world.step(Budget(nodes=10_000))
    assert not np.array_equal(world.positions, before)


def test_who_gets_a_new_goal_goes_behind_those_who_have_been_on_their_way_for_longer():
    grid = ss.Grid.from_text(". . .")
    problem = ss.Problem(grid, [(0, 0), (0, 2)], [(0, 1), (0, 2)], rules=ss.Rules(shared_goals=True))
    core = ss.PIBT().session(problem).core
    held = problem.starts.copy()  # nobody gets away, whatever they decide
    for _ in range(5):
        assert core.turn(held, Budget().core).tolist() == [1, 2]
    core.set_goal(1, 1)
    assert core.turn(held, Budget().core).tolist()[0] == 1
    core.set_goal(0, 2)
    assert core.turn(held, Budget().core).tolist()[1] == 1


def test_walls_goals_and_agents_may_change_under_way():
    problem = ss.Problem.from_text("a . .\n# # .\nA . .")
    world = ss.World(problem, ss.PIBT())
    world.step()
    world.block((1, 2))
    for _ in range(3):
        world.step()
    assert world.where("a") != (2, 0)
    world.free((1, 2))
    for _ in range(8):
        world.step()
    assert world.where("a") == (2, 0)
    agent = world.add(ss.Agent((0, 0), (2, 2)))
    for _ in range(8):
        world.step()
    assert world.where(agent) == (2, 2)


def test_many_on_their_way_to_one_goal_that_closes_wait_beside_it():
    grid, rules = ss.Grid(np.ones((3, 6), dtype=np.bool_)), ss.Rules(shared_goals=True)
    world = ss.World(ss.Problem(grid, [(0, 0), (1, 0)], [(2, 5), (2, 5)], rules=rules), ss.Guided())
    world.step()
    world.block((2, 5))
    for _ in range(20):
        world.step()
    assert {world.where(0), world.where(1)} == {(1, 5), (2, 4)}


def test_a_crowd_goes_round_in_circles_for_which_lacam_has_a_plan():
    """As its page says."""
    problem = random_problem(random_grid(16, 16, 0.2, 1), 60, 1)
    assert ss.solve(problem, ss.PIBT()).status is ss.Status.GAVE_UP
    assert ss.validate(problem, ss.solve(problem, ss.LaCAM()).plan)


@pytest.mark.parametrize("text", ["...\n...", "....\n...."])
def test_two_agents_in_a_room_of_two_rows_get_home_from_everywhere(text):
    """Where there is a way around, nobody gives way for ever to one who could take it."""
    grid = ss.Grid.from_text(text)
    cells = [grid.place(vertex) for vertex in range(grid.n)]
    for starts in itertools.permutations(cells, 2):
        for goals in some_of(itertools.permutations(cells, 2)):
            world = ss.World(ss.Problem(grid, starts, goals), ss.PIBT())
            while not world.done:
                world.step()
                assert world.time < 20, (starts, goals)


def finished_in_a_warehouse(planner: ss.Solver) -> int:
    """Tasks that 120 agents finish in 150 turns where all corridors are one cell wide."""
    grid = warehouse_grid(3, 6, 8, 2)
    idle = [None] * 120
    starts = random_problem(grid, 120, 2, rules=ss.Rules(shared_goals=True)).starts
    problem = ss.Problem(grid, [grid.place(v) for v in starts], idle, rules=ss.Rules(shared_goals=True))
    stream = ss.Stream.random(grid, seed=2, pool=1.0)
    world = ss.World(problem, planner, seed=2, tasks=stream, assign="first")
    for _ in range(150):
        world.step()
    assert refusals(world) == 0
    assert ss.validate_trace(world.trace)
    return world.tasks.finished


def test_lanes_let_more_through_where_corridors_are_narrow():
    assert finished_in_a_warehouse(ss.PIBT(crisscross=4)) > 1.5 * finished_in_a_warehouse(ss.PIBT())


def test_lanes_change_no_distance_that_is_told():
    problem = random_problem(random_grid(20, 20, 0.2, 3), 30, 3)
    told, true = (
        solver.session(problem).distances(Budget()) for solver in (ss.PIBT(crisscross=9), ss.PIBT())
    )
    assert np.array_equal(told, true)


def test_only_grids_have_lanes():
    problem = ss.Problem(ss.Graph(2, [(0, 1)]), [0], [1])
    with pytest.raises(ss.UnsupportedError, match="only grids have lanes"):
        ss.solve(problem, ss.PIBT(crisscross=2))
    with pytest.raises(ss.InputError, match="crisscross"):
        ss.Rolling(crisscross=2)
