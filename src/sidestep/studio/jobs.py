"""What a worker can do for a page: solve, let worlds live, and make, read and write instances."""

from __future__ import annotations

import base64
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from ..budget import Budget, Progress
from ..instances import random_problem
from ..instances.generators import GENERATORS
from ..io.jsonfile import Record
from ..io.spaces import rules_from
from ..judge import validate
from ..model.errors import InputError, UnsupportedError
from ..model.problem import Problem
from ..model.result import Result
from ..model.rules import Rules
from ..solve import reachable
from ..solve import solve as solve_problem
from ..solvers import WHCA
from ..viewer.replay import MAX_SCENES, replay
from .files import SAVES, Opened, opened_texts, saved
from .forms import chosen_map, solver_from
from .instances import MAX_AGENTS, MAX_CELLS, grid_shape, instance_of, problem_from, teams_from
from .live import Life, Live, rate_from
from .questions import label_of, packed, plan, transcript, why, why_first, why_not
from .requests import Told, as_json, asked, bytes_from, message_of, number_from, parsed, seed_of
from .script import solve_code
from .work import supply_from
from .worker import Desk

MAX_SECONDS = 600.0
ALL = 255  # the index of the payload that shows all runs of a solve
LARGE_HEAD = 2**12  # bytes
OFTEN = 0.2  # seconds between two messages about progress
LOOK_SECONDS = 5.0  # for who is cut off


# Solving


def solve(desk: Desk, message: Told) -> None:
    """Solves one instance with one solver after another."""
    request = asked(message_of(message), "do", "id")
    instance = request.record("instance")
    problem, teams = problem_from(instance), teams_from(instance)
    runs = request.records("runs")
    if not 1 <= len(runs) <= MAX_SCENES:
        raise InputError(f"there may be from 1 to {MAX_SCENES} runs, not {len(runs)}")
    solvers = [_solver_of(run) for run in runs]
    terms = {
        "seed": seed_of(request),
        "time_limit": number_from(request, "seconds", most=MAX_SECONDS),
        "memory_limit": None if desk.memory is None else desk.memory // 2,
    }
    request.done()
    planned = []
    for index, solver in enumerate(solvers):
        if desk.stop.is_set():
            break
        result = _run(desk, index, problem, solver, terms, teams=teams)
        if result:
            planned.append(result)
    if len(planned) > 1 and not desk.stop.is_set():
        labels = [label_of(result.solver) for result in planned]
        desk.show(ALL, replay(*planned, labels=labels, teams=teams).payload)


def _solver_of(run: Record) -> Any:
    solver = solver_from(run)
    run.done()
    return solver


def _run(
    desk: Desk, index: int, problem: Problem, solver: Any, terms: dict[str, Any], *, teams: list[str] | None
) -> Result | None:
    """One run: its progress, what came of it, and the plan to look at."""
    progress = _Progress(desk, index)
    try:
        result = solve_problem(problem, solver, stop=desk.stop, on_progress=progress, **terms)
    except UnsupportedError as error:
        desk.say(index=index, result={"status": "refused", "reason": str(error), "valid": False})
        return None
    desk.say(index=index, result=_told(result, progress.nodes))
    desk.keep(index, packed(result))
    if result:
        desk.show(index, replay(result, labels=[label_of(solver)], teams=teams).payload)
    return result


class _Progress:
    """Tells the page how far a run is, now and then."""

    def __init__(self, desk: Desk, index: int) -> None:
        self.nodes = 0
        self._desk, self._index, self._next = desk, index, time.monotonic() + OFTEN

    def __call__(self, now: Progress) -> None:
        self.nodes = now.nodes
        if time.monotonic() >= self._next:
            self._next = time.monotonic() + OFTEN
            told = {"seconds": round(now.seconds, 3), "nodes": now.nodes, "text": now.message}
            self._desk.say(index=self._index, progress=told)


def _told(result: Result, nodes: int) -> dict[str, Any]:
    plan, stats = result.plan, result.stats
    return {
        "status": str(result.status),
        "reason": result.reason,
        "cost": None if plan is None else plan.cost,
        "makespan": None if plan is None else plan.makespan,
        "seconds": stats.get("seconds"),
        "nodes": int(stats.get("expansions", nodes)),
        "messages": stats.get("messages"),
        "bytes": stats.get("bytes"),
        "valid": plan is not None and _is_valid(result),
        "lower_bound": result.lower_bound,
        "has_transcript": result.transcript is not None,
        "cut_off": [] if plan is not None else _cut_off(result.problem),
    }


