"""The work of a living world: where its tasks come from, and what its page is told of them."""

from __future__ import annotations

from typing import Any

from ..instances import Stream
from ..io.jsonfile import Record
from ..model.errors import InputError
from ..model.problem import Problem
from ..model.task import Task
from ..world import World
from .requests import number_from

MOST_POOL = 10.0  # tasks per agent
MOST_ERRANDS = 8


def pool_from(request: Record) -> float:
    """How many random tasks per agent are always there; without the field there are none."""
    return number_from(request, "pool", most=MOST_POOL) if request.has("pool") else 0.0


def stream_of(problem: Problem, pool: float, seed: int) -> Stream | None:
    """Where tasks come from, if they come by themselves."""
    return Stream.random(problem.space, seed=seed, pool=pool) if pool else None


def stream_code(stream: Stream | None) -> str:
    """The same as an argument of `World`."""
    if stream is None:
        return ""
    return f", tasks=ss.Stream.random(grid, seed={stream.seed}, pool={stream.pool!r})"


def task_from(request: Record) -> Task:
    """A task whose errands are cells of the map."""
    errands = request.pairs("errands", low=0, high=2**31 - 1)
    if not 1 <= len(errands) <= MOST_ERRANDS:
        raise InputError(f"a task has from 1 to {MOST_ERRANDS} errands here, not {len(errands)}")
    return Task(tuple((row, col) for row, col in errands))


def counts(world: World) -> dict[str, Any]:
    """How many tasks are open, under way and finished, and the mean service time."""
    work = world.tasks
    return {
        "open": work.open,
        "under_way": work.under_way,
        "finished": work.finished,
        "service": round(work.service[0], 1),
    }


def unfinished(world: World) -> list[list[int]]:
    """Per task that is not finished its number, its agent (-1: nobody) and the vertices of its errands."""
    whose = {world.task_of(agent): agent for agent in range(len(world.names))}
    return [[number, whose.get(number, -1), *places] for number, places in world.unfinished_tasks.items()]
