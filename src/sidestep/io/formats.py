"""The formats of files in one table: how each is recognised, read and written, and what it holds.

A format is a module beside this one, with a reader that takes a path or a `Document` and a writer that makes
a text, and a row here. Detection, `sidestep convert`, what the studio opens and saves and the table in
docs/formats.md follow from the rows.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Any

from ..dialogue.transcript import Transcript
from ..model.errors import FormatError
from ..model.grid import Grid
from ..model.plan import Plan
from ..model.problem import Problem
from ..model.result import Result
from ..model.trace import Trace
from . import eecbs, lacam, lorr, movingai, multirobot, planfile, text, tracefile, tracker, transcriptfile
from .files import Document, Readable, load
from .jsonfile import record_of
from .planfile import PlanFile


@dataclass(frozen=True, kw_only=True)
class Format:
    """What is to be known about a format.

    Attributes:
        name: What `detect` answers.
        title: What it is called in a table.
        called: What it is called in a sentence, with its article.
        sniff: Does a document have this format? At most one format says so of any document.
        loads: Per kind of thing the function that reads it from a document or a path; the fullest first.
        dumps: Per kind of thing the function that makes a text of it; with `map_name` if it names its map.
        needs: What a reader takes beside the file, one of these; a problem of `multirobot` needs nothing.
        suffixes: How the names of its files end. One that another format has, too, does not tell them apart.
        is_named: A suffix decides before the content does, so that a broken file is read and complained of.
        to: The word for it after `convert --to`; formats of different things may share one.
        written: What a sentence calls what is written, if not the same as what is read.
        count: How many agents a run has, so that as many are taken from a scenario. Without it, a run has
            starts of its own.
    """

    name: str
    title: str
    called: str
    sniff: Callable[[Document], bool]
    loads: Mapping[type, Callable[..., Any]]
    dumps: Mapping[type, Callable[..., str]] = field(default_factory=dict)
    needs: tuple[type, ...] = ()
    suffixes: tuple[str, ...] = ()
    is_named: bool = False
    to: str = ""
    written: str = ""
    count: Callable[..., int] | None = None

    @property
    def holds(self) -> tuple[type, ...]:
        """The kinds of things that a file may hold."""
        return tuple(dict.fromkeys([*self.loads, *self.dumps]))

    def options(self, kind: type) -> tuple[str, ...]:
        """Lists the options of a reader.

        Args:
            kind: The kind of thing that is read, one of those in `loads`.

        Returns:
            Their names: `rules`, `passable`, `row`, …
        """
        parameters = inspect.signature(self.loads[kind]).parameters.values()
        return tuple(one.name for one in parameters if one.kind is one.KEYWORD_ONLY)

    def text_of(self, thing: Any, map_name: str = "map.map") -> str:
        """Makes the text of a file.

        Args:
            thing: What the file is to hold: of one of the kinds in `dumps`.
            map_name: The name of the map, for formats that tell it.

        Returns:
            The text.

        Raises:
            InputError: The format cannot keep the thing.
        """
        dumps = next(function for kind, function in self.dumps.items() if isinstance(thing, kind))
        names_map = "map_name" in inspect.signature(dumps).parameters
        return dumps(thing, **({"map_name": map_name} if names_map else {}))


def _begins(pattern: str) -> Callable[[Document], bool]:
    """Does a text begin so? Never that of a JSON object, which says itself what it is."""
    compiled = re.compile(pattern)
    return lambda document: not _is_object(document) and compiled.match(document.beginning) is not None


def _says(name: str) -> Callable[[Document], bool]:
    """Is it a JSON object whose field `format` is this name?"""
    return lambda document: _is_object(document) and record_of(document).values.get("format") == name


def _is_object(document: Document) -> bool:
    return document.beginning.startswith("{")


def _is_league_run(document: Document) -> bool:
    record = record_of(document) if _is_object(document) else None
    return record is not None and not record.has("format") and any(map(record.has, lorr.FIELDS))


FORMATS: tuple[Format, ...] = (
    Format(
        name="map",
        title="MovingAI map",
        called="a map",
        sniff=_begins(r"(type|height|width)\s"),
        loads={Grid: movingai.read_map},
        dumps={Grid: movingai.dumps_map},
        suffixes=(".map",),
        is_named=True,
        to="map",
    ),
    Format(
        name="scen",
        title="MovingAI scenario",
        called="a scenario",
        sniff=_begins(r"version\s"),
        loads={Problem: movingai.read_scen},
        dumps={Problem: movingai.dumps_scen},
        needs=(Grid,),
        suffixes=(".scen",),
        is_named=True,
        to="scen",
    ),
    Format(
        name="text",
        title="drawing",
        called="a drawing",
        sniff=_begins(r"[.#@a-zA-Z\s]+\Z"),
        loads={Problem: text.read_text},
        dumps={Problem: text.dumps_text},
        suffixes=(".txt",),
        to="text",
    ),
    Format(
        name="plan",
        title="problem or plan, ours",
        called="a problem or a plan",
        sniff=_says(planfile.FORMAT),
        loads={PlanFile: planfile.read_plan, Problem: planfile.read_problem},
        dumps={Result: planfile.dumps_result, Plan: planfile.dumps_plan, Problem: planfile.dumps_problem},
        suffixes=(".json",),
        to="json",
    ),
    Format(
        name="trace",
        title="trace, ours",
        called="a trace",
        sniff=_says(tracefile.FORMAT),
        loads={Trace: tracefile.read_trace},
        dumps={Trace: tracefile.dumps_trace},
        suffixes=(".json",),
        to="json",
    ),
    Format(
        name="transcript",
        title="transcript, ours",
        called="a transcript",
        sniff=_says(transcriptfile.FORMAT),
        loads={Transcript: transcriptfile.read_transcript},
        dumps={Transcript: transcriptfile.dumps_transcript},
        suffixes=(".json",),
        to="json",
    ),
    Format(
        name="lacam",
        title="lacam3 result",
        called="a lacam3 result",
        sniff=_begins(r"agents="),
        loads={Plan: lacam.read_lacam},
        dumps={Plan: lacam.dumps_lacam},
        needs=(Grid, Problem),
        suffixes=(".txt",),
        to="lacam",
        count=lacam.count_agents,
    ),
    Format(
        name="eecbs",
        title="EECBS paths",
        called="an EECBS plan",
        sniff=_begins(r"Agent\s+[0-9]+\s*:"),
        loads={Plan: eecbs.read_eecbs},
        dumps={Plan: eecbs.dumps_eecbs},
        needs=(Grid, Problem),
        suffixes=(".paths",),
        to="eecbs",
        written="EECBS paths",
        count=eecbs.count_agents,
    ),
    Format(
        name="multirobot",
        title="libMultiRobotPlanning schedule or input, YAML",
        called="a schedule of libMultiRobotPlanning",
        sniff=_begins(r"(---\s)?\s*(#[^\n]*\n\s*)*(statistics|schedule|cost|map|agents)\s*:"),
        loads={Plan: multirobot.read_multirobot, Problem: multirobot.read_multirobot_problem},
        needs=(Grid, Problem),
        suffixes=(".yaml",),
        count=multirobot.count_agents,
    ),
    Format(
        name="tracker",
        title="MAPF tracker plans, CSV",
        called="a plan of the MAPF tracker",
        sniff=_begins(r"(?=[^\n]*\b(solution_plan|path)\b)[^\n]*\b(map_name|agents|agent_count)\b"),
        loads={Plan: tracker.read_tracker},
        needs=(Problem,),
        suffixes=(".csv",),
        count=tracker.count_agents,
    ),
    Format(
        name="lorr",
        title="League of Robot Runners output, JSON",
        called="a run of the League of Robot Runners",
        sniff=_is_league_run,
        loads={Trace: lorr.read_lorr},
        dumps={Plan: lorr.dumps_planviz},
        needs=(Grid,),
        to="planviz",
        written="a file for PlanViz",
    ),
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
    if _is_object(document):
        record = record_of(document)
        name = record.text("format")
        raise record.error("format", f"names no format that sidestep knows: {name[:40]!r}")
    raise FormatError("this is no format that sidestep knows", source=document.source)


# The suffixes of files that are written


def format_for(suffix: str, *kinds: type) -> Format | None:
    """The format with this suffix that holds things of one of these kinds, if there is only one."""
    found = [one for one in _written_as(suffix) if any(kind in one.dumps for kind in kinds)]
    return found[0] if len(found) == 1 else None


def word_for(suffix: str) -> str | None:
    """The word of `convert --to` that a suffix stands for, if it stands for only one."""
    words = {one.to for one in _written_as(suffix)}
    return words.pop() if len(words) == 1 else None


def _written_as(suffix: str) -> list[Format]:
    return [one for one in FORMATS if one.dumps and suffix.lower() in one.suffixes]


def suffix_meant(suffix: str) -> str | None:
    """The suffix nearest to one that no format has, of those that stand for a word of `convert --to`."""
    known = [
        known for known in sorted({known for one in FORMATS for known in one.suffixes}) if word_for(known)
    ]
    near = [] if suffix.lower() in known else get_close_matches(suffix.lower(), known, 1)
    return near[0] if near else None


# The table of docs/formats.md


def markdown() -> str:
    """All formats as a table in Markdown."""
    lines = ["| format | `detect` says | suffix | read | write |", "|---|---|---|---|---|"]
    for one in FORMATS:
        suffixes = ", ".join(f"`{suffix}`" for suffix in one.suffixes)
        read = ", ".join(f"{_call(function)} → `{kind.__name__}`" for kind, function in one.loads.items())
        write = ", ".join(_call(_writer(function)) for function in one.dumps.values())
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