def _cut_off(problem: Problem) -> list[int] | None:
    """Those who cannot reach their goals whatever the others do; None if that takes too long to see."""
    budget = Budget(LOOK_SECONDS)
    agents: list[int] = np.flatnonzero(~reachable(problem, budget)).tolist()
    return None if budget.exhausted else agents


def _is_valid(result: Result) -> bool | None:
    """What the judge says; None if it has to refuse."""
    try:
        return bool(validate(result.problem, result.plan))
    except UnsupportedError:
        return None


# Instances


def generate(desk: Desk, body: bytes) -> None:
    """A map of a generator with random agents on it."""
    request = asked(parsed(body))
    name = request.text("generator")
    given = chosen_map(name, request.plain("params") if request.has("params") else {})
    agents = request.integer("agents", low=0, high=MAX_AGENTS) if request.has("agents") else 0
    seed = seed_of(request)
    rules = rules_from(request.record("rules")) if request.has("rules") else Rules()
    shape = grid_shape(request)
    request.done()
    size = {**GENERATORS[name].defaults, **given}
    if size.get("height", 1) * size.get("width", 1) > MAX_CELLS:
        raise InputError(f"a map may have at most {MAX_CELLS:,} cells")
    grid = GENERATORS[name].grid(seed, **given, **shape)
    _answer_instance(desk, Opened(random_problem(grid, agents, seed, rules=rules)))


def read(desk: Desk, body: bytes) -> None:
    """What uploaded files say."""
    request = asked(parsed(body))
    entries = request.records("files") if request.has("files") else [request]
    files = [_upload(entry) for entry in entries]
    agents = request.integer("agents", low=0) if request.has("agents") else None
    for entry in (*entries, request):
        entry.done()
    _answer_instance(desk, opened_texts(files, agents))


def _upload(record: Record) -> tuple[str, str]:
    name = record.text("name")
    if record.has("text"):
        return name, record.text("text")
    try:
        return name, bytes_from(record, "base64").decode("utf-8-sig")
    except UnicodeDecodeError:
        raise InputError("this file is not UTF-8 text") from None


def _answer_instance(desk: Desk, opened: Opened) -> None:
    desk.answer(entry_of(opened))


def entry_of(opened: Opened) -> dict[str, Any]:
    """The instance, and with a plan or a trace also what the player plays."""
    payload = {} if opened.payload is None else {"payload": base64.b64encode(opened.payload).decode("ascii")}
    return {"instance": instance_of(opened.problem), **payload}


def write(desk: Desk, body: bytes) -> None:
    """An instance as a file to download."""
    request = asked(parsed(body))
    instance = request.record("instance")
    problem, teams, what = problem_from(instance), teams_from(instance), request.text("what")
    writers: dict[str, Callable[[], tuple[str, str]]] = {
        **{save.what: partial(saved, problem, save) for save in SAVES},
        "python": lambda: ("solve.py", _solve_code(request, problem, teams)),
    }
    if what not in writers:
        raise InputError(f"what must be one of {', '.join(writers)}, not {what[:40]!r}")
    name, text = writers[what]()
    request.done()
    desk.answer({"name": name, "text": text})


def _solve_code(request: Record, problem: Problem, teams: list[str] | None) -> str:
    solver = solver_from(request) if request.has("solver") else WHCA()
    seconds = number_from(request, "seconds", most=MAX_SECONDS) if request.has("seconds") else 60.0
    return solve_code(problem, solver, seed_of(request), seconds, teams)


def world(desk: Desk, message: Told) -> None:
    """A world that lives until its page ends it."""
    request = asked(message_of(message), "do", "id")
    problem = problem_from(request.record("instance"))
    solver, seed = solver_from(request), seed_of(request)
    rate, supply = rate_from(request), supply_from(request)
    request.done()
    Life(desk, Live(problem, solver, seed, supply), rate).run()


def head(desk: Desk, text: str) -> None:
    """What the server has to know of a message that is too large for it to read."""
    message = parsed(text)
    runs = message.get("runs")
    told: dict[str, Any] = {name: message[name] for name in ("id", "do", "run", "seconds") if name in message}
    if isinstance(told.get("run"), list):
        told["run"] = told["run"][:3]
    if isinstance(runs, list):
        told["runs"] = [None] * min(len(runs), MAX_SCENES + 1)
    if len(as_json(told)) > LARGE_HEAD:
        raise InputError("the id, the name or the limits of this message are too long")
    desk.answer(told)


JOBS: dict[str, Callable[..., None]] = {
    job.__name__: job
    for job in (solve, why, why_not, why_first, transcript, plan, generate, read, write, world, head)
}
