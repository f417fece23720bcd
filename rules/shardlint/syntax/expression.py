"""Regular expressions that cost nothing until a text needs them."""

from __future__ import annotations

import re
from typing import cast


def expression(pattern: str, flags: int = 0) -> re.Pattern[str]:
    """What `re.compile` gives, but compiled when one of its methods is first asked for.

    Compiling takes longer than anything else a module does when it is imported, and most texts need few of
    the expressions a reader has.
    """
    return cast("re.Pattern[str]", _Expression(pattern, flags))


class _Expression:
    def __init__(self, pattern: str, flags: int) -> None:
        self._source = (pattern, flags)

    def __getattr__(self, name: str) -> object:
        """A method of the compiled expression, kept in place of this look-up."""
        found = getattr(re.compile(*self._source), name)
        setattr(self, name, found)
        return found
