"""All that an agent did not like, added up: how long it waited for whom, and where."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from ..budget import Budget
from ..dialogue.negotiation import OutOfBudget
from ..model.grid import Cell
from .inquiry import Inquiry
from .phrases import listed, steps
from .step import Doing


@dataclass(frozen=True)
class Share:
    """Steps of one kind that have one reason: the agent in the way, and where; None for nobody."""

    steps: int
    agent: int | None
    place: Cell | int | None


@dataclass(frozen=True, eq=False)
class Summary:
    """What an agent did that it would rather not have done, by reason; `str(summary)` is the text.

    In each tuple the most frequent reason is first.

    Attributes:
        names: The names of all agents.
        agent: The index of the agent.
        waits: Its waits.
        detours: Its moves that brought it no nearer to its goal.
        steps_off: Its steps off its goal.
        makes_room: Its moves without a goal, out of the way of others.
        unknown: How many steps there are whose reason was not found within the budget.
    """

    names: tuple[str, ...] = field(repr=False)
    agent: int
    waits: tuple[Share, ...] = ()
    detours: tuple[Share, ...] = ()
    steps_off: tuple[Share, ...] = ()
    makes_room: tuple[Share, ...] = ()
    unknown: int = 0  # steps whose reason was not found within the budget

    @property
    def text(self) -> str:
        """One sentence: what it did, how often, and for whom."""
        told = [
            f"{verb} {steps(_total(shares))} in all: {self.reasons(shares, word)}"
            for verb, word, shares in (
                ("waited", "for", self.waits),
                ("made detours of", "around", self.detours),
                ("stepped off its goal for", "for", self.steps_off),
                ("made room for", "for", self.makes_room),
            )
            if shares
        ]
        if self.unknown:
            told.append(f"the reason of {steps(self.unknown)} was not found within the limits")
        return f"{self.names[self.agent]} {'; '.join(told) or 'always went on'}."

    def __str__(self) -> str:
        return self.text

    def reasons(self, shares: tuple[Share, ...], word: str = "for") -> str:
        """Lists reasons in words: `4 for b at (3, 9) and 2 for nobody`.

        Args:
            shares: The steps of each reason.
            word: What stands before the name.

        Returns:
            The words.
        """
        names = self.names
        return listed(
            [
                f"{share.steps} {word} nobody"
                if share.agent is None
                else f"{share.steps} {word} {names[share.agent]} at {share.place}"
                for share in shares
            ]
        )

    def data(self) -> dict[str, Any]:
        """Makes a dictionary of lists, numbers and words only, as for JSON.

        Returns:
            What the summary says.
        """
        names = self.names
        kinds = ("waits", "detours", "steps_off", "makes_room")
        return {
            "agent": names[self.agent],
            "text": self.text,
            **{
                kind: [
                    {
                        "steps": share.steps,
                        "agent": None if share.agent is None else names[share.agent],
                        "place": list(share.place) if isinstance(share.place, tuple) else share.place,
                    }
                    for share in getattr(self, kind)
                ]
                for kind in kinds
            },
            "unknown": self.unknown,
        }


def summary_of(inquiry: Inquiry, agent: int, budget: Budget | None = None) -> Summary:
    """Asks about every step of an agent who is in its way."""
    counts: dict[Doing, Counter[tuple[int | None, Any]]] = {}
    unknown = 0
    for time in range(inquiry.run.first, inquiry.run.last):
        doing = inquiry.doing(agent, time)
        if not doing.needs_a_reason:
            continue
        try:
            causes = inquiry.because(agent, time, budget)
        except OutOfBudget:
            unknown += 1
            continue
        reason = (causes[0].agent, causes[0].place) if causes else (None, None)
        counts.setdefault(doing, Counter())[reason] += 1
    shares = {doing: _shares(counted) for doing, counted in counts.items()}
    return Summary(
        inquiry.problem.names,
        agent,
        waits=shares.get(Doing.WAITS, ()),
        detours=shares.get(Doing.DETOURS, ()),
        steps_off=shares.get(Doing.STEPS_OFF, ()),
        makes_room=shares.get(Doing.MAKES_ROOM, ()),
        unknown=unknown,
    )


def _shares(counted: Counter[tuple[int | None, Any]]) -> tuple[Share, ...]:
    """The most frequent first; nobody last."""
    ordered = sorted(counted.items(), key=lambda one: (one[0][0] is None, -one[1], one[0][0] or 0))
    return tuple(Share(count, agent, place) for (agent, place), count in ordered)


def _total(shares: tuple[Share, ...]) -> int:
    return sum(share.steps for share in shares)
