"""Lengths of the core as costs: whole numbers of straight and diagonal steps, added up exactly.

On octile maps the core counts 470,832 for a straight step and 665,857 for a diagonal one. The square of the
second leaves 1 when divided by the first, so that both numbers of steps can be read off a length.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from .. import _core

LongArray = npt.NDArray[np.int64]
FloatArray = npt.NDArray[np.float64]

SQRT2 = math.sqrt(2.0)


def split(length: int, octile: bool) -> tuple[int, int]:
    """How many straight and how many diagonal steps a length stands for."""
    if not octile:
        return length, 0
    diagonal = length * _core.DIAGONAL % _core.STRAIGHT
    return (length - diagonal * _core.DIAGONAL) // _core.STRAIGHT, diagonal


def cost_of(length: int, octile: bool) -> float:
    """The cost of one way; infinite if there is none (-1)."""
    if length < 0:
        return math.inf
    straight, diagonal = split(length, octile)
    return straight + diagonal * SQRT2


def costs_of(lengths: LongArray, octile: bool) -> FloatArray:
    """The same for an array."""
    costs = lengths.astype(np.float64)
    if octile:
        diagonal = lengths % _core.STRAIGHT * (_core.DIAGONAL % _core.STRAIGHT) % _core.STRAIGHT
        costs = (lengths - diagonal * _core.DIAGONAL) // _core.STRAIGHT + diagonal * SQRT2
    return np.where(lengths < 0, np.inf, costs)
