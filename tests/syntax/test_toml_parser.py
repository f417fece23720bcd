"""TOML text to nodes: the nesting TOML means, places, faults, and the values tomllib gives."""

from __future__ import annotations

import math
import random
import sys
import time
from importlib import import_module
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corpus import corpus_bytes, manifest, requires_corpus
from shardlint.syntax.dialects.toml import TOML
from shardlint.syntax.document import Document
from shardlint.syntax.toml_parser import parse_toml
from shardlint.syntax.tree import Mapping, Scalar, Sequence, Span
from shardlint.syntax.view import Template, View, to_value
from wellformed import check_document

tomllib: Any = import_module("tomllib" if sys.version_info >= (3, 11) else "tomli")

MANY = 20_000
SECONDS = 10.0  # the slowest of these takes half a second on an idle machine


def parse(text: str) -> Document:
    document = parse_toml("x.toml", text)
    check_document(document, TOML)
    return document


def values(text: str) -> object:
    roots = parse(text).roots
    return to_value(roots[0], TOML) if roots else {}


def faults(text: str) -> list[tuple[str, str]]:
    return [(fault.code, text[fault.span.start : fault.span.end]) for fault in parse(text).faults]


def same(ours: object, theirs: object) -> bool:
    """Equal values, types and order; a date or time is the text tomllib reads it from."""
    if isinstance(ours, Template):
        return isinstance(theirs, str)
    if isinstance(theirs, dict):
        return (
            isinstance(ours, dict) and [*ours] == [*theirs] and all(map(same, ours.values(), theirs.values()))
        )
    if isinstance(theirs, list):
        return isinstance(ours, list) and len(ours) == len(theirs) and all(map(same, ours, theirs))
    if isinstance(theirs, float) and math.isnan(theirs):
        return isinstance(ours, float) and math.isnan(ours)
    if isinstance(theirs, bool | int | float | str):
        return type(ours) is type(theirs) and ours == theirs
    return isinstance(ours, str) and tomllib.loads(f"x = {ours}")["x"] == theirs


GOOD = [
    "a = 1\nb.c = 2\nb.d = 3\n[e]\nf = 4\n[e.g]\nh = 5\n",
    "[a.b]\nc = 1\n[a]\nd = 2\n",
    "[a]\nx = 1\n[b]\n[a.c]\ny = 1\n",
    "[[a]]\nb = 1\n[[a]]\nb = 2\n[a.c]\nd = 3\n[[a.e]]\n[[a.e]]\nf = 1\n",
    "a = [1, [2, 3], {b = 4, c.d = [5]}]\n",
    'a = [\n  "x", # why\n  "y",\n\n]\nb = 1\n',
    "a = []\nb = {}\nc = [[], [{}]]\n",
    'a = "q\\"\\t\\u00e9\\U0001d4b3\\\\"\nb = \'\\n\'\n',
    "a = \"\"\"\nx\n  y\\\n   z\\\n\n w\"\"\"\nb = '''\n\\x\n'''\n",
    'a = """a"b""c"""\nb = """""x"""""\nc = """"""\nd = \'\'\'\'a\'\'\'\'\n',
    "a = 1_000\nb = 0xF_f\nc = 0o17\nd = 0b1_0\ne = -0\nf = +7\n",
    "a = 1e5\nb = 1E-5\nc = 1.5e+3\nd = -0.0\ne = 6.02_2\nf = inf\ng = -inf\nh = +nan\n",
    "a = true\nb = false\n",
    "a = 1979-05-27T07:32:00Z\nb = 1979-05-27 07:32:00.5\nc = 1979-05-27\nd = 07:32:00\n",
    "a = [1979-05-27, 1]\n",
    '\'a b\'."c.d" . e = 1\n"" = 2\n1 = 3\n-- = 4\n',
    "a = 1\r\n[b]\r\nc = \"x\"\r\nd = '''\r\ny\r\nz'''\r\n",
    "  a   =   1   # c\n\t[ b . c ]\t# d\nd=1",
    "# only\n",
    "",
]


@pytest.mark.parametrize("text", GOOD)
def test_values_are_tomllibs(text: str) -> None:
    assert faults(text) == []
    assert same(values(text), tomllib.loads(text))


