"""Instances in and out: generators, uploads, downloads, and the file that the studio was started with."""

from __future__ import annotations

import base64
import gzip
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import sidestep as ss
from sidestep import io
from sidestep.instances import random_grid, random_problem
from sidestep.instances.generators import GENERATORS
from sidestep.io.jsonfile import Record
from sidestep.model.errors import InputError
from sidestep.studio.files import SAVES, can_open, format_forms, opened_paths, opened_texts
from sidestep.studio.instances import instance_of, problem_from
from sidestep.studio.jobs import entry_of

from .conftest import DOOR, Studio, instance, running

pytestmark = pytest.mark.bounds

MAP = "type octile\nheight 2\nwidth 3\nmap\n.@.\n...\n"
SCEN = "version 1\n0\tx.map\t3\t2\t0\t0\t2\t0\t4\n0\tx.map\t3\t2\t2\t1\t0\t1\t2\n"


def problem_of(entry: dict[str, Any]) -> ss.Problem:
    return problem_from(Record(entry, "instance", "the answer"))


def read(studio: Studio, **message: Any) -> dict[str, Any]:
    answer = studio.client.post("/api/read", json=message)
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def write(studio: Studio, what: str, shown: dict[str, Any], **more: Any) -> str:
    answer = studio.client.post("/api/write", json={"instance": shown, "what": what, **more})
    assert answer.status_code == 200, answer.text
    text: str = answer.json()["text"]
    return text


@pytest.mark.parametrize("seed", range(5))
def test_an_instance_is_its_problem(seed):
    agents = [
        ss.Agent((0, 0), (1, 1), name="one", priority=3),
        ss.Agent((2, 2), None, name="<two>", size=2, period=3),
    ]
    grid = ss.Grid(random_grid(7, 9, 0.0, seed).passable, 8, "one")
    rules = ss.Rules(following=False, at_goal="disappear", cost="time_off_goal")
    problem = ss.Problem.from_agents(grid, agents, rules=rules)
    assert problem_of(json.loads(json.dumps(instance_of(problem)))) == problem
    problem = random_problem(random_grid(11, 5, 0.3, seed), 6, seed)
    assert problem_of(instance_of(problem)) == problem


@pytest.mark.parametrize("name", GENERATORS)
def test_generators_make_what_the_command_makes(studio, name):
    body = {"generator": name, "agents": 9, "seed": 4, "connectivity": 8, "rules": {"following": False}}
    answer = studio.client.post("/api/generate", json=body).json()
    problem = problem_of(answer["instance"])
    grid = GENERATORS[name].grid(4, connectivity=8)
    assert problem == random_problem(grid, 9, 4, rules=ss.Rules(following=False))


def test_a_map(studio):
    found = problem_of(read(studio, name="x.map", text=MAP)["instance"])
    assert str(found.space) == ".#.\n..."
    assert found.n_agents == 0


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_a_map_and_its_scenario(studio, order):
    files = [{"name": "x.map", "text": MAP}, {"name": "X.SCEN", "text": SCEN}]
    chosen = [files[index] for index in order]
    assert problem_of(read(studio, files=chosen)["instance"]).n_agents == 2
    assert problem_of(read(studio, files=chosen, agents=1)["instance"]).n_agents == 1


def test_a_drawing(studio):
    assert problem_of(read(studio, name="door.txt", text=DOOR)["instance"]) == ss.Problem.from_text(DOOR)
    encoded = base64.b64encode(DOOR.encode()).decode()
    assert problem_of(read(studio, name="door.txt", base64=encoded, agents=1)["instance"]).n_agents == 1


def test_a_plan_comes_with_something_to_play(studio, tmp_path):
    result = ss.solve(ss.Problem.from_text(DOOR), "cbs")
    io.write_result(result, tmp_path / "plan.json")
    answer = read(studio, name="plan.json", text=(tmp_path / "plan.json").read_text())
    assert problem_of(answer["instance"]) == result.problem
    assert b'"verdict":{"valid":true' in gzip.decompress(base64.b64decode(answer["payload"]))


def test_a_trace_too(studio, tmp_path):
    world = ss.World(ss.Problem.from_text(DOOR), ss.WHCA())
    world.step()
    world.add(ss.Agent((1, 2)))
    world.step()
    io.write_trace(world.trace, tmp_path / "trace.json")
    answer = read(studio, name="trace.json", text=(tmp_path / "trace.json").read_text())
    assert problem_of(answer["instance"]) == ss.Problem.from_text(DOOR)
    assert b'"a2"' in gzip.decompress(base64.b64decode(answer["payload"]))


def test_a_trace_keeps_sizes_and_periods(studio, tmp_path):
    agents = [ss.Agent((0, 0), (0, 3), size=2), ss.Agent((3, 0), (3, 5), period=3)]
    problem = ss.Problem.from_agents(ss.Grid(np.ones((4, 6), dtype=bool)), agents)
    world = ss.World(problem, ss.WHCA())
    for _ in range(4):
        world.step()
    io.write_trace(world.trace, tmp_path / "t.json")
    found = read(studio, name="t.json", text=(tmp_path / "t.json").read_text())
    opened = problem_of(found["instance"])
    assert (opened.sizes.tolist(), opened.periods.tolist()) == ([2, 1], [1, 3])
    assert opened == problem


