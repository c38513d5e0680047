"""All English of a result: its readers, sentences, reasons and advice, from facts alone.

The texts that the page of the book says too stand in :mod:`dpchoose.your_data.words`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from dpchoose.numbers import (
    format_fraction,
    format_odds_factor,
    format_prior,
    format_probability,
)
from dpchoose.your_data import words
from dpchoose.your_data.formats import format_number
from dpchoose.your_data.known_file import KnownFile
from dpchoose.your_data.public_limits import PublicLimits
from dpchoose.your_data.question import Question, Reader

if TYPE_CHECKING:
    from dpchoose.your_data.result import Goal, Recommendation

SUSPICIONS = (1, 10, 50)  # beliefs before, of 100
SMALL = 100  # a group of fewer records is called small
SITUATIONS = {"known file": "the file is known", "everybody": "everybody is in the file"}
READERS = {
    "nobody": "suspects nobody: who is missing",
    "torn": "has any suspicion about who is missing",
    "suspicion": "suspects it at {before}",
    "in": "suspects nobody: is this record in",
    "out": "suspects nobody: is this record out",
    "two places": "knows all places but two people's, of whom one is in",
    "lists": "has any suspicion about whole lists",
    "value": words.VALUE,
    "value in group": words.IN_GROUP,
    "member": words.MEMBER,
    "group": words.GROUP,
}
SAME_IN_EVERY_RELEASE = "every choice of the released records gives the same"
TAKE_MISSING = "Take any reader who knows all {records} records. "
TAKE_PLACE = (
    "Take a reader who knows all {records} records and that {released} are released, and who "
    "knows the others' places or holds them independent but for their number. "
)
GUESS_MISSING = "a guess about who is missing"
GUESS_PLACE = "a guess that this person is in"
NOISE_OF_FILE = (
    "Scale, error and epsilon are computed from the file and give its extremes away: they are "
    "not for publication."
)


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

    >>> spoken("mean:visits"), spoken("share:health=poor"), spoken("count")
    ('the mean of visits', 'the share of health=poor', 'the count')
    """
    return words.ANSWER.format(answer=label.replace(":", " of ", 1))


def counted(limits: Any) -> str:
    """How values that lie beyond limits are counted.

    >>> counted((0.0, 30.0))
    ', each counted as 0 to 30,'
    """
    low, high = map(format_number, limits)
    return words.EACH_COUNTED.format(low=low, high=high)


def listing(names: Sequence[str]) -> str:
    """Names as they are listed.

    >>> listing(["a", "b", "c"])
    'a, b and c'
    """
    return " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))


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


def surprising(reason: str, odds: float) -> str:
    """A reason, and what becomes of a suspicion beside a risk that was accepted."""
    grown = f"grow x {format_odds_factor(odds)}" if odds < math.inf else "become certain"
    whom = reason or "for who suspects nobody"
    return f"{whom}; any suspicion about who is missing may {grown}"


def goal_text(goal: Goal) -> str:
    """What was accepted."""
    started = "" if goal.before is None else f" from {format_fraction(goal.before)}"
    return f"{goal.name} {goal.text}{started}"


def already_exceeds(goal: Goal) -> str:
    """Why nothing can be published beside what is out."""
    return words.EXCEEDED.format(accepted=goal_text(goal))


def nothing_left(goal: Goal) -> str:
    """Why nothing can be published beside what is out."""
    return words.NOTHING_LEFT.format(accepted=goal_text(goal))


def below_prior(goal: Goal, prior: Fraction) -> str:
    """Why a risk cannot be kept by any noise."""
    rule = f"risk must exceed {format_fraction(prior)}, the chance to guess who is missing"
    return f"{rule}, got {format_fraction(goal.value)}"


def too_close(goal: Goal) -> str:
    """Why a risk cannot be kept by noise that floats can hold."""
    return f"{goal_text(goal)} is too close to what is believed before"


def exact_answers_keep(risk: float) -> str:
    """Why no noise is needed for a reader who suspects nobody."""
    most = format_probability(risk)
    return f"even the exact answers leave who suspects nobody at most {most} sure"


def guess(question: Question) -> str:
    """What a reader is more or less sure of."""
    if isinstance(question, KnownFile):
        return GUESS_MISSING if question.one_is_missing else GUESS_PLACE
    assert isinstance(question, PublicLimits)
    names = [name for name in question.column_names if name]
    if question.columns:
        text = words.GUESS_VALUES.format(columns=listing(names or ["value"]))
        being = words.OR_IN_GROUP if question.groups else words.OR_BEING_IN
        return text + being * question.hidden
    return words.GUESS_IN_GROUP if question.groups else words.GUESS_BEING_IN


