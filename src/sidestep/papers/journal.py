"""The steps of a search, line by line in a file: one that was interrupted goes on where it was."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ..io.files import load_text
from ..model.errors import InputError


class Journal:
    """The outcomes of the first steps, each of which depends on those before, below a line that says which
    search it is.

    What was written for another run is not taken up but replaced.
    """

    def __init__(self, path: Path, run: Mapping[str, Any]) -> None:
        self._path = path
        self._head = json.dumps(run)

    def open(self) -> list[Any]:
        """The outcomes that are already there; the rest can be added."""
        outcomes, whole = self._read()
        try:
            # In place, and without another file: whenever this is killed, nothing is lost or left behind.
            if whole:
                os.truncate(self._path, whole)
            else:
                self._path.write_text(f"{self._head}\n", encoding="utf-8", newline="\n")
        except OSError as error:
            raise InputError(f"{self._path}: cannot be written, {error.strerror}") from None
        return outcomes

    @property
    def is_of_another(self) -> bool:
        """Was the file written by another run?"""
        return self._path.exists() and self._written()[0] != self._head

    def add(self, outcome: Any) -> None:
        """Writes one more outcome; it is in the file when this returns."""
        with self._path.open("a", encoding="utf-8", newline="\n") as stream:
            stream.write(json.dumps(outcome) + "\n")

    def remove(self) -> None:
        """The run is over: the next one begins anew."""
        self._path.unlink(missing_ok=True)

    def _read(self) -> tuple[list[Any], int]:
        """The outcomes of all whole lines, and the bytes of these.

        A last line without its end was cut off, even if it can be read: 12 may have been 123. Everything is
        ASCII, so that a character is a byte.
        """
        head, *lines = self._written()
        if head != self._head or not lines:
            return [], 0
        outcomes: list[Any] = []
        whole = len(head) + 1
        for line in lines[:-1]:
            try:
                outcomes.append(json.loads(line))
            except json.JSONDecodeError:
                break
            whole += len(line) + 1
        return outcomes, whole

    def _written(self) -> list[str]:
        try:
            return load_text(self._path).split("\n")
        except InputError:  # there is none, or it is no text
            return [""]
