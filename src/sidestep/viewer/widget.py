"""The player as a cell of a notebook: an anywidget, which Jupyter and marimo show without a server."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Any

from ..model.errors import MissingExtraError
from .modules import player_source


def widget(payload: bytes, height: int) -> Any:
    """A widget that plays a payload in a box of this height, in pixels."""
    return _widget_class()(payload=payload, height=height)


@cache
def _widget_class() -> type[Any]:
    try:
        base, traitlets = import_module("anywidget").AnyWidget, import_module("traitlets")
    except ImportError:
        raise MissingExtraError("anywidget", "notebook") from None
    members = {
        "_esm": player_source(),
        "payload": traitlets.Bytes().tag(sync=True),
        "height": traitlets.Int().tag(sync=True),
    }
    return type("ReplayWidget", (base,), members)
