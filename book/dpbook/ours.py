"""What the sources print, computed from dpchoose alone: a function for each chapter.

Each gives the arguments of :func:`dpbook.published.compare`: ours by the id of the fact, and what
the source's own calculation gives where it is run again with its error.
"""

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np

import dpchoose as dp
from dpbook.errata import halving
from dpbook.published import facts, posterior_rows

COLUMNS = ("school_year", "absence_days")
PERCENTILES = ("percentile_25", "percentile_50", "percentile_75")
QUERIES = ("mean", "median", "count", "sum", "std", "var", *PERCENTILES, "percentile_90")
BY_HAND = [1, 2, 3, 10, 11]  # the records of the table that Munilla Garrido works by hand
RISK = 1 / 3  # that Munilla Garrido accepts, and after him Lee and Clifton's figures


def _worlds(query: str) -> dict[str, dp.Worlds]:
    """The worlds of three of the four pupils, by column."""
    pupils, release = dp.datasets.school()
    return {column: dp.possible_worlds(query, pupils[column], len(release)) for column in COLUMNS}


def _halved(bound: Callable[..., float], worlds: dict[str, dp.Worlds]) -> dict[str, float]:
    """The epsilons of Munilla Garrido's own search, by column."""
    return {c: halving(bound, w, risk=RISK, sensitivity=w.sensitivity) for c, w in worlds.items()}


def posterior() -> dict[str, Any]:
    """Sections 4.1 and 4.4 of Lee and Clifton, their Tables 2 and 3, and the post's beliefs."""
    worlds = _worlds("mean")
    answers, delta = worlds["absence_days"].answers, worlds["absence_days"].sensitivity
    beliefs, finer = (
        {
            name: dp.posterior(of.answers, output, epsilon=2, sensitivity=of.sensitivity)
            for name, of in zip(("year", "absence"), worlds.values())
        }
        for output in (2.2013, 2.20131)
    )
    noise = dp.Laplace(epsilon=2, sensitivity=delta)
    densities = noise.density(2.2013, answers)
    above_2 = np.exp((2 - 3.1677) / noise.scale) / 2  # the share of outputs above 3.1677
    above_4 = 1 - np.exp((3.1677 - 4) / noise.scale) / 2
    even, rounded = np.full(4, 1 / 4), answers.round(2)
    table3 = posterior_rows("lc-table3", answers, answers, sensitivity=delta)
    gain = {name: dp.confidence(prior=even, posterior=of) for name, of in finer.items()}
    ours = {
        "lc-sensitivity-mean-absence": delta,
        "lc-ratio": above_4 / above_2,
        "lc-densities": densities,
        "lc-numerator": densities[0],
        "lc-posterior": beliefs["absence"][0],
        "lc-posterior-year": beliefs["year"][0],
        "lc-confidence": dp.confidence(prior=even, posterior=table3["epsilon 5"]),
        "lc-table3": table3,
        "lc-table2": posterior_rows("lc-table2", rounded, answers, sensitivity=delta),
        **{f"mu-posterior-{name}": of for name, of in finer.items()},
        **{f"mu-confidence-{name}": of for name, of in gain.items()},
    }
    as_printed = posterior_rows("lc-table2", rounded, rounded, sensitivity=delta)
    return {"ours": ours, "rerun": {"lc-table2": as_printed}}


def fig_2() -> dict[str, Any]:
    """The upper bound inverted, and the tight bound at epsilon 0.5."""
    worlds = _worlds("mean")
    odds = RISK / (1 - RISK)
    upper = {c: w.sensitivity / w.spread * np.log((w.total - 1) * odds) for c, w in worlds.items()}
    tried = {column: dp.tight_bound(of, epsilon=0.5) for column, of in worlds.items()}
    largest = {column: dp.epsilon_from_risk(of, risk="1/3") for column, of in worlds.items()}
    ours = {
        "lc-bound-absence": upper["absence_days"],
        "lc-bound-year": upper["school_year"],
        "lc-tight-year": tried["school_year"],
        "lc-greater": "smaller" if all(upper[c] < largest[c] for c in COLUMNS) else "greater",
        "mu-bound": upper,
        "mu-tight-at-half": tried,
    }
    return {"ours": ours}


