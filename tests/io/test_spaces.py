"""Spaces and rules as they are in files."""

from __future__ import annotations

from dataclasses import asdict, make_dataclass
from typing import Any

import pytest

from sidestep.io import spaces
from sidestep.model.rules import FIRST_RULES, RULES, Rule, Rules

HASTY = Rule("hasty", "May hurry", "May agents hurry?", default=False, choices=())
HastyRules: Any = make_dataclass("HastyRules", [("hasty", bool, False)], bases=(Rules,), frozen=True)


def test_the_first_rules_are_always_written() -> None:
    assert spaces.rules_entry(Rules()) == {name: asdict(Rules())[name] for name in FIRST_RULES}


def test_a_later_rule_is_written_only_where_it_is_not_as_usual(monkeypatch: pytest.MonkeyPatch) -> None:
    """So that older versions, which do not know it, read all other files."""
    usual = spaces.rules_entry(Rules())
    monkeypatch.setattr(spaces, "RULES", (*RULES, HASTY))
    assert spaces.rules_entry(HastyRules()) == usual
    assert spaces.rules_entry(HastyRules(hasty=True)) == {**usual, "hasty": True}
