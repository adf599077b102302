"""What ADPP promises beyond the contract."""

from __future__ import annotations

import threading
import time
from dataclasses import replace

import numpy as np
import pytest

import sidestep as ss
from sidestep import _core
from sidestep.budget import Budget
from sidestep.instances import random_grid, random_problem

CORRIDOR = ss.Grid.from_text("# # . # #\n. . . . .")
THREADS = ss.ADPP(scheduler="threads", threads=3)
RULES = [
    ss.Rules(),
    ss.Rules(following=False, cost="time_off_goal"),
    ss.Rules(at_goal="disappear", crossing=True),
    ss.Rules(following=False, at_goal="disappear"),
]


def crowd(seed: int, agents: int, size: int = 12, rules: ss.Rules = RULES[0]) -> ss.Problem:
    grid = random_grid(size, size, 0.2, seed, connectivity=8, corners="free")
    return random_problem(grid, agents, seed, rules=rules)


def ranked(problem: ss.Problem, order: list[int]) -> ss.Problem:
    """The same agents with priorities in this order."""
    agents = [replace(agent, priority=-order.index(k)) for k, agent in enumerate(problem.agents)]
    return ss.Problem.from_agents(problem.space, agents, rules=problem.rules)


@pytest.mark.parametrize("rules", RULES, ids=["plain", "no following", "disappear", "neither"])
@pytest.mark.parametrize("scheduler", ["seeded", "threads"])
@pytest.mark.parametrize("replan", ["conflict", "always"])
def test_plans_are_valid_when_all_is_quiet(rules, scheduler, replan):
    solver = ss.ADPP(scheduler=scheduler, threads=3, replan=replan)
    solved = 0
    for seed in range(15):
        problem = crowd(seed, 4 + 2 * seed, rules=rules)
        result = ss.solve(problem, solver, seed=seed)
        assert result.status in (ss.Status.SOLVED, ss.Status.GAVE_UP)
        if result:
            assert ss.validate(problem, result.plan)
            solved += 1
    assert solved > 3


@pytest.mark.parametrize("scheduler", ["seeded", "threads"])
def test_who_always_plans_again_ends_as_planning_in_order_does(scheduler):
    solver = ss.ADPP(scheduler=scheduler, threads=3, replan="always")
    compared = 0
    for seed in range(25):
        problem = crowd(seed, 16, rules=RULES[seed % len(RULES)])
        problem = ranked(problem, [int(k) for k in np.argsort(problem.starts * 7919 % 31, kind="stable")])
        in_order = ss.solve(problem, "hca", retries=0)
        result = ss.solve(problem, solver, seed=seed)
        assert bool(result) == bool(in_order)
        if result:
            assert np.array_equal(result.plan.vertices, in_order.plan.vertices)
            compared += 1
    assert compared > 8


def test_a_seed_draws_one_course_of_events():
    problem = crowd(3, 24)
    first, second = (ss.solve(problem, "adpp", seed=4) for _ in range(2))
    assert first.plan == second.plan
    assert {**first.stats, "seconds": 0} == {**second.stats, "seconds": 0}
    searches = {ss.solve(problem, "adpp", seed=seed).stats["searches"] for seed in range(10)}
    assert len(searches) > 1


def test_agents_that_do_not_meet_plan_once_each():
    problem = ss.Problem.from_text("a . . A\nb . . B\nc . . C")
    for solver in (ss.ADPP(), THREADS):
        result = ss.solve(problem, solver)
        assert result.stats["searches"] == 3
        assert result.stats["replans"] == 0
        assert result.stats["messages"] == 3  # from the first to two, from the second to one
        assert result.stats["bytes"] == 3 * (4 + 4 * 4)


def test_higher_priorities_never_give_way():
    for seed in range(10):
        problem = ranked(crowd(seed, 12), list(range(11, -1, -1)))
        result = ss.solve(problem, "adpp", seed=seed)
        alone = ss.solve(ss.Problem.from_agents(problem.space, problem.agents[11:]), "hca")
        if result:
            assert result.plan.costs[11] == alone.plan.cost


