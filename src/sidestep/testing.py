"""The contract that every solver keeps, as checks that anybody can run on their own.

    from sidestep.testing import check_solver
    check_solver(MySolver())        # raises ContractError with one sentence per broken promise

or, one test per promise, with pytest:

    @pytest.mark.parametrize("check", CONTRACT, ids=lambda check: check.__name__)
    def test_contract(check):
        check(MySolver())
"""

from __future__ import annotations

import dataclasses
import pickle
import threading
import time
from collections.abc import Callable, Iterator

import numpy as np

from .budget import Budget
from .instances import random_grid, random_problem
from .judge import validate, validate_trace
from .model.agents import Agent
from .model.errors import InputError, SidestepError, UnsupportedError
from .model.events import EventKind
from .model.graph import Graph
from .model.grid import Grid
from .model.problem import Problem
from .model.result import Result, Status
from .model.rules import RULES, Rules
from .model.support import supported
from .solve import solve
from .solvers import Solver, SolverInfo
from .world import World

__all__ = ["CONTRACT", "ContractError", "check_solver"]

SLACK = 1.0  # seconds that a check of a time limit allows on a busy machine
TRIES = 3  # runs that may be late before the solver is to blame
NODES = 200_000  # enough for every small problem here, and soon spent
MASKS = (1, 2, 4, 8, 15, 7, 11, 13, 14, 3, 5, 6, 9, 10, 12)  # one per rule, to vary them by


class ContractError(SidestepError, AssertionError):
    """A solver breaks its contract; one sentence per broken promise."""


def check_solver(solver: Solver) -> None:
    """Runs the whole contract on a solver.

    Args:
        solver: The solver, with parameters or without.

    Raises:
        ContractError: It breaks its contract; the message has one sentence per broken promise.
    """
    broken = []
    for check in CONTRACT:
        try:
            check(solver)
        except AssertionError as error:
            broken.append(f"{check.__name__}: {error}")
    if broken:
        raise ContractError("\n".join(broken))


# What a solver is


def is_a_frozen_dataclass_with_defaults(solver: Solver) -> None:
    """Parameters in the constructor, all with defaults, and the facts that the table needs."""
    kind = type(solver)
    _promise(dataclasses.is_dataclass(kind), "a solver is a dataclass")
    _promise(kind.__dataclass_params__.frozen, "its parameters cannot be changed")  # type: ignore[attr-defined]
    _promise(isinstance(getattr(kind, "name", None), str), "it has a name")
    _promise(isinstance(getattr(kind, "info", None), SolverInfo), "it has an info: SolverInfo(...)")
    _promise(kind() == kind(), "it can be made without arguments, and equals its equals")
    _promise(pickle.loads(pickle.dumps(solver)) == solver, "it survives pickling")


# What it answers on small problems


def solves_no_agents(solver: Solver) -> None:
    """Nobody has to go anywhere: a plan of shape (1, 0)."""
    result = _solve(Problem(Grid.from_text(". ."), [], []), solver)
    _expect_plan(result)
    assert result.plan is not None
    _promise(result.plan.vertices.shape == (1, 0), "a plan for no agents has shape (1, 0)")


def solves_one_agent(solver: Solver) -> None:
    """One agent takes a shortest way around a wall."""
    result = _solve(Problem.from_text("a # .\n. # .\n. . A"), solver)
    _expect_plan(result)
    _promise(result.plan is not None and result.plan.cost == 4, "one agent takes a shortest way")


def solves_agents_on_their_goals(solver: Solver) -> None:
    """Agents that are there already stay there, at no cost."""
    places = [(0, 0), (0, 2)]
    for rules in (Rules(), Rules(at_goal="disappear")):
        problem = Problem(Grid.from_text(". . ."), places, places, rules=rules)
        if supported(solver, problem):
            result = _solve(problem, solver)
            _expect_plan(result)
            _promise(result.plan is not None and result.plan.cost == 0, "agents on their goals cost nothing")


def finds_no_plan_where_none_exists(solver: Solver) -> None:
    """Two agents cannot pass each other in a corridor."""
    # `solve` sees that without asking the solver, so that the solver is asked here.
    problem = Problem(Grid.from_text(". . . ."), [(0, 0), (0, 3)], [(0, 3), (0, 0)])
    result = solver.solve(problem, budget=Budget(10.0, NODES))
    _promise(result.plan is None, "there is no plan for two agents that cannot pass")
    allowed = {Status.INFEASIBLE}
    if not solver.info.complete:
        allowed |= {Status.TIMEOUT, Status.GAVE_UP}
    words = " or ".join(sorted(map(str, allowed)))
    _promise(result.status in allowed, f"the status should be {words}, not {result.status}")
    _promise(result.reason != "", "a result without a plan says why")


def may_step_aside(solver: Solver) -> None:
    """Two agents can pass where one steps into an alcove; nobody may call that infeasible."""
    alcove = Grid.from_text("# # . # #\n. . . . .")
    result = _solve(Problem(alcove, [(1, 0), (1, 4)], [(1, 4), (1, 0)]), solver)
    _promise(result.status != Status.INFEASIBLE, "one can step aside, so this is not infeasible")
    if solver.info.optimal:
        _expect_plan(result)
    else:
        _promise(bool(result) or result.status == Status.GAVE_UP, "a plan, or gave_up")


