"""What DMRCP promises beyond the contract."""

from __future__ import annotations

import numpy as np
import pytest

import sidestep as ss
from sidestep.instances import random_grid, random_problem

CORRIDOR = ss.Grid.from_text("# # . # #\n. . . . .")


def crowd(seed: int, agents: int, size: int = 16, **rules) -> ss.Problem:
    grid = random_grid(size, size, 0.2, seed, connectivity=8, corners="free")
    return random_problem(grid, agents, seed, rules=ss.Rules(**rules))


def refusals(world: ss.World) -> int:
    return sum(ss.EventKind(kind).is_planner_fault for kind in world.events[:, 1])


RULES = [
    {},
    {"following": False},
    {"at_goal": "disappear"},
    {"crossing": True, "cost": "time_off_goal"},
    {"following": False, "at_goal": "disappear"},
]


@pytest.mark.parametrize("rules", RULES, ids=str)
def test_most_crowds_are_solved_and_no_move_is_ever_refused(rules):
    solved = 0
    for seed in range(12):
        problem = crowd(seed, 4 + 2 * seed, **rules)
        world = ss.World(problem, ss.DMRCP(), seed=seed)
        while not world.done and world.time < 150:
            world.step()
        assert refusals(world) == 0
        assert ss.validate_trace(world.trace)
        solved += world.done
    assert solved >= 9


# The standard cases


@pytest.mark.parametrize("following", [True, False])
@pytest.mark.parametrize("pocket", [1, 2, 3])
def test_two_that_meet_in_a_corridor_use_the_pocket(pocket, following):
    passable = np.array([[col == pocket for col in range(5)], [True] * 5])
    rules = ss.Rules(following=following)
    problem = ss.Problem(ss.Grid(passable), [(1, 0), (1, 4)], [(1, 4), (1, 0)], rules=rules)
    result = ss.solve(problem, "dmrcp")
    assert result
    assert ss.validate(problem, result.plan)
    assert result.stats["dodges"] >= 1


def test_who_stands_on_its_goal_in_the_way_makes_room_and_comes_back():
    problem = ss.Problem(CORRIDOR, [(1, 0), (1, 2)], [(1, 4), (1, 2)])
    result = ss.solve(problem, "dmrcp")
    assert result.plan.costs[0] == 4  # nobody else pays
    assert result.stats["dodges"] == 1
    assert (0, 2) in [tuple(cell) for cell in result.plan.cells[:, 1]]


def test_an_idle_agent_makes_room():
    problem = ss.Problem(CORRIDOR, [(1, 0), (1, 2)], [(1, 4), None])
    result = ss.solve(problem, "dmrcp")
    assert result.plan.cost == 4
    assert ss.validate(problem, result.plan)


def test_at_a_crossing_one_waits():
    problem = ss.Problem.from_text("# a #\nb . B\n# A #")
    result = ss.solve(problem, "dmrcp")
    assert ss.validate(problem, result.plan)
    assert result.plan.cost == 5
    assert result.stats["waits"] == 1


@pytest.mark.parametrize("following", [True, False])
def test_a_ring_rotates_where_following_is_allowed(following):
    grid = ss.Grid.from_text(". . .\n. # .\n. . .")
    ring = [(0, 0), (0, 1), (0, 2), (1, 2), (2, 2), (2, 1), (2, 0), (1, 0)]
    problem = ss.Problem(grid, ring, ring[1:] + ring[:1], rules=ss.Rules(following=following))
    result = ss.DMRCP().solve(problem, budget=ss.Budget(5.0))
    assert bool(result) == following
    if result:
        assert result.plan.makespan == 1


def test_one_that_is_cornered_turns_heads():
    """a wants to the end of the dead end that b wants to leave: it has to go back to the pocket."""
    grid = ss.Grid.from_text("# # # . #\n. . . . .")
    problem = ss.Problem(grid, [(1, 1), (1, 0)], [(1, 0), (1, 4)])
    result = ss.solve(problem, "dmrcp")
    assert ss.validate(problem, result.plan)
    assert result.stats["turned_heads"] >= 1
    assert result.stats["retreats"] >= 1


