"""Whatever the bytes: parsing ends soon, never raises, and every place lies in the text."""

from __future__ import annotations

import random
import time

import pytest

from corpus import corpus_bytes, manifest, requires_corpus
from json_samples import SAMPLE
from shardlint.syntax.dialects.hjson import HJSON
from shardlint.syntax.dialects.strict_json import STRICT_JSON
from shardlint.syntax.document import Document
from shardlint.syntax.parse import parse
from shardlint.syntax.tree import Mapping, Node, Scalar, Sequence
from shardlint.syntax.view import to_value

SAMPLES = [
    SAMPLE.encode(),
    b'{"a":[1,2,{"b":"c"}],"d":{"e":null}}',
    b"a: 1\nb: {\n c: 'x' # y\n}\n",
    b"{\r\n  'a': '''\r\n  x\r\n y'''\r\n, /* c */ b: True,\r\n}\r\n",
    '{"ä": "\u2028 \U0001f600", "x": NaN}'.encode("utf-16"),
    b'\xef\xbb\xbf{"a": ${X}, "b": CONFIG_X,\n"c": {{ y }}}',
]


def check_places(document: Document) -> None:
    """Every span lies in the text and in its parent's, siblings follow one another, `raw` stands there."""
    size = len(document.text)
    for note in (*document.marks, *document.faults):
        assert 0 <= note.span.start <= note.span.end <= size
    pending: list[tuple[Node, int, int]] = [(root, 0, size) for root in document.roots]
    while pending:
        node, low, high = pending.pop()
        start, end = node.span
        assert low <= start <= end <= high
        at = start
        if isinstance(node, Scalar):
            assert document.text[start:end] == node.raw
        elif isinstance(node, Mapping):
            for pair in node.pairs:
                assert at <= pair.span.start == pair.key.span.start <= pair.span.end <= end
                pending.append((pair.value, pair.key.span.end, pair.span.end))
                at = pair.span.end
        elif isinstance(node, Sequence):
            for item in node.items:
                assert at <= item.span.start
                pending.append((item, start, end))
                at = item.span.end


def read_all(source: bytes | str) -> Document:
    document = parse(source, "ds.json")
    check_places(document)
    for root in document.roots:
        to_value(root, HJSON)
        to_value(root, STRICT_JSON)
    return document


def damaged(rng: random.Random) -> bytes:
    data = bytearray(rng.choice(SAMPLES))
    for _ in range(rng.choice([1, 1, 1, 2, 5, 20])):
        at = rng.randrange(len(data) + 1)
        new = rng.choice([rng.randrange(256), *b"\"'{}[],:#/\\ \n\r\t0-."])
        edit = rng.randrange(4)
        if edit == 3:
            del data[at : at + rng.randrange(30)]
        else:
            data[at : at + (edit != 1)] = bytes([new] * (edit != 0))
    return bytes(data)


def test_ten_thousand_random_byte_edits() -> None:
    rng = random.Random(11)
    faulty = sum(bool(read_all(damaged(rng)).faults) for _ in range(10_000))
    assert 3_000 < faulty < 10_000


@pytest.mark.parametrize("sample", range(len(SAMPLES)))
def test_every_prefix(sample: int) -> None:
    data = SAMPLES[sample]
    for size in range(len(data)):
        read_all(data[:size])


def test_a_nul_or_a_surrogate_anywhere() -> None:
    for at in range(len(SAMPLE)):
        for odd in ("\0", "\ud800"):
            document = read_all(SAMPLE[:at] + odd + SAMPLE[at:])
            assert any(mark.kind == "replaced-character" for mark in document.marks)
            assert document.text.isprintable() or "\n" in document.text


LONG = 300_000
HOSTILE = {
    "brackets": "[" * LONG,
    "braces": '{"a":' * LONG,
    "closers": "}" * LONG,
    "quotes": '"' * (LONG + 1),
    "odd strings": '["a"b' * LONG,
    "single quotes": "['a," * LONG,
    "colons": ":" * LONG,
    "commas": "[" + "," * LONG,
    "words in a list": "[" + "a," * LONG,
    "words in an object": "{" + "a:b " * LONG,
    "words with commas": "{a: " + "b ,c " * LONG,
    "placeholders": "[" + "${" * LONG,
    "braces of templates": "[" + "{{" * LONG,
    "comments": "/**/" * LONG,
    "blanks before tokens": " " * LONG + "[1," * LONG,
    "lines of openers": '{\n"a": {\n' * LONG,
    "escapes": '["' + "\\u0041" * LONG,
    "digits": "[" + "1" * LONG,
    "triple quotes": "'''" * LONG,
    "n": "[n" + ",n" * LONG,
    "open strings": "{\n" + '"k": "aaa,\n' * LONG,
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_texts_end_soon(name: str) -> None:
    began = time.process_time()
    document = read_all(HOSTILE[name])
    assert time.process_time() - began < 10
    assert document.faults or document.marks


@pytest.mark.parametrize(
    ("text", "depth"), [("[" * 100_000, 200), ("[" * 201 + "]" * 201, 200), ('{"a":' * 300, 200)]
)
def test_too_deep_is_a_limit_and_keeps_what_was_read(text: str, depth: int) -> None:
    document = read_all(text)
    (fault,) = [fault for fault in document.faults if fault.limit]
    assert fault.code == "too-deep"
    assert text[fault.span.start] in "[{"
    assert text[: fault.span.start].count(text[0]) == depth
    assert document.roots


def test_200_deep_is_read() -> None:
    assert read_all("[" * 200 + "]" * 200).faults == ()


def test_too_many_faults_is_a_limit() -> None:
    document = read_all("[" + "," * 5_000 + "]")
    assert [fault.code for fault in document.faults if fault.limit] == ["too-broken"]


@requires_corpus
def test_prefixes_of_real_files() -> None:
    rng = random.Random(3)
    names = [row.path for row in manifest() if row.path.endswith(".json")]
    for name in rng.sample(names, 100):
        data = corpus_bytes(name)[:20_000]
        for _ in range(5):
            read_all(data[: rng.randrange(len(data) + 1)])
