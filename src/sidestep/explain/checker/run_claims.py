"""Claims about what happened and what would have happened, recomputed from the plan or the trace."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from ...judge import validate
from ...model.agents import IDLE
from ...model.arrays import IntArray
from ...model.plan import Plan
from ...model.space import covered_cells
from .. import claims as said
from ..grounds import Grounds
from .record import Record
from .terrain import FAR, GONE, Terrain

JOINT_STATES = 20_000  # of several agents together, looked at before one gives up
STAYING = ("steps_off", "makes_room")


class RunChecks:
    """One method per kind of claim; each yields what is wrong with it."""

    def __init__(
        self, grounds: Grounds, record: Record, ways: dict[tuple[int, int], tuple[int, ...]]
    ) -> None:
        self.grounds, self.record, self.ways = grounds, record, ways
        self.problem, self.plan = grounds.problem, grounds.plan
        self._collided: dict[tuple[int, int], list[Any]] = {}

    def size(self, agent: int) -> int:
        """How many cells across an agent is."""
        return int(self.problem.sizes[agent])

    def ground(self, agent: int, time: int) -> Terrain:
        """Where an agent can go at a time."""
        return self.record.terrain(time, self.size(agent))

    def target(self, agent: int, time: int) -> int:
        """Where the move ends that an agent is making from a time on; its place if it makes none."""
        here, period = self.record.at(agent, time), int(self.problem.periods[agent])
        for when in range(time + 1, min(time + period, self.record.last) + 1):
            if self.record.at(agent, when) != here:
                return self.record.at(agent, when)
        return here

    # What it does

    def does(self, claim: said.Does) -> Iterator[str]:
        """The step, its name and what is left of the way."""
        agent, time = claim.agent, claim.time
        here, there = self.record.at(agent, time), self.target(agent, time)
        if (here, there) != (claim.here, claim.there):
            yield "the agent does not make this step"
        goal = int(self.record.goals(time)[agent])
        doing, left = self._doing(agent, time, here, there, goal)
        if doing != claim.doing:
            yield f"the agent does not do this: {claim.doing}"
        if left != claim.left:
            yield "it is not so far from its goal then"

    def _doing(self, agent: int, time: int, here: int, there: int, goal: int) -> tuple[str, int | None]:
        if here == GONE:
            return "absent", None
        if there == GONE:
            return "vanishes", None
        if goal == IDLE:
            return ("stands" if here == there else "makes_room"), None
        ways = self.ground(agent, time).to(goal)
        left = None if ways[there] == FAR else int(ways[there])
        if here == goal:
            return ("rests" if here == there else "steps_off"), left
        if here == there:
            ends = time + int(self.problem.periods[agent])
            cut = self.record.trace is not None and ends > max(time + 1, self.record.last)
            return ("unseen" if cut else "waits"), left
        nearer = ways[there] != FAR and (ways[here] == FAR or ways[there] < ways[here])
        return ("goes_on" if nearer else "detours"), left

    def lasts(self, claim: said.Lasts) -> Iterator[str]:
        """It is there all the time, not before and not after."""
        times = range(claim.since, claim.until + 1)
        if len(times) < 2 or any(self.record.at(claim.agent, time) != claim.here for time in times):
            yield "it does not stand there for so long"
        before = (
            claim.since > self.record.first and self.record.at(claim.agent, claim.since - 1) == claim.here
        )
        moved = claim.until + int(self.problem.periods[claim.agent])  # the end of the move that it makes then
        stays = claim.until < self.record.last and all(
            self.record.at(claim.agent, time) == claim.here
            for time in range(claim.until, min(moved, self.record.last) + 1)
        )
        if (
            not stays
            and claim.until < self.record.last
            and self.target(claim.agent, claim.until - 1) != claim.here
        ):
            yield "it moves already"
        if before or stays or claim.until > self.record.last:
            yield "it stands there for longer"

    def is_there(self, claim: said.IsThere) -> Iterator[str]:
        """At that time."""
        if self.record.at(claim.agent, claim.time) != claim.place:
            yield "it is not there"

    # What it would have liked

    def way(self, claim: said.Way) -> Iterator[str]:
        """Legal moves at its pace from where it is, as long as need be, or over the place at the time."""
        path, agent, time = claim.path, claim.agent, claim.time
        if not path or path[0] != self.record.at(agent, time):
            yield "the way does not begin where the agent is"
            return
        goal = int(self.record.goals(time)[agent])
        ground, period = self.ground(agent, time), int(self.problem.periods[agent])
        moves = [here for here, there in pairwise(path) if here != there]
        legal = all(here == there or ground.can_move(here, there) for here, there in pairwise(path))
        if not legal:
            yield "the way makes moves that there are not"
        if claim.over is not None:
            nth = (claim.by or 0) - time
            if not 0 <= nth < len(path) or path[nth] != claim.over:
                yield "the way does not lead there in time"
        elif goal in (IDLE, path[0]):
            if path != (path[0],):
                yield "this is not what the agent would have liked best"
        elif (
            path[-1] != goal or len(path) - 1 != len(moves) * period or len(moves) != ground.to(goal)[path[0]]
        ):
            yield "this is not a shortest way to its goal"

    def _insisting(self, agent: int, time: int) -> Plan:
        """Everybody goes as planned, and one goes the way spoken of."""
        assert self.plan is not None
        way = self.ways[agent, time]
        rows = np.asarray(self.plan.vertices)
        total = max(len(rows), time + len(way) + 1)
        ends = rows[-1].copy()
        if self.problem.rules.at_goal == "disappear":
            ends[self.problem.goals != IDLE] = GONE
        more = np.vstack([rows, np.tile(ends, (total - len(rows), 1))])
        stays = self.problem.rules.at_goal == "stay" or self.problem.goals[agent] == IDLE
        more[time:, agent] = way[-1] if stays else GONE
        more[time : time + len(way), agent] = way
        return Plan(self.plan.problem, more)

    def _collisions(self, agent: int, time: int) -> list[Any]:
        if (agent, time) not in self._collided:
            other = self._insisting(agent, time)
            report = validate(other.problem, other, limit=10**6)
            self._collided[agent, time] = list(report.violations)
        return self._collided[agent, time]

    def meets(self, claim: said.Meets) -> Iterator[str]:
        """The judge sees that collision, and none of the two before."""
        if (claim.agent, claim.time) not in self.ways or self.plan is None:
            yield "no way is spoken of"
            return
        pair = {claim.agent, claim.other}
        first = next(
            (one for one in self._collisions(claim.agent, claim.time) if set(one.agents) == pair), None
        )
        if first is None or (first.time, str(first.kind)) != (claim.when, claim.collision):
            yield f"there is no such collision with agent {claim.other} at time {claim.when}"
        elif self.problem.agents.all_unit and self._met_at(claim) != claim.place:
            yield "the collision is in another place"
        elif self._manner(claim) != claim.manner:
            yield "the other does something else there"

    def _met_at(self, claim: said.Meets) -> int:
        way, nth = self.ways[claim.agent, claim.time], claim.when - claim.time
        here, there = (way[min(max(at, 0), len(way) - 1)] for at in (nth - 1, nth))
        if claim.collision == "following" and self.record.at(claim.other, claim.when - 1) != there:
            return here
        return there

    def _manner(self, claim: said.Meets) -> str:
        doing, _ = self._doing_now(claim.agent, claim.time)
        was, is_now = (self._covers(claim.other, when, claim) for when in (claim.when - 1, claim.when))
        if doing in STAYING and len(self.ways[claim.agent, claim.time]) == 1:
            return "comes"
        if claim.when == claim.time + 1:
            behind = "leaves" if was else "follows"
            stands = "stands" if was and is_now else "takes"
            return {"vertex": stands, "swap": "approaches", "following": behind}.get(
                claim.collision, "crosses"
            )
        if claim.when > claim.time + len(self.ways[claim.agent, claim.time]) - 1:
            return "is_passed"
        early = "enters_early" if was else "is_followed"
        return {"vertex": "meets", "swap": "runs_into", "following": early}.get(
            claim.collision, "cuts_across"
        )

    def _doing_now(self, agent: int, time: int) -> tuple[str, int | None]:
        here, goal = self.record.at(agent, time), int(self.record.goals(time)[agent])
        return self._doing(agent, time, here, self.target(agent, time), goal)

    def _covers(self, other: int, time: int, claim: said.Meets) -> bool:
        at = self.record.at(other, time)
        if self.problem.agents.all_unit or at == GONE:
            return at == claim.place
        own = set(covered_cells(self.record.space, claim.place, self.size(claim.agent)))
        return bool(own & set(covered_cells(self.record.space, at, self.size(other))))

    def meets_only(self, claim: said.MeetsOnly) -> Iterator[str]:
        """Nobody else is in its way, and no wall."""
        if (claim.agent, claim.time) not in self.ways or self.plan is None:
            yield "no way is spoken of"
            return
        seen = self._collisions(claim.agent, claim.time)
        if any(len(one.agents) != 2 for one in seen):
            yield "the way breaks other rules"
        met = {other for one in seen for other in one.agents} - {claim.agent}
        if met != set(claim.others):
            yield "others are in the agent's way"

    # What if

    def alternative(self, claim: said.Alternative) -> Iterator[str]:
        """A plan that is valid, the same up to the time, with the way in it, and costs what it says."""
        yield from self._change(claim.plan, claim.time)
        way = self.ways.get((claim.agent, claim.time), ())
        rows = claim.plan.vertices[claim.time :, claim.agent]
        stays = self.problem.rules.at_goal == "stay" or self.problem.goals[claim.agent] == IDLE
        rest = rows[len(way) :]
        if rows[: len(way)].tolist() != list(way) or (rest != (way[-1] if way and stays else GONE)).any():
            yield "in the other plan the agent does not go the way spoken of"
        assert self.plan is not None
        by = costs(self.grounds, claim.plan.vertices) - costs(self.grounds, self.plan.vertices)
        if dict(claim.changes) != {agent: int(by[agent]) for agent in np.flatnonzero(by).tolist()}:
            yield "the changes of cost are others"
        if claim.total != int(by.sum()):
            yield "the changes of cost do not add up"

    def sooner(self, claim: said.Sooner) -> Iterator[str]:
        """Only that agent's way is another."""
        yield from self._change(claim.plan, claim.time)
        assert self.plan is not None
        by = costs(self.grounds, self.plan.vertices) - costs(self.grounds, claim.plan.vertices)
        one, two = _as_long(self.grounds, self.plan.vertices, claim.plan.vertices)
        if np.flatnonzero((one != two).any(axis=0)).tolist() != [claim.agent]:
            yield "others change their ways, too"
        if claim.by <= 0 or int(by[claim.agent]) != claim.by:
            yield "with all others as they are the agent is not sooner"

    def _change(self, other: Plan, time: int) -> Iterator[str]:
        report = validate(other.problem, other, limit=1)
        if not report:
            yield f"the other plan is not valid: {report.violations[0]}"
        if self.plan is None or not np.array_equal(
            self.plan.vertices[: time + 1], other.vertices[: time + 1]
        ):
            yield "the other plan differs before the time that was asked about"

    def detour(self, claim: said.Detour) -> Iterator[str]:
        """What the agent alone would cost on the way, less what it costs."""
        if self.plan is None or (claim.agent, claim.time) not in self.ways:
            yield "no way is spoken of"
            return
        other = self._insisting(claim.agent, claim.time)
        by = costs(self.grounds, other.vertices) - costs(self.grounds, self.plan.vertices)
        if int(by[claim.agent]) != claim.more:
            yield "the way costs something else"

    def no_way_around(self, claim: said.NoWayAround) -> Iterator[str]:
        """All that those could do is followed, and leads nowhere."""
        way = self.ways.get((claim.agent, claim.time), ())
        goals, time = self.record.goals(claim.time), claim.time
        stay = self.problem.rules.at_goal == "stay" or goals[claim.agent] == IDLE
        if not way or not claim.agents or claim.agent in claim.agents:
            yield "it is not said who has no way around what"
            return
        for agent in claim.agents:
            home = None if goals[agent] == IDLE else int(goals[agent])
            start = self.record.at(agent, time)
            if not self.ground(agent, time).reach(start, [(way, stay)], steps=None, home=home):
                if len(claim.agents) > 1:
                    yield "one of them alone has no way"
                return
        starts = tuple(self.record.at(agent, time) for agent in claim.agents)
        ends = tuple(int(goals[agent]) for agent in claim.agents)
        if len(claim.agents) < 2 or self.can_all(starts, ends, way, stay, time) is not False:
            yield "those who are said to have no way left may have one"

    def can_all(
        self, starts: tuple[int, ...], goals: tuple[int, ...], way: Sequence[int], stay: bool, time: int
    ) -> bool | None:
        """Can several get to their goals around a way? None: that is too much to follow."""
        ground = self.record.terrain(time)
        vanish = self.problem.rules.at_goal == "disappear"
        states, seen, step, count = {starts}, set[tuple[int, ...]](), 0, 0
        while states:
            other = way[min(step, len(way) - 1)] if stay or step < len(way) else GONE
            after = way[min(step + 1, len(way) - 1)] if stay or step + 1 < len(way) else GONE
            if step >= len(way):
                if any(
                    all(at in (goal, GONE) or goal == IDLE for at, goal in zip(one, goals, strict=True))
                    for one in states
                ):
                    return True
                states = states - seen
                seen |= states
            count += len(states)
            if count > JOINT_STATES:
                return None
            following: set[tuple[int, ...]] = set()
            for state in states:
                following.update(_joint_moves(ground, state, goals, (other, after), vanish))
            states, step = following, step + 1
        return False

    # Who waits for whom

    def waits_for(self, claim: said.WaitsFor) -> Iterator[str]:
        """It stands, the place is next to it and nearer to its goal, and the other is there."""
        agent, time, here = claim.agent, claim.time, self.record.at(claim.agent, claim.time)
        goal = int(self.record.goals(time)[agent])
        if here == GONE or self.target(agent, time) != here or goal in (IDLE, here):
            yield "it does not wait"
            return
        ground = self.ground(agent, time)
        ways = ground.to(goal)
        if not ground.can_move(here, claim.place) or not 0 <= ways[claim.place] < ways[here]:
            yield "it does not want to go there"
        at, cells = (
            self.record.at(claim.other, time),
            covered_cells(self.record.space, claim.place, self.size(agent)),
        )
        taken = [] if at == GONE else covered_cells(self.record.space, at, self.size(claim.other))
        if claim.other == agent or not set(cells) & set(taken):
            yield "the other is not there"

    def ring(self, claim: said.Ring) -> Iterator[str]:
        """Each waits for the next."""
        agents = claim.agents
        if len(set(agents)) < 2:
            yield "one alone is no circle"
        for one, other in zip(agents, agents[1:] + agents[:1], strict=True):
            here = self.record.at(one, claim.time)
            near = [] if here == GONE else self.ground(one, claim.time).neighbours(here)
            waits = [said.WaitsFor(one, claim.time, other, place) for place in near]
            if all(list(self.waits_for(wait)) for wait in waits):
                yield f"agent {one} does not wait for agent {other}"

    def cut_off(self, claim: said.CutOff) -> Iterator[str]:
        """No way leads to the goal; with the wall away, one does."""
        agent, time, here = claim.agent, claim.time, self.record.at(claim.agent, claim.time)
        goal = int(self.record.goals(time)[agent])
        if here != claim.here or here == GONE or goal == IDLE:
            yield "the agent is not there, or has no goal"
            return
        if self.ground(agent, time).to(goal)[here] != FAR and self.ground(agent, time).fits[goal]:
            yield "a way leads to its goal"
        if claim.wall is not None:
            is_open = self.record.open(time).copy()
            closed = not is_open[claim.wall]
            is_open[claim.wall] = True
            ground = Terrain(self.record.space, self.record.rules, is_open, self.size(agent))
            if not closed or not ground.fits[goal] or ground.to(goal)[here] == FAR:
                yield "it is not this place that cuts it off"

    def changed(self, claim: said.Changed) -> Iterator[str]:
        """The trace has it."""
        rows = [(time, kind.name.lower(), agent, value) for time, kind, agent, value in self.record.changes()]
        if (claim.time, claim.change, claim.agent, claim.place) not in rows:
            yield "nothing of the kind is in the trace"

    # Why not, why first

    def too_far(self, claim: said.TooFar) -> Iterator[str]:
        """The shortest way from its start takes so long."""
        agent = claim.agent
        steps = int(
            self.ground(agent, self.record.first).steps_from(int(self.problem.starts[agent]))[claim.place]
        )
        turns = None if steps == FAR else steps * int(self.problem.periods[agent])
        if turns != claim.steps or (turns is not None and turns <= claim.time - self.record.first):
            yield "it is not so far away"

    def leaves_first(self, claim: said.LeavesFirst) -> Iterator[str]:
        """It would be gone: around its goal the shortest way from its start takes so long."""
        agent, goal = claim.agent, int(self.problem.goals[claim.agent])
        if self.problem.rules.at_goal == "stay" or goal in (IDLE, GONE) or goal != claim.goal:
            yield "it does not leave the map there"
            return
        start, ground = int(self.problem.starts[agent]), self.ground(agent, self.record.first)
        ends = () if claim.place == goal else (goal,)
        steps = FAR if start == goal else int(ground.steps_from(start, without=ends)[claim.place])
        turns = None if steps == FAR else steps * int(self.problem.periods[agent])
        if turns != claim.steps or (turns is not None and turns <= claim.time - self.record.first):
            yield "it is not so far away"

    def closed(self, claim: said.Closed) -> Iterator[str]:
        """The place."""
        if self.record.open(claim.time)[claim.place]:
            yield "the place is open"

    def comes_first(self, claim: said.ComesFirst) -> Iterator[str]:
        """The first arrival of the second where the first had been."""
        if _first_after(self.record, claim.first, claim.second) != (claim.place, claim.when, claim.later):
            yield "they do not come there one after the other like this"

    def never_share(self, claim: said.NeverShare) -> Iterator[str]:
        """They have no place in common."""
        one, two = (
            set(self.record.rows[:, agent].tolist()) - {GONE} for agent in (claim.first, claim.second)
        )
        if one & two:
            yield "they share a place"

    def ended(self, claim: said.Ended) -> Iterator[str]:
        """As the result says."""
        if (claim.status, claim.reason) != (self.grounds.status, self.grounds.reason):
            yield "the run did not end like this"


