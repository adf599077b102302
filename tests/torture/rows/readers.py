"""Readers: files of all formats, mutated by number, are read or refused in one line."""

from __future__ import annotations

import random
from pathlib import Path

from ..mutations import mutated
from ..reading import NAMES, attempt, seeds
from ..row import Row


def one(number: int) -> int:
    """Formats take turns; the rest is drawn from the number."""
    name, dice = NAMES[number % len(NAMES)], random.Random(number)
    return attempt(name, mutated(dice.choice(seeds(name)), dice))


def again(file: Path) -> int:
    """A file of the corpus begins with the name of its format and a hyphen."""
    return attempt(file.name.partition("-")[0], file.read_bytes().decode("utf-8"))


ROW = Row(
    "readers",
    "A mutated file is read, judged and written again as the same, or refused by a typed error in one line.",
    full=1_000_000,
    weight=6,
    unit="mutated files",
    one=one,
    again=again,
)
