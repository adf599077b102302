"""Tasks in a world: taken by whom, done in order, never lost, counted, recorded and judged."""

from __future__ import annotations

import copy
import pickle
import time
from dataclasses import replace
from itertools import permutations, product

import numpy as np
import pytest

import sidestep as ss
from sidestep import EventKind, InputError, Rules, Stream, Task
from sidestep.instances import random_grid, random_problem
from sidestep.io import read_trace, write_trace
from sidestep.solvers import SOLVERS
from sidestep.world import tasks as tasks_module
from sidestep.world.assignment import NO_WAY, WAYS

ONLINE = [name for name, solver in SOLVERS.items() if solver.info.online]
ROOM = ss.Grid(np.ones((6, 6), dtype=np.bool_))


def workers(count: int, **rules) -> ss.Problem:
    agents = [ss.Agent((row, 0)) for row in range(count)]
    return ss.Problem.from_agents(ROOM, agents, rules=Rules(**rules))


def busy(planner: object, seed: int = 0, **options) -> ss.World:
    problem = random_problem(random_grid(12, 12, 0.1, 3), 15, 1, rules=Rules(shared_goals=True))
    stream = Stream.random(problem.space, seed=seed, errands=(1, 3))
    return ss.World(problem, planner, tasks=stream, **options)


def told(world: ss.World, kind: EventKind) -> list[tuple[int, int, int]]:
    return [(time, agent, value) for time, what, agent, value in world.events.tolist() if what == kind]


def run(world: ss.World, turns: int) -> ss.World:
    for _ in range(turns):
        world.step(nodes=20000)
    return world


def finish(world: ss.World, most: int = 300) -> None:
    while not world.done:
        world.step(nodes=1000)
        assert world.time < most


@pytest.mark.parametrize("planner", ONLINE)
def test_every_session_takes_tasks(planner: str) -> None:
    world = run(busy(SOLVERS[planner]()), 40)
    assert world.planner_error is None
    assert world.tasks.finished > 0
    assert world.trace.count(EventKind.REFUSED) == 0
    assert ss.validate_trace(world.trace)
    assert ss.replay_trace(world.trace) == world.trace


def test_errands_are_visited_in_order_and_a_task_is_finished_once() -> None:
    world = ss.World(workers(1), ss.PIBT(), tasks=[Task([(0, 3), (0, 1), (0, 1), (2, 1)])])
    finish(world)
    assert told(world, EventKind.GOAL) == [(0, 0, 3), (3, 0, 1), (5, 0, 13)]
    assert told(world, EventKind.FINISHED) == [(7, 0, 0)]
    assert world.tasks == ss.TaskMetrics(7, 1, 1, 0, 0, 0, 0, 1 / 7, (7.0, 7, 7), (0.0, 0, 0))


def test_a_task_waits_for_its_release_and_is_late_after_its_deadline() -> None:
    tasks = [Task([(0, 2)], release=5, deadline=6), Task([(0, 2)], release=20, deadline=20)]
    world = run(ss.World(workers(1), ss.PIBT(), tasks=tasks), 30)
    assert [time for time, _, _ in told(world, EventKind.TAKEN)] == [5, 20]
    assert [time for time, _, _ in told(world, EventKind.FINISHED)] == [7, 20]
    assert world.tasks.late == 1
    assert [value for *_, value in told(world, EventKind.DUE)] == [6, 20]


def test_higher_priority_is_taken_first_and_only_by_whom_it_may_be() -> None:
    tasks = [Task([(0, 3)]), Task([(5, 5)], priority=1), Task([(3, 3)], agents=["a1"], priority=-1)]
    world = ss.World(workers(2), ss.PIBT(), tasks=tasks)
    world.step()
    assert (world.task_of("a0"), world.task_of("a1")) == (0, 1)
    alone = ss.World(workers(1), ss.PIBT(), tasks=[Task([(0, 3)], agents=[0])])
    other = ss.World(workers(2), ss.PIBT(), tasks=[Task([(0, 3)], agents=[1])])
    for world in (alone, other):
        world.step()
    assert (alone.task_of(0), other.task_of(0), other.task_of(1)) == (0, None, 0)


