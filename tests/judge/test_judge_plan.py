"""The judge finds everything that is wrong with a plan, and nothing else.

Plans are drawn as films: frames of a map, one per time, in which a letter is where that agent is. Two
agents on one cell are drawn as `ab`, an agent that is in no cell is not there.
"""

from __future__ import annotations

import ast
import pickle
import sys
import time
import tracemalloc
from collections.abc import Callable, Iterator
from itertools import combinations, permutations
from pathlib import Path
from random import Random
from unittest import mock

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sidestep import Graph, Grid, InputError, Plan, Problem, Rules
from sidestep.judge import Report, Violation, ViolationKind, unit_steps, validate
from tests.sizing import examples

PACKAGE = Path(unit_steps.__file__).parents[1]

Faults = set[tuple[str, int, tuple[int, ...]]]


# ------------------------------------------------------------------------------------- films


def film(text: str, connectivity: int = 4, corners: str = "none", *, rules: Rules = Rules()) -> Plan:
    """A plan from its frames; starts are those of the first frame, goals where agents are last seen."""
    frames = [[line.split() for line in frame.splitlines() if line.split()] for frame in text.split("\n\n")]
    walls = np.array([[token != "#" for token in row] for row in frames[0]])
    grid = Grid(walls, connectivity, corners)  # type: ignore[arg-type]
    letters = sorted({char for row in frames[0] for token in row for char in token if char.isalpha()})
    rows = [[vertex_of(frame, char) for char in letters] for frame in frames]
    goals = [next(row[i] for row in reversed(rows) if row[i] != -1) for i in range(len(letters))]
    places = [list(map(grid.place, vertices)) for vertices in (rows[0], goals)]
    return Plan(Problem(grid, *places, rules=rules, names=letters), rows)


def vertex_of(frame: list[list[str]], char: str) -> int:
    """Where a letter is in a frame, -1 if nowhere; it is also found in a wall, drawn as `a#`."""
    tokens = [token for row in frame for token in row]
    return next((vertex for vertex, token in enumerate(tokens) if char in token), -1)


def judged(plan: Plan, problem: Problem | None = None) -> list[tuple[str, int, tuple[int, ...]]]:
    report = validate(problem or plan.problem, plan)
    assert report.count == len(report.violations)
    assert bool(report) == (report.count == 0)
    return [(str(one.kind), one.time, one.agents) for one in report.violations]


def changed(plan: Plan, *, time: int, agent: int, vertex: int) -> Plan:
    vertices = plan.vertices.copy()
    vertices[time, agent] = vertex
    return Plan(plan.problem, vertices)


WALK = """
    a . .
    . # .

    . a .
    . # .

    . . a
    . # .
"""


# --------------------------------------------------------------------------- plans as a whole


def test_a_violation_names_its_agents_where_their_names_are_given():
    violation = Violation(ViolationKind.VERTEX, 3, (0, 2), (1, 1))
    assert str(violation) == "agents 0 and 2 are both on (1, 1) at time 3"
    assert violation.sentence(["hero", "b", "cart"]) == "agents hero and cart are both on (1, 1) at time 3"


def test_an_agent_that_walks_to_its_goal_is_fine():
    report = validate(film(WALK).problem, film(WALK))
    assert report
    assert (report.violations, report.count, report.cost) == ((), 0, 2)


def test_no_plan_is_never_valid():
    """Not even for a problem without agents: an empty plan is one thing, none at all another."""
    empty = Problem(Grid.from_text(". ."), [], [])
    report = validate(empty, None)
    assert not report
    assert [one.kind for one in report.violations] == [ViolationKind.NO_PLAN]
    assert report.cost is None


def test_a_plan_without_agents_is_valid():
    empty = Problem(Grid.from_text(". ."), [], [])
    report = validate(empty, Plan(empty, np.empty((1, 0), dtype=np.int32)))
    assert report
    assert report.cost == 0
    assert validate(empty, Plan(empty, np.empty((5, 0), dtype=np.int32)))


def test_a_plan_for_another_number_of_agents_has_the_wrong_shape():
    plan = film("a . b\n\na . b")
    one = Problem(plan.problem.space, [(0, 0)], [(0, 0)])
    assert judged(plan, one) == [("shape", 0, ())]


@pytest.mark.parametrize("vertices", [np.zeros((0, 1), np.int32), np.zeros(1, np.int32), np.zeros((1, 1))])
def test_an_array_that_is_no_plan_has_the_wrong_shape(vertices):
    """A Plan refuses these itself; the judge does not rely on it."""
    plan = film("a\n\na")
    plan.vertices = vertices
    assert judged(plan) == [("shape", 0, ())]


def test_a_plan_from_another_problem_object_is_judged_by_its_vertices():
    ours = film("a . .\n\n. a .").problem
    theirs = Problem(Grid.from_text(". . ."), [(0, 0)], [(0, 2)])
    assert judged(Plan(theirs, [[0], [1]]), ours) == []
    assert judged(Plan(theirs, [[0], [1], [2]]), ours) == [("goal", 2, (0,))]


def test_the_same_plan_can_be_judged_under_another_cost():
    """What a plan costs under its own problem is no claim about this one."""
    plan = film("a .\n\na .\n\n. a\n\na .")
    stay = Problem(plan.problem.space, [(0, 0)], [(0, 0)], rules=Rules(cost="time_off_goal"))
    assert validate(plan.problem, plan).cost == 3
    assert validate(stay, plan).cost == 2
    assert validate(stay, plan)


