"""Mechanisms: Laplace noise, the exponential mechanism, randomized response."""
