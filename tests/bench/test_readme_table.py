"""The table in the README is what was measured."""

from __future__ import annotations

import json
from pathlib import Path

from sidestep.bench.readme import excerpt, table, with_table

ROOT = Path(__file__).parents[2]


def test_the_table_in_the_readme_is_the_recorded_one():
    kept = json.loads((ROOT / "docs/benchmarks.json").read_text())
    readme = (ROOT / "README.md").read_text()
    assert with_table(readme, kept) == readme


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
    kept = excerpt(record)
    assert "wall" not in kept["rows"][0]
    assert "| 8x8 | 3 | HCA* | 5, 0, 5 | w9 solves none |  |" in table(kept)
