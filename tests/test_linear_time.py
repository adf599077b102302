"""No text is read, and no sentence is made, in more than linear time.

Whatever a reader might do in quadratic time with a run of equal characters shows when a text of its format is
pumped up there, with each of a few characters: at every place, but that of places between the same two
characters one will do, where all digits are the same and so are all letters. What follows is once as it was,
and once wrong: a pattern that fits tries nothing else.
"""

from __future__ import annotations

import gc
import json
import re
import time
from collections.abc import Callable
from contextlib import suppress
from itertools import product

import pytest

import sidestep as ss
from sidestep.io import FORMATS, Document, detect
from tests.sizing import some_of
from tests.torture.reading import readers, seeds

PUMPED = (
    " ",
    "\t",
    "\n",
    " \n",
    "#\n",
    "0",
    "(",
    "[",
    '"',
    '""',
    ",",
    "w",
    ":",
    "a ",
    ". ",
    "- ",
    "\x1e",
    "é",
    "\\",
)
SHORT, FACTOR = 4_000, 4
FLOOR = 0.12  # seconds of CPU below which nothing is to be feared
ALLOWED = 9.0  # times the CPU for four times the text: 16 would be quadratic, and machines are busy


def cpu(call: Callable[[], object]) -> float:
    """The collector, which looks at all that other tests have left, is no part of it."""
    gc.disable()
    try:
        begun = time.thread_time()
        call()
        return time.thread_time() - begun
    finally:
        gc.enable()


def assert_linear(what: str, call: Callable[[int], object]) -> None:
    """A long text is fast, or takes no longer than its length explains, in the best of three looks."""
    if cpu(lambda: call(SHORT * FACTOR)) < FLOOR:
        return
    ratios = [cpu(lambda: call(SHORT * FACTOR)) / max(cpu(lambda: call(SHORT)), 1e-4) for _ in range(3)]
    assert min(ratios) < ALLOWED, f"{what}: {min(ratios):.1f} times the time for four times the text"


def reads(name: str, text: str) -> None:
    form = next(one for one in FORMATS if one.name == name)
    for read in (detect, *(read for _, read in readers(form))):
        with suppress(ss.SidestepError):
            read(Document(text, "x"))


def is_read(name: str, text: str) -> bool:
    """Is it on one of our maps? A reader gives up early on the others."""
    form = next(one for one in FORMATS if one.name == name)
    for _, read in readers(form):
        with suppress(ss.SidestepError):
            read(Document(text, "x"))
            return True
    return False


def spots(name: str) -> list[tuple[str, int]]:
    """Places in texts of a format: the first between every two kinds of characters, and both ends."""
    found: dict[str, tuple[str, int]] = {}
    for text in sorted(seeds(name), key=lambda text: not is_read(name, text)):
        kinds = re.sub("[0-9]", "0", re.sub(r"[^\W\d_]", "a", text))
        for at in range(len(text) + 1):
            found.setdefault(kinds[max(at - 1, 0) : at + 1], (text, at))
    return list(found.values())


@pytest.mark.parametrize("name", [form.name for form in FORMATS])
def test_a_pumped_text_is_read_in_linear_time(name: str) -> None:
    for (text, at), pump, wrong in some_of(product(spots(name), PUMPED, ("", "~"))):
        assert_linear(
            f"{name}, {pump!r} at {at} of {text[:20]!r}",
            lambda size, text=text, at=at, pump=pump, wrong=wrong: reads(
                name, text[:at] + pump * (size // len(pump)) + text[at : at + 1] + wrong + text[at + 1 :]
            ),
        )


def refused(call: Callable[[], object]) -> None:
    with pytest.raises(ss.SidestepError):
        call()


SENTENCES: dict[str, Callable[[str], object]] = {
    "InputError": ss.InputError,
    "FormatError": ss.FormatError,
    "a line of a map": lambda text: refused(lambda: ss.io.read_map(Document(f"x{text}y"))),
    "the type of a map": lambda text: refused(lambda: ss.io.read_map(Document(f"type {text}y"))),
    "a field that JSON has": lambda text: refused(
        lambda: ss.io.read_plan(Document(json.dumps({"format": "sidestep-plan", "version": 1, text: 1})))
    ),
    "the name of a solver": lambda text: refused(lambda: ss.solve(ss.Problem.from_text("a A"), f"x{text}y")),
    "the name of an agent": lambda text: refused(lambda: ss.Problem.from_text("a A").index(f"x{text}y")),
    "two agents of one name": lambda text: refused(
        lambda: ss.Problem(ss.Grid.from_text(". ."), [(0, 0), (0, 1)], [None, None], names=[f"x{text}y"] * 2)
    ),
    "a drawing": lambda text: refused(lambda: ss.Problem.from_text(f"a {text} A\n.")),
    "the title of a replay": lambda text: ss.replay(ss.Plan(ss.Problem.from_text("a A"), [[0]]), title=text),
}


@pytest.mark.parametrize("what", SENTENCES)
@pytest.mark.parametrize("pump", [" ", "\n", " \n", "\t", "'", "\\", "é"])
def test_a_sentence_about_a_long_text_is_made_in_linear_time(what: str, pump: str) -> None:
    assert_linear(what, lambda size: SENTENCES[what](pump * (size // len(pump))))
