"""PCA*, DPCA*, DPCA*+ and WDPCA* as printed: what each deviation is, switched off."""

from __future__ import annotations

import pytest

import sidestep as ss
from sidestep.budget import Budget
from sidestep.dialogue import check_protocol
from sidestep.instances import random_grid, random_problem
from sidestep.io import read_transcript, write_transcript
from sidestep.papers.dialogue_thesis.trial import loops_in

NODES = 100_000
AHEAD = [ss.PCA, ss.DPCA, ss.DPCAPlus]


def crowd(seed: int, size: int = 12, agents: int = 20) -> ss.Problem:
    grid = random_grid(size, size, 0.2, seed, connectivity=8, corners="free")
    return random_problem(grid, agents, seed, rules=ss.Rules.printed("dialogue-thesis"))


def run(solver: ss.Solver, problem: ss.Problem) -> ss.Result:
    result = solver.solve(problem, budget=Budget(nodes=NODES))
    check_protocol(result.transcript)
    assert result.plan is None or ss.validate(problem, result.plan)
    return result


def above_each_other(result: ss.Result) -> set[tuple[int, int]]:
    *_, last = result.transcript.replay()
    return {(below, above) for above, below in last.orders} & last.orders


def test_the_printed_forms_have_none_of_ours():
    for solver in AHEAD:
        form = solver.as_printed()
        assert (form.keep_orders, form.end_circles, form.loop_free) == (False, False, False)
    form = ss.WDPCA.as_printed(window=8)
    assert (form.keep_orders, form.end_circles, form.stand, form.widen) == (False, False, False, False)


@pytest.mark.parametrize("solver", AHEAD, ids=lambda solver: solver.name)
def test_as_printed_two_who_collide_again_agree_again(solver):
    """In this crowd some end up above each other, which nobody does who keeps to an order."""
    problem = crowd(8)
    assert above_each_other(run(solver.as_printed(), problem))
    assert above_each_other(run(solver(keep_orders=False), problem))
    assert not above_each_other(run(solver(), problem))


def test_agreeing_again_solves_what_kept_orders_do_not():
    solved = [
        sum(bool(run(solver, crowd(seed))) for seed in (0, 5, 13, 17))
        for solver in (ss.PCA(settle_circles=False), ss.PCA.as_printed())
    ]
    assert solved == [0, 4]


def test_a_transcript_with_orders_agreed_on_again_is_read_as_it_was_written(tmp_path):
    for solver in (ss.DPCA.as_printed(), ss.DPCA()):
        written = run(solver, crowd(8)).transcript
        write_transcript(written, tmp_path / "said.json")
        read = read_transcript(tmp_path / "said.json")
        assert read.data() == written.data()
        assert ("keep_orders" in read.data()) is (not solver.keep_orders)
        check_protocol(read)


def test_orders_are_agreed_on_again_only_where_the_transcript_says_so():
    transcript = run(ss.DPCA.as_printed(), crowd(8)).transcript
    transcript.keep_orders = True
    with pytest.raises(ss.ProtocolError, match=r"contradicts an order|have an order already"):
        check_protocol(transcript)


def test_why_is_answered_of_a_printed_run():
    result = run(ss.DPCA.as_printed(), crowd(8))
    assert result.why(0, 1)


@pytest.mark.parametrize(("solver", "seed"), [(ss.DPCA, 17), (ss.DPCAPlus, 0)])
def test_as_printed_paths_may_have_loops(solver, seed):
    problem = crowd(seed)
    assert loops_in(run(solver(loop_free=False), problem).plan) > 0
    assert loops_in(run(solver(), problem).plan) == 0


def test_circles_that_are_not_ended_end_with_the_budget():
    """Two whose paths become longer for ever; kept orders lead there, so they are kept here."""
    graph = ss.Graph(4, [(0, 1), (0, 3), (1, 2), (1, 3), (2, 3)])
    problem = ss.Problem(graph, [3, 0, 2, 1], [3, 1, 2, 0])
    assert run(ss.PCA(), problem).status is ss.Status.GAVE_UP
    assert run(ss.PCA(end_circles=False), problem).status is ss.Status.TIMEOUT


def test_a_run_that_would_never_end_is_ended_as_printed_too():
    """Paths, orders and known paths are as they were: it would go on for ever, and ends before its budget."""
    problem = random_problem(random_grid(4, 4, 0.15, 79), 5, 79)
    solver = ss.DPCA(end_circles=False, settle_circles=False)
    result = solver.solve(problem, budget=Budget(nodes=10 * NODES))
    assert result.status is ss.Status.GAVE_UP
    assert "lead back to the same paths" in result.reason


def test_as_printed_nobody_moves_in_a_round_without_an_order():
    problem = crowd(2, 8, 16)
    stands, printed = (run(ss.WDPCA(window=8, widen=False, stand=stand), problem) for stand in (True, False))
    assert stands.status is ss.Status.SOLVED
    assert printed.status is ss.Status.GAVE_UP
    assert "everything repeats itself" in printed.reason


def test_in_a_world_agents_wait_where_there_is_no_order_until_something_changes():
    problem = crowd(2, 8, 16)
    world = ss.World(problem, ss.WDPCA(window=8, widen=False, stand=False))
    while not world.session.repeats:
        world.step()
    before = world.positions.copy()
    for _ in range(4):
        world.step()
    assert (world.positions == before).all()
    for agent in range(1, 16):
        world.remove(agent)
    world.step()
    assert world.positions[0] != before[0]
    assert world.planner_error is None
    assert ss.validate_trace(world.trace)


@pytest.mark.parametrize("window", [2, 4, 8])
def test_rounds_end_with_one_who_stands_and_orders_that_are_not_kept(window):
    """There is nothing to agree on with one who stands: such rounds once went on for ever."""
    for seed in range(6):
        problem = random_problem(random_grid(12, 12, 0.2, seed), 24, seed)
        result = run(ss.WDPCA(window=window, widen=False, keep_orders=False), problem)
        assert result.status is not ss.Status.TIMEOUT