def fig_2_zoom() -> dict[str, Any]:
    """The post's two searches, the first of which is shown as that of the tight bound."""
    worlds = _worlds("mean")
    tight = {column: dp.epsilon_from_risk(of, risk="1/3") for column, of in worlds.items()}
    searched = {
        "mu-search-label": _halved(dp.upper_bound, worlds),
        "mu-tight": _halved(dp.tight_bound, worlds),
    }
    return {"ours": dict.fromkeys(searched, tight), "rerun": searched}


def median() -> dict[str, Any]:
    """Section 6 of Lee and Clifton, the post's search, and its sensitivities of nine queries."""
    pupils, release = dp.datasets.school()
    n = len(release)
    worlds, days = _worlds("median"), pupils["absence_days"]
    tight = {column: dp.epsilon_from_risk(of, risk="1/3") for column, of in worlds.items()}
    of_days = worlds["absence_days"]
    lists = itertools.combinations(range(n + 1), n)
    ours = {
        "lc-median-sensitivity": of_days.sensitivity,
        "lc-table4": [dp.local_sensitivity("median", days, of) for of in lists],
        "lc-median-bound": dp.epsilon_from_risk(of_days, risk="1/3", bound="upper"),
        "lc-median-tight": tight["absence_days"],
        "mu-median-tight": tight,
    }
    for query in ("mean", "median", "count", "sum", "std", "var", *PERCENTILES):
        step = {c: dp.global_sensitivity(query, pupils[c], n) for c in COLUMNS}
        ours[f"mu-sensitivity-{query.replace('_', '-')}"] = step
    return {"ours": ours, "rerun": {"mu-median-tight": _halved(dp.tight_bound, worlds)}}


def _of_ten(query: str, column: str, adjacency: str, *, local: bool = False) -> np.ndarray:
    """The sensitivities of one query to six of the ten pupils, at each distance."""
    pupils, release = dp.datasets.school_large()
    find, of = dp.global_sensitivity, len(release)
    if local:
        find, of = dp.local_sensitivity, release
    how = [{"adjacency": adjacency, "distance": k} for k in range(1, 5)]
    return np.array([float(find(query, pupils[column], of, **one)) for one in how])


def global_sensitivity() -> dict[str, Any]:
    """The queries whose bounded sensitivity is the larger one, somewhere."""
    larger = [
        query
        for query in QUERIES
        if any(
            (_of_ten(query, c, "bounded") > _of_ten(query, c, "unbounded") + 1e-9).any()
            for c in COLUMNS
        )
    ]
    return {"ours": {"global-bounded-smaller": f"smaller, but for {', '.join(larger)}"}}


def _trend(values: np.ndarray) -> str:
    """What a sensitivity does as the distance grows, if it declines in the end."""
    top = values.argmax()
    assert (np.diff(values[top:]) < 0).all()
    return f"rises up to distance {top + 1}, then declines" if top else "declines"


def _local_share(query: str, adjacency: str) -> float:
    """The least share of the global sensitivity that the local one has, somewhere."""
    pairs = [
        (_of_ten(query, c, adjacency, local=True), _of_ten(query, c, adjacency)) for c in COLUMNS
    ]
    return min(1.0, *((here[of > 0] / of[of > 0]).min(initial=1.0) for here, of in pairs))


