"""`python -m tests.torture.golden [GROUP...]`: golden digests with the core that the environment names.

The last line is how many there are; the exit status is 1 if any is another one.
"""

from __future__ import annotations

import logging
import sys

from .builds import other_core


def main() -> int:
    """Runs the groups that are named, or all."""
    other_core()
    from tests.golden.groups import GROUPS
    from tests.golden.record import changes, run, stored

    logging.disable(logging.WARNING)
    digests, cases, changed = stored(), 0, []
    for group in sys.argv[1:] or GROUPS:
        now = run(group)
        cases += len(now)
        changed += [f"{group} / {line}" for line in changes(digests[group], now)]
    print(*changed, sep="\n")
    print(cases)
    return int(bool(changed))


if __name__ == "__main__":
    sys.exit(main())
