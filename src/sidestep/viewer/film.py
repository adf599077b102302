"""Films of runs for slides and web pages: GIF and MP4, with agents that glide from cell to cell."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from ..io.files import FilePath, source_of, store_bytes
from ..model.arrays import BoolArray, is_number
from ..model.errors import InputError
from .drawing import (
    ARROWS,
    EDGES,
    FAINT,
    FLOOR,
    INK,
    LINES,
    PAGE,
    RED,
    WALL,
    Cast,
    axes_of,
    colours_of,
    dark_colours_of,
    draw_map,
    draw_title,
    figure_of,
    matplotlib_part,
    rgb,
    silent_fonts,
    style,
)
from .encoding import MOST_COLOURS, MP4_RATE, Frame, Palette, gif_bytes, mp4_bytes, require_ffmpeg
from .scene import FASTEST, Scene
from .sheet import Sheet, sheet_of
from .timeline import Timeline

Floats = npt.NDArray[np.float64]

SIZES = {".gif": ((800, 700), (1100, 800)), ".mp4": ((1280, 1000), (1920, 1080))}  # one scene, several
MOST_FRAMES = 1500
GIF_RATE = 16  # frames per second, about: a whole number per step looks smoother
PAUSE_BEFORE, PAUSE_AFTER = 0.4, 1.6  # seconds
FLASH = 0.4  # seconds before and after a broken rule
SEGMENTS = 3000  # of trails in a frame


def save_film(
    scenes: tuple[Scene, ...],
    path: FilePath,
    *,
    steps_per_second: float = 4.0,
    on_frame: Callable[[int, int], None] | None = None,
) -> None:
    """Write a film of the scenes, side by side and in step: a .gif that loops, or an .mp4.

    A film has at most 1500 frames: a run that needs more is shown faster than asked for.
    `on_frame(done, total)` is called after every frame. Nothing is left behind if that raises.
    """
    suffix = _checked_suffix(path)
    rate = _checked_rate(steps_per_second)
    timelines = [Timeline(scene) for scene in scenes]
    start = min(timeline.start for timeline in timelines)
    end = max(timeline.end for timeline in timelines)
    frame_rate = MP4_RATE if suffix == ".mp4" else gif_rate(rate)
    times, seconds = timetable(start, end, rate, frame_rate)
    with style(), silent_fonts():
        screen = Screen(timelines, _sheet(scenes, suffix), flash=max(1.0, FLASH * rate))
        frames = _reported(screen.frames(times), len(times), on_frame)
        if suffix == ".gif":
            data = gif_bytes(frames, seconds, palette_of(scenes))
        else:
            data = mp4_bytes(frames, seconds, screen.sheet.width, screen.sheet.height)
    store_bytes(path, data)


def _checked_suffix(path: FilePath) -> str:
    """The kind of film; what would only fail at the end, after all the drawing, fails here."""
    source = source_of(path)
    suffix = os.path.splitext(source)[1].lower()
    if suffix not in SIZES:
        raise InputError(f"{source}: a film is a .gif or .mp4 file")
    folder = os.path.dirname(os.path.realpath(source))
    if not os.path.isdir(folder):
        raise InputError(f"{source}: cannot be written, there is no folder {folder}")
    if suffix == ".mp4":
        require_ffmpeg()
    return suffix


def _checked_rate(rate: Any) -> float:
    if not is_number(rate) or not 0 < rate <= FASTEST:
        raise InputError(f"steps_per_second must be more than 0 and at most {FASTEST}, not {rate!r}")
    return float(rate)


def gif_rate(rate: float) -> float:
    """Frames per second of a GIF, from steps per second; browsers slow down what is much faster."""
    return rate * max(1, round(GIF_RATE / rate)) if rate <= 20 else 20.0


def timetable(start: int, end: int, rate: float, frame_rate: float) -> tuple[Floats, Floats]:
    """Per frame its time in the run and how many seconds it is shown; the ends are shown for longer."""
    wanted = int(np.ceil(round((end - start) / rate * frame_rate, 6)))
    times = np.linspace(start, end, min(wanted, MOST_FRAMES - 1) + 1)
    seconds = np.full(len(times), 1 / frame_rate)
    seconds[0] += PAUSE_BEFORE
    seconds[-1] += PAUSE_AFTER
    return times, seconds


def _sheet(scenes: tuple[Scene, ...], suffix: str) -> Sheet:
    width, height = SIZES[suffix][len(scenes) > 1]
    return sheet_of(scenes, width, height, titled=True)


def _reported(
    frames: Iterator[Frame], total: int, on_frame: Callable[[int, int], None] | None
) -> Iterator[Frame]:
    for done, frame in enumerate(frames, 1):
        yield frame
        if on_frame is not None:
            on_frame(done, total)


def palette_of(scenes: tuple[Scene, ...]) -> Palette:
    """The colours that are drawn, and between them those of blurred edges and fading trails."""
    plain = np.stack([rgb(one) for one in (PAGE, FLOOR, WALL, LINES, INK, FAINT, RED, EDGES, ARROWS)])
    blends = [
        _blends(one, other, 7) for one, other in ((INK, PAGE), (FAINT, PAGE), (WALL, FLOOR), (RED, PAGE))
    ]
    hues = np.unique(np.concatenate([scene.hues for scene in scenes]))
    agents, dark = colours_of(hues), dark_colours_of(hues)
    given = [plain, agents, dark, *blends]
    room = (MOST_COLOURS - sum(map(len, given))) // max(len(hues), 1)
    shares = [0.2, *np.linspace(0.38, 1, min(room, 32))[:-1]]  # trails begin at 0.38 of the way to the floor
    faded = [agents + (rgb(FLOOR) - agents) * share for share in shares]
    return np.vstack([*given, *faded])


def _blends(one: str, other: str, count: int) -> Palette:
    shares = np.linspace(0, 1, count + 2)[1:-1, None]
    blends: Palette = rgb(one) + (rgb(other) - rgb(one)) * shares
    return blends


class Screen:
    """Draws frames: the maps once, or when walls change, and over them in every frame what moves."""

    def __init__(self, timelines: list[Timeline], sheet: Sheet, *, flash: float) -> None:
        self.sheet = sheet
        self._timelines = timelines
        self._flash = flash
        self._figure = figure_of(sheet)
        self._canvas = matplotlib_part("backends.backend_agg").FigureCanvasAgg(self._figure)
        self._casts, self._captions = [], []
        for timeline, panel in zip(timelines, sheet.panels, strict=True):
            axes = axes_of(self._figure, sheet, panel)
            axes.patch.set_visible(False)  # the map is in axes of its own, below
            self._casts.append(Cast(axes, panel, timeline, segments=SEGMENTS // len(timelines)))
            longest = _caption(timeline, timeline.end)
            self._captions.append(draw_title(self._figure, sheet, panel, timeline.scene.label, aside=longest))
        self._moving = [artist for cast in self._casts for artist in cast.artists] + self._captions
        for artist in self._moving:
            artist.set_animated(True)
        self._maps: list[Any] = [None] * len(timelines)
        self._walls: list[BoolArray | None] = [None] * len(timelines)

    def frames(self, times: Floats) -> Iterator[Frame]:
        """One frame per time."""
        ground = None
        for time in times.tolist():
            if self._update_maps(time) or ground is None:
                self._canvas.draw()
                ground = self._canvas.copy_from_bbox(self._figure.bbox)
            self._canvas.restore_region(ground)
            self._draw_moving(time)
            yield np.asarray(self._canvas.buffer_rgba())[:, :, :3].copy()

    def _update_maps(self, time: float) -> bool:
        """Draws the maps whose walls have changed, and says whether there are any."""
        changed = False
        for index, timeline in enumerate(self._timelines):
            moment = timeline.clamped(time)
            walls, drawn = timeline.open(moment), self._walls[index]
            if drawn is None or (drawn is not walls and not np.array_equal(drawn, walls)):
                self._redraw_map(index, moment)
                self._walls[index] = walls
                changed = True
        return changed

    def _redraw_map(self, index: int, time: float) -> None:
        if self._maps[index] is not None:
            self._maps[index].remove()
        panel = self.sheet.panels[index]
        axes = self._maps[index] = axes_of(self._figure, self.sheet, panel)
        axes.set_zorder(-1)
        draw_map(axes, panel, self._timelines[index], time)

    def _draw_moving(self, time: float) -> None:
        for timeline, cast, caption in zip(self._timelines, self._casts, self._captions, strict=True):
            moment = timeline.clamped(time)
            cast.show(moment, self._flash)
            caption.set_text(_caption(timeline, moment))
            caption.set_color(RED if timeline.broken(moment) else FAINT)
        for artist in self._moving:
            artist.draw(self._canvas.renderer)


def _caption(timeline: Timeline, time: float) -> str:
    broken = timeline.broken(time)
    said = f"{broken:,} violation{'s' if broken > 1 else ''} · " if broken else ""
    return f"{said}time {int(time)} of {timeline.end}"
