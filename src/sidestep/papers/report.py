"""A report on the experiments of a paper: published beside measured, for the terminal and as one page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table as RichTable
from rich.text import Text

from ..io import jsonfile
from ..io.files import store_text
from .claims import AGREES, Comparison
from .page import html_page
from .plots import Plot, draw

FORMAT, VERSION = "sidestep-reproduction", 1


@dataclass(frozen=True)
class Table:
    """Measured numbers, already in words; the first column names the row."""

    title: str
    columns: tuple[str, ...]
    rows: Sequence[tuple[str, ...]]


@dataclass(frozen=True)
class Report:
    """Everything there is to say; `rows` are the raw numbers that the rest can be computed from.

    `pictures` are PNG images by what they show.
    """

    name: str
    title: str
    notes: Sequence[str]
    comparisons: Sequence[Comparison]
    tables: Sequence[Table]
    plots: Sequence[Plot]
    rows: Sequence[Mapping[str, Any]]
    folder: Path
    pictures: Mapping[str, bytes] = field(default_factory=dict)

    @property
    def html(self) -> Path:
        """The page that the report is written to."""
        return self.folder / f"{self.name}.html"

    @property
    def reasons(self) -> dict[str, list[str]]:
        """Why numbers differ from the paper's: each reason with what it explains."""
        found: dict[str, list[str]] = {}
        for comparison in self.comparisons:
            if comparison.reason:
                claim = comparison.claim
                found.setdefault(comparison.reason, []).append(f"{claim.topic}, {claim.what}")
        return found

    def text(self) -> Group:
        """The report without its plots, for a terminal of any width."""
        parts: list[RenderableType] = [
            Text(self.title, style="bold"),
            *map(Text, self.notes),
            "",
            _comparison_table(self),
        ]
        if self.reasons:
            parts += ["", Text("Where it differs from the paper, and why", style="bold")]
        for reason, explained in self.reasons.items():
            parts += [Text("; ".join(explained) + ":"), Padding(Text(reason), (0, 0, 0, 2))]
        for table in self.tables:
            parts += ["", _rich_table(table)]
        return Group(*parts)

    def write(self) -> None:
        """The page, its plots as PNG files of their own, and the raw numbers."""
        self.folder.mkdir(parents=True, exist_ok=True)
        images = [draw(plot) for plot in self.plots]
        for plot, image in zip(self.plots, images, strict=True):
            (self.folder / f"{self.name}-{plot.name}.png").write_bytes(image)
        raw = {"format": FORMAT, "version": VERSION, "paper": self.name, "rows": [*map(dict, self.rows)]}
        jsonfile.store(self.folder / f"{self.name}.json", raw)
        store_text(self.html, html_page(self, images))


def _comparison_table(report: Report) -> RichTable:
    table = _empty_table("Published beside measured")
    for column in ("what", "published", "measured", "verdict"):
        table.add_column(column)
    for topic, comparisons in groupby(report.comparisons, lambda comparison: comparison.claim.topic):
        table.add_row(Text(topic, style="bold"))
        for comparison in comparisons:
            claim, style = comparison.claim, "green" if comparison.verdict == AGREES else "yellow"
            verdict = Text(comparison.verdict, style=style)
            what = Padding(Text(claim.what), (0, 0, 0, 2))
            table.add_row(what, Text(claim.published), Text(comparison.shown), verdict)
    return table


def _empty_table(title: str) -> RichTable:
    """As narrow as it gets: a report should fit into 80 columns."""
    table = RichTable(title=title, title_justify="left", box=SIMPLE_HEAD, padding=(0, 1, 0, 0))
    table.title_style, table.show_edge, table.pad_edge = "bold", False, False
    return table


def _rich_table(table: Table) -> RichTable:
    rich = _empty_table(table.title)
    for index, column in enumerate(table.columns):
        rich.add_column(column, justify="right" if index else "left")
    for row in table.rows:
        rich.add_row(*map(Text, row))
    return rich
