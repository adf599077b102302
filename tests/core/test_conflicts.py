"""The core's conflicts and the judge's violations: two programs, one opinion."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from spaces_for_core import PROFILE, Ground, core_rules, int32, rules, spaces, walk

import sidestep as ss
from sidestep import _core
from tests.sizing import examples

KINDS = {0: "vertex", 1: "swap", 2: "crossing", 3: "following"}
Found = set[tuple[int, str, tuple[int, ...]]]


@st.composite
def plans(draw: Any) -> tuple[ss.Problem, ss.Plan]:
    """Agents that walk at random and do not look: from distinct starts, along edges."""
    ground = Ground.of(draw(spaces))
    vertices = [v for v in range(ground.n) if ground.is_open[v]]
    starts = draw(st.lists(st.sampled_from(vertices), max_size=min(6, len(vertices)), unique=True))
    steps = draw(st.integers(0, 5))
    given_rules = draw(rules)
    paths = [walk(draw, ground, start, steps) for start in starts]
    goals = [path[-1] for path in paths]
    if given_rules.at_goal == "disappear":  # on its goal once, then gone
        arrivals = [path.index(goal) for path, goal in zip(paths, goals, strict=True)]
        paths = [
            [v if t <= arrival else -1 for t, v in enumerate(path)]
            for path, arrival in zip(paths, arrivals, strict=True)
        ]
    place = ground.space.place
    shared = ss.Rules(**{**vars(given_rules), "shared_goals": True})
    problem = ss.Problem(ground.space, [place(v) for v in starts], [place(v) for v in goals], rules=shared)
    rows = int32(paths).T if paths else int32([[]] * (steps + 1)).reshape(steps + 1, 0)
    return problem, ss.Plan(problem, rows)


def conflicts_of(problem: ss.Problem, plan: ss.Plan) -> list[tuple[int, str, tuple[int, ...], int]]:
    rows = _core.find_conflicts(
        Ground.of(problem.space).compiled(), core_rules(problem.rules), int32(plan.vertices)
    )
    return [(t, KINDS[kind], (a, b), place) for t, kind, a, b, place in rows.tolist()]


def by_the_core(problem: ss.Problem, plan: ss.Plan) -> Found:
    """Dated as the judge does: what happens in a step by its end, with the follower first."""
    found: Found = set()
    for t, kind, (a, b), _ in conflicts_of(problem, plan):
        if kind == "vertex":
            found.add((t, kind, (a, b)))
        elif kind == "following":
            here, there = plan.vertices[t], plan.vertices[t + 1]
            found |= {(t + 1, kind, (i, j)) for i, j in ((a, b), (b, a)) if there[i] == here[j] != there[j]}
        else:
            found.add((t + 1, kind, (a, b)))
    return found


def by_the_judge(problem: ss.Problem, plan: ss.Plan) -> Found:
    violations = ss.validate(problem, plan).violations
    return {(one.time, str(one.kind), one.agents) for one in violations if str(one.kind) in KINDS.values()}


def guilty(found: Found) -> set[tuple[int, str, int]]:
    """Everybody who is named; of two who follow only the follower, since it names one of those ahead."""
    return {
        (t, kind, agent) for t, kind, agents in found for agent in agents[: 1 if kind == "following" else 2]
    }


@settings(PROFILE, max_examples=examples(200))
@given(case=plans())
def test_the_core_and_the_judge_agree(case: tuple[ss.Problem, ss.Plan]) -> None:
    problem, plan = case
    core, judge = by_the_core(problem, plan), by_the_judge(problem, plan)
    # In a crowd the judge names each with the first one it meets, the core with all of them.
    assert judge <= core
    assert guilty(judge) == guilty(core)
    if not any(kind in ("vertex", "swap") for _, kind, _ in core):
        assert judge == core


@settings(PROFILE, max_examples=examples(150))
@given(case=plans())
def test_conflicts_come_in_order_each_once_and_say_where(case: tuple[ss.Problem, ss.Plan]) -> None:
    problem, plan = case
    found = conflicts_of(problem, plan)
    assert all(a < b for _, _, (a, b), _ in found)
    assert all(one[0::2] <= other[0::2] for one, other in pairwise(found))  # by time and agents
    assert len({one[:3] for one in found}) == len(found)
    assert all(place == plan.vertices[t, a] for t, _, (a, _), place in found)
