"""What the judge says to agents that turn, against a walk that follows each of them by hand."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import sidestep as ss
from tests.sizing import some_of

GRID = ss.Grid.from_text("""
    . . . .
    . . # .
    . . . .
""")
AHEAD = [(-1, 0), (0, 1), (1, 0), (0, -1)]


def kinds(problem: ss.Problem, vertices: object, facings: object) -> set[str]:
    report = ss.validate(problem, ss.Plan(problem, vertices, facings=facings))
    return {str(one.kind) for one in report.violations}


def single(facing: str, goal: int) -> ss.Problem:
    return ss.Problem.from_agents(GRID, [ss.Agent((0, 0), GRID.place(goal), facing=facing)])


def test_a_move_along_the_facing_is_valid_and_any_other_is_not() -> None:
    assert kinds(single("E", 1), [[0], [1]], [[1], [1]]) == set()
    for facing in "NSW":
        number = "NESW".index(facing)
        assert kinds(single(facing, 1), [[0], [1]], [[number], [number]]) == {"facing"}


def test_a_turn_takes_a_step_per_quarter() -> None:
    problem = single("W", 1)
    assert kinds(problem, [[0], [0], [0], [1]], [[3], [0], [1], [1]]) == set()
    assert kinds(problem, [[0], [0], [1]], [[3], [1], [1]]) == {"facing"}  # half a turn in a step
    assert kinds(problem, [[0], [0], [1]], [[3], [0], [1]]) == {"facing"}  # turns while it moves


def test_the_first_facing_is_that_of_the_agent() -> None:
    assert kinds(single("N", 1), [[0], [1]], [[1], [1]]) == {"facing"}


def test_a_plan_must_say_which_way_agents_look() -> None:
    assert kinds(single("E", 1), [[0], [1]], None) == {"shape"}


def test_two_who_turn_in_one_place_collide_there() -> None:
    problem = ss.Problem.from_agents(
        GRID, [ss.Agent((0, 0), (0, 1), facing="E"), ss.Agent((0, 2), (2, 1), facing="W")]
    )
    assert "vertex" in kinds(problem, [[0, 2], [1, 1]], [[1, 3], [1, 3]])
    face_to_face = ss.Problem.from_agents(
        GRID, [ss.Agent((0, 0), (0, 1), facing="E"), ss.Agent((0, 1), (0, 0), facing="W")]
    )
    assert kinds(face_to_face, [[0, 1], [1, 0]], [[1, 3], [1, 3]]) == {"swap"}


@pytest.mark.parametrize("seed", some_of(range(30)))
def test_the_judge_agrees_with_a_walk_by_hand(seed: int) -> None:
    """Random walks with an error here and there: a plan is right if every step of everybody is."""
    draw = np.random.default_rng(seed)
    for _ in range(20):
        steps = int(draw.integers(1, 7))
        vertex, facing = 0, int(draw.integers(4))
        problem_facing = "NESW"[facing]
        path, faced, right = [vertex], [facing], True
        for _ in range(steps):
            action = draw.choice(["F", "R", "L", "W", "slip", "spin"], p=[0.4, 0.15, 0.15, 0.2, 0.05, 0.05])
            row, col = GRID.place(vertex)
            way = facing if action == "F" else int(draw.integers(4))
            down, across = AHEAD[way]
            inside = 0 <= row + down < 3 and 0 <= col + across < 4
            if action in ("F", "slip") and inside and GRID.passable[row + down, col + across]:
                right &= way == facing
                vertex = GRID.vertex((row + down, col + across))
            elif action in ("R", "L"):
                facing = (facing + (1 if action == "R" else 3)) % 4
            elif action == "spin":
                facing, right = (facing + 2) % 4, False
            path.append(vertex)
            faced.append(facing)
        problem = single(problem_facing, path[-1])
        found = kinds(problem, np.array(path)[:, None], np.array(faced)[:, None])
        assert found == (set() if right else {"facing"})


class TestTraces:
    def trace(self) -> ss.Trace:
        problem = single("N", 1)

        class TurnThenGo:
            def step(self, view: object, *, budget: object) -> object:
                return np.array([[-2], [1], [1]][view.time], dtype=np.int32)  # type: ignore[attr-defined]

        world = ss.World(problem, TurnThenGo())
        for _ in range(3):
            world.step()
        return world.trace

    def test_a_true_trace_is_valid(self) -> None:
        assert ss.validate_trace(self.trace())

    def test_a_turn_that_is_not_told_is_a_violation(self) -> None:
        trace = self.trace()
        told = trace.events[trace.events[:, 1] != ss.EventKind.TURNED]
        report = ss.validate_trace(replace(trace, events=told))
        assert [str(one.kind) for one in report.violations] == ["facing"]

    @pytest.mark.parametrize("value", [0, 2, 3, 7, -1])
    def test_a_turn_to_elsewhere_is_a_violation(self, value: int) -> None:
        trace = self.trace()
        events = trace.events.copy()
        events[events[:, 1] == ss.EventKind.TURNED, 3] = value
        assert not ss.validate_trace(replace(trace, events=events))

    def test_a_turn_told_twice_or_at_the_end_is_a_violation(self) -> None:
        trace = self.trace()
        turn = trace.events[trace.events[:, 1] == ss.EventKind.TURNED]
        late = turn.copy()
        late[:, 0] = 3
        for more in (turn, late):
            events = np.concatenate([turn, more, trace.events[1:]])
            events = events[np.argsort(events[:, 0], kind="stable")]
            report = ss.validate_trace(replace(trace, events=events))
            assert "event" in {str(one.kind) for one in report.violations}

    def test_turns_of_one_who_has_no_facing_are_violations(self) -> None:
        trace = self.trace()
        agents = replace(trace.agents, facings=np.array([-1], dtype=np.int32))
        assert not ss.validate_trace(replace(trace, agents=agents))
