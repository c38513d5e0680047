"""The scorecard, gathered from the executed chapters when the book is rendered."""

from __future__ import annotations

from docutils import nodes
from docutils.parsers.rst import Directive
from dpbook import build, scorecard
from sphinx.application import Sphinx


class Scorecard(Directive):
    """All published values with their verdicts."""

    def run(self) -> list[nodes.Node]:
        card = scorecard.gather(build.EXECUTED)
        counts = nodes.paragraph("", scorecard.summary(card) + ".")
        return [counts, nodes.raw("", scorecard.as_html(card), format="html")]


def summary(*_: object) -> tuple[list[nodes.Node], list[nodes.system_message]]:
    """The counts, within a sentence."""
    return [nodes.Text(scorecard.summary(scorecard.gather(build.EXECUTED)))], []


def setup(app: Sphinx) -> dict[str, bool]:
    app.add_directive("scorecard", Scorecard)
    app.add_role("scorecard", summary)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