def test_a_request_is_passed_on():
    """Two that stand on their goals, one behind the other, both make room."""
    grid = ss.Grid.from_text("# # # . . #\n. . . . . .")
    problem = ss.Problem(grid, [(1, 0), (1, 2), (1, 3)], [(1, 5), (1, 2), (1, 3)])
    result = ss.solve(problem, "dmrcp")
    assert ss.validate(problem, result.plan)
    assert result.stats["requests"] >= 2


# How it ends


def test_what_repeats_itself_is_given_up_and_those_who_wait_are_named():
    problem = ss.Problem(ss.Grid.from_text(". . . ."), [(0, 0), (0, 3)], [(0, 3), (0, 0)], names=["w", "e"])
    result = ss.DMRCP().solve(problem, budget=ss.Budget(5.0))
    assert result.status is ss.Status.GAVE_UP
    assert "w" in result.reason
    assert result.reason.endswith("everything repeats itself")


def test_a_turn_limit_is_kept():
    result = ss.solve(crowd(1, 20), "dmrcp", max_turns=3)
    assert result.status is ss.Status.GAVE_UP
    assert result.stats["turns"] == 3


def test_a_seed_breaks_ties():
    problem = crowd(5, 25)
    one, again = (ss.solve(problem, "dmrcp", seed=1) for _ in range(2))
    assert one.plan == again.plan
    plans = [ss.solve(problem, "dmrcp", seed=seed).plan for seed in range(5)]
    assert any(plan != one.plan for plan in plans)


# In a world


def test_goals_change_agents_join_and_leave_walls_open_and_close():
    problem = crowd(2, 20)
    world = ss.World(problem, ss.DMRCP())
    free = np.argwhere(problem.space.passable).tolist()
    for turn in range(60):
        place = tuple(free[turn * 37 % len(free)])
        if turn % 3 == 0 and world.is_open(place) and world._core.occupant(problem.space.vertex(place)) == -1:
            world.add(ss.Agent(place))
        if turn % 5 == 1:
            world.send(turn % 20, None) if turn % 2 else world.send(
                turn % 20, tuple(problem.agents[turn % 20].goal)
            )
        if turn % 7 == 2:
            world.block(place)
        if turn % 7 == 4:
            world.free(tuple(free[(turn - 2) * 37 % len(free)]))
        if turn % 11 == 3:
            world.remove(len(world.names) - 1)
        world.step()
        assert world.planner_error is None
    assert refusals(world) == 0
    assert ss.validate_trace(world.trace)


def test_nobody_stands_because_distances_are_not_ready():
    problem = random_problem(random_grid(64, 64, 0.1, 1), 300, 1)
    world = ss.World(problem, ss.DMRCP())
    for _ in range(4):
        world.step(budget=0.0)
    moved = world.positions != problem.starts
    assert moved.mean() > 0.9
    while not world.done and world.time < 300:
        world.step(budget=0.0005)
    assert world.done
    assert ss.EventKind.REFUSED not in world.events[:, 1]  # on a busy machine turns may be late
    assert ss.validate_trace(world.trace)


def test_a_snapshot_goes_on_as_the_original():
    world = ss.World(crowd(3, 30), ss.DMRCP())
    for _ in range(5):
        world.step()
    kept = world.snapshot()
    for _ in range(10):
        world.step()
    there = world.positions.copy()
    world.restore(kept)
    for _ in range(10):
        world.step()
    assert np.array_equal(world.positions, there)


def test_it_works_on_a_graph():
    """A ring with a spur, one way round."""
    graph = ss.Graph(6, [(0, 1), (1, 2), (2, 3), (3, 4), (4, 0), (2, 5), (5, 2)], directed=True)
    problem = ss.Problem(graph, [0, 2], [4, 2])
    result = ss.solve(problem, "dmrcp")
    assert ss.validate(problem, result.plan)


def test_what_is_said_is_counted():
    apart = ss.Problem.from_text("a A . . . . .\n. . . . . b B")
    assert ss.solve(apart, "dmrcp").stats["messages"] == 0
    near = ss.solve(ss.Problem.from_text("a A . . .\n. . . b B"), "dmrcp")
    assert near.stats["messages"] == 0
    nearer = ss.solve(ss.Problem.from_text("a A . .\n. . b B"), "dmrcp")
    assert nearer.stats["messages"] == 2  # each tells the other
    assert nearer.stats["bytes"] == 2 * 16
