"""Files in and out: every failure is one sentence, and nothing is ever left half-written."""

from __future__ import annotations

import os
import secrets
import shutil
from typing import BinaryIO

from ..model.errors import FormatError, InputError

FilePath = str | os.PathLike[str]

MAX_BYTES = 2**30  # more than any map or plan; keeps an endless device from filling the memory
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


def load_text(path: FilePath) -> str:
    """The text of a UTF-8 file with its line ends made `\\n`."""
    source = source_of(path)
    try:
        with open(source, "rb") as stream:
            data = _read_bytes(stream, source)
    except OSError as error:
        raise InputError(f"{source}: {_reason(error)}") from None
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise FormatError("this is not UTF-8 text", source=source, line=line) from None
    return text.replace("\r\n", "\n").replace("\r", "\n")


def load_lines(path: FilePath) -> list[str]:
    """The lines of a text file, blanks at their ends and blank lines at the end of the file removed.

    `str.splitlines` would also break at form feeds and the like, and so miscount the lines.
    """
    lines = [line.rstrip() for line in load_text(path).split("\n")]
    while lines and not lines[-1]:
        lines.pop()
    return lines


def _read_bytes(stream: BinaryIO, source: str) -> bytearray:
    data = bytearray()
    while chunk := stream.read(_CHUNK):
        if b"\0" in chunk:
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
