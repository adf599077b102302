"""Agents of different sizes and speeds in a world: added, stopped by walls, and told about."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import sidestep as ss
from sidestep import Agent, EventKind, Grid, InputError, Problem, UnsupportedError, World


def open_grid(height: int, width: int) -> Grid:
    return Grid(np.ones((height, width), dtype=bool))


def world_of(grid: Grid, *agents: Agent, planner: Any = None, **rules: Any) -> World:
    problem = Problem.from_agents(grid, agents, rules=ss.Rules(**rules))
    return World(problem, planner or ss.WHCA(window=8))


def events_of(world: World, kind: EventKind) -> list[tuple[int, int, int]]:
    return [(time, agent, value) for time, what, agent, value in world.events.tolist() if what == kind]


class Puppets:
    """A planner that is told what to propose."""

    def __init__(self, *targets: list[int]) -> None:
        self.targets = list(targets)

    def step(self, view: Any, *, budget: ss.Budget) -> Any:
        return np.array(self.targets.pop(0), dtype=np.int32)


def test_a_large_newcomer_is_planned_for() -> None:
    world = world_of(open_grid(6, 6), Agent((5, 0), (5, 5)))
    tank = world.add(Agent((0, 0), (3, 4), name="tank", size=2, period=3))
    assert (world.sizes[tank], world.periods[tank]) == (2, 3)
    for _ in range(60):
        world.step()
    assert world.where("tank") == (3, 4)
    assert world.done
    assert world.trace.count(EventKind.REFUSED) == 0
    assert ss.validate_trace(world.trace)
    assert ss.replay_trace(world.trace) == world.trace


@pytest.mark.parametrize(
    ("agent", "said"),
    [
        (Agent((0, 4), size=2), r"at \(0, 4\) the 2 x 2 cells of an agent leave the grid"),
        (Agent((0, 3), (4, 4), size=2), r"at \(4, 4\) the 2 x 2 cells of an agent leave the grid"),
        (Agent((3, 3), size=2), r"agent a0 stands in the 2 x 2 cells at \(3, 3\)"),
        (Agent((0, 0), size=2), r"\(1, 1\) is blocked"),
        (Agent((0, 2), (3, 3), size=2), "agent a0 already has a goal that overlaps"),
        (Agent((0, 2), size=0), "an agent's size must be at least 1, not 0"),
        (Agent((0, 2), size=2.5), "a size must be whole numbers"),
        (Agent((0, 2), period=-1), "an agent's period must be at least 1, not -1"),
        (Agent((0, 2), size=900), r"at \(0, 2\) the 900 x 900 cells of an agent leave the grid"),
    ],
)
def test_newcomers_that_cannot_be(agent: Agent, said: str) -> None:
    world = world_of(open_grid(5, 5), Agent((4, 4), (4, 4)))
    world.block((1, 1))
    before = world.trace
    with pytest.raises(InputError, match=said):
        world.add(agent)
    assert world.trace == before


def test_a_planner_that_does_not_know_them_is_not_given_any() -> None:
    world = world_of(open_grid(4, 4), Agent((0, 0)), planner=ss.LRA())
    with pytest.raises(UnsupportedError, match="it knows only agents of size 1 and period 1"):
        world.add(Agent((2, 2), size=2))
    with pytest.raises(UnsupportedError, match="it knows only agents of size 1 and period 1"):
        world.add(Agent((2, 2), period=2))


def test_a_slow_move_takes_its_turns_and_holds_both_ends() -> None:
    """Agent 1 wants the place that agent 0 is about to take, and the one that it has not left yet."""
    grid = open_grid(1, 4)
    puppets = Puppets([1, 2], [1, 1], [1, 3], [1, 3])
    world = world_of(grid, Agent((0, 0), period=3), Agent((0, 2)), planner=puppets)
    world.step()
    assert events_of(world, EventKind.SET_OUT) == [(0, 0, 1)]
    world.step()  # refused: the first is in the middle of its move
    assert events_of(world, EventKind.REFUSED) == [(1, 1, 1)]
    world.step()
    assert world.positions.tolist() == [1, 3]
    assert ss.validate_trace(world.trace)


def test_who_changes_its_mind_has_lost_its_turns() -> None:
    puppets = Puppets([1], [0], [1], [1], [1])
    world = world_of(open_grid(1, 3), Agent((0, 0), period=3), planner=puppets)
    for _ in range(5):
        world.step()
    assert events_of(world, EventKind.TURNED_BACK) == [(1, 0, 1)]
    assert [time for time, *_ in events_of(world, EventKind.SET_OUT)] == [0, 2]
    assert world.trace.positions[:, 0].tolist() == [0, 0, 0, 0, 0, 1]
    assert ss.validate_trace(world.trace)
    assert ss.replay_trace(world.trace) == world.trace


def test_a_move_goes_on_when_the_planner_fails() -> None:
    puppets = Puppets([1])  # and then it has nothing left to say
    world = world_of(open_grid(1, 3), Agent((0, 0), period=3), planner=puppets)
    for _ in range(3):
        world.step()
    assert world.where(0) == (0, 1)
    assert world.trace.count(EventKind.RAISED) == 2
    assert ss.replay_trace(world.trace) == world.trace


def test_a_wall_in_front_stops_a_slow_move() -> None:
    world = world_of(open_grid(2, 5), Agent((0, 0), (0, 4), period=4))
    world.step()
    world.block((0, 1))
    assert len(events_of(world, EventKind.TURNED_BACK)) == 1
    for _ in range(40):
        world.step()
    assert world.where(0) == (0, 4)
    assert world.trace.count(EventKind.REFUSED) == 0
    assert ss.validate_trace(world.trace)


def test_a_large_agent_leaves_a_wall_that_closed_under_it() -> None:
    world = world_of(open_grid(4, 5), Agent((1, 1), (1, 1), size=2))
    world.block((2, 2))
    assert events_of(world, EventKind.TRAPPED) == [(0, 0, 6)]
    world.step()
    row, col = world.where(0)
    assert not (row <= 2 < row + 2 and col <= 2 < col + 2)
    world.free((2, 2))
    for _ in range(10):
        world.step()
    assert world.where(0) == (1, 1)
    assert ss.validate_trace(world.trace)


def test_a_wall_in_the_middle_of_a_large_agent_holds_it_until_it_opens() -> None:
    world = world_of(open_grid(5, 5), Agent((1, 1), (0, 0), size=3))
    world.block((2, 2))
    for _ in range(5):
        world.step()
    assert world.where(0) == (1, 1)
    assert world.trace.count(EventKind.REFUSED) == 0
    world.free((2, 2))
    for _ in range(5):
        world.step()
    assert world.where(0) == (0, 0)


def test_whoever_is_put_in_the_way_stops_a_slow_move() -> None:
    world = world_of(open_grid(1, 5), Agent((0, 0), (0, 3), period=3), Agent((0, 4)))
    world.step()
    world.sync({1: (0, 1)})
    assert len(events_of(world, EventKind.TURNED_BACK)) == 1
    for _ in range(5):
        world.step()
    assert world.trace.count(EventKind.REFUSED) == 0
    assert ss.validate_trace(world.trace)


def test_nobody_is_put_into_another() -> None:
    world = world_of(open_grid(4, 4), Agent((0, 0), size=2), Agent((3, 3)))
    with pytest.raises(InputError, match="two agents cannot be in the same place"):
        world.sync({1: (1, 1)})
    with pytest.raises(InputError, match="the 2 x 2 cells of an agent leave the grid"):
        world.sync({0: (3, 0)})
    with pytest.raises(InputError, match="the 2 x 2 cells of an agent leave the grid"):
        world.send(0, (3, 3))


def test_the_judge_knows_from_a_trace_how_large_and_how_slow_agents_are() -> None:
    world = world_of(open_grid(4, 6), Agent((0, 0), (0, 4), size=2, period=2), Agent((3, 0), (3, 5)))
    for _ in range(12):
        world.step()
    trace = world.trace
    assert ss.validate_trace(trace)

    def kinds(**changed: Any) -> set[str]:
        arrays = {name: np.array(value, dtype=np.int32) for name, value in changed.items()}
        spoiled = replace(trace, agents=replace(trace.agents, **arrays))
        return {str(one.kind) for one in ss.validate_trace(spoiled).violations}

    assert kinds(periods=[3, 1]) == {"pace"}
    assert "vertex" in kinds(sizes=[4, 1])
    assert kinds(sizes=[2]) == kinds(periods=[0, 1]) == {"shape"}
    lost = replace(trace, headings=np.array([99, -1], dtype=np.int32))
    assert {str(one.kind) for one in ss.validate_trace(lost).violations} == {"shape"}
