"""The page that takes a file, and that page shut: it sends nothing.

In the place of the paragraph that begins with :data:`ANCHOR` stands the form of
``page.html``, with its style, its scripts, the book's own records and the words of the
package; without scripts the command is all there is. What a worker shares with the page
stands in a script of its own, whose text a worker is made of: a page that was opened from
a disk can load none. The page that holds the form gets a content security policy
that refuses every connection and every form, and all scripts and pictures but those that
are in the page when it is built.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx

import dpchoose as dp
from dpchoose import checks, codes, numbers
from dpchoose.risk import kernel
from dpchoose.your_data import asked, question, read, shares, words
from dpchoose.your_data.command import output

HERE = Path(__file__).resolve().parent
MATHS = ("numbers", "everybody", "wording", "result", "source")
SHARED = (*(f"maths/{name}" for name in MATHS), "read", "serve")
PAGE = ("../moving/nodes", "help", "work", "card", "question")
PAGE += ("pictures", "answer", "address", "main")
ANCHOR = '<a id="your-file">'
CODE = re.compile(r'<script\b|<link(?=[^>]* as="script")')
PICTURE = re.compile(r'(<(?:img|link rel="icon")[^>]*? (?:src|href)=")([^":]+\.(svg|png))(?=")')
FETCHED = re.compile(r'\s*<link rel="(?:next|prev)"[^>]*>')  # by some browsers, beforehand
KINDS = {"svg": "image/svg+xml", "png": "image/png"}
POLICY = (
    "default-src 'none'; connect-src 'none'; form-action 'none'; base-uri 'none'; "
    "worker-src blob:; style-src 'self' 'unsafe-inline'; img-src data:; font-src 'self' data:; "
    "script-src 'nonce-{}'"
)
DELIMITERS = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars"}
SAVE = "save the table as CSV"
FOREIGN = (  # how files begin that are no table of text, and what they are
    ("PK\3\4", f"is an Excel file: {SAVE}"),
    ("PAR1", f"is a Parquet file: {SAVE}"),
    ("\x1f\x8b", "is packed: unpack it first"),
    ("%PDF", f"is a PDF: {SAVE}"),
    ("{", f"is JSON: {SAVE}"),
    ("[", f"is JSON: {SAVE}"),
    ("<!doctype", f"is a page of the web: {SAVE}"),
    ("<html", f"is a page of the web: {SAVE}"),
    ("<?xml", f"is XML: {SAVE}"),
)
COPY = 'import dpchoose as dp, shutil; shutil.copyfile(dp.datasets.HEALTH, "{}")'


def record() -> dict[str, Any]:
    """The book's own file, what is asked of it first, and how to write it.

    Returns:
        "words", "file" and "csv" for the page to read, "question" in the page's own form, and
        "make", a line of Python that writes the file.

    >>> clinic = record()
    >>> clinic["file"], clinic["words"], clinic["question"]["limits"]
    ('health.csv', "the clinic's 5,912 patients", {'visits': ['0', '30']})
    """
    path = dp.datasets.HEALTH
    csv = path.read_text("utf-8")
    return {
        "words": f"the clinic's {csv.count(chr(10)) - 1:,} patients",
        "file": path.name,
        "csv": csv,
        "make": COPY.format(path.name),
        "question": {
            "who": "everybody",
            "whose": "row",
            "asks": [{"query": "mean", "column": "visits", "value": ""}],
            "limits": {"visits": ["0", "30"]},
            "from": "common sense: a visit every twelve days",
        },
    }


def package_words() -> dict[str, Any]:
    """The sentences and the constants of the package that the page uses, by their names there.

    >>> package_words()["SIGN"], package_words()["OF_100"]
    ('Sign or refuse?', (1, 10, 50))
    """
    sentences = {name: value for name, value in vars(words).items() if name.isupper()}
    return sentences | {
        "ANY_RATIO": codes.ANY_RATIO,
        "CLOSE": numbers.CLOSE,
        "COLUMNS": output.COLUMNS,
        "CODE": codes.CODE,
        "CODE_RATIO": codes.CODE_RATIO,
        "DELIMITERS": DELIMITERS,
        "ERROR_FACTOR": asked.ROUNDED_UP,
        "FOREIGN": FOREIGN,
        "IN_0_1": numbers.IN_0_1,
        "LARGEST": checks.LARGEST,
        "LEAST_LEFT": question.LEAST_LEFT,
        "MISSING": sorted(read.MISSING),
        "MOST_DIGITS": numbers.MOST_DIGITS,
        "MOST_DISTANCE": asked.LARGEST_LOSS,
        "NO_LIMIT": numbers.NO_LIMIT,
        "NO_ROW": shares.NO_ROW,
        "OF_100": asked.SUSPICIONS,
        "OVER_A_MILLION": numbers.OVER_A_MILLION,
        "SMALLEST": checks.SMALLEST,
        "SURE": float(numbers.NEARLY),
        "THOUSANDS": numbers.THOUSANDS,
        "UNIT": kernel.UNIT,
        "WRITTEN_LIKE": numbers.WRITTEN_LIKE,
    }


def form() -> str:
    """The form as it stands in a page, with all that it needs."""
    data = _json({"own": record()})
    shared = [f"globalThis.dpchoose = {{ words: {_json(package_words())} }};"]
    shared += [_script(name) for name in SHARED]
    parts = [
        f"<style>{(HERE / 'explorer.css').read_text('utf-8')}</style>",
        (HERE / "page.html").read_text("utf-8").removesuffix("</div>\n"),
        f'<script type="application/json">{data}</script>\n</div>',
        f'<script id="x-shared">{"".join(shared)}</script>',
        f"<script>{''.join(map(_script, PAGE))}</script>",
    ]
    return "\n".join(parts)


def _json(value: Any) -> str:
    """A value as JSON, in which nothing ends a script."""
    return json.dumps(value, separators=(",", ":")).replace("<", "\\u003c")


def _script(name: str) -> str:
    """The text of a script, in which nothing begins or ends another."""
    text = (HERE / f"{name}.js").read_text("utf-8")
    if re.search("</?script|<!--", text, re.IGNORECASE):
        raise ValueError(f"{name}.js must not hold the tag of a script")
    return text


def _place(app: Sphinx, document: nodes.document) -> None:
    """Put the form in the place of a paragraph."""
    for paragraph in [*document.findall(nodes.paragraph)]:
        if paragraph.children and paragraph[0].astext() == ANCHOR:
            paragraph.replace_self(nodes.raw("", f"{ANCHOR}</a>{form()}", format="html"))
            app.env.metadata[app.env.docname]["explorer"] = "here"


def _shut(app: Sphinx, error: Exception | None) -> None:
    """Write the policy into the head, before anything that it is about."""
    if error is None and app.builder.format == "html":
        for page, known in app.env.metadata.items():
            if "explorer" in known:
                path = Path(app.builder.get_outfilename(page))
                path.write_text(shut(path.read_text("utf-8"), path.parent), "utf-8")


def shut(page: str, folder: Path) -> str:
    """A page with its pictures inside, that runs the scripts it names, and loads nothing else."""

    def inside(found: re.Match[str]) -> str:
        content = base64.b64encode((folder / found[2]).read_bytes()).decode()
        return f"{found[1]}data:{KINDS[found[3]]};base64,{content}"

    page = FETCHED.sub("", PICTURE.sub(inside, page))
    nonce = hashlib.sha256(page.encode()).hexdigest()[:32]
    page = CODE.sub(lambda found: f'{found[0]} nonce="{nonce}"', page)
    first = '<meta charset="utf-8" />'
    rules = f'<meta http-equiv="Content-Security-Policy" content="{POLICY.format(nonce)}">'
    return page.replace(first, f"{first}\n    {rules}", 1)


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("doctree-read", _place)
    app.connect("build-finished", _shut, priority=700)  # when the page is as it will be
    return {"parallel_read_safe": True, "parallel_write_safe": True}
