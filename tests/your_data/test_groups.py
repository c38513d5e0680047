"""The groups of a file: codes in the order of their labels."""

import math

import numpy as np
import pandas as pd
import pytest

from dpchoose.your_data.groups import groups_of

TABLE = pd.DataFrame({"age": [30, 40, 50], "los": [1.5, 2, 3]})


def test_groups_are_numbered_in_the_order_of_their_labels():
    codes, names = groups_of("age", TABLE.assign(age=["b", "a", "b"]), 3)
    assert (codes.tolist(), names) == ([1, 0, 1], ["a", "b"])
    refused = {
        "by must be one of 'age', 'los', got 'ward'": "ward",
        "by must hold a label for each of 3 records, got 1": 5,
        "by must hold a label for each of 3 records, got 2": ["a", "b"],
        "by must label each record, got nan": ["a", math.nan, "b"],
        "by must not be masked": np.ma.array([1, 2, 3], mask=[0, 1, 0]),
        "by must hold labels of one kind": ["a", 1, "b"],
        "by must label each record, got <NA>": pd.array(["a", "b", None], "string"),
    }
    for rule, by in refused.items():
        with pytest.raises((ValueError, TypeError), match=rule):
            groups_of(by, TABLE, 3)
