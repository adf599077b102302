"""The replay as one HTML file that needs nothing else: the player, and the scenes as text."""

from __future__ import annotations

import base64
import hashlib
from html import escape

from .modules import player_source

# A browser may load nothing and run nothing but what is in the file. The player styles itself through
# the style sheet interface of the DOM, which this policy allows.
_POLICY = (
    "default-src 'none'; style-src 'sha256-{style}'; script-src 'sha256-{script}'; "
    "base-uri 'none'; form-action 'none'"
)

_STYLE = "html,body{margin:0;height:100%}#player{display:block;min-height:100%}"

_PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="generator" content="sidestep">
<title>{title}</title>
<style>{style}</style>
</head>
<body>
<div id="player"><noscript>This replay needs JavaScript.</noscript></div>
<script type="application/gzip" id="scenes">{data}</script>
<script type="module">{script}</script>
</body>
</html>
"""

_MOUNT = """
mountPage(document.getElementById("player"), document.getElementById("scenes").textContent);
"""


def page(data: bytes, title: str) -> str:
    """The page of a payload."""
    script = player_source() + _MOUNT
    policy = _POLICY.format(style=_digest(_STYLE), script=_digest(script))
    return _PAGE.format(
        policy=policy,
        title=escape(title.encode("utf-8", errors="replace").decode("utf-8")),  # as the payload has it
        style=_STYLE,
        data=base64.b64encode(data).decode("ascii"),
        script=script,
    )


def _digest(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode("utf-8")).digest()).decode("ascii")
