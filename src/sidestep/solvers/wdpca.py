"""Windowed Dialogue-based PCA* (the dialogue thesis): DPCA* a few steps ahead, turn by turn.

Agents plan `window` steps ahead; beyond them a terminal edge whose cost is the distance to the goal stands
for the rest of the way. They resolve the conflicts within the window in dialogues of two, take half of the
steps, forget their orders, and plan again. Agents on their goals go on cooperating. Where everything repeats
itself the window is doubled (`widen=False` is the thesis, which has no remedy).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from .. import _core
from ..budget import Budget
from ..dialogue.channel import Channel
from ..dialogue.negotiation import Impasse, Manners, Negotiation, OutOfBudget
from ..dialogue.planners import PathPlanner
from ..dialogue.resolution import ByDialogue
from ..dialogue.steps import Schedule, resolve_by
from ..dialogue.transcript import Transcript
from ..dialogue.voters import Voter, Weights
from ..model.agents import NOWHERE
from ..model.arrays import IntArray
from ..model.events import EventKind
from ..model.problem import Problem
from ..model.result import Result
from ..world.core_session import CoreSession
from ..world.session import View
from .offline import run_to_the_end, turns_of_solve
from .parameters import improvement, parameter
from .pca import (
    DPCA,
    PLANNER_HELP,
    SCHEDULING,
    VOTER_HELP,
    asking_bystanders,
    check_schedule,
    ending_circles,
    keeping_orders,
    single_actions,
    talk_stats,
    told_paths_of,
)
from .solver import SolverInfo
from .unit_agents import UnitAgentSolver

# The thesis found weights for three windows; a window in between takes those of the next larger one.
WEIGHTS = {2: Weights(3.113, 9.464), 4: Weights(8.736, 7.9143), 8: Weights(9.352, 22.874)}
WIDEST = 64  # steps; a window that repeats itself is doubled up to here
ROUNDS_KEPT = 64  # by a session in a world, whose transcript would otherwise grow without end


@dataclass(frozen=True)
class WDPCA(UnitAgentSolver):
    """Windowed DPCA*: dialogues about the next few steps, turn by turn."""

    window: int = parameter(4, least=2, most=1024, help="steps to look ahead; half of them are taken")
    length_weight: float | None = parameter(
        None, least=0, help="what a step more counts in a vote; `None`: the thesis's for this window"
    )
    conflict_weight: float | None = parameter(
        None, least=0, help="what a conflict more counts in a vote; `None`: the thesis's for this window"
    )
    widen: bool = improvement(
        help=f"double the window, up to {WIDEST}, where everything repeats itself",
        why="nothing is random, so what repeats itself once does so for ever; the thesis has no remedy",
    )
    cache: bool = parameter(
        True,
        help="within a round, an agent uses a path again that it found under other orders, "
        "if it collides with no superior",
    )
    keep_orders: bool = keeping_orders()
    end_circles: bool = ending_circles()
    stand: bool = improvement(
        help="an agent that does not know how to go on stands for the round, and all others go around it; "
        "`False`: then nobody moves in that round",
        why="a round ends with paths that do not collide, whatever happens",
    )
    bystanders: bool = asking_bystanders()
    actions: bool = single_actions()
    planner: PathPlanner | None = parameter(None, help=PLANNER_HELP)
    voter: Voter | None = parameter(None, help=VOTER_HELP)
    max_turns: int | None = turns_of_solve()
    schedule: Schedule = parameter("one", help=SCHEDULING)

    name: ClassVar[str] = "wdpca"
    info: ClassVar[SolverInfo] = replace(
        DPCA.info, category="decoupled, decentralised, windowed", communication="window", online=True
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        check_schedule(self.schedule, keep_orders=self.keep_orders)

    @property
    def weights(self) -> Weights:
        """The given weights, or the thesis's for this window."""
        usual = WEIGHTS[next((size for size in WEIGHTS if self.window <= size), 8)]
        length = usual.length if self.length_weight is None else self.length_weight
        conflicts = usual.conflicts if self.conflict_weight is None else self.conflict_weight
        return Weights(length, conflicts)

    def solve(self, problem: Problem, *, budget: Budget, seed: int = 0) -> Result:
        """Runs a world until all agents are on their goals at once."""
        session = WDPCASession(problem, self)
        result = run_to_the_end(
            self, problem, budget=budget, seed=seed, max_turns=self.max_turns, session=session
        )
        return replace(result, stats={**result.stats, **session.stats}, transcript=session.transcript)

    def session(self, problem: Problem, *, seed: int = 0) -> WDPCASession:
        """Planning turn by turn; there is nothing random in it."""
        return WDPCASession(problem, self, rounds_kept=ROUNDS_KEPT)


