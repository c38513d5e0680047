"""The list of places where the mathematics is broken on purpose fits the mathematics."""

import importlib.util
import sys
from pathlib import Path

import pytest

TESTS = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="module")
def mutate():
    spec = importlib.util.spec_from_file_location("mutate", TESTS / "mutate.py")
    module = sys.modules["mutate"] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_each_text_stands_once_in_its_module_and_sixty_places_in_fifteen_modules_are_broken(mutate):
    mutations = mutate.read(mutate.LIST, [])
    assert len(mutations) >= 60
    assert len({one.module for one in mutations}) >= 15
    assert all((TESTS.parent / test).exists() for one in mutations for test in one.tests)


@pytest.mark.parametrize("place", ["return ==> pass", "no such text ==> pass", "x = 1"])
def test_a_text_that_is_not_there_once_is_refused(mutate, place, tmp_path):
    path = tmp_path / "list.yaml"
    path.write_text(f"mechanisms/laplace.py:\n  tests: laplace\n  places: |\n    {place}\n")
    with pytest.raises(ValueError, match=r"laplace\.py must hold once, got \d+ times"):
        mutate.read(path, [])


def test_only_the_named_parts_are_read(mutate):
    modules = {one.module for one in mutate.read(mutate.LIST, ["mechanisms/laplace"])}
    assert modules == {"mechanisms/laplace.py"}
