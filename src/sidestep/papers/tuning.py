"""Weights of votes, looked for as in the dialogue thesis (section 5.1, table 4), or by optuna.

Each step tries other weights on problems that nobody has seen before. The thesis gives the temperatures of
its simulated annealing, the number of problems per step and their kind. It says neither what is minimised,
nor how weights are changed, nor when a change is kept: that is ours.

What is minimised is the mean *loss*: how much dearer a plan is than the agents' own ways, 1 at most, and 1
without a plan. Votes are only compared with each other, so it is the ratios of the weights that matter.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from importlib import import_module
from statistics import fmean
from typing import Any, NamedTuple

from ..instances import MOST_IN_DIALOGUE, dialogue_problem
from ..model.errors import InputError, MissingExtraError
from ..model.result import Result
from ..solve import solve
from ..solvers import DPCA, DPCAPlus
from ..solvers.registry import did_you_mean, make_solver
from ..sweeps.working import mapping
from .experiment import Estimate, Interval, Plot

FEWEST, MOST = 2, 50  # agents
STEPS, INSTANCES, HELD_OUT = 100, 200, 1000
HOTTEST, COLDEST = 100.0, 1.0
UNITS = 10_000  # of temperature in a loss of 1: so that those temperatures decide something
NODES = 1000  # with this many, DPCA* and WDPCA* solve about as much as the thesis did in its 2,000 ms
SPREAD = 0.5  # of the logarithm of a weight, from one step to the next
LEAST, GREATEST = 0.01, 100.0  # weights that optuna tries
METHODS = ("annealing", "optuna")

Weights = Mapping[str, float]
Told = Callable[[float, str], object]

PUBLISHED: dict[str, dict[str, float]] = {
    "dpca": {"length_weight": DPCA.length_weight, "conflict_weight": DPCA.conflict_weight},
    "dpca+": {
        "length_weight": DPCAPlus.length_weight,
        "conflict_weight": DPCAPlus.conflict_weight,
        "partial_weight": DPCAPlus.partial_weight,
    },
}


@dataclass(frozen=True)
class Tuning:
    """What is looked for, and how. The same tuning finds the same weights on every machine."""

    solver: str = "dpca"
    window: int | None = None  # of wdpca
    method: str = "annealing"
    steps: int = STEPS
    instances: int = INSTANCES  # per step
    agents: int = MOST  # at most
    nodes: int = NODES  # expansions per problem
    seed: int = 0

    def __post_init__(self) -> None:
        known = [*PUBLISHED, "wdpca"]
        if self.solver not in known:
            raise InputError(f"{self.solver!r} has no weights to tune{did_you_mean(str(self.solver), known)}")
        if self.method not in METHODS:
            raise InputError(f"method must be {' or '.join(map(repr, METHODS))}, not {self.method!r}")
        if self.window is not None and self.solver != "wdpca":
            raise InputError(f"{self.solver} has no window: only wdpca has")
        for name, most in (("steps", 10**5), ("instances", 10**5), ("nodes", 10**9)):
            self._check(name, 1, most)
        self._check("agents", FEWEST, MOST_IN_DIALOGUE)
        self._check("seed", -(2**63), 2**63)
        self.with_weights({})  # a window may be wrong, too

    def _check(self, name: str, least: int, most: int) -> None:
        value = getattr(self, name)
        if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
            raise InputError(f"{name} must be a whole number from {least} to {most}, not {value!r}")

    def with_weights(self, weights: Weights) -> Any:
        """The solver that votes by these weights; its window is that of the thesis and stays as it is."""
        window = {} if self.window is None else {"window": self.window}
        fixed = {"widen": False} if self.solver == "wdpca" else {}
        return make_solver(self.solver, {**window, **fixed, **weights})

    @property
    def published(self) -> Weights:
        """The weights of the thesis's table 4; for windows that are not in it, those that wdpca takes."""
        if self.solver != "wdpca":
            return PUBLISHED[self.solver]
        usual = self.with_weights({}).weights
        return {"length_weight": usual.length, "conflict_weight": usual.conflicts}

    @property
    def equal(self) -> Weights:
        """All weights alike: where the search begins."""
        return dict.fromkeys(self.published, 1.0)

    @property
    def label(self) -> str:
        """The solver, with its window."""
        return f"wdpca, window {self.with_weights({}).window}" if self.solver == "wdpca" else self.solver


# Trying weights