def test_who_is_removed_or_sent_elsewhere_gives_its_task_back() -> None:
    world = ss.World(workers(2), ss.PIBT(), tasks=[Task([(0, 4), (0, 0)]), Task([(1, 4)])])
    run(world, 5)  # a0 has been to its first errand
    world.remove("a0")
    assert told(world, EventKind.GIVEN_BACK) == [(5, 0, 0)]
    world.send("a1", (5, 5))
    finish(world)
    metrics = world.tasks
    assert (metrics.finished, metrics.given_back, metrics.open, metrics.under_way) == (2, 1, 0, 0)
    assert [agent for _, agent, value in told(world, EventKind.FINISHED) if value == 0] == [1]
    assert ss.validate_trace(world.trace)
    assert ss.replay_trace(world.trace) == world.trace


def test_sent_elsewhere_before_it_is_done() -> None:
    world = run(ss.World(workers(1), ss.PIBT(), tasks=[Task([(0, 4)])]), 1)
    world.send("a0", (3, 0))
    assert world.tasks.open == 1
    finish(world)
    assert world.tasks.finished == 1


def test_no_order_is_lost_whatever_happens() -> None:
    """Agents come and go, walls change, agents are synced: released = finished + open + under way."""
    draw = np.random.default_rng(5)
    world = busy(ss.Guided(), trace_limit=None)
    for turn in range(150):
        there = np.flatnonzero(world.positions != -1)
        if turn % 7 == 3 and len(there) > 5:
            world.remove(int(draw.choice(there)))
        if turn % 5 == 2:
            vertex = int(draw.choice(np.flatnonzero(world.open)))
            if vertex not in world.positions:
                world.add(ss.Agent(world.space.place(vertex)))
        if turn % 11 == 4:
            vertex = int(draw.integers(world.space.n))
            (world.free if turn % 2 else world.block)(world.space.place(vertex))
        if turn % 13 == 6:
            vertex = int(draw.choice(np.flatnonzero(world.open)))
            if vertex not in world.positions and world.positions[there[0]] != -1:
                world.sync({int(there[0]): world.space.place(vertex)})
        world.step(nodes=5000)
        metrics = world.tasks
        assert metrics.released == metrics.finished + metrics.open + metrics.under_way
    assert metrics.given_back > 0
    assert ss.validate_trace(world.trace)
    assert ss.replay_trace(world.trace) == world.trace


def test_the_same_seed_gives_the_same_run_and_another_another() -> None:
    one, two, other = (run(busy(ss.Guided(), seed), 60) for seed in (4, 4, 5))
    assert one.trace == two.trace
    assert one.trace != other.trace


def test_goals_that_are_not_shared_are_waited_for() -> None:
    tasks = [Task([(2, 2)]) for _ in range(6)]
    world = ss.World(workers(3, shared_goals=False), ss.PIBT(), tasks=tasks)
    while not world.done and world.time < 200:
        goals = world.goals[world.goals != -1]
        assert len(set(goals.tolist())) == len(goals)
        world.step(nodes=1000)
    assert world.tasks.finished == 6


def test_copies_snapshots_and_saved_worlds_have_the_same_future() -> None:
    world = run(busy(ss.WHCA()), 20)
    snapshot, twin, copied = world.snapshot(), pickle.loads(pickle.dumps(world)), copy.deepcopy(world)
    run(world, 30)
    for other in (twin, copied):
        assert run(other, 30).trace == world.trace
        assert other.tasks == world.tasks
    trace = world.trace
    world.restore(snapshot)
    assert run(world, 30).trace == trace


def test_a_world_that_continues_a_trace_has_its_tasks() -> None:
    world = run(busy(ss.PIBT()), 30)
    before = world.tasks
    again = ss.World.from_trace(world.trace, ss.PIBT())
    after = again.tasks
    assert (after.finished, after.released, after.service) == (
        before.finished,
        before.released,
        before.service,
    )
    assert (after.open, after.under_way) == (before.open + before.under_way, 0)
    run(again, 60)
    assert again.tasks.finished > before.finished
    assert ss.validate_trace(again.trace)


