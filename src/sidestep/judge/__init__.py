"""The judge: does a plan, a trace or an execution keep every rule, and does a plan cost what it claims?

The judge shares no code with what it judges. It imports numpy and the model, reads adjacency from
`Grid.passable` and `Graph.edges` itself, and adds costs up its own way.
"""

from .execution import validate_execution
from .plan import validate
from .trace import validate_trace
from .violation import Report, Violation, ViolationKind

__all__ = ["Report", "Violation", "ViolationKind", "validate", "validate_execution", "validate_trace"]
