"""Stills for papers and slides: one moment of a run, or the whole of it, as PNG, SVG or PDF."""

from __future__ import annotations

import os
from io import BytesIO
from typing import Any

import numpy as np

from ..io.files import FilePath, source_of, store_bytes
from ..model.arrays import whole_number
from ..model.errors import InputError
from ..model.grid import Grid
from .drawing import (
    DPI,
    FEW,
    Cast,
    Colours,
    Marks,
    Names,
    add_circles,
    add_lines,
    axes_of,
    colours_of,
    draw_arrowheads,
    draw_map,
    draw_title,
    figure_of,
    points,
    silent_fonts,
    style,
)
from .layout import Points
from .scene import Scene
from .sheet import Panel, sheet_of
from .timeline import Timeline

FORMATS = {  # what would make the same picture differ from day to day is left out
    ".png": {"Software": "sidestep"},
    ".svg": {"Date": None, "Creator": "sidestep"},
    ".pdf": {"CreationDate": None, "Creator": "sidestep", "Producer": None},
}
ONE = (1200, 1400)  # pixels for a single scene
SEVERAL = (1800, 1400)
LANES = 0.5  # the share of a cell over which the lines of a few agents are spread


def save_still(scenes: tuple[Scene, ...], path: FilePath, *, time: int | None = None) -> None:
    """Write a picture of the scenes at a time, or without one of all ways from start to goal.

    At a time: dots are agents, trails their last steps, rings their goals; a dark outline is an agent that
    waits, a red ring a broken rule. A scene that is over by then shows its end.
    """
    source = source_of(path)
    suffix = os.path.splitext(source)[1].lower()
    if suffix not in FORMATS:
        raise InputError(f"{source}: a still is a .png, .svg or .pdf file")
    timelines = [Timeline(scene) for scene in scenes]
    if time is not None:
        time = _checked_time(time, timelines)
    with style(), silent_fonts():
        figure = _draw(timelines, time)
        image = BytesIO()
        figure.savefig(image, format=suffix[1:], dpi=DPI, metadata=FORMATS[suffix])
    store_bytes(path, image.getvalue())


def _checked_time(time: int, timelines: list[Timeline]) -> int:
    time = whole_number(time, "time")
    first = min(timeline.start for timeline in timelines)
    last = max(timeline.end for timeline in timelines)
    if not first <= time <= last:
        raise InputError(f"time must be from {first} to {last}, not {time}")
    return time


def _draw(timelines: list[Timeline], time: int | None) -> Any:
    several = len(timelines) > 1
    scenes = [timeline.scene for timeline in timelines]
    sheet = sheet_of(scenes, *(SEVERAL if several else ONE), titled=several, finest=2)
    figure = figure_of(sheet)
    for timeline, panel in zip(timelines, sheet.panels, strict=True):
        axes = axes_of(figure, sheet, panel)
        if several:
            draw_title(figure, sheet, panel, timeline.scene.label, aside=_aside(timeline, time))
        if time is None:
            draw_map(axes, panel, timeline, timeline.end)
            _draw_ways(axes, panel, timeline)
        else:
            moment = timeline.clamped(time)
            draw_map(axes, panel, timeline, moment)
            Cast(axes, panel, timeline).show(moment)
    return figure


def _aside(timeline: Timeline, time: int | None) -> str:
    if time is None:
        return f"{timeline.scene.steps:,} steps"
    return f"time {time}" if time <= timeline.end else f"ended at {timeline.end}"


# ------------------------------------------------------------------------------------ the whole plan


def _draw_ways(axes: Any, panel: Panel, timeline: Timeline) -> None:
    """Squares are starts, rings goals, dots on a line waits; a few agents keep to lanes of their own."""
    colours = colours_of(timeline.scene.hues)
    few = len(colours) <= FEW
    lanes, spacing = _lanes(timeline)
    lanes *= min(panel.body / panel.cell, 1)
    line = float(np.clip(min(0.1, 0.7 * spacing) * panel.body, 0.8, 6))
    ways = [timeline.route(agent) + lanes[agent] for agent in range(len(colours))]
    add_lines(axes, ways, colors=colours, linewidths=points(line), alpha=0.9 if few else 0.6, zorder=2)
    if few and panel.body >= 12:
        _draw_directions(axes, ways, colours, 3.4 * line / panel.cell)
        places, agents = timeline.waits()
        look = {"s": points(2.4 * line) ** 2, "linewidths": 0, "zorder": 2.6}
        axes.scatter(*(places + lanes[agents]).T, c=colours[agents], **look)
    _draw_ends(axes, panel, timeline, colours)
    Marks(axes, panel).show(timeline.marks, np.ones(len(timeline.marks)))


def _lanes(timeline: Timeline) -> tuple[Points, float]:
    """Per agent how far its line is from the middle of the cells, and how far two lines are apart.

    Moved alike across and down, lines side by side stay so around every corner. Where there are
    diagonals, along which that would move nothing, they are moved by half as much down.
    """
    agents, space = len(timeline.scene.names), timeline.scene.space
    spacing = min(LANES / max(agents, 1), 0.14)
    across = (np.arange(agents) - (agents - 1) / 2) * spacing
    straight = isinstance(space, Grid) and space.connectivity == 4
    return np.stack([across, across if straight else across / 2], axis=1), spacing


def _draw_directions(axes: Any, ways: list[Points], colours: Colours, size: float) -> None:
    """An arrowhead in the middle of every leg that has room for one, at least of the longest."""
    for way, colour in zip(ways, colours, strict=True):
        legs = np.stack([way[:-1], way[1:]], axis=1)
        lengths = np.nan_to_num(np.linalg.norm(legs[:, 1] - legs[:, 0], axis=1))
        chosen = legs[(lengths >= min(1.9, lengths.max(initial=0))) & (lengths > 0)]
        draw_arrowheads(axes, chosen, np.broadcast_to(colour, (len(chosen), 3)), size, zorder=2.5)


def _draw_ends(axes: Any, panel: Panel, timeline: Timeline, colours: Colours) -> None:
    starts, goals = timeline.start_spots, timeline.goal_spots(timeline.end)
    line = float(np.clip(0.05 * panel.body, 0.6, 3))
    square, ring = 0.46 * panel.body, 0.7 * panel.body
    casing = {"edgecolors": "white", "linewidths": points(line) if panel.body >= 10 else 0}
    axes.scatter(*starts.T, s=points(square) ** 2, c=colours, marker="s", zorder=3, **casing)
    add_circles(axes, ring, line, edgecolors=colours, offsets=goals, zorder=3)
    Names(axes, panel, timeline.scene.names, square).show(starts)
