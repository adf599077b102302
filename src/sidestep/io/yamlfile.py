"""YAML files of other programs, read strictly: values know their lines, and nothing is ever constructed.

Only the events of PyYAML's parser are used, so that no tag can make an object. Aliases, by which a few
lines stand for gigabytes, repeated keys and deep nesting are refused. The one tag that is accepted is
`!!python/tuple`, which Python programs write for a list.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from types import ModuleType
from typing import Any

from ..model.errors import FormatError, MissingExtraError
from .files import Document
from .jsonfile import is_number

MAX_DEPTH = 32  # such files nest five deep

_TUPLE = "tag:yaml.org,2002:python/tuple"
_WORDS: dict[str, bool | None] = {"true": True, "false": False, "null": None, "~": None, "": None}
_DECIMAL = r"[-+]?(?:[0-9]{1,40}\.?[0-9]{0,400}|\.[0-9]{1,400})(?:[eE][-+]?[0-9]{1,3})?"
_WHOLE = "-?(?:0|[1-9][0-9]{0,9})"  # a leading zero would be octal to some and not to others


@dataclass(slots=True)
class Node:
    """A value of a YAML file: a text, a list of nodes or a dict of nodes."""

    value: str | list[Node] | dict[str, Node]
    source: str
    line: int
    is_quoted: bool = False  # a text in quotes or a block is never a number

    def error(self, message: str) -> FormatError:
        return FormatError(message, source=self.source, line=self.line)

    def mapping(self, what: str) -> dict[str, Node]:
        if not isinstance(self.value, dict):
            raise self.error(f"{what} must be a mapping, not {self._kind}")
        return self.value

    def items(self, what: str) -> list[Node]:
        if not isinstance(self.value, list):
            raise self.error(f"{what} must be a list, not {self._kind}")
        return self.value

    def field(self, name: str, what: str) -> Node:
        """The value of a key that must be there."""
        found = self.mapping(what).get(name)
        if found is None:
            raise self.error(f"{what} has no {name}")
        return found

    def integer(self, what: str) -> int:
        if not isinstance(self.value, str) or not re.fullmatch(_WHOLE, self.value):
            shown = repr(self.value[:40]) if isinstance(self.value, str) else self._kind
            raise self.error(f"{what} must be a whole number, not {shown}")
        return int(self.value)

    def number(self, what: str) -> float:
        found = self.plain()
        if not is_number(found):
            shown = repr(self.value[:40]) if isinstance(self.value, str) else self._kind
            raise self.error(f"{what} must be a number of at most 1e300, not {shown}")
        return float(found)

    def plain(self) -> Any:
        """The value as Python has it: what is not in quotes may be a number, true, false or null."""
        if isinstance(self.value, dict):
            return {key: node.plain() for key, node in self.value.items()}
        if isinstance(self.value, list):
            return [node.plain() for node in self.value]
        if self.is_quoted:
            return self.value
        if self.value.lower() in _WORDS:
            return _WORDS[self.value.lower()]
        if re.fullmatch(_WHOLE, self.value):
            return int(self.value)
        found = float(self.value) if re.fullmatch(_DECIMAL, self.value) else math.inf
        return found if math.isfinite(found) else self.value

    def text(self, what: str) -> str:
        if not isinstance(self.value, str) or not self.value:
            raise self.error(f"{what} must be a name, not {self._kind}")
        return self.value

    @property
    def is_empty(self) -> bool:
        """Is nothing there, or something without anything in it?"""
        return not self.value or self.value in ("~", "null")

    @property
    def _kind(self) -> str:
        if isinstance(self.value, str):
            return "a text" if self.value else "nothing"
        return "a list" if isinstance(self.value, list) else "a mapping"


def yaml_of(document: Document) -> Node:
    """The one document of a YAML file."""
    return document.parsed(_parsed)


def _parsed(document: Document) -> Node:
    yaml, source, text = _require_yaml(), document.source, document.text
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # libyaml, if it is there: much faster
    try:
        return _tree(yaml, yaml.parse(text, Loader=loader), source)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = None if mark is None else mark.line + 1
        raise FormatError(f"this is not YAML: {error.problem}", source=source, line=line) from None
    except yaml.YAMLError:
        raise FormatError("this is not YAML: it has a character that YAML forbids", source=source) from None


def _require_yaml() -> ModuleType:
    try:
        return import_module("yaml")
    except ImportError as error:
        raise MissingExtraError("pyyaml", "io") from error


@dataclass(slots=True)
class _Open:
    """A list or mapping whose end is still to come, and the key that waits for its value."""

    node: Node
    key: Node | None = None


def _tree(yaml: ModuleType, events: Iterator[Any], source: str) -> Node:
    """The tree that the events of one document describe; without recursion, however deep it claims to be."""
    found: list[Node] = []
    stack: list[_Open] = []
    for event in events:
        line = event.start_mark.line + 1
        if isinstance(event, yaml.DocumentStartEvent) and found:
            raise FormatError("there is more than one document in this file", source=source, line=line)
        if isinstance(event, yaml.AliasEvent):
            raise FormatError("an alias (*name) is not accepted here", source=source, line=line)
        if isinstance(event, yaml.CollectionEndEvent):
            stack.pop()
        elif isinstance(event, yaml.NodeEvent):
            node = _node(yaml, event, source, line)
            _add(node, stack, found)
            if not isinstance(node.value, str):
                stack.append(_Open(node))
            if len(stack) > MAX_DEPTH:
                raise node.error("this YAML is nested too deeply")
    return found[0] if found else Node("", source, 1)


def _node(yaml: ModuleType, event: Any, source: str, line: int) -> Node:
    is_list = isinstance(event, yaml.SequenceStartEvent)
    if event.tag is not None and not (is_list and event.tag == _TUPLE):
        raise FormatError(f"the tag {event.tag[:60]} is not accepted here", source=source, line=line)
    if isinstance(event, yaml.ScalarEvent):
        return Node(event.value, source, line, is_quoted=not event.implicit[0])
    return Node([] if is_list else {}, source, line)


def _add(node: Node, stack: list[_Open], found: list[Node]) -> None:
    """Put a node where it belongs: into the innermost list or mapping that is open."""
    if not stack:
        found.append(node)
        return
    parent = stack[-1]
    into = parent.node.value
    if isinstance(into, list):
        into.append(node)
    elif isinstance(into, dict):
        if parent.key is None:
            parent.key = _key(node, into)
        else:
            into[str(parent.key.value)] = node
            parent.key = None


def _key(node: Node, keys: dict[str, Node]) -> Node:
    if not isinstance(node.value, str):
        raise node.error("a key must be a text")
    if node.value in keys:
        raise node.error(f"the key {node.value[:40]!r} is given twice")
    return node


# Writing: what JSON has too, in a way that every version of YAML reads as the same


def written(value: Any) -> str:
    """A value on one line, as `[1.0, {"name": "a"}]`."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{written(key)}: {written(item)}" for key, item in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(written, value)) + "]"
    if isinstance(value, str):
        return '"' + "".join(map(_escaped, value)) + '"'
    digits = json.dumps(value, allow_nan=False)
    if isinstance(value, float) and "e" in digits and "." not in digits:
        return digits.replace("e", ".0e")  # without a point, YAML 1.1 has a text there
    return digits


def _escaped(char: str) -> str:
    if char in '"\\':
        return "\\" + char
    if " " <= char <= "~":
        return char
    return f"\\u{ord(char):04x}" if ord(char) < 2**16 else f"\\U{ord(char):08x}"
