"""Published experiments: a paper declares one, and here it is run, estimated, judged and reported.

A paper's `Experiment` has a design (trials and samples), claims, tables and plots. A measure is a function of
samples; its error is the one that leaving samples out shows. What is measured is the algorithm as printed,
and verdicts are about that; where ours is another, the same is measured of ours and stands beside it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, replace
from itertools import groupby
from pathlib import Path
from statistics import fmean, stdev
from typing import Any, Generic, NamedTuple, TypeVar

from rich.box import SIMPLE_HEAD
from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table as RichTable
from rich.text import Text

from .. import __version__
from ..io import jsonfile
from ..io.files import store_text
from ..sweeps.run import OnProgress
from ..sweeps.working import Unfinished, mapping
from .design import Design, Row, Sample, Size, Trial
from .page import html_page, markdown_table
from .plots import draw, require_matplotlib

Key = TypeVar("Key")
Measure = Callable[[Sequence[Sample]], float]

FORMAT, VERSION = "sidestep-reproduction", 1
AGREES, UNCLEAR, UNKNOWN = "agrees", "unclear", "not measured"
MOST_PARTS = 100  # that samples are left out in: more would take long and tell no more
WITHIN_95_PERCENT = 1.96  # standard errors
NOTHING = "—"  # shown where there is no number


# Estimates


@dataclass(frozen=True)
class Estimate:
    """A measured number and its standard error, which is not a number where one sample says nothing.

    `within` is where it is with a probability of 95%, for what is not as far on either side.
    """

    value: float
    error: float = math.nan
    within: tuple[float, float] | None = None

    @property
    def reach(self) -> tuple[float, float]:
        """How far a bar goes down and up."""
        if self.within is None:
            return self.error, self.error
        return self.value - self.within[0], self.within[1] - self.value

    def show(self, places: int, unit: str = "") -> str:
        """`93.1%±0.4` or `93.1% (91.0 to 94.7)`."""
        if math.isnan(self.value):
            return NOTHING
        if self.within is not None:
            low, high = self.within
            return f"{self.value:.{places}f}{unit} ({low:.{places}f} to {high:.{places}f})"
        error = "" if math.isnan(self.error) else f"±{self.error:.{places}f}"
        return f"{self.value:.{places}f}{unit}{error}"


class Interval(NamedTuple):
    """A mean and where it is with a probability of 95%."""

    mean: float
    low: float
    high: float

    @classmethod
    def of(cls, values: Sequence[float]) -> Interval:
        """Of independent samples."""
        mean = fmean(values)
        error = WITHIN_95_PERCENT * stdev(values) / math.sqrt(len(values)) if len(values) > 1 else math.nan
        return cls(mean, mean - error, mean + error)

    @classmethod
    def share(cls, hits: int, count: int) -> Interval:
        """Of a share, by Wilson's method: right for few samples too, and for shares near 0 and 1."""
        if not count:
            return cls(math.nan, math.nan, math.nan)
        z, share = WITHIN_95_PERCENT, hits / count
        middle = (share + z * z / (2 * count)) / (1 + z * z / count)
        half = z / (1 + z * z / count) * math.sqrt(share * (1 - share) / count + (z / (2 * count)) ** 2)
        return cls(share, max(0.0, middle - half), min(1.0, middle + half))

    def show(self, places: int) -> str:
        """`93.1 (92.0 to 94.2)`."""
        return f"{self.mean:.{places}f} ({self.low:.{places}f} to {self.high:.{places}f})"


def estimate(measure: Measure[Sample], samples: Sequence[Sample]) -> Estimate:
    """A measure of independent samples, with the standard error that leaving each of them out shows.

    This jackknife serves ratios and minima, which have no error formula of their own, as well as means. Of
    many samples, equal parts are left out one after another.
    """
    value, parts = measure(samples), min(len(samples), MOST_PARTS)
    if parts < 2:
        return Estimate(value)
    others = [measure(_all_but(samples, part, parts)) for part in range(parts)]
    middle = fmean(others)
    return Estimate(value, math.sqrt((parts - 1) / parts * sum((other - middle) ** 2 for other in others)))


