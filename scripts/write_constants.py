"""Writes what C++ and JavaScript know of constants that Python declares.

- cpp/include/sidestep/model/event_kinds.hpp: the kinds of events, from src/sidestep/model/events.py.
- src/sidestep/viewer/player/constants.js: what src/sidestep/viewer/constants.py lists (rules, kinds, words).

Usage: .venv/bin/python scripts/write_constants.py [--check]
With --check nothing is written: the exit code is 1 if a file would change, and those files are named.
"""

from __future__ import annotations

import sys
from pathlib import Path

from sidestep.model.events import EventKind
from sidestep.viewer.constants import constants_source

ROOT = Path(__file__).parents[1]
HEADER = ROOT / "cpp/include/sidestep/model/event_kinds.hpp"
MODULE = ROOT / "src/sidestep/viewer/player/constants.js"


def header_source() -> str:
    """The text of `event_kinds.hpp`."""
    kinds = "".join(f"    {kind.name.lower()} = {int(kind)},\n" for kind in EventKind)
    return (
        "// Written by scripts/write_constants.py from src/sidestep/model/events.py: change it there.\n"
        "#pragma once\n\n#include <cstdint>\n\nnamespace sidestep {\n\n"
        f"enum class EventKind : std::int32_t {{\n{kinds}}};\n\n"
        f"inline constexpr std::int32_t kFirstSeenByWorld = {int(EventKind.ARRIVED)};  // below: changes\n\n"
        f"{predicate('needs_agent', 'Must a row name an agent?')}"
        f"{predicate('is_reported', 'Is it written down as it is told?')}"
        "}  // namespace sidestep\n"
    )


def predicate(name: str, what: str) -> str:
    """A function of the header that says of each kind what the property of the same name says."""
    kinds = "".join(
        f"        case EventKind::{kind.name.lower()}:\n" for kind in EventKind if getattr(kind, name)
    )
    return (
        f"// {what}\nconstexpr bool {name}(EventKind kind) {{\n    switch (kind) {{\n{kinds}"
        "            return true;\n        default:\n            return false;\n    }\n}\n\n"
    )


def outdated() -> dict[Path, str]:
    """The files that are not as they would be written, with their new text."""
    texts = {HEADER: header_source(), MODULE: constants_source()}
    return {
        path: text
        for path, text in texts.items()
        if not path.exists() or path.read_text(encoding="utf-8") != text
    }


def main() -> int:
    """Writes or checks; the exit code."""
    if sys.argv[1:] not in ([], ["--check"]):
        print(__doc__, file=sys.stderr)
        return 2
    changed = outdated()
    for path, text in changed.items():
        print(path.relative_to(ROOT))
        if not sys.argv[1:]:
            path.write_text(text, encoding="utf-8", newline="\n")
    return 1 if changed and sys.argv[1:] else 0


if __name__ == "__main__":
    sys.exit(main())
