"""What the package should compute, from the definitions alone: slow, plain, at 60 digits.

Records are exact fractions, worlds are listed, and so are the outputs that can tell most.
"""

import itertools
import math
import random
from fractions import Fraction

import mpmath

from dpchoose.numbers import parse_number

mp = mpmath.MPContext()
mp.dps = 60
real = mp.convert  # a float, a fraction: equal ones give equal digits


def meant(column):
    """Floats as the decimals that are written, where all of these are short; else as they are."""
    written = [repr(float(one)) for one in column]
    short = all(len(one.partition("e")[0].replace(".", "").strip("-0")) <= 15 for one in written)
    return [Fraction(one if short else float(one)) for one in written]


@mp.workdps(300)  # enough to tell any two of them apart; what is computed from them has 60
def answer(query, records):
    """The exact answer of a named query to fractions."""
    size, total = len(records), Fraction(sum(records))
    if query in ("count", "sum"):
        return real(size if query == "count" else total)
    if query in ("mean", "var", "std"):
        variance = real((size * sum(x * x for x in records) - total * total) / size**2)
        return {"mean": real(total / size), "var": variance, "std": mp.sqrt(variance)}[query]
    p = "50" if query == "median" else query.removeprefix("percentile_")
    low, beyond = divmod((size - 1) * Fraction(p) / 100, 1)
    rows = [*sorted(records), 0]
    return real(rows[low] + beyond * (rows[low + 1] - rows[low]))


def worlds(queries, universe, size):
    """The positions in each world, and its row of answers, query by query."""
    listed, columns = list(itertools.combinations(range(len(universe)), size)), []
    for asked in queries:
        query, records = asked if isinstance(asked, tuple) else (asked, universe)  # its own
        exact = meant(records)
        columns.append([answer(query, [exact[i] for i in world]) for world in listed])
    return listed, list(zip(*columns))


def distance(one, other, rates):
    """The sum of rate times difference; an infinite rate tells any two answers apart."""
    return mp.fsum(real(t) * abs(x - y) for x, y, t in zip(one, other, rates) if x != y)


def likelihoods(output, rows, rates):
    """exp(-distance) of each row, over that of the nearest; none where no row gives the output."""
    apart = [distance(output, row, rates) for row in rows]
    return [mp.exp(min(apart) - one) for one in apart] if min(apart) < mp.inf else []


def accepted(goal):
    """The factor that is accepted, of which a risk after a belief before is one; or none."""
    numbers = {name: real(parse_number(value, name)) for name, value in goal.items()}
    if "before" in goal:
        odds = [numbers[name] / (1 - numbers[name]) for name in ("risk", "before")]
        return odds[0] / odds[1]
    return numbers.get("odds")


def shares(prior, many):
    """A prior over its sum, uniform where there is none."""
    prior = [mp.one] * many if prior is None else list(map(real, prior))
    return [p / mp.fsum(prior) for p in prior]


def posterior(rows, output, rates, prior=None):
    """By the rule of Bayes."""
    seen = zip(shares(prior, len(rows)), likelihoods(output, rows, rates))
    return shares([p * one for p, one in seen], len(rows))


def tight_bound(rows, rates, prior=None):
    """The largest posterior of a world over all outputs: it is attained at its own answer."""
    prior = shares(prior, len(rows))
    return max(posterior(rows, rows[i], rates, prior)[i] for i, p in enumerate(prior) if p)


def upper_bound(rows, rates, prior=None):
    """With all other worlds as far away as any two are."""
    prior = shares(prior, len(rows))
    near = [row for row, p in zip(rows, prior) if p]
    widest = max(distance(*pair, rates) for pair in itertools.product(near, near))
    return max(prior) / (max(prior) + (1 - max(prior)) * mp.exp(-widest))


