"""Questions about plans of many solvers: all that answers claim is run again, and they come quickly."""

from __future__ import annotations

import os
import random
import statistics
from collections.abc import Iterator
from pathlib import Path
from time import process_time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sidestep as ss
from sidestep import _core, io
from sidestep.explain import Doing, Inquiry
from sidestep.explain.answer import changed_agents, continued
from sidestep.instances import random_grid, random_problem
from sidestep.model.to_core import compile_rules, compiled_space
from tests.sizing import examples

SOLVERS = ("whca", "hca", "cbs", "dpca", "wdpca")

Question = tuple[ss.Result, int, int]


def problems(seed: int) -> Iterator[ss.Problem]:
    """Maps on which agents have to wait for each other."""
    yield random_problem(random_grid(32, 32, 0.2, seed), 40, seed)
    yield random_problem(random_grid(16, 16, 0.2, seed, connectivity=8, corners="free"), 30, seed)
    yield random_problem(random_grid(16, 16, 0.1, seed), 24, seed, rules=ss.Rules(cost="time_off_goal"))


def questions(solver: str, count: int, draw: random.Random) -> list[Question]:
    """As many about steps that need a reason, on several maps."""
    found: list[Question] = []
    seed = 0
    while len(found) < count:
        for problem in problems(seed):
            result = ss.solve(problem, solver, time_limit=2)
            if result:
                steps = asked_steps(result)
                found += [(result, *step) for step in draw.sample(steps, min(10, len(steps)))]
        seed += 1
    return found[:count]


def asked_steps(result: ss.Result) -> list[tuple[int, int]]:
    inquiry = Inquiry(result)
    agents, times = range(result.problem.n_agents), range(result.plan.makespan)
    return [(agent, time) for agent in agents for time in times if inquiry.doing(agent, time).needs_a_reason]


def confirm(answer: ss.Answer) -> None:
    """Everything that the answer claims, recomputed here from its evidence."""
    plan, agent, time = answer.plan, answer.agent, answer.time
    names = plan.problem.names
    if answer.alternative is None:
        assert answer.cost_change == {}
        assert all(names[one] in answer.text for one in answer.blocked)
        return
    report = ss.validate(plan.problem, answer.alternative)
    assert report, report
    assert np.array_equal(answer.alternative.vertices[: time + 1], plan.vertices[: time + 1])
    way = answer.alternative.vertices[time : time + len(answer.wish), agent]
    assert way.tolist() == list(answer.wish)
    changes = answer.alternative.costs - plan.costs
    assert answer.cost_change == {names[k]: int(by) for k, by in enumerate(changes) if by}
    assert answer.total == report.cost - plan.cost
    assert {names.index(name) for name in answer.cost_change} <= set(changed_agents(plan, answer.alternative))
    if not answer.because:
        assert changed_agents(plan, answer.alternative) == [agent]
        assert answer.needless
    assert answer.needless == all(change <= 0 for k, change in enumerate(changes) if k != agent)


@pytest.mark.parametrize("solver", SOLVERS)
def test_answers_are_true(solver):
    for result, agent, time in questions(solver, examples(40), random.Random(1)):
        answer = result.why(agent, time)
        confirm(answer)
        assert answer.verified, (answer.text, answer.faults())


def test_nobody_is_said_to_wait_for_nothing_in_vain():
    """In an optimal plan nothing that an agent does can be left out for free."""
    for result, agent, time in questions("cbs", examples(40), random.Random(2)):
        assert result.status is ss.Status.OPTIMAL
        answer = result.why(agent, time)
        assert answer.total is None or answer.total >= 0
        assert answer.sooner == 0


@st.composite
def runs(draw: st.DrawFn) -> ss.Result:
    seed = draw(st.integers(0, 10**6))
    rules = ss.Rules(
        following=draw(st.booleans()),
        crossing=draw(st.booleans()),
        at_goal=draw(st.sampled_from(["stay", "disappear"])),
        cost=draw(st.sampled_from(["sum_of_costs", "time_off_goal"])),
    )
    connectivity = draw(st.sampled_from([4, 8]))
    grid = random_grid(7, 7, 0.15, seed, connectivity=connectivity, corners="free")
    problem = random_problem(grid, draw(st.integers(2, 9)), seed, rules=rules)
    idle = [
        ss.Agent(a.start, None if k == 0 and seed % 3 == 0 else a.goal) for k, a in enumerate(problem.agents)
    ]
    solver = draw(st.sampled_from(["whca", "hca", "lra", "dpca", "dpca+", "pca", "wdpca"]))
    return ss.solve(ss.Problem.from_agents(grid, idle, rules=rules), solver, node_limit=10**6)


@given(runs())
@settings(max_examples=examples(60), deadline=None)
def test_answers_are_true_under_all_rules(result):
    if not result:
        assert result.reason
        return
    inquiry = Inquiry(result)
    for agent, time in asked_steps(result)[:12]:
        answer = inquiry.why(agent, time)
        confirm(answer)
        unproved = answer.alternative is None and not answer.blocked
        assert answer.verified or unproved, (answer.text, answer.faults())
        assert inquiry.because(agent, time) == answer.because or len(answer.because) > 0
    for agent in range(result.problem.n_agents):
        for time in range(result.plan.makespan + 1):
            doing = inquiry.doing(agent, time)
            moved = result.plan.vertices[min(time + 1, result.plan.makespan), agent]
            stays = moved == result.plan.vertices[time, agent]
            assert stays == (doing in (Doing.WAITS, Doing.RESTS, Doing.STANDS, Doing.ABSENT))


