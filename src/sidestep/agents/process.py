"""An agent as a process: a state machine between an inbox and an outbox."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Any

from ..model.problem import Problem
from . import messages as m
from .agent import Agent, Brief
from .briefing import briefs_of
from .ground import NEWCOMER
from .network import Network, Place, runs_at
from .protocol import protocol_of

TIMEOUT = 0.5  # seconds of silence after which an agent says hello again
LONELY = 60.0  # seconds without a word from the world after which a process ends


def live(brief: Brief, place: Place) -> str:
    """Takes part in a run until it is over.

    Args:
        brief: What the agent knows from the beginning.
        place: Where the others are.

    Returns:
        Why it ended, in words; nothing if the run is over.
    """
    network = Network(place, brief.agent)
    agent = Agent(brief)
    shown, heard = NEWCOMER, time.monotonic()
    try:
        outbox = agent.begin()
        while True:
            for message in outbox:
                network.send(message)
            if agent.link.incarnation not in (shown, NEWCOMER):
                shown = agent.link.incarnation
                network.show_life(brief.agent, shown)
            if agent.over:
                return "" if agent.tick >= 0 else "this agent is in the run already"
            outbox = []
            entry = network.hear(TIMEOUT)
            if entry is None:
                outbox = agent.hear(m.timeout(brief.run, brief.agent))
            elif isinstance(entry[0], str):
                outbox = agent.hear_nonsense(entry[0])
            else:
                outbox = agent.hear(entry[0])
                heard = time.monotonic() if entry[0].sender == m.WORLD else heard
            if time.monotonic() - heard > LONELY:
                return f"the world has said nothing for {LONELY:.0f} seconds"
    finally:
        network.close()


def join(problem: Problem, solver: Any, agent: int, place: Place) -> str:
    """Takes the place of a dead agent until the run is over; returns why it could not, if so."""
    protocol = protocol_of(solver, problem)
    runs = runs_at(place)
    if place.run not in runs:
        others = f"use one of {', '.join(runs)}" if runs else "no run is there"
        return f"nobody at {place.endpoint} speaks in a run {place.run!r}: {others}"
    brief = replace(briefs_of(problem, protocol, place.run, reliable=True)[agent], incarnation=NEWCOMER)
    return live(brief, place)
