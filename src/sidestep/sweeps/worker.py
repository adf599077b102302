"""Where trials are run: a batch of them comes in, a batch of rows goes out.

As a program (`main`) it takes batches from its standard input and answers on its
standard output, until that input ends: then it ends too, whatever it is doing. So no worker outlives its
client, however that ends, and scripts need no guard around what starts workers.
"""

from __future__ import annotations

import os
import pickle
import platform
import sys
import threading
from collections.abc import Callable, Sequence
from functools import lru_cache
from hashlib import blake2b
from queue import SimpleQueue
from time import perf_counter, process_time
from typing import IO, Any, NamedTuple

import numpy as np

from .. import __version__
from ..judge import validate
from ..model.agents import ATTRIBUTES
from ..model.errors import SidestepError, UnsupportedError
from ..model.grid import Grid
from ..model.problem import Problem
from ..model.result import Result
from ..model.support import HONOURED
from ..model.to_core import compiled_space
from ..solve import solve
from .trial import Instance, Trial

UNSUPPORTED, ERROR, CRASHED = "unsupported", "error", "crashed"
LENGTH_BYTES = 8  # of a frame, before it
MOST_REASON = 300  # characters


class Outcome(NamedTuple):
    """What a trial came to.

    Attributes:
        status: That of the result; `unsupported`, `error` or `crashed` where there is none.
        valid: What the judge says of the plan; None without a plan.
        cost: Of the plan; None without one.
        makespan: Of the plan; None without one.
        lower_bound: No plan costs less; None where none is known.
        seconds: Of the clock, for solving.
        cpu: Seconds of the processor, for solving.
        expansions: Nodes, where the solver counts them.
        agents: Of the problem.
        digest: Of the problem: two that are alike have the same.
        reason: Why there is no plan.
    """

    status: str
    valid: bool | None = None
    cost: int | None = None
    makespan: int | None = None
    lower_bound: int | None = None
    seconds: float | None = None
    cpu: float | None = None
    expansions: int | None = None
    agents: int | None = None
    digest: str = ""
    reason: str = ""


class Answer(NamedTuple):
    """The outcomes of a batch, in order; which machine it was, with which version; and what it took."""

    machine: str
    version: str
    outcomes: Sequence[Any]
    seconds: float


def run_batch(run: Callable[[Any], Any], batch: Sequence[Any]) -> Answer:
    """Runs the trials of a batch, one after another; an error of one is an error of all."""
    begin = perf_counter()
    outcomes = [run(trial) for trial in batch]
    return Answer(machine(), __version__, outcomes, perf_counter() - begin)


def run_trial(trial: Trial) -> Outcome:
    """Runs one trial; an error is an outcome, too."""
    try:
        problem, digest = _problem_of(trial.instance)
    except Exception as error:
        return Outcome(ERROR, reason=_said(error))
    about: dict[str, Any] = {"agents": problem.n_agents, "digest": digest}
    wall, cpu = perf_counter(), process_time()
    try:
        result = _solved(trial, problem)
        spent = {"seconds": perf_counter() - wall, "cpu": process_time() - cpu}
        return _outcome(result, {**about, **spent})
    except UnsupportedError as error:
        return Outcome(UNSUPPORTED, reason=_said(error), **about)
    except Exception as error:
        return Outcome(ERROR, reason=_said(error), **about)


def _solved(trial: Trial, problem: Problem) -> Result:
    limits = trial.limits
    return solve(
        problem,
        trial.solver.made,
        time_limit=limits.seconds,
        node_limit=limits.nodes,
        memory_limit=limits.memory,
        seed=trial.seed,
    )


