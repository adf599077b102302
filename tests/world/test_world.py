"""The world owns the truth: what changes it, what it refuses, what it records."""

from __future__ import annotations

import time

import numpy as np
import pytest

import sidestep as ss
from sidestep import EventKind

pytestmark = pytest.mark.bounds


def open_world(planner=None, rows=5, cols=5, starts=((0, 0),), goals=((4, 4),), **options):
    grid = ss.Grid(np.ones((rows, cols), dtype=bool))
    rules = options.pop("rules", ss.Rules())
    problem = ss.Problem(grid, list(starts), list(goals), rules=rules)
    return ss.World(problem, planner or ss.WHCA(), **options)


def run(world, turns=60):
    for _ in range(turns):
        if world.done:
            break
        world.step(nodes=100_000)
    return world


class Scripted:
    """A planner in Python that does what it is told."""

    def __init__(self, act):
        self.act = act

    def session(self, problem, *, seed=0):
        return self

    def step(self, view, *, budget):
        return self.act(view, budget)


def test_an_agent_walks_to_its_goal_and_the_trace_is_valid():
    world = run(open_world())
    assert world.done
    assert world.time == 8
    assert world.where(0) == (4, 4)
    assert ss.validate_trace(world.trace)
    assert world.trace.count(EventKind.ARRIVED) == 1


def test_step_returns_the_events_of_its_turn():
    world = open_world(starts=[(0, 0)], goals=[(0, 1)])
    world.block((3, 3))
    events = world.step(nodes=1000)
    assert [(kind, agent) for _, kind, agent, _ in events.tolist()] == [
        (EventKind.BLOCK, -1),
        (EventKind.ARRIVED, 0),
    ]


def test_the_turns_return_every_event_once_also_when_the_trace_is_bounded():
    bounded, full = (open_world(trace_limit=limit) for limit in (2, None))
    rows = []
    for turn in range(12):
        for world in (bounded, full):
            world.sync({0: (turn % 5, 3)})
        rows += bounded.step(nodes=1000).tolist()
        full.step(nodes=1000)
    assert rows == full.events.tolist()


@pytest.mark.parametrize("planner", [ss.WHCA(), ss.HCA(), ss.CA(), ss.LRA(), ss.HCA(hold_goals=False)])
def test_a_new_goal_is_taken_up(planner):
    world = run(open_world(planner))
    world.send("a0", goal=(0, 4))
    assert not world.done
    run(world)
    assert world.where("a0") == (0, 4)


@pytest.mark.parametrize("planner", [ss.WHCA(), ss.HCA(), ss.CA(), ss.LRA()])
def test_walls_close_and_open_on_the_way(planner):
    world = open_world(planner, rows=3, cols=5, starts=[(1, 0)], goals=[(1, 4)])
    world.step(nodes=1000)
    for row in range(3):
        world.block((row, 2))
    for _ in range(6):
        world.step(nodes=1000)
    assert world.where(0)[1] < 2  # nobody walks through a wall
    world.free((0, 2))
    run(world)
    assert world.where(0) == (1, 4)
    assert ss.validate_trace(world.trace)


@pytest.mark.parametrize("planner", [ss.WHCA(), ss.HCA(), ss.CA()])
def test_a_place_that_closes_under_an_agent_is_left_and_reported_until_then(planner):
    world = open_world(planner, rows=1, cols=4, starts=[(0, 1)], goals=[(0, 1)])
    world.block((0, 1))
    events = world.step(nodes=1000)
    assert (EventKind.TRAPPED, 0) in [(kind, agent) for _, kind, agent, _ in events.tolist()]
    assert world.where(0) != (0, 1)
    assert world.trace.count(EventKind.TRAPPED) == 1
    for _ in range(5):
        world.step(nodes=1000)
    assert world.where(0) != (0, 1)  # and it does not go back in
    assert ss.validate_trace(world.trace)


def test_an_idle_agent_makes_room():
    problem = ss.Problem.from_text(
        """
        # # . # #
        a . b . A
        """
    )
    assert problem.goals[1] == -1
    world = run(ss.World(problem, ss.WHCA()))
    assert world.done
    assert world.where("a") == (1, 4)


def test_an_agent_on_its_goal_steps_aside_and_comes_back():
    grid = ss.Grid.from_text("# # . # #\n. . . . .")
    problem = ss.Problem(grid, [(1, 2), (1, 0)], [(1, 2), (1, 4)])
    world = run(ss.World(problem, ss.WHCA()))
    assert world.done
    assert world.trace.count(EventKind.LEFT) >= 1


