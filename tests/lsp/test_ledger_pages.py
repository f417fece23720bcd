"""Ledgers written for an editor to open."""

from __future__ import annotations

from shardlint_lsp.ledgers.pages import Pages


def test_a_document_has_one_file_and_its_namesake_another() -> None:
    pages = Pages()
    first = pages.write("file:///a/ds.json", "one")
    second = pages.write("file:///b/ds.json", "two")
    assert pages.write("file:///a/ds.json", "three") == first != second
    assert (first.read_text(encoding="utf-8"), second.read_text(encoding="utf-8")) == ("three", "two")
    assert first.name.startswith("ledger-ds.json-")
