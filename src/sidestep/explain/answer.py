"""An answer to why an agent does something, with its evidence; `check` runs all of it again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from ..judge import ViolationKind, validate
from ..model.agents import IDLE
from ..model.arrays import IntArray
from ..model.grid import Cell
from ..model.plan import Plan
from ..solvers.solver import path_matrix
from .proof import has_no_way
from .step import Doing, Ways, doing_at

if TYPE_CHECKING:
    from .talks import Background


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
    """Why an agent does what it does in the step from `time` to `time + 1`; `str(answer)` is the text.

    Attributes:
        plan: The plan that was asked about.
        agent: The index of the agent.
        time: The time at which the step begins.
        doing: What the agent does in it.
        text: The answer in words, a sentence or more per line.
        wish: The way that the agent would have liked to go, as vertices from `time` on.
        because: Whom it would have met there, the first one first.
        alternative: A whole plan in which it goes that way and the others go around it; None if none was
            found.
        blocked: Without an alternative: agents that cannot all get to their goals around the wish, as a rule
            a single one.
        around: A plan in which only this agent changes its way and is cheaper; None if there is none.
        talk: The account of the dialogue behind it, if there is one.
        verified: Whether all of this was run and is true.
    """

    plan: Plan = field(repr=False)
    agent: int
    time: int
    doing: Doing
    text: str
    wish: tuple[int, ...] = field(default=(), repr=False)
    because: tuple[Cause, ...] = ()
    alternative: Plan | None = None
    blocked: tuple[int, ...] = ()
    around: Plan | None = field(default=None, repr=False)
    talk: Background | None = field(default=None, repr=False)
    verified: bool = False

    def __str__(self) -> str:
        return self.text

    @property
    def sentence(self) -> str:
        """The first line of the text."""
        return self.text.partition("\n")[0]

    @property
    def cost_change(self) -> dict[str, int]:
        """What the alternative costs more than the plan (less than 0: a gain), by name, without those it is
        equal for.
        """
        return {} if self.alternative is None else _by_name(self.plan, self.alternative)

    @property
    def total(self) -> int | None:
        """What the alternative costs more than the plan; None if there is no alternative."""
        return None if self.alternative is None else self.alternative.cost - self.plan.cost

    @property
    def needless(self) -> bool:
        """Whether the agent could have had its way without a cost to anybody else."""
        name = self.plan.problem.names[self.agent]
        others = (change for who, change in self.cost_change.items() if who != name)
        return self.alternative is not None and all(change <= 0 for change in others)

    @property
    def sooner(self) -> int:
        """By how many steps the agent could have been cheaper with all others as they are."""
        return 0 if self.around is None else self.plan.cost - self.around.cost

    @property
    def dialogue(self) -> int | None:
        """The number of the dialogue that is behind it, in the transcript; None if there is none."""
        return None if self.talk is None else self.talk.dialogue

    def check(self) -> bool:
        """Runs the evidence again.

        Returns:
            Whether everything that the answer says is so.
        """
        return not self.faults()

    def faults(self) -> list[str]:
        """Runs the evidence again, and says what is wrong with it.

        Returns:
            A sentence for each thing in the answer that is not true; none if all of it is.
        """
        return list(_faults(self))

    def data(self) -> dict[str, Any]:
        """Makes a dictionary of lists, numbers and words only, as for JSON.

        Returns:
            What the answer says. Of the alternative there are the ways that differ from the plan's.
        """
        problem = self.plan.problem
        place, names = problem.space.place, problem.names
        here = int(self.plan.vertices[self.time, self.agent])
        return {
            "agent": names[self.agent],
            "time": self.time,
            "place": None if here == -1 else _plain(place(here)),
            "doing": str(self.doing),
            "text": self.text,
            "wish": [_plain(place(vertex)) for vertex in self.wish],
            "because": [
                {
                    "agent": names[cause.agent],
                    "place": _plain(cause.place),
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
            "dialogue": None if self.talk is None else self.talk.data(),
            "verified": self.verified,
        }

    def _changed_ways(self, other: Plan) -> dict[str, list[Any]]:
        place = self.plan.problem.space.place
        return {
            self.plan.problem.names[agent]: [_plain(place(v)) for v in _way(other, agent, self.time).tolist()]
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


def _by_name(plan: Plan, other: Plan) -> dict[str, int]:
    changes = (other.costs - plan.costs).tolist()
    return {name: change for name, change in zip(plan.problem.names, changes, strict=True) if change}


def _plain(place: Any) -> Any:
    return list(place) if isinstance(place, tuple) else place


# ------------------------------------------------------------------------------------------ the check


def _faults(answer: Answer) -> Iterator[str]:
    plan, agent, time = answer.plan, answer.agent, answer.time
    ways = Ways(plan.problem)
    if doing_at(plan, agent, time, ways) is not answer.doing:
        yield f"the agent does not do this: {answer.doing}"
    if not answer.doing.needs_a_reason:
        return
    if not answer.wish:
        yield "it is not known what the agent would have liked"
        return
    yield from _faults_of_wish(answer, ways)
    yield from _faults_of_causes(answer)
    if answer.alternative is not None:
        yield from _faults_of_change(answer, answer.alternative)
        if not np.array_equal(_way(answer.alternative, agent, time), np.array(answer.wish)):
            yield "in the alternative the agent does not go the way it would have liked"
    elif not answer.blocked:
        yield "there is neither an alternative nor anybody who has no way left"
    elif not has_no_way(plan, time, answer.blocked, agent, np.array(answer.wish, dtype=np.int32)):
        yield "those who are said to have no way left may have one"
    if answer.around is not None:
        yield from _faults_of_change(answer, answer.around)
        if changed_agents(plan, answer.around) != [agent] or answer.sooner <= 0:
            yield "with all others as they are the agent is not sooner"


def _faults_of_wish(answer: Answer, ways: Ways) -> Iterator[str]:
    """It begins where the agent is and is a shortest way, or stays where the agent likes to be."""
    here = int(answer.plan.vertices[answer.time, answer.agent])
    stays = answer.doing in (Doing.STEPS_OFF, Doing.MAKES_ROOM)
    steps = 0 if stays else ways.left(answer.agent, here)
    end = here if stays else int(answer.plan.problem.goals[answer.agent])
    if (answer.wish[:1], answer.wish[-1:], len(answer.wish)) != ((here,), (end,), steps + 1):
        yield "this is not the way that the agent would have liked best"


def _faults_of_causes(answer: Answer) -> Iterator[str]:
    """The judge sees the collisions, and no others, if only the agent has its way."""
    wish = np.array(answer.wish, dtype=np.int32)
    insisting = continued(answer.plan, answer.time, {answer.agent: wish})
    seen = validate(answer.plan.problem, insisting, limit=10**6).violations
    collisions = {(frozenset(one.agents), one.time, one.kind) for one in seen}
    if any(len(one.agents) != 2 for one in seen):
        yield "the way that the agent would have liked breaks other rules"
    for cause in answer.because:
        if (frozenset((answer.agent, cause.agent)), cause.time, cause.kind) not in collisions:
            yield f"there is no collision with agent {cause.agent} at time {cause.time}"
    met = {other for pair, _, _ in collisions for other in pair} - {answer.agent}
    if met != {cause.agent for cause in answer.because}:
        yield "others are in the agent's way, too"


def _faults_of_change(answer: Answer, other: Plan) -> Iterator[str]:
    """A plan that differs only from the time on, which the judge finds valid and as dear as it says."""
    plan, time = answer.plan, answer.time
    report = validate(plan.problem, other, limit=1)
    if not report:
        yield f"the other plan is not valid: {report.violations[0]}"
    elif report.cost != plan.cost + int((other.costs - plan.costs).sum()):
        yield "the changes of cost do not add up"
    if not np.array_equal(plan.vertices[: time + 1], other.vertices[: time + 1]):
        yield "the other plan differs before the time that was asked about"


def _way(plan: Plan, agent: int, time: int) -> IntArray:
    return rests(plan, time)[agent]
