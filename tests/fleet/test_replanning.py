"""New plans while robots run, around broken ones; and orders that are turned round."""

from __future__ import annotations

import numpy as np
import pytest

import sidestep as ss
from sidestep.instances import random_grid, random_problem
from tests.fleet import brute
from tests.sizing import examples


def crowd(number: int, agents: int = 14) -> tuple[ss.Problem, ss.Plan]:
    problem = random_problem(ss.Grid(np.ones((8, 8), dtype=bool)), agents, seed=number)
    return problem, ss.solve(problem, "sipp", robust=1, seed=number).plan


def run(fleet: ss.Fleet, robots: ss.Simulator, ticks: int) -> None:
    commands = fleet.commands
    for _ in range(ticks):
        commands = fleet.tick(robots.tick(commands))


def test_new_plans_in_the_middle_of_everything():
    """Every few ticks; robots are delayed and messages late. Nobody collides, and all arrive."""
    for number in range(examples(25)):
        problem, plan = crowd(number)
        fleet = ss.Fleet(problem, plan, ahead=1 + number % 4)
        robots = ss.Simulator(problem, speed=0.5, delay=0.05, loss=0.1, lateness=3, seed=number)
        for again in range(4):
            run(fleet, robots, 7)
            assert fleet.replan("lacam", seed=again)
        execution = fleet.run(robots)
        assert fleet.done
        report = ss.validate_execution(execution)
        assert report, report


def test_what_was_released_stays():
    problem, plan = crowd(1)
    fleet = ss.Fleet(problem, plan, ahead=3)
    before = {name: (first, places) for name, first, places in fleet.commands}
    assert fleet.replan("lacam", seed=5)
    for name, (first, places) in before.items():
        assert fleet.commands.of(name)[0] == first
        assert fleet.commands.of(name)[1][: len(places)] == places


def test_broken_robots_are_gone_around():
    """Permanent stops: after a new plan the others arrive, or the solver says that they cannot."""
    recovered = 0
    for number in range(examples(25)):
        problem, plan = crowd(number, agents=8)
        fleet = ss.Fleet(problem, plan, patience=30)
        robots = ss.Simulator(problem, speed=0.5, seed=number)
        run(fleet, robots, 5)
        robots.stop(number % 8)
        execution = fleet.run(robots)
        if fleet.done:  # it had nothing to do any more
            continue
        assert [one.agent for one in fleet.stuck] == [problem.names[number % 8]]
        result = fleet.replan("lacam", broken=[number % 8])
        if not result:
            continue
        execution = fleet.run(robots)
        assert fleet.done
        assert fleet.broken == (problem.names[number % 8],)
        assert ss.validate_execution(execution)
        home = execution.sources[-1] == problem.goals
        for agent, name in enumerate(problem.names):
            assert home[agent] or name in fleet.broken + fleet.given_up
        recovered += 1
    assert recovered > 3


def test_without_a_plan_nothing_changes():
    problem = ss.Problem.from_text("a . b . A B")
    fleet = ss.Fleet(problem, ss.solve(problem, "cbs").plan, ahead=1)
    before = list(fleet.commands)
    assert not fleet.replan("lacam", goals={"a": (0, 5), "b": (0, 4)})  # they would have to change places
    assert list(fleet.commands) == before
    fleet.run(ss.Simulator(problem))
    assert fleet.done
    assert fleet.places.tolist() == [4, 5]


def test_who_is_cut_off_from_its_goal_is_given_up():
    problem = ss.Problem.from_text("a . b . A\n# # . # #\n# # B # #")
    fleet = ss.Fleet(problem, ss.solve(problem, "cbs").plan, ahead=1)
    assert fleet.replan("lacam", broken=["b"])
    assert (fleet.broken, fleet.given_up) == (("b",), ("a",))


