"""Small pictures for notebooks, as SVG: they need no kernel, no script and no package, and stay in the file.

Agents are discs, their goals rings of the same colour. In a plan they move by themselves, over and over.
What is too large for such a picture has none: a notebook shows its `repr` then, and `replay` is for it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from html import escape

import numpy as np

from ..model.agents import FACINGS, IDLE
from ..model.arrays import BoolArray, IntArray
from ..model.grid import Grid
from ..model.plan import Plan
from ..model.problem import Problem
from ..model.space import Space
from .drawing import EDGES, FLOOR, INK, LINES, WALL, colours_of, merged_rectangles
from .layout import Points, places
from .scene import Scene

MOST_SHAPES = 4000  # rectangles of walls, edges, agents
MOST_POINTS = 40_000  # of all paths together; longer plans are shown as they begin and end
WIDEST, LARGEST_CELL = 640, 40  # pixels
STEP_SECONDS = 0.5
LETTERS = 24  # agents that have their names written on them


def sketch_of_space(space: Space) -> str | None:
    """A map; None if it is too large."""
    background = _background(space)
    return None if background is None else _picture(places(space), space, background, "")


def sketch_of_problem(problem: Problem, caption: str = "") -> str | None:
    """A map with agents on their starts and rings around their goals."""
    return _sketch(problem, problem.starts[np.newaxis], caption or repr(problem))


def sketch_of_plan(plan: Plan, caption: str = "") -> str | None:
    """The same with the paths, on which the agents move."""
    return _sketch(plan.problem, plan.vertices, caption or repr(plan), plan.facings)


def still_of_scene(scene: Scene) -> str | None:
    """A run as it begins, with the paths; nothing moves."""
    return _drawn(scene, "", moving=False)


def _sketch(
    problem: Problem, vertices: IntArray, caption: str, facings: IntArray | None = None
) -> str | None:
    if facings is None and problem.agents.any_turning:
        facings = np.tile(problem.facings, (len(vertices), 1))
    if vertices.size > MOST_POINTS:
        vertices = vertices[[0, -1]]
        facings = None if facings is None else facings[[0, -1]]
    scene = Scene(
        label="",
        agents=problem.agents,
        rules=problem.rules,
        open=problem.space.open,
        positions=vertices,
        report=None,
        facts=(),
        facings_by_time=facings,
    )
    return _drawn(scene, caption, moving=True)


def _drawn(scene: Scene, caption: str, *, moving: bool) -> str | None:
    background = _background(scene.space)
    if background is None or len(scene.names) > MOST_SHAPES:
        return None
    shapes = [background, *_goals(scene), *_paths(scene), *_bodies(scene, moving=moving)]
    return _picture(scene.places, scene.space, "".join(shapes), caption)


def _picture(points: Points, space: Space, shapes: str, caption: str) -> str:
    low, high = points.min(axis=0) - 0.5, points.max(axis=0) + 0.5
    if not isinstance(space, Grid):
        low, high = low - 0.2, high + 0.2
    width, height = high - low
    cell = min(WIDEST / max(width, height), LARGEST_CELL)
    text = ""
    if caption:
        letter = 13 / cell
        shown = escape(caption if len(caption) <= 90 else caption[:89] + "…")
        text = (
            f'<text x="{low[0]:.3g}" y="{high[1] + 1.2 * letter:.4g}" font-size="{letter:.3g}" '
            f'font-family="sans-serif" fill="{INK}">{shown}</text>'
        )
        height += 1.8 * letter
        width = max(width, 0.55 * letter * len(shown))
    box = f"{low[0]:.4g} {low[1]:.4g} {width:.5g} {height:.5g}"
    size = f'width="{width * cell:.0f}" height="{height * cell:.0f}"'
    title = f"<title>{escape(caption) or 'map'}</title>"
    begin = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}" {size} role="img">'
    return f"{begin}{title}{shapes}{text}</svg>"


def _background(space: Space) -> str | None:
    """Floor and walls, or edges and vertices; None if they are too many."""
    if not isinstance(space, Grid):
        if len(space.edges) + space.n > MOST_SHAPES:
            return None
        points = places(space)
        return "".join([*_lines(points[edge] for edge in space.edges), *_dots(points)])
    walls = merged_rectangles(~space.passable, MOST_SHAPES)
    if walls is None:
        return None
    size = f'width="{space.width}" height="{space.height}"'
    floor = f'<rect {size} fill="{FLOOR}" stroke="{LINES}" stroke-width="0.06"/>'
    outlines = "".join(
        f"M{left} {top}H{right}V{bottom}H{left}Z" for top, left, bottom, right in walls.tolist()
    )
    return f'{floor}<path d="{outlines}" fill="{WALL}"/>' if outlines else floor


def _lines(edges: Iterable[Points]) -> Iterator[str]:
    for (x1, y1), (x2, y2) in edges:
        yield f'<path d="M{x1:.4g} {y1:.4g}L{x2:.4g} {y2:.4g}" stroke="{EDGES}" stroke-width="0.08"/>'


def _dots(points: Points) -> Iterator[str]:
    for x, y in points:
        yield f'<circle cx="{x:.4g}" cy="{y:.4g}" r="0.16" fill="{EDGES}"/>'


def _colours(scene: Scene) -> list[str]:
    return ["#{:02X}{:02X}{:02X}".format(*np.round(255 * one).astype(int)) for one in colours_of(scene.hues)]


def _centres(scene: Scene, vertices: IntArray) -> Points:
    """The middle of what agents cover that are at these vertices, whose last axis is that of the agents."""
    return scene.places[np.maximum(vertices, 0)] + (scene.sizes[:, np.newaxis] - 1) / 2


def _goals(scene: Scene) -> Iterator[str]:
    centres = _centres(scene, scene.goals)
    for agent, colour in enumerate(_colours(scene)):
        if scene.goals[agent] != IDLE:
            x, y = centres[agent]
            radius = 0.36 * scene.sizes[agent]
            look = f'fill="none" stroke="{colour}" stroke-width="0.1"'
            yield f'<circle cx="{x:.4g}" cy="{y:.4g}" r="{radius:.3g}" {look}/>'


def _paths(scene: Scene) -> Iterator[str]:
    if scene.steps < 1:
        return
    centres = _centres(scene, scene.positions)
    for agent, colour in enumerate(_colours(scene)):
        there = centres[scene.positions[:, agent] >= 0, agent]
        line = "L".join(f"{x:.4g} {y:.4g}" for x, y in there)
        yield f'<path d="M{line}" fill="none" stroke="{colour}" stroke-opacity="0.35" stroke-width="0.12"/>'


def _bodies(scene: Scene, *, moving: bool) -> Iterator[str]:
    centres = _centres(scene, scene.positions)
    named = len(scene.names) <= LETTERS
    for agent, colour in enumerate(_colours(scene)):
        there = scene.positions[:, agent] >= 0
        first = int(np.argmax(there))
        x, y = centres[first, agent]
        radius = 0.32 * scene.sizes[agent]
        letters = escape(scene.names[agent][:3]) if named else ""
        label = (
            f'<text text-anchor="middle" y="0.13" font-size="0.38" font-family="sans-serif">{letters}</text>'
        )
        yield (
            f'<g transform="translate({x:.4g} {y:.4g})">{_nose(scene, agent, colour, moving=moving)}'
            f'<circle r="{radius:.3g}" fill="{colour}"/>'
            f"{label if named else ''}{_motion(centres[:, agent], there) if moving else ''}</g>"
        )


def _nose(scene: Scene, agent: int, colour: str, *, moving: bool) -> str:
    """Which way an agent looks that has to turn: a tip beyond its rim, which turns with it."""
    if scene.facings_by_time is None:
        return ""
    facings = scene.facings_by_time[:, agent]
    turns = (np.diff(facings) + 1) % len(FACINGS) - 1
    angles = 90 * np.concatenate([facings[:1], facings[0] + np.cumsum(turns)])
    shape = f'<path d="M0 -0.5L0.24 -0.2L-0.24 -0.2Z" fill="{colour}"'
    if not moving or len(angles) < 2:
        return f'{shape} transform="rotate({angles[0]})"/>'
    values = ";".join(map(str, [*angles.tolist(), int(angles[-1])]))
    timing = f'dur="{len(angles) * STEP_SECONDS:.4g}s" repeatCount="indefinite"'
    turning = f'<animateTransform attributeName="transform" type="rotate" values="{values}" {timing}/>'
    return f"{shape}>{turning}</path>"


def _motion(points: Points, there: BoolArray) -> str:
    """What makes a body go along its path, and vanish where it ends before the plan does."""
    steps = len(points) - 1
    if steps < 1:
        return ""
    last = int(np.flatnonzero(there)[-1]) if there.any() else 0
    kept = points[np.minimum(np.arange(steps + 1), last)]
    values = ";".join(f"{x:.4g} {y:.4g}" for x, y in kept)
    timing = f'dur="{(steps + 1) * STEP_SECONDS:.4g}s" repeatCount="indefinite"'
    values += f";{values.rpartition(';')[2]}"  # a rest before it begins again
    moves = f'<animateTransform attributeName="transform" type="translate" values="{values}" {timing}/>'
    if last == steps:
        return moves
    seen = ";".join("1" if time <= last else "0" for time in range(steps + 2))
    return f'{moves}<animate attributeName="opacity" calcMode="discrete" values="{seen}" {timing}/>'
