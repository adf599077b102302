"""Scenes as matplotlib draws them, for stills and films alike: colours, panels, the map, and what moves."""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from typing import Any

import numpy as np
import numpy.typing as npt

from ..model.arrays import BoolArray
from ..model.errors import MissingExtraError
from ..model.graph import Graph
from ..model.grid import Grid
from .layout import Points
from .scene import HUES
from .sheet import LEAST_WIDTH, Panel, Sheet
from .timeline import Timeline

Colours = npt.NDArray[np.float64]

DPI = 100
PAGE, FLOOR, LINES, WALL = "#FFFFFF", "#FBFAF6", "#F0EDE5", "#46505F"
INK, FAINT, RED = "#2B333E", "#7B8491", "#E3001B"
EDGES, ARROWS = "#CFD3D9", "#A3ABB6"

FONT = 13

TRAIL = 9  # steps
PIECES = 16  # drawn per step where cells are large, so that a trail fades smoothly
SEGMENTS = 60_000  # of trails; where agents are many, each gets fewer
FEW = 24  # agents that are named
VECTORS = 20_000  # lines of one kind; where there are more, a vector format gets them as an image
RECTANGLES = 4000  # the same for walls


def matplotlib_part(name: str) -> Any:
    """A module of matplotlib, or one sentence on how to get it."""
    try:
        return import_module(f"matplotlib.{name}")
    except ImportError as error:
        raise MissingExtraError("matplotlib", "plot") from error


def style() -> Any:
    """A context in which a user's own settings change nothing, and the same scene gives the same bytes."""
    settings = {
        "svg.fonttype": "none",
        "svg.hashsalt": "sidestep",
        "pdf.fonttype": 42,
        "path.simplify": False,
    }
    return matplotlib_part("style").context(["default", settings])


@contextmanager
def silent_fonts() -> Iterator[None]:
    """No warnings about names in scripts that the font lacks; they show as boxes."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=r"Glyph .* missing from", category=UserWarning)
        warnings.filterwarnings(
            "ignore", message=r"Matplotlib currently does not support", category=UserWarning
        )
        yield


def colours_of(hues: npt.NDArray[np.uint8], lightness: float = 0.66, chroma: float = 0.16) -> Colours:
    """sRGB of Ottosson's OKLCH, equally light, so that no agent stands out; what does not fit is cut off."""
    angles = 2 * np.pi * (hues.astype(np.float64) + 0.5) / HUES
    a, b = chroma * np.cos(angles), chroma * np.sin(angles)
    long = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
    middle = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
    short = (lightness - 0.0894841775 * a - 1.2914855480 * b) ** 3
    linear = np.stack(
        [
            4.0767416621 * long - 3.3077115913 * middle + 0.2309699292 * short,
            -1.2684380046 * long + 2.6097574011 * middle - 0.3413193965 * short,
            -0.0041960863 * long - 0.7034186147 * middle + 1.7076147010 * short,
        ],
        axis=1,
    ).clip(0, 1)
    return np.where(linear <= 0.0031308, 12.92 * linear, 1.055 * linear ** (1 / 2.4) - 0.055)


def dark_colours_of(hues: npt.NDArray[np.uint8]) -> Colours:
    """The same hues for outlines of agents that wait."""
    return colours_of(hues, lightness=0.4, chroma=0.1)


def rgb(colour: str) -> Colours:
    """The three numbers from 0 to 1 of a colour like #46505F."""
    return np.array([int(colour[first : first + 2], 16) / 255 for first in (1, 3, 5)])


def plain(text: str, longest: int = 24) -> str:
    """A text of one line that every format can hold, cut where it is too long."""
    shown = "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in text)
    return shown if len(shown) <= longest else shown[: max(longest - 1, 0)] + "…"


def points(pixels: float) -> float:
    """matplotlib's unit for widths and sizes of text."""
    return 72 * pixels / DPI