def says_that_a_goal_cannot_be_reached(solver: Solver) -> None:
    """A wall lies between an agent and its goal."""
    result = _solve(Problem.from_text("a # A"), solver)
    _promise(result.status == Status.INFEASIBLE, f"no way means infeasible, not {result.status}")
    _promise("a" in result.reason, "the reason names the agent")


def is_never_given_nonsense(solver: Solver) -> None:
    """Duplicate starts and starts in walls are refused before any solver sees them."""
    grid = Grid.from_text(". #\n. .")
    for starts in ([(0, 0), (0, 0)], [(0, 0), (0, 1)], [(0, 0), (5, 5)]):
        try:
            solve(Problem(grid, starts, [(1, 0), (1, 1)]), solver)
        except InputError:
            continue
        raise AssertionError(f"starts {starts} must be refused")


# What it answers on random problems


def plans_are_valid_under_all_rules(solver: Solver) -> None:
    """Whatever it returns, the judge agrees; what it does not support, it refuses with a sentence."""
    for problem in _random_problems():
        support = supported(solver, problem)
        if not support:
            _promise(support.reason != "", "a refusal has a reason")
            continue
        result = _solve(problem, solver)
        if result:
            _expect_plan(result)
        else:
            _promise(result.reason != "", "a result without a plan says why")


def refuses_what_it_does_not_honour(solver: Solver) -> None:
    """Large or slow agents are planned for or refused, never quietly treated as small and fast."""
    grid = Grid(np.ones((4, 5), dtype=np.bool_))
    for size, period in ((2, 1), (1, 2), (2, 3)):
        odd = Agent((0, 0), (1, 3), size=size, period=period)
        problem = Problem.from_agents(grid, [odd, Agent((3, 4), (3, 0))])
        if supported(solver, problem):
            _expect_plan(_solve(problem, solver))
            continue
        try:
            solve(problem, solver)
        except UnsupportedError:
            continue
        raise AssertionError("a problem that is not supported must raise UnsupportedError")


def gives_the_same_answer_again(solver: Solver) -> None:
    """Same problem, seed and node budget: the same plan, also when distances were found before."""
    problem = random_problem(random_grid(12, 12, 0.15, 3), 35, 3)
    first, second = (_solve(problem, solver, seed=5) for _ in range(2))
    _promise(first.status == second.status, "the same seed gives the same status")
    if first.plan is not None and second.plan is not None:
        same = np.array_equal(first.plan.vertices, second.plan.vertices)
        _promise(same, "the same seed gives the same plan")


def leaves_its_input_alone(solver: Solver) -> None:
    """The problem is the same afterwards, to the byte."""
    problem = random_problem(random_grid(10, 10, 0.1, 1), 8, 1)
    before = pickle.dumps(problem)
    _solve(problem, solver)
    _promise(pickle.dumps(problem) == before, "a solver does not change its problem")


# How it keeps its limits


def keeps_a_time_limit(solver: Solver) -> None:
    """It ends soon after its limit, with a plan or with timeout, and never claims more than it knows."""
    problem = random_problem(random_grid(64, 64, 0.2, 7), 300, 7)
    result = _soon(lambda: solve(problem, solver, time_limit=0.05), 0.05 + SLACK, "a time limit is kept")
    _expect_honest_end(result, "time limit")


def keeps_a_node_limit(solver: Solver) -> None:
    """No nodes, no plan; unless it needs none."""
    problem = random_problem(random_grid(16, 16, 0.2, 7), 30, 7)
    _expect_honest_end(solve(problem, solver, node_limit=5), "node limit")


def stops_when_it_is_asked(solver: Solver) -> None:
    """A flag that is set ends the run."""
    flag = threading.Event()
    flag.set()
    problem = random_problem(random_grid(64, 64, 0.2, 7), 300, 7)
    result = _soon(lambda: solve(problem, solver, stop=flag), SLACK, "it stops soon after it is asked to")
    _expect_honest_end(result, "stop flag")


# How it plans turn by turn


def takes_turns_without_agents(solver: Solver) -> None:
    """An online solver goes on in a world that nobody is in, and plans for the first who comes."""
    if not solver.info.online:
        return
    world = World(Problem(Grid.from_text(". ."), [], []), solver)  # type: ignore[arg-type]
    world.step(nodes=NODES)
    world.add(Agent((0, 0), (0, 1)))
    world.step(nodes=NODES)
    _promise(world.planner_error is None, f"the session raises nothing, but {world.planner_error!r}")
    _promise(world.where(0) == (0, 1), "an agent that comes into an empty world goes to its goal")


