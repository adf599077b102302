"""What somebody might try to take the studio down or to get more out of it than it should give.

Every case is refused by a server that really runs, and the server goes on answering.
"""

from __future__ import annotations

import base64
import json
import os
import pickle
import socket
import struct
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed

from .conftest import (
    PATIENCE,
    SMALL,
    Page,
    Studio,
    answer_on,
    crowd,
    eventually,
    hard,
    instance,
    running,
    status_of,
)


@pytest.fixture(autouse=True, scope="module")
def many_sockets():
    """Both ends of a thousand sockets are in this process, and some systems allow no more by default."""
    resource = pytest.importorskip("resource")
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = 4096 if hard == resource.RLIM_INFINITY else min(4096, hard)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, wanted), hard))
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


@pytest.fixture(autouse=True)
def goes_on(studio):
    """After every case the server answers, has no socket left, and nobody works any more."""
    yield
    assert studio.still_answers()
    assert studio.quiet()


def posted(studio: Studio, path: str, body: bytes | str | dict[str, Any]) -> tuple[int, str]:
    """The status of a request, and the sentence that refuses it."""
    data = json.dumps(body) if isinstance(body, dict) else body
    answer = studio.client.post(path, content=data)
    assert answer.headers["content-type"] == "application/json"
    return answer.status_code, answer.json().get("error", "")


def refused(studio: Studio, path: str, body: bytes | str | dict[str, Any]) -> str:
    status, sentence = posted(studio, path, body)
    assert status == 400
    assert sentence
    assert "\n" not in sentence
    assert len(sentence) <= 300
    assert "Traceback" not in sentence
    return sentence


# Paths


@pytest.mark.parametrize(
    "path",
    [
        "/static/../guard.py",
        "/static/../../../../../../etc/passwd",
        "/static/%2e%2e/guard.py",
        "/static/%2e%2e%2f%2e%2e%2fetc%2fpasswd",
        "/static/..%2fguard.py",
        "/static/..%5cguard.py",
        "/static/%252e%252e%252fguard.py",
        "/static//etc/passwd",
        "/static/%2fetc%2fpasswd",
        "/static/main.js%00.html",
        "/static/main.js/",
        "/static/MAIN.JS",
        "/static/",
        "/static/__init__.py",
        "/static/\xff",
        "//evil.example/",
        "http://evil.example/static/main.js",
        "/api/solvers/../../etc/passwd",
        "/socket",
        "*",
    ],
)
def test_no_path_leads_anywhere_else(studio, path):
    assert studio.request("GET", path, studio.bearer) in (400, 404)


def test_a_link_in_the_file_system_is_not_followed(studio, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    os.symlink("/etc/passwd", tmp_path / "passwd.js")
    os.symlink("/etc", tmp_path / "static")
    for path in ("/static/passwd.js", "/static/passwd", f"/static/{tmp_path}/passwd.js", "/passwd.js"):
        assert studio.request("GET", path, studio.bearer) == 404
    assert "/etc/passwd" not in refused(studio, "/api/read", {"name": "passwd.js", "text": ""})


def test_the_name_of_an_upload_is_no_path(studio, tmp_path):
    target = tmp_path / "target.map"
    for name in (
        str(target),
        "../../../target.map",
        "..\\target.map",
        "/etc/passwd",
        "a\0b.map",
        "x" * 10_000,
    ):
        sentence = refused(studio, "/api/read", {"name": name, "text": "type octile\nheight 9\n"})
        assert "/tmp" not in sentence
    assert not target.exists()
    assert refused(studio, "/api/read", {"name": "/etc/passwd"}) == "the request: base64 is missing"


def test_a_pickle_is_not_opened(studio, tmp_path):
    class Trap:
        def __reduce__(self) -> Any:
            return (Path.touch, (tmp_path / "trapped",))

    data = base64.b64encode(pickle.dumps(Trap(), protocol=0)).decode()
    refused(studio, "/api/read", {"name": "plan.json", "base64": data})
    assert not (tmp_path / "trapped").exists()


# Requests


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "TRACE", "OPTIONS", "CONNECT", "BREW"])
def test_other_methods_do_nothing(studio, method):
    for path in ("/", "/api/read"):
        assert studio.request(method, path, studio.origin, studio.bearer) in (400, 404, 405)


