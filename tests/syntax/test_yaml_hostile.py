"""Nothing in a text makes the YAML parser raise or hang."""

from __future__ import annotations

import random
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corpus import corpus_bytes, manifest, requires_corpus
from shardlint.syntax.dialects.pyyaml import PYYAML
from shardlint.syntax.yaml_parser import parse_yaml
from wellformed import check_document

MANY = 10_000
SECONDS = 3.0  # the slowest of these takes a quarter of a second on an idle machine

HOSTILE = {
    "open brackets": "[" * MANY * 5,
    "open braces": "{" * MANY * 5,
    "balanced": "[" * MANY + "]" * MANY,
    "flow maps": "{a: " * MANY,
    "dashes": "- " * MANY,
    "question marks": "? " * MANY,
    "deep block": "".join(f"{' ' * i}a:\n" for i in range(1_500)),
    "tags": "!!a " * MANY,
    "anchors": "&a " * MANY,
    "double quotes": '"' * MANY,
    "single quotes": "'" * (MANY + 1),
    "open lists": "- [\n" * MANY,
    "colons": ":" * MANY,
    "key after key": "a:" * MANY,
    "bad values": "a: b: c\n" * MANY,
    "bad keys": "".join(f"k{i}: @x\n" for i in range(MANY)),
    "nested bad keys": "a:\n" + "".join(f"  k{i}: @x\n" for i in range(MANY)),
    "nested open strings": "a:\n" + "".join(f'  k{i}: "x\n' for i in range(MANY)),
    "tabs": "\t" * MANY * 5 + "a",
    "blanks": "a:" + " " * MANY * 5 + "b: c",
    "directives": "%FOO\n" * MANY,
    "documents": "---\n" * MANY,
    "bad documents": '---\na: "\n' * MANY,
    "jinja": "{{ " * MANY,
    "jinja in quotes": 'a: "' + "{{ " * MANY + '"\n b',
    "interpolations": "a: ${" * MANY,
    "alias chain": "a: &a [x]\n" + "".join(f"b{i}: &b{i} [*a, *a]\n" for i in range(MANY // 10)),
    "hashes": " #" * MANY,
    "NUL": "\x00" * MANY,
    "line separators": "a\u2028" * MANY,
    "lone CR": "a: 1\r" * MANY,
    "CRLF": "a: 1\r\n" * MANY,
    "duplicates": "a: 1\n" * MANY,
    "one long list": "[" + ", ".join(['"a"'] * MANY),
    "braces without commas": "{\n" + "".join(f'"k{i}": {i}\n' for i in range(MANY // 4)),
    "nested braces without commas": "a: {\n" + "".join(f"  k{i}: {i}\n" for i in range(MANY)),
    "escape beyond Unicode": 'a: "\\U00110000"',
    "quote in a list": "[it 's " + "[" * MANY + "'",
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE.keys())
def test_hostile_text(text: str) -> None:
    begin = time.process_time()
    document = parse_yaml("x.yaml", text)
    assert time.process_time() - begin < SECONDS
    check_document(document, PYYAML)


ODD = "\t\n\r \x00\x85\u2028{}[]:,\"'#-?&*!|>%@`~$\\aé\U0001d4b3\ue020\ufeff\x7f0\ud800"


@settings(deadline=None)
@given(st.text(alphabet=ODD, max_size=60))
def test_any_text_of_odd_characters(text: str) -> None:
    check_document(parse_yaml("x.yaml", text), PYYAML)


@settings(deadline=None)
@given(
    st.lists(
        st.sampled_from(["a:", "- ", "  ", "b", "\n", ": ", "'", '"', "[", "]", "{", "}", "&x ", "*x", "|"])
    )
)
def test_any_text_of_yaml_pieces(pieces: list[str]) -> None:
    check_document(parse_yaml("x.yaml", "".join(pieces)), PYYAML)


@requires_corpus
def test_every_kind_of_prefix_of_100_files() -> None:
    rng = random.Random(5)
    rows = [row.path for row in manifest() if row.path.endswith((".yaml", ".yml"))]
    for path in rng.sample(rows, 100):
        text = corpus_bytes(path).decode("utf-8", "replace")[:8_000]
        for at in rng.sample(range(len(text) + 1), min(10, len(text))):
            check_document(parse_yaml(path, text[:at]), PYYAML)


@requires_corpus
def test_random_byte_edits() -> None:
    rng = random.Random(6)
    rows = [row.path for row in manifest() if row.path.endswith((".yaml", ".yml"))]
    files = [corpus_bytes(path)[:6_000] for path in rng.sample(rows, 100)]
    for _ in range(300):
        data = bytearray(rng.choice(files))
        for _ in range(rng.randrange(1, 6)):
            data[rng.randrange(len(data) + 1) : rng.randrange(len(data) + 1)] = rng.randbytes(
                rng.randrange(3)
            )
        check_document(parse_yaml("x.yaml", bytes(data).decode("utf-8", "replace")), PYYAML)
