"""The dependencies of a plan, once more and slowly: from lists of who was in a place, pair by pair."""

from __future__ import annotations

import numpy as np

import sidestep as ss

Visit = tuple[int, int]  # agent, number


def visits_of(vertices: np.ndarray) -> list[list[tuple[int, int]]]:
    """Per agent (time, vertex) of every visit, its start first."""
    found = []
    for column in vertices.T.tolist():
        stays = [(0, column[0])]
        stays += [(t, v) for t, v in enumerate(column) if t and v != column[t - 1]]
        found.append(stays)
    return found


def links(problem: ss.Problem, vertices: np.ndarray) -> set[tuple[Visit, Visit]]:
    """Every visit with the last one by somebody else that left a cell of it; of agents that do not cross."""
    visits = visits_of(vertices)
    width = getattr(problem.space, "width", 1)

    def cells(agent: int, vertex: int) -> set[int]:
        size = int(problem.sizes[agent])
        return set() if vertex < 0 else {vertex + r * width + c for r in range(size) for c in range(size)}

    left: list[tuple[int, int, int, int]] = []  # cell, time, agent, number
    for agent, stays in enumerate(visits):
        for number in range(1, len(stays)):
            gone = cells(agent, stays[number - 1][1]) - cells(agent, stays[number][1])
            left += [(cell, stays[number][0], agent, number) for cell in gone]
    found = set()
    for agent, stays in enumerate(visits):
        for number in range(1, len(stays)):
            for cell in cells(agent, stays[number][1]) - cells(agent, stays[number - 1][1]):
                before = [row[1:] for row in left if row[0] == cell and row[1] <= stays[number][0]]
                if before and max(before)[1] != agent:
                    found.add((max(before)[1:], (agent, number)))
    return found


def has_cycle(links: set[tuple[Visit, Visit]], totals: list[int]) -> bool:
    """Whether visits wait for each other all round, by taking away those that wait for none."""
    waits: dict[Visit, set[Visit]] = {(a, k): set() for a, n in enumerate(totals) for k in range(1, n + 1)}
    for (agent, number), before in waits.items():
        if number > 1:
            before.add((agent, number - 1))
    for before, after in links:
        waits[after].add(before)
    while True:
        free = {visit for visit, before in waits.items() if not before & waits.keys()}
        if not free:
            return bool(waits)
        for visit in free:
            del waits[visit]
