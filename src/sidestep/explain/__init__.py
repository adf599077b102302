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
    """Says why an agent does what it does in one step, and proves it.

    The answer comes with its evidence: whom the agent would have met, and a whole plan in which it has its
    way, judged, with what that costs whom. Of a solver with dialogues it also says which dialogue is behind
    it.

    Args:
        run: A result, a plan, what a plan file says, or a trace in which nothing changed from outside.
        agent: The index or the name of the agent.
        time: The time at which the step begins.
        transcript: What the agents said, where the run does not have it.
        budget: What the searches may use; two million nodes if None. If it runs out, the answer says so.

    Returns:
        The answer.

    Raises:
        InputError: There is no such agent or time, the plan is not valid, or the transcript is not that of
            the plan.
        ProtocolError: The transcript breaks the protocol of dialogues.
        UnsupportedError: An agent is larger than a cell or needs several turns for a move.
    """
    return Inquiry(run, transcript=transcript).why(agent, time, budget=budget)


@overload
def summarise(run: Any, agent: int | str, *, budget: Budget | None = None) -> Summary: ...


@overload
def summarise(run: Any, agent: None = None, *, budget: Budget | None = None) -> tuple[Summary, ...]: ...


def summarise(
    run: Any, agent: int | str | None = None, *, budget: Budget | None = None
) -> Summary | tuple[Summary, ...]:
    """Adds up how long agents waited, for whom and where, and their detours likewise.

    Args:
        run: As for `why`.
        agent: The index or the name of an agent; None: all.
        budget: What all searches together may use; two million nodes for each step if None.

    Returns:
        The summary of the agent, or a tuple of those of all.

    Raises:
        InputError: There is no such agent, or the plan is not valid.
        UnsupportedError: An agent is larger than a cell or needs several turns for a move.
    """
    inquiry = Inquiry(run)
    if agent is not None:
        return summary_of(inquiry, inquiry.problem.index(agent), budget)
    return tuple(summary_of(inquiry, one, budget) for one in range(inquiry.problem.n_agents))
