"""All English of a result: its readers, sentences, reasons and advice, from facts alone.

The texts that the page of the book says too stand in :mod:`dpchoose.your_data.words`.
"""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from dpchoose.numbers import NO_LIMIT, format_odds_factor, format_prior, format_probability
from dpchoose.sensitivity.limits import largest_variance
from dpchoose.your_data import words
from dpchoose.your_data.asked import Asked, Found, Reader
from dpchoose.your_data.formats import format_number
from dpchoose.your_data.noise import Drawn
from dpchoose.your_data.row import Row

SURPRISING = 10  # the factor that is said beside an accepted risk
LARGE = 0.1  # the share of an answer from which on its error is called large
SMALL = 100  # a group of fewer records is called small
SITUATIONS = {"known file": "the file is known", "everybody": "everybody is in the file"}


def filled(text: str, **facts: Any) -> str:
    """A text with what is filled in; nothing where that is missing.

    >>> filled(", by {by}", by="ward"), filled(", by {by}", by=None)
    (', by ward', '')
    """
    return text.format(**facts) if all(facts.values()) else ""


def reader(row: Reader) -> str:
    """Who a reader is, and what she asks."""
    return words.READERS[row.reader].format(before=format_prior(row.before))


def spoken(label: str) -> str:
    """What an answer is called in a sentence.

    >>> spoken("mean:visits"), spoken("percentile_90:visits"), spoken("count")
    ('the mean of visits', 'the 90th percentile of visits', 'the count')
    >>> spoken("var:visits")
    'the variance of visits (divided by n)'
    """
    kind, sign, column = label.partition(":")
    if kind == "var":
        return words.ANSWER.format(answer=words.VARIANCE_OF.format(of=" of " * bool(sign) + column))
    if kind.startswith("percentile_"):
        kind = ordinal(kind.removeprefix("percentile_")) + " percentile"
    return words.ANSWER.format(answer=kind + " of " * bool(sign) + column)


def ordinal(number: str) -> str:
    """A number of a place.

    >>> [ordinal(number) for number in ("1", "22", "11", "90", "2.5")]
    ['1st', '22nd', '11th', '90th', '2.5th']
    """
    if "." in number or number[-2:] in ("11", "12", "13"):
        return f"{number}th"
    return number + {"1": "st", "2": "nd", "3": "rd"}.get(number[-1], "th")


def begun(text: str) -> str:
    """A text as a sentence begins."""
    return text[:1].upper() + text[1:]


def counted(what: str, limits: Sequence[float]) -> str:
    """How values are counted that lie beyond limits, or between their steps.

    >>> counted("each", (0.0, 30.0)), counted("each", (0.0, 30.0, 5.0))
    ('each counted as 0 to 30', 'each counted as 0 to 30, in steps of 5')
    """
    low, high, *step = map(format_number, limits)
    steps = words.IN_STEPS.format(step=step[0]) if step else ""
    return words.COUNTED.format(what=what, low=low, high=high) + steps


def counted_of(row: Row) -> str:
    """How each value of an answer is counted; "" where it is not cut."""
    what = "each value" if row.column == "" else "each"
    return counted(what, row.low_high_step) if row.is_cut else ""


def listing(names: Sequence[str], last: str = "and") -> str:
    """Names as they are listed.

    >>> listing(["a", "b", "c"])
    'a, b and c'
    """
    return f" {last} ".join(filter(None, [", ".join(names[:-1]), *names[-1:]]))


def cuts(limits: dict[str, Any]) -> str:
    """How the values of each column that is cut are counted.

    >>> cuts({"stay": (0.0, 60.0)})
    'stay counted as 0 to 60'
    """
    return ", ".join(counted(name or "each value", pair) for name, pair in limits.items())


# The sentences that are signed.


def sentences(noise: Found) -> list[str]:
    """The promise, on what it rests, and what it leaves open: five paragraphs at most."""
    question = noise.question
    facts = _facts(noise)
    first, looking = f"{to_sign(noise)} {beliefs(noise)}", f"{words.MULTIPLY} {words.LOOKING}"
    promised = [text.format(**facts) for text in _said_of(question)["promised"]]
    if question.situation == "known file":
        noisy = [error for error in noise.printed_errors() if error]
        within = words.WITHIN.format(error=format_number(noisy[0])) if len(noisy) == 1 else ""
        return [first, *promised, within + words.NOISE_OF_FILE, looking]
    rounded = any(row.step for row in question.cut_rows)
    cut = words.CUT_AND_ROUNDED if rounded else words.CUT_NOT_IN_IT
    error = cut if question.cut_rows else words.NOISE_ALONE
    error += variances(question)
    error += words.MEAN_OF_TWO * bool(question.means) + words.ALL_WITHIN * (noise.noisy > 1)
    error += filled(words.MEAN_IF_ROWS, if_rows=if_rows(question))
    error += mostly_noise(noise, question.expected if question.hidden else question.sizes)
    rests = _rests_on(question.facts()) + kept_rows(question)
    return [first, f"{rests} {error}", *promised, looking]


