"""Sweeps in processes: every trial has one row, whatever happens to clients and workers."""

from __future__ import annotations

import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import time

import pytest

import sidestep as ss
from sidestep.sweeps import progress_page
from sidestep.sweeps.instances import Made
from sidestep.sweeps.processes import Processes
from sidestep.sweeps.run import progress_text
from sidestep.sweeps.suite import suite_of
from sidestep.sweeps.trial import Limits, SolverSpec, Trial
from sidestep.sweeps.worker import digest_of, machine, run_trial
from tests.sweeps.makers import SMALL, Deadly, Raising, corridor, outcomes

PATIENCE = 60


def test_every_trial_has_a_row_that_says_where_it_comes_from(small):
    rows = list(small)
    assert len(rows) == len(small) == 24
    assert {row["status"] for row in rows} <= {"optimal", "solved", "timeout", "gave_up"}
    assert {row["sidestep"] for row in rows} == {ss.__version__}
    assert all(row["machine"] and row["command"] and row["started"] and row["key"] for row in rows)


def test_a_row_is_what_solve_and_the_judge_say(small):
    for row in list(small)[:6]:
        trial = next(trial for trial in suite_of(SMALL) if trial.key.hex().upper() == row["key"])
        problem = trial.instance.problem()
        result = ss.solve(problem, trial.solver.made, time_limit=None, node_limit=2000)
        assert (row["status"], row["cost"]) == (result.status, result.plan and result.plan.cost)
        assert row["solved"] == bool(result.plan and ss.validate(problem, result.plan))
        assert row["digest"] == digest_of(problem)


def test_what_is_there_is_not_run_again(small, tmp_path):
    """A copy of a ledger goes on elsewhere, and a suite may grow."""
    ledger = tmp_path / "copy.db"
    shutil.copy(small.path, ledger)
    told = []
    again = ss.sweep(
        **{**SMALL, "solvers": [*SMALL["solvers"], "ca"]},
        ledger=ledger,
        jobs=1,
        on_progress=lambda part, text: told.append(part),
    )
    assert len(again) == 32
    assert told[-1] == 1.0
    assert {row["run"] for row in runs_of(ledger) if row["solver"] != "ca"} == {1}
    assert {row["run"] for row in runs_of(ledger) if row["solver"] == "ca"} == {2}
    assert [one for one in outcomes(again) if one[0] != "ca"] == outcomes(small)


def runs_of(ledger):
    with sqlite3.connect(ledger) as file:
        file.row_factory = sqlite3.Row
        return file.execute("SELECT run, label AS solver FROM rows JOIN solvers ON id = solver").fetchall()


def test_a_trial_that_kills_its_worker_is_a_row_and_harms_no_other(tmp_path):
    instances = {**SMALL["instances"], "agents": [2, 3], "count": 1}
    done = ss.sweep(solvers=[Deadly(), "hca"], instances=instances, ledger=tmp_path / "deadly.db", jobs=2)
    assert len(done) == 4
    (deadly,) = [row for row in done if row["status"] == "crashed"]
    assert deadly["solver"] == "Deadly"
    assert deadly["reason"] == "whatever worker it was given to died"
    assert sum(row["solved"] for row in done) == 3


def test_an_error_is_a_row_and_can_be_tried_again(tmp_path, monkeypatch):
    suite = {"solvers": [Raising()], "instances": corridor, "limits": {"nodes": 9}}
    (row,) = ss.sweep(**suite, ledger=tmp_path / "raising.db", jobs=1)
    assert (row["status"], row["reason"], row["solved"]) == ("error", "RuntimeError: no luck", 0)
    ss.sweep(**suite, ledger=tmp_path / "raising.db", jobs=1, retry=True)
    assert [row["run"] for row in runs_of(tmp_path / "raising.db")] == [2]


def test_a_problem_that_a_solver_does_not_take_is_a_row():
    trial = Trial(
        SolverSpec("dpca"), Made("tests.sweeps.makers:corridor", 0, {"length": 0}), 0, Limits(nodes=5)
    )
    assert run_trial(trial).status == "error"
    big = ss.Problem.from_agents(ss.Grid([[True] * 4] * 4), [ss.Agent((0, 0), (2, 2), size=2)])
    taken = run_trial(Trial(SolverSpec("cbs"), Fixed(big), 0, Limits(nodes=5)))
    assert taken.status == "unsupported"
    assert "cbs does not take this problem" in taken.reason


class Fixed:
    identity, map = "fixed", "fixed"

    def __init__(self, problem):
        self.problem = lambda: problem


def test_a_ledger_of_another_version_is_refused(small, tmp_path):
    ledger = tmp_path / "old.db"
    shutil.copy(small.path, ledger)
    with sqlite3.connect(ledger) as file:
        file.execute("UPDATE runs SET sidestep = '0.0.1'")
    with pytest.raises(ss.InputError, match=r"has rows of sidestep 0\.0\.1"):
        ss.sweep(**SMALL, ledger=ledger)


