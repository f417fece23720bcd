"""Write docs/coverage.md: every start-up rule of the frameworks we know of, and what shardlint does about it.

`python docs/generate_coverage.py` reads docs/coverage.tsv and the table of rules. A row of that file is one
condition under which DeepSpeed, accelerate, transformers or torch stops, warns, or does something else than
was written: a number of ours, the function it comes from, the condition in our words, what is needed to
decide it, the codes of the rules that do, and the reason where none does.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from shardlint.checks.registry import Rule, all_rules

FOLDER = Path(__file__).resolve().parent
DATA, PAGE = FOLDER / "coverage.tsv", FOLDER / "coverage.md"

NEEDS = {
    "file": "the file alone",
    "facts": "other files or settings: ranks, versions, the model, who reads the file",
    "code": "the program or its command line",
    "gpu": "the machine",
    "run": "a running job",
    "none": "nothing can go wrong",
}
OURS = ("file", "facts")
"""What a rule can be asked to decide."""

PARTS = {
    "D0": "DeepSpeed: what is refused",
    "D1": "DeepSpeed: what is refused",
    "D2": "DeepSpeed: what happens without a word",
    "H0": "accelerate, transformers, torch: what is refused",
    "H1": "accelerate, transformers, torch: what is refused",
    "H2": "accelerate, transformers, torch: what happens without a word",
}

INTRODUCTION = """\
# Coverage

What DeepSpeed, accelerate, the Trainer of transformers and FSDP check when a run starts, or do without a
word, and the rule that says so before. DeepSpeed was read at release 0.19.8, accelerate at 1.15.0,
transformers at 5.24.0 and torch at 2.13.0. This page is written by `python docs/generate_coverage.py` from
`coverage.tsv`.
"""


class Row(NamedTuple):
    """One condition. `rules` are codes; `reason` is why there is none, or what else there is to say."""

    number: str
    source: str
    what: str
    decided: str
    rules: tuple[str, ...]
    reason: str

    @property
    def part(self) -> str:
        return PARTS[self.number[:2]]

    @property
    def wanted(self) -> bool:
        return self.decided in OURS


def rows() -> list[Row]:
    with DATA.open(encoding="utf-8", newline="") as file:
        lines = list(csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE))[1:]
    return [
        Row(n, source, what, decided, tuple(rules.split()), why)
        for n, source, what, decided, rules, why in lines
    ]


def share(found: Sequence[Row]) -> float:
    """The part of the rows a file or facts decide that has a rule."""
    wanted = [row for row in found if row.wanted]
    return sum(bool(row.rules) for row in wanted) / len(wanted)


def page(found: Sequence[Row], rules: Sequence[Rule]) -> str:
    names = {rule.code: rule.name for rule in rules}
    return "\n".join([INTRODUCTION, *_summary(found), *_tables(found, names)]) + "\n"


def _summary(found: Sequence[Row]) -> Iterator[str]:
    yield "| decided by | rows | with a rule |"
    yield "|---|---|---|"
    for decided, meaning in NEEDS.items():
        those = [row for row in found if row.decided == decided]
        yield f"| {decided}: {meaning} | {len(those)} | {sum(bool(row.rules) for row in those)} |"
    for stack, letter in (("DeepSpeed", "D"), ("accelerate, transformers and torch", "H")):
        those = [row for row in found if row.number.startswith(letter)]
        covered = sum(bool(row.rules) for row in those if row.wanted)
        wanted = sum(row.wanted for row in those)
        counted = (
            f"{covered} of the {wanted} rows that files or facts decide, {share(those):.1%}, have a rule"
        )
        yield f"\n{stack}: {counted}."


def _tables(found: Sequence[Row], names: dict[str, str]) -> Iterator[str]:
    for part in dict.fromkeys(PARTS.values()):
        yield f"\n## {part}\n"
        yield "| | condition | where | decided by | rules |"
        yield "|---|---|---|---|---|"
        for row in (row for row in found if row.part == part):
            said = ", ".join(f"{code} {names.get(code, '?')}" for code in row.rules)
            cell = "; ".join(filter(None, (said, row.reason))) or "no rule yet"
            yield f"| {row.number} | {row.what} | `{row.source}` | {row.decided} | {cell} |"


def main() -> None:
    PAGE.write_text(page(rows(), all_rules()), encoding="utf-8")


if __name__ == "__main__":
    main()
