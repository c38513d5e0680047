"""Sensitivities against the distance, as Munilla Garrido (2021) draws them, and local over global.

Both take DataFrames with a row for each distance k and a column for each query; a value that
is missing is left blank.
"""

import math
import textwrap
from collections.abc import Collection, Mapping, Sequence
from functools import partial
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from dpbook.figures.labels import apart
from dpbook.figures.style import (
    BLUE,
    GREEN,
    GREY,
    GRID,
    INK,
    RED,
    WORDS,
    cut,
    label,
    query_in_words,
)

SPECIAL = {"mean": BLUE, "median": RED, "var": GREEN}
ROW = 12.8  # points from the name of a line to the next
WIDTH = 5.2  # inches
NAMES = 0.97  # inches right of a panel
LEADER = 18  # points from the end of a line to its name
HEAD, FOOT, END = 0.36, 0.3, 0.26  # inches: above a panel, below it, and the words below all
TITLE = 0.24  # inches: a line of the headline
LETTERS, LONGEST = 52, 30  # of a headline and of a panel's title, at most
SHADES = ["#4a95cd", "#7db6de", "#a9d0ec", "#d3e7f5", "#ffffff"]  # by quarters; white is 1
CELL = 0.245  # inches: the height of a cell
HATCHED, NO_RATIO = "#e4e4e4", "0 of 0, or unknown"


