"""The judge against the second judge: sound plans and traces, and what mutations make of them."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import numpy as np

import sidestep as ss

from ..draws import any_problem, any_rules, told
from ..row import Failed, Row
from ..second_judge import Ground, differences, judge_plan, plan_cost
from ..walks import neighbours, random_walks

BATCH = 20  # plans per problem
SOLVERS = ("ca", "hca", "whca", "lra", "id", "cbs", "bcp", "dmrcp")
WITH_BODIES = ("ca", "hca", "whca")
Rows = list[list[int]]


def one(number: int) -> int:
    """One problem, a plan for it, and what mutations make of both."""
    draw = Random(number)
    bodies = draw.random() < 0.4
    problem = any_problem(draw, most=4, side=5, bodies=bodies)
    rows = solved(problem, draw, bodies) or random_walks(problem, draw)
    ground = Ground(problem.space)
    compare(problem, rows, None, ground)
    for _ in range(BATCH - 1):
        mutant = [list(row) for row in rows]
        for _ in range(draw.choice([1, 1, 1, 2, 4])):
            mutant = mutated(problem, mutant, draw)
        other = other_problem(problem, draw) if draw.random() < 0.2 else problem
        claimed = None if draw.random() < 0.7 else plan_cost(other, mutant) + draw.choice([0, 0, -1, 1])
        compare(other, mutant, claimed, ground if other.space is problem.space else Ground(other.space))
    return 2 * BATCH


def solved(problem: ss.Problem, draw: Random, bodies: bool) -> Rows | None:
    """A plan of one of the solvers, if there is one."""
    if draw.random() < 0.5:
        return None
    name = draw.choice(WITH_BODIES if bodies else SOLVERS)
    try:
        plan = ss.solve(problem, name, node_limit=200).plan
    except ss.UnsupportedError:
        return None
    return None if plan is None else plan.vertices.tolist()


def compare(problem: ss.Problem, rows: Rows, claimed: int | None, ground: Ground) -> None:
    """The two judges say the same of a plan; the second one knows the ground of the problem."""
    plan = ss.Plan(problem, rows, claimed_cost=claimed)
    report = ss.validate(problem, plan)
    found = judge_plan(problem, rows, claimed, ground)
    fault = differences(found, report, problem.space)
    if not fault and report.cost != plan_cost(problem, rows):
        fault = f"a cost of {report.cost}, here {plan_cost(problem, rows)}"
    if fault:
        raise Failed(f"{fault}; {told(problem)}; plan {rows}")


def mutated(problem: ss.Problem, rows: Rows, draw: Random) -> Rows:
    """The rows with one fault more, or only with another course."""
    agent, time = draw.randrange(problem.n_agents), draw.randrange(len(rows))
    other = draw.randrange(problem.n_agents)
    path = [row[agent] for row in rows]
    kind = draw.randrange(12)
    if kind == 0:  # a step to the side, or into a wall
        near = neighbours(problem.space, path[time])
        path[time] = draw.choice(near) if near else path[time]
    elif kind == 1:  # anywhere
        path[time] = draw.choice([-1, -1, -2, problem.space.n, draw.randrange(problem.space.n)])
    elif kind == 2:  # later than the others
        path = path[: time + 1] + path[time:-1]
    elif kind == 3:  # earlier
        path = [*path[:time], *path[time + 1 :], path[-1]]
    elif kind == 4:  # gone, or back again
        path[time:] = [draw.choice([-1, path[time]])] * (len(path) - time)
    elif kind == 5:  # where another one is
        path[time] = rows[time][other]
    elif kind == 6:  # on its goal
        path[time:] = [int(problem.goals[agent])] * (len(path) - time)
    elif kind == 7:  # there and back
        path = path[:time] + path[: len(path) - time][::-1]
    elif kind == 8:  # the two go each other's ways
        for row in rows[time:]:
            row[agent], row[other] = row[other], row[agent]
        return rows
    else:
        return other_length(rows, time, draw)
    for row, vertex in zip(rows, path, strict=True):
        row[agent] = vertex
    return rows


def other_length(rows: Rows, time: int, draw: Random) -> Rows:
    """A time less, or one twice, or the end cut off or drawn out."""
    kind = draw.randrange(4)
    if kind == 0 and len(rows) > 1:
        return rows[:time] + rows[time + 1 :]
    if kind == 1:
        return rows[: time + 1] + [list(row) for row in rows[time:]]
    if kind == 2:
        return rows[: time + 1]
    return [*rows, *([list(rows[-1])] * draw.randint(1, 3))]


def other_problem(problem: ss.Problem, draw: Random) -> ss.Problem:
    """The problem with other rules, goals, bodies or walls; the same one if these do not fit."""
    kind = draw.randrange(4)
    agents, space, rules = list(problem.agents), problem.space, problem.rules
    index = draw.randrange(len(agents))
    if kind == 0:
        rules = any_rules(draw, shared_goals=True, later=True)
    elif kind == 1:
        goal = draw.choice([None, space.place(draw.randrange(space.n))])
        agents[index] = replace(agents[index], goal=goal)
    elif kind == 2:
        agents[index] = replace(agents[index], size=draw.randint(1, 3), period=draw.randint(1, 4))
    else:
        space = other_space(space, draw)
    try:
        return ss.Problem.from_agents(space, agents, rules=rules)
    except ss.InputError:
        return problem


def other_space(space: Any, draw: Random) -> Any:
    if isinstance(space, ss.Graph):
        some = [edge for edge in space.edges.tolist() if draw.random() < 0.8] or [[0, 1]]
        pairs = [[draw.randrange(len(some)) for _ in range(2)] for _ in range(3)]
        return ss.Graph(space.n, some, directed=draw.random() < 0.5, edge_conflicts=pairs)
    passable = np.array(space.passable)
    vertex = draw.randrange(space.n)
    passable.flat[vertex] = not passable.flat[vertex]
    return ss.Grid(passable, draw.choice([4, 8]), draw.choice(["none", "one", "free"]))


ROW = Row(
    name="judge",
    what="the judge and a second one, written for itself, find the same in every mutated plan",
    full=1_000_000,
    unit="mutated plans",
    one=one,
    batch=BATCH,
    weight=12,
)
