"""Runs a trace again, without its planner: what a world did once it does again, byte for byte."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace

import numpy as np

from .. import _core
from ..model.agents import FACINGS, FOR_GOOD, TURN_LEFT, TURN_RIGHT
from ..model.arrays import IntArray, is_whole, read_only
from ..model.errors import InputError
from ..model.events import EventKind
from ..model.to_core import compile_rules, compile_space, core_agents
from ..model.trace import Trace

AT_ONCE = 2**20  # places that go to the core at a time: Ctrl-C is heard in between


def replay_trace(trace: Trace) -> Trace:
    """Runs a trace again, without its planner: with the same changes, and the same moves proposed.

    Args:
        trace: What was recorded.

    Returns:
        What is recorded this time. It equals the original if that was recorded faithfully, however the
        planner found its moves.

    Raises:
        InputError: It is no trace, or one in which something happens that cannot: a wall where there is no
            place, a change of an agent that is not there.
    """
    world = replayed(trace)
    return replace(trace, positions=read_only(world.history()), events=read_only(world.events()))


def replayed(trace: Trace) -> _core.World:
    """The core's world at the end of a trace, with all that is recorded in it."""
    if not isinstance(trace, Trace):
        raise InputError(f"a trace is a Trace, not {type(trace).__name__}")
    _require_arrays(trace)
    with _blaming("the beginning of the trace"):
        world = _world_at_start(trace)
    events_of, busy = _events_by_step(trace)
    step, last = 0, len(trace.positions) - 1
    while True:
        time = trace.start_time + step
        for _, kind, agent, value in events_of(step).tolist():
            with _blaming(f"{EventKind(kind).name} at time {time}"):
                _apply(world, trace, EventKind(kind), agent, value)
        if step >= last:
            return world
        quiet = _quiet_turns(busy, step, last)
        with _blaming(f"the step from time {time}"):
            if quiet > 0:
                quiet = min(quiet, max(AT_ONCE // max(len(trace.names), 1), 1))
                world.go_again(np.ascontiguousarray(trace.positions[step + 1 : step + 1 + quiet]))
            else:
                landed = _landed(trace.positions[step + 1], events_of(step + 1))
                world.advance(_proposed(landed, world, events_of(step)))
        step += max(quiet, 1)


def _quiet_turns(busy: IntArray, step: int, last: int) -> int:
    """How many turns from here on nothing is told of, neither at their beginning nor at their end."""
    following = np.searchsorted(busy, step)
    end = int(busy[following]) - 1 if following < len(busy) else last
    return end - step


@contextmanager
def _blaming(what: str) -> Iterator[None]:
    """What the core refuses is the fault of the trace."""
    try:
        yield
    except (TypeError, ValueError, OverflowError) as error:
        raise InputError(f"the trace cannot be replayed: {what}: {error}") from None


def _require_arrays(trace: Trace) -> None:
    """An InputError unless the arrays fit together, so that they can be indexed."""
    count = len(trace.names)
    shapes = {
        "open": (np.bool_, (trace.space.n,)),
        "positions": (np.int32, (max(len(trace.positions), 1), count)),
        "events": (np.int32, (len(trace.events), 4)),
        "headings": (np.int32, (count,)),
        "progress": (np.int32, (count,)),
    }
    for name, (kind, shape) in shapes.items():
        array = getattr(trace, name)
        if not isinstance(array, np.ndarray) or array.dtype != kind or array.shape != shape:
            raise InputError(f"the {name} of the trace must be an array of {kind.__name__}, {shape}")
    if not is_whole(trace.start_time) or trace.start_time < 0:
        raise InputError(f"the start time of a trace is 0 or later, not {trace.start_time!r}")


def _events_by_step(trace: Trace) -> tuple[Callable[[int], IntArray], IntArray]:
    """The events of each step, if all are of the times and agents of the trace, and of a known kind.

    And the steps that have events, in order.
    """
    moment = trace.events[:, 0].astype(np.int64) - trace.start_time
    outside = (moment < 0) | (moment >= max(len(trace.positions), 1))
    if outside.any():
        raise InputError(
            f"the trace has an event at time {trace.events[np.argmax(outside), 0]}, but its times are "
            f"{trace.start_time} to {trace.start_time + len(trace.positions) - 1}"
        )
    known = [int(kind) for kind in EventKind]
    strange = ~np.isin(trace.events[:, 1], known)
    agents = trace.events[:, 2]
    of_one = np.isin(trace.events[:, 1], [int(kind) for kind in EventKind if kind.needs_agent])
    strange |= of_one & ((agents < 0) | (agents >= len(trace.names)))
    if strange.any():
        row = trace.events[np.argmax(strange)].tolist()
        raise InputError(f"the trace has an event of no known kind or agent: {row}")
    order = np.argsort(moment, kind="stable")
    events, moment = trace.events[order], moment[order]
    return lambda step: events[slice(*np.searchsorted(moment, [step, step + 1]))], np.unique(moment)


def _world_at_start(trace: Trace) -> _core.World:
    added = trace.events[trace.events[:, 1] == EventKind.ADD]
    known = len(trace.names) - len(added)
    if known < 0:
        raise InputError(f"{len(added)} agents are added to a world of {len(trace.names)}")
    space = compile_space(trace.space).with_open(trace.open)
    world = _core.World(
        space,
        compile_rules(trace.rules),
        trace.start_time,
        core_agents(space, trace.agents.first(known)),
        0,
    )
    world.resume(trace.headings[:known], trace.progress[:known])
    return world


def _apply(world: _core.World, trace: Trace, kind: EventKind, agent: int, value: int) -> None:
    if kind is EventKind.GOAL:
        world.set_goal(agent, value)
    elif kind is EventKind.BLOCK or kind is EventKind.FREE:
        world.set_open(value, kind is EventKind.FREE)
    elif kind is EventKind.PRIORITY:
        world.set_priority(agent, value)
    elif kind is EventKind.ADD:
        if agent != len(world.positions):
            raise InputError(f"the next agent to be added is {len(world.positions)}, not {agent}")
        world.add(value, *(int(getattr(trace, one.column)[agent]) for one in FOR_GOOD))
    elif kind is EventKind.REMOVE:
        world.remove(agent)
    elif kind is EventKind.SYNC:
        world.sync(agent, value)
    elif kind is EventKind.LATE or kind is EventKind.RAISED:
        world.record_fault(kind)
    elif kind.is_reported:
        world.record_seen(kind, agent, value)


def _landed(positions: IntArray, events: IntArray) -> IntArray:
    """Where the step left everybody, before the changes of its time moved or removed somebody."""
    landed = positions.copy()
    for _, kind, agent, value in events[::-1].tolist():  # the first change of an agent counts
        if kind in (EventKind.DISPLACED, EventKind.REMOVE):
            landed[agent] = value
    return landed


def _proposed(landed: IntArray, world: _core.World, events: IntArray) -> IntArray:
    """What the planner must have proposed: where everybody went, is on its way to, or was refused to go."""
    before = world.positions
    landed = landed[: len(before)]
    stays = (landed == -1) | (landed == before)
    on_its_way = stays & (world.headings != -1)
    targets = np.where(on_its_way, world.headings, np.where(stays, before, landed)).astype(np.int32)
    facings = world.facings
    # An agent may turn back, set out again in the same turn, and be refused even that.
    for told in (EventKind.TURNED_BACK, EventKind.SET_OUT, EventKind.REFUSED, EventKind.TURNED):
        for _, kind, agent, value in events.tolist():
            if kind != told:
                continue
            if agent >= len(before):
                raise InputError(f"agent {agent} moves before it was added")
            if kind == EventKind.TURNED:
                value = TURN_RIGHT if value == (facings[agent] + 1) % len(FACINGS) else TURN_LEFT  # noqa: PLW2901
            targets[agent] = before[agent] if kind == EventKind.TURNED_BACK else value
    return targets
