"""Guided PIBT: local guidance (Arita and Okumura 2026) before every step of PIBT.

Before each turn every agent plans a few steps ahead, around what the others plan; paths may collide, which
only makes them dearer. The first step of its path is what an agent wishes for first, and PIBT makes a step
without collisions of these wishes. Paths are kept from turn to turn: only those plan anew whose path was
disturbed, is not straight, or was left.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from .parameters import parameter
from .pibt import PIBT
from .solver import SolverInfo

WIDEST, DEAREST = 64, 16  # the longest window and the dearest collision that the core takes
_CHOSEN = -1  # the core chooses


def window_of_guidance(default: int | Literal["auto"], zero: str) -> int | Literal["auto"]:
    """The parameter that says how far agents look ahead; `zero` says what 0 means."""
    return parameter(
        default,
        least=0,
        most=WIDEST,
        help=f'steps that agents look ahead, {zero}; `"auto"` is 16, and 32 where agents fill more than '
        "a tenth of the map",
    )


def cost_of_collisions() -> int | Literal["auto"]:
    """The parameter that says what a collision of two guiding paths costs."""
    return parameter(
        "auto",
        least=0,
        most=DEAREST,
        help='what a collision with the path of another costs in steps; `"auto"` is 2, and 4 for windows '
        "from 24 on",
    )


def for_core(value: int | Literal["auto"]) -> int:
    """A window or a cost as the core takes it."""
    return _CHOSEN if value == "auto" else value


@dataclass(frozen=True)
class Guided(PIBT):
    """Guided PIBT: looks some steps ahead before each step of PIBT; fewer detours in crowds."""

    window: int | Literal["auto"] = window_of_guidance("auto", "0 is plain PIBT")
    collision_cost: int | Literal["auto"] = cost_of_collisions()

    name: ClassVar[str] = "guided"
    info: ClassVar[SolverInfo] = SolverInfo(paper="arita2026", category="decoupled, windowed", online=True)

    def _ahead(self) -> dict[str, int]:
        """The window and what collisions in it cost."""
        return {"guide": for_core(self.window), "collision_cost": for_core(self.collision_cost)}