def draw_sensitivities(
    panels: Mapping[tuple[str, str], pd.DataFrame],
    *,
    xlabel: str,
    headline: str = "",
    seen: Collection[str] = tuple(SPECIAL),
    mark: int | None = None,
    beside: Mapping[tuple[str, str], pd.DataFrame] | None = None,
) -> Figure:
    """A line for each query, two panels beside each other.

    Panels of one title share their axis. It is an axis of square roots, on which lines of 1 and
    of 50 can both be followed. Each line has its name at its end; lines that are one share it.

    Args:
        panels: by title and name of the vertical axis.
        headline: what to see.
        seen: the queries in colour; all others are thin and grey.
        mark: the first k, where these have their values beside them, but for 0.
        beside: panels of another figure, with which this one shares its axes.
    """
    curves = {of: _curves(frame, seen) for of, frame in panels.items()}
    tops = {title: 0.0 for title, _ in panels}
    for (title, _), frame in [*panels.items(), *(beside or {}).items()]:
        if title in tops:
            tops[title] = max(tops[title], float(np.nan_to_num(frame).max()))
    ends = {title: 1.06 * top or 1.0 for title, top in tops.items()}
    most = max(sum(len(names) for names, *_ in lines) for lines in curves.values())
    high = max(2.1, ROW * (most + 0.5) / 72)
    ticks = {title: root_ticks(end, 15 / (72 * high)) for title, end in ends.items()}
    across = 2 if len(panels) > 1 else 1
    words = 0.09 * max(len(_tick(tick)) for of in ticks.values() for tick in of)
    one = len({title for title, _ in panels}) < len(panels)  # rows of panels of one title
    lefts = [0.54 + words, 0.3 if one else 0.12 + words][:across]
    wide = (WIDTH - sum(lefts)) / across - NAMES
    rows = -(-len(panels) // across)
    headline = textwrap.fill(headline, LETTERS)
    top = TITLE * len(headline.splitlines())
    tall = rows * (high + FOOT + HEAD) + END + top
    figure = _figure(WIDTH, tall)
    how = {"va": "top", "fontsize": 12, "fontweight": "bold", "parse_math": False}
    figure.text(0.015, 1 - 0.04 / tall, headline, **how)
    for place, ((title, panel), frame) in enumerate(panels.items()):
        row, side = divmod(place, across)
        x0 = sum(lefts[: side + 1]) + side * (wide + NAMES)
        y0 = tall - top - (row + 1) * (high + FOOT + HEAD) + FOOT
        axes = figure.add_axes((x0 / WIDTH, y0 / tall, wide / WIDTH, high / tall))
        ylabel = (panel if one else "") if side else f"{panel}\n(square-root axis)"
        axes.set(xticks=frame.index, ylim=(0, ends[title]), ylabel=ylabel)
        lines = curves[title, panel]
        values = sorted(
            (line[mark], look["color"]) for names, line, look in lines
            if mark in line.index and line[mark] > 0 and {*names} & {*seen}
        )  # fmt: skip
        inch = 0.14 + 0.09 * max((len(f"{value:.3g}") for value, _ in values), default=0)
        span = max(frame.index[-1] - frame.index[0], 0.5)
        axes.set_xlim(frame.index[0] - span * inch / (wide - inch), frame.index[0] + span)
        axes.set_yscale("function", functions=(lambda y: np.sqrt(np.maximum(y, 0)), np.square))
        named = [] if side and one else map(_tick, ticks[title])
        axes.set_yticks(ticks[title], [*named] or [""] * len(ticks[title]))
        axes.grid(axis="y", lw=0.7)
        axes.set_axisbelow(True)
        how = {"fontsize": 11, "fontweight": "normal", "parse_math": False}
        axes.set_title(cut(title, LONGEST), x=(0.08 - lefts[side]) / wide, **how)
        for _, line, look in lines:
            axes.plot(line, clip_on=False, zorder=2 + look["lw"] / 10, **look)
        _lead_to_names(axes, lines, wide, high)
        heights = np.sqrt([value / ends[title] for value, _ in values])
        for (value, color), height in zip(values, apart(heights, ROW / (72 * high), 1.0)):
            how = {"shift": (-7, 0), "ha": "right", "fontweight": "bold"}
            how["xycoords"] = axes.get_xaxis_transform()
            label(axes, (mark, height), f"{value:.3g}", color, **how)
    figure.text(0.5, 0.06 / tall, xlabel, ha="center", va="bottom", fontsize=11)
    return figure


def _figure(width: float, height: float) -> Figure:
    """A figure whose axes stay where they are put, also where it is saved."""
    figure = plt.figure(figsize=(width, height), layout="constrained")
    figure.set_layout_engine("none")
    return figure


def root_ticks(top: float, gap: float) -> list[float]:
    """0 and round numbers up to the top, a share of the axis of square roots apart.

    >>> root_ticks(35, 0.1)
    [0.0, 0.5, 2.0, 5.0, 10.0, 20.0, 30.0]
    """
    power = math.floor(math.log10(top))
    kept: list[float] = []
    for tick in (digit * 10.0**p for p in range(power, power - 4, -1) for digit in (5, 3, 2, 1)):
        above = math.sqrt(kept[-1] / top) if kept else 2.0
        if tick <= top and above - gap >= math.sqrt(tick / top) >= gap:
            kept.append(tick)
    return [0.0, *kept[::-1]]


def _tick(value: float) -> str:
    """A tick: 0.5, 20, 3,000, 2e+08."""
    return f"{value:,.0f}" if 10 <= value < 1e5 else f"{value:.3g}"


def _curves(
    frame: pd.DataFrame, seen: Collection[str]
) -> list[tuple[list[str], pd.Series, dict[str, Any]]]:
    """Lines with the names of their queries and their looks, those that are equal as one."""
    groups: dict[Any, list[str]] = {}
    for query in frame:
        points = tuple((k, f"{value:.9g}") for k, value in frame[query].dropna().items())
        groups.setdefault(points, []).append(query)
    groups.pop((), None)
    curves = []
    for names in groups.values():
        first = next((name for name in names if name in seen), None)
        look = {"color": GREY, "lw": 0.7}
        if first:
            look = {"color": SPECIAL.get(first, BLUE), "lw": 2.6, "marker": "o", "ms": 4.7}
        curves.append((names, frame[names[0]].dropna(), look))
    return curves


def _brief(query: str) -> str:
    """A query's name at a line: percentile_25 is p25."""
    return query.replace("percentile_", "p")


def _lead_to_names(axes: Axes, curves: Sequence[Any], wide: float, high: float) -> None:
    """Names right of a panel, each led to from its line; the panel is so wide and high."""
    if not curves:
        return
    rising = sorted(curves, key=lambda curve: tuple(curve[1][::-1]))
    to_panel = (axes.transData + axes.transAxes.inverted()).transform
    ends = [to_panel((line.index[-1], line.iloc[-1])) for _, line, _ in rising]
    counts, row = [len(names) for names, *_ in rising], ROW / (72 * high)
    heights = np.repeat([height for _, height in ends], counts)
    rows = np.split(apart(heights, row, 1 - row / 3), np.cumsum(counts)[:-1])
    begin, end, word = (1 + points / (72 * wide) for points in (4, LEADER - 2, LEADER))
    for (names, _, look), (x, height), places in zip(rising, ends, rows):
        place, color = places.mean(), look["color"]
        thin = {"transform": axes.transAxes, "clip_on": False, "color": color, "lw": 0.5}
        axes.plot([begin + x - 1, end], [height, place], **thin)
        axes.text(
            word, place, "\n= ".join(map(_brief, names)), va="center", fontsize=10.5,
            linespacing=1.05, parse_math=False, transform=axes.transAxes,
            color=WORDS.get(color, color), fontweight="normal" if color == GREY else "bold",
        )  # fmt: skip


def draw_ratios(fields: Mapping[str, pd.DataFrame], *, headline: str) -> Figure:
    """Fields of cells beside each other: white is 1, the darker a cell, the smaller its ratio.

    Queries whose ratios are all equal share a row; a cell without a ratio is hatched.

    Args:
        fields: by title, a row for each distance and a column for each query.
        headline: what to see.
    """
    means = pd.concat(fields.values()).mean().fillna(2)
    rows: dict[str, list[str]] = {}
    for query in means.sort_values(ascending=False, kind="stable").index:
        ratios = ",".join(f"{ratio:.9g}" for of in fields.values() for ratio in of[query])
        rows.setdefault(ratios, []).append(query)
    names = {of[0]: "\n= ".join(map(query_in_words, of)) for of in rows.values()}
    across, distances = len(fields), next(iter(fields.values())).index
    longest = max(len(line) for name in names.values() for line in name.splitlines())
    left, gap = 0.16 + 0.085 * longest, 0.2
    cell = max(0.36, ((WIDTH - left - 0.06 - (across - 1) * gap) / across) / len(distances))
    wide = max(left + across * (len(distances) * cell + gap) - gap + 0.06, WIDTH)
    heights = CELL * np.array([name.count("\n") + 1 for name in names.values()])
    headline = textwrap.fill(headline, LETTERS)
    top = 0.94 + TITLE * headline.count("\n")
    edges = top + np.r_[0, heights.cumsum()]
    tall = edges[-1] + 0.5
    figure = _figure(wide, tall)
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set(xlim=(0, wide), ylim=(tall, 0))
    axes.set_axis_off()
    write = partial(axes.text, va="center", fontsize=11, parse_math=False)
    write(0.08, 0.04, headline, fontsize=12, weight="bold", va="top")
    for name, y in zip(names.values(), (edges[:-1] + edges[1:]) / 2):
        write(left - 0.08, y, name, ha="right", linespacing=1.0)
    for place, (title, frame) in enumerate(fields.items()):
        start = left + place * (len(distances) * cell + gap)
        part = frame[[*names]].lt(1).sum().sum()
        write(start, top - 0.52, title)
        write(start, top - 0.32, f"less in {part} of {frame[[*names]].count().sum()}")
        for j, k in enumerate(distances):
            x = start + (j + 0.5) * cell
            write(x, top - 0.1, f"{'' if j else 'k = '}{k}", ha="center", fontsize=10)
            for query, y, height in zip(names, edges, heights):
                _draw_cell(axes, (start + j * cell, y), cell, height, frame.loc[k, query])
        size = len(distances) * cell, edges[-1] - top
        axes.add_patch(Rectangle((start, top), *size, fill=False, ec=INK, lw=0.8))
    x = 0.08
    for ratio, words in {1.0: "all of it", 0.2: "this share of it", math.nan: NO_RATIO}.items():
        _draw_cell(axes, (x, edges[-1] + 0.14), 0.36, CELL, ratio)
        axes.add_patch(Rectangle((x, edges[-1] + 0.14), 0.36, CELL, fill=False, ec=INK, lw=0.8))
        text = write(x + 0.43, edges[-1] + 0.14 + CELL / 2, words, fontsize=10.5)
        x += 0.43 + text.get_window_extent().width / figure.dpi + 0.2
    return figure


def _draw_cell(
    axes: Axes, corner: tuple[float, float], wide: float, high: float, ratio: float
) -> None:
    """A cell with its ratio, which is blank for exactly 1 and hatched where there is none."""
    none = math.isnan(ratio)
    shade = HATCHED if none else SHADES[int(min(ratio, 1) * 4)]
    hatch = {"hatch": "////", "ec": GREY, "lw": 0} if none else {"ec": GRID, "lw": 0.6}
    axes.add_patch(Rectangle(corner, wide, high, fc=shade, **hatch))
    if ratio < 1:
        words = "0" if ratio == 0 else f"{ratio:.2f}"
        at = corner[0] + wide / 2, corner[1] + high / 2
        axes.text(*at, words, ha="center", va="center", fontsize=10.5)