def test_the_same_question_has_the_same_answer():
    for result, agent, time in questions("whca", 5, random.Random(3)):
        one, two = result.why(agent, time), ss.why(result.plan, agent, time)
        assert one.data() == two.data()
        assert one.alternative == two.alternative


@pytest.mark.slow
def test_five_hundred_questions(capsys):
    """All of them verified by their own counterfactual, in under 100 ms in the median."""
    spent: list[float] = []
    for solver in SOLVERS:
        for result, agent, time in questions(solver, 100, random.Random(0)):
            begin = process_time()
            answer = result.why(agent, time)
            spent.append(process_time() - begin)
            confirm(answer)
            assert answer.verified, (solver, answer.text, answer.faults())
    median, worst = 1000 * statistics.median(spent), 1000 * max(spent)
    with capsys.disabled():
        print(f"\n{len(spent)} questions: median {median:.1f} ms of CPU time, worst {worst:.1f} ms")
    assert len(spent) == 500
    assert median < 100


@pytest.mark.slow
@pytest.mark.skipif(not os.environ.get("SIDESTEP_DATA"), reason="SIDESTEP_DATA names no MovingAI data")
@pytest.mark.parametrize("name", ["random-64-64-20-random-1", "warehouse-10-20-10-2-1-random-1"])
def test_questions_on_large_maps(name):
    folder = Path(os.environ["SIDESTEP_DATA"]) / "movingai"
    grid = io.read_map(folder / "map" / f"{name.partition('-random-')[0]}.map")
    if name.startswith("random"):
        grid = io.read_map(folder / "map" / "random-64-64-20.map")
    problem = io.read_scen(folder / "scen" / f"{name}.scen", grid, agents=100)
    result = ss.solve(problem, "whca")
    assert result
    steps = asked_steps(result)
    spent = []
    for agent, time in random.Random(0).sample(steps, min(40, len(steps))):
        begin = process_time()
        answer = result.why(agent, time)
        spent.append(process_time() - begin)
        confirm(answer)
        assert answer.verified, answer.text
    assert statistics.median(spent) < 0.1


def cheapest(answer: ss.Answer) -> int | None:
    """What the cheapest alternative with the same wish costs; None if CBS needs too long."""
    problem, time = answer.plan.problem, answer.time
    others = np.delete(np.arange(problem.n_agents, dtype=np.int32), answer.agent)
    wish = np.array(answer.wish, dtype=np.int32)
    found = _core.cbs(
        compiled_space(problem),
        compile_rules(problem.rules),
        np.ascontiguousarray(answer.plan.vertices[time, others]),
        np.ascontiguousarray(problem.goals[others]),
        ss.CBS().options(),
        illegal=wish[:, None],
        budget=ss.Budget(nodes=5_000_000).core,
    )
    if found.outcome is not _core.Outcome.found:
        return None
    paths = {answer.agent: wish, **dict(zip(others.tolist(), found.paths, strict=True))}
    return continued(answer.plan, time, paths).cost - answer.plan.cost


@pytest.mark.slow
def test_alternatives_are_seldom_dearer_than_need_be(capsys):
    """Compared with the cheapest one in which the agent has the same wish, in plans that are optimal."""
    gaps = []
    for result, agent, time in questions("cbs", 100, random.Random(4)):
        answer = result.why(agent, time)
        least = None if answer.alternative is None else cheapest(answer)
        if least is not None:
            assert least <= answer.total
            gaps.append(answer.total - least)
    with capsys.disabled():
        print(f"\n{gaps.count(0)} of {len(gaps)} alternatives are the cheapest, mean gap {np.mean(gaps):.2f}")
    assert gaps.count(0) > 0.5 * len(gaps)


# Slow agents


def slow(trace: bool = False):
    """s needs three turns for a move; it waits for two turns before the first one."""
    space = ss.Grid.from_text(". . . .")
    problem = ss.Problem.from_agents(space, [ss.Agent((0, 0), (0, 3), name="s", period=3)])
    if not trace:
        return ss.Plan(problem, [[0], [0], [0], [0], [0], [1], [1], [1], [2], [2], [2], [3]])
    world = ss.World(problem, ss.WHCA())
    for _ in range(5):
        world.step()
    return world.trace


def test_a_slow_agent_in_the_middle_of_a_move_does_not_wait():
    answers = [ss.why(slow(), "s", time) for time in range(11)]
    assert [answer.doing for answer in answers] == ["waits"] * 2 + ["goes_on"] * 9
    assert all(answer.verified for answer in answers)
    assert "It stands there for 2 steps, from time 0 to 2." in answers[0].text
    assert not any("waits" in answer.text or "stands" in answer.text for answer in answers[2:])


def test_where_a_trace_ends_nobody_knows_whether_a_slow_agent_waits():
    answers = [ss.why(slow(trace=True), "s", time) for time in range(5)]
    assert [answer.doing for answer in answers] == ["goes_on"] * 3 + ["unseen"] * 2
    assert all(answer.verified for answer in answers)
    assert answers[4].text == "s is on (0, 1); the run ends before one can see whether it moves."
