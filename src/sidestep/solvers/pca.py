"""Partial Cooperative A* and its dialogues: PCA*, DPCA* and DPCA*+ (the dialogue thesis).

There is no order of all agents. Everybody plans alone and tells its path; those that then collide resolve an
order among themselves, and the inferior plans around the superior. PCA* takes the order that costs
least. In DPCA* two agents find it in a dialogue: each proposes to go first, both proposals are tried, and
each votes by how much longer its path and how much longer its list of conflicts would be. In DPCA*+ all
agents that would meet in one place talk together, and may expand on proposals that resolve only a part.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import Any, ClassVar

from .. import _core
from ..budget import Budget
from ..dialogue.channel import Channel
from ..dialogue.negotiation import Impasse, Manners, Negotiation, OutOfBudget, Resolver
from ..dialogue.planners import PathPlanner
from ..dialogue.resolution import ByCost, ByDialogue
from ..dialogue.steps import Schedule, resolve_by
from ..dialogue.transcript import Transcript
from ..dialogue.voters import Voter, Weights
from ..model.errors import InputError
from ..model.problem import Problem
from ..model.result import Result, Status
from ..model.to_core import compiled_problem
from .parameters import improvement, parameter
from .solver import SolverInfo, plan_within
from .unit_agents import UnitAgentSolver

# The parameters `keep_orders` and `end_circles` of the family, but for what they gain.
keeping_orders = partial(
    improvement,
    help="where a superior comes in the way of an inferior again, that plans again at once; `False`: "
    "they resolve it like a first conflict",
    why="agents always decide by paths that keep the orders, and nobody is asked twice",
)
ending_circles = partial(
    improvement,
    help="paths that come round in a circle, or become longer for ever, are an impasse; `False`: only "
    "where the known paths are as they were, too, so that nothing would ever change",
    why="without, such a run would end only with its budget",
)


SCHEDULING = (
    'who talks when: `"one"`: the earliest conflict of all is resolved first; `"steps"`: in lock-steps, as '
    "agents without a centre do, so that dialogues that have nothing to do with each other are held at once"
)


def check_schedule(schedule: Schedule, *, keep_orders: bool) -> None:
    """An InputError if agents cannot keep to the schedule."""
    if schedule == "steps" and not keep_orders:
        raise InputError('schedule="steps" needs keep_orders=True: who has a superior in its way plans again')


# Parameters that only Python can set, which all solvers of the family have.
PLANNER_HELP = (
    "finds paths in the place of the search, in Python: a function of a `PathRequest` that returns vertices "
    "or `None`"
)
VOTER_HELP = (
    "says what agents vote and why, in Python: a `Voter`; `None` is the weighted sum, without reasons"
)


def asking_bystanders() -> bool:
    """The parameter `bystanders` of all who vote."""
    return parameter(
        False, help="who collides with one in a dialogue, before or under a proposal, is asked for its vote"
    )


def single_actions() -> bool:
    """The parameter `actions` of all who vote."""
    return parameter(
        False, help="where no order helps, agents talk about single actions, and each may yield once"
    )


@dataclass(frozen=True)
class PCA(UnitAgentSolver):
    """Partial Cooperative A*: agents that collide adopt the order that costs least."""

    cache: bool = parameter(
        True,
        help="an agent uses a path again that it found under other orders, if it collides with no superior",
    )

    keep_orders: bool = keeping_orders()
    end_circles: bool = ending_circles()
    settle_circles: bool = improvement(
        help="who comes round in a circle under its orders, or has no path around its superiors, goes before "
        "all others; `False`: that is an impasse, and nothing is solved",
        why="in crowds orders that were adopted one by one go round in circles",
    )
    loop_free: bool = improvement(
        help="of equally long paths an agent takes one without loops, if a short search finds one",
        why="nobody would understand why an agent leaves a cell and comes back",
    )
    planner: PathPlanner | None = parameter(None, help=PLANNER_HELP)

    name: ClassVar[str] = "pca"
    info: ClassVar[SolverInfo] = SolverInfo(paper="dialogue-thesis", category="decoupled, decentralised")

    def resolve(self, talks: Negotiation, resolver: Resolver) -> None:
        """Resolves all conflicts of a round.

        Args:
            talks: The round.
            resolver: What this solver's `resolver` made.
        """
        talks.resolve_with(resolver)

    def resolver(self) -> Resolver:
        """Makes what resolves conflicts: the order of the agents that costs least.

        Returns:
            The resolver.
        """
        return ByCost()

    def manners(self) -> Manners:
        """Says how agents negotiate.

        Returns:
            What the parameters say.
        """
        switches = (self.cache, self.keep_orders, self.end_circles, self.settle_circles)
        return Manners(*switches, planner=self.planner)

    def solve(self, problem: Problem, *, budget: Budget, seed: int = 0) -> Result:
        """Resolves conflict after conflict until no two paths collide."""
        told_paths = told_paths_of(problem, cache=self.cache, loop_free=self.loop_free)
        silent = not self.info.dialogues
        transcript = Transcript(problem.space, problem.names, silent=silent, keep_orders=self.keep_orders)
        channel, resolver = Channel(problem.space), self.resolver()
        talks = Negotiation(
            told_paths,
            channel,
            transcript,
            budget,
            positions=problem.starts,
            goals=problem.goals,
            manners=self.manners(),
        )
        status, reason, plan = Status.SOLVED, "", None
        try:
            talks.exchange()
            self.resolve(talks, resolver)
            paths = [told_paths.path(agent) for agent in range(problem.n_agents)]
            plan = plan_within(budget, problem, paths)
        except OutOfBudget:
            pass
        except Impasse as impasse:
            status, reason = Status.GAVE_UP, in_words(impasse, problem)
        if plan is None and status is Status.SOLVED:
            status, reason = Status.TIMEOUT, budget.why()
        stats = {
            **talk_stats(channel, resolver),
            "replans": talks.replans,
            "expansions": budget.nodes,
        }
        bound = lower_bound(told_paths, budget) if plan is not None else None
        return Result(problem, self, seed, status, plan, reason, bound, stats, transcript)


@dataclass(frozen=True)
class DPCA(PCA):
    """Dialogue-based PCA*: two agents that collide vote on who goes first."""

    length_weight: float = parameter(4.744, least=0, help="what a step more counts in a vote")
    conflict_weight: float = parameter(5.291, least=0, help="what a conflict more counts in a vote")
    bystanders: bool = asking_bystanders()
    actions: bool = single_actions()
    voter: Voter | None = parameter(None, help=VOTER_HELP)
    schedule: Schedule = parameter("one", help=SCHEDULING)

    name: ClassVar[str] = "dpca"
    info: ClassVar[SolverInfo] = replace(PCA.info, dialogues=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        check_schedule(self.schedule, keep_orders=self.keep_orders)

    def resolve(self, talks: Negotiation, resolver: Resolver) -> None:
        """Resolves all conflicts of a round, one by one or in lock-steps.

        Args:
            talks: The round.
            resolver: What this solver's `resolver` made.
        """
        resolve_by(self.schedule, talks, resolver, window=False)

    def manners(self) -> Manners:
        """Says how agents negotiate.

        Returns:
            What the parameters say.
        """
        return replace(super().manners(), ask_bystanders=self.bystanders, voter=self.voter)

    def resolver(self) -> Resolver:
        """Makes what resolves conflicts: dialogues of two.

        Returns:
            The resolver.
        """
        return ByDialogue(Weights(self.length_weight, self.conflict_weight), actions=self.actions)


@dataclass(frozen=True)
class DPCAPlus(DPCA):
    """DPCA*+: all agents that would meet in one place vote together on who goes first."""

    length_weight: float = 0.312
    conflict_weight: float = 5.570
    partial_weight: float = parameter(
        2.677, least=0, help="what it counts to be left in conflict with others in the dialogue"
    )

    name: ClassVar[str] = "dpca+"

    def resolver(self) -> Resolver:
        """Makes what resolves conflicts: dialogues of all agents that collide in one place.

        Returns:
            The resolver.
        """
        weights = Weights(self.length_weight, self.conflict_weight, self.partial_weight)
        return ByDialogue(weights, pairs=False, actions=self.actions)


def told_paths_of(
    problem: Problem, *, window: int = 0, cache: bool = True, loop_free: bool = True
) -> _core.ToldPaths:
    """The agents of a problem in the core, before anybody has told a path."""
    return _core.ToldPaths(*compiled_problem(problem), window=window, cache=cache, loop_free=loop_free)


def lower_bound(told_paths: _core.ToldPaths, budget: Budget) -> int | None:
    """What all agents cost alone; None if the budget ends before that is known."""
    ways = told_paths.distances(budget.core)
    return int(ways.sum()) if len(ways) else None


def talk_stats(channel: Channel, resolver: Resolver) -> dict[str, Any]:
    """How much was said."""
    sizes = getattr(resolver, "sizes", {})
    return {
        "dialogues": sum(sizes.values()),
        "dialogue_sizes": {str(size): count for size, count in sorted(sizes.items())},
        "messages": channel.messages,
        "bytes": channel.bytes,
    }


def in_words(impasse: Impasse, problem: Problem) -> str:
    """The sentence about agents that cannot resolve a conflict."""
    names = " and ".join(problem.names[agent] for agent in impasse.agents)
    return f"agent{'s' if len(impasse.agents) > 1 else ''} {names}: {impasse}"
