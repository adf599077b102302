"""Traps of solvers for thousands of agents, each with a test of its name; docs/algorithms has the pages.

What is not here is named elsewhere: in cpp/tests those of time lines and safe intervals (`spacetime`), of
guidance and of large neighbourhood search (`solvers`), and of lists and bounds of EECBS (`solvers/eecbs`).
"""

from __future__ import annotations

import numpy as np
import pytest

import sidestep as ss
from sidestep.budget import Budget
from sidestep.instances import random_grid, random_problem

FORMS = [ss.LaCAM(), ss.LaCAM(guide=0), ss.LaCAM(guide=0, swap=False)]


def as_graph(grid: ss.Grid, *, directed: bool, seed: int | None = None) -> ss.Graph:
    """The grid as a graph, its edges in an order drawn by the seed."""
    edges = []
    for vertex in np.flatnonzero(grid.open).tolist():
        row, col = grid.place(vertex)
        for cell in ((row, col + 1), (row + 1, col), (row, col - 1), (row - 1, col)):
            if max(cell[0] - grid.height, cell[1] - grid.width) >= 0 or min(cell) < 0:
                continue
            there = grid.vertex(cell)
            if grid.open[there] and (directed or vertex < there):
                edges.append((vertex, there))
    if seed is not None:
        np.random.default_rng(seed).shuffle(edges)
    return ss.Graph(grid.n, edges, directed=directed)


# PIBT


@pytest.mark.parametrize("solver", [ss.PIBT(), ss.LaCAM(), ss.LaCAM(guide=0)], ids=str)
def test_equal_keys_do_not_depend_on_the_order_of_edges_in_memory(solver: ss.PIBT | ss.LaCAM):
    grid = random_grid(9, 9, 0.1, 2)
    drawn = random_problem(grid, 20, 3)
    plans = []
    for seed in range(3):
        graph = as_graph(grid, directed=False, seed=seed)
        problem = ss.Problem(graph, drawn.starts.tolist(), drawn.goals.tolist())
        result = ss.solve(problem, solver, seed=5, node_limit=20_000)
        plans.append(None if result.plan is None else result.plan.vertices.tolist())
    assert plans[0] == plans[1] == plans[2]


def test_who_is_absent_is_in_nobody_s_way():
    """One disappears on its goal, one is taken away: others go through where they were."""
    problem = ss.Problem.from_text("a . A b . . B c", rules=ss.Rules(at_goal="disappear"))
    world = ss.World(problem, ss.PIBT())
    world.remove(2)
    for _ in range(6):
        world.step()
    assert world.done
    late = world.add(ss.Agent((0, 7), (0, 0)))
    for _ in range(8):
        world.step()
    assert world.trace.positions[:, late].max() == 7
    assert world.done
    assert ss.validate_trace(world.trace)


def test_a_closed_place_may_be_left_but_nobody_enters_it():
    problem = ss.Problem.from_text(". . .\na . A\n. . .")
    middle = problem.space.vertex((1, 1))
    world = ss.World(problem, ss.PIBT())
    world.step()
    assert world.positions.tolist() == [middle]
    world.block((1, 1))
    world.add(ss.Agent((1, 0), (0, 2)))  # to whom the way through it would be as short as any
    for _ in range(10):
        world.step()
    assert world.positions.tolist() == [problem.space.vertex((1, 2)), problem.space.vertex((0, 2))]
    assert middle not in world.trace.positions[3:]
    assert not np.any(world.trace.events[:, 1] == ss.EventKind.REFUSED)
    assert ss.validate_trace(world.trace)


@pytest.mark.parametrize("seed", range(4))
def test_where_roads_are_one_way_nobody_swaps(seed: int):
    grid = random_grid(8, 8, 0.1, seed)
    drawn = random_problem(grid, 15, seed)
    graph = as_graph(grid, directed=True)
    problem = ss.Problem(graph, drawn.starts.tolist(), drawn.goals.tolist())
    plans = [ss.solve(problem, ss.LaCAM(guide=0, swap=swap), node_limit=10**6).plan for swap in (True, False)]
    assert plans[0] is not None
    assert plans[1] is not None
    assert plans[0].vertices.tolist() == plans[1].vertices.tolist()


@pytest.mark.parametrize("solver", [ss.PIBT(), ss.Guided()], ids=str)
def test_who_has_decided_is_not_pulled_into_a_swap(solver: ss.PIBT | ss.Guided):
    """Many heads-on in narrow places with bays: whatever the order, no move is one that the guard refuses."""
    text = ". . . . . . . .\n# . # # . # # .\n. . . . . . . .\n. # # . # # . #\n. . . . . . . ."
    grid = ss.Grid.from_text(text)
    for seed in range(20):
        world = ss.World(random_problem(grid, 18, seed), solver, seed=seed)
        for _ in range(30):
            world.step()
        assert not np.any(world.trace.events[:, 1] == ss.EventKind.REFUSED)
        assert ss.validate_trace(world.trace)