def test_a_body_that_says_that_it_is_too_large(studio):
    head = f"POST /api/read HTTP/1.1\r\nHost: {studio.host}\r\n{studio.origin}\r\n{studio.bearer}\r\n"
    answer = studio.raw(f"{head}Content-Length: {10**12}\r\n\r\n".encode())
    assert status_of(answer) == 413  # had it waited for the body, it would be 408


def test_a_body_that_turns_out_to_be_too_large(studio):
    head = f"POST /api/read HTTP/1.1\r\nHost: {studio.host}\r\n{studio.origin}\r\n{studio.bearer}\r\n"
    with studio.plug() as plug:
        plug.sendall(f"{head}Transfer-Encoding: chunked\r\n\r\n".encode())
        chunk = b"100000\r\n" + b" " * 2**20 + b"\r\n"
        try:
            for _ in range(12):
                plug.sendall(chunk)
            answer = answer_on(plug)
        except OSError:
            answer = answer_on(plug)
    assert status_of(answer) in (413, 408, 0)  # it may have hung up, or waited too long for a busy client


def test_a_body_that_comes_too_slowly(studio):
    head = f"POST /api/read HTTP/1.1\r\nHost: {studio.host}\r\n{studio.origin}\r\n{studio.bearer}\r\n"
    with studio.plug() as plug:
        plug.sendall(f"{head}Content-Length: 1000\r\n\r\n".encode())
        plug.sendall(b" ")
        time.sleep(0.1)
        plug.sendall(b" ")
        assert studio.still_answers()
        assert status_of(answer_on(plug)) == 408


@pytest.mark.parametrize(
    "lines",
    [
        "Content-Length: -1",
        "Content-Length: 1e3",
        "Content-Length: 5\r\nContent-Length: 6",
        "Content-Length: 5\r\nTransfer-Encoding: chunked",
        "Transfer-Encoding: gzip",
        "A header without a colon",
        "X: " + "y" * 200_000,
    ],
)
def test_headers_that_make_no_sense(studio, lines):
    head = f"POST /api/read HTTP/1.1\r\nHost: {studio.host}\r\n{studio.origin}\r\n{studio.bearer}\r\n"
    answer = studio.raw(f"{head}{lines}\r\n\r\nhello".encode(), seconds=2)
    assert status_of(answer) in (0, 400, 408, 413, 431, 501)


def test_no_host_or_two(studio):
    for hosts in ("", f"Host: {studio.host}\r\nHost: evil.example\r\n", f"Host: {studio.host}\r\n" * 2):
        answer = studio.raw(f"GET / HTTP/1.1\r\n{hosts}{studio.bearer}\r\n\r\n".encode())
        assert status_of(answer) in (400, 403)
    old = studio.raw(f"GET / HTTP/1.0\r\n{studio.bearer}\r\n\r\n".encode())
    assert status_of(old) == 403


def test_other_headers_for_the_host_count_for_nothing(studio):
    lines = [f"X-Forwarded-Host: {studio.host}", "Forwarded: host=127.0.0.1", "X-Forwarded-For: 127.0.0.1"]
    assert studio.request("GET", "/", *lines, studio.bearer, host="evil.example") == 403


