"""The script for OpenDP: what it draws, what it writes, and what one person can change of it."""

import datetime
import errno
import gzip
import hashlib
import json
import math
import os
import re
import resource
import runpy
import subprocess
import sys
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from opendp.mod import enable_features

import dpchoose as dp
from dpchoose.__main__ import main
from dpchoose.queries import evaluate
from dpchoose.your_data import read
from dpchoose.your_data.command.publish import Publication, laplace, publication_of, publish, write
from dpchoose.your_data.noise import MOST_FINE, fine_sum
from dpchoose.your_data.words import CUT_NOT_IN_IT

DAYS = [3, 5, 0, 7, 30, 2, 2, 11, 4, 1] * 6


def asked(path, values, *words):
    """The words of a question about a file of these values."""
    path.write_text("x\n" + "".join(f"{value}\n" for value in values))
    return ["epsilon", str(path), "--odds", "3", *words]


def ending(path):
    """How a script that runs in this process ends: with a refusal, or "" when it has published."""
    try:
        runpy.run_path(str(path), run_name="__main__")
    except SystemExit as end:
        return end.code
    return ""


class Script:
    """A script that was written, the question in it, and what it draws; it is not run."""

    def __init__(self, path):
        self.path, self.result = path, path.with_suffix(".json")
        self.data = runpy.run_path(str(path))["QUESTION"]
        self.question = publication_of(self.data)
        self.rows = self.question.source.read()
        self.draws = [self.question.drawing(self.rows, one) for one in self.question.answers]

    def results(self):
        return self.question.results(self.rows)

    def publish(self):
        publish(str(self.path), self.data)


@pytest.fixture
def script(tmp_path):
    """The script that is written for a question."""
    enable_features("contrib")

    def write(values, *words, name="publish"):
        path = tmp_path / f"{name}.py"
        command = asked(tmp_path / f"{name}.csv", values, *words, "--opendp", str(path))
        assert main(command) == 0
        return Script(path)

    return write


SUM = ("--ask", "sum:x", "--limits", "x=0:30")
WHOLE = ("--ask", "sum:x", "--limits", "x=0:30:1")


def test_a_sum_beyond_32_bits_is_drawn(script):
    incomes = [50_000 + 17 * (k % 999) for k in range(50_000)]
    made = script(incomes, "--ask", "sum:x", "--limits", "x=0:200000:1")
    (answer,), (draw,) = made.question.answers, made.draws
    assert sum(incomes) > 2**31
    drawn = [draw() - sum(incomes) for _ in range(200)]
    assert max(map(abs, drawn)) < 40 * answer.scale
    assert min(drawn) < 0 < max(drawn)


def test_a_script_of_whole_numbers_of_too_many_bits_is_not_written(tmp_path, capsys):
    path = tmp_path / "o.py"
    words = ["--ask", "sum:x", "--limits", "x=0:1e19:1", "--opendp", str(path)]
    assert main(asked(tmp_path / "mine.csv", DAYS, *words)) == 2
    assert "sum:x may exceed whole numbers of 64 bits" in capsys.readouterr().err
    assert not path.exists()


@pytest.mark.parametrize(("name", "folder"), [("opendp", "."), ("json", "..")])
def test_a_script_that_is_named_like_a_module_publishes(tmp_path, name, folder):
    """Run from its own folder, or from another one."""
    path = tmp_path / f"{name}.py"
    assert main(asked(tmp_path / "mine.csv", DAYS, *SUM, "--opendp", str(path))) == 0
    here = tmp_path / folder
    subprocess.run([sys.executable, os.path.relpath(path, here)], check=True, cwd=here)
    assert path.with_suffix(".json").exists()