def test_what_is_no_plan_or_no_limit_is_refused():
    plan = film("a")
    with pytest.raises(InputError, match="not list"):
        validate(plan.problem, [[0]])  # type: ignore[arg-type]
    for limit in (-1, 1.5, True, None):
        with pytest.raises(InputError, match="limit"):
            validate(plan.problem, plan, limit=limit)  # type: ignore[arg-type]


# ------------------------------------------------------------------------- where an agent may be


def test_an_agent_must_begin_on_its_start():
    plan = film(WALK)
    assert judged(changed(plan, time=0, agent=0, vertex=1)) == [("start", 0, (0,))]


def test_an_agent_that_is_not_there_at_first_did_not_begin_on_its_start():
    assert judged(changed(film(WALK), time=0, agent=0, vertex=-1)) == [
        ("start", 0, (0,)),
        ("absent", 0, (0,)),
    ]


def test_an_agent_must_end_on_its_goal():
    plan = film(WALK)
    assert judged(changed(plan, time=2, agent=0, vertex=1)) == [("goal", 2, (0,))]


def test_an_agent_that_leaves_its_goal_must_come_back():
    plan = film(". a .\n\n. . a\n\n. a .\n\n. . a")
    assert judged(plan) == []
    assert judged(Plan(plan.problem, plan.vertices[:3])) == [("goal", 2, (0,))]


def test_an_idle_agent_may_end_anywhere():
    problem = Problem.from_text("a . .")
    assert judged(Plan(problem, [[0], [1], [2]])) == []
    assert validate(problem, Plan(problem, [[0], [1], [2]])).cost == 0


@pytest.mark.parametrize("vertex", [-2, 6, 2**31 - 1, -(2**31)])
def test_a_vertex_outside_the_map_is_found(vertex):
    assert judged(changed(film(WALK), time=1, agent=0, vertex=vertex)) == [("outside", 1, (0,))]
    assert judged(changed(film(WALK), time=0, agent=0, vertex=vertex)) == [
        ("start", 0, (0,)),
        ("outside", 0, (0,)),
    ]


def test_an_agent_may_not_enter_a_wall():
    assert judged(
        film("""
            . a .
            . # .

            . . .
            . a# .

            . a .
            . # .
        """)
    ) == [("wall", 1, (0,))]


def test_an_agent_may_not_begin_in_a_wall():
    plan = film("a #\n\na #")
    assert judged(Plan(plan.problem, [[1], [0]])) == [("start", 0, (0,)), ("wall", 0, (0,))]


# ----------------------------------------------------------------------------- how it may move


def test_a_move_needs_an_edge():
    assert judged(film("a . .\n\n. . a")) == [("no_edge", 1, (0,))]
    assert judged(film(". . a\n. . .\n\n. . .\na . .")) == [("no_edge", 1, (0,))], "rows do not wrap around"


def test_a_diagonal_is_an_edge_only_with_eight_neighbours():
    diagonal = "a .\n. .\n\n. .\n. a"
    assert judged(film(diagonal)) == [("no_edge", 1, (0,))]
    assert judged(film(diagonal, 8)) == []


CORNERS = {0: "a .\n. .\n\n. .\n. a", 1: "a #\n. .\n\n. #\n. a", 2: "a #\n# .\n\n. #\n# a"}


@pytest.mark.parametrize("blocked", CORNERS)
@pytest.mark.parametrize(("corners", "allowed"), [("none", 0), ("one", 1), ("free", 2)])
def test_a_diagonal_passes_as_many_blocked_corners_as_the_grid_allows(blocked, corners, allowed):
    expected = [] if blocked <= allowed else [("corner", 1, (0,))]
    plan = film(CORNERS[blocked], 8, corners)
    assert judged(plan) == expected
    back = Problem(plan.problem.space, [(1, 1)], [(0, 0)])
    assert judged(Plan(back, plan.vertices[::-1])) == expected


@pytest.mark.parametrize("wall", [(0, 0), (1, 1)])
def test_the_corner_rule_looks_at_both_corners_of_both_diagonals(wall):
    passable = np.ones((2, 2), dtype=bool)
    passable[wall] = False
    problem = Problem(Grid(passable, 8, "none"), [(0, 1)], [(1, 0)])
    assert judged(Plan(problem, [[1], [2]])) == [("corner", 1, (0,))]


def test_a_map_of_one_column_or_row_has_its_neighbours():
    column = Problem(Grid(np.ones((4, 1), dtype=bool), 8), [(0, 0)], [(3, 0)])
    assert judged(Plan(column, [[0], [1], [2], [3]])) == []
    assert judged(Plan(column, [[0], [2], [3]])) == [("no_edge", 1, (0,))]
    row = Problem(Grid(np.ones((1, 4), dtype=bool), 8), [(0, 0)], [(0, 3)])
    assert judged(Plan(row, [[0], [1], [2], [3]])) == []


def test_a_graph_knows_its_edges_both_ways():
    graph = Graph(3, [(0, 1), (2, 1)])
    problem = Problem(graph, [0], [2])
    assert judged(Plan(problem, [[0], [1], [2]])) == []
    assert judged(Plan(problem, [[0], [2]])) == [("no_edge", 1, (0,))]


def test_an_arc_leads_one_way():
    graph = Graph(3, [(0, 1), (2, 1)], directed=True)
    assert judged(Plan(Problem(graph, [0], [1]), [[0], [1]])) == []
    assert judged(Plan(Problem(graph, [1], [0]), [[1], [0]])) == [("no_edge", 1, (0,))]