class WDPCASession(CoreSession):
    """Rounds of dialogues, each about the next window."""

    core: _core.ToldPaths
    not_kept = (*CoreSession.not_kept, "manners", "channel", "resolver")

    def __init__(
        self,
        problem: Problem,
        solver: WDPCA,
        *,
        rounds_kept: int | None = None,
    ) -> None:
        super().__init__(solver, told_paths_of(problem, window=solver.window, cache=solver.cache))
        self.window = solver.window
        self.manners = Manners(
            solver.cache,
            solver.keep_orders,
            solver.end_circles,
            settle_circles=False,
            stand=solver.stand,
            ask_bystanders=solver.bystanders,
            voter=solver.voter,
            planner=solver.planner,
        )
        self.channel = Channel(problem.space, "window", window=solver.window)
        self.resolver = ByDialogue(solver.weights, actions=solver.actions)
        self.transcript = Transcript(problem.space, problem.names, keep_orders=solver.keep_orders)
        self.rounds_kept, self.schedule = rounds_kept, solver.schedule
        self.rounds = self.replans = self.stands = 0
        self.begun = self.ends = 0  # the round: its first turn, and the one with which the next begins
        self.plan: IntArray | None = None  # of this round; None: it is time for another
        self.near_changes: set[int] = set()  # who is in reach of what has changed in this round
        # Nothing is random: who begin a round where they once began one will do the same again and again.
        self.repeats = False
        self._been: set[bytes] = set()

    def saved(self) -> dict[str, Any]:
        """Its state between two turns: the plan of the round under way, and what was said so far."""
        said = {"messages": self.channel.messages, "bytes": self.channel.bytes}
        return {**super().saved(), "said": said, "sizes": self.resolver.sizes}

    def load(self, state: dict[str, Any]) -> None:
        """Goes on from such a state."""
        super().load(state)
        self.channel.core.go_on_from(**state["said"])
        self.channel.set_window(self.window)
        self.resolver.sizes = dict(state["sizes"])

    @property
    def stats(self) -> dict[str, object]:
        """How much was said, in how many rounds, and how often an agent could only stand."""
        said = talk_stats(self.channel, self.resolver)
        return {**said, "rounds": self.rounds, "replans": self.replans, "stands": self.stands}

    def distances(self, budget: Budget) -> IntArray:
        """How far every agent is from its goal by itself; nothing if the budget ran out."""
        return self.core.distances(budget.core)

    def turn(self, view: View, budget: Budget) -> IntArray:
        """Half a window after the last round there is another; after a change, among those in reach of it."""
        if self.plan is None or view.time >= self.ends:
            self.talk(view, budget)
        elif among := self.who_talks_again(view, self.plan[view.time - self.begun]):
            self.talk_again(view, budget, among)
        assert self.plan is not None
        moves = self.plan[view.time + 1 - self.begun]
        if budget.exhausted:
            self.forget()  # what is left of the plan may be a makeshift
        return np.where(moves == -1, view.positions, moves)

    def talk(self, view: View, budget: Budget) -> None:
        """A round among all."""
        self.notice_repetition(view)
        self.plan = self.resolve_round(view, budget)
        self.begun, self.ends = view.time, view.time + self.window // 2
        self.near_changes.clear()

    def who_talks_again(self, view: View, planned: IntArray) -> tuple[int, ...]:
        """Those in reach of a change, or of an agent that is not where it should be."""
        astray = np.flatnonzero((planned != view.positions) & (view.positions != NOWHERE))
        self.near_changes.update(
            *(self.channel.around(int(v), view.positions) for v in view.positions[astray])
        )
        return tuple(agent for agent in sorted(self.near_changes) if view.positions[agent] != NOWHERE)

    def talk_again(self, view: View, budget: Budget, among: tuple[int, ...]) -> None:
        """A round among some, up to the end of this one; all others go on as they have said (section 4.3)."""
        assert self.plan is not None
        self.near_changes.clear()
        if self.schedule != "one" or len(among) == np.count_nonzero(view.positions != NOWHERE):
            return self.talk(view, budget)
        told = self.plan[view.time - self.begun :]
        try:
            self.plan, self.begun = self.resolve_round(view, budget, Local(among, told)), view.time
        except NeedsEverybody:
            self.talk(view, budget)

    def notice_repetition(self, view: View) -> None:
        """Has a round begun like this before, with nothing changed since? Then look further ahead."""
        positions = view.positions.tobytes()
        if positions in self._been and somebody_is_under_way(view):
            self.repeats = not self.solver.widen or self.window >= WIDEST
            if not self.repeats:
                self.look_ahead(min(2 * self.window, WIDEST))
        self._been.add(positions)

    def look_ahead(self, window: int) -> None:
        """From the next round on, plan this many steps."""
        if window != self.window:
            self.window = window
            self.core.set_window(window)
            self.channel.set_window(window)
            self._been.clear()

    def forget(self) -> None:
        """It is time for a new round, and nothing that was before will repeat itself."""
        self.plan, self.repeats = None, False
        self._been.clear()
        self.look_ahead(self.solver.window)

    def resolve_round(self, view: View, budget: Budget, local: Local | None = None) -> IntArray:
        """Where everybody is in the next window, a row per time, without a collision."""
        kept = self.rounds_kept
        if kept is not None and len(self.transcript.rounds) >= kept and local is None:
            self.begin_transcript(self.transcript.names)
        self.core.begin(view.positions)
        self.rounds += 1
        talks = WindowNegotiation(
            self.core,
            self.channel,
            self.transcript,
            budget,
            positions=view.positions,
            goals=view.goals,
            time=view.time,
            window=self.window,
            manners=self.manners,
            local=local,
        )
        talks.exchange()
        try:
            resolve_by(self.schedule, talks, self.resolver, window=True)
        except OutOfBudget:
            talks.stand_where_paths_collide()
        except Impasse:
            talks.everybody_stands()
        self.replans += talks.replans
        self.stands += len(talks.standing)
        return self.core.paths()

    def changed(self, view: View) -> None:
        """Who is in reach of the change talks again; all do where the window has been widened."""
        self.transcript.names = view.agents.names
        if self.plan is None or self.window != self.solver.window:
            return self.forget()
        newcomers = len(view.positions) - self.plan.shape[1]
        nowhere = np.full((len(self.plan), newcomers), NOWHERE, dtype=np.int32)
        self.plan = np.hstack([self.plan, nowhere])
        for _, kind, agent, value in view.changes:
            self.near_changes |= self.in_reach_of(EventKind(kind), agent, value, view.positions)
        self.repeats = False
        return self._been.clear()

    def in_reach_of(self, kind: EventKind, agent: int, value: int, positions: IntArray) -> set[int]:
        """Whom a change may concern within a window."""
        if kind in (EventKind.BLOCK, EventKind.FREE, EventKind.REMOVE):
            return self.channel.around(value, positions)  # where a wall is now, or was, or somebody was
        if kind == EventKind.PRIORITY or agent >= len(positions) or positions[agent] == NOWHERE:
            return set()  # a dialogue knows no priorities
        return self.channel.around(int(positions[agent]), positions)

    def begin_transcript(self, names: tuple[str, ...]) -> None:
        """What was said so far is not kept."""
        self.transcript = Transcript(self.transcript.space, names, keep_orders=self.manners.keep_orders)


