"""Our own plan and problem files: JSON, `{"format": "sidestep-plan", "version": 1, ...}`.

    {
     "format": "sidestep-plan",
     "version": 1,
     "problem": {
      "space": {"kind": "grid", "connectivity": 4, "corners": "none", "rows": ["...", ".#."]},
      "rules": {"following": true, "crossing": false, "at_goal": "stay", "shared_goals": false, "cost": "sum_of_costs"},
      "agents": [{"name": "a0", "start": [0, 0], "goal": [1, 2], "priority": 0, "size": 1, "period": 1}]
     },
     "plan": {"claimed_cost": 3, "makespan": 3, "paths": [[0, 1, 2, 5]]},
     "result": {"status": "solved", "reason": "", "solver": {"name": "cbs", "parameters": {}}, "seed": 0,
                "lower_bound": null, "stats": {}}
    }

A problem file has neither `plan` nor `result`. Places are `[row, col]` on a grid and vertex ids on a
graph; paths are vertex ids (`row * width + col` on a grid, -1 for an agent that is not there), one
path per agent, and an agent stays where its path ends until the makespan. A graph is
`{"kind": "graph", "n": 3, "directed": false, "edges": [[0, 1]], "positions": null, "edge_conflicts": []}`.
An agent that has to turn has a `facing`, "N", "E", "S" or "W"; then a plan has `facings` like its paths, of
0 up, 1 right, 2 down and 3 left.
"""  # noqa: E501  # an example reads better as the file looks

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from enum import Enum
from typing import Any

import numpy as np

from ..model.agents import ATTRIBUTES, FACINGS, Agent, Attribute
from ..model.errors import InputError
from ..model.graph import Graph
from ..model.plan import Plan
from ..model.problem import Problem
from ..model.result import Result, Status
from ..model.rules import Rules
from ..model.space import Space
from .files import Document, FilePath, Readable, load, store_text
from .format import our_format
from .jsonfile import INT32, INT64, UINT64, Record, laid_out, repeated, versioned
from .paths import MOST_WRITTEN, padded, paths_from, too_many, trimmed
from .spaces import rules_entry, rules_from, space_entry, space_from

FORMAT = "sidestep-plan"
VERSION = 1

_ALWAYS_WRITTEN = ("priority", "size", "period")  # other attributes of agents only where not as usual


@dataclass(frozen=True)
class PlanFile:
    """What a plan file says. Only the problem is always there.

    Attributes:
        problem: The problem.
        plan: The plan, if there is one.
        status: How the run ended; None without a result.
        reason: A sentence for people where there is no plan.
        solver: The name of the solver.
        parameters: The solver's parameters by name.
        seed: The seed of the run.
        lower_bound: What every plan costs at least, as the solver proved.
        stats: What was counted, by name.
    """

    problem: Problem
    plan: Plan | None = None
    status: Status | None = None
    reason: str = ""
    solver: str | None = None
    parameters: Mapping[str, Any] = field(default_factory=dict)
    seed: int | None = None
    lower_bound: int | None = None
    stats: Mapping[str, Any] = field(default_factory=dict)


def write_problem(problem: Problem, path: FilePath) -> None:
    """Writes a problem file.

    Args:
        problem: The problem.
        path: The file.

    Raises:
        InputError: The file cannot be written.
    """
    store_text(path, dumps_problem(problem))


def dumps_problem(problem: Problem) -> str:
    """The text of such a file."""
    return laid_out(_entry(problem))


def write_plan(plan: Plan, path: FilePath) -> None:
    """Writes a plan file that does not say who made the plan.

    Args:
        plan: The plan; its claimed cost is kept as it is.
        path: The file.

    Raises:
        InputError: The plan has too many positions, or the file cannot be written.
    """
    store_text(path, dumps_plan(plan))


def dumps_plan(plan: Plan) -> str:
    """The text of such a file."""
    return laid_out(_entry(plan.problem) | {"plan": _plan_entry(plan, plan.claimed_cost)})


def write_result(result: Result, path: FilePath) -> None:
    """Writes what a solver answered, with the cost it claims. The transcript is not kept.

    Args:
        result: The result, with a plan or without.
        path: The file.

    Raises:
        InputError: Something in the result is nothing that JSON can keep, or the file cannot be written.
    """
    store_text(path, dumps_result(result))


