"""What agents are told before a run begins, and how long it may take."""

from __future__ import annotations

from ..budget import Budget
from ..model.problem import Problem
from ..solvers.offline import turn_limit
from ..solvers.pca import told_paths_of
from .agent import Brief
from .protocol import Protocol

SLOWER = 4  # with faults, and where agents plan all the way, runs may take this many times the ticks


def briefs_of(problem: Problem, protocol: Protocol, run: str, *, reliable: bool) -> list[Brief]:
    """What each agent is told before it begins."""
    agents = problem.n_agents
    common = agents, problem.space, problem.rules, protocol
    return [
        Brief(run, agent, *common, reliable=reliable, priority=priority)
        for agent, priority in enumerate(problem.priorities.tolist())
    ]


def limit_of(problem: Problem, protocol: Protocol, *, faulty: bool) -> int:
    """After how many ticks a run gives up: those of the core, and more where things go wrong."""
    ways = told_paths_of(problem).distances(Budget().core)
    limit = getattr(protocol.solver, "max_turns", None)
    if limit is None:
        limit = turn_limit(ways)
    return SLOWER * (limit + problem.n_agents) if faulty or not protocol.window else limit
