"""Limits are kept, Ctrl-C is answered, exceptions come through, and threads do not disturb each other."""

from __future__ import annotations

import gc
import math
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from itertools import pairwise, product

import numpy as np
import pytest

import sidestep as ss
from sidestep import _core
from sidestep.budget import Budget
from sidestep.instances import maze_grid, random_grid, random_problem
from sidestep.model.to_core import compile_rules, compile_space, compiled_space, components_of
from sidestep.solvers.registry import make_solver
from tests.sizing import some_of

SOLVERS = list(ss.solvers())
every_solver = pytest.mark.parametrize("solver", SOLVERS)

# Machines that test are shared: what is measured is CPU time, which stands still while others run. Caches are
# shared as well, so a target of 10 ms (100 ms for Ctrl-C) is tested with more.
LIMIT, SLACK = 0.050, 0.030
ANSWER = 0.5


@cache
def crowd(kind: str = "random", agents: int = 500) -> ss.Problem:
    grid = maze_grid(128, 128, 1, 3) if kind == "maze" else random_grid(128, 128, 0.2, 1)
    return random_problem(grid, agents, 1)


@cache
def small() -> ss.Problem:
    return random_problem(random_grid(24, 24, 0.1, 2), 30, 2)


def fresh(problem: ss.Problem) -> ss.Problem:
    """The same problem, of which the core knows nothing yet."""
    return ss.Problem.from_agents(problem.space, problem.agents, rules=problem.rules)


def overrun(solver: str, problem: ss.Problem, limit: float) -> float:
    """The CPU time that went beyond the limit, in seconds."""
    begin = time.process_time()
    result = ss.solve(problem, solver, time_limit=limit)
    spent = time.process_time() - begin
    assert result.status is not ss.Status.TIMEOUT or "time limit" in result.reason
    assert not result or ss.validate(problem, result.plan)
    return spent - limit


@every_solver
@pytest.mark.parametrize(("limit", "kind"), some_of(product([LIMIT, 0.005, 0.0], ["maze", "random"])))
def test_a_time_limit_is_kept_with_500_agents_and_nothing_known(solver: str, kind: str, limit: float) -> None:
    # Compiling the map and finding the distances count. Once in three must do, on a busy machine.
    overruns = []
    for _ in range(3):
        overruns.append(overrun(solver, fresh(crowd(kind)), limit))
        if overruns[-1] < SLACK:
            return
    pytest.fail(f"over by {', '.join(f'{1000 * one:.1f} ms' for one in overruns)}")


@cache
def wide() -> ss.Problem:
    """A large map, compiled: 50 agents cross it."""
    cells = [(20 * row, column) for row in range(50) for column in (0, 1023)]
    problem = ss.Problem(ss.Grid(np.ones((1024, 1024), dtype=bool)), cells[::2], cells[1::2])
    compiled_space(problem)
    return problem


@every_solver
def test_no_time_is_no_time_on_a_large_compiled_map(solver: str) -> None:
    # A copy of the map alone takes 50 ms of CPU time.
    spent = min(overrun(solver, wide(), 0.0) for _ in range(3))
    assert spent < 0.020


