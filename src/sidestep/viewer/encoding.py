"""Frames as the bytes of a film: GIF by Pillow, MP4 by the ffmpeg that imageio-ffmpeg brings along."""

from __future__ import annotations

import os
import struct
from collections.abc import Iterator
from contextlib import suppress
from importlib import import_module
from subprocess import DEVNULL, PIPE, Popen
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import numpy.typing as npt

from ..model.errors import MissingExtraError, SidestepError

Frame = npt.NDArray[np.uint8]  # (height, width, 3)
Palette = npt.NDArray[np.float64]  # (n, 3) from 0 to 1, the most important colours first

MP4_RATE = 30  # frames per second
UNCHANGED = 0  # the index of pixels of a GIF that stay as they were in the frame before
MOST_COLOURS = 255

# ------------------------------------------------------------------------------------ GIF


def gif_bytes(frames: Iterator[Frame], seconds: npt.NDArray[np.float64], palette: Palette) -> bytes:
    """An endless loop of frames, each shown for so long; a frame holds only what changes."""
    pillow = import_module("PIL.Image")
    getdata = import_module("PIL.GifImagePlugin").getdata
    colours = np.vstack([[1, 1, 1], palette[:MOST_COLOURS]])
    nearest = _nearest_colours(colours)
    ticks = np.diff(np.round(100 * np.cumsum(seconds)), prepend=0).astype(int)  # no error adds up
    chunks: list[bytes] = []
    before = None
    for frame, ticks_shown in zip(frames, ticks.tolist(), strict=True):
        indices = nearest[_bins(frame)]
        if before is None:
            chunks.append(_gif_header(frame.shape[1], frame.shape[0], colours))
        changed, (top, left) = _changed_part(indices, before)
        look = {"duration": 10 * ticks_shown, "transparency": UNCHANGED, "disposal": 1}
        chunks += getdata(pillow.fromarray(changed), (left, top), **look)
        before = indices
    return b"".join([*chunks, b";"])


def _gif_header(width: int, height: int, colours: Palette) -> bytes:
    table = np.zeros((256, 3), dtype=np.uint8)
    table[: len(colours)] = (255 * colours).round()
    screen = b"GIF89a" + struct.pack("<HHBBB", width, height, 0xF7, 0, 0)  # a table of 256 colours
    forever = b"!\xff\x0bNETSCAPE2.0" + struct.pack("<BBHB", 3, 1, 0, 0)
    return screen + table.tobytes() + forever


def _changed_part(indices: Frame, before: Frame | None) -> tuple[Frame, tuple[int, int]]:
    """The smallest rectangle with all that changed, and its top left; what did not is left out."""
    if before is None:
        return indices, (0, 0)
    same = indices == before
    rows, columns = np.flatnonzero(~same.all(axis=1)), np.flatnonzero(~same.all(axis=0))
    if not rows.size:
        return np.full((1, 1), UNCHANGED, dtype=np.uint8), (0, 0)
    part = (slice(rows[0], rows[-1] + 1), slice(columns[0], columns[-1] + 1))
    return np.where(same[part], np.uint8(UNCHANGED), indices[part]), (int(rows[0]), int(columns[0]))


def _bins(colours: Frame) -> npt.NDArray[np.intp]:
    """Colours that differ only in their last three bits are one."""
    red, green, blue = np.moveaxis(colours.astype(np.intp) >> 3, -1, 0)
    bins: npt.NDArray[np.intp] = red << 10 | green << 5 | blue
    return bins


def _nearest_colours(colours: Palette) -> Frame:
    """Per bin the index of the colour nearest to its middle, or of the first colour that is in it."""
    steps = (np.arange(32) * 8 + 4) / 255
    middles = np.stack(np.meshgrid(steps, steps, steps, indexing="ij"), axis=-1).reshape(-1, 3)
    distances = (colours[1:] ** 2).sum(axis=1) - 2 * middles @ colours[1:].T
    nearest: Frame = (1 + distances.argmin(axis=1)).astype(np.uint8)
    exact = _bins((255 * colours).round().astype(np.uint8))
    nearest[exact[:0:-1]] = np.arange(len(colours) - 1, 0, -1)
    return nearest


# ------------------------------------------------------------------------------------ MP4


def require_ffmpeg() -> str:
    """The path of the program, or one sentence on how to get it."""
    try:
        return str(import_module("imageio_ffmpeg").get_ffmpeg_exe())
    except (ImportError, RuntimeError) as error:
        raise MissingExtraError("imageio-ffmpeg", "video") from error


def mp4_bytes(frames: Iterator[Frame], seconds: npt.NDArray[np.float64], width: int, height: int) -> bytes:
    """H.264 that every player knows: half the colour resolution, the index at the front."""
    repeats = np.diff(np.round(MP4_RATE * np.cumsum(seconds)), prepend=0).astype(int)
    with TemporaryDirectory(prefix="sidestep-") as folder:
        film, log = os.path.join(folder, "film.mp4"), os.path.join(folder, "log")
        with open(log, "wb") as errors:
            code = _run_ffmpeg(_ffmpeg_command(width, height, film), errors, frames, repeats.tolist())
        if code != 0:
            with open(log, encoding="utf-8", errors="replace") as said:
                raise SidestepError(f"ffmpeg failed: {' '.join(said.read().split())}")
        with open(film, "rb") as stream:
            return stream.read()


def _run_ffmpeg(command: list[str], errors: Any, frames: Iterator[Frame], repeats: list[int]) -> int:
    with Popen(command, stdin=PIPE, stdout=DEVNULL, stderr=errors) as process:
        assert process.stdin is not None
        try:
            for frame, count in zip(frames, repeats, strict=True):
                data = frame.tobytes()
                for _ in range(count):
                    process.stdin.write(data)
        except BrokenPipeError:
            pass  # it ended early, and has said why
        except BaseException:
            process.kill()
            raise
        finally:
            with suppress(BrokenPipeError):
                process.stdin.close()
    return process.returncode


def _ffmpeg_command(width: int, height: int, film: str) -> list[str]:
    """The colours are converted and labelled as high definition, or players would show others."""
    size = ["-s", f"{width}x{height}", "-r", str(MP4_RATE)]
    raw = ["-f", "rawvideo", "-pix_fmt", "rgb24", *size, "-i", "-"]
    colours = ["-vf", "scale=out_color_matrix=bt709:out_range=tv", "-pix_fmt", "yuv420p"]
    labels = ["-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709"]
    codec = ["-an", "-c:v", "libx264", "-preset", "fast", "-crf", "19", "-tune", "animation"]
    plain = ["-map_metadata", "-1", "-fflags", "+bitexact", "-flags:v", "+bitexact"]
    packed = ["-movflags", "+faststart", "-f", "mp4", film]
    quiet = ["-hide_banner", "-loglevel", "error", "-nostdin", "-y"]
    return [require_ffmpeg(), *quiet, *raw, *colours, *labels, *codec, *plain, *packed]
