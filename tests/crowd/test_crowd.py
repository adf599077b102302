"""Crowds: nobody overlaps, nobody enters a wall, everybody arrives, and runs repeat to the last bit."""

from __future__ import annotations

import math

import numpy as np
import pytest

import sidestep as ss
from sidestep.instances import random_grid, random_problem

RADIUS = 0.3


def on_a_circle(count, room=1.2):
    """Places on a circle with this many diameters from one to the next."""
    angles = np.arange(count) * 2 * math.pi / count
    radius = room * count * 2 * RADIUS / (2 * math.pi)
    return radius * np.stack([np.cos(angles), np.sin(angles)], axis=1)


def deepest_overlap(crowd):
    """Over all pairs, in radii of the smaller agent; negative if nobody touches anybody."""
    places, radii = crowd.positions, crowd.radii
    distances = np.sqrt(((places[:, None] - places[None]) ** 2).sum(axis=2))
    overlaps = (radii[:, None] + radii[None] - distances) / np.minimum(radii[:, None], radii[None])
    np.fill_diagonal(overlaps, -np.inf)
    return overlaps.max()


def wall_depth(crowd, grid):
    """How deep any agent is in a wall or outside, by the distance to every blocked cell."""
    padded = np.pad(grid.passable, 1)
    blocked = np.argwhere(~padded) - 1
    outside = np.abs(crowd.positions[:, None] - blocked[None]) - 0.5
    distances = np.sqrt((np.maximum(outside, 0) ** 2).sum(axis=2)).min(axis=1)
    return (crowd.radii - distances).max()


@pytest.mark.parametrize("agents", [300, pytest.param(1000, marks=pytest.mark.slow)])
def test_agents_cross_a_circle_without_overlapping(agents):
    starts = on_a_circle(agents)
    crowd = ss.Crowd(starts, -starts, radius=RADIUS)
    straight = 2 * np.linalg.norm(starts[0])
    while not crowd.done and crowd.time < 2 * straight:
        crowd.step(0.25, steps=20)
        assert deepest_overlap(crowd) <= 1e-3
    assert crowd.done
    assert crowd.time > straight - 1  # nobody was faster than allowed


def test_two_who_meet_head_on_pass_each_other_alike():
    crowd = ss.Crowd([(0, -5), (0, 5)], [(0, 5), (0, -5)])
    while not crowd.done and crowd.time < 30:
        crowd.step()
        first, second = crowd.positions
        assert first == pytest.approx(-second, abs=1e-9)  # the same, seen from the other side
        assert deepest_overlap(crowd) <= 0
    assert crowd.done
    assert crowd.time < 15


def test_an_agent_alone_walks_straight_at_full_speed():
    crowd = ss.Crowd([(0, 0)], [(3, 4)], max_speed=2.0)
    crowd.step(0.5)
    assert crowd.velocities[0] == pytest.approx([1.2, 1.6])
    assert crowd.run(2.0)
    assert crowd.positions[0] == pytest.approx([3, 4])
    assert crowd.time == pytest.approx(2.5)


@pytest.mark.parametrize("count", [3, 4, 5, 8, 13, 20])
def test_agents_that_press_from_all_sides_alike_come_apart(count):
    """Nothing in such a scene says who should give way."""
    starts = on_a_circle(count, room=3)
    crowd = ss.Crowd(starts, -starts)
    assert crowd.run(60.0)
    assert deepest_overlap(crowd) <= 1e-6


@pytest.mark.parametrize("spread", [0.8, 1.0, 2.0])
def test_dense_groups_that_pass_through_each_other_never_overlap(spread):
    block = spread * np.array([(row, col) for row in range(6) for col in range(6)], dtype=float)
    there = block + np.array([0, 8 * spread])
    crowd = ss.Crowd(np.concatenate([block, there]), np.concatenate([there, block]))
    while not crowd.done and crowd.time < 200:
        crowd.step(steps=5)
        assert deepest_overlap(crowd) <= 1e-6
    assert crowd.done


def test_agents_of_different_sizes_and_speeds():
    rng = np.random.default_rng(3)
    starts = np.array([(row, col) for row in range(8) for col in range(8)], dtype=float) * 3
    radii, speeds = rng.uniform(0.1, 1.2, 64), rng.uniform(0.5, 2.0, 64)
    crowd = ss.Crowd(starts, starts[rng.permutation(64)], radius=radii, max_speed=speeds)
    for _ in range(60):
        crowd.step(steps=15)
        assert deepest_overlap(crowd) <= 1e-6
        assert (np.linalg.norm(crowd.velocities, axis=1) <= speeds * (1 + 1e-9)).all()
    assert crowd.arrived().mean() > 0.9


@pytest.mark.parametrize("offset", [0.0, 5e-324, 1e-200, 1e-12, 0.1])
def test_agents_that_begin_on_top_of_each_other_part(offset):
    crowd = ss.Crowd([(0, 0), (0, 0), (0, offset)], [(0, 0), (0, 1), (1, 0)])
    crowd.step(steps=100)
    assert deepest_overlap(crowd) <= 1e-6


