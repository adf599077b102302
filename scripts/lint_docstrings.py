"""Checks the docstrings of all that is public, in Google's style; a part of `make lint`.

Public is what is in `__all__` of the modules below, with all members whose names have no underscore in front,
and the protocols that these classes keep. pydoclint compares parameters and results with signatures; it knows
files and not what is public, so its findings about anything else are dropped here. What it does not look at
is added: that there is a docstring, that fields and members of enums are described, and that errors exist.
"""

from __future__ import annotations

import builtins
import enum
import functools
import inspect
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from sidestep.dialogue.voters import Voter
from sidestep.solvers.group_planning import GroupSolver
from sidestep.solvers.solver import Solver
from sidestep.vda5050 import Transport
from sidestep.world.session import Planner, Session
from sidestep.world.tasks import TaskSource

MODULES = (
    "sidestep",
    "sidestep.agents",
    "sidestep.authoring",
    "sidestep.instances",
    "sidestep.io",
    "sidestep.rl",
    "sidestep.testing",
    "sidestep.vda5050",
)
# Protocols, and the method by which a class says that it keeps them.
PROTOCOLS = {
    **{GroupSolver: "solve", Planner: "solve", Session: "solve", Solver: "solve"},
    **{Voter: "vote", TaskSource: "released", Transport: "publish"},
}
ROOT = Path(__file__).resolve().parent.parent


def main() -> int:
    """Prints what is missing. Returns 1 if anything is."""
    members = dict(surface())
    faults = sorted({fault for name, member in members.items() for fault in faults_of(name, member)})
    faults += pydoclint({code_name(member) for member in members.values()})
    print(*faults, f"{len(members)} public names, {len(faults)} faults in docstrings", sep="\n")
    return bool(faults)


def surface() -> Iterator[tuple[str, Any]]:
    """All public classes, functions, methods and properties, by their dotted names."""
    tops = [getattr(module, name) for module in modules() for name in module.__all__]
    for top in [*tops, *PROTOCOLS]:
        if inspect.isclass(top) or inspect.isfunction(top):
            yield top.__qualname__, top
        for base in inspect.getmro(top) if inspect.isclass(top) else ():
            if base.__module__.startswith("sidestep"):
                for name, member in vars(base).items():
                    if not name.startswith("_") and not kept_elsewhere(top, name, member):
                        yield from [(f"{base.__name__}.{name}", member)] if is_code(member) else []


def modules() -> list[Any]:
    """Those whose `__all__` is public."""
    return [import_module(name) for name in MODULES]


def kept_elsewhere(owner: type, name: str, member: Any) -> bool:
    """Is it a method with no parameters but those that a protocol describes which the class keeps?"""
    kept = [one for one, mark in PROTOCOLS.items() if hasattr(owner, mark)]
    promised = next((vars(one)[name] for one in kept if name in vars(one)), None)
    if promised is None or owner in PROTOCOLS:
        return False
    own = [one for one in inspect.signature(member).parameters if one not in ("self", "solver")]
    return own == list(inspect.signature(promised).parameters)[1:]


def is_code(member: Any) -> bool:
    """Is it a method or a property?"""
    kinds = (property, classmethod, staticmethod, functools.cached_property)
    return isinstance(member, kinds) or inspect.isfunction(member)


def code_name(member: Any) -> tuple[str, str]:
    """The file of a member and its name there, as pydoclint says them; of a class, its constructor's."""
    inner = inspect.unwrap(getattr(member, "__func__", member))
    if isinstance(member, (property, functools.cached_property)):
        return "", ""  # they take nothing, and their docstring is what they return
    file = Path(inspect.getsourcefile(inner) or "").relative_to(ROOT).as_posix()
    return file, inner.__qualname__ + (".__init__" if inspect.isclass(inner) else "")


def faults_of(name: str, member: Any) -> Iterator[str]:
    """What pydoclint does not look at."""
    text = inspect.cleandoc(member.__doc__ or "")
    if not text or (is_dataclass(member) and text.startswith(f"{name}(")):
        yield f"{name}: no docstring"
        return
    if inspect.isclass(member):
        described = set(section(text, "Attributes"))
        for field in sorted(described_fields(member) - described):
            yield f"{name}: {field} is not described in Attributes"
    for error in section(text, "Raises"):
        if not any(hasattr(one, error) for one in (builtins, *modules())):
            yield f"{name}: there is no error {error}"


def described_fields(owner: type) -> set[str]:
    """Fields and members that must be described; the parameters of solvers have their `help`."""
    if issubclass(owner, enum.Enum):
        return set(owner.__members__)
    if not is_dataclass(owner) or hasattr(owner, "solve"):
        return set()
    return {field.name for field in fields(owner) if not field.name.startswith("_")}


def section(text: str, title: str) -> list[str]:
    """The names that a section of a docstring describes."""
    found = re.search(rf"^{title}:\n((?:    .*\n?|\n)+)", text, re.MULTILINE)
    return re.findall(r"^    (\w+): \S", found[1], re.MULTILINE) if found else []


def pydoclint(public: set[tuple[str, str]]) -> list[str]:
    """What pydoclint finds in public functions, methods and constructors; pyproject.toml says how."""
    command = [Path(sys.executable).with_name("pydoclint"), "--config", "pyproject.toml", "src/sidestep"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1):
        return [f"pydoclint failed: {done.stderr}"]
    lines = [line for line in done.stderr.splitlines() if ": DOC" in line]
    found = [(line, re.match(r"(\S+?):\d+: DOC\d+: \w+ `([^`]+)`", line)) for line in lines]
    return [line for line, match in found if match is None or match.groups() in public]


if __name__ == "__main__":
    sys.exit(main())
