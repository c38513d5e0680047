"""The picture of an answer: how sure its readers get, against epsilon."""

from __future__ import annotations

import io
import textwrap
import warnings
from typing import Any

import matplotlib
from matplotlib.figure import Figure

from dpchoose.command.output import printable


def made(path: str, found: Any, told: dict[str, Any], *_: Any) -> bytes:
    """The picture, as the path ends: .svg or .png."""
    curve = found.curve(61)
    figure = Figure(figsize=(7.2, 4.2), layout="constrained")
    axes = figure.add_subplot()
    for reader in curve.columns[1:]:
        axes.plot(curve["epsilon"], curve[reader], label=reader)
    if told["epsilon"]:  # an exact answer has none
        axes.axvline(told["epsilon"], color="#999999", linewidth=0.8, label="this noise")
    names = textwrap.shorten(", ".join(told["question"]["statistics"]), 80, placeholder=" …")
    axes.set_title(printable(names), parse_math=False, fontsize=11)
    axes.set(xlabel="total ε", ylabel="how sure she may get", ylim=(0, 1.02))
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(frameon=False)
    out, form = io.BytesIO(), path.rpartition(".")[2]
    with matplotlib.rc_context({"svg.hashsalt": "dpchoose"}), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of signs that the font does not have
        figure.savefig(out, format=form, dpi=150, metadata={"Date": None} if form == "svg" else {})
    return out.getvalue()
