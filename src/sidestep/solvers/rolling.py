"""Windowed planning with repairs (after WPPL; Jiang et al. 2024), for work that never ends.

Every turn all agents plan some steps ahead: local guidance, made free of collisions by priority inheritance
step by step. Then large neighbourhood search repairs the plan: a few agents at a time give up their paths and
plan again around all others, and what costs less stays. Everybody makes the first step. An agent costs the
steps until it is on its goal, or else the horizon and the distance left.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from ..model.problem import Problem
from .guided import WIDEST, cost_of_collisions, for_core, window_of_guidance
from .offline import TurnByTurn, turns_of_solve
from .parameters import parameter
from .pibt import PIBTSession, backing_out, hindering_few
from .solver import SolverInfo


@dataclass(frozen=True)
class Rolling(TurnByTurn):
    """Rolling: guided PIBT some steps ahead, repaired every turn; for work that never ends."""

    horizon: int = parameter(10, least=1, most=WIDEST, help="steps that are planned ahead")
    effort: int = parameter(
        100, least=0, most=10**6, help="nodes per agent and turn that repairs may take, within the budget"
    )
    window: int | Literal["auto"] = window_of_guidance(16, "0 is no guidance")
    collision_cost: int | Literal["auto"] = cost_of_collisions()
    hindrance: bool = hindering_few()
    swap: bool = backing_out()
    max_turns: int | None = turns_of_solve()

    name: ClassVar[str] = "rolling"
    info: ClassVar[SolverInfo] = SolverInfo(paper="jiang2024", category="decoupled, windowed", online=True)

    def session(self, problem: Problem, *, seed: int = 0) -> PIBTSession:
        """Planning turn by turn."""
        return PIBTSession(
            problem,
            self,
            seed,
            guide=for_core(self.window),
            collision_cost=for_core(self.collision_cost),
            horizon=self.horizon,
            effort=self.effort,
        )
