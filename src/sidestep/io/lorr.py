"""The output of the League of Robot Runners, which PlanViz shows: JSON.

`start` is `[row, col, "E"]` per agent and `actualPaths` a text of actions per agent, one per step. With the
`actionModel` MAPF_T an agent has a heading: F goes forward, R turns clockwise, C counter-clockwise, W waits.
With MAPF it goes U, D, L or R, or waits. An agent stays where its actions end.

`tasks` and `events` say what agents are after. In 2023 a task is `[id, row, col]`, and each agent has a list
of `[task, time, "assigned"]` and `[task, time, "finished"]`. Since 2024 a task is
`[id, release, [row, col, row, col, …]]`, cells to visit in order; `actualSchedule` is `"time:task,time:task"`
per agent, with task -1 for none, and an event `[time, agent, task, n]` says that n cells of the task are
done. The runs of 2026 are in ticks, a fraction of a move each (`ticks.py`): so is the time of what is read
of them.

The trap: PlanViz reads U as row+1, a step towards the bottom of the map, and D as row-1. Its converter of
MAPF tracker plans writes that; its converter of EECBS paths writes U for row-1. Here U is row+1 unless `u`
says otherwise.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import Any

import numpy as np
import numpy.typing as npt

from ..model.agents import IDLE, AgentTable
from ..model.arrays import IntArray, int32_array, is_whole, read_only
from ..model.errors import InputError
from ..model.events import EventKind
from ..model.grid import Grid
from ..model.plan import Plan
from ..model.problem import Problem
from ..model.rules import Rules
from ..model.trace import Trace
from . import lorr_turning
from .cells import Spot, outside_of, require_grid
from .files import Document, FilePath, Readable, load, store_text
from .format import Format, is_object
from .jsonfile import INT32, Record, laid_out, record_of
from .moves import Moves, Up, row_of_up, step_table, walked
from .ticks import USUAL, TickWalk, path_in_ticks, segments_of

MODELS = ("MAPF", "MAPF_T")
FIELDS = ("actionModel", "actualPaths")  # by one of them a run is recognised

_LETTERS = {"MAPF": "UDLRWT", "MAPF_T": "FRCWT"}  # T: the planner was too late, so the agent waits


def read_lorr(path: Readable, grid: Grid, *, rules: Rules = Rules(), u: Up = "row+1") -> Trace:
    """Reads a run of the League of Robot Runners.

    It is read, not judged: agents may collide or cross walls, and an arrival may be untrue. A goal stays
    until the file gives another. Agents of the model MAPF_T have a facing, and turn. Of a run since 2026 a
    step is a tick, and an agent is in the cell that it leaves until its move is done; what delayed it is not
    told, and a turn is a wait.

    Args:
        path: The file.
        grid: The map.
        rules: The rules of the trace.
        u: What U does in a file of the model MAPF: `"row+1"` or `"row-1"`.

    Returns:
        The positions, and the goals and arrivals that the file tells of.

    Raises:
        FormatError: The file is malformed or does not fit the map.
        InputError: The file cannot be read, or another argument is not valid.
    """
    grid, up = require_grid(grid), row_of_up(u)
    Problem(grid, [], [], rules=rules)  # wrong arguments are not the file's fault
    document = load(path)
    record = record_of(document)
    model = _model(record)
    agents = _team_size(record)
    names = tuple(f"a{index}" for index in range(agents))
    starts = [_start(record, index, grid) for index in range(agents)]
    facings, turns = None, lorr_turning.NO_TURNS
    if _is_in_ticks(record):
        moves = _moves_in_ticks(document, grid, model, up, starts)
    else:
        moves = [_moves(record, index, model, up) for index in range(agents)]
        if model == "MAPF_T" and grid.connectivity == 4:
            told = [(_heading(record, index), _codes(record, index, model)) for index in range(agents)]
            facings, turns = lorr_turning.facings_and_turns(told)
    positions = walked(grid, starts, moves, names, document)
    goals, events = _goals_and_events(_words(record, agents, grid), positions)
    events = np.concatenate([turns, events])
    return Trace(
        agents=AgentTable(grid, names, read_only(positions[0].copy()), goals, facings=facings),  # type: ignore[arg-type]
        rules=rules,
        start_time=0,
        open=grid.open,
        positions=read_only(positions),
        events=read_only(events[np.argsort(events[:, 0], kind="stable")]),
    )


def _is_in_ticks(record: Record) -> bool:
    paths = record.get("actualPaths") if record.has("actualPaths") else []
    has_segments = isinstance(paths, list) and any(
        isinstance(path, str) and path.lstrip().startswith("[") for path in paths
    )
    return has_segments or record.has("makespanTicks") or record.has("agentMaxCounter")


def _moves_in_ticks(document: Document, grid: Grid, model: str, up: int, starts: list[Spot]) -> list[Moves]:
    record = record_of(document)
    per_action = record.integer("agentMaxCounter", low=1) if record.has("agentMaxCounter") else USUAL
    names = [f"actualPaths[{index}]" for index in range(len(starts))]
    paths = [
        segments_of(record, name, text)
        for name, text in zip(names, record.items("actualPaths"), strict=False)
    ]
    longest = max((sum(segment.ticks for segment in path) for path in paths), default=0)
    document.check_positions(longest, len(starts))
    turning = model == "MAPF_T"
    ahead: list[tuple[int, int]] = [(int(down), int(right)) for down, right in lorr_turning.AHEAD.T]
    steps = (
        {"F": ahead}
        if turning
        else {
            letter: [step] * 4
            for letter, step in (("U", (up, 0)), ("D", (-up, 0)), ("L", (0, -1)), ("R", (0, 1)))
        }
    )
    turns = {"R": 1, "C": -1} if turning else {}
    return [
        TickWalk(
            record,
            name,
            start,
            heading=_heading(record, index) if turning else 0,
            per_action=per_action,
            steps=steps,
            turns=turns,
            most=max(grid.height, grid.width),
        ).moves(path)
        for index, (name, start, path) in enumerate(zip(names, starts, paths, strict=True))
    ]


def _model(record: Record) -> str:
    model = record.text("actionModel") if record.has("actionModel") else "MAPF_T"
    if model not in MODELS:
        raise record.error("actionModel", f"must be {' or '.join(MODELS)}, not {model[:40]!r}")
    return model


def _team_size(record: Record) -> int:
    """How many agents there are. Converters leave agents in `start` that have no part in the run."""
    starts, paths = record.items("start"), record.items("actualPaths")
    size = record.integer("teamSize", low=0) if record.has("teamSize") else len(starts)
    for name, entries in (("start", starts), ("actualPaths", paths)):
        if len(entries) < size:
            raise record.error(name, f"must have one entry per agent, {size}, not {len(entries)}")
    return size


def _start(record: Record, index: int, grid: Grid) -> Spot:
    name, entry = f"start[{index}]", record.items("start")[index]
    if not isinstance(entry, list) or len(entry) < 2:
        raise record.error(name, "must be [row, col, heading]")
    return _spot(record, name, entry[0], entry[1], grid)


def _spot(record: Record, name: str, row: Any, col: Any, grid: Grid) -> Spot:
    low, high = -INT32 - 1, INT32
    spot = Spot(
        record.integer_in(row, name, low=low, high=high), record.integer_in(col, name, low=low, high=high)
    )
    if not (0 <= spot.row < grid.height and 0 <= spot.col < grid.width):
        raise record.error(name, f"is no cell: {outside_of(grid, spot)}")
    return spot


def _codes(record: Record, index: int, model: str) -> npt.NDArray[np.uint8]:
    """The letters of an agent's actions."""
    name, text = f"actualPaths[{index}]", record.items("actualPaths")[index]
    packed = "".join(text.split()) if isinstance(text, str) else ""
    letters = _LETTERS[model]
    if not isinstance(text, str) or not re.fullmatch(f"(?:[{letters}],)*+[{letters}]?", packed):
        raise record.error(
            name, f"must be actions of {model}, {', '.join(letters)}, with commas between them"
        )
    return np.frombuffer(packed.replace(",", "").encode("ascii"), dtype=np.uint8)


