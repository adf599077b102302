"""A studio that really runs, on a port of its own, and pages that speak to it."""

from __future__ import annotations

import json
import os
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.sync.client import ClientConnection, connect

import sidestep as ss
from sidestep.studio.instances import instance_of
from sidestep.studio.limits import Limits
from sidestep.studio.server import StudioServer
from viewer.conftest import browser, windows  # noqa: F401  # fixtures

# Seconds until a test gives up on what does not happen: long, since machines may be busy.
PATIENCE = 60.0

SMALL = Limits(solves=2, queued=2, worlds=2, body_seconds=0.5)

DOOR = """
    a . . B
    # # . #
    b . . A
"""


def instance(drawing: str = DOOR, **shape: Any) -> dict[str, Any]:
    return instance_of(ss.Problem.from_text(drawing, **shape))


def crowd(agents: int, size: int = 16, *, density: float = 0.1, seed: int = 0) -> dict[str, Any]:
    from sidestep.instances import random_grid, random_problem

    return instance_of(random_problem(random_grid(size, size, density, seed), agents, seed))


def hard() -> dict[str, Any]:
    """What no optimal solver is done with soon."""
    return crowd(200, 32, density=0.2)


class Studio:
    """A running server, and how one speaks to it."""

    def __init__(self, server: StudioServer) -> None:
        self.server, self.address, self.token = server, server.address, server.token
        self.host = f"127.0.0.1:{server.port}"
        self.headers = {"Authorization": f"Bearer {self.token}", "Origin": self.address}
        self.client = httpx.Client(base_url=self.address, headers=self.headers, timeout=PATIENCE)

    @property
    def pool(self) -> Any:
        return self.server.studio.pool

    @contextmanager
    def page(self, name: str = "", **options: Any) -> Iterator[Page]:
        with connect(
            f"ws://{self.host}/socket" + (f"?page={name}" if name else ""),
            origin=self.address,  # type: ignore[arg-type]
            additional_headers={"Authorization": f"Bearer {self.token}"},
            max_size=None,
            **options,
        ) as connection:
            yield Page(connection)

    def raw(self, data: bytes, *, seconds: float = PATIENCE) -> bytes:
        """What comes back within some seconds if these bytes are sent."""
        with self.plug(seconds) as plug:
            plug.sendall(data)
            return answer_on(plug)

    @contextmanager
    def plug(self, seconds: float = PATIENCE) -> Iterator[socket.socket]:
        with socket.create_connection(("127.0.0.1", self.server.port), timeout=seconds) as plug:
            yield plug

    def request(self, method: str, path: str, *lines: str, body: bytes = b"", host: str | None = None) -> int:
        """The status of a request whose headers are exactly these."""
        first = [f"{method} {path} HTTP/1.1", f"Host: {self.host if host is None else host}"]
        length = [f"Content-Length: {len(body)}"] if body else []
        head = "\r\n".join([*first, *lines, *length, "Connection: close", "", ""])
        return status_of(self.raw(head.encode("latin-1") + body))

    def handshake(self, *lines: str, host: str | None = None, path: str = "/socket") -> int:
        """The status of an attempt to open a socket."""
        upgrade = ["Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13"]
        key = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="
        head = [f"GET {path} HTTP/1.1", f"Host: {self.host if host is None else host}", *upgrade, key]
        with self.plug() as plug:
            plug.sendall("\r\n".join([*head, *lines, "", ""]).encode("latin-1"))
            return status_of(plug.recv(2**16))

    @property
    def bearer(self) -> str:
        return f"Authorization: Bearer {self.token}"

    @property
    def origin(self) -> str:
        return f"Origin: {self.address}"

    def still_answers(self) -> bool:
        return self.client.get("/api/solvers").status_code == 200

    def quiet(self) -> bool:
        """Does every worker soon have nothing to do?"""
        return eventually(lambda: not self.pool.working)


class Page:
    """A page's end of its socket."""

    def __init__(self, connection: ClientConnection) -> None:
        self.connection = connection

    def send(self, **message: Any) -> None:
        self.connection.send(json.dumps(message))

    def hear(self) -> Any:
        """The next message: an object, or bytes."""
        message = self.connection.recv(timeout=PATIENCE)
        return message if isinstance(message, bytes) else json.loads(message)

    def until(self, key: str) -> dict[str, Any]:
        """The next message that has this key; an error instead of it is a failure."""
        while True:
            message = self.hear()
            if isinstance(message, dict) and key in message:
                return message
            assert not (isinstance(message, dict) and "error" in message), message

    def all(self, **message: Any) -> list[Any]:
        """Everything up to the end of what was asked for."""
        self.send(**message)
        heard = [self.hear()]
        while not (isinstance(heard[-1], dict) and heard[-1].get("done")):
            heard.append(self.hear())
        return heard

    def answers(self, **message: Any) -> list[Any]:
        """The same without progress, which is told only where a run takes long."""
        return [one for one in self.all(**message) if not (isinstance(one, dict) and "progress" in one)]

    def refused(self, **message: Any) -> str:
        """The sentence with which a message is refused."""
        self.send(**message)
        while True:
            answer = self.hear()
            if isinstance(answer, dict) and "error" in answer:
                return str(answer["error"])
            assert isinstance(answer, dict), answer
            assert "turn" in answer or "progress" in answer, answer


def status_of(answer: bytes) -> int:
    return int(answer.split(b" ", 2)[1]) if answer.startswith(b"HTTP/1.1 ") else 0


def answer_on(plug: socket.socket, until: bytes | None = None) -> bytes:
    """All that comes, up to these bytes or the end."""
    answer = b""
    try:
        while (until is None or until not in answer) and (chunk := plug.recv(2**16)):
            answer += chunk
    except (TimeoutError, ConnectionError):
        pass
    return answer


def cpu_seconds(pid: int) -> float:
    """The CPU time of another process, which stands still while others run; 0 where there is no /proc."""
    path = Path(f"/proc/{pid}/stat")
    if not path.exists():
        return 0.0
    fields = path.read_text().rpartition(")")[2].split()
    return sum(map(int, fields[11:13])) / os.sysconf("SC_CLK_TCK")


def eventually(what: Callable[[], bool]) -> bool:
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if what():
            return True
        time.sleep(0.01)
    return what()


@contextmanager
def running(limits: Limits = SMALL, **options: Any) -> Iterator[Studio]:
    server = StudioServer(limits=limits, **options)
    thread = threading.Thread(target=server.serve)
    thread.start()
    try:
        assert eventually(lambda: server.server.started)
        studio = Studio(server)
        yield studio
        studio.client.close()
    finally:
        server.stop()
        thread.join(PATIENCE)
        assert not thread.is_alive()


@pytest.fixture(scope="session")
def studio() -> Iterator[Studio]:
    """One for all tests that leave it as they found it."""
    with running() as studio:
        yield studio
