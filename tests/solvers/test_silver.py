"""What LRA*, CA*, HCA* and WHCA* promise beyond the contract."""

from __future__ import annotations

import numpy as np
import pytest

import sidestep as ss
from sidestep.budget import Budget
from sidestep.instances import random_grid, random_problem
from sidestep.solvers.whca import group_size


def crowd(agents=60, size=20, seed=1, **options):
    return random_problem(random_grid(size, size, 0.2, seed), agents, seed, **options)


def test_ca_and_hca_find_paths_of_the_same_cost_in_the_same_order():
    problem = crowd(20)
    ca, hca = (ss.solve(problem, name, seed=4, retries=0) for name in ("ca", "hca"))
    assert ca.plan.cost == pytest.approx(hca.plan.cost, rel=0.05)
    assert hca.stats["expansions"] < ca.stats["expansions"]


def test_the_first_in_order_takes_a_shortest_way():
    problem = crowd(30)
    first = ss.Problem.from_agents(
        problem.space, [*problem.agents[:-1], ss.Agent(**{**vars(problem.agents[-1]), "priority": 9})]
    )
    result = ss.solve(first, "hca")
    alone = ss.solve(ss.Problem(problem.space, [first.agents[-1].start], [first.agents[-1].goal]), "hca")
    assert result.plan.costs[-1] == alone.plan.cost


def test_an_order_that_fails_is_changed():
    # a cannot pass once b has parked in the corridor, so b must plan after a.
    problem = ss.Problem(ss.Grid.from_text(". . . . .\n# # . # #"), [(0, 0), (1, 2)], [(0, 4), (0, 2)])
    orders = [ss.solve(problem, "hca", seed=seed, order="random").stats["orders"] for seed in range(8)]
    assert max(orders) == 2
    single = [ss.solve(problem, "hca", seed=seed, retries=0, order="random") for seed in range(8)]
    assert {result.status for result in single} == {ss.Status.SOLVED, ss.Status.GAVE_UP}


def test_later_reservations_of_a_goal_are_seen():
    # b's goal is on a's way: b may only settle there after a has passed.
    problem = ss.Problem(
        ss.Grid.from_text(". . . . . .\n# . # # # #"), [(0, 0), (1, 1)], [(0, 5), (0, 1)], priorities=[1, 0]
    )
    result = ss.solve(problem, "hca")
    assert result.plan.costs.tolist() == [5, 2]


@pytest.mark.parametrize("solver", [ss.CA(), ss.HCA(), ss.WHCA(), ss.LRA()])
def test_a_goal_that_is_cut_off_gives_no_plan_even_without_the_front_door(solver):
    result = solver.solve(ss.Problem.from_text("a . # A"), budget=Budget(1.0, 10_000))
    assert not result
    assert result.status == ss.Status.GAVE_UP


def test_goals_are_free_to_wait_on_under_time_off_goal():
    problem = ss.Problem(
        ss.Grid.from_text(". . . . . .\n# . # # # #"),
        [(0, 0), (0, 1)],
        [(0, 5), (0, 1)],
        priorities=[1, 0],
        rules=ss.Rules(cost="time_off_goal"),
    )
    result = ss.solve(problem, "hca")
    assert result.plan.costs.tolist() == [5, 2]


def test_whca_spreads_planning_over_the_turns():
    problem = crowd(64)
    session = ss.WHCA(window=16).session(problem)
    dealt = [session.due(turn).tolist() for turn in range(16)]
    assert all(len(group) == 8 for group in dealt)  # 2 n / w
    for half in (dealt[:8], dealt[8:]):
        assert sorted(agent for group in half for agent in group) == list(range(64))
    assert dealt[0] != dealt[8]


def test_paths_never_run_out_between_two_turns_of_planning():
    problem = crowd(64)
    for window in (2, 3, 5, 16):
        session = ss.WHCA(window=window).session(problem)
        last = dict.fromkeys(range(64), 0)
        for turn in range(1, 60):
            for agent in session.due(turn).tolist():
                assert turn - last[agent] < max(window, 2)
                last[agent] = turn


@pytest.mark.parametrize("window", [2, 3, 8, 16, 32, "auto"])
def test_every_window_gives_valid_plans(window):
    problem = crowd(25)
    result = ss.solve(problem, "whca", window=window)
    assert result
    assert ss.validate(problem, result.plan)


def test_the_automatic_window_is_the_size_of_the_group():
    grid = ss.Grid(np.ones((12, 12), dtype=bool))
    block = [(row, col) for row in range(3) for col in range(4)]
    far = [(row + 8, col + 8) for row, col in block]
    assert group_size(ss.Problem(grid, block, far)) == 12
    assert group_size(ss.Problem(grid, [(0, 0)], [(9, 9)])) == 8  # never less
    together = ss.Problem(grid, block, [(9, 9)] * 12, rules=ss.Rules(shared_goals=True))
    assert group_size(together) == 12


def test_whca_solves_what_no_order_can():
    """Like Silver's figure 1: who plans first takes its shortest way and then is in the other's."""
    hall = ss.Grid.from_text(". . . # #\n# . # # #\n# . . . #")
    ways = [(0, 2), (2, 1)], [(2, 2), (0, 1)]
    for priorities in ([1, 0], [0, 1]):
        ordered = ss.Problem(hall, *ways, priorities=priorities)
        for solver in ("ca", "hca"):
            assert ss.solve(ordered, solver).status == ss.Status.GAVE_UP
    problem = ss.Problem(hall, *ways)
    for seed in range(6):
        result = ss.solve(problem, "whca", seed=seed)
        assert ss.validate(problem, result.plan)


