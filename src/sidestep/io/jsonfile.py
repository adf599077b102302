"""JSON documents with a format name and a version: strict reading that names the field, stable writing."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from ..model.errors import FormatError, InputError
from .files import Document, FilePath, store_text

INT32 = 2**31 - 1
INT64 = 2**63 - 1
UINT64 = 2**64 - 1
MAX_DEPTH = 32  # of what is free in files, and of messages

_LINE = 100  # what is shorter than this stands on one line
_KINDS = {dict: "an object", list: "a list", str: "a string", bool: "true or false", type(None): "null"}


class Record:
    """One JSON object of a document; every access checks the type and names the field if it is wrong."""

    def __init__(self, values: Any, where: str, source: str) -> None:
        self.where, self.source = where, source
        if not isinstance(values, dict):
            raise FormatError(
                f"{where or 'the file'} must be an object, not {kind_of(values)}", source=source
            )
        self.values: dict[str, Any] = values  # unchecked
        self._asked: set[str] = set()

    def path(self, name: str) -> str:
        return f"{self.where}.{name}" if self.where else name

    def error(self, name: str, message: str) -> FormatError:
        return FormatError(f"{self.path(name)} {message}", source=self.source)

    def get(self, name: str) -> Any:
        """The value of a field that must be there."""
        self._asked.add(name)
        if name not in self.values:
            raise self.error(name, "is missing")
        return self.values[name]

    def has(self, name: str) -> bool:
        """Is the field there and not null?"""
        self._asked.add(name)
        return self.values.get(name) is not None

    def integer(self, name: str, *, low: int = -INT32 - 1, high: int = INT32) -> int:
        return self.integer_in(self.get(name), name, low=low, high=high)

    def integer_in(self, value: Any, name: str, *, low: int, high: int) -> int:
        """The value itself, if it is a whole number in the range."""
        if type(value) is not int:
            raise self.error(name, f"must be a whole number, not {kind_of(value)}")
        if not low <= value <= high:
            raise self.error(name, f"must be from {low} to {high}")
        return value

    def text(self, name: str) -> str:
        value = self.get(name)
        if not isinstance(value, str):
            raise self.error(name, f"must be a string, not {kind_of(value)}")
        return value

    def number(self, name: str) -> float:
        value = self.get(name)
        if not is_number(value):
            raise self.error(name, f"must be a number of at most 1e300, not {kind_of(value)}")
        return float(value)

    def flag(self, name: str) -> bool:
        value = self.get(name)
        if not isinstance(value, bool):
            raise self.error(name, f"must be true or false, not {kind_of(value)}")
        return value

    def items(self, name: str) -> list[Any]:
        value = self.get(name)
        if not isinstance(value, list):
            raise self.error(name, f"must be a list, not {kind_of(value)}")
        return value

    def integers(self, name: str, *, low: int = -INT32 - 1, high: int = INT32) -> list[int]:
        return self.integers_in(self.items(name), name, low=low, high=high)

    def integers_in(self, values: Any, name: str, *, low: int, high: int) -> list[int]:
        """The value itself, if it is a list of whole numbers in the range."""
        if not isinstance(values, list):
            raise self.error(name, f"must be a list, not {kind_of(values)}")
        # Sets and min/max run at C speed: plans have millions of entries.
        if not set(map(type, values)) <= {int} or (values and (min(values) < low or max(values) > high)):
            index = next(
                i for i, value in enumerate(values) if type(value) is not int or not low <= value <= high
            )
            self.integer_in(values[index], f"{name}[{index}]", low=low, high=high)
        return values

    def pairs(self, name: str, *, low: int, high: int) -> list[list[int]]:
        """A list of lists of two whole numbers."""
        pairs = self.items(name)
        for index, pair in enumerate(pairs):
            if len(self.integers_in(pair, f"{name}[{index}]", low=low, high=high)) != 2:
                raise self.error(f"{name}[{index}]", f"must have two entries, not {len(pair)}")
        return pairs

    def record(self, name: str) -> Record:
        return Record(self.get(name), self.path(name), self.source)

    def records(self, name: str) -> list[Record]:
        return [
            Record(value, f"{self.path(name)}[{index}]", self.source)
            for index, value in enumerate(self.items(name))
        ]

    def plain(self, name: str) -> dict[str, Any]:
        """An object whose content is free, but for numbers of more than 64 bits and endless nesting."""
        self.record(name)
        self.refuse_unwieldy(name)
        return dict(self.get(name))

    def refuse_unwieldy(self, name: str) -> None:
        """Refuse numbers of more than 64 bits and endless nesting in a field whose content is free."""
        value = self.get(name)
        level: list[Any] = [value] if isinstance(value, (dict, list)) else []
        for _ in range(MAX_DEPTH):
            inner = [item for one in level for item in (one.values() if isinstance(one, dict) else one)]
            if any(type(item) is int and not -INT64 - 1 <= item <= UINT64 for item in inner):
                raise self.error(name, "has a number of more than 64 bits")
            level = [item for item in inner if isinstance(item, (dict, list))]
        if level:
            raise self.error(name, f"is nested more than {MAX_DEPTH} deep")

    def rest(self, *read: str) -> dict[str, Any]:
        """The fields beside those that were read, to be kept as they are."""
        return {name: value for name, value in self.values.items() if name not in read}

    def done(self) -> None:
        """Refuse fields that nobody asked for: a misspelt one must not be ignored."""
        for name in self.values:
            if name not in self._asked:
                raise self.error(name[:40], "is not a field of this format")

    @contextmanager
    def model_errors(self) -> Iterator[None]:
        """What the model refuses within is this record's fault."""
        try:
            yield
        except FormatError:
            raise
        except InputError as error:
            where = f"{self.where}: " if self.where else ""
            raise FormatError(f"{where}{error}", source=self.source) from None


