"""Stills: read back as pixels and as text, what is drawn where, and what is refused."""

from __future__ import annotations

import time as clock
from dataclasses import replace
from itertools import product
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from PIL import Image

from sidestep import EventKind, Graph, Grid, InputError, MissingExtraError, Plan, Problem, Rules, Trace
from sidestep.model.agents import AgentTable
from sidestep.viewer.drawing import FLOOR, RED, WALL, colours_of, merged_rectangles, rgb
from sidestep.viewer.scene import HUES, Scene, scene_of
from sidestep.viewer.sheet import sheet_of
from sidestep.viewer.still import ONE, SEVERAL, save_still

pytestmark = pytest.mark.bounds

SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = (
    "<script>alert(1)</script>",
    "&amp;",
    "\N{GRINNING FACE}",
    r"$\frac{1$",
    "a\x00b\x1bc",
    "\ud800",
    "_^$x$",
)

# a goes right along the top, b waits a step and then goes up
WALK = """
a . . A
. # . .
b . B .
"""
WALK_ROWS = [[0, 8], [1, 8], [2, 9], [3, 10]]
CORRIDOR = "a . . b"


class Picture:
    """A picture whose pixels are asked for in the units of the scene."""

    def __init__(self, path: Path, scenes: tuple[Scene, ...]) -> None:
        size = SEVERAL if len(scenes) > 1 else ONE
        self.sheet = sheet_of(scenes, *size, titled=len(scenes) > 1, finest=2)
        self.image = Image.open(path).convert("RGB")
        assert self.image.size == (self.sheet.width, self.sheet.height)

    def at(self, x: float, y: float, panel: int = 0) -> tuple[int, ...]:
        left, top = self.sheet.panels[panel].pixel(x, y)
        return self.image.getpixel((int(left), int(top)))

    def cell(self, row: int, col: int, panel: int = 0) -> tuple[int, ...]:
        """The pixel above the middle of a cell: a name, which is drawn there, is not in the way."""
        return self.at(col + 0.5, row + 0.25, panel)


def picture(tmp_path: Path, *scenes: Scene, time: int | None = None) -> Picture:
    path = tmp_path / "still.png"
    save_still(scenes, path, time=time)
    return Picture(path, scenes)


def scene(text: str, rows: list[list[int]], **rules: object) -> Scene:
    problem = Problem.from_text(text, rules=Rules(**rules))
    return scene_of(Plan(problem, np.array(rows).reshape(len(rows), problem.n_agents)))


def named(*names: str) -> Scene:
    """Agents with these names that stand in a row."""
    places = [(0, col) for col in range(len(names))]
    problem = Problem(Grid(np.ones((1, len(names)), dtype=bool)), places, places, names=names)
    return scene_of(Plan(problem, [problem.starts]))


def colour(scene: Scene, agent: int) -> tuple[int, ...]:
    return bytes_of(colours_of(scene.hues)[agent])


def bytes_of(values: np.ndarray) -> tuple[int, ...]:
    return tuple((255 * values).round().astype(int).tolist())


def far(one: tuple[int, ...], other: tuple[int, ...]) -> int:
    return max(abs(a - b) for a, b in zip(one, other, strict=True))


def pixels_like(image: Image.Image, wanted: tuple[int, ...], off_by: int = 4) -> np.ndarray:
    return (np.abs(np.asarray(image).astype(int) - wanted).max(axis=2) <= off_by).nonzero()[0]


WALL_RGB, FLOOR_RGB, RED_RGB = bytes_of(rgb(WALL)), bytes_of(rgb(FLOOR)), bytes_of(rgb(RED))


# ------------------------------------------------------------------------------------ a moment


def test_every_agent_is_where_it_is_at_the_time_and_nowhere_else(tmp_path: Path):
    walk = scene(WALK, WALK_ROWS)
    for time, row in enumerate(WALK_ROWS):
        shown = picture(tmp_path, walk, time=time)
        for agent, cell in product(range(2), range(12)):
            here = far(shown.cell(*divmod(cell, 4)), colour(walk, agent)) <= 2
            assert here == (row[agent] == cell), (time, agent, cell)


