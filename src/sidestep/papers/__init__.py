"""The published experiments, one module each, with the published numbers; `sidestep reproduce` runs them.

A paper's module has `run(*, full, seed, jobs, out, progress, instances=None)`, which runs the experiments,
writes a report to the folder `out` and returns it. `full` means the paper's size, `instances` another number
of instances; `progress(fraction, message)` is told how far it is.
"""

from __future__ import annotations

from types import ModuleType

from . import astar_review, bcp2006, dialogue_thesis, silver2005, standley2010

PAPERS: dict[str, ModuleType] = {
    "silver2005": silver2005,
    "bcp2006": bcp2006,
    "standley2010": standley2010,
    "astar-review": astar_review,
    "dialogue-thesis": dialogue_thesis,
}
