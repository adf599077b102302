"""MovingAI maps and scenarios: what is read, what is written, and what every broken file says."""

from __future__ import annotations

import os
import tracemalloc
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from sidestep import Agent, FormatError, Graph, Grid, InputError, Problem, Rules
from sidestep.io import movingai, read_map, read_scen, write_map, write_scen
from sidestep.model.grid import Cell
from tests.sizing import examples

DATA = Path(os.environ.get("SIDESTEP_DATA") or "/nonexistent") / "movingai"
needs_data = pytest.mark.skipif(
    not DATA.is_dir(), reason="the MovingAI files are not here: SIDESTEP_DATA does not name their folder"
)

MAP = "type octile\nheight 2\nwidth 4\nmap\n.GSW\n@OT.\n"
GRID = Grid.from_text("....\n.##.\n....")
OPEN = Grid.from_text("...\n...")
LINE = "0\tm.map\t4\t3\t{}\t{}\t{}\t{}\t1.0"


def put(folder: Path, text: str | bytes, name: str = "file") -> Path:
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def scen(*lines: str) -> str:
    return "\n".join(["version 1", *lines]) + "\n"


# Maps


def test_default_terrain(tmp_path: Path) -> None:
    """Ground and swamp are free; water, trees and the outside are walls."""
    assert read_map(put(tmp_path, MAP)) == Grid.from_text("...#\n###.")


@pytest.mark.parametrize(
    ("passable", "drawing"), [(".", ".###\n###."), (".GSWO", "....\n#.#."), ("", "####\n####")]
)
def test_passable_overrides_the_terrain(tmp_path: Path, passable: str, drawing: str) -> None:
    assert read_map(put(tmp_path, MAP), passable=passable) == Grid.from_text(drawing)


def test_passable_makes_a_character_known(tmp_path: Path) -> None:
    text = "type octile\nheight 1\nwidth 2\nmap\nx@\n"
    assert read_map(put(tmp_path, text), passable="x") == Grid.from_text(".#")


def test_connectivity_and_corners(tmp_path: Path) -> None:
    grid = read_map(put(tmp_path, MAP), connectivity=8, corners="one")
    assert (grid.connectivity, grid.corners) == (8, "one")


@pytest.mark.parametrize(
    "text",
    [
        MAP.replace("\n", "\r\n"),
        MAP.replace("\n", "\r"),
        "\ufeff" + MAP,
        MAP.rstrip("\n"),
        MAP + "\n\n",
        "width 4\nheight 2\ntype octile\nmap\n.GSW\n@OT.\n",
        "\ntype   octile\nheight\t2\nwidth 4 \n\nmap\n.GSW  \n@OT.\n",
    ],
    ids=["crlf", "cr", "bom", "no-last-newline", "blank-end", "any-order", "blanks"],
)
def test_variations_that_are_fine(tmp_path: Path, text: str) -> None:
    assert read_map(put(tmp_path, text)) == Grid.from_text("...#\n###.")


