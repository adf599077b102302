"""What if? A plan from some time on, in which one agent goes the way that it would have liked.

As little as possible is changed: agents that do not collide with the wish keep their paths if they can. Those
in the way plan again, around the wish and around all that keep their paths; if that is impossible, around
those only who have planned again before, and then those in *their* way plan again in turn. One that finds
nothing goes first in the next attempt. Then those who pay plan again, jointly (by CBS) with those who keep
them from paying less. If no attempt succeeds, all others are planned jointly.
"""

from __future__ import annotations

import numpy as np

from .. import _core
from ..budget import Budget
from ..dialogue.negotiation import OutOfBudget
from ..judge import ViolationKind
from ..model.arrays import IntArray
from ..model.plan import Plan
from ..model.to_core import compile_rules, compiled_space
from ..solvers.cbs import CBS
from ..solvers.group_planning import marked_gone
from ..solvers.pca import told_paths_of
from ..solvers.solver import path_matrix
from .answer import Cause, continued, rests
from .proof import has_no_way
from .run import ABSENT

ATTEMPTS = 12  # orders in which those in the way may plan again
JOINT_NODES = 400  # of the constraint tree over all others, for each wish
STUCK = 4  # agents of whom it may be proved that not all of them find a way
ENOUGH, MOST = 15, 30  # searches after which no other manner, and no other order, is tried
TOO_MANY = -1  # instead of who found no path
HELPS = 8  # how often somebody who pays may look for cheaper paths with others
GROUP, GROUP_NODES = 8, 60  # agents at once; nodes of their constraint tree
GROUP_EXPANSIONS = 10_000  # of the searches in it: some milliseconds; hundreds were enough for most

_KINDS = {kind.value: ViolationKind(kind.name) for kind in _core.CollisionKind}


class NoWay(Exception):  # noqa: N818  # an outcome, not an error
    """Others cannot make way: it is proved that these agents cannot; none of them: nothing is proved."""

    def __init__(self, *agents: int) -> None:
        super().__init__(*agents)
        self.agents = agents


