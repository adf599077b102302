"""What JavaScript knows of Python, as the text of `player/constants.js`: see scripts/write_constants.py."""

from __future__ import annotations

import json
from typing import Any, get_args

from ..explain.phrases import Phrase
from ..judge.violation import ViolationKind
from ..model.agents import ATTRIBUTES, IDLE
from ..model.events import EventKind
from ..model.grid import Corners
from ..model.rules import RULES
from .payload import JUMP, VERSION
from .scene import HUES

HEAD = "/** Written by scripts/write_constants.py from what Python declares: change it there. */\n"


def constants() -> dict[str, tuple[str, Any]]:
    """By their names in JavaScript: what they are, and their values."""
    corners, rules = list(get_args(Corners)), {rule.name: rule.default for rule in RULES}
    attributes = {one.field: one.usually_written for one in ATTRIBUTES}
    choices = {rule.name: list(rule.choices) for rule in RULES if rule.choices}
    labels, questions = ({rule.name: getattr(rule, what) for rule in RULES} for what in ("label", "question"))
    changes = [int(kind) for kind in EventKind if kind.is_change]
    faults = [int(kind) for kind in EventKind if kind.is_planner_fault]
    return {
        "VERSION": ("the version of the payloads that the player reads", VERSION),
        "JUMP": ("the code of a move whose target is among the jumps", JUMP),
        "HUES": ("how many colours agents have", HUES),
        "IDLE": ("the goal of an agent that has none", IDLE),
        "ATTRIBUTES": ("what else agents have, unless one says otherwise", attributes),
        "CORNERS": ("at index n, n of the two cells beside a diagonal may be blocked", corners),
        "RULES": ("the rules, unless a problem says otherwise", rules),
        "RULE_CHOICES": ("of rules that are neither allowed nor forbidden, what they can be", choices),
        "RULE_LABELS": ("what rules are called in forms", labels),
        "RULE_QUESTIONS": ("what rules decide", questions),
        "EVENT": ("the kinds of events of a trace", {kind.name: int(kind) for kind in EventKind}),
        "CHANGES": ("the kinds of events that come from outside", changes),
        "FAULTS": ("the kinds of events that say what a planner cost", faults),
        "VIOLATION": ("the kinds of violations", {kind.name: str(kind) for kind in ViolationKind}),
        "PHRASES": ("the words in which steps and waits are told", {one.name: str(one) for one in Phrase}),
    }


def constants_source() -> str:
    """The text of `constants.js`."""
    return HEAD + "".join(
        f"\n/** {what[0].upper()}{what[1:]}. */\nexport const {name} = {_written(value)};\n"
        for name, (what, value) in constants().items()
    )


def _written(value: Any) -> str:
    if not isinstance(value, dict):
        return json.dumps(value, ensure_ascii=False)
    lines = (f"  {key}: {json.dumps(one, ensure_ascii=False)},\n" for key, one in value.items())
    return "{\n" + "".join(lines) + "}"
