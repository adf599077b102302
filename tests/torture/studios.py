"""A studio in this process and pages that speak to it, for rows that are about it."""

from __future__ import annotations

import atexit
import json
import logging
import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import sidestep as ss

from .row import Failed

PATIENCE = 100.0
FOREIGN = ("please report this", "crashed", "Traceback", "exit code")  # what no page may ever be told

DOOR = """
    a . . B
    # # . #
    b . . A
"""


def missing() -> str:
    """What is not installed."""
    packages = [name for name in ("starlette", "uvicorn", "websockets", "httpx") if find_spec(name) is None]
    return f"{', '.join(packages)} is not installed" if packages else ""


def door() -> dict[str, Any]:
    """A small instance, as pages send it."""
    from sidestep.studio.instances import instance_of

    return instance_of(ss.Problem.from_text(DOOR))


class Errors(logging.Handler):
    """What the server logs, which it does only when it fails."""

    def __init__(self) -> None:
        super().__init__()
        self.told: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.told.append(self.format(record))


class Studio:
    """A server in a thread."""

    def __init__(self) -> None:
        import httpx

        from sidestep.studio.limits import Limits
        from sidestep.studio.server import StudioServer

        self.errors = Errors()
        logging.getLogger("sidestep.studio").addHandler(self.errors)
        self.server = StudioServer(limits=Limits(solves=2, worlds=2, queued=2, ask_seconds=30.0))
        self.thread = threading.Thread(target=self.server.serve, daemon=True)
        self.thread.start()
        wait_until(lambda: self.server.server.started, "the studio does not start")
        headers = {"Authorization": f"Bearer {self.server.token}", "Origin": self.server.address}
        self.client = httpx.Client(base_url=self.server.address, headers=headers, timeout=PATIENCE)
        atexit.register(self.stop)

    @property
    def pool(self) -> Any:
        return self.server.studio.pool

    @contextmanager
    def page(self) -> Iterator[Page]:
        with page_of(self.server.port, self.server.token) as page:
            yield page

    def check(self) -> None:
        """It is quiet, has logged nothing, and still answers."""
        wait_until(lambda: not self.pool.working, "a worker goes on although nobody waits for it")
        if self.errors.told:
            raise Failed(f"the server logged: {self.errors.told.pop()[:300]}")
        if self.client.get("/api/formats").status_code != 200:
            raise Failed("the studio does not answer any more")

    def stop(self) -> None:
        self.client.close()
        self.server.stop()
        self.thread.join(PATIENCE)


@cache
def studio() -> Studio:
    """One for all cases of a process."""
    return Studio()


@contextmanager
def page_of(port: int, token: str) -> Iterator[Page]:
    from websockets.sync.client import connect

    with connect(
        f"ws://127.0.0.1:{port}/socket",
        origin=f"http://127.0.0.1:{port}",  # type: ignore[arg-type]
        additional_headers={"Authorization": f"Bearer {token}"},
        max_size=None,
        close_timeout=PATIENCE,
    ) as connection:
        yield Page(connection)


class Page:
    """A page's end of its socket."""

    def __init__(self, connection: Any) -> None:
        self.connection = connection

    def send(self, message: Any) -> None:
        self.connection.send(message if isinstance(message, (str, bytes)) else json.dumps(message))

    def hear(self) -> Any:
        """The next message, which must not speak of faults of ours."""
        try:
            heard = self.connection.recv(timeout=PATIENCE)
        except TimeoutError:
            raise Failed("a page is left without an answer") from None
        if isinstance(heard, bytes):
            return {}
        if any(word in heard for word in FOREIGN):
            raise Failed(f"a page was told: {heard[:300]}")
        return json.loads(heard)

    def until(self, key: str, page_id: int | None = None) -> dict[str, Any]:
        """The next message with this key."""
        while True:
            message = self.hear()
            if key in message and page_id in (None, message.get("id")):
                return message


def wait_until(what: Any, complaint: str, patience: float = PATIENCE) -> None:
    end = time.monotonic() + patience
    while not what():
        if time.monotonic() > end:
            raise Failed(complaint)
        time.sleep(0.005)


def is_running(pid: int) -> bool:
    """Is there such a process, other than one that has ended and waits to be counted?"""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


def children(pid: int) -> list[int]:
    """The processes that a process has started."""
    found = []
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                fields = Path(f"/proc/{entry}/stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            if int(fields[1]) == pid:
                found.append(int(entry))
    return found
