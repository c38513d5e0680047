"""The picture of the choices: what a factor costs and gives, with the chosen point."""

import io
import warnings
from typing import Any

import matplotlib
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import LogLocator, NullLocator, StrMethodFormatter

from dpchoose.numbers import format_odds_factor
from dpchoose.your_data.command.output import printable

MOST_LINES = 4  # lines that can be told apart


def draw(report: dict[str, Any], axes: Axes) -> None:
    """Draw the 95 % error of each answer against the factor, both on a logarithmic axis.

    ``report`` is of :meth:`dpchoose.Noise.to_dict`; of more than four answers those with
    the largest and the smallest error are drawn.
    """
    rows = report["choices"]
    if not rows:
        axes.set_axis_off()
        axes.text(0.5, 0.5, "no noise, and so no choice", ha="center")
        return
    axes.set(xlabel="factor by which odds may grow", ylabel="95% error", xscale="log", yscale="log")
    factors = [row["factor"] for row in rows]
    chosen = next((index for index, row in enumerate(rows) if row["chosen"]), 0)
    columns = [i for i, error in enumerate(rows[0]["errors"]) if error is not None]
    order = sorted(columns, key=lambda column: -rows[0]["errors"][column])
    for column in order if len(order) <= MOST_LINES else (order[0], order[-1]):
        errors = [row["errors"][column] for row in rows]
        (line,) = axes.plot(factors, errors, marker=".")
        point, style = (factors[chosen], errors[chosen]), dict[str, Any](textcoords="offset points")
        style |= {"color": line.get_color(), "annotation_clip": False, "parse_math": False}
        axes.plot(*point, "o", ms=9, color=line.get_color())
        name = printable(report["answers"][column]["statistic"])[:40]
        axes.annotate(name, (factors[-1], errors[-1]), (6, 0), va="center", **style)
        axes.annotate(f"{errors[chosen]:g}", point, (8, 6), **style)
        if chosen:
            axes.annotate(f"{errors[0]:g}", (factors[0], errors[0]), (7, 0), **style)
    axes.set_xticks(factors, [format_odds_factor(factor) for factor in factors])
    axes.xaxis.set_minor_locator(NullLocator())
    axes.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    axes.yaxis.set_minor_locator(NullLocator())
    axes.yaxis.set_major_formatter(StrMethodFormatter("{x:g}"))
    axes.spines[["top", "right"]].set_visible(False)


def render(path: str, _: Any, report: dict[str, Any], *__: Any) -> bytes:
    """The picture, as the path ends: .svg or .png."""
    figure = Figure(figsize=(7.2, 4.2), layout="constrained")
    draw(report, figure.add_subplot())
    stream, form = io.BytesIO(), path.rpartition(".")[2]
    with matplotlib.rc_context({"svg.hashsalt": "dpchoose"}), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of signs that the font does not have
        metadata = {"Date": None} if form == "svg" else {}
        figure.savefig(stream, format=form, dpi=150, metadata=metadata)
    return stream.getvalue()
