"""YAML text to nodes: places, styles, marks, faults, and what the second opinion changes."""

from __future__ import annotations

import pytest

from shardlint.syntax import yaml_events
from shardlint.syntax.dialects.pyyaml import PYYAML
from shardlint.syntax.document import Document
from shardlint.syntax.tree import Alias, Mapping, Pair, Scalar, Sequence
from shardlint.syntax.view import Template, View
from shardlint.syntax.yaml_parser import parse_yaml
from wellformed import check_document


def parse(text: str) -> Document:
    document = parse_yaml("x.yaml", text)
    check_document(document, PYYAML)
    return document


def pairs(text: str) -> dict[str, Pair]:
    root = parse(text).roots[0]
    assert isinstance(root, Mapping)
    return {pair.key.text: pair for pair in root.pairs}


def marked(text: str, kind: str) -> list[str]:
    document = parse(text)
    return [text[m.span.start : m.span.end] for m in document.marks if m.kind == kind]


def faults(text: str) -> list[tuple[str, str]]:
    return [(fault.code, text[fault.span.start : fault.span.end]) for fault in parse(text).faults]


VALUES = [
    # text, raw of the value of `k`, its content, its style
    ("k: v # c\n", "v", "v", "plain"),
    ("k: 'it''s'\n", "'it''s'", "it's", "single"),
    ('k: "a\\tb"\n', '"a\\tb"', "a\tb", "double"),
    ("k: |\n  a\n\n  b\n\n# c\nz: 1\n", "|\n  a\n\n  b", "a\n\nb\n", "literal"),
    ("k: >-  # why\n  a\n  b\n\n\nz: 1\n", ">-  # why\n  a\n  b", "a b", "folded"),
    ("k: |+\n  a\n\n\n", "|+\n  a", "a\n\n\n", "literal"),
    ("k: |\n  # no comment\n\n  # neither\nz: 1\n", "|\n  # no comment\n\n  # neither", None, "literal"),
    ("k: a\n  b # c\nz: 1\n", "a\n  b", "a b", "plain"),
    ("k:   # nothing\nz: 1\n", "", "", "missing"),
    ("k:\n", "", "", "missing"),
    ("k: &a v\n", "v", "v", "plain"),
    ("k: &a !!str 12\n", "12", "12", "plain"),
    ("k: !!str &a '1'\n", "'1'", "1", "single"),
    ("k: &a\n", "", "", "missing"),
    ("k: !!str\nz: 1\n", "", "", "missing"),
    ("k: &a # c\n  v\n", "v", "v", "plain"),
    ("é𝒳: x\nk: é𝒳é\n", "é𝒳é", "é𝒳é", "plain"),
    ("k: v\r\nz: 1\r\n", "v", "v", "plain"),
    ("k: v\rz: 1\r", "v", "v", "plain"),
    ('k: "a\r\n  b"\r\n', '"a\r\n  b"', "a b", "double"),
    ('z: "a\u2028b"\nk: v\n', "v", "v", "plain"),
    ('z: "a\x85 b"\nk: v\n', "v", "v", "plain"),
    ("k:\tv\n", "v", "v", "plain"),
    ("---\nk: v\n...\n", "v", "v", "plain"),
    ("%YAML 1.1\n---\nk: v\n", "v", "v", "plain"),
]


@pytest.mark.parametrize(("text", "raw", "content", "style"), VALUES)
def test_scalar_places(text: str, raw: str, content: str | None, style: str) -> None:
    value = pairs(text)["k"].value
    assert isinstance(value, Scalar)
    assert (value.raw, value.style) == (raw, style)
    assert content is None or value.text == content
    assert not value.guessed


COLLECTIONS = [
    ("k:\n  a: 1\n  b:\n    c: 2\n\n# c\nz: 1\n", "a: 1\n  b:\n    c: 2", False),
    ("k:\n- a\n-\n\nz: 1\n", "- a\n-", False),
    ("k: [a, [b], {c: d}]  # x\n", "[a, [b], {c: d}]", True),
    ("k: &x {a: 1}\n", "{a: 1}", True),
    ("k: &x\n  a: 1\n", "a: 1", False),
    ("k: !!map\n  # c\n  a: 1\n", "a: 1", False),
    ("k: &x\n  - a\n", "- a", False),
    ("k: [\n  a,  # x\n  b\n]\nz: 1\n", "[\n  a,  # x\n  b\n]", True),
    ("k:\n  &y a: 1\n", "&y a: 1", False),
    ("k: {}\n", "{}", True),
]


