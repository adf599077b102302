"""One file per algorithm; the registry lists them."""

from .anytime import Anytime
from .ca import CA, HCA
from .cbs import CBS
from .icts import ICTS
from .independence import ID, SID
from .joint import OD, Standard
from .lra import LRA
from .registry import SOLVERS, make_solver, solvers
from .solver import Solver, SolverInfo, Support
from .whca import WHCA

__all__ = [
    "CA",
    "CBS",
    "HCA",
    "ICTS",
    "ID",
    "LRA",
    "OD",
    "SID",
    "SOLVERS",
    "WHCA",
    "Anytime",
    "Solver",
    "SolverInfo",
    "Standard",
    "Support",
    "make_solver",
    "solvers",
]
