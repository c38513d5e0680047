"""What the sources print, beside what the package computes.

The facts stand in published.yaml, each value as printed. A verdict is one of

- agrees: ours, rounded to the printed digits, is the printed value; or the
  source drew its value at random, and it lies within a stated uncertainty of
  what ours expects;
- explained: it is not, and the cause is known: ours is the value that the
  facts call right, and where the source's own calculation can be run again,
  errors included, it gives what was printed;
- differs: anything else.
"""

from __future__ import annotations

import functools
import math
import re
import typing
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal, InvalidOperation
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np

from dpchoose.risk.posterior import posterior

if typing.TYPE_CHECKING:
    import pandas as pd

COLUMNS = ["quantity", "place", "published", "reproduced", "difference", "verdict", "cause"]


@functools.cache
def _document() -> dict[str, Any]:
    import yaml

    return yaml.safe_load(resources.files("dpbook").joinpath("published.yaml").read_text("utf-8"))


def sources() -> dict[str, str]:
    """The name of each source, as it stands on the pages, by the key that the lists use."""
    return _document()["sources"]


@functools.cache
def facts() -> dict[str, dict[str, Any]]:
    """Every fact by its id: source, where, what, printed, and right and cause if wrong.

    >>> facts()["lc-ratio"]["printed"]
    '3.2933'
    """
    names = sources()
    return {fact["id"]: fact | {"source": names[fact["source"]]} for fact in _document()["values"]}


def agrees(printed: str, ours: Any, *, within: Any = None) -> bool:
    """Whether a value is the printed one, to the printed digits.

    Within half a unit of the last printed place, but no finer than 1e-12 of
    the value; a word agrees with itself.

    Args:
        printed: a number as printed, ``log(x)``, or a word.
        ours: a float, or a word.
        within: for a number that its source drew at random, how far from ours
            it may lie, instead.

    >>> agrees("3.2933", 3.29325), agrees("3.2933", 3.2932), agrees("greater", "smaller")
    (True, False, False)
    >>> agrees("176", 177.8), agrees("176", 177.8, within=8.9)
    (False, True)
    """
    if isinstance(ours, str):
        return printed == ours
    exact = _exact(printed)
    half_unit = Decimal(5).scaleb(int(exact.as_tuple().exponent) - 1)
    allowed = max(half_unit, abs(exact) * Decimal("1e-12"))
    if within is not None:
        allowed = Decimal(float(within))
    return abs(exact - Decimal(float(ours))) <= allowed


def compare(
    ours: Mapping[str, Any],
    *,
    rerun: Mapping[str, Any] | None = None,
    within: Mapping[str, Any] | None = None,
) -> pd.DataFrame:
    """The check table of a chapter: a row for each part of each fact.

    Args:
        ours: fact id to our value, in the shape in which it is printed: one
            value, a sequence, or a mapping from part to either.
        rerun: the same for values that the source's own calculation, run
            again with its error, gives.
        within: the same for values that the source drew at random: how far
            from ours each may lie, shown as ours ± within. A fact, or a part
            of one, that is not in it is met to its printed digits.

    Returns:
        columns quantity, place, published, reproduced, difference (largest of
        a sequence), verdict, cause (blank when the verdict is agrees); the
        index names the part of the fact, as in an address.

    Raises:
        KeyError: an unknown fact, or a part that is not printed.
        ValueError: a sequence of another length than the printed one.

    >>> compare({"lc-ratio": 3.29325}).verdict.tolist()
    ['agrees']
    """
    import pandas as pd

    others = (rerun or {}, within or {})
    rows = {
        address(fact, part): _row(
            facts()[fact], part, value, *(_parts(g.get(fact)).get(part) for g in others)
        )
        for fact, values in ours.items()
        for part, value in _parts(values).items()
    }
    return pd.DataFrame.from_dict(rows, orient="index", columns=COLUMNS)


def addresses() -> list[str]:
    """Every part of every fact, as it is named in an address, in the order of the facts.

    >>> addresses()[:2]
    ['lc-sensitivity-mean-absence', 'lc-ratio']
    """
    return list(fact_of())


def address(fact: str, part: str = "") -> str:
    """A part of a fact, as it is named in an address.

    >>> address("lc-ratio"), address("lc-table3", "epsilon 0.5")
    ('lc-ratio', 'lc-table3-epsilon-0-5')
    """
    return re.sub(r"[^a-z0-9]+", "-", f"{fact} {part}".strip().lower())


def fact_of() -> dict[str, str]:
    """The fact to which each address belongs.

    >>> fact_of()["lc-table3-epsilon-0-5"]
    'lc-table3'
    """
    return {
        address(id, part): id for id, fact in facts().items() for part in _parts(fact["printed"])
    }


def row(fact: str) -> str:
    """The address of the first part of a fact.

    >>> row("lc-table3")
    'lc-table3-epsilon-5'
    """
    return address(fact, next(iter(_parts(facts()[fact]["printed"]))))


