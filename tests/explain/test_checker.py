"""The checker finds out every kind of false claim, and shares no code with who finds or words claims."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest

import sidestep as ss
from dialogue.thesis import example, thesis_planner
from sidestep.explain import Inquiry
from sidestep.explain.checker import Checker
from sidestep.explain.claims import KINDS, Attempt, Claim, Outcome, Way
from sidestep.instances import random_grid, random_problem
from tests.agents.problems import crowd as crowd_of_8x8
from tests.sizing import examples

from .crowds import SOLVERS, asked, crowd

HERE = Path(ss.__file__).parent / "explain"
ALLOWED = {"claim", "claims", "grounds", "checker", "dialogue.utterance", "judge", "model"}


def imported(source: Path) -> Iterator[str]:
    """The modules of the package that a file imports, but for what only names types."""
    for node in ast.walk(ast.parse(source.read_text())):
        if isinstance(node, ast.ImportFrom) and node.level:
            up = source.relative_to(HERE.parent).parts[: -node.level]
            names = [f"{node.module}" if node.module else one.name for one in node.names]
            yield from (".".join((*up, name)) for name in names)


def test_the_checker_shares_no_code_with_what_it_checks():
    found = {name for source in (HERE / "checker").glob("*.py") for name in imported(source)}
    own = {name.removeprefix("explain.") for name in found}
    wrong = {name for name in own if not any(name == one or name.startswith(f"{one}.") for one in ALLOWED)}
    assert wrong == set()
    data = {name for file in ("claim.py", "claims.py", "grounds.py") for name in imported(HERE / file)}
    assert data - {"explain.claim"} <= {
        "dialogue.utterance",
        "dialogue.transcript",
        "model.plan",
        "model.problem",
        "model.trace",
    }


def test_what_finds_and_words_claims_does_not_use_the_checker():
    users = {source.name for source in HERE.glob("*.py") if "explain.checker" in set(imported(source))}
    assert users == {"answer.py", "inquiry.py"}  # which only ask it


# True answers of all kinds


def stuck_world() -> ss.World:
    """b is walled in, a waits for b; later c and d wait for each other."""
    world = ss.World(ss.Problem.from_text("a . b . A B"), ss.WDPCA(), stuck_after=3)
    world.block((0, 3))
    for _ in range(6):
        world.step()
    return world


def standing_still(problem: ss.Problem) -> ss.Trace:
    world = ss.World(problem, StandStill())
    world.block((1, 1))
    world.step()
    world.step()
    return world.trace


class StandStill:
    """A planner whose agents never move."""

    def session(self, problem, *, seed=0):
        return self

    def step(self, view, *, budget):
        return view.positions.copy()


def answers() -> Iterator[ss.Answer]:
    """About runs of many kinds."""
    for name, seed in (
        ("dpca", 3),
        ("dpca", 8),
        ("dpca+", 3),
        ("wdpca-2", 3),
        ("wdpca-4", 6),
        ("pca", 3),
        ("dpca", 5),
        ("dpca", 6),
        ("wdpca-2", 4),
        ("dpca in lock-steps", 3),
        ("dpca by schedules", 3),
        ("wdpca-4 with reasons", 6),
    ):
        result = ss.solve(crowd(seed), SOLVERS[name])
        inquiry = Inquiry(result)
        if result:
            yield from (inquiry.why(*step) for step in asked(result) if inquiry.needs_a_reason(*step))
            yield inquiry.without_effect()
    problem = example()
    solver = ss.DPCA(length_weight=1, conflict_weight=3, planner=thesis_planner(problem))
    thesis = Inquiry(ss.solve(problem, solver))
    yield from (thesis.why_not("a1", 1, place) for place in ((1, 1), (3, 3), (1, 2), (0, 0)))
    yield from (thesis.why_first(*pair) for pair in (("a1", "a3"), ("a2", "a3"), ("a3", "a1")))
    corridor = ss.Problem(ss.Grid.from_text(". . . . .\n# # . # #"), [(0, 0), (0, 4)], [(0, 4), (0, 0)])
    yield ss.solve(corridor, "dpca").why()
    yield ss.solve(corridor, "dpca", actions=True).why("a1", 1)
    pocket = ss.Plan(corridor, [[0, 4], [1, 4], [2, 3], [7, 2], [2, 1], [3, 0], [4, 0]])
    yield ss.why_not(pocket, "a1", 2, (0, 2))
    yield ss.why_not(ss.solve(ss.Problem.from_text("a . A\n# . ."), "whca"), "a", 2, (1, 0))
    leaving = ss.Problem.from_text("a . A . .\n. # # # .\n. . . . .", rules=ss.Rules(at_goal="disappear"))
    yield ss.why_not(ss.Plan(leaving, [[0], [0], [0], [0], [1], [2]]), "a", 5, (0, 4))
    yield ss.solve(ss.Problem.from_text("a # A")).why()
    slow = ss.Plan(
        ss.Problem.from_text("# a #\nb . B\n# A #"), [[1, 3], [4, 3], [7, 3], [7, 3], [7, 4], [7, 5]]
    )
    yield from (ss.why(slow, "b", time) for time in range(3))
    yield from (ss.why(stuck_world().trace, agent, 4) for agent in ("a", "b"))
    ring = standing_still(ss.Problem(ss.Grid.from_text(". .\n. .\n. ."), [(0, 0), (0, 1)], [(0, 1), (0, 0)]))
    yield ss.why(ring, 0, 1)
    yield ss.solve(circling(), ss.DPCA(settle_circles=False)).why()
    yield ss.solve(random_problem(random_grid(6, 6, 0.2, 29), 12, 29), "dpca").why()
    yield ss.solve(corridor, "pca").why()
    yield ss.solve(crowd_of_8x8(0, most=14), "wdpca", window=2, widen=False).why()
    yield ss.solve(corridor, "wdpca", max_turns=3).why()


def circling() -> ss.Problem:
    """A crowd in which the orders that agents adopt go round in a circle."""
    for seed in range(100):
        problem = random_problem(random_grid(6, 6, 0.15, seed), 12, seed)
        if "again and again" in ss.solve(problem, ss.DPCA(settle_circles=False)).reason:
            return problem
    raise AssertionError("no circle")


@pytest.fixture(scope="module")
def true_answers() -> list[ss.Answer]:
    return list(answers())


def test_true_answers_are_verified_and_have_claims_of_all_kinds(true_answers):
    for answer in true_answers:
        assert answer.verified or answer.faults() == ["not_found: nothing proves it"], (
            answer.text,
            answer.faults(),
        )
    found = {claim.kind() for answer in true_answers for claim in answer.claims}
    assert found | {"not_found"} == set(KINDS)


# False ones


# What may be so of the next one, too: what holds at a time, or of a dialogue, and how a way goes on that was
# asked for.
LASTING = {
    **dict.fromkeys(
        ("chain", "closed", "cut_off", "entered", "leaves_first", "ring", "sooner", "waits_for"), ("time",)
    ),
    **{"no_effect": ("dialogue",), "too_far": ("agent", "time"), "way": ("by",)},
}


def lies(claim: Claim) -> Iterator[Claim]:
    """The claim with one thing changed."""
    for one in fields(claim):
        for value in (
            others(getattr(claim, one.name)) if one.name not in LASTING.get(claim.kind(), ()) else ()
        ):
            yield replace(claim, **{one.name: value})


def others(value: Any) -> Iterator[Any]:
    """Something else of the same kind."""
    match value:
        case bool() | ss.Plan():
            return
        case int() | float():
            yield value + 1
        case str():
            yield "something else"
        case Outcome() | Attempt():
            yield from (
                replace(value, **{f.name: o}) for f in fields(value) for o in others(getattr(value, f.name))
            )
        case None:
            yield 0
        case tuple() if value:
            for nth, one in enumerate(value):
                yield from (
                    (*value[:nth], other, *value[nth + 1 :]) for other in others(one) if _alike(one, other)
                )
            yield value[1:]
        case tuple():
            yield (0,)


def _alike(one: Any, other: Any) -> bool:
    return not isinstance(one, tuple) or len(one) == len(other)


def is_caught(answer: ss.Answer, claim: Claim, lie: Claim) -> bool:
    told = [lie if one is claim else one for one in answer.claims]
    try:
        return bool(Checker(answer.grounds).faults(told))
    except (IndexError, KeyError):
        return True  # it speaks of what there is not


@pytest.mark.parametrize("kind", sorted(set(KINDS) - {"not_found"}))
def test_a_planted_false_claim_is_caught(kind, true_answers):
    """Whatever is changed in a claim, the checker says that it is not so."""
    planted = 0
    for answer in true_answers:
        for claim in answer.claims:
            if claim.kind() != kind or planted > examples(60):
                continue
            for lie in lies(claim):
                if lie == claim or is_still_true(claim, lie):
                    continue
                planted += 1
                assert is_caught(answer, claim, lie), (lie, claim)
    assert planted > 0


def is_still_true(claim: Claim, lie: Claim) -> bool:
    """What may be changed without becoming false: how a longer way goes on is the asker's own choice."""
    return (
        isinstance(claim, Way) and claim.over is not None and isinstance(lie, Way) and lie.path != claim.path
    )
