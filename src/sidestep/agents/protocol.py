"""Which solvers agents can run by themselves, and what each agent has to know of them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from ..dialogue.channel import Reach
from ..dialogue.voters import Weights
from ..model.errors import UnsupportedError
from ..model.graph import Graph
from ..model.problem import Problem
from ..model.support import supported
from ..solvers.adpp import ADPP
from ..solvers.dimpp import DiMPP
from ..solvers.dmrcp import DMRCP
from ..solvers.pca import DPCA, DPCAPlus
from ..solvers.registry import make_solver
from ..solvers.solver import by_rank
from ..solvers.wdpca import WDPCA, WIDEST
from .arguing import Arguing
from .ranked import InRank
from .ring import InRing
from .room import REACH, MakingRoom
from .talk import Talk

__all__ = ["TALKS", "WIDEST", "Protocol", "protocol_of"]

# Which solvers have a protocol, and how their agents talk.
TALKS: dict[type, type[Talk]] = {
    DPCA: Arguing,
    DPCAPlus: Arguing,
    WDPCA: Arguing,
    DiMPP: InRing,
    ADPP: InRank,
    DMRCP: MakingRoom,
}
EXTRAS = ("voter", "bystanders", "actions", "planner")  # what only dialogues in one process have


@dataclass(frozen=True)
class Protocol:
    """How agents plan and talk.

    Attributes:
        solver: the solver whose protocol it is.
        talk: an agent's side of it.
        order: all agents, in the order of the ring or of their priorities.
        window: steps that they plan ahead at first; 0 for all the way.
        widen: double the window where everything repeats itself.
        weights: what votes are made of.
        pairs: dialogues are of two; otherwise of all that would meet in one place.
        sight: how many cells agents see; None: as far as they plan ahead.
    """

    solver: Any
    talk: type[Talk]
    order: tuple[int, ...]
    window: int = 0
    widen: bool = False
    weights: Weights = field(default_factory=Weights)
    pairs: bool = True
    sight: int | None = None

    @property
    def reach(self) -> Reach:
        """Who hears an agent."""
        if self.sight is not None:
            return self.sight
        return "window" if self.window else "all"

    @property
    def cache(self) -> bool:
        """Whether an agent may use paths again that it found under other orders."""
        return bool(self.solver.cache)

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
    talk = TALKS.get(type(chosen))
    if talk is None:
        *names, last = (kind.name for kind in TALKS)  # type: ignore[attr-defined]
        raise UnsupportedError(f"agents talk as {', '.join(names)} or {last} do, not as {chosen.name}")
    if not (support := supported(chosen, problem)):
        raise UnsupportedError(support.reason)
    if isinstance(problem.space, Graph) and len(problem.space.edge_conflicts):
        raise UnsupportedError("agents do not know edge conflicts of graphs")
    order = tuple(by_rank(problem))
    if isinstance(chosen, DPCA | WDPCA):
        return _of_dialogues(chosen, order)
    if isinstance(chosen, ADPP) and chosen.replan != "always":
        raise UnsupportedError(
            "agents of adpp plan again whenever they are told anything, so that it does not matter who is "
            'faster: use replan="always"'
        )
    if isinstance(chosen, DMRCP):
        if isinstance(problem.space, Graph) and problem.space.directed:
            raise UnsupportedError(
                "agents of dmrcp have to see who could come into their way: no directed graphs"
            )
        return Protocol(chosen, talk, order, window=REACH, sight=REACH)
    return Protocol(chosen, talk, order)


def _of_dialogues(chosen: DPCA | WDPCA, order: tuple[int, ...]) -> Protocol:
    """That of agents that argue."""
    if not (chosen.keep_orders and chosen.end_circles):
        raise UnsupportedError(
            "agents keep their orders and end circles: leave keep_orders and end_circles on"
        )
    extras = [name for name in EXTRAS if getattr(chosen, name, None)]
    if extras:
        raise UnsupportedError(
            f"agents vote by weighted sums on orders of their own paths: leave out {extras[0]}"
        )
    if isinstance(chosen, WDPCA):
        if not chosen.stand:
            raise UnsupportedError("agents that do not know how to go on stand: leave stand on")
        return Protocol(chosen, Arguing, order, chosen.window, chosen.widen, chosen.weights)
    partial = chosen.partial_weight if isinstance(chosen, DPCAPlus) else 0.0
    weights = Weights(chosen.length_weight, chosen.conflict_weight, partial)
    return Protocol(chosen, Arguing, order, weights=weights, pairs=not isinstance(chosen, DPCAPlus))
