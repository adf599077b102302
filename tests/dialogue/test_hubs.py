"""Many agents in one place: dialogues about all their orders end with the budget, and are not begun anew."""

from __future__ import annotations

import time

import pytest

import sidestep as ss

FAMILY = ["pca", "dpca", "dpca+", "wdpca"]


def hub(agents: int) -> ss.Problem:
    """Agents that all have to pass through vertex 0."""
    graph = ss.Graph(2 * agents + 1, [(0, leaf) for leaf in range(1, 2 * agents + 1)])
    return ss.Problem(graph, list(range(1, agents + 1)), list(range(agents + 1, 2 * agents + 1)))


@pytest.mark.parametrize("solver", FAMILY)
@pytest.mark.parametrize("agents", [7, 9, 12])
def test_a_run_ends_with_its_time(solver: str, agents: int) -> None:
    begin = time.thread_time()
    result = ss.solve(hub(agents), solver, time_limit=0.1)
    assert time.thread_time() - begin < 0.1 + 0.5
    assert result or result.status is ss.Status.TIMEOUT


def test_proposals_are_under_the_memory_limit() -> None:
    result = ss.solve(hub(12), "dpca+", memory_limit=2_000_000, time_limit=20)
    assert result.status is ss.Status.TIMEOUT
    assert "memory" in result.reason


@pytest.mark.parametrize("solver", ["pca", "dpca+"])
def test_a_run_stops_when_it_is_asked_to(solver: str) -> None:
    result = ss.solve(hub(12), solver, time_limit=20, stop=lambda: True)
    assert result.status is ss.Status.TIMEOUT
    assert "stop" in result.reason


def test_seven_in_one_place_settle_all_their_orders() -> None:
    """The sum of the first seven numbers from two on: one after another goes through."""
    result = ss.solve(hub(7), "dpca+", time_limit=60)
    assert result
    assert result.plan.cost == sum(range(2, 9))
