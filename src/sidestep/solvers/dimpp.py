"""Distributed Multi-agent Path Planning, DiMPP (Chouhan and Niyogi, as the dialogue thesis describes it).

The agents stand in a ring, and each hears only the one before it. A token goes round with the paths planned
so far. Who receives it adds a path that collides with none in it and passes it on. Who cannot, empties it and
begins anew, so that now it plans first. When the token comes back to an agent that is in it, all are. When
every agent has begun a token and none of them came back, they give up.
"""

from __future__ import annotations

from dataclasses import dataclass, field
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
        if len(ring.token.paths) == problem.n_agents:
            paths = [ring.token.paths[agent] for agent in range(problem.n_agents)]
            plan = plan_within(budget, problem, paths)
        if plan is not None:
            ways = ring.agents.distances(budget.core)  # fewer than agents if the budget ends just here
            bound = int(ways.sum()) if len(ways) == problem.n_agents else None
            return Result(problem, self, seed, Status.SOLVED, plan, lower_bound=bound, stats=ring.stats)
        if budget.exhausted:
            return Result(problem, self, seed, Status.TIMEOUT, reason=budget.why(), stats=ring.stats)
        return Result(problem, self, seed, Status.GAVE_UP, reason=ring.reason, stats=ring.stats)


@dataclass
class Token:
    """What goes round.

    Attributes:
        paths: a path for everybody who is in it; those who added theirs first come first.
        begun: who has begun one.
        vertices: of all paths that were added here.
    """

    paths: dict[int, IntArray] = field(default_factory=dict)
    begun: set[int] = field(default_factory=set)
    vertices: int = 0

    def hold(self, agent: int, around: Planner, *, everybody: int, begin_once: bool) -> str:
        """One agent has it: it adds its path, or begins another.

        Returns:
            Why there is no hope any more, as what the agent does; empty: it passes the token on.
        """
        trouble = ""
        if self.paths and not self._add(agent, around):
            self.paths.clear()
            self.vertices = 0
            around.clear()
            trouble = "found no path around those in the token"
        if self.paths:
            return ""
        if len(self.begun) == everybody:
            return f"{trouble}, and all {everybody} agents have begun one in vain"
        if agent in self.begun:
            # Who has begun one before would come to the same end again: it leaves that to the next.
            return (
                ""
                if begin_once
                else f"{trouble}, which would begin a second token and come to the same end for ever"
            )
        self.begun.add(agent)
        return "" if self._add(agent, around) else "has no path even without the others"

    def _add(self, agent: int, around: Planner) -> bool:
        path = around.find(agent)
        if path is not None:
            self.paths[agent] = path
            self.vertices += len(path)
        return path is not None


class Planner:
    """Finds paths around those in a token, which the agents in the core hold as well.

    Args:
        agents: The agents in the core.
        goals: Where each of them goes.
        budget: What searches may use.
        shortcuts: Try the path alone and one wait before a search?
    """

    def __init__(
        self, agents: _core.Cooperation, goals: IntArray, budget: Budget, *, shortcuts: bool
    ) -> None:
        self.agents, self.goals, self.budget = agents, goals, budget
        self._plan = agents.plan_simply if shortcuts else agents.plan

    def find(self, agent: int) -> IntArray | None:
        """The agent's path to its goal; None if there is none, or the budget ran out."""
        if self._plan(agent, self.budget.core) is not _core.Outcome.found:
            return None
        path = self.agents.path(agent)
        # Cut off from its goal, it only makes room.
        return path if self.goals[agent] in (IDLE, path[-1]) else None

    def clear(self) -> None:
        """Nobody has a path any more."""
        self.agents.clear()


class Ring:
    """Agents that pass a token on."""

    def __init__(self, problem: Problem, budget: Budget, solver: DiMPP) -> None:
        self.problem, self.budget = problem, budget
        self.agents = cooperating_agents(problem)
        self.planner = Planner(self.agents, problem.goals, budget, shortcuts=solver.shortcuts)
        self.begin_once = solver.begin_once
        self.channel = Channel(problem.space, "ring")
        self.token = Token()
        self.reason = ""

    @property
    def stats(self) -> dict[str, object]:
        """How many tokens were begun, and how much was sent round."""
        return {
            "tokens": len(self.token.begun),
            "messages": self.channel.messages,
            "bytes": self.channel.bytes,
            "expansions": self.budget.nodes,
        }

    def run(self) -> None:
        """Passes the token on and on, until it is complete or the agents give up."""
        for agent in cycle(by_rank(self.problem)):
            if agent in self.token.paths or not self.receive(agent):
                return
            if self.problem.n_agents > 1:
                token = self.token
                self.channel.count(1, agents=len(token.paths), vertices=token.vertices)

    def receive(self, agent: int) -> bool:
        """One agent has the token. False: there is no hope, or no budget."""
        count = self.problem.n_agents
        why = self.token.hold(agent, self.planner, everybody=count, begin_once=self.begin_once)
        if why:
            self.reason = f"agent {self.problem.names[agent]} {why}"
        return not why and not self.budget.exhausted
