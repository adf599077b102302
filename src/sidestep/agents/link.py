"""What an agent has sent: numbered, and said again until it was heard, where messages may get lost."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeVar

import msgspec

from . import messages as m

_M = TypeVar("_M", bound=m.Message)
WHILE_TICKING = (m.Hello, m.Move)  # said again until the next tick
WHILE_PLANNING = (m.Quiet, m.Stuck)  # until the next round
TO_OTHERS = (
    m.Said,
    m.Done,
    m.Token,
    m.Letter,
    m.Stance,
    m.Beat,
)  # until all others have acknowledged it, or the next round, or tick


class Link:
    """The outbox of one agent, and its early messages.

    Args:
        run: The name of the run.
        agent: Whose it is.
        incarnation: The agent's.
        reliable: Whether whatever is sent arrives.
    """

    def __init__(self, run: str, agent: int, incarnation: int, *, reliable: bool) -> None:
        self.run, self.agent, self.incarnation, self.reliable = run, agent, incarnation, reliable
        self.round, self.step = -1, 0
        self.early: list[m.Message] = []
        self._number = self._looked = 0
        self._out: list[m.Message] = []
        self._again: dict[type[m.Message], m.Message] = {}
        self._unheard: dict[int, tuple[m.Message, list[int]]] = {}  # and who has not heard it

    def take(self) -> list[m.Message]:
        """What has to be sent now."""
        out, self._out = self._out, []
        return out

    def send(self, kind: type[_M], hearers: Iterable[int], **fields: Any) -> _M:
        """Sends a message of this round and step, and remembers to say it again."""
        message = kind(
            run=self.run,
            incarnation=self.incarnation,
            round=self.round,
            step=self.step,
            sender=self.agent,
            number=self._number,
            hearers=tuple(hearers),
            **fields,
        )
        self._number += 1
        if not message.hearers and kind is not m.Done:  # nobody hears it, but who records a run
            return message
        self._out.append(message)
        if self.reliable and kind is not m.Hello:  # which may come before anybody listens
            return message
        if kind in TO_OTHERS:
            self._unheard[message.number] = (message, list(message.hearers))
        elif kind is not m.Ack and kind is not m.Report:
            self._again[kind] = message
        return message

    def report(self, what: str) -> None:
        """Tells the world of something odd."""
        self.send(m.Report, (m.WORLD,), what=what[:200])

    def acknowledge(self, message: m.Message) -> None:
        """Says that a message was heard."""
        if not self.reliable:
            self.send(m.Ack, (message.sender,), of=message.number)

    def hear_ack(self, ack: m.Ack) -> None:
        """One of the hearers has heard a message."""
        unheard = self._unheard.get(ack.of)
        if unheard is None or unheard[0].round != ack.round:  # it is of another in this place
            return
        left = unheard[1]
        if ack.sender in left:
            left.remove(ack.sender)
        if not left:
            del self._unheard[ack.of]

    def repeat(self) -> None:
        """Says again what nobody is known to have heard, but for what was said since the last such look.

        For that there has been no time to hear of an answer.
        """
        before, self._looked = self._looked, self._number
        for message, left in self._unheard.values():
            if message.number >= before:
                break
            is_whole = len(left) == len(message.hearers)
            self._out.append(message if is_whole else msgspec.structs.replace(message, hearers=tuple(left)))
        self._out += (message for message in self._again.values() if message.number < before)

    def begin_tick(self) -> None:
        """Nobody needs what was said about the last tick any more."""
        for kind in WHILE_TICKING:
            self._again.pop(kind, None)
        unheard = self._unheard.items()
        self._unheard = {number: one for number, one in unheard if type(one[0]) is not m.Beat}

    def begin_round(self, number: int) -> None:
        """Nobody needs what was said in the last round any more."""
        self.round, self.step = number, 0
        self._unheard.clear()
        for kind in WHILE_PLANNING:
            self._again.pop(kind, None)

    def withdraw(self, kind: type[m.Message]) -> None:
        """What was last said of this kind no longer holds."""
        self._again.pop(kind, None)

    def begin_incarnation(self, number: int) -> None:
        """Begins anew, as somebody else."""
        self.incarnation, self.round, self.step, self._number, self._looked = number, -1, 0, 0, 0
        self._unheard.clear()
        self._again.clear()
        self.early.clear()
