"""Draw what a script publishes, with OpenDP's noise, and write it once.

The script that ``--opendp`` writes holds its question as data, and calls :func:`publish`.
"""

import json
import os
import sys
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from decimal import ROUND_CEILING, Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

import numpy as np
from opendp import domains, measurements, measures, metrics
from opendp.mod import enable_features

import dpchoose
from dpchoose.numbers import rounded_up_to
from dpchoose.sensitivity.limits import largest_variance
from dpchoose.worlds.answers import beside_all
from dpchoose.your_data.noise import Law, fine_sum, grid_of, misses
from dpchoose.your_data.read import Rows, Source
from dpchoose.your_data.row import Row, variance_of
from dpchoose.your_data.shares import Condition


class NoisyAnswer(NamedTuple):
    """An answer that gets noise, and what was promised of it.

    Attributes:
        row: what is asked, without values.
        group: whose answer it is; None of everybody.
        sensitivity, scale, loss: of its noise, and the privacy loss that OpenDP must find in it.
    """

    row: Row
    group: str | None
    sensitivity: float
    scale: float
    loss: float

    @property
    def label(self) -> str:
        """What it is called in the result."""
        return self.row.label if self.group is None else f"{self.row.label}, {self.group}"


class MeanOfTwo(NamedTuple):
    """A mean that is computed of a centred sum and a count, by their labels."""

    label: str
    limits: tuple[float, float]
    of_sum: str
    of_count: str


@dataclass(frozen=True)
class Publication:
    """The question of a script.

    Attributes:
        source: the file, and what is read of it.
        digest: of the bytes for which the scales were computed.
        answers: that get noise.
        means: that are computed of two of them.
        n_is_public: whether it is; of a known file it is not asked.
        says: what a result says of itself; None where the noise was computed from the file.
    """

    source: Source
    digest: str
    answers: tuple[NoisyAnswer, ...]
    means: tuple[MeanOfTwo, ...]
    n_is_public: bool
    says: dict[str, Any] | None

    def values(self, rows: Rows, asked: NoisyAnswer) -> np.ndarray:
        """The values that an answer is asked of, cut to their limits and rounded to their step."""
        chosen = np.ones(len(rows.values), bool) if rows.released is None else rows.released
        if asked.group is not None:
            chosen = chosen & (rows.labels == asked.group)
        if not asked.row.column:
            return np.ones(chosen.sum())
        values = rows.values[asked.row.column].to_numpy()[chosen]
        if asked.row.limits is not None:
            values = np.clip(values, *asked.row.limits)
        return values if asked.row.grid is None else asked.row.grid.nearest(values)

    def exact(self, rows: Rows, asked: NoisyAnswer) -> tuple[Fraction, Fraction]:
        """An answer less a public number, and that number, which is added to what is drawn."""
        row, nothing = asked.row, Fraction(0)
        if row.limits is None and row.query != "count":  # the file is known
            assert rows.released is not None
            return beside_all(row.query, rows.values[row.column].to_numpy(), rows.released)
        values = self.values(rows, asked)
        size = len(values)
        if row.limits is None:
            return Fraction(size), nothing
        if row.query == "var":
            return variance_of(row, values), nothing
        low, high = map(Fraction, row.limits)
        middle = Fraction(float(low + high) / 2) if row.query == "centred sum" else nothing
        if row.query == "sum" and row.units and self.n_is_public:
            return exact_sum(row, values), nothing
        if row.query in ("sum", "centred sum") and not self.n_is_public:
            if row.units:
                return exact_sum(row, values) - size * middle, nothing
            return fine_sum(values, row.limits, middle), nothing
        above = exact_sum(row, values) - size * low
        return (above, size * low) if row.query == "sum" else (above / size, low)

    def drawing(self, rows: Rows, asked: NoisyAnswer) -> Callable[[], float]:
        """A function that draws an answer once, exactly as it is published."""
        row = asked.row
        if row.rank is not None and row.grid is not None:
            grid, counts = row.grid, row.grid.counts(self.values(rows, asked))
            scores, drawn = (-misses(counts, row.rank)).tolist(), noisy_maximum(asked, row.rank)
            return lambda: float(grid.low + grid.unit * drawn(scores))
        exact, base = self.exact(rows, asked)
        draw, units = laplace(asked), row.units
        if units:
            whole = whole_units(exact, asked)
            return lambda: draw(whole) / units
        return lambda: draw(float(exact)) + float(base)

    def law(self, asked: NoisyAnswer, size: int) -> Law:
        """The law of the noise of an answer of so many values."""
        return asked.row.law(asked.scale, size if self.n_is_public else None)

    def results(self, rows: Rows) -> dict[str, Any]:
        """All answers, each drawn once."""
        drawn = {asked.label: self.drawing(rows, asked)() for asked in self.answers}
        if self.says is None:
            return drawn
        shown, wide = {}, {}
        for asked in self.answers:
            label, row = asked.label, asked.row
            law = self.law(asked, len(self.values(rows, asked)))
            error = law.error(0.95)
            if row.rank is not None:
                shown[label] = {"value": drawn[label], "places": rounded_up_to(error, 2)}
            else:
                shown[label] = rounded(drawn[label], error, bool(row.units))
            if row.query == "var" and row.limits is not None:
                shown[label]["value"] = cut_variance(shown[label]["value"], row.limits)
            shown[label]["scale"] = asked.scale
            wide[label] = law.error(0.975)
        for mean in self.means:
            low, high = mean.limits
            count, value, error = drawn[mean.of_count], (low + high) / 2, high - low
            if count > 0:
                above = wide[mean.of_sum] + (high - low) / 2 * wide[mean.of_count]
                value = min(max(value + drawn[mean.of_sum] / count, low), high)
                error = min(above / count, error)
            shown[mean.label] = rounded(value, error)
        return self.says | {"date": date.today().isoformat(), "answers": shown}


