"""Nobody gets in without the token, at another address or from another page: tried on everything there is."""

from __future__ import annotations

import re

import pytest
from starlette.routing import Route, WebSocketRoute

from sidestep.studio.app import Studio as Application
from sidestep.studio.guard import HEADERS

from .conftest import Studio, running, status_of

pytestmark = pytest.mark.bounds

ROUTES = Application().routes
FILES = {"name": "main.js", "module": "mount.js"}
REQUESTS = [
    (method, re.sub(r"\{(\w+)\}", lambda match: FILES[match[1]], route.path))
    for route in ROUTES
    if isinstance(route, Route)
    for method in sorted((route.methods or set()) - {"HEAD"})
]
SOCKETS = [route.path for route in ROUTES if isinstance(route, WebSocketRoute)]
EVERYTHING = [*REQUESTS, ("HEAD", "/"), ("GET", "/nothing"), ("POST", "/nothing"), ("OPTIONS", "/api/read")]

HOSTS = [
    "evil.example",
    "evil.example:{port}",
    "localhost.evil.example:{port}",
    "127.0.0.1.evil.example:{port}",
    "127.0.0.1:{other}",
    "127.0.0.1",
    "localhost",
    "LOCALHOST:{port}",  # browsers send lower case: another spelling is another address
    "localhost.:{port}",  # a name that ends with a dot is another one, too
    "127.0.0.1.:{port}",
    "[::1]:{port}",  # nothing is served there
    "0.0.0.0:{port}",
    "2130706433:{port}",
    "127.1:{port}",
    "127.0.0.1:{port}@evil.example",
    "evil.example@127.0.0.1:{port}",
    "127.0.0.1:0{port}",
    "",
]
ORIGINS = [
    "null",
    "http://evil.example",
    "http://evil.example:{port}",
    "http://localhost.evil.example:{port}",
    "http://127.0.0.1:{port}.evil.example",
    "http://127.0.0.1:{other}",
    "http://127.0.0.1",
    "https://127.0.0.1:{port}",
    "http://localhost:{port}",  # right for a page at localhost, but this one is at 127.0.0.1
    "HTTP://127.0.0.1:{port}",
    "http://127.0.0.1:{port}/",
    "file://",
    "",
]


def filled(text: str, studio: Studio) -> str:
    return text.format(port=studio.server.port, other=studio.server.port % 65535 + 1)


def test_the_table_of_routes_is_what_is_tried():
    assert len(REQUESTS) == 9
    assert SOCKETS == ["/socket"]


@pytest.mark.parametrize(("method", "path"), EVERYTHING)
def test_a_request_needs_the_token(studio, method, path):
    wrong = [
        (),
        ("Authorization: Bearer ",),
        (f"Authorization: Bearer {studio.token[:-1]}",),
        (f"Authorization: Bearer {studio.token}x",),
        (f"Authorization: Bearer {studio.token.swapcase()}",),
        (f"Authorization: Basic {studio.token}",),
        (f"Cookie: sidestep-{studio.server.port}=",),
        (f"Cookie: sidestep-{studio.server.port}=wrong; a=b",),
        (f"Cookie: sidestep-1={studio.token}",),
        (f"Cookie: sidestep-{studio.server.port}x={studio.token}",),
        ("Authorization: Bearer t\xf6ken",),
    ]
    for lines in wrong:
        assert studio.request(method, path, studio.origin, *lines) == 403, lines


@pytest.mark.parametrize(("method", "path"), EVERYTHING)
def test_a_request_needs_the_right_address(studio, method, path):
    for host in HOSTS:
        status = studio.request(method, path, studio.origin, studio.bearer, host=filled(host, studio))
        assert status in (400, 403), host


@pytest.mark.parametrize(("method", "path"), EVERYTHING)
def test_a_request_needs_the_right_origin(studio, method, path):
    for origin in ORIGINS:
        status = studio.request(method, path, f"Origin: {filled(origin, studio)}", studio.bearer)
        assert status == 403, origin
    assert studio.request(method, path, studio.origin, studio.origin, studio.bearer) == 403
    missing = studio.request(method, path, studio.bearer)
    assert (missing == 403) == (method != "GET")


