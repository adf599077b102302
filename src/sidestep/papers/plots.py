"""Curves with error bars, and the published points marked: PNG images, by matplotlib if it is there."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from io import BytesIO
from types import ModuleType
from typing import TYPE_CHECKING, Any

from ..model.errors import MissingExtraError

if TYPE_CHECKING:
    from .experiment import Estimate, Mark, Plot

# Okabe and Ito's palette, which colour-blind readers can tell apart, and a marker beside each colour.
COLOURS = ("#D55E00", "#CC79A7", "#E69F00", "#56B4E9", "#0072B2", "#009E73", "#000000", "#8A8A8A")
MARKERS = ("o", "v", "s", "^", "D", "P", "x", "<")
MOST_MARKERS = 12  # per curve, so that they can be told apart


def require_matplotlib() -> ModuleType:
    """matplotlib's figures, or one sentence on how to get them."""
    try:
        return import_module("matplotlib.figure")
    except ImportError as error:
        raise MissingExtraError("matplotlib", "plot") from error


def draw(plot: Plot) -> bytes:
    """The plot as a PNG image."""
    figure = require_matplotlib().Figure(figsize=(7.2, 4.4), dpi=130, layout="constrained")
    axes = figure.add_subplot()
    for index, (label, points) in enumerate(plot.curves.items()):
        _draw_curve(axes, label, points, index)
    for mark in plot.marks:
        _draw_mark(axes, mark, list(plot.curves).index(mark.label))
    axes.set(title=plot.title, xlabel=plot.x_label, ylabel=plot.y_label)
    if plot.logarithmic:
        _scale_by_powers(axes)
    axes.grid(alpha=0.25)
    axes.spines[["top", "right"]].set_visible(False)
    _draw_legend(figure, axes, bool(plot.marks))
    image = BytesIO()
    figure.savefig(image, format="png")
    return image.getvalue()


def _draw_curve(axes: Any, label: str, points: Mapping[float, Estimate], index: int) -> None:
    axes.errorbar(
        list(points),
        [point.value for point in points.values()],
        yerr=list(zip(*(point.reach for point in points.values()), strict=True)) or None,
        label=label,
        color=COLOURS[index % len(COLOURS)],
        marker=MARKERS[index % len(MARKERS)],
        markersize=4.5,
        markevery=max(1, len(points) // MOST_MARKERS),
        linewidth=1.4,
        elinewidth=0.8,
        capsize=2,
    )


def _draw_mark(axes: Any, mark: Mark, index: int) -> None:
    """A hollow star in the colour of the curve, with the paper's words beside it."""
    colour = COLOURS[index % len(COLOURS)]
    star = {"marker": "*", "markersize": 13, "markerfacecolor": "none", "markeredgecolor": colour}
    axes.plot(mark.x, mark.y, zorder=5, clip_on=False, **star)
    axes.annotate(
        mark.text,
        (mark.x, mark.y),
        xytext=(9, 0),
        textcoords="offset points",
        va="center",
        color=colour,
        fontsize=8,
        annotation_clip=False,
    )


def _scale_by_powers(axes: Any) -> None:
    """A logarithmic axis with plain numbers on it: 0.1, 0.2, 0.5, 1."""
    axes.set_yscale("log")
    axes.yaxis.get_major_locator().set_params(subs=(1, 2, 5))
    axes.yaxis.set_major_formatter("{x:g}")
    axes.yaxis.set_minor_formatter("")


def _draw_legend(figure: Any, axes: Any, marked: bool) -> None:
    handles, labels = axes.get_legend_handles_labels()
    if marked:
        handles += axes.plot(
            [], [], marker="*", markersize=11, color="white", markeredgecolor="#444444", linestyle="none"
        )
        labels.append("published")
    figure.legend(handles, labels, loc="outside right upper", frameon=False, fontsize=9)