@pytest.mark.parametrize(("text", "raw", "flow"), COLLECTIONS)
def test_collection_places(text: str, raw: str, flow: bool) -> None:
    value = pairs(text)["k"].value
    assert isinstance(value, Mapping | Sequence)
    assert (text[value.span.start : value.span.end], value.flow) == (raw, flow)


def test_a_single_pair_in_a_list_ends_with_its_value() -> None:
    text = "k: [a: b , c]\n"
    value = pairs(text)["k"].value
    assert isinstance(value, Sequence)
    assert text[value.items[0].span.start : value.items[0].span.end] == "a: b"


def test_pair_covers_key_and_value() -> None:
    text = "a: 1\n'k':   [x]  # c\n"
    pair = pairs(text)["k"]
    assert text[pair.span.start : pair.span.end] == "'k':   [x]"
    assert pair.key.style == "single"


MARKS = [
    ("a: 1\nb: 2\na: 3\n", "duplicate-key", ["a"]),
    ("a: 1\n'a': 3\n", "duplicate-key", ["'a'"]),
    ("1: a\n'1': b\non: c\n\"on\": d\n", "duplicate-key", []),
    ("x: {a: 1, a: 2}\n", "duplicate-key", ["a"]),
    ("a: &x 1\nb: &x 2\n", "duplicate-anchor", ["2"]),
    ("a: &x {q: 1}\nb:\n  <<: *x\n  <<: *x\n", "merge-key", ["<<", "<<"]),
    ("a: &x {q: 1}\nb:\n  <<: *x\n  <<: *x\n", "duplicate-key", []),
    ("'<<': 1\n", "merge-key", []),
    ("a: &x 1\nb: *x\n", "alias", ["*x"]),
    ("a: !!int '1'\nb: !foo {c: !<tag:x> d}\n", "tagged", ["!!int", "!foo", "!<tag:x>"]),
    ("? [a]\n: 1\n", "complex-key", ["[a]"]),
    ("a: 1\n---\nb: 2\n---\nc: 3\n", "multi-document", ["---", "---"]),
    ("a: b\n  c\n", "multi-line-plain", ["b\n  c"]),
    ("a: 'b\n  c'\n", "multi-line-plain", []),
    ("a:\n  - [c,\n\td]\n", "tab-indent", ["\t"]),
    ("a: b\n \t\nc: d\n", "tab-indent", ["\t"]),
    ("a:\tb\t# \tc\nd: 'e\tf'\n", "tab-separator", ["\t", "\t"]),
    ("a: |\n  b\n  \tc\n", "tab-indent", []),
    ("k: {{ stage }}\n", "template", ["{{ stage }}"]),
    ("# a\nb: 'x # y' # c\nd: e#f\ng: |\n  # h\n", "comment", ["# a", "# c"]),
    ("a: |  # b\n  c\n\n# d\n", "comment", ["# b", "# d"]),
    (f"a: {'1' * 5000}\n", "huge-int", ["1" * 5000]),
]


@pytest.mark.parametrize(("text", "kind", "places"), MARKS)
def test_marks(text: str, kind: str, places: list[str]) -> None:
    assert marked(text, kind) == places


def test_a_duplicate_points_at_the_first() -> None:
    document = parse("a: 1\na: 2\na: 3\n")
    related = [mark.related for mark in document.marks if mark.kind == "duplicate-key"]
    assert [place.start for place in related if place] == [0, 0]


def test_comments_are_listed_too() -> None:
    text = "# a\nb: 1 # c\n"
    assert [text[c.start : c.end] for c in parse(text).comments] == ["# a", "# c"]


def test_alias_is_the_anchored_node() -> None:
    found = pairs("a: &x {q: 1}\nb: *x\n*x : z\n")
    alias = found["b"].value
    assert isinstance(alias, Alias)
    assert alias.target is found["a"].value
    assert "*x" in found


def test_an_alias_of_a_scalar_as_key_has_its_text() -> None:
    assert set(pairs("a: &x name\n*x : z\n")) == {"a", "name"}


