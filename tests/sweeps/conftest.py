"""A sweep that many tests look at."""

from __future__ import annotations

import pytest

import sidestep as ss
from tests.sweeps.makers import SMALL


@pytest.fixture(scope="session")
def small(tmp_path_factory):
    """A small sweep that nobody has disturbed."""
    return ss.sweep(**SMALL, ledger=tmp_path_factory.mktemp("sweep") / "small.db", jobs=2)
