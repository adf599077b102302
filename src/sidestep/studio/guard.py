"""Who may speak to the studio: an ASGI layer around everything else, for HTTP and WebSockets alike.

A page elsewhere can make a browser send requests to any address on this machine, and a name of its own can be
made to lead here. So three things are asked of every request: that it is meant for exactly this address
(`Host`), that it comes from exactly this page (`Origin`), and that it brings the token that was printed when
the studio was started. Comparisons are of bytes: another spelling of an address, in upper case or with a dot
at its end, is another address.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from typing import Any

from .limits import Limits

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]
Headers = list[tuple[bytes, bytes]]

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
    "img-src 'self' data: blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS: Headers = [
    (b"content-security-policy", POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cache-control", b"no-store"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
]
TRY_AGAIN_LATER = 1013  # the code with which a socket too many is closed


class Refusal(Exception):  # noqa: N818  # not an error: the answer to a request
    """A request is not let through; `status` and the sentence are all that it is told."""

    def __init__(self, status: int, sentence: str) -> None:
        super().__init__(sentence)
        self.status = status


class Guard:
    """Lets through what comes from the studio's own page, within limits."""

    def __init__(self, app: App, *, port: int, token: str, limits: Limits) -> None:
        self.app, self.limits = app, limits
        self.hosts = [f"{name}:{port}".encode() for name in ("127.0.0.1", "localhost")]
        self.token = token.encode()
        self.cookie = f"sidestep-{port}".encode()
        self.sockets = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request, or one socket."""
        if scope["type"] == "http":
            await self._http(scope, receive, _with_headers(send))
        elif scope["type"] == "websocket":
            await self._websocket(scope, receive, send)
        elif scope["type"] == "lifespan":
            await self.app(scope, receive, send)

    async def _http(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            self._check_address(scope)
            if self._is_login(scope):
                await self._let_in(send)
                return
            self._check_token(scope)
            body = await self._body(scope, receive)
        except Refusal as refusal:
            await answer(send, refusal.status, str(refusal))
            return
        if body is not None:
            await self.app(scope, _replayed(body, receive), send)

    async def _websocket(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            self._check_address(scope)
            self._check_token(scope)
        except Refusal as refusal:
            await receive()
            await answer(_with_headers(send), refusal.status, str(refusal), "websocket.http.response")
            return
        if self.sockets >= self.limits.sockets:
            await receive()
            await send({"type": "websocket.accept"})
            await send({"type": "websocket.close", "code": TRY_AGAIN_LATER, "reason": "too many sockets"})
            return
        self.sockets += 1
        try:
            await self.app(scope, receive, send)
        finally:
            self.sockets -= 1

    # What is asked of a request

    def _check_address(self, scope: Scope) -> None:
        hosts, origins = (_values(scope, name) for name in (b"host", b"origin"))
        if len(hosts) != 1 or hosts[0] not in self.hosts:
            raise Refusal(403, "The studio answers only at the address that it was started on.")
        # A browser leaves out the origin when it loads a page or a part of one, and at no other time.
        plain = scope["type"] == "http" and scope["method"] == "GET" and not origins
        if not plain and origins != [b"http://" + hosts[0]]:
            raise Refusal(403, "The studio answers only to its own page.")

    def _check_token(self, scope: Scope) -> None:
        bearers = [value[7:] for value in _values(scope, b"authorization") if value[:7] == b"Bearer "]
        given = [*bearers, *_cookies(scope, self.cookie)]
        if not any(secrets.compare_digest(one, self.token) for one in given):
            raise Refusal(403, "Open the address that `sidestep studio` printed: the token in it is missing.")

    def _is_login(self, scope: Scope) -> bool:
        asked: bytes = scope["query_string"]
        return (
            scope["method"] == "GET"
            and scope["path"] == "/"
            and secrets.compare_digest(asked, b"token=" + self.token)
        )

    async def _let_in(self, send: Send) -> None:
        cookie = self.cookie + b"=" + self.token + b"; HttpOnly; SameSite=Strict; Path=/"
        await answer(send, 303, "", headers=[(b"location", b"/"), (b"set-cookie", cookie)])

    async def _body(self, scope: Scope, receive: Receive) -> bytes | None:
        """The whole body, before anybody looks at it; None if its sender has gone."""
        limit = self.limits.body_bytes
        too_large = Refusal(413, f"A request may have at most {limit} bytes.")
        if any(not length.isdigit() or int(length) > limit for length in _values(scope, b"content-length")):
            raise too_large
        body = bytearray()
        try:
            async with asyncio.timeout(self.limits.body_seconds):
                while True:
                    message = await receive()
                    if message["type"] == "http.disconnect":
                        return None
                    body += message.get("body", b"")
                    if len(body) > limit:
                        raise too_large
                    if not message.get("more_body", False):
                        return bytes(body)
        except TimeoutError:
            seconds = self.limits.body_seconds
            raise Refusal(408, f"A request must be sent within {seconds:g} seconds.") from None


async def answer(
    send: Send, status: int, sentence: str, kind: str = "http.response", headers: Iterable[Any] = ()
) -> None:
    """A plain sentence and nothing else. The connection ends: what is left of the request is not read."""
    text = sentence.encode()
    fixed = [
        (b"content-type", b"text/plain; charset=utf-8"),
        (b"content-length", str(len(text)).encode()),
        (b"connection", b"close"),
    ]
    await send({"type": f"{kind}.start", "status": status, "headers": [*fixed, *headers]})
    await send({"type": f"{kind}.body", "body": text})


def _with_headers(send: Send) -> Send:
    """Every answer has the headers that say what a browser may do with it."""
    names = {name for name, _ in HEADERS}

    async def guarded(message: Message) -> None:
        if message["type"].endswith("response.start"):
            own = [header for header in message.get("headers", ()) if header[0].lower() not in names]
            message["headers"] = [*own, *HEADERS]
        await send(message)

    return guarded


def _replayed(body: bytes, receive: Receive) -> Receive:
    """The body again, for the application; after it, whatever else comes."""
    messages: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def replay() -> Message:
        return messages.pop() if messages else await receive()

    return replay


def _values(scope: Scope, name: bytes) -> list[bytes]:
    return [value for key, value in scope["headers"] if key.lower() == name]


def _cookies(scope: Scope, name: bytes) -> list[bytes]:
    pairs = [pair.strip().partition(b"=") for line in _values(scope, b"cookie") for pair in line.split(b";")]
    return [value for key, _, value in pairs if key == name]
