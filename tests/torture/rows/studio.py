"""Pages that say anything at all to a studio: it answers with sentences of its own, and goes on."""

from __future__ import annotations

import json
from random import Random
from typing import Any

from ..row import Failed, Row
from ..studios import FOREIGN, Page, door, missing, studio

LAST_ID = 2**32 - 1
STATUSES = {200, 204, 400, 403, 404, 405, 408, 413, 503}
HOSTILE: list[Any] = [
    *(None, True, False, 0, -1, 1, 2, 3, 7, 255, 10**6, 2**31 - 1, 2**31, 2**32, 2**63, -(2**63), 10**30),
    *(
        0.5,
        -0.0,
        1e-300,
        1e300,
        "",
        "a",
        "0",
        "whca",
        "cbs",
        "live",
        "x" * 5000,
        "\u2028\ud800\x00",
        "../../x",
    ),
    *([], [[]], [0], [0, 0], [-1, -1], [[0, 0]], [[0, 1], [1, 0]], [0.5], ["a"], [None], [0] * 300),
    *({}, {"solver": "whca"}, {"a": {"b": [{}]}}, "AAA=", "////"),
]


def hostile(draw: Random) -> Any:
    return draw.choice(HOSTILE)


def mutated(draw: Random, value: Any, depth: int = 0) -> Any:
    """A value with something in it changed, left out, doubled or added."""
    if draw.random() < 0.15 or depth > 4:
        return hostile(draw)
    if isinstance(value, dict) and value:
        changed = dict(value)
        name = draw.choice([*changed])
        kind = draw.randrange(4)
        if kind == 0:
            del changed[name]
        elif kind == 1:
            changed[draw.choice(["seed", "rate", "agents", "extra", "cells", "seconds", "name"])] = hostile(
                draw
            )
        else:
            changed[name] = mutated(draw, changed[name], depth + 1)
        return changed
    if isinstance(value, list) and value:
        place = draw.randrange(len(value))
        if draw.random() < 0.3:
            return value[:place] + value[place + 1 :]
        return [*value[:place], mutated(draw, value[place], depth + 1), *value[place + 1 :]]
    return hostile(draw)


def messages() -> list[dict[str, Any]]:
    """One of each kind, as a page would say it."""
    world = {"id": 2, "agents": [0], "cell": [0, 1], "cells": [[0, 1]], "agent": 0}
    names = ("block", "free", "send", "add", "remove", "priority", "planner", "slow", "step", "rate")
    fields: dict[str, tuple[str, ...]] = {
        **{"block": ("cells",), "free": ("cells",), "send": ("agents", "cell"), "remove": ("agents",)},
        **{"why": ("agent",)},
    }
    own: dict[str, dict[str, Any]] = {
        "add": {"start": [0, 1], "goal": [0, 2]},
        "priority": {"agent": 0, "value": 3},
        "planner": {"solver": "lra"},
        "slow": {"agents": [0], "period": 2},
        "rate": {"rate": 0},
    }
    commands = [
        {
            "do": f"live-{name}",
            "id": 2,
            **{key: world[key] for key in fields.get(name, ())},
            **own.get(name, {}),
        }
        for name in (*names, "undo", "redo", "why", "save", "python", "end")
    ]
    runs = [{"solver": "whca", "params": {"window": 4}}, {"solver": "cbs"}]
    return [
        {"do": "solve", "id": 1, "instance": door(), "runs": runs, "seconds": 0.2, "seed": 3},
        {"do": "live", "id": 2, "instance": door(), "solver": "whca", "rate": 0, "seed": 1},
        {"do": "why", "id": 3, "run": [1, 0], "agent": 0, "time": 1},
        {"do": "transcript", "id": 3, "run": [1, 0]},
        {"do": "plan", "id": 3, "run": [1, 0]},
        {"do": "cancel", "id": 1},
        *commands,
    ]


REQUESTS: list[tuple[str, dict[str, Any]]] = [
    ("/api/generate", {"generator": "rooms", "params": {"height": 9, "width": 9}, "agents": 2, "seed": 1}),
    ("/api/read", {"name": "a.txt", "text": "a . A"}),
    ("/api/read", {"files": [{"name": "a.map", "text": "type octile\nheight 1\nwidth 2\nmap\n..\n"}]}),
    ("/api/write", {"instance": {}, "what": "problem"}),
]


def one(number: int) -> int:
    draw = Random(number)
    checks = ask(draw) if number % 4 == 0 else talk(draw)
    studio().check()
    return checks + 1


def ask(draw: Random) -> int:
    """Some requests over HTTP."""
    for _ in range(4):
        path, body = draw.choice(REQUESTS)
        sent = mutated(draw, {**body, "instance": door()} if "instance" in body else body)
        text = json.dumps(sent)
        if draw.random() < 0.1:
            text = text[: draw.randrange(len(text) + 1)]
        method = draw.choice(["POST", "POST", "POST", "GET", "PUT", "DELETE"])
        answer = studio().client.request(method, path, content=text.encode("utf-8", "surrogatepass"))
        if answer.status_code not in STATUSES or any(word in answer.text for word in FOREIGN):
            raise Failed(f"{method} {path} {text[:200]}: {answer.status_code} {answer.text[:200]}")
        if answer.status_code in (400, 503) and not answer.json()["error"]:
            raise Failed(f"{method} {path} {text[:200]}: refused without a sentence")
    return 4


def talk(draw: Random) -> int:
    """Some messages of one page."""
    with studio().page() as page:
        kinds = messages()
        if draw.random() < 0.7:
            page.send(kinds[1])  # there is a world to be commanded
            page.until("state")
        for _ in range(8):
            message = draw.choice(kinds)
            page.send(spoilt(draw, json.dumps(mutated(draw, message) if draw.random() < 0.8 else message)))
        drain(page)
    return 8


def spoilt(draw: Random, text: str) -> str | bytes:
    if draw.random() < 0.05:
        return text[: draw.randrange(len(text) + 1)]
    if draw.random() < 0.03:
        return text.encode("utf-8", "replace")
    return text + " " * 70_000 if draw.random() < 0.03 else text


def drain(page: Page) -> None:
    """Ends all that was begun, and hears everything that was said."""
    for page_id in (1, 2, 3, LAST_ID):
        page.send({"do": "cancel", "id": page_id})
    page.until("error", LAST_ID)


ROW = Row(
    name="studio",
    what="whatever a page says, a studio answers with its own sentences, does not fail, crash or hang",
    full=25_000,
    weight=8,
    unit="conversations",
    one=one,
    patience=240.0,
    needs=missing,
)
