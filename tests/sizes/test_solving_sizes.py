"""CA*, HCA* and WHCA* with agents of different sizes and speeds: valid, and the best for one alone."""

from __future__ import annotations

import os
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from bodies import fits, shortest
from hypothesis import given, settings
from hypothesis import strategies as st

import sidestep as ss
from sidestep import Agent, Grid, InputError, Problem, Rules, Status, UnsupportedError, io
from sidestep.instances import random_grid, room_grid
from tests.sizing import examples, some_of

KNOWING = ["auto", "ca", "hca", "whca"]
DATA = Path(os.environ.get("SIDESTEP_DATA") or "/nonexistent") / "movingai" / "map"


def mixed_problem(grid: Grid, count: int, seed: int, **rules: Any) -> Problem:
    """Agents of sizes 1 to 3 and periods 1 to 3 whose starts and goals fit and do not overlap."""
    draw = Random(seed)
    taken: dict[str, set[Any]] = {"start": set(), "goal": set()}
    agents: list[Agent] = []
    for _ in range(50 * count):
        size = draw.choice([1, 1, 2, 3])
        ends = {}
        for end, cells in taken.items():
            row, col = draw.randrange(grid.height), draw.randrange(grid.width)
            covered = {(row + down, col + right) for down in range(size) for right in range(size)}
            if fits(grid, row, col, size) and not covered & cells:
                ends[end] = (row, col), covered
        if len(ends) == 2 and len(agents) < count:
            agents.append(
                Agent(ends["start"][0], ends["goal"][0], size=size, period=draw.choice([1, 1, 2, 3]))
            )
            for end, (_, covered) in ends.items():
                taken[end] |= covered
    return Problem.from_agents(grid, agents, rules=Rules(**rules))


def reachable(problem: Problem) -> Problem:
    """The same without those that cannot reach their goals."""
    keep = [
        agent
        for agent, start, goal in zip(
            problem.agents, problem.starts.tolist(), problem.goals.tolist(), strict=True
        )
        if shortest(problem.space, start, goal, agent.size) is not None
    ]
    return Problem.from_agents(problem.space, keep, rules=problem.rules)


@settings(derandomize=True, deadline=None, database=None, max_examples=examples(60))
@given(seed=st.integers(0, 2**32))
def test_one_agent_alone_takes_a_shortest_way(seed: int) -> None:
    """All three against a breadth-first search over the places where the agent fits."""
    draw = Random(seed)
    grid = random_grid(draw.randint(3, 9), draw.randint(3, 9), 0.15, draw.randrange(99))
    grid = Grid(grid.passable, draw.choice([4, 8]), draw.choice(["none", "one", "free"]))
    size, period = draw.randint(1, 3), draw.randint(1, 4)
    places = [grid.vertex((r, c)) for r, c in np.ndindex(grid.passable.shape) if fits(grid, r, c, size)]
    if not places:
        return
    start, goal = draw.choice(places), draw.choice(places)
    agent = Agent(grid.place(start), grid.place(goal), size=size, period=period)
    problem = Problem.from_agents(grid, [agent])
    moves = shortest(grid, start, goal, size)
    for solver in KNOWING:
        result = ss.solve(problem, solver)
        if moves is None:
            assert result.status is Status.INFEASIBLE
            assert "agent a0 cannot reach its goal" in result.reason
        else:
            assert result.plan is not None
            assert ss.validate(problem, result.plan).cost == result.lower_bound == moves * period


@pytest.mark.parametrize("solver", KNOWING)
@pytest.mark.parametrize(("connectivity", "following"), some_of(product([4, 8], [True, False])))
def test_mixed_agents_on_generated_maps(solver: str, connectivity: Any, following: bool) -> None:
    solved = 0
    for seed in range(6):
        grid = random_grid(18, 18, 0.05, seed) if seed % 2 else room_grid(18, 18, 8, seed)
        grid = Grid(grid.passable, connectivity)
        problem = reachable(mixed_problem(grid, 10, seed, following=following))
        assert not problem.all_unit
        result = ss.solve(problem, solver, node_limit=200_000)
        assert result.plan is not None or result.reason
        if result.plan is not None:
            report = ss.validate(problem, result.plan)
            assert report, str(report)
            assert result.lower_bound <= report.cost
            solved += 1
    assert solved >= 3


