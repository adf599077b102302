"""Agents that have to turn: problems, worlds, files, and who refuses them."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest

import sidestep as ss
from sidestep.io import read_plan, read_trace, write_plan, write_trace
from sidestep.model.agents import FACINGS, TURN_LEFT, TURN_RIGHT

OPEN = ss.Grid.from_text("""
    . . . .
    . # . .
    . . . .
""")
AHEAD = {"N": (-1, 0), "E": (0, 1), "S": (1, 0), "W": (0, -1)}


class Proposals:
    """A session that proposes what it was given, turn by turn: vertices, or TURN_RIGHT and TURN_LEFT."""

    def __init__(self, *turns: list[int]) -> None:
        self.turns = list(turns)

    def step(self, view: Any, *, budget: Any) -> Any:
        return np.array(self.turns[view.time], dtype=np.int32)


def one(facing: str, start: tuple[int, int] = (0, 0), goal: tuple[int, int] | None = (0, 2)) -> ss.Problem:
    return ss.Problem.from_agents(OPEN, [ss.Agent(start, goal, facing=facing)])


def refused(world: ss.World) -> int:
    return world.trace.count(ss.EventKind.REFUSED)


class TestProblems:
    def test_a_facing_is_a_letter_and_comes_back_as_one(self) -> None:
        problem = ss.Problem.from_agents(OPEN, [ss.Agent((0, i), facing=f) for i, f in enumerate(FACINGS)])
        assert problem.facings.tolist() == [0, 1, 2, 3]
        assert [agent.facing for agent in problem.agents] == list(FACINGS)
        assert ss.Problem.from_agents(OPEN, problem.agents) == problem

    @pytest.mark.parametrize("facing", ["e", "NE", 1, "", "north"])
    def test_any_other_facing_is_an_input_error_that_lists_them(self, facing: Any) -> None:
        with pytest.raises(ss.InputError, match="'N', 'E', 'S', 'W' or None"):
            one(facing)

    def test_agents_turn_only_on_four_connected_grids(self) -> None:
        for space, start in ((ss.Grid(np.ones((2, 2), dtype=bool), 8), (0, 0)), (ss.Graph(2, [(0, 1)]), 0)):
            with pytest.raises(ss.InputError, match="connectivity=4"):
                ss.Problem.from_agents(space, [ss.Agent(start, facing="E")])

    def test_either_all_agents_have_a_facing_or_none(self) -> None:
        agents = [ss.Agent((0, 0), facing="E"), ss.Agent((0, 1))]
        with pytest.raises(ss.InputError, match="agent a1 has no facing"):
            ss.Problem.from_agents(OPEN, agents)
        world = ss.World(ss.Problem.from_agents(OPEN, agents[:1]), ss.EPIBT())
        with pytest.raises(ss.InputError, match="or none has one"):
            world.add(agents[1])

    @pytest.mark.parametrize("body", [{"size": 2}, {"period": 2}])
    def test_large_and_slow_agents_have_no_facing(self, body: dict[str, int]) -> None:
        with pytest.raises(ss.InputError, match="its size and its period must be 1"):
            ss.Problem.from_agents(
                ss.Grid(np.ones((3, 3), dtype=bool)), [ss.Agent((0, 0), facing="E", **body)]
            )

    @pytest.mark.parametrize("name", [name for name in ss.solvers() if name not in ("epibt", "auto")])
    def test_solvers_that_know_no_facing_refuse_it(self, name: str) -> None:
        with pytest.raises(ss.UnsupportedError, match="facing"):
            ss.solve(one("E"), name)

    def test_auto_leaves_them_to_epibt(self) -> None:
        result = ss.solve(one("W"))
        assert result.plan is not None
        assert ss.validate(result.problem, result.plan)
        assert result.plan.cost == 4
        assert result.stats["answered_by"] == "epibt"

    def test_questions_are_refused(self) -> None:
        problem = one("E")
        plan = ss.Plan(problem, [[0], [1], [2]], facings=[[1], [1], [1]])
        assert ss.validate(problem, plan)
        with pytest.raises(ss.UnsupportedError, match="have to turn"):
            ss.why(plan, 0, 1)


class TestWorlds:
    @pytest.mark.parametrize("facing", list(FACINGS))
    def test_an_agent_goes_straight_ahead_and_no_other_way(self, facing: str) -> None:
        grid = ss.Grid(np.ones((3, 3), dtype=bool))
        for way, (down, right) in AHEAD.items():
            problem = ss.Problem.from_agents(grid, [ss.Agent((1, 1), facing=facing)])
            world = ss.World(problem, Proposals([grid.vertex((1 + down, 1 + right))]))
            world.step()
            assert world.where(0) == ((1 + down, 1 + right) if way == facing else (1, 1))
            assert refused(world) == (way != facing)
            assert ss.validate_trace(world.trace)

    def test_turns_take_a_step_each_and_are_recorded(self) -> None:
        world = ss.World(one("N"), Proposals([TURN_RIGHT], [1], [TURN_LEFT], [TURN_LEFT], [0]))
        seen = []
        for _ in range(5):
            world.step()
            seen.append((world.where(0), int(world.facings[0])))
        assert seen == [((0, 0), 1), ((0, 1), 1), ((0, 1), 0), ((0, 1), 3), ((0, 0), 3)]
        trace = world.trace
        assert refused(world) == 0
        assert trace.count(ss.EventKind.TURNED) == 3
        assert trace.facings.tolist() == [0]
        rows = trace.facings_by_time()
        assert rows is not None
        assert rows[:, 0].tolist() == [0, 1, 1, 0, 3, 3]
        assert ss.validate_trace(trace)
        assert ss.replay_trace(trace) == trace

    def test_who_has_no_facing_cannot_turn(self) -> None:
        world = ss.World(ss.Problem(OPEN, [(0, 0)], [(0, 2)]), Proposals([TURN_RIGHT]))
        world.step()
        assert refused(world) == 1
        assert world.trace.facings_by_time() is None

    def test_a_newcomer_brings_its_facing_and_a_cut_trace_keeps_it(self) -> None:
        turns = [[TURN_RIGHT], *[[TURN_RIGHT, TURN_LEFT]] * 9]
        world = ss.World(one("N"), Proposals(*turns), trace_limit=2)
        world.step()
        world.add(ss.Agent((2, 2), facing="S"))
        for _ in range(9):
            world.step()
            trace = world.trace
            assert ss.validate_trace(trace)
            assert ss.replay_trace(trace) == trace
            rows = trace.facings_by_time()
            assert rows is not None
            assert rows[-1].tolist() == world.facings.tolist()
        assert trace.start_time > 1
        assert world.facings.tolist() == [10 % 4, (2 - 9) % 4]

    def test_a_session_that_knows_no_facing_takes_no_such_newcomer(self) -> None:
        world = ss.World(ss.Problem(OPEN, [], []), ss.WHCA())
        with pytest.raises(ss.UnsupportedError, match="facing"):
            world.add(ss.Agent((2, 2), facing="S"))

    def test_copies_and_saves_keep_facings(self) -> None:
        world = ss.World(one("N"), Proposals(*[[TURN_RIGHT]] * 4))
        world.step()
        snapshot = world.snapshot()
        world.step()
        world.restore(snapshot)
        assert world.facings.tolist() == [1]
        assert pickle.loads(pickle.dumps(world)).facings.tolist() == [1]


class TestFiles:
    def test_traces_and_plans_keep_facings(self, tmp_path: Any) -> None:
        world = ss.World(one("N"), Proposals([TURN_RIGHT], [1], [2]))
        for _ in range(3):
            world.step()
        write_trace(world.trace, tmp_path / "run.trace")
        assert read_trace(tmp_path / "run.trace") == world.trace
        plan = ss.Plan(one("N"), world.trace.positions, facings=world.trace.facings_by_time())
        assert ss.validate(plan.problem, plan)
        write_plan(plan, tmp_path / "run.plan")
        again = read_plan(tmp_path / "run.plan")
        assert again.problem == plan.problem
        assert again.plan == plan

    def test_files_without_turns_say_nothing_of_facings(self, tmp_path: Any) -> None:
        problem = ss.Problem(OPEN, [(0, 0)], [(0, 2)])
        result = ss.solve(problem, "cbs")
        assert result.plan is not None
        write_plan(result.plan, tmp_path / "run.plan")
        assert "facing" not in (tmp_path / "run.plan").read_text()
        again = read_plan(tmp_path / "run.plan").plan
        assert again is not None
        assert again.facings is None

    def test_a_strange_facing_in_a_file_is_a_format_error(self, tmp_path: Any) -> None:
        path = tmp_path / "bad.plan"
        ss.io.write_problem(one("N"), path)
        path.write_text(path.read_text().replace('"facing": "N"', '"facing": "X"'))
        with pytest.raises(ss.FormatError, match="facing"):
            ss.io.read_problem(path)
