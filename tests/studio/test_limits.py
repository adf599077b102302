"""What the studio may take: memory, connections, the time of its loop; and why workers die."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import socket
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from typing import Any

import pytest

import sidestep as ss
from sidestep.instances import random_problem
from sidestep.io.jsonfile import Record
from sidestep.studio import conversation, live
from sidestep.studio.limits import LEAST_MEMORY, Limits
from sidestep.studio.live import Live
from sidestep.studio.memory import allocated
from sidestep.studio.pool import Worker

from .conftest import SMALL, eventually, hard, instance, running

linux = pytest.mark.skipif(allocated() is None, reason="only glibc says what is allocated")


def command(world: Live, name: str, **fields: Any) -> None:
    world.command(name, Record(fields, "", "the request"))


def large_world() -> Live:
    grid = ss.Grid.from_text("\n".join(["." * 300] * 300))
    return Live(random_problem(grid, 50, 0), ss.WHCA(), 0)


# Undo

UNDO = 2**22  # bytes; a moment of the large world takes a tenth of it


@linux
def test_what_can_be_undone_takes_no_more_than_it_may(monkeypatch):
    """However large worlds are: before, eight moments were always kept."""
    monkeypatch.setattr(live, "UNDO_BYTES", UNDO)
    world = large_world()
    world.turn(None)
    before = allocated()
    for click in range(16):
        command(world, "block", cells=[[0, click]])
    grown = allocated() - before
    assert grown < 2 * UNDO
    assert 0 < world.state()["undo"] < 16
    while world.state()["undo"]:
        world.undo()
    assert allocated() - before < 2 * UNDO
    assert world.state()["redo"] > 0
    world.redo()


@linux
def test_a_world_too_large_to_be_undone_still_refuses_without_a_change(monkeypatch):
    monkeypatch.setattr(live, "UNDO_BYTES", 1)
    world = Live(ss.Problem.from_text("a . A"), ss.WHCA(), 0)
    command(world, "block", cells=[[0, 1]])
    assert world.state()["undo"] == 0
    with pytest.raises(ss.InputError, match="nothing to undo"):
        world.undo()
    with pytest.raises(ss.InputError):
        command(world, "block", cells=[[0, 2], [7, 7]])
    assert world.world.is_open((0, 2))


# Memory of workers


def test_what_workers_may_have_adds_up_to_what_there_is():
    for limits in (Limits(memory=2**36), Limits(memory=2**38, solves=64), Limits(memory=2**36, worlds=1)):
        at_once = {"solve": limits.solves, "world": limits.worlds, "ask": limits.asks}
        assert sum(limits.memory_of(lane) * count for lane, count in at_once.items()) <= limits.memory
        assert limits.memory_of("solve") >= limits.memory_of("ask") >= LEAST_MEMORY
    assert Limits(memory=None).memory_of("solve") is None


@linux
def test_a_worker_is_held_to_its_share():
    import resource

    with running(replace(SMALL, memory=2**33)) as studio, studio.page() as page:
        page.send(do="live", id=1, instance=instance(), solver="whca", rate=0)
        page.until("state")
        (worker,) = studio.pool.working
        limit, _ = resource.prlimit(worker.pid, resource.RLIMIT_DATA)
        assert limit == replace(SMALL, memory=2**33).memory_of("world") < 2**32


@linux
def test_a_worker_that_keeps_much_in_memory_is_replaced():
    with running(replace(SMALL, idle_memory=1)) as fat, fat.page() as page:
        first = fat.pool.idle[0].pid
        page.all(do="solve", id=1, instance=instance(), runs=[{"solver": "whca"}], seconds=5)
        assert eventually(lambda: fat.pool.idle and fat.pool.idle[0].pid != first)
    with running() as slim, slim.page() as page:
        first = slim.pool.idle[0].pid
        page.all(do="solve", id=1, instance=instance(), runs=[{"solver": "whca"}], seconds=5)
        assert eventually(lambda: bool(slim.pool.idle))
        assert slim.pool.idle[0].pid == first


# Connections


def test_a_head_that_never_ends():
    with running(replace(SMALL, head_seconds=0.5)) as studio:
        for sent in (b"", b"GET / HTTP/1.1\r\nHost: ", b"GET /api/solvers HTTP/1.1\r\n"):
            with studio.plug() as plug:
                plug.sendall(sent)
                assert is_hung_up(plug)
        assert len(studio.server.half_open) == 0
        assert studio.still_answers()


def test_a_second_head_that_never_ends():
    """A connection that had its answer waits no longer for the next request than for the first."""
    with running(replace(SMALL, head_seconds=0.5)) as studio, studio.plug() as plug:
        request = f"GET /api/solvers HTTP/1.1\r\nHost: {studio.host}\r\n{studio.bearer}\r\n\r\n"
        plug.sendall(request.encode())
        assert plug.recv(2**20).startswith(b"HTTP/1.1 200")
        plug.sendall(b"GET / HTTP/1.1\r\nX: ")
        assert is_hung_up(plug)


def is_hung_up(plug: socket.socket) -> bool:
    try:
        while plug.recv(2**16):
            pass
    except ConnectionError:
        return True
    except TimeoutError:
        return False
    return True


def test_more_half_open_connections_than_there_is_room_for():
    """The oldest go; who asks for something is served, and so is a page that is open."""
    with running(replace(SMALL, half_open=8, head_seconds=600.0)) as studio, studio.page() as page:
        plugs = [socket.create_connection(("127.0.0.1", studio.server.port)) for _ in range(40)]
        try:
            assert is_hung_up(plugs[0])
            assert eventually(lambda: len(studio.server.half_open) <= 8)
            assert studio.still_answers()
            assert page.all(do="solve", id=1, instance=instance(), runs=[{"solver": "whca"}], seconds=5)
        finally:
            for plug in plugs:
                plug.close()


# Large messages


def test_large_messages_are_read_by_workers(monkeypatch):
    """The server's own process, in which everybody waits, reads no more than a head."""
    read: list[int] = []

    def parsed(text: Any) -> Any:
        read.append(len(text))
        return original(text)

    original = conversation.parsed
    monkeypatch.setattr(conversation, "parsed", parsed)
    blank = " " * 300_000
    with running() as studio, studio.page() as page:
        solve = {"do": "solve", "id": 1, "instance": instance(), "runs": [{"solver": "whca"}], "seconds": 5}
        page.connection.send(json.dumps(solve) + blank)
        assert page.until("result")["result"]["status"] == "solved"
        assert page.until("done") == {"id": 1, "done": True}
        page.connection.send(json.dumps({"do": "why", "id": 2, "run": [1, 0], "agent": 0, "time": 0}) + blank)
        assert "why" in page.until("why")
        page.until("done")
        world = {"do": "live", "id": 3, "instance": instance(), "solver": "whca", "rate": 0}
        page.connection.send(json.dumps(world) + blank)
        page.until("state")
        page.connection.send(json.dumps({"do": "live-block", "id": 3, "cells": [[0, 1]]}) + blank)
        assert page.until("state")["state"]["undo"] == 1
        page.connection.send(json.dumps({"do": "live-end", "id": 3}) + blank)
        page.until("done")
        for text in ("[" * 10_000, '{"id": 1, "do": 5}', "[]", '{"do": "' + "x" * 100_000 + '", "id": 1}'):
            page.connection.send(text + blank)
            assert page.hear()["error"]
    assert max(read) <= conversation.LARGE_MESSAGE


