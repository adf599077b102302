"""Finds the browser that pages are looked at with.

    python scripts/find_browser.py    prints its path; the exit code is 1 if there is none

The shell without windows comes first: it draws the same pages in less time.
"""

from __future__ import annotations

import os
import shutil
import sys

NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")


def installed_browser() -> str | None:
    """The path of a chromium; `SIDESTEP_CHROMIUM` names another one. None: playwright may have its own."""
    return os.environ.get("SIDESTEP_CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)


if __name__ == "__main__":
    path = installed_browser()
    if path is None:
        sys.exit(1)
    print(path)
