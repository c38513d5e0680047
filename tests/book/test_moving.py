"""The numbers of the pictures that move, in a real browser, against the package."""

import itertools
import re

import numpy as np
import pytest
from stage import drive, keys

import dpchoose as dp
from dpchoose.numbers import per_hundred as of_100

pupils, release = dp.datasets.school()
days = pupils["absence_days"]
even = dp.possible_worlds("mean", days, len(release))
answers = dp.world_answers("mean", days, len(release))
delta = float(dp.global_sensitivity("mean", days, len(release)))


def percent(share, digits=1):
    return f"{100 * share:.{digits}f}%"


def close(shown, ours):
    return np.allclose(shown, ours, rtol=1e-9, atol=1e-12)


def test_beliefs_are_the_posterior_at_every_output_and_epsilon(visit):
    """The bars' own words too."""
    steps = [
        step for pair in zip(keys(0), ((1, k % 101) for k in range(7, 847, 7))) for step in pair
    ]
    for seen in drive(visit("beliefs"), steps):
        ours = dp.posterior(answers, seen["output"], epsilon=seen["epsilon"], sensitivity=delta)
        assert close(seen["belief"], ours)
        assert seen["values"] == [percent(share) for share in seen["belief"]]
        assert seen["told"] == [
            f"{seen['output']:.2f} days",
            f"scale {delta / seen['epsilon']:.2f} days, ε = {seen['epsilon']:g}",
        ]
        assert percent(max(seen["belief"])) in seen["says"]


def test_the_worst_output_is_the_tight_bound_at_every_epsilon(visit):
    for seen in drive(visit("worst-output"), [*keys(1), *keys(0)]):
        noise = {"epsilon": seen["epsilon"], "sensitivity": delta}
        assert close(seen["worst"], dp.tight_bound(even, **noise))
        assert close(seen["here"], dp.posterior(answers, seen["output"], **noise).max())
        assert close(seen["crossing"], dp.epsilon_from_risk(even, risk="1/3", sensitivity=delta))
        keeps = seen["worst"] <= 1 / 3
        assert f"{'keeps' if keeps else 'breaks'} the accepted 1/3" in seen["says"]


def test_a_readers_own_numbers_have_the_bounds_of_the_package(visit):
    """Ties, two numbers and ten; epsilon, output and accepted risk anywhere."""
    page, rng = visit("worst-output"), np.random.default_rng(29)
    universes = [[12, 19, 25, 60], [5, 9], [3, 3, 7], [1, 5, 5, 5, 5], [0.1, 0.2, 0.3, 0.3]]
    universes += [rng.normal(0, 10.0**k, 10).round(3).tolist() for k in (0, 4)]
    for universe, query in itertools.product(universes, ("mean", "median", "sum", "var")):
        page.locator(".moving input[type=text]").fill(", ".join(map(str, universe)))
        page.locator(".moving select").select_option(query)
        n = len(universe) - 1
        worlds = dp.possible_worlds(query, universe, n)
        step = float(dp.global_sensitivity(query, universe, n))
        noise = {"sensitivity": step or 1}
        for seen in drive(page, [(0, "PageDown"), (1, "PageUp"), *zip(4 * [2], (0, 13, 45, 86))]):
            assert close(sorted(seen["answers"]), sorted(dp.world_answers(query, universe, n)))
            assert close(seen["sensitivity"], step)
            at = noise | {"epsilon": seen["epsilon"]}
            assert close(seen["worst"], dp.tight_bound(worlds, **at))
            assert close(seen["upper"], dp.upper_bound(worlds, **at))
            assert close(seen["here"], dp.posterior(seen["answers"], seen["output"], **at).max())
            for bound, crossing in {"tight": "crossing", "upper": "upperCrossing"}.items():
                asked = noise | {"risk": seen["risk"], "bound": bound}
                if seen[crossing] == "no":
                    with pytest.raises(dp.UnattainableRisk):
                        dp.epsilon_from_risk(worlds, **asked)
                else:
                    shown = np.inf if seen[crossing] == "any" else seen[crossing]
                    assert close(shown, dp.epsilon_from_risk(worlds, **asked))
            keeps = seen["worst"] <= seen["risk"]
            assert f"which {'keeps' if keeps else 'breaks'} the accepted" in seen["says"]


NOT_NUMBERS = {  # what is typed, and what they must be
    "12": "be two to ten, got 1",
    "1 2 3 4 5 6 7 8 9 10 11": "be two to ten, got 11",
    "1, low": "be finite and plain, got low",
    "1, 1e400": "be finite and plain, got 1e400",
    "4; 4; 4": "differ, got 4 alone",
}


