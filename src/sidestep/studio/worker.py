"""A worker: a process that does one job after another and can be killed at any time.

It hears from the server on its standard input and answers on its standard output, in frames:

    kind, one byte | length, uint32 little-endian | content

To the worker: `J` is a job, `C` a command to it and `S` asks it to stop (pickles of a tuple that begins with
the number of the job). From the worker: `T` is a text and `B` a binary message for the page, as they are; `K`
is a result to be kept for later questions; `E` ends the job, with a sentence if it went wrong, and `L` also
ends the worker. When its input ends, because the server is gone, a worker ends at once, whatever it is doing.
"""

from __future__ import annotations

import ctypes
import os
import pickle
import queue
import signal
import struct
import sys
import threading
import traceback
from collections.abc import Callable
from contextlib import suppress
from typing import Any, BinaryIO

from ..model.errors import SidestepError
from .memory import is_fat
from .requests import Told, as_json

HEADER = struct.Struct("<cI")
ADDRESS = struct.Struct("<II")  # of a binary message: the page's id, and an index
WAITING = 256  # commands that a job has not got round to

TEXT, BINARY, KEEP, END, LAST = b"T", b"B", b"K", b"E", b"L"
JOB, COMMAND, STOP = b"J", b"C", b"S"


def framed(kind: bytes, content: bytes) -> bytes:
    """One frame."""
    return HEADER.pack(kind, len(content)) + content


class Desk:
    """Where a job hears from the page that it works for, and answers it."""

    def __init__(self, outbox: Outbox, number: int, page_id: int, memory: int | None = None) -> None:
        self.number, self.id, self.memory = number, page_id, memory
        self.stop = threading.Event()
        self._outbox = outbox
        self._commands: queue.Queue[Told] = queue.Queue(WAITING)

    def say(self, **message: Any) -> None:
        """A JSON message to the page."""
        self._outbox.put(TEXT, as_json({"id": self.id, **message}))

    def answer(self, value: Any) -> None:
        """The JSON answer to an HTTP request."""
        self._outbox.put(TEXT, as_json(value))

    def show(self, index: int, payload: bytes) -> None:
        """Something for the player."""
        self._outbox.put(BINARY, ADDRESS.pack(self.id, index) + payload)

    def keep(self, index: int, data: bytes) -> None:
        """Something that later jobs of the page may need."""
        self._outbox.put(KEEP, struct.pack("<I", index) + data)

    def end(self, sentence: str = "", kind: bytes = END) -> None:
        """The job is over."""
        self._outbox.put(kind, sentence.encode("utf-8", errors="replace"))

    def hear(self, seconds: float | None) -> Told | None:
        """The next command; None if there is none for so long, or if it is time to stop."""
        with suppress(queue.Empty):
            return self._commands.get(timeout=seconds)
        return None

    def hand_over(self, command: Told) -> None:
        """From the listening thread: a command to be heard."""
        try:
            self._commands.put_nowait(command)
        except queue.Full:
            self.say(error="too many commands are waiting: this one was dropped")

    def ask_to_stop(self) -> None:
        """From the listening thread."""
        self.stop.set()
        with suppress(queue.Full):
            self._commands.put_nowait({})  # wakes up who listens


class Outbox:
    """The way to the server, for more than one thread."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream, self._lock = stream, threading.Lock()

    def put(self, kind: bytes, content: bytes) -> None:
        """Sends one frame; if nobody hears it any more, there is nothing left to do."""
        with self._lock:
            try:
                self._stream.write(framed(kind, content))
                self._stream.flush()
            except OSError:
                os._exit(0)


class Listener(threading.Thread):
    """Hears jobs, commands and requests to stop while the main thread works."""

    def __init__(self, inbox: BinaryIO, outbox: Outbox) -> None:
        super().__init__(daemon=True)
        self.jobs: queue.SimpleQueue[tuple[Desk, str, dict[str, Any]]] = queue.SimpleQueue()
        self._inbox, self._outbox = inbox, outbox
        self._desk: Desk | None = None

    def run(self) -> None:
        """Until the server is gone."""
        while len(header := self._inbox.read(HEADER.size)) == HEADER.size:
            kind, length = HEADER.unpack(header)
            number, *content = pickle.loads(self._inbox.read(length))
            if kind == JOB:
                page_id, job, argument, memory = content
                self._desk = Desk(self._outbox, number, page_id, memory)
                self.jobs.put((self._desk, job, argument))
            elif self._desk is not None and self._desk.number == number:
                self._desk.ask_to_stop() if kind == STOP else self._desk.hand_over(*content)
        os._exit(0)


def _jobs() -> dict[str, Callable[..., None]]:
    from .jobs import JOBS  # noqa: PLC0415  # they know the desk, and so this module

    return JOBS


def perform(desk: Desk, kind: str, argument: dict[str, Any]) -> None:
    """One job, whatever comes of it."""
    try:
        _limit_memory(desk.memory)
        _jobs()[kind](desk, **argument)
        desk.end(kind=_last_if_fat())
    except (SidestepError, RecursionError) as error:
        desk.end(str(error) or "this is nested too deeply", _last_if_fat())
    except MemoryError:
        desk.end("there is not enough memory for this", LAST)
        os._exit(0)  # what is left of this process would be in the way of others
    except Exception as error:
        traceback.print_exc()
        desk.end(f"something went wrong, please report this: {type(error).__name__}: {error}"[:300])


def main() -> None:
    """Works until the server is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server
    _end_with(os.getppid())
    # Whatever prints must not get in between the frames.
    outbox = Outbox(os.fdopen(os.dup(1), "wb"))
    os.dup2(2, 1)
    listener = Listener(sys.stdin.buffer, outbox)
    listener.start()
    _jobs()  # loaded before there is one
    while True:
        perform(*listener.jobs.get())


def _end_with(server: int) -> None:
    """A worker too busy to notice that the server was killed ends all the same, where systems can do that."""
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG
    if os.getppid() != server:
        os._exit(0)


def _last_if_fat() -> bytes:
    """A worker that still has much in memory after a job works no more: what it has, others may need."""
    return LAST if is_fat(int(sys.argv[1])) else END


def _limit_memory(most: int | None) -> None:
    """So that too much is an error here, and not the end of some other process."""
    if most is not None:
        with suppress(ImportError, OSError, ValueError):
            import resource  # noqa: PLC0415  # not on every system

            _, hard = resource.getrlimit(resource.RLIMIT_DATA)
            resource.setrlimit(resource.RLIMIT_DATA, (most, hard))


if __name__ == "__main__":
    main()
