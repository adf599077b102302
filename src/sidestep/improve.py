"""A plan that somebody has, from whatever program, made cheaper."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from .budget import OnPlan, OnProgress, StopFlag
from .judge import validate
from .model.arrays import checked_seed
from .model.errors import InputError
from .model.plan import Plan
from .model.result import Result
from .model.support import require_support
from .solve import limited
from .solvers import make_solver
from .solvers.lns import LNS


def improve(
    plan: Plan,
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
    """Makes a plan cheaper by large neighbourhood search, for as long as it may.

    Args:
        plan: The plan: of a solver, or read from a file of any program. If its agents collide, leave their
            goals, or jump, what is wrong is planned anew first.
        time_limit: Seconds; None is no limit.
        node_limit: How many nodes may be expanded; None is no limit. With it, and without a limit of time, a
            run is the same on every machine.
        memory_limit: How many bytes distances, searches and results may hold together, the map not
            counted; a quarter of the machine's memory if None.
        seed: Where all that is random comes from.
        stop: A `threading.Event`, or a callable that returns whether to end the run early.
        on_progress: Called with a `Progress` every few milliseconds.
        on_plan: Called with a `Result` for each better plan.
        **params: Parameters of `LNS`.

    Returns:
        The result with the best plan. It is never worse than the given one if that is valid; if that is not,
        and no valid plan is found, it says why and is falsy.

    Raises:
        InputError: An argument is not valid, or `LNS` has no such parameter.
        UnsupportedError: An agent is larger than a cell or needs several turns for a move.
    """
    if not isinstance(plan, Plan):
        raise InputError(f"what is improved is a Plan, not {type(plan).__name__}: use result.plan")
    seed = checked_seed(seed)
    solver = make_solver("lns", params)
    assert isinstance(solver, LNS)
    limits = time_limit, node_limit, memory_limit
    budget = limited(*limits, stop=stop, on_progress=on_progress, on_plan=on_plan)
    require_support(solver, plan.problem, solver.name)
    is_valid = bool(validate(plan.problem, plan))
    result = solver.improved(plan, is_valid, budget=budget, seed=seed)
    return replace(result, stats={"seconds": budget.elapsed, **result.stats})
