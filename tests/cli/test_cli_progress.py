"""The progress bar: after a while, on a terminal, on stderr."""

from __future__ import annotations

import io
import threading
import time
from types import SimpleNamespace

import pytest

from sidestep.cli import progress
from sidestep.cli.progress import bar

pytestmark = pytest.mark.bounds


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def stderr(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(progress, "APPEARS_AFTER", 0.05)
    terminal = Terminal()
    monkeypatch.setattr(progress, "sys", SimpleNamespace(stderr=terminal))
    return terminal


def wait_for(word: str, terminal: Terminal) -> bool:
    for _ in range(3000):
        if word in terminal.getvalue():
            return True
        time.sleep(0.02)
    return False


def test_what_takes_long_shows_a_bar(stderr: Terminal) -> None:
    with bar("solving") as shown:
        assert wait_for("solving", stderr)
        shown.update("turn 12")
        assert wait_for("turn 12", stderr)
        shown.update("half", 0.5)
        assert wait_for("half", stderr)


def test_what_is_fast_shows_nothing(stderr: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "APPEARS_AFTER", 20)  # on a busy machine nothing is fast
    with bar("solving") as shown:
        shown.update("turn 12", 0.5)
    for thread in threading.enumerate():
        if isinstance(thread, threading.Timer):
            thread.join()  # at once if it was called off; or else it shows the bar
    assert stderr.getvalue() == ""


def test_a_pipe_gets_nothing(stderr: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stderr, "isatty", lambda: False)
    with bar("solving"):
        time.sleep(0.1)
    assert stderr.getvalue() == ""


def test_an_error_takes_the_bar_away(stderr: Terminal) -> None:
    with pytest.raises(ValueError, match="no"), bar("solving"):  # noqa: PT012  # the bar must be up
        assert wait_for("solving", stderr)
        raise ValueError("no")
    before = stderr.getvalue()
    time.sleep(0.2)
    assert stderr.getvalue() == before
