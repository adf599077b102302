"""Graphs: vertices, edges, arcs and conflicts between edges."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

from sidestep import Graph, InputError

SQUARE = [(0, 1), (1, 2), (2, 3), (3, 0)]


def sentence(error: pytest.ExceptionInfo[Exception]) -> str:
    """The message, which must be one line."""
    text = str(error.value)
    assert text
    assert "\n" not in text
    return text


def test_a_graph_holds_arrays():
    graph = Graph(4, SQUARE, positions=[(0, 0), (1, 0), (1, 1), (0, 1)], edge_conflicts=[(0, 2)])
    assert graph.n == 4
    assert graph.edges.tolist() == [list(edge) for edge in SQUARE]
    assert graph.edges.dtype == graph.edge_conflicts.dtype == np.int32
    assert graph.edge_conflicts.tolist() == [[0, 2]]
    assert graph.positions is not None
    assert graph.positions.shape == (4, 2)
    assert not graph.directed
    assert graph.open.tolist() == [True] * 4


@pytest.mark.parametrize("nothing", [[], (), np.empty((0, 2), dtype=np.int32), np.empty((0, 2))])
def test_a_graph_may_have_no_edges(nothing):
    graph = Graph(1, nothing, edge_conflicts=nothing)
    assert graph.edges.shape == graph.edge_conflicts.shape == (0, 2)


def test_a_place_on_a_graph_is_its_vertex():
    graph = Graph(4, SQUARE)
    assert graph.vertex(3) == graph.place(3) == 3
    assert graph.vertex(np.int64(2)) == 2


@pytest.mark.parametrize(
    ("place", "said"),
    [
        (4, "vertex 4 is outside the graph of 4 vertices"),
        (-1, "vertex -1 is outside"),
        ((0, 1), r"a place on a graph is a vertex id, not \(0, 1\)"),
        (1.0, "is a vertex id, not 1.0"),
        (True, "is a vertex id, not True"),
        (None, "is a vertex id, not None"),
    ],
)
def test_what_is_no_vertex_is_refused(place, said):
    with pytest.raises(InputError, match=said) as error:
        Graph(4, SQUARE).vertex(place)
    sentence(error)


@pytest.mark.parametrize("n", [0, -3, 2.0, "4", None, True, 2**31])
def test_a_graph_has_a_whole_number_of_vertices(n):
    with pytest.raises(InputError, match="a graph has from 1 to 2147483647 vertices, not") as error:
        Graph(n, [])
    sentence(error)


@pytest.mark.parametrize(
    ("edges", "said"),
    [
        ([(0, 4)], r"edges\[0\] = \[0, 4\] names no vertex: ids are 0 to 3"),
        ([(0, 1), (-1, 2)], r"edges\[1\] = \[-1, 2\] names no vertex"),
        ([(0, 1), (2, 2)], "edge 1 leads from vertex 2 to itself"),
        ([(0, 1, 2)], r"edges must be an \(m, 2\) array, not one of shape \(1, 3\)"),
        ([0, 1], r"not one of shape \(2,\)"),
        (7, r"not one of shape \(\)"),
        ([(0, 1), (2,)], "edges must be a regular array of whole numbers"),
        ([(0.0, 1.0)], "edges must be whole numbers, not float64"),
        ([(0, 2**40)], "edges must fit in 32 bits"),
        ("0-1", "edges must be whole numbers"),
        (None, "edges must be whole numbers"),
    ],
)
def test_edges_that_are_none_are_refused(edges, said):
    with pytest.raises(InputError, match=said) as error:
        Graph(4, edges)
    sentence(error)


@pytest.mark.parametrize(
    ("conflicts", "said"),
    [
        ([(0, 4)], r"edge_conflicts\[0\] = \[0, 4\] names no edge: ids are 0 to 3"),
        ([(0, 1, 2)], r"edge_conflicts must be an \(m, 2\) array"),
        ([(0.5, 1)], "edge_conflicts must be whole numbers"),
    ],
)
def test_conflicts_are_between_edges(conflicts, said):
    with pytest.raises(InputError, match=said) as error:
        Graph(4, SQUARE, edge_conflicts=conflicts)
    sentence(error)


@pytest.mark.parametrize(
    ("positions", "said"),
    [
        ([(0, 0)], r"positions must be an array of shape \(4, 2\), not \(1, 2\)"),
        ([(0, 0, 0)] * 4, r"not \(4, 3\)"),
        ([(np.nan, 0)] * 4, "positions must be finite"),
        ("nowhere", r"positions must be an \(n, 2\) array of numbers"),
        ([(0, 0), (1,), (2, 2), (3, 3)], r"positions must be an \(n, 2\) array of numbers"),
    ],
)
def test_positions_are_two_numbers_per_vertex(positions, said):
    with pytest.raises(InputError, match=said) as error:
        Graph(4, SQUARE, positions=positions)
    sentence(error)


def test_a_graph_keeps_its_own_read_only_arrays():
    edges = np.array(SQUARE, dtype=np.int32)
    graph = Graph(4, edges, positions=np.zeros((4, 2)), edge_conflicts=[(0, 1)])
    edges[0] = 3
    assert graph.edges[0].tolist() == [0, 1]
    for one in (graph, pickle.loads(pickle.dumps(graph))):
        for array in (one.edges, one.edge_conflicts, one.positions):
            with pytest.raises(ValueError, match="read-only"):
                array[0, 0] = 1


def test_graphs_are_equal_by_value_and_survive_pickling():
    graph = Graph(4, SQUARE, positions=np.eye(4)[:, :2], edge_conflicts=[(0, 2)])
    again = pickle.loads(pickle.dumps(graph))
    assert again == graph
    assert hash(again) == hash(graph)
    different = [
        Graph(5, SQUARE, positions=np.eye(5)[:, :2], edge_conflicts=[(0, 2)]),
        Graph(4, SQUARE[::-1], positions=graph.positions, edge_conflicts=[(0, 2)]),
        Graph(4, SQUARE, positions=graph.positions, edge_conflicts=[(0, 2)], directed=True),
        Graph(4, SQUARE, positions=graph.positions),
        Graph(4, SQUARE, edge_conflicts=[(0, 2)]),
        Graph(4, SQUARE, positions=np.zeros((4, 2)), edge_conflicts=[(0, 2)]),
        SQUARE,
    ]
    assert all(graph != other for other in different)


def test_a_graph_says_what_it_is():
    assert repr(Graph(4, SQUARE)) == "Graph(4 vertices, 4 edges)"
    assert repr(Graph(4, SQUARE, directed=True)) == "Graph(directed, 4 vertices, 4 edges)"
