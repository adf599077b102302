"""Captions for a replay: why agents wait, who went before whom, and what they had agreed on."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from ..budget import Budget
from ..dialogue.transcript import Transcript
from ..model.agents import IDLE
from ..model.caption import Caption
from ..model.errors import InputError
from ..model.plan import Plan
from .claims import Topic
from .history import History
from .inquiry import Inquiry
from .run import ABSENT, Run, grounds_of
from .talk_wording import TalkWords

MOST = 1000  # captions of either kind on one page
SECONDS = 10.0  # for all answers, unless another budget is given


def captions(run: Any, *, limit: int = MOST, budget: Budget | None = None) -> list[Caption]:
    """One answer to *why* for every wait of a plan, given when the wait begins; the earliest up to a limit.

    A replay shows them under the map while the agent waits: `replay(run, captions=captions(run))`.
    """
    inquiry = Inquiry(run)
    if inquiry.plan is None:
        raise InputError("one can only ask about every wait of a whole plan")
    allowance = Budget(seconds=SECONDS) if budget is None else budget
    found: list[Caption] = []
    for time, agent in _waits(inquiry.plan):
        if len(found) >= limit or allowance.exhausted:
            break
        answer = inquiry.why(agent, time)
        agents = dict.fromkeys((agent, *(cause.agent for cause in answer.because)))
        found.append(Caption(time, tuple(agents), " ".join(answer.text.split("\n")[:2])))
    return found


def passings(run: Any, *, limit: int = MOST, budget: Budget | None = None) -> list[Caption]:
    """One answer to `why_first` for each two agents that come to one place right after each other.

    It is given when the second one comes there; the earliest up to a limit. The card of an agent in a replay
    shows them: `replay(run, captions=captions(run) + passings(run))`.
    """
    inquiry = Inquiry(run)
    if inquiry.plan is None:
        raise InputError("one can only ask about all that pass each other in a whole plan")
    allowance = Budget(seconds=SECONDS) if budget is None else budget
    found: list[Caption] = []
    for (first, second), time in _meetings(inquiry.plan).items():
        if len(found) >= limit or allowance.exhausted:
            break
        text = " ".join(inquiry.why_first(first, second).text.split("\n"))
        found.append(Caption(time, (first, second), text, kind="first"))
    return found


def _meetings(plan: Plan) -> dict[tuple[int, int], int]:
    """Who comes to a place next after whom, and when for the first time; by time."""
    last = {int(place): agent for agent, place in enumerate(plan.vertices[0])}
    found: dict[tuple[int, int], int] = {}
    for time in range(1, len(plan.vertices)):
        before, now = plan.vertices[time - 1], plan.vertices[time]
        moved = ((now != before) & (now != ABSENT)).nonzero()[0]
        pairs = [(last.get(int(now[agent]), agent), int(agent)) for agent in moved]
        found = {pair: time for pair in pairs if pair[0] != pair[1]} | found
        last |= {int(now[agent]): int(agent) for agent in moved}
    return dict(sorted(found.items(), key=lambda one: one[1]))


def _waits(plan: Plan) -> Iterator[tuple[int, int]]:
    """Time and agent of every unbroken wait off the goal, by time."""
    vertices, goals = plan.vertices, plan.problem.goals
    waits = (vertices[1:] == vertices[:-1]) & (vertices[1:] != goals) & (vertices[1:] != -1) & (goals != IDLE)
    begins = waits.copy()
    begins[1:] &= ~waits[:-1]
    yield from ((int(time), int(agent)) for time, agent in zip(*begins.nonzero(), strict=True))


def dialogue_captions(transcript: Transcript, plan: Plan, *, limit: int = MOST) -> list[Caption]:
    """One line for every dialogue with an order, at the time of its conflict; the first up to a limit."""
    grounds = grounds_of(plan, transcript)
    history, words = History(Run(grounds)), TalkWords(grounds)
    found: list[Caption] = []
    for number, talk in sorted(history.talks.items()):
        about = history.about(number)
        if talk.adopted is None or about is None:
            continue
        if len(found) >= limit:
            break
        topic = Topic(number, talk.topic.agents, about.place, about.when, about.kind)
        offers = [
            (one.order, None if one.vetoed_by is not None else math.fsum(one.votes.values()))
            for one in talk.offers
        ]
        text = words.line(topic, talk.adopted, offers)
        found.append(Caption(min(about.when, plan.makespan), talk.topic.agents, text, kind="dialogue"))
    return found
