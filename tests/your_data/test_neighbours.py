"""Files that differ in the rows of one person, as texts, and how far their answers lie apart.

Real files are read by the real reader; cells are spelt as files spell them.
"""

import csv
import itertools
import math
import random
import runpy
import warnings

import numpy as np
import pytest
from hypothesis import settings

import dpchoose as dp
from dpchoose.codes import MissingCodeWarning
from dpchoose.your_data.command.publish import publication_of
from dpchoose.your_data.read import Source

PLAIN = ["0", "-0", "1", "1.0", "01", "+1", "1e0", "2", "2.5", "2.50", "-5", "\N{MINUS SIGN}5",
         "true", "TRUE", "false", " 2 ", "1e3", "1000", "9007199254740993"]  # fmt: skip
SPELT = {  # how numbers are written, and cells so written
    (".", ""): PLAIN,
    (",", ""): ["2,5", "2,50", "0,5", "1,0", *PLAIN],
    (".", ","): ["1,000", "1,000.0", "2,5", *PLAIN],
    (",", "."): ["1.000", "2.000", "1.000,0", "2,5", *PLAIN],
    (".", " "): ["1 000", "1\N{NO-BREAK SPACE}000", "2\N{NARROW NO-BREAK SPACE}000", *PLAIN],
}
TEXTS = ["x", "X", "north", "1a", "\N{MINUS SIGN}", "a=1", ">=1"]
SIGNS = ["=", "=", "==", ">=", "<=", ">", "<"]


class Question:
    """What is asked of a small file, and the noise for it."""

    def __init__(self, seed, folder):
        self.draw = draw = random.Random(seed)
        self.path = folder / "mine.csv"
        how, cells = draw.choice([*SPELT.items()])
        self.cells = draw.sample(cells, 9)
        if draw.random() < 0.4:
            self.cells += draw.sample(TEXTS, 3)
        self.hidden, self.grouped = draw.random() < 0.3, draw.random() < 0.4
        self.rows = draw.choice([1, 1, 2])
        self.name = draw.choice(["x", "x", "x (1=f)", "a<b"])
        self.shares = self.conditions()
        self.mean = draw.random() < 0.2 and {self.name: (-1, 3)}
        self.count = self.hidden and draw.random() < 0.5
        self.source = Source(
            str(self.path),
            (self.name,) if self.mean else (),
            self.shares,
            by=("group",) if self.grouped else (),
            decimal=how[0],
            thousands=how[1],
        )
        groups = ["1", "other", "nobody"] if self.grouped else [""]
        labels = draw.choices(groups[:2], k=4)
        rest = [[draw.choice(self.cells), label] for label in labels]
        self.file = rest
        self.groups = groups if self.hidden or not self.grouped else sorted({*labels})
        rows = self.read(rest)
        asked = [("share", one) for one in rows.shares.values()]
        asked += [("mean", self.name)] * bool(self.mean) + ["count"] * self.count
        of = {"hide_n": True} if self.hidden else {}
        of |= {"groups": groups} if self.hidden and self.grouped else {}
        of |= {"by": rows.labels, "rows_per_person": self.rows}
        self.found = dp.PublicLimits(asked, rows.values, self.mean or {}, **of).for_odds(3)
        scales = self.found.table["noise scale"].dropna().to_numpy()
        self.rates = (1 / scales).reshape(len(self.groups), -1)

    def conditions(self):
        """Some of one column: where n is hidden one; not all of them can be asked."""
        few = 1 if self.hidden else self.draw.choice([1, 2, 3, 3, 4])
        signs = self.draw.choice([["="], SIGNS, SIGNS])
        texts = [f"{self.name}{self.draw.choice(signs)}{self.draw.choice(self.cells).strip()}"
                 for _ in range(few)]  # fmt: skip
        return tuple({text.replace("==", "="): text for text in texts}.values())

    def read(self, records):
        with self.path.open("w", encoding="utf-8", newline="") as file:
            table = [[self.name, "group"], *records]
            csv.writer(file, delimiter=";", quoting=csv.QUOTE_ALL).writerows(table)
        return self.source.read()

    def answers(self, records):
        """What gets noise, in group after group; None of a file that is refused."""
        try:
            rows, answers = self.read(records), []
        except ValueError:
            return None
        inside = np.ones(len(records), bool)
        for group in self.groups:
            if self.grouped:
                inside = rows.labels == group
            of_group = []
            for column in [*rows.shares.values(), *(self.mean or ())]:
                low, high = (self.mean or {}).get(column, (0, 1))
                values = np.clip(rows.values[column].to_numpy()[inside], low, high)
                centred = values - (low + high) / 2
                of_group.append(centred.sum() if self.hidden else values.mean())
            if self.hidden:
                of_group.append(inside.sum())
            answers.append(of_group)
        return np.array(answers, float)

    def worst(self, most):
        """Pairs of files that one person tells apart, and the largest privacy loss between two.

        ``most`` is how many people are tried in the same place.
        """
        pairs, worst = 0, 0.0
        for places in itertools.combinations(range(len(self.file)), self.rows):
            rows = [[(cell, self.file[place][1]) for cell in self.cells] for place in places]
            if self.hidden:  # in another group, or not in the file
                wide = itertools.product(self.cells, self.groups if self.grouped else [""])
                rows = [[*wide, None]] * len(places)
            kept = [row for place, row in enumerate(self.file) if place not in places]
            mine = [*itertools.product(*rows)]
            mine = self.draw.sample(mine, min(len(mine), most))
            some = [self.answers([*kept, *filter(None, one)]) for one in mine]
            some = [one for one in some if one is not None]
            for one, other in itertools.combinations(some, 2):
                worst = max(worst, float((np.abs(one - other) * self.rates).sum()))
                pairs += 1
        return pairs, worst