def test_the_smallest_and_the_largest_numbers():
    """Nothing that is accepted leads to something that is not a number, or out of bounds."""
    for positions in ([(0, 0), (1e9, -1e9)], [(0, 0), (0, 1e-9)], [(1e9, 1e9), (1e9, 1e9)]):
        for numbers in ((1e-6, 1e9), (1e9, 0), (1e9, 1e9), (1e-6, 1e-300)):
            for horizon in (1e-300, 1e9):
                crowd = ss.Crowd(
                    positions, positions[::-1], radius=numbers[0], max_speed=numbers[1], horizon=horizon
                )
                crowd.step(min(horizon, 0.5), steps=3)
                assert np.isfinite(crowd.positions).all()
                assert np.isfinite(crowd.velocities).all()


MAZE = ss.Grid.from_text("""
    . . . . . . . . . .
    . # # # . # # # # .
    . # . . . . . . # .
    . # . # # # # . # .
    . # . # . . # . # .
    . . . # . . # . . .
    . # . # # . # . # .
    . # . . . . . . # .
    . # # # # # . # # .
    . . . . . . . . . .
""")


@pytest.mark.parametrize("radius", [0.2, 0.3, 0.45])
def test_walls_are_never_entered(radius):
    rng = np.random.default_rng(5)
    free = np.argwhere(MAZE.passable)
    starts = free[rng.permutation(len(free))[:12]]
    crowd = ss.Crowd(starts, free[rng.permutation(len(free))[:12]], grid=MAZE, radius=radius, max_speed=1.5)
    for _ in range(40):
        crowd.step(0.2, steps=3)
        assert wall_depth(crowd, MAZE) <= 1e-9
        assert deepest_overlap(crowd) <= 1e-6


def test_an_agent_finds_its_way_around_walls():
    crowd = ss.Crowd([(4, 4)], [(0, 0)], grid=MAZE, radius=0.4)
    assert crowd.run(60.0)
    ways = ss.solve(ss.Problem(MAZE, [(4, 4)], [(0, 0)]), "hca").plan.makespan
    assert crowd.time < 2 * ways


def test_who_has_no_way_stays_where_it_is():
    grid = ss.Grid.from_text(". . # .")
    crowd = ss.Crowd([(0, 0)], [(0, 3)], grid=grid)
    assert not crowd.run(5.0)
    assert np.abs(crowd.positions[0] - [0, 0]).max() < 0.5


def test_the_same_run_gives_the_same_bytes():
    def run():
        starts = on_a_circle(60)
        crowd = ss.Crowd(starts, -starts)
        crowd.step(steps=150)
        return crowd.positions.tobytes() + crowd.velocities.tobytes()

    assert run() == run()


def test_the_order_of_agents_far_apart_does_not_matter():
    """A hundred pairs, each by itself: whoever shares a bucket of the index is no neighbour."""
    far = np.repeat(np.arange(100) * [[1e4], [7e3]], 2, axis=1).T
    pair = np.tile([(0.0, -3.0), (0.0, 3.0)], (100, 1))
    crowd = ss.Crowd(far + pair, far - pair)
    alone = ss.Crowd(pair[:2], -pair[:2])
    crowd.step(steps=80)
    alone.step(steps=80)
    assert crowd.positions - far == pytest.approx(np.tile(alone.positions, (100, 1)), abs=1e-5)


def test_goals_and_places_change_on_the_way():
    crowd = ss.Crowd([(0, 0)], [(0, 9)], grid=ss.Grid(np.ones((3, 10), dtype=bool)))
    crowd.step(steps=10)
    crowd.send(0, (2, 0))
    crowd.move(0, (2, 3.5))
    assert crowd.velocities.tolist() == [[0, 0]]
    assert crowd.run(10.0)
    assert crowd.positions[0] == pytest.approx([2, 0], abs=0.1)


def test_numbers_of_numpy_do():
    crowd = ss.Crowd([(0, 0), (0, 2)], [(0, 2), (0, 0)], neighbours=np.int64(3))
    assert crowd.step(np.float64(0.1), steps=np.int32(2)) == 2


def test_a_budget_stops_a_crowd_between_steps():
    starts = on_a_circle(50)
    crowd = ss.Crowd(starts, -starts)
    assert crowd.step(steps=10, budget=ss.Budget(seconds=0)) == 0
    assert crowd.time == 0
    assert (crowd.positions == starts).all()
    with pytest.raises(ss.InputError, match="dt must be"):
        crowd.step(3.0)


def test_nobody_starts_or_ends_in_a_wall():
    for positions, goals in [
        ([(1, 1)], [(0, 0)]),
        ([(0, 0)], [(1, 2)]),
        ([(0.2, 1)], [(0, 9)]),
        ([(-1, 0)], [(0, 0)]),
    ]:
        with pytest.raises(ss.InputError, match="wall"):
            ss.Crowd(positions, goals, grid=MAZE, radius=0.45)
    with pytest.raises(ss.InputError, match="radius"):
        ss.Crowd([(0, 0)], [(0, 9)], grid=MAZE, radius=0.6)


