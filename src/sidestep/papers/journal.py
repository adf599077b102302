"""What trials came to, line by line in a file: a long run that was interrupted goes on where it was."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ..io.files import load_text, store_text
from ..model.errors import InputError


class Journal:
    """The outcomes of the first trials of a run, in order, below a line that says which run it is.

    What was written for another run is not taken up but replaced.
    """

    def __init__(self, path: Path, run: Mapping[str, Any]) -> None:
        self._path = path
        self._head = json.dumps(run)

    def open(self) -> list[Any]:
        """The outcomes that are already there; the rest can be added."""
        outcomes = self._read()
        store_text(self._path, "".join(f"{line}\n" for line in (self._head, *map(json.dumps, outcomes))))
        return outcomes

    @property
    def is_of_another(self) -> bool:
        """Was the file written by another run?"""
        return self._path.exists() and self._written()[0] != self._head

    def add(self, outcome: Any) -> None:
        """Writes one more outcome; it is in the file when this returns."""
        with self._path.open("a", encoding="utf-8") as stream:
            stream.write(json.dumps(outcome) + "\n")

    def remove(self) -> None:
        """The run is over: the next one begins anew."""
        self._path.unlink(missing_ok=True)

    def _read(self) -> list[Any]:
        """All whole lines: the last one may have been cut off."""
        head, *lines = self._written()
        outcomes: list[Any] = []
        for line in lines if head == self._head else []:
            try:
                outcomes.append(json.loads(line))
            except json.JSONDecodeError:
                break
        return outcomes

    def _written(self) -> list[str]:
        try:
            return load_text(self._path).split("\n")
        except InputError:  # there is none, or it is no text
            return [""]
