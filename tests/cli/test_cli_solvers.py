"""`sidestep solvers`."""

from __future__ import annotations

import sidestep as ss

from .conftest import Sidestep


def test_the_table_lists_every_solver(sidestep: Sidestep) -> None:
    done = sidestep("solvers")
    assert done.code == 0
    for name in ss.solvers():
        assert name in done.out


def test_one_solver_with_its_parameters(sidestep: Sidestep) -> None:
    done = sidestep("solvers", "whca")
    assert done.code == 0
    assert "--window" in done.out
    assert "16" in done.out


def test_json(sidestep: Sidestep) -> None:
    listed = sidestep("solvers", "--json").json
    assert set(listed) == set(ss.solvers())
    assert listed["whca"]["parameters"]["window"] == 16
    assert listed["whca"]["online"] is True
    assert set(sidestep("solvers", "whca", "--json").json) == {"whca"}


def test_an_unknown_solver(sidestep: Sidestep) -> None:
    sidestep("solvers", "wcha").refused("no solver 'wcha'", "did you mean 'whca'")
    sidestep("solvers", "wcha", "--json").refused("did you mean 'whca'")
