"""A report as one HTML file that needs no other: the plots are inside."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Sequence
from html import escape
from itertools import groupby
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .experiment import Comparison, Plot, Report

STYLE = """
body { margin: 2rem auto; max-width: 62rem; padding: 0 1rem; color: #1d2329; background: #fff;
       font: 16px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.6rem; } h2 { font-size: 1.2rem; margin-top: 2.2rem; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-size: 0.9rem; font-variant-numeric: tabular-nums; }
th, td { padding: 0.3rem 0.8rem 0.3rem 0; text-align: left; vertical-align: top;
         border-bottom: 1px solid #dde2e6; }
table.numbers th + th, table.numbers td + td { text-align: right; white-space: nowrap; }
th.topic { padding-top: 1rem; } td.measured { white-space: nowrap; }
td.agrees { color: #14713a; } td.differs { color: #a14700; font-weight: 600; }
td.source, summary, dt { color: #56616b; }
dt { margin-top: 0.8rem; font-size: 0.9rem; } dd { margin: 0.1rem 0 0; }
.plots { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(26rem, 100%), 1fr)); gap: 1.2rem; }
figure { margin: 0; min-width: 0; } img { width: 100%; height: auto; }
details { font-size: 0.85rem; overflow-x: auto; }
"""


def html_page(report: Report, images: Sequence[bytes]) -> str:
    """The whole page; there is an image per plot of the report."""
    body = [
        f"<h1>{escape(report.title)}</h1>",
        *(f"<p>{escape(note)}</p>" for note in report.notes),
        *(["<h2>Published beside measured</h2>", _comparisons(report)] if report.comparisons else []),
        _reasons(report),
        "<h2>Plots</h2>",
        '<div class="plots">',
        *(_figure(plot, image) for plot, image in zip(report.plots, images, strict=True)),
        "</div>",
        _pictures(report),
        *(f"<h2>{escape(t.title)}</h2>{html_table(t.columns, t.rows)}" for t in report.tables),
    ]
    return document(report.title, body)


def document(title: str, body: Iterable[str], head: str = "") -> str:
    """A page in the style of reports, from its parts; `head` is what else belongs there."""
    about = f'<meta charset="utf-8"><title>{escape(title)}</title><style>{STYLE}</style>{head}'
    view = '<meta name="viewport" content="width=device-width, initial-scale=1">'
    return (
        f'<!doctype html>\n<html lang="en"><head>{view}{about}</head><body>\n'
        + "\n".join(body)
        + "\n</body></html>\n"
    )


def _comparisons(report: Report) -> str:
    names = ("", "published", "where", *report.headings, "verdict")
    rows = ["<tr>" + "".join(f"<th>{name}</th>" for name in names) + "</tr>"]
    for topic, comparisons in groupby(report.comparisons, lambda comparison: comparison.claim.topic):
        rows.append(f'<tr><th colspan="{len(names)}" class="topic">{escape(topic)}</th></tr>')
        rows += [_comparison(comparison, len(report.headings)) for comparison in comparisons]
    return '<div class="scroll"><table>' + "\n".join(rows) + "</table></div>"


def _comparison(comparison: Comparison, columns: int) -> str:
    claim, style = comparison.claim, "agrees" if comparison.agrees else "differs"
    return (
        f"<tr><td>{escape(claim.what)}</td><td>{escape(claim.published)}</td>"
        f'<td class="source">{escape(claim.source)}</td>'
        + "".join(
            f'<td class="measured">{escape(shown)}</td>'
            for shown in (comparison.shown, comparison.shown_of_ours)[:columns]
        )
        + f'<td class="{style}">{escape(comparison.verdict)}</td></tr>'
    )


def _reasons(report: Report) -> str:
    items = [
        f"<dt>{escape('; '.join(explained))}</dt><dd>{escape(reason)}</dd>"
        for reason, explained in report.reasons.items()
    ]
    return _section("Where it differs from the paper, and why", "<dl>", items, "</dl>")


def _pictures(report: Report) -> str:
    figures = [
        f"<figure>{_image(title, image)}<figcaption>{escape(title)}</figcaption></figure>"
        for title, image in report.pictures.items()
    ]
    return _section("Pictures", '<div class="plots">', figures, "</div>")


def _section(title: str, begin: str, items: Sequence[str], end: str) -> str:
    """What is left out where there is nothing in it."""
    return f"<h2>{title}</h2>{begin}" + "\n".join(items) + end if items else ""


def _image(title: str, image: bytes) -> str:
    return f'<img src="data:image/png;base64,{b64encode(image).decode()}" alt="{escape(title)}">'


def _figure(plot: Plot, image: bytes) -> str:
    xs = sorted({x for points in plot.curves.values() for x in points})
    rows = [
        (f"{x:g}", *(points[x].show(2) if x in points else "" for points in plot.curves.values())) for x in xs
    ]
    numbers = html_table((plot.x_label, *plot.curves), rows)
    return (
        f"<figure>{_image(plot.title, image)}<details><summary>numbers</summary>{numbers}</details></figure>"
    )


def html_table(columns: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """Numbers, of which the first column says what they are of."""
    head = "".join(f"<th>{escape(column)}</th>" for column in columns)
    body = "\n".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows)
    return f'<div class="scroll"><table class="numbers"><tr>{head}</tr>\n{body}</table></div>'


def markdown_table(report: Report) -> str:
    """Published beside measured, and the reasons, for pages that keep what a run came to."""
    headings = ("what", "published", *report.headings, "verdict")
    lines = [_row(headings), _row(["---"] * len(headings))]
    for comparison in report.comparisons:
        claim = comparison.claim
        measured = (comparison.shown, comparison.shown_of_ours)[: len(report.headings)]
        lines.append(_row((f"{claim.topic}: {claim.what}", claim.published, *measured, comparison.verdict)))
    for reason, explained in report.reasons.items():
        lines += ["", f"*{'; '.join(explained)}*: {reason}"]
    return "".join(f"{line}\n" for line in lines).replace("A*", "A\\*")


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"
