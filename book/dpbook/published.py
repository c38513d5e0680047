"""What the sources print, beside what the package computes.

published.yaml has every figure and every value of theirs, each value as printed. A verdict is

- agrees: ours, rounded to the printed digits, is the printed value; or the source drew its
  value at random, and it lies within a stated uncertainty of what ours expects;
- explained: it is not, and an erratum on the page `published` says why: ours is the value that
  is called right, and where the source's calculation is run again, it gives what was printed;
- differs: anything else, which stops the build at the page `published`.
"""

import functools
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import yaml
from IPython.display import Markdown

from dpchoose.risk.posterior import posterior

COLUMNS = ["source", "quantity", "where", "printed", "ours", "verdict", "erratum"]
FOLDED = "<details>\n<summary>{of}: {many}</summary>\n\n{rows}\n\n</details>"


@functools.cache
def document() -> dict[str, Any]:
    """The sources by their keys, their figures, and their values, as they stand in the file."""
    return yaml.safe_load(Path(__file__).with_name("published.yaml").read_text("utf-8"))


@functools.cache
def facts() -> dict[str, dict[str, Any]]:
    """Every value by its id: source, where, what, printed, and right and erratum if wrong.

    >>> facts()["lc-ratio"]["printed"]
    '3.2933'
    """
    return {fact["id"]: fact for fact in document()["values"]}


def versions() -> list[tuple[str, str]]:
    """Each source's name, and what of it was examined, as HTML.

    >>> versions()[0]
    ('Lee and Clifton', 'the figures and values in the proceedings of 2011')
    """
    return [(name, document()["examined"][key]) for key, name in document()["sources"].items()]


def address(fact: str, part: str = "") -> str:
    """A part of a fact, as it is named in a table.

    >>> address("lc-ratio"), address("lc-table3", "epsilon 0.5")
    ('lc-ratio', 'lc-table3-epsilon-0-5')
    """
    return re.sub(r"[^a-z0-9]+", "-", f"{fact} {part}".strip().lower())


def addresses() -> list[str]:
    """Every part of every fact, in the order of the facts.

    >>> addresses()[:2]
    ['lc-sensitivity-mean-absence', 'lc-ratio']
    """
    return [address(id, part) for id, fact in facts().items() for part in _parts(fact["printed"])]


def agrees(printed: str, ours: Any, *, within: Any = None) -> bool:
    """Whether a value is the printed one, to the printed digits, but no finer than 1e-12 of it.

    Args:
        printed: a number as printed, ``log(x)``, or a word, which agrees with itself.
        ours: a float, or a word.
        within: for a number that its source drew at random, how far from ours it may lie.

    >>> agrees("3.2933", 3.29325), agrees("3.2933", 3.2932), agrees("greater", "smaller")
    (True, False, False)
    >>> agrees("176", 177.8), agrees("176", 177.8, within=8.9)
    (False, True)
    """
    if isinstance(ours, str):
        return printed == ours
    logarithm = re.fullmatch(r"log\((\d+)\)", printed)
    exact = Decimal(logarithm[1]).ln() if logarithm else Decimal(printed)
    half_unit = Decimal(5).scaleb(int(exact.as_tuple().exponent) - 1)
    rounding = max(half_unit, abs(exact) * Decimal("1e-12"))
    allowed = rounding if within is None else Decimal(float(within))
    return abs(exact - Decimal(float(ours))) <= allowed


def compare(
    ours: Mapping[str, Any],
    *,
    rerun: Mapping[str, Any] | None = None,
    within: Mapping[str, Any] | None = None,
) -> pd.DataFrame:
    """Ours beside the printed values: a row for each part of each fact, named by its address.

    Args:
        ours: fact id to our value, in the shape in which it is printed: one value, a sequence,
            or a mapping from part to either.
        rerun: the same for what the source's own calculation gives, run again with its error.
        within: the same for values that the source drew at random: how far from ours each may
            lie, shown as ours ± within. What is not in it is met to its printed digits.

    Raises:
        KeyError: an unknown fact, or a part that is not printed.
        ValueError: a sequence of another length than the printed one.

    >>> compare({"lc-ratio": 3.29325}).verdict.tolist()
    ['agrees']
    """
    rows = {}
    for fact, values in ours.items():
        again, spans = (_parts((of or {}).get(fact)) for of in (rerun, within))
        for part, value in _parts(values).items():
            row = _row(facts()[fact], part, value, again.get(part, []), spans.get(part, []))
            rows[address(fact, part)] = row
    return pd.DataFrame.from_dict(rows, orient="index", columns=COLUMNS)


def require_agreement(table: pd.DataFrame) -> None:
    """Fail when a published number is neither met nor explained.

    Raises:
        AssertionError: naming each such row of a table from :func:`compare`.
    """
    bad = table[table.verdict == "differs"]
    lines = [f"{row.quantity}: {row.printed}, ours {row.ours}" for row in bad.itertuples()]
    assert not lines, "these published numbers differ: " + "; ".join(lines)


