"""The server's side of its workers: who works for whom, how many at once, and how a job is ended."""

from __future__ import annotations

import asyncio
import pickle
import signal
import sys
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import suppress
from pathlib import Path
from typing import Any

from ..model.errors import InputError
from .limits import Limits
from .requests import Told
from .worker import COMMAND, END, HEADER, JOB, LAST, STOP, framed

GRACE = 0.12  # seconds that a job has to end when it is asked to; then its worker is killed
PATIENCE = 5.0  # seconds that the end of all workers may take
IDLE = 2  # workers that are kept although there is nothing to do

Frame = tuple[bytes, bytes]
Forward = Callable[[bytes, bytes], Awaitable[None]]


def memory_kills() -> int:
    """How many processes the system has ended because memory had run out; 0 if it does not say."""
    with suppress(OSError):
        for line in Path("/proc/vmstat").read_text().splitlines():
            if line.startswith("oom_kill "):
                return int(line.split()[1])
    return 0


class BusyError(InputError):
    """Too much is under way already."""


class Worker:
    """A process of `worker.py`."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        self._process, self._stdin, self._stdout = process, process.stdin, process.stdout
        self._jobs = 0
        self._memory_kills = memory_kills()
        self._is_dead = False

    @classmethod
    async def start(cls, idle_memory: int) -> Worker:
        """A new one; it may take a moment until it hears."""
        return cls(
            await asyncio.create_subprocess_exec(
                *(sys.executable, "-P", "-m", "sidestep.studio.worker", str(idle_memory)),
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
            )
        )

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def is_alive(self) -> bool:
        return not self._is_dead and self._process.returncode is None

    async def frames(
        self, page_id: int, kind: str, argument: dict[str, Any], memory: int | None
    ) -> AsyncIterator[Frame]:
        """Begins a job; what comes back, the end of the job included, unless the worker dies before that."""
        self._jobs += 1
        self._send(JOB, page_id, kind, argument, memory)
        what = b""
        try:
            while what not in (END, LAST):
                what, length = HEADER.unpack(await self._stdout.readexactly(HEADER.size))
                yield what, await self._stdout.readexactly(length)
        except (asyncio.IncompleteReadError, ConnectionError):
            self._is_dead = True

    def tell(self, command: Told) -> None:
        """A command to the job at hand."""
        self._send(COMMAND, command)

    def ask_to_stop(self) -> None:
        """The job at hand should end."""
        self._send(STOP)

    def _send(self, kind: bytes, *content: Any) -> None:
        with suppress(ConnectionError, RuntimeError):  # then it is dead, which its frames tell
            self._stdin.write(framed(kind, pickle.dumps((self._jobs, *content))))

    async def why_it_died(self) -> str:
        """What the system says of a process that ended without a word."""
        code = await self._process.wait()
        if code >= 0:
            return f"the process that worked on this has ended by itself, with the exit code {code}"
        name = signal.Signals(-code).name if -code in {*signal.Signals} else f"signal {-code}"
        if name == "SIGKILL" and memory_kills() > self._memory_kills:
            return "the system ended the process that worked on this, because memory had run out"
        if name in ("SIGKILL", "SIGTERM", "SIGHUP", "SIGINT", "SIGQUIT"):
            return f"somebody has ended the process that worked on this ({name})"
        return f"the process that worked on this has crashed ({name}), please report this"

    def kill(self) -> None:
        """At once, whatever it does; it counts as dead before the system says that it is."""
        self._is_dead = True
        with suppress(ProcessLookupError):
            self._process.kill()

    async def gone(self) -> None:
        """Kills it, and waits until nothing is left of it."""
        if self.is_alive:
            self.kill()
        self._stdin.close()
        with suppress(ConnectionError):
            await self._stdin.wait_closed()
        while await self._stdout.read(2**16):
            pass
        await self._process.wait()


class Lane:
    """Runs a limited number of jobs of one kind at once; some more may wait in line, the rest is refused."""

    def __init__(self, what: str, limit: int, queue: int) -> None:
        self.what, self.limit, self.queue = what, limit, queue
        self.busy = 0
        self._line: deque[asyncio.Future[None]] = deque()

    async def enter(self) -> None:
        """Waits for a place; BusyError if too many wait already."""
        if self.busy < self.limit:
            self.busy += 1
            return
        if len(self._line) >= self.queue:
            raise BusyError(
                f"the studio is busy: {self.busy} {self.what} at once"
                + (f" and {self.queue} in line" if self.queue else "")
                + " are the most it takes on"
            )
        place: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._line.append(place)
        try:
            await place
        except asyncio.CancelledError:
            if place in self._line:
                self._line.remove(place)
            elif not place.cancelled():  # it had been given a place just before
                self.leave()
            raise

    def leave(self) -> None:
        """Makes room for the next that still waits."""
        while self._line:
            place = self._line.popleft()
            if not place.done():  # one that was cancelled just now has not left the line itself yet
                place.set_result(None)
                return
        self.busy -= 1


class Pool:
    """All workers: those that have a job, and a few that wait for one."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.working: set[Worker] = set()
        self.idle: list[Worker] = []
        self.lanes = {
            "solve": Lane("solves", limits.solves, limits.queued),
            "world": Lane("worlds", limits.worlds, 0),
            "ask": Lane("requests", limits.asks, limits.queued),
        }
        self._changes: set[asyncio.Task[None]] = set()
        self._is_closed = False

    async def open(self) -> None:
        """The first worker, so that the first job need not wait for it."""
        worker = await Worker.start(self.limits.idle_memory)
        self._dismiss(worker) if self._is_closed else self.idle.append(worker)

    async def close(self) -> None:
        """Ends all workers, whatever they do."""
        self._is_closed = True
        for worker in self.working:
            worker.kill()  # its job gives it back
        while self.idle:
            self._dismiss(self.idle.pop())
        with suppress(TimeoutError):
            async with asyncio.timeout(PATIENCE):
                while self.working or self._changes:
                    await asyncio.sleep(0.01)

    async def take(self) -> Worker:
        """A worker that has nothing to do."""
        while self.idle:
            worker = self.idle.pop()
            if worker.is_alive:
                break
            self._dismiss(worker)
        else:
            worker = await Worker.start(self.limits.idle_memory)
        self.working.add(worker)
        return worker

    def give_back(self, worker: Worker, *, reusable: bool) -> None:
        """After a job; one that did not end it properly is killed."""
        self.working.discard(worker)
        if reusable and worker.is_alive and len(self.idle) < IDLE and not self._is_closed:
            self.idle.append(worker)
            return
        self._dismiss(worker)
        if not self.idle and not self._is_closed:
            self._see_to(self.open())

    def _dismiss(self, worker: Worker) -> None:
        self._see_to(worker.gone())

    def _see_to(self, change: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(change)
        self._changes.add(task)
        task.add_done_callback(self._changes.discard)


class Job:
    """One piece of work. `run` does it; meanwhile it can be told things, and cancelled."""

    def __init__(
        self, pool: Pool, lane: str, kind: str, argument: dict[str, Any], *, page_id: int = 0, seconds: float
    ) -> None:
        self.kind, self.cancelled = kind, False
        self._pool, self._lane = pool, pool.lanes[lane]
        self._argument, self._id, self._seconds = argument, page_id, seconds
        self._memory = pool.limits.memory_of(lane)
        self._worker: Worker | None = None
        self._waiting: asyncio.Task[None] | None = None
        self._too_long = False

    async def run(self, forward: Forward) -> str:
        """Waits for a worker and forwards what it says; returns a sentence if it went wrong."""
        self._waiting = asyncio.create_task(self._lane.enter())
        try:
            await self._waiting
        except asyncio.CancelledError:
            return ""
        try:
            return await self._with_worker(forward)
        finally:
            self._lane.leave()

    async def _with_worker(self, forward: Forward) -> str:
        worker = await self._pool.take()
        if self.cancelled:
            self._pool.give_back(worker, reusable=True)
            return ""
        self._worker = worker
        timer = asyncio.get_running_loop().call_later(self._seconds, self._end_it)
        last, sentence = b"", b""
        try:
            async for what, content in worker.frames(self._id, self.kind, self._argument, self._memory):
                if what in (END, LAST):
                    last, sentence = what, content
                else:
                    await forward(what, content)
            return sentence.decode() if last else await self._why_it_died(worker)
        finally:
            timer.cancel()
            self._worker = None
            self._pool.give_back(worker, reusable=last == END)

    def tell(self, command: Told) -> None:
        """A command to the worker; too early is an error."""
        if self._worker is None:
            raise InputError("this has not begun yet, or is over already")
        self._worker.tell(command)

    def cancel(self) -> None:
        """Ends the job soon: by itself if it can, else by force."""
        if self.cancelled:
            return
        self.cancelled = True
        if self._worker is not None:
            self._stop(self._worker)
        elif self._waiting is not None:
            self._waiting.cancel()

    def _stop(self, worker: Worker) -> None:
        worker.ask_to_stop()
        asyncio.get_running_loop().call_later(GRACE, self._kill_if_still, worker)

    def _kill_if_still(self, worker: Worker) -> None:
        if self._worker is worker:
            worker.kill()

    def _end_it(self) -> None:
        self._too_long = True
        if self._worker is not None:
            self._worker.kill()

    async def _why_it_died(self, worker: Worker) -> str:
        if self.cancelled:
            return ""
        if self._too_long:
            return f"this was ended because it took longer than {self._seconds:g} seconds"
        return f"{await worker.why_it_died()}; nothing else is affected"
