"""Workers as processes of this machine. One that is killed is replaced, and its batch is said to be lost."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from queue import SimpleQueue
from typing import Any, Protocol

from ..model.errors import InputError
from .worker import Answer, read_frame, run_batch, write_frame

Batch = Sequence[Any]  # trials
RunTrial = Callable[[Any], Any]

PROGRAM = "from sidestep.sweeps.worker import main; main()"


class Workers(Protocol):
    """Who runs batches.

    Attributes:
        most_losses: How often a batch of one trial may be lost before the trial is reported as crashed.
    """

    most_losses: int

    @property
    def capacity(self) -> int:
        """How many batches may be under way, waiting ones included."""
        ...

    @property
    def batch_seconds(self) -> float:
        """How much work a batch should be: enough to hide the sending, little enough to be lost."""
        ...

    def send(self, batch: Batch) -> None:
        """Has a batch run."""
        ...

    def finished(self) -> tuple[Batch, Answer | None]:
        """Waits for the next batch that is done; None: who ran it has died. An error of a trial is raised."""
        ...

    def close(self) -> None:
        """Ends all workers, whatever they do."""
        ...


def usual_jobs() -> int:
    """As many as there are processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class Here:
    """This process itself: nothing has to be sent, so a trial may be anything.

    Args:
        run: Runs one trial.
    """

    most_losses, capacity, batch_seconds = 1, 1, 0.0

    def __init__(self, run: RunTrial) -> None:
        self._run = run
        self._waiting: deque[Batch] = deque()

    def send(self, batch: Batch) -> None:
        """Notes a batch, to be run when somebody waits for it."""
        self._waiting.append(batch)

    def finished(self) -> tuple[Batch, Answer | None]:
        """Runs the batch."""
        batch = self._waiting.popleft()
        return batch, run_batch(self._run, batch)

    def close(self) -> None:
        """There is nobody to end."""


class Processes:
    """A thread of this process looks after each worker, so that waiting is the same on every system.

    Args:
        jobs: How many workers.
        run: Runs one trial; a function of a module, or a partial of one.
    """

    most_losses = 3
    batch_seconds = 0.25

    def __init__(self, jobs: int, run: RunTrial) -> None:
        try:
            pickle.dumps(run)
        except (pickle.PicklingError, AttributeError, TypeError) as error:
            raise InputError(f"other processes cannot be sent what runs a trial: {error}") from None
        self.capacity, self._run = 2 * jobs, run
        self._waiting: SimpleQueue[Batch | None] = SimpleQueue()
        self._done: SimpleQueue[tuple[Batch, Answer | Exception | None]] = SimpleQueue()
        self._children: list[subprocess.Popen[bytes] | None] = [None] * jobs
        self._lock = threading.Lock()
        self._closed = False
        self._threads = [
            threading.Thread(target=self._attend, args=[place], daemon=True) for place in range(jobs)
        ]
        for thread in self._threads:
            thread.start()

    def send(self, batch: Batch) -> None:
        """Has a batch run by the first worker that is free."""
        self._waiting.put(batch)

    def finished(self) -> tuple[Batch, Answer | None]:
        """Waits for the next batch that is done."""
        batch, answer = self._done.get()
        if isinstance(answer, Exception):
            raise answer
        return batch, answer

    def close(self) -> None:
        """Ends all workers, whatever they do."""
        with self._lock:
            self._closed = True
            for child in self._children:
                if child is not None:
                    child.kill()
        for _ in self._threads:
            self._waiting.put(None)
        for thread in self._threads:
            thread.join()

    @property
    def pids(self) -> list[int]:
        """Of the workers that there are."""
        return [child.pid for child in self._children if child is not None]

    def _attend(self, place: int) -> None:
        while (batch := self._waiting.get()) is not None:
            self._done.put((batch, self._ask(place, batch)))
        self._end(place)

    def _ask(self, place: int, batch: Batch) -> Answer | Exception | None:
        try:
            child = self._child(place)
            if child is None:
                return None
            assert child.stdin is not None
            assert child.stdout is not None
            write_frame(child.stdin, batch)
            answer: Answer | Exception = read_frame(child.stdout)
        except Exception:  # it has died, or what it sent is no answer: then it is of no use any more
            self._end(place)
            return None
        return answer

    def _child(self, place: int) -> subprocess.Popen[bytes] | None:
        """The worker of a place, started if there is none."""
        with self._lock:
            if self._closed:
                return None
            child = self._children[place]
            if child is None:
                # In a session of its own, so that Ctrl-C reaches the client only.
                child = self._children[place] = subprocess.Popen(
                    [sys.executable, "-c", PROGRAM],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    start_new_session=True,
                )
                assert child.stdin is not None
                write_frame(child.stdin, sys.path)
                write_frame(child.stdin, self._run)
        return child

    def _end(self, place: int) -> None:
        with self._lock:
            child, self._children[place] = self._children[place], None
        if child is None:
            return
        child.kill()
        for stream in (child.stdin, child.stdout):
            assert stream is not None
            with suppress(OSError):  # what was not sent yet never will be
                stream.close()
        child.wait()
