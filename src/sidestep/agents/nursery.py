"""The process that starts agents: it has imported the library once, and forks for each of them.

It reads pickled pairs (brief, place) from its standard input, which only the one that started it can write
to, and answers with the number of the new process. When the input ends, so do the agents.
"""

from __future__ import annotations

import os
import pickle
import signal
import struct
import subprocess
import sys
from typing import IO

from .agent import Brief
from .network import Place

_SIZE = struct.Struct("<I")


class Nursery:
    """Starts agents as processes, from the process that wants them."""

    def __init__(self) -> None:
        command = [sys.executable, "-m", "sidestep.agents.nursery"]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def start(self, brief: Brief, place: Place) -> int:
        """Starts an agent.

        Args:
            brief: What it knows from the beginning.
            place: Where the others are.

        Returns:
            The number of its process.
        """
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        data = pickle.dumps((brief, place))
        self._process.stdin.write(_SIZE.pack(len(data)) + data)
        self._process.stdin.flush()
        answer = self._process.stdout.read(_SIZE.size)
        if len(answer) < _SIZE.size:
            raise RuntimeError("the process that starts agents has ended")
        return int(_SIZE.unpack(answer)[0])

    def close(self) -> None:
        """Ends all agents that are left."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        try:
            self._process.wait(timeout=20)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        assert self._process.stdout is not None
        self._process.stdout.close()


def serve(asked: IO[bytes], answers: IO[bytes]) -> None:
    """Forks for each request until there are no more, then ends those that are left."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the launcher decides when it is over
    started: list[int] = []
    while len(head := asked.read(_SIZE.size)) == _SIZE.size:
        brief, place = pickle.loads(asked.read(_SIZE.unpack(head)[0]))
        pid = os.fork()
        if pid == 0:
            _live_and_end(brief, place)
        started.append(pid)
        answers.write(_SIZE.pack(pid))
        answers.flush()
        started = [one for one in started if _is_running(one)]
    for pid in started:
        if _is_running(pid):
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)


def _is_running(pid: int) -> bool:
    try:
        return os.waitpid(pid, os.WNOHANG) == (0, 0)
    except ChildProcessError:
        return False


def _live_and_end(brief: Brief, place: Place) -> None:
    """In the new process: nothing of the old one's is closed or flushed."""
    code = 1
    try:
        os.close(0)
        os.close(1)
        from .process import live  # noqa: PLC0415

        code = 1 if live(brief, place) else 0
    finally:
        os._exit(code)


if __name__ == "__main__":
    from . import process  # noqa: F401  # so that every agent has it from the beginning
    from .network import zenoh_module

    zenoh_module()
    serve(sys.stdin.buffer, sys.stdout.buffer)