def _moves(record: Record, index: int, model: str, up: int) -> Moves:
    codes = _codes(record, index, model)
    if model == "MAPF":
        down, right = step_table({"U": (up, 0), "D": (-up, 0), "L": (0, -1), "R": (0, 1)})[:, codes]
    else:
        turns = lorr_turning.quarters_of(codes)
        heading = (_heading(record, index) + np.cumsum(turns) - turns) % 4
        down, right = lorr_turning.AHEAD[:, heading] * (codes == ord("F"))
    return Moves(down, right, np.ones(len(codes), dtype=np.int64))


def _heading(record: Record, index: int) -> int:
    entry = record.items("start")[index]
    heading = entry[2] if len(entry) > 2 else None
    if not isinstance(heading, str) or len(heading) != 1 or heading not in lorr_turning.HEADINGS:
        raise record.error(f"start[{index}]", "must have a heading E, S, W or N, since its agent turns")
    return lorr_turning.HEADINGS.index(heading)


# What agents are after


@dataclass(frozen=True)
class _Word:
    """What the file says at a time about an agent: it is now after a task, or has done a cell of it."""

    time: int
    agent: int
    cells: tuple[int, ...] = ()  # of the task, in order; none: the agent is idle
    task: int = -1
    done: int | None = None  # the index of the cell that is done; None where the task is assigned