@cache
def host() -> ss.Problem:
    """A large map, compiled: 2,000 agents cross it."""
    cells = [(row // 2, column) for row in range(2000) for column in (row % 2, 1022 + row % 2)]
    problem = ss.Problem(ss.Grid(np.ones((1024, 1024), dtype=bool)), cells[::2], cells[1::2])
    compiled_space(problem)
    return problem


def least_spent(work: Callable[[], object]) -> float:
    """CPU seconds, the least of three."""
    spent = []
    for _ in range(3):
        begin = time.thread_time()
        work()
        spent.append(time.thread_time() - begin)
    return min(spent)


@pytest.mark.parametrize("solver", ["standard", "od"])
def test_a_solver_that_has_no_time_left_prepares_nothing_for_2000_agents(solver: str) -> None:
    chosen = make_solver(solver, {})
    problem = host()

    def solve() -> None:
        result = chosen.solve(problem, budget=Budget(seconds=0.0))
        assert result.status is ss.Status.TIMEOUT

    assert least_spent(solve) < 0.005, "directories of distances took 11 ms at best, 28 ms at first"


def test_a_bound_that_has_no_time_looks_at_no_map() -> None:
    problem = wide()

    def bound() -> None:
        assert ss.lower_bound(problem, time_limit=0.0).value == 0

    assert least_spent(bound) < 0.002, "to renumber the places took 6 ms at best"


@pytest.mark.parametrize("seconds", [math.inf, 1e300, 2**63])
def test_a_limit_of_time_may_be_longer_than_anybody_waits(seconds: float) -> None:
    problem = ss.Problem.from_text("a . B\n. . .\nb . A")
    assert ss.solve(problem, "lns", time_limit=seconds)


def test_paths_of_others_are_read_under_the_clock() -> None:
    problem = host()
    space, rules = compiled_space(problem), compile_rules(problem.rules)
    planner = _core.JointPlanner(space, rules)
    stand = np.repeat(problem.starts[None], 2000, axis=0)
    agent = problem.starts[:1].copy(), problem.goals[:1].copy()
    options = {"decompose": True, "duplicates": _core.Duplicates.post_move, "pairs": True}

    def plan() -> None:
        budget = _core.Budget(seconds=0.0)
        more = {"at_least": 0, "cost_limit": None, "illegal": None, "avoid": stand, "budget": budget}
        assert planner.plan(*agent, **options, **more) is None
        assert planner.outcome is _core.Outcome.out_of_budget

    def compare() -> None:
        assert len(_core.find_conflicts(space, rules, stand, _core.Budget(seconds=0.0))) == 0

    assert least_spent(plan) < 0.020, "2,000 paths of 2,000 steps took 190 ms"
    assert least_spent(compare) < 0.020


def test_bcp_can_be_stopped_while_it_looks_for_collisions_of_long_paths() -> None:
    """It is asked every few milliseconds; all collisions of this maze take 75."""
    problem = random_problem(maze_grid(128, 128, 1, 3), 800, 1)
    asked: list[float] = []

    def stop() -> bool:
        asked.append(time.thread_time())
        return asked[-1] - asked[0] > 0.6

    ss.solve(problem, "bcp", time_limit=60, stop=stop)
    assert max(later - one for one, later in pairwise(asked)) < 0.04


def test_shared_goals_where_agents_disappear_are_no_matter_for_pebbles() -> None:
    rules = ss.Rules(at_goal="disappear", shared_goals=True)
    corridor = ss.Problem(ss.Grid.from_text(". . . ."), [(0, 0), (0, 1)], [(0, 3), (0, 3)], rules=rules)
    assert ss.solve(corridor, "hca")


def test_components_are_found_across_calls_and_kept() -> None:
    problem = fresh(wide())
    budgets = 0
    while components_of(problem, _core.Budget(seconds=0.001)) is None:
        budgets += 1
        assert budgets < 10_000
    assert components_of(problem, _core.Budget(seconds=0.0)) is not None


def test_compiling_a_map_takes_about_as_long_as_its_cells_are_many() -> None:
    """docs/guides/limits.md says 100 ns per cell."""
    grid = random_grid(512, 512, 0.1, 1)
    begin = time.process_time()
    compile_space(grid)
    assert time.process_time() - begin < 1000e-9 * grid.n


@every_solver
def test_a_memory_limit_holds_from_distances_to_results(solver: str) -> None:
    result = ss.solve(crowd(), solver, memory_limit=20_000, time_limit=30.0)
    assert result.status is ss.Status.TIMEOUT
    assert "memory limit" in result.reason


@pytest.mark.parametrize("solver", ["hca", "dimpp", "adpp", "pca", "whca"])
def test_a_plan_counts_as_memory(solver: str) -> None:
    budget = ss.Budget()
    result = make_solver(solver, {}).solve(small(), budget=budget)
    assert budget.core.bytes >= result.plan.vertices.nbytes
    assert budget.keeps(0)
    assert not ss.Budget(memory=10).keeps(11)


@every_solver
@pytest.mark.parametrize("nodes", [0, 1, 1000])
def test_a_node_limit_is_kept_exactly(solver: str, nodes: int) -> None:
    result = ss.solve(crowd(), solver, node_limit=nodes, time_limit=None)
    assert result.status is ss.Status.TIMEOUT
    assert result.stats["expansions"] <= nodes
    assert str(nodes) in result.reason


@every_solver
@pytest.mark.parametrize("error", [RuntimeError, KeyboardInterrupt, SystemExit])
def test_an_exception_in_a_progress_callback_comes_through(solver: str, error: type[BaseException]) -> None:
    def on_progress(progress: ss.Progress) -> None:
        raise error("mine")

    with pytest.raises(error, match="mine"):
        ss.solve(crowd(), solver, on_progress=on_progress, time_limit=30.0)


@every_solver
def test_an_exception_in_stop_comes_through(solver: str) -> None:
    def stop() -> bool:
        raise LookupError("mine")

    with pytest.raises(LookupError, match="mine"):
        ss.solve(crowd(), solver, stop=stop, time_limit=30.0)


@every_solver
def test_a_stop_flag_ends_the_run_soon(solver: str) -> None:
    stop = threading.Event()
    stop.set()
    begin = time.process_time()
    result = ss.solve(crowd(), solver, stop=stop, time_limit=30.0)
    assert time.process_time() - begin < ANSWER
    assert result.status is ss.Status.TIMEOUT
    assert "asked to stop" in result.reason


@every_solver
def test_progress_is_told_while_a_run_lasts(solver: str) -> None:
    for limit in (0.1, 3.0):  # on a busy machine the first may be over before it began
        told: list[ss.Progress] = []
        begin = time.process_time()
        ss.solve(crowd(), solver, on_progress=told.append, time_limit=limit)
        worked = time.process_time() - begin
        if len(told) >= 4:
            break
    assert told
    assert len(told) >= min(4, int(worked / 0.015))  # every 10 ms, but some are soon done
    assert all(one.seconds < other.seconds for one, other in pairwise(told))
    assert all(one.nodes <= other.nodes for one, other in pairwise(told))


def test_a_callback_may_solve_something_itself() -> None:
    inner = []

    def on_progress(progress: ss.Progress) -> None:
        if not inner:
            inner.append(ss.solve(small(), "hca"))

    ss.solve(crowd(), "hca", on_progress=on_progress, time_limit=0.2)
    assert inner[0].plan == ss.solve(small(), "hca").plan


@pytest.mark.skipif(os.name != "posix", reason="timers of CPU time are POSIX")
@every_solver
def test_an_interrupt_is_answered_at_once(solver: str) -> None:
    """A signal comes while the solver works, at a known CPU time, and is answered like that of Ctrl-C.

    The garbage collector rests meanwhile: Python loses an interrupt that comes while the collector calls
    somebody, as hypothesis asks it to. For the same reason the signal comes again after a while.
    """
    due, again, early = 0.1, 2 * ANSWER, 0.05  # the two clocks of CPU time differ a little
    before = signal.signal(signal.SIGPROF, signal.default_int_handler)
    problem = crowd(agents=600)
    gc.disable()
    try:
        begin = time.process_time()
        signal.setitimer(signal.ITIMER_PROF, due, again)
        with pytest.raises(KeyboardInterrupt):  # noqa: PT012  # some are done before it comes
            while True:
                ss.solve(problem, solver, time_limit=None)
        answer = (time.process_time() - begin - due + early) % again
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
        gc.enable()
    assert answer < ANSWER + early


INTERRUPTED = """
import sys
import sidestep as ss
from sidestep.instances import random_grid, random_problem
problem = random_problem(random_grid(128, 128, 0.2, 1), 600, 1)
try:
    print("planning", flush=True)
    while True:
        ss.solve(problem, "whca", time_limit=None)
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""


@pytest.mark.skipif(os.name != "posix", reason="SIGINT is sent as POSIX does")
def test_ctrl_c_interrupts_a_process_that_plans() -> None:
    command = [sys.executable, "-c", INTERRUPTED]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == "planning\n"
            time.sleep(0.3)  # so that it is most likely in the core; what it does must not matter
            process.send_signal(signal.SIGINT)
            assert process.stdout.readline() == "interrupted\n"
            assert process.wait(timeout=60) == 0
        finally:
            process.kill()


def test_threads_may_solve_the_same_problem_at_once() -> None:
    problem = fresh(small())
    jobs = SOLVERS * 2
    expected = {solver: ss.solve(fresh(small()), solver, node_limit=10**5) for solver in SOLVERS}
    start = threading.Barrier(len(jobs))

    def solve(solver: str) -> ss.Result:
        start.wait()  # all at once, so that the space is compiled by several
        return ss.solve(problem, solver, node_limit=10**5)

    with ThreadPoolExecutor(len(jobs)) as pool:
        results = [(solver, pool.submit(solve, solver)) for solver in jobs]
        for solver, future in results:
            result = future.result()
            assert result.status is expected[solver].status
            assert result.plan == expected[solver].plan
            assert result.stats["expansions"] == expected[solver].stats["expansions"]


def test_the_core_works_without_the_gil() -> None:
    """While one thread plans, another gets on with its work; a busy machine may need a longer plan."""
    for seconds in (0.3, 5.0):
        if turns_of_another_thread(seconds) > 20:
            return
    pytest.fail("the core keeps the interpreter's lock")


def turns_of_another_thread(seconds: float) -> int:
    counted = 0
    with ThreadPoolExecutor(1) as pool:
        run = pool.submit(ss.solve, crowd(), "hca", time_limit=seconds)
        while not run.done():
            counted += 1
            time.sleep(0.001)
    return counted


def test_threads_are_interrupted_by_their_own_flags() -> None:
    flags = [threading.Event() for _ in range(3)]
    with ThreadPoolExecutor(3) as pool:
        runs = [pool.submit(ss.solve, crowd(), "hca", stop=flag, time_limit=20.0) for flag in flags]
        for flag in flags:
            flag.set()
        assert {run.result().status for run in runs} == {ss.Status.TIMEOUT}


KEPT = """
import sidestep as ss
kept = ss.Budget(1.0, stop=lambda: False)
itself = ss.Budget(1.0, on_progress=lambda progress: itself.elapsed)
"""


def test_a_budget_with_a_callback_leaves_nothing_behind() -> None:
    # Its callback leads back to it by way of the module: only the garbage collector can tell.
    run = subprocess.run([sys.executable, "-c", KEPT], capture_output=True, text=True, check=True)
    assert run.stderr == ""


@pytest.mark.parametrize("solver", ["hca", "whca", "od-id", "standard-id", "dpca", "wdpca"])
def test_generated_moves_are_counted_and_the_same_every_time(solver: str) -> None:
    problem = random_problem(random_grid(12, 12, 0.1, 2), 6, 2)
    budgets = [ss.Budget(nodes=10**6) for _ in range(2)]
    for budget in budgets:
        result = make_solver(solver, {}).solve(problem, budget=budget)
        assert ss.validate(problem, result.plan)
    assert budgets[0].moves == budgets[1].moves > budgets[0].nodes > 0
    assert ss.Budget().moves == 0


def test_a_part_of_a_run_may_have_fewer_nodes_than_the_run() -> None:
    problem = random_problem(random_grid(16, 16, 0.2, 1), 12, 1)
    budget = ss.Budget(nodes=100_000)
    with budget.at_most(50):
        assert ss.CBS().solve(problem, budget=budget).status is ss.Status.TIMEOUT
        assert budget.exhausted
    assert not budget.exhausted
    assert budget.why() == ""
    assert 0 < budget.nodes <= 50
    assert ss.HCA().solve(problem, budget=budget).plan is not None
    with budget.at_most(10**9):  # the run has less left, and that stays its limit
        assert budget.core.narrow(0) == 100_000


def test_a_part_does_not_revive_a_run_that_has_ended() -> None:
    budget = ss.Budget(nodes=10)
    problem = random_problem(random_grid(16, 16, 0.2, 1), 12, 1)
    with budget.at_most(50):
        assert ss.CBS().solve(problem, budget=budget).status is ss.Status.TIMEOUT
    assert budget.exhausted
    assert budget.why() == "the limit of 10 nodes was reached"