def beliefs(result: Recommendation) -> str:
    """The three beliefs, before and after, with the factor: how every sheet begins."""
    question, topic = result.asked, guess(result.asked)
    if result.refused:
        return ""
    if result.odds == math.inf:
        return words.CERTAIN.format(guess=topic)
    one, ten, half = result.of_100().values()
    rows = ""
    if isinstance(question, PublicLimits):
        take = words.TAKE
        if question.person_rows > 1:
            rows = words.FEW_ROWS.format(rows=question.person_rows)
        elif not result.context.person:
            rows = words.ONE_ROW
    else:
        assert isinstance(question, KnownFile)
        take = (TAKE_MISSING if question.one_is_missing else TAKE_PLACE).format(
            records=f"{question.records:,}", released=f"{question.size:,}"
        )
    text = words.BELIEFS if result.already == 1 else words.BELIEFS_AFTER
    factor = format_odds_factor(result.odds)
    return take + text.format(guess=topic, one=one, ten=ten, half=half, factor=factor, rows=rows)


def odds_in_a_line(result: Recommendation) -> str:
    """What odds are, in one line."""
    if result.refused or not result.odds < 1e6:
        return ""
    factor, ten = format_odds_factor(result.odds), result.of_100()["10"]
    return words.ODDS.format(factor=factor, ten=ten)


def sentences(result: Recommendation) -> list[str]:
    """What may be said to whoever signs, at most five; the first is the one to sign."""
    if result.refused:
        return [words.NOTHING.format(reason=result.reason)]
    first = f"{to_sign(result)} {beliefs(result)}"
    looking = f"{words.MULTIPLY} {words.LOOKING}"
    if isinstance(result.asked, KnownFile):
        return [first, *_of_known_file(result.asked, result.reader_rows, result.odds), looking]
    assert isinstance(result.asked, PublicLimits)
    return [first, *_of_everybody(result.asked, result.odds), looking]


def to_sign(result: Recommendation) -> str:
    """What is published of which rows, with which noise."""
    question, context = result.asked, result.context
    published = [name for name in question.questions if name not in result.not_published]
    verb = words.IS_PUBLISHED if len(published) == 1 else words.ARE_PUBLISHED
    where = words.WHERE.format(condition=context.where) if context.where else ""
    left_out = ""
    if context.left_out:
        left_out = words.LEFT_OUT.format(columns=listing(list(context.left_out)))
    text, noise = words.TO_SIGN, words.MANY_NOISES
    if result.status == "exact":
        text = words.TO_SIGN.replace(" with {noise}", " without noise: {noise}")
        noise = result.reason
    elif len(published) == 1 and (single := _single_noise(result)):
        drawn, noise = single
        text = words.TO_SIGN_DRAWN if drawn else words.TO_SIGN
    answers = _answers(question, published)
    return text.format(
        answers=answers[:1].upper() + answers[1:],
        records=_records(question),
        where=where,
        published=verb if result.status == "computed" else words.MAY_BE_PUBLISHED,
        noise=noise,
        left_out=left_out,
    )


def _answers(question: Question, published: list[str]) -> str:
    """The answers that are published, of which groups."""
    columns = question.columns if isinstance(question, PublicLimits) else {}
    cut = [_limits_of(label, columns) for label in published]
    names = [spoken(label) for label in published]
    same = len({*cut}) == 1 and cut[0] is not None
    if not same:  # each answer has its own
        names = [
            name + (f" ({counted(limits).strip(', ')})" if limits else "")
            for name, limits in zip(names, cut)
        ]
    if len(names) > words.MOST_NAMED:
        many = words.MANY_ANSWERS.format(count=len(names))
        names = [many if same or not cuts(columns) else f"{many} ({cuts(columns)})"]
    text, groups = listing(names), question.groups
    if len(groups) > 1:
        text = words.IN_EACH_GROUP.format(answers=text, count=len(groups))
    elif groups:
        text = words.IN_ONE_GROUP.format(answers=text, group=groups[0])
    return text + counted(cut[-1]) if same else text


def _limits_of(label: str, columns: dict[str, Any]) -> Any:
    """The limits to which the values of an answer are cut; None of a share or a count."""
    kind, _, column = label.partition(":")
    return None if kind == "share" else columns.get(column)


def _records(question: Question) -> str:
    """The records of which answers are published."""
    if isinstance(question, KnownFile):
        return f"{question.size:,} of the {question.records:,} records"
    if isinstance(question, PublicLimits) and question.hidden:
        return words.ALL_RECORDS
    return words.COUNTED_RECORDS.format(count=f"{question.records:,}")


