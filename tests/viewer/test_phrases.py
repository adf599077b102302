"""The player and `ss.why` tell steps and waits in the same words."""

from __future__ import annotations

import re
from itertools import product

import pytest

import sidestep as ss
from sidestep.explain.phrases import Phrase
from tests.sizing import examples, some_of

from .conftest import Show, crowd, film

# Situations in which the first agent waits, or walks, from time 0 to 1.
SITUATIONS = {
    "one stands in its way": film(
        "a b . A\n. . . .\n\na b . .\n. . . .\n\n. a . .\n. b . .\n\n. . a .\n. b . .\n\n. . . a\n. b . ."
    ),
    "one takes the cell first": film(
        "a . . A\n# b . #\n\na b . .\n# . . #\n\n. a b .\n# . . #\n\n. . a .\n# . b #\n\n. . . a\n# . b #"
    ),
    "one is only just leaving": film(
        "a b . .\n\na . b .\n\n. a . b\n\n. . a b", rules=ss.Rules(following=False)
    ),
    "one crosses its way": film("a b\n. .\n\na .\nb .\n\n. .\nb a", connectivity=8),
    "one would be met farther on": film(
        ". b . .\na . . A\n. . . .\n\n. . b .\na . . .\n. . . .\n\n. . . .\n. a b .\n. . . .\n\n"
        ". . . .\n. . a .\n. . b .\n\n. . . .\n. . . a\n. . b ."
    ),
    "one would come towards it farther on": film(
        "a . . b\n# . # #\n\na . b .\n# . # #\n\na b . .\n# . # #\n\n. a . .\n# b # #\n\n"
        ". . a .\n# b # #\n\n. . . a\n# b # #"
    ),
    "it goes on": film("a . . A\n\n. a . .\n\n. . a .\n\n. . . a"),
    "it arrives": film("a A\n\n. a"),
}


def of_why(plan: ss.Plan, agent: int, time: int) -> str:
    """The first sentence of the answer, without the place that a map shows anyway."""
    first = ss.why(plan, agent, time).text.splitlines()[0]
    return re.sub(r" waits at \(\d+, \d+\)", " waits", first).replace(", as it likes best", "")


@pytest.mark.parametrize("situation", SITUATIONS)
def test_both_say_the_same_about_the_same(show: Show, situation: str) -> None:
    plan = SITUATIONS[situation]
    shown = show(plan)
    shown.call("select", 0)
    assert shown.ticker == of_why(plan, 0, 0)


def pattern(*phrases: Phrase) -> str:
    """What fits one of the phrases, whatever is in their slots."""
    return "|".join(re.sub(r"\\\{\w+\\\}", ".*", re.escape(phrase)) for phrase in phrases)


WAITS = [phrase for phrase in Phrase if phrase.name.startswith("WAITS")]


@pytest.mark.parametrize(("connectivity", "following"), some_of(product([4, 8], [True, False])))
def test_all_waits_of_a_crowd_are_told_in_words_of_the_table(
    show: Show, connectivity: int, following: bool
) -> None:
    problem = crowd(45, 10, connectivity, rules=ss.Rules(following=following))
    plan = ss.solve(problem, "whca").plan
    assert plan
    entries = show(plan).page.evaluate(
        "document.getElementById('player').player.active.scene.entries"
        ".filter(({ group }) => group === 'waits').map(({ row, agents, text }) => [row, agents[0], text])"
    )
    assert entries
    fits = re.compile(rf"a\d+ (?:{pattern(*WAITS)})")
    for row, agent, text in entries[: examples(40)]:  # an answer takes its time
        said = re.sub(r" \(\d+ steps\)$", "", text)
        assert fits.fullmatch(said), said
        assert fits.fullmatch(of_why(plan, agent, row).removesuffix(".")), of_why(plan, agent, row)