def test_places() -> None:
    text = '[a]\nkey = "v"  # c\nlist = [1,\n 2]\n[a.b]\nc.d = 3\n'
    view = View(parse(text), TOML)

    def shown(*path: str | int) -> tuple[str, str]:
        entry = view.get(*path)
        assert entry is not None
        return text[slice(*entry.key_span)], text[slice(*entry.value_span)]

    assert shown("a", "key") == ("key", '"v"')
    assert shown("a", "list") == ("list", "[1,\n 2]")
    assert shown("a", "list", 1) == ("2", "2")
    assert shown("a", "b", "c", "d") == ("d", "3")
    assert shown("a", "b", "c") == ("c", "d = 3")
    assert shown("a", "b") == ("b", "c.d = 3")
    assert shown("a")[0] == "a"


def test_styles() -> None:
    root = parse("a = 1\nb = \"x\"\nc = 'x'\nd = '''x'''\ne = [{}]\n[f]\n[[g]]\n").roots[0]
    assert isinstance(root, Mapping)
    kinds = [
        pair.value.style if isinstance(pair.value, Scalar) else getattr(pair.value, "flow", None)
        for pair in root.pairs
    ]
    assert kinds == ["plain", "double", "single", "triple", True, False, False]


def test_comments() -> None:
    text = '# a\nb = "# no" # c\n[d] # e\nf = [ # g\n 1 ]\n'
    assert [text[slice(*span)] for span in parse(text).comments] == ["# a", "# c", "# e", "# g"]


FAULTS = [
    ("zero_opt\nb = 1\n", [("missing-equals", "zero_opt")], {"zero_opt": None, "b": 1}),
    ('k = "au\nb = 1\n', [("unclosed-string", '"au')], {"k": "au", "b": 1}),
    ("k = [1, 2\nb = 1\n", [("unclosed-bracket", "[")], {"k": [1, 2], "b": 1}),
    ("k = [1,\n 2\n[b]\nc = 1\n", [("unclosed-bracket", "[")], {"k": [1, 2], "b": {"c": 1}}),
    ("k = {a = 1\nb = 1\n", [("unclosed-bracket", "{")], {"k": {"a": 1}, "b": 1}),
    ("k = auto\nb = 1\n", [("unreadable-value", "auto")], {"k": "auto", "b": 1}),
    ("k =\nb = 1\n", [("missing-value", "=")], {"k": None, "b": 1}),
    ("k = 010\nb = 1\n", [("unreadable-value", "010")], {"k": "010", "b": 1}),
    ("k = 1 2\nb = 1\n", [("unreadable-value", "1 2")], {"k": "1 2", "b": 1}),
    ('k = "a" 2\nb = 1\n', [("extra-text", "2")], {"k": "a", "b": 1}),
    ("[parall\nb = 1\n", [("unclosed-bracket", "[parall")], {"parall": {"b": 1}}),
    ("parall]\nb = 1\n", [("missing-bracket", "parall]")], {"parall": {"b": 1}}),
    ("[]\nb = 1\n", [("missing-key", "[]")], {"b": 1}),
    ("= 3\nb = 1\n", [("unreadable-line", "= 3")], {"b": 1}),
    ("k = [1, {a = 2]\nb = 1\n", [("unclosed-bracket", "{")], {"k": [1, {"a": 2}], "b": 1}),
    ("k = {a = 1, b}\nc = 2\n", [("missing-equals", "b")], {"k": {"a": 1}, "c": 2}),
    ("a = 1\nb = 2\na = 3\n", [("duplicate-key", "a")], {"a": 3, "b": 2}),
    ("[a]\nb = 1\n[a]\nc = 2\n", [("duplicate-key", "a")], {"a": {"b": 1, "c": 2}}),
    ('a = "\\q"\nb = 1\n', [("toml-syntax", '"')], {"a": "\\q", "b": 1}),
    ("a = 1\rb = 2\n", [("toml-syntax", "\r")], {"a": 1, "b": 2}),
]


@pytest.mark.parametrize(("text", "expected", "rest"), FAULTS)
def test_faults_and_what_is_left(text: str, expected: list[tuple[str, str]], rest: object) -> None:
    with pytest.raises(ValueError):
        tomllib.loads(text)
    assert faults(text) == expected
    assert values(text) == rest


def test_a_duplicate_is_a_mark_too_and_points_at_the_first() -> None:
    document = parse("a = 1\nb = 2\na = 3\n")
    (mark,) = [mark for mark in document.marks if mark.kind == "duplicate-key"]
    assert mark.related == Span(0, 1)
    assert document.faults[0].related == Span(0, 1)
    assert TOML.refusal("duplicate-key") is None