@pytest.mark.skipif(not DATA.is_dir(), reason="SIDESTEP_DATA does not name the MovingAI files")
@pytest.mark.parametrize(
    ("name", "agents", "large"), [("random-32-32-10", 16, True), ("room-32-32-4", 8, False)]
)
@pytest.mark.parametrize("solver", KNOWING)
def test_mixed_agents_on_real_maps(name: str, agents: int, large: bool, solver: str) -> None:
    """Through the doors between the rooms fits only who covers one cell."""
    grid = io.read_map(DATA / f"{name}.map")
    problem = reachable(mixed_problem(grid, agents, 2))
    assert (problem.sizes.max() > 1) == large
    assert problem.periods.max() > 1
    result = ss.solve(problem, solver, node_limit=1_000_000)
    assert result.plan is not None, result.reason
    assert ss.validate(problem, result.plan)


def test_the_same_answer_again() -> None:
    problem = mixed_problem(random_grid(16, 16, 0.05, 1), 10, 1)
    for solver in KNOWING:
        first, second = (ss.solve(problem, solver, seed=3, node_limit=100_000) for _ in range(2))
        assert (first.plan is None) == (second.plan is None)
        if first.plan is not None:
            assert np.array_equal(first.plan.vertices, second.plan.vertices)


@pytest.mark.parametrize("solver", KNOWING)
def test_a_door_that_is_too_narrow(solver: str) -> None:
    grid = Grid.from_text("..#..\n.....\n..#..")
    problem = Problem.from_agents(grid, [Agent((0, 0), (0, 3), name="tank", size=2)])
    result = ss.solve(problem, solver)
    assert result.status is Status.INFEASIBLE
    assert result.reason == "agent tank cannot reach its goal (0, 3)"
    small = Problem.from_agents(grid, [Agent((0, 0), (0, 3), period=2)])
    assert ss.solve(small, solver).plan is not None


@pytest.mark.parametrize("solver", KNOWING)
def test_a_tank_in_a_corridor_is_let_out_first(solver: str) -> None:
    grid = Grid.from_text("......\n......\n##..##\n##..##")
    agents = [Agent((2, 2), (0, 0), size=2, period=2), Agent((0, 5), (3, 2)), Agent((1, 5), (3, 3), period=3)]
    problem = Problem.from_agents(grid, agents)
    result = ss.solve(problem, solver)
    assert result.plan is not None, result.reason
    assert ss.validate(problem, result.plan)