def test_undefined_alias_is_a_fault_and_has_no_target() -> None:
    text = "a: *nope\nb: 1\n"
    alias = pairs(text)["a"].value
    assert isinstance(alias, Alias)
    assert alias.target is None
    assert faults(text) == [("undefined-alias", "*nope")]


def test_anchors_end_with_their_document() -> None:
    assert faults("a: &x 1\n---\nb: *x\n") == [("undefined-alias", "*x")]


def test_a_circle_of_aliases_is_read() -> None:
    document = parse("a: &x [1, *x]\nb: &y\n  c: *y\n")
    assert not document.faults
    assert View(document, PYYAML).value("b", "c", "c", "c") is not None


def test_an_alias_bomb_is_one_node_each() -> None:
    lines = ["a0: &a0 [x, x]"] + [f"a{i}: &a{i} [*a{i - 1}, *a{i - 1}]" for i in range(1, 60)]
    assert not parse("\n".join(lines)).faults


def test_several_documents_are_several_roots() -> None:
    document = parse("a: 1\n---\n- b\n---\n# nothing\n---\nc: 3\n")
    assert [type(root).__name__ for root in document.roots] == ["Mapping", "Sequence", "Scalar", "Mapping"]
    assert View(document, PYYAML, index=3).value("c") == 3


@pytest.mark.parametrize("text", ["", "\n", "# only\n", "   \n\n"])
def test_nothing_is_no_root(text: str) -> None:
    document = parse(text)
    assert document.roots == ()
    assert document.faults == ()


TEMPLATES = [
    ("k: {{ stage }}\n", "{{ stage }}"),
    ("k: {{ stage }}/x\nz: 1\n", "{{ stage }}/x"),
    ("k: {{ a['b'] }}\n", "{{ a['b'] }}"),
    ("k: ${X}\n", "${X}"),
    ('k: "${X}/{{ y }}"\nz: [${q}]\n', '"${X}/{{ y }}"'),
    ("z: {a: ${b.c}}\nk: ${d:${e}}\n", "${d:${e}}"),
    ("k: @STAGE@\n", "@STAGE@"),
    ("k: %STAGE%\n", "%STAGE%"),
    ("{% if x %}\nk: ${X}\n{% endif %}\n", "${X}"),
]


@pytest.mark.parametrize(("text", "raw"), TEMPLATES)
def test_a_placeholder_is_unknown_and_no_fault(text: str, raw: str) -> None:
    document = parse(text)
    assert document.faults == ()
    assert View(document, PYYAML).value("k") == Template(raw)


def test_a_placeholder_as_key_keeps_its_text() -> None:
    document = parse("{{ name }}: 3\nb: 1\n")
    assert document.faults == ()
    assert View(document, PYYAML).value("b") == 1


SECOND_OPINIONS = [
    ("k: [http://x, 1]\nz: 1\n", ["http://x", 1]),
    ("k: {a: http://x}\n", {"a": "http://x"}),
    ("k: [a:b]\n", ["a:b"]),
    ("%FOO bar\n---\nk: 1\n", 1),
]


@pytest.mark.parametrize(("text", "value"), SECOND_OPINIONS)
def test_what_the_pure_parser_reads_is_no_fault(text: str, value: object) -> None:
    document = parse(text)
    assert document.faults == ()
    assert View(document, PYYAML).value("k") == value


def test_without_the_c_parser_the_tree_is_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = [text for text, *_ in VALUES] + [text for text, *_ in COLLECTIONS] + [text for text, *_ in MARKS]
    fast = [repr(parse(text).roots) for text in texts]
    monkeypatch.setattr(yaml_events, "_c_parser", None)
    assert [repr(parse(text).roots) for text in texts] == fast
    assert faults("a: 1\nzero_opt\nb: 2\n") == [("missing-colon", "zero_opt")]