def test_walls_surround_the_map_and_stand_where_they_are(tmp_path: Path):
    shown = picture(tmp_path, scene(WALK, WALK_ROWS), time=0)
    assert shown.cell(1, 1) == WALL_RGB
    assert shown.at(-0.05, 1.5) == shown.at(4.05, 1.5) == shown.at(2, -0.05) == shown.at(2, 3.05) == WALL_RGB
    assert far(shown.cell(1, 2), FLOOR_RGB) <= 2


def test_trails_fade_towards_where_agents_come_from(tmp_path: Path):
    walk = scene(WALK, WALK_ROWS)
    shown = picture(tmp_path, walk, time=3)
    fresh, old = (far(shown.at(x, 0.5), colour(walk, 0)) for x in (2.9, 0.6))
    assert 2 < fresh < old < far(FLOOR_RGB, colour(walk, 0))


def test_an_agent_that_waits_off_its_goal_has_a_dark_outline(tmp_path: Path):
    walk = scene(WALK, [*WALK_ROWS, [3, 10]])
    outline = (0.5, 2.5 - 0.37)  # of b
    waits, moves = picture(tmp_path, walk, time=0), picture(tmp_path, walk, time=1)
    assert max(waits.at(*outline)) < 190
    assert min(moves.at(*outline)) > 190
    rests = picture(tmp_path, walk, time=4)
    assert min(rests.at(2.5, 2.5 - 0.37)) > 190, "an agent on its goal does not wait"


def test_a_goal_is_a_ring_in_the_colour_of_its_agent(tmp_path: Path):
    walk = scene(WALK, WALK_ROWS)
    shown = picture(tmp_path, walk, time=0)
    ring = [shown.at(3.5 + x / 200, 0.5) for x in range(40, 56)]
    assert min(far(pixel, colour(walk, 0)) for pixel in ring) < 90
    assert far(shown.at(3.5, 0.5), FLOOR_RGB) <= 2


def test_a_collision_is_marked_in_red_at_its_place_and_time_only(tmp_path: Path):
    meeting = scene(CORRIDOR, [[0, 3], [1, 2], [1, 1], [2, 1]])
    assert [one.kind for one in meeting.report.violations][:1] == ["vertex"]
    shown = picture(tmp_path, meeting, time=2)
    assert RED_RGB in {shown.at(1.5, 0.5 + y / 200) for y in range(90, 120)}
    for time in (0, 1, 3):
        assert not pixels_like(picture(tmp_path, meeting, time=time).image, RED_RGB).size
    assert pixels_like(picture(tmp_path, meeting).image, RED_RGB).size, "the whole plan shows all of them"


def test_a_swap_is_marked_between_the_two_cells(tmp_path: Path):
    swap = scene(CORRIDOR, [[0, 3], [1, 2], [2, 1]])
    shown = picture(tmp_path, swap, time=2)
    assert RED_RGB in {shown.at(2 + x / 200, 0.5) for x in range(90, 120)}
    assert RED_RGB in {shown.at(2 - x / 200, 0.5) for x in range(90, 120)}


def test_agents_in_one_cell_are_both_seen(tmp_path: Path):
    meeting = scene(CORRIDOR, [[0, 3], [1, 2], [1, 1]])
    shown = picture(tmp_path, meeting, time=2)
    assert far(shown.at(1.12, 0.5), colour(meeting, 0)) <= 2
    assert far(shown.at(1.88, 0.5), colour(meeting, 1)) <= 2


def test_agents_that_disappear_are_gone(tmp_path: Path):
    walk = scene("a A b", [[0, 2], [1, 2], [-1, 2]], at_goal="disappear")
    assert far(picture(tmp_path, walk, time=1).cell(0, 1), colour(walk, 0)) <= 2
    shown = picture(tmp_path, walk, time=2)
    assert not pixels_like(shown.image, colour(walk, 0), 1).size
    assert far(shown.cell(0, 2), colour(walk, 1)) <= 2


def test_a_plan_may_name_vertices_that_do_not_exist(tmp_path: Path):
    astray = scene("a . b", [[0, 2], [99, -7], [1, 2]])
    assert not astray.report
    for time in (None, 1, 2):
        picture(tmp_path, astray, time=time)