def variances(question: Asked) -> str:
    """How each variance is printed, and that its root may be read off."""
    texts = [
        words.VARIANCE.format(answer=begun(spoken(row.label)), each=counted_of(row))
        for row in question.asked
        if row.query == "var"
    ]
    return "".join(texts) + words.V_AND_E * bool(texts)


def _rests_on(question: dict[str, Any]) -> str:
    """On what the promise rests, beside who reads it, where everybody is in the file."""
    group = words.OF_EACH_GROUP * bool(question["by"])
    texts = [words.LIMITS_FIXED] * bool(cuts(question["limits"]))
    texts += [words.N_IS_PUBLIC.format(group=group)] * (not question["hide_n"])
    return begun(", ".join(texts) + words.AND_ALSO * bool(texts) + words.DRAWN_ONCE) + "."


def kept_rows(question: Asked) -> str:
    """That only the first rows of each person are used, and what this rests on."""
    if not question.context.keep_rows:
        return ""
    text = words.KEEP_ROWS if question.person_rows > 1 else words.KEEP_ONE_ROW
    nor = words.NOR_ON_ANSWERS * bool(question.groups and not question.hidden)
    known = words.ROWS_KNOWN * (not question.hidden)
    return text.format(rows=question.person_rows, by_group=nor) + known


def _said_of(question: Asked) -> dict[str, Any]:
    """What is said in its situation alone."""
    if question.situation == "known file":
        return words.ONE_IS_MISSING if question.one_is_missing else words.PLACES
    return words.HIDDEN if question.hidden else words.PUBLIC


def _facts(noise: Found) -> dict[str, Any]:
    """What is filled in: of the question, of what is promised, and of each reader."""
    question = noise.question
    facts = question.facts() | _two_and_three(noise.odds)
    facts |= {"guess": _guess(question), "factor": format_odds_factor(noise.odds)}
    facts |= {"group": words.THE_GROUP * bool(question.groups), "known": _known(noise)}
    needs_n = any(row.query == "var" for row in question.asked)  # which is refused with n hidden
    facts["way"] = words.HIDE_FOR_THAT * (not needs_n)
    facts |= dict(zip(("one", "ten", "half"), noise.of_100().values()))
    for place, row in enumerate(noise.reader_rows):
        facts[f"before_{place}"] = format_prior(row.before)
        facts[f"after_{place}"] = format_probability(row.after)
        facts[f"factor_{place}"] = format_odds_factor(row.factor)
    return facts


def _known(noise: Found) -> str:
    """What of a person counts as known, because numbers of rows that show it are public."""
    question, context = noise.question, noise.question.context
    if question.hidden:
        return ""
    texts = [words.KNOWN_GROUP] * bool(question.groups)
    texts += [words.KNOWN_CONDITION] * bool(context.where)
    texts += [words.KNOWN_MISSING] * bool(context.left_out)
    return filled("{known}" + words.AND_ALSO, known=", ".join(texts))


def if_rows(question: Asked) -> str:
    """On which number of rows the errors of means rest, with n hidden; nothing where on none."""
    return filled(words.IF_ROWS + words.IN_EACH * bool(question.groups), rows=question.expected)


def _two_and_three(odds: float) -> dict[str, str]:
    """The factors for two and for three people whose records move together."""
    odds = min(odds, 1e9)  # over a million is all that is said
    return {"two": format_odds_factor(odds**2), "three": format_odds_factor(odds**3)}


