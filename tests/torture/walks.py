"""Plans that nobody planned: everybody walks about by itself."""

from __future__ import annotations

from random import Random

import sidestep as ss

Rows = list[list[int]]


def neighbours(space: ss.Grid | ss.Graph, vertex: int) -> list[int]:
    """Vertices around one, walls among them; of a graph those that an edge connects with it, either way."""
    if not 0 <= vertex < space.n:
        return []
    if isinstance(space, ss.Graph):
        edges = space.edges.tolist()
        return sorted({v for u, v in edges if u == vertex} | {u for u, v in edges if v == vertex})
    row, col = divmod(vertex, space.width)
    return [
        r * space.width + c
        for r in range(max(0, row - 1), min(space.height, row + 2))
        for c in range(max(0, col - 1), min(space.width, col + 2))
        if (r, c) != (row, col)
    ]


def random_walks(problem: ss.Problem, draw: Random) -> Rows:
    """Everybody at its own pace, mostly where there is no wall."""
    space, steps = problem.space, draw.randint(1, 7)
    is_open = space.open
    paths = []
    for start, period in zip(problem.starts.tolist(), problem.periods.tolist(), strict=True):
        path = [start]
        while len(path) <= steps:
            near = [vertex for vertex in neighbours(space, path[-1]) if is_open[vertex]]
            if near and draw.random() < 0.7:
                path += [path[-1]] * (period - 1) + [draw.choice(near)]
            else:
                path.append(path[-1])
        paths.append(path[: steps + 1])
    return [list(row) for row in zip(*paths, strict=True)]
