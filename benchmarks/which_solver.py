"""The chart and the table of the guide "Which solver?": agents against time, cost and proof, on one map.

    python -m benchmarks.which_solver --write     measures, and records it in docs/which-solver.json
    python -m benchmarks.which_solver             draws the chart and the table of the guide from the record

Starts and goals are drawn by a seed; every solver has the same CPU time, distances included, and ends early
if it does so by itself. The chart says of which record it is, and a test compares them.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sidestep import __version__, validate
from sidestep.instances import random_problem

from .auto import run
from .measurements import Row
from .movingai import S32, read_map
from .readme import Kept, Page, in_lines

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SOLVERS = ("auto", "whca", "hca", "cbs", "eecbs", "pbs", "lacam", "lns")
AGENTS = (10, 20, 50, 100, 200, 400)
SECONDS = 1.0
SEED = 1


def measure() -> list[Row]:
    """A row per solver and number of agents."""
    grid = read_map(S32)
    rows: list[Row] = []
    for agents in AGENTS:
        problem = random_problem(grid, agents, SEED)
        found: dict[str, Any] = {solver: run(problem, solver, SECONDS) for solver in SOLVERS}
        bound = max(result.lower_bound or 0 for result, _ in found.values())
        for solver, (result, seconds) in found.items():
            if result.plan is not None and not validate(problem, result.plan):
                raise AssertionError(f"{solver} answers a plan that is not valid")
            cost = None if result.plan is None else result.plan.cost / bound
            row = {"solver": solver, "agents": agents, "seconds": seconds, "cost": cost}
            rows.append(row | {"optimal": str(result.status) == "optimal"})
    return rows


def markdown(kept: Kept) -> str:
    """A line per solver: CPU time and cost over the best lower bound, `*` where it is proved optimal."""
    rows = kept["rows"]
    lines = [f"| solver | {' | '.join(f'{agents} agents' for agents in AGENTS)} |", "|---" * 7 + "|"]
    for solver in SOLVERS:
        cells = [_cell(row) for row in rows if row["solver"] == solver]
        lines.append(f"| `{solver}` | {' | '.join(cells)} |")
    return "\n".join(lines)


def _cell(row: Row) -> str:
    if row["cost"] is None:
        return "-"
    return f"{1e3 * row['seconds']:,.0f} ms, {row['cost']:.3f}{'*' if row['optimal'] else ''}"


def drawn(rows: Sequence[Row]) -> Figure:
    """Two panels, time and cost; a filled mark is a plan that is proved optimal."""
    from matplotlib.figure import Figure  # noqa: PLC0415  # only those who draw wait for it

    figure = Figure(figsize=(9, 4), layout="constrained")
    panels = figure.subplots(1, 2)
    for panel, key, label in zip(
        panels, ("seconds", "cost"), ("CPU seconds", "cost over the best lower bound"), strict=True
    ):
        for number, solver in enumerate(SOLVERS):
            solved = [row for row in rows if row["solver"] == solver and row["cost"] is not None]
            colour, across = f"C{number}", [row["agents"] for row in solved]
            panel.plot(across, [row[key] for row in solved], color=colour, label=solver, linewidth=1)
            for row in solved:
                face = colour if row["optimal"] else "white"
                panel.plot(row["agents"], row[key], "o", color=colour, markerfacecolor=face, markersize=5)
        panel.set(xscale="log", yscale="log", xlabel="agents", ylabel=label)
        panel.set_xticks(AGENTS, labels=[str(agents) for agents in AGENTS])
        panel.minorticks_off()
    panels[1].set(yscale="linear", ylim=(0.98, 2.6))
    panels[0].legend(fontsize="small")
    figure.suptitle(f"{S32}, at most {SECONDS:g} CPU seconds; filled: proved optimal", fontsize="medium")
    return figure


def digest(kept: Kept) -> str:
    """What the chart bears, so that it can be told whether it is of this record."""
    return hashlib.sha256(in_lines(kept).encode()).hexdigest()


GUIDE = Page(
    Path("docs/guides/which-solver.md"),
    "which solver",
    ("solver", "agents", "seconds", "cost", "optimal"),
    Path("docs/which-solver.json"),
    markdown,
)
CHART = Path("docs/images/which-solver.svg")


def main() -> int:
    """Measures if asked to, and puts the record into the guide."""
    import matplotlib as mpl  # noqa: PLC0415

    if sys.argv[1:] not in ([], ["--write"]):
        print(__doc__, file=sys.stderr)
        return 2
    if sys.argv[1:]:
        GUIDE.numbers.write_text(in_lines({"sidestep": __version__, "rows": measure()}))
    kept = json.loads(GUIDE.numbers.read_text())
    mpl.rcParams["svg.hashsalt"] = "sidestep"
    drawn(kept["rows"]).savefig(CHART, metadata={"Date": None, "Description": digest(kept)})
    GUIDE.path.write_text(GUIDE.with_table(GUIDE.path.read_text(), kept))
    return 0


if __name__ == "__main__":
    sys.exit(main())