def _single_noise(result: Recommendation) -> tuple[bool, str] | None:
    """Whether the one answer is drawn, and its error in words; None where it has no public one."""
    question = result.asked
    if isinstance(question, PublicLimits) and question.means:
        errors = result.printed_expected()
        if len(errors) != 1 or errors[0] is None:
            return None
        return False, words.ONE_NOISE.format(error=format_number(errors[0]))
    errors = [error for error in result.printed_errors(result.scales) if error is not None]
    if len(errors) != 1:
        return None
    error = format_number(errors[0])
    row = question.rows[0]
    if isinstance(question, PublicLimits) and row.rank is not None:
        values = "values" if question.hidden else f"{question.records:,} values"
        half = row.rank == Fraction(1, 2)
        percentile = (
            words.MIDDLE if half else words.PERCENTILE.format(p=f"{float(100 * row.rank):g}")
        )
        return True, words.PLACES.format(places=error, percentile=percentile, values=values)
    return False, words.ONE_NOISE.format(error=error)


def _of_known_file(question: KnownFile, rows: list[Reader], odds: float) -> list[str]:
    """For whom a promise about a known file holds, and for whom it does not."""
    first = rows[0]
    belief, factor = format_probability(first.after), format_odds_factor(first.factor)
    prior = format_prior(first.before)
    begins = f"A reader who suspects nobody more than another begins at {prior}"
    sure = f"{begins} and gets at most {belief} sure who is missing (x {factor} for this reader)."
    if question.one_is_missing:
        return [sure, NOISE_OF_FILE]
    out = f"{format_prior(rows[1].before)}, {format_probability(rows[1].after)}"
    gets = f"gets at most {belief} sure (that the person is out: {out})"
    whole = "Of whole lists nothing is promised"
    together = words.TOGETHER.format(**_two_and_three(odds))
    return [f"{begins} that a person is in and {gets}.", f"{whole}{together}", NOISE_OF_FILE]


def _two_and_three(odds: float) -> dict[str, str]:
    """The factors for two and for three people whose records move together."""
    odds = min(odds, 1e9)  # over a million is all that is said
    return {"two": format_odds_factor(odds**2), "three": format_odds_factor(odds**3)}


def _of_everybody(question: PublicLimits, odds: float) -> list[str]:
    """What the error is, for whom the promise holds, what it does not protect."""
    error = words.CUT_NOT_IN_IT if cuts(question.columns) else words.NOISE_ALONE
    holds = words.HOLDS_HIDDEN if question.hidden else words.HOLDS
    being = words.BEING_IN_GROUP if question.groups else words.BEING_IN
    being = words.BEING_IN_HIDDEN if question.hidden else being
    never = words.NEVER_HIDDEN if question.hidden else words.NEVER
    return [
        f"{error}{words.MEAN_OF_TWO * bool(question.means)}",
        f"{holds}{words.TOGETHER.format(**_two_and_three(odds))} {being}",
        never,
    ]


def advice(result: Recommendation, *, large: bool) -> list[str]:
    """What makes errors smaller, and what that costs; ``large``: one is, beside its answer."""
    factor, question = result.odds, result.asked
    texts = []
    if result.not_published:
        texts.append(words.NOT_ASKED.format(answers=", ".join(result.not_published)))
    if isinstance(question, KnownFile):
        if not large or not 1 < factor < 1e3:
            return texts
        return [
            *texts,
            "An error is more than a tenth of its answer. Half of every error takes the square "
            f"of the factor, {format_odds_factor(factor**2)}; of k answers published together "
            "each has k times the error of one alone.",
        ]
    assert isinstance(question, PublicLimits)
    texts.append(words.HALF_THE_LIMITS)
    if 1 < factor < 1e3:
        texts.append(words.WEAKER_PROMISE.format(factor=format_odds_factor(factor * factor)))
    if question.groups:
        texts.append(words.MERGED_GROUPS)
    if question.hidden:
        texts.append(words.PUBLIC_SIZE)
    elif question.groups and question.sizes.min() < SMALL:
        texts.append(words.SMALL_GROUP)
    return texts


