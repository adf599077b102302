"""Who is in the way of large and slow agents: the cells that everybody holds, compared turn by turn."""

from __future__ import annotations

from collections.abc import Iterator

from ..model.agents import IDLE
from ..model.graph import Graph
from ..model.grid import Grid
from ..model.space import Space, covered_cells
from .claim import Claim
from .claims import Does, Meets, MeetsOnly, Way
from .manners import manner_of
from .run import ABSENT, Run
from .step import Doing, Ways


class Bodies:
    """Agents of any size and speed in one plan."""

    def __init__(self, run: Run, ways: Ways) -> None:
        self.run, self._ways = run, ways

    def claims(self, does: Does) -> Iterator[Claim]:
        """The way that the agent would have liked, and whom it would have met there."""
        agent, time = does.agent, does.time
        way = self._wish(does)
        if way is None:
            return
        yield Way(agent, time, tuple(way))
        met = [
            found
            for other in range(len(self.run.names))
            if other != agent and (found := self._meets(does, way, other))
        ]
        yield from sorted(met, key=lambda one: (one.when, one.other))
        yield MeetsOnly(agent, time, tuple(sorted(one.other for one in met)))

    def _wish(self, does: Does) -> list[int] | None:
        """A shortest way at the agent's pace; where it is, if that is where it likes to be."""
        agent, time = does.agent, does.time
        goal, here = int(self.run.state(time)[1][agent]), does.here
        if goal in (IDLE, here):
            return [here]
        left, period = self._ways.left(agent, here, time), int(self.run.problem.periods[agent])
        space = self.run.state(time)[0]
        if left is None:
            return None
        way = [here]
        while way[-1] != goal:
            left -= 1
            near = [v for v in space.successors(way[-1]).tolist() if self._ways.fits(agent, v, time)]
            step = next(
                (
                    v
                    for v in near
                    if self._ways.left(agent, v, time) == left and self._legal(agent, way[-1], v, time)
                ),
                None,
            )
            if step is None:
                return None
            way += [way[-1]] * (period - 1) + [step]
        return way

    def _legal(self, agent: int, here: int, there: int, time: int) -> bool:
        """Does the whole agent get there, corners included?"""
        return self._ways.steps_to(agent, here, there, time) == 1

    def _meets(self, does: Does, way: list[int], other: int) -> Meets | None:
        """The first collision with one other, if there is any."""
        agent, time = does.agent, does.time
        last = max(time + len(way), self.run.last) + 1
        for when in range(time + 1, last + 1):
            kind = self._collision(agent, way, time, other, when)
            if kind:
                place = self._on_way(way, when - time, agent)
                here = place if place != ABSENT else way[-1]
                own = self._cells(agent, here)
                was, is_now = (
                    bool(own & self._cells(other, self.run.at(other, at))) for at in (when - 1, when)
                )
                ends = time + len(way) - 1
                manner = manner_of(Doing(does.doing), kind, (was, is_now), time=time, when=when, ends=ends)
                return Meets(agent, time, other, here, when, kind, manner)
        return None

    def _collision(self, agent: int, way: list[int], time: int, other: int, when: int) -> str:
        own = [self._held_on_way(agent, way, at - time) for at in (when - 1, when)]
        theirs = [self._held(other, at) for at in (when - 1, when)]
        if own[1] & theirs[1]:
            return "vertex"
        enters, they_enter = own[1] - own[0], theirs[1] - theirs[0]
        if enters & theirs[0] and they_enter & own[0]:
            return "swap"
        if not self.run.rules.following and (enters & theirs[0] or they_enter & own[0]):
            return "following"
        return "crossing" if self._crosses(agent, way, time, other, when) else ""

    def _crosses(self, agent: int, way: list[int], time: int, other: int, when: int) -> bool:
        """Are both in the middle of moves that cross? Larger ones overlap where they would."""
        if self.run.rules.crossing or (self.run.problem.sizes[[agent, other]] > 1).any():
            return False
        steps = range(when - 1, when + int(self.run.problem.periods[agent]))
        own = under_way([self._on_way(way, at - time, agent) for at in steps])
        steps = range(when - 1, when + int(self.run.problem.periods[other]))
        return do_cross(self.run.space, own, under_way([self.run.at(other, at) for at in steps]))

    def _held_on_way(self, agent: int, way: list[int], nth: int) -> set[int]:
        """What it covers, and, in the middle of a move, what it will cover."""
        here = self._on_way(way, nth, agent)
        held = self._cells(agent, here)
        for later in range(nth + 1, nth + int(self.run.problem.periods[agent])):
            there = self._on_way(way, later, agent)
            if there != here:
                return held | self._cells(agent, there)
        return held

    def _on_way(self, way: list[int], nth: int, agent: int) -> int:
        if nth < len(way):
            return way[nth]
        leaves = self.run.rules.at_goal == "disappear" and self.run.problem.goals[agent] != IDLE
        return ABSENT if leaves else way[-1]

    def _held(self, other: int, time: int) -> set[int]:
        here, period = self.run.at(other, time), int(self.run.problem.periods[other])
        held = self._cells(other, here)
        for arrival in range(time + 1, min(time + period - 1, self.run.last) + 1):
            there = self.run.at(other, arrival)
            if there != here:
                return held | self._cells(other, there)
        return held

    def _cells(self, agent: int, vertex: int) -> set[int]:
        if vertex == ABSENT:
            return set()
        return set(covered_cells(self.run.space, vertex, int(self.run.problem.sizes[agent])))


def under_way(places: list[int]) -> tuple[int, int]:
    """The move that is being made at the first of these places; from a place to itself: none."""
    here = places[0]
    return here, next((there for there in places if there != here), here)


def do_cross(space: Space, one: tuple[int, int], other: tuple[int, int]) -> bool:
    """May agents not make these two moves at once, because their ways cross?"""
    if ABSENT in (*one, *other) or one[0] == one[1] or other[0] == other[1]:
        return False
    if isinstance(space, Grid):
        (row, col), (to_row, to_col) = (divmod(vertex, space.width) for vertex in one)
        across = {row * space.width + to_col, to_row * space.width + col}
        return row != to_row and col != to_col and set(other) == across
    assert isinstance(space, Graph)
    edges = [tuple(sorted(edge)) for edge in space.edges.tolist()]
    pairs = [{edges[one], edges[two]} for one, two in space.edge_conflicts.tolist()]
    return {tuple(sorted(one)), tuple(sorted(other))} in pairs
