"""A busy studio: pages come and go, solve, open worlds and files; the memory of its processes stays flat."""

from __future__ import annotations

import gc
from pathlib import Path
from random import Random

from sidestep.studio.memory import is_fat

from ..row import Failed, Pace, Row, Tally
from ..studios import Page, door, missing, studio

WARM, MAY_GROW = (
    0.3,
    (0.05, 8.0),
)  # share of rounds until memory may grow; share and megabytes by which it may
MAP = "type octile\nheight 40\nwidth 40\nmap\n" + ("." * 40 + "\n") * 40


def a_round(draw: Random) -> int:
    """One page with a solve, a world and a file; returns how many answers were as they should be."""
    with studio().page() as page:
        solver = draw.choice(["whca", "cbs", "pca", "lra", "icts"])
        page.send({"do": "solve", "id": 1, "instance": door(), "runs": [{"solver": solver}], "seconds": 5})
        expect(page.until("done"), "a solve")
        live(page, draw)
    answer = studio().client.post("/api/read", json={"name": "a.map", "text": MAP})
    if answer.status_code != 200:
        raise Failed(f"a map was not read: {answer.text[:200]}")
    return 3


def live(page: Page, draw: Random) -> None:
    page.send({"do": "live", "id": 2, "instance": door(), "solver": "whca", "rate": 0})
    page.until("state")
    for _ in range(10):
        page.send({"do": "live-step", "id": 2})
        page.until("turn")
        page.send(
            {"do": f"live-{draw.choice(['block', 'free'])}", "id": 2, "cells": [[0, draw.randrange(4)]]}
        )
        page.until("state")
    page.send({"do": "live-undo", "id": 2})
    page.until("state")
    page.send({"do": "live-end", "id": 2})
    page.until("done", 2)


def expect(done: dict[str, object], what: str) -> None:
    if "error" in done:
        raise Failed(f"{what} ended with: {done['error']}")


def run(pace: Pace) -> Tally:
    held = []
    for number in pace:
        pace.beat(checks=a_round(Random(number)))
        held.append(megabytes())
    studio().check()
    if len(held) < 60:
        return Tally(notes=f"too short to say whether it is flat: {held[-1]:.0f} MB")
    warm = held[int(len(held) * WARM) :]
    third = len(warm) // 3
    before, after = max(warm[:third]), max(warm[-third:])
    if after > before * (1 + MAY_GROW[0]) + MAY_GROW[1]:
        raise Failed(f"memory grows from {before:.0f} MB to {after:.0f} MB in {len(warm)} rounds")
    return Tally(notes=f"{before:.0f} MB after a third, {after:.0f} MB at the end")


def megabytes() -> float:
    """Of the server, which is this process, and of the workers that wait."""
    gc.collect()
    is_fat(0)  # gives back what is not needed
    pids = ["self", *(str(worker.pid) for worker in list(studio().pool.idle))]
    return sum(pages_of(pid) for pid in pids) * 4096 / 2**20


def pages_of(pid: str) -> int:
    try:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    except OSError:  # it has just been replaced
        return 0


def needs() -> str:
    return missing() or ("" if Path("/proc/self/statm").exists() else "there is no /proc to read memory from")


ROW = Row(
    name="studio soak",
    what="the memory of a busy studio, server and workers, stays flat",
    full=5_000,
    weight=10,
    unit="pages",
    run=run,
    patience=300.0,
    needs=needs,
)