def test_nobody_moves_on_a_graph_without_edges():
    problem = Problem(Graph(3, []), [0, 2], [1, 2])
    assert judged(Plan(problem, [[0, 2], [1, 2]])) == [("no_edge", 1, (0,))]


# ---------------------------------------------------------------------------------- collisions


def test_two_agents_may_not_share_a_cell():
    report = validate(*unpacked(film("a . b\n\n. ab .\n\na . b")))
    assert report.violations == (Violation(ViolationKind.VERTEX, 1, (0, 1), (0, 1)),)


def test_sharing_a_cell_counts_from_time_0_on():
    plan = film("a b\n\na b")
    assert judged(Plan(plan.problem, [[0, 0], [0, 1]])) == [("start", 0, (1,)), ("vertex", 0, (0, 1))]


def test_a_crowd_is_counted_agent_by_agent():
    plan = film("a b c d\n\na b c d")
    assert judged(Plan(plan.problem, [[0, 1, 2, 3], [2, 2, 2, 3]]))[:3] == [
        ("no_edge", 1, (0,)),
        ("vertex", 1, (0, 1)),
        ("vertex", 1, (0, 2)),
    ]


def test_two_agents_may_not_swap():
    report = validate(*unpacked(film("a b .\n\nb a .")))
    assert report.violations == (Violation(ViolationKind.SWAP, 1, (0, 1), (0, 1)),)


def test_a_swap_is_found_behind_a_third_agent_on_the_same_cell():
    """Whichever of the three the judge meets first."""
    for names in permutations("abc"):
        one, other, third = names
        frames = f"a b c\n\n{one} {other}{third} .\n\n{other} {one}{third} ."
        plan = film(frames, rules=Rules(shared_goals=True))
        swappers = tuple(sorted("abc".index(name) for name in (one, other)))
        assert ("swap", 2, swappers) in judged(plan)


def test_a_swap_is_found_between_two_crowds():
    """a and c share a cell, b and d the next one; a and b wait while c and d change places."""
    for rules in (Rules(), Rules(following=False)):
        plan = film("a b c d\n\na b c d", rules=rules)
        found = judged(Plan(plan.problem, [[0, 1, 2, 3], [0, 1, 0, 1], [0, 1, 1, 0]]))
        assert [one for one in found if one[0] in ("swap", "following") and one[1] == 2] == [
            ("swap", 2, (2, 3))
        ]


def test_everybody_who_swaps_is_named():
    """Two agents go one way and two the other: four swaps, told as three pairs that name all of them."""
    plan = film("a b c d\n\na b c d")
    found = judged(Plan(plan.problem, [[0, 1, 2, 3], [1, 1, 2, 2], [2, 2, 1, 1]]))
    assert [who for kind, _, who in found if kind == "swap"] == [(0, 2), (0, 3), (1, 2)]


def test_diagonal_moves_swap_too():
    assert ("swap", 1, (0, 1)) in judged(film("a .\n. b\n\nb .\n. a", 8))


def test_a_ring_may_rotate():
    ring = "a b\nd c\n\nd a\nc b"
    assert judged(film(ring)) == []
    assert len(judged(film(ring, rules=Rules(following=False)))) == 4


def test_diagonals_over_one_block_cross():
    crossing = "a b\n. .\n\n. .\nb a"
    assert judged(film(crossing, 8)) == [("crossing", 1, (0, 1))]
    assert judged(film(crossing, 8, rules=Rules(crossing=True))) == []


def test_one_up_and_one_down_cross_too():
    assert judged(film("a .\nb .\n\n. b\n. a", 8)) == [("crossing", 1, (0, 1))]


def test_diagonals_over_different_blocks_do_not_cross():
    assert judged(film("a . b\n. . .\n\n. b .\n. a .", 8)) == []


def test_a_crossing_is_found_behind_a_third_agent_on_the_same_diagonal():
    plan = film("a . b\n. . .\nc . .\n\na . b\n. . .\nc . .", 8)
    assert ("crossing", 2, (0, 1)) in judged(Plan(plan.problem, [[0, 2, 6], [0, 1, 0], [4, 3, 4]]))


def test_edges_in_conflict_may_not_be_used_in_one_step_in_any_direction():
    edges, conflict = [(0, 1), (2, 3)], [(0, 1)]
    for (a, b), (c, d) in [((0, 1), (2, 3)), ((1, 0), (2, 3)), ((0, 1), (3, 2)), ((1, 0), (3, 2))]:
        for allowed in (False, True):
            graph = Graph(4, edges, edge_conflicts=conflict)
            problem = Problem(graph, [a, c], [b, d], rules=Rules(crossing=allowed))
            assert judged(Plan(problem, [[a, c], [b, d]])) == ([] if allowed else [("crossing", 1, (0, 1))])
            assert judged(Plan(problem, [[a, c], [b, c], [b, d]])) == [], "one after the other is fine"


def test_a_conflict_of_arcs_is_one_of_their_own_direction():
    graph = Graph(4, [(0, 1), (1, 0), (2, 3)], directed=True, edge_conflicts=[(0, 2)])
    assert judged(Plan(Problem(graph, [0, 2], [1, 3]), [[0, 2], [1, 3]])) == [("crossing", 1, (0, 1))]
    assert judged(Plan(Problem(graph, [1, 2], [0, 3]), [[1, 2], [0, 3]])) == []


def test_parallel_edges_are_one_and_an_edge_is_no_rival_of_itself():
    graph = Graph(4, [(0, 1), (1, 0), (2, 3)], edge_conflicts=[(0, 1), (0, 0), (1, 2)])
    problem = Problem(graph, [0, 2], [1, 3])
    assert judged(Plan(problem, [[0, 2], [1, 2], [1, 3]])) == []
    assert judged(Plan(problem, [[0, 2], [1, 3]])) == [("crossing", 1, (0, 1))]


