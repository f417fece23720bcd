"""What is said about open texts, in the editor's own positions."""

from __future__ import annotations

from pathlib import Path

import pytest
from lsprotocol import types

from lsp.e2e.buffer import Buffer
from lsp.e2e.editor import Editor
from lsp.e2e.texts import BATCH, FACTS, FITTING, LAUNCHER, MISMATCH, UNBUDGETED, UNKNOWN, WIDE, lay


async def _found(editor: Editor, buffer: Buffer, code: str) -> list[types.Diagnostic]:
    return [found for found in await editor.problems(buffer) if found.code == code]


async def test_the_encoding_is_the_editors(editor: Editor) -> None:
    assert editor.serves.position_encoding == editor.encoding


async def test_a_finding_is_a_diagnostic(editor: Editor, folder: Path) -> None:
    lay(folder, {"shardlint.toml": FACTS})
    buffer = editor.open(folder / "ds.json", BATCH)
    (found,) = await _found(editor, buffer, MISMATCH)
    assert found.range == buffer.range_of("256")
    assert found.severity is types.DiagnosticSeverity.Error
    assert found.source == "shardlint"
    assert "256 is not micro_batch 4 x accumulation 4 x DP 8 = 128" in found.message


async def test_places_behind_wide_characters(editor: Editor, folder: Path) -> None:
    lay(folder, {"shardlint.toml": FACTS})
    buffer = editor.open(folder / "ds.json", BATCH)
    shown = {buffer.shown(found.range) for found in await _found(editor, buffer, UNKNOWN)}
    assert shown == {f'"{WIDE}"'}
    (found,) = await _found(editor, buffer, UNBUDGETED)
    assert found.range == buffer.range(buffer.text.index("3}"), buffer.text.index("3}") + 1)


async def test_what_an_editor_can_show(editor: Editor, folder: Path) -> None:
    """Related places, links and tags go to the editors that said they show them."""
    lay(folder, {"shardlint.toml": FACTS})
    text = BATCH.replace('"stage": 3', '"stage": 3, "cpu_offload": true')
    buffer = editor.open(folder / "ds.json", text)
    said = editor.capabilities.text_document.publish_diagnostics  # pyright: ignore
    (found,) = await _found(editor, buffer, MISMATCH)
    assert bool(found.related_information) == bool(said.related_information)
    for related in found.related_information or ():
        inside = related.location.uri == buffer.uri
        assert not inside or buffer.shown(related.location.range) == "4"
        assert inside or related.location.uri == (folder / "shardlint.toml").as_uri()
    assert bool(found.code_description) == bool(said.code_description_support)
    tags = [tag for found in await editor.problems(buffer) for tag in found.tags or ()]
    assert bool(tags) == bool(said.tag_support)


async def test_a_repaired_text_has_nothing_left(editor: Editor, folder: Path) -> None:
    lay(folder, {"shardlint.toml": FACTS})
    buffer = editor.open(folder / "ds.json", BATCH)
    assert MISMATCH in await editor.codes(buffer)
    editor.tell(buffer, buffer.swap("256", "128"))
    assert MISMATCH not in await editor.codes(buffer)
    editor.tell(buffer, buffer.swap("128", "256"))
    assert MISMATCH in await editor.codes(buffer)


async def test_files_that_belong_together(editor: Editor, folder: Path) -> None:
    """The launcher gives the ranks of the file it names, which need not be saved."""
    launcher = editor.open(folder / "accelerate.yaml", LAUNCHER)
    buffer = editor.open(folder / "ds.json", BATCH)
    await editor.comes(buffer, MISMATCH)
    editor.tell(launcher, launcher.swap("num_processes: 8", "num_processes: 16"))
    await editor.goes(buffer, MISMATCH)
    editor.tell(launcher, launcher.swap("ds.json", "other.json"), launcher.swap("16", "8"))
    await editor.goes(buffer, MISMATCH)
    editor.tell(launcher, launcher.swap("other.json", "ds.json"))
    await editor.comes(buffer, MISMATCH)


async def test_a_text_without_a_file(editor: Editor) -> None:
    buffer = editor.open(Path(), BATCH, uri="untitled:Untitled-1", language="json")
    assert UNKNOWN in await editor.codes(buffer)
    yaml = editor.open(Path(), LAUNCHER, uri="untitled:Untitled-2", language="yaml")
    editor.tell(yaml, yaml.swap("num_machines", "num_machine"))
    (found,) = await _found(editor, yaml, UNKNOWN)
    assert yaml.shown(found.range) == "num_machine"


@pytest.mark.parametrize("spelling", ["test%20", "test%20".replace("t", "%74")])
async def test_a_file_is_called_as_the_editor_calls_it(editor: Editor, folder: Path, spelling: str) -> None:
    lay(folder, {"shardlint.toml": FACTS})
    path = folder / "ds.json"
    buffer = editor.open(path, BATCH, uri=path.as_uri().replace("test%20", spelling))
    assert MISMATCH in await editor.codes(buffer)


async def test_folders_have_settings_of_their_own(editor: Editor, folder: Path) -> None:
    eight = lay(folder, {"eight/shardlint.toml": FACTS}).parent / "ds.json"
    sixteen = lay(folder, {"sixteen/shardlint.toml": FACTS.replace("8", "16")}).parent / "ds.json"
    both = [eight.parent, sixteen.parent]
    editor.change_folders(added=both)
    wrong, right = editor.open(eight, BATCH), editor.open(sixteen, BATCH)
    assert MISMATCH in await editor.codes(wrong)
    assert MISMATCH not in await editor.codes(right)
    editor.change_folders(removed=both)
    assert MISMATCH in await editor.codes(wrong)


async def test_closing_clears(editor: Editor, folder: Path) -> None:
    launcher = editor.open(folder / "accelerate.yaml", LAUNCHER)
    buffer = editor.open(folder / "ds.json", BATCH)
    lay(folder, {"ds.json": BATCH})
    await editor.comes(buffer, MISMATCH)
    editor.close(buffer)
    if editor.pulls:
        assert not editor.published, "this editor drops what it asked for by itself"
        return
    editor.tell(launcher, launcher.splice(0, 0, "\n"))
    await editor.problems(launcher)
    await editor.heard(buffer.uri, lambda said: MISMATCH in {found.code for found in said.diagnostics})
    editor.close(launcher)
    assert await editor.heard(buffer.uri, lambda said: not said.diagnostics) == []
    assert await editor.heard(launcher.uri, lambda said: not said.diagnostics) == []


async def test_saving_looks_again(editor: Editor, folder: Path) -> None:
    """Settings may have been written beside the file."""
    buffer = editor.open(folder / "ds.json", BATCH)
    assert MISMATCH not in await editor.codes(buffer)
    lay(folder, {"shardlint.toml": FACTS})
    editor.text_document_did_save(types.DidSaveTextDocumentParams(buffer.identifier))
    await editor.comes(buffer, MISMATCH)


async def test_fitting_files_have_no_error(editor: Editor, folder: Path) -> None:
    lay(folder, {"shardlint.toml": FACTS})
    text = FITTING.replace(f'"{WIDE}": 1, ', "")
    buffer = editor.open(folder / "ds.json", text)
    severities = {found.severity for found in await editor.problems(buffer)}
    assert not severities & {types.DiagnosticSeverity.Error, types.DiagnosticSeverity.Warning}
