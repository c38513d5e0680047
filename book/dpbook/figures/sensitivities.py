"""Sensitivities against the distance, as Munilla Garrido (2021) draws them, and local over global.

Both take DataFrames with a row for each distance k and a column for each query; a value that
is missing is left blank.
"""

import math
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
from dpbook.figures.style import BLUE, GREEN, GREY, GRID, INK, RED, WHITE, WORDS, in_words, label

SPECIAL = {"mean": BLUE, "median": RED, "var": GREEN}
DASHES = ["-", (0, (4.5, 1.8)), (0, (1, 1.1)), (0, (5, 1.6, 1, 1.6))]
ROW = 12.8  # points from the name of a line to the next
WIDTH = 5.2  # inches
NAMES = 0.96  # inches right of a panel
HEAD, FOOT, END = 0.36, 0.3, 0.26  # inches: above a panel, below it, and the words below all
TITLE = 0.24  # inches: a line of the headline
SHADES = ["#4a95cd", "#7db6de", "#a9d0ec", "#d3e7f5", "#ffffff"]  # by quarters; white is 1
CELL = 0.245  # inches: the height of a cell


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
        mark: the k at which these have their values beside them.
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
    again = len({ylabel for _, ylabel in panels}) > 1  # each panel names its axis
    lefts = [0.38 + words, (0.38 if again else 0.16) + words][:across]
    wide = (WIDTH - sum(lefts)) / across - NAMES
    rows = -(-len(panels) // across)
    top = TITLE * len(headline.splitlines())
    tall = rows * (high + FOOT + HEAD) + END + top
    figure = _figure(WIDTH, tall)
    figure.text(0.015, 1 - 0.04 / tall, headline, va="top", fontsize=12, fontweight="bold")
    for place, ((title, panel), frame) in enumerate(panels.items()):
        row, side = divmod(place, across)
        x0 = sum(lefts[: side + 1]) + side * (wide + NAMES)
        y0 = tall - top - (row + 1) * (high + FOOT + HEAD) + FOOT
        axes = figure.add_axes((x0 / WIDTH, y0 / tall, wide / WIDTH, high / tall))
        ylabel = "" if side and not again else panel
        axes.set(xticks=frame.index, ylim=(0, ends[title]), ylabel=ylabel)
        room = 0.6 if mark == frame.index[0] else 0.12  # left of the first k
        axes.set_xlim(frame.index[0] - room, max(frame.index[-1], frame.index[0] + 0.5))
        axes.set_yscale("function", functions=(lambda y: np.sqrt(np.maximum(y, 0)), np.square))
        axes.set_yticks(ticks[title], map(_tick, ticks[title]))
        axes.grid(axis="y", lw=0.7)
        axes.set_axisbelow(True)
        axes.set_title(title, fontsize=11, fontweight="normal", x=(0.08 - lefts[side]) / wide)
        marked = [
            of[mark]
            for names, of, _ in curves[title, panel]
            if mark in of.index and {*names} & {*seen}
        ]
        for names, line, look in curves[title, panel]:
            size = {"ms": 1.8 * look["lw"], "zorder": 2 + look["lw"] / 10}
            axes.plot(line, marker="o", clip_on=False, **look, **size)
            if mark in line.index and {*names} & {*seen}:
                up = 12 if line[mark] == max(marked) else -12
                how = {"shift": (0, up), "ha": "center" if mark == line.index[0] else "right"}
                how |= {"fontweight": "bold", "bbox": WHITE}
                label(axes, (mark, line[mark]), f"{line[mark]:.3g}", look["color"], **how)
        _lead_to_names(axes, curves[title, panel], wide, high)
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
    for place, names in enumerate(groups.values()):
        first = next((name for name in names if name in seen), None)
        look = {"color": GREY, "ls": DASHES[place % len(DASHES)], "lw": 0.8}
        if first:
            look = {"color": SPECIAL.get(first, BLUE), "ls": "-", "lw": 2.6}
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
    counts = [len(names) for names, *_ in rising]
    heights = np.repeat([height for _, height in ends], counts)
    rows = np.split(apart(heights, ROW / (72 * high), 1.0), np.cumsum(counts)[:-1])
    knee, word = (1 + points / (72 * wide) for points in (15, 18))
    for (names, _, look), (x, height), places in zip(rising, ends, rows):
        place, color = places.mean(), look["color"]
        thin = {"transform": axes.transAxes, "clip_on": False, "color": color, "lw": 0.5}
        axes.plot([x + 3 / (72 * wide), knee], [height, place], **thin)
        axes.text(
            word, place, "\n= ".join(map(_brief, names)), va="center", fontsize=10.5,
            linespacing=1.05, parse_math=False, transform=axes.transAxes,
            color=WORDS.get(color, color), fontweight="normal" if color == GREY else "bold",
        )  # fmt: skip


def draw_ratios(blocks: Mapping[str, Mapping[str, pd.DataFrame]]) -> Figure:
    """A field of cells: white is 1, and the darker a cell, the smaller is its ratio.

    Queries whose ratios are all equal share a row.

    Args:
        blocks: by heading, of each column its ratios.
    """
    frames = [frame for of in blocks.values() for frame in of.values()]
    means = pd.concat(frames).mean().fillna(2)
    rows: dict[str, list[str]] = {}
    for query in means.sort_values(ascending=False, kind="stable").index:
        ratios = ",".join(f"{ratio:.9g}" for frame in frames for ratio in frame[query])
        rows.setdefault(ratios, []).append(query)
    names = {queries[0]: " = ".join(map(_brief, queries)) for queries in rows.values()}
    queries = list(names)
    columns, distances = list(next(iter(blocks.values()))), frames[0].index
    left, gap = 0.2 + 0.09 * max(map(len, names.values())), 0.16
    count = len(columns) * len(distances)
    cell = max(0.4, (5.14 - left - (len(columns) - 1) * gap) / count)
    wide = max(left + count * cell + (len(columns) - 1) * gap + 0.06, 5.2)
    block = 0.78 + CELL * len(queries)
    tall = len(blocks) * block + 0.4
    figure = _figure(wide, tall)
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set(xlim=(0, wide), ylim=(tall, 0))
    axes.set_axis_off()
    write = partial(axes.text, va="center", fontsize=11, parse_math=False)
    for b, (heading, of) in enumerate(blocks.items()):
        top = b * block + 0.72
        write(0.06, top - 0.56, heading, fontsize=12, weight="bold")
        for i, query in enumerate(queries):
            color = WORDS.get(SPECIAL.get(query, INK), SPECIAL.get(query, INK))
            write(left - 0.08, top + (i + 0.5) * CELL, names[query], ha="right", color=color)
        for c, column in enumerate(columns):
            start = left + c * (len(distances) * cell + gap)
            write(start, top - 0.32, in_words(column))
            for j, k in enumerate(distances):
                words, x = f"{'' if j else 'k = '}{k}", start + (j + 0.5) * cell
                write(x, top - 0.11, words, ha="center", fontsize=10)
            _draw_cells(axes, (start, top), cell, of[column][queries].T.to_numpy())
    x, y = left, len(blocks) * block + 0.2
    for value, words in {1.0: "equal", 0.0: "local is 0", math.nan: "no ratio"}.items():
        _draw_cells(axes, (x, y - CELL / 2), 0.3, np.array([[value]]))
        text = write(x + 0.37, y, words, fontsize=10.5)
        x += 0.37 + text.get_window_extent().width / figure.dpi + 0.22
    return figure


def _draw_cells(axes: Axes, corner: tuple[float, float], wide: float, ratios: np.ndarray) -> None:
    """Cells in a frame with their ratios: 1 and 0 only where exact, – where there is none."""
    for (i, j), ratio in np.ndenumerate(ratios):
        x, y = corner[0] + j * wide, corner[1] + i * CELL
        shade = SHADES[-1] if math.isnan(ratio) else SHADES[int(min(ratio, 1) * 4)]
        axes.add_patch(Rectangle((x, y), wide, CELL, lw=0.6, ec=GRID, fc=shade))
        words = "–" if math.isnan(ratio) else f"{ratio:g}" if ratio in (0, 1) else f"{ratio:.2f}"
        at = x + wide / 2, y + CELL / 2
        axes.text(*at, words, ha="center", va="center", fontsize=10.5)
    rows, count = ratios.shape
    axes.add_patch(Rectangle(corner, count * wide, rows * CELL, fill=False, ec=INK, lw=0.8))
