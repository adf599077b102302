"""What somebody does with whom an agent would collide: the word by which `phrases.py` has a phrase for it."""

from __future__ import annotations

from .step import Doing

_NOW = {"swap": "approaches", "crossing": "crosses"}
_LATER = {"vertex": "meets", "swap": "runs_into", "crossing": "cuts_across"}


def manner_of(doing: Doing, kind: str, there: tuple[bool, bool], *, time: int, when: int, ends: int) -> str:
    """The manner of a collision at a time `when` on a way that begins at `time` and ends at `ends`.

    `there` says whether the other is in the place before and after the step.
    """
    if doing in (Doing.STEPS_OFF, Doing.MAKES_ROOM):
        return "comes"
    if when == time + 1:
        moving = {
            "vertex": "stands" if all(there) else "takes",
            "following": "leaves" if there[0] else "follows",
        }
        return (_NOW | moving)[kind]
    if when > ends:
        return "is_passed"
    return (_LATER | {"following": "enters_early" if there[0] else "is_followed"})[kind]
