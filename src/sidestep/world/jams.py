"""Who is stuck in a world: a report, which planners do not hear of."""

from __future__ import annotations

from dataclasses import dataclass

from .. import _core

MAX_PATIENCE = 10**6  # turns


@dataclass(frozen=True)
class Stuck:
    """An agent that does not come closer to its goal, nor does anybody that it waits for.

    An agent comes closer when its distance, on the map without agents, is less than ever since it was given
    its goal. It waits for the agent that holds a place beside it that is nearer to the goal. It is stuck when
    neither it, nor those that it waits for, nor those that these wait for, have come closer for as many
    turns as the world was told (`stuck_after`; of slow agents: moves). Agents on their goals, or without one,
    need not come closer. It is stuck until it comes closer, arrives, has another goal, is put elsewhere or is
    gone.

    Attributes:
        agent: Its index.
        since: The time when it last came closer.
        behind: The index of an agent that it waited for when it was found stuck. None if nobody was in its
            way: its planner lets it wait, or there is no way to its goal.
    """

    agent: int
    since: int
    behind: int | None


def stuck_agents(core: _core.World) -> tuple[Stuck, ...]:
    """All of them, in the order of their indices."""
    rows = core.stuck().tolist()
    return tuple(Stuck(agent, since, None if behind == -1 else behind) for agent, since, behind in rows)