def test_colours_are_those_of_the_web_player():
    """What a browser shows for oklch(0.66 0.16 22.5) and oklch(0.66 0.16 262.5)."""
    red, blue = colours_of(np.array([1, 17], dtype=np.uint8))
    assert (bytes_of(red), bytes_of(blue)) == ((227, 100, 99), (91, 142, 243))
    assert len(np.unique(colours_of(np.arange(HUES, dtype=np.uint8)), axis=0)) == HUES


# ------------------------------------------------------------------------------------ the whole plan


def test_the_whole_plan_shows_starts_ways_and_goals(tmp_path: Path):
    walk = scene("a . . . A", [[0], [1], [2], [3], [4]])
    shown = picture(tmp_path, walk)
    for x in (0.32, 1.4, 3.4):
        assert far(shown.at(x, 0.5), colour(walk, 0)) <= 25, x
    assert far(shown.at(1.4, 0.3), FLOOR_RGB) <= 2
    assert far(shown.at(2.4, 0.42), colour(walk, 0)) <= 25, "an arrowhead in the middle of the leg"


def test_ways_along_the_same_cells_lie_side_by_side(tmp_path: Path):
    walk = scene("a b . . B A", [[0, 1], [1, 2], [2, 3], [3, 4], [4, 4], [5, 4]])
    shown = picture(tmp_path, walk)
    across = [shown.at(3.2, y / 100) for y in range(20, 80)]
    for agent in (0, 1):
        assert min(far(pixel, colour(walk, agent)) for pixel in across) <= 25


def test_no_agents_no_steps_and_one_cell_are_fine(tmp_path: Path):
    empty = scene(". .\n# .", [[], []])
    alone = scene("a", [[0]])
    for time in (None, 0):
        assert picture(tmp_path, empty, time=time).cell(1, 0) == WALL_RGB
        assert far(picture(tmp_path, alone, time=time).at(0.5, 0.32), colour(alone, 0)) <= 2


# ------------------------------------------------------------------------------------ several, graphs, traces


def test_of_several_scenes_a_shorter_one_shows_its_end(tmp_path: Path):
    short, long = scene("a A .", [[0], [1]]), scene("a . A", [[0], [0], [1], [2]])
    shown = picture(tmp_path, short, long, time=3)
    assert far(shown.cell(0, 1, panel=0), colour(short, 0)) <= 2
    assert far(shown.cell(0, 2, panel=1), colour(long, 0)) <= 2


def test_six_scenes_have_two_rows(tmp_path: Path):
    shown = picture(tmp_path, *[scene("a A", [[0], [1]])] * 6, time=0)
    assert len({panel.top for panel in shown.sheet.panels}) == 2
    assert len({panel.left for panel in shown.sheet.panels}) == 3


def test_labels_are_titles_and_only_of_several_scenes(tmp_path: Path):
    walk = replace(scene(WALK, WALK_ROWS), label="<b>$x$")
    assert "<b>$x$" in texts(tmp_path, walk, walk, time=1)
    assert "time 1" in texts(tmp_path, walk, walk, time=1)
    assert "<b>$x$" not in texts(tmp_path, walk, time=1)


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("positions", [None, [(0, 0), (10, 0), (20, 0), (20, 10)]])
def test_graphs(tmp_path: Path, directed: bool, positions: object):
    graph = Graph(4, [(0, 1), (1, 2), (2, 3)], directed=directed, positions=positions)
    problem = Problem(graph, [0], [3])
    walk = scene_of(Plan(problem, [[0], [1], [2], [3]]))
    for time in range(4):
        shown = picture(tmp_path, walk, time=time)
        x, y = walk.places[time]
        assert far(shown.at(x, y - 0.15), colour(walk, 0)) <= 2
        x, y = walk.places[(time + 2) % 4]
        assert far(shown.at(x, y - 0.15), colour(walk, 0)) > 20
    picture(tmp_path, walk)


def test_a_graph_of_one_vertex(tmp_path: Path):
    picture(tmp_path, scene_of(Plan(Problem(Graph(1, []), [0], [0]), [[0]])), time=0)


def world(*events: tuple[int, ...]) -> Scene:
    """An agent that stands at the left of a row of four, from time 10 to 13, and one that is added."""
    return scene_of(
        Trace(
            agents=AgentTable(
                Grid.from_text(". . . #"),
                ("a", "b"),
                np.array([0, -1], dtype=np.int32),
                np.array([0, -1], dtype=np.int32),
                priorities=np.zeros(2, dtype=np.int32),
            ),
            rules=Rules(),
            start_time=10,
            open=np.array([True, True, True, False]),
            positions=np.array([[0, -1], [0, 1], [0, 1], [0, -1]], dtype=np.int32),
            events=np.array(events, dtype=np.int32).reshape(-1, 4),
        )
    )


