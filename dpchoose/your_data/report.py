"""The one dictionary that text, JSON, pages and pictures print, of a noise and its question."""

import html
import math
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from typing import Any

from dpchoose import __version__, numbers
from dpchoose import later as pd
from dpchoose.risk.odds import after
from dpchoose.your_data import wording
from dpchoose.your_data.asked import SUSPICIONS, Found
from dpchoose.your_data.formats import rounded_prior, rounded_probability

# How a number is printed, by its name; all others as they are.
ROUNDED: dict[str, Callable[[Any], Any]] = {
    "sensitivity": numbers.round_up,
    "scale": numbers.round_up,
    "epsilon": numbers.round_down,
    "errors": partial(numbers.rounded_up_to, digits=2),
    "relative errors": numbers.round_up,
    "factor": numbers.rounded_up_to,
    "before": rounded_prior,
    "after": rounded_probability,
    "suspects nobody": rounded_probability,
}
# The same where scales are given.
AS_GIVEN: dict[str, Callable[[Any], Any]] = {"scale": float, "epsilon": numbers.round_up}


def to_dict(noise: Found) -> dict[str, Any]:
    """All of a noise; "private" is for the screen of whoever holds the file."""
    question, goal, facts = noise.question, noise.goal, noise.question.facts()
    errors, k = noise.printed_errors(), noise.noisy
    together = noise.printed_errors(0.95 ** (1 / k)) if k > 1 else [None] * len(errors)
    already, offers = question.already, noise.offers
    report = {
        "question": facts
        | {"situation": wording.SITUATIONS[facts["situation"]]}
        | {"already": None if already == 1 else f"{float(already):.12g}"}
        | {"version": f"dpchoose {__version__}"},
        "accepted": {
            "goal": goal.name,
            "value": goal.value,
            "before": None if goal.before is None else numbers.format_prior(goal.before),
        },
        "reason": wording.reason(noise),
        "factor": noise.odds,
        "of 100": noise.of_100(),
        "odds": wording.odds_in_a_line(noise),
        "answers": [
            {name: value for name, value in row._asdict().items() if name != "answer"}
            | {"error": error, "together": within}
            | {"exact": None if row.scale else question.exact(index)}
            for index, (row, error, within) in enumerate(zip(noise.answers, errors, together))
        ],
        "epsilon": noise.epsilon,
        "readers": [row._asdict() | {"reader": wording.reader(row)} for row in noise.reader_rows],
        "choices": [
            {
                "factor": factor,
                "chosen": offer is noise,
                "errors": offer.printed_errors(),
                "after": {str(of): after(of / 100, factor) for of in SUSPICIONS},
                "suspects nobody": offer.suspects_nobody(factor),
            }
            for factor, offer in offers.items()
        ],
        "sentences": wording.sentences(noise),
        "private": {
            "answers": [row.answer for row in noise.noisy_answers],
            "planned": [row._asdict() for row in noise.derived],
            "choices": [[row.error for row in offer.derived] for offer in offers.values()],
            "relative errors": [row.relative for row in [*noise.noisy_answers, *noise.derived]],
            "errors in the unit": question.unit_errors(noise.scales),
            "advice": wording.advice(noise),
        },
    }
    return printed(report, ROUNDED | AS_GIVEN if goal.name == "scale" else ROUNDED)


def printed(value: Any, rounded: dict[str, Callable[[Any], Any]], name: str = "") -> Any:
    """A report as it is printed: numbers rounded by their names, None for what is not finite."""
    if isinstance(value, dict):
        return {
            key: printed(entry, rounded, key if key in rounded else name)
            for key, entry in value.items()
        }
    if isinstance(value, list):
        return [printed(entry, rounded, name) for entry in value]
    if not isinstance(value, (float, Fraction)):
        return value
    return float(rounded.get(name, float)(value)) if math.isfinite(value) else None


def to_html(noise: Found) -> str:
    """What a notebook shows: the tables of answers and readers, and the sentences."""
    report = to_dict(noise)
    tables = (
        pd.DataFrame(report[name]).dropna(axis=1, how="all") for name in ("answers", "readers")
    )
    items = "".join(f"<li>{html.escape(text)}</li>" for text in report["sentences"])
    head = f"<p>{html.escape(wording.accepted(report))}</p>"
    shown = "".join(table.to_html(index=False, border=0) for table in tables)
    return f"{head}{shown}<ul>{items}</ul>"
