"""What the server keeps for a page: its results, and what it was told of them, while it is loaded again."""

from __future__ import annotations

import re

from ..model.errors import InputError
from .worker import BINARY, KEEP, TEXT

MAX_RESULTS = 24  # of one page, that can be asked about
MAX_GONE = 16  # pages that are gone, of which something is kept
NAME = re.compile("[0-9a-f]{32}")

Key = tuple[int, int, bytes]  # the solve, the index of the run, and what it is


class Kept:
    """Of one page, in the order in which it came; what is too much is forgotten, the oldest first."""

    def __init__(self, most_bytes: int, name: str = "") -> None:
        self.name = name  # of the page, if it has one
        self._most_bytes = most_bytes
        self._things: dict[Key, bytes] = {}

    @property
    def size(self) -> int:
        """How many bytes are kept."""
        return sum(map(len, self._things.values()))

    def begin(self) -> None:
        """Another solve: what was said of earlier ones is not shown again, but they can be asked about."""
        self._things = {key: thing for key, thing in self._things.items() if key[2] == KEEP}

    def keep(self, solve: int, index: int, what: bytes, thing: bytes) -> None:
        """A packed result, or the latest of a kind that was said of a run."""
        key = (solve, index, what)
        self._things.pop(key, None)
        self._things[key] = thing
        while len(self._things) > 1 and self.size > self._most_bytes:
            del self._things[next(iter(self._things))]
        results = [key for key in self._things if key[2] == KEEP]
        for old in results[:-MAX_RESULTS]:
            del self._things[old]

    def result(self, solve: int, index: int) -> bytes:
        """A packed result."""
        found = self._things.get((solve, index, KEEP))
        if found is None:
            raise InputError("there is no such run, or it was so long ago that it is forgotten")
        return found

    def said(self, solve: int) -> list[tuple[bytes, bytes]]:
        """All that was said of a solve, if it is the latest one."""
        return [
            (what, thing)
            for (of, _, what), thing in self._things.items()
            if of == solve and what in (TEXT, BINARY)
        ]


class Shelf:
    """What is kept, by the names that pages give themselves, also of pages that are gone, if it fits."""

    def __init__(self, most_bytes: int) -> None:
        self._most_bytes = most_bytes
        self._gone: dict[str, Kept] = {}  # of pages that are gone, the longest ago first
        self._there: set[str] = set()

    def take(self, name: str) -> Kept:
        """What is kept for a page that comes; nothing if it has no name, or that of a page that is there."""
        if name and not NAME.fullmatch(name):
            raise InputError("the name of a page is 32 digits from 0 to f")
        if not name or name in self._there:
            return Kept(self._most_bytes)
        self._there.add(name)
        return self._gone.pop(name, None) or Kept(self._most_bytes, name)

    def give_back(self, kept: Kept) -> None:
        """The page is gone."""
        if not kept.name:
            return
        self._there.remove(kept.name)
        self._gone[kept.name] = kept
        while len(self._gone) > MAX_GONE or sum(one.size for one in self._gone.values()) > self._most_bytes:
            del self._gone[next(iter(self._gone))]
