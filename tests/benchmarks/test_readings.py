"""Readings of HCA*: without limits it is ours in one random order, and limits only take away."""

from __future__ import annotations

import sidestep as ss
from benchmarks import readings
from sidestep.papers.design import InstanceTrial
from sidestep.papers.standley2010 import trial as standley2010


def test_readings_of_hca():
    problems = [standley2010.instance(InstanceTrial(number, 0, 1.0)) for number in range(6)]
    for number, problem in enumerate(problems):
        one_order = ss.solve(problem, ss.HCA(retries=0, order="random"), seed=number)
        assert readings.solves(problem, number) == bool(one_order)
        if one_order.plan is not None:
            longest = one_order.plan.makespan
            assert readings.solves(problem, number, steps=longest)
            assert not readings.solves(problem, number, steps=longest - 1)
        assert not readings.solves(problem, number, nodes=1)


def test_a_row_says_how_often_it_fails_and_who_helps(monkeypatch):
    monkeypatch.setattr(standley2010, "SECONDS", 10.0)
    small = [
        ss.Problem(ss.Grid.from_text(". . ."), [(0, 0)], [(0, 2)], rules=ss.Rules.printed("standley2010"))
    ]
    never = readings.failures(lambda problem, seed: False, small, readings.CHECKED, {})
    assert never == "100.00%, 100%"
    assert readings.failures(readings.solves, small, readings.CHECKED, {}) == "0.00%"