@pytest.mark.parametrize(
    ("text", "line", "says"),
    [
        ("", 1, "no line 'map'"),
        ("type octile\nheight 2\nwidth 2\n", 3, "no line 'map'"),
        ("type tile\nheight 1\nwidth 1\nmap\n.\n", 1, "must be 'octile', not 'tile'"),
        ("height 1\nwidth 1\nmap\n.\n", 3, "has no type"),
        ("type octile\nwidth 1\nmap\n.\n", 3, "has no height"),
        ("type octile\nheight 1\nmap\n.\n", 3, "has no width"),
        ("type octile\nheight 1\nheight 1\nwidth 1\nmap\n.\n", 3, "height twice"),
        ("type octile\nsize 1\n", 2, "no line 'size 1'"),
        ("....\n....\n", 1, "no line '....'"),
        ("type octile\nheight -1\nwidth 1\nmap\n.\n", 2, "height must be a whole number"),
        ("type octile\nheight 0\nwidth 1\nmap\n", 2, "height must be a whole number"),
        ("type octile\nheight 1\nwidth 2.0\nmap\n..\n", 3, "width must be a whole number"),
        ("type octile\nheight 1\nwidth two\nmap\n..\n", 3, "width must be a whole number"),
        ("type octile\nheight 1\nwidth ²\nmap\n..\n", 3, "width must be a whole number"),
        ("type octile\nheight\nwidth 2\nmap\n..\n", 2, "height must be a whole number"),
        ("type octile\nheight 9999999999\nwidth 1\nmap\n.\n", 2, "height must be a whole number"),
        (f"type octile\nheight {'9' * 9999}\nwidth 1\nmap\n.\n", 2, "height must be a whole number"),
        ("type octile\nheight 2147483647\nwidth 2\nmap\n..\n", 4, "at most 2147483647 cells"),
        ("type octile\nheight 46340\nwidth 46340\nmap\n..\n", 5, "ends after 1 of 46340 rows"),
        ("type octile\nheight 2\nwidth 2\nmap\n..\n", 5, "ends after 1 of 2 rows"),
        ("type octile\nheight 2\nwidth 2\nmap\n", 4, "ends after 0 of 2 rows"),
        ("type octile\nheight 2\nwidth 2\nmap\n..\n.\n", 6, "1 cells where the header says 2"),
        ("type octile\nheight 2\nwidth 2\nmap\n...\n..\n", 5, "3 cells where the header says 2"),
        ("type octile\nheight 3\nwidth 2\nmap\n..\n\n..\n", 6, "0 cells where the header says 2"),
        ("type octile\nheight 1\nwidth 2\nmap\n..\n..\n..\n", 6, "more than the 1 rows"),
        ("type octile\nheight 2\nwidth 2\nmap\n..\n.#\n", 6, "unknown terrain '#'"),
        ("type octile\r\nheight 2\r\nwidth 2\r\nmap\r\n..\r\n.x\r\n", 6, "unknown terrain 'x'"),
    ],
)
def test_a_broken_map_names_its_line(tmp_path: Path, text: str, line: int, says: str) -> None:
    path = put(tmp_path, text)
    with pytest.raises(FormatError) as caught:
        read_map(path)
    assert str(caught.value).startswith(f"{path}:{line}: ")
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_claimed_size_costs_no_memory(tmp_path: Path) -> None:
    path = put(tmp_path, "type octile\nheight 46340\nwidth 46340\nmap\n..\n")
    tracemalloc.start()
    try:
        with pytest.raises(FormatError):
            read_map(path)
        assert tracemalloc.get_traced_memory()[1] < 10_000_000
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR", "binary file"),
        (MAP.encode("utf-16"), "binary file"),
        (b"type octile\nheight \xff\n", "file:2: this is not UTF-8 text"),
    ],
)
def test_what_is_not_text_is_a_format_error(tmp_path: Path, data: bytes, says: str) -> None:
    with pytest.raises(FormatError, match=says):
        read_map(put(tmp_path, data))


