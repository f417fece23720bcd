"""Comment pragmas that silence one rule at one place, and change nothing else."""

from __future__ import annotations

import pytest

from shardlint.report import Finding, Place
from shardlint.settings.pragma_edits import ignore_here
from shardlint.syntax.dialects.hjson import HJSON
from shardlint.syntax.dialects.pyyaml import PYYAML
from shardlint.syntax.parse import parse
from shardlint.syntax.tree import Span


def ignored(text: str, word: str, name: str = "a.yaml") -> str | None:
    """The text in which `some-rule` is ignored at a word; at the whole file where there is none."""
    document = parse(text, name)
    start = text.index(word) if word else 0
    place = Place(name, "", Span(start, start + len(word)), document)
    finding = Finding("m", place, rule="some-rule", code="KEY001")
    dialect = HJSON if document.language == "json" else PYYAML
    edit = ignore_here(document, dialect, finding)
    return text[: edit.span.start] + edit.text + text[edit.span.end :] if edit else None


@pytest.mark.parametrize(
    ("before", "word", "after"),
    [
        ("é: 1\nb: 2\n", "b", "é: 1\nb: 2  # shardlint: ignore[some-rule]\n"),
        ("a: 1\r\nb: 2", "a", "a: 1  # shardlint: ignore[some-rule]\r\nb: 2"),
        (
            "a:\n  b: 2  # two\n",
            "b",
            "a:\n  # shardlint: ignore[some-rule]\n  b: 2  # two\n",
        ),
        (
            "a: 1  # shardlint: ignore[other] why\n",
            "a",
            "a: 1  # shardlint: ignore[other, some-rule] why\n",
        ),
        (
            "# shardlint: ignore[other]\na: 1\n",
            "a",
            "# shardlint: ignore[other, some-rule]\na: 1\n",
        ),
        ("a: |\n  text\n", "a", "a: |  # shardlint: ignore[some-rule]\n  text\n"),
        (
            'a: "one\n  two"\n',
            "a",
            '# shardlint: ignore[some-rule]\na: "one\n  two"\n',
        ),
        ("a: 1\n", "", "a: 1  # shardlint: ignore[some-rule]\n"),
        ("\na: 1\n", "", "# shardlint: ignore[some-rule]\n\na: 1\n"),
    ],
)
def test_yaml(before: str, word: str, after: str) -> None:
    assert ignored(before, word) == after


def test_hjson_takes_slashes() -> None:
    before = '{\n  // ours\n  "a": 1,\n  "b": 2\n}\n'
    after = '{\n  // ours\n  "a": 1,  // shardlint: ignore[some-rule]\n  "b": 2\n}\n'
    assert ignored(before, '"a"', "ds.json") == after


def test_text_without_quotes_takes_no_comment_behind_it() -> None:
    before = "{\n  a: text\n}\n"
    after = "{\n  // shardlint: ignore[some-rule]\n  a: text\n}\n"
    assert ignored(before, "a", "ds.hjson") == after


def test_a_hostfile() -> None:
    assert ignored("one slots=4\n", "one", "hostfile") == ("one slots=4  # shardlint: ignore[some-rule]\n")


def test_no_comment_stands_inside_a_text() -> None:
    assert ignored("a: |\n  text\n  more\n", "more") is None


def test_half_typed_text_is_not_broken_further() -> None:
    after = ignored("a: 1\nb: [1, \nc: 2\n", "a")
    assert after == "a: 1  # shardlint: ignore[some-rule]\nb: [1, \nc: 2\n"
