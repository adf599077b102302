"""Questions about one run: who finds the claims of an answer, and has them checked."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..budget import Budget
from ..dialogue.negotiation import OutOfBudget
from ..dialogue.protocol import check_protocol
from ..dialogue.transcript import Transcript
from ..judge import validate
from ..model.arrays import whole_number
from ..model.errors import InputError, UnsupportedError
from ..model.problem import Problem
from .accounts import Accounts
from .answer import Answer, Cause
from .bodies import Bodies
from .checker import Checker
from .claim import Claim
from .claims import Does, Instead, Lasts, NotFound
from .failure import claims_of_failure
from .history import History
from .jam import Jams
from .passing import claims_of_passing
from .run import Run, grounds_of
from .step import Doing, Ways, does_at
from .what_if import WhatIf

NODES = 2_000_000  # of the searches for one answer, unless another budget is given


class Inquiry:
    """A run that can be asked about; many questions about one run are faster through one inquiry.

    `run` is a plan, a result, what a plan file says, or a trace. A `transcript`, unless the result brings
    one, must be that of the run. Only valid plans are asked about.
    """

    def __init__(self, run: Any, *, transcript: Any = None) -> None:
        self.grounds = grounds_of(run, transcript)
        self.run = Run(self.grounds)
        self.plan, self.problem = self.grounds.plan, self.grounds.problem
        if self.problem.agents.any_turning:
            raise UnsupportedError("answers are about agents that go any way: these have to turn first")
        self._refuse_broken_plans()
        self._ways = Ways(self.run)
        unit = self.problem.agents.all_unit
        self._what_if = WhatIf(self.plan, self._ways) if self.plan is not None and unit else None
        self._bodies = Bodies(self.run, self._ways)
        self._jams = Jams(self.run, self._ways)
        if isinstance(transcript, Transcript):
            check_protocol(transcript)  # it comes from elsewhere
        self._history = None if self.grounds.transcript is None else History(self.run)
        self._accounts = None if self._history is None else Accounts(self._history)
        if transcript is not None and self._history is not None:
            self._history.require_same_run()
        self._checker = Checker(self.grounds)

    def _refuse_broken_plans(self) -> None:
        if self.plan is not None and isinstance(self.problem, Problem):
            report = validate(self.problem, self.plan, limit=1)
            if not report:
                sentence = report.violations[0].sentence(self.problem.names)
                raise InputError(f"the plan is not valid, so nobody can say why: {sentence}")

    # Questions

    def doing(self, agent: int | str, time: int) -> Doing:
        """What the agent does in the step that begins at a time."""
        return Doing(does_at(self.run, self.run.index(agent), self._time(time), self._ways).doing)

    def needs_a_reason(self, agent: int | str, time: int) -> bool:
        """Would the agent have done something else, had it been alone?"""
        who, when = self.run.index(agent), self._time(time)
        return self.doing(who, when).needs_a_reason or self._instead(who, when) is not None

    def why(
        self,
        agent: int | str | None = None,
        time: int | None = None,
        *,
        budget: Budget | None = None,
        detail: bool = False,
    ) -> Answer:
        """Why the agent does what it does from this time to the next; without one, why the run failed."""
        if agent is None and time is None:
            return self._why_failed(detail)
        if agent is None or time is None:
            raise InputError("one asks why of an agent and a time")
        who, when, allowance = self.run.index(agent), self._time(time), _budget(budget)
        does = does_at(self.run, who, when, self._ways)
        claims: list[Claim] = [does]
        if does.doing == Doing.WAITS and when < self.run.last:
            claims.append(self._lasts(does))
        if Doing(does.doing).needs_a_reason:
            claims += self._reasons(does, allowance)
        if (instead := self._instead(who, when)) is not None:
            claims.append(instead)
        if self._accounts is not None:
            claims += self._accounts.behind(who, when)
        return self._answered("why", claims, who, when, detail)

    def why_not(
        self, agent: int | str, time: int, place: Any, *, budget: Budget | None = None, detail: bool = False
    ) -> Answer:
        """Why the agent is not in a place at a time."""
        if self._what_if is None:
            raise InputError(
                "one can ask why not only of a whole plan of agents of one cell that move every turn"
            )
        who, when = self.run.index(agent), self._time(time)
        vertex = self.run.space.vertex(place)
        claims = list(self._what_if.why_not(who, when, vertex, _budget(budget)))
        return self._answered("why_not", claims, who, when, detail)

    def why_first(self, first: int | str, second: int | str, *, detail: bool = False) -> Answer:
        """Why one agent went before another."""
        one, two = self.run.index(first), self.run.index(second)
        if one == two:
            raise InputError("one asks of two agents who went first")
        claims = list(claims_of_passing(self.run, one, two))
        if self._accounts is not None:
            claims += self._accounts.between(one, two)
        return self._answered("why_first", claims, one, None, detail)

    def without_effect(self) -> Answer:
        """The dialogues that no step goes back to, and what became of each."""
        if self._accounts is None:
            raise InputError("the agents of this run said nothing to each other")
        return self._answered("without_effect", self._accounts.without_effect(), None, None, True)

    def because(self, agent: int, time: int, budget: Budget | None = None) -> tuple[Cause, ...]:
        """Only who is in the way of the agent at a time, the first one first; nobody, if nobody is."""
        if self._what_if is not None:
            return self._what_if.because(agent, time, _budget(budget))
        does = does_at(self.run, agent, time, self._ways)
        return Answer(self.grounds, "why", tuple(self._reasons(does, _budget(budget))), agent, time).because

    # Claims

    def _why_failed(self, detail: bool) -> Answer:
        if self.plan is not None or self.grounds.trace is not None:
            raise InputError("one asks why of an agent and a time")
        claims = list(claims_of_failure(self.run, self._history, self._accounts, self._ways))
        return self._answered("why_failed", claims, None, None, detail)

    def _reasons(self, does: Does, budget: Budget) -> Iterable[Claim]:
        if self._what_if is not None:
            try:
                return self._what_if.claims(does, budget)
            except OutOfBudget:
                return [NotFound(does.agent, does.time, "reason", budget.why())]
        if self.plan is not None:
            return self._bodies.claims(does)
        return self._jams.claims(does)

    def _instead(self, agent: int, time: int) -> Instead | None:
        alone = None if self._history is None else self._history.alone(agent, time)
        there = self.run.at(agent, time + 1)
        if alone is None or alone == there or self.run.at(agent, time) == -1:
            return None
        return Instead(agent, time, there, alone)

    def _lasts(self, does: Does) -> Lasts:
        since, until = does.time, does.time + 1
        while since > self.run.first and self.run.at(does.agent, since - 1) == does.here:
            since -= 1
        while until < self.run.last and self.run.at(does.agent, until + 1) == does.here:
            until += 1
        if until < self.run.last:
            until -= int(self.problem.periods[does.agent]) - 1  # by then it is in the middle of a move
        return Lasts(does.agent, does.here, since, until)

    def _answered(
        self, question: str, claims: Iterable[Claim], agent: int | None, time: int | None, detail: bool
    ) -> Answer:
        told = tuple(claims)
        faults = self._checker.faults(told)
        return Answer(self.grounds, question, told, agent, time, detail, verified=not faults)

    def _time(self, time: int) -> int:
        when = whole_number(time, "a time")
        if self.plan is None and self.grounds.trace is None:
            reason = self.grounds.reason
            raise InputError(f"there is no plan to ask about{': ' + reason if reason else ''}")
        if self.grounds.trace is not None and when == self.run.last:
            raise InputError(f"nobody knows yet what happens from time {when} on: it is the end of the trace")
        if not self.run.first <= when <= self.run.last:
            raise InputError(
                f"a time is from {self.run.first} to {self.run.last}, the end of the plan, not {when}"
            )
        return when


def _budget(budget: Any) -> Budget:
    if budget is None:
        return Budget(nodes=NODES)
    if not isinstance(budget, Budget):
        raise InputError(f"budget must be a Budget, not {type(budget).__name__}")
    return budget