def _words(record: Record, agents: int, grid: Grid) -> list[_Word]:
    """All that is said, in order of time and, at one time, in the order in which it took effect."""
    tasks = _Tasks(record, grid)
    events = record.items("events") if record.has("events") else []
    newer = any(isinstance(event, list) and event and type(event[0]) is int for event in events)
    words = [*_scheduled(record, agents, tasks)]  # a task is assigned before it is looked at who is there
    words += _done_since_2024(record, agents, tasks) if newer else _events_of_2023(record, agents, tasks)
    return sorted(words, key=lambda word: word.time)


class _Tasks:
    """The cells of each task by its id."""

    def __init__(self, record: Record, grid: Grid) -> None:
        self._record = record
        self._cells: dict[int, tuple[int, ...]] = {}
        for index, entry in enumerate(record.items("tasks") if record.has("tasks") else []):
            name = f"tasks[{index}]"
            if not isinstance(entry, list) or len(entry) != 3:
                raise record.error(name, "must be [id, row, col] or [id, release, [row, col, …]]")
            task = record.integer_in(entry[0], f"{name}[0]", low=0, high=INT32)
            if task in self._cells:
                raise record.error(name, f"is task {task}, which is there before")
            self._cells[task] = self._visited(
                name, entry[2] if isinstance(entry[2], list) else entry[1:], grid
            )

    def _visited(self, name: str, numbers: list[Any], grid: Grid) -> tuple[int, ...]:
        if not numbers or len(numbers) % 2:
            raise self._record.error(name, "must have a row and a column for each of its cells")
        spots = [
            _spot(self._record, name, row, col, grid)
            for row, col in zip(numbers[::2], numbers[1::2], strict=True)
        ]
        return tuple(grid.vertex((spot.row, spot.col)) for spot in spots)

    def cells(self, task: Any, name: str) -> tuple[int, ...]:
        task = self._record.integer_in(task, name, low=0, high=INT32)
        if task not in self._cells:
            raise self._record.error(name, f"is about task {task}, which is not among the tasks")
        return self._cells[task]


def _scheduled(record: Record, agents: int, tasks: _Tasks) -> Iterator[_Word]:
    entries = record.items("actualSchedule") if record.has("actualSchedule") else []
    for agent, text in enumerate(entries[:agents]):
        name = f"actualSchedule[{agent}]"
        if not isinstance(text, str) or not re.fullmatch(r"(?:[0-9]{1,9}:(?:-1|[0-9]{1,9})(?:,|\Z))*+", text):
            raise record.error(name, "must be times and tasks like 0:3,15:7")
        for entry in filter(None, text.split(",")):
            time, task = map(int, entry.split(":"))
            yield _Word(time, agent) if task < 0 else _Word(time, agent, tasks.cells(task, name), task)


def _done_since_2024(record: Record, agents: int, tasks: _Tasks) -> Iterator[_Word]:
    for index, event in enumerate(record.items("events")):
        name = f"events[{index}]"
        if len(record.integers_in(event, name, low=0, high=INT32)) != 4:
            raise record.error(name, "must be [time, agent, task, cells done]")
        time, agent, task, number = event
        record.integer_in(agent, f"{name}[1]", low=0, high=agents - 1)
        cells = tasks.cells(task, name)
        record.integer_in(number, f"{name}[3]", low=1, high=len(cells))
        yield _Word(time, agent, cells, task, done=number - 1)


def _events_of_2023(record: Record, agents: int, tasks: _Tasks) -> Iterator[_Word]:
    entries = record.items("events") if record.has("events") else []
    for agent, events in enumerate(entries[:agents]):
        if not isinstance(events, list):
            raise record.error(f"events[{agent}]", "must be a list of events")
        for index, event in enumerate(events):
            name = f"events[{agent}][{index}]"
            if not isinstance(event, list) or len(event) != 3 or event[2] not in ("assigned", "finished"):
                raise record.error(name, 'must be [task, time, "assigned"] or [task, time, "finished"]')
            cells = tasks.cells(event[0], name)
            time = record.integer_in(event[1], name, low=0, high=INT32)
            yield _Word(time, agent, cells, event[0], done=len(cells) - 1 if event[2] == "finished" else None)