FOLLOWING = "b a .\n\n. b a"


def test_following_is_a_rule():
    assert judged(film(FOLLOWING)) == []
    assert judged(film(FOLLOWING, rules=Rules(following=False))) == [("following", 1, (1, 0))]


def test_a_gap_of_one_is_not_following():
    assert judged(film("b . a .\n\n. b . a", rules=Rules(following=False))) == []


def test_who_swaps_does_not_follow():
    assert judged(film("a b\n\nb a", rules=Rules(following=False))) == [("swap", 1, (0, 1))]


def test_who_runs_into_a_waiting_agent_shares_its_cell_and_does_not_follow():
    plan = film("a b\n\na b", rules=Rules(following=False))
    assert judged(changed(plan, time=1, agent=0, vertex=1)) == [("vertex", 1, (0, 1)), ("goal", 1, (0,))]


def test_swapping_with_one_and_following_another_is_both():
    """b and c share a cell; a swaps with b and follows c."""
    plan = film("a b c\n\na b c", rules=Rules(following=False))
    found = judged(Plan(plan.problem, [[0, 1, 2], [0, 1, 1], [1, 0, 2]]))
    assert ("swap", 2, (0, 1)) in found
    assert ("following", 2, (0, 2)) in found


# --------------------------------------------------------------------------- at the goal


def test_an_agent_that_stays_is_always_there():
    plan = film("a .\n\n. a\n\n. a")
    assert judged(changed(plan, time=1, agent=0, vertex=-1)) == [("absent", 1, (0,))]
    assert judged(changed(plan, time=2, agent=0, vertex=-1)) == [("absent", 2, (0,)), ("goal", 2, (0,))]


DISAPPEAR = Rules(at_goal="disappear")


def test_an_agent_disappears_after_its_arrival():
    gone = film("a . .\n\n. a .\n\n. . .\n\n. . .", rules=DISAPPEAR)
    assert judged(gone) == []
    assert validate(*unpacked(gone)).cost == 1


def test_who_begins_on_its_goal_disappears_at_once():
    assert judged(film("a .\n\n. .", rules=DISAPPEAR)) == []
    assert judged(film("a .", rules=DISAPPEAR)) == []


def test_an_agent_may_not_linger_on_its_goal():
    assert judged(film("a .\n\n. a\n\n. a", rules=DISAPPEAR)) == [("present", 2, (0,))]


def test_an_agent_may_not_come_back():
    plan = film("a .\n\n. a\n\n. .\n\n. a\n\n. .", rules=DISAPPEAR)
    assert judged(plan) == [("present", 3, (0,))]


def test_an_agent_may_not_disappear_before_it_arrives():
    plan = film("a . .\n\n. a .\n\n. . a", rules=DISAPPEAR)
    assert judged(changed(plan, time=1, agent=0, vertex=-1)) == [("absent", 1, (0,))]
    assert judged(changed(plan, time=2, agent=0, vertex=-1)) == [("absent", 2, (0,)), ("goal", 2, (0,))]


def test_an_idle_agent_never_disappears():
    problem = Problem.from_text("a .", rules=DISAPPEAR)
    assert judged(Plan(problem, [[0], [0]])) == []
    assert judged(Plan(problem, [[0], [-1]])) == [("absent", 1, (0,))]


def test_the_place_of_an_agent_that_disappears_is_free_at_once_unless_following_is_forbidden():
    vanishing = ". b a\n\n. . b"
    for following in (True, False):
        rules = Rules(at_goal="disappear", following=following, shared_goals=True)
        plan = film(vanishing, rules=rules)
        assert judged(plan) == ([] if following else [("following", 1, (1, 0))])


# -------------------------------------------------------------------------------------- costs

DETOUR = "a . .\n\n. a .\n\n. a .\n\n. . a\n\n. a .\n\n. a ."


@pytest.mark.parametrize(("cost", "expected"), [("sum_of_costs", 4), ("time_off_goal", 3)])
def test_the_two_costs_differ_where_an_agent_waits_on_its_goal_and_leaves_again(cost, expected):
    assert validate(*unpacked(film(DETOUR, rules=Rules(cost=cost)))).cost == expected


def test_a_false_claim_is_found():
    plan = film(WALK)
    for claimed in (1, 3, -1):
        report = validate(plan.problem, Plan(plan.problem, plan.vertices, claimed_cost=claimed))
        assert [one.kind for one in report.violations] == [ViolationKind.COST]
        assert str(report.violations[0]) == f"the plan claims a cost of {claimed}, but it costs 2"
        assert report.cost == 2
    assert validate(plan.problem, Plan(plan.problem, plan.vertices, claimed_cost=2))


def test_a_plan_that_miscounts_itself_is_found():
    plan = film(WALK)
    with mock.patch.object(Plan, "cost", 7):
        assert judged(plan) == [("cost", 2, ())]


# ------------------------------------------------------------------------------ what is reported


def unpacked(plan: Plan) -> tuple[Problem, Plan]:
    return plan.problem, plan


def test_violations_come_in_order_of_time_and_only_the_first_are_kept():
    plan = film("a b c\n\na b c")
    vertices = [[0, 1, 2]] + [[0, 0, 0]] * 9
    full = validate(plan.problem, Plan(plan.problem, vertices))
    assert [one.time for one in full.violations] == sorted(one.time for one in full.violations)
    for limit in (0, 1, 5, 10_000):
        short = validate(plan.problem, Plan(plan.problem, vertices), limit=limit)
        assert short.violations == full.violations[:limit]
        assert short.count == full.count
        assert not short


