"""Execution: a plan carried out by robots that are late, that stop, and whose messages get lost.

`Fleet` says who may go where, by the dependencies of the plan: who was in a place before must have left it.
`Simulator` has robots to try it on. What they did is an `Execution`, which `validate_execution` judges.
"""

from .commands import Commands
from .fleet import Fleet
from .reasons import Chain, Stuck, Wait
from .simulator import Simulator

__all__ = ["Chain", "Commands", "Fleet", "Simulator", "Stuck", "Wait"]
