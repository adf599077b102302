"""The judge of executions: what is wrong with what robots did, each fault by itself."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

import sidestep as ss
from sidestep import ViolationKind

ROAD = "a . . A\nb . . B"


def record(text: str, *rows: list[tuple[int, int, int]], connectivity=4, rules=ss.Rules(), **options):
    problem = ss.Problem.from_text(text, connectivity, rules=rules)
    return ss.Execution(problem, [list(row) for row in rows], **options)


def kinds(execution: ss.Execution) -> list[ViolationKind]:
    report = ss.validate_execution(execution)
    assert bool(report) == (report.count == 0)
    return sorted({violation.kind for violation in report.violations})


def test_driving_along_is_fine():
    rows = [
        [(0, 0, 0), (4, 4, 0)],
        [(0, 1, 500), (4, 5, 100)],
        [(1, 2, 400), (4, 5, 100)],
        [(2, 2, 0), (5, 5, 0)],
        [(3, 3, 0), (5, 6, 999)],
        [(3, 3, 0), (6, 7, 999)],
        [(3, 3, 0), (7, 7, 0)],
    ]
    assert kinds(record(ROAD, *rows, done=True)) == []


def test_one_place_at_once():
    meets = [[(0, 0, 0), (4, 4, 0)], [(0, 4, 1), (4, 4, 0)]]
    assert kinds(record(ROAD, *meets)) == [ViolationKind.VERTEX]


def test_swapping_is_two_in_one_place():
    swap = [[(0, 0, 0), (4, 4, 0)], [(0, 4, 500), (4, 0, 500)], [(4, 4, 0), (0, 0, 0)]]
    assert kinds(record(ROAD, *swap)) == [ViolationKind.VERTEX]


def test_close_behind_is_two_in_one_place():
    """Entering what is only just being left: nobody knows who of the two is faster between ticks."""
    behind = [[(0, 0, 0), (4, 4, 0)], [(1, 1, 0), (0, 0, 0)]]
    report = ss.validate_execution(record(ROAD, *behind))
    assert [(one.kind, one.time, one.agents, one.place) for one in report.violations] == [
        (ViolationKind.VERTEX, 1, (0, 1), (0, 0))
    ]


@pytest.mark.parametrize(
    ("row", "kind"),
    [
        ((0, 5, 10), ViolationKind.NO_EDGE),  # a diagonal on a grid of four directions
        ((2, 2, 0), ViolationKind.NO_EDGE),  # two steps in a tick
        ((9, 9, 0), ViolationKind.OUTSIDE),
        ((0, 1, -5), ViolationKind.PACE),
        ((0, 0, 5), ViolationKind.PACE),  # on its way nowhere
        ((-1, -1, 0), ViolationKind.ABSENT),
    ],
)
def test_what_an_agent_cannot_do(row, kind):
    assert kind in kinds(record(ROAD, [(0, 0, 0), (4, 4, 0)], [row, (4, 4, 0)]))


def test_too_fast():
    rows = [[(0, 0, 0), (4, 4, 0)], [(0, 1, 400), (4, 4, 0)]]
    assert kinds(record(ROAD, *rows, speeds=[0.4, 1])) == []
    assert kinds(record(ROAD, *rows, speeds=[0.3, 1])) == [ViolationKind.PACE]


@pytest.mark.parametrize("after", [(0, 4, 600), (0, 0, 0), (0, 1, 400), (4, 4, 0)])
def test_a_move_that_has_begun_is_made(after):
    """No other target, not back, not elsewhere."""
    text = "a . . A\n. . . .\nb . . B"
    rows = [[(0, 0, 0), (8, 8, 0)], [(0, 1, 500), (8, 8, 0)], [after, (8, 8, 0)]]
    assert ViolationKind.PACE in kinds(record(text, *rows))


def test_a_wall():
    rows = [[(0, 0, 0)], [(0, 1, 100)]]
    assert kinds(record("a # A", *rows)) == [ViolationKind.WALL]


def test_a_blocked_corner():
    rows = [[(0, 0, 0)], [(0, 3, 100)]]
    assert kinds(record("a #\n. A", *rows, connectivity=8)) == [ViolationKind.CORNER]


@pytest.mark.parametrize(("crossing", "expected"), [(False, [ViolationKind.CROSSING]), (True, [])])
def test_crossing_ways(crossing, expected):
    rows = [[(0, 0, 0), (1, 1, 0)], [(0, 3, 100), (1, 2, 700)]]
    rules = ss.Rules(crossing=crossing)
    assert kinds(record("a b\nB A", *rows, connectivity=8, rules=rules)) == expected


def test_ways_that_cross_one_after_the_other():
    rows = [[(0, 0, 0), (1, 1, 0)], [(0, 3, 1000), (1, 1, 0)], [(3, 3, 0), (1, 1, 0)], [(3, 3, 0), (1, 2, 9)]]
    assert kinds(record("a b\nB A", *rows, connectivity=8)) == []


def test_conflicting_edges_of_a_graph():
    graph = ss.Graph(4, [[0, 1], [2, 3]], edge_conflicts=[[0, 1]])
    problem = ss.Problem(graph, [0, 2], [1, 3])
    together = ss.Execution(problem, [[(0, 0, 0), (2, 2, 0)], [(0, 1, 10), (2, 3, 10)]])
    assert kinds(together) == [ViolationKind.CROSSING]


def test_a_large_agent_holds_all_its_cells():
    agents = [ss.Agent((0, 0), (0, 1), size=2), ss.Agent((0, 3), (0, 3))]
    problem = ss.Problem.from_agents(ss.Grid.from_text(". . . .\n. . . ."), agents)
    apart = ss.Execution(problem, [[(0, 0, 0), (3, 3, 0)], [(0, 1, 10), (3, 3, 0)]])
    close = ss.Execution(problem, [[(0, 0, 0), (3, 3, 0)], [(0, 1, 10), (3, 2, 10)]])
    assert kinds(apart) == []
    assert kinds(close) == [ViolationKind.VERTEX]


def test_who_has_arrived_may_disappear():
    rules = ss.Rules(at_goal="disappear")
    rows = [[(0, 0, 0)], [(1, 1, 0)], [(-1, -1, 0)]]
    assert kinds(record("a A", *rows, rules=rules, done=True)) == []
    assert kinds(record("a A", *rows)) == [ViolationKind.ABSENT]
    back = [*rows, [(1, 1, 0)]]
    assert kinds(record("a A", *back, rules=rules)) == [ViolationKind.PRESENT]


def test_what_is_said_to_be_done():
    rows = [[(0, 0, 0), (4, 4, 0)]]
    assert kinds(record(ROAD, *rows)) == []
    assert kinds(record(ROAD, *rows, done=True)) == [ViolationKind.GOAL]
    assert kinds(record(ROAD, [(1, 1, 0), (4, 4, 0)])) == [ViolationKind.START]


def test_the_blocks_of_long_executions_are_one(monkeypatch):
    """A fault between two blocks is found like any other."""
    monkeypatch.setattr("sidestep.judge.execution.BLOCK_POSITIONS", 4)
    still = [(0, 0, 0), (4, 4, 0)]
    for length in range(2, 8):
        rows = [still] * length + [[(0, 0, 0), (4, 0, 10)]]
        report = ss.validate_execution(record(ROAD, *rows))
        assert [(one.kind, one.time) for one in report.violations] == [(ViolationKind.VERTEX, length)]


@pytest.mark.parametrize(
    "positions", [[], [[(0, 0, 0)]], np.zeros((2, 2, 2), dtype=int), [[(0.5, 0, 0), (4, 4, 0)]]]
)
def test_what_is_no_execution(positions):
    with pytest.raises(ss.InputError):
        ss.Execution(ss.Problem.from_text(ROAD), positions)
    with pytest.raises(ss.InputError):
        ss.validate_execution(positions)


def test_speeds_are_one_per_agent():
    for speeds in ([1], [0, 1], [2, 1], "fast"):
        with pytest.raises(ss.InputError):
            record(ROAD, [(0, 0, 0), (4, 4, 0)], speeds=speeds)


def test_an_execution_pickles():
    execution = record(ROAD, [(0, 0, 0), (4, 4, 0)])
    again = pickle.loads(pickle.dumps(execution))
    assert np.array_equal(again.positions, execution.positions)
    assert not again.positions.flags.writeable
