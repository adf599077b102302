"""What a paper states, beside what was measured: the statement, the estimate and the verdict."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any, TypeVar

Sample = TypeVar("Sample")

AGREES, UNCLEAR, UNKNOWN = "agrees", "unclear", "not measured"
MOST_PARTS = 100  # that samples are left out in: more would take long and tell no more


@dataclass(frozen=True)
class Estimate:
    """A measured number and its standard error, which is not a number where one sample says nothing."""

    value: float
    error: float = math.nan

    def show(self, places: int, unit: str = "") -> str:
        """`93.1%±0.4`."""
        if math.isnan(self.value):
            return "—"
        error = "" if math.isnan(self.error) else f"±{self.error:.{places}f}"
        return f"{self.value:.{places}f}{unit}{error}"


@dataclass(frozen=True)
class Claim:
    """One statement of a paper on a topic, the number in it, and how to measure the same.

    Measured values from `low` to `high` agree with the statement. `reason` says why ours may differ.
    """

    topic: str
    what: str
    published: str
    source: str
    stated: float
    measure: Callable[[Any], float]  # of what the paper's module has found
    low: float = -math.inf
    high: float = math.inf
    unit: str = ""
    places: int = 2
    reason: str = ""


@dataclass(frozen=True)
class Comparison:
    """A claim with what was measured."""

    claim: Claim
    measured: Estimate

    @property
    def verdict(self) -> str:
        """Agrees; unclear, if it would agree but for two standard errors; or by how much it differs."""
        claim, value = self.claim, self.measured.value
        if math.isnan(value):
            return UNKNOWN
        if claim.low <= value <= claim.high:
            return AGREES
        slack = 0.0 if math.isnan(self.measured.error) else 2 * self.measured.error
        if claim.low - slack <= value <= claim.high + slack:
            return UNCLEAR
        amount = f"{value - claim.stated:+.{claim.places}f}"
        return f"differs {amount}" if float(amount) else "differs"

    @property
    def shown(self) -> str:
        """The measured value in the claim's unit."""
        return self.measured.show(self.claim.places, self.claim.unit)

    @property
    def reason(self) -> str:
        """Why it differs; nothing if it does not."""
        return "" if self.verdict in (AGREES, UNKNOWN) else self.claim.reason


def jackknife(statistic: Callable[[Sequence[Sample]], float], samples: Sequence[Sample]) -> Estimate:
    """A statistic of independent samples, with the standard error that leaving each of them out shows.

    It serves ratios and minima, which have no error formula of their own, as well as means. Of many samples,
    equal parts are left out one after another.
    """
    value, parts = statistic(samples), min(len(samples), MOST_PARTS)
    if parts < 2:
        return Estimate(value)
    others = [statistic(_all_but(samples, part, parts)) for part in range(parts)]
    middle = fmean(others)
    return Estimate(value, math.sqrt((parts - 1) / parts * sum((other - middle) ** 2 for other in others)))


def _all_but(samples: Sequence[Sample], part: int, parts: int) -> list[Sample]:
    return [sample for index, sample in enumerate(samples) if index % parts != part]


def ratio(over: float, under: float) -> float:
    """A quotient; not a number if there is nothing to divide by."""
    return over / under if under else math.nan
