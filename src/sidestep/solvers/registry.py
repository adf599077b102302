"""The list of solvers: whatever is in it can be asked for by name."""

from __future__ import annotations

import difflib
from typing import Any

from ..model.errors import InputError
from .adpp import ADPP
from .anytime import Anytime
from .bcp import BCP
from .ca import CA, HCA
from .cbs import CBS
from .dimpp import DiMPP
from .dmrcp import DMRCP
from .icts import ICTS
from .independence import ID, ODID, SID, StandardID
from .joint import OD, Standard
from .lra import LRA
from .parameters import parameters_of
from .pca import DPCA, PCA, DPCAPlus
from .solver import Solver
from .wdpca import WDPCA
from .whca import WHCA

_SILVER: tuple[type[Solver], ...] = (LRA, CA, HCA, WHCA)
_OPTIMAL: tuple[type[Solver], ...] = (Standard, OD, SID, ID, StandardID, ODID, Anytime, CBS, ICTS)
_DIALOGUE: tuple[type[Solver], ...] = (PCA, DPCA, DPCAPlus, WDPCA)
_DECENTRALISED: tuple[type[Solver], ...] = (DiMPP, ADPP, DMRCP)
_GAMES: tuple[type[Solver], ...] = (BCP,)

SOLVERS: dict[str, type[Solver]] = {
    solver.name: solver for solver in (*_SILVER, *_OPTIMAL, *_DIALOGUE, *_DECENTRALISED, *_GAMES)
}


def solvers() -> dict[str, str]:
    """All solvers: name and one line each."""
    return {name: solver.info.summary for name, solver in SOLVERS.items()}


def make_solver(solver: str | Solver, params: dict[str, Any]) -> Solver:
    """A solver from its name and parameters; an instance passes through."""
    if not isinstance(solver, str):
        if not (hasattr(solver, "solve") and hasattr(solver, "supports")):
            raise InputError(f"a solver is a name or an object such as WHCA(), not {solver!r}")
        if params:
            raise InputError(f"the solver {solver!r} already has its parameters: {_listed(params)} too many")
        return solver
    if solver not in SOLVERS:
        raise InputError(f"there is no solver {solver!r}{did_you_mean(solver, SOLVERS)}")
    known = parameters_of(SOLVERS[solver])
    for name in params:
        if name not in known:
            raise InputError(f"{solver} has no parameter {name!r}{did_you_mean(name, known)}")
    return SOLVERS[solver](**params)


def did_you_mean(word: str, known: Any) -> str:
    """The end of an error sentence: the nearest known word, or all of them."""
    near = difflib.get_close_matches(word, known, n=1)
    return f": did you mean {near[0]!r}?" if near else f": known are {_listed(sorted(known))}"


def _listed(words: Any) -> str:
    return ", ".join(words) or "none"
