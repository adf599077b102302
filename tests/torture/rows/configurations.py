"""Solvers for thousands of agents on tiny problems: nothing they say is wrong, under all rules.

LaCAM solves exactly what can be solved, in all its forms, and at its end it has the oracle's cost; PIBT and
guided PIBT propose nothing that the guard refuses.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from random import Random
from typing import Any

import numpy as np

import sidestep as ss
from tests.solvers.oracle import PROGRAM, Oracle

from ..draws import any_problem, told
from ..row import Failed, Row
from ..second_judge import judge_plan

BATCH = 50  # problems that the oracle is asked at once
TURNS = 12
NODES = 200_000  # of a search: four agents in the open may need more to come to its end

SEARCHES: list[Any] = [
    ss.LaCAM(),
    ss.LaCAM(guide=0),
    ss.LaCAM(guide=0, hindrance=False),
    ss.LaCAM(guide=2, collision_cost=1, swap=False),
    ss.LaCAM(guide=6, collision_cost=4),
    ss.LaCAM(guide=33, threads=2),
]
TO_THE_END: list[Any] = [ss.LaCAM(anytime=True), ss.LaCAM(anytime=True, guide=0, swap=False)]
ONLINE: list[Any] = [
    ss.PIBT(),
    ss.PIBT(hindrance=False, swap=False),
    ss.Guided(),
    ss.Guided(window=3, collision_cost=4, swap=False),
]


@cache
def oracle() -> Oracle:
    return Oracle()


def one(number: int) -> int:
    """A batch of problems: the oracle first, then a search, a search to its end, and a world for each."""
    draw = Random(number)
    problems = [off_goal(any_problem(draw, most=4, side=4)) for _ in range(BATCH)]
    costs = oracle().cheapest_of(problems)
    checks = 0
    for problem, cost in zip(problems, costs, strict=True):
        checks += searched(problem, draw.choice(SEARCHES), cost, draw.randrange(2**32))
        checks += searched(problem, draw.choice(TO_THE_END), cost, draw.randrange(2**32))
        checks += walked(problem, draw.choice(ONLINE), draw.randrange(2**32))
    return checks


def off_goal(problem: ss.Problem) -> ss.Problem:
    """The same under the cost of which LaCAM finds the least."""
    rules = replace(problem.rules, cost="time_off_goal")
    return ss.Problem.from_agents(problem.space, problem.agents, rules=rules)


def searched(problem: ss.Problem, solver: Any, cost: int | None, seed: int) -> int:
    """LaCAM says what the oracle says. It is asked itself: `solve` sees plain impossibility alone."""
    if not solver.supports(problem):
        return 0
    budget = ss.Budget(nodes=NODES)
    result = solver.solve(problem, budget=budget, seed=seed)
    if budget.exhausted and result.plan is None:
        return 0
    if (result.plan is None) != (cost is None):
        raise Failed(f"{solver} says {result.status}, the oracle {cost}: {told(problem)}")
    if cost is None:
        if result.status is not ss.Status.INFEASIBLE:
            raise Failed(f"{solver} says {result.status}, but there is no plan: {told(problem)}")
        return 1
    at_its_end = solver.anytime and not budget.exhausted
    if at_its_end and (result.status is not ss.Status.OPTIMAL or result.plan.cost != cost):
        raise Failed(f"{solver} says {result}, the oracle {cost}: {told(problem)}")
    found = judge_plan(problem, result.plan.vertices.tolist(), result.plan.cost)
    if found or not ss.validate(problem, result.plan):
        raise Failed(f"the plan of {solver} breaks rules: {told(problem)}")
    return 3


def walked(problem: ss.Problem, solver: Any, seed: int) -> int:
    """Some turns of a world: the guard has nothing to refuse, and the trace is sound."""
    if not solver.supports(problem):
        return 0
    world = ss.World(problem, solver, seed=seed)
    for _ in range(TURNS):
        world.step()
    refused = np.count_nonzero(world.trace.events[:, 1] == ss.EventKind.REFUSED)
    if refused or world.planner_error is not None:
        raise Failed(f"{solver} had {refused} moves refused ({world.planner_error}): {told(problem)}")
    if not ss.validate_trace(world.trace):
        raise Failed(f"the trace of {solver} is not sound: {told(problem)}")
    return 2


def needs() -> str:
    return "" if PROGRAM.exists() else "the oracle is not built: `make cpp-test` builds it"


ROW = Row(
    name="configurations",
    what="LaCAM solves exactly what the oracle solves, at its end at the same cost; the guard refuses no "
    "move of PIBT and guided PIBT",
    full=100_000,
    unit="tiny problems",
    one=one,
    batch=BATCH,
    weight=6,
    needs=needs,
)