def test_walls_open_and_close_at_their_time(tmp_path: Path):
    changing = world((11, EventKind.BLOCK, -1, 2), (12, EventKind.FREE, -1, 3), (13, EventKind.FREE, -1, 2))
    seen = {}
    for time in (10, 11, 12, 13):
        shown = picture(tmp_path, changing, time=time)
        seen[time] = [shown.cell(0, col) == WALL_RGB for col in (2, 3)]
    assert seen == {10: [False, True], 11: [True, True], 12: [True, False], 13: [False, False]}


def test_goals_change_and_agents_come_and_go(tmp_path: Path):
    changing = world((11, EventKind.ADD, 1, 1), (11, EventKind.GOAL, 1, 2), (13, EventKind.REMOVE, 1, 1))
    there, ring = {}, {}
    for time in (10, 11, 12, 13):
        shown = picture(tmp_path, changing, time=time)
        there[time] = far(shown.cell(0, 1), colour(changing, 1)) <= 2
        ring[time] = any(far(shown.at(2.5 + x / 200, 0.5), FLOOR_RGB) > 20 for x in range(40, 56))
    assert there == ring == {10: False, 11: True, 12: True, 13: False}


def test_closed_vertices_of_a_graph_are_squares(tmp_path: Path):
    path = Graph(4, [(0, 1), (1, 2), (2, 3)])
    shown = world((11, EventKind.BLOCK, -1, 2))
    closed = replace(shown, agents=replace(shown.agents, space=path), report=None)
    x, y = closed.places[2]
    assert picture(tmp_path, closed, time=11).at(x, y) == WALL_RGB
    assert picture(tmp_path, closed, time=10).at(x, y) != WALL_RGB


# ------------------------------------------------------------------------------------ files


def texts(tmp_path: Path, *scenes: Scene, time: int | None = None) -> list[str]:
    path = tmp_path / "still.svg"
    save_still(scenes, path, time=time)
    return [element.text or "" for element in ElementTree.parse(path).iter(f"{SVG}text")]


@pytest.mark.parametrize("time", [None, 0])
def test_names_are_shown_literally_whatever_they_are(tmp_path: Path, time: int | None):
    crew = named(*HOSTILE)
    assert texts(tmp_path, crew, time=time) == [
        "<script>alert(1)</scrip…",
        "&amp;",
        "\N{GRINNING FACE}",
        r"$\frac{1$",
        "a\N{REPLACEMENT CHARACTER}b\N{REPLACEMENT CHARACTER}c",
        "\N{REPLACEMENT CHARACTER}",
        "_^$x$",
    ]
    for suffix in ("png", "pdf"):
        save_still((crew,), tmp_path / f"still.{suffix}", time=time)


def test_many_agents_have_no_names(tmp_path: Path):
    assert texts(tmp_path, named(*(f"n{index}" for index in range(60))), time=0) == []


@pytest.mark.parametrize(("suffix", "begin"), [("png", b"\x89PNG"), ("svg", b"<?xml"), ("PDF", b"%PDF")])
@pytest.mark.parametrize("time", [None, 2])
def test_the_same_plan_gives_the_same_bytes(tmp_path: Path, suffix: str, begin: bytes, time: int | None):
    for name in ("one", "two"):
        save_still((scene(WALK, WALK_ROWS),) * 2, tmp_path / f"{name}.{suffix}", time=time)
    one, two = ((tmp_path / f"{name}.{suffix}").read_bytes() for name in ("one", "two"))
    assert one.startswith(begin)
    assert one == two


def test_settings_of_the_user_change_nothing(tmp_path: Path):
    import matplotlib

    save_still((scene(WALK, WALK_ROWS),), tmp_path / "one.svg", time=1)
    with matplotlib.rc_context({"svg.fonttype": "path", "lines.linewidth": 9, "savefig.bbox": "tight"}):
        save_still((scene(WALK, WALK_ROWS),), tmp_path / "two.svg", time=1)
        assert matplotlib.rcParams["lines.linewidth"] == 9
    assert (tmp_path / "one.svg").read_bytes() == (tmp_path / "two.svg").read_bytes()


