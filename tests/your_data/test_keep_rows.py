"""Of each person the first K rows alone are used: what that promises, by brute force.

Files that differ in the rows of one person are read by the real reader. A second keeping of rows,
in plain Python, says which ones they must be, and shows what other ways of keeping would break.
"""

import itertools
import json
import math
import random
import re
import runpy
from collections import Counter

import numpy as np
import pytest
from hypothesis import settings

import dpchoose as dp
from dpchoose.your_data.command.publish import publication_of, publish
from dpchoose.your_data.persons import like_persons
from dpchoose.your_data.read import Source

pytestmark = pytest.mark.filterwarnings("ignore:--missing 99 occurs nowhere")
LIMITS = {"x": (-1, 3)}
CELLS = ["-2", "-1", "0", "3", "3.0", "7"]  # some beyond the limits
MISSING = ["", "NA", "99"]
GROUPS = ["p", "q"]
NAMES = ["id", "group", "c", "x"]


def kept(rows, most, key):
    """The first rows of each key, of those that can be answered; and keys are compared as texts."""
    seen, some = Counter(), []
    for row in rows:
        if row["c"] == "1" and row["x"] not in MISSING:
            seen[key(row)] += 1
            some += [row] * (seen[key(row)] <= most)
    return some


def of_person(row):
    return row["id"]


def of_person_in_group(row):
    return row["id"], row["group"]


class Game:
    """A small file, a question of it, and the noise for it."""

    def __init__(self, seed, folder):
        self.draw = draw = random.Random(seed)
        self.path = folder / "mine.csv"
        self.most, self.hidden = draw.choice([1, 2]), draw.random() < 0.5
        self.grouped = draw.random() < 0.6
        people = [name for name in ("7", "07", "7.0") for _ in range(draw.choice([1, 2, 3]))]
        draw.shuffle(people)
        self.file = [self.row(name) for name in people]
        for group in GROUPS:  # of which somebody else is in each
            self.file.append({"id": f"else {group}", "group": group, "c": "1", "x": "0"})
        asked = [("mean", "x")] + [("share", "x>=1")] * (draw.random() < 0.3)
        self.source = Source(
            str(self.path),
            ("x",),
            tuple(column for kind, column in asked if kind == "share"),
            by=("group",) if self.grouped else (),
            person="id",
            rows=self.most,
            keep_rows=True,
            where="c == 1",
            drop_missing=True,
            missing=("99",),
        )
        rows = self.read(self.file)
        asked = [("share", rows.shares[column]) if kind == "share" else (kind, column)
                 for kind, column in asked]  # fmt: skip
        how = {"by": rows.labels, "hide_n": self.hidden, "rows_per_person": self.most}
        how["groups"] = GROUPS if self.hidden and self.grouped else None
        self.found = dp.PublicLimits(asked, rows.values, LIMITS, **how).for_odds(3)
        scales = self.found.table["noise scale"].dropna().to_numpy()
        self.rates = (1 / scales).reshape(-1, len(self.found.question.rows))

    def row(self, name):
        """A row, which may miss a value or the condition."""
        x = self.draw.choice(CELLS if self.draw.random() < 0.8 else MISSING)
        c, group = self.draw.choice("1110"), self.draw.choice(GROUPS)
        return {"id": name, "group": group, "c": c, "x": x}

    def read(self, rows):
        lines = [NAMES, *(row.values() for row in rows)]
        self.path.write_text("".join(f"{','.join(line)}\n" for line in lines))
        return self.source.read()

    def answers(self, rows):
        """What gets noise, in group after group, of rows that are used; and how many they are."""
        answers, sizes = [], []
        for group in GROUPS if self.grouped else [None]:
            x = np.array([float(row["x"]) for row in rows if group in (None, row["group"])])
            of_group = [np.clip(x, *LIMITS["x"])]
            of_group += [x >= 1] * (len(self.found.question.asked) > 1)
            middles = [1, 1 / 2]
            if self.hidden:
                sums = [(one - middle).sum() for one, middle in zip(of_group, middles)]
                answers.append([*sums, len(x)])
            else:
                answers.append([one.mean() for one in of_group])
            sizes.append(len(x))
        return np.array(answers, float), sizes

    def of_one_person(self):
        """Other files, in which the person called 7 has other rows.

        With n public only the values are others: not how many there are, nor their order, group,
        condition, or which are missing.
        """
        mine = [place for place, row in enumerate(self.file) if row["id"] == "7"]
        for _ in range(14):
            if self.hidden:
                rest = [row for row in self.file if row["id"] != "7"]
                for _ in range(self.draw.choice([0, 1, 2, 3])):
                    rest.insert(self.draw.randrange(len(rest) + 1), self.row("7"))
                yield rest
                continue
            new = [dict(row) for row in self.file]
            for place in mine:
                if new[place]["x"] not in MISSING:
                    new[place]["x"] = self.draw.choice(CELLS)
            yield new

    def worst(self, key):
        """Pairs of files, and the largest privacy loss between two, for a way of keeping rows.

        Pairs in which sizes differ that are public count as infinitely far apart.
        """
        some = [self.answers(kept(rows, self.most, key)) for rows in self.of_one_person()]
        pairs, worst = 0, 0.0
        for (one, sizes), (other, others) in itertools.combinations(some, 2):
            loss = float((np.abs(one - other) * self.rates).sum())
            worst = max(worst, loss if self.hidden or sizes == others else math.inf)
            pairs += 1
        return pairs, worst


