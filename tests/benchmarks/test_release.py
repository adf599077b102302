"""What is kept of a release: every solver, under limits that are the same on every machine."""

from __future__ import annotations

from pathlib import Path

from sidestep.solvers import SOLVERS
from sidestep.sweeps.suite import read_suite

SUITE = Path(__file__).parents[2] / "benchmarks" / "release.toml"


def test_the_suite_of_releases_has_every_solver_and_no_limit_of_time():
    suite = read_suite(SUITE)
    assert {spec.name for spec in suite.solvers} == set(SOLVERS)
    assert all(limits.seconds is None and limits.nodes and limits.memory for limits in suite.limits)
    assert len(suite) == 3720
