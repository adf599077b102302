"""What rows have shown, as files, one per row, and the table that is made of them."""

from __future__ import annotations

import json
import os
import platform
import subprocess
from pathlib import Path
from typing import Any

from .driver import ROOT, Outcome
from .row import Row

FOLDER = Path(os.environ.get("SIDESTEP_TORTURE", ROOT / "build" / "torture"))
PAGE = ROOT / "docs" / "torture.md"
LIMITS_PAGE = ROOT / "docs" / "torture-limits.md"
HEADING = "\n## The last run\n\nOf each row, at the commit it names. Rows that are not here were not run.\n"
Result = dict[str, Any]


def commit() -> str:
    """The commit that is checked out, with a plus sign where files differ from it."""
    head = _git("rev-parse", "--short=10", "HEAD")
    return head + ("+" if _git("status", "--porcelain", "--untracked-files=no") else "")


def _git(*arguments: str) -> str:
    done = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=False)
    return done.stdout.strip()


def stored(row: Row) -> Result | None:
    """The result of the last run of a row."""
    file = FOLDER / f"{row.module}.json"
    found: Result = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    return found or None


def store(outcome: Outcome, begun: Result | None = None) -> Result:
    """Stores what came of a row, added to a run that it goes on with."""
    before = begun or {"seconds": 0.0, "first": outcome.first, "cases": 0, "checks": 0, "failures": []}
    result = {
        **{name: getattr(outcome.row, name) for name in ("name", "what", "full", "unit")},
        "commit": commit(),
        "python": platform.python_version(),
        "first": before["first"],
        "next": outcome.number,
        "seconds": round(before["seconds"] + outcome.seconds, 1),
        "cases": before["cases"] + outcome.cases,
        "checks": before["checks"] + outcome.checks,
        "corpus": outcome.corpus,
        "failures": before["failures"] + outcome.failures,
        "notes": outcome.notes,
        "missing": outcome.missing,
    }
    FOLDER.mkdir(parents=True, exist_ok=True)
    (FOLDER / f"{outcome.row.module}.json").write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    return result


def table(results: list[Result], lines: dict[str, str] | None = None) -> str:
    """The table, as Markdown: a line per row, and the sum. Other rows keep the lines that they are given."""
    head = "| row | what holds | cases | checks | failures | minutes | commit |"
    lines = (lines or {}) | {result["name"]: _line(result) for result in results}
    cells = [line.split(" | ") for _, line in sorted(lines.items())]
    sums = [sum(_number(row[column]) for row in cells) for column in range(2, 6)]
    last = f"| all | | {sums[0]:,.0f} | {sums[1]:,.0f} | {sums[2]:.0f} | {sums[3]:.1f} | |"
    return "\n".join([head, "|---|---|---:|---:|---:|---:|---|", *map(" | ".join, cells), last])


def _number(cell: str) -> float:
    """The first number of a cell; 0 where a row was not run."""
    words = cell.replace(",", "").split()
    return float(words[0]) if words else 0.0


def published() -> dict[str, str]:
    """The lines of the table on the page, by the names of their rows."""
    lines = PAGE.read_text(encoding="utf-8").partition(HEADING)[2].split("\n")[3:-2]
    return {line[2:].partition(" | ")[0]: line for line in lines}


def _line(result: Result) -> str:
    if result["missing"]:
        return f"| {result['name']} | not run: {result['missing']} |  |  |  |  | |"
    what = result["what"] + (f" ({result['notes']})" if result["notes"] else "")
    cases = f"{result['cases']:,} {result['unit']}"
    if result["cases"] < result["full"]:
        cases += f" of {result['full']:,}"
    cells = (cases, f"{result['checks']:,}", len(result["failures"]), f"{result['seconds'] / 60:.1f}")
    return f"| {result['name']} | {what} | " + " | ".join(map(str, cells)) + f" | {result['commit']} |"


def write_page(results: list[Result]) -> None:
    """Puts rows into the table at the end of the page of the documentation; the others stay as they are."""
    before = PAGE.read_text(encoding="utf-8").partition(HEADING)[0]
    PAGE.write_text(f"{before}{HEADING}\n{table(results, published())}\n", encoding="utf-8")
    limits = FOLDER / "limits.md"  # of the row `limits`
    if limits.exists():
        before = LIMITS_PAGE.read_text(encoding="utf-8").partition("\n| solver |")[0]
        LIMITS_PAGE.write_text(f"{before}\n{limits.read_text(encoding='utf-8')}", encoding="utf-8")