class Fork:
    """A plan that is left at some time: everybody's path from then on, to be told anew."""

    def __init__(self, plan: Plan) -> None:
        self.plan, self.problem = plan, plan.problem
        self._told_paths = told_paths_of(plan.problem, cache=False)
        self._time = -1
        self._rests: list[IntArray] = []
        self._present: list[int] = []
        self._planned_costs: dict[int, int] = {}
        self._retold: set[int] = set()  # who may have told something else than planned since
        self._searches = 0  # for paths, for one wish
        self._stuck: list[int] = []  # who found no path in the last attempts, the latest first

    def begin(self, time: int) -> None:
        """Everybody goes as planned from this time on."""
        if time == self._time:
            for agent in self._retold:
                self._told_paths.tell(agent, self._rests[agent])
            self._retold.clear()
            return
        self._time, self._rests, self._retold = time, rests(self.plan, time), set()
        self._present = np.flatnonzero(self.plan.vertices[time] != ABSENT).tolist()
        self._told_paths.begin(np.ascontiguousarray(self.plan.vertices[time]))
        for agent in self._present:
            self._told_paths.tell(agent, self._rests[agent])
        self._planned_costs = {agent: self._told_paths.cost(agent) for agent in self._present}

    def around_all(self, agent: int, budget: Budget) -> IntArray | None:
        """The cheapest path of the agent around all others as they go now."""
        return self._find(agent, [other for other in self._present if other != agent], budget)

    def in_the_way(self, agent: int, wish: IntArray) -> tuple[Cause, ...]:
        """The first collision with each of those whose planned paths a wish collides with, by time."""
        self._begin_with({agent: wish})
        found = self._told_paths.first_conflicts().tolist()
        causes = [self._cause(agent, wish, row) for row in found]
        return tuple(sorted(causes, key=lambda cause: (cause.time, cause.agent)))

    def let_go_first(self, agent: int, wish: IntArray, budget: Budget) -> dict[int, IntArray]:
        """The paths that change if the agent goes the way it would have liked; raises NoWay."""
        known: list[dict[int, IntArray]] = []
        self._searches = 0
        for spare in (True, False):
            if known and self._searches > ENOUGH:
                break
            try:
                paths = self._attempts(agent, wish, spare, budget, patient=not known)
            except OutOfBudget:
                if not known:
                    raise
                break
            if paths is not None:
                known.append(paths)
        if not known:
            raise NoWay(*self._stuck_together(agent, wish))
        return self._improved(agent, min(known, key=self._price), budget)

    def let_go_first_jointly(self, agent: int, wish: IntArray, budget: Budget) -> dict[int, IntArray]:
        """The same by a search for the cheapest paths of all others together; raises NoWay."""
        others = [other for other in self._present if other != agent]
        self._tell({agent: wish})
        paths = self._jointly(others, budget, tree_limit=JOINT_NODES)
        if paths is None:
            raise NoWay
        return {agent: wish, **paths}

    # One by one

    def _attempts(
        self, agent: int, wish: IntArray, spare: bool, budget: Budget, *, patient: bool
    ) -> dict[int, IntArray] | None:
        """The paths that change if those in the way plan again one by one, in several orders if need be.

        Who is not `patient` knows a way already, and stops when this one concerns too many.
        """
        first: list[int] = []  # those who found no path before
        begun = self._searches
        for _ in range(ATTEMPTS):
            if self._searches - begun > MOST:
                break
            self._begin_with({agent: wish})
            stuck = self._make_way(agent, first, spare, budget, None if patient else begun + MOST)
            if stuck is None:
                return self._changed()
            if stuck == TOO_MANY:
                return None
            if self._find(stuck, [agent], budget) is None:
                raise NoWay(stuck)
            if first[:1] == [stuck]:
                break
            first = [stuck, *(other for other in first if other != stuck)]
        self._stuck = first
        return None

    def _stuck_together(self, agent: int, wish: IntArray) -> tuple[int, ...]:
        """Some of those who found no path, one of whom never will, if that can be proved."""
        for count in range(2, min(len(self._stuck), STUCK) + 1):
            group = tuple(sorted(self._stuck[:count]))
            if has_no_way(self.plan, self._time, group, agent, wish):
                return group
        return ()

    def _make_way(
        self, agent: int, first: list[int], spare: bool, budget: Budget, most: int | None
    ) -> int | None:
        """Those in the way plan again until nobody collides; returns who found no path, or None.

        They plan around those who have done so before, and, to `spare` them, around all whom nobody has
        come in the way of yet, if they can.
        """
        settled, waiting = [agent], list(first)
        while True:
            conflicts = self._told_paths.first_conflicts().tolist()
            if not waiting and not conflicts:
                return None
            if most is not None and self._searches > most:
                return TOO_MANY
            if waiting:
                replans = waiting.pop(0)
            else:
                _, _, one, other, _ = conflicts[0]
                replans = other if one in settled else one
            path = None
            if spare:
                moving = {*settled, replans, *(one for _, _, *pair, _ in conflicts for one in pair)}
                keep = [one for one in self._present if one not in moving]
                path = self._find(replans, settled + keep, budget)
            if path is None:
                path = self._find(replans, settled, budget)
            if path is None:
                return replans
            self._tell({replans: path})
            settled.append(replans)

    # Together

    def _improved(self, agent: int, paths: dict[int, IntArray], budget: Budget) -> dict[int, IntArray]:
        """Those who pay plan again, jointly with those who keep them from better paths around the wish."""
        self._begin_with(paths)
        hopeless: set[int] = {agent}
        try:
            for _ in range(HELPS):
                losses = {other: self._loss(other) for other in self._changed() if other not in hopeless}
                loser = max(losses, key=lambda other: losses[other], default=agent)
                if losses.get(loser, 0) <= 0:
                    break
                if not self._helped(agent, loser, budget):
                    hopeless.add(loser)
        except OutOfBudget:
            pass  # what has been found until now is good enough
        return self._changed()

    def _helped(self, agent: int, loser: int, budget: Budget) -> bool:
        """Finds cheaper paths of an agent and a few others in its way, if there are any."""
        before = self._told_paths.path(loser), self._told_paths.cost(loser)
        ideal = self._find(loser, [agent], budget)
        if ideal is None:
            return False
        self._tell({loser: ideal})
        gain = before[1] - self._told_paths.cost(loser)
        rivals = {one for _, _, *pair, _ in self._told_paths.first_conflicts().tolist() for one in pair}
        self._tell({loser: before[0]})
        if gain <= 0:
            return False
        group = sorted(rivals - {agent} | {loser})
        if len(group) > GROUP:
            return False
        ways = {one: self._told_paths.path(one) for one in group}
        cost, losses = sum(map(self._told_paths.cost, group)), self._losses(group)
        with budget.at_most(GROUP_EXPANSIONS):
            paths = self._jointly(group, budget, tree_limit=GROUP_NODES, cost_limit=cost - 1)
        if paths is None:
            return False
        self._tell(paths)
        if self._losses(group) < losses:
            return True
        self._tell(ways)  # others would have saved something, but nobody loses less
        return False

    def _jointly(
        self, group: list[int], budget: Budget, *, tree_limit: int, cost_limit: int | None = None
    ) -> dict[int, IntArray] | None:
        """The cheapest paths of some agents around the paths of all others who have told theirs."""
        agents = np.array(group, dtype=np.int32)
        others = np.array([one for one in self._present if one not in group], dtype=np.int32)
        told = [self._told_paths.path(one) for one in others.tolist()]
        fixed = marked_gone(self.problem, others, path_matrix(self.problem, told, others))
        found = _core.cbs(
            compiled_space(self.problem),
            compile_rules(self.problem.rules),
            np.ascontiguousarray(self.plan.vertices[self._time, agents]),
            np.ascontiguousarray(self.problem.goals[agents]),
            CBS().options(),
            tree_limit=tree_limit,
            cost_limit=cost_limit,
            illegal=fixed,
            budget=budget.core,
        )
        if found.outcome is not _core.Outcome.found:
            return None
        return dict(zip(group, found.paths, strict=True))

    # Paths

    def _begin_with(self, paths: dict[int, IntArray]) -> None:
        """Everybody goes as planned but for some."""
        self.begin(self._time)
        self._tell(paths)

    def _tell(self, paths: dict[int, IntArray]) -> None:
        for agent, path in paths.items():
            self._told_paths.tell(agent, path)
            self._retold.add(agent)

    def _changed(self) -> dict[int, IntArray]:
        """The told paths that are not as planned."""
        paths = {agent: self._told_paths.path(agent) for agent in sorted(self._retold)}
        return {agent: path for agent, path in paths.items() if not np.array_equal(path, self._rests[agent])}

    def _price(self, paths: dict[int, IntArray]) -> tuple[int, int]:
        """What those pay who lose by it; of equals, what all cost."""
        other = continued(self.plan, self._time, paths)
        losses = np.maximum(other.costs - self.plan.costs, 0)
        return int(losses.sum()), other.cost

    def _loss(self, agent: int) -> int:
        """What the agent pays more than as planned; nothing, if it gains."""
        return max(self._told_paths.cost(agent) - self._planned_costs[agent], 0)

    def _losses(self, group: list[int]) -> int:
        return sum(self._loss(agent) for agent in group)

    def _find(self, agent: int, others: list[int], budget: Budget) -> IntArray | None:
        self._searches += 1
        path: IntArray | None = self._told_paths.find(agent, others, budget.core)  # type: ignore[assignment]
        if path is None and budget.exhausted:
            raise OutOfBudget
        return path

    def _cause(self, agent: int, wish: IntArray, conflict: list[int]) -> Cause:
        """A conflict as the judge would date and place it."""
        time, kind, one, two, _ = conflict
        other = two if one == agent else one
        here, there = (int(wish[min(at, len(wish) - 1)]) for at in (time, time + 1))
        vertex, when = there, time + 1
        if _KINDS[kind] is ViolationKind.VERTEX:
            vertex, when = here, time
        elif _KINDS[kind] is ViolationKind.FOLLOWING and self._at(other, time) != there:
            vertex = here  # the other enters behind it
        return Cause(other, self.problem.space.place(vertex), self._time + when, _KINDS[kind])

    def _at(self, agent: int, time: int) -> int:
        rest = self._rests[agent]
        return int(rest[min(time, len(rest) - 1)])
