"""Values and verdicts of the two JSON readers, against the readers themselves."""

from __future__ import annotations

import json
import math
import random
from collections import Counter
from collections.abc import Callable
from typing import Any

import hjson
import pytest

from corpus import corpus_bytes, manifest, requires_corpus
from json_samples import SAMPLE
from shardlint.syntax.dialects.hjson import HJSON
from shardlint.syntax.dialects.strict_json import STRICT_JSON
from shardlint.syntax.document import Document
from shardlint.syntax.parse import parse
from shardlint.syntax.view import Dialect, Template, View, to_value

MUTANTS = 2_500
INSERTED = "\"'{}[],:#/ \n\t0a."


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """DeepSpeed's own hook: a key given twice is refused."""
    if len(dict(pairs)) != len(pairs):
        raise ValueError("duplicate key")
    return dict(pairs)


READERS: dict[str, tuple[Dialect, Callable[[str], Any]]] = {
    "json": (STRICT_JSON, json.loads),
    "hjson": (HJSON, lambda text: hjson.loads(text, object_pairs_hook=_once)),
}


def refuses(document: Document, dialect: Dialect) -> bool:
    return bool(document.faults) or any(dialect.refusal(mark.kind) for mark in document.marks)


def value_of(document: Document, dialect: Dialect) -> object:
    return to_value(document.roots[0], dialect) if document.roots else {}


def alike(ours: object, theirs: object) -> bool:
    """Equal with types, NaN equal to itself; a placeholder equals anything."""
    if isinstance(ours, Template):
        return True
    if type(ours) is not type(theirs):
        return False
    if isinstance(ours, dict) and isinstance(theirs, dict):
        return list(ours) == list(theirs) and all(alike(ours[key], theirs[key]) for key in ours)
    if isinstance(ours, list) and isinstance(theirs, list):
        return len(ours) == len(theirs) and all(map(alike, ours, theirs))
    both_nan = (
        isinstance(ours, float) and isinstance(theirs, float) and math.isnan(ours) and math.isnan(theirs)
    )
    return both_nan or ours == theirs


def judge(text: str, reader: str) -> str:
    """`same`, `refused`, or how our reading of a text differs from the reader's own."""
    dialect, load = READERS[reader]
    document = parse(text, "ds.json")
    if any(fault.limit for fault in document.faults):
        return "limit"
    has_placeholder = any(mark.kind == "template" for mark in document.marks)
    try:
        theirs = load(text)
    except (ValueError, IndexError, OverflowError):
        return "refused" if refuses(document, dialect) or has_placeholder else "refused by the reader only"
    if refuses(document, dialect):
        return "refused, with placeholders" if has_placeholder else "refused by us only"
    if alike(value_of(document, dialect), theirs):
        return "same"
    return "another value, known" if reader == "hjson" and other_tree(document) else "another value"


def other_tree(document: Document) -> bool:
    """Whether the tree is the one that was meant where hjson reads another: see `parse_json`."""
    return any(mark.kind in ("stray-quote", "swallowed", "hjson-only", "template") for mark in document.marks)


TEXTS = [
    "",
    "{}",
    "[]",
    "null",
    "1",
    '"x"',
    "abc",
    "{a: 1}",
    "{'a': 1}",
    "a: 1",
    "a: 1\nb: x, y\n",
    '{"a": 1,}',
    "[1,2,]",
    '{"a": NaN}',
    '{"a": NaN\n}',
    '{"a": -Infinity\n}',
    "[NaN]",
    '{"a": 2e8}',
    '{"a": 1e10}',
    '{"a": 1.0}',
    '{"a": -0.0}',
    '{"a": 1e+5}',
    '{"a": 1e400}',
    '{"a": .5}',
    '{"a": .5\n}',
    '{"a": 01\n}',
    '{"a": True,\n}',
    '{"a": true # x\n}',
    '{"a": true//x\n}',
    '{"a": 1 /* x */, "b": 2}',
    '{"a": /* x',
    '{"a": "x\ty"}',
    '{"a": "\\u00e4\\ud83d\\ude00"}',
    '{"a": "\\x"}',
    '{"a": "it\\\'s"}',
    '{"a": 1 "b": 2}',
    '{"a": "x" "b": 2}',
    '{"a": 1\n"b": 2}',
    '{"a": x}',
    '{"a": x\n}',
    '{"a": [x\n]}',
    '{"a": 1, "a": 2}',
    '{"a": {"b": 1, "b": 1}}',
    '{"a": 1} x',
    '{"a": 1} # x',
    "{\n a: '''\n   x\n    y\n   '''\n}",
    "{\n  a: '''x'''\n}",
    "{a b: 1}",
    "{a : 1}",
    "{: 1}",
    "{,}",
    "[,]",
    '{"a":}',
    "[1",
    '{"a"',
    '{"a": "',
    "{a: {b: c}}",
    "{a: {b: c\n}}",
    '{"a": tru\n}',
    '{"a": nullx\n}',
    '{"a": 1x\n}',
    "\ufeff{}",
    "{a#b: 1}",
    '{"a": http://x/y\n}',
    '{"a": "\x7f"}',
    '{"a": 1;\n}',
    "{\r'a': 1\r}",
    '{"a": ' + "9" * 4301 + "}",
    '{"a": ' + "9" * 400 + "}",
]


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("text", TEXTS, ids=lambda text: repr(text)[:40])
def test_small_texts(text: str, reader: str) -> None:
    assert judge(text, reader) in ("same", "refused")


