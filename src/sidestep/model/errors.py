"""Every error that sidestep raises on purpose.

SidestepError
├── InputError          an argument or a file describes nothing valid (also a ValueError)
│   └── FormatError     a file or a text is malformed; knows its file and line
├── UnsupportedError    the input is valid, but this solver or judge does not honour it
├── ProtocolError       something was said that the protocol of dialogues does not allow
├── LimitError          a limit was reached before there was an answer (also a TimeoutError)
├── MissingExtraError   an optional dependency is not installed (also an ImportError)
└── PluginError         a solver of another package cannot be used (also an ImportError)
"""

from __future__ import annotations

from functools import partial
from typing import Any

MAX_LENGTH = 300


class SidestepError(Exception):
    """The root of sidestep's errors: catch this to catch them all."""


class InputError(SidestepError, ValueError):
    """An argument describes nothing valid: a start in a wall, an unknown solver, a wrong type.

    Args:
        message: One sentence. Line breaks become blanks, and more than 300 characters are cut off.
    """

    def __init__(self, message: str = "") -> None:
        # One line of readable length, even if it quotes an argument whose repr is not.
        line = _one_line(message)
        super().__init__(line if len(line) <= MAX_LENGTH else line[: MAX_LENGTH - 1] + "…")


class FormatError(InputError):
    """A file or a text is malformed; the message begins with the file and line that are at fault.

    Args:
        message: One sentence on what is wrong.
        source: The name of the file.
        line: The number of the line, from 1 on; None where no single line is at fault.
    """

    def __init__(self, message: str, *, source: str = "<text>", line: int | None = None) -> None:
        self.source = source
        self.line = line
        self.problem = message
        where = source if line is None else f"{source}:{line}"
        super().__init__(f"{where}: {message}")

    def __reduce__(self) -> tuple[Any, ...]:
        return partial(type(self), source=self.source, line=self.line), (self.problem,)


class UnsupportedError(SidestepError):
    """A valid problem that this solver refuses, because it would have to solve another one."""


class ProtocolError(SidestepError):
    """Something was said that the protocol of dialogues does not allow; the message says what and where."""


class LimitError(SidestepError, TimeoutError):
    """A limit of time, nodes or memory was reached where half an answer would be none."""


class MissingExtraError(SidestepError, ImportError):
    """An optional dependency is missing; the message says which extra installs it.

    Args:
        package: The package that could not be imported.
        extra: The extra of sidestep that has it, as in `pip install 'sidestep[extra]'`.
    """

    def __init__(self, package: str, extra: str) -> None:
        super().__init__(f"{package} is not installed: pip install 'sidestep[{extra}]'")
        self.package, self.extra = package, extra

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.package, self.extra)


class PluginError(SidestepError, ImportError):
    """A solver of another package cannot be used; the message names the package and says why.

    Args:
        solver: The name that was asked for.
        package: The package whose entry point it is.
        reason: What is wrong, in a few words.
    """

    def __init__(self, solver: str, package: str, reason: str) -> None:
        line = _one_line(reason)
        line = line if len(line) <= MAX_LENGTH else line[: MAX_LENGTH - 1] + "…"
        super().__init__(f"the solver {solver!r} of the package {package} cannot be used: {line}")
        self.solver, self.package, self.reason = solver, package, reason

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.solver, self.package, self.reason)


def _one_line(message: str) -> str:
    """The message with each line break, and the blanks around it, made one blank.

    Line by line: a pattern for it would look at every run of blanks once for each of its characters.
    """
    if "\n" not in message:
        return message
    first, *inner, last = message.split("\n")
    parts = (first.rstrip(), *filter(None, map(str.strip, inner)), last.lstrip())
    return " ".join(parts)
