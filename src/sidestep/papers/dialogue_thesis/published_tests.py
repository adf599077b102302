"""The tests of significance of the thesis's section 5.2, by name, on our times."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass

from ..significance import Test, one_way, p_of_f, p_of_t, paired_t, two_way, welch_t
from .measures import Outcomes, both_solved, plans_of
from .trial import ARGUING, WINDOWED, Outcome

SIGNIFICANT = 0.05
NUMBER = r"-?\d+(?:\.\d+)?(?:e-\d+)?"


@dataclass(frozen=True)
class PublishedTest:
    """A test as the thesis prints it, and the same test of our times.

    `significant` says whether the thesis finds an effect, `sign` to which side; 0 where there is no side.
    Where it finds none, `beside` is an effect of the same kind that it does find.
    """

    published: str
    test: Callable[[Outcomes], Test]
    significant: bool = True
    sign: int = 0
    beside: str = ""

    def would_show(self, freedom: tuple[float, ...]) -> bool:
        """Would the thesis's effect be significant over instances with these degrees of freedom?"""
        *published, statistic, _ = map(float, re.findall(NUMBER, self.beside or self.published))
        share = freedom[-1] / published[-1]
        if len(published) == 1:
            return p_of_t(statistic * math.sqrt(share), freedom[0]) < SIGNIFICANT
        return p_of_f(1 + (statistic - 1) * share, *freedom) < SIGNIFICANT


def times(outcomes: Outcomes, solver: str) -> list[float]:
    """What every instance took that a solver solves, in milliseconds."""
    return [1000 * run.seconds for run in plans_of(outcomes, solver)]


def dpca_and_plus(outcomes: Outcomes) -> Test:
    """On the instances that both solve: one-sided and paired."""
    pairs = both_solved(outcomes, "DPCA*", "DPCA*+")
    return paired_t([one.seconds for one, _ in pairs], [other.seconds for _, other in pairs])


def windows(outcomes: Outcomes) -> Test:
    """Over what each window solves, as its degrees of freedom say."""
    return one_way([times(outcomes, solver) for solver in WINDOWED])


def two_windows(one: str, other: str) -> Callable[[Outcomes], Test]:
    """Welch's, as its degrees of freedom say."""
    return lambda outcomes: welch_t(times(outcomes, one), times(outcomes, other))


def cache_test(effect: int) -> Callable[[Outcomes], Test]:
    """The effect of the cache (0), or how that depends on the algorithm (1).

    On the instances of figure 12 that every algorithm solves both ways, so that all have equally many.
    """

    def test(outcomes: Outcomes) -> Test:
        solved = [outcome for outcome in outcomes if outcome.cached and _all_solve(outcome)]
        cells = {
            (solver, cache): [1000 * getattr(outcome, cache)[solver].seconds for outcome in solved]
            for solver in ARGUING
            for cache in ("cached", "uncached")
        }
        return two_way(cells)[effect]

    return test


def _all_solve(outcome: Outcome) -> bool:
    return all(runs[solver].solved for runs in (outcome.cached, outcome.uncached) for solver in ARGUING)


TESTS = {
    "DPCA* against DPCA*+, paired t": PublishedTest(
        "t(5979) = -22.96, p = 3.95e-112", dpca_and_plus, sign=-1
    ),
    "windows 2, 4, 8, variance": PublishedTest("F(2, 24103) = 35.25, p = 5.15e-16", windows),
    "windows 2 and 4, t": PublishedTest(
        "t(16613) = 2.41, p = 0.0161", two_windows("WDPCA*-2", "WDPCA*-4"), sign=1
    ),
    "windows 2 and 8, t": PublishedTest(
        "t(15540) = 3.69, p = 0.000228", two_windows("WDPCA*-2", "WDPCA*-8"), sign=1
    ),
    "windows 4 and 8, t": PublishedTest(
        "t(15488) = 1.33, p = 0.183",
        two_windows("WDPCA*-4", "WDPCA*-8"),
        significant=False,
        beside="t(15540) = 3.69, p = 0.000228",
    ),
    "cache, variance": PublishedTest("F(1, 326) = 22.51, p = 3.13e-06", cache_test(0)),
    "cache by algorithm, variance": PublishedTest("F(4, 326) = 4.21, p = 0.00245", cache_test(1)),
}


def chance(outcomes: Outcomes, name: str) -> float:
    """The p of a test; 1 where the effect is on the other side than the thesis's.

    Not a number where there is no effect, and too few instances to see one as small as the thesis's.
    """
    published = TESTS[name]
    found = published.test(outcomes)
    if math.isnan(found.p) or (found.p >= SIGNIFICANT and not published.would_show(found.freedom)):
        return math.nan
    return 1.0 if published.sign * found.statistic < 0 else found.p
