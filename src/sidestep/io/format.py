"""What a format of files is: how it is recognised, read and written, and what it holds."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from .files import Document, FilePath, store_text
from .jsonfile import record_of


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
        writes: Per kind of thing the function that writes it to a path, where that takes more than one file.
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
    writes: Mapping[type, Callable[..., None]] = field(default_factory=dict)
    needs: tuple[type, ...] = ()
    suffixes: tuple[str, ...] = ()
    is_named: bool = False
    to: str = ""
    written: str = ""
    count: Callable[..., int] | None = None

    @property
    def holds(self) -> tuple[type, ...]:
        """The kinds of things that a file may hold."""
        return tuple(dict.fromkeys([*self.loads, *self.written_kinds]))

    @property
    def written_kinds(self) -> tuple[type, ...]:
        """The kinds of things that can be written, as one file or as several."""
        return (*self.dumps, *self.writes)

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

    def write(self, thing: Any, path: FilePath, map_name: str = "map.map") -> None:
        """Writes a file, and those that belong to it.

        Args:
            thing: What the file is to hold: of one of the kinds in `dumps` or `writes`.
            path: The file.
            map_name: As for `text_of`.

        Raises:
            InputError: The format cannot keep the thing, or a file cannot be written.
        """
        for kind, function in self.writes.items():
            if isinstance(thing, kind):
                function(thing, path)
                return
        store_text(path, self.text_of(thing, map_name))


def our_format(
    name: str, said: str, what: str, *, loads: Mapping[type, Any], dumps: Mapping[type, Any], called: str = ""
) -> Format:
    """A format of our own: a JSON object that says what it is. `called` is needed if it is not a `what`."""
    return Format(
        name=name,
        title=f"{what}, ours",
        called=called or f"a {what}",
        sniff=says(said),
        loads=loads,
        dumps=dumps,
        suffixes=(".json",),
        to="json",
    )


def begins(pattern: str) -> Callable[[Document], bool]:
    """Does a text begin so? Never that of a JSON object, which says itself what it is."""
    compiled = re.compile(pattern)
    return lambda document: not is_object(document) and compiled.match(document.beginning) is not None


def yaml_begins(*keys: str) -> Callable[[Document], bool]:
    """Does a text begin as YAML with one of these keys?"""
    return begins(rf"(---\s)?\s*(#[^\n]*\n\s*)*({'|'.join(keys)})\s*:")


def says(name: str) -> Callable[[Document], bool]:
    """Is it a JSON object whose field `format` is this name?"""
    return lambda document: is_object(document) and record_of(document).values.get("format") == name


def is_object(document: Document) -> bool:
    """Is it a JSON object?"""
    return document.beginning.startswith("{")
