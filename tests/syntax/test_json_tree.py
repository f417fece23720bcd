"""The tree of JSON and hjson: places, contents, marks, and faults that leave the rest standing."""

from __future__ import annotations

import json

import pytest

from shardlint.syntax.dialects.hjson import HJSON
from shardlint.syntax.dialects.strict_json import STRICT_JSON
from shardlint.syntax.document import Document
from shardlint.syntax.parse import parse
from shardlint.syntax.tree import Mapping, Scalar, Sequence
from shardlint.syntax.view import Template, View


def read(text: str) -> Document:
    return parse(text, "ds.json")


def kinds(document: Document) -> list[str]:
    return [mark.kind for mark in document.marks]


def codes(document: Document) -> list[str]:
    return [fault.code for fault in document.faults]


def marked(document: Document, kind: str) -> list[str]:
    return [document.text[slice(*mark.span)] for mark in document.marks if mark.kind == kind]


def test_spans_raw_and_text() -> None:
    text = '{\r\n  "ä\\u0041": [1, "\\ud83d\\ude00\\n"],\r\n "b" : { }\r\n}'
    document = read(text)
    assert (codes(document), kinds(document)) == ([], [])
    (root,) = document.roots
    assert isinstance(root, Mapping)
    assert root.span == (0, len(text))
    first, second = root.pairs
    assert (first.key.raw, first.key.text) == ('"ä\\u0041"', "äA")
    assert text[slice(*first.span)] == '"ä\\u0041": [1, "\\ud83d\\ude00\\n"]'
    assert isinstance(first.value, Sequence)
    one, smile = first.value.items
    assert isinstance(one, Scalar)
    assert isinstance(smile, Scalar)
    assert (one.raw, one.style) == ("1", "plain")
    assert (smile.text, smile.style) == ("\U0001f600\n", "double")
    assert text[slice(*second.span)] == '"b" : { }'
    assert not any(node.guessed for node in (root, first, second, one, smile))


@pytest.mark.parametrize(
    ("text", "kind", "place"),
    [
        ('{"a": 1 // one\n}', "comment", "// one"),
        ('{"a": 1 # one\n}', "comment", "# one"),
        ('{/* x\n y */"a": 1}', "comment", "/* x\n y */"),
        ('{"a": 1,}', "trailing-comma", ","),
        ('{"a": [1,\n]}', "trailing-comma", ","),
        ('{"a": "x"\n"b": 1}', "missing-comma", ""),
        ("{a: 1}", "unquoted-key", "a"),
        ("{'a': 1}", "single-quoted", "'a'"),
        ("{\"a\": 'x'}", "single-quoted", "'x'"),
        ("{\n\"a\": '''x'''}", "triple-quoted", "'''x'''"),
        ('{"a": cpu\n}', "quoteless-string", "cpu"),
        ('{"a": True\n}', "python-literal", "True"),
        ('{"a": [NaN]}', "nan", "NaN"),
        ('{"a": -Infinity\n}', "nan", "-Infinity"),
        ('{"a": .5\n}', "odd-number", ".5"),
        ('{"a": +1\n}', "odd-number", "+1"),
        ('{"a": 0x10\n}', "odd-number", "0x10"),
        ('{"a": 1_000\n}', "odd-number", "1_000"),
        ('{"a": 01\n}', "odd-number", "01"),
        ('{"a": "x\ty"}', "raw-control", '"x\ty"'),
        ('{"a": "it\\\'s"}', "odd-escape", '"it\\\'s"'),
        ('{"a": 1, "a": 2}', "duplicate-key", '"a"'),
        ('{"a": CONFIG_LR, "b": 1}', "template", "CONFIG_LR"),
        ('{"a": {{ lr }}, "b": 1}', "template", "{{ lr }}"),
        ('{"a": 1e400}', "overflow-float", "1e400"),
        ('{"a": ' + "1" * 5000 + "}", "huge-int", "1" * 5000),
    ],
)
def test_every_construct_has_its_mark_and_place(text: str, kind: str, place: str) -> None:
    document = read(text)
    assert codes(document) == []
    assert marked(document, kind) == [place]


def test_a_root_without_braces() -> None:
    document = read("a: 1\nb: two words\n")
    assert kinds(document) == [
        "no-root-braces",
        "unquoted-key",
        "missing-comma",
        "unquoted-key",
        "quoteless-string",
    ]
    assert View(document, HJSON).value() == {"a": 1, "b": "two words"}


def test_a_duplicate_key_points_at_the_first() -> None:
    (mark,) = read('{"a": 1, "b": {"a": 3}, "a": 2}').marks
    assert mark.span == (24, 27)
    assert mark.related == (1, 4)


def test_a_placeholder_is_no_fault_and_its_value_unknown() -> None:
    document = read('{"stage": ZERO_STAGE, "lr": ${LR}, "b": "{{ b }}", "c": [$X, 2]}')
    assert codes(document) == []
    for dialect in (HJSON, STRICT_JSON):
        view = View(document, dialect)
        assert view.value("stage") == Template("ZERO_STAGE")
        assert view.value("lr") == Template("${LR}")
        assert isinstance(view.value("b"), Template)
        assert view.value("c") == [Template("$X"), 2]


