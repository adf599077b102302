"""Where the instances of a sweep come from: generators, MovingAI files, or a function of a seed.

An entry of a suite says of what kind it is, and stands for many: where it has a list, each value is tried,
and `count` instances are drawn with the seeds from `first_seed` on. They are enumerated, never stored.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from hashlib import blake2b
from itertools import product
from math import prod
from pathlib import Path
from typing import Any

from ..instances import GENERATORS, random_problem
from ..io import read_map, read_scen
from ..io.files import load_bytes
from ..model.arrays import is_whole
from ..model.errors import InputError
from ..model.grid import Grid
from ..model.problem import Problem
from ..model.rules import Rules
from ..solvers.registry import did_you_mean
from .trial import Instance, canonical, named

SHAPE = ("connectivity", "corners")  # of every grid
MOST_SEEDS = 2**31 - 1


@dataclass(frozen=True)
class _OnGrid:
    """What is given of a grid, and of the rules on it."""

    options: Mapping[str, Any]
    rules: Mapping[str, Any]

    def _identity(self, own: Mapping[str, Any]) -> str:
        return canonical({**own, **self.options, **({"rules": dict(self.rules)} if self.rules else {})})


@dataclass(frozen=True)
class Generated(_OnGrid):
    """A map of a generator with random agents, both from one seed."""

    generator: str
    agents: int
    seed: int

    @property
    def map(self) -> str:
        return " ".join([self.generator, *(f"{name}={value}" for name, value in self.options.items())])

    @cached_property
    def identity(self) -> str:
        return self._identity({"generator": self.generator, "agents": self.agents, "seed": self.seed})

    def problem(self) -> Problem:
        """Draws it."""
        grid = GENERATORS[self.generator].grid(self.seed, **self.options)
        return random_problem(grid, self.agents, self.seed, rules=Rules(**self.rules))


@dataclass(frozen=True)
class Scenario(_OnGrid):
    """The first agents of a scenario on its map. Files are known by their content, not by where they are."""

    map_file: str
    scen_file: str
    agents: int | None
    map_digest: str
    scen_digest: str

    @property
    def map(self) -> str:
        return Path(self.map_file).stem

    @cached_property
    def identity(self) -> str:
        own = {"map": self.map, "scen": Path(self.scen_file).stem, "agents": self.agents}
        return self._identity({**own, "map_digest": self.map_digest, "scen_digest": self.scen_digest})

    def problem(self) -> Problem:
        """Reads it; an InputError if a file is another one here than where the suite was read."""
        for file, digest in ((self.map_file, self.map_digest), (self.scen_file, self.scen_digest)):
            if file_digest(file) != digest:
                raise InputError(
                    f"{file} has another content on this machine: copy it from where the sweep began"
                )
        grid = _map_of(self.map_file, *(self.options.get(name) for name in SHAPE))
        return read_scen(self.scen_file, grid, agents=self.agents, rules=Rules(**self.rules))


@dataclass(frozen=True)
class Made:
    """What a function of a seed returns."""

    function: str
    seed: int
    arguments: Mapping[str, Any] = field(default_factory=dict)

    @property
    def map(self) -> str:
        return self.function.partition(":")[2]

    @cached_property
    def identity(self) -> str:
        return canonical({"function": self.function, "seed": self.seed, **self.arguments})

    def problem(self) -> Problem:
        """Calls the function."""
        problem = named(self.function)(self.seed, **self.arguments)
        if not isinstance(problem, Problem):
            raise InputError(f"{self.function} must return a Problem, not {type(problem).__name__}")
        return problem


@lru_cache(maxsize=1024)
def file_digest(path: str) -> str:
    """Of a file's content."""
    return blake2b(load_bytes(path), digest_size=8).hexdigest()


@lru_cache(maxsize=4)
def _map_of(path: str, connectivity: int | None, corners: str | None) -> Grid:
    given: dict[str, Any] = {"connectivity": connectivity, "corners": corners}
    return read_map(path, **{name: value for name, value in given.items() if value is not None})


# Entries of a suite


@dataclass(frozen=True)
class Source:
    """An entry of a suite: all combinations of its values, each with the seeds of a range.

    Attributes:
        values: Lists of values by name; every combination is tried.
        seeds: Of the instances of a combination.
        make: An instance from a combination and a seed.
    """

    values: Mapping[str, tuple[Any, ...]]
    seeds: range
    make: Callable[[dict[str, Any], int], Instance]

    @property
    def size(self) -> int:
        """How many instances there are, however many."""
        return prod(map(len, self.values.values())) * len(self.seeds)

    def __iter__(self) -> Iterator[Instance]:
        for combination in combinations(self.values):
            for seed in self.seeds:
                yield self.make(combination, seed)


def combinations(values: Mapping[str, tuple[Any, ...]]) -> Iterator[dict[str, Any]]:
    """Every combination of values, the last name's changing first."""
    for chosen in product(*values.values()):
        yield dict(zip(values, chosen, strict=True))