def test_the_supply_of_tasks_changes_while_a_world_lives() -> None:
    """What came stays; another stream begins with its first task; a snapshot knows where tasks came from."""
    world = run(ss.World(workers(3), ss.PIBT()), 3)
    assert world.done
    stream = Stream.random(ROOM, seed=1, rate=2.0, limit=8)
    world.supply(stream)
    assert not world.done
    snapshot = world.snapshot()
    run(world, 2)
    first = [stream.released(time, 2 * time, unfinished=0, agents=3) for time in range(2)]
    errands = [world.space.vertex(task.errands[0]) for tasks in first for task in tasks]
    assert [value for _, _, value in told(world, EventKind.ERRAND)] == errands
    world.supply(None)
    finish(world)
    assert (world.tasks.released, world.tasks.finished) == (4, 4)
    assert ss.replay_trace(world.trace) == world.trace
    world.restore(snapshot)
    finish(world)
    assert world.tasks.finished == 8


@pytest.mark.parametrize(
    "rows",
    [
        [(0, EventKind.TASK, -1, 7)],
        [(0, EventKind.TASK, -1, 7), (0, EventKind.ERRAND, -1, 2_000_000_000)],
        [(0, EventKind.TASK, -1, 7), (0, EventKind.ERRAND, -1, -2)],
        [(0, EventKind.TASK, -1, -1), (0, EventKind.ERRAND, -1, 3)],
        [(0, EventKind.TASK, -1, 7), (0, EventKind.ERRAND, -1, 3)] * 2,
    ],
)
def test_a_world_does_not_continue_a_trace_with_tasks_that_cannot_be(rows: list[tuple[int, ...]]) -> None:
    trace = ss.World(workers(2), ss.PIBT()).trace
    edited = replace(trace, events=np.array(rows, dtype=np.int32))
    with pytest.raises(InputError, match="of the trace"):
        ss.World.from_trace(edited, ss.PIBT())


