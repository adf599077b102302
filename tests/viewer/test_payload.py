"""The bytes that the player reads, decoded by a reader of their description that shares no code."""

from __future__ import annotations

import gzip
import json
import struct
from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

import sidestep as ss
from sidestep.viewer.payload import payload
from sidestep.viewer.scene import VIOLATIONS, Scene, scene_of
from tests.sizing import examples

from .conftest import crowd, film

FORMATS = {"u1": "B", "i4": "i", "f4": "f"}


class Document:
    """A payload as its description says how to read it."""

    def __init__(self, data: bytes) -> None:
        self.bytes = gzip.decompress(data)
        (length,) = struct.unpack_from("<I", self.bytes)
        self.header: dict[str, Any] = json.loads(self.bytes[4 : 4 + length].decode("utf-8"))
        self.behind = 4 + length

    def array(self, reference: list[Any]) -> list[Any]:
        first, kind, count = reference
        assert first % 4 == 0
        return list(struct.unpack_from(f"<{count}{FORMATS[kind]}", self.bytes, self.behind + first))

    def positions(self, scene: int = 0) -> list[list[int]]:
        """Row k holds the vertices of all agents at time k."""
        entry = self.header["scenes"][scene]
        first, deltas, codes, jumps = (
            self.array(entry[name]) for name in ("first", "deltas", "codes", "jumps")
        )
        steps, jump = entry["steps"], iter(jumps)
        paths = []
        for agent, vertex in enumerate(first):
            path = [vertex]
            for code in codes[agent * steps : (agent + 1) * steps]:
                path.append(next(jump) if code == 255 else path[-1] + deltas[code])
            paths.append(path)
        assert next(jump, None) is None
        return [list(row) for row in zip(*paths, strict=True)] if paths else [[] for _ in range(steps + 1)]


def read(*scenes: Scene, title: str = "", note: str = "") -> Document:
    return Document(payload(scenes, title=title, note=note))


def plan_of(rows: Any) -> ss.Plan:
    """A plan of any rows, for agents on a grid of 7 x 9."""
    rows = np.asarray(rows, dtype=np.int64)
    places = [divmod(agent, 9) for agent in range(rows.shape[1])]
    return ss.Plan(ss.Problem(ss.Grid(np.ones((7, 9), dtype=np.bool_)), places, places), rows)


@st.composite
def tables(draw: st.DrawFn) -> list[list[int]]:
    agents = draw(st.integers(1, 6))
    vertex = draw(
        st.sampled_from([st.integers(-1, 3), st.integers(-1, 62), st.integers(-(2**31), 2**31 - 1)])
    )
    return draw(st.lists(st.lists(vertex, min_size=agents, max_size=agents), min_size=1, max_size=12))


@given(tables())
@settings(max_examples=examples(150), deadline=None)
def test_positions_come_back_whatever_they_are(rows: list[list[int]]) -> None:
    assert read(scene_of(plan_of(rows))).positions() == rows


def test_a_plan_with_more_kinds_of_steps_than_codes_comes_back() -> None:
    rows = np.random.default_rng(0).integers(-1, 63, size=(300, 20)).tolist()
    document = read(scene_of(plan_of(rows)))
    assert document.positions() == rows
    assert document.header["scenes"][0]["jumps"][2] > 1000


def test_solved_plans_come_back_without_jumps() -> None:
    for connectivity in (4, 8):
        plan = ss.solve(crowd(40, connectivity=connectivity), ss.WHCA()).plan
        assert plan
        document = read(scene_of(plan))
        assert document.positions() == plan.vertices.tolist()
        assert document.header["scenes"][0]["jumps"][2] == 0


def test_nobody_comes_back() -> None:
    problem = ss.Problem(ss.Grid(np.ones((2, 2), dtype=np.bool_)), [], [])
    assert read(scene_of(ss.Plan(problem, np.empty((3, 0), dtype=int)))).positions() == [[], [], []]


def test_the_same_scenes_give_the_same_bytes() -> None:
    one, two = (ss.replay(ss.solve(crowd(20), ss.WHCA()).plan).payload for _ in range(2))
    assert one == two


def test_equal_maps_are_stored_once() -> None:
    plan = film("a . # .\n\n. a # .")
    wide = ss.Problem(ss.Grid(np.ones((300, 300), dtype=np.bool_)), [(0, 0)], [(0, 1)])
    other = ss.Plan(wide, [[0], [1]])
    one, two = read(scene_of(other)), read(scene_of(other), scene_of(other, "again"), scene_of(plan))
    first, second, third = two.header["scenes"]
    assert first["open"] == second["open"] != third["open"]
    assert first["codes"] == second["codes"]
    assert len(two.bytes) < len(one.bytes) + 3000


