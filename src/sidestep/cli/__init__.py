"""The command line: `main` runs a command here, `process` is the whole life of a process.

Exit codes: 0 solved or valid, 1 no plan or an invalid one, 2 bad input, 130 interrupted.

Ctrl-C is answered from here on with one line, and no traceback. While the commands are imported nothing has
begun, so the process ends on the spot (an interrupt in the middle of an import may come out as any error).
Later it is a KeyboardInterrupt, so that files are put away and other processes ended. What was built is then
left to the system, which is faster than to take a large problem apart.
"""

from __future__ import annotations

import atexit
import os
import signal
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import NoReturn

INTERRUPTED = 130
SENTENCE = "sidestep: interrupted"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command in this process and return its exit code."""
    try:
        return _run(arguments)
    except KeyboardInterrupt:
        print(SENTENCE, file=sys.stderr)
        return INTERRUPTED


def process() -> NoReturn:
    """Run the command of this process and end it."""
    _open_streams()
    try:
        code = _run(None)
        sys.stdout.flush()
    except KeyboardInterrupt:  # what is in its frames must not be freed: leave from here
        _ignore_interrupts()
        print(SENTENCE, file=sys.stderr)
        atexit._run_exitfuncs()
        _leave()
    _ignore_interrupts()
    sys.exit(code)


def _run(arguments: Sequence[str] | None) -> int:
    with _leaving_at_once():
        from .commands import run  # noqa: PLC0415
    return run(arguments)


@contextmanager
def _leaving_at_once() -> Iterator[None]:
    """Meanwhile Ctrl-C ends the process, unless somebody else has taken charge of it."""
    ours = threading.current_thread() is threading.main_thread()
    if not ours or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield
        return
    signal.signal(signal.SIGINT, lambda number, frame: _leave(SENTENCE))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def _open_streams() -> None:
    """A stream that was closed when the process began is None: nobody reads what is written to it."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115  # until the end


def _ignore_interrupts() -> None:
    """There is nothing left to interrupt but the end itself."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _leave(sentence: str = "") -> NoReturn:
    if sentence:
        os.write(2, f"{sentence}\n".encode())
    with suppress(OSError, ValueError):
        sys.stdout.flush()
        sys.stderr.flush()
    os._exit(INTERRUPTED)
