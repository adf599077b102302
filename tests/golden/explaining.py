"""Answers to why, without their sentences."""

from __future__ import annotations

from functools import partial
from typing import Any

import sidestep as ss

from . import surface
from .parts import Cases, Parts

SOLVERS = ("whca", "hca", "od-id", "dpca", "wdpca")


def cases() -> Cases:
    """Some solvers, each asked about several agents and times."""
    for solver in SOLVERS:
        for seed in range(3):
            yield f"{solver} {seed}", partial(asked, solver, seed)


def asked(solver: str, seed: int) -> Parts:
    """What agents wished, whom they would have met, and what would have become of the others."""
    problem = surface.random_problem(surface.random_grid(9, 9, 0.2, seed), 8, seed)
    result = ss.solve(problem, solver, time_limit=None, node_limit=50_000, seed=seed)
    assert result.plan is not None
    times = [(agent, time) for agent in range(3) for time in range(0, result.plan.makespan, 2)]
    answers = [_answer(ss.why(result, *asked, budget=ss.Budget(None, 20_000))) for asked in times]
    summaries = ss.summarise(result, budget=ss.Budget(None, 20_000))
    return {"answers": answers, "summaries": [_summary(summary) for summary in summaries]}


def _answer(answer: ss.Answer) -> Any:
    met = [[cause.agent, cause.place, cause.time, cause.kind] for cause in answer.because]
    plans = [None if plan is None else plan.vertices for plan in (answer.alternative, answer.around)]
    return [answer.doing, answer.wish, met, plans, answer.blocked, answer.dialogue, answer.verified]


def _summary(summary: ss.Summary) -> Any:
    kinds = (summary.waits, summary.detours, summary.steps_off, summary.makes_room)
    return [[[share.steps, share.agent, share.place] for share in shares] for shares in kinds]