@pytest.mark.parametrize("name", ["still", "still.jpg", "still.svg.gz", ".png", "still.gif"])
def test_other_formats_are_refused(tmp_path: Path, name: str):
    with pytest.raises(InputError, match=r"a still is a \.png, \.svg or \.pdf file"):
        save_still((scene(WALK, WALK_ROWS),), tmp_path / name)


@pytest.mark.parametrize("time", [-1, 4, 10**9])
def test_a_time_outside_the_run_is_refused(tmp_path: Path, time: int):
    with pytest.raises(InputError, match=f"time must be from 0 to 3, not {time}"):
        save_still((scene(WALK, WALK_ROWS),), tmp_path / "still.png", time=time)
    with pytest.raises(InputError, match="time must be from 10 to 13"):
        save_still((world(),), tmp_path / "still.png", time=time)


@pytest.mark.parametrize("time", [1.0, "1", True, [1], float("nan")])
def test_a_time_is_a_whole_number(tmp_path: Path, time: object):
    with pytest.raises(InputError, match="time must be"):
        save_still((scene(WALK, WALK_ROWS),), tmp_path / "still.png", time=time)


def test_a_scene_without_times_is_refused(tmp_path: Path):
    nothing = replace(world(), positions=np.empty((0, 2), dtype=np.int32))
    with pytest.raises(InputError, match="nothing to show"):
        save_still((nothing,), tmp_path / "still.png")


def test_a_missing_folder_is_named(tmp_path: Path):
    with pytest.raises(InputError, match="there is no folder"):
        save_still((scene(WALK, WALK_ROWS),), tmp_path / "nowhere" / "still.png")


def test_without_matplotlib_one_sentence_says_how_to_get_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(__import__("sys").modules, "matplotlib.style", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'sidestep\[plot\]'"):
        save_still((scene(WALK, WALK_ROWS),), tmp_path / "still.png")
    assert list(tmp_path.iterdir()) == []


# ------------------------------------------------------------------------------------ size and speed


@pytest.mark.parametrize("shape", [(1, 1), (1, 3000), (3000, 1), (40, 2), (700, 900)])
def test_pictures_are_neither_tiny_nor_huge(tmp_path: Path, shape: tuple[int, int]):
    problem = Problem(Grid(np.ones(shape, dtype=bool)), [(0, 0)], [(0, 0)])
    shown = picture(tmp_path, scene_of(Plan(problem, [[0]])), time=0)
    assert 100 <= max(shown.image.size) <= 3000


def test_rectangles_cover_the_walls_once():
    generator = np.random.default_rng(5)
    for _ in range(50):
        blocked = generator.random(generator.integers(1, 12, 2)) < generator.random()
        covered = np.zeros(blocked.shape, dtype=int)
        for top, left, bottom, right in merged_rectangles(blocked, 1000):
            covered[top:bottom, left:right] += 1
        assert np.array_equal(covered, blocked)
    assert merged_rectangles(np.eye(50, dtype=bool), 49) is None


@pytest.mark.slow
@pytest.mark.parametrize(("suffix", "time"), list(product(["png", "svg"], [None, 20])))
def test_a_big_map_takes_seconds(tmp_path: Path, suffix: str, time: int | None):
    generator = np.random.default_rng(1)
    grid = Grid(generator.random((1000, 1000)) > 0.2)
    places = generator.choice(np.flatnonzero(grid.open), (2, 5000)).astype(np.int32)
    steps = np.cumsum(generator.choice([-1, 0, 1], (40, 5000)), axis=0, dtype=np.int32)
    crowd = Scene(
        label="crowd",
        agents=AgentTable(grid, tuple(map(str, range(5000))), places[0], places[1]),
        rules=Rules(),
        open=grid.open,
        positions=np.clip(places[0] + steps, 0, grid.n - 1),
        report=None,
        facts=(),
    )
    begin = clock.process_time()
    save_still((crowd,), tmp_path / f"still.{suffix}", time=time)
    assert clock.process_time() - begin < 15
    assert (tmp_path / f"still.{suffix}").stat().st_size < 20_000_000