def beliefs(noise: Found) -> str:
    """The three beliefs, before and after, with the factor: how every sheet begins."""
    question, facts, rows = noise.question, _facts(noise), ""
    if noise.odds == math.inf:
        return words.CERTAIN.format(**facts)
    if question.situation == "everybody" and not question.context.keep_rows:
        rows = words.ONE_ROW * (not question.context.person)
        if question.person_rows > 1:
            rows = words.FEW_ROWS.format(rows=question.person_rows)
    text = _said_of(question).get("take", words.TAKE)
    text += words.BELIEFS if question.already == 1 else words.BELIEFS_AFTER
    tell = words.TELL[question.already != 1]
    return text.format(**facts | {"rows": rows, "tell": tell})


def _guess(question: Asked) -> str:
    """What a reader is more or less sure of."""
    if question.situation == "known file":
        return _said_of(question)["guess"]
    if not question.of_values:
        return words.GUESS_IN_GROUP if question.groups else words.GUESS_BEING_IN
    names = [str(name) for name in question.column_names if name != ""] or ["value"]
    being = words.OR_IN_GROUP if question.groups else words.OR_BEING_IN
    columns = ", ".join(names) + words.TOGETHER[min(len(names), 3)]
    return words.GUESS_VALUES.format(columns=columns) + being * question.hidden


def odds_in_a_line(noise: Found) -> str:
    """What odds are, in one line; nothing of a factor of a million, or of none."""
    return words.ODDS.format(**_facts(noise)) if noise.odds < 1e6 else ""


def reason(noise: Found) -> str:
    """Why no noise is needed, or for whom alone a risk is kept; "" where neither is so."""
    why = ""
    if not noise.scales.any():
        if not noise.goal.is_plain_risk:
            return words.SCALE_0
        why = words.EXACT_KEEP_IT.format(risk=format_probability(noise.reader_rows[0].after))
    if not noise.goal.is_plain_risk or noise.odds <= SURPRISING:
        return why
    text = words.MAY_GROW if noise.odds < math.inf else words.MAY_BE_CERTAIN
    factor = format_odds_factor(noise.odds)
    return text.format(reason=why or words.FOR_NOBODY, factor=factor)


def to_sign(noise: Found) -> str:
    """What is published of which rows, with which noise."""
    facts, context = noise.question.facts(), noise.question.context
    answers, records = _answers(noise.question, context.by), words.ALL_RECORDS
    if facts["records"]:
        records = words.SOME_RECORDS if "released" in facts else words.COUNTED_RECORDS
    verb = words.IS_PUBLISHED if len(facts["statistics"]) == 1 else words.ARE_PUBLISHED
    is_accepted = noise.goal.name in ("odds", "risk")
    return words.TO_SIGN.format(
        answers=begun(answers),
        records=records.format(**facts),
        where=filled(words.WHERE, condition=context.where),
        published=words.MAY_BE_PUBLISHED if is_accepted else verb,
        noise=_noise(noise),
        left_out=filled(words.LEFT_OUT, columns=listing(context.left_out, "or")),
    )


def _answers(question: Asked, by: str) -> str:
    """The answers that are published, of which groups."""
    limits, groups = question.facts().get("limits", {}), question.groups
    names = [spoken(label) for label in question.questions]
    own = [*map(counted_of, question.asked)] or [""] * len(names)
    same = filled(", {each},", each=own[0] if len({*own}) == 1 else "")
    if not same:  # each answer has its own
        names = [name + filled(" ({each})", each=text) for name, text in zip(names, own)]
    if len(names) > words.MOST_NAMED:
        many = words.MANY_ANSWERS.format(count=len(names))
        names = [many if same or not cuts(limits) else f"{many} ({cuts(limits)})"]
    text = listing(names) + same
    if len(groups) == 1:
        one = words.IN_ONE_GROUP.format(answers=text.removesuffix(","), group=groups[0])
        return one + "," * bool(same)
    if groups:
        text = words.IN_EACH_GROUP.format(answers=text, count=len(groups))
        text += filled(words.BY_COLUMN, by=by)
    return text


