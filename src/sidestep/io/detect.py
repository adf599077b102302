"""Which format a file has, by its extension or by how it begins."""

from __future__ import annotations

import re
from typing import Literal

from ..model.errors import FormatError
from . import planfile, tracefile, transcriptfile
from .files import FilePath, load_text, source_of
from .jsonfile import Record, parse

FileFormat = Literal[
    "map", "scen", "text", "plan", "trace", "transcript", "lacam", "eecbs", "multirobot", "tracker", "lorr"
]

_BEGINNINGS: tuple[tuple[str, FileFormat], ...] = (
    (r"(type|height|width)\s", "map"),
    (r"version\s", "scen"),
    (r"agents=", "lacam"),
    (r"Agent\s+[0-9]+\s*:", "eecbs"),
    (r"(---\s)?\s*(#[^\n]*\n\s*)*(statistics|schedule|cost|map|agents)\s*:", "multirobot"),
    (r"(?=[^\n]*\b(solution_plan|path)\b)[^\n]*\b(map_name|agents|agent_count)\b", "tracker"),
    (r"[.#@a-zA-Z\s]+\Z", "text"),
)


def detect(path: FilePath) -> FileFormat:
    """The name of a file's format; an unknown one is an error.

    "plan" is also that of a problem file, and "multirobot" that of an input of libMultiRobotPlanning.
    """
    source, text = source_of(path), load_text(path).lstrip()
    extension = re.search(r"\.(map|scen)\Z", source, re.IGNORECASE)
    if extension:  # also of a broken file: the reader then says what is wrong with it
        return "map" if extension[1].lower() == "map" else "scen"
    if text.startswith("{"):
        return _json_format(text, source)
    for beginning, name in _BEGINNINGS:
        if re.match(beginning, text):
            return name
    raise FormatError("this is no format that sidestep knows", source=source)


def _json_format(text: str, source: str) -> FileFormat:
    record = Record(parse(text, source), "", source)
    if not record.has("format") and (record.has("actionModel") or record.has("actualPaths")):
        return "lorr"
    name = record.text("format")
    if name == planfile.FORMAT:
        return "plan"
    if name == tracefile.FORMAT:
        return "trace"
    if name == transcriptfile.FORMAT:
        return "transcript"
    raise record.error("format", f"names no format that sidestep knows: {name[:40]!r}")
