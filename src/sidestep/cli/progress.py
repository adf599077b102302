"""A progress bar for what takes longer than a second: on stderr, and only on a terminal."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from ..budget import OnProgress

APPEARS_AFTER = 1.0  # seconds


class Bar:
    """Appears by itself from a timer, since a search may run long before it first reports."""

    def __init__(self, what: str) -> None:
        self._progress = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            TimeElapsedColumn(),
            TextColumn("{task.fields[message]}", markup=False),
            console=Console(file=sys.stderr),
            transient=True,
            redirect_stdout=False,
            redirect_stderr=False,
        )
        self._task = self._progress.add_task(what, total=None, message="")
        self._timer = threading.Timer(APPEARS_AFTER, self._appear)
        self._timer.daemon = True
        self._lock = threading.Lock()
        self._watched = self._visible = self._over = False

    @property
    def on_progress(self) -> OnProgress | None:
        """What to hand to a solver: nothing where nobody watches, so that it need not report."""
        return (lambda now: self.update(now.message)) if self._watched else None

    def update(self, message: str, fraction: float | None = None) -> None:
        """Say how far it is; without a fraction the bar only shows that something moves."""
        if fraction is not None:
            self._progress.update(self._task, completed=fraction, total=1.0)
        self._progress.update(self._task, message=message)

    def start(self) -> None:
        self._watched = True
        self._timer.start()

    def stop(self) -> None:
        self._timer.cancel()
        with self._lock:
            self._over = True
            if self._visible:
                self._progress.stop()

    def _appear(self) -> None:
        with self._lock:
            if not self._over:
                self._visible = True
                self._progress.start()


@contextmanager
def bar(what: str, *, shown: bool = True) -> Iterator[Bar]:
    """`with bar("solving") as progress:` and then `progress.update(message, fraction)`.

    One that is not `shown` leaves the terminal to somebody else.
    """
    progress = Bar(what)
    if shown and sys.stderr.isatty():
        progress.start()
    try:
        yield progress
    finally:
        progress.stop()
