"""What a row of a trace says: the kinds of events."""

from __future__ import annotations

from enum import IntEnum


class EventKind(IntEnum):
    """What a row of `Trace.events` says. `value` is a vertex unless noted."""

    # Changes from outside, applied before the step of their time.
    GOAL = 0  # the agent's goal becomes value (-1: idle)
    BLOCK = 1  # the vertex closes (agent is -1)
    FREE = 2  # the vertex opens (agent is -1)
    ADD = 3  # the agent appears on the vertex; rows for its PRIORITY and GOAL follow
    REMOVE = 4  # the agent is taken away from the vertex
    PRIORITY = 5  # value is the new priority
    SYNC = 6  # the outside world says that the agent is on the vertex

    # What the world saw, stamped with the time at which it was so.
    ARRIVED = 16  # the agent stepped onto its goal
    LEFT = 17  # the agent stepped off its goal
    TRAPPED = 18  # the agent stands on a closed vertex
    DISPLACED = 19  # the vertex that the agent was on when a SYNC of the same time moved it
    SET_OUT = 20  # the agent begins a move to the vertex that takes several turns
    TURNED_BACK = 21  # the agent gives up such a move to the vertex

    # Safe waits: what a planner cost.
    REFUSED = 32  # the move to the vertex was unsafe or impossible; the agent waited
    LATE = 33  # the planner overran its budget; everybody waited (agent is -1, value is -1)
    RAISED = 34  # the planner raised or answered nonsense; everybody waited (agent and value are -1)

    @property
    def is_change(self) -> bool:
        """Does it come from outside, so that a replay must apply it?"""
        return self < EventKind.ARRIVED

    @property
    def is_planner_fault(self) -> bool:
        return self >= EventKind.REFUSED