def moves_safely_in_a_world(solver: Solver) -> None:
    """An online solver keeps a changing world going without a planner's fault."""
    if not solver.info.online:
        return
    problem = random_problem(random_grid(14, 14, 0.1, 2), 12, 2)
    world = World(problem, solver)  # type: ignore[arg-type]
    for turn in range(40):
        if turn == 5:
            world.send(0, None)
        if turn == 10:
            world.remove(1)
            world.block(world.where(2))
        world.step(nodes=NODES)
        if world.planner_error is not None:
            raise AssertionError(f"the session raised {world.planner_error!r}")
    trace = world.trace
    report = validate_trace(trace)
    _promise(bool(report), f"the trace is valid, but {report}")
    faults = [EventKind(kind).name for kind in trace.events[:, 1] if EventKind(kind).is_planner_fault]
    _promise(not faults, f"no move is refused and no turn is lost, but {faults}")


CONTRACT: tuple[Callable[[Solver], None], ...] = (
    is_a_frozen_dataclass_with_defaults,
    solves_no_agents,
    solves_one_agent,
    solves_agents_on_their_goals,
    finds_no_plan_where_none_exists,
    may_step_aside,
    says_that_a_goal_cannot_be_reached,
    is_never_given_nonsense,
    plans_are_valid_under_all_rules,
    refuses_what_it_does_not_honour,
    gives_the_same_answer_again,
    leaves_its_input_alone,
    keeps_a_time_limit,
    keeps_a_node_limit,
    stops_when_it_is_asked,
    takes_turns_without_agents,
    moves_safely_in_a_world,
)


def _promise(kept: bool, sentence: str) -> None:
    if not kept:
        raise AssertionError(sentence)


def _soon(run: Callable[[], Result], seconds: float, sentence: str) -> Result:
    """The result of a run that ends in time; a machine may stall once, a slow solver is late each time."""
    for _ in range(TRIES):
        begin = time.monotonic()
        result = run()
        if time.monotonic() - begin < seconds:
            return result
    raise AssertionError(sentence)


def _solve(problem: Problem, solver: Solver, seed: int = 0) -> Result:
    return solve(problem, solver, time_limit=10.0, node_limit=NODES, seed=seed)


def _expect_plan(result: Result) -> None:
    """A plan that the judge accepts, with a status and a bound that fit it."""
    _promise(result.plan is not None, f"there should be a plan, not {result!r}")
    assert result.plan is not None
    report = validate(result.problem, result.plan)
    _promise(bool(report), f"the plan is valid, but {report}")
    _promise(result.status in (Status.OPTIMAL, Status.SOLVED), f"a plan with status {result.status}")
    bound = 0 if result.lower_bound is None else result.lower_bound
    _promise(bound <= result.plan.cost, f"the lower bound {bound} exceeds the cost {result.plan.cost}")


def _expect_honest_end(result: Result, limit: str) -> None:
    """After an interruption: a valid plan, or timeout (or gave_up) with a reason; no proofs."""
    if result:
        _expect_plan(result)
    allowed = (Status.SOLVED, Status.OPTIMAL) if result else (Status.TIMEOUT, Status.GAVE_UP)
    _promise(result.status in allowed, f"a run cut off by a {limit} ended as {result.status}")
    _promise(bool(result) or result.reason != "", "a result without a plan says why")


def _random_problems() -> Iterator[Problem]:
    for number, rules in enumerate(varied_rules()):
        seed = number + number // 4  # so that on every kind of ground the first two rules are all they can be
        connectivity, corners = ((4, "none"), (8, "none"), (8, "one"), (8, "free"))[seed % 4]
        grid = random_grid(7, 7, 0.2, seed, connectivity=connectivity, corners=corners)  # type: ignore[arg-type]
        problem = random_problem(grid, 6, seed, rules=rules)
        yield problem
        idle = [dataclasses.replace(problem.agents[0], goal=None), *problem.agents[1:]]
        yield Problem.from_agents(grid, idle, rules=rules)
        yield _random_graph_problem(seed, rules)


def varied_rules() -> list[Rules]:
    """Sixteen sets of rules, however many there are: every value of one meets all values of every other.

    Of the first five rules any four are together all that they can be. It is a fractional factorial design:
    the value of a rule is the parity of the bits that its mask has in common with the number of the set.
    """
    return [
        Rules(
            **{
                rule.name: rule.values[(mask & number).bit_count() % len(rule.values)]
                for rule, mask in zip(RULES, MASKS, strict=False)
            }
        )
        for number in range(16)
    ]


def _random_graph_problem(seed: int, rules: Rules) -> Problem:
    """A ring with chords, some of which cross; directed every other time."""
    n = 14
    ring = [(vertex, (vertex + 1) % n) for vertex in range(n)]
    chords = [(vertex, (vertex + 4 + seed % 3) % n) for vertex in range(0, n, 3)]
    conflicts = [(len(ring) + k, len(ring) + k + 1) for k in range(len(chords) - 1)]
    graph = Graph(n, ring + chords, directed=seed % 2 == 1, edge_conflicts=conflicts)
    return Problem(graph, [0, 3, 6, 9], [(k + seed) % n for k in (7, 10, 13, 2)], rules=rules)
