"""The entry point: which language, and that nothing raises."""

from __future__ import annotations

import pytest

from shardlint.syntax.parse import language_of, parse
from shardlint.syntax.tree import Mapping, Scalar


@pytest.mark.parametrize(
    ("name", "language"),
    [
        ("ds.json", "json"),
        ("a/b.JSONC", "json"),
        ("x.hjson", "json"),
        ("a.yaml", "yaml"),
        ("a.yml", "yaml"),
        ("pyproject.toml", "toml"),
        ("hostfile", "text"),
        ("a.json/hostfile", "text"),
        ("C:\\run\\ds.json", "json"),
        ("", "text"),
        (".json", "json"),
        ("ds.json.bak", "text"),
    ],
)
def test_language_of_a_name(name: str, language: str) -> None:
    assert language_of(name) == language


def test_what_is_named_json_is_read_as_json() -> None:
    document = parse("stage: 3\nlr: 1e-5\n", "ds.json")
    assert document.language == "json"
    (root,) = document.roots
    assert isinstance(root, Mapping)
    assert [pair.key.text for pair in root.pairs] == ["stage", "lr"]


def test_the_language_can_be_given() -> None:
    (root,) = parse('{"a": 1}', "<stdin>", "json").roots
    assert isinstance(root, Mapping)


def test_a_text_without_language_has_no_tree() -> None:
    document = parse(b"worker-1 slots=8\n", "hostfile")
    assert (document.language, document.roots, document.text) == ("text", (), "worker-1 slots=8\n")


def test_offsets_count_from_after_a_byte_order_mark() -> None:
    document = parse(b'\xef\xbb\xbf{"a": 1}', "ds.json")
    (root,) = document.roots
    assert isinstance(root, Mapping)
    assert root.span == (0, 8)
    assert isinstance(root.pairs[0].value, Scalar)
    assert document.text[slice(*root.pairs[0].value.span)] == "1"
    assert [mark.kind for mark in document.marks] == ["bom"]


def test_a_huge_file_is_a_limit_not_a_tree() -> None:
    document = parse(b'{"a": 1}' * 800_000, "ds.json")
    assert document.roots == ()
    assert [(fault.code, fault.limit) for fault in document.faults] == [("too-large", True)]


def test_bad_bytes_keep_the_tree() -> None:
    document = parse(b'{"a": "\xff", "b": 1}', "ds.json")
    (root,) = document.roots
    assert isinstance(root, Mapping)
    assert [pair.key.text for pair in root.pairs] == ["a", "b"]
    assert [fault.code for fault in document.faults] == ["not-utf8"]