def test_agents_come_and_go():
    world = open_world()
    index = world.add(ss.Agent((0, 4), (4, 0), name="late", priority=2))
    assert index == 1
    world.step(nodes=1000)
    world.remove("a0")
    assert world.where("a0") is None
    run(world)
    assert world.where("late") == (4, 0)
    assert ss.validate_trace(world.trace)
    with pytest.raises(ss.InputError, match="no longer there"):
        world.send("a0", goal=(0, 0))


def test_agents_that_arrive_disappear_where_the_rules_say_so():
    world = run(open_world(rules=ss.Rules(at_goal="disappear")))
    assert world.done
    world.step(nodes=1000)
    assert world.positions.tolist() == [-1]
    assert ss.validate_trace(world.trace)


def test_sync_takes_over_what_the_outside_says():
    world = open_world(starts=[(0, 0), (2, 2)], goals=[(4, 4), (0, 0)])
    world.step(nodes=1000)
    world.sync({"a0": (3, 0)})
    assert world.where(0) == (3, 0)
    world.sync([(3, 1), (2, 2)])
    run(world)
    assert world.done
    assert ss.validate_trace(world.trace)
    with pytest.raises(ss.InputError, match="same place"):
        world.sync([(1, 1), (1, 1)])


@pytest.mark.parametrize(
    "act",
    [
        lambda world: world.send("nobody", goal=(0, 0)),
        lambda world: world.send(7, goal=(0, 0)),
        lambda world: world.send(0, goal=(9, 9)),
        lambda world: world.send(0, goal=(0, 4)),
        lambda world: world.block((0, 99)),
        lambda world: world.add(ss.Agent((0, 0))),
        lambda world: world.add(ss.Agent((1, 1), name="a0")),
        lambda world: world.add(ss.Agent((1, 1), (0, 4))),
        lambda world: world.add(ss.Agent((1, 1), priority=2**40)),
        lambda world: world.sync({0: (0, 77)}),
        lambda world: world.step(budget=-1),
        lambda world: world.step(nodes="many"),
    ],
)
def test_bad_requests_are_refused_and_change_nothing(act):
    world = open_world(starts=[(0, 0), (2, 2)], goals=[(4, 4), (0, 4)])
    before = world.trace
    with pytest.raises(ss.InputError):
        act(world)
    assert world.trace == before


def raises(view, budget):
    raise RuntimeError("no idea")


@pytest.mark.parametrize(
    ("act", "fault"),
    [
        (raises, EventKind.RAISED),
        (lambda view, budget: None, EventKind.RAISED),
        (lambda view, budget: "north", EventKind.RAISED),
        (lambda view, budget: [1.5, 2.5], EventKind.RAISED),
        (lambda view, budget: view.positions[:1], EventKind.RAISED),
        (lambda view, budget: view.positions + 2, EventKind.REFUSED),
        (lambda view, budget: view.positions[::-1].copy(), EventKind.REFUSED),
        (lambda view, budget: np.full(2, -1, dtype=np.int32), EventKind.REFUSED),
        (lambda view, budget: np.full(2, 10**6, dtype=np.int64), EventKind.REFUSED),
    ],
)
def test_a_planner_that_fails_costs_a_safe_wait(act, fault):
    world = open_world(Scripted(act), starts=[(0, 0), (0, 1)], goals=[(4, 4), (4, 3)])
    before = world.positions
    world.step()
    assert np.array_equal(world.positions, before)
    assert world.trace.count(fault) >= 1
    assert ss.validate_trace(world.trace)


def test_a_planner_that_is_late_costs_a_safe_wait():
    def dawdle(view, budget):
        time.sleep(0.05)
        return np.array([1], dtype=np.int32)

    world = open_world(Scripted(dawdle))
    world.step(budget=0.001)
    assert world.where(0) == (0, 0)
    assert world.trace.count(EventKind.LATE) == 1


def test_of_two_that_want_one_place_the_higher_priority_goes():
    meet = Scripted(lambda view, budget: np.array([1, 1], dtype=np.int32))
    world = open_world(meet, starts=[(0, 0), (0, 2)], goals=[(4, 4), (4, 3)])
    world.set_priority(1, 5)
    world.step()
    assert [world.where(0), world.where(1)] == [(0, 0), (0, 1)]


