"""The script for OpenDP: what it draws, what it writes, and what one person can change of it."""

import datetime
import errno
import gzip
import hashlib
import importlib.util
import json
import math
import os
import re
import resource
import subprocess
import sys
from collections import Counter
from fractions import Fraction

import numpy as np
import opendp.prelude as opendp
import pytest

from dpchoose.__main__ import main
from dpchoose.your_data import read
from dpchoose.your_data.words import CUT_NOT_IN_IT

DAYS = [3, 5, 0, 7, 30, 2, 2, 11, 4, 1] * 6


def asked(path, values, *words):
    """The words of a question about a file of these values."""
    path.write_text("x\n" + "".join(f"{value}\n" for value in values))
    return ["epsilon", str(path), "--odds", "3", *words]


@pytest.fixture
def script(tmp_path):
    """The script that is written for a question, as a module; its own drawing is not run."""
    opendp.enable_features("contrib")

    def write(values, *words, name="publish"):
        path = tmp_path / f"{name}.py"
        command = asked(tmp_path / f"{name}.csv", values, *words, "--opendp", str(path))
        assert main(command) == 0
        spec = importlib.util.spec_from_file_location(f"script_{name}", path)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        module.DRAWN = [module.drawing(module.SOURCE.read(), one) for one in module.ANSWERS]
        return module

    return write


SUM = ("--ask", "sum:x", "--limits", "x=0:30")
WHOLE = ("--ask", "sum:x", "--limits", "x=0:30:1")


def test_a_sum_beyond_32_bits_is_drawn(script):
    incomes = [50_000 + 17 * (k % 999) for k in range(50_000)]
    module = script(incomes, "--ask", "sum:x", "--limits", "x=0:200000:1")
    (answer,), (draw,) = module.ANSWERS, module.DRAWN
    assert sum(incomes) > 2**31
    drawn = [draw() - sum(incomes) for _ in range(200)]
    assert max(map(abs, drawn)) < 40 * answer["scale"]
    assert min(drawn) < 0 < max(drawn)


def test_a_script_of_whole_numbers_of_too_many_bits_is_not_written(tmp_path, capsys):
    path = tmp_path / "o.py"
    words = ["--ask", "sum:x", "--limits", "x=0:1e19:1", "--opendp", str(path)]
    assert main(asked(tmp_path / "mine.csv", DAYS, *words)) == 2
    assert "sum:x may exceed whole numbers of 64 bits" in capsys.readouterr().err
    assert not path.exists()


@pytest.mark.parametrize("name", ["opendp", "json", "numpy", "hashlib", "dpchoose", "random"])
def test_a_script_that_is_named_like_a_module_publishes(tmp_path, name):
    path = tmp_path / f"{name}.py"
    assert main(asked(tmp_path / "mine.csv", DAYS, *SUM, "--opendp", str(path))) == 0
    for command in ([str(path)], [path.name]):
        subprocess.run([sys.executable, *command], check=True, cwd=tmp_path)
        path.with_suffix(".json").unlink()


