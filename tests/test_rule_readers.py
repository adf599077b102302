"""Who reads what rules say of collisions without collision.hpp is in a table of ARCHITECTURE.md.

It is what somebody who adds a rule has to look through, so it must be whole.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent
CORE = (ROOT / "cpp" / "include" / "sidestep", ROOT / "cpp" / "src")
PACKAGE = ROOT / "src" / "sidestep"
ITSELF = "model/collision"
RULES_OF_COLLISIONS = sorted(
    set(re.findall(r"\brules\.(?!hpp)(\w+)", (CORE[0] / f"{ITSELF}.hpp").read_text()))
)
reads_a_rule = re.compile(rf"rules(_|\(\))?\.({'|'.join(RULES_OF_COLLISIONS)})\b").search


def readers() -> Iterator[str]:
    """Parts of the core without a suffix; modules of the package, in Python or JavaScript, with theirs."""
    for folder in CORE:
        for path in (*folder.rglob("*.hpp"), *folder.rglob("*.cpp")):
            if reads_a_rule(path.read_text()):
                yield path.relative_to(folder).with_suffix("").as_posix()
    for path in (*PACKAGE.rglob("*.py"), *PACKAGE.rglob("*.js")):
        if reads_a_rule(path.read_text()):
            yield path.relative_to(PACKAGE).as_posix()


def listed() -> list[str]:
    section = (
        (ROOT / "ARCHITECTURE.md").read_text().split("\n### Who reads the rules without")[1].split("\n## ")[0]
    )
    rows = re.findall(r"^\| (`.+?) \| .+ \|$", section, re.MULTILINE)
    return [name for row in rows for name in re.findall("`([^`]+)`", row)]


def test_the_rules_of_collisions_are_found() -> None:
    assert {"crossing", "following"} <= set(RULES_OF_COLLISIONS)


def test_the_table_names_all_who_read_rules_themselves_and_nobody_else() -> None:
    assert sorted(listed()) == sorted(set(readers()) - {ITSELF})