def local_sensitivity() -> dict[str, Any]:
    """The post's table worked by hand, and its remarks on the larger school."""
    moves = {"removing": "removed", "adding": "added", "changing": "bounded"}
    asked = "median", BY_HAND
    apart = {
        adjacency: [query for query in QUERIES if _local_share(query, adjacency) < 1 - 1e-9]
        for adjacency in ("unbounded", "bounded")
    }
    equal = [query for query in QUERIES if query not in apart["unbounded"]]
    others = [query for query in equal if query not in ("sum", "var")]
    ours = {
        "hand-global": {
            move: dp.global_sensitivity(*asked, 3, adjacency=kind) for move, kind in moves.items()
        },
        "hand-first-row": {
            move: dp.local_sensitivity(*asked, [0, 1, 2], adjacency=kind)
            for move, kind in moves.items()
        },
        "local-variance-declines": {
            c: _trend(_of_ten("var", c, "unbounded", local=True)) for c in COLUMNS
        },
        "local-sum-equals-global": "equal" if "sum" in equal else "lower",
        "local-rest-lower": ", but for ".join(["lower", *others]),
        "local-bounded-seem-equal": "equal for some queries only" if apart["bounded"] else "equal",
    }
    return {"ours": ours}


def randomized_response() -> dict[str, Any]:
    """Fair coins, and the tutorial's survey of 10,000, whose shares lie within two errors."""
    coins, plain = (dp.RandomizedResponse.from_first_head_probability(h) for h in (0.5, 0))
    p, observed = 0.2, facts()["rr-observed"]["printed"]
    expected = {"mean": p, "noisy": coins.expected_yes(p)}
    ours = {
        "rr-epsilon": coins.epsilon,
        "rr-expected": coins.expected_yes(float(observed["mean"])),
        "rr-observed": expected | {"corrected": coins.estimate(float(observed["noisy"]))},
    }
    spans = {name: plain.uncertainty(share, 10_000) for name, share in expected.items()}
    return {"ours": ours, "within": {"rr-observed": spans}}


def exponential_mechanism() -> dict[str, Any]:
    """The textbook's scores, its 200 draws within two errors, and the epsilon that one keeps."""
    scores = dp.datasets.adult_marital_status() / 1000
    choice = dp.Exponential(scores, epsilon=1, sensitivity=1)
    drawn = [*facts()["exp-draws"]["printed"]]
    expected = (200 * choice.probabilities)[: len(drawn)]  # they are the most common ones
    spans = 2 * np.sqrt(expected * (1 - expected / 200))
    ours = {
        "exp-scores": scores.to_dict(),
        "exp-draws": dict(zip(drawn, expected)),
        "exp-epsilon": choice.guarantee(1 / 1000),
    }
    return {"ours": ours, "within": {"exp-draws": dict(zip(drawn, spans))}}


def before_and_after() -> dict[str, Any]:
    """Kazan and Reiter's Table 1, and the bounds on a belief by Wood and others, at epsilon 1.

    A belief may grow r-fold, or stay at or below a. It is hardest to keep for beliefs of a/r to
    a, where the odds may grow from those of a/r to those of a. A count of theirs gets noise in
    whole numbers.
    """
    a, r = 0.25, np.array([1.5, 3, 6])
    epsilon = np.log(dp.odds_factor(a / r, a))
    x = np.exp(-epsilon)
    before = np.array([0.1, 0.25])
    ours = {
        "kr-epsilon": epsilon,
        "kr-deviation": np.sqrt(2 * x) / (1 - x),
        "kr-exact": 100 * (1 - x) / (1 + x),
        "wood-table": 100 * np.minimum(np.exp(2) * before, 1 - np.exp(-2) * (1 - before)),
    }
    return {"ours": ours}


CHAPTERS: dict[str, Callable[[], dict[str, Any]]] = {
    "posterior": posterior,
    "fig-2": fig_2,
    "fig-2-zoom": fig_2_zoom,
    "median": median,
    "global-sensitivity": global_sensitivity,
    "local-sensitivity": local_sensitivity,
    "randomized-response": randomized_response,
    "exponential-mechanism": exponential_mechanism,
    "before-and-after": before_and_after,
}
