"""Random orders by a seed: the same on every machine."""

from __future__ import annotations

from .. import _core
from .arrays import IntArray


def shuffled(count: int, seed: int, draw: int = 0) -> IntArray:
    """The numbers below `count` in an order that depends on nothing but the seed and the draw."""
    return _core.shuffled(count, seed % 2**64, draw)
