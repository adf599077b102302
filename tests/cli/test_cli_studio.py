"""`sidestep studio`: what it says, what it refuses, and how it ends."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable
from contextlib import suppress
from http.cookiejar import CookieJar
from pathlib import Path
from subprocess import PIPE
from typing import Any

import pytest

from .conftest import Sidestep


def test_a_missing_extra_is_one_sentence(sidestep: Sidestep, monkeypatch: pytest.MonkeyPatch) -> None:
    from sidestep.cli import studio

    monkeypatch.setattr(studio, "find_spec", lambda name: None)
    sidestep("studio", "--no-browser").refused("pip install 'sidestep[studio]'")


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        (["nothing.map"], "no such file"),
        (["--port", "99999"], "65535"),
        (["--port", "-1"], "65535"),
        (["--host", "0.0.0.0"], "--host"),
        (["one.map", "two.map"], "two.map"),
    ],
)
def test_bad_input(sidestep: Sidestep, arguments: list[str], part: str) -> None:
    sidestep("studio", "--no-browser", *arguments).refused(part)


def test_a_port_that_is_taken(sidestep: Sidestep) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        sidestep("studio", "--no-browser", "--port", str(port)).refused(f"port {port}")


@pytest.mark.skipif(os.name != "posix", reason="sends a signal")
def test_it_serves_its_file_until_it_is_interrupted(tmp_path) -> None:
    (tmp_path / "door.txt").write_text("a.B\n#.#\nb.A\n")
    command = [sys.executable, "-m", "sidestep", "studio", "door.txt", "--no-browser"]
    with subprocess.Popen(command, cwd=tmp_path, stdout=PIPE, stderr=PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            said = process.stdout.readline()
            link = re.fullmatch(r"The studio is at (http://127\.0\.0\.1:\d+)/\?token=([\w-]{43})\n", said)
            assert link, said
            opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(CookieJar()))
            with opener.open(f"{link[1]}/?token={link[2]}", timeout=60) as page:
                assert page.status == 200
                assert b"sidestep studio" in page.read()
            with opener.open(f"{link[1]}/api/given", timeout=60) as given:
                assert [agent["name"] for agent in json.load(given)["instance"]["agents"]] == ["a", "b"]
            process.send_signal(signal.SIGINT)
            out, err = process.communicate(timeout=60)
        finally:
            process.kill()
    assert process.returncode == 0
    assert "closed" in out
    assert err == ""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="looks for processes in /proc")
def test_workers_do_not_outlive_a_studio_that_is_killed(tmp_path) -> None:
    command = [sys.executable, "-m", "sidestep", "studio", "--no-browser"]
    with subprocess.Popen(command, cwd=tmp_path, stdout=PIPE, stderr=PIPE, text=True) as process:
        try:
            workers = wait_for(lambda: children_of(process.pid))
        finally:
            process.kill()
    assert workers
    assert wait_for(lambda: not any(Path(f"/proc/{pid}").exists() for pid in workers))


def children_of(parent: int) -> list[int]:
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            if int(stat.read_text().rpartition(")")[2].split()[1]) == parent:
                found.append(int(stat.parent.name))
    return found


def wait_for(what: Callable[[], Any]) -> Any:
    """What it says as soon as that is something, or after 20 seconds."""
    end = time.monotonic() + 60
    while not (found := what()) and time.monotonic() < end:
        time.sleep(0.05)
    return found
