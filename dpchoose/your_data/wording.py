"""All English of a result: its readers, sentences, reasons and advice, from facts alone.

The texts that the page of the book says too stand in :mod:`dpchoose.your_data.words`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from dpchoose.numbers import format_odds_factor, format_prior, format_probability
from dpchoose.your_data import words
from dpchoose.your_data.formats import format_number
from dpchoose.your_data.known_file import KnownFile
from dpchoose.your_data.question import Question, Reader

if TYPE_CHECKING:
    from dpchoose.your_data.public_limits import PublicLimits
    from dpchoose.your_data.result import Recommendation

SUSPICIONS = (1, 10, 50)  # beliefs before, of 100
LARGE = 0.1  # the share of an answer from which on its error is called large
SMALL = 100  # a group of fewer records is called small
SITUATIONS = {"known file": "the file is known", "everybody": "everybody is in the file"}
READERS = {
    **words.OF_KNOWN_FILE,
    "value": words.VALUE,
    "value in group": words.IN_GROUP,
    "member": words.MEMBER,
    "group": words.GROUP,
}


class Context(NamedTuple):
    """What is known of the rows that are asked, beside the records themselves.

    Attributes:
        where: the condition that they meet, or "".
        left_out: the columns of which rows that miss a value are left out.
        person: whether it was checked that nobody has more rows than is said.
    """

    where: str = ""
    left_out: tuple[str, ...] = ()
    person: bool = False


def reader(row: Reader) -> str:
    """Who a reader is, and what she asks."""
    return READERS[row.reader].format(before=format_prior(row.before))


def spoken(label: str) -> str:
    """What an answer is called in a sentence.

    >>> spoken("mean:visits"), spoken("percentile_90:visits"), spoken("count")
    ('the mean of visits', 'the 90th percentile of visits', 'the count')
    """
    kind, sign, column = label.partition(":")
    if kind.startswith("percentile_"):
        kind = ordinal(kind.removeprefix("percentile_")) + " percentile"
    return words.ANSWER.format(answer=kind + " of " * bool(sign) + column)


def ordinal(number: str) -> str:
    """A number of a place.

    >>> [ordinal(number) for number in ("1", "22", "11", "90", "2.5")]
    ['1st', '22nd', '11th', '90th', '2.5th']
    """
    teen = number[-2:] in ("11", "12", "13")
    return number + {"1": "st", "2": "nd", "3": "rd"}.get("." in number or teen or number[-1], "th")


def counted(limits: Any) -> str:
    """How values that lie beyond limits are counted.

    >>> counted((0.0, 30.0))
    ', each counted as 0 to 30,'
    """
    low, high = map(format_number, limits)
    return words.EACH_COUNTED.format(low=low, high=high)


def listing(names: Sequence[str], last: str = "and") -> str:
    """Names as they are listed.

    >>> listing(["a", "b", "c"])
    'a, b and c'
    """
    return f" {last} ".join(filter(None, [", ".join(names[:-1]), *names[-1:]]))


def cuts(limits: dict[str, Any]) -> str:
    """How the values of each column are counted; a share is not cut.

    >>> cuts({"stay": (0.0, 60.0), "ward=north": (0.0, 1.0)})
    'stay counted as 0 to 60'
    """
    return ", ".join(
        f"{name or 'each value'} counted as {format_number(low)} to {format_number(high)}"
        for name, (low, high) in limits.items()
        if not any(sign in name for sign in "=<>")
    )


# The sentences that are signed.


def sentences(result: Recommendation) -> list[str]:
    """What may be said to whoever signs, at most five; the first is the one to sign."""
    question = result.asked
    if result.refused:
        return [words.NOTHING.format(reason=result.reason)]
    first = f"{to_sign(result)} {beliefs(result)}"
    together = words.TOGETHER.format(**_two_and_three(result.odds))
    looking = f"{words.MULTIPLY} {words.LOOKING}"
    if isinstance(question, KnownFile):
        promised = _of_known_file(question, result.reader_rows, together)
        noisy = [error for error in result.printed_errors() if error]
        within = words.WITHIN.format(error=format_number(noisy[0])) if len(noisy) == 1 else ""
        return [first, *promised, within + words.NOISE_OF_FILE, looking]
    error = words.CUT_NOT_IN_IT if cuts(question.columns) else words.NOISE_ALONE
    holds, never = words.HOLDS, words.NEVER
    being = words.BEING_IN_GROUP if question.groups else words.BEING_IN
    if question.hidden:
        holds, never, being = words.HOLDS_HIDDEN, words.NEVER_HIDDEN, words.BEING_IN_HIDDEN
    error += words.MEAN_OF_TWO * bool(question.means)
    error += words.ALL_WITHIN * (result.noisy > 1)
    if question.expected:
        error += words.MEAN_IF_ROWS.format(if_rows=if_rows(question))
    return [first, error, f"{holds}{together} {being}", never, looking]


def if_rows(question: PublicLimits) -> str:
    """On which number of rows the errors of means rest, with n hidden."""
    text = words.IF_ROWS.format(rows=f"{question.expected:,}")
    return text + words.IN_EACH * bool(question.groups)


def _of_known_file(question: KnownFile, rows: list[Reader], together: str) -> list[str]:
    """For whom a promise about a known file holds, and for whom it does not."""
    first, second, *_ = rows
    facts = {"before": format_prior(first.before), "after": format_probability(first.after)}
    if question.one_is_missing:
        return [words.SURE_WHO.format(**facts, factor=format_odds_factor(first.factor))]
    facts["out_before"] = format_prior(second.before)
    facts["out_after"] = format_probability(second.after)
    return [words.SURE_IN.format(**facts), f"{words.NO_WHOLE_LIST}{together}"]


def _two_and_three(odds: float) -> dict[str, str]:
    """The factors for two and for three people whose records move together."""
    odds = min(odds, 1e9)  # over a million is all that is said
    return {"two": format_odds_factor(odds**2), "three": format_odds_factor(odds**3)}


def beliefs(result: Recommendation) -> str:
    """The three beliefs, before and after, with the factor: how every sheet begins."""
    question, topic = result.asked, _guess(result.asked)
    if result.odds == math.inf:
        return words.CERTAIN.format(guess=topic)
    take, rows = words.TAKE, ""
    if isinstance(question, KnownFile):
        take = words.TAKE_MISSING if question.one_is_missing else words.TAKE_PLACE
        take = take.format(records=question.records, released=question.size)
    elif question.person_rows > 1:
        rows = words.FEW_ROWS.format(rows=question.person_rows)
    elif not result.context.person:
        rows = words.ONE_ROW
    one, ten, half = result.of_100().values()
    text = words.BELIEFS if result.already == 1 else words.BELIEFS_AFTER
    factor = format_odds_factor(result.odds)
    return take + text.format(guess=topic, one=one, ten=ten, half=half, factor=factor, rows=rows)


def _guess(question: Question) -> str:
    """What a reader is more or less sure of."""
    if isinstance(question, KnownFile):
        return words.GUESS_MISSING if question.one_is_missing else words.GUESS_PLACE
    if not question.columns:
        return words.GUESS_IN_GROUP if question.groups else words.GUESS_BEING_IN
    names = [name for name in question.column_names if name] or ["value"]
    being = words.OR_IN_GROUP if question.groups else words.OR_BEING_IN
    return words.GUESS_VALUES.format(columns=listing(names)) + being * question.hidden


def odds_in_a_line(result: Recommendation) -> str:
    """What odds are, in one line."""
    if result.refused or not result.odds < 1e6:
        return ""
    factor, ten = format_odds_factor(result.odds), result.of_100()["10"]
    return words.ODDS.format(factor=factor, ten=ten)


def to_sign(result: Recommendation) -> str:
    """What is published of which rows, with which noise."""
    facts, context = result.asked.facts(), result.context
    published = facts["statistics"]
    answers = _answers(result.asked, published)
    records = words.ALL_RECORDS
    if facts.get("released"):
        records = f"{facts['released']:,} of the {facts['records']:,} records"
    elif facts["records"]:
        records = words.COUNTED_RECORDS.format(count=f"{facts['records']:,}")
    verb = words.IS_PUBLISHED if len(published) == 1 else words.ARE_PUBLISHED
    left_out = words.LEFT_OUT.format(columns=listing(context.left_out, "or"))
    return words.TO_SIGN.replace(" with {noise}", _noise(result, len(published))).format(
        answers=answers[:1].upper() + answers[1:],
        records=records,
        where=words.WHERE.format(condition=context.where) if context.where else "",
        published=verb if result.status == "computed" else words.MAY_BE_PUBLISHED,
        left_out=left_out * bool(context.left_out),
    )


def _answers(question: Question, published: list[str]) -> str:
    """The answers that are published, of which groups."""
    limits, groups = question.facts().get("limits", {}), question.groups
    cut = [
        None if name[:6] == "share:" else limits.get(name.partition(":")[2]) for name in published
    ]
    names = [spoken(label) for label in published]
    same = cut[0] is not None and cut.count(cut[0]) == len(cut)
    if not same:  # each answer has its own
        names = [
            f"{name} ({counted(pair).strip(', ')})" if pair else name
            for name, pair in zip(names, cut)
        ]
    if len(names) > words.MOST_NAMED:
        many = words.MANY_ANSWERS.format(count=len(names))
        names = [many if same or not cuts(limits) else f"{many} ({cuts(limits)})"]
    text = listing(names)
    if groups:
        each = words.IN_EACH_GROUP if len(groups) > 1 else words.IN_ONE_GROUP
        text = each.format(answers=text, count=len(groups), group=groups[0])
    return text + counted(cut[0]) if same else text


def _noise(result: Recommendation, published: int) -> str:
    """With which noise: its error, where a single answer has a public one."""
    if result.status == "exact":
        return f" without noise: {result.reason}"
    errors, noisy = result.printed_errors(), len(result.labels)
    errors = [error for error in errors[noisy:] or errors if error is not None]
    if published > 1 or len(errors) != 1:
        return f" with {words.MANY_NOISES}"
    question, error = result.asked, format_number(errors[0])
    if isinstance(question, KnownFile):  # whose error is not for publication
        return " with noise"
    rank = getattr(question.rows[0], "rank", None)
    if rank is None:
        resting = f", {if_rows(question)}" if getattr(question, "expected", None) else ""
        return f" with {words.ONE_NOISE.format(error=error)}{resting}"
    values = "values" if question.hidden else f"{question.records:,} values"
    place = ordinal(f"{float(100 * rank):g}") + " percentile"
    place = "middle" if rank == Fraction(1, 2) else place
    return f", drawn within {error} places of the {place} of the {values}, in 95 of 100 draws"


# What is for the holder of the file.


def advice(result: Recommendation) -> list[str]:
    """What makes errors smaller, and what that costs."""
    question, large = result.asked, any(row.relative > LARGE for row in result.answers)
    square = format_odds_factor(result.odds**2) if 1 < result.odds < 1e3 else None
    if isinstance(question, KnownFile):
        texts = {words.MUCH_NOISE.format(factor=square): large and square}
    else:
        small = question.groups and question.sizes.min() < SMALL
        texts = {
            words.HALF_THE_LIMITS: not all(row.places for row in result.answers),
            words.MANY_ANSWERS_COST: True,
            words.WEAKER_PROMISE.format(factor=square): square,
            words.MERGED_GROUPS: question.groups,
            words.PUBLIC_SIZE: question.hidden,
            words.SMALL_GROUP: small and not question.hidden,
        }
    return [text for text, holds in texts.items() if holds]


def cut_effects(result: Recommendation, data: Any) -> list[str]:
    """What cutting takes away from each mean and sum: for the holder, not for publication."""
    question, texts = result.asked, []
    if isinstance(question, KnownFile) or question.groups or question.codes is None:
        return ["What the limits cut is shown without groups."]
    errors = {row.statistic: error for row, error in zip(result.answers, result.printed_errors())}
    for label in question.questions:
        kind, _, column = label.partition(":")
        if kind not in ("mean", "sum"):
            continue
        values = np.asarray(data[column] if column else data, dtype=float)
        cut = np.clip(values, *question.columns[column]) - values
        moved = float(cut.mean() if kind == "mean" else cut.sum())
        ratio = f"{abs(moved) / (errors[label] or math.inf):.2g}"
        effect = {"answer": spoken(label), "difference": f"{moved:.2g}", "ratio": ratio}
        text = words.CUT_EFFECT.format(**effect)
        texts.append(f"{text[:1].upper()}{text[1:]}.")
    return texts


# The texts of the screen and the sheet, of the dictionary that is printed.


def computed_on(question: dict[str, Any]) -> str:
    """What is computed, and on which rows."""
    records, released = question["records"], question.get("released")
    whole = f"all {records:,}" if records else "all"
    if released:
        who = "all but one" if released == records - 1 else f"{released:,}"
        whole = f"{who} of the {records:,}"
    by = f", by {question['by']}" if question["by"] else ""
    cut = cuts(question.get("limits", {}))
    return (
        f"{', '.join(question['statistics'])}{by}: computed on {whole} records of "
        f"{rows_of(question)}{f', {cut}' * bool(cut)}"
    )


def rows_of(question: dict[str, Any]) -> str:
    """The rows that are asked, of a file."""
    rows = question["file"]
    if question["where"]:
        rows += words.WHERE.format(condition=question["where"])
    if question["dropped"]:
        return words.WITHOUT_MISSING.format(file=rows, count=f"{question['dropped']:,}")
    return rows


def not_protected(question: dict[str, Any], way: str = "") -> str:
    """What of a person is not protected, where n is public, and that factors multiply."""
    if question.get("hide_n") is not False:
        return words.MULTIPLY
    group = words.AND_GROUP * bool(question["by"])
    missing = words.OR_MISSING * bool(question["dropped"])
    text = words.NOT_PROTECTED.format(group=group, missing=missing)
    return f"{text}{way}. {words.MULTIPLY}"


def accepted(report: dict[str, Any]) -> str:
    """What was accepted, or given, what became of it, and of what the epsilon is."""
    goal, question, reason = report["accepted"], report["question"], report["reason"]
    started = f" from {goal['before']}" if goal["before"] else ""
    text = f"{goal['goal']} {goal['value']}{started}: {report['status']}"
    if reason:
        text += f", {reason}"
    if question["already"]:
        text += f", with the factor {question['already']} of what is out already"
    if goal["goal"] != "odds" and report["factor"] and " x " not in reason:
        text += f", factor {format_odds_factor(report['factor'])}"
    epsilon = format_number(report["epsilon"]) or words.NO_LIMIT
    adjacency = question.get("adjacency", "unbounded" if question.get("hide_n") else "bounded")
    step = words.CHANGED if adjacency == "bounded" else words.COMES_OR_GOES
    alone = words.ONE_GROUP * bool(question["by"])
    rounded = words.ROUNDED_UP if goal["goal"] == "scale" else words.ROUNDED
    return f"{text}. Epsilon {epsilon} in total, where {step}{alone}. {rounded}"


def offered(report: dict[str, Any], label: str) -> str:
    """What stands in the choices, of which the error is that of a label."""
    largest = f" of {label}, the largest," if len(report["answers"]) > 1 else ""
    becomes = "and what a suspicion of 1%, 10% or 50% becomes at most:"
    return f"{words.ACCEPTABLE}: a factor, its 95% error{largest} {becomes}"


def beside_answers(report: dict[str, Any]) -> str:
    """How large the errors are beside the answers, to one digit, and what would help."""
    private, names = report["private"], [row["statistic"] for row in report["answers"]]
    shares = zip(names, private["relative errors"])
    percent = [(name, float(f"{100 * share:.0e}")) for name, share in shares if share]
    errors = ", ".join(f"about {format_number(value)}% of {name}" for name, value in percent)
    texts = [f"the 95% error is {errors}."] if errors else []
    for name, *drawn in zip(names, private["answers"], private["errors in the unit"]):
        if drawn[1] is not None:
            answer, error = map(format_number, drawn)
            texts.append(f"{name} is {answer}, drawn within {error} in 95 of 100 draws.")
    return " ".join([*texts, *private.get("cut", []), *private["advice"]])


def not_if(report: dict[str, Any]) -> list[str]:
    """Who is not protected: of the sheet."""
    question, factor = report["question"], report["factor"] or math.inf
    together = words.TWO_AND_THREE.format(**_two_and_three(factor))
    if "limits" not in question:
        return [together, *words.YOURS_NOT_IF]
    rows = "one row" if question["rows"] == 1 else f"{question['rows']} rows"
    texts = [together, words.SEVERAL_ROWS.format(rows=rows), *words.YOURS_NOT_IF]
    texts += [words.NOT_IF_LIMITS] * bool(cuts(question["limits"]))
    return texts + [words.NOT_IF_PUBLIC] * (not question["hide_n"])
