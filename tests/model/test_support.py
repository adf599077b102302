"""What a solver does not say it honours is refused for it."""

from __future__ import annotations

from dataclasses import dataclass, fields, make_dataclass
from typing import Any

import pytest

import sidestep as ss
from sidestep.model import support
from sidestep.model.rules import RULES, Rule, Rules
from sidestep.model.support import Support, require_support, supported
from sidestep.solvers import SOLVERS

HASTY = Rule("hasty", "May hurry", "May agents hurry?", default=False, choices=())
HastyRules: Any = make_dataclass("HastyRules", [("hasty", bool, False)], bases=(Rules,), frozen=True)


@dataclass(frozen=True)
class Easy:
    """Takes everything that it is asked about."""

    honours: tuple[str, ...] = ()

    def supports(self, problem: ss.Problem) -> Support:
        return Support()


@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch) -> ss.Problem:
    """A problem under a rule that no solver has heard of."""
    monkeypatch.setattr(support, "RULES", (*RULES, HASTY))
    monkeypatch.setattr(Rules, "hasty", False, raising=False)
    problem = ss.Problem.from_text("a . A")
    return ss.Problem(problem.space, [(0, 0)], [(0, 2)], rules=HastyRules(hasty=True))


def test_a_rule_that_a_solver_does_not_name_is_refused_with_a_sentence(hasty: ss.Problem) -> None:
    with pytest.raises(ss.UnsupportedError) as error:
        require_support(Easy(), hasty, "easy")
    assert str(error.value) == "easy does not take this problem: it does not honour the rule hasty=True"


def test_a_rule_that_it_names_is_left_to_supports(hasty: ss.Problem) -> None:
    assert supported(Easy(("hasty",)), hasty)


def test_a_rule_that_is_as_usual_needs_nobody_to_honour_it(hasty: ss.Problem) -> None:
    usual = ss.Problem(hasty.space, [(0, 0)], [(0, 2)])
    assert supported(Easy(), usual)


@pytest.mark.parametrize("name", SOLVERS)
def test_every_solver_refuses_a_rule_that_it_has_not_heard_of(name: str, hasty: ss.Problem) -> None:
    with pytest.raises(ss.UnsupportedError, match="the rule hasty=True"):
        ss.solve(hasty, name)


def test_who_plans_by_another_solver_asks_it(hasty: ss.Problem, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where only the outer one names the rule."""
    monkeypatch.setattr(ss.ID, "honours", ("hasty",), raising=False)
    assert not supported(ss.ID(inner="cbs"), hasty)
    monkeypatch.setattr(ss.CBS, "honours", ("hasty",), raising=False)
    assert supported(ss.ID(inner="cbs"), hasty)
    assert not supported(ss.ID(inner="od"), hasty)


def test_in_a_world_sessions_are_asked_too(hasty: ss.Problem) -> None:
    with pytest.raises(ss.UnsupportedError, match="the rule hasty=True"):
        ss.World(hasty, ss.WHCA())


def test_rules_are_declared_in_the_order_of_their_fields() -> None:
    assert [rule.name for rule in RULES] == [field.name for field in fields(Rules)]
    assert all(rule.default in rule.values and len(rule.values) > 1 for rule in RULES)
