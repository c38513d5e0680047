"""Laplace noise of scale sensitivity / epsilon keeps the guarantee of epsilon."""

import dataclasses
import math
from fractions import Fraction

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


@given(noise=laplaces)
def test_the_scale_is_sensitivity_over_epsilon(noise):
    """Twice the epsilon is half the noise."""
    assert noise.scale == noise.sensitivity / noise.epsilon
    twice = dp.Laplace(epsilon=2 * noise.epsilon, sensitivity=noise.sensitivity)
    assert twice.scale == noise.scale / 2


@given(noise=laplaces, place=places)
def test_the_density_falls_by_e_for_every_scale(noise, place):
    """It is exp(-|x - centre| / b) / (2 b), with its peak at the centre."""
    b = noise.scale
    assert noise.density(3, 3) == pytest.approx(1 / (2 * b), rel=1e-15)
    got = noise.density(place * b, 0)
    assert got == pytest.approx(math.exp(-abs(place)) / (2 * b), rel=1e-14)


@given(noise=laplaces)
def test_the_density_is_that_of_the_tail_probabilities(noise):
    """What lies between two outputs is the integral of the density between them."""
    edges = np.linspace(-8, 8, 801) * noise.scale
    middles = (edges[1:] + edges[:-1]) / 2
    between = -np.diff(noise.exceeds(edges, 0.5 * noise.scale))
    areas = noise.density(middles, 0.5 * noise.scale) * np.diff(edges)
    assert between.tolist() == pytest.approx(areas.tolist(), rel=1e-3)
    assert areas.sum() == pytest.approx(1, abs=2e-3)


@given(noise=laplaces, place=places, centre=places)
def test_both_sides_have_one_half(noise, place, centre):
    """The probability above an output and above its mirror image add up to 1."""
    x, middle = place * noise.scale, centre * noise.scale
    above, below = noise.exceeds(middle + x, middle), noise.exceeds(middle - x, middle)
    assert above + below == pytest.approx(1, rel=1e-12)
    assert noise.exceeds(middle, middle) == 0.5


@given(noise=laplaces, output=places, steps=st.floats(0, 3))
def test_no_output_is_much_likelier_under_a_neighbour(noise, output, steps):
    """Centres that lie one sensitivity apart give densities within a factor exp(epsilon)."""
    x, other = output * noise.sensitivity, steps * noise.sensitivity
    loss = abs(x - other) / noise.scale - abs(x) / noise.scale
    assert abs(loss) <= noise.epsilon * steps * (1 + 1e-9) + 1e-9
    if noise.epsilon <= 1:
        ratio = noise.density(x, 0) / noise.density(x, other)
        assert ratio <= math.exp(noise.epsilon * steps) * (1 + 1e-9)


def test_lee_and_cliftons_densities():
    """Section 4.4: the output 2.2013 under each of the four worlds, at epsilon 2."""
    worlds = dp.world_answers("mean", [1, 2, 3, 10], 3)
    printed = [0.3062, 0.0784, 0.0619, 0.0489]
    assert LEE_CLIFTON.density(2.2013, worlds).tolist() == pytest.approx(printed, abs=0.5e-4)


def test_lee_and_cliftons_ratio_of_two_tails():
    """Section 4.1: P(output > 3.1677) with mean 4 over that with mean 2, printed as 3.2933."""
    ratio = LEE_CLIFTON.exceeds(3.1677, 4) / LEE_CLIFTON.exceeds(3.1677, 2)
    assert ratio == pytest.approx(3.29325, abs=0.5e-5)


def test_outputs_and_centres_broadcast():
    """A column of outputs and a row of centres give a table."""
    table = LEE_CLIFTON.density(np.zeros((5, 1)), np.arange(3))
    assert table.shape == (5, 3)
    assert LEE_CLIFTON.exceeds(np.zeros((5, 1)), np.arange(3)).shape == (5, 3)


def test_samples_follow_the_distribution():
    """The share of draws above an output is its probability, within four standard errors."""
    draws = LEE_CLIFTON.sample(5, 200_000, rng=np.random.default_rng(1))
    assert draws.shape == (200_000,)
    for x in (-1, 3, 4.5, 5, 5.5, 8, 12):
        expected = LEE_CLIFTON.exceeds(x, 5)
        error = math.sqrt(expected * (1 - expected) / draws.size)
        assert (draws > x).mean() == pytest.approx(expected, abs=4 * error)


def test_the_same_generator_gives_the_same_draws():
    """All randomness comes from the generator that is passed."""
    first, second, other = (
        LEE_CLIFTON.sample([1, 2], (3, 2), rng=np.random.default_rng(seed)) for seed in (7, 7, 8)
    )
    assert first.shape == (3, 2)
    assert first.tolist() == second.tolist()
    assert first.tolist() != other.tolist()


def test_infinite_epsilon_adds_no_noise():
    """Its scale is 0, and so is that of a sensitivity of 0."""
    rng = np.random.default_rng(0)
    assert dp.Laplace(epsilon=math.inf, sensitivity=1).sample(3, 4, rng=rng).tolist() == [3] * 4
    assert dp.Laplace(epsilon=1, sensitivity=0).scale == 0


def test_a_sensitivity_may_be_any_number():
    """A fraction, or the result of global_sensitivity, is taken for its value."""
    found = dp.global_sensitivity("mean", [1, 2, 3, 10], 3)
    assert dp.Laplace(epsilon=2, sensitivity=found).scale == found.value / 2
    fraction = dp.Laplace(epsilon=2, sensitivity=Fraction(17, 6))
    assert fraction.density([1, 2], 0).tolist() == LEE_CLIFTON.density([1, 2], 0).tolist()


def test_a_mechanism_is_frozen():
    """Nobody changes an epsilon by accident, or mistakes its place."""
    with pytest.raises(dataclasses.FrozenInstanceError):
        LEE_CLIFTON.epsilon = 3
    with pytest.raises(TypeError):
        dp.Laplace(2, 17 / 6)