def test_files_that_cannot_be_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InputError, match=r"absent\.map: there is no such file$"):
        read_map(tmp_path / "absent.map")
    with pytest.raises(InputError, match=r"this is a folder, not a file$"):
        read_map(tmp_path)
    with pytest.raises(InputError, match="not a directory"):
        read_map(put(tmp_path, MAP) / "below")
    for wrong in (7, None, b"bytes", "", "nul\0"):
        with pytest.raises(InputError, match=r"named by a string|not the name of a file"):
            read_map(wrong)  # type: ignore[arg-type]

    def refuse(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("sidestep.io.files.open", refuse, raising=False)
    with pytest.raises(InputError, match=r"file: permission denied$"):
        read_map(tmp_path / "file")


def test_passable_must_be_text(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="passable must be a string"):
        read_map(put(tmp_path, MAP), passable=[".", "G"])  # type: ignore[arg-type]


def test_written_map(tmp_path: Path) -> None:
    write_map(GRID, tmp_path / "out.map")
    assert (tmp_path / "out.map").read_bytes() == (b"type octile\nheight 3\nwidth 4\nmap\n....\n.@@.\n....\n")


@settings(max_examples=examples(50), deadline=None)
@given(passable=arrays(np.bool_, array_shapes(min_dims=2, max_dims=2, max_side=12)))
def test_maps_round_trip(tmp_path_factory: pytest.TempPathFactory, passable: np.ndarray) -> None:
    path = tmp_path_factory.getbasetemp() / "round.map"
    write_map(Grid(passable), path)
    assert read_map(path) == Grid(passable)


def test_a_graph_is_no_map(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="about a Grid, not a Graph"):
        write_map(Graph(2, [(0, 1)]), tmp_path / "out.map")  # type: ignore[arg-type]
    assert not list(tmp_path.iterdir())


# Writing


def test_a_failed_write_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = put(tmp_path, "old")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("sidestep.io.files.os.replace", full)
    with pytest.raises(InputError, match=r"file: cannot be written, no space left on device$"):
        write_map(GRID, path)
    assert [entry.name for entry in tmp_path.iterdir()] == ["file"]
    assert path.read_text() == "old"


def test_an_interrupted_write_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("sidestep.io.files.os.replace", interrupt)
    with pytest.raises(KeyboardInterrupt):
        write_map(GRID, tmp_path / "new.map")
    assert not list(tmp_path.iterdir())


def test_places_that_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="there is no folder"):
        write_map(GRID, tmp_path / "absent" / "out.map")
    with pytest.raises(InputError, match="this is a folder"):
        write_map(GRID, tmp_path)
    assert not list(tmp_path.iterdir())


@pytest.mark.skipif(os.name != "posix", reason="links and modes are POSIX matters")
def test_links_modes_and_devices_survive(tmp_path: Path) -> None:
    real, link = put(tmp_path, "old", "real"), tmp_path / "link"
    real.chmod(0o640)
    link.symlink_to(real)
    write_map(GRID, link)
    assert link.is_symlink()
    assert read_map(real) == GRID
    assert real.stat().st_mode & 0o777 == 0o640
    write_map(GRID, "/dev/null")
    assert Path("/dev/null").is_char_device()


# Scenarios


def test_scenario(tmp_path: Path) -> None:
    """x comes before y in the file; a cell here is (row, col)."""
    path = put(tmp_path, scen(LINE.format(0, 0, 3, 2), LINE.format(3, 1, 0, 1)))
    problem = read_scen(path, GRID)
    assert [(agent.start, agent.goal) for agent in problem.agents] == [((0, 0), (2, 3)), ((1, 3), (1, 0))]
    assert problem.names == ("a0", "a1")


@pytest.mark.parametrize(
    "text",
    [
        scen(LINE.format(0, 0, 3, 2)).replace("version 1", "version 1.0"),
        scen(LINE.format(0, 0, 3, 2)).replace("\n", "\r\n"),
        scen(LINE.format(0, 0, 3, 2).replace("\t", " ")),
        scen("", LINE.format(0, 0, 3, 2), "", ""),
        scen(LINE.format(" 0", "0 ", " 3 ", 2).replace("1.0", " 5. ")),
        scen(LINE.format(0, 0, 3, 2).replace("1.0", "5e0")),
    ],
    ids=["1.0", "crlf", "blanks", "blank-lines", "padded", "exponent"],
)
def test_scenarios_that_are_fine(tmp_path: Path, text: str) -> None:
    assert read_scen(put(tmp_path, text), GRID) == Problem(GRID, [(0, 0)], [(2, 3)])