def scorecard(folder: Path, departures: Mapping[str, str] | None = None) -> pd.DataFrame:
    """The check tables that the chapters left in a folder, as one.

    Args:
        folder: of tables from :func:`compare`, each as <chapter>.csv.
        departures: the chapters that were asked another question than the
            published one, from :func:`dpbook.asked.departures`. Where there
            are any, a fact may be without a verdict, and has no row then.

    Returns:
        a row per part of each fact, in the order of the facts: the columns of
        :func:`compare`, and chapters, the list of those that check it.

    Raises:
        ValueError: a fact without a verdict.
    """
    import pandas as pd

    kinds = dict.fromkeys(COLUMNS, str) | {"difference": float}
    blanks = {"difference": [""]}  # and no other column has a missing value
    checks = [
        pd.read_csv(
            path, index_col="fact", dtype=kinds, keep_default_na=False, na_values=blanks
        ).assign(chapters=path.stem)
        for path in sorted(folder.glob("*.csv"))
    ]
    card = pd.concat(checks) if checks else pd.DataFrame(columns=[*COLUMNS, "chapters"])
    card = card.rename_axis("fact")
    missing = [name for name in addresses() if name not in card.index]
    if missing and not departures:
        raise ValueError(f"each fact must have a verdict, none for {', '.join(missing)}")
    by_fact = card.groupby(level="fact")
    together = by_fact.first().assign(chapters=by_fact["chapters"].agg(list))
    return together.loc[[name for name in addresses() if name in card.index]]


def outputs_behind(
    printed: Sequence[str], answers: Any, *, epsilon: float, sensitivity: float
) -> tuple[float, float] | None:
    """The outputs whose posteriors, rounded as printed, are the printed ones.

    A posterior no longer changes beyond the outermost answers, so it is
    enough to search between them, here in 300,000 steps.

    Args:
        printed: a posterior per world, as printed.
        answers: of the worlds, shape (m,).
        epsilon, sensitivity: as for :func:`dpchoose.posterior`.

    Returns:
        the smallest and the largest such output, None when there is none. The
        smallest answer stands for every output below it, the largest for
        every output above.

    >>> outputs_behind([".73", ".27"], [0, 1], epsilon=1, sensitivity=1)[0]
    0.0
    """
    outputs = np.linspace(np.min(answers), np.max(answers), 300_001)
    beliefs = posterior(answers, outputs, epsilon=epsilon, sensitivity=sensitivity)
    places = len(printed[0].partition(".")[2])
    target = np.array([float(text) for text in printed])
    fits = outputs[(np.abs(beliefs - target) <= 0.5 / 10**places).all(axis=1)]
    return (float(fits[0]), float(fits[-1])) if len(fits) else None


def require_agreement(table: pd.DataFrame) -> None:
    """Fail when a published number is neither met nor explained.

    Raises:
        AssertionError: naming each such row of a table from :func:`compare`.
    """
    bad = table[table.verdict == "differs"]
    if len(bad):
        lines = [
            f"{row.quantity}: {row.published}, ours {row.reproduced}" for row in bad.itertuples()
        ]
        raise AssertionError("these published numbers differ: " + "; ".join(lines))


def _row(fact: dict[str, Any], part: str, ours: Any, rerun: Any, within: Any) -> list[Any]:
    printed = _sequence(_parts(fact["printed"])[part])
    right = _sequence(_parts(fact.get("right")).get(part, []))
    values, again = _sequence(ours), _sequence([] if rerun is None else rerun)
    if len(values) != len(printed):
        raise ValueError(f"{fact['id']} has {len(printed)} printed values, got {len(values)}")
    spans = [None] * len(printed) if within is None else _sequence(within)
    known = (not right or _all_agree(right, values)) and (not again or _all_agree(printed, again))
    if _all_agree(printed, values, spans):
        verdict = "agrees"
    else:
        verdict = "explained" if known and (right or again) else "differs"
    decimals = max(_decimals(text) for text in [*printed, *right])
    return [
        fact["what"] + (f", {part.replace('_', ' ')}" if part else ""),
        f"{fact['source']}, {fact['where']}",
        ", ".join(printed),
        ", ".join(_like(decimals, *pair) for pair in zip(values, spans, strict=True)),
        _difference(printed, values),
        verdict,
        fact.get("cause", "") if verdict != "agrees" else "",
    ]


def _all_agree(
    printed: Sequence[str], values: Sequence[Any], within: Sequence[Any] | None = None
) -> bool:
    spans = within or [None] * len(printed)
    return all(
        agrees(text, value, within=span)
        for text, value, span in zip(printed, values, spans, strict=True)
    )


def _exact(printed: str) -> Decimal:
    """The number that is printed, ``log(x)`` to many digits."""
    logarithm = re.fullmatch(r"log\((\d+)\)", printed)
    return Decimal(logarithm[1]).ln() if logarithm else Decimal(printed)


def _parts(value: Any) -> dict[str, Any]:
    if value is None:
        return {}
    return dict(value) if isinstance(value, Mapping) else {"": value}


def _sequence(value: Any) -> list[Any]:
    if isinstance(value, str) or not isinstance(value, Iterable):
        return [value]
    return list(value)


def _decimals(printed: str) -> int:
    """How many are printed; many for a logarithm, none for a word."""
    return 28 if printed.startswith("log(") else len(printed.partition(".")[2])


def _like(decimals: int, value: Any, within: Any = None) -> str:
    """A value with one digit more than was printed, or all that it has."""
    if isinstance(value, str):
        return value
    text = f"{value:.{decimals + 1}f}" if decimals < 12 else repr(float(value))
    return text if within is None else f"{text} ± {within:.{decimals + 1}f}"


def _difference(printed: Sequence[str], values: Sequence[Any]) -> float:
    try:
        return float(max(abs(Decimal(float(b)) - _exact(a)) for a, b in zip(printed, values)))
    except (ValueError, InvalidOperation):
        return math.nan