def average_risk(answers, rate, prior=None):
    """How often the best guess is right: the integral of the largest prior times density."""
    pairs = [(f, p) for f, p in zip(answers, shares(prior, len(answers))) if p]
    tents = list(dict(sorted(pairs)).items())  # the highest at each answer
    edges = {f for f, _ in tents}
    for (f, p), (g, q) in itertools.permutations(tents, 2) if rate else ():
        crossing = (f + g) / 2 + mp.log(p / q) / (2 * rate)
        edges |= {crossing} if f < crossing < g else set()
    edges = sorted(edges)
    won = max(p * mp.exp(-rate * (f - edges[0])) for f, p in tents) / 2
    won += max(p * mp.exp(-rate * (edges[-1] - f)) for f, p in tents) / 2
    for left, right in itertools.pairwise(edges):  # here one tent is highest, and has no tip
        heights = {mp.log(p) - rate * abs((left + right) / 2 - f): (f, p) for f, p in tents}
        f, p = heights[max(heights)]
        won += p * abs(mp.exp(-rate * abs(left - f)) - mp.exp(-rate * abs(right - f))) / 2
    return won


def outputs(rows, most=300):
    """The grid of the answers, as odds are monotone between two; where it is large, a part."""
    columns = [sorted(set(column)) for column in zip(*rows)]
    if math.prod(map(len, columns)) <= most:
        return itertools.product(*columns)
    return [*rows, *(tuple(map(random.Random(i).choice, columns)) for i in range(most))]


def odds_growth(rows, rates, true, false):
    """The largest factor that any output puts on the odds of some worlds against some others."""
    largest, some, k = mp.zero, [rows[i] for i in [*true, *false]], len(true)
    for output in outputs(some):
        seen = likelihoods(output, some, rates)
        if any(seen[:k]):
            against = mp.fsum(seen[k:]) / len(false)
            largest = max(largest, mp.fsum(seen[:k]) / k / against if against else mp.inf)
    return largest


def record_risks(listed, rows, rates):
    """Of each record (before, present, absent): that it is in, and at most after, in and out."""
    seen = [posterior(rows, x, rates) for x in outputs(rows) if likelihoods(x, rows, rates)]
    found = []
    for record in sorted({i for world in listed for i in world}):
        holds = [record in world for world in listed]
        inside = [mp.fsum(p for p, held in zip(one, holds) if held) for one in seen]
        found.append((Fraction(sum(holds), len(holds)), max(inside), 1 - min(inside)))
    return found


def sensitivity(query, universe, releases, adjacency="unbounded", k=1):
    """The largest change of the answer as k records are added or removed, or at most k changed."""
    records, exact = range(len(universe)), meant(universe)
    datasets = [set(one) for n in records for one in itertools.combinations(records, n + 1)]
    answers = [answer(query, [exact[i] for i in one]) for one in datasets]
    near = {(k, 0): ("added", "unbounded"), (0, k): ("removed", "unbounded")}
    near |= {(i, i): ("bounded",) for i in range(k + 1)}
    return max(
        abs(answers[datasets.index({*release})] - there)
        for release in releases
        for other, there in zip(datasets, answers)
        if adjacency in near.get((len(other - {*release}), len({*release} - other)), ())
    )


def of_everybody(label, records, limits, number=Fraction):
    """The exact answer that a label names, of records as dictionaries, cut to the limits."""
    asked, _, group = label.partition(", ")
    kind, _, column = asked.partition(":")
    name, _, value = column.partition("=")
    inside = [one for one in records if not group or one["group"] == group]
    if kind == "count":
        return number(len(inside))
    if value:
        values, middle = [number(one[name] == value) for one in inside], number(1) / 2
    else:
        low, high = map(number, limits[name])
        values, middle = (
            [min(max(number(one[name]), low), high) for one in inside],
            (low + high) / 2,
        )
    total = sum(values, number(0)) - (len(values) * middle if kind == "centred sum" else 0)
    if kind == "var":
        return sum((value - total / len(values)) ** 2 for value in values) / len(values)
    return total / len(values) if kind in ("mean", "share") else total
