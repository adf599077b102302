"""The table of all formats of files. Detection, `sidestep convert`, what the studio opens and saves and the
table in docs/formats.md follow from it.

A format is a module beside this one, with a reader that takes a path or a `Document`, a writer that makes a
text, and a `Format` that says what is to be known about both; and a line here.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from difflib import get_close_matches
from typing import Any

from ..model.errors import FormatError
from . import (
    eecbs,
    godot,
    lacam,
    lif,
    lorr,
    lorr_input,
    movingai,
    multirobot,
    nav2map,
    planfile,
    rmf,
    routegraph,
    text,
    tiled,
    tracefile,
    tracker,
    transcriptfile,
)
from .files import Readable, load
from .format import Format, is_object
from .jsonfile import record_of

FORMATS: tuple[Format, ...] = (
    movingai.MAP_FORMAT,
    movingai.SCEN_FORMAT,
    text.TEXT_FORMAT,
    planfile.PLAN_FORMAT,
    tracefile.TRACE_FORMAT,
    transcriptfile.TRANSCRIPT_FORMAT,
    lacam.LACAM_FORMAT,
    eecbs.EECBS_FORMAT,
    multirobot.MULTIROBOT_FORMAT,
    tracker.TRACKER_FORMAT,
    lorr.LORR_FORMAT,
    lorr_input.LORR_INPUT_FORMAT,
    lif.LIF_FORMAT,
    rmf.RMF_FORMAT,
    routegraph.ROUTE_GRAPH_FORMAT,
    nav2map.NAV2_MAP_FORMAT,
    tiled.TILED_FORMAT,
    godot.GODOT_FORMAT,
)


def detect(path: Readable) -> str:
    """Detects the format of a file.

    Args:
        path: The file.

    Returns:
        The name of the format. "plan" is also that of a problem file, and "multirobot" that of an input of
        libMultiRobotPlanning.

    Raises:
        InputError: As for `format_of`.
    """
    return format_of(path).name


def format_of(path: Readable) -> Format:
    """Detects the format of a file by the end of its name or by how it begins.

    Args:
        path: The file.

    Returns:
        The format.

    Raises:
        FormatError: The format is unknown.
        InputError: The file cannot be read.
    """
    document = load(path)
    for one in FORMATS:
        if one.is_named and document.source.lower().endswith(one.suffixes):
            return one
    for one in FORMATS:
        if one.sniff(document):
            return one
    if is_object(document):
        record = record_of(document)
        name = record.text("format")
        raise record.error("format", f"names no format that sidestep knows: {name[:40]!r}")
    raise FormatError("this is no format that sidestep knows", source=document.source)


# The suffixes of files that are written


def format_for(suffix: str, *kinds: type) -> Format | None:
    """The format with this suffix that holds things of one of these kinds, if there is only one."""
    found = [one for one in _written_as(suffix) if any(kind in one.written_kinds for kind in kinds)]
    return found[0] if len(found) == 1 else None


def word_for(suffix: str) -> str | None:
    """The word of `convert --to` that a suffix stands for, if it stands for only one."""
    words = {one.to for one in _written_as(suffix)}
    return words.pop() if len(words) == 1 else None


def telling_suffixes() -> list[str]:
    """The suffixes that each stand for one word of `convert --to`, in the order of the table."""
    return [
        known
        for known in dict.fromkeys(known for one in FORMATS for known in one.suffixes)
        if word_for(known)
    ]


def _written_as(suffix: str) -> list[Format]:
    return [one for one in FORMATS if one.written_kinds and suffix.lower() in one.suffixes]


def suffix_meant(suffix: str) -> str | None:
    """The suffix nearest to one that no format has, of those that stand for a word of `convert --to`."""
    known = sorted(telling_suffixes())
    near = [] if suffix.lower() in known else get_close_matches(suffix.lower(), known, 1)
    return near[0] if near else None


# The table of docs/formats.md


def markdown() -> str:
    """All formats as a table in Markdown."""
    lines = ["| format | `detect` says | suffix | read | write |", "|---|---|---|---|---|"]
    for one in FORMATS:
        suffixes = ", ".join(f"`{suffix}`" for suffix in one.suffixes)
        read = ", ".join(f"{_call(function)} → `{kind.__name__}`" for kind, function in one.loads.items())
        writers = [*map(_writer, one.dumps.values()), *one.writes.values()]
        write = ", ".join(map(_call, writers))
        lines.append(f"| {one.title} | `{one.name}` | {suffixes} | {read} | {write} |")
    return "".join(re.sub(" +", " ", line) + "\n" for line in lines)


def _writer(dumps: Callable[..., str]) -> Callable[..., None]:
    """The function that writes a file of the text that another one makes, and stands beside it."""
    writer: Callable[..., None] = getattr(inspect.getmodule(dumps), dumps.__name__.replace("dumps", "write"))
    return writer


def _call(function: Callable[..., Any]) -> str:
    """How a function is called with what it must have."""
    parameters = inspect.signature(function).parameters.values()
    needed = [one.name for one in parameters if one.default is one.empty]
    return f"`{function.__name__}({', '.join(needed)})`"