@pytest.mark.parametrize("raw", ["${X}", "{{ x }}", "CONFIG_STAGE", "<FILL>", "@X@"])
def test_an_unquoted_placeholder_is_unknown_and_no_fault(raw: str) -> None:
    document = parse(f"a = {raw}\nb = [{raw}, 1]\nc = '{raw}'\n")
    assert document.faults == ()
    assert View(document, TOML).value("a") == Template(raw)
    assert [mark.kind for mark in document.marks] == ["template", "template"]


def test_a_placeholder_does_not_hide_a_fault() -> None:
    assert [code for code, _ in faults("a = ${X}\nb\n")] == ["missing-equals"]


def test_limits() -> None:
    for text in (
        "a = " + "[" * MANY,
        "a = " + "{a = " * MANY,
        "a." * MANY + "b = 1\n",
        "[" + "a." * MANY + "b]\n",
    ):
        document = parse("first = 1\n" + text)
        assert [(fault.code, fault.limit) for fault in document.faults] == [("too-deep", True)]
        assert View(document, TOML).value("first") == 1
    assert not parse("a = " + "[" * 150 + "]" * 150 + "\n").faults
    assert not parse("a." * 90 + "b = 1\n").faults


HOSTILE = {
    "headers": "[" * MANY,
    "open triple": 'a = """' * MANY,
    "open single": "a = '\n" * MANY,
    "backslashes": 'a = "' + "\\" * MANY,
    "blanks": " " * MANY + "a" + " " * MANY + "=",
    "equals": "=" * MANY,
    "duplicates": "a = 1\n" * MANY,
    "array tables": "[[a]]\n" * MANY,
    "lone CR": "a = 1\r" * MANY,
    "NUL": "\x00" * MANY,
    "digits": "a = " + "1" * 5_000,
    "triple in a list": "a = [\n" + '"""\n' * (MANY + 1),
    "commas": "a = [" + "," * MANY,
    "closers": "a = [" + "}" * MANY,
    "blank lines in a list": "a = [" + " \n" * MANY,
    "surrogate escape": 'a = "\\uD800"',
    "surrogate": "a = '\ud800'",
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE.keys())
def test_hostile_text(text: str) -> None:
    begin = time.process_time()
    parse(text)
    assert time.process_time() - begin < SECONDS


NUMERIC = st.text(alphabet="0123456789+-._eExXoObBinfatruls:TZ", min_size=1, max_size=10)


def doubted(document: Document) -> bool:
    """A fault, or a value that some program has yet to fill in."""
    return bool(document.faults) or any(mark.kind == "template" for mark in document.marks)


@settings(deadline=None)
@given(NUMERIC)
def test_drawn_scalars_as_tomllib(text: str) -> None:
    source = f"k = {text}\n"
    try:
        expected = tomllib.loads(source)
    except ValueError:
        assert doubted(parse(source))
    else:
        assert same(values(source), expected)


@settings(deadline=None)
@given(st.text(alphabet="ab=.[]{}\"'#\n\r\t ,1\\\x00\u2028é", max_size=40))
def test_any_text_agrees_with_tomllib_on_validity(text: str) -> None:
    document = parse(text)
    try:
        expected = tomllib.loads(text)
    except ValueError:
        assert doubted(document)
    else:
        assert not document.faults
        assert same(values(text), expected)


@requires_corpus
def test_every_corpus_file_has_the_values_tomllib_gives() -> None:
    rows = [row.path for row in manifest() if row.path.endswith(".toml")]
    for path in rows:
        text = corpus_bytes(path).decode()
        assert faults(text) == [], path
        assert same(values(text), tomllib.loads(text)), path
    assert len(rows) > 100


@requires_corpus
def test_prefixes_and_edits_of_corpus_files() -> None:
    rng = random.Random(8)
    rows = [row.path for row in manifest() if row.path.endswith(".toml")]
    for path in rng.sample(rows, 60):
        text = corpus_bytes(path).decode()[:6_000]
        for _ in range(8):
            at = rng.randrange(len(text) + 1)
            parse(text[:at])
            parse(text[:at] + rng.choice("\t\n []{}\"'#=.,\\") + text[at + rng.randrange(3) :])


def test_sequence_of_tables_is_a_sequence() -> None:
    root = parse("[[a]]\nb = 1\n").roots[0]
    assert isinstance(root, Mapping)
    assert isinstance(root.pairs[0].value, Sequence)