FAULTS = [
    ("a: 1\nzero_opt\nb: 2\n", ("missing-colon", "zero_opt"), ["a", "zero_opt", "b"]),
    ("x\n  b: 2\nc: 3\n", ("missing-colon", "x"), ["x", "c"]),
    ('a: 1\nk: "au\nb: "c"\n', ("unclosed-string", 'k: "au'), ["a", "k", "b"]),
    ("a: 1\nk: 'au\nb: 2\n", ("unclosed-string", "k: 'au"), ["a", "k", "b"]),
    ("a: 1\nk: [1, 2\nb: 3\n", ("unclosed-bracket", "k: [1, 2"), ["a", "k", "b"]),
    ("a: 1\nk: {\nb: 3\n", ("unclosed-bracket", "k: {"), ["a", "k", "b"]),
    ("a: 1\nk: @x\nb: 3\n", ("unreadable-value", "k: @x"), ["a", "k", "b"]),
    ("a: 1\nk: b: c\nd: 3\n", ("unreadable-value", "k: b: c"), ["a", "k", "d"]),
    ("a: 1\n b: 2\nc: 3\n", ("bad-indent", "b: 2"), ["a", "b", "c"]),
    ("x:\n  a: 1\n\tb: 2\n  c: 3\n", ("tab-indent", "b: 2"), ["x"]),
    ("x:\n  a: 1\n   b: 2\n  c: 3\n", ("bad-indent", "b: 2"), ["x"]),
    ("a: 1\n]\nb: 2\n", ("unreadable-line", "]"), ["a", "b"]),
    ('{\n "a": 1\n "b": 2\n}\n', None, ["a", "b"]),
]


@pytest.mark.parametrize(("text", "fault", "keys"), FAULTS)
def test_faults_name_the_line_and_keep_the_rest(
    text: str, fault: tuple[str, str] | None, keys: list[str]
) -> None:
    document = parse(text)
    assert document.faults
    assert not any(one.limit for one in document.faults)
    assert fault is None or faults(text) == [fault]
    root = document.roots[0]
    assert isinstance(root, Mapping)
    assert [pair.key.text for pair in root.pairs] == keys


def test_what_stands_on_a_repaired_line_is_a_guess() -> None:
    found = pairs("a: 1\nx\n  b: 2\nc: 3\n")
    inner = found["x"].value
    assert found["x"].guessed
    assert isinstance(inner, Mapping)
    assert inner.pairs[0].guessed
    assert not found["a"].guessed
    assert not found["c"].guessed


def test_what_is_below_a_lost_line_is_a_guess() -> None:
    found = pairs("a:\n  b: 1\n@:\n  c: 2\nd: 3\n")
    assert not found["d"].guessed
    inner = found["a"].value
    assert isinstance(inner, Mapping)
    assert [(pair.key.text, pair.guessed) for pair in inner.pairs] == [("b", False), ("c", True)]


def test_a_fault_in_one_document_leaves_the_others() -> None:
    document = parse("a: 1\n---\nb: @x\nc: 2\n---\nd: 3\n")
    assert [View(document, PYYAML, at).value(key) for at, key in enumerate("acd")] == [1, 2, 3]
    assert len(document.faults) == 1


def test_the_parsers_place_is_related() -> None:
    document = parse("x:\n  stage\n    b: 2\n  c: 3\n")
    (fault,) = document.faults
    assert fault.code == "missing-colon"
    assert fault.related is not None
    assert document.position(fault.related.start).line == 3


def test_too_many_brackets_is_a_limit() -> None:
    for text in ("[" * 100_000, "a: 1\nb: " + "{a: " * 50_000, "- " * 50_000):
        document = parse(text)
        assert [(fault.code, fault.limit) for fault in document.faults] == [("too-deep", True)]
    assert not parse("k: " + "[" * 150 + "]" * 150).faults


def test_indentation_beyond_the_limit_keeps_what_came_before() -> None:
    document = parse("first: 1\n" + "".join(f"{' ' * i}a:\n" for i in range(3000)))
    assert [fault.code for fault in document.faults] == ["too-deep"]
    assert View(document, PYYAML).value("first") == 1


@pytest.mark.parametrize("char", ["\x00", "\x07", "\x7f", "\ud800", "\ufffe", "\ufeff"])
def test_a_forbidden_character_becomes_a_replacement(char: str) -> None:
    document = parse(f"a: 1\nb: x{char}y\n{char}c: 2\n")
    assert View(document, PYYAML).value("b") == "x\ufffdy"
    assert View(document, PYYAML).value("a") == 1


def test_a_key_of_a_million_characters() -> None:
    document = parse(f"a: 1\n? {'x' * 1_000_000}\n: 2\n")
    assert View(document, PYYAML).value("x" * 1_000_000) == 2
