"""Debian's mosquitto, started for a test on a port of its own."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import time
from pathlib import Path

import pytest

HINT = "there is no MQTT broker to speak to: apt install mosquitto"


def program() -> str:
    """Where mosquitto is; without it the test is skipped, or fails if there must be one."""
    found = shutil.which("mosquitto") or shutil.which("mosquitto", path="/usr/sbin:/usr/local/sbin")
    if found is None:
        if os.environ.get("SIDESTEP_REQUIRE_BROKER"):
            pytest.fail(HINT)
        pytest.skip(HINT)
    return found


class Mosquitto:
    """A broker that can be stopped and started again on the same port."""

    def __init__(self, folder: Path) -> None:
        self._program = program()
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port: int = free.getsockname()[1]
        self._settings = folder / "mosquitto.conf"
        self._settings.write_text(
            f"listener {self.port} 127.0.0.1\nallow_anonymous true\npersistence false\n"
        )
        self._process: subprocess.Popen[bytes] | None = None
        self.start()

    def start(self) -> None:
        self._process = subprocess.Popen(
            [self._program, "-c", str(self._settings)],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        until = time.monotonic() + 60
        while time.monotonic() < until:
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", self.port)) == 0:
                    return
            time.sleep(0.02)
        raise AssertionError("mosquitto did not start within a minute")

    def stop(self) -> None:
        """At once, as if the machine had lost its power."""
        if self._process is not None:
            self._process.kill()
            self._process.wait(60)
            self._process = None
