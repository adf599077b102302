"""`sidestep studio`: what it says, what it refuses, and how it ends."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
import urllib.request
from http.cookiejar import CookieJar
from subprocess import PIPE

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
            with opener.open(f"{link[1]}/?token={link[2]}", timeout=20) as page:
                assert page.status == 200
                assert b"sidestep studio" in page.read()
            with opener.open(f"{link[1]}/api/given", timeout=20) as given:
                assert [agent["name"] for agent in json.load(given)["instance"]["agents"]] == ["a", "b"]
            process.send_signal(signal.SIGINT)
            out, err = process.communicate(timeout=20)
        finally:
            process.kill()
    assert process.returncode == 0
    assert "closed" in out
    assert err == ""
