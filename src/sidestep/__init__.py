"""Cooperative pathfinding: many agents, one map, no collisions, and it can say why."""

from .budget import Budget, Progress
from .errors import FormatError, InputError, MissingExtraError, SidestepError, UnsupportedError
from .graph import Graph
from .grid import Grid
from .plan import Plan
from .problem import Agent, Problem, Rules
from .result import Result, Status
from .solve import solve
from .solvers import CA, HCA, LRA, WHCA, solvers
from .trace import EventKind, Trace
from .validate import Report, Violation, ViolationKind, validate, validate_trace
from .world import World, replay_trace

__version__ = "0.1.0"

__all__ = [
    "CA",
    "HCA",
    "LRA",
    "WHCA",
    "Agent",
    "Budget",
    "EventKind",
    "FormatError",
    "Graph",
    "Grid",
    "InputError",
    "MissingExtraError",
    "Plan",
    "Problem",
    "Progress",
    "Report",
    "Result",
    "Rules",
    "SidestepError",
    "Status",
    "Trace",
    "UnsupportedError",
    "Violation",
    "ViolationKind",
    "World",
    "replay_trace",
    "solve",
    "solvers",
    "validate",
    "validate_trace",
]
