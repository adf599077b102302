"""Pictures as arrays of shades: PGM by ourselves, all else by Pillow (extra `io`).

Sizes are checked before memory is taken.
"""

from __future__ import annotations

import re
import struct
import zlib
from importlib import import_module
from io import BytesIO
from typing import Any

import numpy as np
import numpy.typing as npt

from ..model.errors import FormatError, MissingExtraError
from .files import FilePath, load_bytes, source_of

MAX_PIXELS = 2**26  # 8192 x 8192; a few bytes of a packed picture may claim more

Shades = npt.NDArray[np.float64]  # (height, width): 0 is black and 1 is white
Alpha = npt.NDArray[np.float64] | None  # the same for what can be seen through: 0 is nothing there

_HEADER = re.compile(
    rb"P([25])(?:\s+(?:#[^\n]*\n\s*)*)([0-9]{1,9})\s+(?:#[^\n]*\n\s*)*([0-9]{1,9})\s+(?:#[^\n]*\n\s*)*([0-9]{1,5})\s"
)


def read_shades(path: FilePath) -> tuple[Shades, Alpha]:
    """The shades of a picture, and how much of each pixel is there, if the picture says so."""
    data, source = bytes(load_bytes(path)), source_of(path)
    if data[:2] in (b"P2", b"P5"):
        return _pgm(data, source), None
    return _by_pillow(data, source)


def _pgm(data: bytes, source: str) -> Shades:
    header = _HEADER.match(data[:4096])
    if header is None:
        raise FormatError(
            "a PGM begins with P5 or P2, its width, its height and its brightest value", source=source
        )
    width, height, most = (int(header[index]) for index in (2, 3, 4))
    _check_size(width, height, source)
    if not 1 <= most < 2**16:
        raise FormatError(f"the brightest value of a PGM is from 1 to 65535, not {most}", source=source)
    body = data[header.end() :]
    values = (
        _plain(body, width * height, source) if header[1] == b"2" else _packed(body, width * height, most)
    )
    if values.size < width * height:
        raise FormatError(f"the picture ends after {values.size} of {width * height} pixels", source=source)
    shades: Shades = np.minimum(values[: width * height].reshape(height, width) / most, 1.0)
    return shades


def _packed(body: bytes, pixels: int, most: int) -> npt.NDArray[Any]:
    kind = np.dtype(np.uint8 if most < 256 else ">u2")
    whole = len(body) // kind.itemsize
    return np.frombuffer(body, dtype=kind, count=min(pixels, whole))


def _plain(body: bytes, pixels: int, source: str) -> npt.NDArray[Any]:
    words = body.split(maxsplit=pixels)[:pixels]
    if not all(word.isdigit() and len(word) < 6 for word in words):
        raise FormatError("the pixels of a PGM of the kind P2 are whole numbers", source=source)
    return np.array(words, dtype="S5").astype(np.int64)


def _check_size(width: int, height: int, source: str) -> None:
    if not 1 <= width * height <= MAX_PIXELS:
        raise FormatError(
            f"a picture has from 1 to {MAX_PIXELS} pixels, not {width} x {height}: scale it down",
            source=source,
        )


def _by_pillow(data: bytes, source: str) -> tuple[Shades, Alpha]:
    try:
        image_module = import_module("PIL.Image")
    except ImportError as error:
        raise MissingExtraError("pillow", "io") from error
    try:
        with image_module.open(BytesIO(data)) as image:
            _check_size(image.width, image.height, source)
            bands: Any = np.asarray(image.convert("RGBA"), dtype=np.float64)
    except FormatError:
        raise
    except Exception as error:  # Pillow raises whatever the decoder of a format does
        raise FormatError(
            f"this is no picture that can be read: {type(error).__name__}", source=source
        ) from None
    return bands[..., :3].mean(axis=2) / 255, bands[..., 3] / 255


def pgm_of(values: npt.NDArray[np.uint8]) -> bytes:
    """The bytes of a PGM."""
    height, width = values.shape
    return f"P5\n{width} {height}\n255\n".encode("ascii") + np.ascontiguousarray(values).tobytes()


def png_of(values: npt.NDArray[np.uint8]) -> bytes:
    """The bytes of a PNG in shades of grey."""
    height, width = values.shape
    rows = np.zeros((height, width + 1), dtype=np.uint8)  # each row begins with its filter, which is none
    rows[:, 1:] = values
    chunks = (
        (b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)),
        (b"IDAT", zlib.compress(rows.tobytes(), 9)),
        (b"IEND", b""),
    )
    packed = [
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        for kind, data in chunks
    ]
    return b"\x89PNG\r\n\x1a\n" + b"".join(packed)
