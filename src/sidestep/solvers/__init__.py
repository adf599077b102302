"""One file per algorithm; the registry lists them."""

from ..model.support import Support
from . import listed as _listed
from .listed import *  # noqa: F403
from .registry import SOLVERS, make_solver, solvers
from .solver import Solver, SolverInfo

__all__ = ["SOLVERS", "Solver", "SolverInfo", "Support", "make_solver", "solvers"]
__all__ += _listed.__all__
