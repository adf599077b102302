"""What a sweep came to, for readers: tables, plots, a page."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

from ..model.errors import InputError
from ..papers.experiment import NOTHING, Estimate, Plot, Report, Table, counted, least_first
from ..papers.page import html_page
from ..papers.plots import draw
from .measured import Measured, Numbers, mean_or_nothing, median_or_nothing, percent, solved_share, times

PLOTS = ("success", "time", "cost", "cactus")
MOST_PAIRED = 8  # solvers: the table of pairs grows with the square


def report_of(numbers: Numbers, name: str) -> Report:
    """Tables and plots of all rows."""
    return Report(
        name=name,
        title=f"Sweep {name}",
        notes=_notes(numbers),
        comparisons=(),
        tables=[
            summary_table(numbers),
            *([pair_table(numbers)] if 1 < len(numbers.by_solver) <= MOST_PAIRED else []),
        ],
        plots=[plot_of(numbers, kind) for kind in PLOTS],
        rows=(),
        folder=Path(),
    )


def page_of(numbers: Numbers, name: str) -> str:
    """One HTML file with everything in it."""
    report = report_of(numbers, name)
    return html_page(report, [draw(plot) for plot in report.plots])


def _notes(numbers: Numbers) -> list[str]:
    instances = len({row.instance for row in numbers.rows})
    known, proved = len(numbers.best), len(numbers.proved)
    return [
        f"{counted(len(numbers.rows), 'row')}: {counted(len(numbers.by_solver), 'solver')} on "
        f"{counted(instances, 'instance')}, of which {known} were solved by somebody; for {proved} of these "
        "the best known cost is proved to be the least.",
        "Solved means that there is a plan and the judge finds it valid. Intervals are of 95%, those of "
        "shares by Wilson's method; ± is a standard error. Times are of the processor. A cost is compared "
        "with the best known one of its instance.",
    ]


def summary_table(numbers: Numbers) -> Table:
    """A row per solver."""
    rows = numbers.by_solver
    return Table.of(
        "Solvers",
        "solver",
        rows,
        ("rows", lambda name: str(len(rows[name]))),
        ("solved %", lambda name: percent(solved_share(rows[name])).show(1)),
        ("median ms", lambda name: shown(1000 * median_or_nothing(times(rows[name])), 2)),
        ("cost over best", lambda name: mean_or_nothing(numbers.above_best(rows[name])).show(4)),
        ("not solved", lambda name: _failures(rows[name])),
    )


def _failures(rows: Sequence[Measured]) -> str:
    """`3 timeout, 1 gave_up`; a plan that is not valid is called that."""
    why = ["invalid" if row.cost is not None else row.status for row in rows if not row.solved]
    return ", ".join(f"{why.count(one)} {one}" for one in sorted(set(why)))


def pair_table(numbers: Numbers) -> Table:
    """A row per two solvers."""
    pairs = {f"{pair.first} : {pair.second}": pair for pair in numbers.pairs()}
    return Table.of(
        "Two by two, on the same instances",
        "solvers",
        pairs,
        ("only first", lambda name: str(pairs[name].only_first)),
        ("only second", lambda name: str(pairs[name].only_second)),
        ("p", lambda name: shown_p(pairs[name].p_solved)),
        ("both", lambda name: str(pairs[name].both)),
        ("cost ratio", lambda name: ratio.show(4) if (ratio := pairs[name].cost_ratio) else NOTHING),
        ("p (cost)", lambda name: shown_p(pairs[name].p_cost)),
    )


def shown(value: float, places: int) -> str:
    """A dash for what is not a number."""
    return NOTHING if math.isnan(value) else f"{value:.{places}f}"


def shown_p(p: float) -> str:
    """`0.031`, `2e-16`."""
    return NOTHING if math.isnan(p) else f"{p:.2g}"


# Plots


def plot_of(numbers: Numbers, kind: str) -> Plot:
    """One of `PLOTS`."""
    if kind not in PLOTS:
        raise InputError(f"there is no plot {kind!r}: there are {', '.join(PLOTS)}")
    if kind == "cactus":
        return _cactus(numbers)
    titles = {
        "success": ("Solved", "instances solved (%)"),
        "time": ("Time", "mean seconds of the processor, where solved"),
        "cost": ("Cost", "mean cost over the best known"),
    }
    measures: dict[str, Callable[[Sequence[Measured]], Estimate]] = {
        "success": lambda rows: percent(solved_share(rows)),
        "time": lambda rows: mean_or_nothing(times(rows)),
        "cost": lambda rows: mean_or_nothing(numbers.above_best(rows)),
    }
    title, label = titles[kind]
    curves = {name: _over_agents(numbers, rows, measures[kind]) for name, rows in numbers.by_solver.items()}
    return Plot(
        kind, title, "agents", label, curves, logarithmic=kind == "time" and _positive(curves.values())
    )


def _over_agents(
    numbers: Numbers, rows: Sequence[Measured], measure: Callable[[Sequence[Measured]], Estimate]
) -> dict[float, Estimate]:
    """A measure for every number of agents, where there is something to measure."""
    by_agents: dict[int, list[Measured]] = {}
    for row in rows:
        if row.agents is not None:
            by_agents.setdefault(row.agents, []).append(row)
    found = {float(agents): measure(by_agents[agents]) for agents in sorted(by_agents)}
    return {agents: estimate for agents, estimate in found.items() if not math.isnan(estimate.value)}


def _cactus(numbers: Numbers) -> Plot:
    """How much of all a solver has solved by when: the further right a curve goes, the better."""
    curves = {name: least_first(times(rows), len(rows)) for name, rows in numbers.by_solver.items()}
    return Plot(
        "cactus",
        "Instances by time, the quickest first",
        "instances (%)",
        "seconds of the processor",
        curves,
        logarithmic=_positive(curves.values()),
    )


def _positive(curves: Iterable[Mapping[float, Estimate]]) -> bool:
    """Is there anything above zero? Only then a logarithmic axis makes sense."""
    return any(point.value > 0 for points in curves for point in points.values())


# LaTeX

_SPECIAL = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    NOTHING: "--",
} | {mark: f"\\{mark}" for mark in "&%$#_{}"}


def latex(table: Table) -> str:
    """A table for a paper; it needs the package booktabs."""
    columns = "l" + "r" * (len(table.columns) - 1)
    lines = [_latex_row(table.columns), r"\midrule", *map(_latex_row, table.rows)]
    body = "\n".join(lines)
    return f"\\begin{{tabular}}{{{columns}}}\n\\toprule\n{body}\n\\bottomrule\n\\end{{tabular}}\n"


def _latex_row(cells: Sequence[str]) -> str:
    plain = ("".join(_SPECIAL.get(mark, mark) for mark in cell).replace("±", r"$\pm$") for cell in cells)
    return " & ".join(plain) + r" \\"


def markdown(table: Table) -> str:
    """The same for a page."""
    lines = [table.columns, ("---",) + ("---:",) * (len(table.columns) - 1), *table.rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)
