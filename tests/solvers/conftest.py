"""The oracle that the tests of optimal solvers ask."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from .oracle import PROGRAM, Oracle


@pytest.fixture(scope="module")
def oracle() -> Iterator[Oracle]:
    if not PROGRAM.exists():
        pytest.skip("the oracle is not built: `make cpp-test` builds it")
    running = Oracle()
    yield running
    running.close()
