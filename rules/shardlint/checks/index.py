"""Which rules need not be asked: those about words that stand in none of the texts.

Importing a rule takes 0.1 ms of a cold start, so what a rule is about must be known without importing it.
`python -m shardlint.checks.index` writes it down; a rule that is not in the index is asked.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from pathlib import Path

from shardlint.formats.registry import ESCAPES

FILE = Path(__file__).with_name("index.tsv")


def silent(texts: Iterable[str]) -> frozenset[str]:
    """The modules of rules that have nothing to say about files and settings with these texts."""
    waiting = _index()
    for text in texts:
        if any(escape in text for escape in ESCAPES):
            return frozenset()
        folded = text.lower()
        waiting = {
            module: words for module, words in waiting.items() if not any(word in folded for word in words)
        }
    return frozenset(waiting)


@cache
def _index() -> dict[str, list[str]]:
    """Words by module."""
    rows = (line.split("\t") for line in FILE.read_text(encoding="utf-8").splitlines())
    return {module: words.split(" ") for module, words in rows}


def text() -> str:
    """What the index should be: the module and the words of every rule that states any."""
    from shardlint.checks.registry import all_rules

    rules = sorted(all_rules(), key=lambda rule: rule.module)
    return "".join(f"{rule.module}\t{' '.join(rule.about)}\n" for rule in rules if rule.about)


if __name__ == "__main__":
    FILE.write_text(text(), encoding="utf-8")