def test_a_result_is_written_once_of_the_same_file_and_a_failure_leaves_nothing(
    script, tmp_path, monkeypatch
):
    made, table = script(DAYS, *SUM), tmp_path / "publish.csv"
    records = table.read_text()
    table.write_text("x\n1\n2\n")
    with pytest.raises(SystemExit, match="has changed since the scales were computed"):
        made.publish()
    table.write_text(records)
    with monkeypatch.context() as patch:
        patch.setattr("dpchoose.your_data.command.publish.rounded", lambda *_: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            made.publish()
    assert not made.result.exists()
    made.publish()
    before = made.result.read_bytes()
    with pytest.raises(SystemExit, match=r"refused: .* running again would publish again"):
        made.publish()
    assert made.result.read_bytes() == before


def test_a_result_is_never_written_over_a_file(tmp_path):
    """Nor over one that came after the script had looked for it."""
    (tmp_path / "p.json").write_text("mine")
    (tmp_path / "link.json").symlink_to(tmp_path / "nowhere")
    for name in ("p.json", "link.json"):
        with pytest.raises(FileExistsError):
            write(tmp_path / name, "other")
    assert (tmp_path / "p.json").read_text() == "mine"
    assert not (tmp_path / "nowhere").exists()


def test_opendp_must_find_the_loss_that_was_promised(script):
    (answer,) = script(DAYS, *SUM).question.answers
    with pytest.raises(SystemExit, match="refused: OpenDP finds a loss of"):
        laplace(answer._replace(loss=answer.loss * 1.001))


def test_the_file_that_is_hashed_is_the_one_that_was_read(tmp_path, monkeypatch):
    """It is replaced when dpchoose has read it; the script takes no other in its place."""
    table, path = tmp_path / "mine.csv", tmp_path / "p.py"
    digest = hashlib.sha256("".join(f"{line}\n" for line in ["x", *DAYS]).encode()).hexdigest()
    original = read.Source.read

    def read_and_replace(source):
        rows = original(source)
        table.with_name("other.csv").write_text("x\n30\n0\n0\n")
        os.replace(table.with_name("other.csv"), table)
        return rows

    monkeypatch.setattr(read.Source, "read", read_and_replace)
    assert main(asked(table, DAYS, *SUM, "--opendp", str(path))) == 0
    assert digest in path.read_text()
    changed = f"refused: {table.resolve()} has changed since the scales were computed"
    assert ending(path) == changed
    monkeypatch.undo()
    for content in ("x\n30\n0\n0\n", "x\nno number\n", "y\n1\n", ""):
        table.write_text(content)
        assert ending(path) == changed
    assert not path.with_suffix(".json").exists()


NO_FILE = {"JOBLIB_MULTIPROCESSING": "0", "PYTHONDONTWRITEBYTECODE": "1"}


def full():
    """From here on no file grows beyond a few bytes, as on a disk that is full."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (20, 20))


def test_the_guard_is_the_real_path_of_the_script_and_of_its_result(tmp_path):
    path, link = tmp_path / "p.py", tmp_path / "links" / "q.py"
    assert main(asked(tmp_path / "mine.csv", DAYS, *SUM, "--opendp", str(path))) == 0
    link.parent.mkdir()
    link.symlink_to(path)
    result, there = path.with_suffix(".json"), "is there, and running again would publish again"
    result.symlink_to(tmp_path / "nowhere")
    assert ending(path) == f"refused: {result} {there}"
    result.unlink()
    assert ending(link) == ""
    assert not link.with_suffix(".json").exists()
    for script in (path, link):
        assert ending(script) == f"refused: {result} {there}"
    assert "a copy of this script" in path.read_text()


def test_a_full_disk_leaves_no_result_and_the_way_on_is_said(tmp_path, capsys, monkeypatch):
    path, sheet = tmp_path / "p.py", tmp_path / "s.html"
    assert main(asked(tmp_path / "mine.csv", DAYS, *SUM, "--opendp", str(path))) == 0
    how = {"preexec_fn": full, "env": os.environ | NO_FILE}
    done = subprocess.run([sys.executable, path], capture_output=True, text=True, **how)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (1, "", 1)
    assert "cannot be written (File too large), so nothing is published; make room" in done.stderr
    assert not path.with_suffix(".json").exists()
    assert ending(path) == ""
    capsys.readouterr()

    def no_room(*_):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr("pathlib.Path.write_bytes", no_room)
    assert main(asked(tmp_path / "mine.csv", DAYS, *SUM, "--report", str(sheet))) == 2
    assert "s.html must be written whole, and nothing of it is (No space left on device): make" in (
        capsys.readouterr().err
    )
    assert sorted(x.name for x in tmp_path.iterdir()) == ["mine.csv", "p.json", "p.py"]


@pytest.mark.parametrize("after", [b"", b"\n\n"])
@pytest.mark.parametrize("packed", [bytes, gzip.compress])
def test_the_digest_is_of_all_bytes_of_the_file(tmp_path, packed, after):
    path = tmp_path / "x.csv"
    path.write_bytes(packed(b"x,y\n" + b"1,2\n" * 40_000 + after))
    rows = read.Source(str(path), ("x",)).read()
    assert rows.digest == hashlib.sha256(path.read_bytes()).hexdigest()


def test_the_result_says_what_was_published_of_which_rows(tmp_path, script):
    table = tmp_path / "rows.csv"
    table.write_text("x,age\n1,30\n,40\n30,50\n4,9\n5,61\n")
    words = ["epsilon", str(table), *SUM[:2], "--ask", "median:x", "--limits", "x=0:30"]
    words += ["--where", "age >= 18", "--drop-missing", "--odds", "3"]
    assert main([*words, "--opendp", str(tmp_path / "p.py")]) == 0
    days = [datetime.date.today().isoformat()]
    assert ending(tmp_path / "p.py") == ""
    days.append(datetime.date.today().isoformat())
    result = json.loads((tmp_path / "p.json").read_text())
    assert result["published"].startswith("The sum of x and the median of x, each counted as 0 to")
    assert "of all 3 records where age >= 18" in result["published"]
    assert "(factor 3, where each person has one row)" in result["published"]
    assert "rows that miss x" in result["left out"]
    said = " ".join([result["published"], *result["assumed"]])
    assert "with the error given for each answer, in 95 of 100 draws" in said
    assert not re.search("table|all within", said)  # neither of which stands in it
    assert (result["file"], result["where"]) == ("rows.csv", "age >= 18")
    assert (result["limits"], result["factor"]) == ({"x": [0, 30]}, 3)
    assert result["date"] in days  # of midnight both
    assert result["answers"]["sum:x"].keys() == {"value", "error", "scale"}
    assert result["answers"]["median:x"].keys() == {"value", "places", "scale"}


def test_two_answers_never_have_one_label(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    path = tmp_path / "labels.csv"
    path.write_text('x,"x, b",g\n1,2,c\n3,4,"b, c"\n')
    words = ["epsilon", str(path), "--ask", "sum:x", "--ask", "sum:x, b", "--by", "g"]
    words += ["--limits", "x=0:9", "--limits", "x, b=0:9", "--odds", "3"]
    assert main(words) == 2
    error = capsys.readouterr().err
    assert "each answer must have a label of its own, got 'sum:x, b, c': rename" in error


def test_whether_values_are_whole_is_public_or_unused(script):
    """One value is 2.37 in the place of 3: the same error, and outputs on the same grid."""
    near = [2.37, *DAYS[1:]]
    for words, whole in ((SUM, False), (WHOLE, True)):
        both = [script(values, *words, name=f"of_{int(values[0])}") for values in (DAYS, near)]
        assert both[0].question.answers == both[1].question.answers
        results = [one.results() for one in both for _ in "ab"]
        assert len({result["answers"]["sum:x"]["error"] for result in results}) == 1
        drawn = [draw() for one in both for draw in one.draws for _ in range(20)]
        assert all(value == int(value) for value in drawn) == whole
        rows = [one.question.values(one.rows, one.question.answers[0])[0] for one in both]
        assert rows == ([3, 2] if whole else [3, 2.37])


def test_whole_noise_is_drawn_for_whole_steps_alone(script, monkeypatch):
    """An answer or a move between two of them is refused, and never cut to one."""
    made = script(DAYS, "--ask", "mean:x", "--limits", "x=0:3:1", "--hide-n")
    total, count = made.question.answers
    assert (total.row.units, count.row.units) == (2, 1)
    centred = sum(min(day, 3) - Fraction(3, 2) for day in DAYS)
    assert made.question.exact(made.rows, total) == (centred, 0)
    rule = r"refused: centred sum:x must move in steps of 1/2"
    for move in (12 / 7, 1.25):
        with pytest.raises(SystemExit, match=rule):
            laplace(total._replace(sensitivity=move, loss=move / total.scale))
    assert made.draws[0]() % 0.5 == 0
    monkeypatch.setattr(Publication, "exact", lambda *_: (Fraction(13, 4), Fraction(0)))
    with pytest.raises(SystemExit, match=rule):
        made.question.drawing(made.rows, total)


def test_of_a_known_file_the_value_stands_alone(tmp_path):
    path = tmp_path / "known.csv"
    path.write_text("x,in\n1,1\n2,1\n3,1\n10,0\n")
    words = ["epsilon", str(path), "--ask", "mean:x", "--released", "in", "--odds", "3"]
    assert main([*words, "--opendp", str(tmp_path / "p.py")]) == 0
    assert ending(tmp_path / "p.py") == ""
    assert json.loads((tmp_path / "p.json").read_text()).keys() == {"mean:x"}


def test_the_published_error_of_whole_noise_is_its_own_quantile(script):
    made = script(DAYS, *WHOLE)
    error = made.results()["answers"]["sum:x"]["error"]
    q = math.exp(-1 / made.question.answers[0].scale)
    assert 2 * q ** (error + 1) / (1 + q) <= 0.05 < 2 * q**error / (1 + q)


def test_the_published_error_counts_rounding_in_and_the_signed_one_is_said_not_to(script):
    """Half a unit of the last digit that is published."""
    made = script(DAYS, "--ask", "mean:x", *SUM[2:])
    result, (answer,) = made.results(), made.question.answers
    signed = float(re.search("noise within (.*) in 95 of 100", result["published"])[1])
    (shown,) = result["answers"].values()
    assert (answer.scale * math.log(20), signed) == pytest.approx((1.36366, 1.4), abs=1e-4)
    assert (shown["error"], round(shown["value"], 1)) == (1.5, shown["value"])
    assert any(CUT_NOT_IN_IT in text for text in result["assumed"])
    assert "The error printed beside the answer adds rounding" in CUT_NOT_IN_IT


def test_a_sum_in_floats_is_exact_before_the_noise(script):
    """A value less its lower limit, added as a fraction: 0.1 thirty times is 3."""
    made = script([1000.1] * 10, "--ask", "mean:x", "--limits", "x=1000.1:1000.2")
    exact, base = made.question.exact(made.rows, made.question.answers[0])
    assert (exact, float(base)) == (0, 1000.1)


# What is drawn around is an exact float: no record moves it by more than itself.


HIDDEN_SUMS = [
    ("--ask", "sum:x", "--limits", "x=0.1:0.7"),
    ("--ask", "mean:x", "--limits", "x=-0.3:0.4"),
    ("--ask", "sum:x", "--limits", "x=-0.3:0.7:0.1"),
    ("--ask", "sum:x", "--limits", "x=1000.1:1000.7"),
]


@pytest.mark.parametrize("words", HIDDEN_SUMS)
def test_with_n_hidden_nobody_moves_a_sum_by_more_than_the_sensitivity(script, words):
    """Each float is the exact number: added in any order, and without any one person."""
    low, high = map(float, words[-1].partition("=")[2].split(":")[:2])
    rng = np.random.default_rng(5)
    cells = [*rng.uniform(low, high, 3000), low - 1, high + 1]
    made = script(cells, *words, "--hide-n")
    answer, middle = made.question.answers[0], (low + high) / 2 if "mean:x" in words else 0
    values = made.question.values(made.rows, answer)
    exact, base = made.question.exact(made.rows, answer)
    assert base == 0
    assert Fraction(float(exact)) == exact
    assert float(exact) == pytest.approx(math.fsum(values - middle), abs=3002 * high * 2.0**-28)
    ones = [fine_sum(values[k : k + 1], (low, high), Fraction(middle)) for k in range(3002)]
    assert sum(ones) == exact
    assert max(map(abs, ones)) <= answer.sensitivity
    assert max(ones) - min(ones) <= Fraction(high) - Fraction(low)
    assert float(max(ones) - min(ones)) == pytest.approx(high - low, rel=1e-4)


def test_the_most_and_the_largest_fine_values_add_up_to_a_float():
    """2^25 of them, each 2^28 times the unit; one more unit is seen."""
    most, limits = MOST_FINE, (-1.0, 1.0)
    one = fine_sum(np.array([1.0]), limits)
    unit = Fraction(1, 2**27)
    assert one == 1
    total = (most - 1) * one + fine_sum(np.array([1 - 2.0**-27]), limits)
    assert most * one - total == unit
    assert Fraction(float(total)) == total


def test_too_many_or_too_narrow_sums_with_n_hidden_have_no_script(tmp_path, capsys, monkeypatch):
    path = tmp_path / "o.py"
    words = ["--hide-n", "--ask", "sum:x", "--opendp", str(path), "--limits"]
    assert main(asked(tmp_path / "mine.csv", DAYS, *words, "x=1e6:1000000.5")) == 2
    assert "--opendp: limits of sum:x must not be so narrow" in capsys.readouterr().err
    monkeypatch.setattr("dpchoose.your_data.command.opendp.MOST_FINE", len(DAYS) - 1)
    assert main(asked(tmp_path / "mine.csv", DAYS, *words, "x=0:30")) == 2
    assert "sum:x may be of 59 records where n is hidden, got 60" in capsys.readouterr().err
    assert not path.exists()
    assert main(asked(tmp_path / "mine.csv", DAYS, *words, "x=0:30:1")) == 0


FAR = [1e12 + 0.1, 1e12 + 0.2, 1e12 + 0.4, 1e12 + 0.7, 1e12 + 1.9]


@pytest.mark.parametrize("query", ["sum", "mean", "var", "std", "median", "percentile_30"])
def test_of_a_known_file_the_worlds_lie_as_far_apart_as_was_signed(tmp_path, query):
    """Far from 0 the floats of two answers differ by other than the answers do."""
    path, drawn_around, bases = tmp_path / "known.csv", [], set()
    for out in range(5):
        lines = [f"{value!r},{int(place != out)}" for place, value in enumerate(FAR)]
        path.write_text("\n".join(["x,in", *lines]))
        words = ["epsilon", str(path), "--ask", f"{query}:x", "--released", "in", "--odds", "3"]
        assert main([*words, "--opendp", str(tmp_path / "p.py")]) == 0
        made = Script(tmp_path / "p.py")
        exact, base = made.question.exact(made.rows, made.question.answers[0])
        drawn_around.append(float(exact))
        bases.add(float(base))
    assert len(bases) == 1  # public
    worlds = dp.KnownFile(query, FAR, 4).worlds.coordinates[:, 0]
    spread = max(drawn_around) - min(drawn_around)
    assert spread == pytest.approx(np.ptp(worlds), rel=1e-14)
    rate = 1 / made.question.answers[0].scale
    assert rate * spread <= math.log(3)
    answer = evaluate(query, np.array(FAR[:4]))
    assert drawn_around[4] + base == pytest.approx(float(answer), rel=1e-3)


# A black box: what is drawn of two files that differ in one person.

DRAWS = 10_000


def frequencies(draw, binned):
    """How often each output is drawn, binned where it is a number of any size."""
    return Counter(binned(draw()) for _ in range(DRAWS))


def assert_within(one, other, factor):
    """No output is more frequent by more than a factor, beyond what chance gives."""
    for value in one | other:
        for a, b in ((one[value], other[value]), (other[value], one[value])):
            room = 6 * math.sqrt(a + factor * factor * b + 1)  # six standard deviations
            assert a <= factor * b + room + 6


def test_the_largest_and_the_smallest_person_draw_the_same_sums_up_to_the_factor(script):
    """Whole noise; of the more extreme half the ratio is nearly the factor."""
    draws = []
    for value in (30, 0):
        (draw,) = script([value, *DAYS[1:]], *WHOLE).draws
        draws.append(frequencies(draw, lambda drawn: drawn // 10 * 10))
    assert_within(*draws, 3)
    high = [sum(count for value, count in some.items() if value >= 420) for some in draws]
    assert high[0] / high[1] > 2.5


def test_a_person_draws_the_same_medians_up_to_the_factor(script):
    """Every candidate is drawn of both files."""
    draws = []
    for value in (30, 0):
        words = ("--ask", "median:x", "--limits", "x=0:30:10")
        (draw,) = script([value, 0, 0, 30, 30], *words).draws
        draws.append(Counter(draw() for _ in range(DRAWS)))
    assert_within(*draws, 3)
    assert draws[0].keys() == draws[1].keys() == {0.0, 10.0, 20.0, 30.0}
    assert abs(np.log(draws[0][30.0] / draws[1][30.0])) > 0.2  # 0.38 by the law


def test_continuous_noise_of_two_files_has_the_same_digits(script):
    """No output shows by its last bits of which file it was drawn."""
    drawn = []
    for value in (2.37, 3):
        (draw,) = script([value, *DAYS[1:]], *SUM).draws
        drawn.append(Counter(str(draw())[-1] for _ in range(2000)))
    assert_within(*drawn, 3)
