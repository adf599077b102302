"""One file per algorithm; the registry lists them."""

from .ca import CA, HCA
from .icts import ICTS
from .lra import LRA
from .registry import SOLVERS, make_solver, solvers
from .solver import Solver, SolverInfo, Support
from .whca import WHCA

__all__ = [
    "CA",
    "HCA",
    "ICTS",
    "LRA",
    "SOLVERS",
    "WHCA",
    "Solver",
    "SolverInfo",
    "Support",
    "make_solver",
    "solvers",
]
