"""The front door: pick a solver, give it a budget, take its answer."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import Any, Unpack

import numpy as np

from . import _core
from .budget import Budget, OnPlan, OnProgress, StopFlag, Watchers
from .model.agents import IDLE
from .model.arrays import BoolArray, checked_seed, is_whole
from .model.bound import Bound
from .model.errors import InputError
from .model.problem import Problem
from .model.result import Result, Status
from .model.space import covered_cells
from .model.support import require_support
from .model.to_core import compile_rules, components_of
from .solvers import Solver, make_solver
from .solvers.bounds import Certificate
from .solvers.cooperative import cooperating_agents
from .solvers.registry import DEFAULT

TRAPS = {
    _core.Trap.full: "nobody around it can move, since every place is taken",
    _core.Trap.ring: "around a ring without branches agents keep their order",
    _core.Trap.tree: "where there are no loops, others are in its way that it cannot change places with",
    _core.Trap.bridge: "every place is taken, so that agents only go around loops, and none leads there",
    _core.Trap.odd: "every place is taken, and around loops of odd length no two just change places",
}


def solve(
    problem: Problem,
    solver: str | Solver = DEFAULT,
    *,
    time_limit: float | None = 60.0,
    node_limit: int | None = None,
    memory_limit: int | None = None,
    seed: int = 0,
    stop: StopFlag | None = None,
    on_progress: OnProgress | None = None,
    on_plan: OnPlan | None = None,
    **params: Any,
) -> Result:
    """Solves a problem.

    Args:
        problem: What to solve.
        solver: The name of a solver (see `solvers`), or a solver with its parameters, such as
            `WHCA(window=8)`; `auto`, which picks others, if none is named.
        time_limit: Seconds; None is no limit.
        node_limit: How many nodes may be expanded; None is no limit. With it, and without a limit of time, a
            run is the same on every machine.
        memory_limit: How many bytes distances, searches and results may hold together, the map not
            counted; a quarter of the machine's memory if None.
        seed: Where all that is random in a solver comes from.
        stop: A `threading.Event`, or a callable that returns whether to end the run early.
        on_progress: Called with a `Progress` every few milliseconds.
        on_plan: Called with a `Result` for each better plan of a solver that finds several.
        **params: The parameters of a solver that is given by name.

    Returns:
        The result. If no plan was found, it says why and is falsy.

    Raises:
        InputError: An argument is not valid, or there is no such solver or parameter.
        UnsupportedError: The solver does not take this problem.
    """
    if not isinstance(problem, Problem):
        raise InputError(f"problem must be a Problem, not {type(problem).__name__}")
    seed = checked_seed(seed)
    chosen = make_solver(solver, params)
    limits = time_limit, node_limit, memory_limit
    budget = limited(*limits, stop=stop, on_progress=on_progress, on_plan=on_plan)
    require_support(chosen, problem, chosen.name)
    reason = impossible(problem, budget)
    if reason:
        result = Result(problem, chosen, seed, Status.INFEASIBLE, reason=reason)
    elif budget.exhausted:
        result = Result(problem, chosen, seed, Status.TIMEOUT, reason=budget.why(), stats={"expansions": 0})
    else:
        result = chosen.solve(problem, budget=budget, seed=seed)
    return replace(result, stats={"seconds": budget.elapsed, **result.stats})


def lower_bound(
    problem: Problem,
    *,
    time_limit: float | None = 10.0,
    node_limit: int | None = None,
    memory_limit: int | None = None,
    enough: int | None = None,
    stop: StopFlag | None = None,
    on_progress: OnProgress | None = None,
) -> Bound:
    """Finds a number that no plan of a problem can cost less than, and what shows it.

    It grows with time: first come the distances of all agents, then those who must wait for others to pass
    their goals, pairs that cost more together than alone, and larger groups. (Of agents of other sizes and
    periods than 1 only the distances count.) If the problem has no plan, any number is right.

    Args:
        problem: The problem.
        time_limit: Seconds; None is no limit.
        node_limit: How many nodes may be expanded; None is no limit. With it, and without a limit of time,
            the bound is the same on every machine.
        memory_limit: How many bytes the work may hold; a quarter of the machine's memory if None.
        enough: Stop when the bound is at least this.
        stop: A `threading.Event`, or a callable that returns whether to end early.
        on_progress: Called with a `Progress` every few milliseconds.

    Returns:
        The bound: the best that was shown by the limit.

    Raises:
        InputError: An argument is not valid.
    """
    if not isinstance(problem, Problem):
        raise InputError(f"problem must be a Problem, not {type(problem).__name__}")
    if enough is not None and not is_whole(enough):
        raise InputError(f"enough is a cost, a whole number, not {enough!r}")
    budget = limited(time_limit, node_limit, memory_limit, stop=stop, on_progress=on_progress)
    certificate = Certificate(problem)
    certificate.work(budget, enough=None if enough is None else max(0, min(int(enough), 2**62)))
    bound = certificate.bound()
    return replace(bound, stats={"seconds": budget.elapsed, "expansions": budget.nodes, **bound.stats})


def limited(
    seconds: float | None, nodes: int | None, memory: int | None, **watchers: Unpack[Watchers]
) -> Budget:
    """A budget, of a quarter of the machine's memory if that is not limited."""
    return Budget(seconds, nodes, memory=quarter_of_memory() if memory is None else memory, **watchers)


