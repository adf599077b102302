"""Experiments: solvers with parameters, instances, seeds and limits, and a ledger of what each came to."""

from .front_door import sweep
from .results import Sweep

__all__ = ["Sweep", "sweep"]
