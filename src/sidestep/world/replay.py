"""Runs a trace again, without its planner: what a world did once it does again, byte for byte."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from .. import _core
from ..model.arrays import IntArray, read_only
from ..model.errors import InputError
from ..model.events import EventKind
from ..model.to_core import compile_rules, compile_space, core_agents
from ..model.trace import Trace

JAMS = (EventKind.STUCK, EventKind.BEHIND, EventKind.UNSTUCK)


def replay_trace(trace: Trace) -> Trace:
    """Runs a trace again, without its planner: with the same changes, and the same moves proposed.

    Args:
        trace: What was recorded.

    Returns:
        What is recorded this time. It equals the original if that was recorded faithfully, however the
        planner found its moves.

    Raises:
        InputError: It is no trace.
    """
    if not isinstance(trace, Trace):
        raise InputError(f"a trace is a Trace, not {type(trace).__name__}")
    world = _world_at_start(trace)
    times = range(trace.start_time, trace.start_time + len(trace.positions))
    events = [trace.events[trace.events[:, 0] == time] for time in times]
    for step in range(len(times)):
        for _, kind, agent, value in events[step].tolist():
            _apply(world, trace, EventKind(kind), agent, value)
        if step + 1 < len(times):
            landed = _landed(trace.positions[step + 1], events[step + 1])
            world.advance(_proposed(landed, world, events[step]))
    return replace(trace, positions=read_only(world.history()), events=read_only(world.events()))


def _world_at_start(trace: Trace) -> _core.World:
    added = trace.events[trace.events[:, 1] == EventKind.ADD]
    known = len(trace.names) - len(added)
    space = compile_space(trace.space)
    for vertex in np.flatnonzero(trace.open != trace.space.open).tolist():
        space.set_open(vertex, bool(trace.open[vertex]))
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
        world.add(value, int(trace.sizes[agent]), int(trace.periods[agent]))
    elif kind is EventKind.REMOVE:
        world.remove(agent)
    elif kind is EventKind.SYNC:
        world.sync(agent, value)
    elif kind is EventKind.LATE or kind is EventKind.RAISED:
        world.record_fault(kind)
    elif kind in JAMS:  # what was seen of jams began before the trace, if that was cut
        world.record_jam(kind, agent, value)


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
    # An agent may turn back, set out again in the same turn, and be refused even that.
    for told in (EventKind.TURNED_BACK, EventKind.SET_OUT, EventKind.REFUSED):
        for _, kind, agent, value in events.tolist():
            if kind == told:
                targets[agent] = before[agent] if kind == EventKind.TURNED_BACK else value
    return targets
