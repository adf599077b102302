"""Questions about one plan."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from typing import Any

import numpy as np

from ..budget import Budget
from ..dialogue.negotiation import OutOfBudget
from ..dialogue.protocol import check_protocol
from ..dialogue.transcript import Transcript
from ..judge import validate
from ..model.arrays import IntArray, whole_number
from ..model.errors import InputError, UnsupportedError
from ..model.events import EventKind
from ..model.plan import Plan
from ..model.problem import Problem
from ..model.trace import Trace
from .answer import Answer, Cause, continued
from .counterfactual import ATTEMPTS, Fork, NoWay
from .step import Doing, Ways, doing_at
from .talks import Talks
from .wishes import Wishes
from .wording import Words

NODES = 2_000_000  # of the searches for one answer, unless another budget is given


class Inquiry:
    """A plan that can be asked about; many questions about one plan are faster through one inquiry.

    `run` is a plan, a result, what a plan file says, or a trace in which nothing changed from outside. A
    `transcript`, unless the result brings one, must be that of the plan. Only valid plans are asked about.
    """

    def __init__(self, run: Any, *, transcript: Transcript | None = None) -> None:
        self.plan = plan_of(run)
        self.problem = self.plan.problem
        if not self.problem.all_unit:
            raise UnsupportedError("one can only ask why of agents that cover one cell and move every turn")
        report = validate(self.problem, self.plan, limit=1)
        if not report:
            sentence = report.violations[0].sentence(self.problem.names)
            raise InputError(f"the plan is not valid, so nobody can say why: {sentence}")
        self._ways, self._words = Ways(self.problem), Words(self.plan)
        self._fork, self._wishes = Fork(self.plan), Wishes(self.plan)
        self._talks = _talks_of(run, transcript, self.plan)

    def doing(self, agent: int | str, time: int) -> Doing:
        """What the agent does in the step that begins at a time."""
        return doing_at(self.plan, self.problem.index(agent), self._time(time), self._ways)

    def why(self, agent: int | str, time: int, *, budget: Budget | None = None) -> Answer:
        """Why the agent does what it does from this time to the next; the answer has been checked."""
        who, when, allowance = self.problem.index(agent), self._time(time), _budget(budget)
        doing = doing_at(self.plan, who, when, self._ways)
        if not doing.needs_a_reason:
            text = self._words.contented(doing, who, when, self._ways)
            answer = Answer(self.plan, who, when, doing, text)
        else:
            answer = self._reasoned(doing, who, when, allowance)
        return replace(answer, verified=answer.check())

    def because(self, agent: int, time: int, budget: Budget | None = None) -> tuple[Cause, ...]:
        """Only who is in the way of the agent at a time, the first one first; nobody, if nobody is."""
        allowance = _budget(budget)
        self._fork.begin(time)
        free = self._free_wish(agent, time, self._fork.around_all(agent, allowance))
        if free is not None:
            return ()
        return self._fork.in_the_way(agent, next(self._wishes.of(agent, time, self._ways.left, allowance)))

    # One answer

    def _reasoned(self, doing: Doing, agent: int, time: int, budget: Budget) -> Answer:
        """The answer about a step that the agent would rather not have made."""
        answer = Answer(self.plan, agent, time, doing, "")
        try:
            answer = self._what_if(answer, budget)
        except OutOfBudget:
            return replace(answer, text=self._words.unknown(answer, budget.why()))
        talk = None if self._talks is None else self._talks.behind(agent, answer.because, time)
        lines = [self._words.reason(answer), self._consequence(answer, budget)]
        if farther := self._words.farther(answer):
            lines.append(farther)
        if answer.sooner and not answer.needless:
            lines.append(self._words.sooner(agent, answer.sooner))
        lines.extend(() if talk is None else talk.lines)
        return replace(answer, text="\n".join(lines), talk=talk)

    def _what_if(self, answer: Answer, budget: Budget) -> Answer:
        """Looks for a plan in which the agent has its way."""
        agent, time = answer.agent, answer.time
        if budget.exhausted:
            raise OutOfBudget
        self._fork.begin(time)
        around = self._fork.around_all(agent, budget)
        free = self._free_wish(agent, time, around)
        if free is not None:
            return self._with_paths(replace(answer, wish=tuple(free.tolist())), {agent: free})
        better = None if around is None else continued(self.plan, time, {agent: around})
        if better is not None and better.cost < self.plan.cost:
            answer = replace(answer, around=better)
        return self._let_go_first(answer, budget)

    def _let_go_first(self, answer: Answer, budget: Budget) -> Answer:
        """Others make way for the first wish for which they can, one by one or else jointly."""
        blocked: list[Answer] = []
        undecided: list[Answer] = []
        for tried in self._wished(answer, budget):
            wish = np.array(tried.wish, dtype=np.int32)
            try:
                return self._with_paths(tried, self._fork.let_go_first(answer.agent, wish, budget))
            except NoWay as none:
                wishes = blocked if none.agents else undecided
                wishes.append(replace(tried, blocked=none.agents))
            except OutOfBudget:
                undecided.append(tried)
        for tried in undecided:
            wish = np.array(tried.wish, dtype=np.int32)
            with suppress(NoWay):
                return self._with_paths(tried, self._fork.let_go_first_jointly(tried.agent, wish, budget))
        return (blocked + undecided)[0]

    def _wished(self, answer: Answer, budget: Budget) -> Iterator[Answer]:
        """The answer with one way after another that the agent would have liked, while the budget lasts."""
        agent, time = answer.agent, answer.time
        for wish in self._wishes.of(agent, time, self._ways.left, budget):
            yield replace(answer, wish=tuple(wish.tolist()), because=self._fork.in_the_way(agent, wish))
            if budget.exhausted:
                return

    def _with_paths(self, answer: Answer, paths: dict[int, IntArray]) -> Answer:
        return replace(answer, alternative=continued(self.plan, answer.time, paths))

    def _free_wish(self, agent: int, time: int, around: IntArray | None) -> IntArray | None:
        """A shortest way that collides with nobody, if there is one: then nobody else is the reason."""
        if around is None:
            return None
        here, goal = int(self.plan.vertices[time, agent]), int(self.problem.goals[agent])
        stays = goal in (here, -1)
        return around if len(around) - 1 == (0 if stays else self._ways.left(agent, here)) else None

    def _consequence(self, answer: Answer, budget: Budget) -> str:
        if answer.total is not None:
            return self._words.cost(answer, answer.total)
        if answer.blocked:
            return self._words.blocked(answer)
        limit = budget.why() or f"{ATTEMPTS} orders and a joint search were tried"
        return self._words.unproved(answer.doing, limit)

    def _time(self, time: int) -> int:
        when = whole_number(time, "a time")
        if not 0 <= when <= self.plan.makespan:
            raise InputError(f"a time is from 0 to {self.plan.makespan}, the end of the plan, not {when}")
        return when


def plan_of(run: Any) -> Plan:
    """The plan of whatever has one; what it claims to cost plays no part."""
    if hasattr(run, "status") and hasattr(run, "plan"):
        reason = getattr(run, "reason", "")
        run = run.plan
        if run is None:
            raise InputError(f"there is no plan to ask about{': ' + reason if reason else ''}")
    if isinstance(run, Trace):
        run = _plan_of_trace(run)
    if not isinstance(run, Plan):
        raise InputError(f"one asks why of a Result or a Plan, not of {type(run).__name__}")
    return run if run.claimed_cost is None else Plan(run.problem, run.vertices)


def _plan_of_trace(trace: Trace) -> Plan:
    """What happened in a world, as a plan, if nothing changed from outside."""
    changed = (trace.events[:, 1] < EventKind.ARRIVED).any()
    if changed or trace.start_time != 0 or not np.array_equal(trace.open, trace.space.open):
        raise InputError("goals, walls or agents change in this trace: one can only ask about a plan")
    problem = Problem.from_agents(trace.space, trace.agents, rules=trace.rules)
    return Plan(problem, trace.positions)


def _talks_of(run: Any, transcript: Any, plan: Plan) -> Talks | None:
    if transcript is None:
        own = getattr(run, "transcript", None)
        return Talks(own, plan) if isinstance(own, Transcript) else None
    if not isinstance(transcript, Transcript):
        raise InputError(f"a transcript is a Transcript, not {type(transcript).__name__}")
    check_protocol(transcript)  # it comes from elsewhere
    talks = Talks(transcript, plan)
    talks.require_same_plan()
    return talks


def _budget(budget: Any) -> Budget:
    if budget is None:
        return Budget(nodes=NODES)
    if not isinstance(budget, Budget):
        raise InputError(f"budget must be a Budget, not {type(budget).__name__}")
    return budget
