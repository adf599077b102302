"""Showing a page in the user's browser, where there is one."""

from __future__ import annotations

import os
import sys
import webbrowser
from pathlib import Path


def open_in_browser(page: Path | str) -> bool:
    """Opens a file or an address and says whether a browser took it.

    Without a screen a text browser might take the terminal, so nothing is opened there.
    """
    has_screen = sys.platform in ("win32", "darwin") or any(
        map(os.environ.get, ("DISPLAY", "WAYLAND_DISPLAY"))
    )
    if not has_screen or os.environ.get("CI"):
        return False
    return webbrowser.open(page if isinstance(page, str) else page.resolve().as_uri())
