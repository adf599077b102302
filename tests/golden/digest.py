"""Short digests of plain things: arrays byte by byte, floats exactly, dicts in the order of their keys."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from enum import Enum
from functools import lru_cache
from typing import Any

import numpy as np


def digest(thing: Any) -> str:
    """12 hexadecimal digits."""
    return hashlib.blake2b(_bytes_of(thing), digest_size=6).hexdigest()


def _bytes_of(thing: Any) -> bytes:
    if type(thing) in (int, str):
        found = _bytes_seen(thing)
    elif isinstance(thing, Enum):
        found = _bytes_of(thing.value)
    elif isinstance(thing, np.ndarray):
        shape = f"array {thing.dtype.str} {thing.shape}"
        found = _framed(shape.encode(), np.ascontiguousarray(thing).tobytes())
    elif isinstance(thing, bytes):
        found = _framed(b"bytes", thing)
    elif isinstance(thing, (list, tuple)):
        of_ints = set(map(type, thing)) == {int}  # most are, and transcripts have millions of them
        items = map(_bytes_seen if of_ints else _bytes_of, thing)
        found = _framed(f"sequence {len(thing)}".encode()) + b"".join(items)
    elif isinstance(thing, Mapping):
        pairs = (_bytes_of(key) + _bytes_of(thing[key]) for key in sorted(thing))
        found = _framed(f"mapping {len(thing)}".encode()) + b"".join(pairs)
    else:
        found = _bytes_of_scalar(thing)
    return found


def _bytes_of_scalar(thing: Any) -> bytes:
    if isinstance(thing, np.generic):
        thing = thing.item()
    if thing is not None and not isinstance(thing, (bool, int, float, str)):
        raise TypeError(f"a digest is of arrays and plain values, not of a {type(thing).__name__}")
    value = thing.hex() if isinstance(thing, float) else str(thing)
    return _framed(type(thing).__name__.encode(), value.encode())


@lru_cache(maxsize=2**16)
def _bytes_seen(thing: int | str) -> bytes:
    """Of what comes again and again. Not of all scalars: 1, 1.0 and True are one key."""
    return _bytes_of_scalar(thing)


def _framed(*parts: bytes) -> bytes:
    """Each part behind its length."""
    return b"".join(len(part).to_bytes(8, "little") + part for part in parts)
