"""`sidestep.authoring`: its names, frozen, and what its classes refuse."""

from __future__ import annotations

import pytest

import sidestep as ss
from sidestep import authoring
from sidestep.authoring import Budget, Distances, LimitError, Reservations
from tests.test_public_names import shape

PROBLEM = ss.Problem.from_text("a . B\n. # .\nb . A")


def test_the_names():
    """A change of these is a change for every package with a solver."""
    assert sorted(authoring.__all__) == [
        *("Budget", "Distances", "InputError", "LimitError", "Plan", "Problem", "Reservations", "Result"),
        *("Solver", "SolverInfo", "Status", "Support", "TurnByTurn", "by_rank", "check_parameters"),
        *("parameter", "path_matrix", "planning_order", "turns_of_solve", "unit_agents_only"),
    ]
    for name in authoring.__all__:
        assert (getattr(authoring, name).__doc__ or "").strip(), name


@pytest.mark.parametrize(
    ("function", "expected"),
    [
        (Reservations, "(problem)"),
        (Reservations.reserve, "(agent, path, *, start=0, stays=True)"),
        (Reservations.release, "(agent)"),
        (Reservations.holder, "(vertex, time)"),
        (Reservations.allows, "(origin, target, time)"),
        (Reservations.find_path, "(start, goal, *, budget, now=0, window=None, exact=True)"),
        (Distances, "(problem)"),
        (Distances.between, "(vertex, goal, *, budget)"),
        (authoring.parameter, "(default, *, help, least=None, most=None, printed=Ellipsis, why='')"),
        (authoring.path_matrix, "(problem, paths, agents=None)"),
        (authoring.planning_order, "(problem, seed)"),
        (authoring.by_rank, "(problem)"),
    ],
    ids=lambda value: getattr(value, "__qualname__", ""),
)
def test_a_signature(function, expected):
    assert shape(function) == expected


def test_a_path_avoids_what_is_reserved_and_its_end_is_free_for_good():
    table, budget = Reservations(PROBLEM), Budget(60)
    table.reserve(0, [0, 1, 2])
    assert table.holder(1, 1) == 0
    assert table.holder(1, 2) is None
    assert table.holder(2, 1000) == 0
    assert table.find_path(6, 2, budget=budget) is None
    assert not table.allows(5, 2, 1)
    assert table.allows(5, 8, 1)
    table.release(0)
    assert len(table.find_path(6, 2, budget=budget)) == 5
    assert len(table.find_path(6, 2, budget=budget, now=3, window=2)) == 3


def test_distances():
    distances, budget = Distances(ss.Problem.from_text("a . # .\n. A # .")), Budget(60)
    assert distances.between(0, 5, budget=budget) == 2
    assert distances.between(0, 3, budget=budget) is None


@pytest.mark.parametrize(
    "wrong",
    [
        lambda table, budget: table.reserve(5, [0]),
        lambda table, budget: table.reserve(0, []),
        lambda table, budget: table.reserve(0, [99]),
        lambda table, budget: table.reserve(0, [0.5]),
        lambda table, budget: table.reserve(0, [0], start=-1),
        lambda table, budget: table.release(-1),
        lambda table, budget: table.holder(99, 0),
        lambda table, budget: table.allows(0, 8, 0),
        lambda table, budget: table.find_path(-1, 3, budget=budget),
        lambda table, budget: table.find_path("a", 3, budget=budget),
        lambda table, budget: table.find_path(0, 3, budget=budget, window=-2),
        lambda table, budget: table.find_path(0, 2**40, budget=budget),
        lambda table, budget: Distances(PROBLEM).between(99, 0, budget=budget),
        lambda table, budget: Reservations("a . A"),
        lambda table, budget: Distances(None),
        lambda table, budget: Reservations(
            ss.Problem.from_agents(ss.Grid.from_text(". .\n. ."), [ss.Agent((0, 0), size=2)])
        ),
    ],
)
def test_what_is_wrong_is_an_input_error(wrong):
    with pytest.raises(ss.InputError):
        wrong(Reservations(PROBLEM), Budget(60))


def test_a_search_ends_with_its_budget():
    with pytest.raises(LimitError, match="nodes"):
        Reservations(PROBLEM).find_path(0, 8, budget=Budget(nodes=1))
