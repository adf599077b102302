"""Cooperative pathfinding: many agents, one map, no collisions, and it can say why."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from .budget import Budget, Progress
from .crowd.crowd import Crowd
from .fleet import Fleet, Simulator
from .improve import improve
from .instances.streams import Stream
from .judge import Report, Violation, ViolationKind, validate, validate_execution, validate_trace
from .model.agents import Agent
from .model.bound import Bound
from .model.caption import Caption
from .model.errors import (
    FormatError,
    InputError,
    LimitError,
    MissingExtraError,
    PluginError,
    ProtocolError,
    SidestepError,
    UnsupportedError,
)
from .model.events import EventKind
from .model.execution import Execution
from .model.graph import Graph
from .model.grid import Grid
from .model.plan import Plan
from .model.problem import Problem
from .model.result import Result, Status
from .model.rules import Rules
from .model.task import Task
from .model.trace import Trace
from .move_group import move_group
from .search import RRA, Coordinates, DistanceMap, Finder, Route, Routes, Search, distance_map, shortest_path
from .solve import lower_bound
from .solvers import listed as _solvers
from .solvers import solvers
from .solvers.listed import *  # noqa: F403  # every solver by name
from .world import World, replay_trace
from .world.group import Group
from .world.tasks import TaskMetrics

if TYPE_CHECKING:
    from ._signatures import solve
    from .explain import Answer, Summary, summarise, why, why_first, why_not
    from .sweeps import Sweep, sweep
    from .viewer.replay import Replay, replay
else:
    from .solve import solve

__version__ = "0.1.0"

__all__ = [
    "RRA",
    "Agent",
    "Answer",
    "Bound",
    "Budget",
    "Caption",
    "Coordinates",
    "Crowd",
    "DistanceMap",
    "EventKind",
    "Execution",
    "Finder",
    "Fleet",
    "FormatError",
    "Graph",
    "Grid",
    "Group",
    "InputError",
    "LimitError",
    "MissingExtraError",
    "Plan",
    "PluginError",
    "Problem",
    "Progress",
    "ProtocolError",
    "Replay",
    "Report",
    "Result",
    "Route",
    "Routes",
    "Rules",
    "Search",
    "SidestepError",
    "Simulator",
    "Status",
    "Stream",
    "Summary",
    "Sweep",
    "Task",
    "TaskMetrics",
    "Trace",
    "UnsupportedError",
    "Violation",
    "ViolationKind",
    "World",
    "distance_map",
    "improve",
    "lower_bound",
    "move_group",
    "replay",
    "replay_trace",
    "shortest_path",
    "solve",
    "solvers",
    "summarise",
    "sweep",
    "validate",
    "validate_execution",
    "validate_trace",
    "why",
    "why_first",
    "why_not",
]
__all__ += _solvers.__all__

# What is only for looking and asking is loaded when first asked for; looking comes with readers and writers.
_LATER = {
    **dict.fromkeys(("Answer", "Summary", "summarise", "why", "why_first", "why_not"), ".explain"),
    **dict.fromkeys(("Replay", "replay"), ".viewer"),
    **dict.fromkeys(("Sweep", "sweep"), ".sweeps"),
}

_EXTRAS = ("agents", "rl", "vda5050")  # what they need is installed by extras


def __getattr__(name: str) -> Any:
    """The names that are loaded when first asked for."""
    if name in _EXTRAS:
        return import_module(f".{name}", __name__)
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_LATER[name], __name__), name)


def __dir__() -> list[str]:
    """The public names, those that are loaded later included."""
    return sorted([*__all__, "__version__", *_EXTRAS])
