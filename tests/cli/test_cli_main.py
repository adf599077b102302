"""The command line as a whole: exit codes, one line for an error, and real processes."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import sidestep as ss
from sidestep.cli.commands import COMMANDS

from .conftest import Sidestep

pytestmark = pytest.mark.bounds

NAMES = [str(command.name) for command in COMMANDS]


def spawn(*arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "sidestep", *arguments],
        cwd=cwd,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


def test_every_command_is_there_and_explains_itself(sidestep: Sidestep) -> None:
    assert NAMES[:8] == ["demo", "solve", "improve", "run", "validate", "view", "explain", "studio"]
    assert NAMES[8:13] == ["agents", "generate", "solvers", "new-solver", "convert"]
    assert NAMES[13:] == ["reproduce", "tune", "sweep", "compare"]
    overview = sidestep("--help")
    assert overview.code == 0
    for name in NAMES:
        assert name in overview.out
        shown = sidestep(name, "--help")
        assert shown.code == 0
        assert shown.out.startswith(f"Usage: sidestep {name}")


def test_version(sidestep: Sidestep) -> None:
    assert sidestep("--version").out.startswith("sidestep ")


def test_no_command_shows_the_help(sidestep: Sidestep) -> None:
    done = sidestep()
    assert done.code == 2
    assert "Usage: sidestep" in done.err


@pytest.mark.parametrize("digits", [1001, 5000, 200_000])
@pytest.mark.parametrize(
    "arguments",
    [
        ("solve", "drawing.txt", "--seed"),
        ("run", "drawing.txt", "--tasks", "random", "--active"),
        ("explain", "plan.json", "--agent", "0", "--time", "0", "--not"),
        ("generate", "random", "--height"),
    ],
    ids=lambda given: given[0],
)
def test_a_number_of_thousands_of_digits_is_refused_in_one_short_sentence(
    sidestep: Sidestep, folder: Path, arguments: tuple[str, ...], digits: int
) -> None:
    done = sidestep(*arguments, "9" * digits)
    done.refused("digits in a row: give a smaller number")
    assert len(done.err) < 200


def test_an_unknown_command(sidestep: Sidestep) -> None:
    sidestep("slove").refused("slove")


@pytest.mark.parametrize(
    ("error", "code", "part"),
    [
        (ss.InputError("two\nlines"), 2, "sidestep: two lines"),
        (ss.UnsupportedError("not this problem"), 2, "not this problem"),
        (ss.MissingExtraError("matplotlib", "plot"), 2, "pip install"),
        (PermissionError(13, "Permission denied", "plan.json"), 2, "plan.json: permission denied"),
        (MemoryError(), 2, "memory"),
        (KeyboardInterrupt(), 130, "interrupted"),
    ],
)
def test_errors_become_one_line(
    sidestep: Sidestep, monkeypatch: pytest.MonkeyPatch, error: BaseException, code: int, part: str
) -> None:
    def fail(*_: object) -> None:
        raise error

    monkeypatch.setattr("sidestep.cli.solvers._table", fail)
    done = sidestep("solvers")
    assert done.code == code
    assert done.out == ""
    assert part in done.err
    assert len(done.err.strip().splitlines()) == 1


def test_python_m_sidestep(folder: Path) -> None:
    done = spawn("solve", "drawing.txt", "--json", "-o", "plan.json", cwd=folder)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["valid"] is True
    assert done.stderr == ""
    done = spawn("validate", "plan.json", cwd=folder)
    assert done.returncode == 0
    assert done.stdout.startswith("valid: plan.json")


def test_bad_input_in_a_process(folder: Path) -> None:
    done = spawn("solve", "drawing.txt", "--solver", "wcha", cwd=folder)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "sidestep: there is no solver 'wcha': did you mean 'whca'?\n"


@pytest.mark.skipif(os.name != "posix", reason="closes a stream in a POSIX shell")
@pytest.mark.parametrize("closed", [">&-", "2>&-", ">&- 2>&-", "<&-"])
def test_a_closed_stream_is_no_error(folder: Path, closed: str) -> None:
    command = f'"$0" -m sidestep solve drawing.txt -o plan.json {closed}'
    done = subprocess.run(
        ["sh", "-c", command, sys.executable], cwd=folder, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert (folder / "plan.json").exists()


@pytest.mark.skipif(os.name != "posix", reason="sends a POSIX signal")
def test_ctrl_c_ends_a_process_with_130(folder: Path) -> None:
    """An unsolvable corridor keeps the solver busy until it is interrupted."""
    (folder / "corridor.txt").write_text("a" + "." * 30 + "b" + "." * 30 + "A\n")
    program = "import sys, sidestep.cli as c; print('ready', flush=True); sys.exit(c.main(sys.argv[1:]))"
    command = [
        sys.executable,
        "-c",
        program,
        "solve",
        "corridor.txt",
        "--solver",
        "whca",
        "--time-limit",
        "50",
        "--max-turns",
        str(10**9),
    ]
    with subprocess.Popen(
        command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        process.stdout.readline()
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert err.strip() == "sidestep: interrupted"