class Trial(NamedTuple):
    """Weights on one problem."""

    tuning: Tuning
    weights: Weights
    number: int


class Score(NamedTuple):
    """How it went: the loss, and whether there is a plan."""

    loss: float
    solved: bool


def score_trial(trial: Trial) -> Score:
    """Solves one problem. Problems are those of the experiments, but none that these have."""
    tuning, weights, number = trial
    seed = tuning.seed % 2**32 * 2**32 + 2**30 + number
    problem = dialogue_problem(seed, fewest=FEWEST, most=tuning.agents)
    solver = tuning.with_weights(weights)
    return score(solve(problem, solver, time_limit=None, node_limit=tuning.nodes))


def score(result: Result) -> Score:
    """1 without a plan, otherwise how much dearer it is than the agents' own ways, and 1 at most."""
    if result.plan is None:
        return Score(1.0, False)
    least = result.lower_bound or 0
    return Score(min(1.0, result.plan.cost / least - 1) if least else 0.0, True)


def _scores(mapped: Any, tuning: Tuning, numbers: range, *tried: Weights) -> list[list[Score]]:
    """All of these weights on the same problems."""
    trials = [Trial(tuning, weights, number) for weights in tried for number in numbers]
    found = mapped(trials)
    return [found[k : k + len(numbers)] for k in range(0, len(found), len(numbers))]


# Looking for weights


def is_step(row: Any, tuning: Tuning, step: int) -> bool:
    """Is this what `search` has written of that step?"""
    if not isinstance(row, dict) or row.get("step") != step:
        return False
    numbers = [row.get("loss"), row.get("loss_before")]
    for weights in (row.get("tried"), row.get("weights")):
        if not isinstance(weights, dict) or list(weights) != list(tuning.equal):
            return False
        numbers += weights.values()
    return all(isinstance(number, float) and math.isfinite(number) for number in numbers)


def search(
    tuning: Tuning, rows: list[dict[str, Any]], *, jobs: int = 1, progress: Told
) -> Iterator[dict[str, Any]]:
    """The steps that are not in `rows` yet, one after another; the last one's `weights` are what was found.

    What a step does depends on the steps before it and on its number only, so it does not matter whether
    they were taken today.
    """
    propose = _anneal if tuning.method == "annealing" else _ask_optuna
    rows = rows[: tuning.steps]
    with mapping(score_trial, jobs) as mapped:
        for step in range(len(rows), tuning.steps):
            kept = rows[-1]["weights"] if rows else tuning.equal
            chance = random.Random(f"{tuning.seed} {step}")
            tried, against = propose(tuning, rows, kept, chance)
            numbers = range(step * tuning.instances, (step + 1) * tuning.instances)
            new, old = _scores(mapped, tuning, numbers, tried, against)
            row = {"step": step, "tried": tried, "loss": _loss(new), "loss_before": _loss(old)}
            rows.append({**row, "weights": _kept(tuning, [*rows, row], kept, chance)})
            progress((step + 1) / tuning.steps, f"step {step + 1} of {tuning.steps}: {show(kept)}")
            yield rows[-1]


def _loss(scores: Sequence[Score]) -> float:
    return fmean(one.loss for one in scores)


def _anneal(
    tuning: Tuning, rows: Sequence[Mapping[str, Any]], kept: Weights, chance: random.Random
) -> tuple[Weights, Weights]:
    """Weights near those that are kept, to be compared with them."""
    return {name: weight * math.exp(chance.gauss(0, SPREAD)) for name, weight in kept.items()}, kept


def _ask_optuna(
    tuning: Tuning, rows: Sequence[Mapping[str, Any]], kept: Weights, chance: random.Random
) -> tuple[Weights, Weights]:
    """What optuna suggests after the steps so far. Problems differ from step to step, and some are harder:
    so weights are compared with equal ones on the same problems."""
    optuna = require_optuna()
    study = optuna.create_study(sampler=optuna.samplers.TPESampler(seed=chance.getrandbits(32)))
    space = {name: optuna.distributions.FloatDistribution(LEAST, GREATEST, log=True) for name in tuning.equal}
    for row in rows:
        value = row["loss"] - row["loss_before"]
        study.add_trial(optuna.trial.create_trial(params=row["tried"], distributions=space, value=value))
    return study.ask(space).params, tuning.equal


