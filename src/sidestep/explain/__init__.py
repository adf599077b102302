"""Questions about a run, and answers of which every claim has been recomputed."""

from __future__ import annotations

from typing import Any, overload

from ..budget import Budget
from ..dialogue.transcript import Transcript
from .answer import Answer, Cause
from .captions import captions, dialogue_captions, passings
from .claim import Claim
from .inquiry import Inquiry
from .step import Doing
from .summary import Share, Summary, summary_of

__all__ = [
    "Answer",
    "Cause",
    "Claim",
    "Doing",
    "Inquiry",
    "Share",
    "Summary",
    "captions",
    "dialogue_captions",
    "passings",
    "summarise",
    "why",
    "why_first",
    "why_not",
]


def why(
    run: Any,
    agent: int | str | None = None,
    time: int | None = None,
    *,
    transcript: Transcript | None = None,
    budget: Budget | None = None,
    detail: bool = False,
) -> Answer:
    """Says why an agent does what it does in one step, or why a run came to no plan.

    An answer is a list of claims, and every claim was recomputed. For a plan it says whom the agent would
    have met, and what it would have cost to let it go its way: a whole plan, judged. Of a solver with
    dialogues it also follows the told paths: with which utterance the step entered, which order forced it,
    which conflict that order settled, back to the first.

    Args:
        run: A result, a plan, what a plan file says, or a trace.
        agent: The index or the name of the agent. Left out, with `time`: why there is no plan.
        time: The time at which the step begins.
        transcript: What the agents said, where the run does not have it.
        budget: What the searches may use; two million nodes if None. If it runs out, the answer says so.
        detail: Whether the text is for experts: with dialogues, proposals and votes.

    Returns:
        The answer.

    Raises:
        InputError: There is no such agent or time, the plan is not valid, or the transcript is not that of
            the plan.
        ProtocolError: The transcript breaks the protocol of dialogues.
    """
    return Inquiry(run, transcript=transcript).why(agent, time, budget=budget, detail=detail)


def why_not(
    run: Any,
    agent: int | str,
    time: int,
    place: Any,
    *,
    transcript: Transcript | None = None,
    budget: Budget | None = None,
    detail: bool = False,
) -> Answer:
    """Says why an agent is not in a place at a time: too far, closed, or whom it would have met there.

    Args:
        run: A result, a plan or what a plan file says.
        agent: The index or the name of the agent.
        time: The time.
        place: The place: a cell of a grid, a vertex of a graph.
        transcript: What the agents said, where the run does not have it.
        budget: What the searches may use; two million nodes if None.
        detail: Whether the text is for experts.

    Returns:
        The answer.

    Raises:
        InputError: There is no such agent, time or place, or the run is not a whole valid plan of agents of
            one cell that move every turn.
    """
    inquiry = Inquiry(run, transcript=transcript)
    return inquiry.why_not(agent, time, place, budget=budget, detail=detail)


def why_first(
    run: Any,
    first: int | str,
    second: int | str,
    *,
    transcript: Transcript | None = None,
    detail: bool = False,
) -> Answer:
    """Says where one agent went before another, and in which dialogues they agreed on that.

    Args:
        run: As for `why`.
        first: The index or the name of the agent that went first.
        second: That of the other one.
        transcript: What the agents said, where the run does not have it.
        detail: Whether the text is for experts.

    Returns:
        The answer. If the second one came first, it says so.

    Raises:
        InputError: There is no such agent, or both are the same.
    """
    return Inquiry(run, transcript=transcript).why_first(first, second, detail=detail)


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
    """
    inquiry = Inquiry(run)
    if agent is not None:
        return summary_of(inquiry, inquiry.run.index(agent), budget)
    return tuple(summary_of(inquiry, one, budget) for one in range(inquiry.problem.n_agents))
