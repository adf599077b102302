"""Groups: one path for many units, places in formation, and nobody collides on the way."""

from __future__ import annotations

import copy
import pickle
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sidestep as ss
from sidestep import _core
from sidestep.instances import random_grid
from sidestep.world.formation import in_formation
from sidestep.world.group import GroupSession
from tests.sizing import examples


def columns(rows: int = 20, cols: int = 60) -> ss.Grid:
    """An open field with pillars."""
    passable = np.ones((rows, cols), dtype=bool)
    passable[3::6, 5::6] = False
    return ss.Grid(passable)


def square(row: int, col: int, side: int) -> list[tuple[int, int]]:
    return [(row + r, col + c) for r in range(side) for c in range(side)]


def squad(side: int = 3, grid: ss.Grid | None = None, others: int = 0) -> ss.Problem:
    """Units in a square at the left, and others who go from right to left."""
    grid = columns() if grid is None else grid
    starts = square(8, 1, side) + [(row, 58) for row in range(others)]
    goals = [None] * side**2 + [(row, 0) for row in range(others)]
    return ss.Problem(grid, starts, goals)


def run(world: ss.World, turns: int = 400) -> ss.World:
    while not world.done and world.time < turns:
        world.step()
        assert world.planner_error is None
    assert ss.validate_trace(world.trace)
    return world


# Formations


def test_on_open_ground_the_formation_stays_as_it_is():
    problem = squad()
    result = ss.move_group(problem, range(9), (9, 51))
    assert ss.validate(result.problem, result.plan)
    shift = result.problem.space.cells(result.problem.goals) - result.problem.space.cells(problem.starts)
    assert len({tuple(cell) for cell in shift.tolist()}) == 1
    assert problem.space.vertex((9, 51)) in result.problem.goals


def test_units_far_apart_come_closer_but_stay_on_their_sides():
    grid = ss.Grid(np.ones((21, 21), dtype=bool))
    problem = ss.Problem(grid, [(0, 0), (0, 20), (20, 0), (20, 20)], [None] * 4)
    result = ss.move_group(problem, range(4), (10, 10))
    (top, left), (_, right), (bottom, _), _ = grid.cells(result.problem.goals).tolist()
    assert top < bottom
    assert left < right
    assert np.ptp(grid.cells(result.problem.goals), axis=0).max() <= 6


@settings(max_examples=examples(60), deadline=None)
@given(st.integers(1, 5), st.integers(0, 2), st.integers(0, 2**31))
def test_no_other_assignment_keeps_the_formation_better(units, spare, seed):
    random = np.random.default_rng(seed)
    offsets = random.integers(-4, 5, size=(units, 2)).astype(float)
    places = random.integers(-6, 7, size=(units + spare, 2)).astype(float)
    spread, room = np.abs(offsets).max(), np.abs(places).max()
    wanted = offsets * min(1.0, room / spread) if spread else offsets
    chosen = in_formation(offsets, places)
    assert len(set(chosen.tolist())) == units

    def error(order):
        return ((wanted - places[list(order)]) ** 2).sum()

    best = min(map(error, permutations(range(units + spare), units)))
    assert error(chosen.tolist()) <= best + 1e-2  # costs are rounded to 1/256


def test_an_assignment_needs_enough_columns_and_sane_costs():
    with pytest.raises(ValueError, match="column for every row"):
        _core.assign(np.zeros((3, 2), dtype=np.int64))
    with pytest.raises(ValueError, match="at most"):
        _core.assign(np.full((1, 1), 2**60, dtype=np.int64))


# Under way


def crossing(seed: int) -> tuple[ss.Problem, tuple[int, int]]:
    """Twelve units at the left of a random map, a goal at the right, and six others against them."""
    grid = random_grid(24, 40, 0.1, seed)
    free = [tuple(cell) for cell in np.argwhere(grid.passable).tolist()]
    left, right = [cell for cell in free if cell[1] < 6], [cell for cell in free if cell[1] > 33]
    return ss.Problem(grid, [*left[:12], *right[-6:]], [*[None] * 12, *left[-6:]]), right[0]