def publication_of(data: dict[str, Any]) -> Publication:
    """The question, of the data that stand in a script."""
    return Publication(
        source=Source(**data["source"]),
        digest=data["digest"],
        answers=tuple(_asked(**one) for one in data["answers"]),
        means=tuple(MeanOfTwo(*one) for one in data["means"]),
        n_is_public=data["n is public"],
        says=data["says"],
    )


def _asked(
    *, group: str | None, sensitivity: float, scale: float, loss: float, **of: Any
) -> NoisyAnswer:
    """An answer, of its data: a condition of four texts, numbers as they are written."""
    column = Condition(*of["column"]) if isinstance(of["column"], tuple) else of["column"]
    limits = of["limits"]
    step, rank = (None if of[name] is None else Fraction(of[name]) for name in ("step", "rank"))
    grid = None if step is None else grid_of(limits, step)
    row = Row(of["label"], of["query"], column, limits=limits, step=step, rank=rank, grid=grid)
    return NoisyAnswer(row, group, sensitivity, scale, loss)


def exact_sum(row: Row, values: np.ndarray) -> Fraction:
    """The sum as a fraction: of whole steps, or of floats."""
    if row.grid is not None:
        return len(values) * row.grid.low + int(row.grid.places(values).sum()) * row.grid.unit
    distinct, counts = np.unique(values, return_counts=True)
    pairs = zip(distinct.tolist(), counts.tolist())
    return sum((Fraction(value) * count for value, count in pairs), Fraction(0))


def laplace(asked: NoisyAnswer) -> Any:
    """OpenDP's Laplace noise, if OpenDP finds in it the privacy loss that was promised."""
    units, move = asked.row.units, asked.sensitivity
    kind = {"T": "i64"} if units else {"T": "f64", "nan": False}
    space = domains.atom_domain(**kind), metrics.absolute_distance(T=kind["T"])
    draw = measurements.make_laplace(*space, scale=asked.scale * (units or 1))
    check(draw.map(whole_units(move, asked) if units else move), asked)
    return draw


