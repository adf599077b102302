"""The studio's routes, in one table, and what they answer. Errors are JSON: `{"error": "one sentence"}`."""

from __future__ import annotations

import asyncio
import functools
import logging
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager
from importlib.resources import files
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route, WebSocketRoute
from starlette.websockets import WebSocket

from ..model.errors import InputError
from ..viewer.modules import player_files, player_source
from .conversation import Conversation
from .files import format_forms
from .forms import generator_forms, solver_forms
from .guard import Guard
from .limits import Limits
from .pool import BusyError, Job, Pool
from .requests import as_json
from .shelf import Shelf
from .worker import TEXT

logger = logging.getLogger("sidestep.studio")

TYPES = {"html": "text/html", "js": "text/javascript", "css": "text/css", "svg": "image/svg+xml"}


@functools.cache
def static_files() -> dict[str, bytes]:
    """Everything that is served as it is, read once: no path is ever made from what a request says.

    The player comes as one module: for each of its files a browser would ask once more.
    """
    folder = files(__package__).joinpath("static")
    found = {entry.name: entry.read_bytes() for entry in folder.iterdir() if _ending(entry.name) in TYPES}
    player = {"player.js": player_source(), "palette.css": player_files()["palette.css"]}
    return {**found, **{name: text.encode() for name, text in player.items()}}


def _ending(name: str) -> str:
    return name.rpartition(".")[2]


class Studio:
    """The state of one server: its workers, and the file that it was started with."""

    def __init__(self, limits: Limits | None = None, given: dict[str, Any] | None = None) -> None:
        self.limits = limits or Limits()
        self.given = given
        self.forms = solver_forms()  # once, since it may load other packages
        self.pool = Pool(self.limits)
        self.shelf = Shelf(self.limits.kept_bytes)
        self.routes: list[BaseRoute] = [
            Route("/", self.page),
            Route("/static/{name}", self.static),
            Route("/api/solvers", self.solvers),
            Route("/api/generators", self.generators),
            Route("/api/formats", self.formats),
            Route("/api/given", self.given_file),
            Route("/api/generate", self.work, methods=["POST"]),
            Route("/api/read", self.work, methods=["POST"]),
            Route("/api/write", self.work, methods=["POST"]),
            WebSocketRoute("/socket", self.socket),
        ]

    def app(self, port: int, token: str) -> Guard:
        """The application, behind its guard."""
        inner = Starlette(
            routes=self.routes,
            lifespan=self._lifespan,
            exception_handlers={HTTPException: _http_error, Exception: _failure},
        )
        inner.router.redirect_slashes = False
        return Guard(inner, port=port, token=token, limits=self.limits)

    @asynccontextmanager
    async def _lifespan(self, app: Starlette) -> AsyncIterator[None]:
        await self.pool.open()
        try:
            yield
        finally:
            await self.pool.close()

    async def page(self, request: Request) -> Response:
        """The page itself."""
        return _file("index.html")

    async def static(self, request: Request) -> Response:
        """A part of the page."""
        return _file(request.path_params["name"])

    async def solvers(self, request: Request) -> Response:
        """What can solve."""
        return _json(self.forms)

    async def generators(self, request: Request) -> Response:
        """What can make maps."""
        return _json(generator_forms())

    async def formats(self, request: Request) -> Response:
        """What can be opened and saved."""
        return _json(format_forms())

    async def given_file(self, request: Request) -> Response:
        """The file that the studio was started with, if any."""
        return Response(status_code=204) if self.given is None else _json(self.given)

    async def work(self, request: Request) -> Response:
        """What a worker has to do: to generate, read or write an instance."""
        kind = request.url.path.rpartition("/")[2]
        answers: list[bytes] = []

        async def keep(what: bytes, content: bytes) -> None:
            if what == TEXT:
                answers.append(content)

        try:
            argument = {"body": await request.body()}
            job = Job(self.pool, "ask", kind, argument, seconds=self.limits.ask_seconds)
            error = await _while_there(request, job, job.run(keep))
        except BusyError as busy:
            return _json({"error": str(busy)}, 503)
        if error or not answers:
            return _json({"error": error or "there is no answer"}, 400)
        return _bytes(answers[0], "application/json")

    async def socket(self, socket: WebSocket) -> None:
        """A page and its jobs."""
        try:
            kept = self.shelf.take(socket.query_params.get("page", ""))
        except InputError:
            await socket.close()
            return
        try:
            await Conversation(socket, self.pool, kept, gone=lambda: self.shelf.give_back(kept)).run()
        except Exception:
            logger.exception("a socket of the studio failed")


async def _while_there(request: Request, job: Job, work: Coroutine[Any, Any, str]) -> str:
    """Does the work, but not for somebody who has gone."""
    task = asyncio.create_task(work)
    gone = asyncio.ensure_future(request.receive())  # the body has been read: all that can come is the end
    try:
        await asyncio.wait({task, gone}, return_when=asyncio.FIRST_COMPLETED)
        if not task.done():
            job.cancel()
        return await task
    finally:
        gone.cancel()


def _file(name: str) -> Response:
    content = static_files().get(name)
    if content is None:
        return _json({"error": "there is nothing here"}, 404)
    return _bytes(content, f"{TYPES[_ending(name)]}; charset=utf-8")


def _json(value: Any, status: int = 200) -> Response:
    return _bytes(as_json(value), "application/json", status)


def _bytes(content: bytes, kind: str, status: int = 200) -> Response:
    return Response(content, status, headers={"content-type": kind})


async def _http_error(request: Request, error: Exception) -> Response:
    status = error.status_code if isinstance(error, HTTPException) else 500
    sentences = {404: "there is nothing here", 405: "this is not done that way"}
    return _json({"error": sentences.get(status, "this cannot be answered")}, status)


async def _failure(request: Request, error: Exception) -> Response:
    logger.error("the studio failed", exc_info=error)
    return _json({"error": "something went wrong in the studio, please report this"}, 500)