def _outcome(result: Result, about: dict[str, Any]) -> Outcome:
    status, bound, nodes = result.status.value, result.lower_bound, result.stats.get("expansions")
    if result.plan is None:
        return Outcome(
            status, lower_bound=bound, expansions=nodes, reason=result.reason[:MOST_REASON], **about
        )
    report = validate(result.problem, result.plan)
    plan, wrong = result.plan, "" if report else str(report.violations[0])
    return Outcome(
        status, bool(report), plan.cost, plan.makespan, bound, expansions=nodes, reason=wrong, **about
    )


def _said(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"[:MOST_REASON]


_latest: dict[str, tuple[Problem, str]] = {}  # the last problem: trials of an instance come one after another


def _problem_of(instance: Instance) -> tuple[Problem, str]:
    """A problem and its digest, compiled: that belongs to no solver."""
    found = _latest.get(instance.identity)
    if found is None:
        problem = instance.problem()
        compiled_space(problem)
        found = problem, digest_of(problem)
        _latest.clear()
        _latest[instance.identity] = found
    return found


def digest_of(problem: Problem) -> str:
    """Of all that is asked, names aside: the same on every machine."""
    space, agents = problem.space, problem.agents
    about: tuple[Any, ...]
    arrays: list[np.ndarray[Any, Any]]
    if isinstance(space, Grid):
        about, arrays = (space.height, space.width, space.connectivity, space.corners), [space.open]
    else:
        about, arrays = (space.n, space.directed), [space.edges, space.edge_conflicts]
    # What came after sizes and periods counts only where it is there: earlier digests stay true.
    told = [one for one in ATTRIBUTES if one.field in HONOURED or agents.unusual(one).size]
    columns = [agents.starts, agents.goals, *(getattr(agents, one.column) for one in told)]
    digest = blake2b(repr((about, problem.rules)).encode(), digest_size=8)
    for array in [*arrays, *columns]:
        digest.update(repr((array.shape, array.dtype.str)).encode())
        digest.update(np.ascontiguousarray(array).tobytes())
    return digest.hexdigest()


@lru_cache(maxsize=1)
def machine() -> str:
    """This machine in a line: name, system, processor, cores, Python."""
    name = platform.processor() or platform.machine()
    python = f"Python {platform.python_version()}"
    return ", ".join(
        [
            platform.node(),
            f"{platform.system()} {platform.release()}",
            name,
            f"{os.cpu_count()} cores",
            python,
        ]
    )


# As a program


def write_frame(stream: IO[bytes], value: Any) -> None:
    """A value with its length before it."""
    data = pickle.dumps(value, protocol=pickle.HIGHEST_PROTOCOL)
    stream.write(len(data).to_bytes(LENGTH_BYTES, "little") + data)
    stream.flush()


def read_frame(stream: IO[bytes]) -> Any:
    """The next value; an EOFError if the other side has ended."""
    head = stream.read(LENGTH_BYTES)
    if len(head) < LENGTH_BYTES:
        raise EOFError
    data = stream.read(int.from_bytes(head, "little"))
    return pickle.loads(data)  # from our own child or parent only


def serve(run: Callable[[Any], Any], take: Callable[[], Any], answers: IO[bytes]) -> None:
    """Answers batch after batch; an error is the answer to its batch."""
    while True:
        batch = take()
        try:
            answer: Answer | Exception = run_batch(run, batch)
        except Exception as error:
            answer = _portable(error)
        write_frame(answers, answer)


def _portable(error: Exception) -> Exception:
    """The error itself if the client can read it, and otherwise what it says."""
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:
        return SidestepError(_said(error))
    return error


def main() -> None:
    """Serves the process that started this one."""
    orders = sys.stdin.buffer
    # What a solver prints must not get between the answers.
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    sys.path[:] = read_frame(orders)
    run = read_frame(orders)
    batches: SimpleQueue[Any] = SimpleQueue()

    def listen() -> None:
        try:
            while True:
                batches.put(read_frame(orders))
        except BaseException:  # the client is gone, in the middle of a frame or not
            os._exit(0)

    threading.Thread(target=listen, daemon=True).start()
    serve(run, batches.get, answers)
