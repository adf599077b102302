"""EPIBT: operations of agents that have to turn, against the judge."""

from __future__ import annotations

import pickle
from itertools import product
from typing import Any

import numpy as np
import pytest

import sidestep as ss
from sidestep.instances import random_grid, random_problem
from tests.sizing import some_of

RULES = [
    ss.Rules(following=following, at_goal=at_goal, cost=cost, shared_goals=shared)  # type: ignore[arg-type]
    for following, at_goal, cost, shared in product(
        (True, False), ("stay", "disappear"), ("sum_of_costs", "time_off_goal"), (False, True)
    )
]


def crowd(seed: int, rules: ss.Rules = ss.Rules(), side: int = 6, share: float = 0.3) -> ss.Problem:
    """Agents at random places, facing anywhere; a tenth of them idle."""
    draw = np.random.default_rng(seed)
    grid = ss.Grid(draw.random((side, side + 1)) > 0.2)
    places = draw.permutation(np.flatnonzero(grid.open))
    count = max(1, int(share * len(places)))
    goals = draw.permutation(places)[:count]
    return ss.Problem.from_agents(
        grid,
        [
            ss.Agent(
                grid.place(start),
                None if draw.random() < 0.1 else grid.place(goal),
                facing="NESW"[draw.integers(4)],  # type: ignore[arg-type]
                priority=int(draw.integers(3)),
            )
            for start, goal in zip(places[:count].tolist(), goals.tolist(), strict=True)
        ],
        rules=rules,
    )


def faults(world: ss.World) -> list[str]:
    kinds = world.trace.events[:, 1].tolist()
    return [ss.EventKind(kind).name for kind in kinds if ss.EventKind(kind).is_planner_fault]


@pytest.mark.parametrize("length", [1, 2, 3, 4, 5])
@pytest.mark.parametrize("seed", some_of(range(20)))
def test_no_plan_is_invalid_and_no_move_is_refused(seed: int, length: int) -> None:
    for rules in RULES[seed % 4 :: 4]:
        problem = crowd(seed, rules)
        world = ss.World(problem, ss.EPIBT(length=length, effort=seed % 3), seed=seed)
        for _ in range(25):
            world.step()
        report = ss.validate_trace(world.trace)
        assert report, str(report)
        assert faults(world) == []
        result = ss.solve(problem, "epibt", length=length, node_limit=20_000)
        if result:
            assert ss.validate(problem, result.plan)
            assert result.lower_bound is not None
            assert result.lower_bound <= result.plan.cost
        else:
            assert result.status in (ss.Status.GAVE_UP, ss.Status.TIMEOUT, ss.Status.INFEASIBLE)


@pytest.mark.parametrize("seed", some_of(range(12)))
def test_whatever_changes_nothing_is_refused(seed: int) -> None:
    """Walls, goals, newcomers, removals, syncs and starved turns, in any order."""
    draw = np.random.default_rng(seed)
    world = ss.World(crowd(seed, RULES[2 * (seed % 8) + 1]), ss.EPIBT(effort=1), seed=seed, stuck_after=5)
    for _ in range(80):
        present = np.flatnonzero(world.positions != -1).tolist()
        free = [v for v in np.flatnonzero(world.open).tolist() if v not in world.positions.tolist()]
        place = world.space.place(int(draw.integers(world.space.n)))
        match int(draw.integers(8)):
            case 0 if present:
                world.send(int(draw.choice(present)), place)
            case 1:
                world.block(place)
            case 2:
                world.free(place)
            case 3 if free:
                world.add(ss.Agent(world.space.place(int(draw.choice(free))), place, facing="S"))
            case 4 if len(present) > 3:
                world.remove(int(draw.choice(present)))
            case 5 if present and free:
                world.sync({int(draw.choice(present)): world.space.place(int(draw.choice(free)))})
        world.step(nodes=int(draw.integers(40)))
    assert faults(world) == []
    trace = world.trace
    report = ss.validate_trace(trace)
    assert report, str(report)
    assert ss.replay_trace(trace) == trace


def test_the_same_seed_and_nodes_give_the_same_bytes_also_after_a_save() -> None:
    def run(world: ss.World, turns: int) -> ss.World:
        for _ in range(turns):
            world.step(nodes=60)
        return world

    def fresh() -> ss.World:
        problem = crowd(3, ss.Rules(shared_goals=True), side=9)
        tasks = ss.Stream.random(problem.space, seed=3)
        return ss.World(problem, ss.EPIBT(effort=2), seed=3, tasks=tasks)

    straight = run(fresh(), 40)
    assert run(fresh(), 40).trace == straight.trace
    assert run(pickle.loads(pickle.dumps(run(fresh(), 15))), 25).trace == straight.trace
    assert straight.tasks.finished > 0


