"""Connections on which nobody has asked for anything yet: how long, and how many."""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

from .limits import Limits

GRACE = 0.25  # seconds: many may come at once, and what they have sent is read only after that


class HalfOpen:
    """Connections that owe the head of a request, oldest first. Each has some seconds for it.

    When there are too many the oldest goes: who sends a request at once is served, however many others wait.
    """

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self._ends: dict[Connection, asyncio.TimerHandle] = {}
        self._is_full = False

    def __len__(self) -> int:
        return len(self._ends)

    def enter(self, connection: Connection) -> None:
        """It has been made, or has had its answer."""
        self.leave(connection)
        loop = asyncio.get_running_loop()
        self._ends[connection] = loop.call_later(self.limits.head_seconds, self._hang_up, connection)
        if len(self._ends) > self.limits.half_open and not self._is_full:
            self._is_full = True
            loop.call_later(GRACE, self._make_room)

    def leave(self, connection: Connection) -> None:
        """It has sent the head of a request, or is gone."""
        if end := self._ends.pop(connection, None):
            end.cancel()

    def _make_room(self) -> None:
        self._is_full = False
        while len(self._ends) > self.limits.half_open:
            self._hang_up(next(iter(self._ends)))

    def _hang_up(self, connection: Connection) -> None:
        self.leave(connection)
        connection.transport.abort()


class Connection(H11Protocol):
    """One of uvicorn's, which does not wait for ever."""

    def __init__(self, half_open: HalfOpen, **given: Any) -> None:
        super().__init__(**given)
        self._half_open = half_open

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """From now on a request is waited for."""
        super().connection_made(transport)
        self._half_open.enter(self)

    def connection_lost(self, exc: Exception | None) -> None:
        """It is waited for no longer."""
        self._half_open.leave(self)
        super().connection_lost(exc)

    def handle_events(self) -> None:
        """What has come may be all of a head."""
        before = self.scope
        super().handle_events()
        if self.scope is not before:  # a socket leaves with its head, too: another protocol goes on
            self._half_open.leave(self)

    def on_response_complete(self) -> None:
        """The next request is waited for."""
        super().on_response_complete()
        if not self.transport.is_closing():
            self._half_open.enter(self)
