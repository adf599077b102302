"""Windowed planning with repairs (after WPPL; Jiang et al. 2024), for work that never ends.

Every turn all agents plan some steps ahead: local guidance, made free of collisions by priority inheritance
step by step. Then large neighbourhood search repairs the plan: a few agents at a time give up their paths and
plan again around all others, and what costs less stays. Everybody makes the first step. An agent costs the
steps until it is on its goal, or else the horizon and the distance left.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from .guided import WIDEST, Guided, window_of_guidance
from .parameters import parameter
from .pibt import cost_against_lanes
from .solver import SolverInfo


@dataclass(frozen=True)
class Rolling(Guided):
    """Rolling: guided PIBT some steps ahead, repaired every turn; for work that never ends."""

    horizon: int = parameter(10, least=1, most=WIDEST, help="steps that are planned ahead")
    effort: int = parameter(
        100, least=0, most=10**6, help="nodes per agent and turn that repairs may take, within the budget"
    )
    window: int | Literal["auto"] = window_of_guidance("auto", "0 is no guidance")
    crisscross: int = cost_against_lanes(1)  # repairs count steps as they are

    name: ClassVar[str] = "rolling"
    info: ClassVar[SolverInfo] = SolverInfo(paper="jiang2024", category="decoupled, windowed", online=True)

    def _ahead(self) -> dict[str, int]:
        """The guidance, how far ahead is planned, and what repairs may take."""
        return {**super()._ahead(), "horizon": self.horizon, "effort": self.effort}
