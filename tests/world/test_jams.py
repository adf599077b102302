"""Gridlock is never silent: who is stuck, since when, behind whom, and that it is over."""

from __future__ import annotations

import pickle
from dataclasses import replace

import numpy as np
import pytest

import sidestep as ss
from sidestep import Agent, EventKind
from sidestep.instances import random_grid
from sidestep.io.tracefile import dumps_trace, read_trace
from sidestep.solvers.registry import SOLVERS
from sidestep.world import Stuck

JAMS = (EventKind.STUCK, EventKind.BEHIND, EventKind.UNSTUCK)
ONLINE = [name for name, solver in SOLVERS.items() if solver.info.online]
HEAD_ON = "B . a . . . . b . A"


class Scripted:
    """Goes where a script says, and waits when it ends."""

    def __init__(self, *rows: list[int]) -> None:
        self.rows = list(rows)

    def step(self, view, *, budget):
        return np.array(self.rows.pop(0), dtype=np.int32) if self.rows else view.positions


def run(world: ss.World, turns: int) -> None:
    for _ in range(turns):
        world.step(nodes=20_000)


def jams(world: ss.World) -> list[tuple[int, str, int, int]]:
    return [
        (time, EventKind(kind).name, agent, value)
        for time, kind, agent, value in world.events.tolist()
        if kind in JAMS
    ]


def checked(world: ss.World) -> None:
    trace = world.trace
    assert ss.validate_trace(trace), str(ss.validate_trace(trace))
    assert ss.replay_trace(trace) == trace


@pytest.mark.parametrize("planner", ONLINE)
def test_two_that_meet_in_a_corridor(planner):
    """The first are told as soon as the last of them has come no closer for 12 turns."""
    world = ss.World(ss.Problem.from_text(HEAD_ON), SOLVERS[planner](), stuck_after=12)
    run(world, 100)
    first = jams(world)[0][0]
    assert first == 12 + max(
        value for time, kind, _, value in jams(world) if (time, kind) == (first, "STUCK")
    )
    assert first <= 40
    assert {agent for _, kind, agent, _ in jams(world) if kind == "STUCK"} == {0, 1}
    checked(world)


def test_who_since_when_and_behind_whom():
    world = ss.World(ss.Problem.from_text("B a . . b A"), Scripted([2, 3]), stuck_after=5)
    run(world, 5)
    assert (world.stuck, jams(world)) == ((), [])
    run(world, 1)
    assert world.stuck == (Stuck(0, 1, 1), Stuck(1, 1, 0))
    assert jams(world) == [(6, "STUCK", 0, 1), (6, "BEHIND", 0, 1), (6, "STUCK", 1, 1), (6, "BEHIND", 1, 0)]
    run(world, 20)
    assert len(jams(world)) == 4
    checked(world)


def test_a_jam_dissolves_when_one_is_sent_elsewhere_and_the_other_comes_closer():
    problem = ss.Problem.from_text("""
        B a b A
        . . . .
    """)
    world = ss.World(problem, Scripted(*[[1, 2]] * 5, [1, 6], [2, 6]), stuck_after=5)
    run(world, 5)
    assert [one.agent for one in world.stuck] == [0, 1]
    world.send(1, (1, 0))
    assert [one.agent for one in world.stuck] == [0]
    run(world, 2)
    assert world.stuck == ()
    assert jams(world)[4:] == [(5, "UNSTUCK", 1, 2), (7, "UNSTUCK", 0, 2)]
    checked(world)


def test_those_who_queue_behind_one_that_comes_closer_are_not_stuck():
    """Nor those behind them; when the first one stops for good, all are."""
    problem = ss.Problem.from_text("a b c . . . . . . . . .", rules=ss.Rules(shared_goals=True))
    world = ss.World(problem, Scripted(*[[0, 1, 2 + turn] for turn in range(1, 9)]), stuck_after=4)
    for agent in range(3):
        world.send(agent, (0, 11))
    run(world, 3)
    assert world.stuck == ()
    run(world, 20)
    assert [(one.agent, one.since, one.behind) for one in world.stuck] == [
        (0, 0, 1),
        (1, 0, None),
        (2, 8, None),
    ]


