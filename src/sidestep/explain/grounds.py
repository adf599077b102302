"""What an answer is about, and all that claims are recomputed from: nothing but data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ..dialogue.transcript import Transcript
    from ..model.plan import Plan
    from ..model.problem import Problem
    from ..model.trace import Trace


@dataclass(frozen=True, eq=False)
class Grounds:
    """A run: a plan or a trace (or neither, if it failed), what was said, and the parameters that votes need.

    Attributes:
        problem: What was to be solved; the trace itself, if that is asked about.
        plan: The plan, where there is one.
        trace: The trace of a world in which something changed from outside.
        transcript: What the agents said.
        weights: What a step and a conflict more, and a conflict left open, count in a vote; None: not known.
        voter: Who voted for the agents, if that is not the weighted sum and known.
        windowed: Whether agents told only the next few steps.
        status: How the run ended.
        reason: The sentence of the solver about it.
    """

    problem: Problem | Trace
    plan: Plan | None = None
    trace: Trace | None = None
    transcript: Transcript | None = None
    weights: tuple[float, float, float] | None = None
    voter: Any = None
    windowed: bool = False
    status: str = ""
    reason: str = ""
