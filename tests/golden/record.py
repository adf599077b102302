"""`python -m tests.golden.record`: runs the corpus, says what has changed, and stores the new digests.

`--check` stores nothing; names of groups limit it to these.
"""

from __future__ import annotations

import argparse
import json
import logging
import sys
import time
from pathlib import Path

from .digest import digest
from .groups import GROUPS

FILE = Path(__file__).parent / "digests.json"

Digests = dict[str, str]


def run(group: str) -> Digests:
    """The digests of a group's cases: per case its parts, as `name:digest` in one line."""
    found: Digests = {}
    for name, case in GROUPS[group]():
        if name in found:
            raise ValueError(f"two cases of {group} are named {name}")
        found[name] = " ".join(f"{part.replace(' ', '-')}:{digest(thing)}" for part, thing in case().items())
    return found


def stored() -> dict[str, Digests]:
    """The digests as they were recorded."""
    return json.loads(FILE.read_text()) if FILE.exists() else {}


def changes(before: Digests, now: Digests) -> list[str]:
    """One line per case that is new, gone or different, with the parts that differ."""
    lines = []
    for name in sorted({*before, *now}):
        if name not in before:
            lines.append(f"{name}: new")
        elif name not in now:
            lines.append(f"{name}: gone")
        elif before[name] != now[name]:
            lines.append(f"{name}: {', '.join(_differing(before[name], now[name]))}")
    return lines


def _differing(before: str, now: str) -> list[str]:
    old, new = (dict(part.split(":") for part in line.split()) for line in (before, now))
    return [part for part in sorted({*old, *new}) if old.get(part) != new.get(part)]


def main() -> int:
    """Compares, tells, and stores."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("groups", nargs="*", metavar="GROUP", help="the groups to run; all by default")
    parser.add_argument("--check", action="store_true", help="store nothing; 1 if anything has changed")
    arguments = parser.parse_args()
    unknown = [group for group in arguments.groups if group not in GROUPS]
    if unknown:
        parser.error(f"there is no group {unknown[0]!r}; there are {', '.join(GROUPS)}")
    logging.disable(logging.WARNING)  # planners that raise are among the cases
    digests, begin, different = stored(), time.process_time(), 0
    for group in arguments.groups or GROUPS:
        now = run(group)
        for line in changes(digests.get(group, {}), now):
            print(f"{group} / {line}")
            different += 1
        digests[group] = now
    kept = {group: digests[group] for group in GROUPS if group in digests}
    cases = sum(map(len, kept.values()))
    print(f"{cases} cases, {different} changed, {time.process_time() - begin:.1f} s of CPU time")
    if arguments.check:
        return int(different > 0)
    FILE.write_text(json.dumps(kept, indent=0) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
