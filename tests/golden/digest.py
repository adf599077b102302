"""Short digests of plain things: arrays byte by byte, floats exactly, dicts in the order of their keys."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from enum import Enum
from typing import Any

import numpy as np


def digest(thing: Any) -> str:
    """12 hexadecimal digits."""
    total = hashlib.blake2b(digest_size=6)
    for part in _bytes_of(thing):
        total.update(len(part).to_bytes(8, "little"))
        total.update(part)
    return total.hexdigest()


def _bytes_of(thing: Any) -> Iterator[bytes]:
    if isinstance(thing, Enum):
        yield from _bytes_of(thing.value)
    elif isinstance(thing, np.ndarray):
        yield f"array {thing.dtype.str} {thing.shape}".encode()
        yield np.ascontiguousarray(thing).tobytes()
    elif isinstance(thing, bytes):
        yield b"bytes"
        yield thing
    elif isinstance(thing, Mapping):
        yield f"mapping {len(thing)}".encode()
        for key in sorted(thing):
            yield from _bytes_of(key)
            yield from _bytes_of(thing[key])
    elif isinstance(thing, (list, tuple)):
        yield f"sequence {len(thing)}".encode()
        for item in thing:
            yield from _bytes_of(item)
    else:
        yield from _bytes_of_scalar(thing)


def _bytes_of_scalar(thing: Any) -> Iterator[bytes]:
    if isinstance(thing, np.generic):
        thing = thing.item()
    if thing is not None and not isinstance(thing, (bool, int, float, str)):
        raise TypeError(f"a digest is of arrays and plain values, not of a {type(thing).__name__}")
    yield type(thing).__name__.encode()
    yield (thing.hex() if isinstance(thing, float) else str(thing)).encode()
