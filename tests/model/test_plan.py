"""Plans: positions over time, what they cost, and what they refuse to be."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

from sidestep import Graph, Grid, InputError, Plan, Problem, Rules, UnsupportedError

pytestmark = pytest.mark.bounds

LINE = Grid.from_text(". . . .")


def line_problem(*ways: tuple[int, int | None], **rules: object) -> Problem:
    """Agents on a line of four cells, each from a column to a column."""
    starts = [(0, start) for start, _ in ways]
    goals = [None if goal is None else (0, goal) for _, goal in ways]
    return Problem(LINE, starts, goals, rules=Rules(**rules))  # type: ignore[arg-type]


def costs(rules: dict[str, object], way: tuple[int, int | None], path: list[int]) -> list[int]:
    plan = Plan(line_problem(way, **rules), [[vertex] for vertex in path])
    assert plan.cost == plan.costs.sum()
    return plan.costs.tolist()


# --------------------------------------------------------------------------------------- costs

SUM, OFF = {"cost": "sum_of_costs"}, {"cost": "time_off_goal"}


@pytest.mark.parametrize(
    ("path", "last_arrival", "off_goal"),
    [
        ([2], 0, 0),
        ([2, 2, 2], 0, 0),
        ([1, 2], 1, 1),
        ([0, 1, 2], 2, 2),
        ([0, 1, 2, 2, 2], 2, 2),
        ([1, 1, 2], 2, 2),
        ([1, 2, 3, 2], 3, 3),
        ([1, 2, 2, 3, 2], 4, 3),
        ([2, 2, 2, 3, 2, 2], 4, 2),
        ([2, 1, 2, 2, 2, 3, 2], 6, 4),
    ],
)
def test_the_two_costs_differ_in_waits_on_the_goal_before_leaving_it(path, last_arrival, off_goal):
    way = (path[0], 2)
    assert costs(SUM, way, path) == [last_arrival]
    assert costs(OFF, way, path) == [off_goal]


@pytest.mark.parametrize("rule", [SUM, OFF])
def test_an_idle_agent_costs_nothing_wherever_it_goes(rule):
    assert costs(rule, (0, None), [0, 1, 2, 1]) == [0]


@pytest.mark.parametrize("rule", [SUM, OFF])
def test_an_agent_that_disappears_costs_the_time_of_its_arrival(rule):
    assert costs(rule | {"at_goal": "disappear"}, (0, 2), [0, 0, 1, 2, -1, -1]) == [3]
    assert costs(rule | {"at_goal": "disappear"}, (2, 2), [2, -1, -1]) == [0]


def test_the_cost_is_the_sum_over_the_agents():
    plan = Plan(line_problem((0, 1), (3, 2), (2, None)), [[0, 3, 2], [1, 3, 2], [1, 3, 0]])
    assert plan.costs.tolist() == [1, 3, 0]
    assert plan.costs.dtype == np.int64
    assert plan.cost == 4
    assert isinstance(plan.cost, int)


def test_a_plan_for_no_agents_costs_nothing():
    nobody = Problem(LINE, [], [])
    plan = Plan(nobody, np.empty((1, 0), dtype=np.int32))
    assert (plan.cost, plan.makespan) == (0, 0)
    assert Plan(nobody, [[], []]).makespan == 1


# ---------------------------------------------------------------------------------------- views


def test_the_makespan_is_the_number_of_steps():
    assert Plan(line_problem((0, 1)), [[0], [1]]).makespan == 1
    assert Plan(line_problem((0, 0)), [[0]]).makespan == 0


def test_a_plan_on_a_grid_has_cells():
    problem = Problem(Grid.from_text(". .\n. ."), [(0, 1)], [(1, 1)], rules=Rules(at_goal="disappear"))
    assert Plan(problem, [[1], [3], [-1]]).cells.tolist() == [[[0, 1]], [[1, 1]], [[-1, -1]]]


def test_a_plan_on_a_graph_has_none():
    problem = Problem(Graph(2, [(0, 1)]), [0], [1])
    with pytest.raises(UnsupportedError, match="a graph has no cells: use plan"):
        _ = Plan(problem, [[0], [1]]).cells


def test_a_plan_is_a_claim_that_nobody_has_checked():
    """Whatever has the right shape is a plan; the judge says whether it is a good one."""
    plan = Plan(line_problem((0, 1)), [[77], [-5]], claimed_cost=-3)
    assert plan.vertices.tolist() == [[77], [-5]]
    assert plan.claimed_cost == -3
    assert Plan(line_problem((0, 1)), [[0], [1]]).claimed_cost is None


# ------------------------------------------------------------------------------------ as a value


def a_plan() -> Plan:
    return Plan(line_problem((0, 1), (3, 3)), [[0, 3], [1, 3]], claimed_cost=1)


def test_a_plan_keeps_its_own_read_only_arrays():
    vertices = np.array([[0, 3], [1, 3]], dtype=np.int32)
    plan = Plan(line_problem((0, 1), (3, 3)), vertices)
    vertices[:] = 2
    assert plan.vertices.tolist() == [[0, 3], [1, 3]]
    assert plan.vertices.dtype == np.int32
    for array in (plan.vertices, plan.cells, plan.costs, pickle.loads(pickle.dumps(plan)).vertices):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1


def test_plans_are_equal_by_value_and_survive_pickling():
    plan = a_plan()
    again = pickle.loads(pickle.dumps(plan))
    assert again == plan == a_plan()
    assert hash(again) == hash(plan)
    assert (again.cost, again.claimed_cost) == (1, 1)
    assert plan != Plan(plan.problem, [[0, 3], [0, 3]])
    assert plan != Plan(line_problem((0, 1), (3, 2)), plan.vertices)
    assert plan != "plan"


def test_a_plan_says_what_it_is():
    assert repr(a_plan()) == "Plan(2 agents, makespan 1, cost 1)"


def test_a_plan_is_one_for_a_problem():
    with pytest.raises(InputError, match="a plan is one for a Problem, not for Grid"):
        Plan(LINE, [[0]])  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("vertices", "said"),
    [
        ([[0]], r"a plan for 2 agents has shape \(T\+1, 2\), not \(1, 1\)"),
        ([0, 3], r"not \(2,\)"),
        ([], r"not \(0,\)"),
        (np.empty((0, 2), dtype=np.int32), r"not \(0, 2\)"),
        (np.zeros((2, 2, 2), dtype=np.int32), r"not \(2, 2, 2\)"),
        ([[0.0, 3.0]], "a plan must be whole numbers, not float64"),
        ([[True, False]], "a plan must be whole numbers, not bool"),
        ([[0, 2**31]], "a plan must fit in 32 bits"),
        ([[0, 3], [1]], "a plan must be a regular array of whole numbers"),
        ([["0", "3"]], "a plan must be whole numbers"),
        (None, "a plan must be whole numbers"),
    ],
)
def test_what_is_no_plan_is_refused(vertices, said):
    with pytest.raises(InputError, match=said) as error:
        Plan(line_problem((0, 1), (3, 3)), vertices)
    assert "\n" not in str(error.value)


def test_a_claimed_cost_of_numpy_becomes_a_plain_number():
    plan = Plan(line_problem((0, 1), (3, 3)), [[0, 3]], claimed_cost=np.int64(7))
    assert type(plan.claimed_cost) is int
    with pytest.raises(InputError, match="a claimed cost is a whole number"):
        Plan(line_problem((0, 1), (3, 3)), [[0, 3]], claimed_cost=True)