def test_list_items_on_the_line_of_an_unquoted_text_are_kept_apart() -> None:
    assert judge('{"a": [x, y\n]}', "hjson") == "another value, known"


@pytest.mark.parametrize(
    ("text", "strict", "hjson_value"),
    [
        ("2e8", 2e8, 200_000_000),
        ("1e10", 1e10, 1e10),
        ("1.5", 1.5, 1.5),
        ("-0", 0, 0),
        ("true", True, True),
        ("null", None, None),
        ("NaN", math.nan, "NaN"),
        ("True", True, "True"),
        ("0x10", 16, "0x10"),
        (".5", 0.5, ".5"),
        ("1_000", 1000, "1_000"),
        ("cpu", "cpu", "cpu"),
        ('"auto"', "auto", "auto"),
        ("'auto'", "auto", "auto"),
    ],
)
def test_values_of_scalars(text: str, strict: object, hjson_value: object) -> None:
    document = parse(f'{{"a": {text}\n}}', "ds.json")
    assert alike(View(document, STRICT_JSON).value("a"), strict)
    assert alike(View(document, HJSON).value("a"), hjson_value)


def test_a_value_that_was_not_written_is_none() -> None:
    document = parse('{"a": }', "ds.json")
    assert View(document, STRICT_JSON).value("a") is None
    assert View(document, HJSON).value("a") is None


def test_refusals_end_a_sentence() -> None:
    refusal = STRICT_JSON.refusal("comment")
    assert refusal is not None
    assert f"{STRICT_JSON.name} {refusal.effect}" == "Python's json refuses comments"
    assert HJSON.refusal("comment") is None
    assert STRICT_JSON.refusal("duplicate-key") is None
    assert HJSON.refusal("duplicate-key") is not None


def mutants(texts: list[str], amount: int) -> list[str]:
    """Texts with one character deleted, inserted or replaced, seeded."""
    rng = random.Random(7)
    out: list[str] = []
    for _ in range(amount):
        text = rng.choice(texts)
        at = rng.randrange(len(text))
        new, skipped = rng.choice([("", 1), (rng.choice(INSERTED), 0), (rng.choice(INSERTED), 1)])
        out.append(text[:at] + new + text[at + skipped :])
    return out


def verdicts(texts: list[str], reader: str) -> Counter[str]:
    return Counter(judge(text, reader) for text in texts)


@pytest.mark.parametrize("reader", READERS)
def test_mutants_of_the_sample(reader: str) -> None:
    found = verdicts(mutants([SAMPLE], 500), reader)
    assert set(found) <= {"same", "refused", "another value, known"}
    assert found["another value, known"] <= 25


@requires_corpus
@pytest.mark.parametrize("reader", READERS)
def test_every_json_file_of_the_corpus(reader: str) -> None:
    names = [row.path for row in manifest() if row.path.endswith(".json")]
    found = {name: judge(corpus_bytes(name).decode("utf-8"), reader) for name in names}
    assert {name: how for name, how in found.items() if how not in ("same", "refused", "limit")} == {}
    assert sum(how == "limit" for how in found.values()) <= 1


@requires_corpus
@pytest.mark.parametrize("reader", READERS)
def test_mutants_of_deepspeed_files(reader: str, record_property: pytest.RecordProperty) -> None:
    rows = [row.path for row in manifest() if row.label == "deepspeed" and row.path.endswith(".json")]
    texts = [text for name in rows if 0 < len(text := corpus_bytes(name).decode("utf-8")) < 6_000]
    found = verdicts(mutants(texts, MUTANTS), reader)
    record_property(reader, dict(found))
    assert set(found) <= {"same", "refused", "another value, known", "refused, with placeholders"}
    assert found["refused, with placeholders"] <= 5
    assert found["another value, known"] <= MUTANTS * 0.03
