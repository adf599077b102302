"""Weights of votes: what is tried, what is kept, and how the weights that are found compare."""

from __future__ import annotations

import json
import math
import random
import sys
from dataclasses import replace
from typing import Any

import pytest

import sidestep as ss
from sidestep.instances import dialogue_problem
from sidestep.papers import tuning as module
from sidestep.papers.experiment import Interval
from sidestep.papers.tuning import (
    Score,
    Trial,
    Tuning,
    compare,
    is_step,
    score,
    score_trial,
    search,
)

from .conftest import nobody_watches

SMALL = Tuning(steps=4, instances=5, agents=15)


def steps_of(tuning: Tuning, rows: list[dict[str, Any]] | None = None, jobs: int = 1) -> list[dict[str, Any]]:
    return list(search(tuning, rows or [], jobs=jobs, progress=nobody_watches))


@pytest.fixture
def optuna() -> Any:
    return pytest.importorskip("optuna", reason="optuna is not installed")


# What is tuned


@pytest.mark.parametrize(
    ("solver", "window", "published"),
    [
        ("dpca", None, [4.744, 5.291]),
        ("dpca+", None, [0.312, 5.570, 2.677]),
        ("wdpca", 2, [3.113, 9.464]),
        ("wdpca", 4, [8.736, 7.9143]),
        ("wdpca", 8, [9.352, 22.874]),
    ],
)
def test_the_published_weights_are_those_of_table_4(
    solver: str, window: int | None, published: list[float]
) -> None:
    tuning = Tuning(solver, window)
    assert list(tuning.published.values()) == published
    assert list(tuning.equal) == list(tuning.published)
    tuned = tuning.with_weights(dict.fromkeys(tuning.equal, 2.0))
    assert tuned.name == solver
    assert tuned.length_weight == tuned.conflict_weight == 2.0
    assert window is None or (tuned.window, tuned.widen) == (window, False)


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"solver": "pca"}, "'pca' has no weights to tune: did you mean 'dpca'"),
        ({"solver": "whca"}, "has no weights to tune"),
        ({"window": 4}, "dpca has no window"),
        ({"solver": "wdpca", "window": 1}, "window must be a whole number from 2"),
        ({"method": "luck"}, "method must be 'annealing' or 'optuna', not 'luck'"),
        ({"steps": 0}, "steps must be a whole number from 1"),
        ({"instances": 1.5}, "instances must be a whole number"),
        ({"agents": 1}, "agents must be a whole number from 2"),
        ({"agents": 1000}, "agents must be a whole number from 2"),
        ({"nodes": 0}, "nodes must be a whole number from 1"),
        ({"seed": "x"}, "seed must be a whole number"),
    ],
)
def test_bad_input(wrong: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ss.InputError, match=sentence):
        Tuning(**wrong)


# What is minimised


def test_a_loss_is_what_a_plan_costs_beyond_the_ways_of_the_agents() -> None:
    problem = dialogue_problem(1)
    result = ss.solve(problem, "dpca")
    assert ss.validate(problem, result.plan)
    least = result.lower_bound
    assert score(result) == Score(pytest.approx(result.plan.cost / least - 1), True)
    assert score(replace(result, lower_bound=result.plan.cost)) == (0.0, True)
    assert score(replace(result, lower_bound=1)) == (1.0, True)
    assert score(replace(result, plan=None)) == (1.0, False)
    assert score(replace(result, lower_bound=0)) == (0.0, True)  # everybody is at home


def test_a_trial_is_limited_in_nodes() -> None:
    solved = [
        score_trial(Trial(replace(SMALL, nodes=n, agents=40), SMALL.equal, 3)).solved for n in (5, 10**5)
    ]
    assert solved == [False, True]


# Steps


@pytest.mark.parametrize("method", module.METHODS)
def test_an_interrupted_search_goes_on_as_if_nothing_had_happened(method: str) -> None:
    if method == "optuna":
        pytest.importorskip("optuna", reason="optuna is not installed")
    tuning = replace(SMALL, method=method)
    whole = steps_of(tuning)
    assert [row["step"] for row in whole] == [0, 1, 2, 3]
    for done in (0, 1, 3, 4):
        kept = json.loads(json.dumps(whole[:done]))
        assert steps_of(tuning, kept) == whole[done:]


def test_the_steps_do_not_depend_on_the_number_of_jobs_but_on_the_seed() -> None:
    tuning = replace(SMALL, steps=2, solver="wdpca", window=2)
    one = steps_of(tuning)
    assert steps_of(tuning, jobs=2) == one
    assert steps_of(replace(tuning, seed=1)) != one


