"""Files in and out: every failure is one sentence, and nothing is ever left half-written."""

from __future__ import annotations

import os
import secrets
import shutil
from collections.abc import Callable
from functools import cached_property
from typing import Any, BinaryIO, TypeVar

from ..model.arrays import is_whole
from ..model.errors import FormatError, InputError

FilePath = str | os.PathLike[str]
Parsed = TypeVar("Parsed")

MAX_BYTES = 2**30  # more than any map or plan; keeps an endless device from filling the memory
MAX_POSITIONS = 2**24  # what a few bytes may claim: 64 MB, read and judged in about a second
_CHUNK = 2**20


def source_of(path: FilePath) -> str:
    """The name of a file as messages show it, or an InputError if that is no path at all."""
    try:
        name = os.fspath(path)
    except TypeError:
        raise InputError(f"a file is named by a string or a path, not {path!r}") from None
    if not isinstance(name, str) or not name or "\0" in name:
        raise InputError(f"{name!r} is not the name of a file")
    return name


class Document:
    """The text of a file, the name that messages show, and what was parsed of the text: each thing once.

    Whatever reads a file takes a document instead of a path, so that a text from elsewhere can be read, and
    so that detecting a format, counting agents and reading a plan do not parse the same text three times.

    Args:
        text: The text. Line ends become `\\n` and a byte order mark is dropped.
        source: The name of the file.
        max_positions: How many positions, agents times times, a plan or a trace in it may have. A few bytes
            can say that agents stay for ever; a text with a character per position may always have them.
        folder: Where files lie that the text names; None: it may name none, as what comes from elsewhere.

    Attributes:
        text: The text, with such line ends.
        source: As given.
        max_positions: As given.
        folder: As given.

    Raises:
        FormatError: There is a NUL in it, so that it is no text.
        InputError: The limit is no whole number from 1.
    """

    def __init__(
        self,
        text: str,
        source: str = "<text>",
        *,
        max_positions: int = MAX_POSITIONS,
        folder: str | None = None,
    ) -> None:
        if "\0" in text:
            raise FormatError("this is a binary file, not text", source=source)
        if not is_whole(max_positions) or max_positions < 1:
            raise InputError(f"max_positions must be a whole number from 1, not {max_positions!r}")
        self.text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
        self.source = source
        self.max_positions = int(max_positions)
        self.folder = folder
        self._parsed: dict[Callable[[Document], Any], Any] = {}

    def parsed(self, parser: Callable[[Document], Parsed]) -> Parsed:
        """Parses the document, once for each parser.

        Args:
            parser: A function of a document.

        Returns:
            What the parser made of it; nobody may change it.
        """
        if parser not in self._parsed:
            self._parsed[parser] = parser(self)
        found: Parsed = self._parsed[parser]
        return found

    def beside(self, name: str, what: str) -> str:
        """The path of a file that the text names, from the folder that it lies in.

        Args:
            name: The name, or a path.
            what: What it is, in a sentence.

        Returns:
            The path.

        Raises:
            FormatError: The text comes from no folder, so that it may name no files.
        """
        if self.folder is None:
            raise FormatError(
                f"its {what} {name[:40]!r} is another file: read both from a folder, not as a text",
                source=self.source,
            )
        if not name or "\0" in name:
            raise FormatError(f"its {what} {name[:40]!r} is not the name of a file", source=self.source)
        return os.path.join(self.folder, name)

    def check_positions(self, makespan: int, agents: int) -> None:
        """Refuses more positions than the document may have, before there is an array of them.

        Args:
            makespan: The steps of the plan or the trace.
            agents: How many agents it has.

        Raises:
            FormatError: There are more than `max_positions`, and more than the text has characters.
        """
        positions, most = (makespan + 1) * max(agents, 1), max(self.max_positions, len(self.text))
        if positions > most:
            raise FormatError(
                f"{agents} paths of up to {makespan} steps are {positions} positions, more than {most}: "
                "max_positions allows more",
                source=self.source,
            )

    @cached_property
    def lines(self) -> list[str]:
        """The lines, blanks at their ends and blank lines at the end of the file removed.

        `str.splitlines` would also break at form feeds and the like, and so miscount the lines.
        """
        lines = [line.rstrip() for line in self.text.split("\n")]
        while lines and not lines[-1]:
            lines.pop()
        return lines

    @cached_property
    def beginning(self) -> str:
        """The text from its first character on that is not blank, by which formats are told apart."""
        return self.text.lstrip()


