"""Decentralised multi-robot cooperative pathfinding, DMRCP (Wei, Hindriks and Jonker 2016).

Agents see and talk no further than two cells. Every turn each decides on its next step by a few rules: it
moves forwards, waits, dodges, retreats, or two of them turn heads, which is to swap roles. Who is in
somebody's way is asked to make room, and does, even if it stands on its own goal.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from .. import _core
from ..budget import Budget
from ..dialogue.channel import Channel
from ..model.arrays import IntArray
from ..model.problem import Problem
from ..model.random import core_seed
from ..model.result import Result
from ..model.to_core import compiled_problem
from ..world.core_session import CoreSession
from ..world.session import View
from .offline import TurnByTurn, run_to_the_end, turns_of_solve
from .solver import SolverInfo


@dataclass(frozen=True)
class DMRCP(TurnByTurn):
    """DMRCP: agents that see two cells far and make room for those who ask, turn by turn."""

    max_turns: int | None = turns_of_solve()

    name: ClassVar[str] = "dmrcp"
    info: ClassVar[SolverInfo] = SolverInfo(
        paper="wei2016", category="decentralised, reactive", communication="2 cells", online=True
    )

    def solve(self, problem: Problem, *, budget: Budget, seed: int = 0) -> Result:
        """Runs a world until all agents are on their goals at once."""
        session = self.session(problem, seed=seed)
        result = run_to_the_end(
            self, problem, budget=budget, seed=seed, max_turns=self.max_turns, session=session
        )
        return replace(result, stats={**result.stats, **session.stats})

    def session(self, problem: Problem, *, seed: int = 0) -> DMRCPSession:
        """Deciding turn by turn; the seed breaks ties."""
        return DMRCPSession(problem, self, seed)


class DMRCPSession(CoreSession):
    """All agents, each of which knows only what is near it."""

    core: _core.Dmrcp

    def __init__(self, problem: Problem, solver: DMRCP, seed: int) -> None:
        self.space, self.starts = problem.space, problem.starts
        super().__init__(solver, _core.Dmrcp(*compiled_problem(problem), seed=core_seed(seed)))
        # The rules leave nothing to chance, so what has been once will come again.
        self.repeats = False
        self._been: set[int] = set()

    @property
    def stats(self) -> dict[str, int]:
        """Which rules were applied how often, and how much was said."""
        counts: dict[str, int] = self.core.counts
        told, requests = counts.pop("told"), counts["requests"]
        channel = Channel(self.space, 2)
        # An agent tells those near it where it is, where it wants to go, and since when.
        channel.count(told, agents=told, vertices=2 * told)
        channel.count(requests, vertices=2 * requests)
        channel.count(requests, agents=requests)  # the answers
        return {**counts, "messages": channel.messages, "bytes": channel.bytes}

    def distances(self, budget: Budget) -> IntArray:
        """How far every agent is from its goal by itself; nothing if the budget ran out."""
        return self.core.distances(self.starts, budget.core)

    def changed(self, view: View) -> None:
        """Nothing that was before will repeat itself."""
        self.repeats = False
        self._been.clear()

    def turn(self, view: View, budget: Budget) -> IntArray:
        """Everybody decides on its next step."""
        moves = self.core.turn(view.time, view.positions, budget.core)
        if budget.exhausted:
            self._been.clear()  # some could not decide, which may be different next time
        elif not self.repeats:
            self.repeats = self.core.fingerprint in self._been
            self._been.add(self.core.fingerprint)
        return moves
