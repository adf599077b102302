"""Solvers against the oracle: optimal ones cost what it says, others no less, and no bound is above it."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from random import Random
from typing import Any

import numpy as np

import sidestep as ss
from sidestep.solvers import SOLVERS
from tests.solvers.oracle import PROGRAM, Oracle

from ..draws import any_problem, told
from ..row import Failed, Row
from ..second_judge import Ground, judge_plan

BATCH = 50  # problems that the oracle is asked at once
FEW = 300  # nodes for those that do not see that there is no plan
IN_ALL = 3  # optimal solvers per problem

# These prove where there is no plan.
PROVING: list[Any] = [
    ss.Standard(),
    ss.OD(),
    ss.OD(pairs=False),
    ss.OD(duplicates="standard"),
    ss.SID(),
    ss.SID("standard"),
    ss.ID(),
    ss.ID("standard"),
    SOLVERS["anytime"](),
]
BARE: dict[str, Any] = dict.fromkeys(("prioritise", "bypass", "rectangle", "corridor", "target"), False)
UNPROVING: list[Any] = [
    ss.CBS(),
    ss.CBS(disjoint=True),
    ss.CBS(heuristic="none"),
    ss.CBS(heuristic="cg"),
    ss.CBS(heuristic="dg"),
    *(ss.CBS(**{name: False}) for name in BARE),
    ss.CBS(heuristic="none", **BARE),
    ss.ICTS(),
    ss.ICTS(independence=False),
    ss.ICTS(pruning="none"),
    ss.ICTS(pruning="simple"),
    ss.ID("cbs"),
    ss.ID("icts"),
]
OTHERS: list[Any] = [SOLVERS[name]() for name in ss.solvers() if not SOLVERS[name].info.optimal]


@cache
def oracle() -> Oracle:
    return Oracle()


def one(number: int) -> int:
    """A batch of problems: the oracle first, then some solvers for each."""
    draw = Random(number)
    problems = [any_problem(draw, most=3, side=4) for _ in range(BATCH)]
    costs = oracle().cheapest_of(problems)
    return sum(check(problem, cost, draw) for problem, cost in zip(problems, costs, strict=True))


def check(problem: ss.Problem, cost: int | None, draw: Random) -> int:
    """Some optimal solvers, one that is not, and one for the same problem in other words."""
    checks, ground = 0, Ground(problem.space)
    for solver in draw.sample(PROVING, 1) + draw.sample(UNPROVING, IN_ALL - 1):
        checks += optimal(problem, solver, cost, ground)
    checks += other(problem, draw.choice(OTHERS), cost, draw.choice([50, 2000]), ground)
    if draw.random() < 0.3:
        change = draw.choice(SAME_COST)
        changed = change(problem, draw)
        if changed is not None:
            how = f"after {change.__name__}"
            checks += optimal(changed, draw.choice(PROVING[1:]), cost, Ground(changed.space), how)
    return checks


def optimal(problem: ss.Problem, solver: Any, cost: int | None, ground: Ground, how: str = "") -> int:
    """An optimal solver finds a plan of this cost, or that there is none."""
    if not solver.supports(problem):
        return 0
    proving = solver in PROVING
    limit = None if proving or cost is not None else FEW
    # Where there is no plan, the front door often sees it: then the solver is asked itself.
    alone = proving and cost is None
    result = (
        solver.solve(problem, budget=ss.Budget()) if alone else ss.solve(problem, solver, node_limit=limit)
    )
    if cost is None:
        allowed = [ss.Status.INFEASIBLE] + ([] if proving else [ss.Status.TIMEOUT, ss.Status.GAVE_UP])
        if result.status not in allowed or result.plan is not None:
            raise Failed(f"{solver} {how} says {result.status}, but there is no plan: {told(problem)}")
        return 1
    if result.status is not ss.Status.OPTIMAL or result.plan is None:
        raise Failed(f"{solver} {how} says {result.status} ({result.reason}), not {cost}: {told(problem)}")
    if not result.plan.cost == result.lower_bound == cost:
        said = f"{result.plan.cost} and at least {result.lower_bound}"
        raise Failed(f"{solver} {how} says {said}, not {cost}: {told(problem)}")
    sound(problem, solver, result.plan, ground)
    return 3


def other(problem: ss.Problem, solver: Any, cost: int | None, nodes: int, ground: Ground) -> int:
    """Any other solver, or an optimal one that is cut short, claims nothing that is not true."""
    if not solver.supports(problem):
        return 0
    result = ss.solve(problem, solver, node_limit=nodes)
    if result.status is ss.Status.OPTIMAL and (result.plan is None or result.plan.cost != cost):
        raise Failed(f"{solver} says {result}, but the best cost is {cost}: {told(problem)}")
    if result.status is ss.Status.INFEASIBLE and cost is not None:
        raise Failed(f"{solver} says infeasible, but there is a plan of cost {cost}: {told(problem)}")
    if result.plan is not None and (cost is None or result.plan.cost < cost):
        raise Failed(f"{solver} has a plan of cost {result.plan.cost}, below {cost}: {told(problem)}")
    if cost is not None and result.lower_bound is not None and result.lower_bound > cost:
        raise Failed(f"{solver} says at least {result.lower_bound}, above {cost}: {told(problem)}")
    if result.plan is not None:
        sound(problem, solver, result.plan, ground)
    return 4


def sound(problem: ss.Problem, solver: Any, plan: ss.Plan, ground: Ground) -> None:
    """The second judge finds nothing wrong with a plan."""
    found = judge_plan(problem, plan.vertices.tolist(), plan.cost, ground)
    if found:
        raise Failed(f"the plan of {solver} breaks rules: {dict(found.who)}: {told(problem)}")


# What must not change the cost


def agents_in_another_order(problem: ss.Problem, draw: Random) -> ss.Problem | None:
    agents = list(problem.agents)
    draw.shuffle(agents)
    return ss.Problem.from_agents(problem.space, agents, rules=problem.rules)


def map_turned(problem: ss.Problem, draw: Random) -> ss.Problem | None:
    space = problem.space
    if not isinstance(space, ss.Grid):
        return None
    turn: Callable[[Any], Any] = draw.choice([np.rot90, np.fliplr, np.flipud, np.transpose])
    ids = turn(np.arange(space.n).reshape(space.passable.shape))
    grid = ss.Grid(turn(space.passable), space.connectivity, space.corners)
    new = {int(old): vertex for vertex, old in enumerate(ids.flat)}
    return moved(problem, grid, new)


def vertices_renamed(problem: ss.Problem, draw: Random) -> ss.Problem | None:
    """The same as a graph whose vertices have other numbers, among others that nobody can reach."""
    space = problem.space
    extra = draw.randint(0, 3)
    names = draw.sample(range(space.n + extra), space.n)
    if isinstance(space, ss.Graph):
        edges = [[names[u], names[v]] for u, v in space.edges.tolist()]
        pairs = space.edge_conflicts.tolist()
        graph = ss.Graph(space.n + extra, edges, directed=space.directed, edge_conflicts=pairs or None)
        return moved(problem, graph, dict(enumerate(names)))
    if space.connectivity == 8:
        return None
    edges = [
        [names[vertex], names[vertex + step]]
        for vertex in range(space.n)
        for step in (1, space.width)
        if vertex + step < space.n
        and (step > 1 or (vertex + 1) % space.width)
        and space.open[vertex]
        and space.open[vertex + step]
    ]
    return moved(problem, ss.Graph(space.n + extra, edges), dict(enumerate(names)))


def walls_around(problem: ss.Problem, draw: Random) -> ss.Problem | None:
    """A frame of walls, and beyond it cells that nobody can reach."""
    space = problem.space
    if not isinstance(space, ss.Grid):
        return None
    frame = draw.choice([1, 2])
    passable = np.pad(np.pad(space.passable, 1), frame - 1, constant_values=True)
    width = passable.shape[1]
    new = {
        row * space.width + col: (row + frame) * width + col + frame
        for row in range(space.height)
        for col in range(space.width)
    }
    return moved(problem, ss.Grid(passable, space.connectivity, space.corners), new)


def somebody_at_rest_elsewhere(problem: ss.Problem, draw: Random) -> ss.Problem | None:
    """One agent more that is at home, on a vertex of its own."""
    space = problem.space
    if not isinstance(space, ss.Graph):
        return None
    pairs = space.edge_conflicts.tolist()
    graph = ss.Graph(space.n + 1, space.edges, directed=space.directed, edge_conflicts=pairs or None)
    agents = [*problem.agents, ss.Agent(space.n, draw.choice([None, space.n]), name="rests")]
    return ss.Problem.from_agents(graph, agents, rules=problem.rules)


def moved(problem: ss.Problem, space: Any, new: dict[int, int]) -> ss.Problem:
    """The problem elsewhere, its vertices being renamed."""
    ends = zip(problem.starts.tolist(), problem.goals.tolist(), strict=True)
    agents = [ss.Agent(space.place(new[u]), None if v < 0 else space.place(new[v])) for u, v in ends]
    return ss.Problem.from_agents(space, agents, rules=problem.rules)


SAME_COST = [
    agents_in_another_order,
    map_turned,
    vertices_renamed,
    walls_around,
    somebody_at_rest_elsewhere,
]


def needs() -> str:
    return "" if PROGRAM.exists() else "the oracle is not built: `make cpp-test` builds it"


ROW = Row(
    name="optimal",
    what="optimal solvers cost what the oracle says, also when the problem is put in other words; "
    "no other one costs less, no bound is above it, and no plan breaks a rule",
    full=1_000_000,
    unit="tiny problems",
    one=one,
    batch=BATCH,
    weight=24,
    needs=needs,
)