def test_a_report_shows_itself():
    good = validate(*unpacked(film(WALK)))
    assert repr(good) == "Report(valid, cost 2)"
    assert str(good) == "valid, cost 2"
    swapped = film("a b .\n\nb a .")
    bad = validate(swapped.problem, swapped)
    assert repr(bad) == "Report(1 violation: swap)"
    assert str(bad) == (
        "1 violation:\n  agents 0 and 1 swap places from time 0 to 1, agent 0 now being on (0, 1)"
    )
    more = validate(swapped.problem, Plan(swapped.problem, [[0, 1], [1, 0], [0, 1]]), limit=1)
    assert repr(more) == "Report(4 violations: swap, …)"
    assert str(more).endswith("  and 3 more")
    assert str(validate(swapped.problem, None, limit=0)) == "1 violation"


SENTENCES = [
    (("no_plan", 0), "there is no plan"),
    (("start", 0, (2,)), "agent 2 begins nowhere and not on its start"),
    (("start", 0, (2,), (1, 1)), "agent 2 begins on (1, 1) and not on its start"),
    (("outside", 3, (2,)), "agent 2 is outside the map at time 3"),
    (("wall", 3, (2,), (0, 1)), "agent 2 is in a wall, on (0, 1), at time 3"),
    (("no_edge", 3, (2,), 7), "agent 2 reaches vertex 7 along no edge from time 2 to 3"),
    (("corner", 3, (2,), (0, 1)), "agent 2 cuts a blocked corner on its way to (0, 1) from time 2 to 3"),
    (("vertex", 3, (2, 4), 7), "agents 2 and 4 are both on vertex 7 at time 3"),
    (
        ("crossing", 3, (2, 4), (0, 1)),
        "agents 2 and 4 cross each other's way from time 2 to 3, agent 2 now being on (0, 1)",
    ),
    (
        ("following", 3, (4, 2), (0, 1)),
        "agent 4 enters (0, 1) from time 2 to 3, while agent 2 is only just leaving it",
    ),
    (("absent", 3, (2,)), "agent 2 is missing at time 3"),
    (("present", 3, (2,), (0, 1)), "agent 2 is on (0, 1) at time 3, when it should not be there"),
    (("goal", 3, (2,), (0, 1)), "agent 2 ends on (0, 1) and not on its goal"),
]


@pytest.mark.parametrize(("violation", "sentence"), SENTENCES)
def test_a_violation_is_one_clear_sentence(violation, sentence):
    assert str(Violation(ViolationKind(violation[0]), *violation[1:])) == sentence


def test_every_kind_has_a_sentence():
    for kind in ViolationKind:
        assert str(Violation(kind, 1, (0, 1), (0, 0), "so it is")).count("{") == 0


def test_violations_are_values():
    one = Violation(ViolationKind.SWAP, 1, (0, 1), (0, 1))
    assert one == pickle.loads(pickle.dumps(one))
    assert len({one, Violation(ViolationKind.SWAP, 1, (0, 1), (0, 1))}) == 1
    with pytest.raises(AttributeError):
        one.time = 2  # type: ignore[misc]


def nodes_of(tree: ast.AST, *, lazy: bool) -> Iterator[ast.AST]:
    """All parts of a file; those of functions only if what is imported lazily counts."""
    for node in ast.iter_child_nodes(tree):
        yield node
        if lazy or not isinstance(node, ast.FunctionDef):
            yield from nodes_of(node, lazy=lazy)


def imports_of(source: Path) -> tuple[set[str], set[str]]:
    """What a file of the package imports: of the package, by its dotted name, and of others.

    Of the model only what it imports when it is imported: its pictures for notebooks are no part of judging.
    """
    package = source.parent.relative_to(PACKAGE).parts
    ours, others = set(), set()
    tree = ast.parse(source.read_text(encoding="utf-8"))
    for node in nodes_of(tree, lazy=package == ("judge",)):
        if isinstance(node, ast.ImportFrom) and node.level:
            above = package[: len(package) - node.level + 1]
            names = [node.module] if node.module else [alias.name for alias in node.names]
            ours.update(".".join([*above, name]) for name in names)
        elif isinstance(node, ast.ImportFrom):
            others.add(node.module)
        elif isinstance(node, ast.Import):
            others.update(alias.name for alias in node.names)
    return ours, others


def test_the_judge_and_all_it_imports_are_the_model_and_numpy():
    """No solver and no core: what it judges must not be able to agree with itself."""
    waiting = {f"judge.{source.stem}" for source in (PACKAGE / "judge").glob("[!_]*.py")}
    seen: set[str] = set()
    foreign: set[str] = set()
    while waiting:
        seen.add(module := waiting.pop())
        ours, others = imports_of((PACKAGE / module.replace(".", "/")).with_suffix(".py"))
        foreign |= {name.split(".")[0] for name in others}
        waiting |= ours - seen
    assert {module.split(".")[0] for module in seen} == {"judge", "model"}
    assert not seen & {"model.to_core", "model.random"}  # these two know the core
    assert foreign - set(sys.stdlib_module_names) == {"numpy"}


# ------------------------------------------------------------------------------ large plans


