"""Cooperative pathfinding: many agents, one map, no collisions, and it can say why."""

from .errors import FormatError, InputError, MissingExtraError, SidestepError, UnsupportedError
from .graph import Graph
from .grid import Grid
from .plan import Plan
from .problem import Agent, Problem, Rules
from .result import Result, Status
from .trace import EventKind, Trace
