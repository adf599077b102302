"""The tables in the README and the docs, made from a recorded run so that no number in them is typed by hand.

    python -m benchmarks --json out/bench.json
    python -m benchmarks.readme out/bench.json

The second command keeps what the tables need in docs/*.json and puts them into their pages; a test compares
the two. A run of some sections only leaves the tables of the others as they are.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

KEPT = ("map", "agents", "algorithm", "instances", "ours solved", "theirs solved")
KEPT_OF_BOTH = ("both", "both ours median", "both median ratio", "cost ratio")
KEPT_OF_OPTIMAL = ("agents", "algorithm", "instances", "ours solved", "theirs solved", "different")
KEPT_OF_SCENARIOS = ("scenario", "solver", "most", "costs")

Kept = Mapping[str, Any]


def rivals_table(kept: Kept) -> str:
    """The table in Markdown, with the sentence that says what it shows."""
    lines = [
        f"sidestep {kept['sidestep']} and w9-pathfinding on the same random maps, 20% blocked, 4-connected, "
        "swaps forbidden. Speed is the ratio of median CPU times on the instances that both solve.",
        "",
        "| map | agents | algorithm | solved: sidestep, w9, of | times as fast | cost |",
        "|---|---|---|---|---|---|",
        *(_line(row) for row in kept["rows"]),
    ]
    return "\n".join(lines)


def _line(row: Kept) -> str:
    solved = f"{row['ours solved']}, {row['theirs solved']}, {row['instances']}"
    speed = f"{row['both median ratio']:.1f}" if row["both"] else "w9 solves none"
    cost = f"{row['cost ratio']:.2f} of w9's" if row["both"] else ""
    return f"| {row['map']} | {row['agents']} | {row['algorithm']} | {solved} | {speed} | {cost} |"


def optimal_table(kept: Kept) -> str:
    """A line per number of agents, two columns per algorithm."""
    solved: dict[int, dict[str, str]] = {}
    for row in kept["rows"]:
        solved.setdefault(row["agents"], {})[row["algorithm"]] = (
            f"{row['ours solved']}, {row['theirs solved']}"
        )
    algorithms = list(dict.fromkeys(row["algorithm"] for row in kept["rows"]))
    return _grid("agents", algorithms, solved)


def scenarios_table(kept: Kept) -> str:
    """A line per scenario, a column per solver."""
    most: dict[str, dict[str, int]] = {}
    for row in kept["rows"]:
        most.setdefault(row["scenario"], {})[row["solver"]] = row["most"]
    return _grid("scenario", list(dict.fromkeys(row["solver"] for row in kept["rows"])), most)


def _grid(corner: str, columns: Sequence[str], rows: Mapping[Any, Mapping[str, Any]]) -> str:
    lines = [
        f"| {corner} | {' | '.join(columns)} |",
        "|---" * (1 + len(columns)) + "|",
        *(f"| {name} | {' | '.join(str(row[column]) for column in columns)} |" for name, row in rows.items()),
    ]
    return "\n".join(lines)


@dataclass(frozen=True)
class Page:
    """A page with a table: of which section, what is kept of its rows, and where."""

    path: Path
    section: str
    keys: tuple[str, ...]
    numbers: Path
    table: Callable[[Kept], str]

    def excerpt(self, record: Kept) -> dict[str, Any]:
        """What the table needs of everything that was measured."""
        rows = record["sections"][self.section]["tables"][0]["rows"]
        kept = [{key: row[key] for key in self.keys if key in row} for row in rows]
        return {"sidestep": record["sidestep"], "rows": kept}

    def with_table(self, text: str, kept: Kept) -> str:
        """The page with the table between its marks."""
        begin, end = (f"<!-- {self.section}: {side} -->" for side in ("begin", "end"))
        head, rest = text.split(begin)
        return f"{head}{begin}\n{self.table(kept)}\n{end}{rest.split(end)[1]}"


RIVALS = Page(Path("README.md"), "rivals", (*KEPT, *KEPT_OF_BOTH), Path("docs/benchmarks.json"), rivals_table)
_GUIDE = Path("docs/guides/optimal.md")
OPTIMAL = Page(_GUIDE, "optimal", KEPT_OF_OPTIMAL, Path("docs/optimal.json"), optimal_table)
SCENARIOS = Page(_GUIDE, "scenarios", KEPT_OF_SCENARIOS, Path("docs/scenarios.json"), scenarios_table)
PAGES = (RIVALS, OPTIMAL, SCENARIOS)


def in_lines(kept: Kept) -> str:
    """JSON with a line per row."""
    rows = ",\n".join(json.dumps(row) for row in kept["rows"])
    return f'{{"sidestep": {json.dumps(kept["sidestep"])}, "rows": [\n{rows}\n]}}\n'


def main(arguments: list[str]) -> None:
    """Takes a recorded run into the pages of the folder it is called in."""
    record = json.loads(Path(arguments[0]).read_text())
    for page in PAGES:
        if record["sections"].get(page.section, {}).get("tables"):
            kept = page.excerpt(record)
            page.numbers.write_text(in_lines(kept))
            page.path.write_text(page.with_table(page.path.read_text(), kept))


if __name__ == "__main__":
    main(sys.argv[1:])