def listed(value: Any) -> tuple[Any, ...]:
    """A list as it is, one value as a list of it."""
    return tuple(value) if isinstance(value, (list, tuple, range)) else (value,)


def source_of(entry: Mapping[str, Any], folder: Path) -> Source:
    """The source that an entry of a suite describes; files are looked for from its folder on."""
    kinds = {"generator": _generated, "map": _scenarios, "function": _made}
    chosen = [kind for kind in kinds if kind in entry]
    if len(chosen) != 1:
        raise InputError(
            f"instances have a generator, a map or a function, one of these: not {dict(entry)!r}"
        )
    rest = dict(entry)
    rules = rest.pop("rules", {})
    if not isinstance(rules, Mapping):
        raise InputError(f"rules of instances are a table such as {{following = false}}, not {rules!r}")
    Rules(**_strings(rules))
    return kinds[chosen[0]](rest, dict(rules), folder)


def _strings(rules: Mapping[str, Any]) -> dict[str, Any]:
    known = Rules.__dataclass_fields__
    for name in rules:
        if name not in known:
            raise InputError(f"there is no rule {name!r}{did_you_mean(str(name), known)}")
    return dict(rules)


def _seeds(entry: dict[str, Any]) -> range:
    count, first = entry.pop("count", 1), entry.pop("first_seed", 0)
    for name, number, least in (("count", count, 1), ("first_seed", first, 0)):
        if not is_whole(number) or not least <= number <= MOST_SEEDS:
            raise InputError(f"{name} must be a whole number from {least} to {MOST_SEEDS}, not {number!r}")
    return range(first, first + count)


def _generated(entry: dict[str, Any], rules: dict[str, Any], folder: Path) -> Source:
    name, agents = entry.pop("generator"), entry.pop("agents", None)
    if name not in GENERATORS:
        raise InputError(f"there is no generator {name!r}{did_you_mean(str(name), GENERATORS)}")
    if agents is None:
        raise InputError(f"instances of the generator {name!r} need agents, such as agents = [10, 20]")
    seeds = _seeds(entry)
    known = (*GENERATORS[name].defaults, *SHAPE)
    for option in entry:
        if option not in known:
            raise InputError(f"{name} maps have no {option!r}{did_you_mean(option, known)}")

    def make(values: dict[str, Any], seed: int) -> Instance:
        options = {key: value for key, value in values.items() if key != "agents"}
        return Generated(options, rules, name, values["agents"], seed)

    source = Source({**{key: listed(entry[key]) for key in entry}, "agents": listed(agents)}, seeds, make)
    for values in combinations(source.values):  # a wrong number is better found now than in a thousand rows
        make(values, seeds[0]).problem()
    return source


def _scenarios(entry: dict[str, Any], rules: dict[str, Any], folder: Path) -> Source:
    maps = [str(folder / name) for name in listed(entry.pop("map"))]
    patterns, agents = listed(entry.pop("scen", ())), listed(entry.pop("agents", None))
    if not patterns or len(maps) != 1:
        raise InputError(
            "instances with a map have one map and its scenarios: map = 'a.map', scen = 'a-*.scen'"
        )
    scens = [str(path) for pattern in patterns for path in sorted(_glob(folder, str(pattern)))]
    for option in entry:
        if option not in SHAPE:
            raise InputError(f"instances with a map have no {option!r}{did_you_mean(option, SHAPE)}")
    digest = file_digest(maps[0])

    def make(values: dict[str, Any], seed: int) -> Instance:
        scen, options = values["scen"], {name: values[name] for name in SHAPE if name in values}
        return Scenario(options, rules, maps[0], scen, values["agents"], digest, file_digest(scen))

    shape = {key: listed(entry[key]) for key in entry}
    return Source({**shape, "scen": tuple(scens), "agents": agents}, range(1), make)


def _glob(folder: Path, pattern: str) -> list[Path]:
    path = folder / pattern
    found = list(path.parent.glob(path.name))
    if not found:
        raise InputError(f"there is no scenario {path}")
    return found


def _made(entry: dict[str, Any], rules: dict[str, Any], folder: Path) -> Source:
    function, seeds = reference_to(entry.pop("function")), _seeds(entry)
    if rules:
        raise InputError("a function makes its problems with their rules: leave rules out")
    if not callable(named(function)):
        raise InputError(f"{function} is no function")
    return Source(
        {key: listed(entry[key]) for key in entry}, seeds, lambda values, seed: Made(function, seed, values)
    )


def reference_to(thing: Any) -> str:
    """The name `package.module:name` by which other processes find a function or a class."""
    if isinstance(thing, str):
        if ":" not in thing:
            raise InputError(f"a function is named as 'module:function', not {thing!r}")
        return thing
    module, name = getattr(thing, "__module__", None), getattr(thing, "__qualname__", "<")
    if module in (None, "__main__") or "<" in name:
        raise InputError(
            f"other processes cannot find {thing!r}: define it in a module, not in a script or a function"
        )
    return f"{module}:{name}"
