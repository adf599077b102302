"""Where every place is taken: whether there is a plan is known without a search, as a search confirms."""

from __future__ import annotations

from collections import deque
from itertools import combinations, permutations, product

import pytest

import sidestep as ss
from sidestep.solve import impossible

Edges = tuple[tuple[int, int], ...]


def graphs(n: int) -> list[Edges]:
    """Every graph of n vertices, one of each shape."""
    pairs = list(combinations(range(n), 2))
    found: list[Edges] = []
    seen: set[Edges] = set()  # under all names of the vertices
    for mask in range(1 << len(pairs)):
        edges = tuple(pair for k, pair in enumerate(pairs) if mask >> k & 1)
        if edges in seen:
            continue
        found.append(edges)
        for names in permutations(range(n)):
            seen.add(tuple(sorted((min(names[a], names[b]), max(names[a], names[b])) for a, b in edges)))
    return found


def arrangements(n: int, edges: Edges) -> set[tuple[int, ...]]:
    """All that agents 0 to n - 1 can come to from the vertices of their numbers: nobody swaps."""
    near = [[v, *(b if a == v else a for a, b in edges if v in (a, b))] for v in range(n)]
    first = tuple(range(n))
    seen, waiting = {first}, deque([first])
    while waiting:
        now = waiting.popleft()
        for then in product(*(near[v] for v in now)):
            swaps = any(then[i] == now[j] and then[j] == now[i] for i, j in combinations(range(n), 2))
            if len(set(then)) == n and not swaps and then not in seen:
                seen.add(then)
                waiting.append(then)
    return seen


@pytest.mark.parametrize("n", [3, 4, pytest.param(5, marks=pytest.mark.slow)])
def test_a_full_graph_is_infeasible_exactly_where_no_loops_lead_there(n: int) -> None:
    for edges in graphs(n):
        possible = arrangements(n, edges)
        for goals in permutations(range(n)):
            problem = ss.Problem(ss.Graph(n, list(edges)), range(n), goals)
            reason = impossible(problem, ss.Budget())
            assert bool(reason) == (goals not in possible), (edges, goals, reason)


PAW = [(0, 1), (0, 2), (1, 2), (2, 3)]  # a triangle with a tail
BOW_TIE = [(0, 1), (0, 2), (1, 2), (2, 3), (2, 4), (3, 4)]


@pytest.mark.parametrize("solver", ["pca", "dpca", "dpca+", "cbs", "icts", "whca"])
@pytest.mark.parametrize(
    ("edges", "goals", "says"),
    [
        (PAW, (1, 0, 2, 3), "agents keep their order"),
        (PAW, (0, 1, 3, 2), "agents only go around loops, and none leads there"),
        (BOW_TIE, (1, 0, 2, 3, 4), "loops of odd length"),
    ],
)
def test_no_solver_runs_for_ever_on_a_full_graph_without_a_plan(
    solver: str, edges: list[tuple[int, int]], goals: tuple[int, ...], says: str
) -> None:
    problem = ss.Problem(ss.Graph(len(goals), edges), range(len(goals)), goals)
    result = ss.solve(problem, solver, time_limit=None, node_limit=1000)
    assert result.status == "infeasible"
    assert says in result.reason


def test_even_loops_make_two_agents_change_places() -> None:
    grid = ss.Grid.from_text("...\n...")
    problem = ss.Problem.from_agents(
        grid,
        [ss.Agent(cell, goal) for cell, goal in zip(CELLS, [CELLS[1], CELLS[0], *CELLS[2:]], strict=True)],
    )
    assert not impossible(problem, ss.Budget())
    assert ss.solve(problem, "od", time_limit=None)


CELLS = [(row, col) for row in range(2) for col in range(3)]
