"""What a row of the programme is, how long it may run, and what comes of it."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

CORPUS = Path(__file__).parent / "corpus"


class Failed(Exception):  # noqa: N818 - rows read better so
    """A promise was broken; the sentence says which."""


@dataclass(frozen=True)
class Tally:
    """What a row without numbered cases counted by itself, beyond what its pace has counted."""

    cases: int = 0
    checks: int = 0
    failures: Sequence[str] = ()
    notes: str = ""  # a few words for the table, such as a memory that stayed flat


@dataclass
class Pace:
    """How long a row may run. It is told of everything that is done, so that a hang is noticed.

    `for number in pace` counts from the first number on until the time is over or all cases are done; each
    turn is a batch of cases, as a rule of one. What takes long in between calls `beat`.

    Attributes:
        seconds: The wall time for the whole row, from now on.
        first: The number of the first case.
        limit: The number of cases after which the row is complete.
        batch: The number of cases per turn.
        brief: About a second is meant, in `make test`: build nothing, do little.
        folder: An empty folder for files, deleted afterwards.
    """

    seconds: float
    first: int = 0
    limit: int = 2**62
    brief: bool = False
    folder: Path = Path()
    batch: int = 1
    report: Callable[[int, int, int], None] = lambda number, cases, checks: None
    number: int = 0
    cases: int = 0
    checks: int = 0
    _begin: float = field(default_factory=time.monotonic)

    def __iter__(self) -> Iterator[int]:
        self.number = self.first
        self.report(self.number, self.cases, self.checks)
        while True:
            yield self.number
            self.number += 1
            self.beat(cases=self.batch)
            if not self.going:
                return

    @property
    def going(self) -> bool:
        """Is there time left, and anything left to do?"""
        return self.cases < self.limit and self.left > 0

    @property
    def left(self) -> float:
        """The seconds that are left."""
        return self.seconds - (time.monotonic() - self._begin)

    def beat(self, cases: int = 0, checks: int = 0) -> None:
        """So many more cases and checks are done; none: this only takes long."""
        self.cases += cases
        self.checks += checks
        self.report(self.number, self.cases, self.checks)


def number_in(file: Path) -> int:
    """The number of the case that a file of the corpus names."""
    number: int = json.loads(file.read_text(encoding="utf-8"))["number"]
    return number


@dataclass(frozen=True)
class Row:
    """A line of the table: many cases of one kind.

    Attributes:
        name: One word or two.
        what: One sentence for the table: what holds in every case.
        full: The number of cases of a full run.
        unit: What a case is, in the plural.
        one: Tries the case of a number, everything random being drawn from it; returns how many checks it
            made. It raises Failed, or lets the error through.
        run: For what is not made of numbered cases: tries until the pace says that it is enough.
        again: Tries a file of the corpus, returns the number of checks; a number in JSON if not given.
        batch: How many cases a number stands for.
        patience: A case that works or sleeps for more seconds than this hangs; waiting for a core is free.
        weight: The part of all time that the row asks for: about the minutes that a quiet core needs for all
            its cases, unless these are hours.
        needs: A sentence about what is missing on this machine, or nothing.
        environment: Environment variables of the processes that run the row; may build what they need.
    """

    name: str
    what: str
    full: int
    unit: str
    one: Callable[[int], int] | None = None
    run: Callable[[Pace], Tally] | None = None
    again: Callable[[Path], int] | None = None
    batch: int = 1
    patience: float = 120.0
    weight: float = 1.0
    needs: Callable[[], str] = lambda: ""
    environment: Callable[[], Mapping[str, str]] = dict

    def __post_init__(self) -> None:
        if (self.one is None) == (self.run is None):
            raise ValueError(f"row {self.name} needs `one` or `run`")

    @property
    def module(self) -> str:
        """The name of its module in `rows`, of its folder in `corpus` and of the file of its result."""
        return self.name.replace(" ", "_")

    def corpus(self) -> list[Path]:
        """What was found before, and is tried first."""
        return sorted(path for path in (CORPUS / self.module).glob("*") if path.is_file())

    def try_again(self, file: Path) -> int:
        """Tries a file of the corpus."""
        if self.again is not None:
            return self.again(file)
        assert self.one is not None
        return self.one(number_in(file))
