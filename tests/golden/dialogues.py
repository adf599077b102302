"""Transcripts: what agents say to each other in the instances of the dialogue thesis."""

from __future__ import annotations

from functools import partial

import sidestep as ss

from . import parts, surface
from .parts import Cases, Parts

SOLVERS = ("pca", "dpca", "dpca+", "wdpca")


def cases() -> Cases:
    """Each solver of the family on instances of the thesis."""
    for solver in SOLVERS:
        for seed in range(10):
            yield f"{solver} {seed}", partial(talked, solver, seed)


def talked(solver: str, seed: int) -> Parts:
    """What was agreed on, what was said, and what was known after each utterance."""
    problem = surface.dialogue_problem(seed, fewest=8, most=26)
    result = ss.solve(problem, solver, time_limit=None, node_limit=30_000, seed=seed)
    transcript = result.transcript
    moments = (
        [[sorted(moment.paths.items()), sorted(moment.orders)] for moment in transcript.replay()]
        if len(transcript) < 400
        else []
    )
    return parts.of_result(result) | {
        "moments": moments,
        "file": surface.written("transcript", transcript),
    }