def _noise(noise: Found) -> str:
    """With which noise: the errors of a few answers, where these are public."""
    question, errors, noisy = noise.question, noise.printed_errors(), len(noise.scales)
    if not noise.scales.any():
        return words.NO_NOISE.format(reason=reason(noise))
    if question.situation == "known file":  # whose errors are not for publication
        all_noisy = noise.scales[question.informative].all()
        return words.SOME_NOISE if all_noisy else words.MANY_SCALES
    shown = [format_number(e) for e in errors[noisy:] or errors if e is not None]
    ranks = {row.rank for row in question.asked}
    if len(question.questions) > 1 or len(shown) != 1:
        plain = ranks == {None} and not (question.hidden or question.groups)
        if plain and len(shown) <= words.MOST_NAMED:
            return words.FEW_NOISES.format(errors=listing(shown))
        is_unknown = question.means and question.expected is None
        return words.MANY_SCALES if is_unknown else words.MANY_NOISES
    if ranks == {None}:
        resting = filled(", {if_rows}", if_rows=if_rows(question))
        return words.ONE_NOISE.format(error=shown[0]) + resting
    place = spoken(question.asked[0].label.partition(":")[0]).replace("median", "middle")
    values = "values" if question.hidden else f"{question.records:,} values"
    steps = [format_number(float(row.grid.unit)) for row in question.asked if row.grid]
    facts = {"values": values, "step": steps[0]}
    return words.ONE_DRAWN.format(error=shown[0], place=place, **facts)


# What is for the holder of the file.


def advice(noise: Found) -> list[str]:
    """What makes errors smaller, and what that costs."""
    question, large = noise.question, any(row.relative > LARGE for row in noise.answers)
    square = format_odds_factor(noise.odds**2) if 1 < noise.odds < 1e3 else ""
    if question.situation == "known file":
        return [words.MUCH_NOISE.format(factor=square)] * (large and square != "")
    kinds = {(row.query, row.rank) for row in question.asked}
    is_small = bool(question.groups) and question.sizes.min() < SMALL
    texts = [
        (words.HALF_THE_LIMITS, any(rank is None and kind != "var" for kind, rank in kinds)),
        (words.QUARTER_OF_VARIANCE, ("var", None) in kinds),
        (words.MANY_ANSWERS_COST, True),
        (words.WEAKER_PROMISE.format(factor=square), square),
        (words.MERGED_GROUPS, question.groups),
        (words.PUBLIC_SIZE, question.hidden),
        (words.SMALL_GROUP, is_small and not question.hidden),
        (mostly := mostly_noise(noise, question.sizes).strip(), mostly),
    ]
    return [text for text, holds in texts if holds]


def all_noise(noise: Found) -> str:
    """Which answers by group are all noise, by their limits; "" where sizes are hidden."""
    question = noise.question
    if question.hidden or not question.groups:
        return ""
    sizes = np.repeat(question.sizes, len(question.of_values)) / question.person_rows
    all_of_n = (question.sensitivities * sizes).tolist()
    wide = []
    for row, answer, most in zip([*question.of_values] * len(sizes), noise.answers, all_of_n):
        most = largest_variance(row.limits) if row.query == "var" and row.limits else most
        if answer.error > most and not answer.places:
            wide.append(answer.statistic)
    return filled(words.ALL_NOISE, answers=few_or_many(wide))


def few_or_many(names: Sequence[str]) -> str:
    """Some answers by their names, or how many they are."""
    if len(names) > words.MOST_NAMED:
        return words.MANY_ANSWERS.format(count=len(names))
    return "; ".join(names)


def mostly_noise(noise: Found, sizes: int | np.ndarray | None) -> str:
    """Which percentiles are mostly noise, of groups of some sizes; "" if none, or of None.

    The places that they may miss by reach half of the most that anything can miss.
    """
    question, names = noise.question, []
    if sizes is None:
        return ""
    of_rows = np.repeat(np.broadcast_to(sizes, question.sizes.shape), len(question.rows))
    rows = zip(noise.noisy_answers, noise.printed_errors(), of_rows.tolist())
    for index, (row, error, size) in enumerate(rows):
        law = question.law(index, row.scale)
        if isinstance(law, Drawn) and (error or 0.0) >= law.most(size) / 2:
            names.append(row.statistic)
    guessed = words.IF_SO_MANY.format(rows=sizes) if isinstance(sizes, int) else ""
    text = words.MOSTLY_NOISE.format(answers=few_or_many(names), if_rows=guessed)
    return text if names else ""