def _kept(tuning: Tuning, rows: Sequence[Mapping[str, Any]], kept: Weights, chance: random.Random) -> Weights:
    """The weights after the last of these steps."""
    if tuning.method == "optuna":
        best = min(rows, key=lambda row: (row["loss"] - row["loss_before"], row["step"]))
        return dict(best["tried"])
    last = rows[-1]
    worse = UNITS * (last["loss"] - last["loss_before"])
    if worse <= 0 or chance.random() < math.exp(-worse / temperature(tuning, last["step"])):
        return dict(last["tried"])
    return dict(kept)


def temperature(tuning: Tuning, step: int) -> float:
    """From 100 to 1 in equal steps, as in the thesis."""
    return HOTTEST - (HOTTEST - COLDEST) * step / max(tuning.steps - 1, 1)


def require_optuna() -> Any:
    """optuna without its messages, or one sentence on how to get it."""
    try:
        optuna = import_module("optuna")
    except ImportError as error:
        raise MissingExtraError("optuna", "tune") from error
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    return optuna


# What was found


@dataclass(frozen=True)
class Trialled:
    """Weights on the problems that were held out."""

    weights: Weights
    solved: Interval  # percent
    loss: Interval  # thousandths
    better: Interval  # than the published weights, on the same problems, in thousandths

    @property
    def data(self) -> dict[str, Any]:
        """Everything as plain values."""
        intervals = {"solved": self.solved, "loss": self.loss, "better": self.better}
        shown = {name: interval._asdict() for name, interval in intervals.items()}
        return {"weights": dict(self.weights), **shown}


@dataclass(frozen=True)
class TuningResult:
    """The steps, and the weights that were found beside those of the thesis and equal ones."""

    tuning: Tuning
    rows: Sequence[Mapping[str, Any]]
    held_out: int
    compared: Mapping[str, Trialled]

    @property
    def weights(self) -> Weights:
        """Those that were found."""
        found: Weights = self.rows[-1]["weights"]
        return found

    @property
    def verdict(self) -> str:
        """One sentence."""
        better = self.compared["found"].better
        if better.low > 0:
            return "the weights found are better than the thesis's"
        if better.high < 0:
            return "the weights found are worse than the thesis's"
        return f"{self.held_out} problems show no difference between the weights found and the thesis's"

    @property
    def data(self) -> dict[str, Any]:
        """Everything as plain values."""
        compared = {name: one.data for name, one in self.compared.items()}
        about = {**asdict(self.tuning), "held_out": self.held_out}
        return {**about, "compared": compared, "verdict": self.verdict}

    def plot(self) -> Plot:
        """How the weights that are kept change, and how much better or worse those are that are tried."""
        losses = {row["step"]: (row["loss"], row["loss_before"]) for row in self.rows}
        kept = {row["step"]: row["weights"] for row in self.rows}
        curves: dict[str, dict[float, Estimate]] = {
            "loss, tried / before": {
                step: Estimate(tried / before) for step, (tried, before) in losses.items() if before
            },
            "weights, conflict / length": {
                step: Estimate(weights["conflict_weight"] / weights["length_weight"])
                for step, weights in kept.items()
            },
        }
        return Plot("tune", f"Weights of {self.tuning.label}", "step", "ratio", curves, logarithmic=True)


def compare(
    tuning: Tuning, rows: Sequence[Mapping[str, Any]], *, held_out: int = HELD_OUT, jobs: int = 1
) -> TuningResult:
    """The weights that were found on problems that no step has seen, beside the thesis's and equal ones."""
    sets: dict[str, Weights] = {
        "found": rows[-1]["weights"],
        "thesis": tuning.published,
        "equal": tuning.equal,
    }
    numbers = range(2**29, 2**29 + held_out)
    with mapping(score_trial, jobs) as mapped:
        scores = dict(zip(sets, _scores(mapped, tuning, numbers, *sets.values()), strict=True))
    losses = {name: [1000 * one.loss for one in found] for name, found in scores.items()}
    compared = {
        name: Trialled(
            weights,
            Interval.of([100.0 * one.solved for one in scores[name]]),
            Interval.of(losses[name]),
            Interval.of([b - a for a, b in zip(losses[name], losses["thesis"], strict=True)]),
        )
        for name, weights in sets.items()
    }
    return TuningResult(tuning, rows, held_out, compared)


def show(weights: Weights) -> str:
    """`length 4.744, conflict 5.291`."""
    return ", ".join(f"{name.removesuffix('_weight')} {weight:.3f}" for name, weight in weights.items())