# LaCAM


@pytest.mark.parametrize("solver", FORMS, ids=str)
def test_who_has_disappeared_makes_another_configuration(solver: ss.LaCAM):
    """`b` has to go through where `a` ends: only where `a` is gone by then is there a plan."""
    for at_goal, is_solved in (("disappear", True), ("stay", False)):
        problem = ss.Problem.from_text("b . a . A . B", rules=ss.Rules(at_goal=at_goal))
        result = solver.solve(problem, budget=Budget(), seed=0)
        assert (result.plan is not None) is is_solved
        if not is_solved:
            assert result.status is ss.Status.INFEASIBLE


@pytest.mark.parametrize("solver", FORMS, ids=str)
def test_who_has_no_goal_may_end_anywhere(solver: ss.LaCAM):
    """Its start is no part of the test for the end: it has to leave it for good."""
    grid = ss.Grid.from_text(". . .\n# . #")
    problem = ss.Problem(grid, [(0, 0), (0, 1), (0, 2)], [(0, 1), None, (0, 2)])
    result = solver.solve(problem, budget=Budget(), seed=0)
    assert result.plan is not None
    assert ss.validate(problem, result.plan)
    ends = [grid.vertex(cell) for cell in ((0, 1), (1, 1), (0, 2))]
    assert result.plan.vertices[-1].tolist() == ends


@pytest.mark.parametrize("solver", [*FORMS, ss.LaCAM(anytime=True)], ids=str)
def test_the_same_configuration_later_is_no_progress(solver: ss.LaCAM):
    """Two who cannot pass each other walk to and fro: without any limit the search ends, with a proof."""
    for text in ("b a . A B", ". a b . .\n# # # # #\nB . . A ."):
        problem = ss.Problem.from_text(text)
        result = solver.solve(problem, budget=Budget(), seed=0)
        assert result.status is ss.Status.INFEASIBLE
        assert result.plan is None


@pytest.mark.parametrize("seed", range(12))
def test_a_plan_of_lacam_at_its_end_has_no_configuration_twice(seed: int):
    rules = ss.Rules(cost="time_off_goal")
    problem = random_problem(random_grid(4, 4, 0.1, seed), 3, seed, rules=rules)
    result = ss.LaCAM(anytime=True).solve(problem, budget=Budget(), seed=seed)
    if result.plan is not None:
        rows = result.plan.vertices.tolist()
        assert len({tuple(row) for row in rows}) == len(rows)


@pytest.mark.parametrize("solver", FORMS, ids=str)
@pytest.mark.parametrize("text", ["a b", "a b\nc d"])
def test_constraints_that_collide_among_themselves_lead_nowhere(solver: ss.LaCAM, text: str):
    """All told to go where another stands would be there in a step, were swaps and rings allowed."""
    grid = ss.Grid.from_text(text.translate(str.maketrans("abcd", "....")))
    places = [grid.place(vertex) for vertex in range(grid.n)]
    rules = ss.Rules(following=False)
    problem = ss.Problem(grid, places, places[::-1], rules=rules)
    result = solver.solve(problem, budget=Budget(), seed=0)
    assert result.status is ss.Status.INFEASIBLE


# Safe intervals and large neighbourhood search


@pytest.mark.parametrize("rules", [ss.Rules(), ss.Rules(following=False)])
def test_nobody_is_in_its_own_way_when_it_is_planned_again(rules: ss.Rules):
    """In a corridor a path that stayed in the time lines would block the better one of its own agent."""
    problem = ss.Problem.from_text("a . . . A", rules=rules)
    dawdling = ss.Plan(problem, np.array([[0], [0], [0], [1], [0], [1], [2], [2], [3], [4]]))
    assert ss.validate(problem, dawdling)
    assert ss.improve(dawdling, node_limit=20_000).plan.cost == 4


# EECBS


def test_a_node_is_bounded_by_what_agents_must_cost_not_by_what_their_paths_do():
    """With a wide factor paths may be longer than they must; the bound that is told never counts that."""
    for seed in range(6):
        problem = random_problem(random_grid(6, 6, 0.1, seed), 6, seed)
        best = ss.solve(problem, "cbs", node_limit=10**6)
        wide = ss.solve(problem, "eecbs", bound=2.0, node_limit=10**6)
        assert best.plan is not None
        assert wide.plan is not None
        assert wide.lower_bound is not None
        assert wide.lower_bound <= best.plan.cost <= wide.plan.cost <= 2.0 * wide.lower_bound
