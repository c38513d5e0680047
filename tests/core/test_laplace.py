"""Laplace noise of scale sensitivity / epsilon keeps the guarantee of epsilon."""

import dataclasses
import math
from fractions import Fraction

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dpchoose as dp

LEE_CLIFTON = dp.Laplace(epsilon=2, sensitivity=17 / 6)

laplaces = st.builds(
    dp.Laplace, epsilon=st.floats(0.01, 100), sensitivity=st.sampled_from([1e-6, 0.5, 4, 1e6])
)
places = st.floats(-20, 20)


@given(noise=laplaces, place=places)
def test_the_density_falls_by_e_for_every_scale(noise, place):
    b = noise.sensitivity / noise.epsilon
    assert noise.scale == b
    assert noise.density(place * b, 0) == pytest.approx(math.exp(-abs(place)) / (2 * b), rel=1e-14)


@given(noise=laplaces, place=places)
def test_the_tail_probability_is_the_integral_of_the_density(noise, place):
    """By quadrature, split at the answer, where the density has its kink."""
    start, middle, b = place * noise.scale, 0.5 * noise.scale, noise.scale
    steps = sorted({start, max(start, middle), middle + 60 * b})
    area = mpmath.quad(lambda x: float(noise.density(float(x), middle)), steps)
    assert float(area) == pytest.approx(float(noise.exceeds(start, middle)), rel=1e-6)
    above, below = noise.exceeds(start, 0), noise.exceeds(-start, 0)
    assert above + below == pytest.approx(1, rel=1e-12)


@given(noise=laplaces, output=places, steps=st.floats(0, 3))
def test_no_output_is_likelier_under_a_neighbour_than_epsilon_allows(noise, output, steps):
    """Answers up to k sensitivities apart give densities within a factor e^(k epsilon)."""
    x, other = output * noise.scale, steps * noise.sensitivity
    here, there = noise.density(x, 0), noise.density(x, other)
    assert here <= math.exp(noise.epsilon * steps) * there * (1 + 1e-9) + 1e-300


@pytest.mark.parametrize(("epsilon", "sensitivity"), [(math.inf, 1), (1, 0), (math.inf, 0)])
def test_without_noise_all_probability_lies_on_the_answer(epsilon, sensitivity):
    exact = dp.Laplace(epsilon=epsilon, sensitivity=sensitivity)
    assert exact.scale == 0
    assert exact.density([2, 3, 4], 3).tolist() == [0, math.inf, 0]
    assert exact.exceeds([2, 3, 4], 3).tolist() == [1, 0, 0]
    assert exact.sample(3, 4, rng=np.random.default_rng(0)).tolist() == [3] * 4


def test_an_output_may_be_infinite_and_an_answer_is_finite():
    ends = [-math.inf, math.inf]
    assert LEE_CLIFTON.density(ends, 3).tolist() == [0, 0]
    assert LEE_CLIFTON.exceeds(ends, 3).tolist() == [1, 0]
    for function in (LEE_CLIFTON.density, LEE_CLIFTON.exceeds):
        with pytest.raises(ValueError, match=r"centre must lie in \(-inf, inf\), got inf"):
            function(0, math.inf)
        with pytest.raises(ValueError, match=r"x must lie in \[-inf, inf\], got nan"):
            function(math.nan, 3)


@given(noise=laplaces, probability=st.floats(0.001, 0.999))
def test_the_noise_stays_within_its_error_as_often_as_was_asked(noise, probability):
    error = noise.error(probability)
    outside = noise.exceeds(error, 0) + 1 - noise.exceeds(-error, 0)
    assert outside == pytest.approx(1 - probability, rel=1e-9)
    assert dp.Laplace(epsilon=math.inf, sensitivity=1).error(probability) == 0


def test_samples_follow_the_distribution_and_the_generator():
    """Kolmogorov's distance of 20,000 draws stays below its 1% point."""
    draws = np.sort(LEE_CLIFTON.sample(5, 20_000, rng=np.random.default_rng(11)))
    below = 1 - LEE_CLIFTON.exceeds(draws, 5)
    ranks = np.arange(len(draws) + 1) / len(draws)
    distance = max(np.abs(below - ranks[1:]).max(), np.abs(below - ranks[:-1]).max())
    assert distance < 1.628 / math.sqrt(len(draws))
    first, second, other = (
        LEE_CLIFTON.sample([1, 2], (3, 2), rng=np.random.default_rng(seed)) for seed in (7, 7, 8)
    )
    assert first.tolist() == second.tolist() != other.tolist()


def test_a_mechanism_takes_its_numbers_by_name_and_keeps_them():
    with pytest.raises(dataclasses.FrozenInstanceError):
        LEE_CLIFTON.epsilon = 3
    assert dp.Laplace(epsilon=2, sensitivity=Fraction(17, 6)).scale == LEE_CLIFTON.scale
    assert LEE_CLIFTON.density(np.zeros((5, 1)), np.arange(3)).shape == (5, 3)
