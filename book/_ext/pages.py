"""What a built page loads, and how it is marked up.

The theme brings fifteen style sheets and as many scripts, all in front of the text. A page of the
book has one style sheet, of the rules that some page can use, and only scripts that it needs,
which wait until it has been read; pictures below the first are loaded when they come near, in
room that is kept for them. Icons are drawn by ``dpchoose.css``, without a font. The index of the
search is loaded by the page that searches. The address of a page that is no more leads on to the
page that has what was there.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Set
from hashlib import sha256
from itertools import pairwise
from os.path import relpath
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import tinycss2
from sphinx.application import Sphinx

CSS = Path("_static") / "book.css"
OURS = "dpchoose.css"  # which draws the icons
SHEET = re.compile(r'[ \t]*<link\b(?=[^>]* rel="stylesheet")[^>]* href="([^"?]+)[^>]*>\n?')
SCRIPT = re.compile(r'\s*<(?:script|link)\b[^>]*["/]([\w.-]+)\.js\b[^>]*>(?:</script>)?')
ABOUT = re.compile(r"\s*<script>[^<]*\b(?:THEBE_JS_URL|toggle[A-Zb]\w+)[^<]*</script>")
UNUSED = {"bootstrap", "design-tabs", "fontawesome", "sphinx-thebe", "togglebutton"}
SEARCH = {"searchtools", "language_data", "searchindex"}
IMAGE = re.compile(r'<img\b(?=[^>]* src="([^":]*_images/[^"]+\.svg)")')
SIGNATURE = re.compile(r'<dt class="sig\b.*?</dt>', re.DOTALL)
NAME = re.compile(r"[\w-]+")
ICON = re.compile(r"fa[brs]?|fa-.*")
FAMILY = re.compile(r"""font-family:\s*["']?([^;"'}]+)""")
OF_ICONS = re.compile(r"\bfont(?:-family)?:[^;}]*(?:Awesome|var\(--fa-)|content:var\(--pst-icon")
ADDRESS = re.compile(r"""url\(["']?(?!data:|#)([^)"']+)["']?\)""")
OLDER = re.compile(r",\s*url\([^)]*\.(?:woff|ttf)\)\s*format\([^)]*\)")  # than woff2
MOVED = {  # seen from where they were
    "book/chapters/other-queries": "median",
    "book/chapters/whose-question": "../references",
    "book/chapters/your-data": "../your-file",
}
LEADS_ON = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>This page has moved</title>
<meta http-equiv="refresh" content="0; url={0}.html">
</head>
<body>
<p>This page has moved: <a href="{0}.html">go on</a>.</p>
</body>
</html>
"""


def _name(app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: Any) -> None:
    """A heading for the page that the theme leaves without one: the index of functions."""
    context["pagetitle"] = context.get("pagetitle") or "Index"


def _finish(app: Sphinx, error: Exception | None) -> None:
    """Write all pages again, when all are there; those of a draft stay as the theme makes them."""
    if error is not None or app.builder.format != "html" or "draft" in Path(app.outdir).parts:
        return
    root, static = Path(app.outdir), Path(app.outdir, CSS).parent
    every = {path: path.read_text("utf-8") for path in root.rglob("*.html")}
    pages = {path: text for path, text in every.items() if "</head>" in text and SHEET.search(text)}
    sheets = dict.fromkeys(
        (path.parent / href).resolve() for path in pages for href in SHEET.findall(pages[path])
    )
    lighter = {path: _lighter(path, text) for path, text in pages.items()}
    scripts = [path for path in root.rglob("*.js") if path.stem not in UNUSED | SEARCH]
    texts = " ".join([*lighter.values(), *(path.read_text("utf-8") for path in scripts)])
    css = _one_sheet(sheets, static, {*NAME.findall(texts)})
    for path in filter(Path.is_file, [*static.rglob("*")]):
        if path.name not in texts + css or path in sheets:
            path.unlink()
    (root / CSS).write_text(css, "utf-8")
    version = sha256(css.encode()).hexdigest()[:8]
    for path, text in lighter.items():
        link = f'<link rel="stylesheet" href="{relpath(root / CSS, path.parent)}?v={version}" />\n'
        before, _, after = SHEET.sub("\0", text, count=1).partition("\0")
        path.write_text(before + link + SHEET.sub("", after), "utf-8")


def _lighter(path: Path, page: str) -> str:
    """A page that loads what it needs, when it needs it, in marks that a screen reader knows."""
    unused = UNUSED if path.name == "search.html" else UNUSED | SEARCH
    first = IMAGE.search(page)

    def script(found: re.Match[str]) -> str:
        if found[1] in unused or ' rel="preload"' in found[0]:
            return ""
        if found[1] == "documentation_options":  # for which the lines below it do not wait
            source = path.parent / found[0].partition(' src="')[2].partition("?")[0]
            return f"\n    <script>{source.read_text('utf-8')}</script>"
        return (
            found[0].replace("<script ", "<script defer ") if "defer" not in found[0] else found[0]
        )

    def image(found: re.Match[str]) -> str:
        drawn = ElementTree.parse(path.parent / found[1]).getroot()
        wide, high = (round(float(drawn.get(side)[:-2]) / 0.75) for side in ("width", "height"))
        late = ' loading="lazy"' if found.start() > first.start() else ""
        return f'<img width="{wide}" height="{high}"{late}'

    page = IMAGE.sub(image, page)
    head, end, body = page.partition("</head>")
    body = SCRIPT.sub(lambda found: "" if found[1] in unused else found[0], body)
    body = body.replace(' role="doc-biblioentry"', ' role="listitem"')  # children of a list
    body = body.replace('"output text_html">', '"output text_html" tabindex="0">')  # may scroll
    body = SIGNATURE.sub(lambda found: _listed(found[0]), body)
    return SCRIPT.sub(script, ABOUT.sub("", head)) + end + body


def _listed(signature: str) -> str:
    """The arguments of a function as a list of items, and not of descriptions without terms."""
    for wrong, right in (("dl>", "ul>"), ("<dd>", "<li>"), ("</dd>", "</li>")):
        signature = signature.replace(wrong, right)
    return signature


def _one_sheet(sheets: Iterable[Path], folder: Path, names: Set[str]) -> str:
    """The rules of all sheets that can apply where these are the names of classes and of ids."""
    rules = [rule for sheet in sheets for rule in _used(_parsed(sheet), sheet, folder, names)]
    plain = " ".join(rule for rule in rules if not rule.startswith("@font-face"))
    return "\n".join(
        rule
        for rule in rules
        if not OF_ICONS.search(rule)
        and (not rule.startswith("@font-face") or FAMILY.search(rule)[1].strip() in plain)
    )


def _parsed(sheet: Path) -> list[Any]:
    text = sheet.read_text("utf-8")
    return tinycss2.parse_stylesheet(text, skip_comments=True, skip_whitespace=True)


def _used(rules: Iterable[Any], sheet: Path, folder: Path, names: Set[str]) -> Iterator[str]:
    """Rules as text, with addresses that are seen from the folder."""
    for rule in rules:
        if rule.type == "qualified-rule":
            selectors = [one for one in _selectors(rule.prelude) if _can_apply(one, sheet, names)]
            if selectors:
                yield f"{','.join(map(_text, selectors))}{{{_text(rule.content)}}}"
        elif rule.at_keyword == "import":
            (address,) = (token.value for token in rule.prelude if token.type in ("string", "url"))
            imported = (sheet.parent / address).resolve()
            yield from _used(_parsed(imported), imported, folder, names)
        elif rule.at_keyword in ("media", "supports"):
            inner = tinycss2.parse_rule_list(rule.content, skip_comments=True, skip_whitespace=True)
            if kept := "".join(_used(inner, sheet, folder, names)):
                yield f"@{rule.at_keyword} {_text(rule.prelude)}{{{kept}}}"
        elif rule.content is not None:
            text = OLDER.sub("", _text(rule.content))
            here = ADDRESS.sub(
                lambda found: f"url({relpath(sheet.parent / found[1], folder)})", text
            )
            yield f"@{rule.at_keyword} {_text(rule.prelude)}{{{here}}}"


def _text(tokens: Iterable[Any]) -> str:
    written = tinycss2.serialize([token for token in tokens if token.type != "comment"])
    return " ".join(written.split())


def _selectors(prelude: Iterable[Any]) -> Iterator[list[Any]]:
    """What stands between the commas."""
    one: list[Any] = []
    for token in prelude:
        if token == ",":
            yield one
            one = []
        else:
            one.append(token)
    yield one


def _can_apply(selector: list[Any], sheet: Path, names: Set[str]) -> bool:
    """Whether each class and id that must be there is one of these, and none draws an icon."""
    asked = [token.value for token in selector if token.type == "hash"]
    classes = [then.value for dot, then in pairwise(selector) if dot == "."]
    icons = [name for name in classes if ICON.fullmatch(name)] if sheet.name != OURS else []
    return not icons and names.issuperset(asked + classes)


def _lead_on(app: Sphinx, error: Exception | None) -> None:
    """A page that leads on, where one was."""
    if error is None and app.builder.format == "html":
        for old, new in MOVED.items():
            Path(app.outdir, f"{old}.html").write_text(LEADS_ON.format(new), "utf-8")


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("html-page-context", _name, priority=900)  # after the theme's own
    app.connect("build-finished", _finish, priority=600)  # when the sheets of others are there
    app.connect("build-finished", _lead_on)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
