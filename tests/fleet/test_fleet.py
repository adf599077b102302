"""Fleets keep the order of the plan, also when robots are late, and say who is stuck."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

import sidestep as ss
from sidestep.fleet import Commands
from sidestep.instances import random_problem
from tests.fleet import brute
from tests.sizing import examples
from tests.torture.draws import any_problem

CORRIDOR = """
    a . . . B
    # # . # #
    b . . . A
"""


def planned(problem: ss.Problem, seed: int = 0) -> ss.Plan | None:
    """A plan of anybody who has one."""
    solver = "lacam" if problem.all_unit else "hca"
    try:
        return ss.solve(problem, solver, seed=seed, node_limit=20_000).plan
    except ss.UnsupportedError:
        return None


def small_runs(count: int, *, bodies: bool = False):
    """Problems of every kind with plans."""
    found = number = 0
    while found < count:
        number += 1
        draw = Random(number)
        problem = any_problem(draw, most=6, bodies=bodies)
        plan = planned(problem, number)
        if plan is not None:
            found += 1
            yield draw, problem, plan


def fleet_or_ring(problem: ss.Problem, plan: ss.Plan, **options) -> ss.Fleet | None:
    try:
        return ss.Fleet(problem, plan, **options)
    except ss.UnsupportedError as refusal:
        if "turn in a ring" not in str(refusal):
            raise
        return None


def crossings_count(problem: ss.Problem) -> bool:
    space = problem.space
    diagonal = isinstance(space, ss.Grid) and space.connectivity == 8
    return not problem.rules.crossing and (diagonal or not isinstance(space, ss.Grid))


@pytest.mark.parametrize("bodies", [False, True])
def test_the_links_are_those_of_a_second_implementation(bodies):
    """Exactly so where nothing crosses; else there are more. A cycle is refused."""
    rings = 0
    for _, problem, plan in small_runs(examples(400), bodies=bodies):
        expected = brute.links(problem, plan.vertices)
        totals = [len(stays) - 1 for stays in brute.visits_of(plan.vertices)]
        fleet = fleet_or_ring(problem, plan, switch=False)
        if fleet is None:
            rings += 1
            assert brute.has_cycle(expected, totals)
            continue
        graph = {((a, k), (b, n)) for a, k, b, n in fleet._graph.links().tolist()}
        assert graph >= expected
        assert graph == expected or crossings_count(problem)
        assert not brute.has_cycle(graph, totals)
    assert bodies or rings > 0


def test_plans_without_following_are_never_refused():
    for _, problem, plan in small_runs(examples(300)):
        if not problem.rules.following:
            ss.Fleet(problem, plan)


def test_a_ring_is_refused_with_its_agents():
    corners = [(0, 0), (0, 1), (1, 1), (1, 0)]
    problem = ss.Problem(ss.Grid.from_text(". .\n. ."), corners, corners[1:] + corners[:1])
    plan = ss.Plan(problem, [[0, 1, 3, 2], [1, 3, 2, 0]])
    with pytest.raises(ss.UnsupportedError, match=r"(a\d, ){3}a\d turn in a ring at time 1"):
        ss.Fleet(problem, plan)


def test_a_plan_that_collides_is_refused():
    problem = ss.Problem.from_text("a . . B\nb . . A")
    plan = ss.Plan(problem, [[0, 4], [4, 0]])
    with pytest.raises(ss.InputError, match="swap"):
        ss.Fleet(problem, plan)


@pytest.mark.parametrize("bodies", [False, True])
def test_small_fleets_arrive_and_never_collide(bodies):
    """All rules and spaces; robots of different speed that are delayed; messages late, lost and doubled."""
    for draw, problem, plan in small_runs(examples(250), bodies=bodies):
        fleet = fleet_or_ring(problem, plan, ahead=draw.choice([1, 2, 4, 50]), patience=1000)
        if fleet is None:
            continue
        robots = ss.Simulator(
            problem,
            speed=[draw.choice([0.1, 0.3, 0.7, 1.0]) for _ in range(problem.n_agents)],
            acceleration=draw.choice([None, 0.1, 0.4]),
            turn=draw.choice([0, 0, 2]),
            delay=draw.choice([0.0, 0.01, 0.1, 0.3]),
            loss=draw.choice([0.0, 0.2]),
            doubling=draw.choice([0.0, 0.2]),
            lateness=draw.choice([0, 5]),
            seed=draw.randrange(1000),
        )
        execution = fleet.run(robots, ticks=5000)
        report = ss.validate_execution(execution)
        assert report, report
        assert fleet.done
        assert not fleet.stuck
        assert fleet.refused == 0


@pytest.mark.parametrize("delay", [0.01, 0.1, 0.3])
def test_a_crowd_with_delays_arrives_and_never_collides(delay):
    problem = random_problem(ss.Grid(np.ones((16, 16), dtype=bool)), 60, seed=1)
    apart = ss.Problem.from_agents(problem.space, problem.agents, rules=ss.Rules(following=False))
    plan = ss.solve(apart, "lacam").plan
    fleet = ss.Fleet(problem, plan)
    robots = ss.Simulator(problem, speed=0.5, delay=delay, loss=0.1, doubling=0.1, lateness=3, seed=2)
    execution = fleet.run(robots, ticks=20_000)
    assert fleet.done
    assert ss.validate_execution(execution), ss.validate_execution(execution)


def test_without_a_fleet_the_same_robots_collide():
    """Robots of different speed that are sent off all at once meet, and the judge sees it."""
    problem = ss.Problem.from_text(CORRIDOR)
    plan = ss.solve(problem, "cbs").plan
    stays = [[v for _, v in visits[1:]] for visits in brute.visits_of(plan.vertices)]
    begin = np.cumsum([0, *map(len, stays)], dtype=np.int32)
    places = np.array([v for visits in stays for v in visits], dtype=np.int32)
    everything = Commands(problem, np.ones(2, dtype=np.int32), begin, places)
    collisions = 0
    for speed in ([1, 0.9], [1, 0.7], [1, 0.5], [0.9, 1], [0.7, 1], [0.5, 1]):
        robots = ss.Simulator(problem, speed=speed)
        for _ in range(40):
            robots.tick(everything)
        collisions += not ss.validate_execution(robots.execution())
        assert ss.validate_execution(ss.Fleet(problem, plan).run(ss.Simulator(problem, speed=speed)))
    assert collisions > 0


def test_stopped_robots_are_named_at_once_and_nobody_collides():
    """The fleet is done, or says who is stuck and who waits for it; and that is one that has stopped."""
    stopped = 0
    for number in range(examples(60)):
        problem = random_problem(ss.Grid(np.ones((7, 7), dtype=bool)), 10, seed=number)
        plan = ss.solve(problem, "sipp", robust=1, seed=number).plan
        if plan is None:
            continue
        fleet = ss.Fleet(problem, plan, patience=40)
        robots = ss.Simulator(problem, speed=0.5, stop=0.005, loss=0.1, seed=number)
        execution = fleet.run(robots, ticks=3000)
        assert ss.validate_execution(execution)
        if fleet.done:
            continue
        stopped += 1
        assert fleet.stuck
        named = {one.agent for one in fleet.stuck}
        assert named <= set(robots.stopped)
        for one in fleet.stuck:
            for waiting in one.waiting:
                assert fleet.why(waiting).origin == one.agent
                assert one.agent in str(fleet.why(waiting))
    assert stopped > examples(60) // 6


def test_every_link_of_a_chain_is_in_the_plan():
    """Each wait is a dependency of the second implementation, for the next visit of the one that waits."""
    chains = 0
    for draw, problem, plan in small_runs(examples(200)):
        fleet = fleet_or_ring(problem, plan, switch=False)
        if fleet is None or crossings_count(problem):
            continue
        expected = brute.links(problem, plan.vertices)
        robots = ss.Simulator(problem, speed=0.3, delay=0.2, seed=draw.randrange(100))
        commands = fleet.commands
        finished = np.zeros(problem.n_agents, dtype=int)
        for _ in range(40):
            reports = robots.tick(commands)
            commands = fleet.tick(reports)
            for agent, number, _ in reports.tolist():
                finished[agent] = max(finished[agent], number)
            for name in problem.names:
                chain = fleet.why(name)
                chains += bool(chain.waits)
                assert [w.agent for w in chain.waits[1:]] == [w.other for w in chain.waits[:-1]]
                for wait in chain.waits:
                    one, other = problem.index(wait.agent), problem.index(wait.other)
                    assert ((other, wait.visit), (one, finished[one] + 1)) in expected
                    assert finished[other] < wait.visit
    assert chains > 50


def test_reports_may_be_old_doubled_or_lost():
    problem = ss.Problem.from_text("a . . A\nb . . B")
    fleet = ss.Fleet(problem, ss.solve(problem, "hca").plan, ahead=2)
    assert fleet.commands.of("a") == (1, [(0, 1), (0, 2)])
    fleet.tick([("a", 2), ("a", 1), ("a", 0)])
    assert fleet.commands.of("a") == (3, [(0, 3)])
    assert fleet.commands.of("b") == (1, [(1, 1), (1, 2)])
    fleet.tick(np.array([[0, 3], [0, 3], [1, 2]]))
    fleet.tick([(1, 3, (1, 3))])
    assert fleet.done
    assert fleet.refused == 0
    assert str(fleet.why("a")) == "a has made all its visits"


def test_who_is_not_where_it_was_sent_holds_everybody():
    problem = ss.Problem.from_text("a . . A\nb . . B")
    fleet = ss.Fleet(problem, ss.solve(problem, "hca").plan, ahead=1)
    before = fleet.commands.places.tolist()
    commands = fleet.tick([("a", 1, (1, 1))])
    assert commands.places.tolist() == before
    assert fleet.astray == {"a": (1, 1)}
    assert fleet.refused == 1
    assert fleet.stuck[0].astray
    assert "not where it was sent, but at (1, 1)" in str(fleet.why("a"))
    with pytest.raises(ss.UnsupportedError, match="new Fleet"):
        fleet.resume()
    fleet.tick([("b", 3)])  # it cannot have made visits that it was never told of
    assert fleet.refused == 2


def test_nothing_is_released_while_a_fleet_is_held():
    problem = ss.Problem.from_text("a . . A")
    fleet = ss.Fleet(problem, ss.solve(problem, "hca").plan, ahead=1)
    fleet.hold()
    fleet.tick([("a", 1)])
    assert fleet.commands.places.size == 0
    assert str(fleet.why("a")) == "a is held at (0, 1)"
    fleet.resume()
    assert fleet.tick().of("a") == (2, [(0, 2)])


def test_a_chain_is_a_sentence():
    problem = ss.Problem.from_text("c b a . C B A")
    fleet = ss.Fleet(problem, ss.solve(problem, "hca").plan)
    assert str(fleet.why("c")) == "c waits for b at (0, 1), b for a at (0, 2), a is on its way to (0, 3)"
    for _ in range(3):
        fleet.tick()
    assert str(fleet.why("b")) == "b waits for a at (0, 2), a has been on its way to (0, 3) for 3 ticks"


NO_REPORTS = [
    *(5, "a", [("x", 1)], [("a",)], [("a", -1)], [("a", 1.5)], [("a", 1, (9, 9))]),
    *(np.zeros((2, 5), dtype=int), np.array([[7, 0]])),
]


@pytest.mark.parametrize("report", NO_REPORTS)
def test_reports_that_are_none_are_refused(report):
    problem = ss.Problem.from_text("a . . A")
    fleet = ss.Fleet(problem, ss.solve(problem, "hca").plan)
    with pytest.raises(ss.InputError):
        fleet.tick(report)
    assert fleet.now == 0


def test_the_same_seed_is_the_same_execution():
    problem = random_problem(ss.Grid(np.ones((8, 8), dtype=bool)), 12, seed=3)
    plan = ss.solve(problem, "sipp", robust=1).plan
    one, other = (
        ss.Fleet(problem, plan).run(ss.Simulator(problem, delay=0.2, loss=0.1, lateness=2, seed=9))
        for _ in range(2)
    )
    assert np.array_equal(one.positions, other.positions)


@pytest.mark.parametrize(
    ("budget", "said"),
    [(ss.Budget(memory=100), "memory limit of 100 bytes"), (ss.Budget(stop=lambda: True), "asked to stop")],
)
def test_limits_cover_the_reading_of_a_plan(budget, said):
    problem = ss.Problem.from_text("a . . A")
    with pytest.raises(ss.LimitError, match=said):
        ss.Fleet(problem, ss.solve(problem, "cbs").plan, budget=budget)


def test_each_wait_of_a_long_chain_is_looked_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    grid = ss.Grid(np.ones((1, 400), dtype=bool))
    problem = ss.Problem(grid, [(0, col) for col in range(200)], [(0, col + 200) for col in range(200)])
    plan = ss.Plan(problem, np.arange(201)[:, None] + np.arange(200)[None, :])
    fleet = ss.Fleet(problem, plan, patience=1)
    for _ in range(3):
        fleet.tick()
    looks, look = [], fleet._wait
    monkeypatch.setattr(fleet, "_wait", lambda agent: looks.append(agent) or look(agent))
    (stuck,) = fleet.stuck
    assert len(stuck.waiting) == 199
    assert len(looks) <= 200