def _inches(pixels: int) -> float:
    """The size of these pixels for matplotlib, which cut off fractions before 3.11: 100 * 2.28 < 228."""
    inches = pixels / DPI
    return inches if inches * DPI >= pixels else math.nextafter(inches, math.inf)


def figure_of(sheet: Sheet) -> Any:
    """An empty figure of the sheet's size, which no window shows."""
    size = (_inches(sheet.width), _inches(sheet.height))
    return matplotlib_part("figure").Figure(figsize=size, dpi=DPI, facecolor=PAGE)


def axes_of(figure: Any, sheet: Sheet, panel: Panel) -> Any:
    """Axes that fill a panel, in the units of the scene, y downwards."""
    bottom = sheet.height - panel.top - panel.height
    axes = figure.add_axes(
        (
            panel.left / sheet.width,
            bottom / sheet.height,
            panel.width / sheet.width,
            panel.height / sheet.height,
        ),
        facecolor=FLOOR,
    )
    x0, y0, x1, y1 = panel.bounds
    axes.set(xlim=(x0, x1), ylim=(y1, y0), xticks=[], yticks=[])
    axes.spines[:].set_visible(False)
    return axes


def draw_title(figure: Any, sheet: Sheet, panel: Panel, text: str, *, aside: str = "") -> Any:
    """The title above a panel, and at its right end something aside, which is returned to be changed."""
    x0, x1, y = panel.left / sheet.width, panel.left + panel.width, 1 - (panel.top - 9) / sheet.height
    x1 = max(x1, panel.left + LEAST_WIDTH) / sheet.width
    room = int((x1 - x0) * sheet.width / (0.6 * FONT)) - max(len(aside), 1) - 2
    look = {"fontsize": points(FONT), "va": "baseline", "parse_math": False}
    figure.text(x0, y, plain(text, max(room, 6)), color=INK, weight="bold", **look)
    return figure.text(x1, y, aside, color=FAINT, ha="right", **look)


# ------------------------------------------------------------------------------------ the map


def draw_map(axes: Any, panel: Panel, timeline: Timeline, time: float) -> None:
    """Floor and walls, or vertices and edges, as they are at a time."""
    space = timeline.scene.space
    if isinstance(space, Grid):
        _draw_grid(axes, panel, timeline.open(time).reshape(space.height, space.width))
    else:
        _draw_graph(axes, panel, space, timeline.scene.places, timeline.open(time))


def _draw_grid(axes: Any, panel: Panel, passable: BoolArray) -> None:
    height, width = passable.shape
    if panel.cell >= 8:
        upright = [[(col, 0), (col, height)] for col in range(1, width)]
        level = [[(0, row), (width, row)] for row in range(1, height)]
        add_lines(axes, upright + level, colors=LINES, linewidths=points(1), zorder=0)
    blocked = np.pad(~passable, 1, constant_values=True)
    corners = merged_rectangles(blocked, RECTANGLES)
    if corners is None:
        _draw_image(axes, panel, blocked)
    else:
        _draw_rectangles(axes, corners - 1)


def merged_rectangles(blocked: BoolArray, most: int) -> npt.NDArray[np.intp] | None:
    """The blocked cells as rectangles (top, left, bottom, right), or None if there are more than `most`.

    Runs of cells in a row, joined with those that begin and end alike in the row above.
    """
    edges = np.diff(np.pad(blocked, ((0, 0), (1, 1))).astype(np.int8), axis=1)
    row, begin = np.nonzero(edges == 1)
    end = np.nonzero(edges == -1)[1]
    if len(row) > 20 * most:
        return None
    tops: dict[tuple[int, int, int], int] = {}  # by the row below, begin and end
    for run in zip(row.tolist(), begin.tolist(), end.tolist(), strict=True):
        below = (run[0] + 1, run[1], run[2])
        tops[below] = tops.pop(run, run[0])
    if len(tops) > most:
        return None
    found = [(top, begin, bottom, end) for (bottom, begin, end), top in tops.items()]
    return np.array(found, dtype=np.intp).reshape(-1, 4)