def test_the_first_k_lines(tmp_path: Path) -> None:
    """Lines that nobody asked for are not looked at."""
    path = put(tmp_path, scen(LINE.format(0, 0, 3, 2), LINE.format(1, 0, 2, 2), "nonsense"))
    assert read_scen(path, GRID, agents=0).n_agents == 0
    assert read_scen(path, GRID, agents=2).starts.tolist() == [0, 1]
    with pytest.raises(FormatError, match=r"file: 4 agents asked for, but the file has 3$"):
        read_scen(path, GRID, agents=4)
    for wrong in (-1, 1.0, True, "2"):
        with pytest.raises(InputError, match="agents must be a whole number"):
            read_scen(path, GRID, agents=wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("lines", "line", "says"),
    [
        (["0\tm.map\t4\t3\t0\t0\t1\t0"], 2, "9 fields, not 8"),
        ([LINE.format(0, 0, 3, 2) + "\t7"], 2, "9 fields, not 10"),
        ([LINE.format(0, 0, 3, 2), "x"], 3, "9 fields, not 1"),
        ([LINE.format("zero", 0, 3, 2)], 2, "start x must be a number, not 'zero'"),
        ([LINE.format(0, 0.5, 3, 2)], 2, "start y must be a number"),
        ([LINE.format(0, 0, "9" * 5000, 2)], 2, "goal x must be a number"),
        ([LINE.format(0, 0, 3, 2).replace("1.0", "nan")], 2, "optimal length must be a number"),
        ([LINE.format(0, 0, 3, 2).replace("1.0", "far")], 2, "optimal length must be a number"),
        ([LINE.format(0, 0, 3, 2).replace("1.0", "1_0")], 2, "optimal length must be a number"),
        ([LINE.format(0, 0, 3, 2).replace("1.0", "\u0661")], 2, "optimal length must be a number"),
        ([LINE.format(0, 0, 3, 2).replace("1.0", "1e999")], 2, "optimal length must be a number"),
        ([LINE.format(0, 0, "\x1e3", 2)], 2, "goal x must be a number, not '\\x1e3'"),
        ([LINE.format("3\x1c", 0, 3, 2)], 2, "start x must be a number"),
        (
            [LINE.format(0, 0, 3, 2).replace("4\t3", "3\t4")],
            2,
            "map of height 4 and width 3, but the map has height 3",
        ),
        ([LINE.format(4, 0, 3, 2)], 2, "start of agent a0: row 0, column 4 is outside the map of 3 rows"),
        ([LINE.format(0, 0, 0, -1)], 2, "goal of agent a0: row -1, column 0 is outside"),
        ([LINE.format(1, 1, 3, 2)], 2, "start of agent a0, row 1, column 1, is in a wall"),
        ([LINE.format(0, 0, 2, 1)], 2, "goal of agent a0, row 1, column 2, is in a wall"),
        (
            [LINE.format(0, 0, 3, 2), "", LINE.format(0, 0, 2, 2)],
            4,
            "agents a0 and a1 have the same start, row 0, column 0",
        ),
        (
            [LINE.format(0, 0, 3, 2), LINE.format(1, 0, 0, 2), LINE.format(2, 0, 3, 2)],
            4,
            "agents a0 and a2 have the same goal, row 2, column 3",
        ),
    ],
)
def test_a_broken_scenario_names_its_line(tmp_path: Path, lines: list[str], line: int, says: str) -> None:
    path = put(tmp_path, scen(*lines))
    with pytest.raises(FormatError) as caught:
        read_scen(path, GRID)
    assert str(caught.value).startswith(f"{path}:{line}: ")
    assert says in str(caught.value)


@pytest.mark.parametrize("text", ["", "version 2\n", "0\tm.map\t4\t3\t0\t0\t1\t0\t1.0\n", MAP])
def test_a_scenario_begins_with_its_version(tmp_path: Path, text: str) -> None:
    with pytest.raises(FormatError, match="file:1: a scenario begins with the line 'version 1'"):
        read_scen(put(tmp_path, text), GRID)


def test_shared_goals_by_the_rules(tmp_path: Path) -> None:
    path = put(tmp_path, scen(LINE.format(0, 0, 3, 2), LINE.format(1, 0, 3, 2)))
    assert read_scen(path, GRID, rules=Rules(shared_goals=True)).goals.tolist() == [11, 11]


