"""The studio's server: bound to this machine only, with a new token every time."""

from __future__ import annotations

import functools
import secrets
import socket
from typing import Any

import uvicorn

from ..model.errors import InputError
from .app import Studio
from .connections import Connection, HalfOpen
from .limits import Limits

ADDRESS = "127.0.0.1"


class StudioServer:
    """A server that is bound already, so that its address is known; `serve` runs it until it is stopped."""

    def __init__(
        self, port: int = 0, *, limits: Limits | None = None, given: dict[str, Any] | None = None
    ) -> None:
        self.listener = _bound(port)
        self.port: int = self.listener.getsockname()[1]
        self.token = secrets.token_urlsafe(32)
        self.studio = Studio(limits, given)
        self.guard = self.studio.app(self.port, self.token)
        self.half_open = HalfOpen(self.studio.limits)
        config = uvicorn.Config(
            self.guard,
            http=functools.partial(Connection, self.half_open),  # type: ignore[arg-type]  # makes one
            loop="asyncio",
            ws="websockets-sansio",
            ws_max_size=self.studio.limits.message_bytes,
            ws_per_message_deflate=False,
            lifespan="on",
            log_level="critical",  # it takes refused sockets for errors; ours are logged where they happen
            access_log=False,
            proxy_headers=False,
            server_header=False,
            timeout_graceful_shutdown=1,
        )
        self.server = uvicorn.Server(config)

    @property
    def address(self) -> str:
        """Where it is, without the token."""
        return f"http://{ADDRESS}:{self.port}"

    @property
    def link(self) -> str:
        """What opens the page."""
        return f"{self.address}/?token={self.token}"

    def serve(self) -> None:
        """Until Ctrl-C, or until `stop`."""
        try:
            self.server.run(sockets=[self.listener])
        finally:
            self.listener.close()

    def stop(self) -> None:
        """From another thread: ends `serve`."""
        self.server.should_exit = True


def _bound(port: int) -> socket.socket:
    # The protocol is named so that asyncio turns off delays for it; else small answers wait for 40 ms.
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((ADDRESS, port))
        listener.listen()  # who comes before the server runs has to wait, but is not turned away
    except (OSError, OverflowError) as error:
        listener.close()
        raise InputError(f"the studio cannot be served on port {port}: {error}") from None
    return listener
