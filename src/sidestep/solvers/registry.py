"""The list of solvers: whatever is in it can be asked for by name."""

from __future__ import annotations

import difflib
from typing import Any

from ..model.errors import InputError, PluginError
from .listed import CLASSES
from .parameters import parameters_of
from .plugins import load_plugin, plugins
from .solver import Solver, facts_of

# One line per solver: its module and its class, in the order in which solvers are shown. The first is run if
# nobody names one.
# After a change run `.venv/bin/python scripts/write_solvers.py`: it writes listed.py and tables in docs/.
LISTED = (
    # whatever fits
    "auto.Auto",
    # Silver 2005
    "lra.LRA",
    "ca.CA",
    "ca.HCA",
    "whca.WHCA",
    # optimal
    "joint.Standard",
    "joint.OD",
    "independence.SID",
    "independence.ID",
    "independence.StandardID",
    "independence.ODID",
    "anytime.Anytime",
    "cbs.CBS",
    "icts.ICTS",
    # within a factor of the best
    "eecbs.EECBS",
    # by dialogue
    "pca.PCA",
    "pca.DPCA",
    "pca.DPCAPlus",
    "wdpca.WDPCA",
    # decentralised
    "dimpp.DiMPP",
    "adpp.ADPP",
    "dmrcp.DMRCP",
    # games
    "bcp.BCP",
    # prioritised
    "pbs.PBS",
    # thousands of agents
    "pibt.PIBT",
    "guided.Guided",
    "rolling.Rolling",
    "lacam.LaCAM",
    "sipp.SIPP",
    "lns.LNS",
    # agents that have to turn
    "epibt.EPIBT",
)

SOLVERS: dict[str, type[Solver]] = {solver.name: solver for solver in CLASSES}
DEFAULT = next(iter(SOLVERS))


def solvers() -> dict[str, str]:
    """Lists the solvers: ours, and those that installed packages offer as entry points `sidestep.solvers`.

    Returns:
        A line about each, by its name. Of a solver that cannot be used, the line says why.
    """
    found, broken = all_solvers()
    lines = {name: facts_of(solver)["summary"] for name, solver in found.items()}
    return lines | {error.solver: str(error) for error in broken}


def all_solvers() -> tuple[dict[str, type[Solver]], list[PluginError]]:
    """Ours, then those of other packages by name; and what is wrong with those that cannot be used."""
    found, broken = dict(SOLVERS), []
    for name in sorted(plugins().keys() - SOLVERS.keys()):
        try:
            found[name] = load_plugin(name)
        except PluginError as error:
            broken.append(error)
    return found, broken


def make_solver(solver: str | Solver, params: dict[str, Any]) -> Solver:
    """A solver from its name and parameters; an instance passes through."""
    if not isinstance(solver, str):
        if not (hasattr(solver, "solve") and hasattr(solver, "supports")):
            raise InputError(f"a solver is a name or an object such as WHCA(), not {solver!r}")
        if params:
            raise InputError(f"the solver {solver!r} already has its parameters: {_listed(params)} too many")
        return solver
    found = solver_class(solver)
    known = parameters_of(found)
    for name in params:
        if name not in known:
            raise InputError(f"{solver} has no parameter {name!r}{did_you_mean(name, known)}")
    return found(**params)


def solver_class(name: str) -> type[Solver]:
    """The class of the solver of that name: ours, or else that of another package.

    An InputError that names a similar one if there is none; a PluginError if it cannot be used.
    """
    if name in SOLVERS:
        return SOLVERS[name]
    others = plugins()
    if name in others:
        return load_plugin(name)
    raise InputError(f"there is no solver {name!r}{did_you_mean(name, [*SOLVERS, *others])}")


def did_you_mean(word: str, known: Any) -> str:
    """The end of an error sentence: the nearest known word, or all of them."""
    near = difflib.get_close_matches(word, known, n=1)
    return f": did you mean {near[0]!r}?" if near else f": known are {_listed(sorted(known))}"


def _listed(words: Any) -> str:
    return ", ".join(words) or "none"
