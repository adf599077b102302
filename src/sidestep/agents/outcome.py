"""What came of a run of agents: the result as of any solver, and what only such a run has."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..judge import ViolationKind, validate
from ..model.plan import Plan
from ..model.result import Result, Status
from .ground import Death, Ground, Refusal
from .recorder import Recorder

COLLISIONS = (ViolationKind.VERTEX, ViolationKind.SWAP, ViolationKind.CROSSING, ViolationKind.FOLLOWING)


@dataclass
class Run:
    """A run of agents that talked.

    Attributes:
        result: as of any solver: status, plan, reason, statistics, transcript.
        moves: where everybody was at every tick, solved or not.
        refusals: the moves that the guard refused.
        deaths: who was taken for dead, and when.
        cut_off: agents that cannot reach their goals, each with the dead that stand in their way.
        reports: what agents found odd: tick, agent, words.
        logs: per agent what it heard and said, from the simulator.
        causes: per refusal the fault that it is traced to, from the simulator; None if there is none.
        talks: per two agents how many messages went from one to the other; -1 is the world.
    """

    result: Result
    moves: Plan
    refusals: list[Refusal]
    deaths: list[Death]
    cut_off: dict[int, tuple[int, ...]]
    reports: list[tuple[int, int, str]]
    logs: Sequence[Any] = ()
    causes: list[str | None] = field(default_factory=list)
    talks: dict[tuple[int, int], int] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.result)

    def __repr__(self) -> str:
        return f"Run({self.result!r}, {len(self.refusals)} refusals, {len(self.deaths)} deaths)"

    @property
    def collisions(self) -> int:
        """How many collisions the judge finds in where everybody was."""
        return sum(one.kind in COLLISIONS for one in validate(self.moves.problem, self.moves).violations)


def outcome_of(ground: Ground, recorder: Recorder, solver: Any, seed: int, **more: Any) -> Run:
    """What came of a run that is over."""
    problem = ground.problem
    moves = Plan(problem, np.stack(ground.rows))
    solved = ground.solved
    transcript = recorder.transcript() if solver.info.dialogues else None
    stats = {
        "ticks": ground.tick,
        "rounds": ground.round + 1,
        **({} if transcript is None else {"dialogues": dialogues_in(transcript.utterances)}),
        "messages": recorder.messages,
        "messages_again": recorder.again,
        **({"bytes": recorder.bytes} if recorder.bytes else {}),  # nothing was encoded in one process
        "refused": len(ground.refusals),
        "deaths": len(ground.deaths),
    }
    result = Result(
        problem,
        solver,
        seed,
        Status.SOLVED if solved else Status.GAVE_UP,
        moves if solved else None,
        "" if solved else ground.reason or "an agent is dead or absent, or cut off by one",
        None,
        stats,
        transcript,
    )
    away = [a for a, one in enumerate(ground.presence) if one.is_alive]
    cut_off = {agent: dead for agent in away if (dead := ground.cut_off_by(agent))}
    talks = dict(recorder.talks)
    return Run(result, moves, ground.refusals, ground.deaths, cut_off, ground.reports, talks=talks, **more)


def dialogues_in(utterances: Sequence[Any]) -> int:
    """How many dialogues came to an order."""
    return len({said.dialogue for said in utterances if said.act == "adopt"})