@pytest.mark.parametrize(
    "data", [b"\0" * 1000, b"GET", b"\x16\x03\x01\x02\x00", b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"]
)
def test_what_is_no_request_at_all(studio, data):
    assert status_of(studio.raw(data, seconds=1)) in (0, 400, 403)


def test_many_who_say_nothing(studio):
    plugs = [socket.create_connection(("127.0.0.1", studio.server.port)) for _ in range(300)]
    try:
        assert studio.still_answers()
    finally:
        for plug in plugs:
            plug.close()


# JSON


@pytest.mark.parametrize(
    ("body", "part"),
    [
        ("[" * 100_000, "nested too deeply"),
        ('{"a":' * 100 + "1" + "}" * 100, "nested more than 32 deep"),
        ('{"generator": "empty", "seed": NaN}', "NaN is not a number"),
        ('{"generator": "empty", "seed": -Infinity}', "not a number"),
        ('{"generator": "random", "params": {"density": 1e999}}', "too large"),
        ('{"seed": ' + "9" * 10_000 + "}", "too large"),
        ('{"seed": 1, "seed": 2}', "given twice"),
        ("[1, 2]", "must be a JSON object"),
        ("null", "must be a JSON object"),
        ("", "not JSON"),
        ("{", "not JSON"),
        (b"\xff\xfe", "not UTF-8"),
        ('{"generator": "empty", "surprise": 1}', "surprise is not a field"),
        ('{"generator": "empty", "params": {"size": 1}}', "no parameter 'size'"),
        ('{"generator": "empty", "params": {"height": -1}}', "whole number from 1"),
        ('{"generator": "empty", "params": {"height": 1000001, "width": 1}}', "at most 1,000,000 cells"),
        ('{"generator": "empty", "params": {"height": 1e6}}', "a whole number"),
        ('{"generator": "empty", "params": {"height": true}}', "a whole number"),
        ('{"generator": "empty", "params": {"height": 100000000, "width": 100000000}}', "at most"),
        ('{"generator": "warehouse", "params": {"columns": 100000, "rows": 100000}}', "at most"),
        ('{"generator": "random", "params": {"density": 2}}', "density"),
        ('{"generator": "empty", "agents": 10001}', "agents must be from 0 to 10000"),
        ('{"generator": "empty", "agents": -1}', "agents must be"),
        ('{"generator": "empty", "agents": 2000}', "do not fit"),
        ('{"generator": "empty", "connectivity": 6}', "4 or 8"),
        ('{"generator": "empty", "rules": {"following": 1}}', "true or false"),
        ('{"generator": "__class__"}', "no generator"),
        ('{"generator": 5}', "a string"),
        ('{"generator": "<img src=x onerror=alert(1)>"}', "no generator"),
    ],
)
def test_json_that_makes_no_sense(studio, body, part):
    assert part in refused(studio, "/api/generate", body)


# Instances


def changed(**fields: Any) -> dict[str, Any]:
    return {**instance(), **fields}


def agent(**fields: Any) -> dict[str, Any]:
    return {"start": [0, 0], "goal": None, **fields}


@pytest.mark.parametrize(
    ("broken", "part"),
    [
        (changed(height=-3), "height must be from 1"),
        (changed(width=0), "width must be from 1"),
        (changed(height=3.0), "a whole number"),
        (changed(height=1_000_000, width=1_000_000), "at most 1,000,000 cells"),
        (changed(walls=""), "must have 2 bytes"),
        (changed(walls="A" * 4_000_000), "must have 2 bytes"),
        (changed(walls="?!"), "base64"),
        (changed(walls=["AA=="]), "a string"),
        (changed(connectivity=5), "4 or 8"),
        (changed(corners="all"), "corners"),
        (changed(rules={"gravity": True}), "not a field"),
        (changed(agents={}), "a list"),
        (changed(agents=[agent(start=[0, 99])]), "outside the grid"),
        (changed(agents=[agent(start=[-1, 0])]), "outside the grid"),
        (changed(agents=[agent(start=[0, 0, 0])]), "[row, col]"),
        (changed(agents=[agent(start="0,0")]), "a list"),
        (changed(agents=[agent(start=[1, 0])]), "in a wall"),
        (changed(agents=[agent(), agent()]), "same start"),
        (changed(agents=[agent(name="")]), "non-empty"),
        (changed(agents=[agent(name="x" * 101)]), "at most 100 characters"),
        (changed(agents=[agent(size=0)]), "from 1"),
        (changed(agents=[agent(period=-1)]), "from 1"),
        (changed(agents=[agent(priority=2**40)]), "from -2147483648"),
        (changed(agents=[agent(colour="red")]), "not a field"),
        (changed(agents=[agent()] * 10_001), "at most 10,000 agents"),
        (changed(extra=1), "not a field"),
    ],
)
def test_instances_that_make_no_sense(studio, broken, part):
    assert part in refused(studio, "/api/write", {"instance": broken, "what": "problem"})


def test_markup_in_a_name_stays_a_name(studio):
    name = "</script><img src=x onerror=alert(1)>\u2028\ud800\x00"
    markup = changed(agents=[{**agent(), "name": name}])
    answer = studio.client.post(
        "/api/write", content=json.dumps({"instance": markup, "what": "python"}).encode()
    )
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "application/json"
    assert answer.content.isascii()
    namespace: dict[str, Any] = {}
    exec(answer.json()["text"].partition("result =")[0], namespace)
    assert namespace["problem"].names == (name,)
    with studio.page() as page:
        *_, payload, done = page.all(do="solve", id=1, instance=markup, runs=[{"solver": "lra"}], seconds=5)
        assert isinstance(payload, bytes)
        assert done == {"id": 1, "done": True}


def test_code_in_a_name_stays_a_name(studio):
    name = '"""\nraise SystemExit\n"""'
    body = {"instance": changed(agents=[{**agent(), "name": name}]), "what": "python"}
    text = studio.client.post("/api/write", json=body).json()["text"]
    namespace: dict[str, Any] = {}
    exec(text.partition("result =")[0], namespace)
    assert namespace["problem"].names == (name,)


# Sockets

SOLVE = {"do": "solve", "id": 1, "seconds": 5, "runs": [{"solver": "whca"}]}


@pytest.mark.parametrize(
    ("message", "part"),
    [
        ({"do": "solve"}, "id is missing"),
        ({"id": 1}, "do is missing"),
        ({"do": "shutdown", "id": 1}, "nothing to do that is called 'shutdown'"),
        ({"do": "__init__", "id": 1}, "nothing to do"),
        ({"do": ["solve"], "id": 1}, "a string"),
        ({"do": "solve", "id": -1}, "from 0"),
        ({"do": "solve", "id": 2**32}, "from 0"),
        ({"do": "solve", "id": 1.5}, "a whole number"),
        ({"do": "solve", "id": "1"}, "a whole number"),
        ({"do": "cancel", "id": 7}, "nothing under way"),
        ({"do": "live-block", "id": 7, "cells": []}, "nothing under way"),
        ({"do": "why", "id": 1, "run": [0, 0], "agent": 0, "time": 0}, "no such run"),
        ({"do": "why", "id": 1, "run": "latest", "agent": 0, "time": 0}, "a list"),
        ({"do": "transcript", "id": 1, "run": [1, 2, 3]}, "index of a run"),
        (SOLVE, "instance is missing"),
        ({**SOLVE, "instance": instance(), "seconds": 1e9}, "from 0 to 600"),
        ({**SOLVE, "instance": instance(), "seconds": -1}, "from 0 to 600"),
        ({**SOLVE, "instance": instance(), "seconds": "5"}, "from 0 to 600"),
        ({**SOLVE, "instance": instance(), "runs": []}, "from 1 to 6 runs"),
        ({**SOLVE, "instance": instance(), "runs": [{"solver": "whca"}] * 7}, "from 1 to 6 runs"),
        ({**SOLVE, "instance": instance(), "runs": [{"solver": "os.system"}]}, "no solver"),
        (
            {**SOLVE, "instance": instance(), "runs": [{"solver": "whca", "params": {"window": "x"}}]},
            "window",
        ),
        (
            {**SOLVE, "instance": instance(), "runs": [{"solver": "whca", "params": {"__class__": 1}}]},
            "no param",
        ),
        (
            {**SOLVE, "instance": instance(), "runs": [{"solver": "whca", "params": {"window": 10**9}}]},
            "window",
        ),
        (
            {**SOLVE, "instance": instance(), "runs": [{"solver": "adpp", "params": {"threads": -5}}]},
            "threads",
        ),
        ({**SOLVE, "instance": instance(), "seed": -1}, "seed must be from 0"),
        ({**SOLVE, "instance": instance(), "memory": 1}, "not a field"),
        ({**SOLVE, "instance": changed(height=-1)}, "height must be"),
        ({"do": "live", "id": 1, "instance": instance(), "solver": "cbs", "rate": 1}, "turn by turn"),
        ({"do": "live", "id": 1, "instance": instance(), "solver": "whca", "rate": -1}, "rate must be"),
        ({"do": "live", "id": 1, "instance": instance(), "solver": "whca", "rate": 1e9}, "rate must be"),
    ],
)
def test_messages_that_make_no_sense(studio, message, part):
    with studio.page() as page:
        assert part in page.refused(**message)


@pytest.mark.parametrize("text", ["", "nonsense", "[]", "[" * 100_000, '{"id": NaN}', '"\ud800"'])
def test_messages_that_are_no_message(studio, text):
    with studio.page() as page:
        page.connection.send(text.encode("utf-8", "replace").decode())
        assert page.hear()["error"]
        assert still_useful(page)


def test_a_binary_message(studio):
    with studio.page() as page:
        page.connection.send(b"\0" * 1000)
        assert page.hear() == {"id": None, "error": "a message must be text"}
        assert still_useful(page)


def still_useful(page: Page) -> bool:
    heard = page.answers(do="solve", id=99, instance=instance(), runs=[{"solver": "cbs"}], seconds=5)
    return heard[0]["result"]["status"] == "optimal"


def test_a_giant_frame(studio):
    with studio.page() as page:
        with suppress(ConnectionClosed):
            page.connection.send("x" * (9 * 2**20))
        with pytest.raises(ConnectionClosed) as closed:
            page.hear()
        assert closed.value.rcvd is None or closed.value.rcvd.code == 1009


def test_a_frame_that_says_that_it_is_giant(studio):
    with open_socket(studio) as plug:
        plug.sendall(b"\x81\xff" + struct.pack(">Q", 2**62) + b"mask")
        assert answer_on(plug)[:1] in (b"\x88", b"")


def test_many_small_pieces_of_a_giant_message(studio):
    with open_socket(studio) as plug:
        piece = b"\xfe" + struct.pack(">H", 60_000) + b"\0\0\0\0" + b"x" * 60_000
        plug.sendall(b"\x01" + piece)
        sent = 0
        with suppress(ConnectionError):
            while sent < 1000:
                plug.sendall(b"\x00" + piece)
                sent += 1
        assert sent < 1000  # it hung up long before


@pytest.mark.parametrize(
    "frame", [b"\x81\x05hello", b"\xf1\x80mask", b"\x83\x80mask", b"\x89\xfe\x01\x00mask" + b"x" * 256]
)
def test_frames_against_the_protocol(studio, frame):
    """Without a mask, with reserved bits, of a kind that does not exist, a ping that is too long."""
    with open_socket(studio) as plug:
        plug.sendall(frame)
        assert answer_on(plug)[:1] in (b"\x88", b"")


def open_socket(studio: Studio) -> socket.socket:
    plug = socket.create_connection(("127.0.0.1", studio.server.port), timeout=PATIENCE)
    plug.sendall(opening(studio))
    assert status_of(plug.recv(2**16)) == 101
    return plug


def opening(studio: Studio) -> bytes:
    return (
        f"GET /socket HTTP/1.1\r\nHost: {studio.host}\r\n{studio.origin}\r\n{studio.bearer}\r\n"
        "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    ).encode()


@pytest.mark.slow
def test_a_thousand_sockets():
    """Sixteen are served; all others are told to try again later, and the sixteen go on."""
    with running(replace(SMALL, half_open=2000, head_seconds=600.0)) as studio, studio.page() as first:
        plugs = [
            socket.create_connection(("127.0.0.1", studio.server.port), timeout=PATIENCE) for _ in range(1000)
        ]
        try:
            for plug in plugs:
                plug.sendall(opening(studio))
            told = [answer_on(plug, until=b"\x88") for plug in plugs[15:]]
            assert studio.server.guard.sockets == 16
            assert all(struct.pack(">H", 1013) in answer for answer in told)
            assert still_useful(first)
            assert studio.still_answers()
        finally:
            for plug in plugs:
                plug.close()
        assert eventually(lambda: studio.server.guard.sockets == 1)


def test_more_solves_than_there_is_room_for(studio):
    """Two run, two wait, all others are refused."""
    with studio.page() as page:
        for number in range(10):
            page.send(**{**SOLVE, "id": number, "instance": hard(), "runs": [{"solver": "standard"}]})
        busy = [page.until("error") for _ in range(6)]
        assert all("busy" in answer["error"] and answer["done"] for answer in busy)
        for number in sorted(set(range(10)) - {answer["id"] for answer in busy}):
            page.send(do="cancel", id=number)
        ended = [page.until("done")["id"] for _ in range(4)]
        assert len(set(ended)) == 4


def test_more_requests_than_there_is_room_for(studio):
    """Two are worked on and two wait; all others are told to come later."""
    body = {"generator": "rooms", "params": {"height": 300, "width": 300}, "agents": 1000}
    with ThreadPoolExecutor(12) as crowd:
        answers = list(crowd.map(lambda _: studio.client.post("/api/generate", json=body), range(12)))
    statuses = [answer.status_code for answer in answers]
    assert set(statuses) == {200, 503}
    assert statuses.count(200) >= 4
    assert all("busy" in answer.json()["error"] for answer in answers if answer.status_code == 503)


def test_an_id_that_is_in_use(studio):
    with studio.page() as page:
        page.send(**{**SOLVE, "instance": hard(), "runs": [{"solver": "standard"}]})
        assert "in use" in page.refused(**{**SOLVE, "instance": instance()})
        assert "nothing under way" in page.refused(do="live-undo", id=1)
        page.send(do="cancel", id=1)
        assert page.until("done")["cancelled"]


def test_more_worlds_than_there_is_room_for(studio):
    with studio.page() as page:
        message = {"do": "live", "instance": instance(), "solver": "whca", "rate": 0}
        for number in range(2):
            page.send(**message, id=number)
            assert page.until("state")["id"] == number
        assert "busy" in page.refused(**message, id=4)


def test_a_flood_of_commands(studio):
    """More than the world can take at once are dropped with a sentence, and it lives on."""
    with studio.page() as page:
        page.send(do="live", id=1, instance=crowd(50), solver="whca", rate=0)
        page.until("state")
        for _ in range(2000):
            page.send(do="live-step", id=1)
        page.send(do="live-end", id=1)
        heard = page.hear()
        while not heard.get("done"):
            assert "turn" in heard or "too many commands" in heard["error"]
            heard = page.hear()
        assert still_useful(page)


def test_a_page_that_never_reads(studio):
    """Its world waits for it; nothing piles up, and others are not disturbed."""
    with open_socket(studio) as plug:
        text = json.dumps(
            {"do": "live", "id": 1, "instance": crowd(100, 32), "solver": "whca", "rate": 200}
        ).encode()
        plug.sendall(b"\x81\xfe" + struct.pack(">H", len(text)) + b"\0\0\0\0" + text)
        time.sleep(1.0)
        assert studio.still_answers()


def test_one_who_is_gone_at_once(studio):
    for _ in range(20):
        with open_socket(studio) as plug:
            text = json.dumps({**SOLVE, "instance": instance()}).encode()
            plug.sendall(b"\x81\xfe" + struct.pack(">H", len(text)) + b"\0\0\0\0" + text)


def test_a_page_that_asks_for_too_much_memory(tmp_path):
    """A worker that runs out of memory ends its job and nothing else."""
    too_much = {**SOLVE, "instance": crowd(2000, 256, density=0.2), "seconds": 20}
    with running(replace(SMALL, memory=160 * 2**20)) as studio, studio.page() as page:
        last = page.all(**too_much)[-1]
        assert "memory" in last["error"]
        assert still_useful(page)