def dumps_result(result: Result) -> str:
    """The text of such a file."""
    entry = _entry(result.problem)
    if result.plan is not None:
        claimed = result.plan.claimed_cost
        entry["plan"] = _plan_entry(result.plan, result.plan.cost if claimed is None else claimed)
    entry["result"] = {
        "status": Status(result.status).value,
        "reason": result.reason,
        "solver": None if result.solver is None else _solver_entry(result.solver),
        "seed": _whole(result.seed, "seed", high=UINT64),
        "lower_bound": _whole(result.lower_bound, "lower_bound", high=INT64),
        "stats": _plain(dict(sorted(result.stats.items())), "stats"),
    }
    return laid_out(entry)


def read_problem(path: Readable) -> Problem:
    """Reads the problem of a problem file or of a plan file.

    Args:
        path: The file.

    Returns:
        The problem.

    Raises:
        FormatError: The file is malformed.
        InputError: The file cannot be read.
    """
    problem, _, _ = _parts(load(path))
    return problem


def read_plan(path: Readable) -> PlanFile:
    """Reads a plan file or a problem file. The plan is not judged: see `sidestep.validate`.

    Args:
        path: The file.

    Returns:
        What the file says.

    Raises:
        FormatError: The file is malformed.
        InputError: The file cannot be read.
    """
    document = load(path)
    problem, paths, said = _parts(document)
    if paths is None:
        return PlanFile(problem, **said)
    document.check_positions(paths.makespan, problem.n_agents)
    vertices = padded(paths.listed, paths.makespan)
    facings = None if paths.facings is None else padded(paths.facings, paths.makespan)
    plan = Plan(problem, vertices, claimed_cost=paths.claimed_cost, facings=facings)
    return PlanFile(problem, plan, **said)


@dataclass(frozen=True)
class _Paths:
    """A plan as a file tells it: stays at the end are left out."""

    claimed_cost: int | None
    makespan: int
    listed: list[list[int]]
    facings: list[list[int]] | None


def _parts(document: Document) -> tuple[Problem, _Paths | None, dict[str, Any]]:
    """The problem, the paths and what is said of the result, checked, before there is an array of them."""
    record = versioned(document, FORMAT, VERSION)
    problem = _problem_from(record.record("problem"))
    paths = _paths_from(record.record("plan"), problem) if record.has("plan") else None
    said = _result_from(record.record("result")) if record.has("result") else {}
    record.done()
    return problem, paths, said


def _entry(problem: Problem) -> dict[str, Any]:
    agents = [agent_entry(agent) for agent in problem.agents]
    entry = {"space": space_entry(problem.space), "rules": rules_entry(problem.rules), "agents": agents}
    return {"format": FORMAT, "version": VERSION, "problem": entry}


def agent_entry(agent: Agent) -> dict[str, Any]:
    """An agent as a JSON object."""
    return {
        "name": agent.name,
        "start": _place_entry(agent.start),
        "goal": _place_entry(agent.goal),
        **{
            one.field: getattr(agent, one.field)
            for one in ATTRIBUTES
            if one.field in _ALWAYS_WRITTEN or getattr(agent, one.field) != one.usually_written
        },
    }


def _place_entry(place: Any) -> Any:
    return list(place) if isinstance(place, tuple) else place


def _plan_entry(plan: Plan, claimed_cost: int | None) -> dict[str, Any]:
    if too_many(plan.makespan, plan.problem.n_agents):
        raise InputError(f"a plan file may hold at most {MOST_WRITTEN} positions")
    entry = {
        "claimed_cost": _whole(claimed_cost, "claimed_cost", high=INT64),
        "makespan": plan.makespan,
        "paths": trimmed(plan.vertices),
    }
    return entry if plan.facings is None else entry | {"facings": trimmed(plan.facings)}


def _solver_entry(solver: Any) -> dict[str, Any]:
    name = str(getattr(solver, "name", type(solver).__name__))
    # What a solver does not show of itself, such as how a person is asked, is no part of its parameters.
    names = [item.name for item in fields(solver) if item.repr] if is_dataclass(solver) else []
    return {
        "name": name,
        "parameters": {key: _plain(getattr(solver, key), f"{name}.{key}") for key in names},
    }


def _whole(value: Any, what: str, *, high: int) -> int | None:
    value = value if isinstance(value, int) else _plain(value, what)
    if value is None or (type(value) is int and -INT64 <= value <= high):
        return value
    raise InputError(f"{what} must be a whole number of at most 64 bits, not {value!r}")


