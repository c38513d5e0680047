"""Sensitivities against the distance, as Munilla Garrido (2021) draws them, and local over global.

Both take DataFrames with a row for each distance k and a column for each query; a value that
is missing is left blank.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from dpbook.figures.style import BLUE, GREEN, GREY, GRID, INK, RED, WORDS, in_words

SPECIAL = {"mean": BLUE, "median": RED, "var": GREEN}  # all others are grey
DASHES = ["-", (0, (4.5, 1.8)), (0, (1, 1.1)), (0, (5, 1.6, 1, 1.6))]
ROW = 12.8  # points from the name of a line to the next
WIDTH, ALONE = 6.6, 5.2  # inches: two panels beside each other, and one
NAMES = 1.29  # inches right of a panel
HEAD, FOOT, END = 0.36, 0.3, 0.26  # inches: above a panel, below it, and the words below all
SHADES = ["#4a95cd", "#7db6de", "#a9d0ec", "#d3e7f5", "#ffffff"]  # by quarters; white is 1
CELL = 0.245  # inches: the height of a cell


def draw_sensitivities(
    panels: Mapping[tuple[str, str], pd.DataFrame],
    *,
    xlabel: str,
    beside: Mapping[tuple[str, str], pd.DataFrame] | None = None,
) -> Figure:
    """A line for each query, two panels beside each other.

    Panels of one title share their axis. It is an axis of square roots, on which lines of 1 and
    of 50 can both be followed. Each line has its name at its end; lines that are one share it.
    The mean, the median and the variance have colours, so that they are seen first.

    Args:
        panels: by title and name of the vertical axis.
        beside: panels of another figure, with which this one shares its axes.
    """
    queries = list(next(iter(panels.values())))
    others = [query for query in queries if query not in SPECIAL]
    looks = {query: (GREY, DASHES[i % len(DASHES)]) for i, query in enumerate(others)}
    looks |= {query: (color, "-") for query, color in SPECIAL.items()}
    merged = {of: _merged(frame) for of, frame in panels.items()}
    seen = [*panels.items(), *(beside or {}).items()]
    tops = {
        title: max(_largest(frame) for (other, _), frame in seen if other == title)
        for title, _ in panels
    }
    most = max(sum(len(names) for names, _ in lines) for lines in merged.values())
    high = max(2.1, ROW * (most + 0.5) / 72)
    ticks = {of: root_ticks(1.06 * top or 1.0, 15 / (72 * high)) for of, top in tops.items()}
    left = 0.38 + 0.09 * max(len(_tick(tick)) for of in ticks.values() for tick in of)
    across, width = (2, WIDTH) if len(panels) > 1 else (1, ALONE)
    wide = width / across - left - NAMES
    rows = -(-len(panels) // across)
    tall = rows * (high + FOOT + HEAD) + END
    figure = _figure(width, tall)
    for place, ((title, ylabel), frame) in enumerate(panels.items()):
        row, side = divmod(place, across)
        x0 = left + side * (left + wide + NAMES)
        y0 = tall - (row + 1) * (high + FOOT + HEAD) + FOOT
        axes = figure.add_axes((x0 / width, y0 / tall, wide / width, high / tall))
        axes.set(xticks=frame.index, ylim=(0, 1.06 * tops[title] or 1.0), ylabel=ylabel)
        axes.set_xlim(frame.index[0] - 0.12, max(frame.index[-1], frame.index[0] + 0.5))
        axes.set_yscale("function", functions=(_root, np.square))
        axes.set_yticks(ticks[title], map(_tick, ticks[title]))
        axes.grid(axis="y", lw=0.7)
        axes.set_axisbelow(True)
        axes.set_title(title, fontsize=11.5, x=(0.06 - left) / wide)
        for names, line in merged[title, ylabel]:
            color, dashes, thick = _look(names, looks)
            how = {"lw": thick, "marker": "o", "ms": 1.8 * thick, "zorder": 2 + thick / 10}
            axes.plot(line, color=color, ls=dashes, clip_on=False, **how)
        _lead_to_names(axes, merged[title, ylabel], looks, wide, high)
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


def _root(values: Any) -> Any:
    """The square root; 0 below 0, where nothing is drawn."""
    return np.sqrt(np.maximum(values, 0))


def _tick(value: float) -> str:
    """A tick: 0.5, 20, 3,000, 2e8.

    >>> [_tick(value) for value in (0.5, 3000, 2e8)]
    ['0.5', '3,000', '2e+08']
    """
    return f"{value:,.0f}" if 10 <= value < 1e5 else f"{value:.3g}"


def _largest(frame: pd.DataFrame) -> float:
    """The largest value that is there, or 0."""
    return float(np.nanmax(frame.fillna(0.0)))


def _merged(frame: pd.DataFrame) -> list[tuple[list[str], pd.Series]]:
    """Lines with the names of their queries, those that are everywhere equal as one."""
    groups: list[tuple[list[str], pd.Series]] = []
    for query in frame:
        line = frame[query].dropna()
        same = [
            names for names, other in groups if other.index.equals(line.index)
            and np.allclose(other, line)
        ]  # fmt: skip
        if same:
            same[0].append(query)
        elif len(line):
            groups.append(([query], line))
    return groups


def _brief(query: str) -> str:
    """A query's name at a line: percentile_25 is p25."""
    return query.replace("percentile_", "p")


