"""Lanes: who may work, who waits in line, and who gives up waiting; and who is fit for another job."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from sidestep.studio.limits import Limits
from sidestep.studio.pool import BusyError, Lane, Pool


def run(scene: Coroutine[Any, Any, None]) -> None:
    """In a thread of its own: the browser of other tests has a loop in this one."""
    with ThreadPoolExecutor(1) as thread:
        thread.submit(lambda: asyncio.run(asyncio.wait_for(scene, 60))).result()


async def a_moment() -> None:
    for _ in range(3):
        await asyncio.sleep(0)


def test_one_works_two_wait_and_the_fourth_is_refused() -> None:
    async def scene() -> None:
        lane = Lane("solves", 1, 2)
        await lane.enter()
        waiting = [asyncio.create_task(lane.enter()) for _ in range(2)]
        await a_moment()
        with pytest.raises(BusyError, match="1 solves at once and 2 in line"):
            await lane.enter()
        for task in waiting:
            lane.leave()
            await task
        lane.leave()
        assert lane.busy == 0

    run(scene())


def test_a_place_goes_to_the_next_when_the_first_in_line_gives_up_in_the_same_moment() -> None:
    async def scene() -> None:
        lane = Lane("solves", 1, 2)
        await lane.enter()
        first, second = (asyncio.create_task(lane.enter()) for _ in range(2))
        await a_moment()
        first.cancel()
        lane.leave()
        await second
        assert first.cancelled()
        assert lane.busy == 1
        lane.leave()
        assert lane.busy == 0

    run(scene())


def test_a_place_is_passed_on_by_one_that_gives_up_when_it_has_just_got_it() -> None:
    async def scene() -> None:
        lane = Lane("solves", 1, 2)
        await lane.enter()
        first, second = (asyncio.create_task(lane.enter()) for _ in range(2))
        await a_moment()
        lane.leave()
        first.cancel()
        await second
        lane.leave()
        assert lane.busy == 0

    run(scene())


def test_a_worker_that_was_killed_gets_no_other_job() -> None:
    """Even if it had just ended its own, and the system has not said yet that the process is gone."""

    async def scene() -> None:
        pool = Pool(Limits())
        worker = await pool.take()
        assert worker.is_alive
        worker.kill()
        pool.give_back(worker, reusable=True)
        assert worker not in pool.idle
        await pool.close()

    run(scene())