def test_a_new_plan_does_not_begin_the_patience_anew():
    """A robot that stands is said to be stuck, however often the rest is planned."""
    problem = ss.Problem.from_text("a . . . A\n. . . . .\nb . . . B")
    fleet = ss.Fleet(problem, ss.solve(problem, "cbs").plan, ahead=1, patience=20)
    robots = ss.Simulator(problem)
    robots.stop("a")
    commands = fleet.commands
    for tick in range(40):
        commands = fleet.tick(robots.tick(commands))
        if tick % 5 == 0:
            assert fleet.replan("lacam", goals={"b": (2, tick % 4)})
            commands = fleet.commands
    assert [one.agent for one in fleet.stuck] == ["a"]


def test_on_a_graph_a_broken_robot_closes_its_edges():
    graph = ss.Graph(5, [[0, 1], [1, 2], [0, 3], [3, 4], [4, 2]], edge_conflicts=[[2, 3]])
    problem = ss.Problem(graph, [0, 1], [2, None])
    plan = ss.Plan(problem, [[0, 1], [0, 1], [3, 1], [4, 1], [2, 1]])
    fleet = ss.Fleet(problem, plan, ahead=1)
    assert fleet.replan("lacam", broken=[1])
    assert fleet.run(ss.Simulator(problem)).sources[-1].tolist() == [2, 1]


@pytest.mark.parametrize("start", [(0, 2), (0, 5)])
def test_a_broken_diagonal_is_closed_beside_the_cells_of_a_large_robot(start):
    """In the way of `b` nobody may cross: one cell beside it closes, and none that is taken or wanted."""
    agents = [ss.Agent((1, 1), (2, 2), name="b"), ss.Agent(start, (0, 2), size=2, name="large")]
    rules = ss.Rules(crossing=False, following=False)
    problem = ss.Problem.from_agents(ss.Grid(np.ones((4, 7), dtype=bool), 8), agents, rules=rules)
    fleet = ss.Fleet(problem, ss.solve(problem, "hca").plan, ahead=1)
    assert fleet.replan("hca", broken=["b"])
    assert fleet.given_up == ()


def test_turned_orders_have_no_cycle():
    """After every tick, by the second implementation; and all arrive without a collision."""
    turned = 0
    for number in range(examples(10)):
        grid = random_grid(12, 12, 0.2, seed=number)
        problem = random_problem(grid, 20, seed=number, rules=ss.Rules(following=False))
        plan = ss.solve(problem, "lacam", seed=number).plan
        fleet = ss.Fleet(problem, plan, ahead=1 + number % 4, patience=1000)
        totals = [len(stays) - 1 for stays in brute.visits_of(plan.vertices)]
        robots = ss.Simulator(problem, delay=0.1, delays=(5, 30), seed=number)
        commands = fleet.commands
        while not fleet.done:
            before = fleet.switched
            commands = fleet.tick(robots.tick(commands))
            if fleet.switched > before:
                links = {((a, k), (b, n)) for a, k, b, n in fleet._graph.links().tolist()}
                assert not brute.has_cycle(links, totals)
        assert ss.validate_execution(robots.execution(done=True))
        turned += fleet.switched
    assert turned > 0


def test_switching_is_as_asked():
    problem = ss.Problem.from_text("""
        # # b # #
        # # . # #
        # # . # #
        # # . # #
        # # . # #
        a . . . A
        # # B # #
    """)
    column = [2, 7, 12, 17, 22, 27, 32]
    rows = [[25, v] for v in column] + [[v, 32] for v in (26, 27, 28, 29)]
    plan = ss.Plan(problem, rows)
    fleet = ss.Fleet(problem, plan)
    assert fleet.switched == 1
    assert fleet.commands.of("a") == (1, [(5, 1), (5, 2), (5, 3), (5, 4)])
    fixed = ss.Fleet(problem, plan, switch=False)
    assert fixed.switched == 0
    assert fixed.commands.of("a") == (1, [(5, 1)])
    with pytest.raises(ss.InputError, match="switch"):
        ss.Fleet(problem, plan, switch=1)
