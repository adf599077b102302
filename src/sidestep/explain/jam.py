"""Why agents of a world do not get on: who stands in their way, whom those wait for, what changed."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ..model.agents import IDLE
from ..model.events import EventKind
from ..model.space import covered_cells
from .claim import Claim
from .claims import Changed, CutOff, Does, Ring, WaitsFor
from .run import ABSENT, Run
from .step import Doing, Ways, does_at, next_place

TOLD = (EventKind.GOAL, EventKind.BLOCK, EventKind.FREE, EventKind.ADD, EventKind.SYNC)


class Jams:
    """A run of which only the past is known."""

    def __init__(self, run: Run, ways: Ways) -> None:
        self.run, self._ways = run, ways

    def claims(self, does: Does) -> Iterator[Claim]:
        """Whom the agent waits for, whom that one waits for, and so on; and what changed for it last."""
        if does.doing == Doing.WAITS:
            yield from self.chain(does.agent, does.time)
        yield from self._changes(does)

    def chain(self, agent: int, time: int) -> Iterator[Claim]:
        """`7 waits for 12, 12 for 30, 30 is blocked by the wall`."""
        waiting = [agent]
        while True:
            one = waiting[-1]
            cut = self.cut_off(one, time)
            if cut is not None:
                yield cut
                return
            link = self._in_front(one, time)
            if link is None:
                return
            yield link
            if link.other in waiting:
                yield Ring(tuple(waiting[waiting.index(link.other) :]), time)
                return
            if does_at(self.run, link.other, time, self._ways).doing != Doing.WAITS:
                return
            waiting.append(link.other)

    def cut_off(self, agent: int, time: int) -> CutOff | None:
        """No way leads to its goal: because of one closed place, if there is such."""
        here, goal = self.run.at(agent, time), int(self.run.state(time)[1][agent])
        if ABSENT in (here, goal) or self._ways.left(agent, here, time) is not None:
            return None
        closed = [value for _, kind, _, value in self.run.changes_until(time) if kind == EventKind.BLOCK]
        wall = next(
            (one for one in dict.fromkeys(closed) if self._would_help(agent, here, goal, one, time)), None
        )
        return CutOff(agent, time, here, wall)

    def _would_help(self, agent: int, here: int, goal: int, wall: int, time: int) -> bool:
        space = self.run.state(time)[0]
        if space.is_open(wall) or int(self.run.problem.sizes[agent]) != 1:
            return False
        is_open = np.array([space.is_open(vertex) for vertex in range(space.size)])
        is_open[wall] = True
        if not is_open[goal]:
            return False
        components = space.with_open(is_open).components()
        return bool(components[here] == components[goal])

    def _in_front(self, agent: int, time: int) -> WaitsFor | None:
        """Somebody in a place next to the agent that is nearer to its goal."""
        here, goal = self.run.at(agent, time), int(self.run.state(time)[1][agent])
        if here in (ABSENT, goal) or goal == IDLE or next_place(self.run, agent, time) != here:
            return None
        left, holders = self._ways.left(agent, here, time), self._holders(time)
        size = int(self.run.problem.sizes[agent])
        for place in self.run.state(time)[0].successors(here).tolist():
            if not self._ways.fits(agent, place, time) or self._ways.steps_to(agent, here, place, time) != 1:
                continue
            nearer = self._ways.left(agent, place, time)
            cells = covered_cells(self.run.space, place, size)
            taken = [holders[cell] for cell in cells if holders.get(cell, agent) != agent]
            if taken and nearer is not None and left is not None and nearer < left:
                return WaitsFor(agent, time, taken[0], place)
        return None

    def _holders(self, time: int) -> dict[int, int]:
        """Who covers which cell."""
        found: dict[int, int] = {}
        for agent in range(len(self.run.names)):
            if (here := self.run.at(agent, time)) != ABSENT:
                size = int(self.run.problem.sizes[agent])
                found.update(dict.fromkeys(covered_cells(self.run.space, here, size), agent))
        return found

    def _changes(self, does: Does) -> Iterator[Claim]:
        """The last thing that the outside world did to the agent, and the last wall, if there are any."""
        own = wall = False
        for time, kind, agent, value in self.run.changes_until(does.time):
            change = EventKind(kind)
            if change not in TOLD:
                continue
            if agent == does.agent and not own:
                own = True
                yield Changed(time, change.name.lower(), agent, value)
            elif change in (EventKind.BLOCK, EventKind.FREE) and not wall:
                wall = True
                yield Changed(time, change.name.lower(), agent, value)
