"""Which solvers agents can run by themselves, and what each agent has to know of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ..dialogue.voters import Weights
from ..model.errors import UnsupportedError
from ..model.graph import Graph
from ..model.problem import Problem
from ..model.support import supported
from ..solvers.pca import DPCA, DPCAPlus
from ..solvers.registry import make_solver
from ..solvers.wdpca import WDPCA, WIDEST

__all__ = ["WIDEST", "Protocol", "protocol_of"]


EXTRAS = ("voter", "bystanders", "actions", "planner")  # what only dialogues in one process have


@dataclass(frozen=True)
class Protocol:
    """How agents plan and talk.

    Attributes:
        solver: the solver whose dialogues they hold.
        window: steps that they plan ahead at first; 0 for all the way.
        widen: double the window where everything repeats itself.
        weights: what votes are made of.
        pairs: dialogues are of two; otherwise of all that would meet in one place.
    """

    solver: DPCA | WDPCA
    window: int
    widen: bool
    weights: Weights
    pairs: bool

    @property
    def cache(self) -> bool:
        """Whether an agent may use paths again that it found under other orders."""
        return self.solver.cache

    @property
    def loop_free(self) -> bool:
        """Whether an agent prefers paths without loops."""
        return getattr(self.solver, "loop_free", True)

    @property
    def settle_circles(self) -> bool:
        """Whether an agent may go before all others where its orders go round in a circle."""
        return getattr(self.solver, "settle_circles", True)


def protocol_of(solver: Any, problem: Problem, **params: Any) -> Protocol:
    """The protocol of a solver, given as such or by name; an UnsupportedError if agents have none for it."""
    chosen = make_solver(solver, params)
    if not isinstance(chosen, DPCA | WDPCA):
        raise UnsupportedError(f"agents talk as dpca, dpca+ or wdpca do, not as {chosen!r}")
    if not (chosen.keep_orders and chosen.end_circles):
        raise UnsupportedError(
            "agents keep their orders and end circles: leave keep_orders and end_circles on"
        )
    extras = [name for name in EXTRAS if getattr(chosen, name, None)]
    if extras:
        raise UnsupportedError(
            f"agents vote by weighted sums on orders of their own paths: leave out {extras[0]}"
        )
    if not (support := supported(chosen, problem)):
        raise UnsupportedError(support.reason)
    if isinstance(problem.space, Graph) and len(problem.space.edge_conflicts):
        raise UnsupportedError("agents do not know edge conflicts of graphs")
    if isinstance(chosen, WDPCA):
        if not chosen.stand:
            raise UnsupportedError("agents that do not know how to go on stand: leave stand on")
        return Protocol(chosen, chosen.window, chosen.widen, chosen.weights, pairs=True)
    partial = chosen.partial_weight if isinstance(chosen, DPCAPlus) else 0.0
    weights = Weights(chosen.length_weight, chosen.conflict_weight, partial)
    return Protocol(chosen, 0, False, weights, pairs=not isinstance(chosen, DPCAPlus))
