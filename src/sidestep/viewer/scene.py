"""A scene: one run as it is drawn, whether it was planned ahead, happened in a world, or came from a file."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import numpy.typing as npt

from ..dialogue.transcript import Transcript
from ..explain.captions import dialogue_captions
from ..io import PlanFile
from ..judge import Report, validate, validate_trace
from ..model.agents import IDLE, AgentTable, HasAgents
from ..model.arrays import BoolArray, IntArray, int32_array, read_only, whole_number
from ..model.caption import Caption
from ..model.errors import InputError
from ..model.events import EventKind
from ..model.plan import Plan
from ..model.result import Result
from ..model.rules import Rules
from ..model.space import Space
from ..model.trace import Trace
from .layout import places

if TYPE_CHECKING:
    from ..world import World

Run: TypeAlias = "Result | Plan | PlanFile | Trace | World"

VIOLATIONS = 20_000  # kept to be shown; the count says how many there are
HUES = 24  # colours on the wheel; the player fills all agents of one colour at once
COSTS = 2_000  # improvements that are drawn; more than a solver keeps
FASTEST = 60  # steps per second of a film
NO_EVENTS = read_only(np.empty((0, 4), dtype=np.int32))


@dataclass(frozen=True, eq=False)
class Scene(HasAgents):
    """Row k of `positions` is the state at `start_time + k`; -1 is an agent that is not there.

    `open` and `agents` are as at `start_time`, and `events` (rows of a trace) change them.
    `facings_by_time` are which way agents look that have to turn, rows like those of `positions`.
    `facts` are pairs of a name and a value for people; `report` is None where nobody has judged.
    `costs` are pairs of seconds and what the best plan cost then, while it was improved; `cost_bound` is what
    every plan costs at least.
    `question` is the command that answers what a run does not say itself, without agent, time and place.
    """

    label: str
    agents: AgentTable
    rules: Rules
    open: BoolArray
    positions: IntArray
    report: Report | None
    facts: tuple[tuple[str, str], ...]
    start_time: int = 0
    events: IntArray = field(default_factory=lambda: NO_EVENTS)
    captions: tuple[Caption, ...] = ()
    costs: tuple[tuple[float, int], ...] = ()
    cost_bound: int | None = None
    question: str = ""
    chosen_hues: npt.NDArray[np.uint8] | None = None  # per agent, where somebody has chosen them
    facings_by_time: IntArray | None = None  # None: nobody has to turn

    @property
    def space(self) -> Space:
        """Where the agents are."""
        return self.agents.space

    @property
    def steps(self) -> int:
        return len(self.positions) - 1

    @cached_property
    def places(self) -> npt.NDArray[np.float64]:
        """Per vertex (x, y), y downwards: the middle of a cell, or where a graph's vertex is drawn."""
        return places(self.space)

    @property
    def hues(self) -> npt.NDArray[np.uint8]:
        """Per agent a colour from 0 to HUES - 1.

        A few agents get colours far apart; of many, each has the colour of the direction in which its
        goal lies from the middle of the map, so that one sees where a crowd wants to go.
        """
        agents = len(self.names)
        if self.chosen_hues is not None:
            return self.chosen_hues
        if agents <= HUES:
            return (np.arange(agents) * HUES // max(agents, 1)).astype(np.uint8)
        points = self.places
        aims = points[np.where(self.goals == IDLE, np.maximum(self.starts, 0), self.goals)]
        x, y = ((aims - points.mean(axis=0)) / (np.ptp(points, axis=0) + 1)).T
        turns = np.arctan2(y, x) / (2 * np.pi)
        return np.asarray(np.floor(turns * HUES) % HUES, dtype=np.uint8)


def scene_of(run: Run, label: str | None = None, captions: Sequence[Caption] = ()) -> Scene:
    """The scene of anything that has positions over time, judged."""
    run = getattr(run, "trace", run)  # a World's
    if isinstance(run, Trace):
        return _scene_of_trace(run, label, captions)
    if isinstance(run, Plan):
        return _scene_of_plan(run, label, (), captions)
    if not isinstance(run, (Result, PlanFile)):
        raise InputError(f"a replay shows a Result, a Plan, a Trace or a World, not {type(run).__name__}")
    if run.plan is None:
        raise InputError(f"there is no plan to show{': ' + run.reason if run.reason else ''}")
    scene = _scene_of_plan(run.plan, label or _solver_label(run), _facts_of_result(run), captions)
    return replace(
        scene,
        captions=(*scene.captions, *_dialogues(run, run.plan)),
        costs=_costs(run.stats.get("cost_over_time")),
        cost_bound=run.lower_bound or None,
    )


def _scene_of_plan(
    plan: Plan, label: str | None, facts: tuple[tuple[str, str], ...], captions: Sequence[Caption]
) -> Scene:
    problem = plan.problem
    report = validate(problem, plan, limit=VIOLATIONS)
    counted = {
        "agents": f"{problem.n_agents:,}",
        "steps": f"{plan.makespan:,}",
        problem.rules.cost.replace("_", " "): f"{plan.cost:,}",
    }
    return Scene(
        label=label or "plan",
        agents=problem.agents,
        rules=problem.rules,
        open=problem.space.open,
        positions=plan.vertices,
        report=report,
        facts=(*counted.items(), *facts),
        captions=_checked(captions, problem.n_agents),
        facings_by_time=plan.facings,
    )


def _scene_of_trace(trace: Trace, label: str | None, captions: Sequence[Caption]) -> Scene:
    if not len(trace.positions):
        raise InputError("there is nothing to show: the trace has no positions")
    report = validate_trace(trace, limit=VIOLATIONS)
    counted = {
        "agents": f"{len(trace.names):,}",
        "turns": f"{len(trace.positions) - 1:,}",
        "arrivals": f"{trace.count(EventKind.ARRIVED):,}",
        "moves refused": f"{trace.count(EventKind.REFUSED):,}",
    }
    return Scene(
        label=label or "world",
        agents=trace.agents,
        rules=trace.rules,
        open=trace.open,
        positions=trace.positions,
        report=report,
        facts=tuple(counted.items()),
        start_time=trace.start_time,
        events=trace.events,
        captions=_checked(captions, len(trace.names)),
        facings_by_time=trace.facings_by_time(),
    )


def _dialogues(run: Result | PlanFile, plan: Plan) -> list[Caption]:
    """What agents that argue have agreed on."""
    transcript = getattr(run, "transcript", None)
    return dialogue_captions(transcript, plan) if isinstance(transcript, Transcript) else []


def _costs(rows: object) -> tuple[tuple[float, int], ...]:
    """Seconds and costs of rows (seconds, nodes, cost), if that is what they are: a file may say anything."""
    if not isinstance(rows, (list, tuple)) or not 1 < len(rows) <= COSTS:
        return ()
    found = tuple((row[0], row[2]) for row in rows if isinstance(row, (list, tuple)) and len(row) == 3)
    sound = len(found) == len(rows) and all(
        isinstance(seconds, (int, float)) and math.isfinite(seconds) and type(cost) is int
        for seconds, cost in found
    )
    falls = sound and all(one[0] <= two[0] and one[1] >= two[1] for one, two in pairwise(found))
    return found if falls and found[0][0] >= 0 and found[-1][1] >= 0 else ()


def _checked(captions: Sequence[Caption], agents: int) -> tuple[Caption, ...]:
    if not isinstance(captions, (list, tuple)) or not all(isinstance(one, Caption) for one in captions):
        raise InputError(f"captions are a list of Caption, not {captions!r}")
    for caption in captions:
        whole_number(caption.time, "the time of a caption")
        if not isinstance(caption.text, str) or not isinstance(caption.kind, str):
            raise InputError(f"the text and the kind of a caption are text, not {caption!r}")
        who = int32_array(caption.agents, "the agents of a caption")
        if who.ndim != 1 or not who.size or who.min() < 0 or who.max() >= agents:
            raise InputError(f"a caption is about agents from 0 to {agents - 1}, not {caption.agents!r}")
    return tuple(captions)


def _solver_label(run: Result | PlanFile) -> str | None:
    solver = run.solver
    return solver if solver is None or isinstance(solver, str) else str(solver.name)


def _facts_of_result(run: Result | PlanFile) -> tuple[tuple[str, str], ...]:
    facts = {} if run.status is None else {"status": str(run.status).replace("_", " ")}
    if run.lower_bound and run.plan is not None:
        facts["lower bound"] = f"{run.lower_bound:,} ({run.plan.cost / run.lower_bound:.2f} times that)"
    return (*facts.items(), *_facts_of_stats(run.stats))


def _facts_of_stats(stats: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for name, value in stats.items():
        if name == "seconds" and isinstance(value, float):
            yield "planned in", f"{_number(1000 * value)} ms" if value < 1 else f"{_number(value)} s"
        elif isinstance(value, (int, float)) and not isinstance(value, bool):
            yield name.replace("_", " "), _number(value)


def _number(value: float) -> str:
    if isinstance(value, int):
        return f"{value:,}" if abs(value) < 10**30 else "more than can be shown"
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"
