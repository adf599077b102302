"""Checks that a tag may be released: `python scripts/check_release.py v1.2.3`.

The tag is the version in src/sidestep/__init__.py, and CHANGELOG.md has a section for it with a date.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def version() -> str:
    """The version of the package, from the one place that has it."""
    text = (ROOT / "src" / "sidestep" / "__init__.py").read_text(encoding="utf-8")
    found = re.search(r'^__version__ = "(.+)"$', text, re.MULTILINE)
    assert found, "src/sidestep/__init__.py has no __version__"
    return found[1]


def complaints(tag: str, changelog: str) -> list[str]:
    """What stands in the way of this release, a sentence each."""
    ours = version()
    if tag != f"v{ours}":
        return [f"the tag of version {ours} is v{ours}, not {tag}"]
    if not re.search(rf"^## {re.escape(ours)} - \d{{4}}-\d\d-\d\d$", changelog, re.MULTILINE):
        return [f"CHANGELOG.md has no dated section: ## {ours} - YYYY-MM-DD"]
    return []


def main() -> int:
    """Prints what stands in the way; the exit code."""
    if len(sys.argv) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    found = complaints(sys.argv[1], (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"))
    for sentence in found:
        print(f"check_release: {sentence}", file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
