"""What a call costs: wall time, and CPU time, which a busy machine disturbs less."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from time import perf_counter, process_time, thread_time_ns
from typing import TypeVar

from ..model.problem import Problem
from ..model.result import Result
from ..solve import solve
from ..solvers import Solver

Answer = TypeVar("Answer")


@dataclass(frozen=True)
class Spent:
    """Seconds."""

    wall: float
    cpu: float

    def least(self, other: Spent) -> Spent:
        """The better of two measurements of the same work: noise only ever adds."""
        return Spent(min(self.wall, other.wall), min(self.cpu, other.cpu))


def timed(call: Callable[[], Answer]) -> tuple[Answer, Spent]:
    """The answer of a call and what it took."""
    wall, cpu = perf_counter(), process_time()
    answer = call()
    return answer, Spent(cpu=process_time() - cpu, wall=perf_counter() - wall)


def least_of(repeats: int, call: Callable[[], object]) -> Spent:
    """The least that a call takes in several attempts."""
    best = timed(call)[1]
    for _ in range(repeats - 1):
        best = best.least(timed(call)[1])
    return best


def stop_after(seconds: float) -> Callable[[], bool]:
    """A stop flag that is set once the process has computed for so long, whatever the clock says.

    So a busy machine takes longer, but solves as much.
    """
    end = process_time() + seconds
    return lambda: process_time() > end


def solve_within(seconds: float, problem: Problem, solver: Solver, *, seed: int = 0) -> Result:
    """A solve limited by time of the processor, not of the clock; `seconds` of its stats are that, too."""
    result, spent = timed(
        lambda: solve(problem, solver, time_limit=None, stop=stop_after(seconds), seed=seed)
    )
    return replace(result, stats={**result.stats, "seconds": spent.cpu})


def thread_milliseconds(call: Callable[[], object]) -> float:
    """The CPU time of this thread that a call takes, so that other work does not count."""
    begin = thread_time_ns()
    call()
    return (thread_time_ns() - begin) / 1e6
