"""Saved and loaded: worlds, snapshots, crowds, finders and distance maps go on exactly as they would have."""

from __future__ import annotations

import copy
import pickle
import random

import numpy as np
import pytest

import sidestep as ss
from sidestep.instances import random_grid, random_problem
from sidestep.io import read_save, read_trace, write_save, write_trace
from sidestep.model import saving
from sidestep.solvers import SOLVERS
from sidestep.world.switchable import SwitchableSession

ONLINE = [name for name, solver in SOLVERS.items() if solver.info.online]


def busy(planner: object, **options) -> ss.World:
    problem = random_problem(random_grid(16, 16, 0.15, 3), 25, 1)
    return ss.World(problem, planner, seed=2, **options)


def drive(world: ss.World, first: int, last: int) -> ss.World:
    for turn in range(first, last):
        if turn == 4:
            (world.block if world.is_open((3, 3)) else world.free)((3, 3))
        if turn == 6:
            world.remove("a3")
        if turn == 9:
            world.send("a1", None)
            world.set_priority("a2", 4)
        if turn == 12:
            place = next(
                (r, c)
                for r in range(16)
                for c in range(16)
                if world.is_open((r, c)) and r * 16 + c not in world.positions
            )
            world.add(ss.Agent(place))
        world.step(nodes=2000)
    return world


def again(thing):
    return pickle.loads(pickle.dumps(thing))


@pytest.mark.parametrize("planner", ONLINE)
@pytest.mark.parametrize("trace_limit", [None, 5])
def test_a_pickled_world_has_the_same_future(planner, trace_limit) -> None:
    world = drive(busy(SOLVERS[planner](), trace_limit=trace_limit, stuck_after=5), 0, 7)
    twin, copied = again(world), copy.deepcopy(world)
    assert twin.trace == world.trace
    assert twin.stuck == world.stuck
    for one in (world, twin, copied):
        drive(one, 7, 30)
    assert twin.trace == world.trace == copied.trace
    assert np.array_equal(twin.events, world.events)
    assert again(again(twin)).trace == world.trace


@pytest.mark.parametrize("planner", ONLINE)
def test_planning_under_way_is_saved_too(planner) -> None:
    world = busy(SOLVERS[planner]())
    for turn in range(12):
        if turn % 3 == 0:
            twin = again(world)
        world.step(nodes=40)
        twin.step(nodes=40)
        assert twin.trace == world.trace


def test_large_and_slow_agents_in_the_middle_of_a_move() -> None:
    agents = [
        ss.Agent((0, 0), (9, 9), size=2, period=3),
        ss.Agent((9, 0), (0, 9), period=2),
        ss.Agent((5, 5), (5, 0)),
    ]
    world = ss.World(ss.Problem.from_agents(ss.Grid(np.ones((12, 12), bool)), agents), ss.WHCA())
    for _ in range(4):
        world.step()
    twin = again(world)
    for _ in range(90):
        world.step()
        twin.step()
    assert twin.done
    assert twin.trace == world.trace


def test_groups_and_switched_planners_are_saved_with_the_world() -> None:
    problem = random_problem(random_grid(20, 20, 0.05, 1), 12, 4)
    world = ss.World(problem, SwitchableSession(problem, ss.LRA(), seed=1), seed=1)
    world.session.hold_back([1], 3)
    world.step()
    world.session.switch(ss.WHCA(window=8))
    ss.move_group(world, range(6), (10, 10), detours=0.5)
    for _ in range(5):
        world.step()
    twin = again(world)
    for _ in range(30):
        world.step()
        twin.step()
    assert twin.trace == world.trace


def test_a_snapshot_is_pickled_and_restored_into_a_pickled_world() -> None:
    world = drive(busy(ss.WHCA()), 0, 5)
    snapshot = world.snapshot()
    later = drive(world, 5, 15).trace
    other_world, other = again((world, snapshot))
    other_world.restore(other)
    assert other_world.time == 5
    assert drive(other_world, 5, 15).trace == later
    with pytest.raises(ss.InputError, match="another world"):
        busy(ss.WHCA()).restore(other)


def test_a_session_of_ones_own_is_pickled_as_it_is() -> None:
    world = ss.World(random_problem(random_grid(8, 8, 0, 1), 3, 1), Waits())
    world.step()
    twin = again(world)
    twin.step()
    assert twin.session.turns == 2


