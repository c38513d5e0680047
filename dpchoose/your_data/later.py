"""pandas, which is loaded when it is first asked for: it takes longer than all else here."""

from typing import Any


class _Later:
    """The module, loaded as a name of it is looked up."""

    def __getattr__(self, name: str) -> Any:
        import pandas

        return getattr(pandas, name)


pd = _Later()
