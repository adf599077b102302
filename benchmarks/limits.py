"""How well limits are kept: overruns of a time limit by every solver, and the answer to Ctrl-C."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from threading import Timer
from time import perf_counter, sleep

import numpy as np

from sidestep import Problem, SidestepError
from sidestep.papers.timing import Spent, timed
from sidestep.solve import solve
from sidestep.solvers import SOLVERS

from .interrupted import INTERRUPTED, PLANNING
from .measurements import Column, Measurements, Row, Say, Table, Target
from .scenes import RandomScene

OVERRUN = Target("time limit of 50 ms, 500 agents on 128x128: worst overrun of any solver", 10, "ms")
NEAR_THE_END = Target("a limit shortly before a run's end: worst overrun of any solver", 10, "ms")
INTERRUPT = Target("Ctrl-C: slowest answer of any solver", 100, "ms")

CHECKOUT = Path(__file__).parents[1]  # where `benchmarks` can be imported
GIVE_UP = 60.0  # seconds after which a process that does not answer is killed
ARMY = RandomScene(128, 0.2, 500)


@dataclass(frozen=True)
class Settings:
    """What is measured. `shares` are limits as parts of the time that a run takes without one."""

    scene: RandomScene = ARMY
    limit: float = 0.050
    instances: int = 10
    shares: tuple[float, ...] = (0.5, 0.7, 0.8, 0.9, 0.95)
    share_instances: int = 3
    longest: float = 2.0  # seconds that a run without a limit may take
    interrupts: int = 10
    solvers: tuple[str, ...] = tuple(SOLVERS)


FULL = Settings()
QUICK = Settings(instances=4, share_instances=1, interrupts=4)


def measure(settings: Settings, seed: int, say: Say) -> Measurements:
    """Every solver that is asked for."""
    fixed: list[Row] = []
    shares: list[Row] = []
    interrupts: list[Row] = []
    for solver in settings.solvers:
        say(f"{solver}: time limits")
        fixed.append(_overruns(solver, list(fixed_limits(solver, settings, seed))))
        shares.append(_overruns(solver, list(limits_near_the_end(solver, settings, seed))))
        if os.name == "posix":
            say(f"{solver}: Ctrl-C")
            interrupts.append(interrupt_row(solver, settings, seed))
    verdicts = (
        OVERRUN.judge(_worst(fixed)),
        NEAR_THE_END.judge(_worst(shares)),
        INTERRUPT.judge(_worst(interrupts)),
    )
    return Measurements(_tables(settings, fixed, shares, interrupts), verdicts)


@dataclass(frozen=True)
class Limited:
    """One run with a time limit, in seconds."""

    limit: float
    spent: Spent
    status: str


def fixed_limits(solver: str, settings: Settings, seed: int) -> Iterator[Limited]:
    """Several instances with one limit."""
    for number in range(settings.instances):
        yield run(solver, settings.scene.problem(seed + number), settings.limit)


def limits_near_the_end(solver: str, settings: Settings, seed: int) -> Iterator[Limited]:
    """Limits that run out while a solver is about to finish: what it does last must keep them too."""
    for number in range(settings.share_instances):
        problem = settings.scene.problem(seed + number)
        whole = run(solver, problem, settings.longest).spent.wall
        for share in settings.shares:
            yield run(solver, problem, share * min(whole, settings.longest))


def run(solver: str, problem: Problem, limit: float) -> Limited:
    """One run, the compilation of its map included."""
    problem.compiled = None
    result, spent = timed(lambda: solve(problem, solver, time_limit=limit))
    return Limited(limit, spent, result.status.value)


def _overruns(solver: str, runs: Sequence[Limited]) -> Row:
    """Milliseconds beyond the limit, 0 for runs that ended within it."""
    wall = np.array([max(run.spent.wall - run.limit, 0) for run in runs]) * 1e3
    cpu = np.array([max(run.spent.cpu - run.limit, 0) for run in runs]) * 1e3
    return {
        "solver": solver,
        "runs": len(runs),
        "timeouts": sum(run.status == "timeout" for run in runs),
        "median wall": float(np.median(wall)),
        "worst wall": float(wall.max()),
        "worst": float(cpu.max()),
    }


def interrupt_row(solver: str, settings: Settings, seed: int) -> Row:
    """Milliseconds from the signal to the answer, over several moments of a run."""
    answers = np.array(list(interrupt(solver, settings, seed))) * 1e3
    return {
        "solver": solver,
        "runs": len(answers),
        "median wall": float(np.median(answers)),
        "worst": float(answers.max()),
    }


def interrupt(solver: str, settings: Settings, seed: int) -> Iterator[float]:
    """Seconds until a process that plans answers SIGINT."""
    times = settings.interrupts
    scene = settings.scene
    values = (solver, scene.side, scene.density, scene.agents, seed, times)
    command = [sys.executable, "-m", f"{__package__}.interrupted", *map(str, values)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=CHECKOUT) as process:
        watchdog = Timer(GIVE_UP, process.kill)
        watchdog.start()
        try:
            for number in range(times):
                _await(process, PLANNING)
                sleep(0.02 + 0.3 * number / times)  # a different moment every time
                sent = perf_counter()
                process.send_signal(signal.SIGINT)
                _await(process, INTERRUPTED)
                yield perf_counter() - sent
        finally:
            watchdog.cancel()
            process.kill()


def _await(process: subprocess.Popen[str], word: str) -> None:
    assert process.stdout is not None
    if process.stdout.readline().strip() != word:
        raise SidestepError(f"the process that is to be interrupted ended before it said {word!r}")


def _worst(rows: Sequence[Row]) -> float | None:
    return max((row["worst"] for row in rows), default=None)


def _tables(
    settings: Settings, fixed: Sequence[Row], shares: Sequence[Row], interrupts: Sequence[Row]
) -> tuple[Table, ...]:
    scene = f"{settings.scene.agents} agents on {settings.scene.side}x{settings.scene.side}"
    solver, runs = Column("solver"), Column("runs")
    timeouts, worst_cpu = Column("timeouts"), Column("worst", "worst\nCPU", ".2f")
    median, worst_wall = (Column(f"{which} wall", f"{which}\nwall", ".2f") for which in ("median", "worst"))
    overrun = (solver, runs, timeouts, median, worst_wall, worst_cpu)
    answer = (solver, runs, Column("median wall", "median", ".2f"), Column("worst", form=".2f"))
    note = "Worst wall counts what other programs took; worst CPU does not."
    percent = ", ".join(f"{share:.0%}" for share in settings.shares)
    limit = f"{settings.limit * 1e3:g} ms"
    return (
        Table(f"Overrun of a time limit of {limit}, {scene}, ms", overrun, tuple(fixed), (note,)),
        Table(f"Overrun of limits of {percent} of a whole run, {scene}, ms", overrun, tuple(shares), (note,)),
        Table(f"Answer to Ctrl-C, {scene}, wall ms", answer, tuple(interrupts)),
    )
