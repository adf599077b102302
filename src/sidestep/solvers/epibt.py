"""EPIBT: priority inheritance with operations, for agents that have to turn (Yukhnevich and Andreychuk 2026).

One step ahead a turn is worthless, so PIBT hardly makes any. Here every agent plans an operation: a few
actions, such as a turn to the right and two steps forward. Agents decide one after another. An operation that
is in the way of one other agent makes that one look for another first; if it finds none, the next operation
is tried. All operations together collide nowhere, and what is left of them after a step is where the next
turn begins. So there is always a safe step, and it takes microseconds per agent. Like PIBT it may go round in
circles for ever.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from .. import _core
from ..budget import Budget
from ..model.agents import NO_FACING
from ..model.arrays import IntArray
from ..model.problem import Problem
from ..model.to_core import compiled_problem
from ..world.core_session import CoreSession
from ..world.session import Change, MeasuringSession, Moves, View
from .parameters import parameter
from .pibt import PIBT, PIBTSession, cost_against_lanes
from .solver import SolverInfo


@dataclass(frozen=True)
class EPIBT(PIBT):
    """EPIBT: agents that have to turn plan a few actions at once; those that need not move as in PIBT."""

    length: int = parameter(
        4, least=1, most=5, help="actions of an operation; with 1 nobody looks further than a turn or a step"
    )
    asks: int = parameter(10, least=1, most=10**6, help="how often an agent may be asked in a turn")
    effort: int = parameter(
        0, least=0, most=10**6, help="how often each agent then tries again, on average, if that pays for all"
    )
    crisscross: int = cost_against_lanes(1)  # fields over facings have no lanes

    name: ClassVar[str] = "epibt"
    honours: ClassVar[tuple[str, ...]] = ("facing",)
    info: ClassVar[SolverInfo] = SolverInfo(
        paper="yukhnevich2026", category="decoupled, reactive", online=True
    )

    def session(self, problem: Problem, *, seed: int = 0) -> EPIBTSession:  # type: ignore[override]
        """Planning turn by turn."""
        return EPIBTSession(problem, self, seed)


class EPIBTSession:
    """A session with operations or one of PIBT, once there are agents: either all turn, or none does."""

    def __init__(self, problem: Problem, solver: EPIBT, seed: int) -> None:
        self.problem, self.solver, self.seed = problem, solver, seed
        self.unheard: Sequence[Change] = []  # while there was nobody
        self.inner: OperationsSession | PIBTSession | None = None
        if problem.n_agents:
            self.open(turning=problem.agents.any_turning)

    def open(self, *, turning: bool) -> MeasuringSession:
        """Begins to plan for agents of one kind."""
        kind = OperationsSession if turning else PIBTSession
        self.inner = kind(self.problem, self.solver, self.seed)
        return self.inner

    def distances(self, budget: Budget) -> IntArray:
        """How far every agent is from its goal by itself, turns included; nothing if the budget ran out."""
        return self.problem.starts if self.inner is None else self.inner.distances(budget)

    def step(self, view: View, *, budget: Budget) -> Moves:
        """One step of everybody."""
        if self.inner is None:
            self.unheard = [*self.unheard, *view.changes]
            if not len(view.positions):
                return view.positions
            self.open(turning=bool((view.facings != NO_FACING).any()))
            view, self.unheard = view.with_changes(self.unheard), []
        assert self.inner is not None
        return self.inner.step(view, budget=budget)

    def saved(self) -> dict[str, Any]:
        """Its state, for a session that was opened by the same planner for the same problem."""
        inner = {} if self.inner is None else self.inner.saved()
        return {"unheard": self.unheard, "turning": isinstance(self.inner, OperationsSession), **inner}

    def load(self, state: dict[str, Any]) -> None:
        """Goes on from such a state."""
        self.unheard, self.inner = state["unheard"], None
        if "core" in state:
            self.open(turning=state["turning"])
            assert self.inner is not None
            self.inner.load(state)


class OperationsSession(CoreSession):
    """What everybody means to do next, and the distances."""

    core: _core.Epibt

    def __init__(self, problem: Problem, solver: EPIBT, seed: int) -> None:
        core = _core.Epibt(
            *compiled_problem(problem),
            length=solver.length,
            asks=solver.asks,
            effort=solver.effort,
            seed=seed % 2**64,
        )
        super().__init__(solver, core)
        self.starts, self.facings = problem.starts, problem.facings

    def distances(self, budget: Budget) -> IntArray:
        """How far every agent is from its goal by itself, turns included; nothing if the budget ran out."""
        return self.core.distances(self.starts, self.facings, budget.core)

    def turn(self, view: View, budget: Budget) -> IntArray:
        """One step of everybody."""
        return self.core.turn(view.positions, view.facings, budget.core)