def marching_columns(n_agents: int, n_steps: int, side: int = 200) -> Plan:
    """Trains that circle for ever, each in its own two rows of the map."""
    there = np.arange(side)[None, :] + 2 * side * np.arange(side // 2)[:, None]
    rings = np.concatenate([there, there[:, ::-1] + side], axis=1)
    agents = np.arange(n_agents)
    per_ring = -(-n_agents // len(rings))
    offset = (agents % per_ring) * (2 * side // per_ring)
    along = (offset + np.arange(n_steps + 1)[:, None]) % (2 * side)
    vertices = rings[agents // per_ring, along].astype(np.int32)
    grid = Grid(np.ones((side, side), dtype=bool), 8)
    problem = Problem(grid, grid.cells(vertices[0]), grid.cells(vertices[-1]))
    return Plan(problem, vertices)


def test_ten_thousand_agents_and_a_thousand_steps_take_about_a_second():
    plan = marching_columns(10_000, 1_000)
    began = time.process_time()
    report = validate(plan.problem, plan)
    assert report
    assert report.cost == plan.cost
    assert time.process_time() - began < 10, "generous: half a second on an idle machine"


def test_a_short_plan_on_a_large_map_takes_hardly_more_memory_than_the_map():
    """Tables have the size of what is judged, not that of the longest plan that may come."""
    grid = Grid(np.ones((300, 300), dtype=bool), 8, "free")
    problem = Problem(grid, [(0, 0)], [(2, 2)])
    plan = Plan(problem, [[grid.vertex((step, step))] for step in range(3)])
    validate(problem, plan)  # what the map keeps is there now
    tracemalloc.start()
    try:
        assert validate(problem, plan)
        assert tracemalloc.get_traced_memory()[1] < 8_000_000
    finally:
        tracemalloc.stop()


@pytest.mark.slow
def test_one_swap_among_ten_million_positions_is_found():
    plan = marching_columns(10_000, 1_000)
    vertices = plan.vertices.copy()
    vertices[[500, 501], 0] = vertices[
        [501, 500], 1
    ]  # agent 0 jumps before agent 1 and walks back through it
    report = validate(plan.problem, Plan(plan.problem, vertices))
    assert [(str(one.kind), one.time, one.agents) for one in report.violations] == [
        ("no_edge", 500, (0,)),
        ("swap", 501, (0, 1)),
        ("no_edge", 502, (0,)),
    ]


@pytest.mark.parametrize("crowd", ["all on one cell", "anywhere"])
def test_a_hostile_plan_is_judged_as_fast_and_counted_in_full(crowd):
    plan = marching_columns(10_000, 100)
    shape = plan.vertices.shape
    vertices = np.zeros(shape, dtype=np.int32)
    if crowd == "anywhere":
        vertices = np.random.default_rng(0).integers(0, plan.problem.space.n, shape, dtype=np.int32)
    began = time.process_time()
    report = validate(plan.problem, Plan(plan.problem, vertices))
    assert time.process_time() - began < 10
    assert len(report.violations) == 1000
    assert report.count > 100 * 1000
    if crowd == "all on one cell":
        strayed, off_goal = 9_999, int(np.count_nonzero(plan.problem.goals))
        assert report.count == strayed + off_goal + 9_999 * 101


# ----------------------------------------------- against a slow judge that only knows the definitions


def has_edge(space: Grid | Graph, u: int, v: int) -> bool:
    if isinstance(space, Graph):
        return [u, v] in space.edges.tolist() or (not space.directed and [v, u] in space.edges.tolist())
    (r, c), (s, d) = space.place(u), space.place(v)
    distance = sorted((abs(r - s), abs(c - d)))
    return distance == [0, 1] or (space.connectivity == 8 and distance == [1, 1])


def cuts_corner(space: Grid | Graph, is_open: list[bool], u: int, v: int) -> bool:
    if isinstance(space, Graph) or not has_edge(space, u, v):
        return False
    (r, c), (s, d) = space.place(u), space.place(v)
    if r == s or c == d:
        return False
    blocked = (not is_open[space.vertex((r, d))]) + (not is_open[space.vertex((s, c))])
    return blocked > {"none": 0, "one": 1, "free": 2}[space.corners]


def do_cross(space: Grid | Graph, one: tuple[int, int], other: tuple[int, int]) -> bool:
    if not (has_edge(space, *one) and has_edge(space, *other)):
        return False
    if isinstance(space, Grid):
        middle = [tuple(map(sum, zip(*map(space.place, move), strict=True))) for move in (one, other)]
        is_diagonal = all(half % 2 for half in middle[0])
        return is_diagonal and middle[0] == middle[1] and set(one) != set(other)
    mine, theirs = edges_of(space, one), edges_of(space, other)
    if mine == theirs:
        return False
    return any(
        (e in mine and f in theirs) or (f in mine and e in theirs) for e, f in space.edge_conflicts.tolist()
    )


def edges_of(graph: Graph, move: tuple[int, int]) -> set[int]:
    """The edges between the two vertices: a move uses all of them that lead its way."""
    ends = [move] if graph.directed else [move, move[::-1]]
    return {index for index, edge in enumerate(graph.edges.tolist()) if tuple(edge) in ends}


def slow_row(space: Grid | Graph, row: list[int], time: int) -> Faults:
    """What is wrong with where agents are."""
    faults: Faults = {("outside", time, (i,)) for i, v in enumerate(row) if not -1 <= v < space.n}
    for i, j in combinations(range(len(row)), 2):
        if row[i] == row[j] and 0 <= row[i] < space.n:
            faults.add(("vertex", time, (i, j)))
    return faults


def slow_step(
    space: Grid | Graph, rules: Rules, is_open: list[bool], step: tuple[list[int], list[int]], time: int
) -> Faults:
    """What is wrong with how agents get from one row to the next, which is that of `time`."""
    here, there = ([v if 0 <= v < space.n else -1 for v in row] for row in step)
    moves = {
        i: (u, v) for i, (u, v) in enumerate(zip(here, there, strict=True)) if u != v and -1 not in (u, v)
    }
    faults: Faults = set()
    for i, (u, v) in moves.items():
        if not is_open[v]:
            faults.add(("wall", time, (i,)))
        if not has_edge(space, u, v):
            faults.add(("no_edge", time, (i,)))
        if cuts_corner(space, is_open, u, v):
            faults.add(("corner", time, (i,)))
        for j in range(len(here)):
            if not rules.following and j != i and here[j] == v and there[j] not in (v, u):
                faults.add(("following", time, (i, j)))
    for i, j in combinations(moves, 2):
        if moves[i] == moves[j][::-1]:
            faults.add(("swap", time, (i, j)))
        if not rules.crossing and do_cross(space, moves[i], moves[j]):
            faults.add(("crossing", time, (i, j)))
    return faults


def slow_cost(rules: Rules, path: list[int], goal: int) -> int:
    if goal == -1:
        return 0
    off = [v not in (goal, -1) for v in path]
    if rules.cost == "sum_of_costs":
        return max((t + 1 for t in range(len(path)) if off[t]), default=0)
    return sum(off[t] or off[t + 1] for t in range(len(path) - 1))


def slow_judge(problem: Problem, rows: list[list[int]], claimed: int | None) -> Faults:
    space, rules, is_open = problem.space, problem.rules, problem.space.open.tolist()
    faults: Faults = set()
    for i, goal in enumerate(problem.goals.tolist()):
        path = [row[i] for row in rows]
        if path[0] != problem.starts[i]:
            faults.add(("start", 0, (i,)))
        if 0 <= path[0] < space.n and not is_open[path[0]]:
            faults.add(("wall", 0, (i,)))
        arrival = path.index(goal) if goal != -1 and rules.at_goal == "disappear" and goal in path else None
        for t, v in enumerate(path):
            should = arrival is None or t <= arrival
            if should != (v != -1):
                faults.add(("absent" if should else "present", t, (i,)))
        has_gone = arrival is not None and arrival < len(path) - 1 and path[-1] == -1
        if goal not in (-1, path[-1]) and not has_gone:
            faults.add(("goal", len(path) - 1, (i,)))
    for t, row in enumerate(rows):
        faults |= slow_row(space, row, t)
        if t:
            faults |= slow_step(space, rules, is_open, (rows[t - 1], row), t)
    paths = zip(
        [[row[i] for row in rows] for i in range(problem.n_agents)], problem.goals.tolist(), strict=True
    )
    if claimed is not None and claimed != sum(slow_cost(rules, path, goal) for path, goal in paths):
        faults.add(("cost", len(rows) - 1, ()))
    return faults


def random_space(rng: Random) -> Grid | Graph:
    if rng.random() < 0.6:
        height, width = rng.randint(1, 4), rng.randint(1, 4)
        walls = np.array([[rng.random() < 0.8 for _ in range(width)] for _ in range(height)])
        return Grid(walls, rng.choice([4, 8, 8]), rng.choice(["none", "one", "free"]))  # type: ignore[arg-type]
    n = rng.randint(2, 7)
    edges = [rng.sample(range(n), 2) for _ in range(rng.randint(0, 2 * n))]
    conflicts = [(rng.randrange(len(edges)), rng.randrange(len(edges))) for _ in edges]
    return Graph(n, edges, directed=rng.random() < 0.4, edge_conflicts=conflicts)


def random_rules(rng: Random) -> Rules:
    flip = lambda: rng.random() < 0.5  # noqa: E731
    return Rules(
        following=flip(),
        crossing=flip(),
        at_goal=rng.choice(["stay", "disappear"]),  # type: ignore[arg-type]
        shared_goals=True,
        cost=rng.choice(["sum_of_costs", "time_off_goal"]),  # type: ignore[arg-type]
    )


def safe_next_row(
    rng: Random, space: Grid | Graph, rules: Rules, is_open: list[bool], row: list[int]
) -> list[int]:
    """A random next row that breaks no rule: agents that find no safe move wait."""
    after = list(row)
    for i in rng.sample(range(len(row)), len(row)):
        options = [v for v in range(space.n) if row[i] != -1 and is_open[v] and has_edge(space, row[i], v)]
        if options:
            tried = [*after[:i], rng.choice(options), *after[i + 1 :]]
            if not slow_row(space, tried, 1) | slow_step(space, rules, is_open, (row, tried), 1):
                after = tried
    return after


def random_plan(rng: Random) -> tuple[Problem, list[list[int]]]:
    """A valid plan: agents walk safely at random, and their goals are where they then happen to be."""
    space, rules = random_space(rng), random_rules(rng)
    is_open = space.open.tolist()
    free = [v for v in range(space.n) if is_open[v]]
    rows = [rng.sample(free, rng.randint(0, min(6, len(free))))]
    for _ in range(rng.randint(0, 6)):
        rows.append(safe_next_row(rng, space, rules, is_open, rows[-1]))
    goals = [-1 if rng.random() < 0.2 else v for v in rows[-1]]
    if rules.at_goal == "disappear":
        goals = [goal if goal == -1 else rng.choice(rows)[i] for i, goal in enumerate(goals)]
        for i, goal in enumerate(goals):
            arrival = next((t for t, row in enumerate(rows) if row[i] == goal), len(rows))
            for row in rows[arrival + 1 :]:
                row[i] = -1
    place = space.place
    places = [place(v) for v in rows[0]], [None if v == -1 else place(v) for v in goals]
    return Problem(space, *places, rules=rules), rows


def spoil(rng: Random, problem: Problem, rows: list[list[int]]) -> None:
    """Break a plan in one of the ways in which plans are broken; sometimes nothing comes of it."""
    space, last = problem.space, len(rows) - 1
    if problem.n_agents == 0:
        return
    t, i, j = rng.randint(0, last), rng.randrange(problem.n_agents), rng.randrange(problem.n_agents)
    anywhere = rng.randrange(space.n)
    walls = np.flatnonzero(~space.open).tolist() or [anywhere]

    def teleport() -> None:
        rows[t][i] = anywhere

    def share() -> None:
        rows[t][i] = rows[t][j]

    def swap() -> None:
        if t < last:
            rows[t + 1][i], rows[t + 1][j] = rows[t][j], rows[t][i]

    def cross() -> None:
        if t < last and isinstance(space, Grid) and min(space.height, space.width) > 1:
            corner = rng.randrange(space.height - 1) * space.width + rng.randrange(space.width - 1)
            main, anti = [corner, corner + space.width + 1], [corner + 1, corner + space.width]
            rows[t][i], rows[t + 1][i] = rng.sample(main, 2)
            rows[t][j], rows[t + 1][j] = rng.sample(anti, 2)
        elif t < last and isinstance(space, Graph) and len(space.edge_conflicts):
            pair = space.edges[rng.choice(space.edge_conflicts.tolist())].tolist()
            rows[t][i], rows[t + 1][i] = rng.sample(pair[0], 2)
            rows[t][j], rows[t + 1][j] = rng.sample(pair[1], 2)

    def follow() -> None:
        if t < last:
            rows[t + 1][i] = rows[t][j]

    def into_wall() -> None:
        rows[t][i] = rng.choice(walls)

    def stray_at_start() -> None:
        rows[0][i] = anywhere

    def stray_at_end() -> None:
        rows[-1][i] = anywhere

    def vanish() -> None:
        rows[t][i] = -1

    def leave_the_map() -> None:
        rows[t][i] = rng.choice([-2, space.n, space.n + 5])

    def exchange_futures() -> None:
        for row in rows[t:]:
            row[i], row[j] = row[j], row[i]

    ways: list[Callable[[], None]] = [
        teleport, share, swap, cross, follow, into_wall, stray_at_start, stray_at_end, vanish, leave_the_map,
        exchange_futures,
    ]  # fmt: skip
    rng.choice(ways)()


def small_blocks(rng: Random) -> Iterator[None]:
    """Small plans cross the borders between the judge's blocks only if these are small too."""
    return mock.patch.object(unit_steps, "BLOCK_POSITIONS", rng.choice([1, 2, 5, 9, 1 << 16]))


def assert_same_verdict(report: Report, faults: Faults) -> None:
    """The same kinds, times and agents; and the same pairs, where nobody shares a vertex."""
    found = {(str(one.kind), one.time, one.agents) for one in report.violations}
    assert bool(report) == (not faults)
    assert {one[:2] for one in found} == {one[:2] for one in faults}
    assert found <= faults
    assert report.count == len(report.violations) == len(set(report.violations)), "nothing is reported twice"
    assert guilty(found) == guilty(faults)
    if not any(kind == "vertex" for kind, *_ in faults):
        assert {one for one in faults if one[0] != "following"} <= found


def guilty(faults: Faults) -> set[tuple[str, int, int]]:
    """Everybody who is to blame: both of a pair, but of those who follow only the follower."""
    return {(kind, t, i) for kind, t, who in faults for i in (who[:1] if kind == "following" else who)}


randoms = st.integers(min_value=0, max_value=2**32).map(Random)
relaxed = settings(max_examples=examples(400), deadline=None, suppress_health_check=[HealthCheck.too_slow])


@given(randoms)
@relaxed
def test_safe_walks_are_valid(rng):
    problem, rows = random_plan(rng)
    with small_blocks(rng):
        report = validate(problem, Plan(problem, rows))
    assert report, str(report)
    assert report.cost == sum(
        slow_cost(problem.rules, [row[i] for row in rows], goal)
        for i, goal in enumerate(problem.goals.tolist())
    )


@given(randoms)
@settings(relaxed, max_examples=examples(500))
def test_judge_and_slow_judge_agree_on_spoiled_plans(rng):
    problem, rows = random_plan(rng)
    for _ in range(rng.randint(1, 3)):
        spoil(rng, problem, rows)
    claimed = None if rng.random() < 0.7 else rng.randint(0, 12)
    with small_blocks(rng):
        report = validate(problem, Plan(problem, rows, claimed_cost=claimed))
    assert_same_verdict(report, slow_judge(problem, rows, claimed))


@given(randoms)
@settings(relaxed, max_examples=examples(400))
def test_judge_and_slow_judge_agree_on_any_rows_at_all(rng):
    """Crowds, swaps inside crowds, jumps and disappearances, all at once."""
    problem, rows = random_plan(rng)
    near = [*range(-1, problem.space.n), *problem.starts.tolist(), *problem.goals.tolist()]
    rows = [[rng.choice(near[: rng.randint(2, len(near))]) for _ in row] for row in rows]
    with small_blocks(rng):
        report = validate(problem, Plan(problem, rows))
    assert_same_verdict(report, slow_judge(problem, rows, None))