def somebody_is_under_way(view: View) -> bool:
    """Is anybody not on its goal? On their goals everybody may repeat what they do."""
    goals = view.goals
    return bool(((view.positions != goals) & (view.positions != -1) & (goals != -1)).any())


class NeedsEverybody(Exception):  # noqa: N818  # not an error: the way to a round among all
    """Some cannot settle among themselves what has changed."""


@dataclass(frozen=True)
class Local:
    """A round among some agents only: `told` is what all had said, a row per time from now on."""

    among: tuple[int, ...]
    told: IntArray


class WindowNegotiation(Negotiation):
    """A round in which those who do not know how to go on stand, and all others go around them.

    No two agents stand in one place, so that in the end, at worst with everybody standing, nobody collides.
    In a `local` round only some talk, around the paths that the others have told before.
    """

    def __init__(self, *args: Any, local: Local | None, **named: Any) -> None:
        super().__init__(*args, among=None if local is None else local.among, **named)
        self.local = local
        self.standing: set[int] = set()
        self.others: set[int] = set()  # who go on as they have said, in a local round

    def exchange(self) -> None:
        """Everybody who talks tells its path; who could not find one in time stands."""
        if self.local is None:
            return super().exchange()
        self.channel.gather(self.positions)
        self._keep_others(self.local)
        for agent in self.local.among:
            path = self.path_or_stand(agent)
            self.told_paths.tell(agent, path)
            self.channel.core.announce(agent, path)
        return None

    def _keep_others(self, local: Local) -> None:
        """Those in reach of who talks are above them, with what is left of their paths."""
        heard = {other for agent in local.among for other in self.channel.audience(agent)}
        for agent in np.flatnonzero(self.positions != NOWHERE).tolist():
            path = local.told[:, agent]
            if agent in local.among:
                continue
            self.others.add(agent)
            self.told_paths.tell(agent, np.ascontiguousarray(path[path != NOWHERE]))
            if agent in heard:
                self.core.put_on_top(agent)

    def path_or_stand(self, agent: int) -> IntArray:
        """An agent's path, or that of one who has found none in time."""
        try:
            path = self.path_below(agent)
        except OutOfBudget:
            path = None
        return self.told_paths.standing(agent) if path is None else path

    def no_path_alone(self, agent: int) -> None:
        """The core has let it stand."""

    def impasse(self, agents: tuple[int, ...], why: str) -> None:
        """The last of them stands; as printed, there is no remedy."""
        if self.local is not None:
            raise NeedsEverybody
        if not self.manners.stand:
            raise Impasse(agents, why)
        self.stand(agents[-1])

    def note_standing(self, agent: int, why: str) -> None:
        """It stays where it is, and says so itself; as printed, there is no remedy."""
        if not self.manners.stand:
            raise Impasse((agent,), why)
        self.standing.add(agent)

    def is_kept(self, superior: int, inferior: int) -> bool:
        """There is nothing to agree on with one who stands."""
        return superior in self.standing | self.others or super().is_kept(superior, inferior)

    def stand(self, agent: int) -> None:
        """Stays where it is for this round, and is above everybody else."""
        self.standing.add(agent)
        self.core.put_on_top(agent)
        self._seen.clear()
        self.channel.core.go_first(agent)
        path = self.told_paths.standing(agent)
        self.told_paths.tell(agent, path)
        self.channel.core.announce(agent, path)

    def everybody_stands(self) -> None:
        """Those in an impasse have no paths to go by, and nobody else knows where they will be."""
        for agent in range(self.agents):
            if self.told_paths.path(agent).size:
                self.stand(agent)
        self.take_down()

    def stand_where_paths_collide(self) -> None:
        """There is no time left to search: one after another stands until nobody collides."""
        while len(conflicts := self.told_paths.first_conflicts()):
            _, _, one, other, _ = conflicts[0].tolist()
            self.stand(one if other in self.standing else other)
        self.take_down()
