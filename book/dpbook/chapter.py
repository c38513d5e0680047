"""What a chapter needs around its mathematics: its figures and its numbers.

A chapter opens with its own slug and its parameters. If these are the published
ones (parameters.yaml, so that who changes and saves a notebook overwrites nothing),
its figures go to the repository and its numbers are compared with what is printed;
a run with others says so, writes its figures to one folder, and compares nothing.
"""

import base64
import functools
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import matplotlib as mpl
import matplotlib.pyplot as plt
import yaml
from IPython import get_ipython
from IPython.display import Markdown, display
from matplotlib.figure import Figure

from dpbook import figures, holds, tables
from dpbook.places import FIGURES, NOTEBOOKS, ROOT
from dpchoose import checks, queries
from dpchoose.numbers import parse_risk

FOLDER = "figures_folder"  # the parameter of every chapter that says where figures go
SCHOOL = ["school_year", "absence_days"]  # the columns of the pupils
OTHERS = "my-figures"  # where those of another question go, in the current folder
WORDS = {str: "text", bool: "boolean", int: "number", float: "number", list: "list", dict: "table"}


@dataclass(frozen=True)
class Chapter:
    """A run of one chapter.

    Attributes:
        slug: the name of its notebook.
        departure: in words, how its parameters depart from the published
            ones; "" where they do not.
        folder: where its figures go.
    """

    slug: str
    departure: str
    folder: Path

    @property
    def as_published(self) -> bool:
        """Whether its parameters are the published ones."""
        return not self.departure

    @classmethod
    def open(cls, slug: str, namespace: Mapping[str, Any], *, digits: int = 4) -> Self:
        """The run that the parameters in a notebook's namespace make.

        From here on a DataFrame shows itself as :func:`dpbook.tables.table`,
        and a figure has the look of the book.
        Other parameters than the published ones are said, and figures then go to
        my-figures in the current folder, unless the parameter names another.

        Args:
            digits: after the decimal point, in the tables of this chapter.

        Raises:
            ValueError, TypeError: as :func:`refuse`, or papermill is given an unknown parameter.
        """
        tables.show_frames(digits)
        mpl.use("agg")  # a figure is shown where it is saved, and nowhere else
        mpl.rcParams.update(figures.LOOK)
        parameters = published_parameters().get(slug, {FOLDER: ""})
        cells = [cell for cell in namespace.get("In", []) if cell.startswith("# Parameters\n")]
        for name in re.findall(r"^(\w+) = ", "\n".join(cells), flags=re.M):  # set by papermill
            if name not in parameters:
                raise ValueError(f"{name} must be one of {', '.join(parameters)}: no parameter")
        for name, default in parameters.items():
            refuse(name, namespace[name], default)
        departure = ", ".join(
            f"{name} is {checks.short(namespace[name])} and not the published {default!r}"
            for name, default in parameters.items()
            if name != FOLDER and namespace[name] != default
        )
        if slug not in published_parameters():
            departure = f"of {slug} nothing is published"
        theirs = departure or not NOTEBOOKS.is_dir()  # an installation without the book
        folder = Path(namespace[FOLDER] or (OTHERS if theirs else FIGURES))
        if departure:
            text = (
                f"**With other parameters:** `{departure.replace('`', ' ')}`.\n"
                "The text speaks of the published run, tables and figures of yours.\n"
                f"Nothing is compared, and the figures go to `{folder}`."
            )
            display(Markdown(text))
        return cls(slug, departure, folder)

    def save(self, figure: Figure, name: str, *, caption: str, alt: str) -> None:
        """Write a figure as a PNG and an SVG, and show it with its caption.

        Args:
            figure: it is closed.
            name: of its files, which begins with the slug; its anchor in the book is fig-name.
            caption: Markdown.
            alt: what it shows, for those who do not see it.
        """
        plt.close(figure)
        path = figures.save_figure(figure, name, self.folder)
        drawn = {
            "image/svg+xml": path.with_suffix(".svg").read_text("utf-8"),
            "image/png": base64.b64encode(path.read_bytes()).decode(),
        }
        shown = {"figure": {"name": f"fig-{name}", "caption": caption}}
        image = {"image": {"alt": alt, "classes": "dark-light"}}
        metadata = {
            "image/svg+xml": {"alt": alt},
            "image/png": {"alt": alt, "width": 500},
            "figure": {"mystnb": shown | image},  # as MyST-NB takes it from a cell
        }
        display(drawn, raw=True, metadata=metadata)
        display({"text/markdown": f"*{caption}*"}, raw=True, metadata={"caption": True})

    def again(self, *questions: str) -> None:
        """The folded end of a chapter: its parameters, and the lines that run it with others.

        Args:
            questions: what follows the output in a line for papermill, such as "-p risk 0.4".
        """
        source = next(cell for cell in get_ipython().user_ns["In"] if f"\n{FOLDER} = " in cell)
        joined = re.sub(r"\n +", " ", re.sub(r"(?<=\[)\n +|,\n(?=\])", "", source))  # long lists
        rows = re.findall(r"^(\w+) = (.*?)  # (.*)", joined, flags=re.MULTILINE)
        table = "\n".join(f"| `{name}` | `{value}` | {text} |" for name, value, text in rows)
        start = f"papermill notebooks/{self.slug}.ipynb out.ipynb"
        lines = "\n".join(f"{start} {question}" for question in questions)
        text = (
            "<details>\n<summary>Run it again</summary>\n\n"
            f"With another question, in a clone of the repository:\n\n```bash\n{lines}\n```\n\n"
            f"| parameter | as published | what it is |\n|---|---|---|\n{table}\n\n"
            "</details>"
        )
        display(Markdown(text))

    def holds(
        self,
        numbers: Callable[[], Mapping[str, Any]],
        *,
        given: Sequence[str] = (),
        page: str = "",
    ) -> None:
        """Hold the numbers that the text prints against what the code finds.

        As published, and in a clone of the repository, only.

        Args:
            numbers: gives phrases of the text, each with a value for every number in it, or a
                list of them; how they are compared is said in :mod:`dpbook.holds`.
            given: phrases whose numbers are assumed, in an exercise or a quotation.
            page: another text, from the root of the repository.

        Raises:
            AssertionError: with every phrase that is not in the text, and every number that
                differs.
        """
        path = ROOT / (page or f"notebooks/{self.slug}.md")
        if self.as_published and path.is_file():
            holds.check(numbers(), given, holds.prose(path.read_text("utf-8")))