@pytest.mark.hypothesis
def test_the_first_rows_of_each_person_keep_the_promise_and_those_of_each_group_do_not(tmp_path):
    """Over the whole file; by group a person would have K rows in each of them."""
    few = 3 * settings.default.max_examples
    games = [Game(seed, tmp_path) for seed in range(few)]
    played = [game.worst(of_person) for game in games]
    losses = np.array([worst for _, worst in played])
    assert sum(pairs for pairs, _ in played) > 66 * few
    assert (losses <= math.log(3) * (1 + 1e-9)).all()
    assert (losses > math.log(3) * (1 - 1e-6)).sum() > few / 15  # and some are as far
    by_group = np.array([game.worst(of_person_in_group)[1] for game in games])
    assert (by_group > math.log(3) * 1.2).sum() > few / 30


@pytest.mark.parametrize("seed", range(40))
def test_the_reader_keeps_these_rows(tmp_path, seed):
    """After the condition, missing cells and codes, in the order of the file; 7 is not 7.0."""
    game = Game(seed, tmp_path)
    for rows in [game.file, *game.of_one_person()]:
        read, mine = game.read(rows), kept(rows, game.most, of_person)
        assert read.values["x"].tolist() == [float(row["x"]) for row in mine]
        if game.grouped:
            assert read.labels.tolist() == [row["group"] for row in mine]
        met = [row for row in rows if row["c"] == "1"]
        full = [row for row in met if row["x"] not in MISSING]
        assert read.filtered == len(rows) - len(met)
        assert read.dropped == len(met) - len(full)
        assert read.beyond == len(full) - len(mine)


# Why the sheet says of what the order must be independent.


@pytest.fixture
def rows(tmp_path):
    def read(text, **how):
        (tmp_path / "x.csv").write_text(text)
        how = {"person": "id", "keep_rows": True} | how
        return Source(str(tmp_path / "x.csv"), ("x",), **how).read()

    return read


def test_an_order_by_a_total_over_several_people_turns_the_rows_of_all(rows):
    """One changed value, of the doctor D's patient 0, and other people's rows are others."""
    sums = []
    for value in (0, 100):
        visits = [("0", "D", value), ("0", "E", 0)]
        visits += [(f"{k}", doctor, 4 * (doctor == "E")) for k in range(1, 11) for doctor in "DE"]
        total = {of: sum(x for _, doctor, x in visits if doctor == of) for of in "DE"}
        visits.sort(key=lambda row: total[row[1]], reverse=True)
        lines = (f"{who},{doctor},{x}\n" for who, doctor, x in visits)
        read = rows("id,doctor,x\n" + "".join(lines))
        sums.append(np.clip(read.values["x"], 0, 4).sum())
    assert abs(sums[1] - sums[0]) > 4 * 5  # where one person was to move the sum by 4