def _all_but(samples: Sequence[Sample], part: int, parts: int) -> list[Sample]:
    return [sample for index, sample in enumerate(samples) if index % parts != part]


def estimated_mean(values: Sequence[float]) -> Estimate:
    """The mean of independent values with its standard error; there must be one value at least."""
    error = stdev(values) / math.sqrt(len(values)) if len(values) > 1 else math.nan
    return Estimate(fmean(values), error)


def mean(values: Iterable[float | None]) -> float:
    """The mean of the values that there are; not a number if there are none."""
    found = [value for value in values if value is not None]
    return fmean(found) if found else math.nan


def ratio(over: float, under: float) -> float:
    """A quotient; not a number if there is nothing to divide by."""
    return over / under if under else math.nan


def percentage(hits: Sequence[bool]) -> float:
    """How many of these are true, in percent; not a number if there are none."""
    return 100 * ratio(sum(hits), len(hits))


def total(outcomes: Iterable[Any], quantity: str) -> int:
    """The sum of an attribute over all outcomes."""
    return sum(getattr(outcome, quantity) for outcome in outcomes)


def least_first(values: Sequence[float], count: int) -> dict[float, Estimate]:
    """What each of `count` instances took, least first: the value at every half percent, while there is one.

    There are fewer values than instances where some are not solved: the curve ends there.
    """
    ranked = sorted(values)
    places = ((half / 2, -(-half * count // 200) - 1) for half in range(1, 201))
    return {percent: Estimate(ranked[place]) for percent, place in places if 0 <= place < len(ranked)}


# Verdicts


@dataclass(frozen=True)
class Claim:
    """One statement of a paper on a topic, the number in it, and how to measure the same.

    Measured values from `low` to `high` agree with the statement. `reason` says why the measured one may
    differ. A statement `of_ours` is about our form of the algorithm, not the printed one.
    """

    topic: str
    source: str
    what: str
    published: str
    stated: float
    measure: Measure[Any]
    low: float = -math.inf
    high: float = math.inf
    unit: str = ""
    places: int = 2
    reason: str = ""
    of_ours: bool = False


@dataclass(frozen=True)
class Comparison:
    """A claim with what was measured: as printed, and of ours where that is another algorithm."""

    claim: Claim
    measured: Estimate
    ours: Estimate | None = None

    @property
    def judged(self) -> Estimate:
        """What the verdict is about."""
        return self.ours if self.claim.of_ours and self.ours is not None else self.measured

    @property
    def verdict(self) -> str:
        """Agrees; unclear, if it would agree but for two standard errors; or by how much it differs."""
        claim, value = self.claim, self.judged.value
        if math.isnan(value):
            return UNKNOWN
        if claim.low <= value <= claim.high:
            return AGREES
        slack = 0.0 if math.isnan(self.judged.error) else 2 * self.judged.error
        if claim.low - slack <= value <= claim.high + slack:
            return UNCLEAR
        amount = f"{value - claim.stated:+.{claim.places}f}"
        return f"differs {amount}" if float(amount) else "differs"

    @property
    def agrees(self) -> bool:
        return self.verdict == AGREES

    @property
    def shown(self) -> str:
        """The measured value in the claim's unit."""
        return self.measured.show(self.claim.places, self.claim.unit)

    @property
    def shown_of_ours(self) -> str:
        """The same of ours; nothing where it is the same algorithm."""
        return "" if self.ours is None else self.ours.show(self.claim.places, self.claim.unit)

    @property
    def reason(self) -> str:
        """Why it differs; nothing if it does not."""
        return "" if self.verdict in (AGREES, UNKNOWN) else self.claim.reason


# The report


@dataclass(frozen=True)
class Table:
    """Measured numbers, already in words; the first column names the row."""

    title: str
    columns: tuple[str, ...]
    rows: Sequence[tuple[str, ...]]

    @classmethod
    def of(
        cls, title: str, corner: str, keys: Iterable[Key], *columns: tuple[str, Callable[[Key], str]]
    ) -> Table:
        """A row per key; a column is its heading and what it says of a key."""
        rows = [(str(key), *(cell(key) for _, cell in columns)) for key in keys]
        return cls(title, (corner, *(heading for heading, _ in columns)), rows)


@dataclass(frozen=True)
class Mark:
    """A published point beside the curve of this label; `text` is how the paper states it."""

    label: str
    x: float
    y: float
    text: str


@dataclass(frozen=True)
class Plot:
    """One figure: curves by their labels, each a measured number per x."""

    name: str
    title: str
    x_label: str
    y_label: str
    curves: Mapping[str, Mapping[float, Estimate]]
    marks: tuple[Mark, ...] = ()
    logarithmic: bool = False


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
    def headings(self) -> tuple[str, ...]:
        """Of what was measured: `measured`, or `as printed` and `ours`."""
        two = any(comparison.ours is not None for comparison in self.comparisons)
        return ("as printed", "ours") if two else ("measured",)

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
        ]
        if self.comparisons:
            parts += ["", _comparison_table(self)]
        if self.reasons:
            parts += ["", Text("Where it differs from the paper, and why", style="bold")]
        for reason, explained in self.reasons.items():
            parts += [Text("; ".join(explained) + ":"), Padding(Text(reason), (0, 0, 0, 2))]
        for table in self.tables:
            parts += ["", rich_table(table)]
        return Group(*parts)

    def write(self) -> None:
        """The page, its plots as PNG files of their own, the table of claims, and the raw numbers."""
        self.folder.mkdir(parents=True, exist_ok=True)
        images = [draw(plot) for plot in self.plots]
        for plot, image in zip(self.plots, images, strict=True):
            (self.folder / f"{self.name}-{plot.name}.png").write_bytes(image)
        raw = {"format": FORMAT, "version": VERSION, "paper": self.name, "rows": [*map(dict, self.rows)]}
        jsonfile.store(self.folder / f"{self.name}.json", raw)
        store_text(self.html, html_page(self, images))
        store_text(self.folder / f"{self.name}.md", markdown_table(self))


def counted(number: int, noun: str) -> str:
    """`1 map`, `2 maps`."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _comparison_table(report: Report) -> RichTable:
    table = _empty_table("Published beside measured")
    for column in ("what", "published", *report.headings, "verdict"):
        table.add_column(column)
    for topic, comparisons in groupby(report.comparisons, lambda comparison: comparison.claim.topic):
        table.add_row(Text(topic, style="bold"))
        for comparison in comparisons:
            claim, style = comparison.claim, "green" if comparison.agrees else "yellow"
            verdict = Text(comparison.verdict, style=style)
            what = Padding(Text(claim.what), (0, 0, 0, 2))
            measured = (comparison.shown, comparison.shown_of_ours)[: len(report.headings)]
            table.add_row(what, Text(claim.published), *map(Text, measured), verdict)
    return table


def _empty_table(title: str) -> RichTable:
    """As narrow as it gets: a report should fit into 80 columns."""
    table = RichTable(title=title, title_justify="left", box=SIMPLE_HEAD, padding=(0, 1, 0, 0))
    table.title_style, table.show_edge, table.pad_edge = "bold", False, False
    return table


def rich_table(table: Table) -> RichTable:
    """A table for a terminal."""
    rich = _empty_table(table.title)
    for index, column in enumerate(table.columns):
        rich.add_column(column, justify="right" if index else "left")
    for row in table.rows:
        rich.add_row(*map(Text, row))
    return rich


# What a paper declares


def no_pictures(_folder: Path, _seed: int) -> Mapping[str, bytes]:
    """What a report without pictures has."""
    return {}


@dataclass(frozen=True)
class Experiment(Generic[Trial, Sample]):
    """The experiment of a paper.

    Attributes:
        name: What `sidestep reproduce` calls it.
        title: The paper.
        design: Trials, and the samples that they make.
        claims: What the paper states.
        notes: Paragraphs that say what was run and how it was counted.
        tables: Numbers beside the claims.
        plots: Figures, with published points marked.
        pictures: Draws PNG images into a folder, from a seed; returns them by their titles.
        ours: The samples with the outcomes of our algorithms in the place of those of the printed ones; None
            where there is no difference.
    """

    name: str
    title: str
    design: Design[Trial, Sample]
    claims: Sequence[Claim]
    notes: Callable[[Sequence[Sample]], Sequence[str]]
    tables: Callable[[Sequence[Sample]], Sequence[Table]]
    plots: Callable[[Sequence[Sample]], Sequence[Plot]]
    pictures: Callable[[Path, int], Mapping[str, bytes]] = no_pictures
    ours: Callable[[Sequence[Sample]], Sequence[Sample]] | None = None

    def run(
        self,
        *,
        full: bool,
        seed: int,
        jobs: int,
        out: Path,
        progress: OnProgress,
        instances: int | None = None,
    ) -> Report:
        """Runs all trials, writes a report to the folder `out` and returns it.

        Args:
            full: The paper's size; otherwise a short version.
            seed: Of all instances.
            jobs: How many processes; the numbers do not depend on it.
            out: A folder; it is made.
            progress: Told how far the run is, from 0 to 1, and a message.
            instances: Another number of instances than the paper's and the short version's.

        Raises:
            MissingExtraError: matplotlib is not installed; before any work is done.
        """
        require_matplotlib()
        out.mkdir(parents=True, exist_ok=True)
        trials = self.design.trials(Size(full, instances), seed)
        with self._unfinished(out, seed) as unfinished:
            rows = self.rows(trials, jobs, progress, unfinished)
            report = self.report(rows, out, self.pictures(out, seed))
            report.write()
            if unfinished:
                unfinished.remove()
        return report

    def rows(
        self, trials: Sequence[Trial], jobs: int, progress: OnProgress, unfinished: Unfinished | None = None
    ) -> list[Row]:
        """The raw numbers of all trials, in order; those that an unfinished run has are not run again."""
        with mapping(self.design.measure, jobs) as mapped:
            return mapped(trials, on_progress=progress, unfinished=unfinished)

    def report(
        self, rows: Sequence[Row], folder: Path, pictures: Mapping[str, bytes] | None = None
    ) -> Report:
        """Published beside measured, from raw numbers; nothing is written yet."""
        samples = self.design.samples(rows)
        return Report(
            name=self.name,
            title=self.title,
            notes=self.notes(samples),
            comparisons=self._comparisons(samples),
            tables=self.tables(samples),
            plots=self.plots(samples),
            rows=rows,
            folder=folder,
            pictures=pictures or {},
        )

    def _comparisons(self, samples: Sequence[Sample]) -> list[Comparison]:
        """What was measured of the printed algorithms and, where they differ, of ours."""
        printed = [Comparison(claim, estimate(claim.measure, samples)) for claim in self.claims]
        if self.ours is None:
            return printed
        ours = self.ours(samples)
        return [replace(one, ours=estimate(one.claim.measure, ours)) for one in printed]

    def _unfinished(self, folder: Path, seed: int) -> AbstractContextManager[Unfinished | None]:
        if self.design.unfinished is None:
            return nullcontext()
        about = {"paper": self.name, "sidestep": __version__, "seed": seed, **self.design.unfinished}
        return Unfinished(folder / f"{self.name}-unfinished.db", about)
