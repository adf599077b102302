"""The table of formats: every row recognises, writes and reads its own files, and others follow from it."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from sidestep import FormatError, Graph, Grid, Plan, Problem, Result, Trace, World, io, solve
from sidestep.dialogue.transcript import Transcript
from sidestep.io import FORMATS, Document, Format, Layout, jsonfile, yamlfile
from sidestep.io.formats import format_for, format_of, markdown, suffix_meant, telling_suffixes, word_for
from sidestep.solvers import WHCA

pytestmark = pytest.mark.bounds

ROOT = Path(__file__).parents[2]
NAMES = [form.name for form in FORMATS]

DRAWING = """
    a . B
    . # .
    b . A
"""
FOREIGN = {  # what we read and do not write as one text
    "multirobot": "schedule:\n  a: [{x: 0, y: 0, t: 0}, {x: 1, y: 0, t: 1}]\n",
    "nav2-map": "image: a.pgm\nresolution: 0.05\norigin: [0, 0, 0]\n",
    "lorr-input": '{"mapFile": "a.map", "agentFile": "a", "taskFile": "b", "teamSize": 0}',
    "tiled": '{"type": "map", "width": 1, "height": 1, "tilewidth": 8, "layers": []}',
    "godot": '[gd_scene format=4]\n\n[node name="Level" type="Node2D"]\n',
    "tracker": "map_name,agents,solution_plan\nsmall,1,r\n",
}


def things() -> dict[type, Any]:
    """One thing of each kind that files hold."""
    problem = Problem.from_text(DRAWING)
    result = solve(problem, "dpca", time_limit=None)
    world = World(problem, WHCA())
    for _ in range(6):
        world.step()
    assert result.plan is not None
    return {
        Grid: problem.space,
        Problem: problem,
        Plan: result.plan,
        Result: result,
        Trace: world.trace,
        Transcript: result.transcript,
        Layout: Layout.from_graph(Graph(2, [(0, 1)], positions=[(0, 0), (1, 0.5)])),
    }


def texts() -> list[tuple[str, type, str]]:
    """Per format and kind of thing a text: what we write of it, or what others do."""
    made = things()
    found = [(form.name, kind, form.text_of(made[kind])) for form in FORMATS for kind in form.dumps]
    return found + [(name, named(name).holds[0], text) for name, text in FOREIGN.items()]


@pytest.fixture(scope="module")
def written() -> list[tuple[str, type, str]]:
    return texts()


def named(name: str) -> Format:
    (form,) = [form for form in FORMATS if form.name == name]
    return form


def test_names_are_different() -> None:
    assert len(set(NAMES)) == len(NAMES)
    assert all(form.to for form in FORMATS if form.written_kinds)


def test_every_format_recognises_its_own_texts_and_no_others(written: list[tuple[str, type, str]]) -> None:
    assert {name for name, _, _ in written} == set(NAMES)
    for name, _, text in written:
        document = Document(text)
        assert [form.name for form in FORMATS if form.sniff(document)] == [name], text[:80]
        assert format_of(document) is named(name)


@pytest.mark.parametrize("text", ["", "1,2,3\n", "[1]", '{"format": "sidestep"}', "hello?\n"])
def test_no_format_recognises_what_is_none(text: str) -> None:
    assert not any(form.sniff(Document(text)) for form in FORMATS)


def test_things_are_read_as_they_were_written(written: list[tuple[str, type, str]]) -> None:
    """Where a reader needs more than the file, it gets the map or the problem that the thing is about."""
    made = things()
    problem: Problem = made[Problem]
    compared = set()
    for name, kind, text in written:
        form = named(name)
        if name in FOREIGN or kind not in form.loads:
            continue
        beside = [made[kind] for kind in form.needs[-1:]]  # the last one says most
        found = form.loads[kind](Document(text), *beside)
        expected = made[kind]
        if name == "scen":  # names are not part of a scenario
            expected = Problem.from_agents(problem.space, [replace(one, name=None) for one in problem.agents])
        if kind is Layout:  # what a file says beside the graph is kept
            found, expected = found.graph, expected.graph
        assert found == expected, name
        compared.add(name)
    assert compared == set(NAMES) - {*FOREIGN, "lorr"}  # a plan for PlanViz is read as a trace


def test_a_plan_file_has_what_a_result_said() -> None:
    result: Result = things()[Result]
    found = io.read_plan(Document(named("plan").text_of(result)))
    assert (found.problem, found.plan, found.status) == (result.problem, result.plan, result.status)


def test_holds_is_what_is_read_and_what_is_written() -> None:
    assert named("map").holds == (Grid,)
    assert named("lorr").holds == (Trace, Plan)
    assert set(named("plan").holds) == {io.PlanFile, Problem, Plan, Result}


# Suffixes


@pytest.mark.parametrize(
    ("suffix", "word"),
    [
        *[(".map", "map"), (".scen", "scen"), (".json", "json"), (".paths", "eecbs"), (".MAP", "map")],
        *[(".txt", None), (".png", None), ("", None), (".yaml", None)],
    ],
)
def test_the_word_of_a_suffix(suffix: str, word: str | None) -> None:
    """A suffix that two formats have, or that of one that is only read, says nothing about what to write."""
    assert word_for(suffix) == word


def test_the_suffixes_that_tell_are_those_of_one_word() -> None:
    known = telling_suffixes()
    assert {".map", ".json", ".tmj"} <= {*known}
    assert not {".txt", ".yaml"} & {*known}
    assert len({*known}) == len(known)


def test_the_format_of_a_suffix_for_a_thing() -> None:
    assert format_for(".txt", Problem) is named("text")
    assert format_for(".txt", Plan) is named("lacam")
    assert format_for(".json", Problem, Grid) is named("plan")
    assert format_for(".map", Problem, Grid) is named("map")
    assert format_for(".map", Problem) is None


@pytest.mark.parametrize(
    ("suffix", "meant"),
    [(".jsn", ".json"), (".scn", ".scen"), (".mp", ".map"), (".json", None), (".tx", None)],
)
def test_an_unknown_suffix_is_near_a_known_one(suffix: str, meant: str | None) -> None:
    assert suffix_meant(suffix) == meant


# Documents


def test_a_document_is_read_as_a_file_is(tmp_path: Path) -> None:
    text = "\ufeffa.A\r\n..#\r\n"
    (tmp_path / "drawing.txt").write_bytes(text.encode())
    assert io.read_text(Document(text)) == io.read_text(tmp_path / "drawing.txt")
    assert io.load(tmp_path / "drawing.txt").lines == ["a.A", "..#"]


def test_errors_of_a_document_name_it() -> None:
    with pytest.raises(FormatError, match=r"^mine\.txt:2: "):
        io.read_text(Document("a.A\n..", "mine.txt"))
    with pytest.raises(FormatError, match=r"^mine: this is a binary file"):
        Document("a\0", "mine")


def counted(monkeypatch: pytest.MonkeyPatch, module: Any, name: str) -> list[str]:
    """A list that gets an entry whenever a function of a module is called."""
    calls: list[str] = []
    function: Callable[..., Any] = getattr(module, name)

    def count(*given: Any) -> Any:
        calls.append(name)
        return function(*given)

    monkeypatch.setattr(module, name, count)
    return calls


def test_json_is_parsed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    document = Document(named("plan").text_of(things()[Plan]))
    calls = counted(monkeypatch, jsonfile, "parse")
    assert io.detect(document) == "plan"
    assert io.read_plan(document).problem == io.read_problem(document)
    assert calls == ["parse"]


def test_yaml_is_parsed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    document = Document(FOREIGN["multirobot"])
    form, calls = format_of(document), counted(monkeypatch, yamlfile, "_tree")
    assert form.count is not None
    assert form.count(document) == 1
    assert io.read_multirobot(document, Grid.from_text("..")).makespan == 1
    assert calls == ["_tree"]


# What follows from the table


def test_the_table_in_the_documentation() -> None:
    """`python -c "from sidestep.io.formats import markdown; print(markdown())"` prints it."""
    page = (ROOT / "docs" / "formats.md").read_text()
    (table,) = re.findall(r"^\| format \|.*\n(?:\|.*\n)+", page, re.M)
    assert table == markdown()


def test_the_table_names_public_functions() -> None:
    called = set(re.findall(r"`((?:read|write)_\w+)\(", markdown()))
    public = {name for name in io.__all__ if name.startswith(("read_", "write_")) and "save" not in name}
    assert called == public - {"read_tasks"}  # orders, which are neither a problem nor a run


OPENERS = {"open", "read_text", "write_text", "read_bytes", "write_bytes", "TemporaryDirectory"}
MAY_OPEN = {
    "io/files.py",
    "cli/__init__.py",  # nothing, in the place of streams that were closed
    "cli/new_solver.py",  # the templates of a solver, which are part of the package
    "studio/app.py",  # the page's own files, which are part of the package
    "studio/memory.py",  # what the system says about memory
    "studio/pool.py",  # the same
}


def test_files_are_opened_in_one_place() -> None:
    """Nothing in the folders that read and write formats opens a file but `io/files.py`."""
    source = ROOT / "src" / "sidestep"
    found = {
        str(path.relative_to(source))
        for folder in ("io", "cli", "studio", "model", "solvers", "world", "explain")
        for path in (source / folder).glob("*.py")
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Call) and opens(node.func)
    }
    assert found == MAY_OPEN


def opens(function: ast.expr) -> bool:
    if isinstance(function, ast.Name):
        return function.id in ("open", "TemporaryDirectory")
    if not isinstance(function, ast.Attribute) or function.attr not in OPENERS - {"open"}:
        return False
    return not (isinstance(function.value, ast.Name) and function.value.id in ("io", "text"))