# Why a worker died


@pytest.mark.parametrize(
    ("number", "part"),
    [
        (signal.SIGKILL, "somebody has ended the process that worked on this (SIGKILL)"),
        (signal.SIGTERM, "somebody has ended the process that worked on this (SIGTERM)"),
        (signal.SIGSEGV, "crashed (SIGSEGV)"),
        (signal.SIGABRT, "crashed (SIGABRT)"),
    ],
)
def test_the_reason_why_a_worker_died_is_the_true_one(studio, number, part):
    with studio.page() as page:
        page.send(do="solve", id=1, instance=hard(), runs=[{"solver": "standard"}], seconds=60)
        assert eventually(lambda: bool(studio.pool.working))
        time.sleep(0.2)
        os.kill(next(iter(studio.pool.working)).pid, number)
        told = page.until("done")["error"]
        assert part in told
        assert "memory" not in told


def test_a_worker_that_ends_by_itself():
    async def end_of_one() -> str:
        worker = await Worker.start(2**30)
        worker._stdin.close()
        return await worker.why_it_died()

    with ThreadPoolExecutor(1) as elsewhere:  # a browser of other tests may have a loop in this thread
        assert "exit code 0" in elsewhere.submit(lambda: asyncio.run(end_of_one())).result()


def test_a_read_that_is_killed_leaves_nothing_behind(tmp_path, monkeypatch):
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    text = "type octile\nheight 900\nwidth 900\nmap\n" + ("." * 900 + "\n") * 900
    with running() as studio, ThreadPoolExecutor() as others:
        for _ in range(3):
            asked = others.submit(studio.client.post, "/api/read", json={"name": "a.map", "text": text})
            assert eventually(lambda asked=asked: bool(studio.pool.working) or asked.done())  # type: ignore[misc]
            for worker in list(studio.pool.working):
                with suppress(ProcessLookupError):
                    os.kill(worker.pid, signal.SIGKILL)
            answer = asked.result()
            assert answer.status_code in (200, 400)
        assert studio.quiet()
        assert studio.still_answers()
    assert list(tmp_path.iterdir()) == []