def test_walls_starts_goals_and_rules_are_there() -> None:
    plan = film("a . #\n. # .\n\n. a #\n. # .", rules=ss.Rules(following=False))
    document = read(scene_of(plan))
    (entry,) = document.header["scenes"]
    bits = document.array(entry["open"])
    assert [bits[i // 8] >> (i % 8) & 1 for i in range(6)] == [1, 1, 0, 1, 0, 1]
    assert document.array(entry["starts"]) == [0]
    assert document.array(entry["goals"]) == [1]
    assert entry["space"] == {
        "kind": "grid",
        "height": 2,
        "width": 3,
        "connectivity": 4,
        "corners": "none",
    }
    assert entry["rules"]["following"] is False
    assert (entry["startTime"], entry["steps"], entry["agents"]) == (0, 1, 1)


def test_usual_names_take_no_room_and_others_are_listed() -> None:
    assert read(scene_of(plan_of([[0, 1], [0, 1]]))).header["scenes"][0]["names"] is None
    assert read(scene_of(film("a b\n\na b"))).header["scenes"][0]["names"] == ["a", "b"]


def test_a_graph_has_places_and_edges() -> None:
    graph = ss.Graph(3, [(0, 1), (1, 2)], directed=True, positions=[(0, 0), (2, 0), (2, 2)])
    document = read(scene_of(ss.Plan(ss.Problem(graph, [0], [1]), [[0], [1]])))
    space = document.header["scenes"][0]["space"]
    assert (space["kind"], space["vertices"], space["directed"]) == ("graph", 3, True)
    assert document.array(space["edges"]) == [0, 1, 1, 2]
    assert document.array(space["places"]) == [0, 0, 1, 0, 1, 1]


def test_violations_carry_their_place_and_sentence_and_only_some_are_kept() -> None:
    report = read(scene_of(film("a . b\n\n. ab .\n\n. a b"))).header["scenes"][0]["verdict"]
    assert report == {
        "valid": False,
        "count": 1,
        "violations": [["vertex", 1, [0, 1], 1, "agents a and b are both on (0, 1) at time 1"]],
    }
    report = read(scene_of(plan_of(np.zeros((400, 60))))).header["scenes"][0]["verdict"]
    assert report["count"] > len(report["violations"]) == VIOLATIONS


def test_a_trace_carries_its_events_and_times() -> None:
    problem = ss.Problem(ss.Grid(np.ones((2, 9), dtype=np.bool_)), [(0, 0)], [(0, 8)])
    world = ss.World(problem, ss.WHCA(), trace_limit=3)
    for _ in range(7):
        world.step(nodes=1000)
    world.block((1, 1))
    world.step(nodes=1000)
    document = read(scene_of(world))
    (entry,) = document.header["scenes"]
    assert entry["startTime"] == world.trace.start_time > 0
    assert document.array(entry["events"]) == world.trace.events.reshape(-1).tolist()
    assert document.positions() == world.trace.positions.tolist()


def test_texts_are_kept_as_they_are_but_for_lone_surrogates() -> None:
    text = "</script> \x00 \u2028 ünï \N{PILE OF POO} \ud800"
    header = read(scene_of(film("a .\n\n. a")), title=text, note=text).header
    assert header["title"] == header["note"] == text.replace("\ud800", "?")


def test_numbers_that_json_does_not_know_do_no_harm() -> None:
    plan = film("a .\n\n. a")
    stats = {"nan": float("nan"), "inf": float("inf"), "numpy": np.float64(0.5), "yes": True, "list": [1]}
    result = ss.Result(plan.problem, "solver", 0, ss.Status.SOLVED, plan, stats=stats)
    facts = dict(read(scene_of(result)).header["scenes"][0]["facts"])
    assert facts["nan"] == "nan"
    assert facts["inf"] == "inf"
    assert facts["numpy"] == "0.5"
    assert "yes" not in facts
    assert "list" not in facts


def test_captions_may_hold_the_numbers_of_numpy() -> None:
    caption = ss.Caption(np.int64(1), tuple(np.flatnonzero([1, 1])), "why not")  # type: ignore[arg-type]
    entry = read(scene_of(film("a b .\n\na b ."), None, [caption])).header["scenes"][0]
    assert entry["remarks"] == [[1, "why", [0, 1], "why not"]]