def ledger(chapters: Mapping[str, Callable[[], Mapping[str, Any]]]) -> pd.DataFrame:
    """The check tables of all chapters as one, in the order of the facts, with links to them.

    Args:
        chapters: by their names, what gives the arguments of :func:`compare`.

    Raises:
        KeyError: a fact that none computes.
    """
    tables = [
        compare(**computed()).assign(chapter=f"[{slug}]({slug}.ipynb)")
        for slug, computed in chapters.items()
    ]
    return pd.concat(tables).loc[addresses()]


def shown(rows: pd.DataFrame, of: str) -> Markdown:
    """A part of the ledger, folded under how many have which verdict.

    Args:
        rows: from :func:`ledger`.
        of: whose they are.
    """
    counts = rows["verdict"].value_counts()
    many = ", ".join(f"{n} {word if n == 1 else word.rstrip('s')}" for word, n in counts.items())
    page = "](#" + rows["erratum"].str.lower().str.replace(" ", "-") + ")"
    linked = ("[" + rows["verdict"] + page).where(rows["erratum"] != "", rows["verdict"])
    value = rows["quantity"] + ", " + rows["where"]
    cells = rows.assign(value=value, verdict=linked).replace(r"\|", "&#124;", regex=True)
    kept = ["value", "printed", "ours", "verdict", "chapter"]
    head, *lines = [f"| {' | '.join(row)} |" for row in [kept, *cells[kept].to_numpy()]]
    drawn = "\n".join([head, f"|{'---|' * len(kept)}", *lines])
    return Markdown(FOLDED.format(of=of, many=many, rows=drawn))


def outputs_behind(
    printed: Sequence[str], answers: Any, *, epsilon: float, sensitivity: float
) -> tuple[float, float] | None:
    """The smallest and the largest output whose posteriors, rounded, are the printed ones.

    A posterior no longer changes beyond the outermost answers, so it is enough to search
    between them, here in 300,000 steps. None where there is no such output.

    >>> outputs_behind([".73", ".27"], [0, 1], epsilon=1, sensitivity=1)[0]
    0.0
    """
    outputs = np.linspace(np.min(answers), np.max(answers), 300_001)
    beliefs = posterior(answers, outputs, epsilon=epsilon, sensitivity=sensitivity)
    target = np.array([float(text) for text in printed])
    fits = outputs[(np.abs(beliefs - target) <= 0.5 / 10 ** _decimals(printed[0])).all(axis=1)]
    return (float(fits[0]), float(fits[-1])) if len(fits) else None


def posterior_rows(
    table: str, behind: Any, used: Any, *, sensitivity: float
) -> dict[str, np.ndarray]:
    """A printed table of posteriors, computed anew from an output that gives each row.

    It is an outermost answer where that gives the row, else the middle of the outputs that do.

    Args:
        table: a fact whose parts are named as "epsilon 5".
        behind: the answers with which the outputs are found.
        used: the answers with which the posteriors are computed.
    """
    rows = {}
    for row, printed in facts()[table]["printed"].items():
        noise = {"epsilon": float(row.split()[1]), "sensitivity": sensitivity}
        span = outputs_behind(printed, behind, **noise)
        ends = {np.min(behind), np.max(behind)}.intersection(span)
        output = ends.pop() if ends else np.mean(span)
        rows[row] = posterior(used, output, **noise)
    return rows


def _row(fact: dict[str, Any], part: str, values: list, again: list, within: list) -> list[Any]:
    """A row of the check table, in the order of COLUMNS."""
    printed, right = _parts(fact["printed"])[part], _parts(fact.get("right")).get(part, [])
    spans = within or [None] * len(printed)
    if len(values) != len(printed):
        raise ValueError(f"{fact['id']} has {len(printed)} printed values, got {len(values)}")
    met = all(agrees(text, v, within=w) for text, v, w in zip(printed, values, spans))
    known = all(map(agrees, right, values)) and all(map(agrees, printed, again))
    verdict = "agrees" if met else "explained" if known and (right or again) else "differs"
    decimals = max(map(_decimals, [*printed, *right]))
    return [
        document()["sources"][fact["source"]],
        fact["what"] + (f", {part.replace('_', ' ')}" if part else ""),
        fact["where"],
        ", ".join(printed),
        ", ".join(_like(decimals, *pair) for pair in zip(values, spans)),
        verdict,
        "" if met else fact.get("erratum", ""),
    ]


def _parts(value: Any) -> dict[str, list[Any]]:
    """The values of each part by its name, of one that has no parts under "", of none nothing."""
    parts = value if isinstance(value, Mapping) else {} if value is None else {"": value}
    return {
        part: list(of) if isinstance(of, Iterable) and not isinstance(of, str) else [of]
        for part, of in parts.items()
    }


def _decimals(printed: str) -> int:
    """How many are printed; many for a logarithm, none for a word."""
    return 28 if printed.startswith("log(") else len(printed.partition(".")[2])


def _like(decimals: int, value: Any, within: Any) -> str:
    """A value with one digit more than was printed, or all that it has."""
    if isinstance(value, str):
        return value
    text = f"{value:.{decimals + 1}f}" if decimals < 12 else repr(float(value))
    return text if within is None else f"{text} ± {within:.{decimals + 1}f}"