def test_an_agent_is_not_stuck_behind_one_that_has_just_come_closer():
    problem = ss.Problem.from_text("""
        a . . . A
        # b . . B
    """)
    world = ss.World(problem, Scripted([0, 6], [0, 6], [0, 1]), stuck_after=4)
    world.send("b", (0, 3))
    run(world, 6)
    assert world.stuck == ()
    run(world, 1)
    assert [(one.agent, one.since, one.behind) for one in world.stuck] == [(0, 0, 1), (1, 3, None)]


def test_a_way_that_walls_have_cut_off():
    world = ss.World(ss.Problem.from_text("a . . A"), ss.WHCA(), stuck_after=6)
    world.block((0, 2))
    run(world, 10)
    assert [(one.agent, one.behind) for one in world.stuck] == [(0, None)]
    world.free((0, 2))
    run(world, 10)
    assert (world.done, world.stuck) == (True, ())
    assert [kind for _, kind, *_ in jams(world)] == ["STUCK", "BEHIND", "UNSTUCK"]
    checked(world)


def test_a_planner_that_never_moves_anybody():
    world = ss.World(ss.Problem.from_text("a . A"), Scripted(), stuck_after=3)
    run(world, 3)
    assert world.stuck == (Stuck(0, 0, None),)


def test_nobody_is_stuck_without_a_goal_or_on_it():
    problem = ss.Problem.from_agents(ss.Grid.from_text(". . ."), [Agent((0, 0)), Agent((0, 2), (0, 2))])
    world = ss.World(problem, Scripted(), stuck_after=1)
    run(world, 10)
    assert (world.stuck, jams(world)) == ((), [])


def test_one_that_waits_behind_one_on_its_goal():
    problem = ss.Problem.from_text("a b A")
    world = ss.World(problem, Scripted(), stuck_after=3)
    world.send("b", (0, 1))
    run(world, 3)
    assert world.stuck == (Stuck(0, 0, 1),)
    world.remove("a")
    assert world.stuck == ()
    assert jams(world)[-1] == (3, "UNSTUCK", 0, -1)
    checked(world)


def test_slow_agents_are_given_as_many_moves():
    """A move of 4 turns brings it closer only at its end."""
    problem = ss.Problem.from_agents(ss.Grid.from_text(". . . . ."), [Agent((0, 0), (0, 4), period=4)])
    world = ss.World(problem, ss.WHCA(), stuck_after=2)
    run(world, 20)
    assert (world.done, jams(world)) == (True, [])
    lazy = ss.World(problem, Scripted(), stuck_after=2)
    run(lazy, 8)
    assert lazy.stuck == (Stuck(0, 0, None),)
    assert jams(lazy)[0][0] == 8


def test_large_agents_that_meet():
    grid = ss.Grid(np.ones((2, 12), dtype=np.bool_))
    problem = ss.Problem.from_agents(
        grid, [Agent((0, 2), (0, 8), size=2), Agent((0, 6), (0, 0), size=2), Agent((0, 11), (0, 10))]
    )
    world = ss.World(problem, ss.WHCA(), stuck_after=6)
    run(world, 30)
    assert {(one.agent, one.behind) for one in world.stuck} >= {(0, 1), (1, 0)}
    checked(world)


def test_those_who_drive_each_other_off_their_goals_for_ever():
    """Each arrives again and again; turns on the goal do not count, those off it do."""
    swing = [[1, 6], [2, 5], [3, 4], [4, 5], [5, 6], [6, 7]]
    back = [[5, 6], [4, 5], [3, 4], [2, 3], [1, 2], [0, 1]]
    problem = ss.Problem.from_text("a B . . . . A b")
    world = ss.World(problem, Scripted(*swing, *(back + swing[-6:]) * 8), stuck_after=20)
    run(world, 60)
    assert any(kind == "STUCK" for _, kind, *_ in jams(world))
    checked(world)