def test_a_trace_replays_byte_for_byte_whatever_happened():
    world = open_world(ss.WHCA(window=4), starts=[(0, 0), (4, 4)], goals=[(4, 4), (0, 0)])
    world.step(budget=0.001)
    world.block((2, 2))
    world.sync({0: (3, 3)})
    world.step(budget=0.001)
    world.add(ss.Agent((0, 2), (2, 0)))
    world.remove(1)
    world.step(nodes=3)
    assert ss.replay_trace(world.trace) == world.trace


def test_a_snapshot_brings_back_the_same_future():
    world = open_world(starts=[(0, 0), (0, 4), (4, 0)], goals=[(4, 4), (4, 0), (0, 4)])
    world.step(nodes=1000)
    snapshot = world.snapshot()
    futures = []
    for _ in range(2):
        world.block((2, 2))
        run(world)
        futures.append(world.trace)
        world.restore(snapshot)
    assert futures[0] == futures[1]
    assert world.time == 1


def test_a_bounded_trace_forgets_the_beginning_and_still_replays():
    world = open_world(ss.WHCA(), trace_limit=5)
    for turn in range(23):
        world.block((turn % 5, 2)) if turn % 3 else world.free((turn % 5, 2))
        world.step(nodes=1000)
    trace = world.trace
    assert trace.start_time > 0
    assert 5 <= len(trace.positions) - 1 <= 10
    assert ss.validate_trace(trace)
    assert ss.replay_trace(trace) == trace


def test_the_same_seed_and_node_budget_give_the_same_run():
    def one_run():
        world = open_world(starts=[(0, 0), (0, 4), (4, 0)], goals=[(4, 4), (4, 0), (0, 4)], seed=3)
        for _ in range(12):
            world.step(nodes=25)
        return world.trace

    assert one_run() == one_run()


def test_a_turn_under_a_tiny_budget_is_short_and_units_still_move_towards_new_goals():
    rng = np.random.default_rng(1)
    grid = ss.Grid(np.ones((100, 100), dtype=bool))
    cells = rng.permutation(10_000)
    places = [divmod(int(cell), 100) for cell in cells]
    world = ss.World(ss.Problem(grid, places[:300], places[300:600]), ss.WHCA())

    def distance() -> int:
        return int(np.abs(grid.cells(world.positions) - grid.cells(world.goals)).sum())

    before, spent = distance(), []
    for _ in range(50):  # a busy machine may take a turn's half millisecond away, but not that of all of them
        begin = time.thread_time()
        world.step(budget=0.0005)
        spent.append(time.thread_time() - begin)
        if distance() < before:
            break
    assert distance() < before
    assert min(spent) < 0.01
    assert ss.validate_trace(world.trace)


@pytest.mark.parametrize("blocked", [(0, 5), (0, 4)])
@pytest.mark.parametrize("planner", [ss.WHCA(), ss.HCA(), ss.CA()])
def test_who_cannot_reach_its_goal_makes_room(planner, blocked):
    grid = ss.Grid.from_text(". . . . . .\n# # . # # #")
    world = ss.World(ss.Problem(grid, [(0, 1), (0, 0)], [(0, 5), (0, 3)]), planner)
    world.block(blocked)
    for _ in range(30):
        world.step(nodes=10_000)
    assert world.where(1) == (0, 3)


def test_an_agent_leaves_a_closed_place_even_if_its_goal_is_cut_off():
    for planner in (ss.CA(), ss.HCA(), ss.WHCA(), ss.LRA()):
        world = ss.World(ss.Problem(ss.Grid.from_text(". . . ."), [(0, 1)], [(0, 3)]), planner)
        world.block((0, 1))
        world.block((0, 2))
        for _ in range(3):
            world.step(nodes=1000)
        assert world.where(0) == (0, 0)


def test_a_newcomer_without_a_name_gets_a_free_one():
    grid = ss.Grid.from_text(". . .")
    world = ss.World(ss.Problem(grid, [(0, 0)], [(0, 0)], names=["a1"]), ss.WHCA())
    world.add(ss.Agent((0, 2)))
    assert world.names == ("a1", "a2")


@pytest.mark.parametrize(
    ("planner", "says"),
    [
        ("whca", "an object such as WHCA\\(\\), not a name: 'whca'"),
        (ss.WHCA, "an object such as WHCA\\(\\), not the class"),
        (3, "cannot plan turn by turn"),
    ],
)
def test_what_is_no_planner_is_refused_with_its_cure(planner, says):
    with pytest.raises(ss.InputError, match=says):
        ss.World(ss.Problem.from_text("a.A"), planner)
