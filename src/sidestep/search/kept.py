"""Finders that are kept for the spaces they were made for, so that a plain loop of queries compiles once."""

from __future__ import annotations

from collections import OrderedDict
from inspect import signature
from typing import Any
from weakref import ref

import numpy as np

from ..model.arrays import FrozenSlots
from ..model.graph import Graph
from ..model.grid import Grid
from ..model.space import Space
from .checks import checked_name, checked_space
from .finder import Finder

MOST_KEPT = 16  # finders

_Key = tuple[Any, ...]
_kept: OrderedDict[_Key, tuple[ref[Space], Finder]] = OrderedDict()
_OPTIONS = [name for name in signature(Finder).parameters if name != "space"]


def finder_for(space: Space, options: dict[str, Any]) -> Finder:
    """A finder that nobody may change: the one made before for this very space and these options, or new.

    A space is known by its identity, and is not kept alive; one that has been changed is another one. Options
    are known by their values. An option that there is not is an InputError.
    """
    for name in options:
        checked_name(name, _OPTIONS, "an option")
    key = _key(checked_space(space), options)
    found = None if key is None else _kept.get(key)
    if found is not None and _is_unchanged(space, found[1].space):
        return found[1]
    finder = Finder(_twin(space), **options)
    if key is not None:
        _kept[key] = (ref(space, _forget), finder)
        while len(_kept) > MOST_KEPT:
            _kept.popitem(last=False)
    return finder


def _key(space: Space, options: dict[str, Any]) -> _Key | None:
    """Who asks for what; None if that cannot be told apart from something else."""
    if not options:
        return (id(space),)
    values = [(name, _plain(value)) for name, value in sorted(options.items()) if name != "budget"]
    key = (id(space), *values)
    try:
        hash(key)
    except TypeError:
        return None
    return key


def _plain(value: Any) -> Any:
    """Arrays as bytes: somebody may write into them between two queries."""
    if isinstance(value, np.ndarray):
        return value.dtype.str, value.shape, value.tobytes()
    return type(value), value


def _is_unchanged(space: Space, twin: Space) -> bool:
    """Is all of it the same as when the twin was made?"""
    if isinstance(space, Grid) and isinstance(twin, Grid):
        same = space.passable is twin.passable and not space.passable.flags.writeable
        return same and space.connectivity == twin.connectivity and space.corners == twin.corners
    if isinstance(space, Graph) and isinstance(twin, Graph):
        same = space.edges is twin.edges and not space.edges.flags.writeable
        return same and space.n == twin.n and space.directed == twin.directed
    return False


def _twin(space: Space) -> Space:
    """The same arrays in another object: a finder keeps its space alive, and must not keep this one."""
    twin: FrozenSlots = object.__new__(type(space))
    twin.__setstate__(space.__getstate__())
    assert isinstance(twin, (Grid, Graph))
    return twin


def _forget(gone: ref[Space]) -> None:
    for key in [key for key, (space, _) in list(_kept.items()) if space is gone]:
        _kept.pop(key, None)
