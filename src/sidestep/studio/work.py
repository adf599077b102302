"""The work of a living world: where its tasks come from, and what its page is told of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ..instances import Stream
from ..io.jsonfile import Record
from ..model.errors import InputError
from ..model.problem import Problem
from ..model.task import Task
from ..world import World
from .requests import number_from

# How many random tasks there may be: per agent, always there; or coming in per turn, on average.
SUPPLIES = {"pool": 10.0, "inflow": 100.0}
MOST_ERRANDS = 8
MOST_TASKS = 50_000  # that are not finished: a page is told of all of them


@dataclass(frozen=True)
class Supply:
    """How random tasks come in: `number` is of this `kind` of `SUPPLIES`; none come in if it is 0."""

    kind: str = "pool"
    number: float = 0.0

    def stream(self, problem: Problem, seed: int) -> Stream | None:
        """Where tasks come from, if they come by themselves."""
        if not self.number:
            return None
        if self.kind == "pool":
            return Stream.random(problem.space, seed=seed, pool=self.number)
        return Stream.random(problem.space, seed=seed, rate=self.number, arrivals="poisson")


def supply_from(request: Record) -> Supply:
    """How random tasks come in; without any of the fields there are none."""
    kinds = [kind for kind in SUPPLIES if request.has(kind)]
    if len(kinds) > 1:
        raise InputError(f"random tasks come by {' or by '.join(kinds)}, not by both")
    return Supply(kinds[0], number_from(request, kinds[0], most=SUPPLIES[kinds[0]])) if kinds else Supply()


def stream_code(stream: Stream | None) -> str:
    """The same as code."""
    if stream is None:
        return "None"
    amount = f"pool={stream.pool!r}"
    if stream.rate is not None:
        amount = f'rate={stream.rate!r}, arrivals="{stream.arrivals}"'
    return f"ss.Stream.random(problem.space, seed={stream.seed}, {amount})"


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


def unfinished_count(world: World) -> int:
    """How many tasks are open or under way."""
    work = world.tasks
    return work.open + work.under_way


def unfinished(world: World) -> list[list[int]]:
    """Per task that is not finished its number, its agent (-1: nobody) and the vertices of its errands."""
    whose = {world.task_of(agent): agent for agent in range(len(world.names))}
    return [[number, whose.get(number, -1), *places] for number, places in world.unfinished_tasks.items()]