def _goals_and_events(words: list[_Word], positions: IntArray) -> tuple[IntArray, IntArray]:
    """The goals at time 0, and how they change and are reached after that."""
    goals = [IDLE] * positions.shape[1]
    first = int32_array(goals, "goals")
    done: dict[int, int] = {}  # how many cells of a task are done
    rows: list[tuple[int, EventKind, int, int]] = []
    for time, told in groupby(words, key=lambda word: word.time):
        now = list(told)
        before = {word.agent: goals[word.agent] for word in now}
        said = [*_told(now, goals, done)]
        if time == 0:  # the goals that a run begins with are not changes
            first = int32_array(goals, "goals")
            said = [row for row in said if row[1] != EventKind.GOAL]
        rows += [row for row in said if not _is_passed(row, before, goals, positions)]
    return first, read_only(np.array(rows, dtype=np.int32).reshape(-1, 4))


def _told(
    words: Iterable[_Word], goals: list[int], done: dict[int, int]
) -> Iterator[tuple[int, EventKind, int, int]]:
    """The rows of one time; the goals and what is done are brought up to date."""
    for word in words:
        goal = goals[word.agent]
        if word.done is not None:
            yield word.time, EventKind.ARRIVED, word.agent, word.cells[word.done]
            done[word.task] = word.done + 1
            goal = word.cells[word.done + 1] if word.done + 1 < len(word.cells) else goal
        elif word.cells:
            goal = word.cells[min(done.get(word.task, 0), len(word.cells) - 1)]
        else:
            goal = IDLE
        if goal != goals[word.agent]:
            goals[word.agent] = goal
            yield word.time, EventKind.GOAL, word.agent, goal


def _is_passed(
    row: tuple[int, EventKind, int, int], before: dict[int, int], goals: list[int], positions: IntArray
) -> bool:
    """Is it a true arrival on a cell that was the goal within this time only, neither before nor after?

    It happens when a task is assigned to an agent that stands on its first cell. A trace has one goal
    per time, and no word for this.
    """
    time, kind, agent, cell = row
    return (
        kind == EventKind.ARRIVED
        and time < len(positions)
        and int(positions[time, agent]) == cell
        and cell not in (before[agent], goals[agent])
    )


# Writing


def write_planviz(plan: Plan, path: FilePath, *, u: Up = "row+1", ticks: int | None = None) -> None:
    """Writes a plan for PlanViz, as the League's files of 2023 are, with one task per goal.

    The model is MAPF_T if agents have to turn, with the actions F, R, C and W, and else MAPF.

    Args:
        plan: The plan, on a grid.
        path: The file.
        u: What the letter U means: `"row+1"`, as PlanViz reads it, or `"row-1"`, for programs that read it
            otherwise.
        ticks: How many ticks a move takes, in a file as of 2026; None: as of 2023, in whole moves.

    Raises:
        InputError: An agent is not there at some time, or moves to anything but one of the four cells beside
            it, or moves and turns as no agent can, or the plan is to be in ticks and agents turn, or the
            file cannot be written.
    """
    store_text(path, dumps_planviz(plan, u=u, ticks=ticks))


def dumps_planviz(plan: Plan, *, u: Up = "row+1", ticks: int | None = None) -> str:
    """The text of such a file."""
    grid, up, problem = require_grid(plan.problem.space), row_of_up(u), plan.problem
    if np.any(plan.vertices < 0) or np.any(plan.vertices >= grid.n):
        raise InputError("an agent is not there at some time, which a file for PlanViz cannot say")
    turning = plan.facings is not None
    paths = lorr_turning.turning_texts(plan) if turning else _action_texts(plan, up)
    costs = _arrival_times(plan)
    agents = np.flatnonzero(problem.goals != IDLE).tolist()  # agents[k] has task k: PlanViz looks it up so
    if ticks is not None:
        if turning:
            raise InputError("a plan of agents that turn is written in whole moves: leave out ticks")
        return laid_out(_in_ticks(plan, paths, agents, costs, ticks))
    return laid_out(
        {
            "actionModel": "MAPF_T" if turning else "MAPF",
            "version": "2023 LoRR",
            "teamSize": problem.n_agents,
            "start": lorr_turning.starts_entry(plan),
            "numTaskFinished": sum(costs[agent] <= plan.makespan for agent in agents),
            "sumOfCost": sum(costs[agent] for agent in agents),
            "makespan": plan.makespan,
            "actualPaths": paths,
            "plannerPaths": paths,
            "plannerTimes": [],
            "errors": [],
            "events": _event_entries(plan, agents, costs),
            "tasks": [[task, *grid.place(problem.goals[agent])] for task, agent in enumerate(agents)],
        },
    )