def _draw_rectangles(axes: Any, corners: npt.NDArray[np.intp]) -> None:
    """One path of all of them: neighbours drawn one by one would show a seam between them."""
    path = matplotlib_part("path").Path
    top, left, bottom, right = corners.T
    outline = np.stack([left, top, right, top, right, bottom, left, bottom, left, top], axis=1)
    codes = [path.MOVETO, path.LINETO, path.LINETO, path.LINETO, path.CLOSEPOLY] * len(corners)
    walls = path(outline.reshape(-1, 2), codes)
    axes.add_patch(matplotlib_part("patches").PathPatch(walls, facecolor=WALL, edgecolor="none", zorder=1))


def _draw_image(axes: Any, panel: Panel, blocked: BoolArray) -> None:
    height, width = blocked.shape
    colours = (255 * np.stack([rgb(FLOOR), rgb(WALL)])).round().astype(np.uint8)
    axes.imshow(
        colours[blocked.astype(np.intp)],
        extent=(-1, width - 1, height - 1, -1),
        interpolation="none" if panel.cell >= 1 else "antialiased",
        aspect="auto",
        zorder=1,
    )
    x0, y0, x1, y1 = panel.bounds
    axes.set(xlim=(x0, x1), ylim=(y1, y0))


def _draw_graph(axes: Any, panel: Panel, graph: Graph, places: Points, is_open: BoolArray) -> None:
    segments = places[graph.edges]
    width = float(np.clip(0.06 * panel.body, 0.5, 3))
    add_lines(axes, segments, colors=EDGES, linewidths=points(width), zorder=0)
    if graph.directed and panel.cell >= 12 and len(segments) <= VECTORS:
        draw_arrowheads(axes, segments, np.broadcast_to(rgb(ARROWS), (len(segments), 3)), 0.1, at=0.62)
    dot = float(np.clip(0.2 * panel.body, 1, 14))
    look = {"linewidths": 0, "zorder": 1, "rasterized": graph.n > VECTORS}
    axes.scatter(*places[is_open].T, s=points(dot) ** 2, c=EDGES, **look)
    closed = float(np.clip(0.6 * panel.body, 4, 40))
    axes.scatter(*places[~is_open].T, s=points(closed) ** 2, c=WALL, marker="s", **look)


def draw_arrowheads(
    axes: Any, segments: Points, colours: Colours, size: float, *, at: float = 0.5, zorder: float = 0.5
) -> None:
    """Triangles that point along the segments, at a share of their length."""
    way = segments[:, 1] - segments[:, 0]
    ahead = size * way / np.maximum(np.linalg.norm(way, axis=1, keepdims=True), 1e-12)
    aside = ahead[:, ::-1] * (0.62, -0.62)
    middle = segments[:, 0] + at * way
    heads = np.stack(
        [middle + 0.6 * ahead, middle - 0.6 * ahead + aside, middle - 0.6 * ahead - aside], axis=1
    )
    collection = matplotlib_part("collections").PolyCollection
    axes.add_collection(
        collection(heads, facecolors=colours, edgecolors="none", zorder=zorder), autolim=False
    )


def add_lines(axes: Any, segments: Any, **look: Any) -> Any:
    """Lines through points, round at their ends and corners."""
    lines = matplotlib_part("collections").LineCollection(
        segments, capstyle="round", joinstyle="round", rasterized=len(segments) > VECTORS, **look
    )
    return axes.add_collection(lines, autolim=False)


# ------------------------------------------------------------------------------------ what moves


