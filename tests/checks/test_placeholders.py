"""Replacing any scalar of a config by a placeholder never adds a warning or an error."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import pytest

from checks.linting import findings
from checks.test_examples import RULES, each_rule, example
from shardlint.checks.registry import Rule
from shardlint.report import WARNING
from shardlint.syntax.parse import parse
from shardlint.syntax.tree import Mapping, Node, Scalar, Sequence

CONFIGS = (".json", ".yaml", ".yml")


def scalars(node: Node) -> Iterator[Scalar]:
    if isinstance(node, Scalar):
        yield node
    elif isinstance(node, Mapping):
        for pair in node.pairs:
            yield from scalars(pair.value)
    elif isinstance(node, Sequence):
        for item in node.items:
            yield from scalars(item)


def loud(files: dict[str, str]) -> Counter[tuple[str, str]]:
    """How many warnings and errors stand at each place; one that another superseded may take its turn."""
    return Counter((f.place.path, f.place.key) for f in findings(files) if f.severity >= WARNING)


def opened(files: dict[str, str]) -> Iterator[tuple[str, dict[str, str]]]:
    """The files with one scalar replaced, for every scalar of every config."""
    for name, text in files.items():
        if not name.endswith(CONFIGS):
            continue
        language = "json" if name.endswith(".json") else "yaml"
        for root in parse(text, name, language).roots:
            for scalar in scalars(root):
                start, end = scalar.span
                open_text = f'{text[:start]}"${{X}}"{text[end:]}'
                yield f"{name}: {scalar.raw}", {**files, name: open_text}


def test_the_examples_hold_scalars_to_open() -> None:
    assert sum(1 for rule in RULES for _ in opened(example(rule, "## Example").files)) > 200


@each_rule
@pytest.mark.parametrize("heading", ["## Example", "## Use instead"])
def test_an_open_value_adds_nothing_loud(rule: Rule, heading: str) -> None:
    files = example(rule, heading).files
    before = loud(files)
    for scalar, changed in opened(files):
        assert loud(changed) <= before, scalar