@pytest.mark.parametrize(
    "style",
    [{}, {"leader": 4}, {"detours": 0.8}, {"own_steps": 0}],
    ids=["plain", "leader", "detours", "own 0"],
)
def test_groups_arrive_and_nobody_collides(style):
    longer = []
    for seed in range(5):
        problem, goal = crossing(seed)
        result = ss.move_group(problem, range(12), goal, seed=seed, **style)
        assert result, result.reason
        assert ss.validate(result.problem, result.plan)
        assert result.problem.goals[12:].tolist() == problem.goals[12:].tolist()
        alone = ss.solve(result.problem, "whca", seed=seed)
        if alone:  # without waypoints some jam in the middle
            longer.append(result.plan.cost / alone.plan.cost)
    assert len(longer) >= 3
    assert np.mean(longer) < 1.5


def test_units_share_the_middle_of_the_path():
    """Without waypoints they would spread over the field; with them all pass where the path does."""
    world = ss.World(squad(), ss.WHCA())
    group = ss.move_group(world, range(9), (9, 51))
    path = world.space.cells(group.path)
    run(world)
    assert world.done
    middle = path[len(path) // 2]
    near = np.abs(world.space.cells(world.trace.positions) - middle).max(axis=2) <= 3
    assert near.any(axis=0).all()


def test_followers_keep_behind_their_leader():
    world = ss.World(squad(), ss.WHCA())
    ss.move_group(world, range(9), (9, 51), leader=0)
    while world.where(0)[1] < 38:
        world.step()
        if world.time > 20:
            assert max(world.where(unit)[1] for unit in range(1, 9)) < world.where(0)[1]
    assert run(world).done


def spread(world: ss.World) -> float:
    """How far units were from their middle, in the mean over all turns."""
    cells = world.space.cells(world.trace.positions.ravel()).reshape(len(world.trace.positions), -1, 2)
    return float(np.abs(cells - cells.mean(axis=1, keepdims=True)).max(axis=2).mean())


def test_a_flock_stays_together_around_corners():
    """Of units in a winding corridor those behind a leader are nearer to each other than those without."""
    passable = np.zeros((20, 60), dtype=bool)
    for part, col in enumerate(range(0, 60, 8)):
        passable[2:18, col : col + 5] = True
        passable[slice(2, 6) if part % 2 else slice(14, 18), col : col + 8] = True
    problem = ss.Problem(ss.Grid(passable), square(3, 0, 4), [None] * 16)
    spreads = {}
    for leader in (None, 15):
        world = ss.World(problem, ss.WHCA())
        ss.move_group(world, range(16), (4, 57), leader=leader)
        assert run(world).done
        spreads[leader] = spread(world)
    assert spreads[15] < spreads[None]


def test_the_leader_waits_but_not_for_ever():
    """A follower that cannot move is left behind in the end."""
    passable = np.ones((9, 60), dtype=bool)
    world = ss.World(ss.Problem(ss.Grid(passable), square(3, 1, 2), [None] * 4), ss.WHCA())
    ss.move_group(world, range(4), (4, 55), leader=3)
    for row, col in ((2, 1), (3, 0)):
        world.block((row, col))
    for _ in range(200):  # two of the followers are held where they are
        world.step()
        world.sync({0: (3, 1), 1: (3, 2)})
    assert world.where(3) == world.space.place(world.goals[3])


def test_who_loses_the_leader_goes_on_from_where_it_is():
    world = ss.World(squad(), ss.WHCA())
    group = ss.move_group(world, range(9), (9, 51), leader=0)
    while world.where(0)[1] < 25:
        world.step()
    world.remove(0)
    rows = [max(world.where(unit)[1] for unit in group.units if unit != 0)]
    for _ in range(15):
        world.step()
        rows.append(max(world.where(unit)[1] for unit in group.units))
    assert min(rows) >= rows[0] - 2  # nobody turns back to the beginning of the path
    assert run(world).done


def test_a_path_is_looked_for_bit_by_bit_within_the_turns():
    """Too large a map for an order: turns without time wait, and the one that has time finds the path."""
    grid = random_grid(300, 300, 0.3, 4)
    cells = [tuple(cell) for cell in np.argwhere(grid.passable).tolist()]
    problem = ss.Problem(grid, cells[:6], [None] * 6)
    world = ss.World(problem, ss.WHCA())
    group = ss.move_group(world, range(6), cells[-1])
    assert not group.path_is_known
    waited = 0
    while not group.path_is_known:
        world.step(0.0)  # no time at all: the search gets nowhere, and nobody moves
        waited += 1
        if waited == 3:
            assert world.positions.tolist() == problem.starts.tolist()
            world.step()
    assert waited == 3
    path = group.path.tolist()
    assert path[-1] == group.goal
    assert len(path) - 1 == ss.shortest_path(grid, grid.place(path[0]), cells[-1]).cost


def test_a_search_for_the_path_sees_walls_that_close_meanwhile():
    grid = ss.Grid(np.ones((260, 260), dtype=bool))
    world = ss.World(ss.Problem(grid, square(0, 0, 2), [None] * 4), ss.WHCA())
    group = ss.move_group(world, range(4), (259, 259))
    world.step(0.0)
    for col in range(259):
        world.block((130, col))
    world.step()
    assert group.path_is_known
    assert world.space.vertex((130, 259)) in group.path


def test_a_copy_of_a_group_that_is_looking_for_its_path_finds_it_too():
    grid = random_grid(300, 300, 0.3, 4)
    cells = [tuple(cell) for cell in np.argwhere(grid.passable).tolist()]
    world = ss.World(ss.Problem(grid, cells[:6], [None] * 6), ss.WHCA())
    ss.move_group(world, range(6), cells[-1])
    world.step(0.0)
    twins = [world, copy.deepcopy(world), pickle.loads(pickle.dumps(world))]
    for twin in twins:
        for _ in range(10):
            twin.step(nodes=2000)
    assert twins[0].trace == twins[1].trace == twins[2].trace


def test_detours_are_drawn_by_the_seed():
    plans = [
        ss.move_group(squad(), range(9), (9, 51), detours=share, seed=seed).plan.vertices.tolist()
        for share, seed in ((0.9, 1), (0.9, 1), (0.9, 2), (0.0, 1))
    ]
    assert plans[0] == plans[1]
    assert plans[0] != plans[2]
    assert plans[0] != plans[3]


def test_a_gate_that_closes_sends_the_group_another_way():
    passable = np.ones((15, 50), dtype=bool)
    passable[:, 25] = False
    passable[7, 25] = passable[13, 25] = True
    world = ss.World(squad(grid=ss.Grid(passable)), ss.WHCA())
    group = ss.move_group(world, range(9), (9, 45))
    assert world.space.vertex((7, 25)) in group.path
    for _ in range(6):
        world.step()
    world.block((7, 25))
    run(world)
    assert world.done
    assert world.space.vertex((13, 25)) in group.path


def test_a_group_that_is_cut_off_goes_on_when_it_can():
    passable = np.ones((15, 50), dtype=bool)
    passable[:, 25] = False
    passable[7, 25] = True
    world = ss.World(squad(grid=ss.Grid(passable)), ss.WHCA())
    ss.move_group(world, range(9), (9, 45))
    for _ in range(6):
        world.step()
    world.block((7, 25))
    for _ in range(30):
        world.step()
    assert not world.done
    world.free((7, 25))
    assert run(world).done


def test_who_is_sent_elsewhere_leaves_the_group_and_the_dead_do_too():
    world = ss.World(squad(), ss.WHCA())
    group = ss.move_group(world, range(9), (9, 51), leader=0)
    for _ in range(5):
        world.step()
    world.send(3, (0, 0))
    world.send(5, None)
    world.remove(0)
    run(world)
    assert world.done
    assert world.where(3) == (0, 0)
    assert set(group.units) == {1, 2, 4, 6, 7, 8}


def test_a_second_order_replaces_the_first():
    world = ss.World(squad(), ss.WHCA())
    ss.move_group(world, range(9), (9, 51))
    for _ in range(8):
        world.step()
    group = ss.move_group(world, range(9), (2, 2))
    assert isinstance(world.session, GroupSession)
    assert not isinstance(world.session.session, GroupSession)
    run(world)
    assert world.done
    assert world.positions.tolist() == [group.goals[unit] for unit in range(9)]


def test_two_groups_pass_each_other():
    starts = square(8, 1, 4) + square(8, 55, 4)
    world = ss.World(ss.Problem(columns(), starts, [None] * 32), ss.WHCA(window=16))
    ss.move_group(world, range(16), (9, 54))
    ss.move_group(world, range(16, 32), (9, 3))
    assert run(world).done


def test_a_snapshot_keeps_the_group():
    world = ss.World(squad(), ss.WHCA())
    ss.move_group(world, range(9), (9, 51), detours=0.5)
    for _ in range(10):
        world.step()
    snapshot = world.snapshot()
    first = run(world).trace.positions.tolist()
    world.restore(snapshot)
    assert run(world).trace.positions.tolist() == first


def test_other_planners_follow_waypoints_too():
    for planner in (ss.HCA(), ss.LRA(), ss.WDPCA()):
        world = ss.World(squad(2), planner)
        ss.move_group(world, range(4), (9, 51))
        run(world)
        assert world.positions.tolist() == world.goals.tolist()


# What cannot be


@pytest.mark.parametrize(
    ("order", "message"),
    [
        ({"units": []}, "at least one unit"),
        ({"units": "a0"}, "by index or name"),
        ({"units": 3}, "by index or name"),
        ({"units": [0, 0]}, "only once"),
        ({"units": [99]}, "no agent 99"),
        ({"goal": (3, 5)}, r"\(3, 5\) is blocked"),
        ({"goal": (99, 5)}, "outside the grid"),
        ({"leader": 8}, "none of the units"),
        ({"detours": 1.5}, "share from 0 to 1"),
        ({"detours": float("nan")}, "share from 0 to 1"),
        ({"own_steps": -1}, "own_steps must be"),
        ({"seed": "x"}, "seed must be"),
    ],
)
@pytest.mark.parametrize("online", [False, True])
def test_an_order_that_makes_no_sense_is_refused(order, message, online):
    where = ss.World(squad(), ss.WHCA()) if online else squad()
    with pytest.raises(ss.InputError, match=message):
        ss.move_group(where, **{"units": [0, 1], "goal": (9, 40), **order})


def test_a_refused_order_changes_nothing():
    world = ss.World(squad(), ss.WHCA())
    with pytest.raises(ss.InputError):
        ss.move_group(world, range(9), (3, 5))
    assert world.goals.tolist() == [-1] * 9
    assert not isinstance(world.session, GroupSession)


def test_on_a_large_map_a_pocket_is_refused_and_two_halves_are_found_out_under_way():
    passable = np.ones((260, 300), dtype=bool)
    passable[:, 150] = False
    halves = ss.Grid(passable)
    with_pocket = passable.copy()
    with_pocket[0, 5] = with_pocket[1, 4] = with_pocket[1, 5] = False
    with_pocket[:, 150] = True
    with_pocket[1, :5] = False
    with pytest.raises(ss.InputError, match="no way from"):
        ss.move_group(ss.Problem(ss.Grid(with_pocket), [(0, 0)], [None]), [0], (250, 290))
    with pytest.raises(ss.InputError, match="no way from"):
        ss.move_group(ss.Problem(ss.Grid(with_pocket), [(250, 290)], [None]), [0], (0, 0))
    world = ss.World(ss.Problem(halves, [(0, 0), (0, 1)], [None, None]), ss.WHCA())
    group = ss.move_group(world, [0, 1], (0, 299))
    world.step()
    assert group.path_is_known
    assert len(group.path) == 0
    world.free((7, 150))
    assert run(world, 700).done


def test_where_there_is_no_way_or_no_room():
    passable = np.ones((6, 12), dtype=bool)
    passable[:, 6] = False
    grid = ss.Grid(passable)
    with pytest.raises(ss.InputError, match="no way from"):
        ss.move_group(ss.Problem(grid, [(0, 0), (0, 8)], [None, None]), [0, 1], (3, 3))
    passable[2, :] = False
    room = ss.Problem(ss.Grid(passable), [(0, 0), (0, 1), (0, 2)], [None, (1, 1), (0, 3)])
    result = ss.move_group(room, [0], (1, 1))  # taken: the next one
    assert room.space.place(result.problem.goals[0]) != (1, 1)
    row = ss.Grid.from_text("...#..")
    full = ss.Problem(row, [(0, 0), (0, 1), (0, 4), (0, 5)], [None, None, (0, 0), (0, 1)])
    with pytest.raises(ss.InputError, match=r"around \(0, 2\) there is room for 1 unit, not for 2"):
        ss.move_group(full, [0, 1], (0, 2))


def test_slow_units_march_too_and_large_ones_do_not():
    agents = [ss.Agent((row, 1), period=1 + row % 2) for row in range(6)]
    problem = ss.Problem.from_agents(columns(), [*agents, ss.Agent((10, 1), size=2)])
    result = ss.move_group(problem, range(6), (9, 40))
    assert result, result.reason
    assert ss.validate(result.problem, result.plan)
    for where in (problem, ss.World(problem, ss.WHCA())):
        with pytest.raises(ss.UnsupportedError, match="one cell, not a6"):
            ss.move_group(where, [0, 6], (9, 40))


def test_graphs_worlds_and_planners_that_do_not_fit():
    ring = ss.Graph(6, [(k, (k + 1) % 6) for k in range(6)])
    with pytest.raises(ss.UnsupportedError, match="grid"):
        ss.move_group(ss.Problem(ring, [0], [None]), [0], 3)
    with pytest.raises(ss.InputError, match="World or a Problem"):
        ss.move_group(ring, [0], 3)
    with pytest.raises(ss.InputError, match="its own planner"):
        ss.move_group(ss.World(squad(), ss.WHCA()), [0], (9, 9), solver=ss.HCA())


@pytest.mark.parametrize("ahead", [True, False])
def test_no_group_where_agents_disappear(ahead):
    rules = ss.Rules(at_goal="disappear")
    problem = ss.Problem(ss.Grid.from_text("....\n...."), starts=[(0, 0)], goals=[(0, 1)], rules=rules)
    world = ss.World(problem, ss.HCA())
    with pytest.raises(ss.UnsupportedError, match="at_goal='stay'"):
        ss.move_group(problem if ahead else world, [0], (1, 3))
    assert not len(world.events)
    assert world.goals.tolist() == problem.goals.tolist()


def test_a_group_keeps_off_all_cells_of_the_goals_of_others_and_takes_those_of_the_gone() -> None:
    agents = [ss.Agent((5, 0)), ss.Agent((0, 0), (2, 4), size=2), ss.Agent((0, 7), (4, 4))]
    world = ss.World(ss.Problem.from_agents(ss.Grid(np.ones((6, 8), dtype=bool)), agents), ss.WHCA())
    world.remove(2)
    assert ss.move_group(world, [0], (4, 4)).goals == {0: world.space.vertex((4, 4))}
    group = ss.move_group(world, [0], (3, 5))  # under the large one's goal
    assert group.goals[0] not in [world.space.vertex(cell) for cell in ((2, 4), (2, 5), (3, 4), (3, 5))]
