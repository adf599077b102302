"""What a section of the benchmarks returns: tables of measurements, and targets met or missed.

A table keeps plain numbers; only what people see is formatted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from rich.table import Table as RichTable

Row = Mapping[str, Any]
Say = Callable[[str], object]  # told what is being measured

RELEASE_TARGETS = "the targets that the first release was given"


@dataclass(frozen=True)
class Column:
    """A value of every row: its key, its heading if that is another, and its format specification."""

    key: str
    heading: str = ""
    form: str = ""

    def shown(self, row: Row) -> str:
        value = row.get(self.key)
        return "-" if value is None else format(value, self.form)


CASE = (Column("map"), Column("agents", form=",.0f"))  # which problem a row is about


@dataclass(frozen=True)
class Table:
    """Rows of measurements. Notes say what a reader would otherwise guess."""

    title: str
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    notes: tuple[str, ...] = ()

    def rendered(self) -> RichTable:
        """For people."""
        table = RichTable(title=self.title, title_justify="left", caption_justify="left")
        table.caption = "\n".join(self.notes) or None
        for column in self.columns:
            is_text = bool(self.rows) and isinstance(self.rows[0].get(column.key), str)
            table.add_column(column.heading or column.key, justify="left" if is_text else "right")
        for row in self.rows:
            table.add_row(*(column.shown(row) for column in self.columns))
        return table

    def plain(self) -> dict[str, Any]:
        """For machines."""
        return {"title": self.title, "rows": [dict(row) for row in self.rows], "notes": list(self.notes)}


@dataclass(frozen=True)
class Target:
    """What is to be reached, and who says so."""

    what: str
    limit: float
    unit: str
    at_least: bool = False
    source: str = RELEASE_TARGETS

    def __str__(self) -> str:
        return f"{'>=' if self.at_least else '<='} {self.limit:g}"

    def judge(self, measured: float | None) -> Verdict:
        """A measurement held against it; None where there was nothing to measure."""
        if measured is None:
            return Verdict(self, None, None)
        return Verdict(self, measured, measured >= self.limit if self.at_least else measured <= self.limit)


def none_refused(whose: str) -> Target:
    """The target of all that makes plans: the judge refuses none."""
    return Target(f"{whose} that the judge refuses", 0, "plans")


@dataclass(frozen=True)
class Verdict:
    """A target and what was measured."""

    target: Target
    measured: float | None
    met: bool | None  # None: nothing was measured

    def __str__(self) -> str:
        measured = "nothing" if self.measured is None else f"{self.measured:.2f} {self.target.unit}"
        return f"{self.target.what}: {measured}, and the target is {self.target}"


@dataclass(frozen=True)
class Measurements:
    """The tables and verdicts of one section; `skipped` is the sentence why there are none."""

    tables: tuple[Table, ...] = ()
    verdicts: tuple[Verdict, ...] = ()
    skipped: str = ""

    def plain(self) -> dict[str, Any]:
        """For machines."""
        return {
            "skipped": self.skipped,
            "tables": [table.plain() for table in self.tables],
            "targets": [asdict(verdict) for verdict in self.verdicts],
        }


def verdict_table(verdicts: Iterable[Verdict]) -> Table:
    """All targets with what was measured."""
    rows = [
        {
            "target": verdict.target.what,
            "limit": str(verdict.target),
            "measured": verdict.measured,
            "unit": verdict.target.unit,
            "met": {True: "yes", False: "NO", None: "not measured"}[verdict.met],
        }
        for verdict in verdicts
    ]
    columns = (
        Column("target"),
        Column("limit"),
        Column("measured", form=".2f"),
        Column("unit"),
        Column("met"),
    )
    return Table("Targets", columns, tuple(rows))
