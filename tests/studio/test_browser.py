"""In a real browser: the studio's own page may do everything, and a page from elsewhere nothing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest
from playwright.sync_api import Page

from viewer.conftest import Windows

from .conftest import Studio, instance

SOLVE = """async (shown) => {
  const socket = new WebSocket(`ws://${location.host}/socket`);
  socket.binaryType = "arraybuffer";
  await new Promise((open) => socket.addEventListener("open", open));
  const heard = [];
  const done = new Promise((end) => socket.addEventListener("message", ({ data }) => {
    heard.push(data);
    if (typeof data === "string" && JSON.parse(data).done) end();
  }));
  socket.send(JSON.stringify({
    do: "solve", id: 1, instance: shown, seconds: 5, runs: [{ solver: "whca" }, { solver: "cbs" }],
  }));
  await done;
  socket.close();
  const { mount } = await import("/static/player.js");
  const host = document.createElement("div");
  document.body.append(host);
  const payload = heard.filter((data) => typeof data !== "string").at(-1);
  const player = await mount(host, new Uint8Array(payload, 8));
  return player.state.scenes.length;
}"""

ATTACK = """async (studio) => {
  const tried = {};
  const attempt = async (name, what) => {
    try { tried[name] = await what(); } catch { tried[name] = "refused"; }
  };
  const loads = (tag, attribute, path) => new Promise((end) => {
    const element = document.createElement(tag);
    element.onload = () => end("loaded");
    element.onerror = () => end("refused");
    element[attribute] = studio + path;
    document.body.append(element);
  });
  const body = JSON.stringify({ generator: "empty" });
  await attempt("get", async () => (await fetch(`${studio}/api/solvers`, { credentials: "include" })).text());
  await attempt("post", async () => {
    return (await fetch(`${studio}/api/generate`, { method: "POST", credentials: "include", body })).text();
  });
  await attempt("script", () => loads("script", "src", "/static/main.js"));
  await attempt("picture", () => loads("img", "src", "/static/icon.svg"));
  await attempt("socket", () => new Promise((end) => {
    const socket = new WebSocket(studio.replace("http", "ws") + "/socket");
    socket.onopen = () => end("open");
    socket.onerror = () => end("refused");
  }));
  return tried;
}"""


FRAME = """(studio) => {
  const frame = document.createElement("iframe");
  frame.src = studio;
  document.body.append(frame);
}"""

INLINE = """() => {
  const script = document.createElement("script");
  script.textContent = "window.ran = 1";
  document.body.append(script);
  return window.ran ?? 0;
}"""


@dataclass
class Visit:
    """A browser that has opened the studio by its link."""

    page: Page
    complaints: list[str] = field(default_factory=list)


@pytest.fixture
def visit(windows: Windows, studio: Studio) -> Iterator[Visit]:
    visit = Visit(windows.take(touch=False))
    listeners: dict[Any, Any] = {
        "console": lambda said: visit.complaints.append(said.text) if said.type == "error" else None,
        "pageerror": lambda error: visit.complaints.append(str(error)),
    }
    for event, listener in listeners.items():
        visit.page.on(event, listener)
    visit.page.goto(studio.server.link)
    yield visit
    for event, listener in listeners.items():
        visit.page.remove_listener(event, listener)
    visit.page.unroute_all()
    windows.give_back(visit.page, touch=False)


def test_the_link_opens_the_page_and_the_token_is_gone_from_it(visit, studio):
    assert visit.page.url == f"{studio.address}/"
    visit.page.get_by_role("button", name="whca").wait_for()
    assert visit.page.evaluate("document.cookie") == ""
    assert visit.complaints == []


def test_the_page_solves_and_plays_under_its_policy(visit):
    assert visit.page.evaluate(SOLVE, instance()) == 2
    assert visit.complaints == []


def test_the_policy_holds(visit):
    assert visit.page.evaluate(INLINE) == 0
    assert any("Content Security Policy" in complaint for complaint in visit.complaints)


@pytest.mark.parametrize("elsewhere", ["http://evil.example/", "http://127.0.0.1:1/", "http://localhost:1/"])
def test_a_page_from_elsewhere_can_do_nothing(visit, studio, elsewhere):
    """Not even one of another port of this machine, with which the browser shares the cookie."""
    answer: dict[str, Any] = {"content_type": "text/html", "body": "<title>elsewhere</title>"}
    visit.page.route(f"{elsewhere}**", lambda route: route.fulfill(**answer))
    visit.page.goto(elsewhere)
    assert visit.page.title() == "elsewhere"
    tried = visit.page.evaluate(ATTACK, studio.address)
    assert tried == dict.fromkeys(("get", "post", "script", "picture", "socket"), "refused")
    visit.page.evaluate(FRAME, studio.address)
    visit.page.wait_for_timeout(300)
    assert all("sidestep studio" not in inner.content() for inner in visit.page.frames)
    assert studio.still_answers()
