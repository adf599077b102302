"""Streams of tasks: by seed, by pool, at a rate, from a list."""

from __future__ import annotations

import numpy as np
import pytest

import sidestep as ss
from sidestep import InputError, Stream, Task

ROOM = ss.Grid(np.array([[1, 1, 0, 1], [1, 1, 0, 0], [1, 1, 1, 1]], dtype=np.bool_))


def all_of(stream: Stream, turns: int, agents: int = 4, unfinished: int = 0) -> list[list[Task]]:
    first, lists = 0, []
    for time in range(turns):
        lists.append(list(stream.released(time, first, unfinished=unfinished, agents=agents)))
        first += len(lists[-1])
    return lists


def test_random_tasks_are_the_same_by_seed_and_within_reach() -> None:
    one, two, other = (all_of(Stream.random(ROOM, seed=s, errands=(1, 3)), 50) for s in (1, 1, 2))
    assert one == two != other
    tasks = [task for some in one for task in some]
    assert {len(task.errands) for task in tasks} == {1, 2, 3}
    assert {place for task in tasks for place in task.errands} == {
        place for place in map(ROOM.place, np.flatnonzero(ROOM.open).tolist()) if place != (0, 3)
    }
    assert all(a != b for task in tasks for a, b in zip(task.errands, task.errands[1:], strict=False))


def test_a_pool_is_kept_full() -> None:
    stream = Stream.random(ROOM, pool=1.5)
    assert [len(some) for some in all_of(stream, 3, agents=4, unfinished=2)] == [4, 4, 4]
    assert all_of(stream, 1, agents=4, unfinished=9) == [[]]


def test_rates_constant_and_poisson() -> None:
    constant = [len(some) for some in all_of(Stream.random(ROOM, rate=0.3), 100)]
    assert (sum(constant), max(constant)) == (30, 1)
    poisson = np.array(
        [len(some) for some in all_of(Stream.random(ROOM, rate=2.0, arrivals="poisson"), 4000)]
    )
    assert abs(poisson.mean() - 2) < 0.12
    assert abs(poisson.var() - 2) < 0.3
    many = [len(some) for some in all_of(Stream.random(ROOM, rate=100.0, arrivals="poisson"), 60)]
    assert abs(np.mean(many) - 100) < 6


def test_lists_keep_their_times_or_come_as_asked() -> None:
    tasks = [Task([(0, 0)], release=4), Task([(0, 1)]), Task([(1, 1)], release=4)]
    assert [len(some) for some in all_of(Stream.listed(tasks), 6)] == [1, 0, 0, 0, 2, 0]
    plain = [Task([(0, 0)])] * 5
    assert [len(some) for some in all_of(Stream.listed(plain, rate=0.5), 12)] == [0, 1] * 5 + [0, 0]
    assert [len(some) for some in all_of(Stream.listed(plain, pool=0.5), 4)] == [2, 2, 1, 0]
    assert Stream.listed(plain).is_over(5)
    assert not Stream.random(ROOM).is_over(10**9)


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: Stream.random(ROOM, errands=0), "from 1 to"),
        (lambda: Stream.random(ROOM, pool=0), "above 0"),
        (lambda: Stream.random(ROOM, rate=float("nan")), "above 0"),
        (lambda: Stream.random(ROOM, rate=1, arrivals="now"), "constant"),
        (lambda: Stream.random(ROOM, places=[]), "too few places"),
        (lambda: Stream.random(ROOM, limit=-1), "limit"),
        (lambda: Stream.listed([1]), "a stream has tasks"),
        (lambda: Stream.listed([], pool=1, rate=1), "not both"),
    ],
)
def test_what_is_no_stream_is_named(make, says: str) -> None:
    with pytest.raises(InputError, match=says):
        make()