def test_by_group_an_order_by_the_answered_value_shows_in_the_size_of_a_group(rows):
    sizes = []
    for stay in (1, 9):
        mine = sorted([("a", "p", stay), ("a", "q", 5)], key=lambda row: row[2])
        lines = [f"{who},{group},{x}\n" for who, group, x in [*mine, ("b", "p", 2), ("c", "q", 2)]]
        sizes.append(Counter(rows("id,ward,x\n" + "".join(lines), by=("ward",)).labels.tolist()))
    assert sizes[0] != sizes[1]


@pytest.mark.parametrize("blank", ["", "NA"])
def test_a_row_without_a_person_is_refused_where_it_would_be_used(rows, blank):
    """Each would be a person of its own, or all of them one; and a code is no missing name."""
    text = f"id,c,x\na,1,5\n{blank},1,3\n99,1,4\n"
    rule = "column id must hold a person in every row, got .* in row 2 below the names: fill it in"
    for how in ({}, {"drop_missing": True}):
        with pytest.raises(ValueError, match=rule):
            rows(text, **how)
    assert len(rows(text.replace(f"{blank},1,3", f"{blank},1,"), drop_missing=True).values) == 2
    assert len(rows(text, where="x > 3", missing=("99",)).values) == 2


# The command.

STAYS = ("--ask", "mean:stay", "--limits", "stay=0:60", "--odds", "3", "--person", "id")
FILE = "id,ward,stay\na,n,1\na,s,2\nb,n,\na,n,30\nb,n,4\nc,s,5\nc,s,60\n"
KEEP = ("--keep-rows", "--drop-missing")
ORDER = (
    "factor, n and answers are of these. The order of one person's rows must not depend on other "
    "people (a file sorted by a total over several people must not be used)"
)


@pytest.fixture
def stays(tmp_path):
    path = tmp_path / "stays.csv"
    path.write_text(FILE)
    return path


HIDDEN = ("--hide-n", "--group", "n", "--group", "s")
KNOWN = "That a person has rows, and how many, counts as known."


@pytest.mark.parametrize("rows", [1, 2])
@pytest.mark.parametrize("by", [(), ("--by", "ward")])
@pytest.mark.parametrize("hidden", [False, True])
def test_the_sheet_says_which_rows_are_used(stays, run, tmp_path, rows, by, hidden):
    hide = HIDDEN[: 5 if by else 1] if hidden else ()
    sheet = tmp_path / "s.html"
    words = (*STAYS, *KEEP, "--rows-per-person", rows, *by, *hide, "--report", sheet)
    code, out, _ = run("epsilon", stays, *words, "--format", "json")
    told = json.loads(out)
    assert code == 0
    used = "first 2 rows in the file that can be answered are" if rows == 2 else (
        "first row in the file that can be answered is")  # fmt: skip
    nor = ", nor on the values that are answered, since the size of each group is public"
    said = f"Of each person only the {used} used; {ORDER}{nor * bool(by and not hidden)}."
    assert f"{said} {KNOWN}"[: len(said) + 60 * (not hidden)] in told["sentences"][1]
    assert (KNOWN in told["sentences"][1]) == (not hidden)
    assert told["sentences"][0].endswith("(factor 3).")
    assert told["question"]["records"] == (None if hidden else {1: 3, 2: 5}[rows])
    page = re.sub("&#x27;", "'", sheet.read_text())
    assert said in page
    assert "<li>your rows stand under more than one entry of id;</li>" in page
    assert "in this file;" not in page
    assert ", of each id the first" + " 2" * (rows == 2) in page


