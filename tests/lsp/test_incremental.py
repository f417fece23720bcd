"""Changed texts: as a text cut by offsets says, whatever its line ends, its characters and the encoding."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lsprotocol import types

from shardlint.syntax.document import Document
from shardlint_lsp.incremental import edited
from shardlint_lsp.positions import UTF_8, UTF_32, Positions

ENCODINGS = (UTF_8, types.PositionEncodingKind.Utf16, UTF_32)
PIECES = st.lists(st.sampled_from(["a", "é", "\U0001f680", "\n", "\r\n", "\r", " ", "\u2028"]), max_size=12)
TEXTS = PIECES.map("".join)
POSITIONS = st.builds(types.Position, st.integers(0, 6), st.integers(0, 12))
PARTS = st.builds(
    types.TextDocumentContentChangePartial, range=st.builds(types.Range, POSITIONS, POSITIONS), text=TEXTS
)
WHOLES = st.builds(types.TextDocumentContentChangeWholeDocument, text=TEXTS)
CHANGES = st.lists(st.one_of(PARTS, PARTS, PARTS, WHOLES), max_size=4)


def by_offsets(text: str, change: types.TextDocumentContentChangeEvent, encoding: str) -> str:
    if not isinstance(change, types.TextDocumentContentChangePartial):
        return change.text
    span = Positions(Document("", text, "text"), encoding).span(change.range)
    return text[: span.start] + change.text + text[span.end :]


@given(TEXTS, CHANGES, st.sampled_from(ENCODINGS))
def test_each_change_is_of_the_text_before_it(
    text: str, changes: list[types.TextDocumentContentChangeEvent], encoding: str
) -> None:
    expected = text
    for change in changes:
        expected = by_offsets(expected, change, encoding)
    assert edited(text, changes, encoding) == expected


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_word_replaced_on_every_line_is_quick(end: str) -> None:
    count = 3_000
    text = f"  key: 1{end}" * count
    changes = [
        types.TextDocumentContentChangePartial(
            types.Range(types.Position(row, 2), types.Position(row, 5)), "name"
        )
        for row in range(count)
    ]
    began = time.process_time()
    assert edited(text, changes, UTF_8) == f"  name: 1{end}" * count
    assert time.process_time() - began < 0.5