def test_whca_draws_who_plans_first():
    """Also in the first turn, in which everybody must plan: it is not the same agents that wait."""
    problem = crowd(60)
    first = set()
    for seed in range(8):
        world = ss.World(problem, ss.WHCA(), seed=seed)
        world.step()
        first.add(world.positions.tobytes())
    assert len(first) == 8


def test_in_whca_it_does_not_matter_which_number_an_agent_has():
    """Where the first third of the agents always planned first, it arrived 6.7 turns before the last."""
    later = []
    for seed in range(12):
        problem = crowd(60, 16, seed)
        world = ss.World(problem, ss.WHCA(), seed=seed)
        for _ in range(60):
            world.step()
        on_goal = world.trace.positions == problem.goals
        arrivals = np.where(on_goal.any(axis=0), on_goal.argmax(axis=0), 60)
        later.append(arrivals[40:].mean() - arrivals[:20].mean())
    error = np.std(later) / np.sqrt(len(later))
    assert abs(np.mean(later)) < 3 * error + 0.5


@pytest.mark.parametrize("turns", [1, 3, 8, 100])
def test_the_interval_of_replanning_is_a_parameter(turns):
    session = ss.WHCA(window=16, replan_every=turns).session(crowd(24))
    interval = min(turns, 8)
    dealt = [session.due(turn).tolist() for turn in range(interval)]
    assert sorted(agent for group in dealt for agent in group) == list(range(24))
    assert ss.solve(crowd(24), "whca", replan_every=turns)


def test_higher_priorities_go_first_in_whca():
    # Two agents meet at a door of one cell; whoever matters more does not wait.
    text = "a . # . .\n. . . . .\nb . # . ."
    base = ss.Problem.from_text(text)
    for hero in (0, 1):
        problem = ss.Problem(
            base.space, [(0, 1), (2, 1)], [(0, 3), (2, 3)], priorities=[int(hero == 0), int(hero == 1)]
        )
        plan = ss.solve(problem, "whca").plan
        assert plan.costs[hero] == 4
        assert plan.costs[1 - hero] > 4


def test_lra_repairs_and_becomes_agitated():
    problem = crowd(60)
    session = ss.LRA().session(problem)
    world = ss.World(problem, session)
    for _ in range(40):
        world.step(Budget(5.0))
    assert session.replans > 0
    assert ss.validate_trace(world.trace)


def test_lra_agents_take_turns_so_a_line_can_follow():
    line = ss.Problem(ss.Grid.from_text(". . . . ."), [(0, 1), (0, 0)], [(0, 4), (0, 3)])
    result = ss.solve(line, "lra")
    assert result.plan.makespan == 3


def test_lra_agents_take_turns_so_a_ring_cannot_rotate():
    corners = [(0, 0), (0, 1), (1, 1), (1, 0)]
    ring = ss.Problem(ss.Grid.from_text(". .\n. ."), corners, corners[1:] + corners[:1])
    assert ss.solve(ring, "od").plan.makespan == 1
    for solver in (ss.LRA(), ss.LRA.as_printed()):
        world = ss.World(ring, solver)
        for _ in range(20):
            world.step()
        assert world.positions.tolist() == ring.starts.tolist()


@pytest.mark.parametrize(
    ("solver", "params"),
    [
        ("whca", {"window": 1}),
        ("whca", {"window": "big"}),
        ("whca", {"window": 2.5}),
        ("whca", {"window": True}),
        ("whca", {"max_turns": -1}),
        ("hca", {"retries": -1}),
        ("hca", {"retries": "x"}),
        ("ca", {"hold_goals": "yes"}),
        ("lra", {"noise": -1}),
        ("lra", {"noise": float("nan")}),
        ("whca", {"windw": 3}),
        ("wcha", {}),
        (ss.WHCA(), {"window": 3}),
        (42, {}),
    ],
)
def test_wrong_parameters_are_refused(solver, params):
    with pytest.raises(ss.InputError):
        ss.solve(crowd(2), solver, **params)


@pytest.mark.parametrize("limits", [{"time_limit": -1}, {"node_limit": 1.5}, {"seed": "x"}, {"stop": 3}])
def test_wrong_limits_are_refused(limits):
    with pytest.raises(ss.InputError):
        ss.solve(crowd(2), **limits)


def test_huge_limits_are_no_limits():
    assert ss.solve(crowd(5), time_limit=1e300, node_limit=10**30, seed=-(10**30))


def test_the_lower_bound_is_the_sum_of_the_shortest_ways():
    problem = crowd(10)
    bounds = {ss.solve(problem, name).lower_bound for name in ("ca", "hca", "whca")}
    assert len(bounds) == 1


def test_agents_that_share_a_goal_and_stay_are_infeasible():
    grid = ss.Grid.from_text(". . .")
    for at_goal, status in (("stay", "infeasible"), ("disappear", "solved")):
        rules = ss.Rules(shared_goals=True, at_goal=at_goal)
        problem = ss.Problem(grid, [(0, 0), (0, 2)], [(0, 1), (0, 1)], rules=rules)
        assert ss.solve(problem, "hca").status == status


def test_head_on_in_a_corridor_with_a_bay_in_the_middle_whca_never_gets_past():
    """A joint search does: one of the two steps into the bay. docs/algorithms/whca.md says so."""
    bay = ss.Grid.from_text("# # . # #\n. . . . .")
    head_on = ss.Problem(bay, starts=[(1, 0), (1, 4)], goals=[(1, 4), (1, 0)])
    assert ss.solve(head_on, "od").status is ss.Status.OPTIMAL
    for window in (4, 8, 16, 64):
        results = [ss.solve(head_on, ss.WHCA(window=window), seed=seed) for seed in range(10)]
        assert {result.status for result in results} == {ss.Status.GAVE_UP}