@pytest.mark.parametrize(("method", "path"), REQUESTS)
def test_a_request_with_all_of_it_is_answered(studio, method, path):
    body = b"{}" if method == "POST" else b""
    expected = 400 if method == "POST" else 204 if path == "/api/given" else 200
    assert studio.request(method, path, studio.origin, studio.bearer, body=body) == expected
    cookie = f"Cookie: a=b; sidestep-{studio.server.port}={studio.token}"
    assert studio.request(method, path, studio.origin, cookie, body=body) == expected
    local = f"localhost:{studio.server.port}"
    assert (
        studio.request(method, path, f"Origin: http://{local}", studio.bearer, body=body, host=local)
        == expected
    )


@pytest.mark.parametrize("path", SOCKETS)
def test_a_socket_needs_all_of_it(studio, path):
    assert studio.handshake(studio.origin, studio.bearer) == 101
    assert studio.handshake(studio.origin) == 403
    assert studio.handshake(studio.origin, f"Authorization: Bearer {studio.token}x") == 403
    assert studio.handshake(studio.bearer) == 403  # no origin
    for origin in ORIGINS:
        assert studio.handshake(f"Origin: {filled(origin, studio)}", studio.bearer) == 403, origin
    for host in HOSTS:
        status = studio.handshake(studio.origin, studio.bearer, host=filled(host, studio))
        assert status in (400, 403), host


def test_a_socket_elsewhere_is_refused_too(studio):
    for path in ("/", "/api/solvers", "/nothing"):
        assert studio.handshake(studio.origin, studio.bearer, path=path) in (403, 404), path


def test_the_link_sets_the_cookie_and_leads_to_the_page(studio):
    import httpx

    with httpx.Client(base_url=studio.address) as browser:
        first = browser.get(f"/?token={studio.token}")
        assert first.status_code == 303
        assert first.headers["location"] == "/"
        cookie = first.headers["set-cookie"]
        assert cookie == f"sidestep-{studio.server.port}={studio.token}; HttpOnly; SameSite=Strict; Path=/"
        assert browser.get("/").status_code == 200
        assert "sidestep studio" in browser.get("/").text


@pytest.mark.parametrize(
    "query",
    ["token=", "token=wrong", "token={token}x", "token={token}&a=b", "a=b&token={token}", "TOKEN={token}"],
)
def test_another_link_does_not(studio, query):
    answer = studio.raw(
        f"GET /?{query.format(token=studio.token)} HTTP/1.1\r\nHost: {studio.host}\r\n\r\n".encode()
    )
    assert status_of(answer) == 403
    assert b"set-cookie" not in answer.lower()


def test_the_token_in_an_address_opens_nothing_but_the_page(studio):
    for path in ("/api/solvers", "/static/main.js"):
        assert studio.request("GET", f"{path}?token={studio.token}") == 403
    assert studio.request("POST", f"/?token={studio.token}", studio.origin) == 403


def test_a_refusal_is_one_plain_sentence(studio):
    answer = studio.raw(f"GET /<script> HTTP/1.1\r\nHost: {studio.host}\r\n\r\n".encode())
    head, _, body = answer.partition(b"\r\n\r\n")
    assert b"content-type: text/plain; charset=utf-8" in head
    assert body.decode().count(".") == 1
    assert b"<" not in body


@pytest.mark.parametrize("lines", [(), ("token",)])
@pytest.mark.parametrize("path", ["/", "/static/main.js", "/api/solvers", "/nothing", "/api/read"])
def test_every_answer_has_the_headers(studio, path, lines):
    bearer = f"{studio.bearer}\r\n" if lines else ""
    answer = studio.raw(
        f"GET {path} HTTP/1.1\r\nHost: {studio.host}\r\n{bearer}Connection: close\r\n\r\n".encode()
    )
    head = answer.partition(b"\r\n\r\n")[0].split(b"\r\n")
    for name, value in HEADERS:
        assert head.count(name + b": " + value) == 1, name
    assert not any(line.lower().startswith((b"server:", b"access-control")) for line in head)


def test_a_refused_socket_has_the_headers():
    with running() as studio, studio.plug() as plug:
        upgrade = "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13"
        plug.sendall(
            f"GET /socket HTTP/1.1\r\nHost: {studio.host}\r\n{upgrade}\r\n"
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n".encode()
        )
        answer = plug.recv(2**16).lower()
        assert b"content-security-policy: default-src 'none'" in answer
        assert b"x-content-type-options: nosniff" in answer


def test_two_studios_have_different_tokens(studio):
    from sidestep.studio.server import StudioServer

    other = StudioServer()
    other.listener.close()
    assert other.token != studio.token
    assert len(other.token) >= 43  # 32 bytes