def repeated(names: list[str]) -> str | None:
    """The first name that was there before, if any."""
    seen: set[str] = set()
    for name in names:
        if name in seen:
            return name
        seen.add(name)
    return None


def is_number(value: Any) -> bool:
    """Is it a number that a float can be?"""
    return type(value) in (int, float) and abs(value) <= 1e300


def kind_of(value: Any) -> str:
    """What a JSON value is, in words."""
    return _KINDS.get(type(value), "a number")


def record_of(document: Document) -> Record:
    """The object that a JSON document is."""
    return Record(document.parsed(_value), "", document.source)


def _value(document: Document) -> Any:
    return parse(document.text, document.source)


def versioned(document: Document, name: str, version: int, news: str = "") -> Record:
    """The object of a document of one of our formats, of this version or an earlier one.

    `news` says what later versions have that this one does not: the sentence about them ends so.
    """
    record = record_of(document)
    if record.text("format") != name:
        raise record.error("format", f"must be {name!r}, not {record.text('format')[:40]!r}")
    found = record.integer("version", high=INT64)
    if not 1 <= found <= version:
        known = "1" if version == 1 else f"from 1 to {version}"
        why = f"a newer sidestep wrote this file{news}" if found > version else "written by another sidestep?"
        raise record.error("version", f"must be {known}, not {found}: {why}")
    return record


def parse(text: str, source: str) -> Any:
    """Strict JSON: no NaN, no repeated keys, nothing too deep, no number that overflows."""

    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) < len(pairs):
            twice = repeated([key for key, _ in pairs])
            raise FormatError(f"the key {str(twice)[:40]!r} is given twice", source=source)
        return found

    def refuse(constant: str) -> Any:
        raise FormatError(f"{constant} is not a number of JSON", source=source)

    def finite(digits: str) -> float:
        value = float(digits)
        if not math.isfinite(value):
            raise FormatError(f"the number {digits[:40]} is too large", source=source)
        return value

    try:
        return json.loads(text, object_pairs_hook=unique, parse_constant=refuse, parse_float=finite)
    except json.JSONDecodeError as error:
        raise FormatError(f"this is not JSON: {error.msg}", source=source, line=error.lineno) from None
    except RecursionError:
        raise FormatError("this JSON is nested too deeply", source=source) from None
    except FormatError:
        raise
    except ValueError:  # Python refuses to convert thousands of digits
        raise FormatError("a number is too large", source=source) from None


def store(path: FilePath, value: dict[str, Any]) -> None:
    """Write an object: the same object gives the same bytes."""
    store_text(path, laid_out(value))


def laid_out(value: dict[str, Any]) -> str:
    """The text of an object: the same object gives the same text."""
    return _layout(value, "") + "\n"


def _layout(value: Any, indent: str) -> str:
    """JSON with short things on one line and long ones stacked, so that people and diffs can read it."""
    if not _is_stacked(value):
        line = json.dumps(value, allow_nan=False)
        if len(line) <= _LINE or not _is_nested(value):
            return line
    inner = indent + " "
    if isinstance(value, dict):
        parts = [f"{json.dumps(key)}: {_layout(item, inner)}" for key, item in value.items()]
        return "{\n" + ",\n".join(inner + part for part in parts) + f"\n{indent}}}"
    return "[\n" + ",\n".join(inner + _layout(item, inner) for item in value) + f"\n{indent}]"


def _is_nested(value: Any) -> bool:
    items = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return any(isinstance(item, (dict, list)) for item in items)


def _is_stacked(value: Any) -> bool:
    """Lists of strings, the rows of a map, stand below each other even when they are short."""
    if isinstance(value, dict):
        return any(_is_stacked(item) for item in value.values())
    if not isinstance(value, list) or not value:
        return False
    return isinstance(value[0], str) or (isinstance(value[0], (dict, list)) and any(map(_is_stacked, value)))
