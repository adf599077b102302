"""XML files of other programs, read strictly: elements know their lines, and there are no entities.

The parser is expat, of the standard library. A DOCTYPE is refused, and with it every entity that a file could
declare: neither can a few lines stand for gigabytes, nor can a file name another. Nesting has a limit.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from xml.parsers import expat

from ..model.errors import FormatError
from .files import Document

MAX_DEPTH = 64


@dataclass(slots=True)
class Element:
    """An element of an XML file, with its attributes, the elements in it and its own text."""

    name: str
    attributes: dict[str, str]
    source: str
    line: int
    children: list[Element] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)

    def error(self, message: str) -> FormatError:
        return FormatError(message, source=self.source, line=self.line)

    def all(self, name: str) -> Iterator[Element]:
        """The elements of this name right in it."""
        return (child for child in self.children if child.name == name)

    @property
    def text(self) -> str:
        """The text of it, without that of the elements in it."""
        return "".join(self.texts)


def xml_of(document: Document) -> Element:
    """The outermost element of an XML file."""
    return document.parsed(_parsed)


class _Builder:
    """The tree that the calls of expat describe."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.root: Element | None = None
        self.stack: list[Element] = []
        self.parser = expat.ParserCreate("utf-8")
        self.parser.buffer_text = True
        self.parser.StartElementHandler = self.start
        self.parser.EndElementHandler = self.end
        self.parser.CharacterDataHandler = self.characters
        self.parser.StartDoctypeDeclHandler = self.doctype

    def start(self, name: str, attributes: dict[str, str]) -> None:
        element = Element(name, attributes, self.source, self.parser.CurrentLineNumber)
        if self.stack:
            self.stack[-1].children.append(element)
        else:
            self.root = element
        self.stack.append(element)
        if len(self.stack) > MAX_DEPTH:
            raise element.error("this XML is nested too deeply")

    def end(self, _name: str) -> None:
        self.stack.pop()

    def characters(self, text: str) -> None:
        self.stack[-1].texts.append(text)

    def doctype(self, *_said: object) -> None:
        raise FormatError(
            "a DOCTYPE is not accepted here: remove it, with the entities that it declares",
            source=self.source,
            line=self.parser.CurrentLineNumber,
        )


def _parsed(document: Document) -> Element:
    builder = _Builder(document.source)
    try:
        # What a file says of its encoding is over: the text is Unicode, and expat gets it as UTF-8.
        builder.parser.Parse(document.text.encode("utf-8"), True)
    except expat.ExpatError as error:
        said = expat.errors.messages[error.code]
        raise FormatError(f"this is not XML: {said}", source=document.source, line=error.lineno) from None
    except UnicodeEncodeError:
        raise FormatError("this is not XML: it is not valid Unicode", source=document.source) from None
    if builder.root is None:
        raise FormatError("this is not XML: there is no element in it", source=document.source)
    return builder.root