def _look(names: Sequence[str], looks: Any) -> tuple[str, Any, float]:
    """Colour, dashes and width of a line: those of a query that is to be seen, if it is one."""
    color, dashes = looks[next((name for name in names if name in SPECIAL), names[0])]
    return color, dashes, 1.3 if color == GREY else 2.4


def _lead_to_names(
    axes: Axes, groups: Sequence[tuple[list[str], pd.Series]], looks: Any, wide: float, high: float
) -> None:
    """Names right of a panel, each with a piece of its line, led to from its end.

    Args:
        groups: from :func:`_merged`.
        looks: the colour and the dashes of each query.
        wide, high: the panel, in inches.
    """
    rising = sorted(groups, key=lambda group: tuple(group[1][::-1]))
    to_panel = (axes.transData + axes.transAxes.inverted()).transform
    ends = [to_panel((line.index[-1], line.iloc[-1])) for _, line in rising]
    counts = [len(names) for names, _ in rising]
    heights = np.repeat([height for _, height in ends], counts)
    rows = iter(apart(heights, ROW / (72 * high), 1.0) if len(heights) else [])
    knee, swatch, word = (1 + points / (72 * wide) for points in (17, 34, 38))
    how = {"transform": axes.transAxes, "clip_on": False}
    for (names, _), (x, height), count in zip(rising, ends, counts):
        place = float(np.mean([next(rows) for _ in range(count)]))
        color, dashes, thick = _look(names, looks)
        axes.plot([x + 3 / (72 * wide), knee], [height, place], color=color, lw=0.8, **how)
        axes.plot([knee, swatch], [place, place], color=color, lw=thick, ls=dashes, **how)
        text = "\n= ".join(map(_brief, names))
        axes.text(
            word, place, text, va="center", fontsize=10.5, linespacing=1.05, parse_math=False,
            transform=axes.transAxes, color=INK if color == GREY else WORDS.get(color, color),
        )  # fmt: skip


def apart(places: np.ndarray, gap: float, top: float) -> np.ndarray:
    """Move rising places apart, as little as needed, and none above the top if there is room.

    >>> apart(np.array([1.0, 1.0, 5.0]), 1.0, 5.0).tolist()
    [1.0, 2.0, 5.0]
    >>> apart(np.array([4.5, 5.0, 5.0]), 1.0, 5.0).tolist()
    [3.0, 4.0, 5.0]
    """
    moved = places.astype(float).copy()
    for i in range(1, len(moved)):
        moved[i] = max(moved[i], moved[i - 1] + gap)
    moved[-1] = min(moved[-1], max(top, gap * (len(moved) - 1)))
    for i in range(len(moved) - 2, -1, -1):
        moved[i] = min(moved[i], moved[i + 1] - gap)
    return moved


