"""Random calls of everything in `sidestep._core`, with arguments that are right, nearly right or hostile.

What there is to call is read from the stub of the core, so that a new binding is called without being named
here. All that is random comes from one number. A call may raise what Python code can catch; it may not crash,
hang, or raise an error of the interpreter's own (`SystemError`).
"""

from __future__ import annotations

import ast
import copy
import os
import random
import resource
import sys
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import sidestep
from sidestep import _core
from sidestep.model.agents import ATTRIBUTES
from sidestep.model.to_core import compile_rules

from .draws import any_rules
from .row import Failed
from .sanitized import VARIABLE

CALLS = 25  # of a case
MOST_MEMORY = 8 << 30  # bytes: who asks for more is told that there are none

# What a call with wrong arguments may raise.
TYPED = (TypeError, ValueError, IndexError, RuntimeError, MemoryError, OverflowError, AttributeError)
WRONG = [None, "x", b"\0", 1.5, float("nan"), [], {}, object(), True, np.int64(3), (1, 2), -1]
HUGE = [2**31 - 1, 2**31, -(2**31), 2**32, 2**62, 2**63 - 1, 2**63, 2**64 - 1, -(2**63), 10**30]
NUMBERS = [float("nan"), float("inf"), -float("inf"), 1e308, -1e308, 1e-320, -0.0, 2.0**31, 2.0**63]

# Whole numbers that make sense, by what their parameter is called; all others are small.
USUAL: dict[str, list[int]] = {
    "connectivity": [4, 8],
    "corners": [0, 1, 2],
    "n": [1, 2, 5, 9],
    "size": [1, 1, 1, 2, 3],
    "period": [1, 1, 1, 2, 3],
    "window": [0, 1, 2, 4, 8, 16],
    "keep": [0, 0, 1, 2, 5],
    "vertices": [1, 6, 9, 12],
    "agents": [0, 1, 2, 3],
    "cheapest": [1, 1, 2],
    "side": [1, 2, 3, 4],
    "threads": [1, 2, 3],
    "nodes": [0, 1, 50, 500],
    "cap_bytes": [0, 1, 1000, 2**28],
    "bytes": [0, 1000, 2**20, 2**24],
    "cost_limit": [0, 1, 5, 20, 536870911],
    "reach": [-1, 0, 3, 1000000],
    "longest": [1, 5, 20],
    "iterations": [1, 2, 5],
    "width": [1, 2, 3, 4],
}


AMOUNTS = ("n", "vertices", "agents", "count")  # what takes memory in proportion


@dataclass(frozen=True)
class Callee:
    """Something that can be called: its name, the class whose instance comes first, and its parameters."""

    name: str
    owner: str | None
    parameters: tuple[tuple[str, str, bool], ...]  # name, annotation, whether it must be named
    is_property: bool = False


def callees() -> tuple[list[Callee], dict[str, str]]:
    """Everything in the stub of the core: what can be called, and the bases of its classes."""
    stub = Path(sidestep.__file__).parent / "_core.pyi"
    found, bases = [], {}
    for node in ast.parse(stub.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.FunctionDef):
            found.append(_callee(node, None))
        elif isinstance(node, ast.ClassDef):
            bases[node.name] = ast.unparse(node.bases[0]) if node.bases else ""
            found += [_callee(inner, node.name) for inner in node.body if isinstance(inner, ast.FunctionDef)]
    return found, bases


def _callee(node: ast.FunctionDef, owner: str | None) -> Callee:
    given = [(arg, False) for arg in [*node.args.posonlyargs, *node.args.args]]
    given += [(arg, True) for arg in node.args.kwonlyargs]
    decorators = {ast.unparse(one) for one in node.decorator_list}
    parameters = tuple(
        (arg.arg, ast.unparse(arg.annotation) if arg.annotation else "object", named)
        for arg, named in given
        if arg.arg != "self"
    )
    name = f"{owner}.{node.name}" if owner else node.name
    is_method = owner is not None and "staticmethod" not in decorators and node.name != "__init__"
    return Callee(name, owner if is_method else None, parameters, "property" in decorators)


