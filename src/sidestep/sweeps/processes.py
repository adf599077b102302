"""Workers as processes of this machine. One that is killed is replaced, and its batch is said to be lost."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Sequence
from contextlib import suppress
from queue import SimpleQueue
from typing import Protocol

from .trial import Trial
from .worker import Answer, read_frame, write_frame

Batch = Sequence[Trial]


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
        """Waits for the next batch that is done; None: who ran it has died."""
        ...

    def close(self) -> None:
        """Ends all workers, whatever they do."""
        ...


def usual_jobs() -> int:
    """As many as there are processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class Processes:
    """A thread of this process looks after each worker, so that waiting is the same on every system."""

    most_losses = 3
    batch_seconds = 0.25

    def __init__(self, jobs: int) -> None:
        self.capacity = 2 * jobs
        self._waiting: SimpleQueue[Batch | None] = SimpleQueue()
        self._done: SimpleQueue[tuple[Batch, Answer | None]] = SimpleQueue()
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
        return self._done.get()

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

    def _ask(self, place: int, batch: Batch) -> Answer | None:
        try:
            child = self._child(place)
            if child is None:
                return None
            assert child.stdin is not None
            assert child.stdout is not None
            write_frame(child.stdin, batch)
            answer: Answer = read_frame(child.stdout)
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