def _first_after(record: Record, first: int, second: int) -> tuple[int, int, int] | None:
    been: dict[int, int] = {}
    for nth in range(len(record.rows)):
        one, two = int(record.rows[nth, first]), int(record.rows[nth, second])
        arrives = nth > 0 and int(record.rows[nth - 1, second]) != two
        if arrives and two != GONE and two in been:
            return two, record.first + been[two], record.first + nth
        if one != GONE:
            been.setdefault(one, nth)
    return None


def _joint_moves(
    ground: Terrain, state: tuple[int, ...], goals: tuple[int, ...], other: tuple[int, int], vanish: bool
) -> Iterator[tuple[int, ...]]:
    """Where several may be next, without a collision with each other or with another's move."""

    def options(at: int, goal: int) -> list[int]:
        if at == GONE or (vanish and at == goal):
            return [GONE]
        return [to for to in (at, *ground.neighbours(at)) if not ground.collision((at, to), other)]

    def extend(made: list[tuple[int, int]]) -> Iterator[tuple[int, ...]]:
        if len(made) == len(state):
            yield tuple(to for _, to in made)
            return
        at = state[len(made)]
        for to in options(at, goals[len(made)]):
            if not any(ground.collision((at, to), one) for one in made):
                yield from extend([*made, (at, to)])

    yield from extend([])


def costs(grounds: Grounds, rows: IntArray) -> npt.NDArray[np.int64]:
    """What each agent costs, counted step by step."""
    problem = grounds.problem
    at_home = (rows == problem.goals) | (rows == GONE)
    if problem.rules.cost == "sum_of_costs":
        away = ~at_home
        steps = np.arange(1, len(rows) + 1)[:, None] * away
        counted = steps.max(axis=0)
    else:
        counted = (~(at_home[1:] & at_home[:-1])).sum(axis=0)
    return np.where(problem.goals == IDLE, 0, counted).astype(np.int64)


def _as_long(grounds: Grounds, one: IntArray, two: IntArray) -> tuple[IntArray, IntArray]:
    """Two plans with as many rows."""
    problem = grounds.problem

    def longer(rows: IntArray) -> IntArray:
        ends = rows[-1].copy()
        if problem.rules.at_goal == "disappear":
            ends[problem.goals != IDLE] = GONE
        return np.vstack([rows, np.tile(ends, (max(len(one), len(two)) - len(rows), 1))])

    return longer(one), longer(two)
