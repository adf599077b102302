"""Problems: a space, agents and rules, checked once so that nobody else has to."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

from sidestep import Agent, FormatError, Graph, Grid, InputError, Problem, Rules

pytestmark = pytest.mark.bounds

GRID = Grid.from_text("""
    . . . .
    . # . .
""")


def sentence(error: pytest.ExceptionInfo[Exception]) -> str:
    """The message, which must be one line."""
    text = str(error.value)
    assert text
    assert "\n" not in text
    return text


# ---------------------------------------------------------------------------------- three ways in


def test_the_short_form_takes_starts_and_goals():
    problem = Problem(GRID, [(0, 0), (1, 3)], [(1, 3), None], priorities=[2, 0], names=["x", "y"])
    assert problem.starts.tolist() == [0, 7]
    assert problem.goals.tolist() == [7, -1]
    assert problem.priorities.tolist() == [2, 0]
    assert problem.names == ("x", "y")
    assert problem.sizes.tolist() == problem.periods.tolist() == [1, 1]
    assert problem.n_agents == 2
    assert problem.rules == Rules()


def test_arrays_are_as_good_as_lists():
    cells = np.array([[0, 0], [1, 3]])
    assert Problem(GRID, cells, cells[::-1]) == Problem(GRID, [(0, 0), (1, 3)], [(1, 3), (0, 0)])
    graph = Graph(3, [(0, 1), (1, 2)])
    assert Problem(graph, np.array([0, 2]), np.array([2, 0])).goals.tolist() == [2, 0]


def test_the_long_form_takes_agents_and_gives_them_back():
    agents = [Agent((0, 0), (1, 0), name="hero", priority=5), Agent((0, 2), size=2, period=3)]
    problem = Problem.from_agents(GRID, agents)
    assert problem.names == ("hero", "a1")
    assert problem.sizes.tolist() == [1, 2]
    assert problem.periods.tolist() == [1, 3]
    assert Problem.from_agents(GRID, problem.agents) == problem
    assert problem.agents[1] == Agent((0, 2), None, name="a1", size=2, period=3)


def test_a_drawing_has_starts_in_lower_case_and_goals_in_upper_case():
    problem = Problem.from_text("""
        b . A
        # c a
        . B @
    """)
    assert problem.names == ("a", "b", "c")
    assert problem.starts.tolist() == [5, 0, 4]
    assert problem.goals.tolist() == [2, 7, -1]
    assert np.flatnonzero(~problem.space.open).tolist() == [3, 8]


def test_a_drawing_takes_the_kind_of_grid_and_the_rules():
    problem = Problem.from_text("a A", 8, "free", rules=Rules(following=False))
    assert problem.space == Grid.from_text(". .", 8, "free")
    assert not problem.rules.following


def test_a_problem_may_have_no_agents():
    problem = Problem(GRID, [], [])
    assert problem.n_agents == 0
    assert problem.starts.dtype == problem.priorities.dtype == np.int32
    assert Problem.from_text(". #").n_agents == 0


# ------------------------------------------------------------------------------------- agents


def test_agents_are_addressed_by_index_or_name():
    problem = Problem(GRID, [(0, 0), (0, 1)], [None, None], names=["x", "y"])
    assert [problem.index(agent) for agent in ("x", "y", 0, np.int64(1))] == [0, 1, 0, 1]


@pytest.mark.parametrize(
    ("agent", "said"),
    [
        ("z", "there is no agent named 'z'"),
        (2, "there is no agent 2: there are 2"),
        (-1, "there is no agent -1"),
        (0.0, "an agent is an index or a name, not 0.0"),
        (True, "an agent is an index or a name, not True"),
        (None, "an agent is an index or a name, not None"),
    ],
)
def test_an_agent_that_is_not_there_is_not_found(agent, said):
    problem = Problem(GRID, [(0, 0), (0, 1)], [None, None])
    with pytest.raises(InputError, match=said) as error:
        problem.index(agent)
    sentence(error)


@pytest.mark.parametrize(
    ("starts", "goals", "said"),
    [
        ([(0, 0)], [], "there are 1 starts but 0 goals"),
        ([(1, 1)], [None], r"the start of agent a0, \(1, 1\), is in a wall"),
        ([(0, 0)], [(1, 1)], r"the goal of agent a0, \(1, 1\), is in a wall"),
        ([(0, 9)], [None], r"the start of agent a0: cell \(0, 9\) is outside the grid"),
        ([(0, 0)], [(-1, 0)], r"the goal of agent a0: cell \(-1, 0\) is outside the grid"),
        ([None], [None], "the start of agent a0: a place on a grid is"),
        ([3], [None], "the start of agent a0: a place on a grid is"),
        (np.array([[0.0, 1.0]]), [None], "the start of agent a0: a place on a grid is two whole numbers"),
        ([(0, 0), (0, 0)], [None, None], r"agents a0 and a1 have the same start, \(0, 0\)"),
        ([(0, 0), (0, 1)], [(0, 2), (0, 2)], r"same goal, \(0, 2\); Rules\(shared_goals=True\) allows it"),
        ("ab", [None, None], "starts must be a sequence, one entry per agent, not 'ab'"),
        ([(0, 0)], 7, "goals must be a sequence, one entry per agent, not 7"),
        (None, [], "starts must be a sequence"),
    ],
)
def test_starts_and_goals_are_checked(starts, goals, said):
    with pytest.raises(InputError, match=said) as error:
        Problem(GRID, starts, goals)
    sentence(error)


def test_several_agents_may_be_idle_or_share_a_goal_if_the_rules_say_so():
    assert Problem(GRID, [(0, 0), (0, 1)], [None, None]).goals.tolist() == [-1, -1]
    shared = Problem(GRID, [(0, 0), (0, 1)], [(0, 2), (0, 2)], rules=Rules(shared_goals=True))
    assert shared.goals.tolist() == [2, 2]


@pytest.mark.parametrize(
    ("extra", "said"),
    [
        ({"names": ["x"]}, "2 agents need as many names and priorities, not 1 and 2"),
        ({"priorities": [1, 2, 3]}, "2 agents need as many names and priorities, not 2 and 3"),
        ({"names": ["x", "x"]}, "two agents are named 'x'"),
        ({"names": ["a1", None]}, "two agents are named 'a1'"),
        ({"names": ["", "y"]}, "name must be a non-empty string, not ''"),
        ({"names": [1, 2]}, "name must be a non-empty string, not 1"),
        ({"names": "xy"}, "names must be a sequence"),
        ({"priorities": [0.5, 1]}, "priorities must be whole numbers, not float64"),
        ({"priorities": [2**31, 1]}, "priorities must fit in 32 bits"),
        ({"rules": None}, r"rules must be Rules\(...\), not None"),
    ],
)
def test_names_priorities_and_rules_are_checked(extra, said):
    with pytest.raises(InputError, match=said) as error:
        Problem(GRID, [(0, 0), (0, 1)], [None, None], **extra)
    sentence(error)


@pytest.mark.parametrize(
    ("odd", "said"),
    [
        ({"size": 0}, "an agent's size must be at least 1, not 0"),
        ({"period": -1}, "an agent's period must be at least 1, not -1"),
        ({"size": 1.5}, "size must be whole numbers"),
    ],
)
def test_sizes_and_periods_are_at_least_one(odd, said):
    with pytest.raises(InputError, match=said) as error:
        Problem.from_agents(GRID, [Agent((0, 0), **odd)])
    sentence(error)


@pytest.mark.parametrize(
    ("agents", "said"),
    [
        (None, "agents must be a sequence, one entry per agent, not None"),
        ([((0, 0), (0, 1))], "agents must be a sequence of Agent"),
    ],
)
def test_agents_are_agents(agents, said):
    with pytest.raises(InputError, match=said) as error:
        Problem.from_agents(GRID, agents)
    sentence(error)


def test_a_problem_needs_a_space():
    with pytest.raises(InputError, match="space must be a Grid or a Graph, not ndarray"):
        Problem(np.ones((2, 2), dtype=bool), [], [])  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("a A\n. a", 2, "'a' is drawn twice"),
        ("a A\n. A", 2, "'A' is drawn twice"),
        (". B", 1, "goal 'B' has no start 'b'"),
        ("a 1", 1, "a cell is '.', '#', '@' or a letter, not '1'"),
        ("a é", 1, "not 'é'"),
        ("a .\n.", 2, "this row has 1 cells where the first row has 2"),
        ("\n", None, "the map is empty"),
    ],
)
def test_a_bad_drawing_says_what_is_wrong_and_in_which_line(text, line, said):
    with pytest.raises(FormatError) as error:
        Problem.from_text(text)
    assert said in sentence(error)
    assert error.value.line == line


# -------------------------------------------------------------------------------------- rules


def test_the_default_rules_are_those_of_the_field():
    assert Rules() == Rules(
        following=True, crossing=False, at_goal="stay", shared_goals=False, cost="sum_of_costs"
    )


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"following": 1}, "rule following must be True or False, not 1"),
        ({"crossing": "no"}, "rule crossing must be True or False, not 'no'"),
        ({"shared_goals": None}, "rule shared_goals must be True or False, not None"),
        ({"at_goal": "vanish"}, "rule at_goal must be 'stay' or 'disappear', not 'vanish'"),
        ({"cost": "makespan"}, "rule cost must be 'sum_of_costs' or 'time_off_goal', not 'makespan'"),
        ({"cost": []}, "rule cost must be"),
    ],
)
def test_rules_are_checked(wrong, said):
    with pytest.raises(InputError, match=said) as error:
        Rules(**wrong)
    sentence(error)


# ---------------------------------------------------------------------------- as a value


def a_problem() -> Problem:
    return Problem(GRID, [(0, 0), (1, 3)], [(1, 3), None], rules=Rules(crossing=True), priorities=[1, 2])


def test_problems_are_equal_by_value_and_survive_pickling():
    again = pickle.loads(pickle.dumps(a_problem()))
    assert again == a_problem()
    assert hash(again) == hash(a_problem())
    assert again.rules == Rules(crossing=True)


def test_problems_differ_in_any_part():
    starts, goals = [(0, 0), (1, 3)], [(1, 3), None]
    different = [
        Problem(GRID, starts, goals, priorities=[1, 2]),
        Problem(GRID, starts, goals, rules=Rules(crossing=True)),
        Problem(GRID, starts[::-1], goals, rules=Rules(crossing=True), priorities=[1, 2]),
        Problem(GRID, starts, goals[::-1], rules=Rules(crossing=True), priorities=[1, 2]),
        Problem(GRID, starts, goals, rules=Rules(crossing=True), priorities=[1, 2], names=["x", "y"]),
        Problem(Grid(GRID.passable, 8), starts, goals, rules=Rules(crossing=True), priorities=[1, 2]),
        "problem",
    ]
    assert all(a_problem() != other for other in different)


@pytest.mark.parametrize("array", ["starts", "goals", "priorities", "sizes", "periods"])
def test_the_arrays_of_a_problem_are_read_only(array):
    for problem in (a_problem(), pickle.loads(pickle.dumps(a_problem()))):
        with pytest.raises(ValueError, match="read-only"):
            getattr(problem, array)[0] = 3


def test_a_problem_keeps_its_own_arrays():
    cells = np.array([[0, 0], [1, 3]])
    problem = Problem(GRID, cells, cells)
    cells[0] = 1
    assert problem.starts.tolist() == [0, 7]


def test_a_problem_says_what_it_is():
    assert repr(a_problem()) == "Problem(Grid(2x4, connectivity=4), 2 agents)"
