"""The judge among agents of any size and speed: by hand, against the plain rules, and against itself."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import pytest
from bodies import fits, is_sound, may_step
from hypothesis import given, settings
from hypothesis import strategies as st

import sidestep as ss
from sidestep import Agent, Grid, Plan, Problem, Rules, ViolationKind
from sidestep.judge.body_steps import BodyStepJudge
from sidestep.judge.violation import ViolationLog
from tests.sizing import examples

settings.register_profile("sizes", derandomize=True, deadline=None, database=None)
PROFILE = settings.get_profile("sizes")

ABOUT_ENDS = {ViolationKind.GOAL, ViolationKind.START, ViolationKind.COST}


def kinds(problem: Problem, *rows: Any) -> set[str]:
    """What the judge says about rows of cells, one per agent."""
    vertices = [[-1 if cell is None else problem.space.vertex(cell) for cell in row] for row in rows]
    found = ss.validate(problem, Plan(problem, vertices)).violations
    return {str(violation.kind) for violation in found if violation.kind not in ABOUT_ENDS}


def open_grid(height: int, width: int, connectivity: Any = 4, corners: Any = "none") -> Grid:
    return Grid(np.ones((height, width), dtype=bool), connectivity, corners)


def problem_of(grid: Grid, *agents: Agent, **rules: Any) -> Problem:
    return Problem.from_agents(grid, agents, rules=Rules(**rules))


def test_two_agents_overlap_although_their_positions_differ() -> None:
    problem = problem_of(open_grid(2, 5), Agent((0, 0), size=2), Agent((1, 3)))
    assert kinds(problem, [(0, 0), (1, 3)], [(0, 1), (1, 3)]) == set()
    assert kinds(problem, [(0, 0), (1, 3)], [(0, 1), (1, 3)], [(0, 2), (1, 3)]) == {"vertex"}


def test_a_large_agent_must_fit_where_it_goes() -> None:
    grid = Grid.from_text("...\n..#")
    problem = problem_of(grid, Agent((0, 0), size=2))
    assert kinds(problem, [(0, 0)], [(0, 1)]) == {"wall"}
    assert kinds(problem, [(0, 0)], [(1, 0)]) == {"outside"}
    assert kinds(problem, [(0, 0)], [(0, 0)]) == set()


@pytest.mark.parametrize(
    ("corners", "blocked", "allowed"),
    [("none", 0, True), ("none", 1, False), ("one", 1, True), ("one", 2, False), ("free", 2, True)],
)
def test_the_corners_of_a_large_diagonal_are_the_cells_beside_both_ends(
    corners: Any, blocked: int, allowed: bool
) -> None:
    passable = np.ones((3, 3), dtype=bool)
    for cell in [(0, 2), (2, 0)][:blocked]:
        passable[cell] = False
    problem = problem_of(Grid(passable, 8, corners), Agent((0, 0), size=2))
    assert kinds(problem, [(0, 0)], [(1, 1)]) == (set() if allowed else {"corner"})


def test_a_slow_agent_takes_its_turns() -> None:
    problem = problem_of(open_grid(1, 4), Agent((0, 0), period=3))
    at = [[(0, col)] for col in range(4)]
    assert kinds(problem, at[0], at[0], at[0], at[1]) == set()
    assert kinds(problem, at[0], at[0], at[1]) == {"pace"}
    assert kinds(problem, at[0], at[0], at[0], at[1], at[1], at[2]) == {"pace"}
    assert kinds(problem, at[0], at[0], at[0], at[0], at[1], at[1], at[1], at[2]) == set()


def test_a_slow_agent_holds_both_ends_between_the_first_and_the_last_step() -> None:
    """It may follow into its first step and be followed out of its last, but not in between."""
    problem = problem_of(open_grid(2, 3), Agent((0, 0), period=3), Agent((0, 1)))
    slow = [(0, 0), (0, 0), (0, 0), (0, 1)]

    def with_other(*other: Any) -> set[str]:
        return kinds(problem, *[[a, b] for a, b in zip(slow, other, strict=True)])

    assert with_other((0, 1), (0, 2), (0, 2), (0, 2)) == set()
    assert with_other((0, 1), (0, 1), (0, 2), (0, 2)) == {"vertex"}
    assert with_other((0, 1), (1, 1), (1, 0), (0, 0)) == set()
    assert with_other((0, 1), (1, 1), (1, 0), (1, 0)) == set()


def test_following_is_forbidden_at_both_ends_of_a_slow_move() -> None:
    problem = problem_of(open_grid(2, 3), Agent((0, 0), period=2), Agent((0, 1)), following=False)
    assert kinds(problem, [(0, 0), (0, 1)], [(0, 0), (0, 2)], [(0, 1), (0, 2)]) == {"following"}
    rows = [[(0, 0), (0, 1)], [(0, 0), (1, 1)], [(0, 0), (1, 0)], [(0, 0), (1, 0)]]
    assert kinds(problem, *rows, [(0, 0), (1, 0)], [(0, 1), (1, 0)], [(0, 1), (0, 0)]) == set()
    assert kinds(problem, *rows, [(0, 1), (0, 0)]) == {"following"}


def test_a_small_agent_cannot_swap_with_a_corner_of_a_large_one() -> None:
    problem = problem_of(open_grid(3, 3, 8), Agent((0, 0), size=2), Agent((1, 2)), crossing=True)
    assert kinds(problem, [(0, 0), (1, 2)], [(1, 1), (0, 1)]) == {"swap"}


def test_a_slow_diagonal_is_not_to_be_crossed_in_any_of_its_turns() -> None:
    problem = problem_of(open_grid(2, 3, 8), Agent((0, 0), period=2), Agent((0, 1)))
    slow = [(0, 0), (0, 0), (1, 1)]
    for other in ([(0, 1), (1, 0), (1, 0)], [(0, 1), (0, 1), (1, 0)]):
        rows = [list(row) for row in zip(slow, other, strict=True)]
        assert kinds(problem, *rows) == {"crossing"}
    freely = problem_of(open_grid(2, 3, 8), Agent((0, 0), period=2), Agent((0, 1)), crossing=True)
    assert kinds(freely, *rows) == set()


def test_a_sentence_says_that_an_agent_was_too_fast() -> None:
    problem = problem_of(open_grid(1, 3), Agent((0, 0), name="tank", period=2))
    report = ss.validate(problem, Plan(problem, [[0], [1]]))
    told = report.violations[0].sentence(problem.names)
    assert told == "agent tank reaches (0, 1) at time 1, sooner than it can move"


def test_a_cost_is_in_turns() -> None:
    problem = Problem.from_agents(open_grid(1, 3), [Agent((0, 0), (0, 1), period=2)])
    plan = Plan(problem, [[0], [0], [1]])
    assert ss.validate(problem, plan).cost == plan.cost == 2


# Against the plain rules


def random_problem(draw: Random, *, unit: bool = False) -> Problem:
    """A few agents that do not overlap on a tiny map, or on a graph where all are of one cell."""
    rules = Rules(following=draw.random() < 0.5, crossing=draw.random() < 0.3)
    if draw.random() < 0.2:
        n = draw.randint(3, 6)
        edges = sorted({tuple(draw.sample(range(n), 2)) for _ in range(2 * n)})
        pairs = [draw.sample(range(len(edges)), 2) for _ in range(3)]
        space: Any = ss.Graph(n, edges, directed=draw.random() < 0.5, edge_conflicts=pairs)
        starts = draw.sample(range(n), draw.randint(1, 3))
        agents = [Agent(start, period=1 if unit else draw.randint(1, 3)) for start in starts]
        return Problem.from_agents(space, agents, rules=rules)
    height, width = draw.randint(2, 5), draw.randint(2, 5)
    passable = np.array([[draw.random() < 0.85 for _ in range(width)] for _ in range(height)])
    passable[0, 0] = True
    grid = Grid(passable, draw.choice([4, 8]), draw.choice(["none", "one", "free"]))
    taken: set[Any] = set()
    agents = []
    for _ in range(30):
        row, col, size = draw.randrange(height), draw.randrange(width), 1 if unit else draw.randint(1, 3)
        cells = {(row + down, col + right) for down in range(size) for right in range(size)}
        if len(agents) < 4 and fits(grid, row, col, size) and not cells & taken:
            agents.append(Agent((row, col), size=size, period=1 if unit else draw.choice([1, 1, 2, 3])))
            taken |= cells
    return Problem.from_agents(grid, agents or [Agent((0, 0))], rules=rules)


def random_rows(problem: Problem, draw: Random) -> list[list[int]]:
    """Everybody walks about by itself, mostly at its own pace, and now and then goes too far or is gone."""
    steps, odd = draw.randint(1, 7), draw.random() < 0.2
    paths = []
    for start, size, period in zip(
        problem.starts.tolist(), problem.sizes.tolist(), problem.periods.tolist(), strict=True
    ):
        path = [start]
        while len(path) <= steps:
            here = path[-1]
            near = [v for v in range(problem.space.n) if v != here and may_step(problem.space, here, v, size)]
            if odd and draw.random() < 0.15:
                near = list(range(problem.space.n))
            if near and draw.random() < 0.7:
                turns = draw.randint(1, period) if odd else period
                path += [here] * (turns - 1) + [draw.choice(near)]
            else:
                path.append(here)
        paths.append(path[: steps + 1])
    return [list(row) for row in zip(*paths, strict=True)]


@settings(PROFILE, max_examples=examples(600))
@given(seed=st.integers(0, 2**32))
def test_the_judge_agrees_with_the_plain_rules(seed: int) -> None:
    draw = Random(seed)
    problem = random_problem(draw)
    rows = random_rows(problem, draw)
    report = ss.validate(problem, Plan(problem, rows))
    broken = {violation.kind for violation in report.violations} - ABOUT_ENDS
    assert (not broken) == is_sound(problem, rows), (problem.agents, rows, str(report))


@settings(PROFILE, max_examples=examples(300))
@given(seed=st.integers(0, 2**32))
def test_for_agents_of_one_cell_and_turn_it_is_the_usual_judge(seed: int) -> None:
    """Cell by cell and in blocks: the same kinds of violations at the same times."""
    draw = Random(seed)
    problem = random_problem(draw, unit=True)
    rows = np.array(random_rows(problem, draw))
    if draw.random() < 0.3:
        rows[draw.randrange(len(rows)) :, draw.randrange(problem.n_agents)] = -1
    usual = ss.validate(problem, Plan(problem, rows)).violations
    findings = ViolationLog(problem.space, 1000)
    judge = BodyStepJudge(problem.space, problem.rules, problem.sizes, problem.periods, findings)
    judge.judge(rows, [(0, len(rows) - 1, problem.space.open)])
    ours = {(one.kind, one.time, one.place) for one in findings.report().violations}
    others = ABOUT_ENDS | {ViolationKind.ABSENT, ViolationKind.PRESENT}
    assert ours == {(one.kind, one.time, one.place) for one in usual if one.kind not in others}
