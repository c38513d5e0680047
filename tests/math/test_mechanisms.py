"""Laplace noise protects as it says, and its formulas describe what it draws."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dpchoose as dp

quick = settings(derandomize=True, deadline=None, max_examples=60)
reals = st.floats(-1e3, 1e3)


@quick
@given(epsilon=st.floats(1e-3, 10), answer=reals, step=st.floats(-1, 1), x=reals)
def test_densities_of_neighbours_differ_by_at_most_the_factor_of_epsilon(epsilon, answer, step, x):
    noise = dp.Laplace(epsilon=epsilon, sensitivity=1)
    here, there = np.abs(np.subtract(x, [answer, answer + step])) * epsilon
    loss = abs(here - there)
    assert loss <= epsilon * (1 + 1e-9) + 1e-9
    if max(here, there) < 600:
        densities = noise.density(x, [answer, answer + step])
        assert abs(math.log(densities[0] / densities[1])) == pytest.approx(loss, abs=1e-9)


def test_the_density_integrates_to_the_tail_probability():
    noise = dp.Laplace(epsilon=2, sensitivity=17 / 6)
    for start in (-3.0, 1.5, 4.0):
        x = np.linspace(start, 60, 400_001)
        assert np.trapezoid(noise.density(x, 1.5), x) == pytest.approx(
            noise.exceeds(start, 1.5), abs=1e-8
        )


def test_samples_follow_the_distribution():
    """Kolmogorov's distance of 20,000 draws stays below its 1 % point."""
    noise = dp.Laplace(epsilon=2, sensitivity=3)
    draws = np.sort(noise.sample(5, 20_000, rng=np.random.default_rng(11)))
    below = 1 - noise.exceeds(draws, 5)
    ranks = np.arange(len(draws) + 1) / len(draws)
    distance = max(np.abs(below - ranks[1:]).max(), np.abs(below - ranks[:-1]).max())
    assert distance < 1.628 / math.sqrt(len(draws))


def test_equal_seeds_draw_equal_samples():
    noise = dp.Laplace(epsilon=1, sensitivity=1)
    first, second = (noise.sample(0, (2, 3), rng=np.random.default_rng(5)) for _ in range(2))
    assert first.shape == (2, 3)
    assert (first == second).all()


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"epsilon": 0, "sensitivity": 1}, ValueError, r"epsilon must lie in \(0, inf\], got 0"),
        ({"epsilon": 1, "sensitivity": -1}, ValueError, r"sensitivity must lie in .*, got -1"),
        ({"epsilon": "1", "sensitivity": 1}, TypeError, "epsilon must be a number, got '1'"),
    ],
)
def test_bad_arguments_are_named(arguments, error, message):
    with pytest.raises(error, match=message):
        dp.Laplace(**arguments)