def test_a_task_of_many_errands_is_continued_in_linear_time() -> None:
    world = ss.World(workers(2), ss.PIBT())
    world.submit(Task(tuple((k % 6, k // 6 % 6) for k in range(30_000))))
    trace = world.trace
    begin = time.thread_time()
    again = ss.World.from_trace(trace, ss.PIBT())
    assert time.thread_time() - begin < 1.0
    assert again.unfinished_tasks == world.unfinished_tasks


def test_a_trace_with_tasks_is_written_and_read(tmp_path) -> None:
    trace = run(busy(ss.PIBT()), 20).trace
    write_trace(trace, tmp_path / "trace.json")
    assert '"version": 3' in (tmp_path / "trace.json").read_text()
    assert read_trace(tmp_path / "trace.json") == trace


@pytest.mark.parametrize(
    ("row", "says"),
    [
        ((3, EventKind.TAKEN, 0, 99), "there is no task 99"),
        ((3, EventKind.GIVEN_BACK, 0, 99), "does not have task 99"),
        ((0, EventKind.TASK, -1, 0), "there already"),
        ((3, EventKind.ERRAND, -1, 99), "no such vertex"),
        ((3, EventKind.FINISHED, 0, 0), "not been to all places of task 0"),
        ((5, EventKind.TAKEN, 1, 0), "finished or under way"),
    ],
)
def test_the_judge_sees_what_is_untrue(row: tuple[int, ...], says: str) -> None:
    world = run(ss.World(workers(2), ss.PIBT(), tasks=[Task([(0, 4)], agents=[0])]), 8)
    assert ss.validate_trace(world.trace)
    events = world.events
    at = np.searchsorted(events[:, 0], row[0], side="right")
    wrong = replace(world.trace, events=np.insert(events, at, np.array(row), axis=0))
    assert says in str(ss.validate_trace(wrong))


def test_the_judge_misses_a_task_that_was_lost() -> None:
    world = run(ss.World(workers(1), ss.PIBT(), tasks=[Task([(0, 4)])]), 2)
    world.remove("a0")
    events = world.events
    kept = replace(world.trace, events=events[events[:, 1] != EventKind.GIVEN_BACK])
    assert "lost" in str(ss.validate_trace(kept))


@pytest.mark.parametrize("way", WAYS)
def test_ways_to_assign_leave_nobody_out_and_nothing_twice(way: str) -> None:
    draw = np.random.default_rng(1)
    for _ in range(200):
        costs = draw.integers(0, 9, size=(draw.integers(1, 7), draw.integers(1, 7)), dtype=np.int64)
        costs[draw.random(costs.shape) < 0.2] = NO_WAY
        pairs = WAYS[way](costs)
        rows, columns = {row for row, _ in pairs}, {column for _, column in pairs}
        assert len(rows) == len(columns) == len(pairs)
        assert all(costs[pair] < NO_WAY for pair in pairs)
        for row in range(costs.shape[0]):
            for column in range(costs.shape[1]):
                assert row in rows or column in columns or costs[row, column] == NO_WAY


def test_the_assignment_has_the_least_sum() -> None:
    draw = np.random.default_rng(2)
    for _ in range(60):
        costs = draw.integers(0, 20, size=(draw.integers(1, 5), 5), dtype=np.int64)
        least = min(
            sum(costs[row, column] for row, column in enumerate(columns))
            for columns in permutations(range(5), len(costs))
        )
        assert sum(costs[pair] for pair in WAYS["assignment"](costs)) == least


def test_nearest_takes_the_shortest_way_that_is_left() -> None:
    draw = np.random.default_rng(3)
    for _ in range(60):
        costs = draw.integers(0, 50, size=(draw.integers(1, 40), draw.integers(1, 80)), dtype=np.int64)
        left, expected = costs.copy(), []
        for _ in range(min(costs.shape)):
            least = left.min()
            column, row = min((c, r) for r, c in np.argwhere(left == least).tolist())
            expected.append((row, column))
            left[row], left[:, column] = NO_WAY, NO_WAY
        assert WAYS["nearest"](costs) == expected


def test_regret_goes_first_where_the_second_choice_is_dear() -> None:
    assert WAYS["regret"](np.array([[1, 2], [2, 9]])) == [(1, 0), (0, 1)]
    assert WAYS["nearest"](np.array([[1, 2], [2, 9]])) == [(0, 0), (1, 1)]


def test_tasks_on_one_way_streets_are_measured_the_right_way() -> None:
    ring = ss.Graph(6, [(i, (i + 1) % 6) for i in range(6)], directed=True)
    problem = ss.Problem.from_agents(ring, [ss.Agent(0), ss.Agent(3)])
    world = ss.World(problem, ss.PIBT(), tasks=[Task([5])])
    world.step()
    assert world.task_of(1) == 0  # two steps ahead of a1, five ahead of a0


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: Task([]), "at least one errand"),
        (lambda: Task("(0, 0)"), "sequence of places"),
        (lambda: Task([(0, 0)], release=-1), "a time from 0"),
        (lambda: Task([(0, 0)], deadline=1.5), "whole number"),
        (lambda: ss.World(workers(1), ss.PIBT(), tasks=[(0, 0)]), "submit takes a Task"),
        (lambda: ss.World(workers(1), ss.PIBT(), tasks=3), "a Stream or Tasks"),
        (lambda: ss.World(workers(1), ss.PIBT()).supply([Task([(0, 0)])]), "supply takes a Stream or None"),
        (
            lambda: ss.World(workers(1, at_goal="disappear"), ss.PIBT()).supply(Stream.random(ROOM)),
            "agents that disappear",
        ),
        (lambda: ss.World(workers(1), ss.PIBT(), assign="best"), "nearest, assignment, regret, first"),
        (lambda: ss.World(workers(1), ss.PIBT(), tasks=[Task([(9, 9)])]), "outside"),
        (lambda: ss.World(workers(1), ss.PIBT(), tasks=[Task([(0, 0)], agents=["z"])]), "no agent named"),
        (lambda: ss.World(workers(1, at_goal="disappear"), ss.PIBT(), tasks=[Task([(0, 0)])]), "stay"),
    ],
)
def test_what_is_no_task_is_named(make, says: str) -> None:
    with pytest.raises(InputError, match=says):
        make()


@pytest.mark.parametrize("released", [None, 5, "a1", float("nan"), [3]])
def test_a_source_that_releases_no_tasks_is_named(released: object) -> None:
    class Source:
        def released(self, time, first, *, unfinished, agents):
            return released

        def is_over(self, first):
            return False

    world = ss.World(workers(2), ss.PIBT(), tasks=Source())
    with pytest.raises(InputError, match=r"Task|sequence"):
        world.step()


def crowded(active: int | str, planner: object = None, seed: int = 0, **options) -> ss.World:
    """More agents than can move well: 9 of 10 places are taken."""
    grid = random_grid(16, 16, 0.2, 3)
    problem = random_problem(grid, int(grid.passable.sum()) * 9 // 10, seed, rules=Rules(shared_goals=True))
    idle = [replace(agent, goal=None) for agent in problem.agents]
    crowd = ss.Problem.from_agents(grid, idle, rules=problem.rules)
    stream = Stream.random(grid, seed=seed, pool=1.0)
    planner = ss.PIBT() if planner is None else planner
    return ss.World(crowd, planner, seed=seed, tasks=stream, assign="first", active=active, **options)


def test_in_a_crowd_fewer_active_agents_finish_nearly_as_much_when_it_has_gone_on_for_long() -> None:
    done = dict.fromkeys(("all", "auto"), 0)
    for active, seed in product(done, range(3)):
        world = crowded(active, ss.Guided(window=8), seed)
        early = 0
        for turn in range(200):
            world.step()
            early = world.tasks.finished if turn < 100 else early
        done[active] += world.tasks.finished - early
    assert done["auto"] > 0.9 * done["all"]


@pytest.mark.parametrize("planner", [ss.PIBT(), ss.Guided(window=4), ss.Rolling(window=4, effort=10)])
def test_never_more_are_active_than_may_be_and_the_rest_has_no_goal(planner: object) -> None:
    world = crowded(20, planner)
    for _ in range(15):
        world.step(nodes=100_000)
        assert world.tasks.under_way <= 20
        parked = [agent for agent in range(len(world.names)) if world.task_of(agent) is None]
        goals = world.goals[parked]
        assert ((goals == -1) | (goals == world.positions[parked])).all()
    assert world.tasks.finished > 0
    assert ss.validate_trace(world.trace)


def test_agents_take_turns_at_being_active() -> None:
    world = ss.World(workers(6, shared_goals=True), ss.PIBT(), tasks=Stream.random(ROOM), active=2)
    run(world, 60)
    takers = [agent for _, agent, _ in told(world, EventKind.TAKEN)]
    assert takers[:2] == [0, 1]
    assert set(takers) == set(range(6))


def test_who_can_take_nothing_keeps_nobody_from_being_active() -> None:
    world = ss.World(workers(4), ss.PIBT(), active=1)
    number = world.submit(Task([(3, 3)], agents=["a2"]))
    world.step()
    assert world.task_of("a2") == number
    world.submit(Task([(3, 5)], agents=["a0"], priority=-1))
    urgent = world.submit(Task([(5, 5)], agents=["a1"], priority=5))
    while world.task_of("a2") is not None:
        world.step()
    world.step()
    assert world.task_of("a1") == urgent
    assert world.task_of("a0") is None
    finish(world)
    assert world.tasks.finished == 3


def test_auto_counts_the_places_that_are_open_now() -> None:
    takers = []
    for closed in ((), range(1, 6)):
        world = ss.World(workers(6), ss.PIBT(), active="auto")
        for row, column in product(range(6), closed):
            world.block((row, column))
        for row in range(6):
            world.submit(Task([(row, 0)]))
        world.step()
        takers.append(len(told(world, EventKind.TAKEN)))
    assert takers == [6, 4]  # of 36 places, and of 6


def test_a_limit_that_is_not_reached_changes_nothing() -> None:
    usual = run(busy(ss.PIBT()), 40).trace
    for active in ("all", "auto", 15, 2**31 - 1):  # of 15 agents on more than 100 places
        assert run(busy(ss.PIBT(), active=active), 40).trace == usual


def test_a_limited_world_that_was_saved_goes_on_in_the_same_way() -> None:
    world = run(crowded("auto"), 10)
    saved = pickle.loads(pickle.dumps(world))
    assert run(saved, 20).trace == run(world, 20).trace


@pytest.mark.parametrize("active", [0, -1, 1.5, "some", None, [3]])
def test_active_is_a_number_of_agents_or_a_word(active: object) -> None:
    with pytest.raises(InputError, match="active must be"):
        busy(ss.PIBT(), active=active)


def test_giving_out_tasks_is_under_the_limit_of_the_turn() -> None:
    """It finds the ways of 150 agents in several turns."""
    grid = ss.Grid(np.ones((512, 512), dtype=np.bool_))
    problem = ss.Problem.from_agents(grid, [ss.Agent((3 * row, 0)) for row in range(150)])
    world = ss.World(problem, ss.PIBT(), tasks=Stream.random(grid, pool=1.0), stuck_after=None)
    begin = time.process_time()
    world.step(0.01)
    assert time.process_time() - begin < 0.15
    assert 0 < world.tasks.under_way < 150
    before = world.tasks.under_way
    world.step(0.01)
    assert world.tasks.under_way > before


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("active", ["all", 2])
def test_whom_there_was_no_time_for_is_first_in_the_next_turn(active: object, directed: bool) -> None:
    """Where a turn has time for one look, nobody who finds no way keeps the others from their tasks."""
    both = [(one, one + 1) for one in (5, 6, 7)]
    streets = ss.Graph(9, both + [(b, a) for a, b in both], directed=True)
    problem = ss.Problem(
        streets if directed else ss.Grid.from_text(".#.#.#.....\n" + "#" * 11),
        [0, 1, 2, 5, 8] if directed else [(0, 0), (0, 2), (0, 4), (0, 6), (0, 10)],
        [None] * 5,
    )
    tasks = [Task((place,), priority=1) for place in ((3, 4, 6, 7) if directed else ((0, 7), (0, 8), (0, 9)))]
    world = ss.World(problem, ss.PIBT(), tasks=tasks, active=active)
    for _ in range(12):
        world.step(0.0)
    assert {agent for _, agent, _ in told(world, EventKind.TAKEN)} == {3, 4}


@pytest.mark.parametrize("connectivity", [4, 8])
def test_nearest_is_the_same_whether_all_ways_are_measured_or_those_that_are_asked_for(
    monkeypatch: pytest.MonkeyPatch, connectivity: int
) -> None:
    """Looking around in steps gives the pairs that the matrix of all distances gives."""
    monkeypatch.setattr(tasks_module, "LOOK_FIRST", 3)  # so that agents look more than once
    compared = 0
    for seed in range(30):
        grid = random_grid(14, 14, 0.3, seed, connectivity=connectivity)
        draw = np.random.default_rng(seed)
        places = draw.permutation(np.flatnonzero(grid.open))[:60].tolist()
        starts = [grid.place(vertex) for vertex in places[:25]]
        core = ss.World(ss.Problem(grid, starts, [None] * 25), ss.PIBT())._core
        states = [
            tasks_module.TaskState(
                number, (place,), 0, None, 0, frozenset({1, 2, number % 25}) if number % 7 == 0 else None
            )
            for number, place in enumerate([*places[20:], *places[30:40]])
        ]
        agents = list(range(25))
        ways = tasks_module.Ways(core, agents, states, ss.Budget(), one_way=False, begin=0)
        asked = ways.pairs("nearest", agents, states)
        assert asked == WAYS["nearest"](ways.costs(agents, states))
        compared += len(asked)
    assert compared > 500
