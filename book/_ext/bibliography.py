"""The list of references: each under the names and the year with which the text cites it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from pybtex.database import Entry, Person
from pybtex.plugin import register_plugin
from pybtex.richtext import Text
from pybtex.style.formatting.unsrt import Style
from pybtex.style.labels import BaseLabelStyle
from pybtex.style.sorting.author_year_title import SortingStyle
from sphinx.application import Sphinx


class _Labels(BaseLabelStyle):
    def format_labels(self, sorted_entries: Iterable[Entry]) -> Iterator[str]:
        for entry in sorted_entries:
            yield f"{_names(entry.persons['author'])} {entry.fields['year']}"


def _names(people: list[Person]) -> str:
    """As they are cited: one, two, or the first of more."""
    last = [str(Text(" ").join(person.rich_last_names)) for person in people]
    return " and ".join(last) if len(last) < 3 else f"{last[0]} et al."


class _Alphabet(SortingStyle):
    def person_key(self, person: Person) -> str:
        return super().person_key(person).replace("{", "").replace("}", "")


class _Cited(Style):
    default_label_style = _Labels
    default_sorting_style = _Alphabet


def setup(app: Sphinx) -> dict[str, bool]:
    register_plugin("pybtex.style.formatting", "cited", _Cited)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