class Cast:
    """The artists of all that moves in a panel; `show` puts them where they are at a time."""

    def __init__(self, axes: Any, panel: Panel, timeline: Timeline, *, segments: int = SEGMENTS) -> None:
        self._timeline = timeline
        self._panel = panel
        self._colours = colours_of(timeline.scene.hues)
        self._dark = dark_colours_of(timeline.scene.hues)
        self._trail, self._pieces = _trail_length(panel, len(self._colours), segments)
        body = panel.body
        dot, ring = 0.76 * body, 0.52 * body
        self._lines = add_lines(axes, [], zorder=2)
        self._rings = add_circles(axes, ring, min(0.05 * body + 0.4, 3.5), zorder=3)
        self._noses = None
        if timeline.scene.facings_by_time is not None:
            self._noses = add_lines(axes, [], zorder=3.5, linewidths=points(0.2 * body))
        self._dots = add_circles(axes, dot, min(0.06 * body, 2.5) if dot >= 6 else 0, zorder=4)
        self._names = Names(axes, panel, timeline.scene.names, dot)
        self._marks = Marks(axes, panel)

    @property
    def artists(self) -> list[Any]:
        """In the order in which they are drawn."""
        moving = [self._lines, self._rings, self._dots, *self._names.artists, *self._marks.artists]
        moving += [] if self._noses is None else [self._noses]
        return sorted(moving, key=lambda artist: artist.get_zorder())

    def show(self, time: float, flash: float = 0.0) -> None:
        """Broken rules show at their time, and with a `flash`, in steps, around it, fading."""
        time = self._timeline.clamped(time)
        self._show_trails(time)
        self._show_goals(time)
        spots = self._timeline.spots(time)
        if not flash:
            spots = _apart(spots)
        waiting = self._timeline.waiting(time)
        here = np.isfinite(spots[:, 0])
        self._dots.set_offsets(spots[here])
        self._dots.set_facecolors(self._colours[here])
        self._dots.set_edgecolors(np.where(waiting[:, None], self._dark, 1.0)[here])
        self._show_noses(time, spots, here)
        self._names.show(spots)
        ago = np.abs(time - self._timeline.mark_times)
        strength = np.clip(1 - ago / flash, 0, 1) if flash else (ago == 0).astype(np.float64)
        self._marks.show(self._timeline.marks[strength > 0], strength[strength > 0])

    def _show_noses(self, time: float, spots: Points, here: BoolArray) -> None:
        """Which way agents look that have to turn: from the middle of each beyond its rim."""
        noses = self._timeline.noses(time)
        if self._noses is None or noses is None:
            return
        self._noses.set_segments(np.stack([spots, spots + 0.5 * noses], axis=1)[here])
        self._noses.set_colors(self._dark[here])

    def _show_trails(self, time: float) -> None:
        """Opaque pieces, the fresher ones on top: half-transparent ones would show their seams."""
        segments, agents, fresh = self._timeline.trails(time, self._trail, self._pieces)
        floor = rgb(FLOOR)
        shade = 0.62 * fresh[:, None] ** 1.4
        self._lines.set_segments(segments)
        self._lines.set_colors(floor + (self._colours[agents] - floor) * shade)
        self._lines.set_linewidths(points(0.46 * self._panel.body) * (0.3 + 0.7 * fresh))
        self._lines.set_rasterized(len(segments) > VECTORS)

    def _show_goals(self, time: float) -> None:
        goals = self._timeline.goal_spots(time)
        wanted = np.isfinite(goals[:, 0])
        faint = np.full((len(goals), 1), 0.55)
        self._rings.set_offsets(goals[wanted])
        self._rings.set_edgecolors(np.hstack([self._colours, faint])[wanted])


def _apart(spots: Points) -> Points:
    """Agents at the very same spot, moved aside a little, so that each is seen."""
    _, group, counts = np.unique(spots, axis=0, return_inverse=True, return_counts=True)
    moved = spots.copy()
    for crowd in np.flatnonzero(counts > 1):
        agents = np.flatnonzero(group.reshape(-1) == crowd)
        angles = np.pi + 2 * np.pi * np.arange(len(agents)) / len(agents)
        moved[agents] += 0.26 * np.stack([np.cos(angles), np.sin(angles)], axis=1)
    return moved


