"""The variance of values of which only limits are known: how far it moves, what is printed of it.

Nothing of the package is used in the brute force but the noise scales that it returns.
"""

import itertools
import json
import math
import random
import runpy
from collections import Counter
from fractions import Fraction

import definition
import numpy as np
import opendp.prelude as opendp
import pandas as pd
import pytest

import dpchoose as dp
from dpchoose.your_data.command import publish
from dpchoose.your_data.command.publish import Publication, cut_variance, publication_of

LOG3 = math.log(3)
BESIDE = [[], [("mean", "x")], [("sum", "x")], [("mean", "x"), ("sum", "x")], [("share", "x=5")],
          [("var", "y")], [("mean", "y"), ("share", "c=a")]]  # fmt: skip


@pytest.mark.parametrize("limits", [(0, 1), (-3, 5), (0.1, 0.3), (1e6, 1e6 + 1)])
@pytest.mark.parametrize("n", [2, 3, 4, 5, 6])
def test_the_move_is_the_largest_of_all_lists_and_of_their_floats(limits, n):
    low, high = map(Fraction, limits)
    few = [low, high, (2 * low + high) / 3] if n < 6 else [low, high]

    def variance(values):
        mean = sum(values) / n
        return sum((value - mean) ** 2 for value in values) / n

    pairs = [(variance([one, *rest]), variance([other, *rest]))
             for rest in itertools.combinations_with_replacement(few, n - 1)
             for one, other in itertools.combinations(few, 2)]  # fmt: skip
    found = Fraction(dp.limits_sensitivity("var", limits, n)[0])
    exact = max(abs(one - other) for one, other in pairs)
    assert exact == (high - low) ** 2 * (n - 1) / n**2
    assert exact <= found <= exact * (1 + Fraction(n, 10**15))
    assert all(abs(Fraction(float(a)) - Fraction(float(b))) <= found for a, b in pairs)


class Small:
    """A small file, a question with a variance, and the largest loss between two of one person."""

    def __init__(self, seed):
        self.draw = draw = random.Random(seed)
        self.limits = {"x": draw.choice([(-2, 5), (0, 1), (0.1, 0.3)]), "y": (0, 3)}
        self.rows, self.grouped = draw.choice([1, 2, 3]), draw.random() < 0.6
        groups = ["A", "A", "B", "B", *draw.choices("AB", k=draw.randint(0, 2))]
        beside = draw.choice(BESIDE)
        self.asked = [("var", "x"), *beside]
        named = {column for kind, column in self.asked if kind != "share"}
        self.classes = "ab" if ("share", "c=a") in beside else "a"
        corners = itertools.product(
            [*self.limits["x"], *[5] * (("share", "x=5") in beside)],
            [0, 3] if "y" in named else [0],
            self.classes,
        )
        self.corners = [dict(zip("xyc", one)) for one in dict.fromkeys(corners)]
        self.file = [draw.choice(self.corners) | {"group": group} for group in groups]
        if draw.random() < 0.5:  # all alike, from where it moves farthest
            self.file = [self.corners[0] | {"group": group} for group in groups]
        limits = {name: self.limits[name] for name in sorted(named)}
        by = {"by": "group"} if self.grouped else {}
        how = {"limits": limits, "rows_per_person": self.rows} | by
        self.found = dp.PublicLimits(self.asked, pd.DataFrame(self.file), **how).for_odds(3)
        scales = self.found.table["noise scale"]
        self.rates = dict(zip(self.found.table["statistic"], scales.map(lambda b: 1 / b)))

    def answers(self, records):
        return [float(self.answer(label, records)) for label in self.rates]

    def answer(self, label, records):
        if "share:x=" in label:
            of = [one for one in records if not self.grouped or one["group"] == label[-1]]
            return Fraction(sum(one["x"] == 5 for one in of), len(of))
        return definition.of_everybody(label, records, self.limits)

    def worst(self):
        rates, worst, pairs = np.array([*self.rates.values()]), 0.0, 0
        places = [*itertools.combinations(range(len(self.file)), self.rows)]
        for mine in self.draw.sample(places, min(len(places), 6)):
            some = [*itertools.product(self.corners, repeat=self.rows)]
            some = self.draw.sample(some, min(len(some), 24))
            files = []
            for rows in some:
                file = list(self.file)
                for place, row in zip(mine, rows):
                    file[place] = row | {"group": file[place]["group"]}
                files.append(self.answers(file))
            files = np.array(files)
            apart = (np.abs(files[:, None] - files) * rates).sum(axis=-1)
            worst, pairs = (
                max(worst, float(apart.max())),
                pairs + len(files) * (len(files) - 1) // 2,
            )
        return worst, pairs


