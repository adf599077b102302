"""Files that earlier versions have written are read as what they were, and written as they are.

The files in `old` are never written again: a later version has to read them.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from sidestep import Agent, EventKind, Graph, Grid, Plan, Problem, Rules, Status, io
from sidestep.io import formats

OLD = Path(__file__).parent / "old"

SMALL = Problem.from_text("a . B\n. # .\nb . A")
BODIES = Problem.from_agents(
    Grid.from_text("....\n....\n..#.", 8, "one"),
    [Agent((0, 0), (0, 2), name="large", priority=3, size=2, period=2), Agent((2, 3), name="idle")],
    rules=Rules(following=False, crossing=True, at_goal="disappear", shared_goals=True, cost="time_off_goal"),
)
GRAPH = Problem(
    Graph(
        4,
        [(0, 1), (2, 3)],
        directed=True,
        positions=[(0, 0), (1, 1), (0, 1), (1, 0)],
        edge_conflicts=[(0, 1)],
    ),
    [0, 2],
    [1, None],
)
PLAN = Plan(SMALL, [[0, 6], [1, 7], [2, 8], [5, 8]], claimed_cost=7)

FORMATS = {form.name: form for form in formats.FORMATS}


@pytest.mark.parametrize(
    ("name", "problem"), [("problem.json", SMALL), ("bodies.json", BODIES), ("graph.json", GRAPH)]
)
def test_problems(name: str, problem: Problem) -> None:
    assert io.read_problem(OLD / name) == problem
    assert FORMATS["plan"].text_of(problem) == (OLD / name).read_text()


def test_plans() -> None:
    found = io.read_plan(OLD / "plan.json").plan
    assert found == PLAN
    assert FORMATS["plan"].text_of(found) == (OLD / "plan.json").read_text()


def test_results() -> None:
    found = io.read_plan(OLD / "result.json")
    assert (found.problem, found.status, found.seed, found.lower_bound) == (SMALL, Status.OPTIMAL, 7, 8)
    assert found.plan is not None
    assert (found.plan.cost, found.plan.claimed_cost) == (8, 8)
    assert (found.solver, found.parameters["heuristic"], found.stats) == ("cbs", "wdg", {"expansions": 3})
    found = io.read_plan(OLD / "no-plan.json")
    assert (found.plan, found.status) == (None, Status.INFEASIBLE)
    assert found.reason == "agent a cannot reach its goal (0, 2)"


def test_a_trace_with_all_kinds_of_events_of_version_1() -> None:
    """A kind that is added later needs a version of its own in `tracefile.SINCE`."""
    trace = io.read_trace(OLD / "trace.json")
    kinds = [EventKind(kind) for kind in trace.events[:, 1].tolist()]
    assert [kind for kind in EventKind if kind not in io.tracefile.SINCE] == kinds
    assert trace.positions.tolist() == [[0, -1], [1, -1], [2, 4], [2, 4]]
    assert trace.open.tolist() == [True, True, True, False, True, False]
    assert FORMATS["trace"].text_of(trace) == (OLD / "trace.json").read_text()


def test_a_trace_of_a_large_slow_agent_in_the_middle_of_a_move() -> None:
    trace = io.read_trace(OLD / "trace-bodies.json")
    told = (trace.start_time, *(getattr(trace, name).tolist() for name in ("sizes", "periods", "headings")))
    assert told == (8, [2], [3], [3])
    assert FORMATS["trace"].text_of(trace) == (OLD / "trace-bodies.json").read_text()


def test_transcripts() -> None:
    transcript = io.read_transcript(OLD / "transcript.json")
    assert (len(transcript), transcript.names, len(transcript.topics)) == (20, ("a", "b"), 1)
    assert FORMATS["transcript"].text_of(transcript) == (OLD / "transcript.json").read_text()


def test_maps_scenarios_and_drawings() -> None:
    grid = io.read_map(OLD / "small.map")
    assert grid == SMALL.space
    assert FORMATS["map"].text_of(grid) == (OLD / "small.map").read_text()
    found = io.read_scen(OLD / "small.scen", grid)
    assert (found.starts.tolist(), found.goals.tolist()) == (SMALL.starts.tolist(), SMALL.goals.tolist())
    assert FORMATS["scen"].text_of(found, "small.map") == (OLD / "small.scen").read_text()
    assert io.read_text(OLD / "drawing.txt") == SMALL
    assert FORMATS["text"].text_of(SMALL) == (OLD / "drawing.txt").read_text()


@pytest.mark.parametrize(
    ("form", "name"), [("lacam", "lacam.txt"), ("eecbs", "eecbs.paths"), ("lorr", "planviz.json")]
)
def test_plans_for_other_programs(form: str, name: str) -> None:
    assert FORMATS[form].text_of(PLAN) == (OLD / name).read_text()
    assert io.detect(OLD / name) == form
