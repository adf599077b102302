"""Random orders by a seed: the same on every machine."""

from __future__ import annotations

from .. import _core
from .arrays import IntArray, checked_seed


def core_seed(seed: int) -> int:
    """The seed as the core takes it, in 64 bits; an InputError if it is none."""
    return checked_seed(seed) % 2**64


def shuffled(count: int, seed: int, draw: int = 0) -> IntArray:
    """The numbers below `count` in an order that depends on nothing but the seed and the draw."""
    return _core.shuffled(count, core_seed(seed), draw)
