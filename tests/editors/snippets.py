"""The lines of the set-up pages, so that editors are started with what users are told to write."""

from __future__ import annotations

import re
from pathlib import Path

PAGES = Path(__file__).parents[2] / "docs" / "editors"
_BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def snippets(page: str, heading: str, language: str) -> list[str]:
    """The code blocks of one language below a heading of `docs/editors/<page>.md`, in order."""
    text = (PAGES / f"{page}.md").read_text(encoding="utf-8")
    _, found, rest = text.partition(f"\n## {heading}\n")
    assert found, f"{page}.md has no heading {heading!r}"
    section = re.split(r"^## ", rest, maxsplit=1, flags=re.MULTILINE)[0]
    return [code for name, code in _BLOCK.findall(section) if name == language]