Readable = FilePath | Document


def load(path: Readable, *, max_positions: int = MAX_POSITIONS) -> Document:
    """Reads a file of UTF-8 text.

    Args:
        path: The file; a document passes through, with its own limit.
        max_positions: As for `Document`.

    Returns:
        The document.

    Raises:
        InputError: The file cannot be read.
        FormatError: It is no UTF-8 text, or has more than a gibibyte.
    """
    if isinstance(path, Document):
        return path
    source = source_of(path)
    return Document(
        _load_text(path), source, max_positions=max_positions, folder=os.path.dirname(os.path.abspath(source))
    )


def load_text(path: FilePath) -> str:
    """The text of a UTF-8 file with its line ends made `\\n`."""
    return load(path).text


def _load_text(path: FilePath) -> str:
    source = source_of(path)
    data = load_bytes(path, text=True)
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise FormatError("this is not UTF-8 text", source=source, line=line) from None


def load_bytes(path: FilePath, *, text: bool = False) -> bytearray:
    """The bytes of a file; where it should be text, at the first zero that is refused."""
    source = source_of(path)
    try:
        with open(source, "rb") as stream:
            return _read_bytes(stream, source, text)
    except OSError as error:
        raise InputError(f"{source}: {_reason(error)}") from None


def _read_bytes(stream: BinaryIO, source: str, text: bool) -> bytearray:
    data = bytearray()
    while chunk := stream.read(_CHUNK):
        if text and b"\0" in chunk:
            raise FormatError("this is a binary file, not text", source=source)
        data += chunk
        if len(data) > MAX_BYTES:
            raise FormatError(f"the file has more than {MAX_BYTES} bytes", source=source)
    return data


def store_text(path: FilePath, text: str) -> None:
    """Write a whole file of UTF-8 text or nothing."""
    source = source_of(path)
    try:
        data = text.encode("utf-8")
    except UnicodeEncodeError:
        raise InputError(f"{source}: the text to write is not valid Unicode") from None
    store_bytes(path, data)


def store_bytes(path: FilePath, data: bytes) -> None:
    """Write a whole file or nothing: the bytes go to a temporary neighbour that then takes the name."""
    source = source_of(path)
    target = os.path.realpath(source)  # a link keeps pointing at its file
    try:
        if os.path.exists(target) and not os.path.isfile(target):
            _write_through(target, data)
        else:
            _replace(target, data)
    except FileNotFoundError:
        folder = os.path.dirname(target)
        raise InputError(f"{source}: cannot be written, there is no folder {folder}") from None
    except OSError as error:
        raise InputError(f"{source}: cannot be written, {_reason(error)}") from None


def _write_through(device: str, data: bytes) -> None:
    """A pipe or a terminal cannot be replaced, only written to (and a folder says that it is one)."""
    with open(device, "wb") as stream:
        stream.write(data)


def _replace(target: str, data: bytes) -> None:
    temporary = os.path.join(os.path.dirname(target), f".sidestep-{secrets.token_hex(8)}.tmp")
    try:
        with open(temporary, "xb") as stream:
            stream.write(data)
        if os.path.exists(target):
            shutil.copymode(target, temporary)
        os.replace(temporary, target)
    except BaseException:
        if os.path.exists(temporary):
            os.unlink(temporary)
        raise


def _reason(error: OSError) -> str:
    if isinstance(error, FileNotFoundError):
        return "there is no such file"
    if isinstance(error, IsADirectoryError):
        return "this is a folder, not a file"
    if isinstance(error, PermissionError):
        return "permission denied"
    return (error.strerror or str(error)).lower()
