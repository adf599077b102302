"""The published experiments, a folder each, with the published numbers; `sidestep reproduce` runs them.

A folder declares an `Experiment`: `trial` has its trials and outcomes, `measures` what the outcomes of all
trials say, `claims` what the paper states, and `report` its tables and plots.
"""

from __future__ import annotations

from typing import Any

from . import astar_review, bcp2006, dialogue_thesis, silver2005, standley2010
from .experiment import Experiment

_EXPERIMENTS: tuple[Experiment[Any, Any], ...] = (
    silver2005.EXPERIMENT,
    bcp2006.EXPERIMENT,
    standley2010.EXPERIMENT,
    astar_review.EXPERIMENT,
    dialogue_thesis.EXPERIMENT,
)
PAPERS = {experiment.name: experiment for experiment in _EXPERIMENTS}
