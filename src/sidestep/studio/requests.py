"""What pages send, as JSON: read strictly, with sentences about what is wrong."""

from __future__ import annotations

import base64
import binascii
import json
from itertools import chain
from typing import Any, TypeAlias

from ..io.jsonfile import INT64, MAX_DEPTH, Record, parse
from ..model.errors import InputError

Told: TypeAlias = dict[str, Any] | str  # a message as it was read, or a large one as it came

SOURCE = "the request"
MAX_ID = 2**32 - 1  # of a message: it has four bytes in binary ones


def parsed(text: str | bytes) -> dict[str, Any]:
    """A JSON object from outside, not nested without end."""
    try:
        value = parse(text if isinstance(text, str) else text.decode(), SOURCE)
    except UnicodeDecodeError:
        raise InputError(f"{SOURCE} is not UTF-8 text") from None
    if not isinstance(value, dict):
        raise InputError(f"{SOURCE} must be a JSON object")
    level: list[Any] = [value]
    for _ in range(MAX_DEPTH):
        inner = chain.from_iterable(one.values() if isinstance(one, dict) else one for one in level)
        level = [one for one in inner if isinstance(one, (dict, list))]
        if not level:
            return value
    raise InputError(f"{SOURCE} is nested more than {MAX_DEPTH} deep")


def message_of(told: Told) -> dict[str, Any]:
    """A message, of which only its head may have been read so far."""
    return parsed(told) if isinstance(told, str) else told


def as_json(value: Any) -> bytes:
    """Compact, in ASCII: whatever a name contains stays within its string."""
    return json.dumps(value, allow_nan=False, separators=(",", ":")).encode("ascii")


def asked(message: dict[str, Any], *known: str) -> Record:
    """A message, of which these fields have been looked at already."""
    request = Record(message, "", SOURCE)
    for name in known:
        request.has(name)
    return request


def seed_of(request: Record) -> int:
    """The seed, 0 unless there is one."""
    return request.integer("seed", low=0, high=INT64) if request.has("seed") else 0


def number_from(request: Record, name: str, *, most: float, least: float = 0.0) -> float:
    """A number from a range."""
    value = request.get(name)
    if type(value) not in (int, float) or not least <= value <= most:
        raise request.error(name, f"must be a number from {least:g} to {most:g}")
    return float(value)


def bytes_from(record: Record, name: str) -> bytes:
    """The bytes of a field in base64."""
    text = record.text(name)
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        raise record.error(name, "must be base64") from None
