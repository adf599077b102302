"""Plans as sequences and frames, graphs of networkx, and arrays of 0 and 1."""

from __future__ import annotations

import sys

import networkx
import numpy as np
import pytest

import sidestep as ss

PROBLEM = ss.Problem.from_text("a . A\n# . #\nb . B", rules=ss.Rules(at_goal="disappear"))
PLAN = ss.Plan(PROBLEM, [[0, 6], [1, 7], [2, 8], [-1, 8]])


def test_a_name_is_a_path():
    assert PLAN["a"] == PLAN.path("a") == PLAN.path(0) == [(0, 0), (0, 1), (0, 2), None]
    with pytest.raises(ss.InputError, match="no agent named 'c'"):
        PLAN["c"]
    with pytest.raises(ss.InputError, match="no agent 2"):
        PLAN.path(2)


def test_a_number_is_a_time():
    assert PLAN[1] == {"a": (0, 1), "b": (2, 1)}
    assert PLAN[-1] == PLAN[np.int64(3)] == {"a": None, "b": (2, 2)}
    for wrong in (4, -5):
        with pytest.raises(IndexError, match="ends at time 3"):
            PLAN[wrong]
    for nonsense in (1.5, None, True, (0, 1)):
        with pytest.raises(ss.InputError, match="a name, a time"):
            PLAN[nonsense]


def test_slices_and_loops_go_through_time():
    assert PLAN[1:3] == [PLAN[1], PLAN[2]]
    assert PLAN[::-1][0] == PLAN[3]
    assert list(PLAN) == PLAN[:]
    assert len(PLAN) == PLAN.makespan + 1 == 4


def test_a_frame_has_a_row_per_time_and_agent_that_is_there():
    frame = PLAN.to_frame()
    assert list(frame.columns) == ["time", "agent", "row", "col"]
    assert len(frame) == 7
    assert frame[frame.agent == "a"][["time", "row", "col"]].to_numpy().tolist() == [
        [0, 0, 0],
        [1, 0, 1],
        [2, 0, 2],
    ]
    graph = ss.Problem(ss.Graph(2, [(0, 1)]), [0], [1])
    assert ss.Plan(graph, [[0], [1]]).to_frame().to_numpy().tolist() == [[0, "a0", 0], [1, "a0", 1]]


def test_a_frame_without_pandas_names_the_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ss.MissingExtraError, match=r"sidestep\[frames\]"):
        PLAN.to_frame()


# Graphs of networkx


def test_nodes_become_vertices_in_their_order():
    graph = networkx.Graph([("c", "a"), ("a", "b"), ("b", "b")])
    ours = ss.Graph.from_networkx(graph)
    assert list(graph) == ["c", "a", "b"]
    assert (ours.n, ours.edges.tolist(), ours.directed, ours.positions) == (3, [[0, 1], [1, 2]], False, None)


def test_directions_and_positions_are_kept_and_parallel_edges_are_one():
    graph = networkx.MultiDiGraph([(0, 1), (0, 1), (1, 0)])
    networkx.set_node_attributes(graph, {0: (0.0, 1.0), 1: (2.0, 3.0)}, "pos")
    ours = ss.Graph.from_networkx(graph)
    assert ours.directed
    assert ours.edges.tolist() == [[0, 1], [1, 0]]
    assert ours.positions.tolist() == [[0, 1], [2, 3]]


@pytest.mark.parametrize("wrong", [None, 5, [(0, 1)], networkx.Graph(), {"nodes": []}])
def test_what_is_no_graph_is_refused(wrong):
    with pytest.raises(ss.InputError):
        ss.Graph.from_networkx(wrong)


def test_half_of_the_positions_are_none():
    graph = networkx.path_graph(2)
    graph.nodes[0]["pos"] = (0, 0)
    assert ss.Graph.from_networkx(graph).positions is None
    graph.nodes[1]["pos"] = "here"
    with pytest.raises(ss.InputError, match="positions"):
        ss.Graph.from_networkx(graph)


# Arrays of 0 and 1


@pytest.mark.parametrize("values", [[[0, 1], [1, 0]], [[0.0, 1.0]], np.zeros((2, 2), dtype=np.uint8)])
def test_an_array_of_0_and_1_is_refused_with_its_cure(values):
    with pytest.raises(ss.InputError, match="write `array == 0` if 0 is free, `array == 1` if 1 is"):
        ss.Grid(values)
    assert ss.Grid(np.asarray(values) == 0).passable.any()


def test_other_numbers_are_just_no_bools():
    with pytest.raises(ss.InputError, match="must be a 2-D array of bools, not 2-D of int64"):
        ss.Grid(np.array([[0, 2]], dtype=np.int64))


@pytest.mark.parametrize("directed", [False, True])
def test_a_graph_goes_to_networkx_and_comes_back_as_the_same(directed: bool) -> None:
    edges, points = [(0, 1), (3, 2), (2, 0)], [(0, 0), (1, 1), (0.5, 1), (1, 0)]
    graph = ss.Graph(4, edges, directed=directed, positions=points, edge_conflicts=[(0, 1)])
    theirs = graph.to_networkx()
    assert theirs.is_directed() == directed
    assert networkx.has_path(theirs, 3, 1)
    assert theirs.nodes[2]["pos"] == (0.5, 1)
    again = ss.Graph.from_networkx(theirs)
    assert again.positions.tolist() == graph.positions.tolist()
    pairs = [tuple(sorted(pair)) if not directed else tuple(pair) for pair in again.edges.tolist()]
    assert set(pairs) == {tuple(sorted(pair)) if not directed else pair for pair in edges}
    ((one, other),) = again.edge_conflicts.tolist()
    assert {pairs[one], pairs[other]} == {(0, 1), (3, 2) if directed else (2, 3)}


def test_conflicts_of_a_networkx_graph_name_edges() -> None:
    graph = networkx.path_graph(3)
    graph.graph["edge_conflicts"] = [((0, 1), (0, 2))]
    with pytest.raises(ss.InputError, match="must be pairs of its edges"):
        ss.Graph.from_networkx(graph)
    double = ss.Graph(3, [(0, 1), (0, 1), (1, 2)], edge_conflicts=[(0, 2)])
    with pytest.raises(ss.InputError, match="connect the same vertices"):
        double.to_networkx()
