"""Edits as editors send them: the server must hold the text the editor holds."""

from __future__ import annotations

import warnings
from pathlib import Path

import pytest
from lsprotocol import types
from pytest_lsp import LspSpecificationWarning

from lsp.e2e.editor import Editor
from lsp.e2e.texts import BATCH, FACTS, MISMATCH, UNKNOWN, WIDE, lay

LINE_ENDS = ["\n", "\r\n"]


def test_what_the_specification_forbids_is_an_error() -> None:
    with pytest.raises(LspSpecificationWarning):
        warnings.warn("not in the protocol", LspSpecificationWarning, stacklevel=1)


@pytest.mark.parametrize("end", LINE_ENDS, ids=["lf", "crlf"])
async def test_an_edit_behind_wide_characters(editor: Editor, folder: Path, end: str) -> None:
    lay(folder, {"shardlint.toml": FACTS})
    buffer = editor.open(folder / "ds.json", BATCH.replace("\n", end))
    editor.tell(buffer, buffer.swap("train_batch_size", "train_batch_sizes"))
    shown = [buffer.shown(d.range) for d in await editor.problems(buffer) if d.code == UNKNOWN]
    assert '"train_batch_sizes"' in shown
    editor.tell(buffer, buffer.swap("sizes", "size"), buffer.swap("256", "12🚀"), buffer.swap("12🚀", "257"))
    (found,) = [d for d in await editor.problems(buffer) if d.code == MISMATCH]
    assert buffer.shown(found.range) == "257"


async def test_changes_of_one_message_follow_each_other(editor: Editor, folder: Path) -> None:
    lay(folder, {"shardlint.toml": FACTS})
    buffer = editor.open(folder / "ds.json", BATCH)
    editor.tell(
        buffer,
        buffer.splice(0, 0, "\n\n"),
        buffer.swap(f'"{WIDE}": 1, "train_batch_size"', f'"{WIDE}{WIDE}": 1,\n "train_batch_size"'),
        buffer.swap("256", "300"),
    )
    (found,) = [d for d in await editor.problems(buffer) if d.code == MISMATCH]
    assert found.range == buffer.range_of("300")


async def test_lines_joined_and_split(editor: Editor, folder: Path) -> None:
    lay(folder, {"shardlint.toml": FACTS})
    buffer = editor.open(folder / "ds.json", BATCH)
    editor.tell(buffer, buffer.swap('256,\n  "train_micro', '256, "🚀": 1, "train_micro'))
    editor.tell(buffer, buffer.swap('"train_batch_size"', '"模": 2,\n\n\t"train_batch_size"'))
    (found,) = [d for d in await editor.problems(buffer) if d.code == MISMATCH]
    assert found.range == buffer.range_of("256")


async def test_the_whole_text_at_once(editor: Editor, folder: Path) -> None:
    lay(folder, {"shardlint.toml": FACTS})
    buffer = editor.open(folder / "ds.json", "")
    assert await editor.problems(buffer) == []
    buffer.text = BATCH
    editor.tell(buffer, types.TextDocumentContentChangeWholeDocument(BATCH))
    assert MISMATCH in await editor.codes(buffer)
    editor.tell(buffer, buffer.splice(0, len(buffer.text), ""))
    assert await editor.problems(buffer) == []


async def test_every_keystroke_of_a_text(editor: Editor, folder: Path) -> None:
    """Typed from nothing, one character a message, and without waiting for the server."""
    lay(folder, {"shardlint.toml": FACTS})
    buffer = editor.open(folder / "ds.json", "")
    for char in BATCH:
        editor.tell(buffer, buffer.splice(len(buffer.text), len(buffer.text), char))
    (found,) = [d for d in await editor.problems(buffer) if d.code == MISMATCH]
    assert found.range == buffer.range_of("256")
    versions = [said.version for said in editor.published[buffer.uri] if said.version is not None]
    assert versions == sorted(versions)


async def test_a_byte_order_mark_moves_nothing(editor: Editor, folder: Path) -> None:
    lay(folder, {"shardlint.toml": FACTS})
    buffer = editor.open(folder / "ds.json", "\ufeff" + BATCH.replace("\n", " "))
    (found,) = [d for d in await editor.problems(buffer) if d.code == MISMATCH]
    assert found.range == buffer.range_of("256")


async def test_places_outside_the_text_are_its_ends(editor: Editor, folder: Path) -> None:
    lay(folder, {"shardlint.toml": FACTS})
    buffer = editor.open(folder / "ds.json", BATCH)
    far = types.Range(types.Position(900, 0), types.Position(1000, 70))
    editor.tell(buffer, types.TextDocumentContentChangePartial(range=far, text="\n"))
    buffer.text += "\n"
    beyond = types.Range(types.Position(0, 5000), types.Position(0, 6000))
    editor.tell(buffer, types.TextDocumentContentChangePartial(range=beyond, text=" "))
    buffer.text = buffer.text.replace("{\n", "{ \n", 1)
    (found,) = [d for d in await editor.problems(buffer) if d.code == MISMATCH]
    assert found.range == buffer.range_of("256")


async def test_texts_that_were_never_opened_are_ignored(editor: Editor, folder: Path) -> None:
    stranger = types.TextDocumentIdentifier((folder / "gone.json").as_uri())
    whole = types.TextDocumentContentChangeWholeDocument(BATCH)
    versioned = types.VersionedTextDocumentIdentifier(version=3, uri=stranger.uri)
    editor.text_document_did_change(types.DidChangeTextDocumentParams(versioned, [whole]))
    editor.text_document_did_save(types.DidSaveTextDocumentParams(stranger))
    editor.text_document_did_close(types.DidCloseTextDocumentParams(stranger))
    buffer = editor.open(folder / "ds.json", "{")
    assert await editor.problems(buffer) is not None


async def test_a_folder_that_vanishes(editor: Editor, folder: Path) -> None:
    lay(folder, {"shardlint.toml": FACTS, "ds.json": BATCH})
    buffer = editor.open(folder / "ds.json", BATCH)
    assert MISMATCH in await editor.codes(buffer)
    for path in folder.iterdir():
        path.unlink()
    folder.rmdir()
    editor.tell(buffer, buffer.splice(0, 0, "\n"))
    assert UNKNOWN in await editor.codes(buffer)
