"""The picture of an answer: risk against epsilon, and the risk that is accepted."""

from __future__ import annotations

import importlib.util
import io
import math
import textwrap
import warnings
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from dpchoose import progress
from dpchoose.commands.answer import SUREST, Answer, down, printable
from dpchoose.commands.options import Question
from dpchoose.epsilon.setting import Setting
from dpchoose.worlds.subsets import MAX_WORLDS

POINTS = 61  # of each curve
RANGE = 10.0  # epsilons that are drawn where none was chosen
COLOURS = ("#0b6e99", "#6b6b6b", "#b3541e")
SMALL = 0.1  # an accepted risk below which the axis is logarithmic


def check() -> None:
    """Refuse to draw where nothing draws.

    Raises:
        ValueError: without matplotlib.
    """
    if importlib.util.find_spec("matplotlib") is None:
        raise ValueError(
            "--plot and --report need matplotlib: pip install 'dpchoose[plot]' brings it"
        )


@dataclass(frozen=True, eq=False)
class Drawing:
    """What is drawn.

    Attributes:
        epsilons: total epsilon, shape (P,).
        curves: risk of the secret by each bound, each of shape (P,).
        risk: that is accepted.
        chosen: total epsilon that was found.
        title: what is published.
        across: what the epsilons are those of.
        upright: what the risk is.
    """

    epsilons: np.ndarray
    curves: dict[str, np.ndarray]
    risk: float
    chosen: float
    title: str
    across: str
    upright: str

    @classmethod
    def of(cls, answer: Answer) -> Drawing:
        """The bounds along the ray on which the recommended epsilons lie."""
        found = answer.found
        chosen = float(found.epsilon)
        usual = chosen if 0 < chosen < math.inf else RANGE / 2
        factors = np.linspace(0, 2, POINTS)
        names = found.table["statistic"].tolist()
        title = ", ".join(textwrap.shorten(one, 40, placeholder="…") for one in names[:3])
        title += f" and {len(names) - 3} more" if len(names) > 3 else ""
        new = "new " if answer.question.already else ""
        return cls(
            factors * usual,
            _curves(answer, factors, usual),
            answer.risk,
            chosen,
            title,
            f"total ε of the {new}answers",
            SUREST[answer.secret],
        )

    def draw(self, form: str) -> bytes:
        """The picture as "svg" or "png"."""
        import matplotlib
        from matplotlib.figure import Figure

        figure = Figure(figsize=(7.2, 4.2), layout="constrained")
        axes = figure.add_subplot()
        for (name, risks), colour in zip(self.curves.items(), COLOURS, strict=False):
            axes.plot(self.epsilons, risks, color=colour, label=name)
        axes.axhline(self.risk, color="#555555", linestyle="--", label="accepted risk")
        if 0 < self.chosen < math.inf:
            axes.axvline(self.chosen, color="#999999", linewidth=0.8)
            label = f" ε = {down(self.chosen)}"
            axes.text(self.chosen, 0.04, label, transform=axes.get_xaxis_transform())
        axes.set_title(printable(self.title), parse_math=False, fontsize=11)
        axes.set_xlabel(self.across)
        axes.set_ylabel(self.upright)
        axes.set_xlim(0, self.epsilons[-1])
        if self.risk < SMALL:
            axes.set_yscale("log")
            axes.set_ylim(self.risk / 10, 1.2)
        else:
            axes.set_ylim(0, 1.02)
        axes.spines[["top", "right"]].set_visible(False)
        axes.legend(frameon=False)
        out = io.BytesIO()
        with matplotlib.rc_context({"svg.hashsalt": "dpchoose"}), warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of signs that the font does not have
            metadata = {"Date": None} if form == "svg" else None
            figure.savefig(out, format=form, dpi=150, metadata=metadata)
        return out.getvalue()


def _curves(answer: Answer, factors: np.ndarray, usual: float) -> dict[str, np.ndarray]:
    """The risk of the secret at the epsilons that grow with the factors, by each bound."""
    setting = _setting(answer.question)
    new = setting.new
    scales = answer.found.table["noise scale"].to_numpy(float)
    rates = np.where(new, 0.0, 1 / setting.scales)
    growing = np.zeros(len(new))
    if np.isfinite(scales).all() and (scales > 0).all():
        growing[new] = 1 / scales
    else:  # nothing was chosen: equal epsilons
        sensitivities = setting.sensitivities
        growing[new] = (usual / new.sum() / np.where(sensitivities > 0, sensitivities, 1))[new]
    along = [rates + factor * growing for factor in factors]

    def seen(what: Callable[[np.ndarray], float]) -> np.ndarray:
        return np.array([what(one) for one in progress.shown(along, len(along), "drawing")])

    if answer.secret != "world":
        log_odds = seen(lambda one: setting.table.look(one, answer.secret)[0])
        name = "exact" if setting.table.exact else "record bound"
        return {name: np.exp(-np.logaddexp(0.0, -log_odds))}
    name = "shell bound" if setting.worlds is None else "tight bound"
    farthest = seen(setting.farthest)
    prior = float(setting.prior)
    upper = {"upper bound": prior / (prior + (1 - prior) * np.exp(-farthest))} if prior else {}
    return {
        name: seen(setting.world_risk),
        "torn between two worlds": 1 / (1 + np.exp(-farthest)),
        **upper,
    }


def _setting(question: Question) -> Setting:
    """What the recommendation knew."""
    from dpchoose.data.asking import ask_beside
    from dpchoose.epsilon.grouped import grouped

    asked, scales = ask_beside(question.query, question.universe, question.published)
    known = (asked, question.release_size, question.adjacency, MAX_WORLDS, scales)
    if question.rows.labels is None:
        return Setting(*known)
    return grouped(*known, question.rows.labels, question.universe)
