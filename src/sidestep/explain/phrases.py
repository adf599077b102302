"""The words in which steps and waits are told: by `why` in Python and by the player of replays in JavaScript.

The player has them from `viewer/player/constants.js`, which scripts/write_constants.py writes.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

NAMED = 3  # agents that a sentence names; of more it gives the number


class Phrase(StrEnum):
    """A piece of a sentence, with slots in braces. `{where}` is empty, or ` at ` and a place."""

    # What an agent does
    GOES = "goes to {place}, {steps} from its goal"
    ARRIVES = "arrives at its goal {place}"
    DETOURS = "makes a detour over {place}"
    WAITS_FOR = "waits{where} for {obstacles}"
    WAITS_AHEAD = "waits{where}: going on at once, it would {meeting}"
    WAITS_FREELY = "waits{where} although nobody is in its way"
    WAITS_NEXT_TO_FREE = "waits{where} although {place} is free"
    WAITS_GOAL_CLOSED = "waits{where}: its goal is closed now"
    WAITS_NO_WAY = "waits{where}: no way leads to its goal now"

    # Who is in the way of its next step
    STANDS = "{name}, which stands on {place}"
    TAKES = "{name}, which takes {place} first"
    APPROACHES = "{name}, which comes towards it from {place}"
    LEAVES = "{name}, which is only just leaving {place}"
    FOLLOWS = "{name}, which enters {place} right behind it"
    CROSSES = "{name}, which crosses the way to {place}"

    # Whom it would meet farther on
    MEETS = "meet {name} on {place} at time {time}"
    RUNS_INTO = "run into {name}, which leaves {place} towards it, at time {time}"
    IS_PASSED = "stand on its goal {place} when {name} comes there, at time {time}"
    ENTERS_EARLY = "enter {place} while {name} is only just leaving it, at time {time}"
    IS_FOLLOWED = "have {name} right behind it on {place} at time {time}"
    CUTS_ACROSS = "cross the way of {name} on its way to {place} at time {time}"


def steps(number: int) -> str:
    """`1 step`, `2 steps`."""
    return f"{number} step{'' if number == 1 else 's'}"


def listed(words: Sequence[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def some(names: Sequence[str]) -> str:
    """`a, b and c`; of more the first few: `a, b, c and 4 others`."""
    if len(names) <= NAMED + 1:
        return listed(names)
    return listed([*names[:NAMED], f"{len(names) - NAMED} others"])
