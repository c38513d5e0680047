"""The picture of the choices: what a factor costs and gives, with the chosen point."""

from __future__ import annotations

import io
import warnings
from typing import Any

import matplotlib
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import LogLocator, NullLocator, StrMethodFormatter

from dpchoose.command.output import printable
from dpchoose.epsilon.text import factor

MOST = 4  # lines that can be told apart


def draw(told: dict[str, Any], axes: Axes) -> None:
    """Draw the 95 % error of each answer against the factor, both on a logarithmic axis.

    ``told`` is of :meth:`dpchoose.Recommendation.to_dict`; of more than four answers those with
    the largest and the smallest error are drawn.
    """
    axes.set(xlabel="factor by which odds may grow", ylabel="95% error")
    rows = told["choices"]
    if not rows:
        axes.set_axis_off()
        axes.text(0.5, 0.5, "no choice: " + (told["reason"] or "no noise"), ha="center", wrap=True)
        return
    axes.set(xscale="log", yscale="log")
    factors = [row["factor"] for row in rows]
    chosen = next((place for place, row in enumerate(rows) if row["chosen"]), 0)
    places = sorted(range(len(rows[0]["errors"])), key=lambda place: -rows[0]["errors"][place])
    for place in places if len(places) <= MOST else (places[0], places[-1]):
        errors = [row["errors"][place] for row in rows]
        (line,) = axes.plot(factors, errors, marker=".")
        at, how = (factors[chosen], errors[chosen]), {"textcoords": "offset points"}
        how |= {"color": line.get_color(), "annotation_clip": False, "parse_math": False}
        axes.plot(*at, "o", ms=9, color=line.get_color())
        name = printable(told["answers"][place]["statistic"])
        name = name if len(name) <= 40 else f"{name[:39]}…"
        axes.annotate(name, (factors[-1], errors[-1]), (6, 0), va="center", **how)
        axes.annotate(f"{errors[chosen]:g}", at, (8, 6), **how)
    axes.set_xticks(factors, [factor(one) for one in factors])
    axes.xaxis.set_minor_locator(NullLocator())
    axes.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    axes.yaxis.set_minor_locator(NullLocator())
    axes.yaxis.set_major_formatter(StrMethodFormatter("{x:g}"))
    axes.spines[["top", "right"]].set_visible(False)


def made(path: str, _: Any, told: dict[str, Any], *__: Any) -> bytes:
    """The picture, as the path ends: .svg or .png."""
    figure = Figure(figsize=(7.2, 4.2), layout="constrained")
    draw(told, figure.add_subplot())
    out, form = io.BytesIO(), path.rpartition(".")[2]
    with matplotlib.rc_context({"svg.hashsalt": "dpchoose"}), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of signs that the font does not have
        figure.savefig(out, format=form, dpi=150, metadata={"Date": None} if form == "svg" else {})
    return out.getvalue()
