"""Parameters are declared once, on the fields of a solver: in full, and what is declared is checked."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
import pytest

import sidestep as ss
from sidestep.solvers import SOLVERS
from sidestep.solvers.parameters import changed_parameters, check_parameters, parameter, parameters_of

ALL = [
    pytest.param(solver, one, id=f"{name} {one.name}")
    for name, solver in SOLVERS.items()
    for one in parameters_of(solver).values()
]


@dataclass(frozen=True)
class Sample:
    """A parameter of every kind."""

    steps: int = parameter(3, least=1, most=9, help="how many `steps`", printed=4)
    weight: float = parameter(1.5, least=0, help="how much")
    window: int | Literal["auto"] = parameter(4, least=2, most=8, help="how far")
    mode: Literal["slow", "fast", "wild"] = parameter("slow", help="how")
    is_on: bool = parameter(True, help="whether")
    limit: int | None = parameter(None, least=0, most=10, help="how long")
    search: Literal["astar"] | Callable[[int], int] = parameter("astar", help="by what")

    def __post_init__(self) -> None:
        check_parameters(self)


@dataclass(frozen=True)
class Heavy(Sample):
    """Another default, and nothing else."""

    weight: float = 7.5


@pytest.mark.parametrize(("solver", "one"), ALL)
def test_every_parameter_of_every_solver_is_declared_in_full(solver, one):
    assert one.help
    assert one.help[0].islower()
    assert not one.help.endswith(".")
    assert one.type in (int, float, bool, None)
    assert one.type is not None or one.words or one.function or one.protocols
    assert (one.least is not None) == (one.type in (int, float))
    assert one.checked(one.default) == one.default
    assert getattr(solver(), one.name) == one.default


@pytest.mark.parametrize(("solver", "one"), ALL)
def test_every_solver_checks_what_it_declares(solver, one):
    with pytest.raises(ss.InputError, match=rf"^{one.name} must be "):
        solver(**{one.name: [1]})
    for limit, beyond in ((one.least, -1), (one.most, 1)):
        if limit is not None:
            assert getattr(solver(**{one.name: limit}), one.name) == limit
            with pytest.raises(ss.InputError, match=rf"^{one.name} must be "):
                solver(**{one.name: limit + beyond})
    for word in one.words:
        assert getattr(solver(**{one.name: word}), one.name) == word


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"steps": 0}, "steps must be a whole number from 1 to 9, not 0"),
        ({"steps": 3.0}, "steps must be a whole number from 1 to 9, not 3.0"),
        ({"steps": True}, "steps must be a whole number from 1 to 9, not True"),
        ({"steps": None}, "steps must be a whole number from 1 to 9, not None"),
        ({"weight": -0.5}, "weight must be a number, 0 or more, not -0.5"),
        ({"weight": float("nan")}, "weight must be a number, 0 or more, not nan"),
        ({"weight": float("inf")}, "weight must be a number, 0 or more, not inf"),
        ({"weight": 10**40 * 10**300}, "weight must be a number, 0 or more, not 1000"),
        ({"window": "wide"}, "window must be a whole number from 2 to 8 or 'auto', not 'wide'"),
        ({"mode": 1}, "mode must be 'slow', 'fast' or 'wild', not 1"),
        ({"mode": ["slow"]}, "mode must be 'slow', 'fast' or 'wild', not ['slow']"),
        ({"is_on": 1}, "is_on must be True or False, not 1"),
        ({"limit": -1}, "limit must be a whole number from 0 to 10, not -1"),
        ({"search": 3}, "search must be 'astar' or a function, not 3"),
        ({"mode": "x" * 1000}, "not 'xxxx"),
    ],
)
def test_a_wrong_value_is_refused_in_one_sentence(given, sentence):
    with pytest.raises(ss.InputError) as error:
        Sample(**given)
    assert sentence in str(error.value)
    assert len(str(error.value)) < 150


def test_what_may_be_given():
    assert Sample(window="auto").window == "auto"
    assert Sample(limit=None).limit is None
    assert Sample(search=abs).search is abs
    assert Sample(weight=2).weight == 2


@pytest.mark.parametrize("value", [np.int64(5), np.uint8(5), np.int32(5)])
def test_a_whole_number_of_numpy_becomes_a_plain_one(value):
    sample = Sample(steps=value, weight=value, limit=value)
    assert {type(sample.steps), type(sample.weight), type(sample.limit)} == {int}
    assert sample == Sample(steps=5, weight=5, limit=5)


def test_other_values_of_numpy_become_plain_ones():
    assert type(Sample(weight=np.float32(0.5)).weight) is float
    assert Sample(is_on=np.False_).is_on is False
    with pytest.raises(ss.InputError, match="steps must be a whole number"):
        Sample(steps=np.float64(3.0))


def test_numbers_of_numpy_reach_the_core():
    problem = ss.Problem.from_text("a . B\n. . .\nb . A")
    for solver in (ss.WHCA(window=np.int64(8)), ss.ICTS(), ss.LRA(noise=np.float64(0.5))):
        assert ss.solve(problem, solver)
    assert ss.solve(problem, "whca", window=np.int64(8)).solver == ss.WHCA(window=8)


def test_a_subclass_that_declares_a_field_again_changes_only_the_default():
    of_base, of_heavy = parameters_of(Sample)["weight"], parameters_of(Heavy)["weight"]
    assert (of_base.default, of_heavy.default) == (1.5, 7.5)
    assert (of_heavy.least, of_heavy.help) == (of_base.least, of_base.help)
    with pytest.raises(ss.InputError, match="weight must be a number, 0 or more"):
        Heavy(weight=-1)


def test_what_is_known_of_a_parameter():
    steps = parameters_of(Sample)["steps"]
    assert (steps.default, steps.least, steps.most, steps.printed) == (3, 1, 9, 4)
    assert parameters_of(Sample)["limit"].printed is ...  # None would be a value
    assert steps.sentence == "How many steps."
    assert list(parameters_of(Sample)) == ["steps", "weight", "window", "mode", "is_on", "limit", "search"]


def test_the_parameters_that_differ_from_their_defaults():
    assert changed_parameters(ss.WHCA()) == {}
    assert changed_parameters(ss.WHCA(window=8, max_turns=None)) == {"window": 8}


def test_a_solver_checks_by_itself_what_is_of_another_type():
    @dataclass(frozen=True)
    class Listing:
        places: tuple[int, ...] = ()
        names: list[str] = field(default_factory=list)

        def __post_init__(self) -> None:
            check_parameters(self)

    assert Listing(places=(1, 2)).places == (1, 2)
    assert parameters_of(Listing)["names"].default == []
    assert changed_parameters(Listing()) == {}