def whole_units(number: float | Fraction, asked: NoisyAnswer) -> int:
    """A number in the whole units of the noise; refused where it is none of them."""
    exact = Fraction(number) * asked.row.units
    if exact.denominator != 1:
        refuse(f"{asked.label} must move in steps of 1/{asked.row.units}")
    return int(exact)


def noisy_maximum(asked: NoisyAnswer, rank: Fraction) -> Any:
    """OpenDP's noisy maximum of whole scores, with the privacy loss that was promised."""
    domain = domains.vector_domain(domains.atom_domain(T="i64"))
    metric = metrics.linf_distance(T="i64")
    scale = asked.scale * rank.denominator
    draw = measurements.make_noisy_max(domain, metric, measures.max_divergence(), scale=scale)
    check(draw.map(round(asked.sensitivity / 2 * rank.denominator)), asked)  # moves half as far
    return draw


def check(spent: float, asked: NoisyAnswer) -> None:
    """Refuse noise in which OpenDP finds another privacy loss than the one that was promised."""
    if abs(spent - asked.loss) > 1e-9 * asked.loss:
        refuse(f"OpenDP finds a loss of {spent}, not {asked.loss}")


def rounded(number: float, of_it: float, whole: bool = False) -> dict[str, Any]:
    """A value to two digits of its error, and the error with that of rounding; not if whole."""
    if whole:
        return {"value": int(number) if number == int(number) else number, "error": of_it}
    value, error = Decimal(number), Decimal(of_it)
    unit = Decimal(1).scaleb(error.adjusted() - 1)
    value, error = value.quantize(unit), (error + unit / 2).quantize(unit, ROUND_CEILING)
    return {"value": int(value) if unit >= 1 else float(value), "error": float(error)}


def cut_variance(value: float, limits: tuple[float, float]) -> float:
    """A noisy variance cut to what a variance within limits may be, 0 to r^2/4.

    >>> cut_variance(-3.5, (0, 30)), cut_variance(7.5, (0, 30)), cut_variance(230, (0, 30))
    (0, 7.5, 225.0)
    """
    return min(max(0, value), largest_variance(limits))


def write(path: Path, text: str) -> None:
    """Write a result whole where none is, or leave nothing."""
    path.touch(exist_ok=False)
    try:
        with open(path, "wb") as file:
            file.write(text.encode())
            file.flush()
            os.fsync(file.fileno())
    except OSError:
        path.unlink()
        raise


def refuse(why: str) -> NoReturn:
    """End in one line, with nothing published."""
    sys.exit(f"refused: {why}")


def publish(script: str, data: dict[str, Any]) -> None:
    """Draw each noise once, and write the result beside the script, when all is drawn.

    Args:
        script: its real path; the result has its name.
        data: the question, as the script holds it.
    """
    result = Path(script).with_suffix(".json")
    there = f"{result} is there, and running again would publish again"
    if os.path.lexists(result):
        refuse(there)
    if data["dpchoose"] != dpchoose.__version__:
        refuse(f"this script was made by dpchoose {data['dpchoose']}, and {dpchoose.__version__} "
               "is here: make it again")  # fmt: skip
    publication = publication_of(data)
    path = publication.source.path
    if not Path(path).is_file():
        refuse(f"{path} is not there")
    changed = f"{path} has changed since the scales were computed"
    try:
        with warnings.catch_warnings(action="ignore"):  # all was said when the script was made
            rows = publication.source.read()
    except ValueError:
        refuse(changed)
    if rows.digest != publication.digest:  # of the bytes that were read
        refuse(changed)
    enable_features("contrib")
    text = json.dumps(publication.results(rows), indent=2, ensure_ascii=False) + "\n"
    try:
        write(result, text)
    except FileExistsError:
        refuse(there)
    except OSError as no:
        refuse(f"{result} cannot be written ({no.strerror}), so nothing is published; "
               "make room there, and run it again")  # fmt: skip
    print(f"{result} is written")