def play(seed, folder, most=12):
    """The pairs and the worst loss of a question; (0, 0) of one that is refused."""
    with warnings.catch_warnings(action="ignore", category=MissingCodeWarning):
        try:
            question = Question(seed, folder)
        except ValueError:
            return 0, 0.0
        return question.worst(most)


@pytest.mark.hypothesis
@pytest.mark.parametrize("half", [0, 1])
def test_no_two_files_lie_farther_apart_than_is_signed(half, tmp_path):
    """Shares with = and thresholds mixed, groups, rows, a mean beside them, n hidden."""
    few = settings.default.max_examples
    played = [play(seed, tmp_path) for seed in range(half * few, (half + 1) * few)]
    losses = np.array([worst for pairs, worst in played if pairs])
    assert (losses <= math.log(3) * (1 + 1e-9)).all()
    assert (losses > math.log(3) * (1 - 1e-6)).sum() > few / 8  # and some are as far
    assert sum(pairs for pairs, _ in played) > 75 * few


SIX = [  # how numbers are written, a file, its first cell changed, and shares of its column
    ({"decimal": ","}, ["2,5", "0", "3", "1"], "0", ["2,5", ">=1", ">=2"]),
    ({"decimal": ",", "thousands": "."}, ["2.000", "1", "3"], "1", ["1", "2.000", ">=1000"]),
    ({"thousands": ","}, ["1,500", "0", "3"], "0", ["1,500", ">=1", ">=2"]),
    ({"thousands": " "}, ["1 500", "0", "3"], "0", ["1 500", ">=1", ">=2"]),
    ({}, ["true", "false", "true"], "false", ["true", ">=1", ">=0.5"]),
    ({}, ["\N{MINUS SIGN}5", "0", "1", "2"], "0", ["\N{MINUS SIGN}5", "<=-1", "<=-2"]),
]


@pytest.mark.parametrize(("how", "cells", "other", "shares"), SIX)
def test_equalities_and_thresholds_read_one_value(how, cells, other, shares, tmp_path, run):
    """Each of these moved three shares at once where two readings allowed two: 5.195 for 3."""
    path, exact, made = tmp_path / "mine.csv", [], None
    conditions = [text if text[0] in "<>" else f"={text}" for text in shares]
    words = [word for text in conditions for word in ("--ask", f"share:x{text}")]
    words += [word for name, sign in how.items() for word in (f"--{name}", sign)]
    for first in (cells[0], other):
        lines = ["x", *(f'"{cell}"' for cell in [first, *cells[1:]])]
        path.write_text("\n".join(lines), "utf-8")
        if made is None:
            script = ["--everybody", "--odds", "3", "--opendp", tmp_path / "s.py"]
            assert run("epsilon", path, *words, *script)[0] == 0
            made = publication_of(runpy.run_path(str(tmp_path / "s.py"))["QUESTION"])
        with warnings.catch_warnings(action="ignore", category=MissingCodeWarning):
            rows = made.source.read()
        exact.append([float(sum(made.exact(rows, one))) for one in made.answers])
    rates = [1 / one.scale for one in made.answers]
    loss = max(float((np.abs(np.subtract(exact[0], one)) * rates).sum()) for one in exact)
    assert math.exp(loss) <= 3 * (1 + 1e-9)
