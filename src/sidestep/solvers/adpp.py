"""Asynchronous Decentralised Prioritised Planning, ADPP (Čáp et al. 2012, 2013).

Every agent has a fixed priority, and all plan at once. Who finds a path sends it to everybody below. Who is
told a path that collides with its own plans again, around all that it was told by those above, and sends the
new one to those below itself. Nobody waits for anybody: an agent acts when there is something to read. When
nobody has anything left to read or do, no two paths collide.

It can really run concurrently, on threads over the core. Then the outcome depends on who is faster, so the
default is one agent at a time, whose turn it is drawn by the seed: as asynchronous, but the same every time.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from .. import _core
from ..budget import Budget
from ..dialogue.channel import Channel
from ..model.problem import Problem
from ..model.random import core_seed
from ..model.result import Result, Status
from ..model.to_core import compile_rules, compiled_space
from .parameters import parameter
from .solver import SolverInfo, by_rank, plan_within
from .unit_agents import UnitAgentSolver

MOST_THREADS = 256
NAMES_SHOWN = 5


@dataclass(frozen=True)
class ADPP(UnitAgentSolver):
    """ADPP: all plan at once, and again when somebody of a higher priority comes into their way."""

    scheduler: Literal["seeded", "threads"] = parameter(
        "seeded",
        help='who acts next: `"seeded"`, one at a time, drawn by the seed; '
        '`"threads"`, several at once, as it happens',
    )
    threads: int = parameter(0, least=0, most=MOST_THREADS, help="how many threads; 0 is one per processor")
    replan: Literal["conflict", "always"] = parameter(
        "conflict",
        help='when to plan again: if a new path collides with one\'s own; `"always"`: whenever one is told '
        "anything",
    )

    name: ClassVar[str] = "adpp"
    info: ClassVar[SolverInfo] = SolverInfo(paper="cap2013", category="decoupled", needs_priorities=True)

    def solve(self, problem: Problem, *, budget: Budget, seed: int = 0) -> Result:
        """Lets the agents act until nobody has anything left to do."""
        order = np.array(by_rank(problem), dtype=np.int32)
        space, rules = compiled_space(problem), compile_rules(problem.rules)
        always = self.replan == "always"
        agents = _core.Adpp(space, rules, problem.starts, problem.goals, order, always=always)
        budget.say("everybody plans")
        if self.scheduler == "seeded":
            quiet = agents.run_seeded(core_seed(seed), budget.core)
        else:
            quiet = agents.run_threads(self.threads or processors(), budget.core)

        paths = [agents.path(agent) for agent in range(problem.n_agents if quiet else 0)]
        stranded = [agent for agent in order.tolist() if quiet and not len(paths[agent])]
        status, reason, plan, bound = Status.SOLVED, "", None, None
        if quiet and not stranded:
            plan = plan_within(budget, problem, paths)
            ways = agents.distances(budget.core)  # fewer than agents if the budget ends just here
            bound = int(ways.sum()) if len(ways) == problem.n_agents else None
        elif quiet:
            status, reason = Status.GAVE_UP, why_stranded(agents, stranded, problem, budget)
        if not quiet or (plan is None and budget.exhausted):
            status, reason = Status.TIMEOUT, budget.why()
        return Result(problem, self, seed, status, plan, reason, bound, self._stats(agents, problem, budget))

    def _stats(self, agents: _core.Adpp, problem: Problem, budget: Budget) -> dict[str, object]:
        channel = Channel(problem.space)
        channel.count(agents.letters, vertices=agents.vertices)
        return {
            "searches": agents.searches,
            "replans": max(agents.searches - problem.n_agents, 0),
            "messages": channel.messages,
            "bytes": channel.bytes,
            "expansions": budget.nodes,
        }


def processors() -> int:
    """How many threads can run at once."""
    return min(os.cpu_count() or 1, MOST_THREADS)


def why_stranded(agents: _core.Adpp, stranded: list[int], problem: Problem, budget: Budget) -> str:
    """The sentence about those who end without a path, and about who leaves the first of them none."""
    first, *others = stranded
    names = [problem.names[agent] for agent in agents.blockers(first, budget.core)]
    shown = ", ".join(names[:NAMES_SHOWN])
    more = f" and {len(names) - NAMES_SHOWN} more" if len(names) > NAMES_SHOWN else ""
    around = f"around {shown}{more}" if names else "even without the others"
    too = f" (nor have {len(others)} others one)" if others else ""
    return f"agent {problem.names[first]} has no path {around}{too}"
