"""`sidestep sweep` and `sidestep compare`."""

from __future__ import annotations

import shutil
import sqlite3

import sidestep as ss
from sidestep.cli import main

SUITE = """
solvers = ["hca", {solver = "whca", window = 4}]
limits = {nodes = 2000}
[[instances]]
generator = "random"
height = 8
width = 8
agents = 3
count = 4
"""


def test_a_suite_is_swept_reported_and_compared(tmp_path, capsys):
    suite = tmp_path / "first.toml"
    suite.write_text(SUITE)
    assert main(["sweep", str(suite), "--jobs", "1", "-o", str(tmp_path / "first.md")]) == 0
    assert "8 rows: 2 solvers on 4 instances" in capsys.readouterr().out
    assert "| whca window=4 | 4 |" in (tmp_path / "first.md").read_text()
    before, after = tmp_path / "first.db", tmp_path / "second.db"
    assert len(ss.Sweep(before)) == 8
    shutil.copy(before, after)
    assert main(["compare", str(before), str(after)]) == 0
    assert capsys.readouterr().out.count("no change") == 2
    with sqlite3.connect(after) as file:
        file.execute("UPDATE rows SET cpu = cpu * 3")
    assert main(["compare", str(before), str(after), "--json"]) == 1
    assert capsys.readouterr().out.count('"slower"') == 2


def test_a_wrong_suite_is_one_sentence(tmp_path, capsys):
    suite = tmp_path / "wrong.toml"
    suite.write_text('solvers = ["whcb"]\ninstances = {generator = "empty", agents = 1}')
    assert main(["sweep", str(suite)]) == 2
    assert "wrong.toml: there is no solver 'whcb': did you mean 'whca'?" in capsys.readouterr().err
    assert main(["compare", str(tmp_path / "none.db"), str(suite)]) == 2