def alone(facing: Any, goal: tuple[int, int], walls: str = ". . . .\n. . . .") -> ss.Result:
    grid = ss.Grid.from_text(walls)
    return ss.solve(ss.Problem.from_agents(grid, [ss.Agent((0, 0), goal, facing=facing)]), "epibt")


@pytest.mark.parametrize(("facing", "cost"), [("E", 3), ("N", 4), ("S", 4), ("W", 5)])
def test_one_agent_takes_the_fewest_steps_and_turns(facing: str, cost: int) -> None:
    result = alone(facing, (0, 3))
    assert result.plan is not None
    assert result.plan.cost == cost == result.lower_bound


def test_of_two_ways_of_equal_length_it_takes_the_one_with_fewer_turns() -> None:
    result = alone("E", (1, 3))
    assert result.plan is not None
    assert result.plan.cost == 5


def test_a_turn_without_budget_is_safe_and_goes_on_with_what_was_meant() -> None:
    world = ss.World(crowd(1), ss.EPIBT())
    world.step()
    before = world.positions
    world.step(nodes=0)
    assert faults(world) == []
    assert (world.positions != before).any()


def test_an_agent_makes_way_though_it_must_turn_for_it() -> None:
    grid = ss.Grid.from_text("""
        . . . .
        # . # #
    """)
    robots = [ss.Agent((0, 0), (0, 3), facing="E", priority=1), ss.Agent((0, 1), None, facing="N")]
    result = ss.solve(ss.Problem.from_agents(grid, robots), "epibt")
    assert result.plan is not None
    assert ss.validate(result.problem, result.plan)


def test_who_stands_in_a_place_that_closed_turns_and_leaves() -> None:
    grid = ss.Grid.from_text(". .\n# #")
    world = ss.World(ss.Problem.from_agents(grid, [ss.Agent((0, 0), None, facing="W")]), ss.EPIBT())
    world.block((0, 0))
    for _ in range(4):
        world.step()
    assert world.where(0) == (0, 1)
    assert faults(world) == []


def test_agents_that_need_not_turn_move_as_in_pibt() -> None:
    problem = ss.Problem.from_text("a b . B A")
    plans = [ss.solve(problem, name, max_turns=20) for name in ("pibt", "epibt")]
    assert plans[0].status == plans[1].status
    crowd_of_all = ss.Problem(ss.Grid.from_text(". . .\n. . ."), [(0, 0), (0, 1)], [(1, 2), (1, 0)])
    one, two = (ss.solve(crowd_of_all, name).plan for name in ("pibt", "epibt"))
    assert one is not None
    assert two is not None
    assert np.array_equal(one.vertices, two.vertices)
    assert two.facings is None


def test_the_first_to_come_into_an_empty_world_says_whether_agents_turn() -> None:
    for facing, turns in (("S", 3), (None, 1)):
        world = ss.World(ss.Problem(ss.Grid.from_text(". #"), [], []), ss.EPIBT())
        world.step()
        world.free((0, 1))
        world.step()
        world.add(ss.Agent((0, 0), (0, 1), facing=facing))  # type: ignore[arg-type]
        for _ in range(turns):
            world.step()
        assert world.where(0) == (0, 1)
        assert faults(world) == []


def test_a_saved_empty_world_still_learns_whether_agents_turn() -> None:
    world = ss.World(ss.Problem(ss.Grid.from_text(". ."), [], []), ss.EPIBT())
    world.step()
    twin = pickle.loads(pickle.dumps(world))
    twin.add(ss.Agent((0, 0), (0, 1), facing="E"))
    twin.step()
    assert twin.where(0) == (0, 1)


@pytest.mark.parametrize("length", [1, 2, 3, 4, 5])
def test_who_is_on_its_goal_stays_while_others_are_under_way(length: int) -> None:
    grid = ss.Grid(np.ones((8, 8), dtype=np.bool_))
    agents = [ss.Agent((0, 0), (0, 0), facing="E"), ss.Agent((7, 7), (7, 0), facing="W")]
    plan = ss.solve(ss.Problem.from_agents(grid, agents), ss.EPIBT(length=length)).plan
    assert plan is not None
    assert (plan.cost, plan.makespan) == (7, 7)


@pytest.mark.parametrize("seed", range(5))
def test_twenty_robots_in_a_hall_all_come_home(seed: int) -> None:
    drawn = random_problem(random_grid(12, 12, 0.0, seed), 20, seed)
    robots = [ss.Agent(one.start, one.goal, facing="NESW"[k % 4]) for k, one in enumerate(drawn.agents)]  # type: ignore[arg-type]
    problem = ss.Problem.from_agents(drawn.space, robots)
    result = ss.solve(problem, "epibt")
    assert ss.validate(problem, result.plan)
