"""What the user sets in the editor, and files that change beside it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from lsprotocol import types
from pygls.capabilities import get_capability

from lsp.e2e.editor import Editor
from lsp.e2e.texts import BATCH, FACTS, MISMATCH, UNKNOWN, lay


@pytest.fixture
def own(editor: Editor, folder: Path) -> Iterator[Path]:
    """A folder that is one of the workspace, so that it has settings of its own."""
    editor.change_folders(added=[folder])
    yield folder
    editor.change_folders(removed=[folder])


async def test_facts(editor: Editor, own: Path) -> None:
    buffer = editor.open(own / "ds.json", BATCH)
    assert MISMATCH not in await editor.codes(buffer)
    editor.configure(own, {"world_size": 8})
    await editor.comes(buffer, MISMATCH)
    editor.configure(own, {"world_size": 16})
    await editor.goes(buffer, MISMATCH)


async def test_settings_of_another_folder(editor: Editor, own: Path, tmp_path: Path) -> None:
    buffer = editor.open(tmp_path / "ds.json", BATCH)
    inside = editor.open(own / "ds.json", BATCH)
    editor.configure(own, {"world_size": 8})
    await editor.comes(inside, MISMATCH)
    assert MISMATCH not in await editor.codes(buffer)


async def test_rules_that_are_not_wanted(editor: Editor, own: Path) -> None:
    buffer = editor.open(own / "ds.json", BATCH)
    assert UNKNOWN in await editor.codes(buffer)
    editor.configure(own, {"lint": {"ignore": [UNKNOWN]}})
    await editor.goes(buffer, UNKNOWN)


async def test_the_lens_switched_on(editor: Editor, own: Path) -> None:
    lay(own, {"shardlint.toml": FACTS})
    buffer = editor.open(own / "ds.json", BATCH)
    editor.configure(own, {"codeLens": True, "lint": {"ignore": [UNKNOWN]}})
    await editor.goes(buffer, UNKNOWN)
    asked = types.CodeLensParams(buffer.identifier)
    (lens,) = await editor.within(editor.text_document_code_lens_async(asked)) or ()
    assert lens.command is not None and "16.30 GiB/rank" in lens.command.title
    assert lens.range.start.line == buffer.at('"sta|ge"').line


async def test_hints_switched_off(editor: Editor, own: Path) -> None:
    lay(own, {"shardlint.toml": FACTS})
    buffer = editor.open(own / "ds.json", BATCH)
    editor.configure(own, {"inlayHints": False, "lint": {"ignore": [UNKNOWN]}})
    await editor.goes(buffer, UNKNOWN)
    asked = types.InlayHintParams(buffer.identifier, buffer.range(0, len(buffer.text)))
    assert not await editor.within(editor.text_document_inlay_hint_async(asked))


@pytest.mark.parametrize(
    "method", [types.WORKSPACE_DID_CHANGE_WATCHED_FILES, types.WORKSPACE_DID_CHANGE_CONFIGURATION]
)
async def test_editors_are_asked_to_tell(editor: Editor, own: Path, method: str) -> None:
    """Once, and only those that can be asked."""
    await editor.codes(editor.open(own / "ds.json", BATCH))
    names = {
        types.WORKSPACE_DID_CHANGE_WATCHED_FILES: "workspace.did_change_watched_files",
        types.WORKSPACE_DID_CHANGE_CONFIGURATION: "workspace.did_change_configuration",
    }
    can = get_capability(editor.capabilities, f"{names[method]}.dynamic_registration", False)
    assert editor.registered.count(method) == int(bool(can))


async def test_files_that_change_beside_the_editor(editor: Editor, own: Path) -> None:
    buffer = editor.open(own / "ds.json", BATCH)
    assert MISMATCH not in await editor.codes(buffer)
    path = lay(own, {"shardlint.toml": FACTS})
    _changed(editor, path, types.FileChangeType.Created)
    await editor.comes(buffer, MISMATCH)
    path.unlink()
    _changed(editor, path, types.FileChangeType.Deleted)
    await editor.goes(buffer, MISMATCH)


async def test_files_that_are_not_open(editor: Editor, own: Path) -> None:
    """Where the user wants it closed files are linted too, and cleared when it is switched off."""
    path = lay(own, {"shardlint.toml": FACTS, "configs/ds.json": BATCH})
    editor.configure(own, {"workspaceDiagnostics": True})
    assert MISMATCH in {found.code for found in await _unopened(editor, path, wanted=True)}
    editor.configure(own, {"workspaceDiagnostics": False})
    assert not await _unopened(editor, path, wanted=False)


async def test_what_did_not_change_is_not_sent_again(editor: Editor, own: Path) -> None:
    buffer = editor.open(own / "ds.json", BATCH)
    await editor.problems(buffer)
    if not editor.pulls:
        assert len(editor.published[buffer.uri]) == 1
        return
    asked = types.DocumentDiagnosticParams(buffer.identifier)
    first = await editor.within(editor.text_document_diagnostic_async(asked))
    again = types.DocumentDiagnosticParams(buffer.identifier, previous_result_id=first.result_id)
    second = await editor.within(editor.text_document_diagnostic_async(again))
    assert second.kind == types.DocumentDiagnosticReportKind.Unchanged
    assert second.result_id == first.result_id


def _changed(editor: Editor, path: Path, kind: types.FileChangeType) -> None:
    event = types.FileEvent(path.as_uri(), kind)
    editor.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams([event]))


async def _unopened(editor: Editor, path: Path, wanted: bool) -> list[types.Diagnostic]:
    """What an editor knows of a file that is not open, once there is something or, if not wanted, nothing."""
    uri = path.as_uri()
    if not editor.pulls:
        return await editor.heard(uri, lambda said: bool(said.diagnostics) == wanted)
    asked = types.WorkspaceDiagnosticParams(previous_result_ids=[])
    while True:
        report = await editor.within(editor.workspace_diagnostic_async(asked))
        found = {item.uri: item for item in report.items}
        said = list(getattr(found.get(uri), "items", ()))
        if bool(said) == wanted:
            return said
