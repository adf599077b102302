"""Tests of significance: Student's t, Welch's t, the analysis of variance, and the sign test.

Values and degrees of freedom are written as papers do: t(5979) = -22.96, p = 3.95e-112.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, variance

MOST_TERMS = 10_000  # of a continued fraction, which needs a few dozen
SMALLEST = 1e-300


@dataclass(frozen=True)
class Test:
    """A statistic, t or F, with its degrees of freedom and how likely one as large is by chance."""

    statistic: float
    freedom: tuple[float, ...]
    p: float

    def show(self) -> str:
        """`t(16613) = 2.41, p = 0.016` or `F(2, 24103) = 35.25, p = 5.2e-16`; a dash if it says nothing."""
        if math.isnan(self.statistic):
            return "—"
        letter = "t" if len(self.freedom) == 1 else "F"
        freedom = ", ".join(f"{degrees:.0f}" for degrees in self.freedom)
        return f"{letter}({freedom}) = {self.statistic:.2f}, p = {self.p:.2g}"


NOTHING = Test(math.nan, (math.nan,), math.nan)


def beta_share(a: float, b: float, x: float) -> float:
    """The regularised incomplete beta function, by its continued fraction (Lentz's method)."""
    if x <= 0 or x >= 1:
        return min(max(x, 0.0), 1.0)
    if x > (a + 1) / (a + b + 2):
        return 1 - beta_share(b, a, 1 - x)
    log_front = math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x)
    c, d = 1.0, 1 - (a + b) * x / (a + 1)
    d = 1 / (d if abs(d) > SMALLEST else SMALLEST)
    fraction = d
    for k in range(1, MOST_TERMS):
        before = fraction
        even = k * (b - k) * x / ((a + 2 * k - 1) * (a + 2 * k))
        odd = -(a + k) * (a + b + k) * x / ((a + 2 * k) * (a + 2 * k + 1))
        for term in (even, odd):
            d = 1 + term * d
            c = 1 + term / c
            c = c if abs(c) > SMALLEST else SMALLEST
            d = 1 / (d if abs(d) > SMALLEST else SMALLEST)
            fraction *= c * d
        if abs(fraction / before - 1) < 1e-15:
            break
    return math.exp(log_front) * fraction / a


def p_of_t(t: float, freedom: float, *, one_sided: bool = False) -> float:
    """How likely a t as far from zero is by chance; one-sided: as far to the same side."""
    both = beta_share(freedom / 2, 0.5, freedom / (freedom + t * t))
    return both / 2 if one_sided else both


def p_of_f(f: float, between: float, within: float) -> float:
    """How likely an F as large is by chance."""
    return beta_share(within / 2, between / 2, within / (within + between * f))


def paired_t(one: Sequence[float], other: Sequence[float]) -> Test:
    """Is the first of each pair less, in the mean? One-sided, towards the sign of the difference."""
    differences = [a - b for a, b in zip(one, other, strict=True)]
    if len(differences) < 2 or not (spread := variance(differences)):
        return NOTHING
    t = fmean(differences) / math.sqrt(spread / len(differences))
    freedom = len(differences) - 1
    return Test(t, (freedom,), p_of_t(t, freedom, one_sided=True))


def sign_test(more: int, less: int) -> float:
    """How likely so uneven a split of pairs is by chance: McNemar's exact test of two shares. Two-sided."""
    fewer, count = min(more, less), more + less
    if more == less:
        return 1.0
    return min(1.0, 2 * beta_share(count - fewer, fewer + 1, 0.5))


def welch_t(one: Sequence[float], other: Sequence[float]) -> Test:
    """Do two samples of unequal spread differ in their means? Two-sided."""
    if min(len(one), len(other)) < 2:
        return NOTHING
    parts = [variance(sample) / len(sample) for sample in (one, other)]
    if not sum(parts):
        return NOTHING
    t = (fmean(one) - fmean(other)) / math.sqrt(sum(parts))
    below = sum(part**2 / (len(sample) - 1) for part, sample in zip(parts, (one, other), strict=True))
    freedom = sum(parts) ** 2 / below
    return Test(t, (freedom,), p_of_t(t, freedom))


def one_way(groups: Sequence[Sequence[float]]) -> Test:
    """Do several samples differ in their means?"""
    count = sum(map(len, groups))
    between, within = len(groups) - 1, count - len(groups)
    if between < 1 or within < 1 or not all(groups):
        return NOTHING
    middle = fmean(value for group in groups for value in group)
    means = [fmean(group) for group in groups]
    explained = sum(len(group) * (mean - middle) ** 2 for group, mean in zip(groups, means, strict=True))
    rest = sum((value - mean) ** 2 for group, mean in zip(groups, means, strict=True) for value in group)
    return _f(explained, between, rest, within)


def two_way(cells: Mapping[tuple[str, str], Sequence[float]]) -> tuple[Test, Test]:
    """Whether the second factor has an effect, and whether that depends on the first.

    `cells` has equally many values for every combination of the two factors.
    """
    firsts, seconds = (list(dict.fromkeys(key[place] for key in cells)) for place in (0, 1))
    size = min(map(len, cells.values()), default=0)
    within = len(firsts) * len(seconds) * (size - 1)
    if len(cells) != len(firsts) * len(seconds) or any(len(cell) != size for cell in cells.values()):
        raise ValueError("a two-way analysis needs equally many values for every combination")
    if within < 1 or len(seconds) < 2 or len(firsts) < 2:
        return NOTHING, NOTHING
    mean = {key: fmean(values) for key, values in cells.items()}
    middle = fmean(mean.values())
    of_first = {a: fmean(mean[a, b] for b in seconds) for a in firsts}
    of_second = {b: fmean(mean[a, b] for a in firsts) for b in seconds}
    effect = size * len(firsts) * sum((of_second[b] - middle) ** 2 for b in seconds)
    both = size * sum((mean[a, b] - of_first[a] - of_second[b] + middle) ** 2 for a, b in cells)
    rest = sum((value - mean[key]) ** 2 for key, values in cells.items() for value in values)
    degrees = len(seconds) - 1
    return _f(effect, degrees, rest, within), _f(both, degrees * (len(firsts) - 1), rest, within)


def _f(explained: float, between: int, rest: float, within: int) -> Test:
    if not rest:
        return NOTHING
    f = explained / between / (rest / within)
    return Test(f, (between, within), p_of_f(f, between, within))
