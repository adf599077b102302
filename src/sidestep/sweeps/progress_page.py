"""How far a sweep is, as a page that looks again by itself: for who is not at the terminal it runs in."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from html import escape
from pathlib import Path
from time import monotonic

from ..io.files import FilePath, source_of, store_text
from ..papers.page import document, html_table
from .ledger import FLAWED
from .trial import Trial
from .worker import Outcome

EVERY = 2.0  # seconds from one page to the next
LOOK_AGAIN = f'<meta http-equiv="refresh" content="{EVERY:.0f}">'
STYLE = (
    "<style>progress { width: 100%; height: 1.2rem; } p.far { font-size: 1.2rem; margin: 0.4rem 0; }</style>"
)


@dataclass
class Tally:
    """What was counted of a solver.

    Args:
        rows: All of them.
        solved: Those with a valid plan.
        flawed: Those that crashed or ended in an error.
        cpu: What they took together, in seconds.
    """

    rows: int = 0
    solved: int = 0
    flawed: int = 0
    cpu: float = 0.0

    def add(self, outcome: Outcome) -> None:
        """One row more."""
        self.rows += 1
        self.solved += bool(outcome.valid)
        self.flawed += outcome.status in FLAWED
        self.cpu += outcome.cpu or 0.0


@dataclass
class ProgressPage:
    """The page of one run of the client, written again and again while it runs.

    Args:
        path: The file.
        name: Of the sweep.
        solvers: Their labels, in the order of the table.
    """

    path: FilePath
    name: str
    solvers: Sequence[str]
    _solvers: dict[str, Tally] = field(default_factory=dict)
    _machines: dict[str, int] = field(default_factory=dict)
    _far: tuple[float, str] = (0.0, "begins")
    _begin: float = field(default_factory=monotonic)
    _written: float = -EVERY

    def __post_init__(self) -> None:
        self._solvers.update((label, Tally()) for label in self.solvers)
        self._write("runs")

    def note(self, machine: str, done: Iterable[tuple[Trial, Outcome]]) -> None:
        """Counts rows that have come in."""
        for trial, outcome in done:
            self._solvers[trial.solver.label].add(outcome)
            self._machines[machine] = self._machines.get(machine, 0) + 1

    def tell(self, part: float, text: str) -> None:
        """How far the sweep is, from 0 to 1, and a message; the page is written now and then."""
        self._far = part, text
        if monotonic() >= self._written + EVERY:
            self._write("runs")

    def end(self, *, finished: bool) -> None:
        """Writes the last one, which does not look again."""
        self._write("is done" if finished else "was interrupted; the same command goes on with it")

    def _write(self, state: str) -> None:
        part, text = self._far
        now = datetime.now(UTC).isoformat(" ", timespec="seconds")
        seconds = max(monotonic() - self._begin, 1e-9)
        body = [
            f"<main><h1>Sweep {escape(self.name)} {state}</h1>",
            f'<progress value="{part:.4f}" aria-label="how far the sweep is">{100 * part:.1f}%</progress>',
            f'<p class="far">{escape(text)}</p><p>As of {now[:19]} UTC. Counted since this run began:</p>',
            html_table(
                ("solver", "rows", "solved", "errors", "CPU ms per row"),
                [
                    (
                        label,
                        f"{one.rows:,}",
                        f"{one.solved:,}",
                        f"{one.flawed:,}",
                        f"{1000 * one.cpu / max(one.rows, 1):.2f}",
                    )
                    for label, one in self._solvers.items()
                ],
            ),
            html_table(
                ("machine", "rows", "rows/s"),
                [(name, f"{rows:,}", f"{rows / seconds:.1f}") for name, rows in self._machines.items()],
            ),
            "</main>",
        ]
        head = STYLE + (LOOK_AGAIN if state == "runs" else "")
        store_text(Path(source_of(self.path)), document(f"Sweep {self.name}", body, head))
        self._written = monotonic()
