"""One file per algorithm; the registry lists them."""

from ..model.support import Support
from .adpp import ADPP
from .anytime import Anytime
from .bcp import BCP
from .ca import CA, HCA
from .cbs import CBS
from .dimpp import DiMPP
from .dmrcp import DMRCP
from .icts import ICTS
from .independence import ID, SID
from .joint import OD, Standard
from .lra import LRA
from .pca import DPCA, PCA, DPCAPlus
from .registry import SOLVERS, make_solver, solvers
from .solver import Solver, SolverInfo
from .wdpca import WDPCA
from .whca import WHCA

__all__ = [
    "ADPP",
    "BCP",
    "CA",
    "CBS",
    "DMRCP",
    "DPCA",
    "HCA",
    "ICTS",
    "ID",
    "LRA",
    "OD",
    "PCA",
    "SID",
    "SOLVERS",
    "WDPCA",
    "WHCA",
    "Anytime",
    "DPCAPlus",
    "DiMPP",
    "Solver",
    "SolverInfo",
    "Standard",
    "Support",
    "make_solver",
    "solvers",
]
