"""Ctrl-C waits while books are being kept: no half of a change stays behind."""

from __future__ import annotations

import signal
from collections.abc import Callable
from threading import current_thread, main_thread
from types import FrameType, TracebackType
from typing import ClassVar


class Uninterrupted:
    """A block that Ctrl-C does not end in its middle, but at its end. For short ones only.

    What answers the signal otherwise, perhaps a function of the program around us, answers it then. Only the
    main thread is ever interrupted; a handler that is not Python's cannot be asked to wait, and stays.
    A block within another one costs next to nothing.
    """

    _waits: ClassVar[bool] = False  # is the main thread in such a block?
    _answer: Callable[[int, FrameType | None], object] | None = None
    _frame: FrameType | None = None
    _asked = False

    def __enter__(self) -> None:
        if current_thread() is not main_thread() or Uninterrupted._waits:
            return
        answer = signal.getsignal(signal.SIGINT)
        if callable(answer):
            self._answer = answer
            signal.signal(signal.SIGINT, self._note)
            Uninterrupted._waits = True

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        if self._answer is None:
            return
        Uninterrupted._waits = False
        signal.signal(signal.SIGINT, self._answer)
        if self._asked:
            self._answer(signal.SIGINT, self._frame)

    def _note(self, number: int, frame: FrameType | None) -> None:
        self._asked, self._frame = True, frame