def test_what_is_no_ledger_is_refused(tmp_path):
    text = tmp_path / "text.db"
    text.write_text("not a ledger at all, but long enough to have a header of one hundred bytes" * 3)
    with pytest.raises(ss.FormatError, match="no ledger"):
        ss.sweep(**SMALL, ledger=text)
    with sqlite3.connect(tmp_path / "other.db") as file:
        file.execute("CREATE TABLE other (id)")
    for name, error in (
        ("text.db", ss.FormatError),
        ("other.db", ss.FormatError),
        ("none.db", ss.InputError),
    ):
        with pytest.raises(error):
            ss.Sweep(tmp_path / name)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"ledger": None}, "a sweep needs a ledger"),
        ({"jobs": 0}, "jobs must be a whole number from 1"),
        ({"suite": "suite.toml"}, "a suite in a file has its solvers"),
    ],
    ids=str,
)
def test_wrong_arguments_are_refused_in_a_sentence(arguments, sentence, tmp_path):
    with pytest.raises(ss.InputError, match=sentence):
        ss.sweep(**{**SMALL, "ledger": tmp_path / "a.db", **arguments})


def test_progress_has_a_rate_and_an_estimate():
    assert progress_text(1200, 8000, 1000, 10.0) == "1,200 of 8,000 rows, 100 rows/s, 1:08 left"
    assert progress_text(10, 100_010, 10, 5.0) == "10 of 100,010 rows, 2.0 rows/s, 13:53:20 left"
    assert progress_text(0, 5, 0, 1.0) == "0 of 5 rows, 0.0 rows/s"


# Kills

CLIENT = """
import sys, sidestep as ss
from tests.sweeps.makers import SMALL
ss.sweep(**SMALL, ledger=sys.argv[1], jobs=2)
"""


def client(ledger):
    return subprocess.Popen([sys.executable, "-c", CLIENT, str(ledger)], start_new_session=True)


def test_a_killed_client_loses_nothing_and_leaves_nobody_behind(small, tmp_path):
    ledger = tmp_path / "killed.db"
    process = client(ledger)
    wait_until(lambda: rows_in(ledger) > 0 or process.poll() is not None)
    workers = children_of(process.pid)
    process.kill()
    process.wait()
    wait_until(lambda: not any(map(is_running, workers)))
    assert outcomes(ss.sweep(**SMALL, ledger=ledger, jobs=2)) == outcomes(small)


def test_killed_workers_lose_nothing_and_double_nothing(small, tmp_path, monkeypatch):
    """Two of them, at instants that are drawn."""
    draw = random.Random(7)
    kills = []
    send = Processes.send

    def send_and_kill(self, batch):
        send(self, batch)
        if len(kills) < 2 and self.pids and draw.random() < 0.3:
            kills.append(draw.choice(self.pids))
            os.kill(kills[-1], signal.SIGKILL)

    monkeypatch.setattr(Processes, "send", send_and_kill)
    done = ss.sweep(**SMALL, ledger=tmp_path / "workers.db", jobs=2)
    assert len(kills) == 2
    assert outcomes(done) == outcomes(small)


def rows_in(ledger):
    try:
        with sqlite3.connect(f"file:{ledger}?mode=ro", uri=True) as file:
            return file.execute("SELECT count(*) FROM rows").fetchone()[0]
    except sqlite3.OperationalError:
        return 0


def children_of(pid):
    found = subprocess.run(
        ["ps", "--ppid", str(pid), "-o", "pid="], capture_output=True, text=True, check=False
    )
    return [int(word) for word in found.stdout.split()]


def is_running(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def wait_until(condition):
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.01)


# The page


def test_a_page_says_how_far_a_sweep_is_and_how_it_ended(tmp_path, monkeypatch):
    monkeypatch.setattr(progress_page, "EVERY", 0.0)
    page, seen = tmp_path / "progress.html", []
    suite = {**SMALL, "solvers": [Raising(), "hca"], "ledger": tmp_path / "a<b.db", "jobs": 1, "page": page}

    def stop(part, text):
        seen.append((part, text, page.read_text()))
        if part > 0.5:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        ss.sweep(**suite, on_progress=stop)
    part, text, shown = seen[0]
    assert f'<progress value="{part:.4f}"' in shown
    assert text in shown
    assert 'http-equiv="refresh"' in shown
    assert "Sweep a&lt;b runs" in shown
    assert "was interrupted" in page.read_text()
    ss.sweep(**suite)
    last = page.read_text()
    assert "Sweep a&lt;b is done" in last
    assert "16 of 16 rows" in last
    assert "refresh" not in last
    assert f"<td>{machine().split(',')[0]}" in last
