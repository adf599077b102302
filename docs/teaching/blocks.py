"""The directives of this folder in the text of a page, read as the tests need it: without Sphinx."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

KINDS = ("pseudocode", "picture", "replay")
_FENCE = re.compile(
    rf"^```\{{(?P<kind>{'|'.join(KINDS)})\}}(?P<title>[^\n]*)\n(?P<text>.*?)^```[ \t]*$", re.DOTALL | re.M
)
_OPTION = re.compile(r":(\w+):[ \t]*(.*)")


@dataclass(frozen=True)
class Block:
    """A directive: its kind, what stands behind it, its options and its text, whose first line is `line`."""

    kind: str
    title: str
    options: dict[str, str]
    text: str
    line: int


def blocks_of(page: str) -> Iterator[Block]:
    """All of a page, in order."""
    for match in _FENCE.finditer(page):
        lines = match["text"].splitlines()
        options: dict[str, str] = {}
        while lines and (option := _OPTION.fullmatch(lines[0].strip())):
            options[option[1]] = option[2]
            del lines[0]
        line = page.count("\n", 0, match.start("text")) + 1 + len(options)
        yield Block(match["kind"], match["title"].strip(), options, "\n".join(lines).strip("\n"), line)
