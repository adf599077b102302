"""Solvers of other packages: entry points of the group `sidestep.solvers`.

A package declares `mine = "my_package:Mine"`, and `solve(problem, "mine")` finds it. Packages are looked up
only for names that are not ours, and loaded only when they are asked for or listed. One that is broken is a
PluginError with the name of its package, and no trouble for any other name.
"""

from __future__ import annotations

from dataclasses import MISSING, is_dataclass
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from ..model.errors import PluginError
from .parameters import parameters_of
from .solver import Solver, SolverInfo

GROUP = "sidestep.solvers"


def plugins() -> dict[str, list[EntryPoint]]:
    """The entry points of installed packages by the name of the solver; one each, if all is well."""
    found: dict[str, list[EntryPoint]] = {}
    for entry in entry_points(group=GROUP):
        others = found.setdefault(entry.name, [])
        if entry not in others:  # a package may be on the path twice
            others.append(entry)
    return found


def load_plugin(name: str) -> type[Solver]:
    """The class that a package offers under this name, or a PluginError."""
    offered = plugins()[name]
    owners = ", ".join(sorted(map(_package, offered)))
    if len(offered) > 1:
        raise PluginError(name, owners, "more than one package has a solver of this name: uninstall one")
    try:
        found = offered[0].load()
        wrong = _flaw(name, found)
    except (Exception, SystemExit) as error:  # whatever the package does when it is imported
        reason = f"it does not load ({type(error).__name__}: {error})"
        raise PluginError(name, owners, reason) from error
    if wrong:
        raise PluginError(name, owners, f"{offered[0].value} {wrong}")
    solver: type[Solver] = found
    return solver


def _package(entry: EntryPoint) -> str:
    return "of unknown name" if entry.dist is None else entry.dist.name


def _flaw(name: str, found: Any) -> str:
    """What keeps it from being a solver; nothing if it is one. The rest is for `check_solver` to say."""
    if not isinstance(found, type) or not is_dataclass(found):
        return "is not a dataclass"
    lacks = [one for one in ("solve", "supports") if not callable(getattr(found, one, None))]
    if lacks:
        return f"has no {lacks[0]}(...)"
    if getattr(found, "name", None) != name:
        return f"is called {getattr(found, 'name', None)!r}: its `name` must be the name of the entry point"
    if not isinstance(getattr(found, "info", None), SolverInfo):
        return "has no info: SolverInfo(...)"
    without = [one.name for one in parameters_of(found).values() if one.default is MISSING]
    return f"has no default for its parameter {without[0]}" if without else ""