@pytest.mark.parametrize(
    ("files", "part"),
    [
        ([{"name": "x.scen", "text": SCEN}], "x.scen is a scenario"),
        ([{"name": "x.map", "text": MAP}] * 2, "one file"),
        ([], "one file"),
        ([{"name": "x.map", "text": MAP}, {"name": "x.txt", "text": DOOR}], "one file"),
        ([{"name": "a/b/x.map", "text": "type octile\n"}], "x.map:1: the header"),
        ([{"name": "x.txt", "text": "a.A\n.."}], "x.txt:2"),
        ([{"name": "x.txt", "text": "\0"}], "binary"),
        ([{"name": "x.json", "text": "{}"}], "format is missing"),
        ([{"name": "x", "text": "agents=2\nmap_file=x.map\n"}], "does not open"),
        ([{"name": "x.map", "base64": "////"}], "not UTF-8"),
        ([{"name": "x.map", "text": MAP, "path": "/etc/passwd"}], "not a field"),
    ],
)
def test_files_that_cannot_be_opened(studio, files, part):
    answer = studio.client.post("/api/read", json={"files": files})
    assert answer.status_code == 400
    assert part in answer.json()["error"]
    assert "/tmp" not in answer.json()["error"]


def test_too_large_a_map(studio):
    text = f"type octile\nheight 1001\nwidth 1000\nmap\n{('.' * 1000 + chr(10)) * 1001}"
    answer = studio.client.post("/api/read", json={"name": "large.map", "text": text})
    assert "at most 1,000,000 cells" in answer.json()["error"]


def test_a_graph_is_not_drawn(studio, tmp_path):
    io.write_problem(ss.Problem(ss.Graph(2, [[0, 1]]), [0], [1]), tmp_path / "graph.json")
    body = {"name": "graph.json", "text": (tmp_path / "graph.json").read_text()}
    assert "grids" in studio.client.post("/api/read", json=body).json()["error"]


def test_downloads_can_be_opened_again(studio):
    shown = instance()
    for what, name in (("problem", "p.json"), ("text", "d.txt")):
        assert read(studio, name=name, text=write(studio, what, shown))["instance"] == shown
    files = [{"name": f"x.{what}", "text": write(studio, what, shown)} for what in ("map", "scen")]
    found = problem_of(read(studio, files=files)["instance"])
    assert found.starts.tolist() == problem_of(shown).starts.tolist()


def test_every_format_that_keeps_problems_can_be_saved(studio):
    """The page learns from the server what it can save and how the names of maps and scenarios end."""
    keeps = {form.name for form in io.FORMATS if {ss.Problem, ss.Grid} & form.dumps.keys()}
    assert {save.form for save in SAVES} == keeps
    told = studio.client.get("/api/formats").json()
    assert told == format_forms()
    assert told["suffixes"] == {"map": [".map"], "scen": [".scen"]}
    names = [
        studio.client.post("/api/write", json={"instance": instance(), "what": save["what"]}).json()["name"]
        for save in told["save"]
    ]
    assert names == ["problem.json", "drawing.txt", "map.map", "map.scen"]


def test_which_formats_are_opened():
    names = [form.name for form in io.FORMATS if can_open(form)]
    assert names == ["map", "text", "plan", "trace", "nav2-map", "tiled", "godot"]


def test_an_upload_opens_no_other_file():
    text = "image: /etc/hostname\nresolution: 0.05\norigin: [0, 0, 0]\n"
    with pytest.raises(InputError, match="is another file"):
        opened_texts([("map.yaml", text)])


def test_downloaded_code_solves_the_instance(studio, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    exec(write(studio, "python", instance(), solver="cbs", params={"heuristic": "cg"}, seed=2, seconds=3))
    assert capsys.readouterr().out == "Result(optimal: cost 13, makespan 8)\n"
    assert Path("replay.html").exists()
    exec(write(studio, "python", instance()))
    assert "solved" in capsys.readouterr().out


def test_what_cannot_be_written(studio):
    body = {"instance": instance("a . ."), "what": "scen"}
    assert "has no goal" in studio.client.post("/api/write", json=body).json()["error"]
    body = {"instance": instance(), "what": "pickle"}
    assert "one of problem" in studio.client.post("/api/write", json=body).json()["error"]


def test_the_given_file(tmp_path):
    drawing = tmp_path / "door.txt"
    drawing.write_text(DOOR)
    given = entry_of(opened_paths([drawing]))
    with running(given=given) as studio:
        found = studio.client.get("/api/given")
        assert found.status_code == 200
        assert problem_of(found.json()["instance"]) == ss.Problem.from_text(DOOR)


def test_a_given_file_within_limits_only(tmp_path):
    large = tmp_path / "large.map"
    io.write_map(ss.Grid(np.ones((1001, 1000), dtype=np.bool_)), large)
    with pytest.raises(InputError, match="at most 1,000,000 cells"):
        opened_paths([large])
