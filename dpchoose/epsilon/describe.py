"""A recommendation put together: noise, adversaries, status, reason."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from dpchoose.epsilon import text
from dpchoose.epsilon.adversaries import EXPOSED, UNEXPOSED, Adversaries, adversaries_at
from dpchoose.epsilon.inverse import largest_rate
from dpchoose.epsilon.ray import Ray
from dpchoose.epsilon.recommendation import Facts, Recommendation
from dpchoose.epsilon.sentences import chance
from dpchoose.epsilon.setting import Setting

CONFIDENT = math.log(20)  # times the scale: Laplace noise is smaller with 95% probability
NAMED = 5  # exposed records that are named


@dataclass(frozen=True, eq=False)
class Noise:
    """The noise of each answer, shape (d,): rates, epsilons rounded down, scales rounded up."""

    rates: np.ndarray
    epsilons: np.ndarray
    scales: np.ndarray

    @classmethod
    def along(cls, ray: Ray, distance: float) -> Noise:
        """So far along a ray."""
        rates = ray.rates(distance)
        return cls(rates, ray.epsilons(distance), _scales(rates))

    @classmethod
    def stated(cls, rates: np.ndarray, sensitivities: np.ndarray) -> Noise:
        """Of given rates."""
        with np.errstate(invalid="ignore"):
            epsilons = np.nan_to_num(rates * sensitivities, nan=0.0, posinf=math.inf)
        return cls(rates, epsilons, _scales(rates))


def _scales(rates: np.ndarray) -> np.ndarray:
    with np.errstate(divide="ignore", over="ignore"):
        scales = 1 / rates
    return np.where(np.isinf(rates) | (rates == 0), scales, np.nextafter(scales, math.inf))


def describe(
    setting: Setting, noise: Noise, *, secret: str, risk: Fraction | None
) -> Recommendation:
    """What the noise costs, and what every adversary gets.

    Args:
        setting: of the answers.
        noise: of all of them, those that are out included.
        secret: which risk is accepted.
        risk: the accepted one; None where none was named.
    """
    import pandas as pd

    new = setting.new
    with np.errstate(over="ignore"):
        half = np.where(new, np.nextafter(noise.scales * CONFIDENT, math.inf), math.nan)
    half[noise.scales == 0] = 0.0
    sizes = np.where(setting.means == 0, math.nan, np.abs(setting.means))
    table = pd.DataFrame(
        {
            "statistic": setting.labels,
            "sensitivity": setting.sensitivities,
            "epsilon": noise.epsilons,
            "noise scale": noise.scales,
            "half-width": half,
            "relative half-width": half / sizes,
        }
    )[new].reset_index(drop=True)
    seen = adversaries_at(setting, noise.rates)
    status, reason = _status(setting, noise, seen, risk)
    facts = Facts(
        records=setting.records,
        release_size=setting.release_size,
        worlds=setting.amount,
        adjacency=setting.adjacency,
        secret=secret,
        risk=risk,
        published=tuple(zip(np.array(setting.labels)[~new], setting.scales[~new].tolist())),
        total=setting.total(noise.epsilons),
        world_exact=setting.worlds is not None,
        record_exact=seen.record_exact,
    )
    total = setting.total(noise.epsilons[new])
    bounds = pd.Series(dtype=float)
    return Recommendation(table, total, pd.Series(seen.risks), bounds, status, reason, facts)


def _status(
    setting: Setting, noise: Noise, seen: Adversaries, risk: Fraction | None
) -> tuple[str, str]:
    """The status of noise that keeps the risk, and why."""
    share = setting.release_size / setting.records
    risks = seen.risks
    beyond = (risks["present"] > EXPOSED and share < UNEXPOSED) or (
        risks["absent"] > EXPOSED and 1 - share < UNEXPOSED
    )
    if beyond and not seen.record_exact:
        reason = (
            f"what is learnt of one record is known by its bound alone, which reaches "
            f"{chance(risks['present'])} that it is in and {chance(risks['absent'])} that it is out"
        )
        return "not shown safe", f"{reason}; {_instead(setting, seen, risk)}"
    if beyond:
        return "exposed", f"{_who(seen)}; {_instead(setting, seen, risk)}"
    if np.isinf(noise.rates[setting.new]).all():
        exact = "answer keeps" if len(setting.labels) == 1 else "answers keep"
        most = chance(risks["world"])
        reason = f"even the exact {exact} the risk of a world, all equally likely, at {most}"
        return "any epsilon", reason
    return "ok", ""


def _who(seen: Adversaries) -> str:
    """The records that are given away, counted from 1, and how surely."""
    known = zip(seen.exposed.tolist(), seen.present.tolist(), seen.absent.tolist())
    named = [
        f"record {place + 1:,} (in {chance(present)}, out {chance(absent)})"
        for place, present, absent in itertools.islice(known, NAMED)
    ]
    more = len(seen.exposed) - len(named)
    if more:
        named.append(f"{more:,} more")
    return f"it can be told whether these are in or out, counted from 1: {', '.join(named)}"


def _instead(setting: Setting, seen: Adversaries, risk: Fraction | None) -> str:
    """What it takes to keep that record secret."""
    share = Fraction(setting.release_size, setting.records)
    told_in = seen.risks["present"] > EXPOSED and float(share) < UNEXPOSED
    secret, prior = ("present", share) if told_in else ("absent", 1 - share)
    asked = f"who is {'in' if told_in else 'out'} (secret={secret!r})"
    told_out = seen.risks["absent"] > EXPOSED and float(1 - share) < UNEXPOSED
    if risk is None or risk > EXPOSED:
        both = (
            " and as much for who is out (secret='absent'), the larger noise of the two,"
            if told_in and told_out
            else ""
        )
        return f"a risk of at most {EXPOSED} for {asked}{both} prevents it"
    if risk <= prior:
        return f"{asked} can be kept secret at a risk above {text.show(prior)}"
    ray = setting.ray(np.ones(int(setting.new.sum())))
    along = largest_rate(setting.record_curve(ray, secret, risk), risk)
    if not along:
        return "what is out already tells it, and no noise on further answers takes that back"
    epsilon = setting.total(ray.epsilons(along)[setting.new])
    return f"the same risk for {asked} takes epsilon {text.round_down(epsilon)}"