def cut_effects(result: Recommendation, data: Any) -> list[str]:
    """What cutting takes away from each mean and sum: for the holder, not for publication."""
    question, texts = result.asked, []
    if not isinstance(question, PublicLimits) or question.groups or question.codes is None:
        return ["What the limits cut is shown without groups."]
    errors = {row["statistic"]: row["error"] for row in result.to_dict()["answers"]}
    for label in question.questions:
        kind, _, column = label.partition(":")
        if kind not in ("mean", "sum"):
            continue
        values = np.asarray(data[column] if column else data, dtype=float)
        cut = values - np.clip(values, *question.columns[column])
        difference = float(cut.mean() if kind == "mean" else cut.sum())
        error = errors[label] or math.inf
        effect = {"answer": spoken(label), "difference": f"{-difference:.2g}"}
        text = words.CUT_EFFECT.format(**effect, ratio=f"{abs(difference) / error:.2g}")
        texts.append(f"{text[:1].upper()}{text[1:]}.")
    return texts


# The texts of the screen, of the dictionary that is printed.


def computed_on(question: dict[str, Any]) -> str:
    """What is computed, and on which rows."""
    records, released = question["records"], question.get("released")
    if not records:
        whole = "all"
    elif not released:
        whole = f"all {records:,}"
    else:
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


def not_protected(question: dict[str, Any]) -> str:
    """What of a person is not protected, where n is public, and that factors multiply."""
    multiply = f" {words.MULTIPLY}"
    if question.get("hide_n") is not False:
        return multiply
    group = words.AND_GROUP * bool(question["by"])
    missing = words.OR_MISSING * bool(question["dropped"])
    text = words.NOT_PROTECTED.format(group=group, missing=missing)
    return f" {text}; for that: --hide-n.{multiply}"


def accepted(report: dict[str, Any]) -> str:
    """What was accepted, or given, and what became of it."""
    goal, reason = report["accepted"], f", {report['reason']}" if report["reason"] else ""
    started = f" from {goal['before']}" if goal["before"] else ""
    text = f"{goal['goal']} {goal['value']}{started}: {report['status']}{reason}"
    if report["question"]["already"]:
        text += f", with the factor {report['question']['already']} of what is out already"
    if goal["goal"] != "odds" and report["factor"] and " x " not in reason:
        text += f", factor {format_odds_factor(report['factor'])}"
    epsilon = format_number(report["epsilon"]) or words.NO_LIMIT
    return f"{text}. Epsilon {epsilon} {in_total(report['question'], goal['goal'])}"


def in_total(question: dict[str, Any], goal: str) -> str:
    """Of what the epsilon of all answers is, and how numbers are rounded."""
    hidden = question.get("hide_n")
    bounded = question.get("adjacency", "unbounded" if hidden else "bounded") == "bounded"
    step = words.CHANGED if bounded else words.COMES_OR_GOES
    alone = words.ONE_GROUP * bool(question["by"])
    rounded = words.ROUNDED_UP if goal == "scale" else words.ROUNDED
    return f"in total, where {step}{alone}. {rounded}"


def offered(report: dict[str, Any], label: str) -> str:
    """What stands in the choices, of which the error is that of a label."""
    largest = f" of {label}, the largest," if len(report["answers"]) > 1 else ""
    becomes = "and what a suspicion of 1%, 10% or 50% becomes at most:"
    return f"{words.ACCEPTABLE}: a factor, its 95% error{largest} {becomes}"


def beside_answers(report: dict[str, Any]) -> str:
    """How large the errors are beside the answers, to one digit, and what would help."""
    private = report["private"]
    shares = zip(report["answers"], private["relative errors"])
    percent = ((row["statistic"], float(f"{100 * share:.0e}")) for row, share in shares if share)
    errors = ", ".join(f"about {format_number(value)}% of {name}" for name, value in percent)
    sizes = [f"the 95% error is {errors}."] if errors else []
    drawn = [
        f"{row['statistic']} is {format_number(answer)}, drawn within {format_number(error)} in 95 "
        "of 100 draws."
        for row, answer, error in zip(
            report["answers"], private["answers"], private["errors in the unit"]
        )
        if error is not None
    ]
    return " ".join([*sizes, *drawn, *private.get("cut", []), *private["advice"]])


def not_if(report: dict[str, Any]) -> list[str]:
    """Who is not protected: of the sheet."""
    question, factor = report["question"], report["factor"] or math.inf
    together = words.TWO_AND_THREE.format(**_two_and_three(factor))
    texts = [together, *words.YOURS_NOT_IF]
    if "limits" not in question:
        return texts
    rows = "one row" if question["rows"] == 1 else f"{question['rows']} rows"
    texts.insert(1, words.SEVERAL_ROWS.format(rows=rows))
    if cuts(question["limits"]):
        texts.append(words.NOT_IF_LIMITS)
    return [*texts, words.NOT_IF_PUBLIC] if not question["hide_n"] else texts
