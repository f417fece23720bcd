"""Which modules of rules need not be imported: those about words that stand in none of the texts.

Importing a rule takes 0.1 ms of a cold start, so what a rule is about must be known without importing it.
`python -m shardlint.checks.index` writes it down; a rule that is not in the index is asked. Modules that
hold no rule stand in it without words: whoever needs them imports them.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from pathlib import Path

from shardlint.collect import import_modules, import_packages
from shardlint.formats.registry import ESCAPES

FILE = Path(__file__).with_name("index.txt")


def silent(texts: Iterable[str]) -> frozenset[str]:
    """The modules that have nothing to say about files and settings with these texts."""
    waiting = _index()
    for text in texts:
        if any(escape in text for escape in ESCAPES):
            return frozenset(module for module, words in _index().items() if not words)
        folded = text.lower()
        waiting = {
            module: words for module, words in waiting.items() if not any(word in folded for word in words)
        }
    return frozenset(waiting)


@cache
def _index() -> dict[str, list[str]]:
    """Words by module."""
    rows = (line.split() for line in FILE.read_text(encoding="utf-8").splitlines())
    return {module: words for module, *words in rows}


def text() -> str:
    """What the index should be: every module below a family, but those of rules that may always speak."""
    from shardlint.checks.registry import all_rules

    about = {rule.module: rule.about for rule in all_rules()}
    families = import_packages("shardlint.checks")
    modules = (module.__name__ for family in families for module in import_modules(family.__name__))
    spared = (name for name in modules if name not in about or about[name])
    return "".join(f"{' '.join((name, *about.get(name, ())))}\n" for name in spared)


if __name__ == "__main__":
    FILE.write_text(text(), encoding="utf-8")
