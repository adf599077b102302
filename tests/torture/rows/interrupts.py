"""Ctrl-C: every command answers a signal at a random instant, soon, with one line and without a traceback.

A case is a process that is interrupted after a random amount of CPU time, anywhere between the beginning of
our entry module and the end of the command. What it takes to answer is measured in CPU time, too.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import NamedTuple

import sidestep as ss
from sidestep import io
from sidestep.instances import random_grid, random_problem

from ..row import Failed, Pace, Row, Tally

MOST = 0.100  # seconds
MOST_WHEN_BRIEF = 1.0  # machines that test are busy, and so are their caches
SIDE, BRIEF_SIDE = 1024, 64
ANSWER = "sidestep: interrupted"
BEGIN = "import os, sys; from sidestep.cli import process; os.write(1, b'ready'); process()"

COMMANDS = (
    "solvers",
    "generate random --height {side} --width {side} --agents {agents} -o out.map",
    "generate maze --height {side} --width {side} -o out.map",
    "generate cave --height {side} --width {side} --agents 20 -o out.json",
    "solve map.map --scen map.scen --time-limit 2",
    "solve map.map --scen map.scen --solver hca --time-limit 2 -o out.json",
    "solve map.map --scen map.scen --solver cbs --time-limit 2",
    "validate plan.json",
    "view plan.json -o out.html",
    "view plan.json -o out.png",
    "explain plan.json --agent a3",
    "convert plan.json out.paths",
    "convert plan.json out.json",
    "convert map.map out.txt --to text",
    "demo -o out.html --no-open",
    "tune --help",
)


class Answer(NamedTuple):
    """What became of a process that was interrupted."""

    seconds: float  # of CPU time from the signal to the end; 0 if it had ended before
    code: int
    said: str


def cpu_time(pid: int) -> float:
    """Of another process, so far (clock_getcpuclockid(3))."""
    return time.clock_gettime((~pid << 3) | 2)


def interrupted(command: list[str], folder: Path, after: float) -> Answer:
    """Runs a command and interrupts it after an amount of CPU time, from its own beginning on."""
    whole = [sys.executable, "-c", BEGIN, *command]
    with subprocess.Popen(whole, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        os.read(process.stdout.fileno(), 5)
        begin = cpu_time(process.pid)
        while (spent := cpu_time(process.pid)) < begin + after:
            if os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None:
                break
            time.sleep(0.001)
        os.kill(process.pid, signal.SIGINT)  # not send_signal, which would reap one that has ended
        said = process.stderr.read().decode()
        os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
        seconds = cpu_time(process.pid) - spent
    return Answer(seconds, process.returncode, said)


def write_inputs(folder: Path, side: int) -> dict[str, int]:
    """A map, a scenario and a plan on it; returns what the commands are filled in with."""
    agents = max(side * side // 2600, 10)
    problem = random_problem(random_grid(side, side, 0.1, 1), agents, 1)
    io.write_map(problem.space, folder / "map.map")
    io.write_scen(problem, folder / "map.scen", "map.map")
    io.write_result(ss.solve(problem, "whca", time_limit=None), folder / "plan.json")
    return {"side": side, "agents": agents}


def try_case(number: int, folder: Path, fill: dict[str, int], most: float) -> float:
    """One command at one instant; returns how long the answer took."""
    command = COMMANDS[number % len(COMMANDS)].format(**fill).split()
    after = random.Random(number).uniform(0.001, 1.5 * fill["side"] / SIDE + 0.3)
    answer = interrupted(command, folder, after)
    where = f"{' '.join(command)}, interrupted after {after:.3f} s"
    if "Traceback" in answer.said or "Exception ignored" in answer.said:
        raise Failed(f"{where}: {answer.said}")
    if answer.code == 130 and answer.said.strip() != ANSWER:
        raise Failed(f"{where}: said {answer.said!r}")
    if answer.code not in (0, 1, 130):
        raise Failed(f"{where}: exit status {answer.code}, {answer.said!r}")
    if answer.code == 130 and answer.seconds > most:
        raise Failed(f"{where}: answered after {1000 * answer.seconds:.0f} ms of CPU time")
    return answer.seconds if answer.code == 130 else 0.0


def run(pace: Pace) -> Tally:
    """Every command again and again."""
    side, most = (BRIEF_SIDE, MOST_WHEN_BRIEF) if pace.brief else (SIDE, MOST)
    fill = write_inputs(pace.folder, side)
    pace.beat()
    worst, failures = 0.0, []
    for number in pace:
        try:
            worst = max(worst, try_case(number, pace.folder, fill, most))
        except Failed as failed:
            failures.append(str(failed))
        pace.beat(checks=1)
    return Tally(failures=failures, notes=f"answered within {1000 * worst:.0f} ms of CPU time")


ROW = Row(
    name="interrupts",
    what="Ctrl-C is answered with one line, and soon",
    full=2_000,
    weight=10,
    unit="processes",
    run=run,
    needs=lambda: "" if sys.platform == "linux" else "clocks of other processes are read as Linux has them",
)
