"""The session of a world whose agents are moved from outside."""

from __future__ import annotations

from ..budget import Budget
from ..model.arrays import IntArray
from ..world.session import View


class Puppets:
    """A session that proposes what it was told.

    Attributes:
        moves: The vertices to propose in the next turn, one per agent; None: everybody waits.
    """

    def __init__(self) -> None:
        self.moves: IntArray | None = None

    def step(self, view: View, budget: Budget) -> IntArray:
        """Proposes the moves.

        Args:
            view: The world at the beginning of the turn.
            budget: What the turn may use, which is nothing here.

        Returns:
            A vertex per agent.
        """
        del budget
        return view.positions if self.moves is None else self.moves
