"""A run that is asked about: where everybody was, and what goals and walls there were at each time."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from .. import _core
from ..dialogue.transcript import Transcript
from ..model.agents import agent_index
from ..model.arrays import IntArray
from ..model.errors import InputError
from ..model.events import EventKind
from ..model.plan import Plan
from ..model.problem import Problem
from ..model.to_core import compile_rules, compile_space, compiled_space, core_agents
from ..model.trace import Trace
from ..solvers.registry import SOLVERS, make_solver
from .grounds import Grounds

ABSENT = -1  # the vertex of an agent that is not there


class Run:
    """The rows of a plan or a trace; of a run that failed, where everybody begins."""

    def __init__(self, grounds: Grounds) -> None:
        self.grounds = grounds
        self.problem, self.plan, self.trace = grounds.problem, grounds.plan, grounds.trace
        self.space, self.rules, self.names = self.problem.space, self.problem.rules, self.problem.names
        self.first = 0
        if self.trace is not None:
            self.rows, self.first = self.trace.positions, self.trace.start_time
        else:
            self.rows = self.problem.starts[None, :] if self.plan is None else self.plan.vertices
        self.last = self.first + len(self.rows) - 1
        self._times = [] if self.trace is None else _changes(self.trace)
        self._cores: dict[int, tuple[_core.Space, IntArray]] = {}

    def index(self, agent: int | str) -> int:
        """The index of an agent; an InputError if there is no such agent."""
        return agent_index(agent, self.names)

    def at(self, agent: int, time: int) -> int:
        """The vertex of an agent; after the end, as at the end."""
        return int(self.rows[min(time, self.last) - self.first, agent])

    def state(self, time: int) -> tuple[_core.Space, IntArray]:
        """The compiled space and everybody's goal in the step that begins at a time."""
        if self.trace is None:
            if isinstance(self.problem, Problem):
                return compiled_space(self.problem), self.problem.goals
            return compile_space(self.space), self.problem.goals
        era = sum(when <= time for when, *_ in self._times)
        if era not in self._cores:
            self._cores[era] = self._changed(self._times[:era])
        return self._cores[era]

    def _changed(self, changes: list[list[int]]) -> tuple[_core.Space, IntArray]:
        assert self.trace is not None
        space, goals = compile_space(self.space), self.trace.goals.copy()
        is_open = self.trace.open.copy()
        for _, kind, agent, value in changes:
            match EventKind(kind):
                case EventKind.GOAL:
                    goals[agent] = value
                case EventKind.BLOCK | EventKind.FREE:
                    is_open[value] = kind == EventKind.FREE
        return space.with_open(is_open), goals

    def is_open(self, vertex: int, time: int) -> bool:
        """May the vertex be entered?"""
        return self.state(time)[0].is_open(vertex)

    def changes_until(self, time: int) -> list[list[int]]:
        """What came from outside up to a time: rows of the trace, the latest first."""
        return [row for row in reversed(self._times) if row[0] <= time]

    def told_paths(self, time: int, window: int) -> _core.ToldPaths:
        """The agents as they are at a time, before anybody has told a path."""
        space, goals = self.state(time)
        starts = np.ascontiguousarray(self.rows[min(time, self.last) - self.first])
        agents = replace(self.problem.agents, starts=starts, goals=goals)
        return _core.ToldPaths(
            space,
            compile_rules(self.rules),
            core_agents(space, agents),
            window=window,
            cache=False,
            loop_free=False,
        )


def _changes(trace: Trace) -> list[list[int]]:
    rows: list[list[int]] = trace.events[trace.events[:, 1] < EventKind.ARRIVED].tolist()
    return rows


def grounds_of(run: Any, transcript: Any = None) -> Grounds:
    """What a result, a plan, a plan file or a trace says, and what its agents said."""
    if transcript is not None and not isinstance(transcript, Transcript):
        raise InputError(f"a transcript is a Transcript, not {type(transcript).__name__}")
    grounds = _run_of(run)
    said = getattr(run, "transcript", None) if transcript is None else transcript
    solver = _solver_of(run)
    return replace(
        grounds,
        transcript=said if isinstance(said, Transcript) else None,
        weights=weights_of(solver),
        voter=getattr(solver, "voter", None),
        windowed=is_windowed(solver, said),
    )


def _solver_of(run: Any) -> Any:
    """Who planned a run; None if that is not known, as where a file names what only Python has."""
    solver = getattr(run, "solver", None)
    if not isinstance(solver, str):
        return solver
    try:
        return make_solver(solver, dict(run.parameters)) if solver in SOLVERS else None
    except InputError:
        return None


def _run_of(run: Any) -> Grounds:
    status = reason = ""
    if hasattr(run, "status") and hasattr(run, "plan"):
        status, reason = str(run.status), getattr(run, "reason", "") or ""
        if run.plan is None:
            return Grounds(run.problem, status=status, reason=reason)
        run = run.plan
    if isinstance(run, Trace):
        plan = _plan_of_trace(run)
        if plan is None:
            return Grounds(run, trace=run)
        run = plan
    if not isinstance(run, Plan):
        raise InputError(f"one asks why of a Result or a Plan, not of {type(run).__name__}")
    plan = run if run.claimed_cost is None else Plan(run.problem, run.vertices)
    return Grounds(plan.problem, plan, status=status, reason=reason)


def _plan_of_trace(trace: Trace) -> Plan | None:
    """What happened in a world, as a plan, if nothing changed from outside and everybody has arrived."""
    changed = (trace.events[:, 1] < EventKind.ARRIVED).any()
    if changed or trace.start_time != 0 or not np.array_equal(trace.open, trace.space.open):
        return None
    problem = Problem.from_agents(trace.space, trace.agents, rules=trace.rules)
    ends = trace.positions[-1]
    home = (ends == problem.goals) | (problem.goals == -1) | (ends == ABSENT)
    return Plan(problem, trace.positions) if home.all() else None


def weights_of(solver: Any) -> tuple[float, float, float] | None:
    """What votes of a solver are made of, if they are the thesis's weighted sums."""
    if solver is None or getattr(solver, "voter", None) is not None:
        return None
    weights = getattr(solver, "weights", None)
    if weights is not None:
        return float(weights.length), float(weights.conflicts), float(weights.partial)
    if hasattr(solver, "length_weight"):
        partial = getattr(solver, "partial_weight", 0.0)
        return float(solver.length_weight), float(solver.conflict_weight), float(partial)
    return None


def is_windowed(solver: Any, transcript: Any) -> bool:
    """Do agents tell only the next few steps? Where the solver is not known, several rounds say so."""
    if solver is not None:
        return hasattr(solver, "window")
    return isinstance(transcript, Transcript) and len(transcript.rounds) > 1
