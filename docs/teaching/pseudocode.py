"""Pseudocode with the lines of ours that do the same.

A line that begins with `@` closes a step, and says which lines stand beside it:

    @ whca.py WHCASession.due                     the whole of it
    @ WHCASession.due: draw = ... return          of it, the lines from one text to the other
    @ WHCASession.due: draw =                     of it, the line with the text

The file is named once, and again where it changes: by its path, or by the end of it if that is unique. Lines
after the last step stand alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from .excerpts import LANGUAGES, ROOT, Excerpt, excerpt

_PLACE = re.compile(r"@ (?:(?P<file>\S+\.(?:py|cpp|hpp)) )?(?P<name>[\w:.~]+?)(?:: (?P<lines>.+))?")


@dataclass(frozen=True)
class Step:
    """Lines of pseudocode, and lines of ours that do the same, if there are any."""

    said: str
    done: Excerpt | None


def steps_of(text: str) -> Iterator[Step]:
    """The steps of a block; a `LookupError` says what is not found."""
    said: list[str] = []
    path = ""
    for line in text.splitlines():
        if not line.startswith("@"):
            said.append(line)
            continue
        place = _PLACE.fullmatch(line.rstrip())
        if place is None:
            raise LookupError(f"{line!r} does not name lines: see docs/teaching/pseudocode.py")
        path = path_of(place["file"]) if place["file"] else path
        beginning, _, end = (place["lines"] or "").partition(" ... ")
        yield Step("\n".join(said).strip("\n"), excerpt(path, place["name"], beginning, end))
        said = []
    if any(said):
        yield Step("\n".join(said).strip("\n"), None)


def path_of(ending: str) -> str:
    """The path of a source from the end of it."""
    found = [path for path in _sources() if f"/{path}".endswith(f"/{ending}")]
    if len(found) != 1:
        raise LookupError(f"{ending} is the name of {len(found)} files: {', '.join(found) or 'none'}")
    return found[0]


@cache
def _sources() -> list[str]:
    files = (file for top in ("src", "cpp") for file in sorted((ROOT / top).rglob("*")))
    return [file.relative_to(ROOT).as_posix() for file in files if file.suffix in LANGUAGES]
