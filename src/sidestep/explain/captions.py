"""Captions for a replay: why agents wait, and what they had agreed on."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..budget import Budget
from ..dialogue.transcript import Transcript
from ..model.agents import IDLE
from ..model.caption import Caption
from ..model.plan import Plan
from .inquiry import Inquiry
from .talks import Talks

MOST = 1000  # captions of either kind on one page
SECONDS = 10.0  # for all answers, unless another budget is given


def captions(run: Any, *, limit: int = MOST, budget: Budget | None = None) -> list[Caption]:
    """One answer to *why* for every wait of a plan, given when the wait begins; the earliest up to a limit.

    A replay shows them under the map while the agent waits: `replay(run, captions=captions(run))`.
    """
    inquiry = Inquiry(run)
    allowance = Budget(seconds=SECONDS) if budget is None else budget
    found: list[Caption] = []
    for time, agent in _waits(inquiry.plan):
        if len(found) >= limit or allowance.exhausted:
            break
        answer = inquiry.why(agent, time)
        agents = dict.fromkeys((agent, *(cause.agent for cause in answer.because)))
        found.append(Caption(time, tuple(agents), " ".join(answer.text.split("\n")[:2])))
    return found


def _waits(plan: Plan) -> Iterator[tuple[int, int]]:
    """Time and agent of every unbroken wait off the goal, by time."""
    vertices, goals = plan.vertices, plan.problem.goals
    waits = (vertices[1:] == vertices[:-1]) & (vertices[1:] != goals) & (vertices[1:] != -1) & (goals != IDLE)
    begins = waits.copy()
    begins[1:] &= ~waits[:-1]
    yield from ((int(time), int(agent)) for time, agent in zip(*begins.nonzero(), strict=True))


def dialogue_captions(transcript: Transcript, plan: Plan, *, limit: int = MOST) -> list[Caption]:
    """One line for every dialogue, at the time of the conflict that it settles; the first up to a limit."""
    talks = Talks(transcript, plan)
    found: list[Caption] = []
    for account in talks.accounts():
        if len(found) >= limit:
            break
        time = min(account.time, plan.makespan)
        found.append(Caption(time, account.agents, talks.line(account), kind="dialogue"))
    return found
