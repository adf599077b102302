"""What a sweep came to: rows, frames, files, tables and plots."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from io import BytesIO, StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console

from ..io.files import FilePath, source_of, store_bytes, store_text
from ..model.errors import InputError, MissingExtraError
from .ledger import COLUMNS, Ledger

if TYPE_CHECKING:
    from .measured import Numbers


class Sweep:
    """The rows of a ledger. `print(sweep)` shows a table of the solvers, as does a notebook.

    A row is a mapping: `solver` (its label), `solver_spec`, `map`, `instance`, `agents`, `seed`, `limits`;
    `status`, `solved` (1 if there is a plan and the judge finds it valid), `cost`, `makespan`, `lower_bound`,
    `seconds`, `cpu`, `expansions`, `reason`; and where it comes from: `key`, `digest` of the problem, version
    of `sidestep`, `machine`, `command`, when that was `started`.

    Args:
        path: The ledger.

    Attributes:
        path: As given.

    Raises:
        InputError: There is no such file.
        FormatError: It is no ledger.
    """

    def __init__(self, path: FilePath) -> None:
        self.path = Path(source_of(path))
        Ledger(self.path).close()

    def __len__(self) -> int:
        with Ledger(self.path) as ledger:
            return len(ledger)

    def __iter__(self) -> Iterator[Mapping[str, Any]]:
        with Ledger(self.path) as ledger:
            yield from ledger.rows()

    def __repr__(self) -> str:
        return f"Sweep({str(self.path)!r}: {len(self)} rows)"

    def __str__(self) -> str:
        return self.text()

    def text(self, width: int = 120) -> str:
        """Says what every solver came to, and every two on the same instances.

        Args:
            width: Of the text, in characters.

        Returns:
            Tables: shares with Wilson intervals, times, costs over the best known ones, paired tests.
        """
        from .report import report_of  # noqa: PLC0415  # statistics come with plots: not needed to run

        stream = StringIO()
        Console(file=stream, width=width, highlight=False).print(
            report_of(self.numbers(), self.path.stem).text()
        )
        return stream.getvalue().rstrip("\n")

    def numbers(self) -> Numbers:
        """Reads what statistics need.

        Returns:
            All rows, as few numbers each.
        """
        from .measured import Numbers  # noqa: PLC0415

        with Ledger(self.path) as ledger:
            return Numbers.of(ledger)

    def to_pandas(self) -> Any:
        """Makes a frame of pandas.

        Returns:
            A `pandas.DataFrame` with a line per row.

        Raises:
            MissingExtraError: pandas is not installed.
        """
        return _package("pandas").DataFrame.from_records([*self], columns=list(COLUMNS))

    def to_polars(self) -> Any:
        """Makes a frame of polars.

        Returns:
            A `polars.DataFrame` with a line per row.

        Raises:
            MissingExtraError: polars is not installed.
        """
        return _package("polars").DataFrame([*self], schema=list(COLUMNS), infer_schema_length=None)

    def plot(self, kind: str, path: FilePath) -> None:
        """Draws a plot.

        Args:
            kind: `success`, `time` or `cost`, over the number of agents; or `cactus`: the time of every
                instance, the quickest first.
            path: A PNG file.

        Raises:
            InputError: There is no such plot, or the file cannot be written.
            MissingExtraError: matplotlib is not installed.
        """
        from ..papers.plots import draw  # noqa: PLC0415
        from .report import plot_of  # noqa: PLC0415

        store_bytes(path, draw(plot_of(self.numbers(), kind)))

    def write(self, path: FilePath) -> None:
        """Writes rows or a report, by the end of the file's name.

        Args:
            path: `.csv` and `.parquet` have all rows; `.html` is a report with plots; `.tex` and `.md` have
                the table of solvers, `.txt` all tables.

        Raises:
            InputError: The name ends in something else, or the file cannot be written.
            MissingExtraError: What it takes is not installed: polars for Parquet, matplotlib for plots.
        """
        writers: dict[str, Callable[[], str | bytes]] = {
            ".csv": self._csv,
            ".parquet": self._parquet,
            ".html": self._html,
            ".tex": self._latex,
            ".md": self._markdown,
            ".txt": lambda: self.text() + "\n",
        }
        suffix = Path(source_of(path)).suffix
        if suffix not in writers:
            raise InputError(f"{path} should end in one of {', '.join(writers)}")
        content = writers[suffix]()
        if isinstance(content, bytes):
            store_bytes(path, content)
        else:
            store_text(path, content)

    def _csv(self) -> str:
        stream = StringIO()
        writer = csv.DictWriter(stream, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(self)
        return stream.getvalue()

    def _parquet(self) -> bytes:
        stream = BytesIO()
        self.to_polars().write_parquet(stream)
        return stream.getvalue()

    def _html(self) -> str:
        from .report import page_of  # noqa: PLC0415

        return page_of(self.numbers(), self.path.stem)

    def _latex(self) -> str:
        from .report import latex, summary_table  # noqa: PLC0415

        return latex(summary_table(self.numbers()))

    def _markdown(self) -> str:
        from .report import markdown, summary_table  # noqa: PLC0415

        return markdown(summary_table(self.numbers()))


def _package(name: str) -> Any:
    try:
        return import_module(name)
    except ImportError as error:
        raise MissingExtraError(name, "frames") from error