def test_annealing_keeps_what_is_better_and_when_it_is_hot_what_is_worse() -> None:
    kept, tried = {"length_weight": 1.0}, {"length_weight": 2.0}

    def is_kept(loss: float, step: int) -> float:
        """How often a change of this loss is kept at a step of a hundred."""
        row = {"step": step, "tried": tried, "loss": 0.5 + loss, "loss_before": 0.5}
        tuning = Tuning(steps=100)
        found = [module._kept(tuning, [row], kept, random.Random(seed)) for seed in range(400)]
        return sum(weights == tried for weights in found) / len(found)

    assert is_kept(-0.001, 99) == is_kept(0.0, 99) == 1
    assert is_kept(0.005, 0) == pytest.approx(math.exp(-50 / 100), abs=0.1)
    assert is_kept(0.001, 90) == pytest.approx(math.exp(-10 / 10), abs=0.1)
    assert is_kept(0.005, 99) < 0.02


def test_the_temperature_falls_from_100_to_1_in_unit_steps() -> None:
    assert [module.temperature(Tuning(), step) for step in (0, 1, 50, 99)] == [100, 99, 50, 1]
    assert [module.temperature(Tuning(steps=2), step) for step in (0, 1)] == [100, 1]
    assert module.temperature(Tuning(steps=1), 0) == 100


def test_every_step_has_problems_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[Trial] = []

    def watched(trial: Trial) -> Score:
        seen.append(trial)
        return Score(0.5, True)

    monkeypatch.setattr(module, "score_trial", watched)
    rows = steps_of(SMALL)
    for step in range(SMALL.steps):
        new, old = (
            [t for t in seen[10 * step :][:10] if t.weights == weights]
            for weights in (
                rows[step]["tried"],
                rows[step - 1]["weights"] if step else SMALL.equal,
            )
        )
        assert [t.number for t in new] == [t.number for t in old] == [*range(5 * step, 5 * step + 5)]
    compare(SMALL, rows, held_out=7)
    assert min(t.number for t in seen[40:]) > max(t.number for t in seen[:40])
    assert len(seen) == 40 + 3 * 7


def test_optuna_keeps_the_best_so_far(optuna: Any) -> None:
    rows = steps_of(replace(SMALL, method="optuna", solver="dpca+"))
    gains = [row["loss"] - row["loss_before"] for row in rows]
    assert rows[-1]["weights"] == rows[gains.index(min(gains))]["tried"]
    assert list(rows[-1]["weights"]) == ["length_weight", "conflict_weight", "partial_weight"]
    assert all(0.01 <= weight <= 100 for row in rows for weight in row["tried"].values())


def test_without_optuna_one_sentence_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "optuna", None)
    with pytest.raises(
        ss.MissingExtraError, match=r"optuna is not installed: pip install 'sidestep\[tune\]'"
    ):
        module.require_optuna()


def test_what_is_a_step() -> None:
    row = steps_of(replace(SMALL, steps=1))[0]
    assert is_step(row, SMALL, 0)
    assert not is_step(row, SMALL, 1)
    assert not is_step(row, Tuning("dpca+"), 0)
    for broken in (5, {}, {**row, "loss": "1"}, {**row, "weights": {}}, {**row, "loss_before": math.nan}):
        assert not is_step(broken, SMALL, 0)


# What was found


def test_an_interval_is_two_standard_errors_wide() -> None:
    mean, low, high = Interval.of([1.0, 2.0, 3.0, 4.0])
    assert mean == 2.5
    assert high - mean == pytest.approx(mean - low) == pytest.approx(1.96 * 1.29099 / 2, rel=1e-4)
    assert Interval(93.14, 92.0, 94.25).show(1) == "93.1 (92.0 to 94.2)"
    assert math.isnan(Interval.of([1.0]).low)


def test_weights_are_compared_on_the_same_problems() -> None:
    rows = steps_of(replace(SMALL, steps=1))
    rows[-1]["weights"] = dict(SMALL.published)
    found = compare(SMALL, rows, held_out=20)
    assert list(found.compared) == ["found", "thesis", "equal"]
    assert found.compared["found"].better == (0, 0, 0)
    assert found.compared["found"].loss == found.compared["thesis"].loss
    assert 0 < found.compared["thesis"].solved.mean <= 100
    assert "20 problems show no difference" in found.verdict
    assert json.loads(json.dumps(found.data))["compared"]["thesis"]["weights"]["length_weight"] == 4.744


@pytest.mark.parametrize(
    ("better", "verdict"),
    [((1, 0.5, 1.5), "better"), ((-1, -2, -0.5), "worse"), ((1, -1, 3), "no difference")],
)
def test_the_verdict_is_about_the_interval(better: tuple[float, float, float], verdict: str) -> None:
    found = compare(SMALL, steps_of(replace(SMALL, steps=1)), held_out=2)
    one = replace(found.compared["found"], better=Interval(*better))
    assert verdict in replace(found, compared={"found": one}).verdict