class Waits:
    """A session that lets everybody wait."""

    turns = 0

    def step(self, view, *, budget):
        self.turns += 1
        return view.positions


def test_dialogues_are_saved_with_all_that_was_said() -> None:
    """Also in the middle of a round, and after the window was widened."""
    problem = random_problem(random_grid(12, 12, 0.2, 5), 16, 2)
    world = ss.World(problem, ss.WDPCA(window=4))
    for turn in range(9):
        if turn == 3:
            world.session.look_ahead(8)
        world.step()
        twin = again(world)
        assert twin.session.transcript == world.session.transcript
        assert twin.session.stats == world.session.stats
    for _ in range(12):
        world.step()
        twin.step()
        assert twin.session.stats == world.session.stats
    assert twin.trace == world.trace
    assert twin.session.transcript == world.session.transcript


def test_what_cannot_be_saved_says_so(tmp_path) -> None:
    with pytest.raises(ss.InputError, match="cannot be saved"):
        write_save(lambda: 0, tmp_path / "x")


@pytest.mark.parametrize("planner", ONLINE)
def test_a_world_continues_from_a_trace(planner, tmp_path) -> None:
    """Also from one that was cut, with agents gone, walls changed and newcomers."""
    world = drive(busy(ss.WHCA(), trace_limit=4), 0, 14)
    write_trace(world.trace, tmp_path / "x.trace")
    other = ss.World.from_trace(read_trace(tmp_path / "x.trace"), SOLVERS[planner](), seed=5)
    assert other.trace == world.trace
    assert other.time == world.time
    other.send("a5", None)
    other.block((8, 8))
    for _ in range(10):
        other.step(nodes=5000)
    assert ss.validate_trace(other.trace)
    assert other.failed_turns == 0
    assert not [row for row in other.events.tolist() if row[1] == ss.EventKind.REFUSED]
    assert other.where("a3") is None
    with pytest.raises(ss.InputError, match="a trace is a Trace"):
        ss.World.from_trace("x", ss.WHCA())


# Crowds


@pytest.mark.parametrize("walls", [True, False])
def test_a_pickled_crowd_walks_on_the_same_way(walls) -> None:
    places = [(row, 2.0) for row in range(1, 12)]
    goals = [(12.0 - row, 18.0) for row in range(1, 12)]
    passable = np.ones((14, 22), bool)
    passable[3:9, 10] = False
    crowd = ss.Crowd(places, goals, grid=ss.Grid(passable) if walls else None, radius=0.3)
    crowd.step(0.1, steps=55)
    twin = again(crowd)
    assert twin.time == crowd.time
    for one in (crowd, twin):
        one.step(0.1, steps=60)
        one.send(3, (12.0, 4.0))
        one.step(0.1, steps=40)
    assert crowd.positions.tobytes() == twin.positions.tobytes()
    assert crowd.velocities.tobytes() == twin.velocities.tobytes()


def test_a_crowd_that_follows_a_plan_goes_on_with_it() -> None:
    problem = random_problem(random_grid(10, 10, 0.1, 2), 12, 3)
    crowd = ss.Crowd.following(ss.solve(problem, "whca").plan)
    crowd.step(0.1, steps=40)
    twin = again(crowd)
    for one in (crowd, twin):
        one.step(0.1, steps=400)
    assert twin.done
    assert crowd.positions.tobytes() == twin.positions.tobytes()


# Finders and distance maps


@pytest.mark.parametrize("heuristic", ["auto", "alt", "dead-end", "gateway", "true"])
def test_a_pickled_finder_expands_the_same_nodes(heuristic) -> None:
    grid = random_grid(24, 24, 0.25, 2)
    finder = ss.Finder(grid, heuristic=heuristic, landmarks=3)
    cells = np.argwhere(grid.passable).tolist()
    for cell in cells[10:100:17]:
        finder.block(cell)
    finder.prepare()
    finder.block(cells[5])
    finder.free(cells[10])
    finder.free(np.argwhere(~grid.passable)[3].tolist())
    twin = again(finder)
    assert (twin.is_prepared, twin.memory, twin.heuristic) == (finder.is_prepared, finder.memory, heuristic)
    for start, goal in zip(cells[101::40], cells[::-53], strict=False):
        one, other = finder.path(start, goal), twin.path(start, goal)
        assert np.array_equal(one.vertices, other.vertices)
        assert one.expanded == other.expanded
    finder.free(cells[5])
    twin.free(cells[5])
    assert twin.is_prepared == finder.is_prepared


