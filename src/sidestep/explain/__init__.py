"""Questions about a plan, and answers that have been checked by running them."""

from __future__ import annotations

from typing import Any, overload

from ..budget import Budget
from ..dialogue.transcript import Transcript
from .answer import Answer, Cause
from .captions import captions, dialogue_captions
from .inquiry import Inquiry
from .step import Doing
from .summary import Share, Summary, summary_of
from .talks import Account, Background, Offer

__all__ = [
    "Account",
    "Answer",
    "Background",
    "Cause",
    "Doing",
    "Inquiry",
    "Offer",
    "Share",
    "Summary",
    "captions",
    "dialogue_captions",
    "summarise",
    "why",
]


def why(
    run: Any,
    agent: int | str,
    time: int,
    *,
    transcript: Transcript | None = None,
    budget: Budget | None = None,
) -> Answer:
    """Why an agent does what it does in the step from `time` to the next, in a result or a plan.

    The answer comes with its evidence: whom the agent would have met, and a whole plan in which it has its
    way, judged, with what that costs whom. Of a solver whose agents argue it also says which dialogue is
    behind it; `transcript` brings one that the run does not have. `budget` limits the searches.
    """
    return Inquiry(run, transcript=transcript).why(agent, time, budget=budget)


@overload
def summarise(run: Any, agent: int | str, *, budget: Budget | None = None) -> Summary: ...


@overload
def summarise(run: Any, agent: None = None, *, budget: Budget | None = None) -> tuple[Summary, ...]: ...


def summarise(
    run: Any, agent: int | str | None = None, *, budget: Budget | None = None
) -> Summary | tuple[Summary, ...]:
    """How long an agent waited for whom and where, and its detours likewise; without an agent, for all."""
    inquiry = Inquiry(run)
    if agent is not None:
        return summary_of(inquiry, inquiry.problem.index(agent), budget)
    return tuple(summary_of(inquiry, one, budget) for one in range(inquiry.problem.n_agents))