def _in_ticks(
    plan: Plan, paths: list[str], agents: list[int], costs: list[int], ticks: int
) -> dict[str, Any]:
    """A file as of 2026, in which all times are ticks."""
    if not is_whole(ticks) or not 1 <= ticks <= 10**6:
        raise InputError(f"ticks must be a whole number from 1 to 1000000, not {ticks!r}")
    problem, grid, places = plan.problem, require_grid(plan.problem.space), plan.cells.tolist()
    told = [
        path_in_ticks(path.split(",") if path else [], [tuple(cells[agent]) for cells in places], ticks)
        for agent, path in enumerate(paths)
    ]
    task_of = {agent: task for task, agent in enumerate(agents)}
    done = [agent for agent in agents if costs[agent] <= plan.makespan]
    return {
        "actionModel": "MAPF",
        "version": "2026 LoRR",
        "teamSize": problem.n_agents,
        "start": lorr_turning.starts_entry(plan),
        "numTaskFinished": len(done),
        "makespan": plan.makespan * ticks,
        "makespanTicks": plan.makespan * ticks,
        "agentMaxCounter": ticks,
        "actualPaths": told,
        "plannerPaths": told,
        "errors": [],
        "actualSchedule": [
            f"0:{task_of[agent]}" if agent in task_of else "" for agent in range(problem.n_agents)
        ],
        "events": sorted([costs[agent] * ticks, agent, task_of[agent], 1] for agent in done),
        "tasks": [[task, 0, [*grid.place(problem.goals[agent])]] for task, agent in enumerate(agents)],
    }


def _arrival_times(plan: Plan) -> list[int]:
    """When each agent comes to its goal for good; the time after the plan where it never does."""
    home = np.logical_and.accumulate(plan.vertices[::-1] == plan.problem.goals, axis=0)
    times: list[int] = (len(home) - np.count_nonzero(home, axis=0)).tolist()
    return times


def _event_entries(plan: Plan, agents: list[int], costs: list[int]) -> list[list[list[Any]]]:
    entries: list[list[list[Any]]] = [[] for _ in range(plan.problem.n_agents)]
    for task, agent in enumerate(agents):
        entries[agent].append([task, 0, "assigned"])
        if costs[agent] <= plan.makespan:
            entries[agent].append([task, costs[agent], "finished"])
    return entries


def _action_texts(plan: Plan, up: int) -> list[str]:
    steps = np.diff(plan.cells, axis=0)
    jumps = np.abs(steps).sum(axis=2) > 1
    if jumps.any():
        time, agent = (int(index) for index in np.argwhere(jumps)[0])
        before, after = (tuple(plan.cells[time + k, agent].tolist()) for k in (0, 1))
        raise InputError(
            f"agent {plan.problem.names[agent]} moves from {before} to {after} at time {time}, "
            "which a file for PlanViz cannot say: it has moves to the four cells beside one"
        )
    letters = np.array(list("WLRUD"))
    which = _which(steps, up)
    return [",".join(letters[which[:, agent]].tolist()) for agent in range(plan.problem.n_agents)]


def _which(steps: IntArray, up: int) -> npt.NDArray[np.int64]:
    """The index in WLRUD of each step."""
    down, right = steps[..., 0] * up, steps[..., 1]
    return np.select([right < 0, right > 0, down > 0, down < 0], [1, 2, 3, 4], 0)


def _is_league_run(document: Document) -> bool:
    record = record_of(document) if is_object(document) else None
    return record is not None and not record.has("format") and any(map(record.has, FIELDS))


LORR_FORMAT = Format(
    name="lorr",
    title="League of Robot Runners output, JSON",
    called="a run of the League of Robot Runners",
    sniff=_is_league_run,
    loads={Trace: read_lorr},
    dumps={Plan: dumps_planviz},
    needs=(Grid,),
    to="planviz",
    written="a file for PlanViz",
)
