"""Workers of a Dask cluster, on any number of machines. Needs the extra `cluster`."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from queue import Empty, SimpleQueue
from time import monotonic
from typing import Any

from ..model.errors import InputError, MissingExtraError
from .processes import Batch, RunTrial
from .worker import Answer, run_batch

PATIENCE = 30  # seconds for a scheduler to answer
RUNNING = "running"  # a client of Dask that has its scheduler
LOOKS = 1.0  # seconds between two looks whether the scheduler is still there
CLOSING = 10  # seconds to take leave of it
MOST_FUTURES = 200  # per second, that a scheduler is asked to see to


class Cluster:
    """A batch is one future. Dask itself runs it again if its worker dies, as often as it allows failures.

    Args:
        scheduler: The address of a scheduler, or in Python a client or a cluster of Dask.
        run: Runs one trial; a function of a module, or a partial of one.
    """

    most_losses = 1

    def __init__(self, scheduler: Any, run: RunTrial) -> None:
        self._run = run
        try:
            self._dask: Any = import_module("distributed")
        except ImportError as error:
            raise MissingExtraError("dask[distributed]", "cluster") from error
        self._owned = not isinstance(scheduler, self._dask.Client)
        self._client = self._connected(scheduler) if self._owned else scheduler
        self._done: SimpleQueue[tuple[Batch, Any]] = SimpleQueue()
        self._threads, self._asked = 0, -math.inf

    def _connected(self, scheduler: Any) -> Any:
        try:
            return self._dask.Client(scheduler, timeout=PATIENCE, set_as_default=False)
        except (OSError, TypeError, ValueError) as error:
            raise InputError(f"no scheduler answers at {scheduler}: {error}") from None

    @property
    def threads(self) -> int:
        """Of the whole cluster, which may grow and shrink: asked for once per second."""
        if monotonic() > self._asked + LOOKS:
            with self._asking():
                found: dict[str, int] = self._client.nthreads()
            self._threads, self._asked = sum(found.values()), monotonic()
        return self._threads

    @contextmanager
    def _asking(self) -> Iterator[None]:
        """Around what needs the scheduler.

        A client that has lost it has given up all that was under way, and looks for it for half a minute:
        what is asked meanwhile may have no answer at all.
        """
        if self._lost:
            raise _gone(f"the client is {self._client.status}")
        try:
            yield
        except Exception as error:
            if self._lost or isinstance(error, (OSError, self._dask.CancelledError)):
                raise _gone(error) from None
            raise

    @property
    def _lost(self) -> bool:
        status: str = self._client.status
        return status != RUNNING

    @property
    def capacity(self) -> int:
        """Two batches per thread."""
        return max(2, 2 * self.threads)

    @property
    def batch_seconds(self) -> float:
        """The more threads, the more: the scheduler has to see to each batch by itself."""
        return max(1.0, self.threads / MOST_FUTURES)

    def send(self, batch: Batch) -> None:
        """Has a batch run; of the same batch, another time is another run."""
        with self._asking():
            future = self._client.submit(run_batch, self._run, batch, pure=False)
            future.add_done_callback(lambda done: self._done.put((batch, done)))

    def finished(self) -> tuple[Batch, Answer | None]:
        """Waits for the next batch that is done."""
        while True:
            try:
                batch, future = self._done.get(timeout=LOOKS)
            except Empty:
                with self._asking():
                    continue
            try:
                with self._asking():
                    answer: Answer = future.result()
            except self._dask.scheduler.KilledWorker:
                return batch, None
            return batch, answer

    def close(self) -> None:
        """Leaves the cluster, which goes on for others."""
        if self._owned:
            with suppress(OSError, AssertionError):  # it is gone, or looked for at this moment
                self._client.close(timeout=CLOSING)


def _gone(why: object) -> InputError:
    return InputError(f"the scheduler is gone: what was done is in the ledger ({why})")
