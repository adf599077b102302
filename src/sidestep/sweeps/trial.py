"""One run of a sweep: a solver on an instance, with a seed and limits; and the key that it is known by."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import blake2b
from importlib import import_module
from typing import Any, NamedTuple, Protocol

from ..model.errors import InputError
from ..model.problem import Problem
from ..solvers import Solver, make_solver

KEY_BYTES = 16


def canonical(value: Mapping[str, Any]) -> str:
    """The same text for the same content: what keys are made of."""
    try:
        return json.dumps(value, sort_keys=True, separators=(",", ":"), allow_nan=False)
    except (TypeError, ValueError):
        raise InputError(f"a sweep can only keep numbers, words and lists of these, not {value!r}") from None


def named(reference: str) -> Any:
    """What `package.module:name` names, or an InputError."""
    module, _, name = reference.partition(":")
    try:
        found: Any = import_module(module)
        for part in name.split("."):
            found = getattr(found, part)
    except (ImportError, AttributeError, ValueError) as error:
        raise InputError(f"{reference!r} cannot be imported: {error}") from None
    return found


@dataclass(frozen=True)
class SolverSpec:
    """A solver with its parameters, as a suite asks for it.

    Attributes:
        name: The name of a solver, or `package.module:Class`.
        parameters: Those that were given.
        label: What tables call it.
    """

    name: str
    parameters: Mapping[str, Any] = field(default_factory=dict)
    label: str = ""

    @cached_property
    def identity(self) -> str:
        return canonical({"solver": self.name, "parameters": dict(self.parameters)})

    @cached_property
    def made(self) -> Solver:
        """The solver itself."""
        if ":" in self.name:
            return make_solver(named(self.name)(**self.parameters), {})
        return make_solver(self.name, dict(self.parameters))

    def check(self) -> None:
        """Raises an InputError for a solver or a parameter that there is not, or that no file can keep."""
        canonical(dict(self.parameters))
        _ = self.made

    def __getstate__(self) -> dict[str, Any]:
        return {"name": self.name, "parameters": dict(self.parameters), "label": self.label}


@dataclass(frozen=True)
class Limits:
    """What a run may use; None is no limit."""

    seconds: float | None = None
    nodes: int | None = None
    memory: int | None = None

    @cached_property
    def identity(self) -> str:
        given = {"seconds": self.seconds, "nodes": self.nodes, "memory": self.memory}
        return canonical({name: value for name, value in given.items() if value is not None})


class Instance(Protocol):
    """A problem that is not made yet: small, and the same in every process.

    Attributes:
        map: What tables call problems of its kind.
        identity: What tells it from all others, on every machine.
    """

    @property
    def map(self) -> str: ...

    @property
    def identity(self) -> str: ...

    def problem(self) -> Problem:
        """Makes the problem."""
        ...


class Trial(NamedTuple):
    """One run."""

    solver: SolverSpec
    instance: Instance
    seed: int
    limits: Limits

    @property
    def key(self) -> bytes:
        """The digest of solver, parameters, instance, seed and limits: of the same run the same."""
        parts = (self.solver.identity, self.instance.identity, str(self.seed), self.limits.identity)
        return blake2b("\n".join(parts).encode(), digest_size=KEY_BYTES).digest()
