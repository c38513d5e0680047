"""What may be said to whoever signs: each sentence names its adversary and is true as worded."""

from __future__ import annotations

import decimal
import math
import typing
from decimal import Decimal

from dpchoose.epsilon.text import round_down, round_up

if typing.TYPE_CHECKING:
    from dpchoose.epsilon.recommendation import Recommendation

ROUNDING = 1e-12
FEW = 8  # answers whose scales are said one by one


def sentences(found: Recommendation) -> list[str]:
    """The sentences of a recommendation, in the order in which they should be read.

    The first says on which rows the answers are computed. Where nothing can
    be recommended, the others say so instead of promising anything.

    Args:
        found: from :func:`dpchoose.recommend`.
    """
    said = [_released(found)]
    if found.status in ("cannot be met", "nothing left"):
        return [*said, f"Nothing more can be published at this risk: {found.reason}."]
    if found.status in ("exposed", "not shown safe"):
        said.append(f"This is not safe to sign as it stands: {found.reason}.")
    return [*said, *_noise(found), _world(found), *_others(found), _record(found), *_limits(found)]


def chance(value: float) -> str:
    """A probability in per cent, rounded up; 100 is said of nothing less.

    What exceeds a short number by rounding alone is that number, and what
    would be rounded up past a third is a third.

    >>> chance(0.01), chance(1 / 3), chance(0.98521), chance(0.9999999), chance(1.0)
    ('1%', '1/3', '98.6%', '99.99999%', '100%')
    """
    for thirds in (1, 2):
        if 0.333 * thirds < value <= thirds / 3 * (1 + ROUNDING):
            return f"{thirds}/3"
    percent = Decimal(value) * 100
    for digits in range(1, 18):
        unit = Decimal(1).scaleb(-digits)
        nearest = percent.quantize(unit, decimal.ROUND_HALF_EVEN)
        as_it_is = float(nearest / 100) == value
        if nearest < 100 and abs(float(nearest / 100) - value) <= ROUNDING * value:
            as_it_is = True
        shown = nearest if as_it_is else percent.quantize(unit, decimal.ROUND_CEILING)
        if (shown < 100 and shown > 10 * unit) or value in (0, 1) or as_it_is:
            break
    text = f"{shown:f}".rstrip("0").rstrip(".")
    return f"{text}%"


def _ends(value: float) -> str:
    """How sure somebody may end."""
    return "may end certain" if value == 1 else f"ends at most {chance(value)} sure"


def _released(found: Recommendation) -> str:
    facts = found.facts
    answers = "The answer is" if _answers(found) == 1 else "The answers are"
    released = "one released record"
    if facts.release_size > 1:
        released = f"{facts.release_size:,} released records"
    return (
        f"{answers} computed on the {released}, never on all {facts.records:,} of the file: "
        "if all of these are published, nothing is promised."
    )


def _answers(found: Recommendation) -> int:
    return len(found.table) + len(found.facts.published)


def _noise(found: Recommendation) -> list[str]:
    table, total = found.table, found.epsilon
    if table["noise scale"].eq(0).all():
        said = ["No noise is added."]
    elif len(table) <= FEW:
        said = [_of_one(row) for row in table.to_dict("records")]
    else:
        low, high = table["noise scale"].min(), table["noise scale"].max()
        said = [
            f"Laplace noise is added to each of {len(table):,} answers, of the scale in its row, "
            f"{round_up(low)} to {round_up(high)}."
        ]
    if len(table) > 1:
        new = "new " if found.facts.published else ""
        said.append(f"All {new}answers together have {_named(total)}.")
    for label, scale in found.facts.published:
        said.append(f"Already out is {label} with noise of scale {scale:g}.")
    if found.facts.published:
        whole = _named(found.facts.total)
        said.append(f"With what is out that is {whole}, and all that follows is about both.")
    return said


def _named(epsilon: float) -> str:
    return "no finite epsilon" if epsilon == math.inf else f"epsilon {round_down(epsilon)}"


def _of_one(row: dict[str, typing.Any]) -> str:
    if row["noise scale"] == math.inf:
        return f"{row['statistic']} is not to be published: its share of the risk is 0."
    if row["noise scale"] == 0:
        return f"No noise is added to {row['statistic']}."
    return (
        f"Laplace noise of scale {round_up(row['noise scale'])} is added to {row['statistic']} "
        f"(epsilon {round_down(row['epsilon'])}); 95 times in 100 it is smaller than "
        f"{round_up(row['half-width'])}."
    )


def _world(found: Recommendation) -> str:
    facts, ends = found.facts, _ends(found.risks["world"])
    together = " from all answers together" if _answers(found) > 1 else ""
    if facts.release_size == facts.records - 1:
        return (
            f"Someone who knows all {facts.records:,} records, and to whom each is equally likely "
            f"to be the one left out, {ends} which one it is{together}."
        )
    released = f"{facts.release_size:,} of them are" if facts.release_size > 1 else "one of them is"
    return (
        f"Someone who knows all {facts.records:,} records and that {released} released, and to "
        f"whom each of the {facts.worlds} possible choices is equally likely, {ends} "
        f"of the right one{together}."
    )


def _others(found: Recommendation) -> list[str]:
    risks = found.risks
    most = "" if found.facts.world_exact else "at most "
    torn = "certain" if risks["torn"] == 1 else f"{most}{chance(risks['torn'])} sure"
    said = [
        "Someone who is torn between two of these choices, and holds each for as likely as the "
        f"other, may end {torn}."
    ]
    if math.isnan(risks["not knowing n"]):
        said.append(
            "What someone learns who knows every other record, but not how many are released, is "
            "not known: without one more record a group could have no answer."
        )
    else:
        removal = " (with one record released, its removal leaves no answer and is not counted)"
        said.append(
            "Someone who knows every other record, but not how many are released, and is undecided "
            f"about one, {_ends(risks['not knowing n'])} whether it is in"
            f"{removal if found.facts.release_size == 1 else ''}."
        )
    said.append(
        "Someone who knows every other released record and their number, and is undecided which "
        f"of two takes the last place, {_ends(risks['knowing n'])}."
    )
    if not math.isnan(risks["average"]):
        said.append(
            "Over many draws of release and of continuous Laplace noise, the best guess of the one "
            f"to whom all choices are equally likely is right at most {chance(risks['average'])} "
            "of the time."
        )
    return said


def _record(found: Recommendation) -> str:
    facts, risks = found.facts, found.risks
    share = facts.release_size / facts.records
    bound = "" if facts.record_exact else " (these two are bounds, and may be too large)"
    return (
        "Asked about any one record, someone to whom every choice is equally likely begins at "
        f"{_begins(share)} that it is in, and {_ends(risks['present'])} that it is in and "
        f"{_ends(risks['absent'])} that it is out{bound}."
    )


def _begins(share: float) -> str:
    """A share to four digits, or as many as keep it apart from all.

    >>> _begins(3 / 4), _begins(299_999 / 300_000)
    ('75%', '99.9997%')
    """
    shown = (f"{100 * share:.{digits}g}" for digits in range(4, 18))
    return next(f"{text}%" for text in shown if float(text) < 100)


def _limits(found: Recommendation) -> list[str]:
    return [
        "This holds for these answers, published once. The same answer again, or one about a part "
        "of the same records, is a further answer: it needs a new calculation that counts these "
        "in, and answers on changed data are promised nothing together with them.",
        "A row is one record. Where a person has several, this is about a record and not about "
        "the person.",
        "Scale and epsilon are computed from all known records and the number released, not from "
        "the release: they tell this adversary nothing new, and others something about the file.",
    ]
