"""A person who votes for agents: proposals as sentences, a time to answer, and a mark in the transcript.

Nothing else in a dialogue depends on a clock. With a person, what was said is in the transcript, and the same
answers give the same run.
"""

from __future__ import annotations

import math
import queue
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TextIO

from ..model.arrays import is_number
from ..model.errors import InputError
from ..model.space import Space
from .utterance import Reason, order_text
from .voters import VETO, Ballot, Proposal, Stake, counted

OUTVOTES = 1e6  # what a person's wish counts: more than all weighted sums together
SAYS = {"y": "is for it", "n": "is against it", "veto": "forbids it", "": "leaves it to the agent"}
HELP = "y: yes, n: no, veto: never, a number: that vote, Enter: as the agent would"

Answer = Callable[[str, float], str | None]  # a question and seconds: a line, or None if nobody answered


@dataclass(frozen=True)
class Person:
    """Votes for some agents by asking a person; the others vote by the weighted sum.

    Attributes:
        agents: The names of the agents that the person speaks for.
        names: The names of all agents, by number.
        space: Where they are, to name places.
        deadline: Seconds to answer; after that the agent votes by its weighted sum.
        answer: Asks a question and returns the line that was typed, or None after that many seconds; None
            asks in the terminal.
    """

    agents: tuple[str, ...]
    names: tuple[str, ...] = field(repr=False)
    space: Space = field(repr=False)
    deadline: float = 30.0
    answer: Answer | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "agents", tuple(self.agents))
        for name in self.agents:
            if name not in self.names:
                raise InputError(f"there is no agent {name!r}: there are {', '.join(self.names)}")
        if not is_number(self.deadline) or not 0 < self.deadline < math.inf:
            raise InputError(f"deadline must be a number of seconds above 0, not {self.deadline!r}")
        if self.answer is None:
            object.__setattr__(self, "answer", Terminal().ask)

    def vote(self, proposal: Proposal, own: Stake) -> Ballot:
        """What the person says; as the agent would if nobody answers in time.

        Args:
            proposal: What is put to the vote.
            own: What it means to the agent that votes.

        Returns:
            The vote, and as its reason that a person voted or did not answer.
        """
        if own.name not in self.agents:
            return own.weighted_sum, ()
        question = self.question(proposal, own)
        ends = time.monotonic() + self.deadline
        while (left := ends - time.monotonic()) > 0:
            line = self.answer(question, left)  # type: ignore[misc]  # set above
            if line is None:
                break
            ballot = self._understood(line.strip().lower(), own)
            if ballot is not None:
                return ballot
            question = f"I did not understand that. {HELP}"
        says = f"nobody answered for it within {self.deadline:g} s"
        return own.weighted_sum, [Reason("unanswered", says, self.deadline)]

    def _understood(self, word: str, own: Stake) -> Ballot | None:
        """The vote that a line means; None if it means none."""
        usual = own.weighted_sum
        votes = {"y": usual - OUTVOTES, "n": usual + OUTVOTES, "veto": VETO, "": usual}
        word = {"yes": "y", "no": "n"}.get(word, word)
        if word in votes:
            return votes[word], [Reason("person", f"a person {SAYS[word]}")]
        try:
            value = float(word)
        except ValueError:
            return None
        return (
            (value, [Reason("person", f"a person votes {value:g}", value)]) if math.isfinite(value) else None
        )

    def question(self, proposal: Proposal, own: Stake) -> str:
        """Puts a proposal in a sentence.

        Args:
            proposal: What is put to the vote.
            own: What it means to the agent that votes.

        Returns:
            The question, with what may be answered.
        """
        topic = proposal.topic
        where = f"{self.space.place(topic.place)}, time {proposal.begins + topic.time}"
        others = " and ".join(self.names[agent] for agent in topic.agents if agent != own.agent)
        order = order_text(proposal.order, self.names) or "that single actions are given up"
        meets = "others" if own.asked else others
        return (
            f"{own.name} and {meets} would collide at {where}. {self.names[proposal.proposer]} proposes "
            f"{order}. For {own.name} {_difference(own)}. Shall it be so? ({HELP})"
        )


def _difference(own: Stake) -> str:
    if own.longer == 0:
        way = f"the way stays as long as it is, arriving at time {own.arrival}"
    else:
        change = "longer" if own.longer > 0 else "shorter"
        way = f"the way would be {counted(abs(own.longer))} {change}, arriving at time {own.arrival}"
    if own.more_conflicts == 0:
        return way
    more = "more" if own.more_conflicts > 0 else "fewer"
    return f"{way}, with {counted(abs(own.more_conflicts), 'conflict')} {more}"


class Terminal:
    """Questions and answers, line by line; what was typed before a question does not answer it."""

    def __init__(self, read: TextIO | None = None, write: TextIO | None = None) -> None:
        self._read, self._write = read or sys.stdin, write or sys.stderr
        self._lines: queue.Queue[str] = queue.Queue()
        self._reader: threading.Thread | None = None

    def ask(self, question: str, seconds: float) -> str | None:
        """Asks, and returns the next line; None if there is none within these seconds."""
        if self._reader is None:
            self._reader = threading.Thread(target=self._listen, daemon=True)
            self._reader.start()
        elif self._read.isatty():
            while not self._lines.empty():
                self._lines.get_nowait()
        print(question, file=self._write, flush=True)
        try:
            return self._lines.get(timeout=seconds)
        except queue.Empty:
            return None

    def _listen(self) -> None:
        for line in self._read:
            self._lines.put(line)