@functools.cache
def published_parameters() -> dict[str, dict[str, Any]]:
    """The published parameters of every chapter.

    >>> published_parameters()["your-data"]["column"]
    'visits'
    """
    text = Path(__file__).with_name("parameters.yaml").read_text("utf-8")
    return {slug: values | {FOLDER: ""} for slug, values in yaml.safe_load(text).items()}


def refuse(name: str, value: Any, default: Any) -> None:
    """What is certainly wrong for a parameter with that default, in one line.

    Raises:
        TypeError: a value, or an entry of a list, of another kind than the
            default's; a risk may be "1/3" or 0.3.
        ValueError: no risk, no query, or no column of the pupils.

    >>> refuse("risk", 2, 0.3)
    Traceback (most recent call last):
        ...
    ValueError: risk must lie in (0, 1), got 2.0
    """
    kind = re.split("[ _]", name.replace("queries", "query"))[-1].removesuffix("s")
    word, expected = (WORDS.get(type(one), type(one).__name__) for one in (value, default))
    if word != expected and not (kind == "risk" and word in ("text", "number")):
        raise TypeError(f"{name} must be a {expected}, as {default!r} is, got {value!r}")
    if value == default:
        return
    if word == "list":
        for entry in value:
            refuse(f"an entry of {name}", entry, default[0])
    elif kind == "risk":
        parse_risk(value)
    elif kind == "query":
        queries.resolve(value)
    elif kind == "column" and default in SCHOOL and value not in SCHOOL:
        raise ValueError(f"{name} must be of {', '.join(SCHOOL)}, got {value!r}")