def cut_effects(noise: Found, data: Any) -> list[str]:
    """What cutting takes away from each mean and sum: for the holder, not for publication."""
    question, texts = noise.question, []
    if question.groups:
        return [words.CUT_BY_GROUP]
    if question.codes is None:
        return [words.CUT_WITHOUT_FILE]
    errors = {row.statistic: error for row, error in zip(noise.answers, noise.printed_errors())}
    for row in question.asked:
        if row.query in ("mean", "sum", "var") and row.limits:
            values = np.asarray(data if row.column == "" else data[row.column], dtype=float)
            cut = np.clip(values, *row.limits)
            cut = cut if row.grid is None else row.grid.nearest(cut)
            moved = (
                cut.var() - values.var()
                if row.query == "var"
                else (getattr(cut - values, row.query)())
            )
            ratio = abs(moved) / (errors[row.label] or math.inf)
            difference, ratio = (format_number(float(f"{of:.2g}")) for of in (moved, ratio))
            times = filled(words.CUT_TIMES, ratio=ratio if errors[row.label] else "")
            answer = spoken(row.label)
            texts.append(words.CUT_EFFECT.format(answer=answer, difference=difference, times=times))
    return texts


# The texts of the screen and the sheet, of the dictionary that is printed.


def computed_on(question: dict[str, Any]) -> str:
    """What is computed, and on which rows."""
    records, released = question["records"], question.get("released")
    whole = f"all {records:,}" if records else "all"
    if released:
        who = "all but one" if released == records - 1 else f"{released:,}"
        whole = f"{who} of the {records:,}"
    asked = ", ".join(question["statistics"]) + filled(", by {by}", by=question["by"])
    cut = filled(", {cut}", cut=cuts(question.get("limits", {})))
    return f"{asked}: computed on {whole} records of {rows_of(question)}{cut}"


def rows_of(question: dict[str, Any]) -> str:
    """The rows that are asked, of a file."""
    rows = question["file"] + filled(words.WHERE, condition=question["where"])
    if question.get("keep_rows"):
        count = question.get("rows_per_person", 1)
        first = words.FIRST_ROWS if count > 1 else words.FIRST_ROW
        rows += first.format(person=question["person"], rows=count)
    return rows + filled(words.WITHOUT_MISSING, count=question["dropped"])


def not_protected(question: dict[str, Any]) -> str:
    """What of a person is not protected, where n is public, and that factors multiply."""
    if question.get("hide_n") is not False:
        return words.MULTIPLY
    group = words.AND_GROUP * bool(question["by"])
    missing = words.OR_MISSING * bool(question["dropped"])
    return words.NOT_PROTECTED.format(group=group, missing=missing) + f". {words.MULTIPLY}"


def accepted(report: dict[str, Any]) -> str:
    """What was asked for, or given, what became of it, and of what the epsilon is."""
    goal, question, reason = report["accepted"], report["question"], report["reason"]
    text = words.GOALS[goal["goal"]].format(**goal)
    text += filled(" from {before}", before=goal["before"]) + words.BECAME[became(report)]
    text += filled(", {reason}", reason=reason)
    text += filled(words.WITH_ALREADY, already=question["already"])
    if goal["goal"] != "odds" and report["factor"] and " x " not in reason:
        text += f", factor {format_odds_factor(report['factor'])}"
    epsilon = format_number(report["epsilon"]) or NO_LIMIT
    adjacency = question.get("adjacency", "unbounded" if question.get("hide_n") else "bounded")
    step = words.CHANGED if adjacency == "bounded" else words.COMES_OR_GOES
    step += words.ONE_GROUP * bool(question["by"])
    rounded = words.ROUNDED_UP if goal["goal"] == "scale" else words.ROUNDED
    return f"{text}. Epsilon {epsilon} in total, where {step}. {rounded}"


def became(report: dict[str, Any]) -> str:
    """What became of what was asked for, or given: a key of ``words.BECAME``."""
    if not any(row["scale"] for row in report["answers"]):
        return "exact"
    return "kept" if report["accepted"]["goal"] in ("odds", "risk") else "computed"


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
    own = [*private.get("cut", []), *private.get("beyond", [])]
    return " ".join([*texts, *own, *private["advice"]])


def not_if(report: dict[str, Any]) -> list[str]:
    """Who is not protected: of the sheet."""
    question, factor = report["question"], report["factor"] or math.inf
    together = words.TWO_AND_THREE.format(**_two_and_three(factor))
    if "limits" not in question:
        return [together, words.NOT_IF_DRAWN]
    count = question["rows_per_person"]
    several = words.SEVERAL_ROWS.format(rows=words.ROWS_EACH[count > 1].format(count=count))
    if question.get("keep_rows"):  # who has more rows is protected too
        several = words.SEVERAL_NAMES.format(person=question["person"])
    texts = [together, several]
    texts += [words.NOT_IF_LIMITS] * bool(cuts(question["limits"]))
    return texts + [words.NOT_IF_PUBLIC] * (not question["hide_n"])
