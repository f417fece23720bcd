"""Fixes, offered and made: at once, when they are asked for, or by a command, as the editor can."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from lsprotocol import types

from lsp.e2e.buffer import Buffer
from lsp.e2e.editor import Action, Editor
from lsp.e2e.texts import BATCH, FACTS, MISMATCH, TYPO, UNKNOWN, lay

FIX_ALL = "source.fixAll.shardlint"


async def _offered(
    editor: Editor, buffer: Buffer, part: str, only: Sequence[str] | None = None
) -> dict[str, Action]:
    context = types.CodeActionContext(await editor.problems(buffer), only=only)
    asked = types.CodeActionParams(buffer.identifier, buffer.range_of(part), context)
    found = await editor.within(editor.text_document_code_action_async(asked))
    return {action.title: action for action in found or ()}


async def _take(editor: Editor, action: Action) -> None:
    """What an editor does when an action is chosen."""
    if isinstance(action, types.CodeAction):
        if action.edit is None and action.data is not None:
            action = await editor.within(editor.code_action_resolve_async(action))
        if action.edit is not None:
            editor.make(action.edit)
    command = action if isinstance(action, types.Command) else action.command
    if command is not None:
        asked = types.ExecuteCommandParams(command.command, list(command.arguments or ()))
        await editor.within(editor.workspace_execute_command_async(asked))


async def test_a_fix_behind_wide_characters(editor: Editor, folder: Path) -> None:
    buffer = editor.open(folder / "ds.json", TYPO)
    offered = await _offered(editor, buffer, '"overlap_com"')
    action = offered["Rename it to overlap_comm"]
    assert isinstance(action, types.CodeAction) and action.kind == types.CodeActionKind.QuickFix
    assert action.is_preferred
    await _take(editor, action)
    assert buffer.text == TYPO.replace("overlap_com", "overlap_comm")
    messages = [found.message for found in await editor.problems(buffer)]
    assert not any("overlap_com is no key" in message for message in messages)


async def test_all_safe_fixes(editor: Editor, folder: Path) -> None:
    buffer = editor.open(folder / "ds.json", TYPO)
    offered = await _offered(editor, buffer, '"overlap_com"', [FIX_ALL])
    (action,) = offered.values()
    await _take(editor, action)
    assert '"overlap_comm"' in buffer.text


async def test_a_rule_is_silenced_at_a_key(editor: Editor, folder: Path) -> None:
    lay(folder, {"shardlint.toml": FACTS})
    buffer = editor.open(folder / "ds.json", TYPO)
    offered = await _offered(editor, buffer, '"overlap_com"')
    await _take(editor, offered[f"Ignore {UNKNOWN} here"])
    assert "per-file-ignores" in (folder / "shardlint.toml").read_text(encoding="utf-8")
    editor.text_document_did_save(types.DidSaveTextDocumentParams(buffer.identifier))
    await editor.until(buffer, lambda found: all(buffer.shown(one.range) != '"overlap_com"' for one in found))
    assert UNKNOWN in await editor.codes(buffer), "other keys are none either"


async def test_what_the_server_should_know(editor: Editor, folder: Path) -> None:
    """A fact that is missed is written into the settings, which are made for it."""
    editor.change_folders(added=[folder])
    buffer = editor.open(folder / "ds.json", BATCH)
    offered = await _offered(editor, buffer, "3}")
    await _take(editor, offered["Set model.params to 7B in shardlint.toml"])
    assert 'params = "7B"' in (folder / "shardlint.toml").read_text(encoding="utf-8")
    editor.change_folders(removed=[folder])


async def test_a_value_is_made_to_fit(editor: Editor, folder: Path) -> None:
    lay(folder, {"shardlint.toml": FACTS})
    buffer = editor.open(folder / "ds.json", BATCH)
    offered = await _offered(editor, buffer, "256")
    await _take(editor, offered["Set train_batch_size to 128"])
    assert MISMATCH not in await editor.codes(buffer)
