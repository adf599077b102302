"""Cooperative pathfinding: many agents, one map, no collisions, and it can say why."""

from typing import TYPE_CHECKING, Any

from .budget import Budget, Progress
from .errors import (
    FormatError,
    InputError,
    MissingExtraError,
    ProtocolError,
    SidestepError,
    UnsupportedError,
)
from .graph import Graph
from .grid import Grid
from .plan import Plan
from .problem import Agent, Problem, Rules
from .result import Result, Status
from .solve import solve
from .solvers import (
    CA,
    CBS,
    DPCA,
    HCA,
    ICTS,
    ID,
    LRA,
    OD,
    PCA,
    SID,
    WDPCA,
    WHCA,
    Anytime,
    DPCAPlus,
    Standard,
    solvers,
)
from .trace import EventKind, Trace
from .validate import Report, Violation, ViolationKind, validate, validate_trace
from .world import World, replay_trace

if TYPE_CHECKING:
    from .viewer import Remark, Replay, replay

__version__ = "0.1.0"

__all__ = [
    "CA",
    "CBS",
    "DPCA",
    "HCA",
    "ICTS",
    "ID",
    "LRA",
    "OD",
    "PCA",
    "SID",
    "WDPCA",
    "WHCA",
    "Agent",
    "Anytime",
    "Budget",
    "DPCAPlus",
    "EventKind",
    "FormatError",
    "Graph",
    "Grid",
    "InputError",
    "MissingExtraError",
    "Plan",
    "Problem",
    "Progress",
    "ProtocolError",
    "Remark",
    "Replay",
    "Report",
    "Result",
    "Rules",
    "SidestepError",
    "Standard",
    "Status",
    "Trace",
    "UnsupportedError",
    "Violation",
    "ViolationKind",
    "World",
    "replay",
    "replay_trace",
    "solve",
    "solvers",
    "validate",
    "validate_trace",
]


def __getattr__(name: str) -> Any:
    """What is only for looking comes with the readers and writers of files: loaded when first asked for."""
    if name not in ("Remark", "Replay", "replay"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from . import viewer  # noqa: PLC0415

    return getattr(viewer, name)
