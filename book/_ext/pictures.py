"""Pictures of the pages that have no number: A, B and so on, on each page anew.

A chapter's are numbered with it, Picture 2.1; a plain Picture 2 on a page
without a number would look like one of the second chapter.
"""

from __future__ import annotations

from string import ascii_uppercase

from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment


def _letter(app: Sphinx, env: BuildEnvironment) -> list[str]:
    for page, kinds in env.toc_fignumbers.items():
        figures = kinds.get("figure", {})
        if not any(env.toc_secnumbers.get(page, {}).values()):
            figures.update(zip(figures, ((letter,) for letter in ascii_uppercase)))
    return []


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("env-get-updated", _letter, priority=900)  # after the numbers are given
    return {"parallel_read_safe": True, "parallel_write_safe": True}
