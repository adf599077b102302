"""An answer: a list of claims, the sentences that are made of them, and whether all of them were checked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeVar

import numpy as np

from ..judge import ViolationKind
from ..model.agents import IDLE
from ..model.arrays import IntArray
from ..model.grid import Cell
from ..model.plan import Plan
from ..solvers.solver import path_matrix
from .checker import Checker
from .claim import Claim
from .claims import Alternative, Chain, Does, Meets, NoWayAround, Sooner, Way
from .grounds import Grounds
from .step import Doing
from .wording import Words

Kind = TypeVar("Kind", bound=Claim)


@dataclass(frozen=True)
class Cause:
    """Whom an agent would have collided with, had it done what it would have liked: where, when and how.

    `time` is that of the end of the step, as for a Violation of the judge, and `kind` one of its collisions.
    """

    agent: int
    place: Cell | int
    time: int
    kind: ViolationKind


@dataclass(frozen=True, eq=False)
class Answer:
    """Claims that answer a question; `str(answer)` is the text.

    Attributes:
        grounds: The run that was asked about, and all that claims are checked against.
        question: `why`, `why_not`, `why_first` or `why_failed`.
        claims: All that the answer says.
        agent: The index of the agent that the question is about; None if it is about the whole run.
        time: The time at which the step begins that the question is about, if it is about one.
        detail: Whether the text is that for experts: with dialogues, proposals and votes.
        verified: Whether every claim was recomputed, and all of them are so.
    """

    grounds: Grounds = field(repr=False)
    question: str
    claims: tuple[Claim, ...] = field(repr=False)
    agent: int | None = None
    time: int | None = None
    detail: bool = False
    verified: bool = False

    @cached_property
    def text(self) -> str:
        """The answer in words, a sentence or more per line."""
        return Words(self.grounds).tell(self.claims, detail=self.detail)

    def __str__(self) -> str:
        return self.text

    @property
    def sentence(self) -> str:
        """The first line of the text."""
        return self.text.partition("\n")[0]

    @property
    def plan(self) -> Plan | None:
        """The plan that was asked about."""
        return self.grounds.plan

    def of_kind(self, kind: type[Kind]) -> tuple[Kind, ...]:
        """Picks claims.

        Args:
            kind: The class of claims that is wanted.

        Returns:
            Those of the answer.
        """
        return tuple(claim for claim in self.claims if isinstance(claim, kind))

    @property
    def doing(self) -> Doing | None:
        """What the agent does in the step."""
        does = [claim for claim in self.of_kind(Does) if claim.agent == self.agent]
        return Doing(does[0].doing) if does else None

    @property
    def wish(self) -> tuple[int, ...]:
        """The way that the agent would have liked to go, as vertices from `time` on."""
        return next((claim.path for claim in self.of_kind(Way)), ())

    @property
    def because(self) -> tuple[Cause, ...]:
        """Whom it would have met there, the first one first."""
        place = self.grounds.problem.space.place
        met = self.of_kind(Meets)
        return tuple(
            Cause(one.other, place(one.place), one.when, ViolationKind(one.collision)) for one in met
        )

    @property
    def alternative(self) -> Plan | None:
        """A whole plan in which it goes that way and the others go around it; None if none was found."""
        return next((claim.plan for claim in self.of_kind(Alternative)), None)

    @property
    def blocked(self) -> tuple[int, ...]:
        """Without an alternative: agents that cannot all get to their goals around the wish."""
        return next((claim.agents for claim in self.of_kind(NoWayAround)), ())

    @property
    def around(self) -> Plan | None:
        """A plan in which only this agent changes its way and is cheaper; None if there is none."""
        return next((claim.plan for claim in self.of_kind(Sooner)), None)

    @property
    def cost_change(self) -> dict[str, int]:
        """What the alternative costs more than the plan (less than 0: a gain), by name, without those it is
        equal for.
        """
        names = self.grounds.problem.names
        return {names[agent]: by for claim in self.of_kind(Alternative) for agent, by in claim.changes}

    @property
    def total(self) -> int | None:
        """What the alternative costs more than the plan; None if there is no alternative."""
        return next((claim.total for claim in self.of_kind(Alternative)), None)

    @property
    def needless(self) -> bool:
        """Whether the agent could have had its way without a cost to anybody else."""
        found = self.of_kind(Alternative)
        return bool(found) and all(by <= 0 for agent, by in found[0].changes if agent != self.agent)

    @property
    def sooner(self) -> int:
        """By how many steps the agent could have been cheaper with all others as they are."""
        return next((claim.by for claim in self.of_kind(Sooner)), 0)

    @property
    def dialogues(self) -> tuple[int, ...]:
        """The numbers of all dialogues that the step goes back to, the one right behind it first."""
        return next((claim.dialogues for claim in self.of_kind(Chain)), ())

    @property
    def dialogue(self) -> int | None:
        """The number of the dialogue that is behind it, in the transcript; None if there is none."""
        return next(iter(self.dialogues), None)

    def check(self) -> bool:
        """Recomputes every claim.

        Returns:
            Whether everything that the answer says is so.
        """
        return not self.faults()

    def faults(self) -> list[str]:
        """Recomputes every claim, and says what is wrong.

        Returns:
            A sentence for each thing in the answer that is not so; none if all of it is.
        """
        return Checker(self.grounds).faults(self.claims)

    def data(self) -> dict[str, Any]:
        """Makes a dictionary of lists, numbers and words only, as for JSON.

        Returns:
            What the answer says. Of the alternative there are the ways that differ from the plan's.
        """
        problem = self.grounds.problem
        place, names = problem.space.place, problem.names
        does = next((one for one in self.of_kind(Does) if one.agent == self.agent), None)
        here = -1 if does is None else does.here
        return {
            "question": self.question,
            "agent": None if self.agent is None else names[self.agent],
            "time": self.time,
            "place": None if here == -1 else plain(place(here)),
            "doing": None if self.doing is None else str(self.doing),
            "text": self.text,
            "claims": [claim.data(names, place) for claim in self.claims],
            "wish": [plain(place(vertex)) for vertex in self.wish],
            "because": [
                {
                    "agent": names[cause.agent],
                    "place": plain(cause.place),
                    "time": cause.time,
                    "kind": str(cause.kind),
                }
                for cause in self.because
            ],
            "needless": self.needless,
            "cost_change": self.cost_change,
            "total": self.total,
            "sooner": self.sooner,
            "blocked": [names[agent] for agent in self.blocked],
            "alternative": None if self.alternative is None else self._changed_ways(self.alternative),
            "dialogue": self.dialogue,
            "dialogues": list(self.dialogues),
            "verified": self.verified,
        }

    def _changed_ways(self, other: Plan) -> dict[str, list[Any]]:
        place, names = self.grounds.problem.space.place, self.grounds.problem.names
        since = next(claim.time for claim in self.of_kind(Alternative))
        assert self.plan is not None
        ways = rests(other, since)
        return {
            names[agent]: [plain(place(vertex)) for vertex in ways[agent].tolist()]
            for agent in changed_agents(self.plan, other)
        }


def continued(plan: Plan, time: int, ways: Mapping[int, IntArray]) -> Plan:
    """The plan up to a time, and from then on these ways; who is not among them goes as planned."""
    problem = plan.problem
    paths = [ways.get(agent, rest) for agent, rest in enumerate(rests(plan, time))]
    return Plan(problem, np.vstack([plan.vertices[:time], path_matrix(problem, paths)]))


def rests(plan: Plan, time: int) -> list[IntArray]:
    """Per agent its path from a time on, up to where it stays or is gone; [-1] if it is gone already."""
    later = plan.vertices[time:]
    gone = later == -1
    # The last row that differs from the end; who is gone at the end is last seen there.
    changes = np.where(gone[-1], ~gone, later != later[-1])
    last = len(later) - np.argmax(changes[::-1], axis=0)
    counts = np.where(changes.any(axis=0), np.where(gone[-1], last, last + 1), 1)
    return [np.ascontiguousarray(later[:count, agent]) for agent, count in enumerate(counts.tolist())]


def changed_agents(plan: Plan, other: Plan) -> list[int]:
    """Whose ways are not the same in two plans."""
    rows = max(len(plan.vertices), len(other.vertices))
    one, two = (_extended(which, rows) for which in (plan, other))
    return [int(agent) for agent in np.flatnonzero((one != two).any(axis=0))]


def _extended(plan: Plan, rows: int) -> IntArray:
    more: IntArray = np.pad(plan.vertices, ((0, rows - len(plan.vertices)), (0, 0)), mode="edge")
    if plan.problem.rules.at_goal == "disappear":
        more[len(plan.vertices) :, plan.problem.goals != IDLE] = -1
    return more


def plain(place: Any) -> Any:
    """A place as JSON has it."""
    return list(place) if isinstance(place, tuple) else place