def test_wrong_arguments_of_read_scen(tmp_path: Path) -> None:
    path = put(tmp_path, scen(LINE.format(0, 0, 3, 2)))
    with pytest.raises(InputError, match="about a Grid, not a Graph"):
        read_scen(path, Graph(2, [(0, 1)]))  # type: ignore[arg-type]
    with pytest.raises(InputError, match=r"rules must be Rules"):
        read_scen(path, GRID, rules="strict")  # type: ignore[arg-type]


def test_written_scenario(tmp_path: Path) -> None:
    """The last column is octile and cuts no corners, whatever the agents themselves may do."""
    write_scen(Problem(GRID, [(0, 0), (1, 0)], [(2, 3), (1, 3)]), tmp_path / "out.scen", "m.map")
    assert (tmp_path / "out.scen").read_text() == (
        "version 1\n1\tm.map\t4\t3\t0\t0\t3\t2\t5.00000000\n1\tm.map\t4\t3\t0\t1\t3\t1\t5.00000000\n"
    )


def lengths_of(folder: Path, grid: Grid, pairs: list[tuple[Cell, Cell]]) -> list[float]:
    """The last column of scenarios with one agent each, from a start to a goal."""
    found = []
    for start, goal in pairs:
        write_scen(Problem(grid, [start], [goal]), folder / "one.scen", "m.map")
        found.append(float((folder / "one.scen").read_text().split("\t")[-1]))
    return found


def test_octile_lengths(tmp_path: Path) -> None:
    """A diagonal costs the square root of 2 and does not cut a corner."""
    grid = Grid.from_text("...\n...\n..#")
    pairs = [((0, 0), (1, 2)), ((0, 0), (0, 0)), ((2, 1), (1, 2))]
    assert lengths_of(tmp_path, grid, pairs) == pytest.approx([1 + 2**0.5, 0, 2])


@settings(max_examples=examples(40), deadline=None)
@given(passable=arrays(np.bool_, array_shapes(min_dims=2, max_dims=2, max_side=6)))
def test_octile_lengths_agree_with_plain_relaxation(
    tmp_path_factory: pytest.TempPathFactory, passable: np.ndarray
) -> None:
    passable[0, 0] = True
    cells = [(int(row), int(col)) for row, col in zip(*np.nonzero(passable), strict=True)]
    lengths = dict.fromkeys(cells, float("inf")) | {(0, 0): 0.0}
    for _ in cells:
        for row, col in cells:
            for down, right in ((0, 1), (1, 0), (0, -1), (-1, 0), (1, 1), (1, -1), (-1, 1), (-1, -1)):
                corners = {(row + down, col), (row, col + right), (row + down, col + right)}
                if corners <= set(cells):
                    there = (row + down, col + right)
                    lengths[there] = min(
                        lengths[there], lengths[row, col] + (2**0.5 if down and right else 1)
                    )
    folder = tmp_path_factory.getbasetemp()
    reached = {cell: length for cell, length in lengths.items() if length < float("inf")}
    found = lengths_of(folder, Grid(passable), [((0, 0), cell) for cell in reached])
    assert found == pytest.approx(list(reached.values()))
    for cell in lengths.keys() - reached.keys():
        with pytest.raises(InputError, match="cannot reach its goal"):
            lengths_of(folder, Grid(passable), [((0, 0), cell)])


@settings(max_examples=examples(40), deadline=None)
@given(data=st.data(), passable=arrays(np.bool_, array_shapes(min_dims=2, max_dims=2, max_side=8)))
def test_scenarios_round_trip(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject, passable: np.ndarray
) -> None:
    passable[0, :] = passable[:, 0] = True  # goals on the rim are reachable
    grid = Grid(passable)
    rim = [(0, col) for col in range(grid.width)] + [(row, 0) for row in range(1, grid.height)]
    starts, goals = data.draw(st.permutations(rim)), data.draw(st.permutations(rim))
    problem = Problem(grid, starts, goals)
    path = tmp_path_factory.getbasetemp() / "round.scen"
    write_scen(problem, path, "m.map")
    assert read_scen(path, grid) == problem