@pytest.mark.parametrize("solver", KNOWING)
def test_slow_agents_on_a_graph(solver: str) -> None:
    graph = ss.Graph(6, [(0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (5, 0), (1, 4)])
    problem = Problem.from_agents(graph, [Agent(0, 2, period=3), Agent(3, 5, period=2)])
    result = ss.solve(problem, solver)
    assert result.plan is not None, result.reason
    assert ss.validate(problem, result.plan)


def test_goals_that_overlap_are_infeasible_where_they_are_allowed() -> None:
    grid = Grid(np.ones((4, 6), dtype=bool))
    agents = [Agent((0, 0), (2, 2), size=2), Agent((0, 4), (3, 3))]
    with pytest.raises(InputError, match="overlap at their goals"):
        Problem.from_agents(grid, agents)
    problem = Problem.from_agents(grid, agents, rules=Rules(shared_goals=True))
    assert "share a goal" in ss.solve(problem, "hca").reason
    gone = Problem.from_agents(grid, agents, rules=Rules(shared_goals=True, at_goal="disappear"))
    result = ss.solve(gone, "hca")
    assert ss.validate(gone, result.plan)


# Refused with a sentence

GRID = Grid.from_text(".....\n..#..\n.....\n.....")


@pytest.mark.parametrize(
    ("agents", "said"),
    [
        ([Agent((0, 0), size=0)], "an agent's size must be at least 1, not 0"),
        ([Agent((0, 0), size=-2)], "an agent's size must be at least 1, not -2"),
        ([Agent((0, 0), size=3.5)], "size must be whole numbers, not float64"),
        ([Agent((0, 0), period=0)], "an agent's period must be at least 1, not 0"),
        ([Agent((0, 0), period=10**6)], "an agent's period must be at most 1000, not 1000000"),
        ([Agent((0, 0), size=9)], r"the start of agent a0, \(0, 0\), does not fit: its 9 x 9 cells leave"),
        ([Agent((0, 4), size=2)], r"the start of agent a0, \(0, 4\), does not fit: its 2 x 2 cells leave"),
        ([Agent((0, 1), size=2)], r"\(0, 1\), does not fit: its 2 x 2 cells cover the wall \(1, 2\)"),
        ([Agent((2, 0), (0, 2), size=2)], r"the goal of agent a0, \(0, 2\), does not fit: its 2 x 2"),
        (
            [Agent((2, 0), size=2), Agent((3, 1))],
            r"agents a0 and a1 overlap at their starts: both cover \(3, 1\)",
        ),
    ],
)
def test_agents_that_cannot_be(agents: list[Agent], said: str) -> None:
    with pytest.raises(InputError, match=said) as error:
        Problem.from_agents(GRID, agents)
    assert "\n" not in str(error.value)


def test_a_graph_has_no_large_agents() -> None:
    with pytest.raises(InputError, match="agent a0 has a size of 2, but only grids have room"):
        Problem.from_agents(ss.Graph(2, [(0, 1)]), [Agent(0, 1, size=2)])


@pytest.mark.parametrize("solver", [name for name in ss.solvers() if name not in KNOWING])
@pytest.mark.parametrize("body", [{"size": 2}, {"period": 2}])
def test_all_other_solvers_refuse_them(solver: str, body: dict[str, int]) -> None:
    problem = Problem.from_agents(GRID, [Agent((2, 0), (2, 3), **body)])
    with pytest.raises(UnsupportedError, match="it knows only agents of size 1 and period 1"):
        ss.solve(problem, solver)


@pytest.mark.parametrize("body", [{"size": 2}, {"period": 2}])
def test_why_of_one_that_is_alone_is_verified(body: dict[str, int]) -> None:
    problem = Problem.from_agents(GRID, [Agent((2, 0), (2, 3), **body)])
    result = ss.solve(problem)
    world = ss.World(problem, ss.WHCA())
    world.step()
    for run in (result, world.trace):
        assert ss.why(run, 0, 0).verified


def test_the_page_shows_them_and_pictures_refuse(tmp_path: Path) -> None:
    problem = Problem.from_agents(GRID, [Agent((2, 0), (2, 3), size=2, period=2)])
    replay = ss.replay(ss.solve(problem))
    assert replay.scenes[0].sizes.tolist() == replay.scenes[0].periods.tolist() == [2]
    replay.save(tmp_path / "tank.html")
    with pytest.raises(UnsupportedError, match="pictures and films show agents of one cell only"):
        replay.save(tmp_path / "tank.png")


def test_files_keep_them(tmp_path: Path) -> None:
    problem = Problem.from_agents(GRID, [Agent((2, 0), (2, 3), size=2, period=3), Agent((0, 0), (0, 4))])
    result = ss.solve(problem)
    io.write_result(result, tmp_path / "plan.json")
    again = io.read_plan(tmp_path / "plan.json")
    assert again.plan == result.plan
    assert again.plan.problem.sizes.tolist() == [2, 1]
    assert ss.validate(again.plan.problem, again.plan)
    world = ss.World(problem, ss.WHCA(), trace_limit=1)
    for _ in range(5):
        world.step()
    assert world.trace.progress.any()
    io.write_trace(world.trace, tmp_path / "trace.json")
    assert io.read_trace(tmp_path / "trace.json") == world.trace == ss.replay_trace(world.trace)


@pytest.mark.parametrize("seed", [3, 4, 5])
def test_a_crowd_of_large_and_slow_agents_does_not_stand_still_for_ever(seed: int) -> None:
    """Who has no path keeps its place for as long as it takes to leave it, and not only for a turn."""
    problem = mixed_problem(random_grid(64, 64, 0.02, 3), 80, seed)
    result = ss.solve(problem, "whca", window=24)
    assert result.plan is not None, result.reason
    assert ss.validate(problem, result.plan)
