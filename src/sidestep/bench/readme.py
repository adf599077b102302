"""The table in the README, made from a recorded run so that no number in it is typed by hand.

    python -m sidestep.bench --json out/bench.json
    python -m sidestep.bench.readme out/bench.json

The second command keeps what the table needs in docs/benchmarks.json and puts the table into README.md;
a test compares the two.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

BEGIN, END = "<!-- bench: begin -->", "<!-- bench: end -->"
KEPT = ("map", "agents", "algorithm", "instances", "ours solved", "theirs solved")
KEPT_OF_BOTH = ("both", "both ours median", "both median ratio", "cost ratio")


def excerpt(record: dict[str, Any]) -> dict[str, Any]:
    """What the table needs of everything that was measured."""
    rows = record["sections"]["rivals"]["tables"][0]["rows"]
    return {
        "sidestep": record["sidestep"],
        "rows": [{key: row[key] for key in (*KEPT, *KEPT_OF_BOTH) if key in row} for row in rows],
    }


def table(kept: dict[str, Any]) -> str:
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


def _line(row: dict[str, Any]) -> str:
    solved = f"{row['ours solved']}, {row['theirs solved']}, {row['instances']}"
    speed = f"{row['both median ratio']:.1f}" if row["both"] else "w9 solves none"
    cost = f"{row['cost ratio']:.2f} of w9's" if row["both"] else ""
    return f"| {row['map']} | {row['agents']} | {row['algorithm']} | {solved} | {speed} | {cost} |"


def with_table(readme: str, kept: dict[str, Any]) -> str:
    """The README with the table between its marks."""
    head, rest = readme.split(BEGIN)
    tail = rest.split(END)[1]
    return f"{head}{BEGIN}\n{table(kept)}\n{END}{tail}"


def main(arguments: list[str]) -> None:
    """Takes a recorded run into the docs and the README of the folder it is called in."""
    kept = excerpt(json.loads(Path(arguments[0]).read_text()))
    Path("docs/benchmarks.json").write_text(json.dumps(kept, indent=1) + "\n")
    Path("README.md").write_text(with_table(Path("README.md").read_text(), kept))


if __name__ == "__main__":
    main(sys.argv[1:])