@pytest.mark.parametrize(
    ("problem", "says"),
    [
        (Problem.from_text("a.\n.A\n.b"), "agent b has no goal, which a scenario file cannot say"),
        (Problem.from_text("a#A"), "agent a cannot reach its goal"),
        (Problem(GRID, [(0, 0)], [(0, 1)], priorities=[3]), "a priority of 3, which a scenario file cannot"),
        (Problem.from_agents(OPEN, [Agent((0, 0), (0, 1), size=2)]), "agent a0 has a size of 2"),
        (Problem.from_agents(GRID, [Agent((0, 0), (0, 1), period=4)]), "agent a0 has a period of 4"),
        (Problem(Graph(2, [(0, 1)]), [0], [1]), "about a Grid, not a Graph"),
    ],
)
def test_what_a_scenario_cannot_keep(tmp_path: Path, problem: Problem, says: str) -> None:
    with pytest.raises(InputError, match=says):
        write_scen(problem, tmp_path / "out.scen", "m.map")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", ["", "a\tb", "a\nb", None])
def test_the_map_name_stands_in_a_field(tmp_path: Path, name: str) -> None:
    with pytest.raises(InputError, match="is not a name for a map"):
        write_scen(Problem(GRID, [], []), tmp_path / "out.scen", name)
    assert not list(tmp_path.iterdir())


# The real files


@needs_data
@pytest.mark.parametrize("path", sorted(DATA.glob("map/*.map")), ids=lambda path: Path(str(path)).stem)
def test_real_maps_round_trip(tmp_path: Path, path: Path) -> None:
    grid = read_map(path)
    assert grid.passable.any()
    write_map(grid, tmp_path / "copy.map")
    assert read_map(tmp_path / "copy.map") == grid


@needs_data
@pytest.mark.parametrize("path", sorted(DATA.glob("scen/*.scen")), ids=lambda path: Path(str(path)).stem)
def test_real_scenarios_fit_their_maps(path: Path) -> None:
    grid = read_map(DATA / "map" / f"{path.stem.split('-random-')[0]}.map")
    problem = read_scen(path, grid)
    assert problem.n_agents > 100
    assert read_scen(path, grid, agents=50).starts.tolist() == problem.starts[:50].tolist()


@needs_data
def test_a_real_scenario_round_trips(tmp_path: Path) -> None:
    grid = read_map(DATA / "map" / "random-32-32-20.map")
    problem = read_scen(DATA / "scen" / "random-32-32-20-random-1.scen", grid)
    write_scen(problem, tmp_path / "copy.scen", "random-32-32-20.map")
    assert read_scen(tmp_path / "copy.scen", grid) == problem


@pytest.mark.parametrize("map_name", ["m.map", "a map", "\x1e", "é\x85\u2028", " ", '"'])
@pytest.mark.parametrize("agents", [0, 1, 2])
def test_what_is_written_is_read_again(tmp_path: Path, map_name: str, agents: int) -> None:
    starts, goals = [(0, 0), (0, 3)][:agents], [(2, 3), (0, 0)][:agents]
    problem = Problem(GRID, starts, goals)
    write_scen(problem, tmp_path / "again.scen", map_name)
    assert read_scen(tmp_path / "again.scen", GRID) == problem


@pytest.mark.parametrize("map_name", ["", "a\tb", "a\nb", "a\0b", None])
def test_a_name_that_no_scenario_can_hold(map_name: str) -> None:
    with pytest.raises(InputError, match="is not a name for a map"):
        movingai.dumps_scen(Problem(GRID, [], []), map_name)


def test_a_goal_that_is_reached_by_cutting_corners_only() -> None:
    grid = Grid.from_text(". #\n# .", 8, "free")
    with pytest.raises(InputError, match="agent a0 cannot reach its goal without cutting corners"):
        movingai.dumps_scen(Problem(grid, [(0, 0)], [(1, 1)]), "m.map")