def test_who_is_left_without_a_path_says_around_whom():
    problem = ss.Problem(CORRIDOR, [(1, 0), (1, 4)], [(1, 4), (1, 0)], names=["west", "east"])
    for solver in (ss.ADPP(), THREADS):
        result = ss.solve(problem, solver)
        assert result.status is ss.Status.GAVE_UP
        assert result.reason == "agent east has no path around west"
    other = ss.Problem(
        CORRIDOR, [(1, 0), (1, 4)], [(1, 4), (1, 0)], names=["west", "east"], priorities=[0, 1]
    )
    assert ss.solve(other, "adpp").reason == "agent west has no path around east"


def test_an_agent_that_can_never_be_served_is_named():
    problem = ss.Problem.from_text("a . # A\nb . # .\n. B # .")
    for solver in (ss.ADPP(), THREADS):
        result = solver.solve(problem, budget=Budget(1.0, 10_000))
        assert result.status is ss.Status.GAVE_UP
        assert result.reason == "agent a has no path even without the others"


def test_a_failure_is_not_final_while_others_still_plan():
    """Those who end without a path are those who have none around the final paths."""
    found = 0
    for seed in range(30):
        problem = crowd(seed, 40)
        agents = core_of(problem)
        budget = Budget()
        assert agents.run_seeded(seed, budget.core)
        paths = [agents.path(agent) for agent in range(problem.n_agents)]
        for agent in range(problem.n_agents):
            if len(paths[agent]) == 0:
                found += 1
                blockers = agents.blockers(agent, budget.core)
                assert blockers
                assert all(len(paths[other]) and other < agent for other in blockers)
    assert found > 3


def core_of(problem: ss.Problem) -> _core.Adpp:
    from sidestep.model.to_core import compile_rules, compiled_space

    order = np.arange(problem.n_agents, dtype=np.int32)
    space, rules = compiled_space(problem), compile_rules(problem.rules)
    return _core.Adpp(space, rules, problem.starts, problem.goals, order, always=False)


# Limits on threads


def test_threads_keep_a_node_limit():
    problem = crowd(1, 60, size=32)
    for nodes in (0, 1, 500):
        result = ss.solve(problem, THREADS, node_limit=nodes)
        assert result.status is ss.Status.TIMEOUT
        assert result.stats["expansions"] <= nodes
        assert str(nodes) in result.reason


def large() -> ss.Problem:
    return random_problem(random_grid(128, 128, 0.2, 1), 500, 1)


def test_threads_keep_a_time_limit():
    problem = large()
    ss.solve(problem, THREADS, time_limit=0.0)  # compiles the map
    begin = time.process_time()  # of all threads together
    result = ss.solve(problem, THREADS, time_limit=0.05)
    assert time.process_time() - begin < 0.5
    assert result.status is ss.Status.TIMEOUT
    assert "time limit" in result.reason


def test_threads_stop_when_they_are_asked_to():
    stop = threading.Event()
    threading.Timer(0.05, stop.set).start()
    result = ss.solve(large(), THREADS, stop=stop, time_limit=30.0)
    assert result.status is ss.Status.TIMEOUT
    assert "asked to stop" in result.reason


@pytest.mark.parametrize("error", [RuntimeError, KeyboardInterrupt])
def test_an_exception_in_a_callback_comes_through_from_threads(error):
    def on_progress(progress):
        raise error("mine")

    with pytest.raises(error, match="mine"):
        ss.solve(large(), THREADS, on_progress=on_progress, time_limit=30.0)


def test_progress_is_told_while_threads_work():
    told: list[ss.Progress] = []

    def enough() -> bool:
        return len(told) > 2 and told[-1].nodes > 0

    ss.solve(large(), THREADS, on_progress=told.append, stop=enough, time_limit=60.0)
    assert enough()
    assert [one.nodes for one in told] == sorted(one.nodes for one in told)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"scheduler": "random"}, "scheduler must be 'seeded' or 'threads', not 'random'"),
        ({"replan": True}, "replan must be 'conflict' or 'always', not True"),
        ({"threads": -1}, "threads must be a whole number from 0 to 256, not -1"),
        ({"threads": 1.5}, "threads must be a whole number from 0 to 256, not 1.5"),
    ],
)
def test_parameters_that_make_no_sense(parameters, message):
    with pytest.raises(ss.InputError, match=message):
        ss.ADPP(**parameters)
    with pytest.raises(ss.InputError, match=message):
        replace(ss.ADPP(), **parameters)
