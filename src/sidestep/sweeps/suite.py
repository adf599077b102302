"""A suite says what a sweep runs, as a TOML file or in Python: solvers, instances, seeds and limits."""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from pathlib import Path
from typing import Any

from ..budget import Budget
from ..io.files import FilePath, load_text, source_of
from ..model.arrays import checked_seed, is_whole
from ..model.errors import FormatError, InputError
from ..solvers.parameters import changed_parameters
from ..solvers.registry import SOLVERS, did_you_mean
from .instances import MOST_SEEDS, Source, combinations, listed, reference_to
from .instances import source_of as instances_of
from .trial import Limits, SolverSpec, Trial

PARTS = ("solvers", "instances", "seeds", "limits")
USUAL_SECONDS = 10.0
MOST_TRIALS = 2**53


@dataclass(frozen=True)
class Suite:
    """Every combination of solvers, instances, seeds and limits is a trial."""

    solvers: tuple[SolverSpec, ...]
    sources: tuple[Source, ...]
    seeds: Sequence[int]
    limits: tuple[Limits, ...]

    def __len__(self) -> int:
        return self.size

    @property
    def size(self) -> int:
        """How many trials there are, however many."""
        instances = sum(source.size for source in self.sources)
        return len(self.solvers) * instances * len(self.seeds) * len(self.limits)

    def __iter__(self) -> Iterator[Trial]:
        """All trials, one after another: those of an instance together, since making it takes time."""
        for source in self.sources:
            for instance in source:
                for limits in self.limits:
                    for seed in self.seeds:
                        for solver in self.solvers:
                            yield Trial(solver, instance, seed, limits)


def read_suite(path: FilePath) -> Suite:
    """The suite in a TOML file.

    Its folder is where files are looked for, and modules with functions too.
    """
    source = source_of(path)
    try:
        parts = tomllib.loads(load_text(path))
    except tomllib.TOMLDecodeError as error:
        raise FormatError(f"this is no TOML: {error}", source=source) from None
    folder = Path(source).parent
    if any("function" in entry for entry in _entries(parts.get("instances", ()), "instances")):
        sys.path.insert(0, str(folder.resolve()))
    try:
        return suite_of(parts, folder)
    except FormatError:
        raise
    except InputError as error:
        raise FormatError(str(error), source=source) from None


def suite_of(parts: Mapping[str, Any], folder: Path = Path()) -> Suite:
    """The suite that a table describes, everything checked that can be without running it."""
    for name in parts:
        if name not in PARTS:
            raise InputError(f"a suite has no {name!r}{did_you_mean(str(name), PARTS)}")
    for name in ("solvers", "instances"):
        if not parts.get(name):
            raise InputError(f"a suite needs {name}")
    specs = [spec for one in _several(parts["solvers"]) for spec in _solvers(one)]
    suite = Suite(
        _distinct(specs),
        tuple(instances_of(entry, folder) for entry in _entries(parts["instances"], "instances")),
        _seeds(parts.get("seeds", 1)),
        tuple(
            _limits(entry) for entry in _entries(parts.get("limits", {"seconds": USUAL_SECONDS}), "limits")
        ),
    )
    if suite.size > MOST_TRIALS:
        raise InputError(f"a suite has at most {MOST_TRIALS} trials, and this one has {suite.size}")
    return suite


def _several(value: Any) -> tuple[Any, ...]:
    return tuple(value) if isinstance(value, (list, tuple)) else (value,)


def _entries(value: Any, what: str) -> list[Mapping[str, Any]]:
    """Tables, or in Python functions that make instances."""
    found = [{"function": one} if callable(one) else one for one in _several(value)]
    for one in found:
        if not isinstance(one, Mapping):
            raise InputError(f"{what} are tables with names and values, not {one!r}")
    return found


def _solvers(given: Any) -> Iterator[SolverSpec]:
    """A name, a table with a name and parameters, or in Python a solver, by itself or in a table."""
    entry = dict(given) if isinstance(given, Mapping) else {"solver": given}
    solver, label = entry.pop("solver", None), entry.pop("label", "")
    own: dict[str, Any] = {}
    if is_dataclass(solver) and not isinstance(solver, type):
        solver, own = _name_of(solver), changed_parameters(solver)
    if not isinstance(solver, str) or not isinstance(label, str):
        raise InputError(
            f"a solver of a suite is a name, a table such as {{solver = 'whca', window = 8}} or a solver "
            f"such as WHCA(window=8), not {given!r}"
        )
    for parameters in combinations({key: listed(value) for key, value in entry.items()}):
        yield _spec(solver, {**own, **parameters}, label)


def _name_of(solver: Any) -> str:
    """The name of a solver in Python: that of the registry, or of its class."""
    name = getattr(solver, "name", None)
    return str(name) if SOLVERS.get(str(name)) is type(solver) else reference_to(type(solver))


def _spec(name: str, parameters: dict[str, Any], label: str) -> SolverSpec:
    shown = [f"{key}={value}" for key, value in parameters.items()]
    spec = SolverSpec(name, parameters, label or " ".join([name.rpartition(":")[2], *shown]))
    spec.check()
    return spec


def _distinct(specs: list[SolverSpec]) -> tuple[SolverSpec, ...]:
    labels: dict[str, str] = {}
    for spec in specs:
        if spec.label in labels:
            raise InputError(f"two solvers of the suite are called {spec.label!r}: give one another label")
        labels[spec.label] = spec.identity
    if len(set(labels.values())) < len(labels):
        raise InputError("two solvers of the suite are the same, with the same parameters")
    return tuple(specs)


def _seeds(given: Any) -> Sequence[int]:
    if not is_whole(given):
        return tuple(map(checked_seed, listed(given)))
    if not 1 <= given <= MOST_SEEDS:
        raise InputError(f"seeds are a list, or how many there are, from 1 to {MOST_SEEDS}, not {given!r}")
    return range(given)


def _limits(entry: Mapping[str, Any]) -> Limits:
    known = [one.name for one in fields(Limits)]
    for name in entry:
        if name not in known:
            raise InputError(f"there is no limit {name!r}{did_you_mean(str(name), known)}")
    limits = Limits(**entry)
    Budget(limits.seconds, limits.nodes, memory=limits.memory)
    return limits