def draw_ratios(blocks: Mapping[str, Mapping[str, pd.DataFrame]]) -> Figure:
    """A field of cells: white is 1, and the darker a cell, the smaller is its ratio.

    Args:
        blocks: by heading, of each column its ratios.
    """
    frames = [frame for of in blocks.values() for frame in of.values()]
    means = pd.concat(frames).mean().fillna(2)
    queries = means.sort_values(ascending=False, kind="stable").index
    columns, distances = list(next(iter(blocks.values()))), frames[0].index
    left, gap = 0.2 + 0.09 * max(len(_brief(query)) for query in queries), 0.16
    count = len(columns) * len(distances)
    cell = max(0.4, (5.14 - left - (len(columns) - 1) * gap) / count)
    wide = left + count * cell + (len(columns) - 1) * gap + 0.06
    block = 0.78 + CELL * len(queries)
    tall = len(blocks) * block + 0.4
    figure = _figure(max(wide, 5.2), tall)
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set(xlim=(0, max(wide, 5.2)), ylim=(tall, 0))
    axes.set_axis_off()
    middle = {"va": "center", "parse_math": False}
    for b, (heading, of) in enumerate(blocks.items()):
        top = b * block + 0.72
        axes.text(0.06, top - 0.56, heading, fontsize=12, weight="bold", **middle)
        for i, query in enumerate(queries):
            height = top + (i + 0.5) * CELL
            axes.text(left - 0.08, height, _brief(query), ha="right", fontsize=11, **middle)
        for c, column in enumerate(columns):
            start = left + c * (len(distances) * cell + gap)
            axes.text(start, top - 0.32, in_words(column), fontsize=11, **middle)
            for j, k in enumerate(distances):
                words, x = f"{'' if j else 'k = '}{k}", start + (j + 0.5) * cell
                axes.text(x, top - 0.11, words, ha="center", fontsize=10, **middle)
            for (i, query), j in itertools.product(enumerate(queries), range(len(distances))):
                corner = start + j * cell, top + i * CELL
                _shaded_cell(axes, corner, cell, of[column][query].iloc[j])
            frame = (start, top), len(distances) * cell, CELL * len(queries)
            axes.add_patch(Rectangle(*frame, fill=False, ec=INK, lw=0.8))
    x, y = left, len(blocks) * block + 0.2
    for value, words in {1.0: "equal", 0.0: "local is 0", math.nan: "no ratio"}.items():
        _shaded_cell(axes, (x, y - CELL / 2), 0.3, value)
        axes.add_patch(Rectangle((x, y - CELL / 2), 0.3, CELL, fill=False, ec=INK, lw=0.8))
        text = axes.text(x + 0.37, y, words, fontsize=10.5, **middle)
        x += 0.37 + text.get_window_extent().width / figure.dpi + 0.22
    return figure


def _shaded_cell(axes: Axes, corner: tuple[float, float], wide: float, ratio: float) -> None:
    """A cell with its ratio: 1 and 0 only where they are exact, – where there is none."""
    x, y = corner
    shade = SHADES[-1] if math.isnan(ratio) else SHADES[int(min(ratio, 1) * 4)]
    axes.add_patch(Rectangle(corner, wide, CELL, lw=0.6, ec=GRID, fc=shade))
    words = "–" if math.isnan(ratio) else f"{ratio:g}" if ratio in (0, 1) else f"{ratio:.2f}"
    at = x + wide / 2, y + CELL / 2
    axes.text(*at, words, ha="center", va="center", fontsize=10.5)