def test_numbers_that_cannot_be_are_refused_in_one_line(visit):
    page = visit("worst-output")
    field, says = page.locator(".moving input[type=text]"), page.locator(".moving-says")
    for typed, reason in NOT_NUMBERS.items():
        field.fill(typed)
        assert says.inner_text() == f"The numbers must {reason}."
        assert field.get_attribute("aria-invalid") == "true"
        field.fill("12, 19, 25, 60")
        assert field.get_attribute("aria-invalid") == "false"
        assert "the 60 is missing" in says.inner_text()


def test_whatever_she_believed_before_the_worst_answer_is_the_tight_bound(visit):
    epsilon = dp.epsilon_from_risk(even, risk="1/3", sensitivity=delta)
    rng = np.random.default_rng(12)
    steps = [(int(place), int(value)) for place, value in rng.integers((0, 0), (4, 101), (120, 2))]
    for seen in drive(visit("priors"), steps):
        assert close(sum(seen["prior"]), 1)
        worlds = dp.possible_worlds("mean", days, len(release), prior=seen["prior"])
        assert close(seen["risk"], dp.tight_bound(worlds, epsilon=epsilon, sensitivity=delta))
        beliefs = dp.posterior(
            answers, answers, epsilon=epsilon, sensitivity=delta, prior=seen["prior"]
        )
        assert close(seen["after"], beliefs.diagonal())
        assert percent(seen["risk"]) in seen["says"]
        assert seen["told"] == [percent(share) for share in seen["prior"]]


def test_the_factors_of_an_answer_that_is_published_again_multiply(visit):
    steps = [step for k in range(10) for step in [(1, 4 * k), *keys(0, count=16)]]
    for seen in drive(visit("again"), steps):
        ours = dp.after([0.01, 0.1, 0.5], seen["factor"] ** seen["times"])
        assert close(seen["after"], ours)
        shown = list(map(float, re.findall(r"may become (\d+\.?\d*)", seen["says"])))
        assert all(100 * share <= up + 1e-9 and up < 100 for share, up in zip(ours, shown))
        assert list(map(of_100, ours)) == [of_100(up / 100) for up in shown]


def test_mean_and_median_follow_the_pupil(visit):
    for seen in drive(visit("one-record"), keys(0)):
        moved = [1, 2, seen["at"]]  # Chris, Kelly and Terry
        for query in ("mean", "median"):
            value = dp.queries.evaluate(query, np.array(moved, float))
            assert close(seen[query], value)
            low, high = seen["ends"][query]
            assert low - 1e-12 <= value <= high + 1e-12
            assert f"{query} {value:.2f}" in seen["values"]


def test_the_estimate_is_that_of_the_answers_given_so_far(visit):
    page = visit("coins", reduced_motion="reduce")
    rng = np.random.default_rng(3)
    steps = [(int(place), int(value)) for place, value in rng.integers((0, 0), (2, 101), (120, 2))]
    for seen in drive(page, steps):
        coins = dp.RandomizedResponse(epsilon=seen["epsilon"])
        share = seen["yes"] / seen["asked"]
        assert close(seen["estimate"], coins.estimate(share))
        assert close(seen["uncertainty"], coins.uncertainty(share, seen["asked"]))
        assert f"true yes in {percent(coins.disclosure_risk(0.2), 0)}" in seen["says"]
        assert f"the estimate is {percent(seen['estimate'])}" in seen["says"]
    assert page.locator(".person.yes").count() == seen["yes"]
    assert page.locator(".truth").count() == 40


def test_the_coins_are_fair(visit):
    """The numbers of yes of 300 surveys have the mean and the spread of two binomials."""
    page = visit("coins", reduced_motion="reduce")
    surveys = page.locator(".moving").evaluate(
        """root => Array.from({ length: 300 }, () => {
            root.querySelector("button").click();
            return JSON.parse(root.dataset.numbers).yes;
        })"""
    )
    truth = dp.RandomizedResponse(epsilon=np.log(3)).truth_probability
    mean, variance = 40 * truth + 160 * (1 - truth), 200 * truth * (1 - truth)
    assert abs(np.mean(surveys) - mean) < 4 * np.sqrt(variance / 300)
    assert 0.7 < np.var(surveys) / variance < 1.4


def test_the_chances_are_those_of_the_exponential_mechanism(visit):
    people = dp.datasets.adult_marital_status()
    for seen in drive(visit("choice"), [(0, k) for k in range(101)]):
        ours = dp.Exponential(people / 1000, epsilon=seen["epsilon"], sensitivity=1)
        assert close(seen["chances"], ours.probabilities)
        assert close(seen["guarantee"], ours.guarantee(1 / 1000))
        assert seen["values"] == [percent(chance) for chance in seen["chances"]]