CALLEES, BASES = callees()


class Caller:
    """Objects of the core, and random calls of them that all follow from one number."""

    def __init__(self, number: int) -> None:
        self.random = random.Random(number)
        self.hostility = self.random.choice([0.0, 0.02, 0.1, 0.3])  # how often an argument is wrong
        self.pool: dict[str, list[Any]] = {name: [] for name in BASES}
        self.saved: list[bytes] = [b""]  # what things said of their state
        self.calls: list[str] = []
        self.says: Callable[[str], object] = lambda call: None
        self.vertices = 9
        self.agents = 3
        self._settle()

    def _settle(self) -> None:
        """A few objects to begin with, most of them on one space."""
        draw = self.random
        height, width = draw.choice([(1, 1), (1, 5), (3, 3), (4, 4), (3, 4)])
        self.vertices = height * width
        self.agents = draw.choice([0, 1, 2, 3, 4])
        walls = np.array([[draw.random() < 0.8 for _ in range(width)] for _ in range(height)])
        if draw.random() < 0.7:
            space = _core.Space.grid(walls, draw.choice([4, 8]), draw.choice([0, 1, 2]))
        else:
            edges = self._ints((2 * self.vertices, 2), 0, self.vertices - 1)
            conflicts = self._ints((2, 2), 0, len(edges) - 1)
            space = _core.Space.graph(self.vertices, edges, draw.random() < 0.3, conflicts)
        self.pool["Space"].append(space)
        for _ in range(2):
            self.pool["Rules"].append(compile_rules(any_rules(draw, later=True)))
        self.pool["Agents"].append(self._fair_agents(space))
        self.pool["Budget"].append(self._budget())

    def _fair_agents(self, space: Any) -> Any:
        count = min(self.agents, self.vertices)
        places = self.random.sample(range(self.vertices), count)
        goals = [self.random.choice([*places, -1]) for _ in places]
        usual = [np.full(count, attribute.usual, np.int32) for attribute in ATTRIBUTES]
        self.agents = count
        return _core.Agents(space, np.array(places, np.int32), np.array(goals, np.int32), *usual)

    def _budget(self) -> Any:
        poll = self._meddler() if self.random.random() < 0.1 else None
        return _core.Budget(0.02, self.random.choice([0, 10, 300]), 2**24, poll)

    def _meddler(self) -> Callable[..., Any]:
        """A callback that calls something itself, perhaps what it is called from."""
        left = [3]

        def meddle(*_: object) -> Any:
            if left[0] > 0:
                left[0] -= 1
                self.call()
            return self.random.choice([False, False, True, None, "x"])

        return meddle

    # Arguments

    def _ints(self, shape: tuple[int, ...], least: int, most: int) -> np.ndarray:
        size = int(np.prod(shape))
        drawn = [self.random.randint(least, max(least, most)) for _ in range(size)]
        return np.array(drawn, np.int32).reshape(shape)

    def argument(self, name: str, kind: str) -> Any:
        """Something for a parameter of this name and type."""
        if self.random.random() < self.hostility:
            hostile = self._hostile(kind)
            # Under a sanitizer, who asks for too much memory ends the process.
            too_much = (
                name in AMOUNTS and VARIABLE in os.environ and isinstance(hostile, int) and hostile > 10**6
            )
            return 10**6 if too_much else hostile
        if kind.endswith("| None"):
            if self.random.random() < 0.4:
                return None
            kind = kind.removesuffix("| None").strip()
        if kind.startswith("Sequence["):
            count = self.random.choice([0, 1, 2, 3])
            return [self.argument(name, kind[len("Sequence[") : -1]) for _ in range(count)]
        if kind.startswith("tuple["):
            return tuple(self.argument(name, one) for one in kind[len("tuple[") : -1].split(", "))
        if kind.startswith("Annotated["):
            return self._array(name, kind)
        return self._scalar(name, kind)

    def _scalar(self, name: str, kind: str) -> Any:
        draw = self.random
        if kind in BASES:
            return self._of_class(kind)
        if kind == "bytes":
            return self._state()
        if name in ("poll", "find", "inner", "vote"):
            return self._meddler()
        small = [-1, 0, 0, 1, 1, 2, 3, draw.randrange(self.vertices), draw.randrange(20)]
        usual: dict[str, list[Any]] = {
            "bool": [False, True],
            "int": USUAL.get(name, small),
            "float": [0.0, 0.1, 0.5, 1.0, 2.5, draw.uniform(-1, 5)],
        }
        return draw.choice(usual.get(kind, [{} if name == "arg" else None]))  # else the memo of a copy

    def _state(self) -> bytes:
        """What something saved, perhaps with a few bytes changed, or without its end."""
        state = bytearray(self.random.choice(self.saved))
        for _ in range(self.random.choice([0, 1, 3]) if state else 0):
            state[self.random.randrange(len(state))] = self.random.choice([0, 1, 127, 128, 255])
        return bytes(state[: self.random.randrange(len(state) + 1)] if self.random.random() < 0.1 else state)

    def _of_class(self, kind: str) -> Any:
        if BASES[kind] == "enum.Enum":
            return self.random.choice(list(getattr(_core, kind)))
        if kind == "Budget" and self.random.random() < 0.8:
            return self._budget()
        known = self.pool[kind]
        if not known or self.random.random() < 0.1:
            self._make(kind)
        return self.random.choice(known) if known else None

    def _make(self, kind: str) -> None:
        makers = [one for one in CALLEES if one.name in (f"{kind}.__init__", f"{kind}.grid", f"{kind}.graph")]
        if makers:
            self._perform(self.random.choice(makers))

    def _array(self, name: str, kind: str) -> Any:
        draw = self.random
        columns = 2 if "shape=(None, 2)" in kind else draw.choice([0, 1, 3, self.agents, self.agents])
        length = draw.choice([self.agents] * 5 + [0, 1, 2, 3, 5])
        shape = (length,) if "shape=(None,)" in kind else (draw.choice([0, 1, 3, 3, 4]), columns)
        if "bool_" in kind:
            return np.array(self._ints(shape, 0, 3) > 0)
        if "float64" in kind:
            return self._ints(shape, -4, 40).astype(np.float64) / 8
        if name == "order":
            return np.array(draw.sample(range(length), length), np.int32)
        ranges = {
            "sizes": (1, draw.choice([1, 1, 2, 3])),
            "periods": (1, draw.choice([1, 1, 2, 3])),
            "progress": (0, draw.choice([0, 0, 1, 2])),
        }
        usual = (draw.choice([0, 0, 0, -1]), draw.choice([self.vertices - 1, self.agents - 1, 3]))
        numbers = {"int64": np.int64, "uint8": np.uint8}
        number = next((numbers[wide] for wide in numbers if wide in kind), np.int32)
        return self._ints(shape, *ranges.get(name, usual)).astype(number)

    def _hostile(self, kind: str) -> Any:
        draw = self.random
        if "Annotated[" in kind:
            return self._hostile_array()
        if kind.startswith("float"):
            return draw.choice([*NUMBERS, *WRONG])
        if kind.startswith("int") and draw.random() < 0.8:
            return draw.choice([*HUGE, -1, -2, -100, 10**6])
        others = [one for instances in self.pool.values() for one in instances]
        classes = [getattr(_core, name) for name in BASES]
        raw = draw.choice(classes)
        return draw.choice([*WRONG, *HUGE, draw.choice(others), raw, self._unborn(raw)])

    def _unborn(self, raw: Any) -> Any:
        """An object of a class whose constructor has never run."""
        try:
            return raw.__new__(raw)
        except TypeError:  # no such thing for this class
            return raw

    def _hostile_array(self) -> Any:
        draw = self.random
        kind = draw.choice([np.int32, np.int32, np.int32, np.int64, np.float64, np.bool_, np.uint8, object])
        shape = draw.choice(
            [(), (0,), (3,), (self.agents,), (self.agents,), (2, 2), (0, 2), (3, 0), (1, 1, 1)]
        )
        values = np.zeros(shape, kind)
        if kind in (np.int32, np.int64, np.float64):
            values = np.full(shape, draw.choice([-1, -2, -100, 7, 10**6, 2**31 - 1, -(2**31)])).astype(kind)
        if kind is np.float64:
            values = np.full(shape, draw.choice(NUMBERS))
        twist = draw.randrange(5)
        if twist == 0:
            values.flags.writeable = False
        elif twist == 1 and values.ndim:
            values = values[::-1]
        elif twist == 2:
            values = np.asfortranarray(values)
        elif twist == 3 and values.ndim:
            values = np.repeat(values, 2, axis=0)[::2]
        return values

    # Calls

    def call(self) -> None:
        """Calls one thing, chosen at random."""
        callee = self.random.choice(CALLEES)
        if callee.owner and not self.pool[callee.owner]:
            self._make(callee.owner)
        if callee.owner and not self.pool[callee.owner]:
            return
        self._perform(callee)

    def _perform(self, callee: Callee) -> None:
        if len(self.calls) > 300:  # callbacks that call, whose callbacks call
            return
        owner, _, name = callee.name.rpartition(".")
        self.calls.append(callee.name)
        this: Any = getattr(_core, owner) if owner else _core
        if callee.owner:
            this = self.random.choice(self.pool[callee.owner])
            if self.random.random() < self.hostility / 10:
                this = self._unborn(getattr(_core, callee.owner))
        positional = [self.argument(*one[:2]) for one in callee.parameters if not one[2]]
        named = {one[0]: self.argument(*one[:2]) for one in callee.parameters if one[2]}
        if self.random.random() < self.hostility / 3:
            positional = positional[: self.random.randrange(len(positional) + 1)]
        self.calls[-1] += f"({positional}, {named})"
        self.says(self.calls[-1])
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # of objects without a constructor
                if callee.is_property:
                    self._keep(getattr(this, name))
                elif name == "__init__" and not (self.pool[owner] and self.random.random() < 0.05):
                    self._keep(this(*positional, **named))
                elif name == "__init__":
                    self.random.choice(self.pool[owner]).__init__(*positional, **named)
                else:
                    self._keep(getattr(this, name)(*positional, **named))
        except TYPED:
            pass

    def _keep(self, value: Any) -> None:
        """What a call returned is called in its turn."""
        kind = type(value).__name__
        if kind in self.pool and BASES.get(kind) != "enum.Enum":
            known = self.pool[kind]
            known.append(value)
            if len(known) > 5:
                known.pop(self.random.randrange(len(known)))
        elif isinstance(value, bytes):
            self.saved.append(value)
        elif isinstance(value, np.ndarray) and value.size:
            copy.copy(value).sum()  # what it points to must be there


def one(number: int) -> int:
    """The calls of one case; returns how many there were."""
    if VARIABLE not in os.environ:  # a sanitizer needs all addresses for itself
        resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, resource.RLIM_INFINITY))
    caller = Caller(number)
    for _ in range(CALLS):
        try:
            caller.call()
        except Exception as error:
            raise Failed(f"{caller.calls[-1]} raised {type(error).__name__}: {error}") from error
    return len(caller.calls)


if __name__ == "__main__":  # shows the calls of a case, before each is made
    told = Caller(int(sys.argv[1]))
    told.says = print
    for _ in range(CALLS):
        told.call()