def test_a_large_world_measures_only_those_who_lose_time():
    grid = ss.Grid(np.ones((1, 70_000), dtype=np.bool_))
    problem = ss.Problem.from_agents(grid, [Agent((0, 10), (0, 69_000)), Agent((0, 15), (0, 0))])
    world = ss.World(problem, ss.HCA(), stuck_after=10)
    run(world, 30)
    assert {one.agent: one.behind for one in world.stuck} == {0: 1, 1: 0}


def test_a_copy_reports_what_the_original_does():
    world = ss.World(ss.Problem.from_text(HEAD_ON), ss.WHCA(), stuck_after=12)
    run(world, 9)
    here = world.snapshot()
    run(world, 30)
    once = world.events
    world.restore(here)
    run(world, 30)
    assert np.array_equal(world.events, once)
    assert len(world.stuck) == 2


def test_a_copy_in_the_middle_of_long_searches_reports_what_the_original_does():
    """Few vertices are searched in a turn, so that it takes many turns to see who comes no closer."""
    grid = random_grid(200, 200, 0.2, 1)
    cells = [tuple(cell) for cell in np.argwhere(grid.passable).tolist()]
    agents = [Agent(cells[7 * k], cells[-1 - 5 * k]) for k in range(8)]
    world = ss.World(ss.Problem.from_agents(grid, agents), Scripted(), stuck_after=4)

    def go_on(world: ss.World) -> None:
        if world.time == 14:
            world.block(cells[len(cells) // 2])
        run(world, 1)

    copies = []
    while world.time < 60:
        if world.time in (4, 10, 14, 15, 24):
            copies.append((world.snapshot(), pickle.dumps(world)))
        go_on(world)
    told = [time for time, kind, _, _ in jams(world) if kind == "STUCK"]
    assert len(told) == 8
    assert len({*told}) > 2
    for copied, file in copies:
        world.restore(copied)
        for other in (world, pickle.loads(file)):
            while other.time < 60:
                go_on(other)
            assert [time for time, kind, _, _ in jams(other) if kind == "STUCK"] == told
    checked(world)


def test_nothing_is_looked_for_when_told_so():
    world = ss.World(ss.Problem.from_text(HEAD_ON), ss.WHCA(), stuck_after=None)
    run(world, 100)
    assert (world.stuck, jams(world)) == ((), [])


@pytest.mark.parametrize("wrong", [0, -1, 10**7, 1.5, "5", True])
def test_a_patience_that_is_none(wrong):
    with pytest.raises(ss.InputError, match="stuck_after"):
        ss.World(ss.Problem.from_text("a A"), ss.WHCA(), stuck_after=wrong)


def test_files_with_jams_have_a_version_of_their_own(tmp_path):
    world = ss.World(ss.Problem.from_text("B a . . b A"), Scripted([2, 3]), stuck_after=5)
    run(world, 5)
    assert '"version": 1' in dumps_trace(world.trace)
    run(world, 5)
    text = dumps_trace(world.trace)
    assert '"version": 2' in text
    (tmp_path / "jam.json").write_text(text)
    assert read_trace(tmp_path / "jam.json") == world.trace


@pytest.mark.parametrize(
    ("row", "part"),
    [
        ((6, EventKind.BEHIND, 0, 9), "no such agent in front"),
        ((6, EventKind.STUCK, 0, 7), "it began later"),
        ((0, EventKind.STUCK, 7, 0), "no such agent"),
    ],
)
def test_the_judge_reads_what_is_said_of_jams(row, part):
    world = ss.World(ss.Problem.from_text("B a . . b A"), Scripted([2, 3]), stuck_after=5)
    run(world, 6)
    wrong = replace(world.trace, events=np.vstack([world.trace.events, np.array([row], dtype=np.int32)]))
    assert part in str(ss.validate_trace(wrong))


def test_the_judge_doubts_that_one_on_its_goal_is_stuck():
    world = ss.World(ss.Problem.from_text("a A"), Scripted([1]), stuck_after=5)
    run(world, 2)
    events = np.vstack([world.trace.events, np.array([[2, EventKind.STUCK, 0, 0]], dtype=np.int32)])
    assert "nowhere to go" in str(ss.validate_trace(replace(world.trace, events=events)))
