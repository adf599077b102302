"""Every solver by name. Written by scripts/write_solvers.py from the list in registry.py."""

from .adpp import ADPP
from .anytime import Anytime
from .auto import Auto
from .bcp import BCP
from .ca import CA, HCA
from .cbs import CBS
from .dimpp import DiMPP
from .dmrcp import DMRCP
from .eecbs import EECBS
from .epibt import EPIBT
from .guided import Guided
from .icts import ICTS
from .independence import ID, ODID, SID, StandardID
from .joint import OD, Standard
from .lacam import LaCAM
from .lns import LNS
from .lra import LRA
from .pbs import PBS
from .pca import DPCA, PCA, DPCAPlus
from .pibt import PIBT
from .rolling import Rolling
from .sipp import SIPP
from .solver import Solver
from .wdpca import WDPCA
from .whca import WHCA

CLASSES: tuple[type[Solver], ...] = (
    Auto,
    LRA,
    CA,
    HCA,
    WHCA,
    Standard,
    OD,
    SID,
    ID,
    StandardID,
    ODID,
    Anytime,
    CBS,
    ICTS,
    EECBS,
    PCA,
    DPCA,
    DPCAPlus,
    WDPCA,
    DiMPP,
    ADPP,
    DMRCP,
    BCP,
    PBS,
    PIBT,
    Guided,
    Rolling,
    LaCAM,
    SIPP,
    LNS,
    EPIBT,
)

__all__ = [
    "ADPP",
    "BCP",
    "CA",
    "CBS",
    "DMRCP",
    "DPCA",
    "EECBS",
    "EPIBT",
    "HCA",
    "ICTS",
    "ID",
    "LNS",
    "LRA",
    "OD",
    "ODID",
    "PBS",
    "PCA",
    "PIBT",
    "SID",
    "SIPP",
    "WDPCA",
    "WHCA",
    "Anytime",
    "Auto",
    "DPCAPlus",
    "DiMPP",
    "Guided",
    "LaCAM",
    "Rolling",
    "Standard",
    "StandardID",
]
