"""What a claim is: a record of which an answer is made, and how it is written as data."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Any, ClassVar

from ..dialogue.utterance import order_text

AGENT, AGENTS, PLACE, PATH, PATHS, ORDER, CHANGES, PLAN = (
    {"as": word} for word in ("agent", "agents", "place", "path", "paths", "order", "changes", "plan")
)


@dataclass(frozen=True)
class Part:
    """A record of fields; the metadata of a field say what its numbers are."""

    def data(self, names: tuple[str, ...], place: Callable[[int], Any]) -> dict[str, Any]:
        """Lists, numbers and words only; a plan that is evidence is left out."""
        said: dict[str, Any] = {}
        for one in fields(self):
            form = one.metadata.get("as", "")
            if form != "plan":
                said[one.name] = plain(getattr(self, one.name), form, names, place)
        return said


@dataclass(frozen=True)
class Claim(Part):
    """Something that is so, or not. `expert`: only those who ask for details read it."""

    expert: ClassVar[bool] = False
    checkable: ClassVar[bool] = True

    @classmethod
    def kind(cls) -> str:
        """The name of the kind of claim, as it is in files."""
        return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", cls.__name__).lower()

    def data(self, names: tuple[str, ...], place: Callable[[int], Any]) -> dict[str, Any]:
        """Its kind, and its fields."""
        return {"kind": self.kind(), **super().data(names, place)}


def plain(value: Any, form: str, names: tuple[str, ...], place: Callable[[int], Any]) -> Any:
    """What a field of a claim says, as lists, numbers and words; `form` says what its numbers are."""
    if isinstance(value, Part):
        return value.data(names, place)
    if value is None or (form in ("agent", "place") and value == -1):
        return None
    forms: dict[str, Callable[[], Any]] = {
        "agent": lambda: names[value],
        "agents": lambda: [names[agent] for agent in value],
        "place": lambda: list(where) if isinstance(where := place(value), tuple) else where,
        "path": lambda: [plain(vertex, "place", names, place) for vertex in value],
        "paths": lambda: [plain(path, "path", names, place) for path in value],
        "order": lambda: order_text(value, names),
        "changes": lambda: {names[agent]: by for agent, by in value},
    }
    if form in forms:
        return forms[form]()
    return [plain(one, "", names, place) for one in value] if isinstance(value, tuple) else value
