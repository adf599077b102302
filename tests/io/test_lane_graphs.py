"""Lane graphs of other programs: LIF, navigation graphs of Open-RMF and route graphs of Nav2.

The files in `neighbours` are written by hand from the descriptions of the formats.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import geojson
import numpy as np
import pytest
import yaml
from vdma_lif.parser import LIFParser

import sidestep as ss
from sidestep import FormatError, Graph, InputError
from sidestep.cli import main
from sidestep.io import FORMATS, Document, Layout, detect, read_lif, read_rmf, read_route_graph

FILES = Path(__file__).parent / "neighbours"
READ = {"lif": read_lif, "rmf": read_rmf, "route-graph": read_route_graph}
GOLDEN = {"lif": "depot.lif", "rmf": "office.nav.yaml", "route-graph": "yard.geojson"}


def text_of(name: str, layout: Layout) -> str:
    (form,) = [form for form in FORMATS if form.name == name]
    return form.text_of(layout)


def golden(name: str) -> Layout:
    return READ[name](FILES / GOLDEN[name])


# What the files say


def test_lif_has_nodes_edges_and_stations() -> None:
    layout = golden("lif")
    assert layout.names == ("N1", "N2", "N3")
    assert layout.edge_names == ("E12", "E21", "E23")
    assert layout.graph == Graph(
        3, [(0, 1), (1, 0), (1, 2)], directed=True, positions=[(0, 0), (4.25, 0), (4.25, -2.5)]
    )
    assert layout.stations == {"S1": (2, 0)}
    assert (layout.vertex("N2"), layout.vertex("S1")) == (1, 2)


def test_edges_that_are_closed_to_a_type_of_vehicles_are_left_out() -> None:
    layout = read_lif(FILES / "depot.lif", vehicle_type="lift")
    assert layout.edge_names == ("E12",)
    assert len(layout.edge_details) == 1
    with pytest.raises(InputError, match="'crane': the file has 'lift', 'tugger'"):
        read_lif(FILES / "depot.lif", vehicle_type="crane")


def test_rmf_has_vertices_lanes_and_names() -> None:
    layout = golden("rmf")
    assert layout.names == ("lobby", "1", "7", "3")
    assert layout.graph == Graph(
        4,
        [(0, 1), (1, 0), (1, 2), (2, 3)],
        directed=True,
        positions=[(10.5, -20.25), (12, -20.25), (12, -3.5), (14, -3.5)],
    )
    assert layout.stations == {"lobby": (0,), "7": (2,)}
    assert layout.edge_details[2] == {"dock_name": "rack", "is_bidirectional": False}
    assert layout.vertex_details[2] == {"name": "7", "is_charger": True, "is_parking_spot": True}


def test_a_nameless_vertex_takes_no_name_that_another_has() -> None:
    text = "levels: {L1: {lanes: [], vertices: [[0, 0], [1, 0, {name: '0'}], [2, 0, {name: _0}]]}}"
    assert read_rmf(Document(text)).names == ("__0", "0", "_0")


def test_a_route_graph_has_nodes_by_id_and_two_edges_of_one_id() -> None:
    layout = golden("route-graph")
    assert layout.names == ("3", "1", "8")
    assert layout.edge_names == ("5", "5")
    assert layout.graph == Graph(3, [(0, 1), (1, 2)], directed=True, positions=[(0, 0.5), (2, 0.5), (2, 3)])


# Round trips


@pytest.mark.parametrize("name", READ)
def test_what_is_read_is_written_and_read_as_the_same(name: str) -> None:
    layout = golden(name)
    assert READ[name](Document(text_of(name, layout))) == layout
    assert detect(Document(text_of(name, layout))) == name == detect(FILES / GOLDEN[name])


def test_nothing_of_a_lif_file_is_lost() -> None:
    given = json.loads((FILES / "depot.lif").read_text())
    assert json.loads(text_of("lif", golden("lif"))) == given


def test_nothing_of_a_navigation_graph_is_lost_for_a_common_yaml_reader() -> None:
    given: Any = yaml.safe_load((FILES / "office.nav.yaml").read_text())
    found: Any = yaml.safe_load(text_of("rmf", golden("rmf")))
    assert found == given


def test_nothing_of_a_route_graph_is_lost() -> None:
    given = json.loads((FILES / "yard.geojson").read_text())
    found = json.loads(text_of("route-graph", golden("route-graph")))
    assert found == given


@pytest.mark.parametrize("source", READ)
@pytest.mark.parametrize("target", READ)
def test_graph_and_names_go_from_each_format_to_each(source: str, target: str) -> None:
    layout = golden(source)
    found = READ[target](Document(text_of(target, layout)))
    assert found.graph == layout.graph
    if "route-graph" not in (source, target):
        assert found.names == layout.names
    if target == "lif" and source == "rmf":
        assert found.stations == layout.stations


def test_a_graph_of_ours_becomes_a_layout_with_two_lanes_per_edge() -> None:
    graph = Graph(3, [(0, 1), (1, 2)], positions=[(0, 0), (1e-7, 0), (1, 1.5)])
    layout = Layout.from_graph(graph, ["a", "ü \U0001f600\x85", '"c\\'])
    for name, read in READ.items():
        found = read(Document(text_of(name, layout)))
        assert found.graph.edges.tolist() == [[0, 1], [1, 0], [1, 2], [2, 1]]
        assert np.array_equal(found.graph.positions, graph.positions)
        if name != "route-graph":
            assert found.names == layout.names


def test_conflicts_between_edges_are_kept_both_ways_and_refused_by_formats() -> None:
    graph = Graph(4, [(0, 1), (2, 3)], positions=[(0, 0), (1, 1), (0, 1), (1, 0)], edge_conflicts=[(0, 1)])
    layout = Layout.from_graph(graph)
    assert sorted(map(tuple, layout.graph.edge_conflicts.tolist())) == [(0, 2), (0, 3), (1, 2), (1, 3)]
    for name in READ:
        with pytest.raises(InputError, match="conflict"):
            text_of(name, layout)


def test_robots_move_on_a_layout() -> None:
    layout = golden("rmf")
    problem = ss.Problem(layout.graph, [layout.vertex("lobby")], [layout.vertex("3")])
    assert ss.solve(problem, "cbs").plan["a0"] == [0, 1, 2, 3]


@pytest.mark.parametrize(
    ("graph", "names", "said"),
    [
        (Graph(2, [(0, 1)]), None, "no positions"),
        (Graph(2, [(0, 1)], positions=[(0, 0), (1, 1)]), ["a", "a"], "two vertices are called 'a'"),
        (Graph(2, [(0, 1)], positions=[(0, 0), (1, 1)]), ["a"], "must be 2 texts"),
        (ss.Grid.from_text(".."), None, "not a Grid"),
    ],
)
def test_what_is_no_layout(graph: Any, names: Any, said: str) -> None:
    with pytest.raises(InputError, match=said):
        Layout.from_graph(graph, names)


# Bad files: each is one change to a golden file, and the error says where and what


def changed(name: str, *steps: Any, to: Any) -> Document:
    values = json.loads((FILES / GOLDEN[name]).read_text())
    inner = values
    for step in steps[:-1]:
        inner = inner[step]
    inner[steps[-1]] = to
    return Document(json.dumps(values), "mine")


@pytest.mark.parametrize(
    ("steps", "to", "said"),
    [
        (
            ["layouts", 0, "nodes", 1, "nodeId"],
            "N1",
            r"mine: layouts\[0\]\.nodes\[1\]\.nodeId is a second place",
        ),
        (["layouts", 0, "nodes", 1, "nodePosition"], {"x": 1}, r"nodes\[1\]\.nodePosition\.y is missing"),
        (["layouts", 0, "nodes", 1, "nodePosition", "x"], "1", r"nodePosition\.x must be a number"),
        (["layouts", 0, "edges", 0, "startNodeId"], "N9", r"edges\[0\]\.startNodeId names the place 'N9'"),
        (
            ["layouts", 0, "edges", 0, "endNodeId"],
            "N1",
            r"edges\[0\]\.endNodeId leads from a place to itself",
        ),
        (
            ["layouts", 0, "stations", 0, "interactionNodeIds"],
            ["N9"],
            r"interactionNodeIds\[0\] names the place",
        ),
        (
            ["layouts", 0, "stations", 0, "interactionNodeIds"],
            [3],
            r"interactionNodeIds\[0\] must be a string",
        ),
        (["layouts"], [], "there is no layout in it"),
        (["layouts", 0, "layoutDescription"], 10**30, "more than 64 bits"),
    ],
)
def test_a_bad_lif_file(steps: list[Any], to: Any, said: str) -> None:
    with pytest.raises(FormatError, match=said):
        read_lif(changed("lif", *steps, to=to))


def test_one_of_several_layouts() -> None:
    values = json.loads((FILES / "depot.lif").read_text())
    values["layouts"].append({**values["layouts"][0], "layoutId": "yard", "stations": []})
    document = Document(json.dumps(values))
    assert read_lif(document, layout="yard").stations == {}
    with pytest.raises(FormatError, match="say which with layout=, one of 'hall', 'yard'"):
        read_lif(document)
    with pytest.raises(InputError, match="no layout 'x'"):
        read_lif(document, layout="x")
    with pytest.raises(FormatError, match="there is no layout in it"):
        read_lif(Document(json.dumps({**values, "layouts": []})))


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("[0, 1, {graph", "[0, 9, {graph", "mine:5: this lane names vertex 9: the level has 0 to 3"),
        ("[0, 1, {graph", "[0, 0, {graph", "mine:5: this lane leads from a place to itself"),
        ("[2, 3, {}]", "[2]", "mine:8: a lane is"),
        ("[2, 3, {}]", "[2, 3, 4]", "mine:8: what is said of a lane must be a mapping"),
        ("[2, 3, {}]", "[2, x]", "mine:8: an end of a lane must be a whole number"),
        (
            "[14.0, -3.5, {}]",
            "[14.0, -3.5, {name: lobby}]",
            "mine:13: this vertex is a second place called 'lobby'",
        ),
        ("[14.0, -3.5, {}]", "[14.0]", "mine:13: a vertex is"),
        ("[14.0, -3.5, {}]", "[14.0, '1']", "mine:13: y must be a number"),
        ("lifts: {}", "graphs: {}", "building of the traffic editor"),
        ("vertices:", "vertexes:", "a level has no vertices"),
        (
            "building_name: office\nlevels:",
            "levels: {L: {vertices: [], lanes: []}}\nrest:",
            "mine: there are no places",
        ),
    ],
)
def test_a_bad_navigation_graph(old: str, new: str, said: str) -> None:
    text = (FILES / "office.nav.yaml").read_text()
    assert old in text
    with pytest.raises(FormatError, match=said):
        read_rmf(Document(text.replace(old, new), "mine"))


def test_one_of_several_levels() -> None:
    text = "levels:\n  L1: {lanes: [], vertices: [[0, 0]]}\n  L2: {lanes: [], vertices: [[1, 0], [2, 0]]}\n"
    assert read_rmf(Document(text), level="L2").graph.n == 2
    with pytest.raises(FormatError, match="say which with level=, one of 'L1', 'L2'"):
        read_rmf(Document(text))
    with pytest.raises(InputError, match="no level 'L3'"):
        read_rmf(Document(text), level="L3")


@pytest.mark.parametrize(
    ("steps", "to", "said"),
    [
        (["features", 1, "properties", "id"], 3, r"mine: features\[1\]\.properties\.id is a second place"),
        (["features", 1, "properties", "id"], -1, r"properties\.id must be from 0"),
        (["features", 1, "properties", "frame"], "odom", "are in the frames 'map' and 'odom'"),
        (["features", 1, "geometry", "coordinates"], [1], r"features\[1\]\.geometry\.coordinates must be"),
        (["features", 1, "geometry", "type"], "Polygon", "must be Point or LineString"),
        (["features", 3, "properties", "endid"], 4, r"features\[3\]\.properties\.endid names the place '4'"),
        (["features", 3, "properties", "endid"], 3, "to itself"),
        (["type"], "Feature", "must be 'FeatureCollection'"),
    ],
)
def test_a_bad_route_graph(steps: list[Any], to: Any, said: str) -> None:
    with pytest.raises(FormatError, match=said):
        read_route_graph(changed("route-graph", *steps, to=to))


# The neighbours' own readers


def test_the_vdma_lif_package_reads_what_is_written() -> None:
    for layout in (golden("lif"), golden("rmf"), golden("route-graph")):
        text = text_of("lif", layout)
        (found,) = LIFParser.from_json(text).layouts
        assert tuple(node.node_id for node in found.nodes) == layout.names
        ends = [(edge.start_node_id, edge.end_node_id) for edge in found.edges]
        assert ends == [(layout.names[u], layout.names[v]) for u, v in layout.graph.edges.tolist()]
        assert {one.station_id for one in found.stations} == set(layout.stations)


def test_what_the_vdma_lif_package_writes_is_read_as_the_same() -> None:
    written = LIFParser.to_json(LIFParser.from_file(str(FILES / "depot.lif")))
    found = read_lif(Document(written))
    assert (found.graph, found.names, found.stations) == (
        golden("lif").graph,
        golden("lif").names,
        golden("lif").stations,
    )


def test_the_geojson_package_finds_what_is_written_valid() -> None:
    for name in READ:
        found = geojson.loads(text_of("route-graph", golden(name)))
        assert found.is_valid, found.errors()


# The command line


def test_layouts_are_converted(tmp_path: Path) -> None:
    lif, nav, ours = tmp_path / "a.lif", tmp_path / "nav.yaml", tmp_path / "a.json"
    assert main(["convert", str(FILES / "office.nav.yaml"), str(lif)]) == 0
    assert main(["convert", str(lif), str(nav), "--to", "rmf"]) == 0
    assert main(["convert", str(nav), str(ours)]) == 0
    again = tmp_path / "b.geojson"
    assert main(["convert", str(ours), str(again)]) == 0
    assert read_route_graph(again).graph == golden("rmf").graph
    assert main(["convert", str(lif), str(tmp_path / "a.map")]) != 0
