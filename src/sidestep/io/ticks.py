"""Runs of the League of Robot Runners since 2026: actions take several ticks, and are told as runs in
segments.

A path is `[(tick,row,col,heading,counter):(F 10,W 3,R 10)]`, one or more of these after each other: where
the agent is at a tick and how much of its action is done, then actions with the ticks that it was at them.
An action is done after as many ticks as `agentMaxCounter` says; a wait may come between, when an agent is
delayed.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import groupby

import numpy as np

from .cells import Spot
from .jsonfile import Record
from .moves import Moves

USUAL = 10  # ticks per action where a file does not say

_RUN = r"\s*+[A-Z]\s++[0-9]{1,9}\s*+"
_SEGMENT = re.compile(
    r"\s*+,?\s*+\[\s*+\(((?:\s*+-?[0-9]{1,9}\s*+,){4}\s*+-?[0-9]{1,9}\s*+)\)\s*+:\s*+\(((?:"
    + _RUN
    + r",)*+(?:"
    + _RUN
    + r")?)\)\s*+\]\s*+"
)


@dataclass(frozen=True)
class Segment:
    """A part of a path: where it begins and when, and runs of actions with their ticks."""

    tick: int
    row: int
    col: int
    counter: int
    runs: list[tuple[str, int]]

    @property
    def ticks(self) -> int:
        """How long it takes."""
        return sum(ticks for _, ticks in self.runs)


def segments_of(record: Record, name: str, text: object) -> list[Segment]:
    """The segments of a path."""
    found: list[Segment] = []
    at = 0
    while isinstance(text, str) and at < len(text):
        match = _SEGMENT.match(text, at)
        if match is None:
            break
        tick, row, col, _, counter = map(int, match[1].split(","))
        runs = [word.split() for word in match[2].split(",") if word.strip()]
        found.append(Segment(tick, row, col, counter, [(letter, int(ticks)) for letter, ticks in runs]))
        at = match.end()
    if not isinstance(text, str) or at < len(text):
        raise record.error(name, "must be segments like [(0,2,3,0,0):(F 10,R 10)], as since 2026")
    return found


class TickWalk:
    """An agent that acts tick by tick: it leaves a cell when its move is done.

    Args:
        record: The file, for errors.
        name: The path of the agent in it.
        start: Where the agent begins.
        heading: Where it looks, as an index clockwise from the east.
        per_action: How many ticks an action takes.
        steps: Per letter rows down and columns to the right, by heading; a letter that is none is a turn or
            a wait.
        turns: Per letter by how many quarters it turns clockwise.
        most: How many moves straight ahead lead off the map from anywhere: more of them need not be told.
    """

    def __init__(
        self,
        record: Record,
        name: str,
        start: Spot,
        *,
        heading: int,
        per_action: int,
        steps: dict[str, list[tuple[int, int]]],
        turns: dict[str, int],
        most: int,
    ) -> None:
        self._record, self._name = record, name
        self._row, self._col, self._heading = start.row, start.col, heading
        self._per_action, self._steps, self._turns, self._most = per_action, steps, turns, most
        self._action, self._counter, self._tick = "", 0, 0
        self._moves = [Moves.same(0, 0, 0)]

    def moves(self, segments: list[Segment]) -> Moves:
        """All that the agent does, in runs of equal moves."""
        for segment in segments:
            self._check(segment)
            for letter, ticks in segment.runs:
                self._act(letter, ticks)
        return Moves.joined(self._moves)

    def _check(self, segment: Segment) -> None:
        """What a segment says of its beginning is what comes of those before it."""
        if segment.tick != self._tick:
            raise self._error(f"has a segment from tick {segment.tick} on where it has come to {self._tick}")
        is_between = self._counter > 0 or segment.counter > 0
        if not is_between and (segment.row, segment.col) != (self._row, self._col):
            raise self._error(
                f"is at row {self._row}, column {self._col} at tick {self._tick}, "
                f"but its next segment begins at row {segment.row}, column {segment.col}"
            )

    def _act(self, letter: str, ticks: int) -> None:
        self._tick += ticks
        if letter in "WT":
            self._moves.append(Moves.same(0, 0, ticks))
            return
        if letter not in self._steps and letter not in self._turns:
            known = ", ".join((*self._steps, *self._turns, "W", "T"))
            raise self._error(f"has the action {letter!r}, which is none of {known}")
        if self._counter and letter != self._action:
            raise self._error(f"begins {letter} at tick {self._tick - ticks} in the middle of {self._action}")
        self._action, before = letter, self._counter
        done, self._counter = divmod(before + ticks, self._per_action)
        if letter in self._turns:
            self._heading = (self._heading + self._turns[letter] * done) % 4
            self._moves.append(Moves.same(0, 0, ticks))
        elif done:
            self._go(*self._steps[letter][self._heading], done, before)
            self._moves.append(Moves.same(0, 0, self._counter))
        else:
            self._moves.append(Moves.same(0, 0, ticks))

    def _go(self, down: int, right: int, done: int, before: int) -> None:
        """Some moves one after another, of the first of which some ticks were over: each ends with a step."""
        self._row, self._col = self._row + down * done, self._col + right * done
        times = np.ones(2 * min(done, self._most), dtype=np.int64)
        times[::2] = self._per_action - 1
        times[0] -= before
        steps = np.zeros((2, len(times)), dtype=np.int8)
        steps[:, 1::2] = [[down], [right]]
        self._moves.append(Moves(steps[0], steps[1], times))

    def _error(self, message: str) -> Exception:
        return self._record.error(self._name, message)


def path_in_ticks(letters: list[str], starts: list[tuple[int, int]], per_action: int, most: int = 20) -> str:
    """The text of a path of whole moves, in segments of up to `most` of them."""
    found = []
    for begin in range(0, len(letters), most):
        runs = [(letter, len(list(same))) for letter, same in groupby(letters[begin : begin + most])]
        row, col = starts[begin]
        told = ",".join(f"{letter} {count * per_action}" for letter, count in runs)
        found.append(f"[({begin * per_action},{row},{col},0,0):({told})]")
    return "".join(found)
