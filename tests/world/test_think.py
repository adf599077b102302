"""`World.think`: planning that is spread over the frames between two turns."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest

import sidestep as ss
from sidestep.instances import random_grid, random_problem

PLANNERS = [ss.CA(), ss.HCA(), ss.HCA(hold_goals=False), ss.WHCA(), ss.WHCA(window=8)]


def crowd(agents: int = 60, seed: int = 1, side: int = 24) -> ss.Problem:
    return random_problem(random_grid(side, side, 0.15, seed), agents, seed)


def by_hand(world: ss.World, turn: int) -> None:
    """Changes from outside, so that somebody always has to plan."""
    if turn % 5 == 2:
        goals = {int(goal) for goal in world.goals}
        free = [int(v) for v in np.flatnonzero(world.open) if int(v) not in goals]
        world.send(turn % 7, world.space.place(free[turn * 13 % len(free)]))
    if turn == 9:
        world.remove(11)
    if turn == 12:
        taken = {int(v) for v in world.positions}
        empty = next(int(v) for v in np.flatnonzero(world.open) if int(v) not in taken)
        world.add(ss.Agent(world.space.place(empty)))


@pytest.mark.parametrize("planner", PLANNERS, ids=repr)
def test_who_has_thought_it_all_out_moves_as_without_thinking(planner):
    problem = crowd()
    thinks, plain = (ss.World(problem, planner, seed=3) for _ in range(2))
    for turn in range(30):
        for world in (thinks, plain):
            by_hand(world, turn)
        assert thinks.think()
        assert thinks.think(nodes=1)  # nothing is left
        thinks.step(nodes=0 if turn else None)
        plain.step()
        assert thinks.positions.tolist() == plain.positions.tolist(), turn
    assert ss.validate_trace(thinks.trace)
    assert thinks.trace.count(ss.EventKind.REFUSED) == 0
    assert thinks.planner_error is None


@pytest.mark.parametrize("planner", PLANNERS, ids=repr)
def test_a_little_thinking_per_frame_is_safe_and_comes_to_an_end(planner):
    """A frame is longer than the longest search: a window's, or one in vain through all of space-time."""
    world = ss.World(crowd(), planner, seed=3)
    frame = 1000 if planner.name == "whca" else 100_000
    for turn in range(25):
        by_hand(world, turn)
        done = [world.think(nodes=frame) for _ in range(30)]
        assert done[-1]
        if turn % 3 == 1:
            by_hand(world, 2 + 5 * turn)  # after it has thought: only who is concerned plans again
        world.step(nodes=2000)
    assert ss.validate_trace(world.trace)
    assert world.trace.count(ss.EventKind.REFUSED) == 0
    assert world.planner_error is None


def test_thinking_takes_the_work_out_of_the_turn():
    world = ss.World(crowd(200, side=48), ss.WHCA())
    frames = 0
    while not world.think(nodes=500):
        frames += 1
    assert frames > 3
    budget = ss.Budget()
    world.step(budget)
    assert budget.nodes == 0
    assert (world.positions != world.trace.positions[0]).any()


def test_a_search_that_is_too_long_for_a_frame_is_not_in_the_way_of_others():
    """a has to go round a wall and takes more nodes than a frame has; b does not, and goes round its own."""
    problem = ss.Problem.from_text("""
        . . . . . . . . . . . . # . . . . .
        a . . . . . . . . . . . # A . . . .
        . . . . . . . . . . . . # . . . . .
        . . . . . . . . . . . . . . . . . .
        b # B . . . . . . . . . . . . . . .
        . . . . . . . . . . . . . . . . . .
    """)
    world = ss.World(problem, ss.CA())
    assert not any(world.think(nodes=20) for _ in range(3))
    world.step(nodes=0)
    assert world.where("b") in ((3, 0), (5, 0))


def test_what_changes_after_thinking_is_planned_in_the_turn():
    problem = ss.Problem.from_text("a . . . A\n. . . . .")
    world = ss.World(problem, ss.WHCA())
    assert world.think()
    world.block((0, 1))
    budget = ss.Budget()
    world.step(budget)
    assert budget.nodes > 0
    assert world.where("a") == (1, 0)


def test_thinking_moves_nobody_and_leaves_no_trace():
    world = ss.World(crowd(), ss.WHCA())
    before = world.trace
    world.think()
    assert world.time == 0
    assert world.trace.positions.tolist() == before.positions.tolist()
    assert world.trace.events.tolist() == before.events.tolist()


def test_a_snapshot_keeps_what_was_thought():
    world = ss.World(crowd(), ss.WHCA(), seed=2)
    world.step()
    world.think(nodes=200)
    twin = copy.deepcopy(world.snapshot())
    for _ in range(6):
        world.step()
    after = world.positions.tolist()
    world.restore(twin)
    for _ in range(6):
        world.step()
    assert world.positions.tolist() == after


def test_a_world_from_a_file_knows_what_was_thought():
    world = ss.World(crowd(), ss.WHCA(), seed=2)
    world.step()
    world.think()
    twin = pickle.loads(pickle.dumps(world))
    for one in (world, twin):
        budget = ss.Budget()
        one.step(budget)
        assert budget.nodes == 0
    assert twin.positions.tolist() == world.positions.tolist()


def test_planners_that_do_not_think_ahead_have_nothing_to_do():
    for planner in (ss.LRA(), ss.PIBT(), ss.BCP(), ss.WDPCA()):
        world = ss.World(crowd(20), planner)
        world.send(0, None)
        assert world.think(0.001)
        world.step()
        assert world.planner_error is None


def test_limits_are_checked_as_those_of_a_turn():
    world = ss.World(crowd(5), ss.WHCA())
    with pytest.raises(ss.InputError, match="has its own node limit"):
        world.think(ss.Budget(), nodes=5)
    with pytest.raises(ss.InputError):
        world.think(-1.0)


def test_a_session_that_raises_while_it_thinks_is_renewed():
    class Fragile:
        def session(self, problem, *, seed=0):
            session = ss.WHCA().session(problem, seed=seed)
            session.think = broken
            return session

    def broken(view, *, budget):
        raise RuntimeError("no idea")

    world = ss.World(crowd(20), Fragile())
    world.send(0, None)
    assert not world.think()
    assert isinstance(world.planner_error, RuntimeError)
    world.step()
    assert world.failed_turns == 0
    assert (world.positions != world.trace.positions[0]).any()


def test_an_answer_that_says_neither_yes_nor_no_is_an_error_of_the_planner():
    class Vague:
        def step(self, view, *, budget):
            return view.positions

        def think(self, view, *, budget):
            return view.positions

    world = ss.World(crowd(20), Vague())
    assert not world.think()
    assert isinstance(world.planner_error, ValueError)
