"""How often odds grow beyond a factor under Gaussian noise is never too low."""

import math

import mpmath
import numpy as np
import pytest

import dpchoose as dp


def normal(x):
    """The chance of less than x, to sixty digits."""
    return mpmath.erfc(-x / mpmath.sqrt(2)) / 2


def assert_just_above(chance, exact):
    assert chance >= exact
    assert chance <= 1
    assert chance <= exact * (1 + mpmath.mpf("1e-11")) or chance < 1e-305


def test_no_chance_is_too_low_or_far_too_high():
    rng = np.random.default_rng(0)
    distances = 10 ** rng.uniform(-3, 1.7, 1500)
    factors = np.exp(10 ** rng.uniform(-12, 2.8, 1500))
    with mpmath.workdps(60):
        for distance, factor in zip(distances.tolist(), factors.tolist()):
            noise, mu = dp.Gaussian(distance), mpmath.mpf(distance)
            logs = mpmath.log(mpmath.mpf(factor)) / mu
            for chance, half in zip(noise.odds_exceed(factor), (mu / 2, -mu / 2)):
                assert_just_above(chance, normal(half - logs))
            assert_just_above(noise.right(), normal(mu / 2))


@pytest.mark.parametrize("distance", [5e-324, 1e-300, 31.56, 1e154, 1e308])
def test_at_the_ends_of_floats_a_chance_is_still_one(distance):
    noise = dp.Gaussian(distance)
    for factor in (1, 1 + 2**-52, 1.5, 1e308):
        assert all(0 < chance <= 1 for chance in noise.odds_exceed(factor))
    assert 0.5 <= noise.right() <= 1


def test_a_tail_is_no_difference_of_two_numbers_near_one():
    assert dp.Gaussian(31.56).odds_exceed(1.5)[1] == pytest.approx(1.7e-56, rel=0.05)


def test_both_chances_have_the_shape_of_the_factors():
    factors = np.array([[1, 1.5, 2], [3, 10, 1e9]])
    both = dp.Gaussian(1).odds_exceed(factors)
    assert [chances.shape for chances in both] == [(2, 3), (2, 3)]
    assert [chances[1, 0] for chances in both] == list(dp.Gaussian(1).odds_exceed(3))
    assert math.prod(dp.Gaussian(1).odds_exceed(np.empty((0, 2)))[0].shape) == 0