def test_weighted_finders_and_graphs_pickle() -> None:
    grid = ss.Grid(np.ones((6, 7), bool), 8, "free")
    factors = np.arange(42).reshape(6, 7) % 5 + 1
    finder = ss.Finder(grid, factors=factors, corner_cost=2, steps="unit", queue="heap")
    finder.block((2, 3))
    assert again(finder).path((0, 0), (5, 6)).cost == finder.path((0, 0), (5, 6)).cost
    graph = ss.Finder(ss.Graph(4, [(0, 1), (1, 2), (2, 3), (0, 3)]), edge_costs=[1, 1, 1, 9])
    graph.block(1)
    assert again(graph).path(0, 2).cost == 10


def test_a_pickled_distance_map_says_the_same() -> None:
    grid = ss.Grid(random_grid(15, 15, 0.2, 4).passable, 8)
    finder = ss.Finder(grid)
    cells = np.argwhere(grid.passable).tolist()
    finder.block(cells[30])
    distances = finder.distances_to(cells[0], cells[60])
    twin = again(distances)
    assert np.array_equal(twin.array, distances.array)
    assert np.array_equal(twin.step(cells[40:]), distances.step(cells[40:]))
    assert np.array_equal(twin.path(cells[-1]).vertices, distances.path(cells[-1]).vertices)


# Files, and nonsense


def test_a_battle_is_saved_to_a_file_and_goes_on(tmp_path) -> None:
    world = drive(busy(ss.WHCA()), 0, 7)
    write_save({"world": world, "gold": 12}, tmp_path / "battle.save")
    loaded = read_save(tmp_path / "battle.save")
    assert loaded["gold"] == 12
    assert drive(loaded["world"], 7, 20).trace == drive(world, 7, 20).trace


def test_nonsense_in_a_file_is_a_format_error(tmp_path) -> None:
    path, draw = tmp_path / "x.save", random.Random(1)
    write_save(drive(busy(ss.WHCA()), 0, 3), path)
    whole = path.read_bytes()
    broken = [b"", b"hello", whole[:-1], whole[:40], whole + b"!", whole.replace(b"save 1", b"save 2")]
    for _ in range(40):
        place = draw.randrange(len(whole))
        broken.append(whole[:place] + bytes([whole[place] ^ (1 << draw.randrange(8))]) + whole[place + 1 :])
    for data in broken:
        path.write_bytes(data)
        with pytest.raises(ss.FormatError, match=r"x\.save"):
            read_save(path)


def test_a_pickle_of_another_form_or_with_another_digest_is_refused() -> None:
    restore, (kind, form, digest, payload) = drive(busy(ss.WHCA()), 0, 3).__reduce__()
    with pytest.raises(ss.FormatError, match=f"saved in form {form + 1}"):
        restore(kind, form + 1, digest, payload)
    with pytest.raises(ss.FormatError, match="damaged"):
        restore(kind, form, digest, payload[:-1] + b"x")


@pytest.mark.parametrize("planner", ONLINE)
def test_the_core_trusts_no_bytes(planner) -> None:
    """Even with a digest that fits: bytes at random are refused, or are a state that can be lived with."""
    world, draw = drive(busy(SOLVERS[planner](), stuck_after=5), 0, 6), random.Random(planner)
    refused = 0
    for _ in range(60):
        state = copy.copy(world._saved_state())
        session = state["session"]["state"]
        target = draw.choice((state, session))
        data = bytearray(target["core"])
        for _ in range(draw.choice((1, 4))):
            data[draw.randrange(len(data))] = draw.randrange(256)
        target["core"] = bytes(data[: draw.choice((len(data), draw.randrange(len(data))))])
        payload = pickle.dumps(state)
        try:
            twin = saving.restored(ss.World, saving.FORM, saving._digest(payload), payload)
        except ss.FormatError:
            refused += 1
            continue
        for _ in range(3):
            twin.step(nodes=2000)
        assert len(set(twin.positions[twin.positions >= 0].tolist())) == (twin.positions >= 0).sum()
    assert refused > 10
