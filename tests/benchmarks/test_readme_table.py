"""The tables in the README and the docs are what was measured."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks.readme import OPTIMAL, PAGES, RIVALS, SCENARIOS, in_lines, main
from benchmarks.which_solver import AGENTS, CHART, GUIDE, SOLVERS, digest

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("page", [*PAGES, GUIDE], ids=lambda page: page.section)
def test_a_table_is_the_recorded_one(page):
    kept = json.loads((ROOT / page.numbers).read_text())
    text = (ROOT / page.path).read_text()
    assert page.with_table(text, kept) == text
    assert in_lines(kept) == (ROOT / page.numbers).read_text()


def test_the_chart_of_solvers_is_of_the_record():
    kept = json.loads((ROOT / GUIDE.numbers).read_text())
    assert {(row["solver"], row["agents"]) for row in kept["rows"]} == {
        (solver, agents) for solver in SOLVERS for agents in AGENTS
    }
    assert digest(kept) in (ROOT / CHART).read_text()


def test_the_record_bears_out_what_the_project_promises():
    """An equal or better success rate and a faster WHCA* at every size, three times so on larger maps."""
    kept = json.loads((ROOT / "docs/benchmarks.json").read_text())
    for row in kept["rows"]:
        assert row["ours solved"] >= row["theirs solved"]
        if row["both"] and row["algorithm"].startswith("WHCA"):
            assert row["both median ratio"] > (3 if row["map"] != "32x32" else 1)
    largest = [row for row in kept["rows"] if (row["map"], row["agents"]) == ("128x128", 400)]
    assert next(row for row in largest if row["algorithm"] == "HCA*")["both median ratio"] > 10


def test_a_size_that_the_rival_never_solves_says_so():
    row = {
        "map": "8x8",
        "agents": 3,
        "algorithm": "HCA*",
        "instances": 5,
        "ours solved": 5,
        "theirs solved": 0,
    }
    record = {
        "sidestep": "9.9",
        "sections": {"rivals": {"tables": [{"rows": [{**row, "both": 0, "wall": 1.0}]}]}},
    }
    kept = RIVALS.excerpt(record)
    assert "wall" not in kept["rows"][0]
    assert "| 8x8 | 3 | HCA* | 5, 0, 5 | w9 solves none |  |" in RIVALS.table(kept)


def test_optimal_solvers_solve_what_was_promised():
    rows = json.loads((ROOT / OPTIMAL.numbers).read_text())["rows"]
    for row in rows:
        assert row["ours solved"] >= row["theirs solved"]
        assert row["different"] == 0
        if row["algorithm"] == "CBS" and row["agents"] in (30, 40):
            assert row["ours solved"] >= 2 * max(1, row["theirs solved"])
    for name in ("OD+ID", "ICTS"):
        lead = [row["ours solved"] - row["theirs solved"] for row in rows if row["algorithm"] == name]
        assert sum(lead) > 0


def test_the_scenarios_that_the_project_promises():
    rows = json.loads((ROOT / SCENARIOS.numbers).read_text())["rows"]
    most = {row["scenario"]: row["most"] for row in rows if row["solver"] == "CBS"}
    assert {"room-32-32-4-random-1", "warehouse-10-20-10-2-1-random-1"} <= most.keys()
    assert all(most[name] >= 40 for name in most if name.startswith("random-32-32-20"))


def test_a_recorded_run_goes_into_its_page_only(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "docs/guides").mkdir(parents=True)
    page = tmp_path / SCENARIOS.path
    page.write_text("before\n<!-- scenarios: begin -->\nold\n<!-- scenarios: end -->\nafter\n")
    rows = [{"scenario": "m", "solver": "CBS", "most": 20, "costs": [[10, 5], [20, 9]], "seconds": 1.5}]
    record = {"sidestep": "9.9", "sections": {"scenarios": {"tables": [{"rows": rows}]}}}
    (tmp_path / "run.json").write_text(json.dumps(record))
    main(["run.json"])
    assert "| m | 20 |" in page.read_text()
    assert "old" not in page.read_text()
    kept = json.loads((tmp_path / SCENARIOS.numbers).read_text())
    assert kept["rows"] == [{key: rows[0][key] for key in ("scenario", "solver", "most", "costs")}]
