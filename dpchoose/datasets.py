"""The data of every chapter, most as a DataFrame of records and the released positions."""

from pathlib import Path

from dpchoose import later as pd

HEALTH = Path(__file__).parent / "data" / "health.csv"  # the file behind :func:`health`


def school() -> "tuple[pd.DataFrame, list[int]]":
    """Four pupils, of whom all but the last are released (Lee and Clifton 2011, Table 1).

    Name, school_year in years, absence_days in days.

    >>> pupils, release = dp.datasets.school()
    >>> pupils.absence_days.tolist(), release
    ([1, 2, 3, 10], [0, 1, 2])
    """
    return _table("school"), [0, 1, 2]


def school_large() -> "tuple[pd.DataFrame, list[int]]":
    """Ten pupils of whom the first six are released (Munilla Garrido 2021, local sensitivity).

    >>> pupils, release = dp.datasets.school_large()
    >>> len(pupils), release
    (10, [0, 1, 2, 3, 4, 5])
    """
    return _table("school_large"), [0, 1, 2, 3, 4, 5]


def vehicle() -> tuple[dict[str, list[int]], int]:
    """What a car reports, of which only the range is known (Munilla Garrido 2021, global).

    The universe of mood and of driving_proficiency, on scales of two and three steps, and the
    release size: any of the four who release may report any value, so each stands four times.

    >>> dp.datasets.vehicle()[0]["mood"]
    [1, 1, 1, 1, 2, 2, 2, 2]
    """
    reports = _table("vehicle").groupby("report", sort=False)["value"]
    return {name: values.repeat(4).tolist() for name, values in reports}, 4


def adult_marital_status() -> "pd.Series":
    """The marital status of 32,561 people, counted (UCI Adult, Becker and Kohavi 1996).

    Divided by 1000 they are the scores in Near and Abuah, "The Exponential Mechanism".

    >>> people = dp.datasets.adult_marital_status()
    >>> int(people.sum()), int(people["Divorced"])
    (32561, 4443)
    """
    return _table("adult_marital_status").set_index("marital_status")["people"]


def health() -> "pd.DataFrame":
    """Visits to a doctor in the RAND Health Insurance Experiment, a row a person.

    visits (to a doctor, outpatient, in a year), health (self-rated) and chronic_diseases (a
    score). They are those of the first year that each person has in
    ``datasets/randhie/src/randhie.csv`` of statsmodels 0.15.0, in the public domain, which
    Cameron and Trivedi (2005, Microeconometrics) use; by person number, which is left out::

        source = pd.read_csv("randhie.csv", dtype=str).sort_values(["zper", "year"])
        first = source.drop_duplicates("zper")
        words = {"000": "excellent", "100": "good", "010": "fair", "001": "poor"}
        rated = (first["hlthg"] + first["hlthf"] + first["hlthp"]).map(words)
        table = {"visits": first["mdvis"], "health": rated, "chronic_diseases": first["disea"]}
        pd.DataFrame(table).to_csv("health.csv", index=False)

    >>> people = dp.datasets.health()
    >>> len(people), people["health"].value_counts().to_dict()
    (5912, {'excellent': 3275, 'good': 2088, 'fair': 457, 'poor': 92})
    """
    return _table("health")


def deployments() -> "pd.DataFrame":
    """What 41 uses of differential privacy say of themselves (Deployments Registry, OpenDP).

    Of July 2026, MIT licence, from opendp/deployments-registry-data on GitHub: name, curator,
    year, variant, unit (what is protected), neighbours (whether two differ by a unit "changed",
    or "added or removed"), model, epsilon, delta, rho; label is a short name of ours, and NaN
    what is not said (of neighbours: not noted). Epsilons of different units must not be ranked.

    >>> table = dp.datasets.deployments()
    >>> len(table), int(table.epsilon.notna().sum()), int(table.rho.notna().sum())
    (41, 27, 9)
    >>> table["neighbours"].value_counts().to_dict()
    {'added or removed': 5, 'changed': 4}
    """
    return _table("deployments")


def _table(name: str) -> "pd.DataFrame":
    """A table of the folder ``data``."""
    return pd.read_csv(HEALTH.with_name(f"{name}.csv"))