@pytest.mark.filterwarnings("ignore::dpchoose.codes.MissingCodeWarning")
def test_no_two_files_of_a_person_lie_farther_apart_than_is_signed():
    """Groups, rows in several groups, and a mean, a sum and shares beside it."""
    kinds, pairs = Counter(), 0
    for seed in range(150):
        case = Small(seed)
        worst, tried = case.worst()
        pairs += tried
        assert worst <= LOG3 * (1 + 1e-12), seed
        beside = {kind for kind, column in case.asked[1:] if column != "x=5"}
        attained = worst > LOG3 * (1 - 1e-9)
        kinds[case.rows, case.grouped] += attained
        kinds["beside a mean or a sum"] += attained and bool(beside & {"mean", "sum"})
    assert pairs > 10_000
    assert min(kinds[1, False], kinds[1, True], kinds["beside a mean or a sum"]) > 1
    assert kinds[2, True] > 0  # rows in two groups: what holds in one group would be too little


def test_two_rows_in_two_groups_move_two_variances_by_all_of_it():
    """By r^2 K (n - K)/n^2, which holds in one group, the loss would be 3/2 of the one signed."""
    table = pd.DataFrame({"x": [0.0] * 8, "g": [*"AAAABBBB"]})
    how = {"limits": {"x": (0, 1)}, "by": "g", "rows_per_person": 2}
    found = dp.PublicLimits(("var", "x"), table, **how).for_odds(3)
    move = 3 / 16  # of a row in each group
    assert 2 * move / found.table["noise scale"][0] == pytest.approx(LOG3, rel=1e-12)
    assert 2 * move / found.table["noise scale"][0] <= LOG3
    assert not found.readers["exact"].any()


@pytest.fixture
def made(tmp_path, run):
    """The script of a file of values: its path, question and rows."""
    opendp.enable_features("contrib")

    def write(values, *words, limits="0:30"):
        table, path = tmp_path / "mine.csv", tmp_path / "p.py"
        table.write_text("visits\n" + "".join(f"{value}\n" for value in values))
        asked = ["epsilon", table, "--ask", "var:visits", "--limits", f"visits={limits}"]
        code, _, error = run(*asked, "--odds", "3", "--opendp", path, *words)
        assert code == 0, error
        data = runpy.run_path(str(path))["QUESTION"]
        question = publication_of(data)
        return path, data, question, question.source.read()

    return write


@pytest.mark.parametrize(
    ("values", "limits", "counted"),
    [
        (["0.1", "0.7", "40", "-2"], "0:30", [0.1, 0.7, 30, 0]),
        ([1000.1] * 9 + [1000.2], "1000.1:1000.2", [1000.1] * 9 + [1000.2]),
        ([0.14, 0.26, 0.9], "0:0.5:0,1", [Fraction(1, 10), Fraction(3, 10), Fraction(1, 2)]),
        ([1, 2, 3, 31], "0:30:1", [1, 2, 3, 30]),
    ],
)
def test_the_script_draws_around_the_exact_variance(made, values, limits, counted):
    _, _, question, rows = made(values, limits=limits)
    (asked,) = question.answers
    exact, base = question.exact(rows, asked)
    numbers = [*map(Fraction, counted)]
    mean = sum(numbers) / len(numbers)
    assert (exact, base) == (sum((x - mean) ** 2 for x in numbers) / len(numbers), 0)
    assert 0.998 * LOG3 < asked.loss <= LOG3  # its scale has four digits
    assert asked.row.units == 0  # also of whole values


def test_what_is_published_is_within_the_limits_of_a_variance_and_as_near_as_is_said(
    made, monkeypatch
):
    path, data, question, rows = made([0] * 4 + [30] * 4)
    exact, inside = 225, []
    for _ in range(400):
        shown = question.results(rows)["answers"]["var:visits"]
        value, error = shown["value"], shown["error"]
        assert 0 <= value <= 225
        is_in = abs(value - exact) <= error
        low, high = math.sqrt(max(0, value - error)), math.sqrt(value + error)
        assert is_in == (low <= math.sqrt(exact) <= high)
        inside.append(is_in)
    assert np.mean(inside) > 0.93
    for drawn, printed in ((-50.0, 0), (400.0, 225)):
        monkeypatch.setattr(Publication, "drawing", lambda *_, drawn=drawn: lambda: drawn)
        publish.publish(str(path), data)
        result = json.loads(path.with_suffix(".json").read_text())
        assert result["answers"]["var:visits"]["value"] == printed
        path.with_suffix(".json").unlink()


