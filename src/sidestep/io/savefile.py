"""Saved games: a world, a snapshot, a crowd, a finder or a distance map in a file, to go on from there."""

from __future__ import annotations

import hashlib
import pickle
import zlib
from typing import Any

from ..model.errors import FormatError, InputError
from .files import FilePath, load_bytes, source_of, store_bytes

MAGIC = b"sidestep save 1\n"
DIGEST_BYTES = 32


def write_save(thing: Any, path: FilePath) -> None:
    """Writes something with a state to a file.

    Args:
        thing: A `World`, a snapshot of one, a `Crowd`, a `Finder`, a `DistanceMap`; or anything that pickles
            and has such things in it.
        path: Where to.

    Raises:
        InputError: Something in it cannot be pickled, such as a planner with a function of its own, or the
            file cannot be written.
    """
    try:
        packed = zlib.compress(pickle.dumps(thing, protocol=5), level=1)
    except (pickle.PicklingError, AttributeError, TypeError) as error:
        raise InputError(f"this cannot be saved: {error}") from None
    store_bytes(path, MAGIC + hashlib.sha256(packed).digest() + packed)


def read_save(path: FilePath) -> Any:
    """Reads what `write_save` has written.

    A save holds Python objects: load only files that come from where you trust. The digest in it finds
    accidents, not forgery.

    Args:
        path: The file.

    Returns:
        What was saved; a world goes on exactly as it would have.

    Raises:
        InputError: The file cannot be read.
        FormatError: It is no such file, it is damaged, or another version of sidestep wrote it.
    """
    data, source = load_bytes(path), source_of(path)
    if not data.startswith(MAGIC):
        raise FormatError("this is no save of sidestep, or one of another version", source=source)
    digest, packed = data[len(MAGIC) :][:DIGEST_BYTES], data[len(MAGIC) + DIGEST_BYTES :]
    if hashlib.sha256(packed).digest() != digest:
        raise FormatError("this save is damaged: it is not what was written", source=source)
    try:
        return pickle.loads(zlib.decompress(packed))
    except FormatError as error:
        raise FormatError(error.problem, source=source) from None
    except Exception as error:  # what is not there any more raises whatever it likes
        raise FormatError(f"this save cannot be restored: {error}", source=source) from None
