"""Priority Inheritance with Backtracking (PIBT; Okumura, Machida, Défago and Tamura 2022).

One step for all agents: they decide one after another, those first who have been off their goals for longest.
Who wants a place that is taken makes its holder decide first, with the priority of the asker; if the holder
finds no way out, the asker tries its next wish. It plans a single step, so it takes microseconds per agent,
never fails, and may go round in circles for ever. LaCAM searches over such steps.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from .. import _core
from ..budget import Budget
from ..model.arrays import IntArray
from ..model.grid import Grid
from ..model.problem import Problem
from ..model.support import Support
from ..model.to_core import compiled_problem
from ..world.core_session import CoreSession
from ..world.session import View
from .offline import TurnByTurn, turns_of_solve
from .parameters import parameter
from .solver import SolverInfo, unit_agents_only


def hindering_few() -> bool:
    """The parameter `hindrance` of all who decide on steps by priority inheritance."""
    return parameter(
        True,
        help="of equally good moves, those that fewer neighbours would like to make (Okumura and Nagai 2025)",
    )


def backing_out() -> bool:
    """The parameter `swap` of the same."""
    return parameter(True, help="agents that meet head on in a corridor back out of it together")


def cost_against_lanes(most: int) -> int:
    """The parameter `crisscross` of all who take steps by priority inheritance; at most 1 is no lanes."""
    lanes = "even rows lead right, odd ones left, even columns down, odd ones up; 1 is no lanes"
    reckoned = f"what agents reckon with for a step against the lanes of a grid: {lanes}"
    return parameter(1, least=1, most=most, help=reckoned if most > 1 else "always 1: it plans without lanes")


DEAREST_STEP = 64  # that the core takes


@dataclass(frozen=True)
class PIBT(TurnByTurn):
    """PIBT: one step at a time in microseconds per agent; may go round in circles."""

    hindrance: bool = hindering_few()
    swap: bool = backing_out()
    max_turns: int | None = turns_of_solve()
    crisscross: int = cost_against_lanes(DEAREST_STEP)

    name: ClassVar[str] = "pibt"
    info: ClassVar[SolverInfo] = SolverInfo(paper="okumura2022", category="decoupled, reactive", online=True)

    def supports(self, problem: Problem) -> Support:
        """Agents of one cell that may move every turn; lanes on grids only."""
        if self.crisscross > 1 and not isinstance(problem.space, Grid):
            return Support("only grids have lanes: leave `crisscross` at 1 on a graph")
        return unit_agents_only(self, problem)

    def session(self, problem: Problem, *, seed: int = 0) -> PIBTSession:
        """Planning turn by turn."""
        return PIBTSession(problem, self, seed, **self._ahead())

    def _ahead(self) -> dict[str, int]:
        """What the core needs to know of who looks further ahead than one step."""
        return {}


class PIBTSession(CoreSession):
    """How long everybody has been off its goal, the distances, and the paths that guide agents, if any do."""

    core: _core.Pibt

    def __init__(
        self,
        problem: Problem,
        solver: PIBT,
        seed: int,
        *,
        guide: int = 0,
        collision_cost: int = 0,
        horizon: int = 0,
        effort: int = 0,
    ) -> None:
        core = _core.Pibt(
            *compiled_problem(problem),
            hindrance=solver.hindrance,
            swap=solver.swap,
            guide=guide,
            collision_cost=collision_cost,
            horizon=horizon,
            effort=effort,
            crisscross=solver.crisscross,
            seed=seed % 2**64,
        )
        super().__init__(solver, core)
        self.starts = problem.starts

    def distances(self, budget: Budget) -> IntArray:
        """How far every agent is from its goal by itself; nothing if the budget ran out."""
        return self.core.distances(self.starts, budget.core)

    def turn(self, view: View, budget: Budget) -> IntArray:
        """One step of everybody."""
        return self.core.turn(view.positions, budget.core)