def test_cutting_takes_no_value_further_from_any_variance():
    rng = np.random.default_rng(4)
    for limits in [(0, 30), (-0.1, 0.7), (0.1, 0.3)]:
        most = (Fraction(limits[1]) - Fraction(limits[0])) ** 2 / 4
        for value, share in zip(rng.normal(0, 3 * float(most), 300).tolist(), rng.random(300)):
            cut = Fraction(cut_variance(value, limits))
            for exact in (0, most, Fraction(share) * most):
                assert abs(cut - exact) <= abs(Fraction(value) - exact)
    assert math.copysign(1, cut_variance(-0.0, (0, 1))) == 1


SIGNED = (
    "variance of visits (divided by n), each counted as 0 to 30: v, within e in 95 of 100 draws. A "
    "value below 0 is noise and is printed as 0, above r^2/4 as r^2/4; this uses up nothing and "
    "takes it no further from the exact one (who averages many published variances needs the uncut "
    "ones). Its root may be read off, also at no cost: between sqrt(max(0, v - e)) and "
    "sqrt(v + e) in the same draws"
)


def test_the_sheet_says_of_a_variance_what_is_printed_and_of_another_answer_nothing():
    table = pd.DataFrame({"visits": [3.0, 5, 0, 7] * 100})
    for query, said in (("var", True), ("mean", False)):
        noise = dp.PublicLimits((query, "visits"), table, {"visits": (0, 30)}).for_odds(3)
        first, rests, promised, *_ = noise.sentences()
        assert (SIGNED in rests) == said
        assert ("variance" in first) == said
        assert ("(for that: hide how many records there are)" in promised) != said
    (only,) = dp.PublicLimits("var", 400, (0, 30, 5)).for_odds(3).sentences()[1:2]
    assert "The variance (divided by n), each value counted as 0 to 30, in steps of 5: v" in only


def test_the_command_advises_by_the_square_and_names_no_way_that_is_refused(run, tmp_path):
    path = tmp_path / "mine.csv"
    path.write_text("visits\n" + "3\n5\n40\n7\n" * 100)
    words = ["epsilon", path, "--limits", "visits=0:30", "--odds", "3", "--show-cut"]
    quarter, half = "a quarter of the error of a variance", "Half the limits, half the error."
    for asked, advised in [
        (["var"], (True, False)),
        (["mean"], (False, True)),
        (["var", "sum"], (True, True)),
    ]:
        ask = [word for kind in asked for word in ("--ask", f"{kind}:visits")]
        text = " ".join(run(*words, *ask, screen=True)[1].split())
        assert (quarter in text, half in text) == advised
        assert ("--hide-n" in text) == ("var" not in asked)
    values = np.array([3, 5, 40, 7])
    moved = round(np.clip(values, 0, 30).var() - values.var(), -1)
    assert f"Cutting moves the variance of visits (divided by n) by {moved:g}," in text


def test_half_the_limits_are_a_quarter_of_the_error_and_twice_the_records_about_half():
    one = dp.PublicLimits("var", 4000, (0, 30)).for_odds(3).error
    assert dp.PublicLimits("var", 4000, (0, 15)).for_odds(3).error == pytest.approx(one / 4)
    assert dp.PublicLimits("var", 8000, (0, 30)).for_odds(3).error == pytest.approx(one / 2, 1e-3)


@pytest.mark.parametrize(("size", "is_noise"), [(2, True), (9, True), (10, False)])
def test_a_variance_that_is_all_noise_is_named(run, tmp_path, size, is_noise):
    """No variance exceeds r^2/4: (n - 1)/n^2 ln 20/ln 3 is more than 1/4 up to n = 9."""
    path = tmp_path / "wards.csv"
    path.write_text("ward,stay\n" + "north,9\n" * 40 + "nroth,9\n" * size)
    words = ["epsilon", path, "--ask", "var:stay", "--limits", "stay=0:60", "--by", "ward"]
    assert ("All noise: var:stay, nroth." in run(*words, "--odds", "3")[2]) == is_noise