def quarter_of_memory() -> int | None:
    """In bytes; None, which is no limit, where the system does not tell."""
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 4
    except (AttributeError, ValueError, OSError):
        return None


def impossible(problem: Problem, budget: Budget) -> str:
    """Why no plan can exist, where that is plain to see; else nothing."""
    both_stay = problem.rules.shared_goals and problem.rules.at_goal == "stay"
    if both_stay and (pair := _goals_that_overlap(problem)):
        first, second = (problem.names[agent] for agent in pair)
        return f"agents {first} and {second} share a goal and both stay on it"
    cut_off = np.flatnonzero(~reachable(problem, budget))
    if cut_off.size:
        agent = int(cut_off[0])
        goal = problem.space.place(problem.goals[agent])
        others = f" (nor can {cut_off.size - 1} others theirs)" if cut_off.size > 1 else ""
        return f"agent {problem.names[agent]} cannot reach its goal {goal}{others}"
    return _stuck(problem, budget) if problem.all_unit else ""


def _goals_that_overlap(problem: Problem) -> tuple[int, int] | None:
    taken: dict[int, int] = {}
    for agent in np.flatnonzero(problem.goals != IDLE).tolist():
        for cell in covered_cells(problem.space, int(problem.goals[agent]), int(problem.sizes[agent])):
            if cell in taken:
                return taken[cell], agent
            taken[cell] = agent
    return None


def _stuck(problem: Problem, budget: Budget) -> str:
    """Why an agent cannot get past the others, where that can be decided without a search."""
    components = None if _is_directed(problem) else components_of(problem, budget.core)
    if components is None:
        return ""
    rules = compile_rules(problem.rules)
    found = components.find_stuck(rules, problem.starts, problem.goals, budget.core)
    if found is None:
        return ""
    agent, trap = found
    goal = problem.space.place(problem.goals[agent])
    return f"agent {problem.names[agent]} can never get to its goal {goal}: {TRAPS[trap]}"


def reachable(problem: Problem, budget: Budget) -> BoolArray:
    """Per agent: can it reach its goal? If the budget ends before that is known, nobody says no."""
    reached = np.ones(problem.n_agents, dtype=np.bool_)
    if _is_directed(problem) or not problem.all_unit:
        ways = cooperating_agents(problem).distances(budget.core)
        if len(ways):
            reached[:] = ways >= 0
        return reached
    components = components_of(problem, budget.core)
    return reached if components is None else components.together(problem.starts, problem.goals)


def _is_directed(problem: Problem) -> bool:
    return getattr(problem.space, "directed", False)