def test_how_many_rows_fall_away_is_on_a_terminal_alone(stays, run, tmp_path):
    sheet, script = tmp_path / "s.html", tmp_path / "p.py"
    words = ("epsilon", stays, *STAYS, *KEEP)
    code, shown, _ = run(*words, screen=True)
    assert code == 0
    said = "3 rows fall away, since they are not among the first of their persons."
    assert said in " ".join(shown.split())
    pytest.importorskip("opendp")
    for form in ("json", "text"):
        files = ("--report", sheet, "--opendp", script)
        code, kept_out, log = run(*words, "--format", form, *files, log=True)
        assert code == 0
        assert "fall away" not in kept_out + log + sheet.read_text() + script.read_text()


def test_the_script_uses_the_same_rows(stays, tmp_path, run):
    pytest.importorskip("opendp")
    path = tmp_path / "p.py"
    words = ("epsilon", stays, "--ask", "sum:stay", *STAYS[2:], *KEEP, "--opendp", path)
    code, _, error = run(*words)
    assert code == 0, error
    data = runpy.run_path(str(path))["QUESTION"]
    assert publication_of(data).source.read().values["stay"].tolist() == [1, 4, 5]
    publish(str(path), data)
    result = json.loads(path.with_suffix(".json").read_text())
    assert "Of each person only the first row in the file" in " ".join(result["assumed"])


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((*STAYS[:-2], "--keep-rows"), "--keep-rows must come with --person, and with a file"),
        (("--ask", "mean:stay", "--all-but-one", "--odds", "3", "--person", "id", "--keep-rows"),
         "--keep-rows must come with --limits, got --all-but-one"),
    ],
)  # fmt: skip
def test_rows_are_kept_of_persons_where_everybody_is_in_the_file(stays, run, words, said):
    code, _, error = run("epsilon", stays, *words)
    assert (code, said in error) == (2, True)


def test_the_help_says_which_order_makes_the_answer_biased(run):
    _, out, _ = run("epsilon", "--help")
    assert "A file sorted by the answered value gives a biased answer." in " ".join(out.split())


# Whose row is it?


def people(names, called="patient", persons=150):
    """A file of many persons, most of whom have several rows."""
    rows = [f"{names(k % persons)},{k % 30},{'ns'[k % 2]}\n" for k in range(2 * persons - 20)]
    return f"{called},stay,ward\n{''.join(rows)}"


@pytest.mark.parametrize("log", [False, True])
@pytest.mark.parametrize(
    ("names", "called", "asked"),
    [
        ("P{:04}".format, "patient", True),
        ("{:04}".format, "patient", True),
        ("{:04}".format, "person_id", True),
        ("{:04}".format, "minutes", False),
        ("2024-01-{}".format, "day", False),
    ],
)
def test_a_column_that_may_say_whose_row_it_is_is_asked_about_once(
    tmp_path, run, names, called, asked, log
):
    path = tmp_path / "x.csv"
    path.write_text(people(names, called))
    question = ("--ask", "mean:stay", "--limits", "stay=0:60", "--odds", "3")
    code, _, error = run("epsilon", path, *question, log=log)
    said = f"Most entries of {called} stand in several rows: if one of these columns names persons"
    assert (code, error.count(said), error.count("\n")) == (0, asked, asked)
    assert ("add --person COLUMN" in error) == asked
    assert not re.search("150|280|P00|00[0-9]", error)
    code, _, error = run("epsilon", path, *question, "--person", called, "--keep-rows")
    assert (code, error) == (0, "")


def test_few_entries_and_such_as_stand_once_are_not_asked_about():
    rows = [line.split(",") for line in people("P{}".format, persons=99).split()[1:]]
    assert like_persons(["patient", "stay", "ward"], rows) == []
    assert like_persons(["patient"], [[f"P{k}"] for k in range(500)]) == []
    assert like_persons(["patient"], [[f"P{k}"] for k in range(100)] * 2) == ["patient"]
    shares = [[f"P{min(k, 300)}"] for k in range(900)]  # one entry stands 600 times
    assert like_persons(["patient"], shares) == []
