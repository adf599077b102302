"""In which order agents plan who do so one after another: CA*, HCA*.

Higher priorities always plan first and agents without a goal last; the rest is a matter of choice. By
distance those plan first who have the shortest or the longest way. By dependence it is those whom others may
block: the dialogue thesis (section 3.1) has a graph of who blocks whom, made from the paths that agents would
take alone, and the blocked plan before those who block them. Where that goes round in a circle there are
several orders: the seed draws one.
"""

from __future__ import annotations

from heapq import heapify, heappop, heappush
from typing import Literal

import numpy as np

from .. import _core
from ..budget import Budget
from ..model.agents import IDLE
from ..model.arrays import IntArray
from ..model.problem import Problem
from ..model.random import shuffled
from .solver import priorities_first

OrderName = Literal["given", "shortest", "longest", "random", "dependence"]


def first_order(
    problem: Problem, name: OrderName, agents: _core.Cooperation, *, seed: int, budget: Budget
) -> list[int]:
    """All agents: higher priorities first, idle ones last, otherwise in the order of that name.

    Ties are drawn by the seed. `agents` have reserved nothing, then as before. If the budget ends on the way,
    what is not known counts as nothing.
    """
    drawn = (
        np.arange(problem.n_agents, dtype=np.int32) if name == "given" else shuffled(problem.n_agents, seed)
    )
    if name in ("shortest", "longest"):
        ways = agents.distances(budget.core)
        if len(ways) == len(drawn):
            sign = 1 if name == "shortest" else -1
            drawn = drawn[np.argsort(sign * ways[drawn].astype(np.int64), kind="stable")]
    if name == "dependence":
        drawn = np.array(by_dependence(blocked_by(problem, agents, budget), drawn.tolist()), dtype=np.int32)
    return priorities_first(problem, drawn)


def blocked_by(problem: Problem, agents: _core.Cooperation, budget: Budget) -> list[set[int]]:
    """Per agent, those who begin or end on the path that it would take alone."""
    ends: dict[int, list[int]] = {}
    for agent, (start, goal) in enumerate(zip(problem.starts.tolist(), problem.goals.tolist(), strict=True)):
        for place in {start, goal} - {IDLE}:
            ends.setdefault(place, []).append(agent)
    blocking = []
    for agent in range(problem.n_agents):
        path = path_alone(agents, agent, budget)
        blocking.append({other for place in set(path.tolist()) for other in ends.get(place, ())} - {agent})
    return blocking


def path_alone(agents: _core.Cooperation, agent: int, budget: Budget) -> IntArray:
    """An agent's path without the others; nothing if it has none or the budget has ended."""
    found = agents.plan(agent, budget.core) is _core.Outcome.found
    path = agents.path(agent) if found else np.empty(0, dtype=np.int32)
    agents.clear()
    return path


def by_dependence(blocking: list[set[int]], drawn: list[int]) -> list[int]:
    """The blocked before those who block them: always one by whom fewest of those left are blocked.

    In a circle somebody is. Ties go to the one drawn first.
    """
    place = {agent: k for k, agent in enumerate(drawn)}
    blocked = [0] * len(blocking)  # how many of those left are so by this agent
    for others in blocking:
        for other in others:
            blocked[other] += 1
    queue = [(blocked[agent], place[agent]) for agent in drawn]
    heapify(queue)
    order: list[int] = []
    done = [False] * len(drawn)
    while queue:
        agent = drawn[heappop(queue)[1]]
        if done[agent]:
            continue  # it came earlier, with fewer
        done[agent] = True
        order.append(agent)
        for other in blocking[agent]:
            blocked[other] -= 1
            heappush(queue, (blocked[other], place[other]))
    return order
