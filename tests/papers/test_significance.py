"""Tests of significance: the numbers that the dialogue thesis prints, and textbook cases."""

from __future__ import annotations

import math

import pytest

from sidestep.papers.significance import (
    NOTHING,
    beta_share,
    one_way,
    p_of_f,
    p_of_t,
    paired_t,
    two_way,
    welch_t,
)


@pytest.mark.parametrize(
    ("t", "freedom", "p"), [(2.41, 16613, 0.0161), (3.69, 15540, 0.000228), (1.33, 15488, 0.183)]
)
def test_p_of_t_is_what_the_thesis_prints(t: float, freedom: int, p: float) -> None:
    below, above = p_of_t(t + 0.005, freedom), p_of_t(t - 0.005, freedom)  # its t is rounded
    assert below <= p * 1.003
    assert above >= p * 0.997


def test_p_of_the_paired_test_is_what_the_thesis_prints() -> None:
    low, high = (p_of_t(t, 5979, one_sided=True) for t in (-22.965, -22.955))
    assert low < 3.95e-112 < high


@pytest.mark.parametrize(
    ("f", "between", "within", "p"),
    [(35.25, 2, 24103, 5.15e-16), (22.51, 1, 326, 3.13e-6), (4.21, 4, 326, 0.00245)],
)
def test_p_of_f_is_what_the_thesis_prints(f: float, between: int, within: int, p: float) -> None:
    assert p_of_f(f + 0.005, between, within) <= p * 1.001
    assert p_of_f(f - 0.005, between, within) >= p * 0.999


def test_the_incomplete_beta_function_where_it_is_known() -> None:
    for x in (0.0, 0.1, 0.5, 0.9, 1.0):
        assert beta_share(1, 1, x) == pytest.approx(x)
        assert beta_share(2, 1, x) == pytest.approx(x * x)
        assert beta_share(1, 3, x) == pytest.approx(1 - (1 - x) ** 3)


def test_t_tests_by_hand() -> None:
    paired = paired_t([1, 2, 3, 4], [2, 4, 3, 7])  # differences -1, -2, 0, -3: mean -1.5, variance 5/3
    assert paired.statistic == pytest.approx(-1.5 / math.sqrt(5 / 12))
    assert paired.freedom == (3,)
    welch = welch_t([1, 2, 3], [2, 4, 6, 8])
    assert welch.statistic == pytest.approx((2 - 5) / math.sqrt(1 / 3 + 20 / 3 / 4))
    assert welch.freedom[0] == pytest.approx((1 / 3 + 5 / 3) ** 2 / ((1 / 3) ** 2 / 2 + (5 / 3) ** 2 / 3))
    assert welch.show() == "t(4) = -2.12, p = 0.1"


def test_variance_by_hand() -> None:
    found = one_way([[1, 2, 3], [2, 3, 4], [5, 6, 7]])
    assert (found.statistic, found.freedom) == (pytest.approx(13), (2, 6))
    assert found.show() == "F(2, 6) = 13.00, p = 0.0066"
    # Means 2 and 4, 2 and 8: 32 by the second factor, 8 by both, and 8 within the four cells.
    cells = {("a", "x"): [1, 3], ("a", "y"): [3, 5], ("b", "x"): [1, 3], ("b", "y"): [7, 9]}
    effect, depends = two_way(cells)
    assert (effect.statistic, effect.freedom) == (pytest.approx(32 / (8 / 4)), (1, 4))
    assert (depends.statistic, depends.freedom) == (pytest.approx(8 / (8 / 4)), (1, 4))


def test_too_little_says_nothing() -> None:
    assert paired_t([1], [2]) == NOTHING
    assert welch_t([], [1, 2]) == NOTHING
    assert one_way([[], [1.0]]) == NOTHING
    assert two_way({("a", "x"): [], ("a", "y"): [], ("b", "x"): [], ("b", "y"): []}) == (NOTHING, NOTHING)
    assert NOTHING.show() == "—"
    with pytest.raises(ValueError, match="equally many"):
        two_way({("a", "x"): [1.0], ("a", "y"): [1.0, 2.0]})