def _plain(value: Any, what: str) -> Any:  # noqa: PLR0911  # one line per kind of value
    """The value as JSON keeps it, or an InputError that names it. What is not finite becomes null."""
    if isinstance(value, Enum):
        return _plain(value.value, what)
    if isinstance(value, int) and not -INT64 - 1 <= value <= UINT64:
        raise InputError(f"{what} is a number of more than 64 bits, which a plan file cannot keep")
    if value is None or isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, (np.generic, np.ndarray)):
        return _plain(value.tolist(), what)
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {_key(key, what): _plain(item, f"{what}.{key}") for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(item, f"{what}[{index}]") for index, item in enumerate(value)]
    if is_dataclass(value) and not isinstance(value, type):
        return _solver_entry(value)
    raise InputError(f"{what} is a {type(value).__name__}, which a plan file cannot keep")


def _key(key: Any, what: str) -> str:
    if not isinstance(key, str):
        raise InputError(f"{what} has the key {key!r}: a plan file keeps only names")
    return key


def _problem_from(record: Record) -> Problem:
    space = space_from(record.record("space"))
    rules = rules_from(record.record("rules")) if record.has("rules") else Rules()
    agents = [agent_from(entry, space, index) for index, entry in enumerate(record.records("agents"))]
    record.done()
    twice = repeated([str(agent.name) for agent in agents])
    if twice is not None:
        raise record.error("agents", f"has two agents named {twice[:40]!r}")
    with record.model_errors():
        return Problem.from_agents(space, agents, rules=rules)


def agent_from(record: Record, space: Space, index: int) -> Agent:
    """The agent of such an object, which need not have more than a start."""
    agent = Agent(
        start=_place_from(record, "start", space),
        goal=_place_from(record, "goal", space) if record.has("goal") else None,
        name=record.text("name") if record.has("name") else f"a{index}",
        **{one.field: _attribute(record, one) for one in ATTRIBUTES if record.has(one.field)},
    )
    record.done()
    return agent


def _attribute(record: Record, attribute: Attribute) -> Any:
    if not attribute.letters:
        return record.integer(attribute.field, low=attribute.least)
    letter = record.text(attribute.field)
    with record.model_errors():
        attribute.number(letter)
    return letter


def _place_from(record: Record, name: str, space: Space) -> Any:
    if isinstance(space, Graph):
        return record.integer(name, low=0, high=space.n - 1)
    place = record.integers(name)
    if len(place) != 2:
        raise record.error(name, f"must be [row, col], not {len(place)} numbers")
    with record.model_errors():
        space.vertex(place)
    return place


def _paths_from(record: Record, problem: Problem) -> _Paths:
    claimed = (
        record.integer("claimed_cost", low=-INT64 - 1, high=INT64) if record.has("claimed_cost") else None
    )
    makespan = record.integer("makespan", low=0, high=INT32 - 1)
    paths = paths_from(record, problem.n_agents, makespan, problem.space.n)
    facings = None
    if record.has("facings"):
        facings = paths_from(record, problem.n_agents, makespan, len(FACINGS), name="facings")
    record.done()
    return _Paths(claimed, makespan, paths, facings)


def _result_from(record: Record) -> dict[str, Any]:
    status = record.text("status")
    if status not in list(Status):
        raise record.error("status", f"must be one of {', '.join(Status)}, not {status[:40]!r}")
    said: dict[str, Any] = {"status": Status(status)}
    if record.has("reason"):
        said["reason"] = record.text("reason")
    for name, high in (("seed", UINT64), ("lower_bound", INT64)):
        if record.has(name):
            said[name] = record.integer(name, low=-INT64 - 1, high=high)
    if record.has("stats"):
        said["stats"] = record.plain("stats")
    if record.has("solver"):
        solver = record.record("solver")
        said["solver"] = solver.text("name")
        said["parameters"] = solver.plain("parameters") if solver.has("parameters") else {}
        solver.done()
    record.done()
    return said


PLAN_FORMAT = our_format(
    "plan",
    FORMAT,
    "problem or plan",
    loads={PlanFile: read_plan, Problem: read_problem},
    dumps={Result: dumps_result, Plan: dumps_plan, Problem: dumps_problem},
    called="a problem or a plan",
)
