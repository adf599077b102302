"""What makes pages teach: pseudocode beside our lines, pictures and replays that are made with the site.

A page says what it shows; this folder finds the lines, runs the scenes and draws them. `excerpts.py`,
`pseudocode.py` and `scenes.py` know nothing of Sphinx, so that the tests can read all pages in a second;
`directives.py` puts what they make into a page.
"""

from __future__ import annotations

from typing import Any


def setup(app: Any) -> dict[str, bool]:
    """Called by Sphinx."""
    from .directives import connect  # noqa: PLC0415  # needs Sphinx, which tests do without

    connect(app)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
