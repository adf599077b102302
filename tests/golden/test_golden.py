"""What the library does stays the same: every case of the corpus has the digests that were recorded."""

from __future__ import annotations

import numpy as np
import pytest

import sidestep as ss

from . import solving
from .digest import digest
from .groups import GROUPS
from .record import changes, run, stored


@pytest.mark.parametrize("group", GROUPS)
def test_every_digest_is_as_recorded(group):
    """If a change is meant: python -m tests.golden.record stores the new digests and lists what changed."""
    assert changes(stored()[group], run(group)) == []


def test_the_corpus_is_large_and_has_every_solver():
    recorded = stored()
    assert set(recorded) == set(GROUPS)
    assert sum(map(len, recorded.values())) >= 600
    assert set(solving.VARIANTS) == set(ss.solvers())


def test_a_digest_depends_on_values_and_types_but_not_on_the_order_of_keys():
    assert digest({"a": 1, "b": 2.0}) == digest({"b": 2.0, "a": 1})
    things = [1, 1.0, "1", True, None, [1], [[1]], b"1", np.array([1]), np.array([1], np.int32), {"a": 1}]
    assert len({digest(thing) for thing in things}) == len(things)
    assert digest(np.float64(0.1)) == digest(0.1) != digest(0.1 + 2**-56)
    with pytest.raises(TypeError, match="not of a object"):
        digest(object())


def test_what_changed_names_the_case_and_its_parts():
    before = {"a": "plan:1 cost:2", "b": "plan:1", "c": "plan:1"}
    now = {"a": "plan:3 cost:2", "b": "plan:1", "d": "plan:1"}
    assert changes(before, now) == ["a: plan", "c: gone", "d: new"]
