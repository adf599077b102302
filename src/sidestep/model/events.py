"""What a row of a trace says: the kinds of events."""

from __future__ import annotations

from enum import IntEnum


class EventKind(IntEnum):
    """What a row of `Trace.events` says. The value of the row is a vertex unless noted.

    Changes come from outside, before the step of their time; what the world saw is dated by when it was so;
    faults are safe waits that a planner cost.

    Attributes:
        GOAL: A change: the agent's goal becomes the vertex (-1: idle).
        BLOCK: A change: the vertex closes (the agent is -1).
        FREE: A change: the vertex opens (the agent is -1).
        ADD: A change: the agent appears on the vertex; rows for its PRIORITY and GOAL follow.
        REMOVE: A change: the agent is taken away from the vertex.
        PRIORITY: A change: the value is the new priority.
        SYNC: A change: the outside world says that the agent is on the vertex.
        ARRIVED: Seen: the agent stepped onto its goal.
        LEFT: Seen: the agent stepped off its goal.
        TRAPPED: Seen: the agent stands on a closed vertex.
        DISPLACED: Seen: the vertex that the agent was on when a SYNC of the same time moved it.
        SET_OUT: Seen: the agent begins a move to the vertex that takes several turns.
        TURNED_BACK: Seen: the agent gives up such a move to the vertex.
        STUCK: Seen: nobody in the jam that the agent is part of has come closer to a goal for some turns. The
            value is a time: since when the agent has not. A BEHIND of the same agent follows.
        BEHIND: Seen: the value is the agent in front of a STUCK one; -1 if there is nobody, or no way at all.
        UNSTUCK: Seen: a STUCK agent has come closer at last, has another goal, was put elsewhere or is gone;
            the value is where it is (-1: gone).
        TASK: Seen: a task comes in; the value is its number (the agent is -1). Its ERRANDs follow.
        ERRAND: Seen: the vertex is the next one to visit for the TASK before (the agent is -1).
        DUE: Seen: the value is the time until which the TASK before should be finished (the agent is -1).
        TAKEN: Seen: the agent takes the task whose number is the value.
        FINISHED: Seen: the agent has visited all places of the task whose number is the value, in order.
        GIVEN_BACK: Seen: the agent will not finish the task whose number is the value; somebody else may
            take it.
        RESCUED: Seen: the agent was stuck, and its jam was solved by a search over all who are in it; the
            value is the number of steps that they follow what was found.
        TURNED: Seen: the agent turns by a quarter in the step that begins at this time; the value is which
            way it then looks: 0 up, 1 right, 2 down, 3 left.
        REFUSED: A fault: the move to the vertex was unsafe or impossible; the agent waited.
        LATE: A fault: the planner overran its budget; all agents waited (agent and value are -1).
        RAISED: A fault: the planner raised or answered nonsense; all agents waited (agent and value are -1).
    """

    # Changes
    GOAL = 0
    BLOCK = 1
    FREE = 2
    ADD = 3
    REMOVE = 4
    PRIORITY = 5
    SYNC = 6

    # What the world saw
    ARRIVED = 16
    LEFT = 17
    TRAPPED = 18
    DISPLACED = 19
    SET_OUT = 20
    TURNED_BACK = 21
    STUCK = 22
    BEHIND = 23
    UNSTUCK = 24
    TASK = 25
    ERRAND = 26
    DUE = 27
    TAKEN = 28
    FINISHED = 29
    GIVEN_BACK = 30
    RESCUED = 31

    # Faults
    REFUSED = 32
    LATE = 33
    RAISED = 34

    # What the world saw, too
    TURNED = 48

    @property
    def is_change(self) -> bool:
        """Whether it comes from outside, so that a replay must apply it."""
        return self < EventKind.ARRIVED

    @property
    def is_planner_fault(self) -> bool:
        """Whether it is a safe wait that the planner cost."""
        return self in _FAULTS

    @property
    def needs_agent(self) -> bool:
        """Whether a row must name an agent; in rows of other kinds the agent may be -1."""
        return self not in _OF_NOBODY

    @property
    def is_reported(self) -> bool:
        """Whether it is written down as it is told, since it follows from no change and no move."""
        return self in _REPORTED


_FAULTS = (EventKind.REFUSED, EventKind.LATE, EventKind.RAISED)
_OF_TASKS_TO_COME = (EventKind.TASK, EventKind.ERRAND, EventKind.DUE)
_OF_NOBODY = (EventKind.BLOCK, EventKind.FREE, EventKind.LATE, EventKind.RAISED, *_OF_TASKS_TO_COME)
_REPORTED = (
    *(EventKind.STUCK, EventKind.BEHIND, EventKind.UNSTUCK, EventKind.RESCUED),
    *(*_OF_TASKS_TO_COME, EventKind.TAKEN, EventKind.FINISHED, EventKind.GIVEN_BACK),
)