def _trail_length(panel: Panel, agents: int, segments: int) -> tuple[int, int]:
    """How many steps are drawn, in how many pieces each, to have no more than these segments in all."""
    finest = int(np.clip(panel.cell / 4, 1, PIECES))
    affordable = segments // max(agents, 1)
    return min(TRAIL, affordable), max(min(finest, affordable // TRAIL), 1)


def add_circles(axes: Any, diameter: float, line: float, *, offsets: Any = (), **look: Any) -> Any:
    """Circles of a diameter in pixels, outline included, hollow unless told otherwise."""
    x, y = np.asarray(offsets, dtype=np.float64).reshape(-1, 2).T
    look = {"facecolors": "none", "edgecolors": "none", **look}
    size = points(diameter - line) ** 2
    return axes.scatter(x, y, s=size, linewidths=points(line), clip_on=False, snap=False, **look)


class Names:
    """The names of a few agents, in their dots or, where they are too long, above them."""

    def __init__(self, axes: Any, panel: Panel, names: Sequence[str], dot: float) -> None:
        self.artists: list[Any] = []
        if len(names) > FEW or panel.body < 16:
            return
        shown = [plain(name) for name in names]
        longest = max(map(len, shown), default=1)
        inside = min(0.5 * dot, 0.8 * dot / (0.65 * longest), 30)
        self._above = 0.0 if inside >= 9 else (0.5 * dot + 2) / panel.cell
        for name in shown:
            self.artists.append(self._outer(axes, name) if self._above else self._inner(axes, name, inside))

    def _inner(self, axes: Any, name: str, size: float) -> Any:
        look = {"ha": "center", "va": "center_baseline", "weight": "bold", "color": "white"}
        return axes.text(0, 0, name, fontsize=points(size), parse_math=False, zorder=5, **look)

    def _outer(self, axes: Any, name: str) -> Any:
        box = {"boxstyle": "round,pad=0.15", "facecolor": "white", "edgecolor": "none", "alpha": 0.75}
        look = {"ha": "center", "va": "bottom", "color": INK, "bbox": box}
        return axes.text(0, 0, name, fontsize=points(11), parse_math=False, zorder=5, **look)

    def show(self, spots: Points) -> None:
        """Moves them to their agents."""
        for artist, (x, y) in zip(self.artists, spots.tolist(), strict=False):
            artist.set_visible(math.isfinite(x))
            artist.set_position((x, y - self._above))


class Marks:
    """Red rings around what breaks a rule, cased in white so that they show on any ground."""

    def __init__(self, axes: Any, panel: Panel) -> None:
        size = max(1.06 * panel.body, 16.0)
        line = float(np.clip(0.08 * panel.body, 2, 6))
        self._ground = add_circles(axes, size + line, 2 * line, zorder=3.5)  # below the agents
        self._rings = add_circles(axes, size, line, zorder=6)

    @property
    def artists(self) -> list[Any]:
        return [self._ground, self._rings]

    def show(self, places: Points, strength: npt.NDArray[np.float64]) -> None:
        """Rings at the places, as opaque as their strength; of several at a place, the strongest shows."""
        order = np.argsort(-strength, kind="stable")
        places, first = np.unique(places[order], axis=0, return_index=True)
        alpha = strength[order][first, None]
        red = np.broadcast_to(rgb(RED), (len(alpha), 3))
        for circles in self.artists:
            circles.set_offsets(places)
        self._ground.set_edgecolors(np.hstack([np.ones_like(red), 0.9 * alpha]))
        self._ground.set_facecolors(np.hstack([red, 0.25 * alpha]))
        self._rings.set_edgecolors(np.hstack([red, alpha]))