def test_an_unquoted_text_keeps_both_readings() -> None:
    view = View(read('{\n  "device": cpu, // fast\n  "pin": True,\n  "n": 1\n}'), HJSON)
    device = view.get("device")
    assert device is not None
    assert isinstance(device.node, Scalar)
    assert (device.node.raw, device.node.text) == ("cpu", "cpu, // fast")
    assert (view.value("device"), view.value("pin"), view.value("n")) == ("cpu, // fast", "True,", 1)
    strict = View(view.document, STRICT_JSON)
    assert (strict.value("device"), strict.value("pin"), strict.value("n")) == ("cpu", True, 1)


def test_what_an_unquoted_text_swallows_is_a_guess() -> None:
    document = read('{"o": {"device": cpu, "pin": true},\n "n": 1}')
    assert "hjson-break" in kinds(document)
    view = View(document, HJSON)
    assert view.value("o", "pin") is True
    assert [entry.guessed for entry in view.entries("o")] == [False, True]
    assert [entry.guessed for entry in view.entries()] == [False, False]


FAULTS = [
    ('{"a": "x, "b": 1, "c": "y", }}', "unclosed-string", {"a": "x", "b": 1, "c": "y"}),
    ('{"a: 1, "b": 2}', "unclosed-string", {"a": 1, "b": 2}),
    ('{"a": "x,\n "b": 1}', "unclosed-string", {"a": "x", "b": 1}),
    ('{"a" 1, "b": 2}', "missing-colon", {"a": 1, "b": 2}),
    ('{"a" = 1, "b": 2}', "missing-colon", {"a": 1, "b": 2}),
    ('{\n "zero_opt\n "b": 2}', "unclosed-string", {"zero_opt": None, "b": 2}),
    ('{\n "zero_opt"\n "b": 2}', "missing-colon", {"zero_opt": None, "b": 2}),
    ('{"a": , "b": 2}', "missing-value", {"a": None, "b": 2}),
    ('{"a":\n"b": 2}', "missing-value", {"a": None, "b": 2}),
    ('{"a": 1,, "b": 2}', "extra-comma", {"a": 1, "b": 2}),
    ('{, "a": 1}', "extra-comma", {"a": 1}),
    ('{"a": "b": 1}, "c": 2}', "missing-bracket", {"a": {"b": 1}, "c": 2}),
    ('{\n "a":\n  "b": 1\n },\n "c": 2\n}', "missing-bracket", {"a": {"b": 1}, "c": 2}),
    ('{"a": [1, 2\n, "b": 3}', "unclosed-bracket", None),
    ('{"a": [1, 2,\n"b": 3}', "unclosed-bracket", {"a": [1, 2], "b": 3}),
    ('{\n "a": {\n  "b": 1\n ,\n "c": 2\n}', "unclosed-bracket", {"a": {"b": 1}, "c": 2}),
    ('{\n "a": {\n  "b": 1}},\n "c": 2\n}', "unexpected-closer", {"a": {"b": 1}, "c": 2}),
    ('{"a": 1}}', "unexpected-closer", {"a": 1}),
    ('{"a": 1} {"b": 2}', "text-after-root", {"a": 1}),
    ('{"a": 1 /* x', "unclosed-comment", {"a": 1}),
    ('{"a": "\\x41"}', "bad-escape", {"a": "x41"}),
    ('{"a": [1], "b": {', "unclosed-bracket", {"a": [1], "b": {}}),
    ("}", "unexpected-text", None),
]


@pytest.mark.parametrize(("text", "code", "value"), FAULTS)
def test_faults_leave_the_rest_standing(text: str, code: str, value: object) -> None:
    document = read(text)
    assert code in codes(document)
    assert all(fault.message and not fault.limit for fault in document.faults)
    if value is not None:
        assert View(document, STRICT_JSON).entries()
        root = View(document, STRICT_JSON)
        assert {entry.name: entry.value for entry in root.entries()} == value


def test_what_hjson_reads_over_is_a_mark_and_no_fault() -> None:
    document = read('{"a": "x, "b": 1}')
    assert codes(document) == []
    assert "hjson-only" in kinds(document)
    assert View(document, STRICT_JSON).value() == {"a": "x", "b": 1}
    assert STRICT_JSON.refusal("hjson-only")
    assert not HJSON.refusal("hjson-only")


def test_one_lost_bracket_is_one_fault_at_its_opener() -> None:
    document = read('{\n "a": {\n  "b": 1\n ,\n "c": {\n  "d": 2\n }\n}')
    (fault,) = document.faults
    assert document.position(fault.span.start) == (2, 7)
    assert fault.message == "`{` is not closed before line 5"
    assert fault.related is not None
    assert document.position(fault.related.start) == (5, 2)


def test_nodes_on_repaired_text_are_guesses() -> None:
    view = View(read('{\n "x": 0,\n "a": {\n  "b": 1\n ,\n "c": 2\n}'), STRICT_JSON)
    guessed = {entry.key: entry.guessed for entry in view.walk()}
    assert guessed == {"x": False, "a": True, "a.b": False, "c": True}


def test_an_empty_file() -> None:
    for text in ("", " \n", "// nothing\n"):
        document = read(text)
        assert document.roots == ()
        assert "empty" in kinds(document)
        assert codes(document) == []


def test_line_ends_are_those_of_editors() -> None:
    document = read('{"a": "\u2028",\r"b": 1,\r\n"c": 2\n}')
    assert [document.position(pair.span.start) for pair in document.roots[0].pairs] == [
        (1, 2),
        (2, 1),
        (3, 1),
    ]  # type: ignore[union-attr]
    assert json.loads(document.text) == {"a": "\u2028", "b": 1, "c": 2}
