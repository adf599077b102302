"""What a page may ask for over its socket. Everything that takes time is a job, which ends with the page."""

from __future__ import annotations

import asyncio
import struct
from collections.abc import Callable
from typing import Any

from starlette.websockets import WebSocket, WebSocketDisconnect

from ..io.jsonfile import Record
from ..model.errors import InputError
from ..viewer.replay import MAX_SCENES
from .jobs import MAX_SECONDS
from .pool import BusyError, Job, Pool
from .requests import MAX_ID, Told, as_json, asked, number_from, parsed
from .shelf import Kept
from .worker import ADDRESS, BINARY, KEEP, TEXT

SLACK = 60.0  # seconds beyond its limit until a solve is ended by force: plans are also judged and packed
A_DAY = 86_400.0  # that is how long a world may live
MAX_JOBS = 32  # of one page
QUESTIONS = ("why", "why_not", "why_first", "transcript", "plan")  # about a result that is kept
LARGE_MESSAGE = 2**16  # characters: what is longer is not read in the server's process


class Conversation:
    """One page and its jobs."""

    def __init__(self, socket: WebSocket, pool: Pool, kept: Kept, gone: Callable[[], None]) -> None:
        self._socket, self._pool, self._kept, self._gone = socket, pool, kept, gone
        self._jobs: dict[int, Job] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._sending = asyncio.Lock()
        self._open = True

    async def run(self) -> None:
        """Listens until the page is gone; then its jobs end, too."""
        try:
            await self._socket.accept()
            while True:
                message = await self._socket.receive()
                if message["type"] == "websocket.disconnect":
                    break
                await self._heed(message.get("text"))
        finally:
            self._open = False
            self._gone()  # before its jobs have ended: the page may be there again already
            for job in self._jobs.values():
                job.cancel()
            await asyncio.gather(*self._tasks)

    async def _heed(self, text: str | None) -> None:
        page_id = None
        try:
            if text is None:
                raise InputError("a message must be text")  # noqa: TRY301
            is_large = len(text) > LARGE_MESSAGE
            message = await self._head_of(text) if is_large else parsed(text)
            request = asked(message)
            page_id = request.integer("id", low=0, high=MAX_ID)
            told: Told = text if is_large else message
            if request.text("do") == "again":
                await self._say_again(page_id, request)
            else:
                self._begin_or_tell(page_id, request.text("do"), told, request)
        except InputError as error:
            await self._say({"id": page_id, "error": str(error)})

    async def _head_of(self, text: str) -> dict[str, Any]:
        """What has to be known of a large message: a worker reads it, so that nobody else has to wait."""
        heads: list[bytes] = []

        async def keep(what: bytes, content: bytes) -> None:
            heads.append(content)

        seconds = self._pool.limits.ask_seconds
        error = await Job(self._pool, "ask", "head", {"text": text}, seconds=seconds).run(keep)
        if error or not heads:
            raise InputError(error or "there is no answer")
        return parsed(heads[0])

    def _begin_or_tell(self, page_id: int, do: str, message: Told, request: Record) -> None:
        if do in ("cancel", "live-end"):
            request.done()
            self._job(page_id, None if do == "cancel" else "world").cancel()
        elif do.startswith("live-"):
            self._job(page_id, "world").tell(message)
        else:
            self._begin(page_id, self._new_job(page_id, do, message, request))

    def _new_job(self, page_id: int, do: str, message: Told, request: Record) -> Job:
        makers: dict[str, Callable[[int, Told, Record], Job]] = {
            "solve": self._solve,
            "live": self._live,
            **dict.fromkeys(QUESTIONS, self._question),
        }
        if do not in makers:
            raise InputError(f"there is nothing to do that is called {do[:40]!r}")
        if page_id in self._jobs:
            raise InputError(f"the id {page_id} is in use")
        if len(self._jobs) >= MAX_JOBS:
            raise InputError(f"a page may have at most {MAX_JOBS} things under way")
        return makers[do](page_id, message, request)

    def _job(self, page_id: int, kind: str | None = None) -> Job:
        job = self._jobs.get(page_id)
        if job is None or kind not in (None, job.kind):
            raise InputError(f"there is nothing under way with the id {page_id}")
        return job

    # The kinds of jobs

    def _solve(self, page_id: int, message: Told, request: Record) -> Job:
        runs = min(len(request.items("runs")), MAX_SCENES)
        seconds = runs * number_from(request, "seconds", most=MAX_SECONDS) + SLACK
        argument = {"message": message}
        job = Job(self._pool, "solve", "solve", argument, page_id=page_id, seconds=seconds)
        self._kept.begin()
        return job

    def _live(self, page_id: int, message: Told, request: Record) -> Job:
        return Job(self._pool, "world", "world", {"message": message}, page_id=page_id, seconds=A_DAY)

    def _question(self, page_id: int, message: Told, request: Record) -> Job:
        run = request.integers("run", low=0, high=MAX_ID)
        if len(run) != 2:
            raise request.error("run", "must be the id of a solve and the index of a run")
        argument = {"message": message, "run": self._kept.result(*run)}
        seconds = self._pool.limits.ask_seconds
        return Job(self._pool, "ask", request.text("do"), argument, page_id=page_id, seconds=seconds)

    def _begin(self, page_id: int, job: Job) -> None:
        self._jobs[page_id] = job
        task = asyncio.create_task(self._see_through(page_id, job))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _see_through(self, page_id: int, job: Job) -> None:
        async def forward(what: bytes, content: bytes) -> None:
            if job.kind == "solve":
                self._keep(page_id, what, content)
            if what != KEEP:
                await self._send(what, content)

        try:
            error = await job.run(forward)
        except BusyError as busy:
            error = str(busy)
        finally:
            del self._jobs[page_id]
        told = {"error": error} if error else {"cancelled": True} if job.cancelled else {}
        await self._say({"id": page_id, **told, "done": True})

    def _keep(self, solve: int, what: bytes, content: bytes) -> None:
        """What came of a run, to be asked about and to be said again."""
        if what == KEEP:
            (index,) = struct.unpack_from("<I", content)
            self._kept.keep(solve, index, what, content[4:])
        else:
            index = ADDRESS.unpack_from(content)[1] if what == BINARY else parsed(content)["index"]
            self._kept.keep(solve, index, what, content)

    async def _say_again(self, solve: int, request: Record) -> None:
        """What was said of the latest solve, for a page that was loaded again."""
        request.done()
        if solve in self._jobs:
            raise InputError(f"the id {solve} is in use")
        said = self._kept.said(solve)
        for what, content in said:
            await self._send(what, content)
        error = {} if said else {"error": "nothing is kept of this solve"}
        await self._say({"id": solve, **error, "done": True})

    # Answers

    async def _say(self, message: dict[str, Any]) -> None:
        await self._send(TEXT, as_json(message))

    async def _send(self, what: bytes, content: bytes) -> None:
        if not self._open:
            return
        async with self._sending:
            try:
                if what == BINARY:
                    await self._socket.send_bytes(content)
                else:
                    await self._socket.send_text(content.decode("ascii"))
            except (WebSocketDisconnect, RuntimeError):  # it has just gone
                self._open = False
