"""Bytes to text: every encoding has a defined result, and nothing raises."""

from __future__ import annotations

import codecs

import pytest

from shardlint.syntax.decode import MAX_SIZE, decode


def test_utf8_is_read_as_it_is() -> None:
    assert decode("a: ä\u2028\U0001f600".encode()) == ("a: ä\u2028\U0001f600", (), ())


def test_a_byte_order_mark_is_noted_and_left_out() -> None:
    for source in (codecs.BOM_UTF8 + b"{}", "\ufeff{}"):
        decoded = decode(source)
        assert decoded.text == "{}"
        assert [(mark.kind, mark.span) for mark in decoded.marks] == [("bom", (0, 0))]


@pytest.mark.parametrize("encoding", ["utf-16", "utf-32", "utf-16-be", "utf-32-be"])
def test_wide_encodings_are_known_by_their_mark(encoding: str) -> None:
    bom = b"" if encoding in ("utf-16", "utf-32") else "\ufeff".encode(encoding)
    decoded = decode(bom + '{"ä": 1}'.encode(encoding))
    assert decoded.text == '{"ä": 1}'
    assert [mark.kind for mark in decoded.marks] == ["utf-16"]


def test_a_bad_byte_is_a_fault_with_its_place() -> None:
    decoded = decode(b'{\n  "a": "\xe4\xf6"\n}')
    assert decoded.text == '{\n  "a": "\ufffd\ufffd"\n}'
    (fault,) = decoded.faults
    assert fault.code == "not-utf8"
    assert decoded.text[fault.span.start] == "\ufffd"
    assert fault.message == "byte 11 of the file (0xe4, line 2) is not UTF-8"
    assert not fault.limit


def test_half_a_utf16_character_is_a_fault() -> None:
    decoded = decode(codecs.BOM_UTF16_LE + b"{\0}")
    assert decoded.faults[0].message == "byte 5 of the file (0x7d, line 1) is not UTF-16"


def test_control_characters_and_surrogates_are_replaced_one_for_one() -> None:
    decoded = decode('{"a": "\x00\x1b\ud800"}\t\r\n', "json")
    assert decoded.text == '{"a": "\ufffd\ufffd\ufffd"}\t\r\n'
    assert [mark.span.start for mark in decoded.marks] == [7, 8, 9]
    assert {mark.kind for mark in decoded.marks} == {"replaced-character"}


@pytest.mark.parametrize(("language", "kept"), [("json", True), ("yaml", False), ("toml", False)])
def test_delete_is_a_character_to_json_only(language: str, kept: bool) -> None:
    assert (decode("\x7f", language).text == "\x7f") is kept


def test_a_binary_file_is_not_reported_byte_by_byte() -> None:
    assert len(decode(b"\0" * 10_000).marks) == 100


@pytest.mark.parametrize("source", [b" " * (MAX_SIZE + 1), " " * (MAX_SIZE + 1)])
def test_a_huge_file_is_not_read(source: bytes | str) -> None:
    decoded = decode(source)
    assert decoded.text == ""
    assert [(fault.code, fault.limit) for fault in decoded.faults] == [("too-large", True)]
    assert "4,194,305" in decoded.faults[0].message
    assert decode(source[:MAX_SIZE]).faults == ()
