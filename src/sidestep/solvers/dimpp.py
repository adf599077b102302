"""Distributed Multi-agent Path Planning, DiMPP (Chouhan and Niyogi, as the dialogue thesis describes it).

The agents stand in a ring, and each hears only the one before it. A token goes round with the paths planned
so far. Who receives it adds a path that collides with none in it and passes it on. Who cannot, empties it and
begins anew, so that now it plans first. When the token comes back to an agent that is in it, all are. When
every agent has begun a token and none of them came back, they give up.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import cycle
from typing import ClassVar

from .. import _core
from ..budget import Budget
from ..dialogue.channel import Channel
from ..model.agents import IDLE
from ..model.arrays import IntArray
from ..model.problem import Problem
from ..model.result import Result, Status
from .cooperative import cooperating_agents
from .parameters import improvement
from .solver import SolverInfo, by_rank, plan_within
from .unit_agents import UnitAgentSolver


@dataclass(frozen=True)
class DiMPP(UnitAgentSolver):
    """DiMPP: a token goes round a ring, and everybody adds a path to it."""

    shortcuts: bool = improvement(
        help="try the path alone and one wait before a search; `False`: always search",
        why="most paths need no search, and it is not in the paper; a path with a wait may be "
        "longer than another way",
    )
    begin_once: bool = improvement(
        help="an agent that has begun a token leaves the next one to another; `False`: who fails begins, and "
        "where that would repeat itself for ever, all give up",
        why="two agents that fail because of each other would begin in turn for ever, and the others never",
    )

    name: ClassVar[str] = "dimpp"
    info: ClassVar[SolverInfo] = SolverInfo(
        paper="dialogue-thesis", category="decentralised", needs_priorities=True, communication="ring"
    )

    def solve(self, problem: Problem, *, budget: Budget, seed: int = 0) -> Result:
        """Sends the token round until it comes back to an agent in it, or all have begun one in vain."""
        ring = Ring(problem, budget, self)
        ring.run()
        plan = None
        if len(ring.token) == problem.n_agents:
            plan = plan_within(budget, problem, [ring.token[agent] for agent in range(problem.n_agents)])
        if plan is not None:
            ways = ring.agents.distances(budget.core)  # fewer than agents if the budget ends just here
            bound = int(ways.sum()) if len(ways) == problem.n_agents else None
            return Result(problem, self, seed, Status.SOLVED, plan, lower_bound=bound, stats=ring.stats)
        if budget.exhausted:
            return Result(problem, self, seed, Status.TIMEOUT, reason=budget.why(), stats=ring.stats)
        return Result(problem, self, seed, Status.GAVE_UP, reason=ring.reason, stats=ring.stats)


class Ring:
    """Agents that pass a token on, and the token: a path for everybody who is in it."""

    def __init__(self, problem: Problem, budget: Budget, solver: DiMPP) -> None:
        self.problem, self.budget = problem, budget
        self.agents = cooperating_agents(problem)
        self.plan = self.agents.plan_simply if solver.shortcuts else self.agents.plan
        self.begin_once = solver.begin_once
        self.channel = Channel(problem.space, "ring")
        self.token: dict[int, IntArray] = {}
        self.vertices = 0  # in the token
        self.begun: set[int] = set()
        self.reason = ""

    @property
    def stats(self) -> dict[str, object]:
        """How many tokens were begun, and how much was sent round."""
        return {
            "tokens": len(self.begun),
            "messages": self.channel.messages,
            "bytes": self.channel.bytes,
            "expansions": self.budget.nodes,
        }

    def run(self) -> None:
        """Passes the token on and on, until it is complete or the agents give up."""
        count = self.problem.n_agents
        for agent in cycle(by_rank(self.problem)):
            if agent in self.token or not self.receive(agent):
                return
            if count > 1:
                self.channel.count(1, agents=len(self.token), vertices=self.vertices)

    def receive(self, agent: int) -> bool:
        """One agent has the token: it adds its path, or begins another token. False: there is no hope."""
        if self.token and not self.add(agent):
            self.empty()
            self.reason = f"agent {self.name(agent)} found no path around those in the token"
        if not self.token:
            if len(self.begun) == self.problem.n_agents:
                self.reason += f", and all {len(self.begun)} agents have begun one in vain"
                return False
            # Who has begun one before would come to the same end again: it leaves that to the next.
            if agent in self.begun and not self.begin_once:
                self.reason += ", which would begin a second token and come to the same end for ever"
                return False
            if agent not in self.begun:
                self.begun.add(agent)
                if not self.add(agent):
                    self.reason = f"agent {self.name(agent)} has no path even without the others"
                    return False
        return not self.budget.exhausted

    def add(self, agent: int) -> bool:
        """The agent plans around the paths in the token and adds its own; False if there is none."""
        if self.plan(agent, self.budget.core) is not _core.Outcome.found:
            return False
        path = self.agents.path(agent)
        if self.problem.goals[agent] not in (IDLE, path[-1]):  # cut off from its goal, it only makes room
            return False
        self.token[agent] = path
        self.vertices += len(path)
        return True

    def empty(self) -> None:
        """The token holds nothing any more."""
        self.token.clear()
        self.vertices = 0
        self.agents.clear()

    def name(self, agent: int) -> str:
        return self.problem.names[agent]
