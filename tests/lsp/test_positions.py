"""Offsets and positions: every encoding, line ends, marks before the text, places that are none."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lsprotocol import types

from shardlint.syntax.document import Document
from shardlint.syntax.tree import Span
from shardlint_lsp.positions import UTF_8, UTF_32, Positions

UTF_16 = types.PositionEncodingKind.Utf16
TEXT = "k: aé\U0001f680b\r\nlast"
PIECES = st.lists(st.sampled_from(["a", "é", "\U0001f680", "\n", "\r\n", "\r", "\u2028"]), max_size=12)


def positions(text: str, encoding: str = UTF_16, lead: int = 0) -> Positions:
    return Positions(Document("ds.yaml", text, "yaml"), encoding, lead)


@pytest.mark.parametrize(("encoding", "column"), [(UTF_8, 10), (UTF_16, 7), (UTF_32, 6)])
def test_a_column_counts_the_units_of_the_encoding(encoding: str, column: int) -> None:
    there = positions(TEXT, encoding)
    assert there.position(TEXT.index("b")) == types.Position(0, column)
    assert there.offset(types.Position(0, column)) == TEXT.index("b")


@pytest.mark.parametrize(("encoding", "inside"), [(UTF_8, 7), (UTF_16, 6)])
def test_inside_of_a_character_is_its_start(encoding: str, inside: int) -> None:
    assert positions(TEXT, encoding).offset(types.Position(0, inside)) == TEXT.index("\U0001f680")


@pytest.mark.parametrize(
    ("line", "character", "offset"),
    [(0, 99, 7), (1, 99, len(TEXT)), (9, 0, len(TEXT))],
)
def test_a_place_outside_of_the_text_is_its_nearest_end(line: int, character: int, offset: int) -> None:
    assert positions(TEXT).offset(types.Position(line, character)) == offset


@pytest.mark.parametrize(("encoding", "mark"), [(UTF_8, 3), (UTF_16, 1), (UTF_32, 1)])
def test_a_byte_order_mark_moves_the_first_line_only(encoding: str, mark: int) -> None:
    there = positions("a\nb", encoding, lead=1)
    assert there.position(0) == types.Position(0, mark)
    assert there.position(2) == types.Position(1, 0)
    assert [there.offset(types.Position(0, column)) for column in (0, mark, mark + 1)] == [0, 0, 1]


def test_a_range_that_ends_before_it_starts_is_turned_around() -> None:
    backwards = types.Range(types.Position(1, 2), types.Position(0, 1))
    assert positions(TEXT).span(backwards) == Span(1, 11)


@given(PIECES.map("".join), st.sampled_from([UTF_8, UTF_16, UTF_32]), st.integers(0, 1))
def test_a_position_leads_back_to_its_offset(text: str, encoding: str, lead: int) -> None:
    there = positions(text, encoding, lead)
    between = {at + 1 for at in range(len(text)) if text[at : at + 2] == "\r\n"}
    for offset in {*range(len(text) + 1)} - between:
        assert there.offset(there.position(offset)) == offset
