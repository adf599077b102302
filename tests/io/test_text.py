"""Drawings in files, and the detection of formats."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sidestep import Agent, FormatError, Graph, Grid, InputError, Plan, Problem, Rules, solve
from sidestep.io import (
    detect,
    read_text,
    write_eecbs,
    write_lacam,
    write_map,
    write_plan,
    write_planviz,
    write_problem,
    write_scen,
    write_text,
    write_transcript,
)
from tests.sizing import examples

DRAWING = "a.B\n.#.\nb.A\n"


def put(folder: Path, text: str) -> Path:
    path = folder / "drawing.txt"
    path.write_bytes(text.encode())
    return path


def test_read(tmp_path: Path) -> None:
    problem = read_text(put(tmp_path, DRAWING))
    assert problem == Problem.from_text(DRAWING)
    assert problem.names == ("a", "b")


def test_crlf_blanks_and_bom(tmp_path: Path) -> None:
    text = "\ufeff\r\n  a . B\r\n  . # .\r\n  b . A\r\n\r\n"
    assert read_text(put(tmp_path, text)) == Problem.from_text(DRAWING)


def test_options(tmp_path: Path) -> None:
    rules = Rules(following=False)
    problem = read_text(put(tmp_path, DRAWING), connectivity=8, corners="free", rules=rules)
    assert problem == Problem.from_text(DRAWING, 8, "free", rules=rules)


@pytest.mark.parametrize(
    ("text", "where", "says"),
    [
        ("", "", "the map is empty"),
        ("..\n...\n", ":2", "3 cells where the first row has 2"),
        ("..\n.?\n", ":2", "not '?'"),
        ("a.\r\n..\r\na.\r\n", ":3", "'a' is drawn twice"),
        ("..\n.A\n", ":2", "goal 'A' has no start 'a'"),
    ],
)
def test_a_broken_drawing_names_its_file(tmp_path: Path, text: str, where: str, says: str) -> None:
    path = put(tmp_path, text)
    with pytest.raises(FormatError) as caught:
        read_text(path)
    assert str(caught.value).startswith(f"{path}{where}: ")
    assert says in str(caught.value)


def test_no_such_drawing(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="there is no such file"):
        read_text(tmp_path / "absent.txt")


def test_written_drawing(tmp_path: Path) -> None:
    write_text(Problem.from_text(DRAWING), tmp_path / "out.txt")
    assert (tmp_path / "out.txt").read_text() == DRAWING


def test_names_that_are_letters_are_kept_and_others_replaced(tmp_path: Path) -> None:
    path = tmp_path / "out.txt"
    write_text(Problem.from_text("c.C\nx.."), path)
    assert path.read_text() == "c.C\nx..\n"
    write_text(Problem(Grid.from_text("..."), [(0, 0), (0, 1)], [(0, 2), None], names=["z", "hero"]), path)
    assert path.read_text() == "abA\n"


@settings(max_examples=examples(50), deadline=None)
@given(
    height=st.integers(1, 6),
    width=st.integers(9, 12),
    data=st.data(),
)
def test_drawings_round_trip(
    tmp_path_factory: pytest.TempPathFactory, height: int, width: int, data: st.DataObject
) -> None:
    marks = data.draw(
        st.lists(st.sampled_from(["aA", "b", "cC", "kK", "z"]), unique=True).map("".join), label="marks"
    )
    rest = data.draw(
        st.text(".#", min_size=height * width - len(marks), max_size=height * width - len(marks))
    )
    cells = data.draw(st.permutations(marks + rest))
    text = "\n".join("".join(cells[row * width : (row + 1) * width]) for row in range(height))
    path = tmp_path_factory.getbasetemp() / "round.txt"
    write_text(Problem.from_text(text), path)
    assert path.read_text() == text + "\n"
    assert read_text(path) == Problem.from_text(text)


@pytest.mark.parametrize(
    ("problem", "says"),
    [
        (
            Problem(Grid.from_text("." * 27), [(0, i) for i in range(27)], [None] * 27),
            "26 agents, not for 27",
        ),
        (Problem(Grid.from_text(".."), [(0, 0)], [(0, 0)]), r"cell \(0, 0\) is a start and a goal"),
        (Problem(Grid.from_text("..."), [(0, 0), (0, 1)], [(0, 1), (0, 2)]), r"cell \(0, 1\) is a start and"),
        (
            Problem(
                Grid.from_text("..."),
                [(0, 0), (0, 1)],
                [(0, 2), (0, 2)],
                rules=Rules(shared_goals=True),
            ),
            "which a drawing cannot show",
        ),
        (Problem.from_agents(Grid.from_text(".."), [Agent((0, 0), priority=-1)]), "a priority of -1"),
        (Problem(Graph(2, [(0, 1)]), [0], [1]), "not a Graph"),
    ],
)
def test_what_cannot_be_drawn(tmp_path: Path, problem: Problem, says: str) -> None:
    with pytest.raises(InputError, match=says):
        write_text(problem, tmp_path / "out.txt")
    assert not list(tmp_path.iterdir())


# Detection


def test_detect_what_we_write(tmp_path: Path) -> None:
    problem = Problem.from_text("a.A")
    plan = Plan(problem, [[0], [1], [2]])
    writers = {
        "map": lambda path: write_map(problem.space, path),
        "scen": lambda path: write_scen(problem, path, "m.map"),
        "text": lambda path: write_text(problem, path),
        "plan": lambda path: write_plan(plan, path),
        "lacam": lambda path: write_lacam(plan, path),
        "eecbs": lambda path: write_eecbs(plan, path),
        "lorr": lambda path: write_planviz(plan, path),
    }
    for name, write in writers.items():
        write(tmp_path / "file")
        assert detect(tmp_path / "file") == name
    write_problem(problem, tmp_path / "file")
    assert detect(tmp_path / "file") == "plan"
    write_transcript(solve(problem, "dpca").transcript, tmp_path / "file")
    assert detect(tmp_path / "file") == "transcript"


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("statistics:\n  cost: 1\nschedule:\n", "multirobot"),
        ("---\n# by hand\n\n# twice\nschedule: {}\n", "multirobot"),
        ("agents: []\nmap: {}\n", "multirobot"),
        ("map:\n  dimensions: [1, 1]\n", "multirobot"),
        ("map_name,scen_type,type_id,agents,solution_plan\n", "tracker"),
        ('"agents","solution_cost","path"\n', "tracker"),
        ("map_name,type_id,agent_count,solution_plan,flip_up_down\n", "tracker"),
        ('{"actionModel": "MAPF_T", "start": []}', "lorr"),
        ('{"start": [], "actualPaths": []}', "lorr"),
        ("###\n#a#\n###\n", "text"),
        ("#map\n", "text"),
    ],
)
def test_detect_what_others_write(tmp_path: Path, text: str, name: str) -> None:
    assert detect(put(tmp_path, text)) == name


def test_the_extension_decides_for_movingai(tmp_path: Path) -> None:
    """Even of a broken file, so that the reader can say what is wrong with it."""
    for name in ("broken.map", "BROKEN.MAP"):
        (tmp_path / name).write_text("hello?")
        assert detect(tmp_path / name) == "map"
    (tmp_path / "broken.scen").write_text("hello?")
    assert detect(tmp_path / "broken.scen") == "scen"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "no format that sidestep knows"),
        ("1,2,3\n", "no format that sidestep knows"),
        ('{"format": "other"}', "names no format that sidestep knows: 'other'"),
        ('{"version": 1}', "format is missing"),
        ("path,length\n1,2\n", "no format that sidestep knows"),
        ("cat: 1\n", "no format that sidestep knows"),
        ("{", ":1: this is not JSON"),
        ("[1]", "no format that sidestep knows"),
    ],
)
def test_unknown_formats(tmp_path: Path, text: str, says: str) -> None:
    with pytest.raises(FormatError, match=says):
        detect(put(tmp_path, text))
