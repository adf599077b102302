"""What all tests share."""

from __future__ import annotations

import signal


def pytest_configure() -> None:
    """Shells start programs in the background with Ctrl-C ignored, and programs hand that on to theirs.

    Tests that interrupt a program would wait for ever; with a handler here, those begin with the usual one.
    """
    signal.signal(signal.SIGINT, signal.default_int_handler)