def test_a_result_is_written_once_of_the_same_file_and_a_failure_leaves_nothing(
    script, tmp_path, monkeypatch
):
    module, table = script(DAYS, *SUM), tmp_path / "publish.csv"
    records = table.read_text()
    table.write_text("x\n1\n2\n")
    with pytest.raises(SystemExit, match="has changed since the scales were computed"):
        module.publish()
    table.write_text(records)
    with monkeypatch.context() as patch:
        patch.setattr(module, "rounded", lambda *_: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            module.publish()
    assert not module.RESULT.exists()
    module.publish()
    before = module.RESULT.read_bytes()
    with pytest.raises(SystemExit, match=r"refused: .* running again would publish again"):
        module.publish()
    assert module.RESULT.read_bytes() == before


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
    done = subprocess.run([sys.executable, str(path)], capture_output=True, text=True)
    assert done.returncode == 1
    assert done.stderr == f"refused: {table.resolve()} has changed since the scales were computed\n"
    for content in ("x\n30\n0\n0\n", "x\nno number\n", "y\n1\n", ""):
        table.write_text(content)
        done = subprocess.run([sys.executable, str(path)], capture_output=True, text=True)
        assert (done.returncode, done.stderr.count("\n")) == (1, 1)
        assert "has changed since" in done.stderr
    assert not path.with_suffix(".json").exists()


def run_script(path, **how):
    return subprocess.run([sys.executable, str(path)], capture_output=True, text=True, **how)


def full():
    """From here on no file grows beyond a few bytes, as on a disk that is full."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (20, 20))


def test_the_guard_is_the_real_path_of_the_script_and_of_its_result(tmp_path):
    path, link = tmp_path / "p.py", tmp_path / "links" / "q.py"
    assert main(asked(tmp_path / "mine.csv", DAYS, *SUM, "--opendp", str(path))) == 0
    link.parent.mkdir()
    link.symlink_to(path)
    result, there = path.with_suffix(".json"), "is there, and running again would publish again\n"
    result.symlink_to(tmp_path / "nowhere")
    done = run_script(path)
    assert (done.returncode, done.stderr) == (1, f"refused: {result} {there}")
    result.unlink()
    assert run_script(link).returncode == 0
    assert not link.with_suffix(".json").exists()
    for script in (path, link):
        done = run_script(script)
        assert (done.returncode, done.stderr) == (1, f"refused: {result} {there}")
    assert "a copy of this script" in path.read_text()


def test_a_full_disk_leaves_no_result_and_the_way_on_is_said(tmp_path, capsys, monkeypatch):
    path, sheet = tmp_path / "p.py", tmp_path / "s.html"
    assert main(asked(tmp_path / "mine.csv", DAYS, *SUM, "--opendp", str(path))) == 0
    done = run_script(path, preexec_fn=full, env=os.environ | {"JOBLIB_MULTIPROCESSING": "0"})
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (1, "", 1)
    assert "cannot be written (File too large), so nothing is published; make room" in done.stderr
    assert not path.with_suffix(".json").exists()
    assert run_script(path).returncode == 0
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
    path.write_bytes(packed(b"x,y\n" + b"1,2\n" * 200_000 + after))
    rows = read.Source(str(path), ("x",)).read()
    assert rows.digest == hashlib.sha256(path.read_bytes()).hexdigest()


def test_the_result_says_what_was_published_of_which_rows(tmp_path, script):
    table = tmp_path / "rows.csv"
    table.write_text("x,age\n1,30\n,40\n30,50\n4,9\n5,61\n")
    words = ["epsilon", str(table), *SUM[:2], "--ask", "median:x", "--limits", "x=0:30"]
    words += ["--where", "age >= 18", "--drop-missing", "--odds", "3"]
    assert main([*words, "--opendp", str(tmp_path / "p.py")]) == 0
    run, days = [sys.executable, str(tmp_path / "p.py")], [datetime.date.today().isoformat()]
    done = subprocess.run(run, capture_output=True, text=True, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
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
        one, other = (script(values, *words, name=f"of_{int(values[0])}")
                      for values in (DAYS, near))  # fmt: skip
        assert one.ANSWERS == other.ANSWERS
        results = [module.results(module.SOURCE.read()) for module in (one, other) for _ in "ab"]
        assert len({result["answers"]["sum:x"]["error"] for result in results}) == 1
        drawn = [draw() for module in (one, other) for draw in module.DRAWN for _ in range(20)]
        assert all(value == int(value) for value in drawn) == whole
        rows = [module.chosen_values(module.SOURCE.read(), module.ANSWERS[0])[0]
                for module in (one, other)]  # fmt: skip
        assert rows == ([3, 2] if whole else [3, 2.37])


def test_whole_noise_is_drawn_for_whole_steps_alone(script, monkeypatch):
    """An answer or a move between two of them is refused, and never cut to one."""
    module = script(DAYS, "--ask", "mean:x", "--limits", "x=0:3:1", "--hide-n")
    total, count = module.ANSWERS
    assert (total["steps"], count["steps"]) == (2, 1)
    rows, rule = module.SOURCE.read(), r"refused: centred sum:x must move in steps of 1/2"
    for move in (12 / 7, 1.25):
        with pytest.raises(SystemExit, match=rule):
            module.laplace(total | {"sensitivity": move, "loss": move / total["scale"]})
    assert module.drawing(rows, total)() % 0.5 == 0
    monkeypatch.setattr(module, "exact_answer", lambda *_: (Fraction(13, 4), Fraction(0)))
    with pytest.raises(SystemExit, match=rule):
        module.drawing(rows, total)


def test_of_a_known_file_the_value_stands_alone(tmp_path):
    path = tmp_path / "known.csv"
    path.write_text("x,in\n1,1\n2,1\n3,1\n10,0\n")
    words = ["epsilon", str(path), "--ask", "mean:x", "--released", "in", "--odds", "3"]
    assert main([*words, "--opendp", str(tmp_path / "p.py")]) == 0
    subprocess.run([sys.executable, str(tmp_path / "p.py")], check=True, cwd=tmp_path)
    assert json.loads((tmp_path / "p.json").read_text()).keys() == {"mean:x"}


def test_the_published_error_of_whole_noise_is_its_own_quantile(script):
    module = script(DAYS, *WHOLE)
    error = module.results(module.SOURCE.read())["answers"]["sum:x"]["error"]
    q = math.exp(-1 / module.ANSWERS[0]["scale"])
    assert 2 * q ** (error + 1) / (1 + q) <= 0.05 < 2 * q**error / (1 + q)


def test_the_published_error_counts_rounding_in_and_the_signed_one_is_said_not_to(script):
    """Half a unit of the last digit that is published."""
    module = script(DAYS, "--ask", "mean:x", *SUM[2:])
    result, (answer,) = module.results(module.SOURCE.read()), module.ANSWERS
    signed = float(re.search("noise within (.*) in 95 of 100", result["published"])[1])
    (shown,) = result["answers"].values()
    assert (answer["scale"] * math.log(20), signed) == pytest.approx((1.36366, 1.4), abs=1e-4)
    assert (shown["error"], round(shown["value"], 1)) == (1.5, shown["value"])
    assert any(CUT_NOT_IN_IT in text for text in result["assumed"])
    assert "The error printed beside the answer adds rounding" in CUT_NOT_IN_IT


def test_a_sum_in_floats_is_exact_before_the_noise(script):
    """A value less its lower limit, added as a fraction: 0.1 thirty times is 3."""
    module = script([1000.1] * 10, "--ask", "mean:x", "--limits", "x=1000.1:1000.2")
    values = module.chosen_values(module.SOURCE.read(), module.ANSWERS[0])
    exact, base = module.exact_answer(values, module.ANSWERS[0])
    assert (exact, float(base)) == (0, 1000.1)


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
        (draw,) = script([value, *DAYS[1:]], *WHOLE).DRAWN
        draws.append(frequencies(draw, lambda drawn: drawn // 10 * 10))
    assert_within(*draws, 3)
    high = [sum(count for value, count in some.items() if value >= 420) for some in draws]
    assert high[0] / high[1] > 2.5


def test_a_person_draws_the_same_medians_up_to_the_factor(script):
    """Every candidate is drawn of both files."""
    draws = []
    for value in (30, 0):
        words = ("--ask", "median:x", "--limits", "x=0:30:10")
        (draw,) = script([value, 0, 0, 30, 30], *words).DRAWN
        draws.append(Counter(draw() for _ in range(DRAWS)))
    assert_within(*draws, 3)
    assert draws[0].keys() == draws[1].keys() == {0.0, 10.0, 20.0, 30.0}
    assert abs(np.log(draws[0][30.0] / draws[1][30.0])) > 0.2  # 0.38 by the law


def test_continuous_noise_of_two_files_has_the_same_digits(script):
    """No output shows by its last bits of which file it was drawn."""
    drawn = []
    for value in (2.37, 3):
        (draw,) = script([value, *DAYS[1:]], *SUM).DRAWN
        drawn.append(Counter(str(draw())[-1] for _ in range(2000)))
    assert_within(*drawn, 3)