def test_an_empty_crowd_is_done():
    crowd = ss.Crowd([], [])
    assert crowd.step() == 1
    assert crowd.done


# Following a plan


@pytest.mark.parametrize("radius", [0.2, 0.35])
@pytest.mark.parametrize("seed", range(4))
def test_a_plan_is_followed_to_its_end_whatever_the_speeds(seed, radius):
    grid = random_grid(10, 10, density=0.1, seed=seed)
    result = ss.solve(random_problem(grid, 30, seed), "whca", seed=seed)
    assert ss.validate(result.problem, result.plan)
    speeds = np.random.default_rng(seed).uniform(0.3, 3.0, 30)
    crowd = ss.Crowd.following(result.plan, radius=radius, max_speed=speeds)
    while not crowd.done and crowd.time < 5 * result.plan.makespan + 20:
        crowd.step()
        assert deepest_overlap(crowd) <= 1e-6
        assert wall_depth(crowd, grid) <= 1e-9
        assert (np.linalg.norm(crowd.velocities, axis=1) <= speeds * (1 + 1e-9)).all()
    assert crowd.done
    assert crowd.positions == pytest.approx(grid.cells(result.plan.vertices[-1]), abs=0.1)


def test_a_plan_takes_as_long_as_it_has_steps():
    grid = random_grid(10, 10, density=0.1, seed=1)
    plan = ss.solve(random_problem(grid, 30, 1), "whca", seed=1).plan
    crowd = ss.Crowd.following(plan)
    assert crowd.run(plan.makespan + 0.05)  # at a cell per second


def test_one_who_must_wait_waits_even_if_the_other_is_slow():
    """The plan lets a cross first; a is slow, and b does not overtake it at the crossing."""
    problem = ss.Problem.from_text("""
        . # b # .
        a . . . A
        . # . # .
        . # B # .
    """)
    a, b = problem.names.index("a"), problem.names.index("b")
    cells = {a: [(1, 0), (1, 1), (1, 2), (1, 3), (1, 4), (1, 4), (1, 4)]}
    cells[b] = [(0, 2), (0, 2), (0, 2), (1, 2), (2, 2), (3, 2), (3, 2)]
    vertices = [[problem.space.vertex(cells[agent][t]) for agent in range(2)] for t in range(7)]
    plan = ss.Plan(problem, vertices)
    assert ss.validate(problem, plan)
    speeds = [0.2 if agent == a else 2.0 for agent in range(2)]
    crowd, first = ss.Crowd.following(plan, max_speed=speeds), []
    while not crowd.done and crowd.time < 60:
        crowd.step()
        first += [
            agent
            for agent in range(2)
            if agent not in first and np.abs(crowd.positions[agent] - [1, 2]).max() < 0.2
        ]
    assert crowd.done
    assert first == [a, b]


@pytest.mark.parametrize("speeds", [1.0, [0.5, 1.0, 2.0, 4.0]])
def test_a_ring_turns_as_a_whole(speeds):
    grid = ss.Grid(np.ones((2, 2), dtype=bool))
    problem = ss.Problem(grid, [(0, 0), (0, 1), (1, 1), (1, 0)], [(0, 1), (1, 1), (1, 0), (0, 0)])
    plan = ss.Plan(problem, [[0, 1, 3, 2], [1, 3, 2, 0]])
    assert ss.validate(problem, plan)
    assert ss.Crowd.following(plan, radius=0.35, max_speed=speeds).run(20.0)


def test_who_follows_a_plan_is_not_sent_or_moved_elsewhere():
    crowd = ss.Crowd.following(ss.solve(ss.Problem.from_text("a . A"), "hca").plan)
    with pytest.raises(ss.InputError, match="follows a plan"):
        crowd.send(0, (0, 0))
    with pytest.raises(ss.InputError, match="follows a plan"):
        crowd.move(0, (0, 0))


def test_plans_that_discs_cannot_follow_are_refused():
    open_ground = ss.Grid(np.ones((2, 2), dtype=bool), connectivity=8, corners="free")
    diagonal = ss.Plan(ss.Problem(open_ground, [(0, 0)], [(1, 1)]), [[0], [3]])
    with pytest.raises(ss.InputError, match="diagonal"):
        ss.Crowd.following(diagonal)
    swap = ss.Plan(ss.Problem(open_ground, [(0, 0), (0, 1)], [(0, 1), (0, 0)]), [[0, 1], [1, 0]])
    with pytest.raises(ss.InputError, match="valid plan"):
        ss.Crowd.following(swap)
    straight = ss.solve(ss.Problem.from_text("a . A"), "hca").plan
    with pytest.raises(ss.InputError, match="radius"):
        ss.Crowd.following(straight, radius=0.4)


def test_a_plan_in_which_agents_disappear_is_refused():
    problem = ss.Problem.from_text("a . A", rules=ss.Rules(at_goal="disappear"))
    plan = ss.Plan(problem, [[0], [1], [2], [-1]])
    with pytest.raises(ss.InputError, match="disappear"):
        ss.Crowd.following(plan)
