"""Draws demo.png: one moment of the plan that `sidestep demo` makes.

    pip install 'sidestep[plot]'
    python docs/images/make_demo.py [PLAN.json] [OUT.png]

Dots are agents, the trails behind them the last steps they took, rings their goals; agent and goal share a
colour, which says where on the map the goal is. Without a plan file the demo is run first.
"""

from __future__ import annotations

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from matplotlib.collections import LineCollection, PatchCollection
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from sidestep import Grid, Plan, cli, io

WIDTH_PIXELS, DPI = 1200, 100
TRAIL = 9  # steps
PIECES = 6  # drawn per step, so that a trail fades smoothly
FLOOR, LINES, WALL = "#FBFAF6", "#F0EDE5", "#46505F"


def main(arguments: list[str]) -> None:
    """Reads or makes the plan, draws it and says how large the picture is."""
    out = Path(arguments[1]) if len(arguments) > 1 else Path(__file__).with_name("demo.png")
    plan = io.read_plan(arguments[0]).plan if arguments else demo_plan()
    assert plan is not None
    draw(plan, busiest_moment(plan)).savefig(out, dpi=DPI, facecolor=FLOOR)
    print(f"{out}: {out.stat().st_size / 1000:.0f} kB")


def demo_plan() -> Plan:
    """What `sidestep demo` plans."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "demo.json"
        if cli.main(["demo", "-o", str(path)]) != 0:
            sys.exit("the demo found no plan")
        plan = io.read_plan(path).plan
        assert plan is not None
        return plan


def busiest_moment(plan: Plan) -> int:
    """The time at which the trails are longest in all."""
    moved = np.count_nonzero(np.diff(plan.vertices, axis=0), axis=1)
    recent = np.convolve(moved, np.ones(TRAIL), mode="valid")
    return int(recent.argmax()) + TRAIL


def draw(plan: Plan, time: int) -> Figure:
    """The map, the trails, the goals and the agents, one above the other."""
    grid = plan.problem.space
    assert isinstance(grid, Grid)
    height, width = grid.height + 1.2, grid.width + 1.2
    figure = Figure(figsize=(WIDTH_PIXELS / DPI, WIDTH_PIXELS / DPI * height / width))
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set(xlim=(-0.6, grid.width + 0.6), ylim=(grid.height + 0.6, -0.6))
    axes.set_axis_off()
    points_per_cell = 72 * WIDTH_PIXELS / DPI / width
    goals = centres(plan.problem.goals, grid)
    colours = colours_by_place(goals, grid)

    draw_map(axes, grid)
    draw_trails(axes, plan, time, colours, 0.46 * points_per_cell)
    size = (0.5 * points_per_cell) ** 2
    axes.scatter(*goals.T, s=size, facecolors="none", edgecolors=colours, alpha=0.5, linewidths=1.1, zorder=3)
    size = (0.76 * points_per_cell) ** 2
    agents = centres(plan.vertices[time], grid)
    axes.scatter(*agents.T, s=size, c=colours, edgecolors="white", linewidths=1.1, zorder=4)
    return figure


def centres(vertices: np.ndarray, grid: Grid) -> np.ndarray:
    """The middles (x, y) of cells."""
    return grid.cells(vertices)[..., ::-1] + 0.5


def colours_by_place(points: np.ndarray, grid: Grid) -> np.ndarray:
    """A hue for the direction from the middle of the map; all equally light, so that none stands out."""
    x, y = (points / (grid.width, grid.height) - 0.5).T
    return rgb_of_oklch(0.66, 0.16, np.arctan2(y, x))


def rgb_of_oklch(lightness: float, chroma: float, hues: np.ndarray) -> np.ndarray:
    """Ottosson's perceptual colour space, in sRGB; what does not fit is cut off."""
    a, b = chroma * np.cos(hues), chroma * np.sin(hues)
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


def draw_map(axes, grid: Grid) -> None:
    """Faint lines between the cells, and the walls, also around the map."""
    for row in range(1, grid.height):
        axes.axhline(row, color=LINES, linewidth=0.8, zorder=0)
    for col in range(1, grid.width):
        axes.axvline(col, color=LINES, linewidth=0.8, zorder=0)
    blocked = np.pad(~grid.passable, 1, constant_values=True)
    cells = [Rectangle((col - 1, row - 1), 1, 1) for row, col in np.argwhere(blocked)]
    axes.add_collection(PatchCollection(cells, facecolor=WALL, edgecolor=WALL, linewidth=0.6, zorder=1))


def draw_trails(axes, plan: Plan, time: int, colours: np.ndarray, points: float) -> None:
    """The last steps of every agent, thinner and fainter towards their beginning.

    The pieces are opaque and the fresher ones lie on top: half-transparent ones would show their seams.
    """
    grid = plan.problem.space
    assert isinstance(grid, Grid)
    path = centres(plan.vertices[time - TRAIL : time + 1], grid)
    fine = np.linspace(0, TRAIL, TRAIL * PIECES + 1)
    floor = np.array(to_rgb(FLOOR))
    lines = [
        [smooth(np.interp(fine, np.arange(TRAIL + 1), path[:, agent, axis])) for axis in (0, 1)]
        for agent in range(len(colours))
    ]
    segments, shades, widths = [], [], []
    for piece, freshness in enumerate(fine[1:] / TRAIL):
        for (x, y), colour in zip(lines, colours, strict=True):
            segments.append(np.stack([x[piece : piece + 2], y[piece : piece + 2]], axis=1))
            shades.append(floor + (colour - floor) * 0.62 * freshness**1.4)
            widths.append(points * (0.3 + 0.7 * freshness))
    axes.add_collection(
        LineCollection(segments, colors=shades, linewidths=widths, capstyle="round", zorder=2)
    )


def smooth(values: np.ndarray) -> np.ndarray:
    """Rounded corners: the mean over one step; the ends stay where they are."""
    padded = np.pad(values, PIECES // 2, mode="edge")
    mean = np.convolve(padded, np.ones(PIECES + 1) / (PIECES + 1), mode="valid")
    mean[[0, -1]] = values[[0, -1]]
    return mean


if __name__ == "__main__":
    main(sys.argv[1:])
