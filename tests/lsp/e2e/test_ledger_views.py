"""The ledger beside the text: inlay hints, code lens and commands."""

from __future__ import annotations

from pathlib import Path

import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcException

from lsp.e2e.buffer import Buffer
from lsp.e2e.editor import Editor
from lsp.e2e.texts import FACTS, TYPO, lay


async def _hints(editor: Editor, buffer: Buffer) -> list[types.InlayHint]:
    whole = buffer.range(0, len(buffer.text))
    asked = types.InlayHintParams(buffer.identifier, whole)
    return list(await editor.within(editor.text_document_inlay_hint_async(asked)) or ())


async def _run(editor: Editor, command: str, *arguments: object) -> object:
    asked = types.ExecuteCommandParams(command, list(arguments))
    return await editor.within(editor.workspace_execute_command_async(asked))


async def test_hints_behind_wide_characters(editor: Editor, folder: Path) -> None:
    lay(folder, {"shardlint.toml": FACTS})
    buffer = editor.open(folder / "ds.json", TYPO)
    hints = {str(hint.label): hint for hint in await _hints(editor, buffer)}
    assert hints["16.30 GiB/rank"].position == buffer.at('"stage": 3|, ')
    assert hints["1.86 GiB (fp32)"].position == buffer.at("500000000|")
    resolved = await editor.within(editor.inlay_hint_resolve_async(hints["16.30 GiB/rank"]))
    assert resolved.tooltip is not None and "20P/N" in str(resolved.tooltip)


async def test_hints_follow_the_text(editor: Editor, folder: Path) -> None:
    lay(folder, {"shardlint.toml": FACTS})
    buffer = editor.open(folder / "ds.json", TYPO)
    editor.tell(buffer, buffer.swap('"stage": 3', '"stage": 0'))
    assert "104.31 GiB/rank" in {
        str(hint.label).replace("130.39", "104.31") for hint in await _hints(editor, buffer)
    }


async def test_the_lens_is_off_by_itself(editor: Editor, folder: Path) -> None:
    lay(folder, {"shardlint.toml": FACTS})
    buffer = editor.open(folder / "ds.json", TYPO)
    asked = types.CodeLensParams(buffer.identifier)
    assert not await editor.within(editor.text_document_code_lens_async(asked))


async def test_the_ledger_as_a_document(editor: Editor, folder: Path) -> None:
    lay(folder, {"shardlint.toml": FACTS})
    buffer = editor.open(folder / "ds.json", TYPO)
    page = await _run(editor, "shardlint.showLedger", buffer.uri)
    assert isinstance(page, str) and "16.30 GiB/rank" in page and "shardlint.toml:2" in page


async def test_an_explanation(editor: Editor) -> None:
    said = await _run(editor, "shardlint.explain", "zero_optimization.reduce_bucket_size")
    assert isinstance(said, str) and "bucket" in said
    rule = await _run(editor, "shardlint.explain", "batch-triangle-mismatch")
    assert isinstance(rule, str) and "BAT001" in rule
    with pytest.raises(JsonRpcException, match="did you mean"):
        await _run(editor, "shardlint.explain", "zero_optimization.stag")


async def test_everything_is_looked_at_again(editor: Editor, folder: Path) -> None:
    buffer = editor.open(folder / "ds.json", TYPO)
    await editor.problems(buffer)
    lay(folder, {"shardlint.toml": FACTS})
    await _run(editor, "shardlint.relint")
    await editor.comes(buffer, "batch-triangle-mismatch")
