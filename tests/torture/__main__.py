"""`python -m tests.torture`: runs the programme, or a part of it, and prints its table."""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys

from .driver import ROOT, Outcome, Schedule
from .results import Result, commit, store, stored, table, write_page
from .row import Row
from .rows import all_rows

MOST_SAID = 1000  # characters of a failure; its result file has all
APART = 10**9  # between the first numbers of two seeds


def main() -> int:
    """Obeys the command line; 1 if anything failed."""
    rows = all_rows()
    arguments = _arguments(rows)
    chosen = [rows[name] for name in arguments.rows]
    if arguments.case is not None:
        return _one_case(chosen, arguments.case)
    if arguments.table or arguments.write:
        results = [result for row in chosen if (result := stored(row))]
        if arguments.write:
            write_page(results)
        print(table(results))
        return int(any(result["failures"] for result in results))
    return _run(chosen, arguments)


def _arguments(rows: dict[str, Row]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.torture", description=__doc__)
    parser.add_argument("--minutes", type=float, default=5.0, help="wall time for all rows together")
    parser.add_argument("--rows", help=f"names with commas: {', '.join(rows)}; all by default")
    parser.add_argument("--jobs", type=int, default=1, help="rows that run at the same time")
    parser.add_argument("--seed", type=int, default=0, help=f"cases begin with this times {APART:,}")
    parser.add_argument("--add", action="store_true", help="go on with the last run of this commit")
    parser.add_argument("--case", type=int, help="try the case of this number alone")
    parser.add_argument("--table", action="store_true", help="run nothing: the table of what was run last")
    parser.add_argument(
        "--write", action="store_true", help="the same, and put these rows into docs/torture.md"
    )
    arguments = parser.parse_args()
    arguments.rows = arguments.rows.split(",") if arguments.rows else list(rows)
    unknown = [name for name in arguments.rows if name not in rows]
    if unknown:
        parser.error(f"there is no row {unknown[0]!r}; there are {', '.join(rows)}")
    return arguments


def _one_case(rows: list[Row], number: int) -> int:
    """Each in a process of its own, so that it has the row's environment, such as a core with sanitizers."""
    code = 0
    for row in rows:
        if row.one is not None:
            print(f"{row.name}, case {number}:", flush=True)
            order = json.dumps({"row": row.module, "case": number})
            command = [sys.executable, "-m", "tests.torture.child", order]
            environment = {**os.environ, **row.environment()}
            code |= subprocess.run(command, cwd=ROOT, env=environment, check=False).returncode
    return int(code != 0)


def _run(rows: list[Row], arguments: argparse.Namespace) -> int:
    begun: dict[str, Result] = {}
    if arguments.add:
        before = {row.name: stored(row) for row in rows}
        now = commit()
        begun = {name: one for name, one in before.items() if one and one["commit"] == now}
        rows = [row for row in rows if begun.get(row.name, {"cases": 0})["cases"] < row.full]
    first = {row.name: arguments.seed * APART for row in rows}
    first |= {name: one["next"] for name, one in begun.items()}
    results: dict[str, Result] = {}

    def done(outcome: Outcome) -> None:
        result = store(outcome, begun.get(outcome.row.name))
        results[outcome.row.name] = result
        print(f"{outcome.row.name}: {outcome.missing or _said(outcome)}", flush=True)
        for failure in outcome.failures:
            print(f"  {failure['case']}: {failure['said']}"[:MOST_SAID], flush=True)
            if failure["said"].startswith("ended"):
                print(*failure["traceback"].splitlines()[-3:], sep="\n", flush=True)

    Schedule(rows, 60 * arguments.minutes, arguments.jobs, first, done).run()
    print(table([results[row.name] for row in rows]))
    return int(any(result["failures"] for result in results.values()))


def _said(outcome: Outcome) -> str:
    failures = f"{len(outcome.failures)} failures"
    return f"{outcome.cases:,} {outcome.row.unit} in {outcome.seconds:.0f} s, {failures}"


if __name__ == "__main__":
    sys.exit(main())
