"""Ctrl-C between any two lines of a turn or a command leaves a world whose books are whole."""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Callable
from types import FrameType
from typing import Any

import pytest

import sidestep as ss
from sidestep import World
from sidestep.instances import random_grid, random_problem
from sidestep.world.uninterrupted import Uninterrupted

BOOKS = ("world/world.py", "world/working.py", "world/tasks.py", "world/uninterrupted.py")


class Interrupting:
    """Sends the signal before the k-th line that is run in the files with the books."""

    def __init__(self, line: int) -> None:
        self.left = line

    def __call__(self, frame: FrameType, event: str, argument: Any) -> Interrupting | None:
        if not frame.f_code.co_filename.endswith(BOOKS):
            return None
        if event == "line":
            self.left -= 1
            if self.left == 0:
                signal.raise_signal(signal.SIGINT)
        return self


def interrupted(work: Callable[[], object], line: int) -> bool:
    """Does something and is interrupted at a line; False if it had ended by then."""
    tracer = Interrupting(line)
    before = sys.gettrace()
    sys.settrace(tracer)
    try:
        work()
    except KeyboardInterrupt:
        pass
    finally:
        sys.settrace(before)
    return tracer.left <= 0


def busy() -> World:
    """A small world with tasks: waiting, under way, of two errands, and for a place that is taken."""
    tasks = [ss.Task([place]) for place in ((0, 0), (3, 3), (7, 7), (0, 7))]
    source = ss.Stream.random(random_grid(8, 8, 0.1, 1), seed=3, errands=2)
    world = World(random_problem(random_grid(8, 8, 0.1, 1), 6, 1), ss.PIBT(), tasks=source)
    for agent in world.agents.names:
        world.send(agent, None)
    for task in tasks:
        if world.is_open(task.errands[0]):
            world.submit(task)
    for _ in range(9):
        world.step()
    return world


def check(world: World, tasks: int) -> None:
    """Goes on, and nothing is missing: the trace is valid, and every task is somewhere."""
    names = len(world.names)
    world.add(ss.Agent(free_place(world), name="late"))
    assert len(world.names) == names + 1
    for _ in range(3):
        world.step()
    verdict = ss.validate_trace(world.trace)
    assert verdict, verdict
    told = world.tasks
    assert told.released >= tasks
    assert told.released == told.open + told.under_way + told.finished
    assert world.restore(world.snapshot()) is None


def free_place(world: World) -> Any:
    taken = set(world.positions.tolist())
    vertex = next(v for v in range(world.space.n) if world.open[v] and v not in taken)
    return world.space.place(vertex)


COMMANDS: dict[str, Callable[[World], object]] = {
    "step": lambda world: world.step(),
    "send": lambda world: world.send(0, free_place(world)),
    "remove": lambda world: world.remove(1),
    "add": lambda world: world.add(ss.Agent(free_place(world))),
    "submit": lambda world: world.submit(ss.Task([free_place(world)])),
    "sync": lambda world: world.sync({2: free_place(world)}),
}


@pytest.mark.parametrize("name", COMMANDS)
def test_an_interrupt_at_any_line_leaves_no_half_of_a_change(name: str) -> None:
    """The same moment of the same world, interrupted at one line after another, until none is left."""
    begin = busy()
    moment, line = begin.snapshot(), 1
    tasks = begin.tasks.released
    while interrupted(lambda: COMMANDS[name](begin), line):
        check(begin, tasks)
        begin.restore(moment)
        line += 1
    assert line > 5


def test_the_handler_of_the_program_answers_when_the_block_ends() -> None:
    """A handler of one's own is asked once, afterwards, and stays; so it is where blocks are nested."""
    heard: list[bool] = []
    inside = False
    before = signal.signal(signal.SIGINT, lambda number, frame: heard.append(inside))
    mine = signal.getsignal(signal.SIGINT)
    try:
        with Uninterrupted():
            with Uninterrupted():
                inside = True
                signal.raise_signal(signal.SIGINT)
                inside = False
            assert heard == []
        assert heard == [False]
        assert signal.getsignal(signal.SIGINT) is mine
    finally:
        signal.signal(signal.SIGINT, before)


@pytest.mark.parametrize("handler", [signal.SIG_IGN, None])
def test_where_nobody_can_be_interrupted_nothing_changes(handler: signal.Handlers | None) -> None:
    """Where the signal is ignored, and in threads, which are never interrupted."""
    found: list[object] = []

    def look() -> None:
        with Uninterrupted():
            found.append(signal.getsignal(signal.SIGINT))

    before = signal.getsignal(signal.SIGINT)
    if handler is None:
        thread = threading.Thread(target=look)
        thread.start()
        thread.join()
        assert found == [before]
        return
    signal.signal(signal.SIGINT, handler)
    try:
        look()
    finally:
        signal.signal(signal.SIGINT, before)
    assert found == [handler]
