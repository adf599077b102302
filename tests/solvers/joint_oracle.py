"""The least cost of a joint plan, by Dijkstra over the positions of all agents at once.

It shares nothing with the solvers: adjacency comes from `passable` and `edges`, collisions are checked pair
by pair, and under `sum_of_costs` an agent that stands on its goal may commit to stay, after which it costs
nothing and never moves. Only for a handful of agents on a dozen vertices.
"""

from __future__ import annotations

import heapq
from itertools import combinations, product

import sidestep as ss

GONE = -1
CORNERS = {"none": 0, "one": 1, "free": 2}


class TooLargeError(Exception):
    """There are too many states."""


def least_cost(problem: ss.Problem, most_states: int = 40_000) -> int | None:
    """The cost of an optimal plan, None if there is no plan. A state is a (vertex, committed) per agent."""
    goals, rules = problem.goals.tolist(), problem.rules
    near, lanes = neighbours(problem.space), crossing_moves(problem.space)
    free_wait = rules.cost == "time_off_goal"
    commits = not free_wait and rules.at_goal == "stay"

    def commitments(agent, vertex):
        """Who is on its goal may promise to stay there."""
        yield (vertex, False)
        if commits and vertex == goals[agent]:
            yield (vertex, True)

    def choices(agent, state):
        """Where an agent can go from a state, at which cost."""
        vertex, committed = state
        if vertex == GONE or (rules.at_goal == "disappear" and vertex == goals[agent]):
            yield 0, (GONE, False)
        elif committed:
            yield 0, state
        else:
            for to in (vertex, *near[vertex]):
                rests = goals[agent] == -1 or (free_wait and vertex == to == goals[agent])
                for then in commitments(agent, to):
                    yield 0 if rests else 1, then

    def collide(a, b, c, d):
        """Agents that go from a to b and from c to d in one step."""
        if GONE in (a, c):
            return False
        if b == d != GONE or (b == c and d == a and a != b):
            return True
        if not rules.following and ((b == c and b != a) or (d == a and d != c)):
            return True
        return not rules.crossing and ((a, b), (c, d)) in lanes

    def is_end(states):
        for agent, (vertex, committed) in enumerate(states):
            home = goals[agent] == -1 or vertex in (goals[agent], GONE)
            if not home or (commits and goals[agent] != -1 and not committed):
                return False
        return True

    starts = problem.starts.tolist()
    first = list(product(*(commitments(agent, vertex) for agent, vertex in enumerate(starts))))
    best = dict.fromkeys(first, 0)
    queue = [(0, states) for states in first]
    while queue:
        cost, states = heapq.heappop(queue)
        if cost > best[states]:
            continue
        if is_end(states):
            return cost
        if len(best) > most_states:
            raise TooLargeError
        for moves in product(*(list(choices(agent, state)) for agent, state in enumerate(states))):
            then = tuple(state for _, state in moves)
            total = cost + sum(price for price, _ in moves)
            if total >= best.get(then, 10**9):
                continue
            pairs = combinations(range(len(states)), 2)
            if any(collide(states[i][0], then[i][0], states[j][0], then[j][0]) for i, j in pairs):
                continue
            best[then] = total
            heapq.heappush(queue, (total, then))
    return None


def neighbours(space) -> list[list[int]]:
    """Per vertex, where one can go from it."""
    if isinstance(space, ss.Graph):
        near = [set() for _ in range(space.n)]
        for a, b in space.edges.tolist():
            near[a].add(b)
            if not space.directed:
                near[b].add(a)
        return [sorted(some) for some in near]
    height, width = space.passable.shape

    def is_open(row, col):
        return 0 <= row < height and 0 <= col < width and bool(space.passable[row, col])

    near = [[] for _ in range(height * width)]
    for row, col, down, right in product(range(height), range(width), (-1, 0, 1), (-1, 0, 1)):
        if not (is_open(row, col) and is_open(row + down, col + right)) or (down, right) == (0, 0):
            continue
        if down and right:
            blocked = 2 - is_open(row + down, col) - is_open(row, col + right)
            if space.connectivity == 4 or blocked > CORNERS[space.corners]:
                continue
        near[row * width + col].append((row + down) * width + col + right)
    return near


def crossing_moves(space) -> set[tuple[tuple[int, int], tuple[int, int]]]:
    """All pairs of moves that cross each other."""
    pairs = set()
    if isinstance(space, ss.Graph):
        edges = [tuple(edge) for edge in space.edges.tolist()]
        for one, other in space.edge_conflicts.tolist():
            if {*edges[one]} == {*edges[other]} and (not space.directed or edges[one] == edges[other]):
                continue
            for a, b in product(ways(edges[one], space.directed), ways(edges[other], space.directed)):
                pairs |= {(a, b), (b, a)}
        return pairs
    if space.connectivity == 8:
        height, width = space.passable.shape
        for row, col in product(range(height - 1), range(width - 1)):
            a = row * width + col
            for one, other in product(ways((a, a + width + 1)), ways((a + 1, a + width))):
                pairs |= {(one, other), (other, one)}
    return pairs


def ways(edge, directed=False):
    return [edge] if directed else [edge, edge[::-1]]
